/* roots.h: reciprocal and cube roots, hypotenuses and norms.
 *
 * Norms are sums of squares with their rounding errors, of components made near 1 by a common power of two.
 */
#ifndef WARPGLASS_MATH_ROOTS_H
#define WARPGLASS_MATH_ROOTS_H

#include "exact.h"
#include "polynomials.h"

/* 1 / sqrt(s), s near 1, with one Newton step that sees the rounding error of y * y. */
WG_MATH_FN double wg_rsqrt_of(wg_two __s) {
    double __y = 1 / __builtin_sqrt(__s.__hi);
    wg_two __square = wg_product(__y, __y);
    double __residual =
        wg_fma(-__square.__hi, __s.__hi, 1) - wg_fma(__square.__hi, __s.__lo, __square.__lo * __s.__hi);
    return wg_fma(0.5 * __y, __residual, __y);
}
WG_MATH_FN double wg_sqrt_of(wg_two __s) {
    double __root = __builtin_sqrt(__s.__hi);
    return __s.__hi > 0 ? __root + (wg_fma(-__root, __root, __s.__hi) + __s.__lo) / (2 * __root) : __root;
}
WG_MATH_FN double __nv_rsqrt(double __x) {
    if (!(__x > 0 && __x < wg_infinity()))
        return __x == 0 ? wg_with_sign(wg_infinity(), __x) : __x == wg_infinity() ? 0 : wg_nan();
    int __e;
    wg_two __m = {__nv_frexp(__x, &__e), 0};
    __m.__hi = __e & 1 ? 2 * __m.__hi : __m.__hi;
    return wg_scale(wg_rsqrt_of(__m), -((__e - (__e & 1)) / 2));
}

/* x = 2^(3 q) m with m in [1, 8): a first guess of m^(-1/3) and two steps, each three times as many bits. */
WG_MATH_FN double wg_rcbrt_of(double __x, double *__m, int *__q) {
    int __e;
    double __f = __nv_frexp(wg_abs(__x), &__e);
    int __third = (__e - 1 + 3000) / 3 - 1000;
    *__q = __third;
    *__m = __f * wg_power_of_two(__e - 3 * __third);
    double __y = wg_poly_cbrt(*__m - 4);
    for (int __i = 0; __i < 2; __i++) {
        double __miss = wg_fma(-*__m * __y, __y * __y, 1);
        __y = wg_fma(__y * __miss, wg_fma(__miss, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2),
                     __y); /* 2/9, 1/3 */
    }
    return __y;
}
WG_MATH_FN double __nv_cbrt(double __x) {
    double __m;
    int __q;
    if (__x == 0 || !(wg_abs(__x) < wg_infinity())) return __x + __x;
    double __y = wg_rcbrt_of(__x, &__m, &__q), __root = __m * __y * __y;
    wg_two __square = wg_product(__root, __root);
    double __residual = wg_fma(-__square.__hi, __root, __m) - __square.__lo * __root;
    __root = wg_fma(__residual * __y * __y, 0x1.5555555555555p-2, __root);
    return wg_with_sign(__root * wg_power_of_two(__q), __x);
}
WG_MATH_FN double __nv_rcbrt(double __x) {
    double __m;
    int __q;
    if (__x == 0 || !(wg_abs(__x) < wg_infinity())) return 1 / __x;
    double __y = wg_rcbrt_of(__x, &__m, &__q);
    wg_two __square = wg_product(__y, __y), __one = {__y, 0}, __cube = wg_product(__square, __one);
    double __residual = wg_fma(-__m, __cube.__hi, 1) - __m * __cube.__lo;
    __y = wg_fma(__y * __residual, 0x1.5555555555555p-2, __y);
    return wg_with_sign(__y * wg_power_of_two(-__q), __x);
}

/* Sum of squares of up to four numbers times 2^(-2 k); k is such that the largest is near 1. */
WG_MATH_FN wg_two wg_sum_of_squares(double __a, double __b, double __c, double __d, int *__k) {
    double __most = __nv_fmax(__nv_fmax(wg_abs(__a), wg_abs(__b)), __nv_fmax(wg_abs(__c), wg_abs(__d)));
    int __e = (int)(wg_bits(__most) >> 52) - 1022;
    *__k = __e;
    __a = wg_scale(__a, -__e), __b = wg_scale(__b, -__e), __c = wg_scale(__c, -__e),
    __d = wg_scale(__d, -__e);
    wg_two __ab = wg_product(__a, __a), __b2 = wg_product(__b, __b), __cd = wg_product(__c, __c),
           __d2 = wg_product(__d, __d);
    wg_two __s1 = wg_sum(__ab.__hi, __b2.__hi), __s2 = wg_sum(__cd.__hi, __d2.__hi),
           __s = wg_sum(__s1.__hi, __s2.__hi);
    __s.__lo += __s1.__lo + __s2.__lo + ((__ab.__lo + __b2.__lo) + (__cd.__lo + __d2.__lo));
    return wg_sum_ordered(__s.__hi, __s.__lo);
}
/* Infinity wins over NaN, as in C's hypot. */
WG_MATH_FN bool wg_any_infinite(double __a, double __b, double __c, double __d) {
    double __large = wg_infinity();
    return wg_abs(__a) == __large || wg_abs(__b) == __large || wg_abs(__c) == __large ||
           wg_abs(__d) == __large;
}
WG_MATH_FN double __nv_norm4d(double __a, double __b, double __c, double __d) {
    int __k;
    wg_two __s = wg_sum_of_squares(__a, __b, __c, __d, &__k);
    double __r = wg_scale(wg_sqrt_of(__s), __k);
    bool __nan = __a != __a || __b != __b || __c != __c || __d != __d;
    return wg_any_infinite(__a, __b, __c, __d)              ? wg_infinity()
           : __nan                                          ? wg_nan()
           : (__a == 0 && __b == 0 && __c == 0 && __d == 0) ? 0
                                                            : __r;
}
WG_MATH_FN double __nv_rnorm4d(double __a, double __b, double __c, double __d) {
    int __k;
    wg_two __s = wg_sum_of_squares(__a, __b, __c, __d, &__k);
    double __r = wg_scale(wg_rsqrt_of(__s), -__k);
    bool __nan = __a != __a || __b != __b || __c != __c || __d != __d;
    return wg_any_infinite(__a, __b, __c, __d)              ? 0
           : __nan                                          ? wg_nan()
           : (__a == 0 && __b == 0 && __c == 0 && __d == 0) ? wg_infinity()
                                                            : __r;
}
WG_MATH_FN double __nv_hypot(double __x, double __y) { return __nv_norm4d(__x, __y, 0, 0); }
WG_MATH_FN double __nv_rhypot(double __x, double __y) { return __nv_rnorm4d(__x, __y, 0, 0); }
WG_MATH_FN double __nv_norm3d(double __x, double __y, double __z) { return __nv_norm4d(__x, __y, __z, 0); }
WG_MATH_FN double __nv_rnorm3d(double __x, double __y, double __z) { return __nv_rnorm4d(__x, __y, __z, 0); }

