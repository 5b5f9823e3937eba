/* exact.h: the functions whose results are exact: rounding to integers, remainders, taking numbers apart.
 *
 * Most are one PTX instruction each. The remainders are exact because every partial difference is: see
 * wg_remainder_of.
 */
#ifndef WARPGLASS_MATH_EXACT_H
#define WARPGLASS_MATH_EXACT_H

#include "primitives.h"

WG_MATH_FN int __nv_abs(int __x) { return __x < 0 ? -__x : __x; }
WG_MATH_FN long long __nv_llabs(long long __x) { return __x < 0 ? -__x : __x; }
WG_MATH_FN int __nv_min(int __x, int __y) { return __x < __y ? __x : __y; }
WG_MATH_FN int __nv_max(int __x, int __y) { return __x > __y ? __x : __y; }
WG_MATH_FN unsigned int __nv_umin(unsigned int __x, unsigned int __y) { return __x < __y ? __x : __y; }
WG_MATH_FN unsigned int __nv_umax(unsigned int __x, unsigned int __y) { return __x > __y ? __x : __y; }
WG_MATH_FN long long __nv_llmin(long long __x, long long __y) { return __x < __y ? __x : __y; }
WG_MATH_FN long long __nv_llmax(long long __x, long long __y) { return __x > __y ? __x : __y; }
WG_MATH_FN unsigned long long __nv_ullmin(unsigned long long __x, unsigned long long __y) {
    return __x < __y ? __x : __y;
}
WG_MATH_FN unsigned long long __nv_ullmax(unsigned long long __x, unsigned long long __y) {
    return __x > __y ? __x : __y;
}

/* The same text for float and double: F the type, S clang's suffix for builtins and ours for functions. */
#define WG_EXACT(F, S)                                                                                       \
    WG_MATH_FN F __nv_fabs##S(F __x) { return __builtin_fabs##S(__x); }                                      \
    WG_MATH_FN F __nv_ceil##S(F __x) { return __builtin_ceil##S(__x); }                                      \
    WG_MATH_FN F __nv_floor##S(F __x) { return __builtin_floor##S(__x); }                                    \
    WG_MATH_FN F __nv_trunc##S(F __x) { return __builtin_trunc##S(__x); }                                    \
    WG_MATH_FN F __nv_rint##S(F __x) { return __builtin_rint##S(__x); }                                      \
    WG_MATH_FN F __nv_copysign##S(F __x, F __y) { return __builtin_copysign##S(__x, __y); }                  \
    WG_MATH_FN F __nv_fma##S(F __x, F __y, F __z) { return __builtin_fma##S(__x, __y, __z); }                \
    WG_MATH_FN F __nv_sqrt##S(F __x) { return __builtin_sqrt##S(__x); }                                      \
    WG_MATH_FN F __nv_fmin##S(F __x, F __y) { return __builtin_fmin##S(__x, __y); }                          \
    WG_MATH_FN F __nv_fmax##S(F __x, F __y) { return __builtin_fmax##S(__x, __y); }                          \
    WG_MATH_FN F __nv_fdim##S(F __x, F __y) { return __x <= __y ? (F)0 : __x - __y; }                        \
    /* Halves go away from zero, and x + 1/2 would round where x is just under 1/2. */                       \
    WG_MATH_FN F __nv_round##S(F __x) {                                                                      \
        F __whole = __builtin_trunc##S(__x);                                                                 \
        F __away = __whole + __builtin_copysign##S((F)1, __x);                                               \
        return __builtin_copysign##S(__builtin_fabs##S(__x - __whole) >= (F)0.5 ? __away : __whole, __x);    \
    }                                                                                                        \
    WG_MATH_FN long long __nv_llrint##S(F __x) { return (long long)__builtin_rint##S(__x); }                 \
    WG_MATH_FN long long __nv_llround##S(F __x) { return (long long)__nv_round##S(__x); }                    \
    WG_MATH_FN F __nv_modf##S(F __x, F *__whole) {                                                           \
        *__whole = __builtin_trunc##S(__x);                                                                  \
        return __builtin_copysign##S(__builtin_isinf(__x) ? (F)0 : __x - *__whole, __x);                     \
    }
WG_EXACT(float, f)
WG_EXACT(double, )
#undef WG_EXACT

