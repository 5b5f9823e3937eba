/* logarithm.h: log, log2, log10, log1p, and pow, which needs a logarithm with its rounding error.
 *
 * x = 2^e m with m in [sqrt(1/2), sqrt(2)), s = (m - 1) / (m + 1), log(m) = 2 atanh(s).
 */
#ifndef WARPGLASS_MATH_LOGARITHM_H
#define WARPGLASS_MATH_LOGARITHM_H

#include "exponential.h"

#define WG_LN2_SHORT 0x1.62e42fefa3800p-1 /* 42 bits: times an exponent it is exact */
#define WG_LN2_REST  0x1.ef35793c76730p-45

/* m and e for a positive number; a subnormal is first made normal. */
WG_MATH_FN double wg_mantissa(double __x, int *__e) {
    bool __tiny = __x < 0x1p-1022;
    unsigned long long __bits = wg_bits(__tiny ? __x * 0x1p54 : __x);
    int __exponent = (int)((long long)(__bits - 0x3fe6a09e667f3bcdull) >> 52);
    *__e = __tiny ? __exponent - 54 : __exponent;
    return wg_from_bits(__bits - ((unsigned long long)(long long)__exponent << 52));
}

/* log(m) to about 2^-65 of itself. The first two terms of the series are added in double-double. */
WG_MATH_FN wg_two wg_log_of_mantissa(double __m) {
    wg_two __f = {__m - 1, 0}, __s = wg_quotient(__f, wg_sum(__m, 1));
    wg_two __z = wg_product(__s, __s), __third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    wg_two __inner = wg_sum_ordered(__third.__hi, __z.__hi * wg_poly_atanh_tail(__z.__hi));
    __inner.__lo += __third.__lo;
    wg_two __rest = wg_product(wg_product(__s, __z), __inner), __sum = wg_sum_ordered(__s.__hi, __rest.__hi);
    __sum.__lo += __s.__lo + __rest.__lo;
    wg_two __log = {2 * __sum.__hi, 2 * __sum.__lo};
    return __log;
}
/* log(x), x positive and finite, as hi + lo. */
WG_MATH_FN wg_two wg_log_parts(double __x) {
    int __e;
    wg_two __log = wg_log_of_mantissa(wg_mantissa(__x, &__e));
    wg_two __sum = wg_sum(__e * WG_LN2_SHORT, __log.__hi);
    __sum.__lo += wg_fma((double)__e, WG_LN2_REST, __log.__lo);
    return wg_sum_ordered(__sum.__hi, __sum.__lo);
}

/* What a logarithm is where the argument is not positive and finite. */
WG_MATH_FN double wg_log_special(double __x, double __y) {
    return __x > 0 ? (__x == wg_infinity() ? __x : __y) : __x == 0 ? -wg_infinity() : wg_nan();
}
WG_MATH_FN float wg_log_specialf(float __x, float __y) {
    return __x > 0 ? (__x == wg_infinityf() ? __x : __y) : __x == 0 ? -wg_infinityf() : wg_nanf();
}

