// A vote names lanes that have returned.
// expect: mask-absent line 8
// options: --only barrier

__global__ void agree(int *data, int n) {
    const int t = threadIdx.x;
    if (t >= n) return;
    data[t] = __all_sync(0x0fffffff, data[t] == 0);
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
