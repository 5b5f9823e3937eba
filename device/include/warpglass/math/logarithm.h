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
WG_MATH_FN double wg_mantissa(double x, int *e) {
    bool tiny = x < 0x1p-1022;
    unsigned long long bits = wg_bits(tiny ? x * 0x1p54 : x);
    int exponent = (int)((long long)(bits - 0x3fe6a09e667f3bcdull) >> 52);
    *e = tiny ? exponent - 54 : exponent;
    return wg_from_bits(bits - ((unsigned long long)(long long)exponent << 52));
}

/* log(m) to about 2^-65 of itself. The first two terms of the series are added in double-double. */
WG_MATH_FN wg_two wg_log_of_mantissa(double m) {
    wg_two f = {m - 1, 0}, s = wg_quotient(f, wg_sum(m, 1));
    wg_two z = wg_product(s, s), third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    wg_two inner = wg_sum_ordered(third.hi, z.hi * wg_poly_atanh_tail(z.hi));
    inner.lo += third.lo;
    wg_two rest = wg_product(wg_product(s, z), inner), sum = wg_sum_ordered(s.hi, rest.hi);
    sum.lo += s.lo + rest.lo;
    wg_two log = {2 * sum.hi, 2 * sum.lo};
    return log;
}
/* log(x), x positive and finite, as hi + lo. */
WG_MATH_FN wg_two wg_log_parts(double x) {
    int e;
    wg_two log = wg_log_of_mantissa(wg_mantissa(x, &e));
    wg_two sum = wg_sum(e * WG_LN2_SHORT, log.hi);
    sum.lo += wg_fma((double)e, WG_LN2_REST, log.lo);
    return wg_sum_ordered(sum.hi, sum.lo);
}

/* What a logarithm is where the argument is not positive and finite. */
WG_MATH_FN double wg_log_special(double x, double y) {
    return x > 0 ? (x == wg_infinity() ? x : y) : x == 0 ? -wg_infinity() : wg_nan();
}
WG_MATH_FN float wg_log_specialf(float x, float y) {
    return x > 0 ? (x == wg_infinityf() ? x : y) : x == 0 ? -wg_infinityf() : wg_nanf();
}

WG_MATH_FN double __nv_log(double x) {
    int e;
    double f = wg_mantissa(x, &e) - 1, s = f / (2 + f), z = s * s, n = e, half = 0.5 * f * f;
    double tail = wg_fma(s, half + 2 * z * wg_poly_atanh(z), n * WG_LN2_REST);
    return wg_log_special(x, wg_fma(n, WG_LN2_SHORT, f - (half - tail)));
}
WG_MATH_FN double __nv_log2(double x) {
    int e;
    wg_two to_base = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
    wg_two log = wg_product(wg_log_of_mantissa(wg_mantissa(x, &e)), to_base), sum = wg_sum((double)e, log.hi);
    return wg_log_special(x, sum.hi + (sum.lo + log.lo));
}
WG_MATH_FN double __nv_log10(double x) {
    int e;
    wg_two to_base = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
    wg_two log = wg_product(wg_log_of_mantissa(wg_mantissa(x, &e)), to_base);
    wg_two sum = wg_sum(e * 0x1.34413509f7800p-2, log.hi); /* log10(2) in 42 bits, and the rest of it */
    return wg_log_special(x, sum.hi + wg_fma((double)e, 0x1.fef311f12b358p-46, sum.lo + log.lo));
}
/* log(1 + x) = log(u) + c / u where u is 1 + x rounded and c what was rounded away. */
WG_MATH_FN double __nv_log1p(double x) {
    wg_two u = wg_sum(1, x);
    bool plain = u.hi > 0 && u.hi < wg_infinity();
    wg_two log = wg_log_parts(plain ? u.hi : 1);
    double y = wg_abs(x) < 0x1p-54 ? x : log.hi + (log.lo + (plain ? u.lo / u.hi : 0));
    return x == wg_infinity() ? x : x > -1 ? y : x == -1 ? -wg_infinity() : wg_nan();
}

/* x^y for x > 0: e^(y log x), the product in double-double. */
WG_MATH_FN double wg_pow_positive(double x, double y) {
    wg_two log = wg_log_parts(x), t = wg_product(y, log.hi);
    t.lo = wg_fma(y, log.lo, t.lo);
    bool outside = !(wg_abs(t.hi) < 750);
    double hi = outside ? wg_with_sign(750, t.hi) : t.hi;
    int k;
    return wg_scale(wg_rounded(wg_exp_parts(hi, outside ? 0 : t.lo, &k)), k);
}
/* CUDA's (and C's) table of powers of 0, 1, infinities and negative numbers, around a result for |x|. F(2,
 * 52) and so on: an even number's half is an integer. */
