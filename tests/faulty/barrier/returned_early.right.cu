// Threads behind the end return before the barrier that the others wait at: put right.

__global__ void reverse(int *data, int n) {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    data += blockIdx.x * n;
    if (t < n) tile[t] = data[t];
    __syncthreads();
    if (t < n) data[t] = tile[n - 1 - t];
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    reverse<<<2, 64>>>(data, 50);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
