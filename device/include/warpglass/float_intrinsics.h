/* float_intrinsics.h: arithmetic with a named rounding, conversions, and the approximate functions (__sinf,
 * __expf, ...).
 *
 * Device code only. The rounded forms are single PTX instructions that no compiler fuses or reorders
 * (add.rn.f32, ...). The approximate ones are ex2.approx, lg2.approx, sin.approx, ...: fast on hardware and
 * with wide error bounds; the accurate functions are in math/. -use_fast_math makes sinf(x) mean __sinf(x):
 * clang's math header does that.
 */
#ifndef WARPGLASS_FLOAT_INTRINSICS_H
#define WARPGLASS_FLOAT_INTRINSICS_H

#include "../host_defines.h"

#define WG_DEVICE static __device__ __forceinline__

/* Suffixes: rn to nearest even, rz toward zero, ru up, rd down; PTX and clang say rm and rp for the last two.
 */
#define WG_ALL_ROUNDINGS(M) M(rn, rn) M(rz, rz) M(ru, rp) M(rd, rm)

#define WG_ARITHMETIC(R, P)                                                                                  \
    WG_DEVICE float __fadd_##R(float __x, float __y) { return __nvvm_add_##P##_f(__x, __y); }                \
    WG_DEVICE float __fsub_##R(float __x, float __y) { return __nvvm_add_##P##_f(__x, -__y); }               \
    WG_DEVICE float __fmul_##R(float __x, float __y) { return __nvvm_mul_##P##_f(__x, __y); }                \
    WG_DEVICE float __fmaf_##R(float __x, float __y, float __z) {                                            \
        return __nvvm_fma_##P##_f(__x, __y, __z);                                                            \
    }                                                                                                        \
    WG_DEVICE float __fmaf_ieee_##R(float __x, float __y, float __z) {                                       \
        return __nvvm_fma_##P##_f(__x, __y, __z);                                                            \
    }                                                                                                        \
    WG_DEVICE float __fdiv_##R(float __x, float __y) { return __nvvm_div_##P##_f(__x, __y); }                \
    WG_DEVICE float __frcp_##R(float __x) { return __nvvm_rcp_##P##_f(__x); }                                \
    WG_DEVICE float __fsqrt_##R(float __x) { return __nvvm_sqrt_##P##_f(__x); }                              \
    WG_DEVICE double __dadd_##R(double __x, double __y) { return __nvvm_add_##P##_d(__x, __y); }             \
    WG_DEVICE double __dsub_##R(double __x, double __y) { return __nvvm_add_##P##_d(__x, -__y); }            \
    WG_DEVICE double __dmul_##R(double __x, double __y) { return __nvvm_mul_##P##_d(__x, __y); }             \
    WG_DEVICE double __fma_##R(double __x, double __y, double __z) {                                         \
        return __nvvm_fma_##P##_d(__x, __y, __z);                                                            \
    }                                                                                                        \
    WG_DEVICE double __ddiv_##R(double __x, double __y) { return __nvvm_div_##P##_d(__x, __y); }             \
    WG_DEVICE double __drcp_##R(double __x) { return __nvvm_rcp_##P##_d(__x); }                              \
    WG_DEVICE double __dsqrt_##R(double __x) { return __nvvm_sqrt_##P##_d(__x); }
WG_ALL_ROUNDINGS(WG_ARITHMETIC)
#undef WG_ARITHMETIC

