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
WG_MATH_FN double wg_erfcx_positive(double x) {
    double t = x > 0x1p60 ? 0x1p60 : x, q = (t - 4) / (t + 4);
    return 0.5 * wg_poly_erfcx(q) / (x + 0.5);
}
/* erfc(x + low) for x >= 0, times 2^scale. */
WG_MATH_FN double wg_erfc_positive(double x, double low, int scale) {
    double t = x > 30 ? 30 : x;
    wg_two square = wg_product(t, t);
    int k;
    double e = wg_rounded(wg_exp_parts(-square.hi, -wg_fma(2 * t, low, square.lo), &k));
    return wg_scale(e * wg_erfcx_positive(t), k + scale);
}
WG_MATH_FN double wg_erf_small(double x) { return wg_fma(x, wg_poly_erf(x * x), x); }

WG_MATH_FN double __nv_erf(double x) {
    double ax = wg_abs(x);
    if (ax <= 1) return wg_erf_small(x);
    return x != x ? x : wg_with_sign(1 - wg_erfc_positive(ax > 6.5 ? 6.5 : ax, 0, 0), x);
}
WG_MATH_FN double __nv_erfc(double x) {
    double ax = wg_abs(x);
    if (ax < 0.5) return 1 - wg_erf_small(x);
    double y = wg_erfc_positive(ax, 0, 0);
    return x != x ? x : x < 0 ? 2 - y : y;
}
WG_MATH_FN double __nv_erfcx(double x) {
    if (wg_abs(x) < 0.5) return __nv_exp(x * x) * (1 - wg_erf_small(x));
    double y = wg_erfcx_positive(wg_abs(x));
    if (!(x < 0)) return x != x ? x : y;
    double t = x < -27 ? -27 : x;
    wg_two square = wg_product(t, t);
    int k;
    wg_two e = wg_exp_parts(square.hi, square.lo, &k);
    return wg_scale(wg_rounded(e), k + 1) - y;
}
/* erfc(-x / sqrt(2)) / 2, the quotient in double-double: the tail multiplies its error by x^2. */
WG_MATH_FN double __nv_normcdf(double x) {
    double t = x < -40 ? -40 : x > 40 ? 40 : x;
    wg_two root_half = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}, minus_t = {-t, 0};
    wg_two z = wg_product(minus_t, root_half);
    double az = wg_abs(z.hi);
    if (az < 0.5) return wg_fma(-0.5, wg_erf_small(z.hi), 0.5);
    double y = wg_erfc_positive(az, z.hi < 0 ? -z.lo : z.lo, -1);
    return x != x ? x : z.hi < 0 ? 1 - y : y;
}

/* erfinv(x) / x, or its like for erfcinv: w = -log(1 - x^2). */
WG_MATH_FN double wg_erfinv_ratio(double w) {
    double s = __builtin_sqrt(w);
    return w < 6.25  ? wg_poly_erfinv_centre(w - 3.125)
           : s <= 4  ? wg_poly_erfinv_middle(s - 3.25)
           : s < 6.4 ? wg_poly_erfinv_far(s - 5.2)
                     : s * wg_poly_erfinv_tail(1 / s - 0x1.8a71de69ad42cp-4);
}
WG_MATH_FN double __nv_erfinv(double x) {
    double ax = wg_abs(x);
    double y;
    if (ax <= 0.5)
        y = x * wg_poly_erfinv_small(x * x);
    else
        y = x * wg_erfinv_ratio(-__nv_log(ax < 1 ? (1 - ax) * (1 + ax) : 1));
    return ax == 1 ? wg_with_sign(wg_infinity(), x) : ax < 1 ? y : wg_nan();
}
WG_MATH_FN double __nv_erfcinv(double x) {
    if (x >= 0.5 && x <= 1.5) return __nv_erfinv(1 - x);
    double small = x > 1 ? 2 - x : x; /* exact */
    bool inside = small > 0;
    double t = inside ? small : 1;
    /* 1 - (1 - t)^2 = t (2 - t) */
    double y = (1 - t) * wg_erfinv_ratio(-(__nv_log(t) + __nv_log(2 - t)));
    y = inside ? y : small == 0 ? wg_infinity() : wg_nan();
    return x > 1 ? -y : y;
}
WG_MATH_FN double __nv_normcdfinv(double x) { return -0x1.6a09e667f3bcdp+0 * __nv_erfcinv(2 * x); }

/* Single precision. erf beyond 0.92: 1 - e^(x polynomial(x)). */
WG_MATH_FN float __nv_erff(float x) {
    float ax = wg_absf(x), t = ax > 4 ? 4 : ax;
    float near = wg_fmaf(x, wg_poly_erf_f(x * x), x);
    float far = 1 - wg_exp_of_f(t * wg_poly_erf_tail_f(t), 0x1.715476p+0f, 0x1.62e4p-1f, 0x1.7f7d1cp-20f);
    return ax < 0.921875f ? near : x != x ? x : wg_with_signf(far, x);
}
WG_MATH_FN float __nv_erfcf(float x) { return (float)__nv_erfc((double)x); }
WG_MATH_FN float __nv_erfcxf(float x) { return (float)__nv_erfcx((double)x); }
WG_MATH_FN float __nv_normcdff(float x) { return (float)__nv_normcdf((double)x); }
WG_MATH_FN float __nv_erfinvf(float x) { return (float)__nv_erfinv((double)x); }
WG_MATH_FN float __nv_erfcinvf(float x) { return (float)__nv_erfcinv((double)x); }
WG_MATH_FN float __nv_normcdfinvf(float x) { return (float)__nv_normcdfinv((double)x); }

#endif
