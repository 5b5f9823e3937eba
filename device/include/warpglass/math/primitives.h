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
    double __hi, __lo;
};

WG_MATH_FN double wg_fma(double __x, double __y, double __z) { return __builtin_fma(__x, __y, __z); }
WG_MATH_FN float wg_fmaf(float __x, float __y, float __z) { return __builtin_fmaf(__x, __y, __z); }
WG_MATH_FN unsigned long long wg_bits(double __x) { return __builtin_bit_cast(unsigned long long, __x); }
WG_MATH_FN double wg_from_bits(unsigned long long __b) { return __builtin_bit_cast(double, __b); }
WG_MATH_FN unsigned int wg_bitsf(float __x) { return __builtin_bit_cast(unsigned int, __x); }
WG_MATH_FN float wg_from_bitsf(unsigned int __b) { return __builtin_bit_cast(float, __b); }
WG_MATH_FN double wg_abs(double __x) { return __builtin_fabs(__x); }
WG_MATH_FN float wg_absf(float __x) { return __builtin_fabsf(__x); }
WG_MATH_FN double wg_with_sign(double __x, double __sign) { return __builtin_copysign(__x, __sign); }
WG_MATH_FN float wg_with_signf(float __x, float __sign) { return __builtin_copysignf(__x, __sign); }
WG_MATH_FN double wg_infinity() { return __builtin_huge_val(); }
WG_MATH_FN float wg_infinityf() { return __builtin_huge_valf(); }
WG_MATH_FN double wg_nan() { return __builtin_nan(""); }
WG_MATH_FN float wg_nanf() { return __builtin_nanf(""); }

/* One operation, rounded once: what PTX says with .rn. */
#if defined(__CUDA__)
WG_MATH_FN double wg_add(double __x, double __y) { return __nvvm_add_rn_d(__x, __y); }
WG_MATH_FN double wg_mul(double __x, double __y) { return __nvvm_mul_rn_d(__x, __y); }
WG_MATH_FN float wg_addf(float __x, float __y) { return __nvvm_add_rn_f(__x, __y); }
WG_MATH_FN float wg_mulf(float __x, float __y) { return __nvvm_mul_rn_f(__x, __y); }
#else
#define WG_ROUNDED_ONCE(NAME, F, OP)                                                                         \
    WG_MATH_FN F NAME(F __x, F __y) {                                                                        \
        F __r = __x OP                                                                                       \
        __y;                                                                                                 \
        __asm__("" : "+x"(__r));                                                                             \
        return __r;                                                                                          \
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
WG_MATH_FN int wg_shifted_integer(double __shifted) { return (int)wg_bits(__shifted); }
WG_MATH_FN int wg_shifted_integerf(float __shifted) {
    return (int)(wg_bitsf(__shifted) - wg_bitsf(WG_SHIFTERF));
}

/* 2^k for k of a normal number; x 2^k for any k a double can feel, rounded once. */
WG_MATH_FN double wg_power_of_two(int __k) { return wg_from_bits((unsigned long long)(__k + 1023) << 52); }
WG_MATH_FN float wg_power_of_twof(int __k) { return wg_from_bitsf((unsigned int)(__k + 127) << 23); }
WG_MATH_FN double wg_scale(double __x, int __k) {
    int __halved = __k >> 1;
    return __x * wg_power_of_two(__halved) * wg_power_of_two(__k - __halved);
}
WG_MATH_FN float wg_scalef(float __x, int __k) {
    int __halved = __k >> 1;
    return __x * wg_power_of_twof(__halved) * wg_power_of_twof(__k - __halved);
}

/* Sums and products with their rounding errors. wg_sum_ordered: |x| >= |y|. */
WG_MATH_FN wg_two wg_sum_ordered(double __x, double __y) {
    wg_two __s;
    __s.__hi = wg_add(__x, __y);
    __s.__lo = wg_add(wg_add(__x, -__s.__hi), __y);
    return __s;
}
WG_MATH_FN wg_two wg_sum(double __x, double __y) {
    wg_two __s;
    __s.__hi = wg_add(__x, __y);
    double __of_y = wg_add(__s.__hi, -__x), __of_x = wg_add(__s.__hi, -__of_y);
    __s.__lo = wg_add(wg_add(__x, -__of_x), wg_add(__y, -__of_y));
    return __s;
}
WG_MATH_FN wg_two wg_product(double __x, double __y) {
    wg_two __p;
    __p.__hi = wg_mul(__x, __y);
    __p.__lo = wg_fma(__x, __y, -__p.__hi);
    return __p;
}
WG_MATH_FN wg_two wg_product(wg_two __x, wg_two __y) {
    wg_two __p = wg_product(__x.__hi, __y.__hi);
    __p.__lo += wg_fma(__x.__hi, __y.__lo, __x.__lo * __y.__hi);
    return __p;
}
/* x / y, with one correction: about 100 bits. */
WG_MATH_FN wg_two wg_quotient(wg_two __x, wg_two __y) {
    wg_two __q;
    __q.__hi = __x.__hi / __y.__hi;
    __q.__lo = (wg_fma(-__q.__hi, __y.__hi, __x.__hi) + __x.__lo - __q.__hi * __y.__lo) / __y.__hi;
    return __q;
}
WG_MATH_FN double wg_rounded(wg_two __x) { return __x.__hi + __x.__lo; }

#endif
