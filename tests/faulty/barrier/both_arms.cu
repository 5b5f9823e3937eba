// A barrier in each arm of a branch.
// expect: barrier-divergent line 10 other 14
// options: --only barrier

__global__ void exchange(int *data) {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    if (t < 32) {
        tile[t] = data[t] + 1;
        __syncthreads();
        data[t] = tile[t + 32];
    } else {
        tile[t] = data[t] * 2;
        __syncthreads();
        data[t] = tile[t - 32] - 7;
    }
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    exchange<<<1, 64>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
