// Memory that is allocated in the order of one stream is used in another one, which waits for that.
// options: --only race
#include <cuda_runtime.h>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, *y;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEvent_t made;
    cudaEventCreate(&made);
    cudaMallocAsync(&x, 64 * sizeof(int), a), cudaMallocAsync(&y, 64 * sizeof(int), a);
    cudaMemsetAsync(x, 0, 64 * sizeof(int), a);
    cudaEventRecord(made, a);
    cudaStreamWaitEvent(b, made);
    fill<<<1, 64, 0, b>>>(y);
    cudaMemsetAsync(y, 0, 4, b);
    cudaDeviceSynchronize();
    fill<<<1, 64, 0, b>>>(x);
    cudaStreamSynchronize(b);
    cudaFreeAsync(x, a);
    cudaFreeAsync(y, a);
    cudaStreamSynchronize(a);
    cudaEventDestroy(made);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    return 0;
}
