// A tile of eight lanes, some of which have returned.
// expect: mask-absent line 11
// options: --only barrier

#include <cooperative_groups.h>

__global__ void sum(int *data, int n) {
    const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    const int t = threadIdx.x;
    if (t >= n) return;
    data[32 + t] = tile.any(data[t] != 0);
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
