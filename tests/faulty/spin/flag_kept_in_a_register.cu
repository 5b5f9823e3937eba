// Without volatile the flag is read once, before the loop: for ever what it was.
// expect: deadlock line 9
// expect: race-block line 14 other 8
// says: in a loop that never ends

__global__ void wait(int *flag, int *out) {
    if (threadIdx.x == 0) {
        const int is = *flag;
        while (is == 0) asm volatile("");
        __threadfence();
        out[0] = 5;
    } else if (threadIdx.x == 32) {
        __threadfence();
        atomicExch(flag, 1);
    }
}

int main() {
    int *flag, *out;
    cudaMalloc(&flag, sizeof *flag);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(flag, 0, sizeof *flag);
    wait<<<1, 64>>>(flag, out);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(flag), cudaFree(out);
}
