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
#define WG_MATH_RARE WG_MATH_FN __attribute__((noinline))
#endif

#define WG_PI_HI        0x1.921fb54442d18p+1
#define WG_PI_LO        0x1.1a62633145c07p-53
#define WG_HALF_PI_HI   0x1.921fb54442d18p+0
#define WG_HALF_PI_LO   0x1.1a62633145c07p-54
#define WG_HALF_PI_LAST -0x1.f1976b7ed8fbcp-110

WG_MATH_FN unsigned long long wg_high_half(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}

/* r and the number of the quadrant it was taken from. */
struct wg_reduced {
    wg_two r;
    int quadrant;
};

/* |x| >= 2^30. With x = m 2^e and T the bits of 2/pi behind 64 zeros, bit t of T has weight 2^(63 - t), so
 * the bits before t = e + 62 add multiples of 4 to x 2/pi, and 192 bits from there hold the quadrant (2 bits)
 * and 126 bits of fraction, of which cancellation takes 62 at the most. */
WG_MATH_RARE wg_reduced wg_reduce_large(double x) {
    const unsigned long long two_over_pi[] = {
        0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
        0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
        0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
        0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
        0xf0cfbc209af4361d};
    if (!(wg_abs(x) < wg_infinity())) {
        wg_reduced none = {{wg_nan(), 0}, 0};
        return none;
    }
    unsigned long long bits = wg_bits(x), m = (bits & 0xfffffffffffffull) | 0x10000000000000ull, part[3];
    int start = (int)(bits >> 52 & 0x7ff) - 1075 + 62, word = start >> 6, shift = start & 63;
#pragma unroll
    for (int i = 0; i < 3; i++)
        part[i] = two_over_pi[word + i] << shift | two_over_pi[word + i + 1] >> 1 >> (63 - shift);
    unsigned long long mid = m * part[1], carried = mid + wg_high_half(m, part[2]);
    unsigned long long top = m * part[0] + wg_high_half(m, part[1]) + (carried < mid);

    /* Drop the quadrant; what is left, as a signed fraction of a quadrant, lies in [-1/2, 1/2). */
    unsigned long long high = top << 2 | carried >> 62, low = carried << 2;
    bool negative = high >> 63;
    int n = (int)(top >> 62) + negative;
    if (negative) {
        low = 0 - low;
        high = ~high + (low == 0);
    }
    wg_two fraction =
        wg_sum((double)(high & 0xffffffff00000000ull) * 0x1p-64, (double)(high & 0xffffffff) * 0x1p-64);
    fraction.lo += (double)low * 0x1p-128;
    wg_two half_pi = {WG_HALF_PI_HI, WG_HALF_PI_LO},
           r = wg_product(wg_sum_ordered(fraction.hi, fraction.lo), half_pi);
    bool flip = negative != (bool)(bits >> 63);
    wg_reduced result = {{flip ? -r.hi : r.hi, flip ? -r.lo : r.lo}, bits >> 63 ? -n : n};
    return result;
}

WG_MATH_FN wg_reduced wg_reduce(double x) {
    double shifted = wg_fma(x, 0x1.45f306dc9c883p-1, WG_SHIFTER), n = shifted - WG_SHIFTER;
    double first = wg_fma(-n, WG_HALF_PI_HI, x);
    wg_two second = wg_product(n, WG_HALF_PI_LO);
    wg_reduced result;
    result.r.hi = wg_add(first, -second.hi);
    result.r.lo = wg_add(wg_add(first, -result.r.hi), -second.hi);
    result.r.lo = wg_fma(-n, WG_HALF_PI_LAST, result.r.lo - second.lo);
    result.quadrant = wg_shifted_integer(shifted);
    if (!(wg_abs(x) < 0x1p30)) result = wg_reduce_large(x);
    return result;
}

