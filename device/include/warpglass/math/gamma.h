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
    if (x != x || x == wg_infinity()) return x;
    if (x > 0) return wg_gamma_positive(x, 0);
    if (x == 0) return wg_with_sign(wg_infinity(), x);
    if (x == -wg_infinity() || __builtin_trunc(x) == x) return wg_nan();
    /* pi / (sin(pi x) gamma(1 - x)), with gamma(1 - x) = -x gamma(-x); all but 2^-600 of gamma(-x), lest it
     * overflow. */
    double a = -x, sine = __nv_sinpi(x);
    if (a > 190) return wg_with_sign(0, sine);
    if (a < 0x1p-60) return 1 / x;
    int scale = a > 100 ? -600 : 0;
    return wg_scale(WG_PI_HI / (sine * a * wg_gamma_positive(a, scale)), scale);
}

WG_MATH_FN double wg_lgamma_positive(double x) {
    if (x >= 10) {
        if (x > 0x1p60)
            return x < 0x1p1000 ? x * (__nv_log(x) - 1) : x * 0x1p-10 * (__nv_log(x) - 1) * 0x1p10;
        return wg_rounded(wg_stirling(x));
    }
    if (x < 1) {
        double above = x * (x - 1) * wg_poly_lgamma_1_2(x - 0.5); /* log(gamma(1 + x)) */
        return x < 0x1p-60 ? -__nv_log(x) : above - __nv_log(x);
    }
    if (x < 2) return (x - 1) * (x - 2) * wg_poly_lgamma_1_2(x - 1.5) + 0.0; /* +0 at 1 */
    double t = x, product = 1;
    while (t >= 3) t -= 1, product *= t;
    double base = (t - 2) * wg_poly_lgamma_2_3(t - 2.5);
    return x < 3 ? base : __nv_log(product) + base;
}
WG_MATH_FN double __nv_lgamma(double x) {
    if (x != x) return x;
    double a = wg_abs(x);
    if (a == wg_infinity()) return a;
    if (x > 0) return wg_lgamma_positive(x);
    if (__builtin_trunc(x) == x) return wg_infinity();
    if (a < 0x1p-60) return -__nv_log(a);
    /* log(pi / (|sin(pi x)| |x|)) - log(gamma(-x)) */
    return __nv_log(WG_PI_HI / (wg_abs(__nv_sinpi(x)) * a)) - wg_lgamma_positive(a);
}
WG_MATH_FN float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }
WG_MATH_FN float __nv_lgammaf(float x) { return (float)__nv_lgamma((double)x); }

#endif