#define WG_CONVERSIONS(R, P)                                                                                 \
    WG_DEVICE int __float2int_##R(float __x) { return __nvvm_f2i_##P(__x); }                                 \
    WG_DEVICE unsigned int __float2uint_##R(float __x) { return __nvvm_f2ui_##P(__x); }                      \
    WG_DEVICE long long __float2ll_##R(float __x) { return __nvvm_f2ll_##P(__x); }                           \
    WG_DEVICE unsigned long long __float2ull_##R(float __x) { return __nvvm_f2ull_##P(__x); }                \
    WG_DEVICE int __double2int_##R(double __x) { return __nvvm_d2i_##P(__x); }                               \
    WG_DEVICE unsigned int __double2uint_##R(double __x) { return __nvvm_d2ui_##P(__x); }                    \
    WG_DEVICE long long __double2ll_##R(double __x) { return __nvvm_d2ll_##P(__x); }                         \
    WG_DEVICE unsigned long long __double2ull_##R(double __x) { return __nvvm_d2ull_##P(__x); }              \
    WG_DEVICE float __int2float_##R(int __x) { return __nvvm_i2f_##P(__x); }                                 \
    WG_DEVICE float __uint2float_##R(unsigned int __x) { return __nvvm_ui2f_##P(__x); }                      \
    WG_DEVICE float __ll2float_##R(long long __x) { return __nvvm_ll2f_##P(__x); }                           \
    WG_DEVICE float __ull2float_##R(unsigned long long __x) { return __nvvm_ull2f_##P(__x); }                \
    WG_DEVICE double __ll2double_##R(long long __x) { return __nvvm_ll2d_##P(__x); }                         \
    WG_DEVICE double __ull2double_##R(unsigned long long __x) { return __nvvm_ull2d_##P(__x); }
WG_CONVERSIONS(rn, rn)
WG_CONVERSIONS(ru, rp)
WG_CONVERSIONS(rd, rm)
#undef WG_CONVERSIONS

#define WG_NARROWING(R, P)                                                                                   \
    WG_DEVICE float __double2float_##R(double __x) { return __nvvm_d2f_##P(__x); }
WG_ALL_ROUNDINGS(WG_NARROWING)
#undef WG_NARROWING
#undef WG_ALL_ROUNDINGS

/* Toward zero as PTX: clang 19 takes the builtins' place with C's conversions, which round to nearest from
 * integers and are undefined where the integer has no room. */
#define WG_TOWARD_ZERO(NAME, TO, FROM, INSTRUCTION, TO_REGISTER, FROM_REGISTER)                              \
    WG_DEVICE TO NAME(FROM __x) {                                                                            \
        TO __y;                                                                                              \
        asm(INSTRUCTION " %0, %1;" : "=" TO_REGISTER(__y) : FROM_REGISTER(__x));                             \
        return __y;                                                                                          \
    }
WG_TOWARD_ZERO(__float2int_rz, int, float, "cvt.rzi.s32.f32", "r", "f")
WG_TOWARD_ZERO(__float2uint_rz, unsigned int, float, "cvt.rzi.u32.f32", "r", "f")
WG_TOWARD_ZERO(__float2ll_rz, long long, float, "cvt.rzi.s64.f32", "l", "f")
WG_TOWARD_ZERO(__float2ull_rz, unsigned long long, float, "cvt.rzi.u64.f32", "l", "f")
WG_TOWARD_ZERO(__double2int_rz, int, double, "cvt.rzi.s32.f64", "r", "d")
WG_TOWARD_ZERO(__double2uint_rz, unsigned int, double, "cvt.rzi.u32.f64", "r", "d")
WG_TOWARD_ZERO(__double2ll_rz, long long, double, "cvt.rzi.s64.f64", "l", "d")
WG_TOWARD_ZERO(__double2ull_rz, unsigned long long, double, "cvt.rzi.u64.f64", "l", "d")
WG_TOWARD_ZERO(__int2float_rz, float, int, "cvt.rz.f32.s32", "f", "r")
WG_TOWARD_ZERO(__uint2float_rz, float, unsigned int, "cvt.rz.f32.u32", "f", "r")
WG_TOWARD_ZERO(__ll2float_rz, float, long long, "cvt.rz.f32.s64", "f", "l")
WG_TOWARD_ZERO(__ull2float_rz, float, unsigned long long, "cvt.rz.f32.u64", "f", "l")
WG_TOWARD_ZERO(__ll2double_rz, double, long long, "cvt.rz.f64.s64", "d", "l")
WG_TOWARD_ZERO(__ull2double_rz, double, unsigned long long, "cvt.rz.f64.u64", "d", "l")
#undef WG_TOWARD_ZERO

