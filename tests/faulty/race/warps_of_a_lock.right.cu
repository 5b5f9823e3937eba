// Warps share a lock of their block in global memory, each with a fence behind the exchange that takes it.
#include <cstdio>
__device__ int lock;

__global__ void warps(volatile int *data) {
    if (threadIdx.x % 32) return;
    while (atomicCAS_block(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    data[0] = threadIdx.x;
    __threadfence_block();
    atomicExch_block(&lock, 0);
}

int main() {
    int *p, host;
    cudaMalloc(&p, sizeof host);
    warps<<<1, 64>>>(p);
    cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host > 0);
    cudaFree(p);
}
