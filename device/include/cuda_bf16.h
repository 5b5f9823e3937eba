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
static __device__ __forceinline__ __bf16 wg_fma_bfloat16(__bf16 __a, __bf16 __b, __bf16 __c) {
    unsigned short __d;
    asm("fma.rn.bf16 %0, %1, %2, %3;"
        : "=h"(__d)
        : "h"(__builtin_bit_cast(unsigned short, __a)), "h"(__builtin_bit_cast(unsigned short, __b)),
          "h"(__builtin_bit_cast(unsigned short, __c)));
    return __builtin_bit_cast(__bf16, __d);
}
#define WG_FMA(A, B, C) wg_fma_bfloat16(A, B, C)
#else
#define WG_FMA(A, B, C) (__bf16)__builtin_fmaf((float)(A), (float)(B), (float)(C))
#endif
/* The upper half of a float. libgcc 12 has no conversion for clang to call, so here it is. */
static __host__ __forceinline__ float wg_widen_bfloat16(unsigned short __bits) {
    return __builtin_bit_cast(float, (unsigned int)__bits << 16);
}
static __host__ __forceinline__ unsigned short wg_narrow_bfloat16(float __f) {
    unsigned int __bits = __builtin_bit_cast(unsigned int, __f);
    if (__f != __f) return 0x7fff;
    return (unsigned short)((__bits + 0x7fff + (__bits >> 16 & 1)) >> 16);
}
#define WG_WIDEN(BITS) wg_widen_bfloat16(BITS)
#define WG_NARROW(F)   wg_narrow_bfloat16(F)
#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#endif
#include "warpglass/narrow_float.h"
#include "warpglass/narrow_float_conversions.h"

WG_FN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 __a) { return __nv_bfloat162(__a, __a); }
WG_FN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 __a, __nv_bfloat16 __b) {
    return __nv_bfloat162(__a, __b);
}
WG_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 __a, __nv_bfloat16 __b) { return __nv_bfloat162(__a, __b); }
WG_FN __nv_bfloat162 __float2bfloat162_rn(float __f) {
    return __nv_bfloat162(__nv_bfloat16(__f), __nv_bfloat16(__f));
}
WG_FN __nv_bfloat162 __floats2bfloat162_rn(float __a, float __b) {
    return __nv_bfloat162(__nv_bfloat16(__a), __nv_bfloat16(__b));
}
WG_FN __nv_bfloat162 __float22bfloat162_rn(float2 __f) {
    return __nv_bfloat162(__nv_bfloat16(__f.x), __nv_bfloat16(__f.y));
}
WG_FN float2 __bfloat1622float2(__nv_bfloat162 __a) { return make_float2(__a.x, __a.y); }
WG_FN __nv_bfloat16 __low2bfloat16(__nv_bfloat162 __a) { return __a.x; }
WG_FN __nv_bfloat16 __high2bfloat16(__nv_bfloat162 __a) { return __a.y; }
WG_FN float __low2float(__nv_bfloat162 __a) { return __a.x; }
WG_FN float __high2float(__nv_bfloat162 __a) { return __a.y; }
WG_FN __nv_bfloat162 __low2bfloat162(__nv_bfloat162 __a) { return __nv_bfloat162(__a.x, __a.x); }
WG_FN __nv_bfloat162 __high2bfloat162(__nv_bfloat162 __a) { return __nv_bfloat162(__a.y, __a.y); }
WG_FN __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 __a) { return __nv_bfloat162(__a.y, __a.x); }
WG_FN __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 __a, __nv_bfloat162 __b) {
    return __nv_bfloat162(__a.x, __b.x);
}
WG_FN __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 __a, __nv_bfloat162 __b) {
    return __nv_bfloat162(__a.y, __b.y);
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
#define __CUDA_BF16_TYPES_EXIST__ /* programs ask */
#else
typedef struct {
    unsigned short __x;
} __nv_bfloat16;
#endif

#endif
