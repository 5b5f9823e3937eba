/* circular.h: sin, cos, tan, their forms times pi, and the reduction of large arguments.
 *
 * x = n pi/2 + r with |r| <= pi/4. Up to 2^30 (double) and 2^17 (float) n pi/2 is taken off in three parts;
 * beyond, the bits of 2/pi that matter are multiplied out in integers (Payne and Hanek): rare, long, and
 * therefore a function.
 */
#ifndef WARPGLASS_MATH_CIRCULAR_H
#define WARPGLASS_MATH_CIRCULAR_H

#include "polynomials.h"

#if !defined(WG_MATH_RARE)
#define WG_MATH_RARE WG_MATH_FN __attribute__((__noinline__))
#endif

#define WG_PI_HI        0x1.921fb54442d18p+1
#define WG_PI_LO        0x1.1a62633145c07p-53
#define WG_HALF_PI_HI   0x1.921fb54442d18p+0
#define WG_HALF_PI_LO   0x1.1a62633145c07p-54
#define WG_HALF_PI_LAST -0x1.f1976b7ed8fbcp-110

WG_MATH_FN unsigned long long wg_high_half(unsigned long long __x, unsigned long long __y) {
    return (unsigned long long)((unsigned __int128)__x * __y >> 64);
}

/* r and the number of the quadrant it was taken from. */
struct wg_reduced {
    wg_two __r;
    int __quadrant;
};

/* |x| >= 2^30. With x = m 2^e and T the bits of 2/pi behind 64 zeros, bit t of T has weight 2^(63 - t), so
 * the bits before t = e + 62 add multiples of 4 to x 2/pi, and 192 bits from there hold the quadrant (2 bits)
 * and 126 bits of fraction, of which cancellation takes 62 at the most. */
WG_MATH_RARE wg_reduced wg_reduce_large(double __x) {
    const unsigned long long __two_over_pi[] = {
        0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
        0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
        0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
        0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
        0xf0cfbc209af4361d};
    if (!(wg_abs(__x) < wg_infinity())) {
        wg_reduced __none = {{wg_nan(), 0}, 0};
        return __none;
    }
    unsigned long long __bits = wg_bits(__x), __m = (__bits & 0xfffffffffffffull) | 0x10000000000000ull,
                       __part[3];
    int __start = (int)(__bits >> 52 & 0x7ff) - 1075 + 62, __word = __start >> 6, __shift = __start & 63;
#pragma unroll
    for (int __i = 0; __i < 3; __i++)
        __part[__i] =
            __two_over_pi[__word + __i] << __shift | __two_over_pi[__word + __i + 1] >> 1 >> (63 - __shift);
    unsigned long long __mid = __m * __part[1], __carried = __mid + wg_high_half(__m, __part[2]);
    unsigned long long __top = __m * __part[0] + wg_high_half(__m, __part[1]) + (__carried < __mid);

    /* Drop the quadrant; what is left, as a signed fraction of a quadrant, lies in [-1/2, 1/2). */
    unsigned long long __high = __top << 2 | __carried >> 62, __low = __carried << 2;
    bool __negative = __high >> 63;
    int __n = (int)(__top >> 62) + __negative;
    if (__negative) {
        __low = 0 - __low;
        __high = ~__high + (__low == 0);
    }
    wg_two __fraction =
        wg_sum((double)(__high & 0xffffffff00000000ull) * 0x1p-64, (double)(__high & 0xffffffff) * 0x1p-64);
    __fraction.__lo += (double)__low * 0x1p-128;
    wg_two __half_pi = {WG_HALF_PI_HI, WG_HALF_PI_LO},
           __r = wg_product(wg_sum_ordered(__fraction.__hi, __fraction.__lo), __half_pi);
    bool __flip = __negative != (bool)(__bits >> 63);
    wg_reduced __result = {{__flip ? -__r.__hi : __r.__hi, __flip ? -__r.__lo : __r.__lo},
                           __bits >> 63 ? -__n : __n};
    return __result;
}

WG_MATH_FN wg_reduced wg_reduce(double __x) {
    double __shifted = wg_fma(__x, 0x1.45f306dc9c883p-1, WG_SHIFTER), __n = __shifted - WG_SHIFTER;
    double __first = wg_fma(-__n, WG_HALF_PI_HI, __x);
    wg_two __second = wg_product(__n, WG_HALF_PI_LO);
    wg_reduced __result;
    __result.__r.__hi = wg_add(__first, -__second.__hi);
    __result.__r.__lo = wg_add(wg_add(__first, -__result.__r.__hi), -__second.__hi);
    __result.__r.__lo = wg_fma(-__n, WG_HALF_PI_LAST, __result.__r.__lo - __second.__lo);
    __result.__quadrant = wg_shifted_integer(__shifted);
    if (!(wg_abs(__x) < 0x1p30)) __result = wg_reduce_large(__x);
    return __result;
}

