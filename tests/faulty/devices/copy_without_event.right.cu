// A copy from a peer waits for an event behind the kernel that makes what it copies.
// options: --devices 2
#include <cstdio>

__global__ void make(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *from, *to, got;
    cudaStream_t s[2];
    cudaEvent_t made;
    cudaSetDevice(1);
    cudaMalloc(&from, 256 * sizeof(int));
    cudaStreamCreate(&s[1]);
    cudaEventCreate(&made);
    cudaSetDevice(0);
    cudaMalloc(&to, 256 * sizeof(int));
    cudaStreamCreate(&s[0]);
    make<<<1, 256, 0, s[1]>>>(from);
    cudaEventRecord(made, s[1]);
    cudaStreamWaitEvent(s[0], made);
    cudaMemcpyPeerAsync(to, 0, from, 1, 256 * sizeof(int), s[0]);
    cudaMemcpyAsync(&got, to + 255, sizeof got, cudaMemcpyDeviceToHost, s[0]);
    cudaStreamSynchronize(s[0]);
    printf("%d\n", got);
    return 0;
}
