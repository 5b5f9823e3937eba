/* mma.h: nvcuda::wmma, matrix products by a warp, for half, __nv_bfloat16, signed and unsigned char, and,
 * from compute capability 8.0 on, precision::tf32 and double.
 *
 * A fragment's elements lie where the hardware's instructions put them, which no program may rely on; only
 * element by element, the same in all fragments of one kind.
 */
#ifndef WARPGLASS_MMA_H
#define WARPGLASS_MMA_H

#if defined(__cplusplus) && defined(__CUDA__)
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#define WG_WMMA_FN static __device__ __forceinline__
namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {}; /* floats of which 10 bits of the fraction count */
} // namespace precision

/* Names of matrices of less than a byte, which libraries' headers have; there are no fragments of them yet.
 */
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
/* A kernel that comes to it is refused: there is no such instruction yet. */
template <class __D, class __A, class __B>
WG_WMMA_FN void bmma_sync(__D &__d, const __A &__a, const __B &__b, const __D &__c,
                          experimental::bmmaBitOp __op = experimental::bmmaBitOpXOR,
                          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
    int *__to = (int *)&__d;
    const int *__before = (const int *)&__c;
#define WG_WMMA_BITS(OP)                                                                                     \
    asm("wmma.mma." OP ".popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"   \
        : "=r"(__to[0]), "=r"(__to[1])                                                                       \
        : "r"(__a.x[0]), "r"(__b.x[0]), "r"(__before[0]), "r"(__before[1]))
    if (__op == experimental::bmmaBitOpXOR)
        WG_WMMA_BITS("xor");
    else
        WG_WMMA_BITS("and");
#undef WG_WMMA_BITS
}

namespace wg_details {
/* What an element is kept as. */
template <class __T> struct __stored {
    using __element = __T;
};
template <> struct __stored<precision::tf32> {
    using __element = float;
};
template <> struct __stored<experimental::precision::b1> {
    using __element = int;
};
/* Elements that a lane holds. */
template <class __Use, int __m, int __n, int __k, class __T> struct __elements;
template <int __m, int __n, int __k> struct __elements<matrix_a, __m, __n, __k, __half> {
    static constexpr int __count = 16;
};
template <int __m, int __n, int __k> struct __elements<matrix_b, __m, __n, __k, __half> {
    static constexpr int __count = 16;
};
template <int __m, int __n, int __k, class __T> struct __elements<matrix_a, __m, __n, __k, __T> {
    static constexpr int __count = __m * __k / 32;
};
template <int __m, int __n, int __k, class __T> struct __elements<matrix_b, __m, __n, __k, __T> {
    static constexpr int __count = __k * __n / 32;
};
template <int __m, int __n, int __k> struct __elements<matrix_a, __m, __n, __k, experimental::precision::b1> {
    static constexpr int __count = __m * __k / 1024;
};
template <int __m, int __n, int __k> struct __elements<matrix_b, __m, __n, __k, experimental::precision::b1> {
    static constexpr int __count = __k * __n / 1024;
};
template <int __m, int __n, int __k, class __T> struct __elements<accumulator, __m, __n, __k, __T> {
    static constexpr int __count = __m * __n / 32;
};
} // namespace wg_details

template <class __Use, int __m, int __n, int __k, class __T, class __Layout = void> struct fragment {
    static constexpr int num_elements = wg_details::__elements<__Use, __m, __n, __k, __T>::__count;
    static constexpr int num_storage_elements = num_elements;
    using element_type = __T;
    using storage_element_type = typename wg_details::__stored<__T>::__element;
    alignas(16) storage_element_type x[num_elements];
};

/* `v` may be any number that converts: fill_fragment(sums, 0). */
template <class __Use, int __m, int __n, int __k, class __T, class __Layout>
WG_WMMA_FN void fill_fragment(fragment<__Use, __m, __n, __k, __T, __Layout> &__f,
                              typename wg_details::__stored<__T>::__element __v) {
    for (int __i = 0; __i < __f.num_elements; __i++) __f.x[__i] = __v;
}

