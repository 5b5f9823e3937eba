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
WG_MATH_FN wg_two wg_stirling(double x) {
    wg_two log = wg_log_parts(x), shifted = wg_sum(x, -0.5), main = wg_product(log, shifted);
    wg_two s1 = wg_sum(main.hi, -x), s2 = wg_sum(s1.hi, 0x1.d67f1c864beb5p-1);
    double z = 1 / x;
    s2.lo += s1.lo + main.lo - 0x1.65b5a1b7ff5dfp-55 + z * wg_poly_stirling(z * z);
    return wg_sum_ordered(s2.hi, s2.lo);
}

/* gamma(x) for x > 0, times 2^scale. */
WG_MATH_FN double wg_gamma_positive(double x, int scale) {
    if (x >= 10) {
        wg_two log = wg_stirling(x > 200 ? 200 : x);
        int k;
        return wg_scale(wg_rounded(wg_exp_parts(log.hi > 790 ? 790 : log.hi, log.lo, &k)), k + scale);
    }
    /* Down to [1, 2), or up to it from below 1, where the factor divides. */
    wg_two product = {1, 0};
    double t = x;
    while (t >= 2) {
        t -= 1; /* exact */
        wg_two factor = {t, 0};
        product = wg_product(product, factor);
    }
    double value = x < 1 ? 1 / (wg_poly_rgamma(x - 0.5) * x) : wg_rounded(product) / wg_poly_rgamma(t - 1.5);
    return wg_scale(value, scale);
}
WG_MATH_FN double __nv_tgamma(double x) {
    double a = wg_abs(x);
    if (x != x || x == wg_infinity()) return x;
    if (a < 0x1p-60) return 1 / x;
    if (x < 0 && __builtin_trunc(x) == x) return wg_nan();
    /* To the left pi / (sin(pi x) gamma(1 - x)), with gamma(1 - x) = a gamma(a); all but 2^-600 of gamma(a),
     * lest it overflow. */
    int scale = x < -100 ? -600 : 0;
    double right = wg_gamma_positive(a, scale);
    if (x > 0) return right;
    double sine = __nv_sinpi(x);
    return a > 190 ? wg_with_sign(0, sine) : wg_scale(WG_PI_HI / (sine * a * right), scale);
}

/* One logarithm serves all pieces below 10: of x, or of the product that leads down to [2, 3). */
WG_MATH_FN double wg_lgamma_positive(double x) {
    if (x >= 10 && x <= 0x1p60) return wg_rounded(wg_stirling(x));
    double t = x, product = 1;
    while (t >= 3 && t < 10) t -= 1, product *= t;
    double log = __nv_log(x < 1 || x > 0x1p60 ? x : product);
    if (x > 0x1p60) return x < 0x1p1000 ? x * (log - 1) : x * 0x1p-10 * (log - 1) * 0x1p10;
    if (x >= 2) return (t - 2) * wg_poly_lgamma_2_3(t - 2.5) + log;
    /* Below 1, log(gamma(1 + x)) - log(x). */
    double first = x < 1 ? x : x - 1, second = x < 1 ? x - 1 : x - 2;
    double shape = first * second * wg_poly_lgamma_1_2(x < 1 ? x - 0.5 : x - 1.5);
    return x < 1 ? shape - log : shape + 0.0; /* +0 at 1 */
}
WG_MATH_FN double __nv_lgamma(double x) {
    double a = wg_abs(x);
    if (x != x || a == wg_infinity()) return a;
    if (x <= 0 && __builtin_trunc(x) == x) return wg_infinity();
    double right = wg_lgamma_positive(a);
    if (x > 0 || a < 0x1p-60) return right;
    /* log(pi / (|sin(pi x)| |x|)) - log(gamma(-x)) */
    return __nv_log(WG_PI_HI / (wg_abs(__nv_sinpi(x)) * a)) - right;
}
WG_MATH_FN float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }
WG_MATH_FN float __nv_lgammaf(float x) { return (float)__nv_lgamma((double)x); }

#endif
