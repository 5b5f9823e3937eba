/* math_overloads.h: what stands between our __nv_* functions and clang's C++ overloads.
 *
 * Two things: the classification functions that glibc's and clang's headers name (__isnanf, __signbitd, ...),
 * as device overloads, and float overloads of the functions that only CUDA has (rsqrt, sinpi, normcdf, ...).
 */
#ifndef WARPGLASS_MATH_OVERLOADS_H
#define WARPGLASS_MATH_OVERLOADS_H

#include "../host_defines.h"

#define WG_DEVICE static __device__ __forceinline__

WG_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
WG_DEVICE int __isnan(double x) { return __builtin_isnan(x); }
WG_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
WG_DEVICE int __isinf(double x) { return __builtin_isinf(x); }
WG_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }
WG_DEVICE int __finite(double x) { return __builtin_isfinite(x); }
WG_DEVICE int __isfinited(double x) { return __builtin_isfinite(x); }
WG_DEVICE int __signbitf(float x) { return __builtin_signbitf(x); }
WG_DEVICE int __signbitd(double x) { return __builtin_signbit(x); }
WG_DEVICE int __signbit(double x) { return __builtin_signbit(x); }

/* Declared by clang's forward declarations and left to us: the float overloads of C's functions. */
#define WG_FLOAT_OVERLOAD(R, NAME)                                                                           \
    WG_DEVICE R NAME(float x) { return NAME##f(x); }
#define WG_FLOAT_OVERLOAD_2(NAME)                                                                            \
    WG_DEVICE float NAME(float x, float y) { return NAME##f(x, y); }
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
WG_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
WG_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
WG_DEVICE float scalbn(float x, int k) { return scalbnf(x, k); }
WG_DEVICE float scalbln(float x, long k) { return scalblnf(x, k); }
/* The text names bits of the NaN; like most libraries we give the plain one. */
WG_DEVICE double nan(const char *) { return __builtin_nan(""); }
WG_DEVICE float nanf(const char *) { return __builtin_nanf(""); }

/* CUDA's own functions. */
WG_DEVICE float rsqrt(float x) { return rsqrtf(x); }
WG_DEVICE float rcbrt(float x) { return rcbrtf(x); }
WG_DEVICE float exp10(float x) { return exp10f(x); }
WG_DEVICE float sinpi(float x) { return sinpif(x); }
WG_DEVICE float cospi(float x) { return cospif(x); }
WG_DEVICE void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }
WG_DEVICE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
WG_DEVICE float rhypot(float x, float y) { return rhypotf(x, y); }
WG_DEVICE float norm3d(float x, float y, float z) { return norm3df(x, y, z); }
WG_DEVICE float norm4d(float x, float y, float z, float w) { return norm4df(x, y, z, w); }
WG_DEVICE float erfinv(float x) { return erfinvf(x); }
WG_DEVICE float erfcinv(float x) { return erfcinvf(x); }
WG_DEVICE float erfcx(float x) { return erfcxf(x); }
WG_DEVICE float normcdf(float x) { return normcdff(x); }
WG_DEVICE float normcdfinv(float x) { return normcdfinvf(x); }
WG_DEVICE float j0(float x) { return j0f(x); }
WG_DEVICE float j1(float x) { return j1f(x); }
WG_DEVICE float jn(int n, float x) { return jnf(n, x); }
WG_DEVICE float y0(float x) { return y0f(x); }
WG_DEVICE float y1(float x) { return y1f(x); }
WG_DEVICE float yn(int n, float x) { return ynf(n, x); }
WG_DEVICE float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
WG_DEVICE float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
WG_DEVICE float fdivide(float x, float y) { return fdividef(x, y); }

#undef WG_DEVICE

#endif
