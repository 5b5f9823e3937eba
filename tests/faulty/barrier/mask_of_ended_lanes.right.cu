// __syncwarp() names lanes that have returned: put right.

__global__ void swap(int *data, int n) {
    __shared__ int tile[8];
    const int t = threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, t < n);
    if (t >= n) return;
    tile[t] = data[t];
    __syncwarp(mask);
    data[t] = tile[t ^ 1];
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    swap<<<1, 32>>>(data, 6);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
