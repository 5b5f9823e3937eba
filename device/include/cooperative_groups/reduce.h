/* reduce.h: cooperative_groups::reduce, for tiles and coalesced groups, whose members all get the result; and
 * the forms that leave it in memory or in a cuda::atomic.
 */
#ifndef WARPGLASS_COOPERATIVE_GROUPS_REDUCE_H
#define WARPGLASS_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include <warpglass/groups/update.h>

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cooperative_groups {
namespace __v1 {

template <unsigned int __Size, class __Parent, class __T, class __Op>
WG_GROUP_FN __T reduce(const thread_block_tile<__Size, __Parent> &__group, __T __value, __Op __op) {
    return __group.wg_reduce(__value, __op);
}

/* Any number of members: halving from the top, then rank 0 tells all. */
template <class __T, class __Op>
WG_GROUP_FN __T reduce(const coalesced_group &__group, __T __value, __Op __op) {
    unsigned int __rank = __group.thread_rank();
    for (unsigned int __left = __group.size(); __left > 1; __left = (__left + 1) / 2) {
        unsigned int __halved = (__left + 1) / 2;
        __T __other = __group.shfl_down(__value, __halved);
        if (__rank + __halved < __left) __value = __op(__value, __other);
    }
    return __group.shfl(__value, 0);
}

/* One instruction where the hardware has it: 32-bit integers, from compute capability 8.0 on. Tiles of up to
 * 8 go by shuffles as in NVIDIA's headers: where a part of the tile is not there, the result shows which it
 * was. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WG_REDUX(T, OP, INTRINSIC)                                                                           \
    template <unsigned int __Size, class __Parent>                                                           \
    WG_GROUP_FN T reduce(const thread_block_tile<__Size, __Parent> &__group, T __value, OP<T>) {             \
        if (__Size > 8 && __Size <= 32) return INTRINSIC(__group.wg_mask(), __value);                        \
        return __group.wg_reduce(__value, OP<T>());                                                          \
    }                                                                                                        \
    WG_GROUP_FN T reduce(const coalesced_group &__group, T __value, OP<T>) {                                 \
        return INTRINSIC(__group.wg_mask(), __value);                                                        \
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

template <class __Group, class __T, class __Op>
WG_GROUP_FN void reduce_store_async(const __Group &__group, __T *__to, __T __value, __Op __op) {
    __T __result = reduce(__group, __value, __op);
    if (__group.thread_rank() == 0) *__to = __result;
}
/* `to` is a cuda::atomic or cuda::atomic_ref of T. */
template <class __Group, class __Atomic, class __T, class __Op>
WG_GROUP_FN void reduce_update_async(const __Group &__group, __Atomic &__to, __T __value, __Op __op) {
    __T __result = reduce(__group, __value, __op);
    if (__group.thread_rank() == 0) wg_details::update(__to, __result, __op);
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#pragma clang attribute pop
#endif

#endif
