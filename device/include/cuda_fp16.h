/* cuda_fp16.h: __half (1 sign, 5 exponent, 10 fraction bits), its pair, and their functions, for host and
 * device.
 *
 * The type itself is in warpglass/narrow_float.h, which the two 16-bit formats share; here are the format's
 * own names.
 */
#ifndef WARPGLASS_CUDA_FP16_H
#define WARPGLASS_CUDA_FP16_H
#define __CUDA_FP16_H__ /* as in host_defines.h */

#if defined(__cplusplus)
#if __cplusplus < 201103L
#error "cuda_fp16.h needs C++11 or newer: compile with -std=c++17"
#endif
#include "cuda_runtime.h"
#include "warpglass/rounding_to_odd.h"

#define WG_HD           __host__ __device__ __forceinline__
#define WG_FN           static WG_HD
#define WG_T            __half
#define WG_T2           __half2
#define WG_RAW          __half_raw
#define WG_RAW2         __half2_raw
#define WG_NATIVE       _Float16
#define WG_PTX          "f16"
#define WG_TANH_SINCE   750
#define WG_FMA(A, B, C) __builtin_fmaf16(A, B, C)
#define WG_NAME         half
static __host__ __forceinline__ float wg_widen_half(unsigned short __bits) {
    return (float)__builtin_bit_cast(_Float16, __bits);
}
static __host__ __forceinline__ unsigned short wg_narrow_half(float __f) {
    return __builtin_bit_cast(unsigned short, (_Float16)__f);
}
#define WG_WIDEN(BITS) wg_widen_half(BITS)
#define WG_NARROW(F)   wg_narrow_half(F)
#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#endif
#include "warpglass/narrow_float.h"
#include "warpglass/narrow_float_conversions.h"

WG_FN __half2 __half2half2(__half __a) { return __half2(__a, __a); }
WG_FN __half2 __halves2half2(__half __a, __half __b) { return __half2(__a, __b); }
WG_FN __half2 make_half2(__half __a, __half __b) { return __half2(__a, __b); }
WG_FN __half2 __float2half2_rn(float __f) { return __half2(__half(__f), __half(__f)); }
WG_FN __half2 __floats2half2_rn(float __a, float __b) { return __half2(__half(__a), __half(__b)); }
WG_FN __half2 __float22half2_rn(float2 __f) { return __half2(__half(__f.x), __half(__f.y)); }
WG_FN float2 __half22float2(__half2 __a) { return make_float2(__a.x, __a.y); }
WG_FN __half __low2half(__half2 __a) { return __a.x; }
WG_FN __half __high2half(__half2 __a) { return __a.y; }
WG_FN float __low2float(__half2 __a) { return __a.x; }
WG_FN float __high2float(__half2 __a) { return __a.y; }
WG_FN __half2 __low2half2(__half2 __a) { return __half2(__a.x, __a.x); }
WG_FN __half2 __high2half2(__half2 __a) { return __half2(__a.y, __a.y); }
WG_FN __half2 __lowhigh2highlow(__half2 __a) { return __half2(__a.y, __a.x); }
WG_FN __half2 __lows2half2(__half2 __a, __half2 __b) { return __half2(__a.x, __b.x); }
WG_FN __half2 __highs2half2(__half2 __a, __half2 __b) { return __half2(__a.y, __b.y); }

#if defined(__CUDA__)
#pragma clang attribute pop
#endif
#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif
#define CUDART_INF_FP16        __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16        __ushort_as_half((unsigned short)0x7fff)
#define CUDART_ZERO_FP16       __ushort_as_half((unsigned short)0x0000)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half((unsigned short)0x8000)
#define CUDART_ONE_FP16        __ushort_as_half((unsigned short)0x3c00)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)

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
#define __CUDA_FP16_TYPES_EXIST__ /* programs ask */
#else
typedef struct {
    unsigned short __x;
} __half;
#endif

#endif
