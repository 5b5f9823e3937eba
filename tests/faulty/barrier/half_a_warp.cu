// Half of the lanes shuffle, with a mask that names all of them; the others go past.
// expect: mask-absent line 8
// says: lanes 0xffff0000 of it went past and exited
// options: --only barrier

__global__ void neighbours(int *data) {
    int v = data[threadIdx.x];
    if (threadIdx.x < 16) v = __shfl_down_sync(0xffffffff, v, 1);
    data[threadIdx.x] = v;
}

// Lanes that have returned, or that do nothing else, need not come.
__global__ void returned(int *data, int n) {
    if (threadIdx.x >= n) return;
    data[threadIdx.x] = __shfl_down_sync(0xffffffff, data[threadIdx.x], 1);
}
__global__ void guarded(int *data, int n) {
    if (threadIdx.x < n) {
        int v = __shfl_down_sync(0xffffffff, data[threadIdx.x], 1);
        for (int i = 0; i < v; i++) v += __any_sync(0xffffffff, v > 3);
        data[threadIdx.x] = v;
    }
}

int main() {
    int *data;
    if (cudaMalloc(&data, 64 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 64 * sizeof(int)) != cudaSuccess) return 1;
    neighbours<<<1, 32>>>(data);
    returned<<<1, 64>>>(data, 40);
    guarded<<<1, 64>>>(data, 40);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
