// In the stream that uses it.
#include <cstdio>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMallocAsync(&x, 64 * sizeof(int), a);
    fill<<<1, 64, 0, a>>>(x);
    cudaFreeAsync(x, a);
    cudaDeviceSynchronize();
    return 0;
}
