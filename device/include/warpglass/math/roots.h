/* roots.h: reciprocal and cube roots, hypotenuses and norms.
 *
 * Norms are sums of squares with their rounding errors, of components made near 1 by a common power of two.
 */
#ifndef WARPGLASS_MATH_ROOTS_H
#define WARPGLASS_MATH_ROOTS_H

#include "exact.h"
#include "polynomials.h"

/* 1 / sqrt(s), s near 1, with one Newton step that sees the rounding error of y * y. */
WG_MATH_FN double wg_rsqrt_of(wg_two s) {
    double y = 1 / __builtin_sqrt(s.hi);
    wg_two square = wg_product(y, y);
    double residual = wg_fma(-square.hi, s.hi, 1) - wg_fma(square.hi, s.lo, square.lo * s.hi);
    return wg_fma(0.5 * y, residual, y);
}
WG_MATH_FN double wg_sqrt_of(wg_two s) {
    double root = __builtin_sqrt(s.hi);
    return s.hi > 0 ? root + (wg_fma(-root, root, s.hi) + s.lo) / (2 * root) : root;
}
WG_MATH_FN double __nv_rsqrt(double x) {
    if (!(x > 0 && x < wg_infinity()))
        return x == 0 ? wg_with_sign(wg_infinity(), x) : x == wg_infinity() ? 0 : wg_nan();
    int e;
    wg_two m = {__nv_frexp(x, &e), 0};
    m.hi = e & 1 ? 2 * m.hi : m.hi;
    return wg_scale(wg_rsqrt_of(m), -((e - (e & 1)) / 2));
}

/* x = 2^(3 q) m with m in [1, 8): a first guess of m^(-1/3) and two steps, each three times as many bits. */
WG_MATH_FN double wg_rcbrt_of(double x, double *m, int *q) {
    int e;
    double f = __nv_frexp(wg_abs(x), &e);
    int third = (e - 1 + 3000) / 3 - 1000;
    *q = third;
    *m = f * wg_power_of_two(e - 3 * third);
    double y = wg_poly_cbrt(*m - 4);
    for (int i = 0; i < 2; i++) {
        double miss = wg_fma(-*m * y, y * y, 1);
        y = wg_fma(y * miss, wg_fma(miss, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), y); /* 2/9, 1/3 */
    }
    return y;
}
WG_MATH_FN double __nv_cbrt(double x) {
    double m;
    int q;
    if (x == 0 || !(wg_abs(x) < wg_infinity())) return x + x;
    double y = wg_rcbrt_of(x, &m, &q), root = m * y * y;
    wg_two square = wg_product(root, root);
    double residual = wg_fma(-square.hi, root, m) - square.lo * root;
    root = wg_fma(residual * y * y, 0x1.5555555555555p-2, root);
    return wg_with_sign(root * wg_power_of_two(q), x);
}
WG_MATH_FN double __nv_rcbrt(double x) {
    double m;
    int q;
    if (x == 0 || !(wg_abs(x) < wg_infinity())) return 1 / x;
    double y = wg_rcbrt_of(x, &m, &q);
    wg_two square = wg_product(y, y), one = {y, 0}, cube = wg_product(square, one);
    double residual = wg_fma(-m, cube.hi, 1) - m * cube.lo;
    y = wg_fma(y * residual, 0x1.5555555555555p-2, y);
    return wg_with_sign(y * wg_power_of_two(-q), x);
}

