/* scan.h: cooperative_groups::inclusive_scan and exclusive_scan, for tiles and coalesced groups; and the
 * forms that go on from what a cuda::atomic holds, and leave the sum there.
 *
 * Each step doubles how many members a value already stands for: log2(size) shuffles.
 */
#ifndef WARPGLASS_COOPERATIVE_GROUPS_SCAN_H
#define WARPGLASS_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include "../warpglass/groups/update.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cooperative_groups {

template <class Group, class T, class Op> WG_GROUP_FN T inclusive_scan(const Group &group, T value, Op op) {
    for (unsigned int delta = 1; delta < group.size(); delta *= 2) {
        T before = group.shfl_up(value, delta);
        if (group.thread_rank() >= delta) value = op(before, value);
    }
    return value;
}
template <class Group, class T> WG_GROUP_FN T inclusive_scan(const Group &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
/* The first member gets T(). */
template <class Group, class T, class Op> WG_GROUP_FN T exclusive_scan(const Group &group, T value, Op op) {
    T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> WG_GROUP_FN T exclusive_scan(const Group &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

/* `at` is a cuda::atomic or cuda::atomic_ref of T: the group takes its turn there once, by its last member.
 */
template <class Group, class Atomic, class T, class Op>
WG_GROUP_FN T inclusive_scan_update(const Group &group, Atomic &at, T value, Op op) {
    T sum = inclusive_scan(group, value, op), before = T();
    unsigned int last = group.size() - 1;
    if (group.thread_rank() == last) before = wg_details::update(at, sum, op);
    return op(group.shfl(before, last), sum);
}
template <class Group, class Atomic, class T>
WG_GROUP_FN T inclusive_scan_update(const Group &group, Atomic &at, T value) {
    return inclusive_scan_update(group, at, value, plus<T>());
}
template <class Group, class Atomic, class T, class Op>
WG_GROUP_FN T exclusive_scan_update(const Group &group, Atomic &at, T value, Op op) {
    T sum = inclusive_scan(group, value, op), before = T();
    unsigned int last = group.size() - 1;
    if (group.thread_rank() == last) before = wg_details::update(at, sum, op);
    before = group.shfl(before, last);
    T earlier = group.shfl_up(sum, 1);
    return group.thread_rank() == 0 ? before : op(before, earlier);
}
template <class Group, class Atomic, class T>
WG_GROUP_FN T exclusive_scan_update(const Group &group, Atomic &at, T value) {
    return exclusive_scan_update(group, at, value, plus<T>());
}

} // namespace cooperative_groups
#pragma clang attribute pop
#endif

#endif
