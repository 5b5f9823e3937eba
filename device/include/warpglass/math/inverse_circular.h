/* inverse_circular.h: asin, acos, atan, atan2.
 *
 * asin and acos beyond 1/2 go through sqrt((1 - |x|) / 2), whose rounding error is added back. atan brings
 * its argument to |t| <= sqrt(2) - 1 by taking pi/4 or pi/2 off the angle: a selection of numerator and
 * denominator, then one division.
 */
#ifndef WARPGLASS_MATH_INVERSE_CIRCULAR_H
#define WARPGLASS_MATH_INVERSE_CIRCULAR_H

#include "circular.h"

/* asin(|x|) for |x| <= 1/2, or acos(|x|) / 2 for |x| > 1/2, as the sum of its argument t and a small rest. */
WG_MATH_FN wg_two wg_asin_parts(double __ax) {
    bool __small = __ax <= 0.5;
    double __h = 0.5 * (1 - __ax), __z = __small ? __ax * __ax : __h, __root = __builtin_sqrt(__h);
    double __lost = __h > 0 ? wg_fma(-__root, __root, __h) / (2 * __root) : 0;
    wg_two __parts;
    __parts.__hi = __small ? __ax : __root;
    __parts.__lo = wg_fma(__parts.__hi * __z, wg_poly_asin(__z), __small ? 0 : __lost);
    return __parts;
}
WG_MATH_FN double __nv_asin(double __x) {
    double __ax = wg_abs(__x);
    wg_two __a = wg_asin_parts(__ax), __rest = wg_sum_ordered(WG_HALF_PI_HI, -2 * __a.__hi);
    double __y = __ax <= 0.5 ? wg_rounded(__a) : __rest.__hi + (__rest.__lo - 2 * __a.__lo + WG_HALF_PI_LO);
    return __ax <= 1 ? wg_with_sign(__y, __x) : wg_nan();
}
WG_MATH_FN double __nv_acos(double __x) {
    double __ax = wg_abs(__x);
    bool __small = __ax <= 0.5;
    wg_two __a = wg_asin_parts(__ax);
    /* pi/2 - x - ..., pi - 2 t - ..., or 2 t + ... */
    wg_two __from = {__small   ? WG_HALF_PI_HI
                     : __x < 0 ? WG_PI_HI
                               : 0,
                     __small   ? WG_HALF_PI_LO
                     : __x < 0 ? WG_PI_LO
                               : 0};
    double __factor = __small ? -wg_with_sign(1, __x) : __x < 0 ? -2 : 2;
    wg_two __sum = wg_sum(__from.__hi, __factor * __a.__hi);
    return __ax <= 1 ? __sum.__hi + (__sum.__lo + wg_fma(__factor, __a.__lo, __from.__lo)) : wg_nan();
}
WG_MATH_FN float __nv_asinf(float __x) {
    float __ax = wg_absf(__x), __h = 0.5f * (1 - __ax);
    bool __small = __ax <= 0.5f;
    float __t = __small ? __ax : __builtin_sqrtf(__h), __z = __small ? __ax * __ax : __h,
          __rest = __t * __z * wg_poly_asin_f(__z);
    float __y = wg_addf(0x1.921fb6p+0f, -2 * __t), __lost = wg_addf(0x1.921fb6p+0f, -__y) - 2 * __t;
    __y = __small ? __t + __rest : __y + (__lost + wg_fmaf(-2, __rest, -0x1.777a5cp-25f));
    return __ax <= 1 ? wg_with_signf(__y, __x) : wg_nanf();
}
WG_MATH_FN float __nv_acosf(float __x) {
    float __ax = wg_absf(__x), __h = 0.5f * (1 - __ax);
    bool __small = __ax <= 0.5f;
    float __t = __small ? __x : __builtin_sqrtf(__h), __z = __small ? __x * __x : __h,
          __a = wg_fmaf(__t * __z, wg_poly_asin_f(__z), __t);
    float __y = __small   ? 0x1.921fb6p+0f - (__a + 0x1.777a5cp-25f)
                : __x < 0 ? wg_fmaf(-2, __a, 0x1.921fb6p+1f)
                          : 2 * __a;
    return __ax <= 1 ? __y : wg_nanf();
}