/* sin and cos of r.hi + r.lo in [-pi/4, pi/4]. */
WG_MATH_FN double wg_sin_kernel(wg_two r) {
    double z = r.hi * r.hi;
    return r.hi + wg_fma(r.hi * z, wg_poly_sin(z), wg_fma(-0.5 * z, r.lo, r.lo));
}
WG_MATH_FN double wg_cos_kernel(wg_two r) {
    double z = r.hi * r.hi, half = 0.5 * z, w = 1 - half;
    return w + (((1 - w) - half) + wg_fma(z * z, wg_poly_cos(z), -r.hi * r.lo));
}
/* The value at n quadrants further: sin, cos, -sin, -cos, ... */
WG_MATH_FN double wg_quadrant(double sine, double cosine, int n) {
    double v = n & 1 ? cosine : sine;
    return n & 2 ? -v : v;
}
WG_MATH_FN double __nv_sin(double x) {
    wg_reduced reduced = wg_reduce(x);
    wg_two r = reduced.r;
    int n = reduced.quadrant;
    double v = wg_quadrant(wg_sin_kernel(r), wg_cos_kernel(r), n);
    return x == 0 ? x : v;
}
WG_MATH_FN double __nv_cos(double x) {
    wg_reduced reduced = wg_reduce(x);
    wg_two r = reduced.r;
    int n = reduced.quadrant;
    return wg_quadrant(wg_sin_kernel(r), wg_cos_kernel(r), n + 1);
}
WG_MATH_FN void __nv_sincos(double x, double *sine, double *cosine) {
    wg_reduced reduced = wg_reduce(x);
    wg_two r = reduced.r;
    int n = reduced.quadrant;
    double s = wg_sin_kernel(r), c = wg_cos_kernel(r);
    *sine = x == 0 ? x : wg_quadrant(s, c, n);
    *cosine = wg_quadrant(s, c, n + 1);
}
WG_MATH_FN double __nv_tan(double x) {
    wg_reduced reduced = wg_reduce(x);
    wg_two r = reduced.r;
    int n = reduced.quadrant;
    double s = wg_sin_kernel(r), c = wg_cos_kernel(r);
    double v = n & 1 ? -c / s : s / c;
    return x == 0 ? x : v;
}

/* Times pi: the quadrant is exact, x = n/2 + r with |r| <= 1/4, after multiples of 2 are gone. */
WG_MATH_FN wg_two wg_reduce_pi(double x, int *quadrant) {
    double near = wg_fma(-2, __builtin_rint(0.5 * x), x), shifted = 2 * near + WG_SHIFTER;
    double r = wg_fma(-0.5, shifted - WG_SHIFTER, near);
    wg_two pi = {WG_PI_HI, WG_PI_LO}, part = {r, 0};
    *quadrant = wg_shifted_integer(shifted);
    return wg_product(part, pi);
}
WG_MATH_FN void __nv_sincospi(double x, double *sine, double *cosine) {
    int n;
    wg_two r = wg_reduce_pi(x, &n);
    double s = wg_sin_kernel(r), c = wg_cos_kernel(r), v = wg_quadrant(s, c, n);
    *sine = v == 0 ? wg_with_sign(0, x) : v; /* at integers the sign of x, as IEEE 754 asks */
    *cosine = wg_quadrant(s, c, n + 1) + 0.0;
}
WG_MATH_FN double __nv_sinpi(double x) {
    double sine, cosine;
    __nv_sincospi(x, &sine, &cosine);
    return sine;
}
WG_MATH_FN double __nv_cospi(double x) {
    double sine, cosine;
    __nv_sincospi(x, &sine, &cosine);
    return cosine;
}

