/* exact.h: the functions whose results are exact: rounding to integers, remainders, taking numbers apart.
 *
 * Most are one PTX instruction each. The remainders are exact because every partial difference is: see
 * wg_remainder_of.
 */
#ifndef WARPGLASS_MATH_EXACT_H
#define WARPGLASS_MATH_EXACT_H

#include "primitives.h"

WG_MATH_FN int __nv_abs(int x) { return x < 0 ? -x : x; }
WG_MATH_FN long long __nv_llabs(long long x) { return x < 0 ? -x : x; }
WG_MATH_FN int __nv_min(int x, int y) { return x < y ? x : y; }
WG_MATH_FN int __nv_max(int x, int y) { return x > y ? x : y; }
WG_MATH_FN unsigned int __nv_umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
WG_MATH_FN unsigned int __nv_umax(unsigned int x, unsigned int y) { return x > y ? x : y; }
WG_MATH_FN long long __nv_llmin(long long x, long long y) { return x < y ? x : y; }
WG_MATH_FN long long __nv_llmax(long long x, long long y) { return x > y ? x : y; }
WG_MATH_FN unsigned long long __nv_ullmin(unsigned long long x, unsigned long long y) {
    return x < y ? x : y;
}
WG_MATH_FN unsigned long long __nv_ullmax(unsigned long long x, unsigned long long y) {
    return x > y ? x : y;
}

/* The same text for float and double: F the type, S clang's suffix for builtins and ours for functions. */
#define WG_EXACT(F, S)                                                                                       \
    WG_MATH_FN F __nv_fabs##S(F x) { return __builtin_fabs##S(x); }                                          \
    WG_MATH_FN F __nv_ceil##S(F x) { return __builtin_ceil##S(x); }                                          \
    WG_MATH_FN F __nv_floor##S(F x) { return __builtin_floor##S(x); }                                        \
    WG_MATH_FN F __nv_trunc##S(F x) { return __builtin_trunc##S(x); }                                        \
    WG_MATH_FN F __nv_rint##S(F x) { return __builtin_rint##S(x); }                                          \
    WG_MATH_FN F __nv_copysign##S(F x, F y) { return __builtin_copysign##S(x, y); }                          \
    WG_MATH_FN F __nv_fma##S(F x, F y, F z) { return __builtin_fma##S(x, y, z); }                            \
    WG_MATH_FN F __nv_sqrt##S(F x) { return __builtin_sqrt##S(x); }                                          \
    WG_MATH_FN F __nv_fmin##S(F x, F y) { return __builtin_fmin##S(x, y); }                                  \
    WG_MATH_FN F __nv_fmax##S(F x, F y) { return __builtin_fmax##S(x, y); }                                  \
    WG_MATH_FN F __nv_fdim##S(F x, F y) { return x <= y ? (F)0 : x - y; }                                    \
    /* Halves go away from zero, and x + 1/2 would round where x is just under 1/2. */                       \
    WG_MATH_FN F __nv_round##S(F x) {                                                                        \
        F whole = __builtin_trunc##S(x);                                                                     \
        F away = whole + __builtin_copysign##S((F)1, x);                                                     \
        return __builtin_copysign##S(__builtin_fabs##S(x - whole) >= (F)0.5 ? away : whole, x);              \
    }                                                                                                        \
    WG_MATH_FN long long __nv_llrint##S(F x) { return (long long)__builtin_rint##S(x); }                     \
    WG_MATH_FN long long __nv_llround##S(F x) { return (long long)__nv_round##S(x); }                        \
    WG_MATH_FN F __nv_modf##S(F x, F *whole) {                                                               \
        *whole = __builtin_trunc##S(x);                                                                      \
        return __builtin_copysign##S(__builtin_isinf(x) ? (F)0 : x - *whole, x);                             \
    }
WG_EXACT(float, f)
WG_EXACT(double, )
#undef WG_EXACT

