/* async_copy.h: a group's copy into shared memory that goes on while its threads do: cp.async, where the
 * device has it (compute capability 8.0), the two places allow it and the bytes come in fours; otherwise an
 * ordinary copy, done when the call returns.
 */
#ifndef WARPGLASS_CONCURRENCY_ASYNC_COPY_H
#define WARPGLASS_CONCURRENCY_ASYNC_COPY_H

#include "../../cuda_runtime.h"
#include "../../cuda_pipeline_primitives.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {

/* A number of bytes that is a multiple of Alignment, as the two addresses are. */
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    __host__ __device__ constexpr operator size_t() const { return value; }
};

namespace wg_details {

#define WG_DEVICE __device__ __forceinline__

template <class Shape> struct alignment_of {
    static constexpr size_t value = 1;
};
template <size_t Alignment> struct alignment_of<aligned_size_t<Alignment>> {
    static constexpr size_t value = Alignment;
};

/* Who copies: thread `rank` of `size`. */
template <class Piece>
WG_DEVICE void copy_pieces(size_t rank, size_t size, void *to, const void *from, size_t bytes) {
    for (size_t i = rank; i < bytes / sizeof(Piece); i += size) ((Piece *)to)[i] = ((const Piece *)from)[i];
}
template <size_t Piece>
WG_DEVICE void copy_pieces_async(size_t rank, size_t size, void *to, const void *from, size_t bytes) {
    for (size_t i = rank * Piece; i < bytes; i += size * Piece)
        __pipeline_memcpy_async((char *)to + i, (const char *)from + i, Piece);
}

/* Whether the copy may still be under way. */
template <class Shape>
WG_DEVICE bool copy_async(size_t rank, size_t size, void *to, const void *from, const Shape &shape) {
    size_t bytes = shape;
    /* What is promised is not looked at, so that the compiler knows it, too. */
    size_t bits =
        alignment_of<Shape>::value > 1 ? alignment_of<Shape>::value : (size_t)to | (size_t)from | bytes;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (bits % 4 == 0 && __isShared(to) && __isGlobal(from)) {
        if (bits % 16 == 0)
            copy_pieces_async<16>(rank, size, to, from, bytes);
        else if (bits % 8 == 0)
            copy_pieces_async<8>(rank, size, to, from, bytes);
        else
            copy_pieces_async<4>(rank, size, to, from, bytes);
        return true;
    }
#endif
    if (bits % 16 == 0)
        copy_pieces<int4>(rank, size, to, from, bytes);
    else if (bits % 4 == 0)
        copy_pieces<int>(rank, size, to, from, bytes);
    else
        copy_pieces<char>(rank, size, to, from, bytes);
    return false;
}
WG_DEVICE void wait_for_all_copies() { __pipeline_wait_prior(0); }

#undef WG_DEVICE

} // namespace wg_details
} // namespace cuda
#pragma clang attribute pop

#endif
