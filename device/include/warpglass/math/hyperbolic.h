/* hyperbolic.h: sinh, cosh, tanh and their inverses, from expm1 and logarithms. */
#ifndef WARPGLASS_MATH_HYPERBOLIC_H
#define WARPGLASS_MATH_HYPERBOLIC_H

#include "logarithm.h"

/* With t = e^|x| - 1: sinh = (t + t / (t + 1)) / 2, tanh of half the argument = t / (t + 2). */
WG_MATH_FN double __nv_sinh(double __x) {
    double __ax = wg_abs(__x), __y;
    if (__ax > 40) {
        int __k;
        wg_two __e = wg_exp_parts(__ax > 800 ? 800 : __ax, 0, &__k);
        __y = wg_scale(wg_rounded(__e), __k - 1);
    } else {
        wg_two __t = wg_expm1_parts(__ax), __t1 = wg_sum(__t.__hi, 1);
        __t1.__lo += __t.__lo;
        wg_two __q = wg_quotient(__t, __t1);
        __y = 0.5 * (__t.__hi + (__q.__hi + (__t.__lo + __q.__lo)));
    }
    return __x != __x || __x == 0 ? __x : wg_with_sign(__y, __x);
}
WG_MATH_FN double __nv_cosh(double __x) {
    double __ax = wg_abs(__x);
    int __k;
    wg_two __e = wg_exp_parts(__ax > 800 ? 800 : __ax, 0, &__k),
           __one = {__k < 60 ? wg_power_of_two(-2 * (__k < 60 ? __k : 0)) : 0, 0};
    wg_two __inverse = wg_quotient(__one, __e), __sum = wg_sum(__e.__hi, __inverse.__hi);
    return __x != __x ? __x : wg_scale(__sum.__hi + (__sum.__lo + (__e.__lo + __inverse.__lo)), __k - 1);
}
WG_MATH_FN double __nv_tanh(double __x) {
    double __ax = wg_abs(__x);
    wg_two __t = wg_expm1_parts(__ax > 20 ? 40 : 2 * __ax), __t2 = wg_sum(__t.__hi, 2);
    __t2.__lo += __t.__lo;
    return __x != __x || __x == 0 ? __x : wg_with_sign(wg_rounded(wg_quotient(__t, __t2)), __x);
}
WG_MATH_FN double __nv_asinh(double __x) {
    double __ax = wg_abs(__x), __square = __ax * __ax;
    double __y = __ax > 0x1p28 ? __nv_log(__ax) + WG_LN2_HI
                               : __nv_log1p(__ax + __square / (1 + __builtin_sqrt(__square + 1)));
    return __x != __x || __ax < 0x1p-28 ? __x : wg_with_sign(__y, __x);
}
WG_MATH_FN double __nv_acosh(double __x) {
    double __t = __x - 1;
    if (__x > 0x1p28) return __nv_log(__x) + WG_LN2_HI;
    return __x >= 1 ? __nv_log1p(__t + __builtin_sqrt(wg_fma(__t, __t, 2 * __t))) : wg_nan();
}
WG_MATH_FN double __nv_atanh(double __x) {
    double __ax = wg_abs(__x);
    double __y = 0.5 * (__nv_log1p(__ax) - __nv_log1p(-__ax));
    return __x != __x || __ax < 0x1p-28 ? __x : wg_with_sign(__y, __x);
}

WG_MATH_FN float __nv_sinhf(float __x) { return (float)__nv_sinh((double)__x); }
WG_MATH_FN float __nv_coshf(float __x) {
    double __e = (double)(wg_absf(__x) > 100 ? 100 : wg_absf(__x));
    __e = __nv_exp(__e);
    return __x != __x ? __x : (float)(0.5 * (__e + 1 / __e));
}
WG_MATH_FN float __nv_tanhf(float __x) {
    float __ax = wg_absf(__x), __z = __x * __x;
    float __e = wg_exp_of_f(__ax > 10 ? 20 : 2 * __ax, 0x1.715476p+0f, 0x1.62e4p-1f, 0x1.7f7d1cp-20f);
    float __y =
        __ax < 0.55f ? wg_fmaf(__x * __z, wg_poly_tanh_f(__z), __x) : wg_with_signf(1 - 2 / (__e + 1), __x);
    return __x != __x || __x == 0 ? __x : __y;
}
WG_MATH_FN float __nv_asinhf(float __x) { return (float)__nv_asinh((double)__x); }
WG_MATH_FN float __nv_acoshf(float __x) { return (float)__nv_acosh((double)__x); }
WG_MATH_FN float __nv_atanhf(float __x) { return (float)__nv_atanh((double)__x); }

#endif
