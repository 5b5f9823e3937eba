/* bessel.h: J, Y and the modified I0, I1.
 *
 * Up to 8, polynomials of what is left when the zero in each piece is divided out, so that errors stay
 * relative near the zeros; Y keeps its logarithm. Beyond 8, Hankel's expansion. Orders n come from 0 and 1 by
 * recurrence, in the direction in which it is stable.
 */
#ifndef WARPGLASS_MATH_BESSEL_H
#define WARPGLASS_MATH_BESSEL_H

#include "bessel_polynomials.h"
#include "circular.h"
#include "exponential.h"
#include "logarithm.h"

#define WG_TWO_OVER_PI 0x1.45f306dc9c883p-1

/* x - zero, the zero in two parts. */
WG_MATH_FN double wg_from_zero(double x, double zero_hi, double zero_lo) { return (x - zero_hi) - zero_lo; }

/* sqrt(2 / (pi x)) (P cos(x - shift) - Q sin(x - shift)), or with sin and cos for Y; shift = pi/4 + order
 * pi/2. */
WG_MATH_FN double wg_hankel(double x, int order, bool second) {
    double z = 1 / x, z2 = z * z, sine, cosine;
    double p = order ? wg_poly_hankel_p1(z2) : wg_poly_hankel_p0(z2);
    double q = z * (order ? wg_poly_hankel_q1(z2) : wg_poly_hankel_q0(z2));
    __nv_sincos(x, &sine, &cosine);
    /* cos and sin of the shifted angle, times sqrt(2) */
    double c = order ? sine - cosine : sine + cosine, s = order ? -(sine + cosine) : sine - cosine;
    double value = second ? p * s + q * c : p * c - q * s;
    return x == wg_infinity() ? 0 : value * __builtin_sqrt(0.5 * WG_TWO_OVER_PI * z);
}

WG_MATH_FN double __nv_j0(double x) {
    double ax = wg_abs(x);
    if (!(ax < 8)) return x != x ? x : wg_hankel(ax, 0, false);
    return ax <= 4
               ? wg_from_zero(ax, 0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53) * wg_poly_j0_0_4(0.5 * ax - 1)
               : wg_from_zero(ax, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54) * wg_poly_j0_4_8(0.5 * ax - 3);
}
WG_MATH_FN double __nv_j1(double x) {
    double ax = wg_abs(x), y;
    if (!(ax < 8))
        y = wg_hankel(ax, 1, false);
    else if (ax <= 2)
        y = ax * wg_poly_j1_0_2(x * x);
    else if (ax <= 5.5)
        y = wg_from_zero(ax, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53) *
            wg_poly_j1_2_5((ax - 3.75) * 0x1.2492492492492p-1);
    else
        y = wg_from_zero(ax, 0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54) *
            wg_poly_j1_5_8((ax - 6.75) * 0.8);
    return x != x ? x : x < 0 ? -y : x == 0 ? x : y;
}

/* log(x / zero), relative also near the zero; log_zero = log(zero). */
WG_MATH_FN double wg_log_of_ratio(double x, double from_zero, double zero, double log_zero) {
    return x < 0.5 * zero ? __nv_log(x) - log_zero : __nv_log1p(from_zero / zero);
}
/* What Y is at 0, below 0 and for NaN. */
WG_MATH_FN double wg_y_special(double x, double y) { return x > 0 ? y : x == 0 ? -wg_infinity() : wg_nan(); }
WG_MATH_FN double __nv_y0(double x) {
    double y;
    if (x >= 8)
        y = wg_hankel(x, 0, true);
    else if (x > 4.5)
        y = wg_from_zero(x, 0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54) *
            wg_poly_y0_4_8((x - 6.25) * 0x1.2492492492492p-1);
    else if (x > 2)
        y = wg_from_zero(x, 0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54) * wg_poly_y0_2_4((x - 3.25) * 0.8);
    else {
        const double zero = 0x1.c982eb8d417eap-1;
        double d = wg_from_zero(x, zero, 0x1.ea9d270347f83p-56);
        double log = wg_log_of_ratio(x, d, zero, -0x1.cce4b73e6f025p-4);
        y = wg_fma(WG_TWO_OVER_PI * log, __nv_j0(x), d * (x + zero) * wg_poly_y0_0_2(x * x));
    }
    return wg_y_special(x, y);
}
WG_MATH_FN double __nv_y1(double x) {
    double y;
    if (x >= 8)
        y = wg_hankel(x, 1, true);
    else if (x > 5)
        y = wg_from_zero(x, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52) *
            wg_poly_y1_5_8((x - 6.5) * 0x1.5555555555555p-1);
    else if (x > 3)
        y = wg_poly_y1_3_5(x - 4);
    else {
        const double zero = 0x1.193bed4dff243p+1;
        double d = wg_from_zero(x, zero, -0x1.bd1e50d219bfdp-55);
        double log = wg_log_of_ratio(x, d, zero, 0x1.930641fe98869p-1);
        y = wg_fma(WG_TWO_OVER_PI * log, __nv_j1(x), d * (x + zero) * wg_poly_y1_0_3(x * x) / x);
    }
    return wg_y_special(x, y);
}

