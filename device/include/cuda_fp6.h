/* cuda_fp6.h: floating-point numbers of six bits, one, two or four at a time, each in the low bits of a byte. C++11.
 *
 *     __nv_fp6_e2m3   2 bits of exponent, 3 of fraction: to 7.5
 *     __nv_fp6_e3m2   3 bits of exponent, 2 of fraction: to 28
 *
 * They only hold numbers, none of which is infinite: what is too great becomes the greatest, and so does what is no number.
 */
#ifndef WARPGLASS_CUDA_FP6_H
#define WARPGLASS_CUDA_FP6_H
#define __CUDA_FP6_H__ /* as in host_defines.h */
#include "cuda_fp8.h"

#if __cplusplus >= 201103L

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t; /* the first number is the lower byte */
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

/* The rounding is cudaRoundNearest or cudaRoundZero. */
WG_SMALL __nv_fp6_storage_t __nv_cvt_double_to_fp6(const double __x, const __nv_fp6_interpretation_t __kind,
                                                   const enum cudaRoundMode __rounding) {
    bool __e2m3 = __kind == __NV_E2M3;
    double __magnitude = __x < 0 ? -__x : __x, __greatest = __e2m3 ? 7.5 : 28.0;
    unsigned int __sign = __x == __x ? (unsigned int)(__wg_bits_of_double(__x) >> 58) & 0x20u : 0;
    if (!(__magnitude < __greatest)) __magnitude = __greatest;
    return (__nv_fp6_storage_t)(__sign | __wg_code_of(__magnitude, __e2m3 ? 3 : 2, __e2m3 ? 0 : -2,
                                                      __rounding == cudaRoundNearest));
}
WG_SMALL __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t __x,
                                            const __nv_fp6_interpretation_t __kind) {
    bool __e2m3 = __kind == __NV_E2M3;
    __half_raw __h;
    __h.x = __wg_half_of_code(__x & 0x3fu, 6, __e2m3 ? 3 : 2, __e2m3 ? 0 : -2);
    return __h;
}
WG_SMALL_CONVERSIONS(fp6, 8)

WG_SMALL_1(__nv_fp6_e2m3, fp6, __NV_E2M3, 0x1fu, __NV_E2M3, cudaRoundNearest)
WG_SMALL_1(__nv_fp6_e3m2, fp6, __NV_E3M2, 0x1fu, __NV_E3M2, cudaRoundNearest)
WG_SMALL_2(__nv_fp6x2_e2m3, fp6, __NV_E2M3, __NV_E2M3, cudaRoundNearest)
WG_SMALL_2(__nv_fp6x2_e3m2, fp6, __NV_E3M2, __NV_E3M2, cudaRoundNearest)
WG_SMALL_4(__nv_fp6x4_e2m3, fp6, __nv_fp6x2_e2m3)
WG_SMALL_4(__nv_fp6x4_e3m2, fp6, __nv_fp6x2_e3m2)
#define __CUDA_FP6_TYPES_EXIST__ /* programs ask */
#endif
#endif
