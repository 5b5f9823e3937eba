/* grid.h: all threads of a launch. They can wait for each other when the launch was cooperative. */
#ifndef WARPGLASS_GROUPS_GRID_H
#define WARPGLASS_GROUPS_GRID_H

#include "block.h"
#include "cluster.h"

/* The two functions that the machine implements under these names: in PTX an .extern .func and a call. */
extern "C" __device__ void __wg_grid_sync(void) __attribute__((__convergent__));
extern "C" __device__ unsigned int __wg_grid_is_cooperative(void);

namespace cooperative_groups {
namespace __v1 {

class grid_group {
  public:
    struct arrival_token {};

    /* A grid that was not launched cooperatively has no barrier; the machine reports a call as an error of
     * the kernel. */
    static WG_GROUP_FN void sync() { __wg_grid_sync(); }
    static WG_GROUP_FN bool is_valid() { return __wg_grid_is_cooperative() != 0; }
    static WG_GROUP_FN arrival_token barrier_arrive() { return arrival_token(); }
    static WG_GROUP_FN void barrier_wait(arrival_token) { __wg_grid_sync(); }

    static WG_GROUP_FN dim3 group_dim() { return gridDim; }
    static WG_GROUP_FN dim3 dim_blocks() { return gridDim; }
    static WG_GROUP_FN unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static WG_GROUP_FN dim3 block_index() { return blockIdx; }
    static WG_GROUP_FN unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static WG_GROUP_FN unsigned long long num_threads() { return num_blocks() * wg_details::__block_size(); }
    static WG_GROUP_FN unsigned long long size() { return num_threads(); }
    static WG_GROUP_FN unsigned long long thread_rank() {
        return block_rank() * wg_details::__block_size() + wg_details::__rank_in_block();
    }
    static WG_GROUP_FN dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    static WG_GROUP_FN dim3 dim_clusters() { return __clusterGridDimInClusters(); }
    static WG_GROUP_FN unsigned long long num_clusters() {
        dim3 __clusters = dim_clusters();
        return (unsigned long long)__clusters.x * __clusters.y * __clusters.z;
    }
    static WG_GROUP_FN dim3 cluster_index() { return __clusterIdx(); }
    static WG_GROUP_FN unsigned long long cluster_rank() {
        dim3 __index = cluster_index(), __clusters = dim_clusters();
        return ((unsigned long long)__index.z * __clusters.y + __index.y) * __clusters.x + __index.x;
    }
#endif
};

WG_GROUP_FN grid_group this_grid() { return grid_group(); }

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