/* Exponents. A subnormal is first multiplied by 2^54 (2^25 for float), which makes it normal. */
WG_MATH_FN double __nv_frexp(double __x, int *__exponent) {
    bool __tiny = wg_abs(__x) < 0x1p-1022, __plain = __x != 0 && wg_abs(__x) < wg_infinity();
    unsigned long long __bits = wg_bits(__tiny ? __x * 0x1p54 : __x);
    *__exponent = __plain ? (int)(__bits >> 52 & 0x7ff) - 1022 - (__tiny ? 54 : 0) : 0;
    return __plain ? wg_from_bits((__bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull) : __x + __x;
}
WG_MATH_FN float __nv_frexpf(float __x, int *__exponent) {
    return (float)__nv_frexp((double)__x, __exponent);
}

WG_MATH_FN int __nv_ilogb(double __x) {
    int __exponent;
    __nv_frexp(__x, &__exponent);
    if (__x != __x) return -2147483647 - 1;
    return __x == 0 ? -2147483647 - 1 : wg_abs(__x) == wg_infinity() ? 2147483647 : __exponent - 1;
}
WG_MATH_FN int __nv_ilogbf(float __x) { return __nv_ilogb((double)__x); }
WG_MATH_FN double __nv_logb(double __x) {
    if (__x != __x) return __x;
    return __x == 0 ? -wg_infinity() : wg_abs(__x) == wg_infinity() ? wg_infinity() : (double)__nv_ilogb(__x);
}
WG_MATH_FN float __nv_logbf(float __x) { return (float)__nv_logb((double)__x); }

/* x 2^k in steps that a double can hold. Downward a step leaves 53 places in hand: where it loses bits all
 * the same, the result is zero anyway, so only the last multiplication rounds. */
WG_MATH_FN double __nv_ldexp(double __x, int __k) {
    for (int __i = 0; __i < 2; __i++) {
        if (__k > 1023) __x *= 0x1p1023, __k -= 1023;
        if (__k < -1022) __x *= 0x1p-969, __k += 969;
    }
    return __x * wg_power_of_two(__k > 1023 ? 1023 : __k < -1022 ? -1022 : __k);
}
WG_MATH_FN float __nv_ldexpf(float __x, int __k) {
    int __limited = __k < -400 ? -400 : __k > 400 ? 400 : __k;
    return (float)((double)__x * wg_power_of_two(__limited));
}
WG_MATH_FN double __nv_scalbn(double __x, int __k) { return __nv_ldexp(__x, __k); }
WG_MATH_FN float __nv_scalbnf(float __x, int __k) { return __nv_ldexpf(__x, __k); }

WG_MATH_FN double __nv_nextafter(double __x, double __y) {
    if (__x != __x || __y != __y) return __x + __y;
    if (__x == __y) return __y;
    if (__x == 0) return wg_with_sign(0x1p-1074, __y);
    return wg_from_bits(wg_bits(__x) + ((__x < __y) == (__x > 0) ? 1 : -1));
}
WG_MATH_FN float __nv_nextafterf(float __x, float __y) {
    if (__x != __x || __y != __y) return __x + __y;
    if (__x == __y) return __y;
    if (__x == 0) return wg_with_signf(0x1p-149f, __y);
    return wg_from_bitsf(wg_bitsf(__x) + ((__x < __y) == (__x > 0) ? 1 : -1));
}

/* ax mod ay for positive finite ax, ay. Each pass takes off the multiple q of ay * 2^k, with k so large that
 * q < 2^52. q may be one too large, never more; ax - q ay 2^k is a multiple of the last place of ay 2^k and
 * smaller than it, so the fma that computes it does not round. */
WG_MATH_FN double wg_remainder_of(double __ax, double __ay) {
    while (__ax >= __ay) {
        int __gap = (int)(wg_bits(__ax) >> 52) - (int)(wg_bits(__ay) >> 52) - 50;
        if (__gap < 0 || __ay < 0x1p-1022) __gap = 0;
        if (__ay < 0x1p-1022 && __ax >= 0x1p-970) __gap = (int)(wg_bits(__ax) >> 52) - 50;
        double __step = wg_scale(__ay, __gap);
        __ax = wg_fma(-__builtin_trunc(__ax / __step), __step, __ax);
        if (__ax < 0) __ax += __step;
    }
    return __ax;
}
WG_MATH_FN double __nv_fmod(double __x, double __y) {
    double __ax = wg_abs(__x), __ay = wg_abs(__y);
    if (!(__ax < wg_infinity()) || !(__ay > 0)) return wg_nan();
    return wg_with_sign(wg_remainder_of(__ax, __ay), __x);
}
WG_MATH_FN float __nv_fmodf(float __x, float __y) {
    float __ax = wg_absf(__x), __ay = wg_absf(__y);
    if (!(__ax < wg_infinityf()) || !(__ay > 0)) return wg_nanf();
    return wg_with_signf((float)wg_remainder_of(__ax, __ay), __x);
}
/* The quotient's three low bits are 4, 2 and 1 times ay, taken off in turn; then half an ay, ties to even. */
WG_MATH_FN double __nv_remquo(double __x, double __y, int *__quotient) {
    double __ax = wg_abs(__x), __ay = wg_abs(__y);
    *__quotient = 0;
    if (!(__ax < wg_infinity()) || !(__ay > 0)) return wg_nan();
    if (__ay == wg_infinity()) return __x;
    int __q = 0;
    if (__ay < 0x1p1020) __ax = wg_remainder_of(__ax, 8 * __ay);
    for (int __bit = 4; __bit > 0; __bit /= 2)
        if (__bit * __ay < wg_infinity() && __ax >= __bit * __ay) __ax -= __bit * __ay, __q += __bit;
    double __other = __ay - __ax;
    if (__ax > __other || (__ax == __other && (__q & 1))) __ax -= __ay, __q++;
    *__quotient = (wg_bits(__x) ^ wg_bits(__y)) >> 63 ? -(__q & 7) : __q & 7;
    return wg_bits(__x) >> 63 ? -__ax : __ax;
}
WG_MATH_FN float __nv_remquof(float __x, float __y, int *__quotient) {
    return (float)__nv_remquo((double)__x, (double)__y, __quotient);
}
WG_MATH_FN double __nv_remainder(double __x, double __y) {
    int __quotient;
    return __nv_remquo(__x, __y, &__quotient);
}
WG_MATH_FN float __nv_remainderf(float __x, float __y) {
    return (float)__nv_remainder((double)__x, (double)__y);
}

#endif
