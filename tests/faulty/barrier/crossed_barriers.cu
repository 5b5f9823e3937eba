// Two warps wait for each other at different barriers.
// expect: deadlock line 9 other 9
// options: --only barrier

__device__ void arrive(int barrier, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ void wait(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__global__ void crossed(int *data) {
    if (threadIdx.x < 32) {
        wait(1, 64);
        data[threadIdx.x] = 1;
        wait(2, 64);
    } else {
        wait(2, 64);
        data[threadIdx.x] = 2;
        wait(1, 64);
    }
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    crossed<<<1, 64>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
