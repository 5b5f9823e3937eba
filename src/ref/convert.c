/* cvt: between every two types, by way of an exact number.
 *
 *     float -> integer   rounded, then clamped to the type's range
 *     integer -> float   rounded once from the exact integer
 *     float -> float     rounded once; .rni and its kin round to an integer first
 *     integer -> integer the low bits, or clamped with .sat
 *
 * A NaN becomes 0 as an integer, except where the source is f64 or the result has 64 bits: there it becomes
 * the bit pattern with only the highest bit set. As another float it is the format's canonical NaN, but of
 * f64 and bf16 the payload stays (docs/nans.md). */
#include "ref/lane.h"
#include "ref/number.h"

#include <math.h>

static bool rounds_to_integer(enum wg_mod m) {
    return m == WG_M_rni || m == WG_M_rzi || m == WG_M_rmi || m == WG_M_rpi;
}

/* magnitude with a sign, clamped to an integer type. */
static uint64_t clamp_integer(uint8_t type, uint64_t magnitude, bool negative) {
    uint32_t bits = wg_type_bits(type);
    if (!ref_is_signed(type))
        return negative ? 0 : magnitude > ref_low(UINT64_MAX, bits) ? ref_low(UINT64_MAX, bits) : magnitude;
    uint64_t max = (UINT64_C(1) << (bits - 1)) - 1;
    if (negative) return 0 - (magnitude > max + 1 ? max + 1 : magnitude);
    return magnitude > max ? max : magnitude;
}

static uint64_t float_to_integer(uint8_t to, const struct ref_format *from, uint64_t bits,
                                 enum wg_mod rounding) {
    struct ref_number n = ref_decode(from, bits);
    uint32_t width = wg_type_bits(to);
    if (n.cls == REF_NAN) return from == &ref_f64 || width == 64 ? UINT64_C(1) << (width - 1) : 0;
    if (n.cls == REF_INFINITE) return clamp_integer(to, UINT64_MAX, n.sign);
    n = ref_round_integer(n, rounding == WG_M_none ? WG_M_rzi : rounding);
    if (!n.mant) return 0;
    bool fits = n.exp < 64 && (n.exp == 0 || n.mant >> (64 - n.exp) == 0);
    return clamp_integer(to, fits ? n.mant << n.exp : UINT64_MAX, n.sign);
}

/* Copies, that is cvt.f32.f32, cvt.f64.f64 and cvt.f32.bf16, change nothing; to and from f64 as much of the
 * payload stays as fits, but .ftz loses f32's; cvt.rna.tf32 cuts it off, even to an infinity. */
static uint64_t nan_to_float(const struct ref_ins *i, const struct ref_format *to,
                             const struct ref_format *from, uint64_t bits) {
    bool wide = to == &ref_f32 || to == &ref_f64, ftz = i->mod[WG_MC_FTZ] == WG_M_ftz;
    if (to == from && wide && i->mod[WG_MC_RND] == WG_M_none && !ftz) return bits;
    if (ftz && to == &ref_f32 && from == &ref_bf16) return to->nan;
    if (to == &ref_f32 && from == &ref_bf16) return bits << 16;
    if (ftz && from == &ref_f32) bits = from->nan;
    if (i->mod[WG_MC_RND] == WG_M_rna) return bits & ~UINT64_C(0x1fff);
    if (to != &ref_f64 && from != &ref_f64) return to->nan;
    uint64_t sign = bits & ref_sign_bit(from) ? ref_sign_bit(to) : 0,
             payload = ref_mantissa_field(from, bits);
    int more = (int)to->mant_bits - (int)from->mant_bits;
    payload = more < 0 ? payload >> -more : payload << more;
    return ref_quiet(to, sign | ref_infinity(to) | payload);
}

static uint64_t float_to_float(const struct ref_ins *i, const struct ref_format *to,
                               const struct ref_format *from, uint64_t bits) {
    enum wg_mod rounding = i->mod[WG_MC_RND];
    struct ref_number n = ref_decode(from, bits);
    if (n.cls == REF_NAN) return nan_to_float(i, to, from, bits);
    if (rounds_to_integer(rounding)) n = ref_round_integer(n, rounding);
    uint64_t r = ref_encode(to, n, rounding);
    if (ref_has(i, WG_MC_RELU) && (r & ref_sign_bit(to))) r = 0;
    if (i->mod[WG_MC_SAT] == WG_M_satfinite && ref_decode(to, r).cls == REF_INFINITE)
        r = ref_encode(to, ref_decode(&ref_f64, ref_f64_bits(n.sign ? -0x1p1023 : 0x1p1023)), WG_M_rz);
    return r;
}

static uint64_t integer_to_float(const struct ref_ins *i, const struct ref_format *to, uint64_t v) {
    bool negative = ref_is_signed(i->type2) && ref_signed(v, wg_type_bits(i->type2)) < 0;
    if (negative) v = 0 - (uint64_t)ref_signed(v, wg_type_bits(i->type2));
    return ref_encode(to, ref_from_integer(v, negative), i->mod[WG_MC_RND]);
}

static uint64_t integer_to_integer(const struct ref_ins *i, uint64_t v) {
    uint32_t from = wg_type_bits(i->type2);
    bool negative = ref_is_signed(i->type2) && ref_signed(v, from) < 0;
    if (ref_is_signed(i->type2)) v = (uint64_t)ref_signed(v, from);
    if (i->mod[WG_MC_SAT] != WG_M_sat) return v;
    return clamp_integer(i->type, negative ? 0 - v : v, negative);
}

