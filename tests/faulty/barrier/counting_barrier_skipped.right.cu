// __syncthreads_count() in a branch that not all warps take: put right.

__global__ void count(int *data) {
    const int t = threadIdx.x;
    const int n = __syncthreads_count(t < 64 && t % 3 == 0);
    data[t] = t < 64 ? n : 0;
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