/* Any number of components: one pass for the largest, one for the sum. */
WG_MATH_FN double __nv_norm(int __n, const double *__v) {
    double __most = 0, __sum = 0;
    for (int __i = 0; __i < __n; __i++)
        __most =
            __v[__i] != __v[__i] && __most != wg_infinity() ? __v[__i] : __nv_fmax(__most, wg_abs(__v[__i]));
    if (!(__most > 0 && __most < wg_infinity())) return __most;
    int __k = (int)(wg_bits(__most) >> 52) - 1022;
    for (int __i = 0; __i < __n; __i++) {
        double __t = wg_scale(__v[__i], -__k);
        __sum = wg_fma(__t, __t, __sum);
    }
    return wg_scale(__builtin_sqrt(__sum), __k);
}
WG_MATH_FN double __nv_rnorm(int __n, const double *__v) { return 1 / __nv_norm(__n, __v); }

/* Single precision through double: squares of floats neither over- nor underflow there. */
WG_MATH_FN float wg_norm_f(double __s, float __a, float __b, float __c, float __d) {
    return wg_any_infinite(__a, __b, __c, __d) ? wg_infinityf() : (float)__builtin_sqrt(__s);
}
WG_MATH_FN float wg_rnorm_f(double __s, float __a, float __b, float __c, float __d) {
    return wg_any_infinite(__a, __b, __c, __d) ? 0 : (float)(1 / __builtin_sqrt(__s));
}
WG_MATH_FN double wg_squares_f(double __a, double __b, double __c, double __d) {
    return wg_fma(__a, __a, wg_fma(__b, __b, wg_fma(__c, __c, __d * __d)));
}
WG_MATH_FN float __nv_norm4df(float __a, float __b, float __c, float __d) {
    return wg_norm_f(wg_squares_f(__a, __b, __c, __d), __a, __b, __c, __d);
}
WG_MATH_FN float __nv_rnorm4df(float __a, float __b, float __c, float __d) {
    return wg_rnorm_f(wg_squares_f(__a, __b, __c, __d), __a, __b, __c, __d);
}
WG_MATH_FN float __nv_hypotf(float __x, float __y) { return __nv_norm4df(__x, __y, 0, 0); }
WG_MATH_FN float __nv_rhypotf(float __x, float __y) { return __nv_rnorm4df(__x, __y, 0, 0); }
WG_MATH_FN float __nv_norm3df(float __x, float __y, float __z) { return __nv_norm4df(__x, __y, __z, 0); }
WG_MATH_FN float __nv_rnorm3df(float __x, float __y, float __z) { return __nv_rnorm4df(__x, __y, __z, 0); }
WG_MATH_FN float __nv_normf(int __n, const float *__v) {
    double __sum = 0;
    bool __infinite = false;
    for (int __i = 0; __i < __n; __i++) {
        __sum = wg_fma((double)__v[__i], (double)__v[__i], __sum);
        __infinite = __infinite || wg_absf(__v[__i]) == wg_infinityf();
    }
    return __infinite ? wg_infinityf() : (float)__builtin_sqrt(__sum);
}
WG_MATH_FN float __nv_rnormf(int __n, const float *__v) { return 1 / __nv_normf(__n, __v); }
WG_MATH_FN float __nv_cbrtf(float __x) { return (float)__nv_cbrt((double)__x); }
WG_MATH_FN float __nv_rcbrtf(float __x) { return (float)__nv_rcbrt((double)__x); }
/* One instruction on the device, with the 2 ulp that CUDA promises. */
#if defined(__CUDA__)
WG_MATH_FN float __nv_rsqrtf(float __x) { return __nvvm_rsqrt_approx_f(__x); }
#else
WG_MATH_FN float __nv_rsqrtf(float __x) { return (float)(1 / __builtin_sqrt((double)__x)); }
#endif

#endif
