// It is read each time.
__global__ void wait(int *flag, int *out) {
    if (threadIdx.x == 0) {
        while (*(volatile int *)flag == 0) {
        }
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
