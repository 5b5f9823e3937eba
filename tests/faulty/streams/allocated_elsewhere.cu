// Memory that is allocated in the order of one stream is used in another one, which does not wait for that.
// expect: race-stream line 8 other 15
// expect: race-stream line 18 other 15
// says: cudaMallocAsync, which allocates it
// options: --only race
#include <cuda_runtime.h>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, *y;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMallocAsync(&x, 64 * sizeof(int), a), cudaMallocAsync(&y, 64 * sizeof(int), a);
    cudaMemsetAsync(x, 0, 64 * sizeof(int), a);
    fill<<<1, 64, 0, b>>>(y);
    cudaMemsetAsync(y, 0, 4, b);
    cudaDeviceSynchronize();
    fill<<<1, 64, 0, b>>>(x);
    cudaStreamSynchronize(b);
    cudaFreeAsync(x, a);
    cudaFreeAsync(y, a);
    cudaStreamSynchronize(a);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    return 0;
}
