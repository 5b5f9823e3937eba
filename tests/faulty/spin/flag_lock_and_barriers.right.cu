// One thread waits for a flag of the other block, whose threads wait for each other at an mbarrier,
// for one that wants a lock, and at a block barrier: the lock is given back before.
#include <cuda/barrier>

__device__ int lock;
__device__ volatile int flag;

__global__ void wait() {
    if (blockIdx.x == 0) {
        if (threadIdx.x > 0) return;
        atomicExch(&lock, 1);
        atomicExch(&lock, 0);
        while (!flag);
        return;
    }
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        while (threadIdx.x == 0 && atomicAdd(&lock, 0) == 1);
        bar.arrive_and_wait();
    }
    __syncthreads();
    if (threadIdx.x == 0) flag = 1;
}

int main() {
    wait<<<2, 64>>>();
    cudaDeviceSynchronize();
}
