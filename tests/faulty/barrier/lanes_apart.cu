// Lanes of one warp wait at different barriers.
// expect: barrier-divergent line 10 other 14
// options: --only barrier

__global__ void pairs(int *data) {
    __shared__ int tile[32];
    const int t = threadIdx.x;
    if (t % 2) {
        tile[t] = data[t] + 1;
        __syncthreads();
        data[t] = tile[t - 1];
    } else {
        tile[t] = data[t] * 2;
        __syncthreads();
        data[t] = tile[t + 1] - 7;
    }
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    pairs<<<1, 32>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
