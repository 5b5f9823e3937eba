/* exponential.h: exp, exp2, exp10, expm1.
 *
 * x = k ln 2 + r with |r| <= ln 2 / 2, e^x = 2^k (1 + p), p = r + r^2 polynomial(r). Other functions (pow,
 * cosh, tanh, erfc, gamma) ask for 1 + p or for p with its rounding error: the _parts.
 */
#ifndef WARPGLASS_MATH_EXPONENTIAL_H
#define WARPGLASS_MATH_EXPONENTIAL_H

#include "polynomials.h"

#define WG_LN2_HI 0x1.62e42fefa39efp-1
#define WG_LN2_LO 0x1.abc9e3b39803fp-56
#define WG_LOG2_E 0x1.71547652b82fep+0

/* p as above and k, for x = hi + lo with |hi| <= 800. */
WG_MATH_FN wg_two wg_expm1_reduced(double hi, double lo, int *k) {
    double shifted = wg_fma(hi, WG_LOG2_E, WG_SHIFTER), n = shifted - WG_SHIFTER;
    double first = wg_fma(-n, WG_LN2_HI, hi);
    wg_two small = wg_product(-n, WG_LN2_LO);
    wg_two r = wg_sum(first, small.hi);
    r = wg_sum_ordered(r.hi, r.lo + (small.lo + lo));
    *k = wg_shifted_integer(shifted);
    wg_two p = wg_sum_ordered(r.hi, r.hi * r.hi * wg_poly_exp(r.hi));
    p.lo += wg_fma(r.hi, r.lo, r.lo);
    return p;
}
/* e^(hi + lo) / 2^k, about 1. */
WG_MATH_FN wg_two wg_exp_parts(double hi, double lo, int *k) {
    wg_two p = wg_expm1_reduced(hi, lo, k);
    wg_two e = wg_sum_ordered(1, p.hi);
    e.lo += p.lo;
    return e;
}
/* e^x - 1 for -40 <= x <= 700. */
WG_MATH_FN wg_two wg_expm1_parts(double x) {
    int k;
    wg_two p = wg_expm1_reduced(x, 0, &k);
    double scale = wg_power_of_two(k);
    wg_two whole = wg_sum(scale, -1), e = wg_sum(whole.hi, scale * p.hi);
    e.lo += wg_fma(scale, p.lo, whole.lo);
    return wg_sum_ordered(e.hi, e.lo);
}

WG_MATH_FN double __nv_exp(double x) {
    double t = x > 711 ? 711 : x < -746 ? -746 : x;
    double shifted = wg_fma(t, WG_LOG2_E, WG_SHIFTER), n = shifted - WG_SHIFTER;
    double r = wg_fma(-n, WG_LN2_LO, wg_fma(-n, WG_LN2_HI, t));
    return wg_scale(1 + wg_fma(r * r, wg_poly_exp(r), r), wg_shifted_integer(shifted));
}
WG_MATH_FN double __nv_exp2(double x) {
    double t = x > 1025 ? 1025 : x < -1076 ? -1076 : x;
    double shifted = t + WG_SHIFTER, f = t - (shifted - WG_SHIFTER);
    double r = wg_mul(f, WG_LN2_HI), low = wg_fma(f, WG_LN2_HI, -r) + f * WG_LN2_LO;
    return wg_scale(1 + (r + wg_fma(r * r, wg_poly_exp(r), low)), wg_shifted_integer(shifted));
}
WG_MATH_FN double __nv_exp10(double x) {
    double t = x > 309 ? 309 : x < -324 ? -324 : x;
    double shifted = wg_fma(t, 0x1.a934f0979a371p+1, WG_SHIFTER), n = shifted - WG_SHIFTER;
    double f = wg_fma(n, 0x1.9dc1da994fd21p-59, wg_fma(-n, 0x1.34413509f79ffp-2, t)); /* less n log10(2) */
    double r = wg_mul(f, 0x1.26bb1bbb55516p+1);
    double low = wg_fma(f, 0x1.26bb1bbb55516p+1, -r) - f * 0x1.f48ad494ea3e9p-53; /* times ln 10 */
    return wg_scale(1 + (r + wg_fma(r * r, wg_poly_exp(r), low)), wg_shifted_integer(shifted));
}
WG_MATH_FN double __nv_expm1(double x) {
    if (x > 700) return __nv_exp(x);
    wg_two e = wg_expm1_parts(x < -40 ? -40 : x);
    return x == 0 ? x : wg_rounded(e);
}

/* Single precision, the same way. */
WG_MATH_FN float wg_exp_of_f(float t, float scale_log2, float high, float low) {
    float shifted = wg_fmaf(t, scale_log2, WG_SHIFTERF), n = shifted - WG_SHIFTERF;
    float r = wg_fmaf(-n, low, wg_fmaf(-n, high, t));
    return wg_scalef(1 + wg_fmaf(r * r, wg_poly_exp_f(r), r), wg_shifted_integerf(shifted));
}
WG_MATH_FN float wg_expf(float x) {
    float t = x > 89 ? 89 : x < -104 ? -104 : x;
    return wg_exp_of_f(t, 0x1.715476p+0f, 0x1.62e4p-1f, 0x1.7f7d1cp-20f);
}
WG_MATH_FN float wg_exp2f(float x) {
    float t = x > 129 ? 129 : x < -151 ? -151 : x;
    float shifted = t + WG_SHIFTERF, f = t - (shifted - WG_SHIFTERF);
    return wg_scalef(wg_fmaf(f, wg_poly_exp2_f(f), 1), wg_shifted_integerf(shifted));
}
WG_MATH_FN float wg_exp10f(float x) {
    float t = x > 39 ? 39 : x < -46 ? -46 : x;
    float shifted = wg_fmaf(t, 0x1.a934fp+1f, WG_SHIFTERF), n = shifted - WG_SHIFTERF;
    float f = wg_fmaf(n, 0x1.95ec1p-19f, wg_fmaf(-n, 0x1.3442p-2f, t));
    float r = wg_mulf(f, 0x1.26bb1cp+1f),
          low = wg_fmaf(f, 0x1.26bb1cp+1f, -r) - f * 0x1.12aabap-25f; /* times ln 10 */
    return wg_scalef(1 + (r + wg_fmaf(r * r, wg_poly_exp_f(r), low)), wg_shifted_integerf(shifted));
}
WG_MATH_FN float __nv_expm1f(float x) { return (float)__nv_expm1((double)x); }

/* -use_fast_math asks for the hardware's approximation. */
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
WG_MATH_FN float __nv_expf(float x) { return __expf(x); }
WG_MATH_FN float __nv_exp10f(float x) { return __exp10f(x); }
WG_MATH_FN float __nv_exp2f(float x) { return __nvvm_ex2_approx_f(x); }
#else
WG_MATH_FN float __nv_expf(float x) { return wg_expf(x); }
WG_MATH_FN float __nv_exp10f(float x) { return wg_exp10f(x); }
WG_MATH_FN float __nv_exp2f(float x) { return wg_exp2f(x); }
#endif

#endif