#define WG_POW_SPECIAL(F, S, POSITIVE)                                                                       \
    F ax = wg_abs##S(x), half = y * (F)0.5;                                                                  \
    bool whole = __builtin_trunc##S(y) == y, odd = whole && __builtin_trunc##S(half) != half;                \
    bool y_infinite = wg_abs##S(y) == wg_infinity##S();                                                      \
    bool edge = ax == 0 || ax == wg_infinity##S() || y_infinite || x != x || y != y;                         \
    F r = POSITIVE(edge ? (F)1 : ax, edge ? (F)1 : y);                                                       \
    F large = wg_infinity##S();                                                                              \
    r = ax == 0 ? (y > 0 ? 0 : large) : ax == large ? (y > 0 ? large : 0) : r;                               \
    r = y_infinite ? (ax == 1 ? 1 : (ax > 1) == (y > 0) ? large : 0) : r;                                    \
    r = __builtin_signbit(x) && odd && !y_infinite ? -r : r;                                                 \
    r = (x < 0 && ax < large && !whole) || x != x || y != y ? wg_nan##S() : r;                               \
    return x == 1 || y == 0 ? 1 : r;
WG_MATH_FN double __nv_pow(double x, double y){WG_POW_SPECIAL(double, , wg_pow_positive)} WG_MATH_FN
    double __nv_powi(double x, int n) {
    return __nv_pow(x, (double)n);
}

/* Single precision. m in [2/3, 4/3), log(m) = f + f^2 polynomial(f), f = m - 1. */
WG_MATH_FN float wg_mantissaf(float x, int *e) {
    bool tiny = x < 0x1p-126f;
    unsigned int bits = wg_bitsf(tiny ? x * 0x1p24f : x);
    int exponent = (int)(bits - 0x3f2aaaabu) >> 23;
    *e = tiny ? exponent - 24 : exponent;
    return wg_from_bitsf(bits - ((unsigned int)exponent << 23));
}
WG_MATH_FN float __nv_logf(float x) {
    int e;
    float f = wg_mantissaf(x, &e) - 1, n = (float)e;
    float y = wg_fmaf(f * f, wg_poly_log_f(f), wg_fmaf(n, 0x1.7f7d1cp-20f, f));
    return wg_log_specialf(x, wg_fmaf(n, 0x1.62e4p-1f, y));
}
WG_MATH_FN float __nv_log2f(float x) {
    int e;
    float f = wg_mantissaf(x, &e) - 1;
    float tail = wg_fmaf(f * f, wg_poly_log2_f(f), f * 0x1.4ae0cp-26f);
    float head = wg_mulf(f, 0x1.715476p+0f), lost = wg_fmaf(f, 0x1.715476p+0f, -head);
    /* e and head may cancel to half an e: their sum is taken with its rounding error. */
    float n = (float)e, sum = wg_addf(n, head), rest = e == 0 ? 0 : wg_addf(wg_addf(n, -sum), head);
    return wg_log_specialf(x, sum + (rest + (lost + tail)));
}
WG_MATH_FN float wg_log10f(float x) {
    int e;
    float f = wg_mantissaf(x, &e) - 1, n = (float)e;
    float head = wg_mulf(f, 0x1.bcb7b2p-2f), lost = wg_fmaf(f, 0x1.bcb7b2p-2f, -head);
    float tail =
        wg_fmaf(f * f * 0x1.bcb7b2p-2f, wg_poly_log_f(f), wg_fmaf(n, -0x1.95ec1p-19f, f * -0x1.5b235ep-27f));
    float whole = wg_mulf(n, 0x1.3442p-2f), sum = wg_addf(whole, head);
    float rest = e == 0 ? 0 : wg_addf(wg_addf(whole, -sum), head);
    return wg_log_specialf(x, sum + (rest + (lost + tail)));
}
WG_MATH_FN float __nv_log1pf(float x) { return (float)__nv_log1p((double)x); }

/* 2^(y log2 x) with a logarithm of 40 bits in double. */
WG_MATH_FN float wg_pow_positivef(float x, float y) {
    int e;
    double f = (double)wg_mantissaf(x, &e) - 1, t = (double)y * ((double)e + f * wg_poly_log2_pow(f));
    t = t > 200 ? 200 : t < -200 ? -200 : t;
    double shifted = t + WG_SHIFTER, r = t - (shifted - WG_SHIFTER);
    return (float)(wg_poly_exp2_pow(r) * wg_power_of_two(wg_shifted_integer(shifted)));
}
WG_MATH_FN float wg_powf(float x, float y){WG_POW_SPECIAL(float, f, wg_pow_positivef)}
#undef WG_POW_SPECIAL

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
WG_MATH_FN float __nv_powf(float x, float y) {
    return __powf(x, y);
}
WG_MATH_FN float __nv_log10f(float x) { return __log10f(x); }
#else
WG_MATH_FN float __nv_powf(float x, float y) {
    return wg_powf(x, y);
}
WG_MATH_FN float __nv_log10f(float x) { return wg_log10f(x); }
#endif
WG_MATH_FN float __nv_powif(float x, int n) { return __nv_powf(x, (float)n); }

#endif
