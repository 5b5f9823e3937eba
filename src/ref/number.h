/* Floating-point formats in software: exact decoding, and encoding in every rounding mode, with integers
 * only.
 *
 *     ref_decode(&ref_f16, 0x3c00)  ->  {sign 0, mant 1024, exp -10}   = 1.0
 *     ref_encode(&ref_bf16, n, WG_M_rn)  ->  0x3f80
 *
 * A finite number is mant * 2^exp. */
#ifndef WG_REF_NUMBER_H
#define WG_REF_NUMBER_H
#include "ptx/op.h"
#include <stdbool.h>
#include <stdint.h>

struct ref_format {
    uint8_t bits, mant_bits; /* mantissa without its hidden one */
    int16_t max_exp;         /* the bias */
    uint64_t nan;            /* the canonical NaN of results */
    uint8_t low_zeros;       /* tf32: bits of the 32 that are always zero */
};
extern const struct ref_format ref_f16, ref_bf16, ref_tf32, ref_f32, ref_f64;
const struct ref_format *ref_format_of(uint8_t type); /* of a half for f16x2 and bf16x2; NULL: no float */

enum ref_class { REF_FINITE, REF_INFINITE, REF_NAN };
struct ref_number {
    uint8_t cls; /* enum ref_class */
    bool sign;
    int32_t exp;
    uint64_t mant; /* 0: zero */
};
struct ref_number ref_decode(const struct ref_format *f, uint64_t bits);
uint64_t ref_encode(const struct ref_format *f, struct ref_number n, enum wg_mod rounding);
/* The integer that n rounds to, as a number with exp >= 0. Modes: rni rzi rmi rpi, or rn rz rm rp. */
struct ref_number ref_round_integer(struct ref_number n, enum wg_mod rounding);
struct ref_number ref_from_integer(uint64_t magnitude, bool sign);

static inline uint64_t ref_exponent_field(const struct ref_format *f, uint64_t bits) {
    return bits >> (f->mant_bits + f->low_zeros) & (2u * (uint64_t)f->max_exp + 1);
}
static inline uint64_t ref_mantissa_field(const struct ref_format *f, uint64_t bits) {
    return bits >> f->low_zeros & ((UINT64_C(1) << f->mant_bits) - 1);
}
static inline uint64_t ref_infinity(const struct ref_format *f) {
    return (2 * (uint64_t)f->max_exp + 1) << (f->mant_bits + f->low_zeros);
}
static inline uint64_t ref_sign_bit(const struct ref_format *f) { return UINT64_C(1) << (f->bits - 1); }

static inline bool ref_is_nan(const struct ref_format *f, uint64_t bits) {
    return (bits & (ref_sign_bit(f) - 1)) > ref_infinity(f);
}
static inline bool ref_is_subnormal(const struct ref_format *f, uint64_t bits) {
    return ref_exponent_field(f, bits) == 0 && ref_mantissa_field(f, bits) != 0;
}
/* Subnormals become zeros of their sign. */
static inline uint64_t ref_flush(const struct ref_format *f, uint64_t bits) {
    return ref_exponent_field(f, bits) == 0 ? bits & ref_sign_bit(f) : bits;
}
uint64_t ref_quiet(const struct ref_format *f, uint64_t bits); /* of a NaN */
/* NaN propagation: the NaN that an operation returns. In f64 it is the first NaN among its operands, in the
 * order in which the machine examines them, made quiet; otherwise the format's canonical NaN. */
uint64_t ref_first_nan(const struct ref_format *f, const uint64_t *operand, uint32_t n);
/* .sat: clamps to [0, 1]; a NaN becomes 0. */
uint64_t ref_saturate(const struct ref_format *f, uint64_t bits);
uint64_t ref_from_double(const struct ref_format *f, double v, enum wg_mod rounding);

/* a + b rounded to odd: rounded again to f16 or bf16, the result is correctly rounded. */
double ref_add_to_odd(double a, double b);

static inline float ref_as_f32(uint64_t bits) {
    union {
        uint32_t u;
        float f;
    } v = {(uint32_t)bits};
    return v.f;
}
static inline double ref_as_f64(uint64_t bits) {
    union {
        uint64_t u;
        double f;
    } v = {bits};
    return v.f;
}
static inline uint64_t ref_f32_bits(float f) {
    union {
        float f;
        uint32_t u;
    } v = {f};
    return v.u;
}
static inline uint64_t ref_f64_bits(double f) {
    union {
        double f;
        uint64_t u;
    } v = {f};
    return v.u;
}

/* Exact; every format fits. The host's own formats it converts itself. */
double ref_small_to_double(const struct ref_format *f, uint64_t bits);
static inline double ref_to_double(const struct ref_format *f, uint64_t bits) {
    if (f == &ref_f64) return ref_as_f64(bits);
    return f == &ref_f32 ? (double)ref_as_f32(bits) : ref_small_to_double(f, bits);
}
#endif
