/* cluster.h: the blocks that run side by side and reach into each other's shared memory (compute
 * capability 9.0).
 *
 * Everything here is PTX of its own: %cluster_ctarank and its kin, barrier.cluster, mapa, getctarank. In a
 * launch without cluster dimensions each block is a cluster of its own.
 */
#ifndef WARPGLASS_GROUPS_CLUSTER_H
#define WARPGLASS_GROUPS_CLUSTER_H

#include "block.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* CUDA's plain functions for the same. */
static WG_GROUP_FN dim3 __clusterDim() {
    return dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(),
                __nvvm_read_ptx_sreg_cluster_nctaid_z());
}
static WG_GROUP_FN dim3 __clusterRelativeBlockIdx() {
    return dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(),
                __nvvm_read_ptx_sreg_cluster_ctaid_z());
}
static WG_GROUP_FN dim3 __clusterGridDimInClusters() {
    return dim3(__nvvm_read_ptx_sreg_nclusterid_x(), __nvvm_read_ptx_sreg_nclusterid_y(),
                __nvvm_read_ptx_sreg_nclusterid_z());
}
static WG_GROUP_FN dim3 __clusterIdx() {
    return dim3(__nvvm_read_ptx_sreg_clusterid_x(), __nvvm_read_ptx_sreg_clusterid_y(),
                __nvvm_read_ptx_sreg_clusterid_z());
}
static WG_GROUP_FN unsigned int __clusterRelativeBlockRank() {
    return __nvvm_read_ptx_sreg_cluster_ctarank();
}
static WG_GROUP_FN unsigned int __clusterSizeInBlocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
static WG_GROUP_FN unsigned int __clusterDimIsSpecified() { return __nvvm_is_explicit_cluster(); }
static WG_GROUP_FN void __cluster_barrier_arrive() { __nvvm_barrier_cluster_arrive(); }
static WG_GROUP_FN void __cluster_barrier_arrive_relaxed() { __nvvm_barrier_cluster_arrive_relaxed(); }
static WG_GROUP_FN void __cluster_barrier_wait() { __nvvm_barrier_cluster_wait(); }
static WG_GROUP_FN void *__cluster_map_shared_rank(const void *p, unsigned int rank) {
    return __nvvm_mapa((void *)p, rank);
}
static WG_GROUP_FN unsigned int __cluster_query_shared_rank(const void *p) {
    return __nvvm_getctarank((void *)p);
}
static WG_GROUP_FN unsigned int __isClusterShared(const void *p) { return __nvvm_isspacep_shared_cluster(p); }

namespace cooperative_groups {

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
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    static WG_GROUP_FN unsigned int num_threads() { return num_blocks() * wg_details::block_size(); }
    static WG_GROUP_FN unsigned int size() { return num_threads(); }
    static WG_GROUP_FN dim3 thread_index() {
        dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    static WG_GROUP_FN unsigned int thread_rank() {
        return block_rank() * wg_details::block_size() + wg_details::rank_in_block();
    }

    /* The same variable in another block's shared memory; whose shared memory an address lies in. */
    template <class T> static WG_GROUP_FN T *map_shared_rank(T *address, int rank) {
        return (T *)__cluster_map_shared_rank((const void *)address, (unsigned int)rank);
    }
    static WG_GROUP_FN unsigned int query_shared_rank(const void *address) {
        return __cluster_query_shared_rank(address);
    }
    static WG_GROUP_FN bool is_valid() { return true; }
};

WG_GROUP_FN cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups

#endif

#endif
