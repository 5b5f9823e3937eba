// A block ends while another of its cluster still reads its memory: put right.

#include <cooperative_groups.h>

__global__ __cluster_dims__(2) void pass(int *data) {
    __shared__ int tile[32];
    auto cluster = cooperative_groups::this_cluster();
    tile[threadIdx.x] = data[blockIdx.x * 32 + threadIdx.x];
    cluster.sync();
    const int *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    data[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];
    cluster.sync();
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    pass<<<4, 32>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
