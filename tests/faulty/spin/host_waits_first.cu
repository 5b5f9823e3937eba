// The host sets the flag when the kernel has ended, which waits for the flag.
// expect: deadlock line 6
// says: for byte 0 of 4 bytes of managed memory, which is 0

__global__ void wait(volatile int *flag, int *out) {
    while (*flag == 0) __nanosleep(100);
    *out = 1;
}

int main() {
    int *flag, *out;
    cudaHostAlloc(&out, sizeof *out, 0);
    cudaMallocManaged(&flag, sizeof *flag);
    *flag = 0;
    wait<<<1, 1>>>(flag, out);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    if (cudaDeviceSynchronize() != cudaSuccess) return 0;
    return !good;
}
