/* error_function.h: erf, erfc, erfcx, normcdf and their inverses.
 *
 * For x >= 0, F(q) = (1 + 2 x) e^(x^2) erfc(x) of q = (x - 4) / (x + 4) is smooth from 0 to infinity: one
 * polynomial. The inverses are polynomials of w = -log(1 - x^2), in which they are almost straight, or of
 * sqrt(w).
 */
#ifndef WARPGLASS_MATH_ERROR_FUNCTION_H
#define WARPGLASS_MATH_ERROR_FUNCTION_H

#include "exact.h"
#include "logarithm.h"

/* e^(x^2) erfc(x) for x >= 0. */
WG_MATH_FN double wg_erfcx_positive(double __x) {
    double __t = __x > 0x1p60 ? 0x1p60 : __x, __q = (__t - 4) / (__t + 4);
    return 0.5 * wg_poly_erfcx(__q) / (__x + 0.5);
}
/* erfc(x + low) for x >= 0, times 2^scale. */
WG_MATH_FN double wg_erfc_positive(double __x, double __low, int __scale) {
    double __t = __x > 30 ? 30 : __x;
    wg_two __square = wg_product(__t, __t);
    int __k;
    double __e = wg_rounded(wg_exp_parts(-__square.__hi, -wg_fma(2 * __t, __low, __square.__lo), &__k));
    return wg_scale(__e * wg_erfcx_positive(__t), __k + __scale);
}
WG_MATH_FN double wg_erf_small(double __x) { return wg_fma(__x, wg_poly_erf(__x * __x), __x); }

WG_MATH_FN double __nv_erf(double __x) {
    double __ax = wg_abs(__x);
    if (__ax <= 1) return wg_erf_small(__x);
    return __x != __x ? __x : wg_with_sign(1 - wg_erfc_positive(__ax > 6.5 ? 6.5 : __ax, 0, 0), __x);
}
WG_MATH_FN double __nv_erfc(double __x) {
    double __ax = wg_abs(__x);
    if (__ax < 0.5) return 1 - wg_erf_small(__x);
    double __y = wg_erfc_positive(__ax, 0, 0);
    return __x != __x ? __x : __x < 0 ? 2 - __y : __y;
}
WG_MATH_FN double __nv_erfcx(double __x) {
    if (wg_abs(__x) < 0.5) return __nv_exp(__x * __x) * (1 - wg_erf_small(__x));
    double __y = wg_erfcx_positive(wg_abs(__x));
    if (!(__x < 0)) return __x != __x ? __x : __y;
    double __t = __x < -27 ? -27 : __x;
    wg_two __square = wg_product(__t, __t);
    int __k;
    wg_two __e = wg_exp_parts(__square.__hi, __square.__lo, &__k);
    return wg_scale(wg_rounded(__e), __k + 1) - __y;
}
/* erfc(-x / sqrt(2)) / 2, the quotient in double-double: the tail multiplies its error by x^2. */
WG_MATH_FN double __nv_normcdf(double __x) {
    double __t = __x < -40 ? -40 : __x > 40 ? 40 : __x;
    wg_two __root_half = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}, __minus_t = {-__t, 0};
    wg_two __z = wg_product(__minus_t, __root_half);
    double __az = wg_abs(__z.__hi);
    if (__az < 0.5) return wg_fma(-0.5, wg_erf_small(__z.__hi), 0.5);
    double __y = wg_erfc_positive(__az, __z.__hi < 0 ? -__z.__lo : __z.__lo, -1);
    return __x != __x ? __x : __z.__hi < 0 ? 1 - __y : __y;
}

/* erfinv(x) / x, or its like for erfcinv: w = -log(1 - x^2). */
WG_MATH_FN double wg_erfinv_ratio(double __w) {
    double __s = __builtin_sqrt(__w);
    return __w < 6.25  ? wg_poly_erfinv_centre(__w - 3.125)
           : __s <= 4  ? wg_poly_erfinv_middle(__s - 3.25)
           : __s < 6.4 ? wg_poly_erfinv_far(__s - 5.2)
                       : __s * wg_poly_erfinv_tail(1 / __s - 0x1.8a71de69ad42cp-4);
}
WG_MATH_FN double __nv_erfinv(double __x) {
    double __ax = wg_abs(__x);
    double __y;
    if (__ax <= 0.5)
        __y = __x * wg_poly_erfinv_small(__x * __x);
    else
        __y = __x * wg_erfinv_ratio(-__nv_log(__ax < 1 ? (1 - __ax) * (1 + __ax) : 1));
    return __ax == 1 ? wg_with_sign(wg_infinity(), __x) : __ax < 1 ? __y : wg_nan();
}
WG_MATH_FN double __nv_erfcinv(double __x) {
    if (__x >= 0.5 && __x <= 1.5) return __nv_erfinv(1 - __x);
    double __small = __x > 1 ? 2 - __x : __x; /* exact */
    bool __inside = __small > 0;
    double __t = __inside ? __small : 1;
    /* 1 - (1 - t)^2 = t (2 - t) */
    double __y = (1 - __t) * wg_erfinv_ratio(-(__nv_log(__t) + __nv_log(2 - __t)));
    __y = __inside ? __y : __small == 0 ? wg_infinity() : wg_nan();
    return __x > 1 ? -__y : __y;
}
WG_MATH_FN double __nv_normcdfinv(double __x) { return -0x1.6a09e667f3bcdp+0 * __nv_erfcinv(2 * __x); }

/* Single precision. erf beyond 0.92: 1 - e^(x polynomial(x)). */
WG_MATH_FN float __nv_erff(float __x) {
    float __ax = wg_absf(__x), __t = __ax > 4 ? 4 : __ax;
    float __near = wg_fmaf(__x, wg_poly_erf_f(__x * __x), __x);
    float __far =
        1 - wg_exp_of_f(__t * wg_poly_erf_tail_f(__t), 0x1.715476p+0f, 0x1.62e4p-1f, 0x1.7f7d1cp-20f);
    return __ax < 0.921875f ? __near : __x != __x ? __x : wg_with_signf(__far, __x);
}
WG_MATH_FN float __nv_erfcf(float __x) { return (float)__nv_erfc((double)__x); }
WG_MATH_FN float __nv_erfcxf(float __x) { return (float)__nv_erfcx((double)__x); }
WG_MATH_FN float __nv_normcdff(float __x) { return (float)__nv_normcdf((double)__x); }
WG_MATH_FN float __nv_erfinvf(float __x) { return (float)__nv_erfinv((double)__x); }
WG_MATH_FN float __nv_erfcinvf(float __x) { return (float)__nv_erfcinv((double)__x); }
WG_MATH_FN float __nv_normcdfinvf(float __x) { return (float)__nv_normcdfinv((double)__x); }

#endif