/* LOADS(shape, m, n, k, prefix of the builtin, suffix, element, what the builtin takes) */
#define WG_WMMA_LOADS(shape, m, n, k, family, type, T, word)                                                 \
    template <class __Layout>                                                                                \
    WG_WMMA_FN void load_matrix_sync(fragment<matrix_a, m, n, k, T, __Layout> &__f,                          \
                                     const wg_details::__stored<T>::__element *__p, unsigned __stride) {     \
        if constexpr (__is_same(__Layout, row_major))                                                        \
            family##_##shape##_ld_a##type((word *)__f.x, (const word *)__p, __stride, 0);                    \
        else                                                                                                 \
            family##_##shape##_ld_a##type((word *)__f.x, (const word *)__p, __stride, 1);                    \
    }                                                                                                        \
    template <class __Layout>                                                                                \
    WG_WMMA_FN void load_matrix_sync(fragment<matrix_b, m, n, k, T, __Layout> &__f,                          \
                                     const wg_details::__stored<T>::__element *__p, unsigned __stride) {     \
        if constexpr (__is_same(__Layout, row_major))                                                        \
            family##_##shape##_ld_b##type((word *)__f.x, (const word *)__p, __stride, 0);                    \
        else                                                                                                 \
            family##_##shape##_ld_b##type((word *)__f.x, (const word *)__p, __stride, 1);                    \
    }
/* Accumulators: loads and stores. */
#define WG_WMMA_SUMS(shape, m, n, k, load, store, T, word)                                                   \
    WG_WMMA_FN void load_matrix_sync(fragment<accumulator, m, n, k, T> &__f, const T *__p,                   \
                                     unsigned __stride, layout_t __layout) {                                 \
        if (__layout == mem_row_major)                                                                       \
            load((word *)__f.x, (const word *)__p, __stride, 0);                                             \
        else                                                                                                 \
            load((word *)__f.x, (const word *)__p, __stride, 1);                                             \
    }                                                                                                        \
    WG_WMMA_FN void store_matrix_sync(T *__p, const fragment<accumulator, m, n, k, T> &__f,                  \
                                      unsigned __stride, layout_t __layout) {                                \
        if (__layout == mem_row_major)                                                                       \
            store((word *)__p, (const word *)__f.x, __stride, 0);                                            \
        else                                                                                                 \
            store((word *)__p, (const word *)__f.x, __stride, 1);                                            \
    }
/* The builtins' number for the layouts: bit 1 for a by columns, bit 0 for b. */
#define WG_WMMA_BY_LAYOUT(builtin, sat)                                                                      \
    do {                                                                                                     \
        if constexpr (__is_same(__LayoutA, row_major) && __is_same(__LayoutB, row_major))                    \
            builtin(__d.x, __a.x, __b.x, __c.x, 0 sat);                                                      \
        else if constexpr (__is_same(__LayoutA, row_major))                                                  \
            builtin(__d.x, __a.x, __b.x, __c.x, 1 sat);                                                      \
        else if constexpr (__is_same(__LayoutB, row_major))                                                  \
            builtin(__d.x, __a.x, __b.x, __c.x, 2 sat);                                                      \
        else                                                                                                 \
            builtin(__d.x, __a.x, __b.x, __c.x, 3 sat);                                                      \
    } while (0)
#define WG_WMMA_PRODUCT(m, n, k, T, S, body)                                                                 \
    template <class __LayoutA, class __LayoutB>                                                              \
    WG_WMMA_FN void mma_sync(fragment<accumulator, m, n, k, S> &__to,                                        \
                             const fragment<matrix_a, m, n, k, T, __LayoutA> &__left,                        \
                             const fragment<matrix_b, m, n, k, T, __LayoutB> &__right,                       \
                             const fragment<accumulator, m, n, k, S> &__before, bool __saturates = false) {  \
        body                                                                                                 \
    }
#define WG_WMMA_PARTS(word, sum)                                                                             \
    struct {                                                                                                 \
        sum *x;                                                                                              \
    } __d = {(sum *)__to.x};                                                                                 \
    struct {                                                                                                 \
        const word *x;                                                                                       \
    } __a = {(const word *)__left.x}, __b = {(const word *)__right.x};                                       \
    struct {                                                                                                 \
        const sum *x;                                                                                        \
    } __c = {(const sum *)__before.x};