WG_MATH_FN double __nv_log(double __x) {
    int __e;
    double __f = wg_mantissa(__x, &__e) - 1, __s = __f / (2 + __f), __z = __s * __s, __n = __e,
           __halved = 0.5 * __f * __f;
    double __tail = wg_fma(__s, __halved + 2 * __z * wg_poly_atanh(__z), __n * WG_LN2_REST);
    return wg_log_special(__x, wg_fma(__n, WG_LN2_SHORT, __f - (__halved - __tail)));
}
WG_MATH_FN double __nv_log2(double __x) {
    int __e;
    wg_two __to_base = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
    wg_two __log = wg_product(wg_log_of_mantissa(wg_mantissa(__x, &__e)), __to_base),
           __sum = wg_sum((double)__e, __log.__hi);
    return wg_log_special(__x, __sum.__hi + (__sum.__lo + __log.__lo));
}
WG_MATH_FN double __nv_log10(double __x) {
    int __e;
    wg_two __to_base = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
    wg_two __log = wg_product(wg_log_of_mantissa(wg_mantissa(__x, &__e)), __to_base);
    wg_two __sum =
        wg_sum(__e * 0x1.34413509f7800p-2, __log.__hi); /* log10(2) in 42 bits, and the rest of it */
    return wg_log_special(__x,
                          __sum.__hi + wg_fma((double)__e, 0x1.fef311f12b358p-46, __sum.__lo + __log.__lo));
}
/* log(1 + x) = log(u) + c / u where u is 1 + x rounded and c what was rounded away. */
WG_MATH_FN double __nv_log1p(double __x) {
    wg_two __u = wg_sum(1, __x);
    bool __plain = __u.__hi > 0 && __u.__hi < wg_infinity();
    wg_two __log = wg_log_parts(__plain ? __u.__hi : 1);
    double __y =
        wg_abs(__x) < 0x1p-54 ? __x : __log.__hi + (__log.__lo + (__plain ? __u.__lo / __u.__hi : 0));
    return __x == wg_infinity() ? __x : __x > -1 ? __y : __x == -1 ? -wg_infinity() : wg_nan();
}

/* x^y for x > 0: e^(y log x), the product in double-double. */
WG_MATH_FN double wg_pow_positive(double __x, double __y) {
    wg_two __log = wg_log_parts(__x), __t = wg_product(__y, __log.__hi);
    __t.__lo = wg_fma(__y, __log.__lo, __t.__lo);
    bool __outside = !(wg_abs(__t.__hi) < 750);
    double __hi = __outside ? wg_with_sign(750, __t.__hi) : __t.__hi;
    int __k;
    return wg_scale(wg_rounded(wg_exp_parts(__hi, __outside ? 0 : __t.__lo, &__k)), __k);
}
/* CUDA's (and C's) table of powers of 0, 1, infinities and negative numbers, around a result for |x|. F(2,
 * 52) and so on: an even number's half is an integer. */
#define WG_POW_SPECIAL(F, S, POSITIVE)                                                                       \
    F __ax = wg_abs##S(__x), __half_y = __y * (F)0.5;                                                        \
    bool __whole = __builtin_trunc##S(__y) == __y,                                                           \
         __odd = __whole && __builtin_trunc##S(__half_y) != __half_y;                                        \
    bool __y_infinite = wg_abs##S(__y) == wg_infinity##S();                                                  \
    bool __edge = __ax == 0 || __ax == wg_infinity##S() || __y_infinite || __x != __x || __y != __y;         \
    F __r = POSITIVE(__edge ? (F)1 : __ax, __edge ? (F)1 : __y);                                             \
    F __large = wg_infinity##S();                                                                            \
    __r = __ax == 0 ? (__y > 0 ? 0 : __large) : __ax == __large ? (__y > 0 ? __large : 0) : __r;             \
    __r = __y_infinite ? (__ax == 1 ? 1 : (__ax > 1) == (__y > 0) ? __large : 0) : __r;                      \
    __r = __builtin_signbit(__x) && __odd && !__y_infinite ? -__r : __r;                                     \
    __r = (__x < 0 && __ax < __large && !__whole) || __x != __x || __y != __y ? wg_nan##S() : __r;           \
    return __x == 1 || __y == 0 ? 1 : __r;
WG_MATH_FN double __nv_pow(double __x, double __y){WG_POW_SPECIAL(double, , wg_pow_positive)} WG_MATH_FN
    double __nv_powi(double __x, int __n) {
    return __nv_pow(__x, (double)__n);
}

