// It is set for the one that is waited for.
__global__ void wait(volatile int *flag, int *out) {
    if (blockIdx.x == 0) {
        while (*flag != 1);
        __threadfence();
        out[0] = 5;
    } else {
        *flag = 1;
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
