// Blocks of a cluster count in each other's shared memory; clusters meet in global memory.
#include "hash.h"
#include <cooperative_groups.h>

__global__ void __cluster_dims__(4)
    counts(const unsigned *in, unsigned *bins, float *weight, unsigned *first, int n) {
    __shared__ unsigned mine[32];
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x < 32) mine[threadIdx.x] = 0;
    cluster.sync();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned k = in[i] % 128;
        atomicAdd(cluster.map_shared_rank(mine, k / 32) + k % 32, 1);
    }
    cluster.sync();
    if (threadIdx.x < 32) {
        unsigned k = cluster.block_rank() * 32 + threadIdx.x;
        first[blockIdx.x * 32 + threadIdx.x] = atomicAdd(&bins[k], mine[threadIdx.x]);
        atomicAdd(&weight[k % 5], mine[threadIdx.x] * 0.1f);
    }
    cluster.sync();
}

int main() {
    const int n = 30000, blocks = 64;
    std::vector<unsigned> h(n);
    for (int i = 0; i < n; i++) h[i] = i * 2654435761u >> 7;
    unsigned *in = zeros<unsigned>(n), *bins = zeros<unsigned>(128), *first = zeros<unsigned>(blocks * 32);
    float *weight = zeros<float>(5);
    CK(cudaMemcpy(in, h.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    counts<<<blocks, 64>>>(in, bins, weight, first, n);
    print_hash("bins", bins, 128);
    print_hash("first", first, blocks * 32);
    print_hash("weight", weight, 5);
    return 0;
}