/* sin and cos of r.hi + r.lo in [-pi/4, pi/4]. */
WG_MATH_FN double wg_sin_kernel(wg_two __r) {
    double __z = __r.__hi * __r.__hi;
    return __r.__hi + wg_fma(__r.__hi * __z, wg_poly_sin(__z), wg_fma(-0.5 * __z, __r.__lo, __r.__lo));
}
WG_MATH_FN double wg_cos_kernel(wg_two __r) {
    double __z = __r.__hi * __r.__hi, __halved = 0.5 * __z, __w = 1 - __halved;
    return __w + (((1 - __w) - __halved) + wg_fma(__z * __z, wg_poly_cos(__z), -__r.__hi * __r.__lo));
}
/* The value at n quadrants further: sin, cos, -sin, -cos, ... */
WG_MATH_FN double wg_quadrant(double __sine, double __cosine, int __n) {
    double __v = __n & 1 ? __cosine : __sine;
    return __n & 2 ? -__v : __v;
}
WG_MATH_FN double __nv_sin(double __x) {
    wg_reduced __reduced = wg_reduce(__x);
    wg_two __r = __reduced.__r;
    int __n = __reduced.__quadrant;
    double __v = wg_quadrant(wg_sin_kernel(__r), wg_cos_kernel(__r), __n);
    return __x == 0 ? __x : __v;
}
WG_MATH_FN double __nv_cos(double __x) {
    wg_reduced __reduced = wg_reduce(__x);
    wg_two __r = __reduced.__r;
    int __n = __reduced.__quadrant;
    return wg_quadrant(wg_sin_kernel(__r), wg_cos_kernel(__r), __n + 1);
}
WG_MATH_FN void __nv_sincos(double __x, double *__sine, double *__cosine) {
    wg_reduced __reduced = wg_reduce(__x);
    wg_two __r = __reduced.__r;
    int __n = __reduced.__quadrant;
    double __s = wg_sin_kernel(__r), __c = wg_cos_kernel(__r);
    *__sine = __x == 0 ? __x : wg_quadrant(__s, __c, __n);
    *__cosine = wg_quadrant(__s, __c, __n + 1);
}
WG_MATH_FN double __nv_tan(double __x) {
    wg_reduced __reduced = wg_reduce(__x);
    wg_two __r = __reduced.__r;
    int __n = __reduced.__quadrant;
    double __s = wg_sin_kernel(__r), __c = wg_cos_kernel(__r);
    double __v = __n & 1 ? -__c / __s : __s / __c;
    return __x == 0 ? __x : __v;
}

/* Times pi: the quadrant is exact, x = n/2 + r with |r| <= 1/4, after multiples of 2 are gone. */
WG_MATH_FN wg_two wg_reduce_pi(double __x, int *__quadrant) {
    double __near = wg_fma(-2, __builtin_rint(0.5 * __x), __x), __shifted = 2 * __near + WG_SHIFTER;
    double __r = wg_fma(-0.5, __shifted - WG_SHIFTER, __near);
    wg_two __pi = {WG_PI_HI, WG_PI_LO}, __part = {__r, 0};
    *__quadrant = wg_shifted_integer(__shifted);
    return wg_product(__part, __pi);
}
WG_MATH_FN void __nv_sincospi(double __x, double *__sine, double *__cosine) {
    int __n;
    wg_two __r = wg_reduce_pi(__x, &__n);
    double __s = wg_sin_kernel(__r), __c = wg_cos_kernel(__r), __v = wg_quadrant(__s, __c, __n);
    *__sine = __v == 0 ? wg_with_sign(0, __x) : __v; /* at integers the sign of x, as IEEE 754 asks */
    *__cosine = wg_quadrant(__s, __c, __n + 1) + 0.0;
}
WG_MATH_FN double __nv_sinpi(double __x) {
    double __sine, __cosine;
    __nv_sincospi(__x, &__sine, &__cosine);
    return __sine;
}
WG_MATH_FN double __nv_cospi(double __x) {
    double __sine, __cosine;
    __nv_sincospi(__x, &__sine, &__cosine);
    return __cosine;
}

