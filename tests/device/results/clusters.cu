/* Clusters from the source and from the launch; another block's shared memory. */
#include <cooperative_groups.h>
#include "check.h"
namespace cg = cooperative_groups;

__device__ void pass(int *out) {
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) mine = 0;
    cluster.sync();
    unsigned right = (cluster.block_rank() + 1) % cluster.num_blocks();
    atomicAdd(cluster.map_shared_rank(&mine, right), 1 + (int)cluster.block_rank());
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = mine * 100 + cluster.num_blocks() * 10 + cluster.query_shared_rank(&mine);
}
__global__ void __cluster_dims__(4, 1, 1) by_source(int *out) { pass(out); }
__global__ void by_launch(int *out) { pass(out); }

int main() {
    int *out = array<int>(8);
    by_source<<<8, 32>>>(out);
    wait();
    for (int b = 0; b < 8; b++) CHECK(out[b] == 32 * ((b + 3) % 4 + 1) * 100 + 40 + b % 4);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = 8, config.blockDim = 64, config.attrs = &attribute, config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, by_launch, out) == cudaSuccess);
    wait();
    for (int b = 0; b < 8; b++) CHECK(out[b] == 64 * ((b + 1) % 2 + 1) * 100 + 20 + b % 2);
    return finish();
}
