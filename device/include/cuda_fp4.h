/* cuda_fp4.h: floating-point numbers of four bits, one in a byte, two in a byte or four in two. C++11.
 *
 *     __nv_fp4_e2m1   2 bits of exponent, 1 of fraction: 0, 0.5, 1, 1.5, 2, 3, 4, 6
 *
 * They only hold numbers, none of which is infinite: what is too great becomes the greatest, and so does what is no number.
 */
#ifndef WARPGLASS_CUDA_FP4_H
#define WARPGLASS_CUDA_FP4_H
#define __CUDA_FP4_H__ /* as in host_defines.h */
#include "cuda_fp6.h"

#if __cplusplus >= 201103L

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t; /* the first number is the lower half */
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

/* The rounding is cudaRoundNearest or cudaRoundZero. */
WG_SMALL __nv_fp4_storage_t __nv_cvt_double_to_fp4(const double __x, const __nv_fp4_interpretation_t __kind,
                                                   const enum cudaRoundMode __rounding) {
    double __magnitude = __x < 0 ? -__x : __x;
    unsigned int __sign = __x == __x ? (unsigned int)(__wg_bits_of_double(__x) >> 60) & 8u : 0;
    (void)__kind; /* there is one */
    if (!(__magnitude < 6)) __magnitude = 6;
    return (__nv_fp4_storage_t)(__sign | __wg_code_of(__magnitude, 1, 0, __rounding == cudaRoundNearest));
}
WG_SMALL __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t __x,
                                            const __nv_fp4_interpretation_t __kind) {
    __half_raw __h;
    (void)__kind;
    __h.x = __wg_half_of_code(__x & 0xfu, 4, 1, 0);
    return __h;
}
WG_SMALL_CONVERSIONS(fp4, 4)

WG_SMALL_1(__nv_fp4_e2m1, fp4, __NV_E2M1, 7u, __NV_E2M1, cudaRoundNearest)
WG_SMALL_2(__nv_fp4x2_e2m1, fp4, __NV_E2M1, __NV_E2M1, cudaRoundNearest)
WG_SMALL_4(__nv_fp4x4_e2m1, fp4, __nv_fp4x2_e2m1)
#define __CUDA_FP4_TYPES_EXIST__ /* programs ask */
#endif
#endif