REF_LANE_ROW(cvt) {
    const struct ref_format *to = i->format, *from = ref_format_of(i->type2);
    uint64_t v = ref_bits(l, i, 0, wg_type_bits(i->type2)), r;
    /* .ftz is about f32 operands and results only. */
    bool ftz = i->mod[WG_MC_FTZ] == WG_M_ftz;
    if (ftz && from == &ref_f32) v = ref_flush(from, v);
    if (to) {
        r = from ? float_to_float(i, to, from, v) : integer_to_float(i, to, v);
        if (ftz && to == &ref_f32) r = ref_flush(to, r);
        if (i->mod[WG_MC_SAT] == WG_M_sat) r = ref_saturate(to, r);
    } else {
        r = from ? float_to_integer(i->type, from, v, i->mod[WG_MC_RND]) : integer_to_integer(i, v);
    }
    ref_set(l, i, r & i->ones);
}

/* Two f32 into one register: the first source is the upper half. */
REF_LANE_ROW(cvt_pack_f) {
    const struct ref_format *to = i->format;
    uint64_t high = float_to_float(i, to, &ref_f32, ref_bits(l, i, 0, 32));
    uint64_t low = float_to_float(i, to, &ref_f32, ref_bits(l, i, 1, 32));
    ref_set(l, i, high << 16 | low);
}

/* ---- Eight bits ----
 *
 *     e4m3   4 bits of exponent, 3 of fraction: to 448, and 0x7f and 0xff are no numbers; no infinity
 *     e5m2   5 bits of exponent, 2 of fraction: to 57344, otherwise as the larger formats
 */
struct eight {
    int fraction, least_exp; /* of the smallest normal number */
    double greatest;
};
static const struct eight *eight_of(uint8_t type) {
    static const struct eight e4m3 = {3, -6, 448}, e5m2 = {2, -14, 57344};
    return type == WG_T_E4M3X2 ? &e4m3 : &e5m2;
}

static uint64_t eight_from(const struct ref_ins *i, double v) {
    const struct eight *f = eight_of(i->type);
    if (isnan(v)) return 0x7f;
    if (ref_has(i, WG_MC_RELU) && !(v > 0)) v = 0;
    double m = fabs(v) > f->greatest ? f->greatest : fabs(v);
    int exp = m == 0 ? f->least_exp : ilogb(m) < f->least_exp ? f->least_exp : ilogb(m);
    /* In units of the last place; a carry into the next exponent is one into the field above. */
    uint64_t units = (uint64_t)nearbyint(ldexp(m, f->fraction - exp));
    return (signbit(v) ? 0x80 : 0) | (units + ((uint64_t)(exp - f->least_exp) << f->fraction));
}

static double eight_to_double(uint8_t type, uint64_t bits) {
    const struct eight *f = eight_of(type);
    uint64_t m = bits & 0x7f, exp = m >> f->fraction, units = m & ((1u << f->fraction) - 1);
    if (type == WG_T_E4M3X2 ? m == 0x7f : m > 0x7c) return NAN;
    if (type == WG_T_E5M2X2 && m == 0x7c) return bits & 0x80 ? -INFINITY : INFINITY;
    if (exp) units += UINT64_C(1) << f->fraction;
    double v = ldexp((double)units, (int)(exp ? exp : 1) - 1 + f->least_exp - f->fraction);
    return bits & 0x80 ? -v : v;
}

/* Two f32, or the halves of one f16x2. */
REF_LANE_ROW(cvt_narrow_8) {
    double low, high;
    if (i->op == WG_OP_CVT_PACK_8) {
        high = ref_to_double(&ref_f32, ref_bits(l, i, 0, 32));
        low = ref_to_double(&ref_f32, ref_bits(l, i, 1, 32));
    } else {
        uint64_t v = ref_bits(l, i, 0, 32);
        high = ref_to_double(&ref_f16, v >> 16);
        low = ref_to_double(&ref_f16, v & 0xffff);
    }
    ref_set(l, i, eight_from(i, high) << 8 | eight_from(i, low));
}

REF_LANE_ROW(cvt_widen_8) {
    uint64_t v = ref_bits(l, i, 0, 16), r = 0;
    for (int part = 0; part < 2; part++) {
        double x = eight_to_double(i->type2, v >> (8 * part));
        uint64_t half = isnan(x) ? ref_f16.nan : ref_from_double(&ref_f16, x, WG_M_rn);
        if (ref_has(i, WG_MC_RELU) && !isnan(x) && !(x > 0)) half = 0;
        r |= half << (16 * part);
    }
    ref_set(l, i, r);
}

/* Clamps a and b to the narrow type; their bits go below what a third operand held, shifted up. */
REF_LANE_ROW(cvt_pack_i) {
    uint64_t r = i->nsrc > 2 ? ref_bits(l, i, 2, 32) : 0;
    for (uint32_t k = 0; k < 2; k++) {
        int64_t v = ref_signed(ref_bits(l, i, k, 32), 32);
        uint64_t c = clamp_integer(i->type, (uint64_t)(v < 0 ? -v : v), v < 0);
        r = r << i->bits | (c & i->ones);
    }
    ref_set_bits(l, i, 0, r, 32);
}

const struct ref_row wg_ref_convert_rows[WG_OP_COUNT] = {
    [WG_OP_CVT] = {.lane = cvt},
    [WG_OP_CVT_PACK_F] = {.lane = cvt_pack_f},
    [WG_OP_CVT_PACK_I] = {.lane = cvt_pack_i},
    [WG_OP_CVT_PACK_B] = {.lane = cvt_pack_i},
    [WG_OP_CVT_PACK_8] = {.lane = cvt_narrow_8},
    [WG_OP_CVT_NARROW_8] = {.lane = cvt_narrow_8},
    [WG_OP_CVT_WIDEN_8] = {.lane = cvt_widen_8},
};
