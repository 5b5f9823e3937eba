// The flag is set for another number than the one that is waited for.
// expect: deadlock line 8 other 12
// says: Thread (0,0,0) of block (0,0,0) waits at flag_nobody_sets.cu:8
// says: which is 2 since thread (0,0,0) of block (1,0,0) wrote it at

__global__ void wait(volatile int *flag, int *out) {
    if (blockIdx.x == 0) {
        while (*flag != 1);
        __threadfence();
        out[0] = 5;
    } else {
        *flag = 2;
    }
}

int main() {
    int *flag, *out;
    cudaMalloc(&flag, sizeof *flag);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(flag, 0, sizeof *flag);
    wait<<<2, 1>>>(flag, out);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(flag), cudaFree(out);
}
