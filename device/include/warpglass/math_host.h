/* math_host.h: CUDA's own functions of numbers, for host code, where nvcc has them, too: rsqrt, sinpi, erfinv and their like
 * on the C library's; umin.
 */
#ifndef WARPGLASS_MATH_HOST_H
#define WARPGLASS_MATH_HOST_H

#include <math.h>

#define WG_HOST static __host__ inline

WG_HOST double rsqrt(double __x) { return 1 / ::sqrt(__x); }
WG_HOST double rcbrt(double __x) {
    double __y = 1 / ::cbrt(__x), __rest = ::fma(-__x * __y, __y * __y, 1);
    return ::isfinite(__rest) ? __y + __y * __rest / 3 : __y;
}

/* By the nearest multiple of pi / 2, which is exact. */
WG_HOST void sincospi(double __x, double *__sine, double *__cosine) {
    double __n = ::nearbyint(2 * __x), __angle = (__x - 0.5 * __n) * 0x1.921fb54442d18p+1;
    double __s = ::sin(__angle), __c = ::cos(__angle);
    int __quarter = (int)::fmod(__n, 4) & 3;
    if (::fabs(__x) >= 0x1p53 && ::isfinite(__x)) __s = 0, __c = 1, __quarter = 0;
    double __sin = __quarter & 1 ? __c : __s, __cos = __quarter & 1 ? __s : __c;
    if (__quarter & 2) __sin = -__sin;
    if (__quarter == 1 || __quarter == 2) __cos = -__cos;
    *__sine = __sin == 0 ? ::copysign(0.0, __x) : __sin;
    *__cosine = __cos == 0 ? 0 : __cos;
}
WG_HOST double sinpi(double __x) {
    double __sine, __cosine;
    ::sincospi(__x, &__sine, &__cosine);
    return __sine;
}
WG_HOST double cospi(double __x) {
    double __sine, __cosine;
    ::sincospi(__x, &__sine, &__cosine);
    return __cosine;
}

/* erfc(x) = y for 0 < y <= 1, by Halley's method from Winitzki's approximation. */
WG_HOST double __wg_erfc_inverse(double __y) {
    double __l = ::log(__y * (2 - __y)), __t = 4.33 + 0.5 * __l;
    double __x = ::sqrt(::sqrt(__t * __t - __l * 6.8) - __t);
    for (int __i = 0; __i < 4 && __x > 0; __i++) {
        double __slope = -0x1.20dd750429b6dp+0 * ::exp(-__x * __x);
        double __step = (::erfc(__x) - __y) / __slope;
        if (__slope == 0) break;
        __x -= __step / (1 + __x * __step);
    }
    return __x;
}
/* erf(x) = y for |y| <= 0.5. */
WG_HOST double __wg_erf_inverse(double __y) {
    double __x = __y * 0x1.c5bf891b4ef6bp-1;
    for (int __i = 0; __i < 4; __i++) {
        double __step = (::erf(__x) - __y) * 0x1.c5bf891b4ef6bp-1 * ::exp(__x * __x);
        __x -= __step / (1 + __x * __step);
    }
    return __x;
}
WG_HOST double erfinv(double __y) {
    double __a = ::fabs(__y);
    if (!(__a <= 1)) return __builtin_nan("");
    if (__a == 1) return ::copysign(__builtin_huge_val(), __y);
    return __a <= 0.5 ? ::__wg_erf_inverse(__y) : ::copysign(::__wg_erfc_inverse(1 - __a), __y);
}
WG_HOST double erfcinv(double __y) {
    if (!(__y >= 0 && __y <= 2)) return __builtin_nan("");
    if (__y == 0) return __builtin_huge_val();
    if (__y == 2) return -__builtin_huge_val();
    if (__y >= 0.5 && __y <= 1.5) return ::__wg_erf_inverse(1 - __y);
    return __y < 1 ? ::__wg_erfc_inverse(__y) : -::__wg_erfc_inverse(2 - __y);
}
WG_HOST double normcdfinv(double __p) { return -0x1.6a09e667f3bcdp+0 * ::erfcinv(2 * __p); }
/* -x / sqrt(2) with what rounding leaves of it. */
WG_HOST double normcdf(double __x) {
    double __a = __x < -39 ? 39 * 0x1.6a09e667f3bcdp-1 : -__x * 0x1.6a09e667f3bcdp-1;
    double __rest =
        __x < -39 || ::isinf(__x) ? 0 : ::fma(-__x, 0x1.6a09e667f3bcdp-1, -__a) + __x * 0x1.bdd3413b26456p-55;
    return 0.5 * (::erfc(__a) - 0x1.20dd750429b6dp+0 * ::exp(-__a * __a) * __rest);
}
WG_HOST double erfcx(double __x) {
    if (__x > 25) {
        double __q = 0.5 / (__x * __x), __sum = 1, __term = 1;
        for (int __k = 1; __k < 12; __k += 2) __sum += __term *= -__k * __q;
        return 0x1.20dd750429b6dp-1 / __x * __sum;
    }
    double __square = __x * __x, __rest = ::fma(__x, __x, -__square), __e = ::exp(__square);
    return __e * ::erfc(__x) * (::isinf(__e) ? 1 : 1 + __rest);
}

