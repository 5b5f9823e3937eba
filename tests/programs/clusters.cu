/* clusters: blocks that see each other's shared memory, launched with an attribute and with dimensions in the
 * source. */
#include "program.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rotate(int *out) {
    __shared__ int mine[64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), count = cluster.num_blocks(), i = threadIdx.x;
    mine[i] = blockIdx.x * 1000 + i;
    cluster.sync();
    int *theirs = cluster.map_shared_rank(mine, (rank + 1) % count);
    int v = theirs[63 - i];
    out[blockIdx.x * 64 + i] = v + 1000000 * rank + 10000000 * count;
    cluster.sync();
}

/* All blocks count into the first one's shared memory. */
__global__ void __cluster_dims__(4, 1, 1) count(const unsigned *in, int n, unsigned *bins) {
    __shared__ unsigned counts[16];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 16) counts[threadIdx.x] = 0;
    cluster.sync();
    unsigned *first = cluster.map_shared_rank(counts, 0);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&first[in[i] % 16], 1);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
    if (blockIdx.x + threadIdx.x == 0) {
        dim3 shape = cluster.dim_blocks(), place = cluster.block_index();
        printf("a cluster of %u x %u x %u, block %u, rank %u of %u threads\n", shape.x, shape.y, shape.z,
               place.x, cluster.thread_rank(), cluster.num_threads());
    }
}

__global__ void shapes(unsigned *out) {
    cg::cluster_group cluster = cg::this_cluster();
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    dim3 at = cluster.block_index();
    if (threadIdx.x == 0) out[block] = cluster.block_rank() * 1000 + at.x * 100 + at.y * 10 + at.z;
}

template <typename... P, typename... A>
static cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, dim3 cluster, A... args) {
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = cluster.x;
    attribute[0].val.clusterDim.y = cluster.y;
    attribute[0].val.clusterDim.z = cluster.z;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.attrs = attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, args...);
}

int main() {
    Array<int> out(16 * 64);
    for (unsigned size : {1u, 2u, 4u, 8u}) {
        CALL(launch(rotate, 16, 64, size, out.p));
        char name[32];
        snprintf(name, sizeof name, "clusters of %u", size);
        show(name, out);
    }
    printf("16 without the attribute: %s\n", cudaGetErrorName(launch(rotate, 16, 64, 16, out.p)));
    CALL(cudaFuncSetAttribute((const void *)rotate, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CALL(launch(rotate, 16, 64, 16, out.p));
    show("clusters of 16", out);
    printf("a grid that no cluster divides: %s\n", cudaGetErrorName(launch(rotate, 15, 64, 2, out.p)));
    printf("last error: %s\n", cudaGetErrorName(cudaGetLastError()));

    Array<unsigned> in(10000), bins(16), shape(4 * 6 * 2);
    uint32_t state = 1;
    for (size_t i = 0; i < in.n; i++) in[i] = next_random(state);
    count<<<8, 96>>>(in, in.n, bins);
    show("counts", bins, 16);
    count<<<6, 96>>>(in, in.n, bins);
    printf("6 blocks in clusters of 4: %s\n", cudaGetErrorName(cudaGetLastError()));
    CALL(launch(shapes, dim3(4, 6, 2), 32, dim3(2, 3, 1), shape.p));
    show("two dimensions", shape, 12);
    return 0;
}
