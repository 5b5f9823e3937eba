// A consumer waits for one item more than the producer makes.
// expect: deadlock line 9
// options: --only barrier

__device__ void arrive(int barrier, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ void wait(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__global__ void pipe(int *data) {
    __shared__ int item[32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 3; i++) {
            item[t] = data[t] + i;
            arrive(1, 64);
            wait(2, 64);
        }
    } else if (threadIdx.x < 64) {
        for (int i = 0; i < 4; i++) {
            wait(1, 64);
            data[64 + t] += item[t];
            arrive(2, 64);
        }
    }
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    pipe<<<1, 96>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
