// Lanes of one warp wait at different barriers: put right.

__global__ void pairs(int *data) {
    __shared__ int tile[32];
    const int t = threadIdx.x;
    tile[t] = t % 2 ? data[t] + 1 : data[t] * 2;
    __syncthreads();
    data[t] = t % 2 ? tile[t - 1] : tile[t + 1] - 7;
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
