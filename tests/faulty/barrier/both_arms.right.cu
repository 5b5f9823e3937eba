// A barrier in each arm of a branch: put right.

__global__ void exchange(int *data) {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    tile[t] = t < 32 ? data[t] + 1 : data[t] * 2;
    __syncthreads();
    data[t] = t < 32 ? tile[t + 32] : tile[t - 32] - 7;
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
