/* gamma.h: tgamma and lgamma.
 *
 * From 10 on Stirling's series; below, the argument is brought to [1, 2) or [2, 3) by gamma(x + 1) = x
 * gamma(x), where polynomials take over: 1 / gamma, which has no poles, and log(gamma) divided by its zeros.
 * Left of 0 by reflection.
 */
#ifndef WARPGLASS_MATH_GAMMA_H
#define WARPGLASS_MATH_GAMMA_H

#include "circular.h"
#include "logarithm.h"

/* (x - 1/2) log(x) - x + log(2 pi) / 2 + series, x >= 10, as hi + lo. */
WG_MATH_FN wg_two wg_stirling(double __x) {
    wg_two __log = wg_log_parts(__x), __shifted = wg_sum(__x, -0.5), __main = wg_product(__log, __shifted);
    wg_two __s1 = wg_sum(__main.__hi, -__x), __s2 = wg_sum(__s1.__hi, 0x1.d67f1c864beb5p-1);
    double __z = 1 / __x;
    __s2.__lo += __s1.__lo + __main.__lo - 0x1.65b5a1b7ff5dfp-55 + __z * wg_poly_stirling(__z * __z);
    return wg_sum_ordered(__s2.__hi, __s2.__lo);
}

/* gamma(x) for x > 0, times 2^scale. */
WG_MATH_FN double wg_gamma_positive(double __x, int __scale) {
    if (__x >= 10) {
        wg_two __log = wg_stirling(__x > 200 ? 200 : __x);
        int __k;
        return wg_scale(wg_rounded(wg_exp_parts(__log.__hi > 790 ? 790 : __log.__hi, __log.__lo, &__k)),
                        __k + __scale);
    }
    /* Down to [1, 2), or up to it from below 1, where the factor divides. */
    wg_two __product = {1, 0};
    double __t = __x;
    while (__t >= 2) {
        __t -= 1; /* exact */
        wg_two __factor = {__t, 0};
        __product = wg_product(__product, __factor);
    }
    double __value =
        __x < 1 ? 1 / (wg_poly_rgamma(__x - 0.5) * __x) : wg_rounded(__product) / wg_poly_rgamma(__t - 1.5);
    return wg_scale(__value, __scale);
}
WG_MATH_FN double __nv_tgamma(double __x) {
    double __a = wg_abs(__x);
    if (__x != __x || __x == wg_infinity()) return __x;
    if (__a < 0x1p-60) return 1 / __x;
    if (__x < 0 && __builtin_trunc(__x) == __x) return wg_nan();
    /* To the left pi / (sin(pi x) gamma(1 - x)), with gamma(1 - x) = a gamma(a); all but 2^-600 of gamma(a),
     * lest it overflow. */
    int __scale = __x < -100 ? -600 : 0;
    double __right = wg_gamma_positive(__a, __scale);
    if (__x > 0) return __right;
    double __sine = __nv_sinpi(__x);
    return __a > 190 ? wg_with_sign(0, __sine) : wg_scale(WG_PI_HI / (__sine * __a * __right), __scale);
}

/* One logarithm serves all pieces below 10: of x, or of the product that leads down to [2, 3). */
WG_MATH_FN double wg_lgamma_positive(double __x) {
    if (__x >= 10 && __x <= 0x1p60) return wg_rounded(wg_stirling(__x));
    double __t = __x, __product = 1;
    while (__t >= 3 && __t < 10) __t -= 1, __product *= __t;
    double __log = __nv_log(__x < 1 || __x > 0x1p60 ? __x : __product);
    if (__x > 0x1p60) return __x < 0x1p1000 ? __x * (__log - 1) : __x * 0x1p-10 * (__log - 1) * 0x1p10;
    if (__x >= 2) return (__t - 2) * wg_poly_lgamma_2_3(__t - 2.5) + __log;
    /* Below 1, log(gamma(1 + x)) - log(x). */
    double __first = __x < 1 ? __x : __x - 1, __second = __x < 1 ? __x - 1 : __x - 2;
    double __shape = __first * __second * wg_poly_lgamma_1_2(__x < 1 ? __x - 0.5 : __x - 1.5);
    return __x < 1 ? __shape - __log : __shape + 0.0; /* +0 at 1 */
}
WG_MATH_FN double __nv_lgamma(double __x) {
    double __a = wg_abs(__x);
    if (__x != __x || __a == wg_infinity()) return __a;
    if (__x <= 0 && __builtin_trunc(__x) == __x) return wg_infinity();
    double __right = wg_lgamma_positive(__a);
    if (__x > 0 || __a < 0x1p-60) return __right;
    /* log(pi / (|sin(pi x)| |x|)) - log(gamma(-x)) */
    return __nv_log(WG_PI_HI / (wg_abs(__nv_sinpi(__x)) * __a)) - __right;
}
WG_MATH_FN float __nv_tgammaf(float __x) { return (float)__nv_tgamma((double)__x); }
WG_MATH_FN float __nv_lgammaf(float __x) { return (float)__nv_lgamma((double)__x); }

#endif
