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

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
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
template <class D, class A, class B>
WG_WMMA_FN void bmma_sync(D &d, const A &a, const B &b, const D &c,
                          experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
    int *to = (int *)&d;
    const int *before = (const int *)&c;
#define WG_WMMA_BITS(OP)                                                                                     \
    asm("wmma.mma." OP ".popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"   \
        : "=r"(to[0]), "=r"(to[1])                                                                           \
        : "r"(a.x[0]), "r"(b.x[0]), "r"(before[0]), "r"(before[1]))
    if (op == experimental::bmmaBitOpXOR)
        WG_WMMA_BITS("xor");
    else
        WG_WMMA_BITS("and");
#undef WG_WMMA_BITS
}

namespace wg_details {
/* What an element is kept as. */
template <class T> struct stored {
    using element = T;
};
template <> struct stored<precision::tf32> {
    using element = float;
};
template <> struct stored<experimental::precision::b1> {
    using element = int;
};
/* Elements that a lane holds. */
template <class Use, int m, int n, int k, class T> struct elements;
template <int m, int n, int k> struct elements<matrix_a, m, n, k, __half> {
    static constexpr int count = 16;
};
template <int m, int n, int k> struct elements<matrix_b, m, n, k, __half> {
    static constexpr int count = 16;
};
template <int m, int n, int k, class T> struct elements<matrix_a, m, n, k, T> {
    static constexpr int count = m * k / 32;
};
template <int m, int n, int k, class T> struct elements<matrix_b, m, n, k, T> {
    static constexpr int count = k * n / 32;
};
template <int m, int n, int k> struct elements<matrix_a, m, n, k, experimental::precision::b1> {
    static constexpr int count = m * k / 1024;
};
template <int m, int n, int k> struct elements<matrix_b, m, n, k, experimental::precision::b1> {
    static constexpr int count = k * n / 1024;
};
template <int m, int n, int k, class T> struct elements<accumulator, m, n, k, T> {
    static constexpr int count = m * n / 32;
};
} // namespace wg_details

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    static constexpr int num_elements = wg_details::elements<Use, m, n, k, T>::count;
    static constexpr int num_storage_elements = num_elements;
    using element_type = T;
    using storage_element_type = typename wg_details::stored<T>::element;
    alignas(16) storage_element_type x[num_elements];
};

/* `v` may be any number that converts: fill_fragment(sums, 0). */
template <class Use, int m, int n, int k, class T, class Layout>
WG_WMMA_FN void fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
                              typename wg_details::stored<T>::element v) {
    for (int i = 0; i < f.num_elements; i++) f.x[i] = v;
}

/* LOADS(shape, m, n, k, prefix of the builtin, suffix, element, what the builtin takes) */
#define WG_WMMA_LOADS(shape, m, n, k, family, type, T, word)                                                 \
    template <class Layout>                                                                                  \
    WG_WMMA_FN void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout> &f,                              \
                                     const wg_details::stored<T>::element *p, unsigned stride) {             \
        if constexpr (__is_same(Layout, row_major))                                                          \
            family##_##shape##_ld_a##type((word *)f.x, (const word *)p, stride, 0);                          \
        else                                                                                                 \
            family##_##shape##_ld_a##type((word *)f.x, (const word *)p, stride, 1);                          \
    }                                                                                                        \
    template <class Layout>                                                                                  \
    WG_WMMA_FN void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout> &f,                              \
                                     const wg_details::stored<T>::element *p, unsigned stride) {             \
        if constexpr (__is_same(Layout, row_major))                                                          \
            family##_##shape##_ld_b##type((word *)f.x, (const word *)p, stride, 0);                          \
        else                                                                                                 \
            family##_##shape##_ld_b##type((word *)f.x, (const word *)p, stride, 1);                          \
    }
/* Accumulators: loads and stores. */
#define WG_WMMA_SUMS(shape, m, n, k, load, store, T, word)                                                   \
    WG_WMMA_FN void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p, unsigned stride,      \
                                     layout_t layout) {                                                      \
        if (layout == mem_row_major)                                                                         \
            load((word *)f.x, (const word *)p, stride, 0);                                                   \
        else                                                                                                 \
            load((word *)f.x, (const word *)p, stride, 1);                                                   \
    }                                                                                                        \
    WG_WMMA_FN void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f, unsigned stride,     \
                                      layout_t layout) {                                                     \
        if (layout == mem_row_major)                                                                         \
            store((word *)p, (const word *)f.x, stride, 0);                                                  \
        else                                                                                                 \
            store((word *)p, (const word *)f.x, stride, 1);                                                  \
    }
/* The builtins' number for the layouts: bit 1 for a by columns, bit 0 for b. */
#define WG_WMMA_BY_LAYOUT(builtin, sat)                                                                      \
    do {                                                                                                     \
        if constexpr (__is_same(LayoutA, row_major) && __is_same(LayoutB, row_major))                        \
            builtin(d.x, a.x, b.x, c.x, 0 sat);                                                              \
        else if constexpr (__is_same(LayoutA, row_major))                                                    \
            builtin(d.x, a.x, b.x, c.x, 1 sat);                                                              \
        else if constexpr (__is_same(LayoutB, row_major))                                                    \
            builtin(d.x, a.x, b.x, c.x, 2 sat);                                                              \
        else                                                                                                 \
            builtin(d.x, a.x, b.x, c.x, 3 sat);                                                              \
    } while (0)
#define WG_WMMA_PRODUCT(m, n, k, T, S, body)                                                                 \
    template <class LayoutA, class LayoutB>                                                                  \
    WG_WMMA_FN void mma_sync(fragment<accumulator, m, n, k, S> &to,                                          \
                             const fragment<matrix_a, m, n, k, T, LayoutA> &left,                            \
                             const fragment<matrix_b, m, n, k, T, LayoutB> &right,                           \
                             const fragment<accumulator, m, n, k, S> &before, bool saturates = false) {      \
        body                                                                                                 \
    }
#define WG_WMMA_PARTS(word, sum)                                                                             \
    struct {                                                                                                 \
        sum *x;                                                                                              \
    } d = {(sum *)to.x};                                                                                     \
    struct {                                                                                                 \
        const word *x;                                                                                       \
    } a = {(const word *)left.x}, b = {(const word *)right.x};                                               \
    struct {                                                                                                 \
        const sum *x;                                                                                        \
    } c = {(const sum *)before.x};

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
                    WG_WMMA_PARTS(int, int) if (saturates)                                                   \
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
WG_WMMA_FN float __float_to_tf32(float f) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(f));
    return __uint_as_float(bits);
}

} // namespace wmma
} // namespace nvcuda
#undef WG_WMMA_FN
#pragma clang attribute pop
#endif

#endif
