// The host sets the flag while the kernel runs.

__global__ void wait(volatile int *flag, int *out) {
    while (*flag == 0) __nanosleep(100);
    *out = 1;
}

int main() {
    int *flag, *out;
    cudaHostAlloc(&out, sizeof *out, 0);
    cudaHostAlloc(&flag, sizeof *flag, 0);
    *flag = 0;
    wait<<<1, 1>>>(flag, out);
    bool good = true;
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    if (cudaDeviceSynchronize() != cudaSuccess) return 0;
    return !good;
}
