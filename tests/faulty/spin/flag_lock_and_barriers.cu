// One thread waits for a flag of the other block, whose threads wait for each other at an mbarrier,
// for one that wants a lock, and at a block barrier: each of these waits is for ever because of the
// others.
// expect: deadlock line 22 other 30
// says: Thread (0,0,0) of block (0,0,0) waits at flag_lock_and_barriers.cu:22 for 'flag', which is
// says: 0
// says: 31 threads, (1,0,0) to (31,0,0) of block (1,0,0), wait at the mbarrier at byte 0 of 'bar',
// says: flag_lock_and_barriers.cu:31, which waits for 1 of 32 arrivals
// says: thread (0,0,0) of block (1,0,0) waits at flag_lock_and_barriers.cu:30 for 'lock', which is
// says: 1 since thread (0,0,0) of block (0,0,0) wrote it at flag_lock_and_barriers.cu:21
// says: 32 threads, (32,0,0) to (63,0,0) of block (1,0,0), wait at barrier 0,
// says: flag_lock_and_barriers.cu:33, for 32 threads, (0,0,0) to (31,0,0)
#include <cuda/barrier>

__device__ int lock;
__device__ volatile int flag;

__global__ void wait() {
    if (blockIdx.x == 0) {
        if (threadIdx.x > 0) return;
        atomicExch(&lock, 1);
        while (!flag);
        atomicExch(&lock, 0);
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