/* Single precision. pi/2 in parts of 20, 22 and 24 bits: n times the first two is exact for |n| < 2^17. */
struct wg_reducedf {
    float r, low;
    int quadrant;
};
WG_MATH_RARE wg_reducedf wg_reduce_largef(float x) {
    wg_reduced reduced = wg_reduce((double)x);
    float r = (float)reduced.r.hi;
    wg_reducedf result = {r, (float)(reduced.r.hi - (double)r), reduced.quadrant};
    return result;
}
WG_MATH_FN wg_reducedf wg_reducef(float x) {
    float shifted = wg_fmaf(x, 0x1.45f306p-1f, WG_SHIFTERF), n = shifted - WG_SHIFTERF;
    float first = wg_fmaf(-n, 0x1.921fcp+0f, x);
    float second = wg_mulf(n, -0x1.5777a8p-21f), lost = wg_fmaf(n, -0x1.5777a8p-21f, -second);
    float r = wg_addf(first, -second), low = wg_addf(wg_addf(first, -r), -second);
    low = wg_fmaf(-n, 0x1.184698p-44f, low - lost);
    wg_reducedf result = {r, low, wg_shifted_integerf(shifted)};
    if (!(wg_absf(x) < 0x1p17f)) result = wg_reduce_largef(x);
    return result;
}
/* sin and cos of r + low; z = r^2. */
WG_MATH_FN float wg_sin_kernelf(float r, float low, float z) {
    return r + wg_fmaf(r * z, wg_poly_sin_f(z), low);
}
WG_MATH_FN float wg_cos_kernelf(float r, float low, float z) {
    return wg_fmaf(-0.5f, z, 1) + wg_fmaf(z * z, wg_poly_cos_f(z), -r * low);
}
/* To less than 1 ulp: with what the roundings of 1 - z/2 lose. */
WG_MATH_FN float wg_cos_kernel_exactf(float r, float low, float z) {
    float half = 0.5f * z, w = 1 - half, lost = (1 - w) - half - 0.5f * wg_fmaf(r, r, -z);
    return w + (lost + wg_fmaf(z * z, wg_poly_cos_f(z), -r * low));
}
WG_MATH_FN float wg_quadrantf(float sine, float cosine, int n) {
    float v = n & 1 ? cosine : sine;
    return n & 2 ? -v : v;
}
WG_MATH_FN float __nv_sinf(float x) {
    wg_reducedf reduced = wg_reducef(x);
    int n = reduced.quadrant;
    float r = reduced.r, low = reduced.low, z = r * r,
          v = wg_quadrantf(wg_sin_kernelf(r, low, z), wg_cos_kernelf(r, low, z), n);
    return x == 0 ? x : v;
}
WG_MATH_FN float __nv_cosf(float x) {
    wg_reducedf reduced = wg_reducef(x);
    int n = reduced.quadrant;
    float r = reduced.r, low = reduced.low, z = r * r;
    return wg_quadrantf(wg_sin_kernelf(r, low, z), wg_cos_kernelf(r, low, z), n + 1);
}
WG_MATH_FN void __nv_sincosf(float x, float *sine, float *cosine) {
    wg_reducedf reduced = wg_reducef(x);
    int n = reduced.quadrant;
    float r = reduced.r, low = reduced.low, z = r * r, s = wg_sin_kernelf(r, low, z),
          c = wg_cos_kernelf(r, low, z);
    *sine = x == 0 ? x : wg_quadrantf(s, c, n);
    *cosine = wg_quadrantf(s, c, n + 1);
}
WG_MATH_FN float wg_tanf(float x) {
    wg_reducedf reduced = wg_reducef(x);
    int n = reduced.quadrant;
    float r = reduced.r, low = reduced.low, z = r * r, s = wg_sin_kernelf(r, low, z),
          c = wg_cos_kernelf(r, low, z);
    float v = n & 1 ? -c / s : s / c;
    return x == 0 ? x : v;
}
WG_MATH_FN void __nv_sincospif(float x, float *sine, float *cosine) {
    float near = wg_fmaf(-2, __builtin_rintf(0.5f * x), x), shifted = 2 * near + WG_SHIFTERF;
    float t = wg_fmaf(-0.5f, shifted - WG_SHIFTERF, near), r = wg_mulf(t, 0x1.921fb6p+1f);
    float low =
        wg_fmaf(t, 0x1.921fb6p+1f, -r) + t * -0x1.777a5cp-24f; /* t times what pi is less than the float */
    float z = r * r, s = wg_sin_kernelf(r, low, z), c = wg_cos_kernel_exactf(r, low, z);
    int n = wg_shifted_integerf(shifted);
    float v = wg_quadrantf(s, c, n);
    *sine = v == 0 ? wg_with_signf(0, x) : v;
    *cosine = wg_quadrantf(s, c, n + 1) + 0.0f;
}
WG_MATH_FN float __nv_sinpif(float x) {
    float sine, cosine;
    __nv_sincospif(x, &sine, &cosine);
    return sine;
}
WG_MATH_FN float __nv_cospif(float x) {
    float sine, cosine;
    __nv_sincospif(x, &sine, &cosine);
    return cosine;
}

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
WG_MATH_FN float __nv_tanf(float x) { return __tanf(x); }
#else
WG_MATH_FN float __nv_tanf(float x) { return wg_tanf(x); }
#endif

#endif
