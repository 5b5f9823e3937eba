// It is set before the barrier.
__global__ void wait(volatile int *flag) {
    if (threadIdx.x == 0) {
        while (*flag == 0) __nanosleep(20);
    }
    if (threadIdx.x == 32) *flag = 1;
    __syncthreads();
}

int main() {
    int *flag;
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    wait<<<1, 64>>>(flag);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(flag);
}
