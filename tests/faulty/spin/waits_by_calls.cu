// Flags are waited for by a function that is called again and again, and found set each time but the last;
// another one is called from within a waiting loop.
// expect: deadlock line 11
// says: Thread (0,0,0) waits at
// says: waits_by_calls.cu:11

__device__ int lock;

__device__ __noinline__ bool try_lock() { return atomicCAS(&lock, 0, 1) == 0; }

__device__ __noinline__ void wait_for(volatile int *flag) { while (__nanosleep(20), *flag == 0); }

__global__ void sum(volatile int *flags, int *out, int n) {
    int s = 0;
    while (!try_lock());
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        asm volatile("add.s32 %0, %0, %1;" : "+r"(s) : "r"(i & 3));
        wait_for(flags + (i == n - 1));
        s *= 5;
    }
    *out = s;
    atomicExch(&lock, 0);
}

int main() {
    int *flags;
    cudaMallocManaged(&flags, 3 * sizeof *flags);
    flags[0] = 1;
    sum<<<1, 1>>>(flags, flags + 2, 300000);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(flags);
}
