// A tile of eight lanes, some of which have returned: put right.

#include <cooperative_groups.h>

__global__ void sum(int *data, int n) {
    const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    const int t = threadIdx.x;
    const int any = tile.any(t < n && data[t] != 0);
    if (t < n) data[32 + t] = any;
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    sum<<<1, 32>>>(data, 20);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
