/* Conversions between floating-point formats: f16 and bf16 to float and back, double to float, in every
 * rounding mode.
 *
 * Rounding twice is wrong unless the first rounding keeps what it cut off visible. "Rounding to odd" does: an
 * inexact result gets its last bit set, so a later rounding to at least two bits fewer sees "a bit more" or
 * "a bit less" and never a tie that is none.
 */
#include "jit/lower/lower_rows.h"

static bool has_f16c(const struct wg_lower *b) { return b->avx2 || b->avx512; }

/* ---- To float: always exact ---- */

V wg_bf16_to_float(struct wg_lower *b, V bits) {
    return wg_from_bits(b, v_shl(b, v_zext(b, bits, 32), v_k(b, 32, 16)));
}

/* Without F16C: the half's bits put in a float's place are 2^112 too small, subnormals too. */
static V half_to_float_by_bits(struct wg_lower *b, V bits) {
    V x = v_zext(b, bits, 32), mag = v_and(b, x, v_k(b, 32, 0x7fff));
    V scaled = wg_from_bits(b, v_shl(b, mag, v_k(b, 32, 13)));
    V f = wg_to_bits(b, v_fmul(b, scaled, wg_float_const(b, false, 0x1p112)));
    V special = v_icmp(b, LLVMIntUGE, mag, v_k(b, 32, 0x7c00)); /* infinity and NaN */
    f = v_or(b, f, v_sel(b, special, v_k(b, 32, 0x7f800000), v_k(b, 32, 0)));
    V sign = v_shl(b, v_and(b, x, v_k(b, 32, 0x8000)), v_k(b, 32, 16));
    return wg_from_bits(b, v_or(b, f, sign));
}

V wg_half_to_float_kept(struct wg_lower *b, V bits) {
    if (!has_f16c(b)) return half_to_float_by_bits(b, bits);
    V half = v_bitcast(b, bits, wg_lower_float(b, WG_T_F16));
    return wg_keep_nan(b, LLVMBuildFPExt(b->b, half, wg_lower_float(b, WG_T_F32), ""));
}

V wg_half_to_float(struct wg_lower *b, V bits) {
    if (!has_f16c(b)) {
        V x = half_to_float_by_bits(b, bits);
        return v_sel(b, wg_isnan(b, x), wg_from_bits(b, v_k(b, 32, INT32_MAX)), x);
    }
    return LLVMBuildFPExt(b->b, v_bitcast(b, bits, wg_lower_float(b, WG_T_F16)), wg_lower_float(b, WG_T_F32),
                          "");
}

/* ---- Float to 16 bits ---- */

/* `m` without its low n bits (1 to 31), rounded; `negative` says which way rm and rp go. n is of b->lanes. */
static V cut(struct wg_lower *b, V m, V n, enum wg_mod rnd, V negative) {
    V one = v_k(b, 32, 1), zero = v_k(b, 32, 0), q = v_lshr(b, m, n), more;
    if (rnd == WG_M_rz) return q;
    if (rnd == WG_M_rn || rnd == WG_M_none) { /* a tie's carry goes through when q is odd */
        V below_half = v_sub(b, v_shl(b, one, v_sub(b, n, one)), one);
        more = v_add(b, below_half, v_and(b, q, one));
    } else {
        V all = v_sub(b, v_shl(b, one, n), one);
        more = rnd == WG_M_rm ? v_sel(b, negative, all, zero) : v_sel(b, negative, zero, all);
    }
    return v_lshr(b, v_add(b, m, more), n);
}

/* What a finite number beyond the greatest becomes. */
static V overflow_to(struct wg_lower *b, enum wg_mod rnd, V negative, uint64_t greatest, uint64_t infinity) {
    V g = v_k(b, 32, greatest), i = v_k(b, 32, infinity);
    switch (rnd) {
    case WG_M_rz: return g;
    case WG_M_rm: return v_sel(b, negative, i, g);
    case WG_M_rp: return v_sel(b, negative, g, i);
    default: return i;
    }
}

/* By integers. Halves are normal from 2^-14 (0x38800000) on, where the exponent is 112 less and 13 bits go;
 * below, the fraction with its leading one is shifted to where 2^-24 is the last bit. */
static V float_to_half_by_bits(struct wg_lower *b, V x, enum wg_mod rnd) {
    V bits = wg_to_bits_any(b, x), mag = v_and(b, bits, v_k(b, 32, 0x7fffffff));
    V negative = v_slt(b, bits, v_k(b, 32, 0)), n13 = v_k(b, 32, 13);
    V normal = cut(b, v_sub(b, mag, v_k(b, 32, 112u << 23)), n13, rnd, negative);
    V fraction = v_or(b, v_and(b, mag, v_k(b, 32, 0x7fffff)), v_k(b, 32, 0x800000));
    V exponent = v_lshr(b, mag, v_k(b, 32, 23)), places = v_sub(b, v_k(b, 32, 126), exponent);
    places = wg_binary(b, "llvm.umin", places, v_k(b, 32, 30)); /* float's own subnormals are all "a bit" */
    places = wg_binary(b, "llvm.umax", places, v_k(b, 32, 1));  /* unused lanes must not make poison */
    fraction = v_sel(b, v_eq(b, mag, v_k(b, 32, 0)), v_k(b, 32, 0), fraction);
    V tiny = cut(b, fraction, places, rnd, negative);
    V r = v_sel(b, v_ult(b, mag, v_k(b, 32, 0x38800000)), tiny, normal);
    V inf = v_k(b, 32, 0x7f800000);
    V too_great = v_or(b, v_icmp(b, LLVMIntUGE, mag, v_k(b, 32, 0x47800000)), /* 2^16 */
                       v_icmp(b, LLVMIntUGE, r, v_k(b, 32, 0x7c00)));
    r = v_sel(b, too_great, overflow_to(b, rnd, negative, 0x7bff, 0x7c00), r);
    r = v_sel(b, v_eq(b, mag, inf), v_k(b, 32, 0x7c00), r);
    r = v_or(b, r, v_and(b, v_lshr(b, bits, v_k(b, 32, 16)), v_k(b, 32, 0x8000)));
    r = v_sel(b, v_icmp(b, LLVMIntUGT, mag, inf), v_k(b, 32, 0x7fff), r);
    return v_trunc(b, r, 16);
}

