// A barrier in one arm of a branch: half of the threads pair it with the next one.
// expect: barrier-skipped line 10 other 13
// options: --only barrier

__global__ void swap(int *data) {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    if (t < 32) {
        tile[t] = data[t];
        __syncthreads();
    }
    tile[t ^ 1] = t;
    __syncthreads();
    data[t] = tile[t];
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    swap<<<1, 64>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
