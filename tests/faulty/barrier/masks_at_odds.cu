// Lanes that meet name different masks.
// expect: mask-differs line 8
// options: --only barrier

__global__ void swap(int *data) {
    const int t = threadIdx.x;
    const unsigned mask = t < 16 ? 0xffffu : 0xffffffffu;
    data[32 + t] = __shfl_xor_sync(mask, data[t], 1);
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    swap<<<1, 32>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
