/* primitives.h: the small words that the mathematical functions are written in.
 *
 * The functions of this folder are compiled twice: into PTX, by clang as part of every .cu file, and as plain
 * host code by tests/device/math_test.cc, which measures them against MPFR. Whoever includes them first says
 * what WG_MATH_FN is. They are named __nv_* because clang's headers map CUDA's names (sinf, std::sin, ...) to
 * those.
 *
 * Style: polynomials and selections instead of branches and tables, because 32 lanes run together; a branch
 * only where one side is rare and long. Where a rounding error is computed, sums and products are wg_add and
 * wg_mul, which no compiler fuses or reorders; the rest may become fused multiply-adds, as the user's flags
 * say.
 */
#ifndef WARPGLASS_MATH_PRIMITIVES_H
#define WARPGLASS_MATH_PRIMITIVES_H

#if !defined(WG_MATH_FN)
#error "say what WG_MATH_FN is: `static __device__ inline` or `static inline`"
#endif

/* A number as an unevaluated sum, |lo| at most half a unit in the last place of hi. */
struct wg_two {
    double hi, lo;
};

WG_MATH_FN double wg_fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
WG_MATH_FN float wg_fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WG_MATH_FN unsigned long long wg_bits(double x) { return __builtin_bit_cast(unsigned long long, x); }
WG_MATH_FN double wg_from_bits(unsigned long long b) { return __builtin_bit_cast(double, b); }
WG_MATH_FN unsigned int wg_bitsf(float x) { return __builtin_bit_cast(unsigned int, x); }
WG_MATH_FN float wg_from_bitsf(unsigned int b) { return __builtin_bit_cast(float, b); }
WG_MATH_FN double wg_abs(double x) { return __builtin_fabs(x); }
WG_MATH_FN float wg_absf(float x) { return __builtin_fabsf(x); }
WG_MATH_FN double wg_with_sign(double x, double sign) { return __builtin_copysign(x, sign); }
WG_MATH_FN float wg_with_signf(float x, float sign) { return __builtin_copysignf(x, sign); }
WG_MATH_FN double wg_infinity() { return __builtin_huge_val(); }
WG_MATH_FN float wg_infinityf() { return __builtin_huge_valf(); }
WG_MATH_FN double wg_nan() { return __builtin_nan(""); }
WG_MATH_FN float wg_nanf() { return __builtin_nanf(""); }

/* One operation, rounded once: what PTX says with .rn. */
#if defined(__CUDA__)
WG_MATH_FN double wg_add(double x, double y) { return __nvvm_add_rn_d(x, y); }
WG_MATH_FN double wg_mul(double x, double y) { return __nvvm_mul_rn_d(x, y); }
WG_MATH_FN float wg_addf(float x, float y) { return __nvvm_add_rn_f(x, y); }
WG_MATH_FN float wg_mulf(float x, float y) { return __nvvm_mul_rn_f(x, y); }
#else
#define WG_ROUNDED_ONCE(NAME, F, OP)                                                                         \
    WG_MATH_FN F NAME(F x, F y) {                                                                            \
        F r = x OP                                                                                           \
        y;                                                                                                   \
        __asm__("" : "+x"(r));                                                                               \
        return r;                                                                                            \
    }
WG_ROUNDED_ONCE(wg_add, double, +)
WG_ROUNDED_ONCE(wg_mul, double, *)
WG_ROUNDED_ONCE(wg_addf, float, +)
WG_ROUNDED_ONCE(wg_mulf, float, *)
#undef WG_ROUNDED_ONCE
#endif

/* Rounding to an integer by adding a number so large that the fraction falls off: the integer is in the low
 * bits of the sum. For |x| < 2^50 (double), 2^21 (float). */
#define WG_SHIFTER  0x1.8p52
#define WG_SHIFTERF 0x1.8p23f
WG_MATH_FN int wg_shifted_integer(double shifted) { return (int)wg_bits(shifted); }
WG_MATH_FN int wg_shifted_integerf(float shifted) { return (int)(wg_bitsf(shifted) - wg_bitsf(WG_SHIFTERF)); }

/* 2^k for k of a normal number; x 2^k for any k a double can feel, rounded once. */
WG_MATH_FN double wg_power_of_two(int k) { return wg_from_bits((unsigned long long)(k + 1023) << 52); }
WG_MATH_FN float wg_power_of_twof(int k) { return wg_from_bitsf((unsigned int)(k + 127) << 23); }
WG_MATH_FN double wg_scale(double x, int k) {
    int half = k >> 1;
    return x * wg_power_of_two(half) * wg_power_of_two(k - half);
}
WG_MATH_FN float wg_scalef(float x, int k) {
    int half = k >> 1;
    return x * wg_power_of_twof(half) * wg_power_of_twof(k - half);
}

/* Sums and products with their rounding errors. wg_sum_ordered: |x| >= |y|. */
WG_MATH_FN wg_two wg_sum_ordered(double x, double y) {
    wg_two s;
    s.hi = wg_add(x, y);
    s.lo = wg_add(wg_add(x, -s.hi), y);
    return s;
}
WG_MATH_FN wg_two wg_sum(double x, double y) {
    wg_two s;
    s.hi = wg_add(x, y);
    double of_y = wg_add(s.hi, -x), of_x = wg_add(s.hi, -of_y);
    s.lo = wg_add(wg_add(x, -of_x), wg_add(y, -of_y));
    return s;
}
WG_MATH_FN wg_two wg_product(double x, double y) {
    wg_two p;
    p.hi = wg_mul(x, y);
    p.lo = wg_fma(x, y, -p.hi);
    return p;
}
WG_MATH_FN wg_two wg_product(wg_two x, wg_two y) {
    wg_two p = wg_product(x.hi, y.hi);
    p.lo += wg_fma(x.hi, y.lo, x.lo * y.hi);
    return p;
}
/* x / y, with one correction: about 100 bits. */
WG_MATH_FN wg_two wg_quotient(wg_two x, wg_two y) {
    wg_two q;
    q.hi = x.hi / y.hi;
    q.lo = (wg_fma(-q.hi, y.hi, x.hi) + x.lo - q.hi * y.lo) / y.hi;
    return q;
}
WG_MATH_FN double wg_rounded(wg_two x) { return x.hi + x.lo; }

#endif