#define WG_HOST_FLOAT(NAME)                                                                                  \
    WG_HOST float NAME##f(float __x) { return (float)::NAME((double)__x); }                                  \
    WG_HOST float NAME(float __x) { return ::NAME##f(__x); }
WG_HOST_FLOAT(rsqrt)
WG_HOST_FLOAT(rcbrt)
WG_HOST_FLOAT(sinpi)
WG_HOST_FLOAT(cospi)
WG_HOST_FLOAT(erfinv)
WG_HOST_FLOAT(erfcinv)
WG_HOST_FLOAT(normcdf)
WG_HOST_FLOAT(normcdfinv)
WG_HOST_FLOAT(erfcx)
#undef WG_HOST_FLOAT
WG_HOST void sincospif(float __x, float *__sine, float *__cosine) {
    double __s, __c;
    ::sincospi((double)__x, &__s, &__c);
    *__sine = (float)__s, *__cosine = (float)__c;
}
WG_HOST void sincospi(float __x, float *__sine, float *__cosine) { ::sincospif(__x, __sine, __cosine); }

/* The C library's for float, under the names of those for double. */
WG_HOST float exp10(float __x) { return ::exp10f(__x); }
WG_HOST void sincos(float __x, float *__sine, float *__cosine) { ::sincosf(__x, __sine, __cosine); }
WG_HOST float j0(float __x) { return ::j0f(__x); }
WG_HOST float j1(float __x) { return ::j1f(__x); }
WG_HOST float jn(int __n, float __x) { return ::jnf(__n, __x); }
WG_HOST float y0(float __x) { return ::y0f(__x); }
WG_HOST float y1(float __x) { return ::y1f(__x); }
WG_HOST float yn(int __n, float __x) { return ::ynf(__n, __x); }

WG_HOST unsigned int umin(unsigned int __a, unsigned int __b) { return __a < __b ? __a : __b; }
WG_HOST unsigned int umax(unsigned int __a, unsigned int __b) { return __a < __b ? __b : __a; }
WG_HOST long long llmin(long long __a, long long __b) { return __a < __b ? __a : __b; }
WG_HOST long long llmax(long long __a, long long __b) { return __a < __b ? __b : __a; }
WG_HOST unsigned long long ullmin(unsigned long long __a, unsigned long long __b) {
    return __a < __b ? __a : __b;
}
WG_HOST unsigned long long ullmax(unsigned long long __a, unsigned long long __b) {
    return __a < __b ? __b : __a;
}
#undef WG_HOST

#endif
