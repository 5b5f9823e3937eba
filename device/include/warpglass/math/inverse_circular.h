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
WG_MATH_FN wg_two wg_asin_parts(double ax) {
    bool small = ax <= 0.5;
    double h = 0.5 * (1 - ax), z = small ? ax * ax : h, root = __builtin_sqrt(h);
    double lost = h > 0 ? wg_fma(-root, root, h) / (2 * root) : 0;
    wg_two parts;
    parts.hi = small ? ax : root;
    parts.lo = wg_fma(parts.hi * z, wg_poly_asin(z), small ? 0 : lost);
    return parts;
}
WG_MATH_FN double __nv_asin(double x) {
    double ax = wg_abs(x);
    wg_two a = wg_asin_parts(ax), rest = wg_sum_ordered(WG_HALF_PI_HI, -2 * a.hi);
    double y = ax <= 0.5 ? wg_rounded(a) : rest.hi + (rest.lo - 2 * a.lo + WG_HALF_PI_LO);
    return ax <= 1 ? wg_with_sign(y, x) : wg_nan();
}
WG_MATH_FN double __nv_acos(double x) {
    double ax = wg_abs(x);
    bool small = ax <= 0.5;
    wg_two a = wg_asin_parts(ax);
    /* pi/2 - x - ..., pi - 2 t - ..., or 2 t + ... */
    wg_two from = {small   ? WG_HALF_PI_HI
                   : x < 0 ? WG_PI_HI
                           : 0,
                   small   ? WG_HALF_PI_LO
                   : x < 0 ? WG_PI_LO
                           : 0};
    double factor = small ? -wg_with_sign(1, x) : x < 0 ? -2 : 2;
    wg_two sum = wg_sum(from.hi, factor * a.hi);
    return ax <= 1 ? sum.hi + (sum.lo + wg_fma(factor, a.lo, from.lo)) : wg_nan();
}
WG_MATH_FN float __nv_asinf(float x) {
    float ax = wg_absf(x), h = 0.5f * (1 - ax);
    bool small = ax <= 0.5f;
    float t = small ? ax : __builtin_sqrtf(h), z = small ? ax * ax : h, rest = t * z * wg_poly_asin_f(z);
    float y = wg_addf(0x1.921fb6p+0f, -2 * t), lost = wg_addf(0x1.921fb6p+0f, -y) - 2 * t;
    y = small ? t + rest : y + (lost + wg_fmaf(-2, rest, -0x1.777a5cp-25f));
    return ax <= 1 ? wg_with_signf(y, x) : wg_nanf();
}
WG_MATH_FN float __nv_acosf(float x) {
    float ax = wg_absf(x), h = 0.5f * (1 - ax);
    bool small = ax <= 0.5f;
    float t = small ? x : __builtin_sqrtf(h), z = small ? x * x : h, a = wg_fmaf(t * z, wg_poly_asin_f(z), t);
    float y = small ? 0x1.921fb6p+0f - (a + 0x1.777a5cp-25f) : x < 0 ? wg_fmaf(-2, a, 0x1.921fb6p+1f) : 2 * a;
    return ax <= 1 ? y : wg_nanf();
}

/* The angle of the vector (b, a), a and b not negative, in [0, pi/2]. */
WG_MATH_FN wg_two wg_angle(double a, double b) {
    const double edge = 0x1.a827999fcef32p-2; /* sqrt(2) - 1 */
    bool steep = a * edge > b, flat = b * edge >= a;
    wg_two top = wg_sum(a, -b), bottom = wg_sum(a, b), angle;
    top.hi = steep ? -b : flat ? a : top.hi;
    top.lo = steep || flat ? 0 : top.lo;
    bottom.hi = steep ? a : flat ? b : bottom.hi;
    bottom.lo = steep || flat ? 0 : bottom.lo;
    wg_two t = wg_quotient(top, bottom);
    double z = t.hi * t.hi;
    double rest = wg_fma(t.hi * z, wg_poly_atan(z), t.lo);
    double base = steep ? WG_HALF_PI_HI : flat ? 0 : 0.5 * WG_HALF_PI_HI;
    double base_low = steep ? WG_HALF_PI_LO : flat ? 0 : 0.5 * WG_HALF_PI_LO;
    angle = wg_sum(base, t.hi);
    angle.lo += rest + base_low;
    return angle;
}
WG_MATH_FN double __nv_atan(double x) {
    double ax = wg_abs(x);
    double y = ax > 0x1p60 ? WG_HALF_PI_HI : ax < 0x1p-28 ? ax : wg_rounded(wg_angle(ax, 1));
    return x != x ? x : wg_with_sign(y, x);
}
/* Both are first made near 1 by a power of two, so that nothing over- or underflows on the way. */
WG_MATH_FN double __nv_atan2(double y, double x) {
    double ay = wg_abs(y), ax = wg_abs(x), large = wg_infinity();
    if (x != x || y != y) return x + y;
    if (ax == large || ay == large) {
        ay = ay == large, ax = ax == large;
    } else if (ax == 0 && ay == 0) {
        ax = 1;
    }
    double most = ax > ay ? ax : ay;
    int k = 1022 - (int)(wg_bits(most) >> 52);
    wg_two angle = wg_angle(wg_scale(ay, k), wg_scale(ax, k));
    if (wg_bits(x) >> 63) {
        wg_two pi = wg_sum(WG_PI_HI, -angle.hi);
        angle.lo = pi.lo + (WG_PI_LO - angle.lo);
        angle.hi = pi.hi;
    } else if (ay < ax * 0x1p-100) {
        angle.hi = ay / ax, angle.lo = 0; /* the scaled ay may have lost bits */
    }
    return wg_with_sign(wg_rounded(angle), y);
}
WG_MATH_FN float __nv_atanf(float x) {
    float ax = wg_absf(x);
    bool steep = ax > 1;
    float t = steep ? 1 / ax : ax, z = t * t, a = wg_fmaf(t * z, wg_poly_atan_f(z), t);
    return x != x ? x : wg_with_signf(steep ? 0x1.921fb6p+0f - (a + 0x1.777a5cp-25f) : a, x);
}
WG_MATH_FN float __nv_atan2f(float y, float x) {
    float ay = wg_absf(y), ax = wg_absf(x), large = ax > ay ? ax : ay, least = ax > ay ? ay : ax;
    float t = large == 0 ? 0 : least == wg_infinityf() ? 1 : least / large, z = t * t;
    float a = wg_fmaf(t * z, wg_poly_atan_f(z), t);
    a = ay > ax ? 0x1.921fb6p+0f - (a + 0x1.777a5cp-25f) : a;
    a = wg_bitsf(x) >> 31 ? 0x1.921fb6p+1f - (a + 0x1.777a5cp-24f) : a;
    return x != x || y != y ? x + y : wg_with_signf(a, y);
}

#endif
