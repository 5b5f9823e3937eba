// A bound that lets one thread too many through.
// expect: out-of-bounds line 7
// says: just past the end of 4000 bytes of device memory, allocated by cudaMalloc

__global__ void fill(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) x[i] = i;
}

int main() {
    float *x;
    cudaMalloc(&x, 1000 * sizeof(float));
    fill<<<4, 256>>>(x, 1000);
    cudaDeviceSynchronize();
    cudaFree(x);
}
