/* partition.h: making smaller groups out of larger ones, and the functions that take any group. */
#ifndef WARPGLASS_GROUPS_PARTITION_H
#define WARPGLASS_GROUPS_PARTITION_H

#include "wide_tile.h"

namespace cooperative_groups {
namespace __v1 {

template <unsigned int __Size>
WG_GROUP_FN thread_block_tile<__Size, thread_block> tiled_partition(const thread_block &) {
    return thread_block_tile<__Size, thread_block>(wg_details::__rank_in_block() / __Size,
                                                   (wg_details::__block_size() + __Size - 1) / __Size);
}
template <unsigned int __Size, unsigned int __ParentSize, class __Grandparent>
WG_GROUP_FN thread_block_tile<__Size, thread_block_tile<__ParentSize, __Grandparent>>
tiled_partition(const thread_block_tile<__ParentSize, __Grandparent> &__parent) {
    static_assert(__Size <= __ParentSize, "a tile is not larger than what it is a part of");
    return thread_block_tile<__Size, thread_block_tile<__ParentSize, __Grandparent>>(
        __parent.thread_rank() / __Size, __ParentSize / __Size);
}

/* Sizes known only at run time: the members whose ranks share a quotient. */
WG_GROUP_FN coalesced_group tiled_partition(const coalesced_group &__parent, unsigned int __size) {
    unsigned int __mine = __parent.thread_rank() / __size, __mask = 0;
    for (unsigned int __rank = __mine * __size; __rank < (__mine + 1) * __size && __rank < __parent.size();
         __rank++)
        __mask |= 1u << wg_details::__lane_of_rank(__parent.wg_mask(), __rank);
    return coalesced_group(__mask, __mine, (__parent.size() + __size - 1) / __size);
}
WG_GROUP_FN thread_group tiled_partition(const thread_group &__parent, unsigned int __size) {
    unsigned int __of = __parent.__mask_ ? __parent.__mask_ : 0xffffffffu;
    if (!__parent.__mask_ && wg_details::__block_size() - (wg_details::__rank_in_block() & ~31u) < 32)
        __of = (1u << (wg_details::__block_size() & 31)) - 1;
    return tiled_partition(coalesced_group(__of), __size);
}

/* Members with the same label; members with the same answer. */
template <class __Group, class __Label>
WG_GROUP_FN coalesced_group labeled_partition(const __Group &__group, __Label __label) {
    unsigned int __mask = __match_any_sync(__group.wg_mask(), __label), __leaders = 0;
    bool __leader = (__mask & wg_lanes_before()) == 0;
    __leaders = __ballot_sync(__group.wg_mask(), __leader);
    unsigned int __first = __mask & (0u - __mask);
    return coalesced_group(__mask, __popc(__leaders & (__first - 1)), __popc(__leaders));
}
template <class __Group>
WG_GROUP_FN coalesced_group binary_partition(const __Group &__group, bool __predicate) {
    unsigned int __yes = __ballot_sync(__group.wg_mask(), __predicate), __all = __group.wg_mask();
    return coalesced_group(__predicate ? __yes : __all & ~__yes, __predicate, 2);
}

template <class __Group> WG_GROUP_FN void sync(const __Group &__group) { __group.sync(); }
template <class __Group>
WG_GROUP_FN auto thread_rank(const __Group &__group) -> decltype(__group.thread_rank()) {
    return __group.thread_rank();
}
template <class __Group> WG_GROUP_FN auto group_size(const __Group &__group) -> decltype(__group.size()) {
    return __group.size();
}

/* One member does it; with _broadcast all members get what it returned. */
template <class __Group, class __Function, class... __Arguments>
WG_GROUP_FN void invoke_one(const __Group &__group, __Function &&__function, __Arguments &&...__arguments) {
    if (__group.thread_rank() == 0) __function(static_cast<__Arguments &&>(__arguments)...);
}
template <class __Group, class __Function, class... __Arguments>
WG_GROUP_FN auto invoke_one_broadcast(const __Group &__group, __Function &&__function,
                                      __Arguments &&...__arguments)
    -> decltype(__function(static_cast<__Arguments &&>(__arguments)...)) {
    decltype(__function(static_cast<__Arguments &&>(__arguments)...)) __result = {};
    if (__group.thread_rank() == 0) __result = __function(static_cast<__Arguments &&>(__arguments)...);
    return __group.shfl(__result, 0);
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