#define WG_WMMA_COMMA_0 , 0
#define WG_WMMA_COMMA_1 , 1
#define WG_WMMA_FLOATS(shape, m, n, k)                                                                       \
    WG_WMMA_LOADS(shape, m, n, k, __hmma, , __half, int)                                                     \
    WG_WMMA_SUMS(shape, m, n, k, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16, __half, int)          \
    WG_WMMA_SUMS(shape, m, n, k, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32, float, float)         \
    WG_WMMA_PRODUCT(m, n, k, __half, float,                                                                  \
                    WG_WMMA_PARTS(int, float)                                                                \
                        WG_WMMA_BY_LAYOUT(__hmma_##shape##_mma_f32f32, WG_WMMA_COMMA_0);)                    \
    WG_WMMA_PRODUCT(m, n, k, __half, __half,                                                                 \
                    WG_WMMA_PARTS(int, int)                                                                  \
                        WG_WMMA_BY_LAYOUT(__hmma_##shape##_mma_f16f16, WG_WMMA_COMMA_0);)                    \
    WG_WMMA_LOADS(shape, m, n, k, __mma_bf16, , __nv_bfloat16, int)                                          \
    WG_WMMA_PRODUCT(m, n, k, __nv_bfloat16, float,                                                           \
                    WG_WMMA_PARTS(int, float)                                                                \
                        WG_WMMA_BY_LAYOUT(__mma_bf16_##shape##_mma_f32, WG_WMMA_COMMA_0);)
#define WG_WMMA_INTEGERS(shape, m, n, k, T, type)                                                            \
    WG_WMMA_LOADS(shape, m, n, k, __imma, type, T, int)                                                      \
    WG_WMMA_PRODUCT(m, n, k, T, int,                                                                         \
                    WG_WMMA_PARTS(int, int) if (__saturates)                                                 \
                        WG_WMMA_BY_LAYOUT(__imma_##shape##_mma##type, WG_WMMA_COMMA_1);                      \
                    else WG_WMMA_BY_LAYOUT(__imma_##shape##_mma##type, WG_WMMA_COMMA_0);)
#define WG_WMMA_SHAPE(shape, m, n, k)                                                                        \
    WG_WMMA_FLOATS(shape, m, n, k)                                                                           \
    WG_WMMA_SUMS(shape, m, n, k, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32, int, int)                 \
    WG_WMMA_INTEGERS(shape, m, n, k, signed char, _s8)                                                       \
    WG_WMMA_INTEGERS(shape, m, n, k, unsigned char, _u8)

WG_WMMA_SHAPE(m16n16k16, 16, 16, 16)
WG_WMMA_SHAPE(m32n8k16, 32, 8, 16)
WG_WMMA_SHAPE(m8n32k16, 8, 32, 16)

WG_WMMA_LOADS(m8n8k4, 8, 8, 4, __dmma, , double, double)
WG_WMMA_SUMS(m8n8k4, 8, 8, 4, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64, double, double)
WG_WMMA_PRODUCT(8, 8, 4, double, double,
                WG_WMMA_PARTS(double, double) WG_WMMA_BY_LAYOUT(__dmma_m8n8k4_mma_f64, WG_WMMA_COMMA_0);)

WG_WMMA_LOADS(m16n16k8, 16, 16, 8, __mma_tf32, , precision::tf32, int)
WG_WMMA_SUMS(m16n16k8, 16, 16, 8, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32, float, float)
WG_WMMA_PRODUCT(16, 16, 8, precision::tf32, float,
                WG_WMMA_PARTS(int, float) WG_WMMA_BY_LAYOUT(__mma_tf32_m16n16k8_mma_f32, WG_WMMA_COMMA_0);)
/* The nearest number that tf32 has; of a float that is none the lower bits do not count. */
WG_WMMA_FN float __float_to_tf32(float __f) {
    unsigned __bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(__bits) : "f"(__f));
    return __uint_as_float(__bits);
}

} // namespace wmma
} // namespace nvcuda
#undef WG_WMMA_FN
#pragma clang attribute pop
#endif

#endif
