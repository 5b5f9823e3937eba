/* A cluster and its distributed shared memory, launched with attributes. */
// PTX: mapa
// PTX: barrier\.cluster\.arrive
// PTX: barrier\.cluster\.wait
// PTX: %cluster_ctarank
// PTX: %cluster_nctarank
// PTX: getctarank
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void share(int *out, size_t n, const float *unused) {
    __shared__ int mine[32];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = cluster.block_rank();
    cluster.sync();
    int *next = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks());
    atomicAdd(next + threadIdx.x, 1);
    cluster.barrier_arrive();
    cluster.barrier_wait();
    out[cluster.thread_rank()] =
        mine[threadIdx.x] + cluster.query_shared_rank(next) + cluster.dim_blocks().x + cluster.num_threads();
}
int main() {
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = dim3(32);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 4;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    int clusters, size, *out = nullptr;
    cudaFuncSetAttribute(share, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaOccupancyMaxActiveClusters(&clusters, share, &config);
    cudaOccupancyMaxPotentialClusterSize(&size, share, &config);
    return cudaLaunchKernelEx(&config, share, out, 100, nullptr);
}
