// __syncwarp() with a mask that leaves out half of the lanes that call it.
// expect: mask-caller line 9
// options: --only barrier

__global__ void swap(int *data) {
    __shared__ int tile[32];
    const int t = threadIdx.x;
    tile[t] = data[t];
    __syncwarp(0xffff);
    data[t] = tile[t ^ 1];
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
