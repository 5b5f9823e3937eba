// Memory asked for in elements, where bytes are counted: mended.

__global__ void squares(int *out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
    int *out;
    cudaMalloc(&out, 256 * sizeof(int));
    squares<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
