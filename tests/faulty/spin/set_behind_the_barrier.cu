// Thread 0 waits for what another sets behind a barrier that waits for thread 0.
// expect: deadlock line 7 other 9
// says: 63 threads, (1,0,0) to (63,0,0), wait at barrier 0

__global__ void wait(volatile int *flag) {
    if (threadIdx.x == 0) {
        while (*flag == 0) __nanosleep(20);
    }
    __syncthreads();
    if (threadIdx.x == 32) *flag = 1;
}

int main() {
    int *flag;
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    wait<<<1, 64>>>(flag);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(flag);
}
