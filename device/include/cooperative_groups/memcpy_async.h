/* memcpy_async.h: cooperative_groups::memcpy_async and wait.
 *
 * The group copies together, in the widest pieces that both addresses allow, and the copy is done when the
 * call returns; wait() is the group's barrier, which makes the bytes of all members visible to all.
 */
#ifndef WARPGLASS_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPGLASS_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#if !defined(WARPGLASS_ALIGNED_SIZE)
#define WARPGLASS_ALIGNED_SIZE
namespace cuda {
/* A number of bytes that is a multiple of Alignment. */
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    __host__ __device__ constexpr operator size_t() const { return value; }
};
} // namespace cuda
#endif

namespace cooperative_groups {
namespace wg_details {

template <class Piece, class Group>
WG_GROUP_FN void copy_pieces(const Group &group, void *to, const void *from, size_t bytes) {
    for (size_t i = group.thread_rank(); i < bytes / sizeof(Piece); i += group.size())
        ((Piece *)to)[i] = ((const Piece *)from)[i];
}
template <class Group>
WG_GROUP_FN void copy_bytes(const Group &group, void *to, const void *from, size_t bytes) {
    size_t bits = (size_t)to | (size_t)from | bytes;
    if (bits % 16 == 0)
        copy_pieces<int4>(group, to, from, bytes);
    else if (bits % 4 == 0)
        copy_pieces<int>(group, to, from, bytes);
    else
        copy_pieces<char>(group, to, from, bytes);
}

} // namespace wg_details

/* `shape` is a number of bytes, plain or as cuda::aligned_size_t. */
template <class Group, class To, class From, class Shape>
WG_GROUP_FN void memcpy_async(const Group &group, To *to, const From *from, const Shape &shape) {
    wg_details::copy_bytes(group, to, from, (size_t)shape);
}
/* Layouts are numbers of elements: the smaller of the two is copied. */
template <class Group, class T, class ToLayout, class FromLayout>
WG_GROUP_FN void memcpy_async(const Group &group, T *to, const ToLayout &to_elements, const T *from,
                              const FromLayout &from_elements) {
    size_t count = (size_t)to_elements < (size_t)from_elements ? (size_t)to_elements : (size_t)from_elements;
    wg_details::copy_bytes(group, to, from, count * sizeof(T));
}
template <class Group> WG_GROUP_FN void wait(const Group &group) { group.sync(); }
template <unsigned int Stages, class Group> WG_GROUP_FN void wait_prior(const Group &group) { group.sync(); }

} // namespace cooperative_groups
#pragma clang attribute pop
#endif

#endif
