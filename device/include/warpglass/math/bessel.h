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
WG_MATH_FN double wg_from_zero(double __x, double __zero_hi, double __zero_lo) {
    return (__x - __zero_hi) - __zero_lo;
}

/* sqrt(2 / (pi x)) (P cos(x - shift) - Q sin(x - shift)), or with sin and cos for Y; shift = pi/4 + order
 * pi/2. */
WG_MATH_FN double wg_hankel(double __x, int __order, bool __second) {
    double __z = 1 / __x, __z2 = __z * __z, __sine, __cosine;
    double __p = __order ? wg_poly_hankel_p1(__z2) : wg_poly_hankel_p0(__z2);
    double __q = __z * (__order ? wg_poly_hankel_q1(__z2) : wg_poly_hankel_q0(__z2));
    __nv_sincos(__x, &__sine, &__cosine);
    /* cos and sin of the shifted angle, times sqrt(2) */
    double __c = __order ? __sine - __cosine : __sine + __cosine,
           __s = __order ? -(__sine + __cosine) : __sine - __cosine;
    double __value = __second ? __p * __s + __q * __c : __p * __c - __q * __s;
    return __x == wg_infinity() ? 0 : __value * __builtin_sqrt(0.5 * WG_TWO_OVER_PI * __z);
}

WG_MATH_FN double __nv_j0(double __x) {
    double __ax = wg_abs(__x);
    if (!(__ax < 8)) return __x != __x ? __x : wg_hankel(__ax, 0, false);
    return __ax <= 4 ? wg_from_zero(__ax, 0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53) *
                           wg_poly_j0_0_4(0.5 * __ax - 1)
                     : wg_from_zero(__ax, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54) *
                           wg_poly_j0_4_8(0.5 * __ax - 3);
}
WG_MATH_FN double __nv_j1(double __x) {
    double __ax = wg_abs(__x), __y;
    if (!(__ax < 8))
        __y = wg_hankel(__ax, 1, false);
    else if (__ax <= 2)
        __y = __ax * wg_poly_j1_0_2(__x * __x);
    else if (__ax <= 5.5)
        __y = wg_from_zero(__ax, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53) *
              wg_poly_j1_2_5((__ax - 3.75) * 0x1.2492492492492p-1);
    else
        __y = wg_from_zero(__ax, 0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54) *
              wg_poly_j1_5_8((__ax - 6.75) * 0.8);
    return __x != __x ? __x : __x < 0 ? -__y : __x == 0 ? __x : __y;
}

/* log(x / zero), relative also near the zero; log_zero = log(zero). */
WG_MATH_FN double wg_log_of_ratio(double __x, double __from_zero, double __zero, double __log_zero) {
    return __x < 0.5 * __zero ? __nv_log(__x) - __log_zero : __nv_log1p(__from_zero / __zero);
}
/* What Y is at 0, below 0 and for NaN. */
WG_MATH_FN double wg_y_special(double __x, double __y) {
    return __x > 0 ? __y : __x == 0 ? -wg_infinity() : wg_nan();
}
WG_MATH_FN double __nv_y0(double __x) {
    double __y;
    if (__x >= 8)
        __y = wg_hankel(__x, 0, true);
    else if (__x > 4.5)
        __y = wg_from_zero(__x, 0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54) *
              wg_poly_y0_4_8((__x - 6.25) * 0x1.2492492492492p-1);
    else if (__x > 2)
        __y = wg_from_zero(__x, 0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54) *
              wg_poly_y0_2_4((__x - 3.25) * 0.8);
    else {
        const double __zero = 0x1.c982eb8d417eap-1;
        double __d = wg_from_zero(__x, __zero, 0x1.ea9d270347f83p-56);
        double __log = wg_log_of_ratio(__x, __d, __zero, -0x1.cce4b73e6f025p-4);
        __y = wg_fma(WG_TWO_OVER_PI * __log, __nv_j0(__x), __d * (__x + __zero) * wg_poly_y0_0_2(__x * __x));
    }
    return wg_y_special(__x, __y);
}
WG_MATH_FN double __nv_y1(double __x) {
    double __y;
    if (__x >= 8)
        __y = wg_hankel(__x, 1, true);
    else if (__x > 5)
        __y = wg_from_zero(__x, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52) *
              wg_poly_y1_5_8((__x - 6.5) * 0x1.5555555555555p-1);
    else if (__x > 3)
        __y = wg_poly_y1_3_5(__x - 4);
    else {
        const double __zero = 0x1.193bed4dff243p+1;
        double __d = wg_from_zero(__x, __zero, -0x1.bd1e50d219bfdp-55);
        double __log = wg_log_of_ratio(__x, __d, __zero, 0x1.930641fe98869p-1);
        __y = wg_fma(WG_TWO_OVER_PI * __log, __nv_j1(__x),
                     __d * (__x + __zero) * wg_poly_y1_0_3(__x * __x) / __x);
    }
    return wg_y_special(__x, __y);
}