/* The angle of the vector (b, a), a and b not negative, in [0, pi/2]. */
WG_MATH_FN wg_two wg_angle(double __a, double __b) {
    const double __edge = 0x1.a827999fcef32p-2; /* sqrt(2) - 1 */
    bool __steep = __a * __edge > __b, __flat = __b * __edge >= __a;
    wg_two __top = wg_sum(__a, -__b), __bottom = wg_sum(__a, __b), __angle;
    __top.__hi = __steep ? -__b : __flat ? __a : __top.__hi;
    __top.__lo = __steep || __flat ? 0 : __top.__lo;
    __bottom.__hi = __steep ? __a : __flat ? __b : __bottom.__hi;
    __bottom.__lo = __steep || __flat ? 0 : __bottom.__lo;
    wg_two __t = wg_quotient(__top, __bottom);
    double __z = __t.__hi * __t.__hi;
    double __rest = wg_fma(__t.__hi * __z, wg_poly_atan(__z), __t.__lo);
    double __base = __steep ? WG_HALF_PI_HI : __flat ? 0 : 0.5 * WG_HALF_PI_HI;
    double __base_low = __steep ? WG_HALF_PI_LO : __flat ? 0 : 0.5 * WG_HALF_PI_LO;
    __angle = wg_sum(__base, __t.__hi);
    __angle.__lo += __rest + __base_low;
    return __angle;
}
WG_MATH_FN double __nv_atan(double __x) {
    double __ax = wg_abs(__x);
    double __y = __ax > 0x1p60 ? WG_HALF_PI_HI : __ax < 0x1p-28 ? __ax : wg_rounded(wg_angle(__ax, 1));
    return __x != __x ? __x : wg_with_sign(__y, __x);
}
/* Both are first made near 1 by a power of two, so that nothing over- or underflows on the way. */
WG_MATH_FN double __nv_atan2(double __y, double __x) {
    double __ay = wg_abs(__y), __ax = wg_abs(__x), __large = wg_infinity();
    if (__x != __x || __y != __y) return __x + __y;
    if (__ax == __large || __ay == __large) {
        __ay = __ay == __large, __ax = __ax == __large;
    } else if (__ax == 0 && __ay == 0) {
        __ax = 1;
    }
    double __most = __ax > __ay ? __ax : __ay;
    int __k = 1022 - (int)(wg_bits(__most) >> 52);
    wg_two __angle = wg_angle(wg_scale(__ay, __k), wg_scale(__ax, __k));
    if (wg_bits(__x) >> 63) {
        wg_two __pi = wg_sum(WG_PI_HI, -__angle.__hi);
        __angle.__lo = __pi.__lo + (WG_PI_LO - __angle.__lo);
        __angle.__hi = __pi.__hi;
    } else if (__ay < __ax * 0x1p-100) {
        __angle.__hi = __ay / __ax, __angle.__lo = 0; /* the scaled ay may have lost bits */
    }
    return wg_with_sign(wg_rounded(__angle), __y);
}
WG_MATH_FN float __nv_atanf(float __x) {
    float __ax = wg_absf(__x);
    bool __steep = __ax > 1;
    float __t = __steep ? 1 / __ax : __ax, __z = __t * __t,
          __a = wg_fmaf(__t * __z, wg_poly_atan_f(__z), __t);
    return __x != __x ? __x : wg_with_signf(__steep ? 0x1.921fb6p+0f - (__a + 0x1.777a5cp-25f) : __a, __x);
}
WG_MATH_FN float __nv_atan2f(float __y, float __x) {
    float __ay = wg_absf(__y), __ax = wg_absf(__x), __large = __ax > __ay ? __ax : __ay,
          __least = __ax > __ay ? __ay : __ax;
    float __t = __large == 0 ? 0 : __least == wg_infinityf() ? 1 : __least / __large, __z = __t * __t;
    float __a = wg_fmaf(__t * __z, wg_poly_atan_f(__z), __t);
    __a = __ay > __ax ? 0x1.921fb6p+0f - (__a + 0x1.777a5cp-25f) : __a;
    __a = wg_bitsf(__x) >> 31 ? 0x1.921fb6p+1f - (__a + 0x1.777a5cp-24f) : __a;
    return __x != __x || __y != __y ? __x + __y : wg_with_signf(__a, __y);
}

#endif
