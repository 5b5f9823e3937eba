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
WG_MATH_FN wg_two wg_expm1_reduced(double __hi, double __lo, int *__k) {
    double __shifted = wg_fma(__hi, WG_LOG2_E, WG_SHIFTER), __n = __shifted - WG_SHIFTER;
    double __first = wg_fma(-__n, WG_LN2_HI, __hi);
    wg_two __small = wg_product(-__n, WG_LN2_LO);
    wg_two __r = wg_sum(__first, __small.__hi);
    __r = wg_sum_ordered(__r.__hi, __r.__lo + (__small.__lo + __lo));
    *__k = wg_shifted_integer(__shifted);
    wg_two __p = wg_sum_ordered(__r.__hi, __r.__hi * __r.__hi * wg_poly_exp(__r.__hi));
    __p.__lo += wg_fma(__r.__hi, __r.__lo, __r.__lo);
    return __p;
}
/* e^(hi + lo) / 2^k, about 1. */
WG_MATH_FN wg_two wg_exp_parts(double __hi, double __lo, int *__k) {
    wg_two __p = wg_expm1_reduced(__hi, __lo, __k);
    wg_two __e = wg_sum_ordered(1, __p.__hi);
    __e.__lo += __p.__lo;
    return __e;
}
/* e^x - 1 for -40 <= x <= 700. */
WG_MATH_FN wg_two wg_expm1_parts(double __x) {
    int __k;
    wg_two __p = wg_expm1_reduced(__x, 0, &__k);
    double __scale = wg_power_of_two(__k);
    wg_two __whole = wg_sum(__scale, -1), __e = wg_sum(__whole.__hi, __scale * __p.__hi);
    __e.__lo += wg_fma(__scale, __p.__lo, __whole.__lo);
    return wg_sum_ordered(__e.__hi, __e.__lo);
}

WG_MATH_FN double __nv_exp(double __x) {
    double __t = __x > 711 ? 711 : __x < -746 ? -746 : __x;
    double __shifted = wg_fma(__t, WG_LOG2_E, WG_SHIFTER), __n = __shifted - WG_SHIFTER;
    double __r = wg_fma(-__n, WG_LN2_LO, wg_fma(-__n, WG_LN2_HI, __t));
    return wg_scale(1 + wg_fma(__r * __r, wg_poly_exp(__r), __r), wg_shifted_integer(__shifted));
}
WG_MATH_FN double __nv_exp2(double __x) {
    double __t = __x > 1025 ? 1025 : __x < -1076 ? -1076 : __x;
    double __shifted = __t + WG_SHIFTER, __f = __t - (__shifted - WG_SHIFTER);
    double __r = wg_mul(__f, WG_LN2_HI), __low = wg_fma(__f, WG_LN2_HI, -__r) + __f * WG_LN2_LO;
    return wg_scale(1 + (__r + wg_fma(__r * __r, wg_poly_exp(__r), __low)), wg_shifted_integer(__shifted));
}
WG_MATH_FN double __nv_exp10(double __x) {
    double __t = __x > 309 ? 309 : __x < -324 ? -324 : __x;
    double __shifted = wg_fma(__t, 0x1.a934f0979a371p+1, WG_SHIFTER), __n = __shifted - WG_SHIFTER;
    double __f =
        wg_fma(__n, 0x1.9dc1da994fd21p-59, wg_fma(-__n, 0x1.34413509f79ffp-2, __t)); /* less n log10(2) */
    double __r = wg_mul(__f, 0x1.26bb1bbb55516p+1);
    double __low = wg_fma(__f, 0x1.26bb1bbb55516p+1, -__r) - __f * 0x1.f48ad494ea3e9p-53; /* times ln 10 */
    return wg_scale(1 + (__r + wg_fma(__r * __r, wg_poly_exp(__r), __low)), wg_shifted_integer(__shifted));
}
WG_MATH_FN double __nv_expm1(double __x) {
    if (__x > 700) return __nv_exp(__x);
    wg_two __e = wg_expm1_parts(__x < -40 ? -40 : __x);
    return __x == 0 ? __x : wg_rounded(__e);
}

/* Single precision, the same way. */
WG_MATH_FN float wg_exp_of_f(float __t, float __scale_log2, float __high, float __low) {
    float __shifted = wg_fmaf(__t, __scale_log2, WG_SHIFTERF), __n = __shifted - WG_SHIFTERF;
    float __r = wg_fmaf(-__n, __low, wg_fmaf(-__n, __high, __t));
    return wg_scalef(1 + wg_fmaf(__r * __r, wg_poly_exp_f(__r), __r), wg_shifted_integerf(__shifted));
}
WG_MATH_FN float wg_expf(float __x) {
    float __t = __x > 89 ? 89 : __x < -104 ? -104 : __x;
    return wg_exp_of_f(__t, 0x1.715476p+0f, 0x1.62e4p-1f, 0x1.7f7d1cp-20f);
}
WG_MATH_FN float wg_exp2f(float __x) {
    float __t = __x > 129 ? 129 : __x < -151 ? -151 : __x;
    float __shifted = __t + WG_SHIFTERF, __f = __t - (__shifted - WG_SHIFTERF);
    return wg_scalef(wg_fmaf(__f, wg_poly_exp2_f(__f), 1), wg_shifted_integerf(__shifted));
}
WG_MATH_FN float wg_exp10f(float __x) {
    float __t = __x > 39 ? 39 : __x < -46 ? -46 : __x;
    float __shifted = wg_fmaf(__t, 0x1.a934fp+1f, WG_SHIFTERF), __n = __shifted - WG_SHIFTERF;
    float __f = wg_fmaf(__n, 0x1.95ec1p-19f, wg_fmaf(-__n, 0x1.3442p-2f, __t));
    float __r = wg_mulf(__f, 0x1.26bb1cp+1f),
          __low = wg_fmaf(__f, 0x1.26bb1cp+1f, -__r) - __f * 0x1.12aabap-25f; /* times ln 10 */
    return wg_scalef(1 + (__r + wg_fmaf(__r * __r, wg_poly_exp_f(__r), __low)),
                     wg_shifted_integerf(__shifted));
}
WG_MATH_FN float __nv_expm1f(float __x) { return (float)__nv_expm1((double)__x); }

/* -use_fast_math asks for the hardware's approximation. */
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
WG_MATH_FN float __nv_expf(float __x) { return __expf(__x); }
WG_MATH_FN float __nv_exp10f(float __x) { return __exp10f(__x); }
WG_MATH_FN float __nv_exp2f(float __x) { return __nvvm_ex2_approx_f(__x); }
#else
WG_MATH_FN float __nv_expf(float __x) { return wg_expf(__x); }
WG_MATH_FN float __nv_exp10f(float __x) { return wg_exp10f(__x); }
WG_MATH_FN float __nv_exp2f(float __x) { return wg_exp2f(__x); }
#endif

#endif
