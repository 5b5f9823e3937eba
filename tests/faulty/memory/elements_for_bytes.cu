// Memory asked for in elements, where bytes are counted.
// expect: out-of-bounds line 5
// says: just past the end of 256 bytes of device memory

__global__ void squares(int *out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
    int *out;
    cudaMalloc(&out, 256);
    squares<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