/* Upward from J0 and J1 while the order is below x; else downward from an order so high that the start does
 * not matter, scaled in the end by J0 + 2 J2 + 2 J4 + ... = 1. */
WG_MATH_FN double __nv_jn(int n, double x) {
    bool odd = n & 1, negative = odd && ((n < 0) != (x < 0));
    int order = n < 0 ? -n : n;
    double ax = wg_abs(x), y;
    if (x != x) return x;
    if (order == 0) return __nv_j0(ax);
    if (order == 1)
        y = __nv_j1(ax);
    else if (ax == wg_infinity())
        y = 0;
    else if (ax < 0x1p-10) { /* (x / 2)^n / n! is all that can be seen */
        y = 1;
        for (int k = 1; k <= order && y != 0; k++) y *= 0.5 * ax / k;
    } else if (ax > order) {
        double below = __nv_j0(ax);
        y = __nv_j1(ax);
        for (int k = 1; k < order; k++) {
            double above = 2 * k / ax * y - below;
            below = y, y = above;
        }
    } else {
        int start = 2 * ((order + (int)__builtin_sqrt(160.0 * order) + 16) / 2);
        double above = 0, now = 1, sum = 0, found = 0;
        for (int k = start; k > 0; k--) {
            double below = 2 * k / ax * now - above;
            above = now, now = below;
            if (wg_abs(now) > 0x1p300) now *= 0x1p-300, above *= 0x1p-300, sum *= 0x1p-300, found *= 0x1p-300;
            if (k - 1 == order) found = now;
            if (k & 1) sum += k == 1 ? now : 2 * now;
        }
        y = found / sum;
    }
    return negative ? -y : y;
}
WG_MATH_FN double __nv_yn(int n, double x) {
    int order = n < 0 ? -n : n;
    double y;
    if (order == 0)
        y = __nv_y0(x);
    else if (!(x > 0))
        y = wg_y_special(x, 0);
    else {
        double below = __nv_y0(x);
        y = __nv_y1(x);
        for (int k = 1; k < order && y != -wg_infinity(); k++) {
            double above = 2 * k / x * y - below;
            below = y, y = above;
        }
    }
    return n < 0 && (n & 1) ? -y : y;
}

/* Beyond 8: e^x / sqrt(x) times a polynomial of 1 / x. */
WG_MATH_FN double wg_bessel_i_far(double ax, double polynomial) {
    int k;
    wg_two e = wg_exp_parts(ax > 750 ? 750 : ax, 0, &k);
    return wg_scale(wg_rounded(e) * (polynomial / __builtin_sqrt(ax)), k);
}
WG_MATH_FN double __nv_cyl_bessel_i0(double x) {
    double ax = wg_abs(x);
    if (ax <= 8) return wg_poly_i0(x * x);
    return x != x ? x : ax == wg_infinity() ? ax : wg_bessel_i_far(ax, wg_poly_i0_far(16 / ax - 1));
}
WG_MATH_FN double __nv_cyl_bessel_i1(double x) {
    double ax = wg_abs(x);
    if (ax <= 8) return x * wg_poly_i1(x * x);
    return x != x || ax == wg_infinity() ? x
                                         : wg_with_sign(wg_bessel_i_far(ax, wg_poly_i1_far(16 / ax - 1)), x);
}

WG_MATH_FN float __nv_j0f(float x) { return (float)__nv_j0((double)x); }
WG_MATH_FN float __nv_j1f(float x) { return (float)__nv_j1((double)x); }
WG_MATH_FN float __nv_jnf(int n, float x) { return (float)__nv_jn(n, (double)x); }
WG_MATH_FN float __nv_y0f(float x) { return (float)__nv_y0((double)x); }
WG_MATH_FN float __nv_y1f(float x) { return (float)__nv_y1((double)x); }
WG_MATH_FN float __nv_ynf(int n, float x) { return (float)__nv_yn(n, (double)x); }
WG_MATH_FN float __nv_cyl_bessel_i0f(float x) { return (float)__nv_cyl_bessel_i0((double)x); }
WG_MATH_FN float __nv_cyl_bessel_i1f(float x) { return (float)__nv_cyl_bessel_i1((double)x); }

#endif
