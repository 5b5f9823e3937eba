/* scan.h: cooperative_groups::inclusive_scan and exclusive_scan, for tiles and coalesced groups; and the
 * forms that go on from what a cuda::atomic holds, and leave the sum there.
 *
 * Each step doubles how many members a value already stands for: log2(size) shuffles.
 */
#ifndef WARPGLASS_COOPERATIVE_GROUPS_SCAN_H
#define WARPGLASS_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include <warpglass/groups/update.h>

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cooperative_groups {
namespace __v1 {

template <class __Group, class __T, class __Op>
WG_GROUP_FN __T inclusive_scan(const __Group &__group, __T __value, __Op __op) {
    for (unsigned int __delta = 1; __delta < __group.size(); __delta *= 2) {
        __T __before = __group.shfl_up(__value, __delta);
        if (__group.thread_rank() >= __delta) __value = __op(__before, __value);
    }
    return __value;
}
template <class __Group, class __T> WG_GROUP_FN __T inclusive_scan(const __Group &__group, __T __value) {
    return inclusive_scan(__group, __value, plus<__T>());
}
/* The first member gets T(). */
template <class __Group, class __T, class __Op>
WG_GROUP_FN __T exclusive_scan(const __Group &__group, __T __value, __Op __op) {
    __T __before = __group.shfl_up(inclusive_scan(__group, __value, __op), 1);
    return __group.thread_rank() == 0 ? __T() : __before;
}
template <class __Group, class __T> WG_GROUP_FN __T exclusive_scan(const __Group &__group, __T __value) {
    return exclusive_scan(__group, __value, plus<__T>());
}

/* `at` is a cuda::atomic or cuda::atomic_ref of T: the group takes its turn there once, by its last member.
 */
template <class __Group, class __Atomic, class __T, class __Op>
WG_GROUP_FN __T inclusive_scan_update(const __Group &__group, __Atomic &__at, __T __value, __Op __op) {
    __T __sum = inclusive_scan(__group, __value, __op), __before = __T();
    unsigned int __last = __group.size() - 1;
    if (__group.thread_rank() == __last) __before = wg_details::update(__at, __sum, __op);
    return __op(__group.shfl(__before, __last), __sum);
}
template <class __Group, class __Atomic, class __T>
WG_GROUP_FN __T inclusive_scan_update(const __Group &__group, __Atomic &__at, __T __value) {
    return inclusive_scan_update(__group, __at, __value, plus<__T>());
}
template <class __Group, class __Atomic, class __T, class __Op>
WG_GROUP_FN __T exclusive_scan_update(const __Group &__group, __Atomic &__at, __T __value, __Op __op) {
    __T __sum = inclusive_scan(__group, __value, __op), __before = __T();
    unsigned int __last = __group.size() - 1;
    if (__group.thread_rank() == __last) __before = wg_details::update(__at, __sum, __op);
    __before = __group.shfl(__before, __last);
    __T __earlier = __group.shfl_up(__sum, 1);
    return __group.thread_rank() == 0 ? __before : __op(__before, __earlier);
}
template <class __Group, class __Atomic, class __T>
WG_GROUP_FN __T exclusive_scan_update(const __Group &__group, __Atomic &__at, __T __value) {
    return exclusive_scan_update(__group, __at, __value, plus<__T>());
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#pragma clang attribute pop
#endif

#endif
