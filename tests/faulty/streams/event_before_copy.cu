// The event that the host waits for was recorded before the copy.
// expect: race-host line 20 other 17
#include <cstdio>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *pinned, *x;
    cudaStream_t s;
    cudaEvent_t there;
    cudaMallocHost(&pinned, 64 * sizeof(int));
    cudaMalloc(&x, 64 * sizeof(int));
    cudaStreamCreate(&s);
    cudaEventCreate(&there);
    fill<<<1, 64, 0, s>>>(x);
    cudaEventRecord(there, s);
    cudaMemcpyAsync(pinned, x, 64 * sizeof(int), cudaMemcpyDeviceToHost, s);

    cudaEventSynchronize(there);
    printf("%d\n", pinned[9]);
    return 0;
}
