/* hyperbolic.h: sinh, cosh, tanh and their inverses, from expm1 and logarithms. */
#ifndef WARPGLASS_MATH_HYPERBOLIC_H
#define WARPGLASS_MATH_HYPERBOLIC_H

#include "logarithm.h"

/* With t = e^|x| - 1: sinh = (t + t / (t + 1)) / 2, tanh of half the argument = t / (t + 2). */
WG_MATH_FN double __nv_sinh(double x) {
    double ax = wg_abs(x), y;
    if (ax > 40) {
        int k;
        wg_two e = wg_exp_parts(ax > 800 ? 800 : ax, 0, &k);
        y = wg_scale(wg_rounded(e), k - 1);
    } else {
        wg_two t = wg_expm1_parts(ax), t1 = wg_sum(t.hi, 1);
        t1.lo += t.lo;
        wg_two q = wg_quotient(t, t1);
        y = 0.5 * (t.hi + (q.hi + (t.lo + q.lo)));
    }
    return x != x || x == 0 ? x : wg_with_sign(y, x);
}
WG_MATH_FN double __nv_cosh(double x) {
    double ax = wg_abs(x);
    int k;
    wg_two e = wg_exp_parts(ax > 800 ? 800 : ax, 0, &k),
           one = {k < 60 ? wg_power_of_two(-2 * (k < 60 ? k : 0)) : 0, 0};
    wg_two inverse = wg_quotient(one, e), sum = wg_sum(e.hi, inverse.hi);
    return x != x ? x : wg_scale(sum.hi + (sum.lo + (e.lo + inverse.lo)), k - 1);
}
WG_MATH_FN double __nv_tanh(double x) {
    double ax = wg_abs(x);
    wg_two t = wg_expm1_parts(ax > 20 ? 40 : 2 * ax), t2 = wg_sum(t.hi, 2);
    t2.lo += t.lo;
    return x != x || x == 0 ? x : wg_with_sign(wg_rounded(wg_quotient(t, t2)), x);
}
WG_MATH_FN double __nv_asinh(double x) {
    double ax = wg_abs(x), square = ax * ax;
    double y =
        ax > 0x1p28 ? __nv_log(ax) + WG_LN2_HI : __nv_log1p(ax + square / (1 + __builtin_sqrt(square + 1)));
    return x != x || ax < 0x1p-28 ? x : wg_with_sign(y, x);
}
WG_MATH_FN double __nv_acosh(double x) {
    double t = x - 1;
    if (x > 0x1p28) return __nv_log(x) + WG_LN2_HI;
    return x >= 1 ? __nv_log1p(t + __builtin_sqrt(wg_fma(t, t, 2 * t))) : wg_nan();
}
WG_MATH_FN double __nv_atanh(double x) {
    double ax = wg_abs(x);
    double y = 0.5 * (__nv_log1p(ax) - __nv_log1p(-ax));
    return x != x || ax < 0x1p-28 ? x : wg_with_sign(y, x);
}

WG_MATH_FN float __nv_sinhf(float x) { return (float)__nv_sinh((double)x); }
WG_MATH_FN float __nv_coshf(float x) {
    double e = (double)(wg_absf(x) > 100 ? 100 : wg_absf(x));
    e = __nv_exp(e);
    return x != x ? x : (float)(0.5 * (e + 1 / e));
}
WG_MATH_FN float __nv_tanhf(float x) {
    float ax = wg_absf(x), z = x * x;
    float e = wg_exp_of_f(ax > 10 ? 20 : 2 * ax, 0x1.715476p+0f, 0x1.62e4p-1f, 0x1.7f7d1cp-20f);
    float y = ax < 0.55f ? wg_fmaf(x * z, wg_poly_tanh_f(z), x) : wg_with_signf(1 - 2 / (e + 1), x);
    return x != x || x == 0 ? x : y;
}
WG_MATH_FN float __nv_asinhf(float x) { return (float)__nv_asinh((double)x); }
WG_MATH_FN float __nv_acoshf(float x) { return (float)__nv_acosh((double)x); }
WG_MATH_FN float __nv_atanhf(float x) { return (float)__nv_atanh((double)x); }

#endif
