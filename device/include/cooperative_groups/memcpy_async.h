/* memcpy_async.h: cooperative_groups::memcpy_async, wait and wait_prior.
 *
 * The group copies together; each call is one batch of cp.async, and waiting is for batches. wait() and
 * wait_prior() end with the group's barrier, which makes the bytes of all members visible to all.
 */
#ifndef WARPGLASS_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPGLASS_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)
#include "../warpglass/concurrency/async_copy.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cooperative_groups {

/* `shape` is a number of bytes, plain or as cuda::aligned_size_t. */
template <class Group, class To, class From, class Shape>
WG_GROUP_FN void memcpy_async(const Group &group, To *to, const From *from, const Shape &shape) {
    cuda::wg_details::copy_async(group.thread_rank(), group.size(), to, from, shape);
    __pipeline_commit();
}
/* Layouts are numbers of elements: the smaller of the two is copied. */
template <class Group, class T, class ToLayout, class FromLayout>
WG_GROUP_FN void memcpy_async(const Group &group, T *to, const ToLayout &to_elements, const T *from,
                              const FromLayout &from_elements) {
    size_t count = (size_t)to_elements < (size_t)from_elements ? (size_t)to_elements : (size_t)from_elements;
    memcpy_async(group, to, from, count * sizeof(T));
}
template <unsigned int Batches, class Group> WG_GROUP_FN void wait_prior(const Group &group) {
    __pipeline_wait_prior(Batches);
    group.sync();
}
template <class Group> WG_GROUP_FN void wait(const Group &group) { wait_prior<0>(group); }

} // namespace cooperative_groups
#pragma clang attribute pop
#endif

#endif
