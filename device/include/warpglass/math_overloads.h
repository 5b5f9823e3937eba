/* math_overloads.h: what stands between our __nv_* functions and clang's C++ overloads.
 *
 * Two things: the classification functions that glibc's and clang's headers name (__isnanf, __signbitd, ...),
 * as device overloads, and float overloads of the functions that only CUDA has (rsqrt, sinpi, normcdf, ...).
 */
#ifndef WARPGLASS_MATH_OVERLOADS_H
#define WARPGLASS_MATH_OVERLOADS_H

#include "../host_defines.h"

#define WG_DEVICE static __device__ __forceinline__

WG_DEVICE int __isnanf(float __x) { return __builtin_isnan(__x); }
WG_DEVICE int __isnan(double __x) { return __builtin_isnan(__x); }
WG_DEVICE int __isinff(float __x) { return __builtin_isinf(__x); }
WG_DEVICE int __isinf(double __x) { return __builtin_isinf(__x); }
WG_DEVICE int __finitef(float __x) { return __builtin_isfinite(__x); }
WG_DEVICE int __finite(double __x) { return __builtin_isfinite(__x); }
WG_DEVICE int __isfinited(double __x) { return __builtin_isfinite(__x); }
WG_DEVICE int __signbitf(float __x) { return __builtin_signbitf(__x); }
WG_DEVICE int __signbitd(double __x) { return __builtin_signbit(__x); }
WG_DEVICE int __signbit(double __x) { return __builtin_signbit(__x); }

/* Declared by clang's forward declarations and left to us: the float overloads of C's functions. */
#define WG_FLOAT_OVERLOAD(R, NAME)                                                                           \
    WG_DEVICE R NAME(float __x) { return NAME##f(__x); }
#define WG_FLOAT_OVERLOAD_2(NAME)                                                                            \
    WG_DEVICE float NAME(float __x, float __y) { return NAME##f(__x, __y); }
WG_FLOAT_OVERLOAD(float, acosh)
WG_FLOAT_OVERLOAD(float, asinh)
WG_FLOAT_OVERLOAD(float, atanh)
WG_FLOAT_OVERLOAD(float, cbrt)
WG_FLOAT_OVERLOAD(float, erf)
WG_FLOAT_OVERLOAD(float, erfc)
WG_FLOAT_OVERLOAD(float, exp2)
WG_FLOAT_OVERLOAD(float, expm1)
WG_FLOAT_OVERLOAD(int, ilogb)
WG_FLOAT_OVERLOAD(float, lgamma)
WG_FLOAT_OVERLOAD(float, log1p)
WG_FLOAT_OVERLOAD(float, log2)
WG_FLOAT_OVERLOAD(float, logb)
WG_FLOAT_OVERLOAD(long, lrint)
WG_FLOAT_OVERLOAD(long, lround)
WG_FLOAT_OVERLOAD(long long, llrint)
WG_FLOAT_OVERLOAD(long long, llround)
WG_FLOAT_OVERLOAD(float, nearbyint)
WG_FLOAT_OVERLOAD(float, rint)
WG_FLOAT_OVERLOAD(float, round)
WG_FLOAT_OVERLOAD(float, tgamma)
WG_FLOAT_OVERLOAD(float, trunc)
WG_FLOAT_OVERLOAD_2(copysign)
WG_FLOAT_OVERLOAD_2(fdim)
WG_FLOAT_OVERLOAD_2(fmax)
WG_FLOAT_OVERLOAD_2(fmin)
WG_FLOAT_OVERLOAD_2(hypot)
WG_FLOAT_OVERLOAD_2(nextafter)
WG_FLOAT_OVERLOAD_2(remainder)
#undef WG_FLOAT_OVERLOAD
#undef WG_FLOAT_OVERLOAD_2
WG_DEVICE float fma(float __x, float __y, float __z) { return fmaf(__x, __y, __z); }
WG_DEVICE float remquo(float __x, float __y, int *__quotient) { return remquof(__x, __y, __quotient); }
WG_DEVICE float scalbn(float __x, int __k) { return scalbnf(__x, __k); }
WG_DEVICE float scalbln(float __x, long __k) { return scalblnf(__x, __k); }
/* The text names bits of the NaN; like most libraries we give the plain one. */
WG_DEVICE double nan(const char *) { return __builtin_nan(""); }
WG_DEVICE float nanf(const char *) { return __builtin_nanf(""); }

/* CUDA's own functions. */
WG_DEVICE float rsqrt(float __x) { return rsqrtf(__x); }
WG_DEVICE float rcbrt(float __x) { return rcbrtf(__x); }
WG_DEVICE float exp10(float __x) { return exp10f(__x); }
WG_DEVICE float sinpi(float __x) { return sinpif(__x); }
WG_DEVICE float cospi(float __x) { return cospif(__x); }
WG_DEVICE void sincospi(float __x, float *__sine, float *__cosine) { sincospif(__x, __sine, __cosine); }
WG_DEVICE void sincos(float __x, float *__sine, float *__cosine) { sincosf(__x, __sine, __cosine); }
WG_DEVICE float rhypot(float __x, float __y) { return rhypotf(__x, __y); }
WG_DEVICE float norm3d(float __x, float __y, float __z) { return norm3df(__x, __y, __z); }
WG_DEVICE float norm4d(float __x, float __y, float __z, float __w) { return norm4df(__x, __y, __z, __w); }
WG_DEVICE float erfinv(float __x) { return erfinvf(__x); }
WG_DEVICE float erfcinv(float __x) { return erfcinvf(__x); }
WG_DEVICE float erfcx(float __x) { return erfcxf(__x); }
WG_DEVICE float normcdf(float __x) { return normcdff(__x); }
WG_DEVICE float normcdfinv(float __x) { return normcdfinvf(__x); }
WG_DEVICE float j0(float __x) { return j0f(__x); }
WG_DEVICE float j1(float __x) { return j1f(__x); }
WG_DEVICE float jn(int __n, float __x) { return jnf(__n, __x); }
WG_DEVICE float y0(float __x) { return y0f(__x); }
WG_DEVICE float y1(float __x) { return y1f(__x); }
WG_DEVICE float yn(int __n, float __x) { return ynf(__n, __x); }
WG_DEVICE float cyl_bessel_i0(float __x) { return cyl_bessel_i0f(__x); }
WG_DEVICE float cyl_bessel_i1(float __x) { return cyl_bessel_i1f(__x); }
WG_DEVICE float fdivide(float __x, float __y) { return fdividef(__x, __y); }

#undef WG_DEVICE

#endif
