/* memcpy_async.h: cooperative_groups::memcpy_async, wait and wait_prior.
 *
 * The group copies together; each call is one batch of cp.async, and waiting is for batches. wait() and
 * wait_prior() end with the group's barrier, which makes the bytes of all members visible to all.
 */
#ifndef WARPGLASS_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPGLASS_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include <warpglass/concurrency/async_copy.h>

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cooperative_groups {
namespace __v1 {

/* `shape` is a number of bytes, plain or as cuda::aligned_size_t. */
template <class __Group, class __To, class __From, class __Shape>
WG_GROUP_FN void memcpy_async(const __Group &__group, __To *__to, const __From *__from,
                              const __Shape &__shape) {
    cuda::wg_details::__copy_async(__group.thread_rank(), __group.size(), __to, __from, __shape);
    __pipeline_commit();
}
/* Layouts are numbers of elements: the smaller of the two is copied. */
template <class __Group, class __T, class __ToLayout, class __FromLayout>
WG_GROUP_FN void memcpy_async(const __Group &__group, __T *__to, const __ToLayout &__to_elements,
                              const __T *__from, const __FromLayout &__from_elements) {
    size_t __count =
        (size_t)__to_elements < (size_t)__from_elements ? (size_t)__to_elements : (size_t)__from_elements;
    memcpy_async(__group, __to, __from, __count * sizeof(__T));
}
template <unsigned int __Batches, class __Group> WG_GROUP_FN void wait_prior(const __Group &__group) {
    __pipeline_wait_prior(__Batches);
    __group.sync();
}
template <class __Group> WG_GROUP_FN void wait(const __Group &__group) { wait_prior<0>(__group); }

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#pragma clang attribute pop
#endif

#endif
