/* cuda_bf16.h: __nv_bfloat16 (1 sign, 8 exponent, 7 fraction bits), its pair, and their functions, for host
 * and device.
 *
 * The type itself is in warpglass/narrow_float.h, which the two 16-bit formats share; here are the format's
 * own names.
 */
#ifndef WARPGLASS_CUDA_BF16_H
#define WARPGLASS_CUDA_BF16_H
#define __CUDA_BF16_H__ /* as in host_defines.h */

#if defined(__cplusplus)
#if __cplusplus < 201103L
#error "cuda_bf16.h needs C++11 or newer: compile with -std=c++17"
#endif
#include "cuda_runtime.h"
#include "warpglass/rounding_to_odd.h"

#define WG_HD         __host__ __device__ __forceinline__
#define WG_FN         static WG_HD
#define WG_T          __nv_bfloat16
#define WG_T2         __nv_bfloat162
#define WG_RAW        __nv_bfloat16_raw
#define WG_RAW2       __nv_bfloat162_raw
#define WG_NATIVE     __bf16
#define WG_PTX        "bf16"
#define WG_TANH_SINCE 900
#define WG_NAME       bfloat16
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
/* One rounding: a float between would round twice. */
static __device__ __forceinline__ __bf16 wg_fma_bfloat16(__bf16 a, __bf16 b, __bf16 c) {
    unsigned short d;
    asm("fma.rn.bf16 %0, %1, %2, %3;"
        : "=h"(d)
        : "h"(__builtin_bit_cast(unsigned short, a)), "h"(__builtin_bit_cast(unsigned short, b)),
          "h"(__builtin_bit_cast(unsigned short, c)));
    return __builtin_bit_cast(__bf16, d);
}
#define WG_FMA(A, B, C) wg_fma_bfloat16(A, B, C)
#else
#define WG_FMA(A, B, C) (__bf16)__builtin_fmaf((float)(A), (float)(B), (float)(C))
#endif
/* The upper half of a float. libgcc 12 has no conversion for clang to call, so here it is. */
static __host__ __forceinline__ float wg_widen_bfloat16(unsigned short bits) {
    return __builtin_bit_cast(float, (unsigned int)bits << 16);
}
static __host__ __forceinline__ unsigned short wg_narrow_bfloat16(float f) {
    unsigned int bits = __builtin_bit_cast(unsigned int, f);
    if (f != f) return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#define WG_WIDEN(BITS) wg_widen_bfloat16(BITS)
#define WG_NARROW(F)   wg_narrow_bfloat16(F)
#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#endif
#include "warpglass/narrow_float.h"
#include "warpglass/narrow_float_conversions.h"

WG_FN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
WG_FN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WG_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WG_FN __nv_bfloat162 __float2bfloat162_rn(float f) {
    return __nv_bfloat162(__nv_bfloat16(f), __nv_bfloat16(f));
}
WG_FN __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
WG_FN __nv_bfloat162 __float22bfloat162_rn(float2 f) {
    return __nv_bfloat162(__nv_bfloat16(f.x), __nv_bfloat16(f.y));
}
WG_FN float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(a.x, a.y); }
WG_FN __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
WG_FN __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
WG_FN float __low2float(__nv_bfloat162 a) { return a.x; }
WG_FN float __high2float(__nv_bfloat162 a) { return a.y; }
WG_FN __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
WG_FN __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
WG_FN __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }
WG_FN __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
WG_FN __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.y, b.y);
}

#if defined(__CUDA__)
#pragma clang attribute pop
#endif
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define CUDART_INF_BF16  __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16  __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16  __ushort_as_bfloat16((unsigned short)0x3f80)

#undef WG_HD
#undef WG_FN
#undef WG_T
#undef WG_T2
#undef WG_RAW
#undef WG_RAW2
#undef WG_NATIVE
#undef WG_PTX
#undef WG_TANH_SINCE
#undef WG_FMA
#undef WG_NAME
#undef WG_WIDEN
#undef WG_NARROW
#endif

#endif
