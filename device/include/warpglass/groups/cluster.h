/* cluster.h: the blocks that run side by side and reach into each other's shared memory (compute capability
 * 9.0), as a group: the functions of cluster_intrinsics.h by cooperative groups' names.
 */
#ifndef WARPGLASS_GROUPS_CLUSTER_H
#define WARPGLASS_GROUPS_CLUSTER_H

#include "../cluster_intrinsics.h"
#include "block.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

namespace cooperative_groups {
namespace __v1 {

class cluster_group {
  public:
    struct arrival_token {};

    static WG_GROUP_FN void sync() {
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
    }
    static WG_GROUP_FN arrival_token barrier_arrive() {
        __cluster_barrier_arrive();
        return arrival_token();
    }
    static WG_GROUP_FN void barrier_wait() { __cluster_barrier_wait(); }
    static WG_GROUP_FN void barrier_wait(arrival_token) { __cluster_barrier_wait(); }

    static WG_GROUP_FN dim3 dim_blocks() { return __clusterDim(); }
    static WG_GROUP_FN unsigned int num_blocks() { return __clusterSizeInBlocks(); }
    static WG_GROUP_FN dim3 block_index() { return __clusterRelativeBlockIdx(); }
    static WG_GROUP_FN unsigned int block_rank() { return __clusterRelativeBlockRank(); }
    static WG_GROUP_FN dim3 dim_threads() {
        dim3 __blocks = dim_blocks();
        return dim3(__blocks.x * blockDim.x, __blocks.y * blockDim.y, __blocks.z * blockDim.z);
    }
    static WG_GROUP_FN unsigned int num_threads() { return num_blocks() * wg_details::__block_size(); }
    static WG_GROUP_FN unsigned int size() { return num_threads(); }
    static WG_GROUP_FN dim3 thread_index() {
        dim3 __block = block_index();
        return dim3(__block.x * blockDim.x + threadIdx.x, __block.y * blockDim.y + threadIdx.y,
                    __block.z * blockDim.z + threadIdx.z);
    }
    static WG_GROUP_FN unsigned int thread_rank() {
        return block_rank() * wg_details::__block_size() + wg_details::__rank_in_block();
    }

    /* The same variable in another block's shared memory; whose shared memory an address lies in. */
    template <class __T> static WG_GROUP_FN __T *map_shared_rank(__T *__address, int __rank) {
        return (__T *)__cluster_map_shared_rank((const void *)__address, (unsigned int)__rank);
    }
    static WG_GROUP_FN unsigned int query_shared_rank(const void *__address) {
        return __cluster_query_shared_rank(__address);
    }
    static WG_GROUP_FN bool is_valid() { return true; }
};

WG_GROUP_FN cluster_group this_cluster() { return cluster_group(); }

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif

#endif
