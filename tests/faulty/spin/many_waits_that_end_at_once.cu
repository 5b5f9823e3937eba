// A flag is waited for again and again, and found set each time but the last: rounds of the loop
// around are alike, too, which is no waiting.
// expect: deadlock line 12
// says: Thread (0,0,0) waits at many_waits_that_end_at_once.cu:12

__global__ void sum(volatile int *flags, int *out, int n) {
    int s = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        volatile int *flag = flags + (i == n - 1);
        asm volatile("add.s32 %0, %0, %1;" : "+r"(s) : "r"(i & 3));
        while (__nanosleep(20), *flag == 0);
        s *= 5;
    }
    *out = s;
}

int main() {
    int *flags;
    cudaMallocManaged(&flags, 3 * sizeof *flags);
    flags[0] = 1;
    sum<<<1, 1>>>(flags, flags + 2, 300000);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(flags);
}
