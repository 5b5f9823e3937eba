/* partition.h: making smaller groups out of larger ones, and the functions that take any group. */
#ifndef WARPGLASS_GROUPS_PARTITION_H
#define WARPGLASS_GROUPS_PARTITION_H

#include "wide_tile.h"

namespace cooperative_groups {

template <unsigned int Size>
WG_GROUP_FN thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
    return thread_block_tile<Size, thread_block>(wg_details::rank_in_block() / Size,
                                                 (wg_details::block_size() + Size - 1) / Size);
}
template <unsigned int Size, unsigned int ParentSize, class Grandparent>
WG_GROUP_FN thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>
tiled_partition(const thread_block_tile<ParentSize, Grandparent> &parent) {
    static_assert(Size <= ParentSize, "a tile is not larger than what it is a part of");
    return thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>(parent.thread_rank() / Size,
                                                                               ParentSize / Size);
}

/* Sizes known only at run time: the members whose ranks share a quotient. */
WG_GROUP_FN coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
    unsigned int mine = parent.thread_rank() / size, mask = 0;
    for (unsigned int rank = mine * size; rank < (mine + 1) * size && rank < parent.size(); rank++)
        mask |= 1u << wg_details::lane_of_rank(parent.wg_mask(), rank);
    return coalesced_group(mask, mine, (parent.size() + size - 1) / size);
}
WG_GROUP_FN thread_group tiled_partition(const thread_group &parent, unsigned int size) {
    unsigned int of = parent.mask_ ? parent.mask_ : 0xffffffffu;
    if (!parent.mask_ && wg_details::block_size() - (wg_details::rank_in_block() & ~31u) < 32)
        of = (1u << (wg_details::block_size() & 31)) - 1;
    return tiled_partition(coalesced_group(of), size);
}

/* Members with the same label; members with the same answer. */
template <class Group, class Label>
WG_GROUP_FN coalesced_group labeled_partition(const Group &group, Label label) {
    unsigned int mask = __match_any_sync(group.wg_mask(), label), leaders = 0;
    bool leader = (mask & wg_lanes_before()) == 0;
    leaders = __ballot_sync(group.wg_mask(), leader);
    unsigned int first = mask & (0u - mask);
    return coalesced_group(mask, __popc(leaders & (first - 1)), __popc(leaders));
}
template <class Group> WG_GROUP_FN coalesced_group binary_partition(const Group &group, bool predicate) {
    unsigned int yes = __ballot_sync(group.wg_mask(), predicate), all = group.wg_mask();
    return coalesced_group(predicate ? yes : all & ~yes, predicate, 2);
}

template <class Group> WG_GROUP_FN void sync(const Group &group) { group.sync(); }
template <class Group> WG_GROUP_FN auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <class Group> WG_GROUP_FN auto group_size(const Group &group) -> decltype(group.size()) {
    return group.size();
}

/* One member does it; with _broadcast all members get what it returned. */
template <class Group, class Function, class... Arguments>
WG_GROUP_FN void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
    if (group.thread_rank() == 0) function(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
WG_GROUP_FN auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> decltype(function(static_cast<Arguments &&>(arguments)...)) {
    decltype(function(static_cast<Arguments &&>(arguments)...)) result = {};
    if (group.thread_rank() == 0) result = function(static_cast<Arguments &&>(arguments)...);
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
