// The event that the other device waits for is recorded behind the kernel.
// options: --devices 2
#include <cstdio>

__global__ void make(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

int main() {
    int *x, got;
    cudaStream_t s[2];
    cudaEvent_t made;
    cudaSetDevice(0);
    cudaMalloc(&x, 256 * sizeof(int));
    cudaMemset(x, 0, 256 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStreamCreate(&s[0]);
    cudaEventCreate(&made);
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaStreamCreate(&s[1]);
    make<<<1, 256, 0, s[0]>>>(x);
    cudaEventRecord(made, s[0]);
    cudaStreamWaitEvent(s[1], made);
    twice<<<1, 256, 0, s[1]>>>(x);
    cudaStreamSynchronize(s[1]);
    cudaMemcpy(&got, x + 255, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d\n", got);
    return 0;
}
