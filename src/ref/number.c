/* Decoding, rounding and encoding of floating-point numbers by integers: see number.h. */
#include "ref/number.h"
#include <math.h>
#include <stddef.h>

const struct ref_format ref_f16 = {16, 10, 15, 0x7fff, 0}, ref_bf16 = {16, 7, 127, 0x7fff, 0},
                        ref_tf32 = {32, 10, 127, 0x7fffe000, 13}, ref_f32 = {32, 23, 127, 0x7fffffff, 0},
                        ref_f64 = {64, 52, 1023, 0xfff8000000000000, 0};

const struct ref_format *ref_format_of(uint8_t type) {
    switch (type) {
    case WG_T_F16:
    case WG_T_F16X2: return &ref_f16;
    case WG_T_BF16:
    case WG_T_BF16X2: return &ref_bf16;
    case WG_T_TF32: return &ref_tf32;
    case WG_T_F32: return &ref_f32;
    case WG_T_F64: return &ref_f64;
    default: return NULL;
    }
}

uint64_t ref_quiet(const struct ref_format *f, uint64_t bits) {
    return bits | UINT64_C(1) << (f->mant_bits + f->low_zeros - 1);
}

uint64_t ref_first_nan(const struct ref_format *f, const uint64_t *operand, uint32_t n) {
    for (uint32_t k = 0; f == &ref_f64 && k < n; k++)
        if (ref_is_nan(f, operand[k])) return ref_quiet(f, operand[k]);
    return f->nan;
}

uint64_t ref_saturate(const struct ref_format *f, uint64_t bits) {
    uint64_t one = (uint64_t)f->max_exp << (f->mant_bits + f->low_zeros);
    if (ref_is_nan(f, bits) || bits & ref_sign_bit(f)) return 0;
    return bits > one ? one : bits;
}

struct ref_number ref_decode(const struct ref_format *f, uint64_t bits) {
    struct ref_number n = {.sign = (bits & ref_sign_bit(f)) != 0};
    int32_t e = (int32_t)ref_exponent_field(f, bits);
    n.mant = ref_mantissa_field(f, bits);
    if (e == 2 * f->max_exp + 1) {
        n.cls = ref_is_nan(f, bits) ? REF_NAN : REF_INFINITE;
        return n;
    }
    if (e) n.mant |= UINT64_C(1) << f->mant_bits;
    n.exp = (e ? e : 1) - f->max_exp - f->mant_bits;
    return n;
}

struct ref_number ref_from_integer(uint64_t magnitude, bool sign) {
    return (struct ref_number){.sign = sign, .mant = magnitude};
}

/* Drops the low `shift` bits of mant, rounding. */
static uint64_t round_off(uint64_t mant, uint32_t shift, bool sign, enum wg_mod rounding) {
    uint64_t kept = shift < 64 ? mant >> shift : 0;
    uint64_t half = shift >= 1 && shift <= 64 ? UINT64_C(1) << (shift - 1) : 0;
    uint64_t rest = shift == 0 ? 0 : shift < 64 ? mant & ((UINT64_C(1) << shift) - 1) : mant;
    bool over_half = half && rest > half, at_half = half && rest == half, inexact = rest != 0;
    switch (rounding) {
    case WG_M_rz:
    case WG_M_rzi: return kept;
    case WG_M_rm:
    case WG_M_rmi: return kept + (sign && inexact);
    case WG_M_rp:
    case WG_M_rpi: return kept + (!sign && inexact);
    case WG_M_rna: return kept + (over_half || at_half);
    default: return kept + (over_half || (at_half && (kept & 1)));
    }
}

struct ref_number ref_round_integer(struct ref_number n, enum wg_mod rounding) {
    if (n.cls != REF_FINITE || n.exp >= 0) return n;
    uint32_t shift = n.exp < -65 ? 65 : (uint32_t)-n.exp;
    n.mant = round_off(n.mant, shift, n.sign, rounding);
    n.exp = 0;
    return n;
}

/* Overflow gives infinity, or the largest number where the mode rounds towards zero on this side. */
static uint64_t overflow(const struct ref_format *f, bool sign, enum wg_mod rounding) {
    bool to_zero = rounding == WG_M_rz || (rounding == WG_M_rm && !sign) || (rounding == WG_M_rp && sign);
    return to_zero ? ref_infinity(f) - (UINT64_C(1) << f->low_zeros) : ref_infinity(f);
}

uint64_t ref_encode(const struct ref_format *f, struct ref_number n, enum wg_mod rounding) {
    uint64_t sign = n.sign ? ref_sign_bit(f) : 0;
    if (n.cls == REF_NAN) return f->nan;
    if (n.cls == REF_INFINITE) return sign | ref_infinity(f);
    if (!n.mant) return sign;
    int z = __builtin_clzll(n.mant); /* normalise: the leading one at bit 63 */
    n.mant <<= z;
    n.exp -= z;
    int32_t e = n.exp + 63 + f->max_exp; /* the exponent field, were it normal */
    uint32_t shift = 63u - f->mant_bits;
    if (e < 1) {
        shift += (uint32_t)(1 - e) > 65 ? 65 : (uint32_t)(1 - e);
        e = 0;
    }
    uint64_t mant = round_off(n.mant, shift > 65 ? 65 : shift, n.sign, rounding);
    /* A carry out of the mantissa moves into the exponent by itself; the hidden one counts as one exponent.
     */
    uint64_t r = mant + ((uint64_t)(e ? e - 1 : 0) << f->mant_bits);
    if (r >= ref_infinity(f) >> f->low_zeros) return sign | overflow(f, n.sign, rounding);
    return sign | r << f->low_zeros;
}

double ref_small_to_double(const struct ref_format *f, uint64_t bits) {
    return ref_as_f64(ref_encode(&ref_f64, ref_decode(f, bits), WG_M_rn));
}
uint64_t ref_from_double(const struct ref_format *f, double v, enum wg_mod rounding) {
    return ref_encode(f, ref_decode(&ref_f64, ref_f64_bits(v)), rounding);
}

double ref_add_to_odd(double a, double b) {
    volatile double s = a + b, bb = s - a, tail = (a - (s - bb)) + (b - bb);
    if (tail == 0 || !isfinite(s)) return s;
    uint64_t u = ref_f64_bits(s);
    if (u & 1) return s;
    /* s was rounded away from the sum when the tail points towards zero: one step back makes it odd. */
    return ref_as_f64((tail > 0) == (s > 0) ? u + 1 : u - 1);
}
