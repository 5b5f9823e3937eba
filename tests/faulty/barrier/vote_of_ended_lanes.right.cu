// A vote names lanes that have returned: put right.

__global__ void agree(int *data, int n) {
    const int t = threadIdx.x;
    const int all = __all_sync(0xffffffff, t >= n || data[t] == 0);
    if (t < n) data[t] = all;
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    agree<<<1, 32>>>(data, 20);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
