// Lanes wait for their warp, whose others wait for the block.
// expect: deadlock line 8 other 11
// options: --only barrier

__global__ void parted(int *data) {
    const int t = threadIdx.x;
    if (t < 16) {
        data[t] = __ballot_sync(0xffffffff, t % 2);
        __syncthreads();
    } else {
        __syncthreads();
        data[t] = __ballot_sync(0xffffffff, t % 2);
    }
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    parted<<<1, 32>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
