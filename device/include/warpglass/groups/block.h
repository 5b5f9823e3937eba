/* block.h: thread_group, what all groups of one block have in common, and thread_block itself. */
#ifndef WARPGLASS_GROUPS_BLOCK_H
#define WARPGLASS_GROUPS_BLOCK_H

#include "shuffle.h"

namespace cooperative_groups {
namespace __v1 {

namespace wg_details {
WG_GROUP_FN unsigned int __block_size() { return blockDim.x * blockDim.y * blockDim.z; }
WG_GROUP_FN unsigned int __rank_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
} // namespace wg_details

/* Some group of one block, its kind known only at run time. A block has no mask; any other group is lanes of
 * one warp. */
class thread_group {
  public:
    WG_GROUP_FN unsigned long long size() const {
        return __mask_ ? __popc(__mask_) : wg_details::__block_size();
    }
    WG_GROUP_FN unsigned long long num_threads() const { return size(); }
    WG_GROUP_FN unsigned long long thread_rank() const {
        return __mask_ ? __popc(__mask_ & wg_lanes_before()) : wg_details::__rank_in_block();
    }
    WG_GROUP_FN void sync() const {
        if (__mask_)
            __syncwarp(__mask_);
        else
            __syncthreads();
    }
    WG_GROUP_FN bool is_valid() const { return true; }

  protected:
    WG_GROUP_FN explicit thread_group(unsigned int __mask) : __mask_(__mask) {}
    unsigned int __mask_;
    friend WG_GROUP_FN thread_group tiled_partition(const thread_group &__parent, unsigned int __size);
};

/* Scratch memory for tiles wider than a warp; programs may pass it, ours have their own (wide_tile.h). */
template <unsigned int __MaxBlockSize = 1024> struct block_tile_memory {
    char unused;
};

class thread_block : public thread_group {
  public:
    struct arrival_token {};

    static WG_GROUP_FN void sync() { __syncthreads(); }
    static WG_GROUP_FN unsigned int size() { return wg_details::__block_size(); }
    static WG_GROUP_FN unsigned int num_threads() { return wg_details::__block_size(); }
    static WG_GROUP_FN unsigned int thread_rank() { return wg_details::__rank_in_block(); }
    static WG_GROUP_FN dim3 group_index() { return blockIdx; }
    static WG_GROUP_FN dim3 thread_index() { return threadIdx; }
    static WG_GROUP_FN dim3 group_dim() { return blockDim; }
    static WG_GROUP_FN dim3 dim_threads() { return blockDim; }
    /* The whole wait is in the second half: threads go on when all have come to it. */
    static WG_GROUP_FN arrival_token barrier_arrive() { return arrival_token(); }
    static WG_GROUP_FN void barrier_wait(arrival_token) { __syncthreads(); }
    static WG_GROUP_FN void barrier_wait() { __syncthreads(); }

  private:
    WG_GROUP_FN thread_block() : thread_group(0) {}
    friend WG_GROUP_FN thread_block this_thread_block();
    template <unsigned int __Num>
    friend WG_GROUP_FN thread_block this_thread_block(block_tile_memory<__Num> &);
};

WG_GROUP_FN thread_block this_thread_block() { return thread_block(); }
template <unsigned int __Num> WG_GROUP_FN thread_block this_thread_block(block_tile_memory<__Num> &) {
    return thread_block();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
