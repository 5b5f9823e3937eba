/* cuda_fp8.h: floating-point numbers of eight bits, one, two or four at a time. C++11.
 *
 *     __nv_fp8_e4m3   4 bits of exponent, 3 of fraction: to 448; no infinity
 *     __nv_fp8_e5m2   5 bits of exponent, 2 of fraction: to 57344; the upper half of a __half
 *     __nv_fp8_e8m0   powers of two; one at a time only
 *
 * They only hold numbers: to compute, convert to float or __half. Conversions round to nearest even. From
 * float and pairs of halves they are one instruction from compute capability 8.9 on; all else goes through
 * double, the same on the host.
 */
#ifndef WARPGLASS_CUDA_FP8_H
#define WARPGLASS_CUDA_FP8_H
#define __CUDA_FP8_H__ /* as in host_defines.h */
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if __cplusplus >= 201103L
#include "warpglass/small_floats.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t; /* the first number is the lower byte */
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t {
    __NV_NOSAT, /* what is too great becomes infinite, or no number where there is no infinity */
    __NV_SATFINITE
} __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define WG_EIGHT_BY_INSTRUCTION 1
#else
#define WG_EIGHT_BY_INSTRUCTION 0
#endif

/* ---- From wider numbers ------------------------------------------------------------------------- */

WG_SMALL __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double __x, const __nv_saturation_t __saturate,
                                                   const __nv_fp8_interpretation_t __kind) {
    bool __e4m3 = __kind == __NV_E4M3;
    int __fraction = __e4m3 ? 3 : 2, __least = __e4m3 ? -6 : -14;
    unsigned long long __bits = __wg_bits_of_double(__x);
    unsigned int __sign = (unsigned int)(__bits >> 56) & 0x80u;
    double __magnitude = __x < 0 ? -__x : __x, __greatest = __e4m3 ? 448.0 : 57344.0;
    if (__x != __x) return (__nv_fp8_storage_t)(__sign | (__e4m3 ? 0x7fu : 0x7eu));
    if (__magnitude > __greatest) { /* half a step further a tie goes to the even one: 448, and infinity */
        bool __beyond = __e4m3 ? __magnitude > 464.0 : __magnitude >= 61440.0;
        if (__saturate == __NV_NOSAT && __beyond)
            return (__nv_fp8_storage_t)(__sign | (__e4m3 ? 0x7fu : 0x7cu));
        __magnitude = __greatest;
    }
    unsigned int __r = __wg_code_of(__magnitude, __fraction, __least, true);
    return (__nv_fp8_storage_t)(__sign | __r);
}

#if WG_EIGHT_BY_INSTRUCTION
static __device__ __forceinline__ __nv_fp8x2_storage_t __wg_eights(float __low, float __high, bool __e4m3) {
    unsigned short __r;
    if (__e4m3)
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(__r) : "f"(__high), "f"(__low));
    else
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(__r) : "f"(__high), "f"(__low));
    return __r;
}
#endif

WG_SMALL __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float __x, const __nv_saturation_t __saturate,
                                                  const __nv_fp8_interpretation_t __kind) {
#if WG_EIGHT_BY_INSTRUCTION
    if (__saturate == __NV_SATFINITE) return (__nv_fp8_storage_t)__wg_eights(__x, 0.0f, __kind == __NV_E4M3);
#endif
    return __x != __x ? (__nv_fp8_storage_t)0x7f : __nv_cvt_double_to_fp8((double)__x, __saturate, __kind);
}
WG_SMALL __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 __x, const __nv_saturation_t __saturate,
                                                       const __nv_fp8_interpretation_t __kind) {
#if WG_EIGHT_BY_INSTRUCTION
    if (__saturate == __NV_SATFINITE) return __wg_eights(__x.x, __x.y, __kind == __NV_E4M3);
#endif
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(__x.y, __saturate, __kind) << 8 |
                                  __nv_cvt_float_to_fp8(__x.x, __saturate, __kind));
}
WG_SMALL __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 __x, const __nv_saturation_t __saturate,
                                                        const __nv_fp8_interpretation_t __kind) {
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(__x.y, __saturate, __kind) << 8 |
                                  __nv_cvt_double_to_fp8(__x.x, __saturate, __kind));
}
WG_SMALL __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw __x, const __nv_saturation_t __saturate,
                                                    const __nv_fp8_interpretation_t __kind) {
    return __nv_cvt_float_to_fp8(__half2float(__half(__x)), __saturate, __kind);
}
WG_SMALL __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw __x,
                                                         const __nv_saturation_t __saturate,
                                                         const __nv_fp8_interpretation_t __kind) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(__x)), __saturate, __kind);
}
WG_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw __x,
                                                        const __nv_saturation_t __saturate,
                                                        const __nv_fp8_interpretation_t __kind) {
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(__x)), __saturate, __kind);
}
WG_SMALL __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw __x,
                                                             const __nv_saturation_t __saturate,
                                                             const __nv_fp8_interpretation_t __kind) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(__x)), __saturate, __kind);
}

/* ---- To halves ---------------------------------------------------------------------------------- */

