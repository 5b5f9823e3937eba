// A loop with a barrier, which threads leave after different numbers of turns.
// expect: barrier-exited line 11 other 9
// says: Threads have left the loop that the barrier is in.
// options: --only barrier

__global__ void sum_parts(int *data, int n) {
    __shared__ int part[64];
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 64) {
        part[threadIdx.x] = data[i];
        __syncthreads();
        sum += part[threadIdx.x ^ 1];
    }
    data[1024 + threadIdx.x] = sum;
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    sum_parts<<<1, 64>>>(data, 160);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