/* Upward from J0 and J1 while the order is below x; else downward from an order so high that the start does
 * not matter, scaled in the end by J0 + 2 J2 + 2 J4 + ... = 1. */
WG_MATH_FN double __nv_jn(int __n, double __x) {
    bool __odd = __n & 1, __negative = __odd && ((__n < 0) != (__x < 0));
    int __order = __n < 0 ? -__n : __n;
    double __ax = wg_abs(__x), __y;
    if (__x != __x) return __x;
    if (__order == 0) return __nv_j0(__ax);
    if (__order == 1)
        __y = __nv_j1(__ax);
    else if (__ax == wg_infinity())
        __y = 0;
    else if (__ax < 0x1p-10) { /* (x / 2)^n / n! is all that can be seen */
        __y = 1;
        for (int __k = 1; __k <= __order && __y != 0; __k++) __y *= 0.5 * __ax / __k;
    } else if (__ax > __order) {
        double __below = __nv_j0(__ax);
        __y = __nv_j1(__ax);
        for (int __k = 1; __k < __order; __k++) {
            double __above = 2 * __k / __ax * __y - __below;
            __below = __y, __y = __above;
        }
    } else {
        int __start = 2 * ((__order + (int)__builtin_sqrt(160.0 * __order) + 16) / 2);
        double __above = 0, __now = 1, __sum = 0, __found = 0;
        for (int __k = __start; __k > 0; __k--) {
            double __below = 2 * __k / __ax * __now - __above;
            __above = __now, __now = __below;
            if (wg_abs(__now) > 0x1p300)
                __now *= 0x1p-300, __above *= 0x1p-300, __sum *= 0x1p-300, __found *= 0x1p-300;
            if (__k - 1 == __order) __found = __now;
            if (__k & 1) __sum += __k == 1 ? __now : 2 * __now;
        }
        __y = __found / __sum;
    }
    return __negative ? -__y : __y;
}
WG_MATH_FN double __nv_yn(int __n, double __x) {
    int __order = __n < 0 ? -__n : __n;
    double __y;
    if (__order == 0)
        __y = __nv_y0(__x);
    else if (!(__x > 0))
        __y = wg_y_special(__x, 0);
    else {
        double __below = __nv_y0(__x);
        __y = __nv_y1(__x);
        for (int __k = 1; __k < __order && __y != -wg_infinity(); __k++) {
            double __above = 2 * __k / __x * __y - __below;
            __below = __y, __y = __above;
        }
    }
    return __n < 0 && (__n & 1) ? -__y : __y;
}

/* Beyond 8: e^x / sqrt(x) times a polynomial of 1 / x. */
WG_MATH_FN double wg_bessel_i_far(double __ax, double __polynomial) {
    int __k;
    wg_two __e = wg_exp_parts(__ax > 750 ? 750 : __ax, 0, &__k);
    return wg_scale(wg_rounded(__e) * (__polynomial / __builtin_sqrt(__ax)), __k);
}
WG_MATH_FN double __nv_cyl_bessel_i0(double __x) {
    double __ax = wg_abs(__x);
    if (__ax <= 8) return wg_poly_i0(__x * __x);
    return __x != __x              ? __x
           : __ax == wg_infinity() ? __ax
                                   : wg_bessel_i_far(__ax, wg_poly_i0_far(16 / __ax - 1));
}
WG_MATH_FN double __nv_cyl_bessel_i1(double __x) {
    double __ax = wg_abs(__x);
    if (__ax <= 8) return __x * wg_poly_i1(__x * __x);
    return __x != __x || __ax == wg_infinity()
               ? __x
               : wg_with_sign(wg_bessel_i_far(__ax, wg_poly_i1_far(16 / __ax - 1)), __x);
}

WG_MATH_FN float __nv_j0f(float __x) { return (float)__nv_j0((double)__x); }
WG_MATH_FN float __nv_j1f(float __x) { return (float)__nv_j1((double)__x); }
WG_MATH_FN float __nv_jnf(int __n, float __x) { return (float)__nv_jn(__n, (double)__x); }
WG_MATH_FN float __nv_y0f(float __x) { return (float)__nv_y0((double)__x); }
WG_MATH_FN float __nv_y1f(float __x) { return (float)__nv_y1((double)__x); }
WG_MATH_FN float __nv_ynf(int __n, float __x) { return (float)__nv_yn(__n, (double)__x); }
WG_MATH_FN float __nv_cyl_bessel_i0f(float __x) { return (float)__nv_cyl_bessel_i0((double)__x); }
WG_MATH_FN float __nv_cyl_bessel_i1f(float __x) { return (float)__nv_cyl_bessel_i1((double)__x); }

#endif