WG_SMALL __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t __x,
                                            const __nv_fp8_interpretation_t __kind) {
    __half_raw __h;
    unsigned int __sign = (__x & 0x80u) << 8, __magnitude = __x & 0x7fu;
    if (__kind == __NV_E5M2) {
        __h.x = (unsigned short)(__magnitude > 0x7cu ? 0x7fffu : __sign | __magnitude << 8);
    } else if (__magnitude == 0x7fu) {
        __h.x = 0x7fff;
    } else if (__magnitude >= 8) { /* the exponents' biases are 7 and 15 */
        __h.x = (unsigned short)(__sign | ((__magnitude << 7) + (8u << 10)));
    } else { /* up to seven 512ths: as a half, normal */
        unsigned int __top = __magnitude >= 4 ? 2 : __magnitude >= 2 ? 1 : 0;
        unsigned int __r = __magnitude ? (6 + __top) << 10 | ((__magnitude << (10 - __top)) & 0x3ffu) : 0;
        __h.x = (unsigned short)(__sign | __r);
    }
    return __h;
}
WG_SMALL __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t __x,
                                                const __nv_fp8_interpretation_t __kind) {
    __half2_raw __r;
#if WG_EIGHT_BY_INSTRUCTION
    unsigned int __both;
    if (__kind == __NV_E4M3)
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(__both) : "h"(__x));
    else
        asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(__both) : "h"(__x));
    __r.x = (unsigned short)__both;
    __r.y = (unsigned short)(__both >> 16);
#else
    __r.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)__x, __kind).x;
    __r.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(__x >> 8), __kind).x;
#endif
    return __r;
}

/* ---- Types -------------------------------------------------------------------------------------- */

/* Powers of two, 2^-127 to 2^127, as the scales of blocks of numbers; 0xff is no number. Signs are lost. */
WG_SMALL __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double __x, const __nv_saturation_t __saturate,
                                                    const enum cudaRoundMode __rounding) {
    unsigned long long __bits = __wg_bits_of_double(__x) & ~0ull >> 1;
    if (__x != __x) return 0xff;
    if (__bits >> 52 == 0x7ff) return __saturate == __NV_SATFINITE ? 0xfe : 0xff;
    int __code = (int)(__bits >> 52) - 1023 + 127;
    if (__code < 0) return 0;
    if (__rounding == cudaRoundPosInf && __bits << 12) __code++;
    if (__code > 0xfe) return __saturate == __NV_NOSAT && __rounding == cudaRoundPosInf ? 0xff : 0xfe;
    return (__nv_fp8_storage_t)__code;
}
WG_SMALL __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float __x, const __nv_saturation_t __saturate,
                                                   const enum cudaRoundMode __rounding) {
    return __nv_cvt_double_to_e8m0((double)__x, __saturate, __rounding);
}
WG_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw __x,
                                                         const __nv_saturation_t __saturate,
                                                         const enum cudaRoundMode __rounding) {
    return __nv_cvt_float_to_e8m0(__bfloat162float(__nv_bfloat16(__x)), __saturate, __rounding);
}
WG_SMALL __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t __x) {
    __nv_bfloat16_raw __r;
    __r.x = __x == 0xff ? 0x7fff : __x ? (unsigned short)(__x << 7) : 0x40;
    return __r;
}
struct alignas(1) __nv_fp8_e8m0 {
    __nv_fp8_storage_t __x;
    __nv_fp8_e8m0() = default;
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const __half __f) : __nv_fp8_e8m0(__half2float(__f)) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const __nv_bfloat16 __f) : __nv_fp8_e8m0(__bfloat162float(__f)) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const float __f) : __nv_fp8_e8m0((double)__f) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const double __f) {
        __x = __nv_cvt_double_to_e8m0(__f, __NV_SATFINITE, cudaRoundPosInf);
    }
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const unsigned short int __v) : __nv_fp8_e8m0((double)__v) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const unsigned int __v) : __nv_fp8_e8m0((double)__v) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const unsigned long int __v) : __nv_fp8_e8m0((double)__v) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const unsigned long long int __v) : __nv_fp8_e8m0((double)__v) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const short int __v) : __nv_fp8_e8m0((double)__v) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const int __v) : __nv_fp8_e8m0((double)__v) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const long int __v) : __nv_fp8_e8m0((double)__v) {}
    explicit WG_SMALL_MEMBER __nv_fp8_e8m0(const long long int __v) : __nv_fp8_e8m0((double)__v) {}
    explicit WG_SMALL_MEMBER operator __nv_bfloat16() const {
        return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x));
    }
    explicit WG_SMALL_MEMBER operator float() const { return __bfloat162float(__nv_bfloat16(*this)); }
    explicit WG_SMALL_MEMBER operator __half() const {
        return __x == 0xff ? __half(__nv_cvt_fp8_to_halfraw(0x7f, __NV_E4M3)) : __float2half(float(*this));
    }
    explicit WG_SMALL_MEMBER operator double() const { return (double)float(*this); }
    explicit WG_SMALL_MEMBER operator bool() const { return true; } /* there is no zero */
    WG_SMALL_TO_WHOLES
};

WG_SMALL_1(__nv_fp8_e4m3, fp8, __NV_E4M3, 0x7fu, __NV_SATFINITE, __NV_E4M3)
WG_SMALL_1(__nv_fp8_e5m2, fp8, __NV_E5M2, 0x7fu, __NV_SATFINITE, __NV_E5M2)
WG_SMALL_2(__nv_fp8x2_e4m3, fp8, __NV_E4M3, __NV_SATFINITE, __NV_E4M3)
WG_SMALL_2(__nv_fp8x2_e5m2, fp8, __NV_E5M2, __NV_SATFINITE, __NV_E5M2)
WG_SMALL_4(__nv_fp8x4_e4m3, fp8, __nv_fp8x2_e4m3)
WG_SMALL_4(__nv_fp8x4_e5m2, fp8, __nv_fp8x2_e5m2)

#undef WG_EIGHT_BY_INSTRUCTION
#define __CUDA_FP8_TYPES_EXIST__ /* programs ask */
#endif
#endif