/* Single precision. m in [2/3, 4/3), log(m) = f + f^2 polynomial(f), f = m - 1. */
WG_MATH_FN float wg_mantissaf(float __x, int *__e) {
    bool __tiny = __x < 0x1p-126f;
    unsigned int __bits = wg_bitsf(__tiny ? __x * 0x1p24f : __x);
    int __exponent = (int)(__bits - 0x3f2aaaabu) >> 23;
    *__e = __tiny ? __exponent - 24 : __exponent;
    return wg_from_bitsf(__bits - ((unsigned int)__exponent << 23));
}
WG_MATH_FN float __nv_logf(float __x) {
    int __e;
    float __f = wg_mantissaf(__x, &__e) - 1, __n = (float)__e;
    float __y = wg_fmaf(__f * __f, wg_poly_log_f(__f), wg_fmaf(__n, 0x1.7f7d1cp-20f, __f));
    return wg_log_specialf(__x, wg_fmaf(__n, 0x1.62e4p-1f, __y));
}
WG_MATH_FN float __nv_log2f(float __x) {
    int __e;
    float __f = wg_mantissaf(__x, &__e) - 1;
    float __tail = wg_fmaf(__f * __f, wg_poly_log2_f(__f), __f * 0x1.4ae0cp-26f);
    float __head = wg_mulf(__f, 0x1.715476p+0f), __lost = wg_fmaf(__f, 0x1.715476p+0f, -__head);
    /* e and head may cancel to half an e: their sum is taken with its rounding error. */
    float __n = (float)__e, __sum = wg_addf(__n, __head),
          __rest = __e == 0 ? 0 : wg_addf(wg_addf(__n, -__sum), __head);
    return wg_log_specialf(__x, __sum + (__rest + (__lost + __tail)));
}
WG_MATH_FN float wg_log10f(float __x) {
    int __e;
    float __f = wg_mantissaf(__x, &__e) - 1, __n = (float)__e;
    float __head = wg_mulf(__f, 0x1.bcb7b2p-2f), __lost = wg_fmaf(__f, 0x1.bcb7b2p-2f, -__head);
    float __tail = wg_fmaf(__f * __f * 0x1.bcb7b2p-2f, wg_poly_log_f(__f),
                           wg_fmaf(__n, -0x1.95ec1p-19f, __f * -0x1.5b235ep-27f));
    float __whole = wg_mulf(__n, 0x1.3442p-2f), __sum = wg_addf(__whole, __head);
    float __rest = __e == 0 ? 0 : wg_addf(wg_addf(__whole, -__sum), __head);
    return wg_log_specialf(__x, __sum + (__rest + (__lost + __tail)));
}
WG_MATH_FN float __nv_log1pf(float __x) { return (float)__nv_log1p((double)__x); }

/* 2^(y log2 x) with a logarithm of 40 bits in double. */
WG_MATH_FN float wg_pow_positivef(float __x, float __y) {
    int __e;
    double __f = (double)wg_mantissaf(__x, &__e) - 1,
           __t = (double)__y * ((double)__e + __f * wg_poly_log2_pow(__f));
    __t = __t > 200 ? 200 : __t < -200 ? -200 : __t;
    double __shifted = __t + WG_SHIFTER, __r = __t - (__shifted - WG_SHIFTER);
    return (float)(wg_poly_exp2_pow(__r) * wg_power_of_two(wg_shifted_integer(__shifted)));
}
WG_MATH_FN float wg_powf(float __x, float __y){WG_POW_SPECIAL(float, f, wg_pow_positivef)}
#undef WG_POW_SPECIAL

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
WG_MATH_FN float __nv_powf(float __x, float __y) {
    return __powf(__x, __y);
}
WG_MATH_FN float __nv_log10f(float __x) { return __log10f(__x); }
#else
WG_MATH_FN float __nv_powf(float __x, float __y) {
    return wg_powf(__x, __y);
}
WG_MATH_FN float __nv_log10f(float __x) { return wg_log10f(__x); }
#endif
WG_MATH_FN float __nv_powif(float __x, int __n) { return __nv_powf(__x, (float)__n); }

#endif