/* Single precision. pi/2 in parts of 20, 22 and 24 bits: n times the first two is exact for |n| < 2^17. */
struct wg_reducedf {
    float __r, __low;
    int __quadrant;
};
WG_MATH_RARE wg_reducedf wg_reduce_largef(float __x) {
    wg_reduced __reduced = wg_reduce((double)__x);
    float __r = (float)__reduced.__r.__hi;
    wg_reducedf __result = {__r, (float)(__reduced.__r.__hi - (double)__r), __reduced.__quadrant};
    return __result;
}
WG_MATH_FN wg_reducedf wg_reducef(float __x) {
    float __shifted = wg_fmaf(__x, 0x1.45f306p-1f, WG_SHIFTERF), __n = __shifted - WG_SHIFTERF;
    float __first = wg_fmaf(-__n, 0x1.921fcp+0f, __x);
    float __second = wg_mulf(__n, -0x1.5777a8p-21f), __lost = wg_fmaf(__n, -0x1.5777a8p-21f, -__second);
    float __r = wg_addf(__first, -__second), __low = wg_addf(wg_addf(__first, -__r), -__second);
    __low = wg_fmaf(-__n, 0x1.184698p-44f, __low - __lost);
    wg_reducedf __result = {__r, __low, wg_shifted_integerf(__shifted)};
    if (!(wg_absf(__x) < 0x1p17f)) __result = wg_reduce_largef(__x);
    return __result;
}
/* sin and cos of r + low; z = r^2. */
WG_MATH_FN float wg_sin_kernelf(float __r, float __low, float __z) {
    return __r + wg_fmaf(__r * __z, wg_poly_sin_f(__z), __low);
}
WG_MATH_FN float wg_cos_kernelf(float __r, float __low, float __z) {
    return wg_fmaf(-0.5f, __z, 1) + wg_fmaf(__z * __z, wg_poly_cos_f(__z), -__r * __low);
}
/* To less than 1 ulp: with what the roundings of 1 - z/2 lose. */
WG_MATH_FN float wg_cos_kernel_exactf(float __r, float __low, float __z) {
    float __halved = 0.5f * __z, __w = 1 - __halved,
          __lost = (1 - __w) - __halved - 0.5f * wg_fmaf(__r, __r, -__z);
    return __w + (__lost + wg_fmaf(__z * __z, wg_poly_cos_f(__z), -__r * __low));
}
WG_MATH_FN float wg_quadrantf(float __sine, float __cosine, int __n) {
    float __v = __n & 1 ? __cosine : __sine;
    return __n & 2 ? -__v : __v;
}
WG_MATH_FN float __nv_sinf(float __x) {
    wg_reducedf __reduced = wg_reducef(__x);
    int __n = __reduced.__quadrant;
    float __r = __reduced.__r, __low = __reduced.__low, __z = __r * __r,
          __v = wg_quadrantf(wg_sin_kernelf(__r, __low, __z), wg_cos_kernelf(__r, __low, __z), __n);
    return __x == 0 ? __x : __v;
}
WG_MATH_FN float __nv_cosf(float __x) {
    wg_reducedf __reduced = wg_reducef(__x);
    int __n = __reduced.__quadrant;
    float __r = __reduced.__r, __low = __reduced.__low, __z = __r * __r;
    return wg_quadrantf(wg_sin_kernelf(__r, __low, __z), wg_cos_kernelf(__r, __low, __z), __n + 1);
}
WG_MATH_FN void __nv_sincosf(float __x, float *__sine, float *__cosine) {
    wg_reducedf __reduced = wg_reducef(__x);
    int __n = __reduced.__quadrant;
    float __r = __reduced.__r, __low = __reduced.__low, __z = __r * __r,
          __s = wg_sin_kernelf(__r, __low, __z), __c = wg_cos_kernelf(__r, __low, __z);
    *__sine = __x == 0 ? __x : wg_quadrantf(__s, __c, __n);
    *__cosine = wg_quadrantf(__s, __c, __n + 1);
}
WG_MATH_FN float wg_tanf(float __x) {
    wg_reducedf __reduced = wg_reducef(__x);
    int __n = __reduced.__quadrant;
    float __r = __reduced.__r, __low = __reduced.__low, __z = __r * __r,
          __s = wg_sin_kernelf(__r, __low, __z), __c = wg_cos_kernelf(__r, __low, __z);
    float __v = __n & 1 ? -__c / __s : __s / __c;
    return __x == 0 ? __x : __v;
}
WG_MATH_FN void __nv_sincospif(float __x, float *__sine, float *__cosine) {
    float __near = wg_fmaf(-2, __builtin_rintf(0.5f * __x), __x), __shifted = 2 * __near + WG_SHIFTERF;
    float __t = wg_fmaf(-0.5f, __shifted - WG_SHIFTERF, __near), __r = wg_mulf(__t, 0x1.921fb6p+1f);
    float __low = wg_fmaf(__t, 0x1.921fb6p+1f, -__r) +
                  __t * -0x1.777a5cp-24f; /* t times what pi is less than the float */
    float __z = __r * __r, __s = wg_sin_kernelf(__r, __low, __z), __c = wg_cos_kernel_exactf(__r, __low, __z);
    int __n = wg_shifted_integerf(__shifted);
    float __v = wg_quadrantf(__s, __c, __n);
    *__sine = __v == 0 ? wg_with_signf(0, __x) : __v;
    *__cosine = wg_quadrantf(__s, __c, __n + 1) + 0.0f;
}
WG_MATH_FN float __nv_sinpif(float __x) {
    float __sine, __cosine;
    __nv_sincospif(__x, &__sine, &__cosine);
    return __sine;
}
WG_MATH_FN float __nv_cospif(float __x) {
    float __sine, __cosine;
    __nv_sincospif(__x, &__sine, &__cosine);
    return __cosine;
}

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
WG_MATH_FN float __nv_tanf(float __x) { return __tanf(__x); }
#else
WG_MATH_FN float __nv_tanf(float __x) { return wg_tanf(__x); }
#endif

#endif
