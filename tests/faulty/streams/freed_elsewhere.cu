// Memory is given back in a stream that does not wait for its use.
// expect: race-stream line 15 other 6
// says: cudaFreeAsync, which
#include <cstdio>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMallocAsync(&x, 64 * sizeof(int), a);
    fill<<<1, 64, 0, a>>>(x);
    cudaFreeAsync(x, b);
    cudaDeviceSynchronize();
    return 0;
}