/* Sum of squares of up to four numbers times 2^(-2 k); k is such that the largest is near 1. */
WG_MATH_FN wg_two wg_sum_of_squares(double a, double b, double c, double d, int *k) {
    double most = __nv_fmax(__nv_fmax(wg_abs(a), wg_abs(b)), __nv_fmax(wg_abs(c), wg_abs(d)));
    int e = (int)(wg_bits(most) >> 52) - 1022;
    *k = e;
    a = wg_scale(a, -e), b = wg_scale(b, -e), c = wg_scale(c, -e), d = wg_scale(d, -e);
    wg_two ab = wg_product(a, a), b2 = wg_product(b, b), cd = wg_product(c, c), d2 = wg_product(d, d);
    wg_two s1 = wg_sum(ab.hi, b2.hi), s2 = wg_sum(cd.hi, d2.hi), s = wg_sum(s1.hi, s2.hi);
    s.lo += s1.lo + s2.lo + ((ab.lo + b2.lo) + (cd.lo + d2.lo));
    return wg_sum_ordered(s.hi, s.lo);
}
/* Infinity wins over NaN, as in C's hypot. */
WG_MATH_FN bool wg_any_infinite(double a, double b, double c, double d) {
    double large = wg_infinity();
    return wg_abs(a) == large || wg_abs(b) == large || wg_abs(c) == large || wg_abs(d) == large;
}
WG_MATH_FN double __nv_norm4d(double a, double b, double c, double d) {
    int k;
    wg_two s = wg_sum_of_squares(a, b, c, d, &k);
    double r = wg_scale(wg_sqrt_of(s), k);
    bool nan = a != a || b != b || c != c || d != d;
    return wg_any_infinite(a, b, c, d)              ? wg_infinity()
           : nan                                    ? wg_nan()
           : (a == 0 && b == 0 && c == 0 && d == 0) ? 0
                                                    : r;
}
WG_MATH_FN double __nv_rnorm4d(double a, double b, double c, double d) {
    int k;
    wg_two s = wg_sum_of_squares(a, b, c, d, &k);
    double r = wg_scale(wg_rsqrt_of(s), -k);
    bool nan = a != a || b != b || c != c || d != d;
    return wg_any_infinite(a, b, c, d)              ? 0
           : nan                                    ? wg_nan()
           : (a == 0 && b == 0 && c == 0 && d == 0) ? wg_infinity()
                                                    : r;
}
WG_MATH_FN double __nv_hypot(double x, double y) { return __nv_norm4d(x, y, 0, 0); }
WG_MATH_FN double __nv_rhypot(double x, double y) { return __nv_rnorm4d(x, y, 0, 0); }
WG_MATH_FN double __nv_norm3d(double x, double y, double z) { return __nv_norm4d(x, y, z, 0); }
WG_MATH_FN double __nv_rnorm3d(double x, double y, double z) { return __nv_rnorm4d(x, y, z, 0); }

/* Any number of components: one pass for the largest, one for the sum. */
WG_MATH_FN double __nv_norm(int n, const double *v) {
    double most = 0, sum = 0;
    for (int i = 0; i < n; i++)
        most = v[i] != v[i] && most != wg_infinity() ? v[i] : __nv_fmax(most, wg_abs(v[i]));
    if (!(most > 0 && most < wg_infinity())) return most;
    int k = (int)(wg_bits(most) >> 52) - 1022;
    for (int i = 0; i < n; i++) {
        double t = wg_scale(v[i], -k);
        sum = wg_fma(t, t, sum);
    }
    return wg_scale(__builtin_sqrt(sum), k);
}
WG_MATH_FN double __nv_rnorm(int n, const double *v) { return 1 / __nv_norm(n, v); }

/* Single precision through double: squares of floats neither over- nor underflow there. */
WG_MATH_FN float wg_norm_f(double s, float a, float b, float c, float d) {
    return wg_any_infinite(a, b, c, d) ? wg_infinityf() : (float)__builtin_sqrt(s);
}
WG_MATH_FN float wg_rnorm_f(double s, float a, float b, float c, float d) {
    return wg_any_infinite(a, b, c, d) ? 0 : (float)(1 / __builtin_sqrt(s));
}
WG_MATH_FN double wg_squares_f(double a, double b, double c, double d) {
    return wg_fma(a, a, wg_fma(b, b, wg_fma(c, c, d * d)));
}
WG_MATH_FN float __nv_norm4df(float a, float b, float c, float d) {
    return wg_norm_f(wg_squares_f(a, b, c, d), a, b, c, d);
}
WG_MATH_FN float __nv_rnorm4df(float a, float b, float c, float d) {
    return wg_rnorm_f(wg_squares_f(a, b, c, d), a, b, c, d);
}
WG_MATH_FN float __nv_hypotf(float x, float y) { return __nv_norm4df(x, y, 0, 0); }
WG_MATH_FN float __nv_rhypotf(float x, float y) { return __nv_rnorm4df(x, y, 0, 0); }
WG_MATH_FN float __nv_norm3df(float x, float y, float z) { return __nv_norm4df(x, y, z, 0); }
WG_MATH_FN float __nv_rnorm3df(float x, float y, float z) { return __nv_rnorm4df(x, y, z, 0); }
WG_MATH_FN float __nv_normf(int n, const float *v) {
    double sum = 0;
    bool infinite = false;
    for (int i = 0; i < n; i++) {
        sum = wg_fma((double)v[i], (double)v[i], sum);
        infinite = infinite || wg_absf(v[i]) == wg_infinityf();
    }
    return infinite ? wg_infinityf() : (float)__builtin_sqrt(sum);
}
WG_MATH_FN float __nv_rnormf(int n, const float *v) { return 1 / __nv_normf(n, v); }
WG_MATH_FN float __nv_cbrtf(float x) { return (float)__nv_cbrt((double)x); }
WG_MATH_FN float __nv_rcbrtf(float x) { return (float)__nv_rcbrt((double)x); }
/* One instruction on the device, with the 2 ulp that CUDA promises. */
#if defined(__CUDA__)
WG_MATH_FN float __nv_rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
#else
WG_MATH_FN float __nv_rsqrtf(float x) { return (float)(1 / __builtin_sqrt((double)x)); }
#endif

#endif
