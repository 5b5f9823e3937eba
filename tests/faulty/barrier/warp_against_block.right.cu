// Lanes wait for their warp, whose others wait for the block: put right.

__global__ void parted(int *data) {
    const int t = threadIdx.x;
    data[t] = __ballot_sync(0xffffffff, t % 2);
    __syncthreads();
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