WG_DEVICE double __int2double_rn(int __x) { return __x; }
WG_DEVICE double __uint2double_rn(unsigned int __x) { return __x; }

/* The same bits under another type. */
WG_DEVICE int __float_as_int(float __x) { return __builtin_bit_cast(int, __x); }
WG_DEVICE unsigned int __float_as_uint(float __x) { return __builtin_bit_cast(unsigned int, __x); }
WG_DEVICE float __int_as_float(int __x) { return __builtin_bit_cast(float, __x); }
WG_DEVICE float __uint_as_float(unsigned int __x) { return __builtin_bit_cast(float, __x); }
WG_DEVICE long long __double_as_longlong(double __x) { return __builtin_bit_cast(long long, __x); }
WG_DEVICE double __longlong_as_double(long long __x) { return __builtin_bit_cast(double, __x); }
WG_DEVICE int __double2hiint(double __x) { return (int)(__double_as_longlong(__x) >> 32); }
WG_DEVICE int __double2loint(double __x) { return (int)__double_as_longlong(__x); }
WG_DEVICE double __hiloint2double(int __high, int __low) {
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned int)__high << 32 | (unsigned int)__low));
}

/* Correctly rounded: the double quotient errs by less than the distance of any 1/sqrt(float) to a rounding
 * boundary. */
WG_DEVICE float __frsqrt_rn(float __x) { return (float)(1.0 / __nvvm_sqrt_rn_d((double)__x)); }
WG_DEVICE float __saturatef(float __x) { return __nvvm_saturate_f(__x); }

/* Approximate functions. log2(e), log2(10), ln 2 and log10(2) are rounded to float, as the bounds allow. */
WG_DEVICE float __fdividef(float __x, float __y) { return __nvvm_div_approx_f(__x, __y); }
WG_DEVICE float __expf(float __x) { return __nvvm_ex2_approx_f(__x * 1.44269504f); }
WG_DEVICE float __exp10f(float __x) { return __nvvm_ex2_approx_f(__x * 3.32192809f); }
WG_DEVICE float __log2f(float __x) { return __nvvm_lg2_approx_f(__x); }
WG_DEVICE float __logf(float __x) { return __nvvm_lg2_approx_f(__x) * 0.693147181f; }
WG_DEVICE float __log10f(float __x) { return __nvvm_lg2_approx_f(__x) * 0.301029996f; }
WG_DEVICE float __powf(float __x, float __y) { return __nvvm_ex2_approx_f(__y * __nvvm_lg2_approx_f(__x)); }
WG_DEVICE float __sinf(float __x) { return __nvvm_sin_approx_f(__x); }
WG_DEVICE float __cosf(float __x) { return __nvvm_cos_approx_f(__x); }
WG_DEVICE float __tanf(float __x) { return __fdividef(__sinf(__x), __cosf(__x)); }
WG_DEVICE void __sincosf(float __x, float *__sine, float *__cosine) {
    *__sine = __sinf(__x), *__cosine = __cosf(__x);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
WG_DEVICE float __tanhf(float __x) {
    float __y;
    asm("tanh.approx.f32 %0, %1;" : "=f"(__y) : "f"(__x));
    return __y;
}
#endif

/* What clang's math header calls them. */
WG_DEVICE float __nv_fast_sinf(float __x) { return __sinf(__x); }
WG_DEVICE float __nv_fast_cosf(float __x) { return __cosf(__x); }
WG_DEVICE void __nv_fast_sincosf(float __x, float *__sine, float *__cosine) {
    __sincosf(__x, __sine, __cosine);
}
WG_DEVICE float __nv_fast_logf(float __x) { return __logf(__x); }
WG_DEVICE float __nv_fast_log2f(float __x) { return __log2f(__x); }
WG_DEVICE float __nv_fast_fdividef(float __x, float __y) { return __fdividef(__x, __y); }

#undef WG_DEVICE

#endif
