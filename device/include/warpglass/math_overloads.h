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
