/* reduce.h: cooperative_groups::reduce, for tiles and coalesced groups, whose members all get the result; and
 * the forms that leave it in memory or in a cuda::atomic.
 */
#ifndef WARPGLASS_COOPERATIVE_GROUPS_REDUCE_H
#define WARPGLASS_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include "../warpglass/groups/update.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cooperative_groups {

template <unsigned int Size, class Parent, class T, class Op>
WG_GROUP_FN T reduce(const thread_block_tile<Size, Parent> &group, T value, Op op) {
    return group.wg_reduce(value, op);
}

/* Any number of members: halving from the top, then rank 0 tells all. */
template <class T, class Op> WG_GROUP_FN T reduce(const coalesced_group &group, T value, Op op) {
    unsigned int rank = group.thread_rank();
    for (unsigned int left = group.size(); left > 1; left = (left + 1) / 2) {
        unsigned int half = (left + 1) / 2;
        T other = group.shfl_down(value, half);
        if (rank + half < left) value = op(value, other);
    }
    return group.shfl(value, 0);
}

/* One instruction where the hardware has it: 32-bit integers, from compute capability 8.0 on. Tiles of up to
 * 8 go by shuffles as in NVIDIA's headers: where a part of the tile is not there, the result shows which it
 * was. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WG_REDUX(T, OP, INTRINSIC)                                                                           \
    template <unsigned int Size, class Parent>                                                               \
    WG_GROUP_FN T reduce(const thread_block_tile<Size, Parent> &group, T value, OP<T>) {                     \
        if (Size > 8 && Size <= 32) return INTRINSIC(group.wg_mask(), value);                                \
        return group.wg_reduce(value, OP<T>());                                                              \
    }                                                                                                        \
    WG_GROUP_FN T reduce(const coalesced_group &group, T value, OP<T>) {                                     \
        return INTRINSIC(group.wg_mask(), value);                                                            \
    }
WG_REDUX(int, plus, __reduce_add_sync)
WG_REDUX(unsigned int, plus, __reduce_add_sync)
WG_REDUX(int, less, __reduce_min_sync)
WG_REDUX(unsigned int, less, __reduce_min_sync)
WG_REDUX(int, greater, __reduce_max_sync)
WG_REDUX(unsigned int, greater, __reduce_max_sync)
WG_REDUX(unsigned int, bit_and, __reduce_and_sync)
WG_REDUX(unsigned int, bit_or, __reduce_or_sync)
WG_REDUX(unsigned int, bit_xor, __reduce_xor_sync)
#undef WG_REDUX
#endif

template <class Group, class T, class Op>
WG_GROUP_FN void reduce_store_async(const Group &group, T *to, T value, Op op) {
    T result = reduce(group, value, op);
    if (group.thread_rank() == 0) *to = result;
}
/* `to` is a cuda::atomic or cuda::atomic_ref of T. */
template <class Group, class Atomic, class T, class Op>
WG_GROUP_FN void reduce_update_async(const Group &group, Atomic &to, T value, Op op) {
    T result = reduce(group, value, op);
    if (group.thread_rank() == 0) wg_details::update(to, result, op);
}

} // namespace cooperative_groups
#pragma clang attribute pop
#endif

#endif