V wg_float_to_half(struct wg_lower *b, V x, enum wg_mod rnd) {
    /* LLVM folds a NaN to 0x7e00, and no instruction is left of which the result could be made canonical. */
    bool folds = LLVMIsConstant(x);
    if (!has_f16c(b) || folds || (rnd != WG_M_rn && rnd != WG_M_none))
        return float_to_half_by_bits(b, x, rnd);
    return v_bitcast(b, LLVMBuildFPTrunc(b->b, x, wg_lower_float(b, WG_T_F16), ""), wg_lower_int(b, 16));
}

/* The same exponent as float's: 16 bits go, a carry runs into the exponent as it should, and never into the
 * sign. */
V wg_float_to_bf16(struct wg_lower *b, V x, enum wg_mod rnd) {
    V bits = wg_to_bits_any(b, x);
    V r = v_trunc(b, cut(b, bits, v_k(b, 32, 16), rnd, v_slt(b, bits, v_k(b, 32, 0))), 16);
    return v_sel(b, wg_isnan(b, x), v_k(b, 16, 0x7fff), r);
}

/* ---- Double to float ---- */

V wg_double_to_float_odd(struct wg_lower *b, V x) {
    V near = LLVMBuildFPTrunc(b->b, x, wg_lower_float(b, WG_T_F32), "");
    V back = LLVMBuildFPExt(b->b, near, wg_lower_float(b, WG_T_F64), "");
    V inexact = v_fcmp(b, LLVMRealONE, back, x),
      above = v_fcmp(b, LLVMRealOGT, wg_fabs(b, back), wg_fabs(b, x));
    V bits = v_add(b, wg_to_bits_any(b, near), v_sext(b, above, 32)); /* one step towards zero */
    return wg_from_bits(b, v_or(b, bits, v_zext(b, inexact, 32)));
}

/* The nearest, and one step back when that lies on the wrong side. Steps are counted in the bits, where away
 * from zero is +1 for either sign. */
static V to_nearby(struct wg_lower *b, V x, V near, enum wg_mod rnd) {
    if (rnd == WG_M_rn || rnd == WG_M_none) return near;
    V back = LLVMBuildFPExt(b->b, near, wg_lower_float(b, WG_T_F64), ""), bits = wg_to_bits(b, near);
    if (rnd == WG_M_rz) {
        V above = v_fcmp(b, LLVMRealOGT, wg_fabs(b, back), wg_fabs(b, x));
        return wg_from_bits(b, v_add(b, bits, v_sext(b, above, 32)));
    }
    V wrong = v_fcmp(b, rnd == WG_M_rm ? LLVMRealOGT : LLVMRealOLT, back, x);
    V negative = v_slt(b, bits, v_k(b, 32, 0)), one = v_k(b, 32, 1), minus = v_k(b, 32, UINT32_MAX);
    V step = rnd == WG_M_rm ? v_sel(b, negative, one, minus) : v_sel(b, negative, minus, one);
    return wg_from_bits(b, v_add(b, bits, v_sel(b, wrong, step, v_k(b, 32, 0))));
}

V wg_double_to_float(struct wg_lower *b, V x, enum wg_mod rnd) {
    return to_nearby(b, x, LLVMBuildFPTrunc(b->b, x, wg_lower_float(b, WG_T_F32), ""), rnd);
}
V wg_double_to_float_kept(struct wg_lower *b, V x, enum wg_mod rnd) {
    V near = wg_keep_nan(b, LLVMBuildFPTrunc(b->b, x, wg_lower_float(b, WG_T_F32), ""));
    return to_nearby(b, x, near, rnd);
}

/* The product of floats is exact in double; the sum's error is a double too (Knuth's two-sum), and its sign
 * says on which side of the rounded sum the exact one lies. */
V wg_fma_odd(struct wg_lower *b, V x, V y, V z) {
    LLVMTypeRef f64 = wg_lower_float(b, WG_T_F64);
    V p = v_fmul(b, LLVMBuildFPExt(b->b, x, f64, ""), LLVMBuildFPExt(b->b, y, f64, ""));
    V c = LLVMBuildFPExt(b->b, z, f64, ""), s = v_fadd(b, p, c);
    V cc = v_fsub(b, s, p), pp = v_fsub(b, s, cc);
    V error = v_fadd(b, v_fsub(b, p, pp), v_fsub(b, c, cc));
    V bits = wg_to_bits(b, s), one = v_k(b, 64, 1), zero = wg_float_const(b, true, 0.0);
    V inexact = v_fcmp(b, LLVMRealONE, error, zero), even = v_eq(b, v_and(b, bits, one), v_k(b, 64, 0));
    V opposite = v_slt(b, v_xor(b, bits, wg_to_bits(b, error)), v_k(b, 64, 0));
    V step = v_sel(b, opposite, v_k(b, 64, UINT64_MAX), one);
    V fix = v_and(b, inexact, even);
    return wg_from_bits(b, v_add(b, bits, v_sel(b, fix, step, v_k(b, 64, 0))));
}
