// __syncthreads_count() in a branch that not all warps take.
// expect: barrier-skipped line 8 other 10
// options: --only barrier

__global__ void count(int *data) {
    const int t = threadIdx.x;
    int n = 0;
    if (t < 64) n = __syncthreads_count(t % 3 == 0);
    data[t] = n;
    __syncthreads();
    data[128 + t] = data[127 - t];
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    count<<<1, 128>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