/* Exponents. A subnormal is first multiplied by 2^54 (2^25 for float), which makes it normal. */
WG_MATH_FN double __nv_frexp(double x, int *exponent) {
    bool tiny = wg_abs(x) < 0x1p-1022, plain = x != 0 && wg_abs(x) < wg_infinity();
    unsigned long long bits = wg_bits(tiny ? x * 0x1p54 : x);
    *exponent = plain ? (int)(bits >> 52 & 0x7ff) - 1022 - (tiny ? 54 : 0) : 0;
    return plain ? wg_from_bits((bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull) : x + x;
}
WG_MATH_FN float __nv_frexpf(float x, int *exponent) { return (float)__nv_frexp((double)x, exponent); }

WG_MATH_FN int __nv_ilogb(double x) {
    int exponent;
    __nv_frexp(x, &exponent);
    if (x != x) return -2147483647 - 1;
    return x == 0 ? -2147483647 - 1 : wg_abs(x) == wg_infinity() ? 2147483647 : exponent - 1;
}
WG_MATH_FN int __nv_ilogbf(float x) { return __nv_ilogb((double)x); }
WG_MATH_FN double __nv_logb(double x) {
    if (x != x) return x;
    return x == 0 ? -wg_infinity() : wg_abs(x) == wg_infinity() ? wg_infinity() : (double)__nv_ilogb(x);
}
WG_MATH_FN float __nv_logbf(float x) { return (float)__nv_logb((double)x); }

/* x 2^k in steps that a double can hold. Downward a step leaves 53 places in hand: where it loses bits all
 * the same, the result is zero anyway, so only the last multiplication rounds. */
WG_MATH_FN double __nv_ldexp(double x, int k) {
    for (int i = 0; i < 2; i++) {
        if (k > 1023) x *= 0x1p1023, k -= 1023;
        if (k < -1022) x *= 0x1p-969, k += 969;
    }
    return x * wg_power_of_two(k > 1023 ? 1023 : k < -1022 ? -1022 : k);
}
WG_MATH_FN float __nv_ldexpf(float x, int k) {
    int limited = k < -400 ? -400 : k > 400 ? 400 : k;
    return (float)((double)x * wg_power_of_two(limited));
}
WG_MATH_FN double __nv_scalbn(double x, int k) { return __nv_ldexp(x, k); }
WG_MATH_FN float __nv_scalbnf(float x, int k) { return __nv_ldexpf(x, k); }

WG_MATH_FN double __nv_nextafter(double x, double y) {
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return wg_with_sign(0x1p-1074, y);
    return wg_from_bits(wg_bits(x) + ((x < y) == (x > 0) ? 1 : -1));
}
WG_MATH_FN float __nv_nextafterf(float x, float y) {
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return wg_with_signf(0x1p-149f, y);
    return wg_from_bitsf(wg_bitsf(x) + ((x < y) == (x > 0) ? 1 : -1));
}

/* ax mod ay for positive finite ax, ay. Each pass takes off the multiple q of ay * 2^k, with k so large that
 * q < 2^52. q may be one too large, never more; ax - q ay 2^k is a multiple of the last place of ay 2^k and
 * smaller than it, so the fma that computes it does not round. */
WG_MATH_FN double wg_remainder_of(double ax, double ay) {
    while (ax >= ay) {
        int gap = (int)(wg_bits(ax) >> 52) - (int)(wg_bits(ay) >> 52) - 50;
        if (gap < 0 || ay < 0x1p-1022) gap = 0;
        if (ay < 0x1p-1022 && ax >= 0x1p-970) gap = (int)(wg_bits(ax) >> 52) - 50;
        double step = wg_scale(ay, gap);
        ax = wg_fma(-__builtin_trunc(ax / step), step, ax);
        if (ax < 0) ax += step;
    }
    return ax;
}
WG_MATH_FN double __nv_fmod(double x, double y) {
    double ax = wg_abs(x), ay = wg_abs(y);
    if (!(ax < wg_infinity()) || !(ay > 0)) return wg_nan();
    return wg_with_sign(wg_remainder_of(ax, ay), x);
}
WG_MATH_FN float __nv_fmodf(float x, float y) {
    float ax = wg_absf(x), ay = wg_absf(y);
    if (!(ax < wg_infinityf()) || !(ay > 0)) return wg_nanf();
    return wg_with_signf((float)wg_remainder_of(ax, ay), x);
}
/* The quotient's three low bits are 4, 2 and 1 times ay, taken off in turn; then half an ay, ties to even. */
WG_MATH_FN double __nv_remquo(double x, double y, int *quotient) {
    double ax = wg_abs(x), ay = wg_abs(y);
    *quotient = 0;
    if (!(ax < wg_infinity()) || !(ay > 0)) return wg_nan();
    if (ay == wg_infinity()) return x;
    int q = 0;
    if (ay < 0x1p1020) ax = wg_remainder_of(ax, 8 * ay);
    for (int bit = 4; bit > 0; bit /= 2)
        if (bit * ay < wg_infinity() && ax >= bit * ay) ax -= bit * ay, q += bit;
    double other = ay - ax;
    if (ax > other || (ax == other && (q & 1))) ax -= ay, q++;
    *quotient = (wg_bits(x) ^ wg_bits(y)) >> 63 ? -(q & 7) : q & 7;
    return wg_bits(x) >> 63 ? -ax : ax;
}
WG_MATH_FN float __nv_remquof(float x, float y, int *quotient) {
    return (float)__nv_remquo((double)x, (double)y, quotient);
}
WG_MATH_FN double __nv_remainder(double x, double y) {
    int quotient;
    return __nv_remquo(x, y, &quotient);
}
WG_MATH_FN float __nv_remainderf(float x, float y) { return (float)__nv_remainder((double)x, (double)y); }

#endif
