/* async_copy.h: a group's copy into shared memory that goes on while its threads do: cp.async, where the
 * device has it (compute capability 8.0), the two places allow it and the bytes come in fours; otherwise an
 * ordinary copy, done when the call returns.
 */
#ifndef WARPGLASS_CONCURRENCY_ASYNC_COPY_H
#define WARPGLASS_CONCURRENCY_ASYNC_COPY_H

#include "../../cuda_runtime.h"
#include "../../cuda_pipeline_primitives.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {

/* A number of bytes that is a multiple of Alignment, as the two addresses are. */
template <size_t __Alignment> struct aligned_size_t {
    static constexpr size_t align = __Alignment;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t __bytes) : value(__bytes) {}
    __host__ __device__ constexpr operator size_t() const { return value; }
};

namespace wg_details {

#define WG_DEVICE __device__ __forceinline__

template <class __Shape> struct alignment_of {
    static constexpr size_t value = 1;
};
template <size_t __Alignment> struct alignment_of<aligned_size_t<__Alignment>> {
    static constexpr size_t value = __Alignment;
};

/* Who copies: thread `rank` of `size`. */
template <class __Piece>
WG_DEVICE void __copy_pieces(size_t __rank, size_t __size, void *__to, const void *__from, size_t __bytes) {
    for (size_t __i = __rank; __i < __bytes / sizeof(__Piece); __i += __size)
        ((__Piece *)__to)[__i] = ((const __Piece *)__from)[__i];
}
template <size_t __Piece>
WG_DEVICE void __copy_pieces_async(size_t __rank, size_t __size, void *__to, const void *__from,
                                   size_t __bytes) {
    for (size_t __i = __rank * __Piece; __i < __bytes; __i += __size * __Piece)
        __pipeline_memcpy_async((char *)__to + __i, (const char *)__from + __i, __Piece);
}

/* Whether the copy may still be under way. */
template <class __Shape>
WG_DEVICE bool __copy_async(size_t __rank, size_t __size, void *__to, const void *__from,
                            const __Shape &__shape) {
    size_t __bytes = __shape;
    /* What is promised is not looked at, so that the compiler knows it, too. */
    size_t __bits = alignment_of<__Shape>::value > 1 ? alignment_of<__Shape>::value
                                                     : (size_t)__to | (size_t)__from | __bytes;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (__bits % 4 == 0 && __isShared(__to) && __isGlobal(__from)) {
        if (__bits % 16 == 0)
            __copy_pieces_async<16>(__rank, __size, __to, __from, __bytes);
        else if (__bits % 8 == 0)
            __copy_pieces_async<8>(__rank, __size, __to, __from, __bytes);
        else
            __copy_pieces_async<4>(__rank, __size, __to, __from, __bytes);
        return true;
    }
#endif
    if (__bits % 16 == 0)
        __copy_pieces<int4>(__rank, __size, __to, __from, __bytes);
    else if (__bits % 4 == 0)
        __copy_pieces<int>(__rank, __size, __to, __from, __bytes);
    else
        __copy_pieces<char>(__rank, __size, __to, __from, __bytes);
    return false;
}
WG_DEVICE void __wait_for_all_copies() { __pipeline_wait_prior(0); }

#undef WG_DEVICE

} // namespace wg_details
} // namespace cuda
#pragma clang attribute pop

#endif
