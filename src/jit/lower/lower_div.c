/* Lowering of integer division and remainder.
 *
 * What PTX leaves open is decided as hardware does: by zero quotient and remainder are all ones (measured on
 * an H200, every width); the least number by -1 gives the least number and 0. LLVM's division is undefined
 * for both, so a divisor is made safe (1) first, which also gives the right answer in the second case.
 *
 * x86 has no division of integer vectors, and taking 32 lanes apart costs 32 divisions. Instead:
 *   16 bits   through float    q = trunc(n / d): an error of 2^-24 n/d is less than 1/d, the least distance
 *   32 bits   through double   of n/d from the next integer above it, since n < 2^16 (double: 2^32, 2^-53)
 *   32 bits   by one divisor for all lanes: q = trunc(n * (1/d) * (1 + 2^-50)), never below and by less than
 *             1/d above n/d for the same reason; the reciprocal is one scalar division that may leave the
 *             loop
 *   64 bits   by reciprocal in double: a quotient estimate right to 2^-51, then a second estimate of what the
 *             remainder holds; see divide_vector64
 *
 * Constant divisors of up to 32 bits are left to LLVM, which multiplies and shifts.
 */
#include "jit/lower/lower_rows.h"

static V to_float(struct wg_lower *b, V x, bool sign, LLVMTypeRef t) {
    return sign ? LLVMBuildSIToFP(b->b, x, t, "") : LLVMBuildUIToFP(b->b, x, t, "");
}
static V to_int(struct wg_lower *b, V x, bool sign, unsigned bits) {
    LLVMTypeRef t = wg_lower_int(b, bits);
    return sign ? LLVMBuildFPToSI(b->b, x, t, "") : LLVMBuildFPToUI(b->b, x, t, "");
}

static V plain(struct wg_lower *b, V n, V d, bool sign, bool remainder) {
    if (remainder) return sign ? LLVMBuildSRem(b->b, n, d, "") : LLVMBuildURem(b->b, n, d, "");
    return sign ? LLVMBuildSDiv(b->b, n, d, "") : LLVMBuildUDiv(b->b, n, d, "");
}

/* Scalarized: one division per lane. */
static V lane_by_lane(struct wg_lower *b, V n, V d, bool sign, bool remainder) {
    V r = LLVMGetPoison(LLVMTypeOf(n));
    for (unsigned i = 0; i < b->lanes; i++) {
        V at = LLVMConstInt(LLVMInt32TypeInContext(b->ctx), i, 0);
        V q = plain(b, LLVMBuildExtractElement(b->b, n, at, ""), LLVMBuildExtractElement(b->b, d, at, ""),
                    sign, remainder);
        r = LLVMBuildInsertElement(b->b, r, q, at, "");
    }
    return r;
}

/* Quotient of vectors of up to 32 bits; d is safe. */
static V divide_by_float(struct wg_lower *b, V n, V d, bool sign) {
    unsigned bits = wg_bits_of(n);
    LLVMTypeRef t = wg_lower_float(b, bits > 16 ? WG_T_F64 : WG_T_F32);
    V one_divisor = bits > 16 ? wg_splat_source(d) : NULL, q;
    if (one_divisor) {
        LLVMTypeRef f64 = LLVMDoubleTypeInContext(b->ctx);
        V inverse = v_fdiv(b, LLVMConstReal(f64, 1.0 + 0x1p-50), to_float(b, one_divisor, sign, f64));
        q = v_fmul(b, to_float(b, n, sign, t), wg_splat(b, inverse));
    } else
        q = v_fdiv(b, to_float(b, n, sign, t), to_float(b, d, sign, t));
    return to_int(b, q, sign, bits);
}

/* Unsigned quotient of vectors of 64 bits with the remainder in *rest; d is not 0.
 * With i = 1/d in double, q1 = rint(n * i) is within 1/2 + 2^-51 n/d of n/d, so the remainder n - q1 d lies
 * in
 * (-2^63, 2^63) and wraps into a signed number; q2 = rint(remainder * i) then leaves one within d/2 or a
 * little more of 0, and a negative one takes one step back. */
static V divide_vector64(struct wg_lower *b, V n, V d, V *rest) {
    LLVMTypeRef t = wg_lower_float(b, WG_T_F64);
    V inverse = v_fdiv(b, wg_float_const(b, true, 1.0), to_float(b, d, false, t));
    V most = wg_float_const(b, true, 0x1.fffffffffffffp63); /* the greatest double below 2^64 */
    V e1 = wg_unary(b, "llvm.rint", v_fmul(b, to_float(b, n, false, t), inverse));
    V q1 = to_int(b, v_sel(b, v_fcmp(b, LLVMRealOLT, e1, most), e1, most), false, 64);
    V r1 = v_sub(b, n, v_mul(b, q1, d));
    V e2 = wg_unary(b, "llvm.rint", v_fmul(b, to_float(b, r1, true, t), inverse));
    V q2 = to_int(b, e2, true, 64);
    V r2 = v_sub(b, r1, v_mul(b, q2, d)), q = v_add(b, q1, q2);
    V zero = v_k(b, 64, 0), below = v_slt(b, r2, zero), great = v_slt(b, d, zero),
      once = v_not(b, v_ult(b, n, d));
    *rest = v_sel(b, great, v_sub(b, n, v_sel(b, once, d, zero)), v_sel(b, below, v_add(b, r2, d), r2));
    return v_sel(b, great, v_zext(b, once, 64), v_add(b, q, v_sext(b, below, 64)));
}

static V divide64(struct wg_lower *b, V n, V d, bool sign, bool remainder) {
    V rest, zero = v_k(b, 64, 0);
    if (!sign) {
        V q = divide_vector64(b, n, d, &rest);
        return remainder ? rest : q;
    }
    V nsign = v_slt(b, n, zero), dsign = v_slt(b, d, zero);
    V q = divide_vector64(b, v_sel(b, nsign, v_neg(b, n), n), v_sel(b, dsign, v_neg(b, d), d), &rest);
    if (remainder) return v_sel(b, nsign, v_neg(b, rest), rest);
    return v_sel(b, v_xor(b, nsign, dsign), v_neg(b, q), q);
}

static V divide_safe(struct wg_lower *b, V n, V d, bool sign, bool remainder) {
    unsigned bits = wg_bits_of(n);
    uint64_t divisor;
    bool constant = wg_const_value(d, &divisor);
    if (b->lanes == 1 || (constant && (bits < 64 || (divisor & (divisor - 1)) == 0)))
        return plain(b, n, d, sign, remainder);
    if (bits == 64)
        return b->avx512 ? divide64(b, n, d, sign, remainder) : lane_by_lane(b, n, d, sign, remainder);
    V q = divide_by_float(b, n, d, sign);
    return remainder ? v_sub(b, n, v_mul(b, q, d)) : q;
}

/* The least number by -1. */
static V overflows(struct wg_lower *b, V n, V d) {
    unsigned bits = wg_bits_of(n);
    return v_and(b, v_eq(b, d, v_k(b, bits, UINT64_MAX)), v_eq(b, n, v_k(b, bits, 1ull << (bits - 1))));
}

static V make_safe(struct wg_lower *b, V n, V d, bool sign, V *by_zero) {
    unsigned bits = wg_bits_of(n);
    struct wg_lower one = *b;
    V scalar = wg_splat_source(d);
    bool splat = scalar && b->lanes > 1;
    if (splat) one.lanes = 1;
    V x = splat ? scalar : d, is_zero = v_eq(&one, x, v_k(&one, bits, 0));
    x = v_sel(&one, is_zero, v_k(&one, bits, 1), x);
    *by_zero = splat ? wg_splat(b, is_zero) : is_zero;
    if (splat) x = wg_splat(b, x);
    return sign ? v_sel(b, overflows(b, n, d), v_k(b, bits, 1), x) : x;
}

/* All ones in all lanes, or zeros: without AVX-512 cheaper than lanes that are chosen by a condition. */
static V all_if(struct wg_lower *b, V condition, unsigned bits) {
    return wg_splat(b, LLVMBuildSExt(b->b, condition, LLVMIntTypeInContext(b->ctx, bits), ""));
}

/* By one divisor for all lanes, which stays one: divide_by_float gains most by it. By -1 it divides by 1 and
 * negates: the least number stays as it is. */
static V divide_by_one(struct wg_lower *b, V n, V d, bool sign, bool remainder) {
    unsigned bits = wg_bits_of(n);
    struct wg_lower one = *b;
    one.lanes = 1;
    V is_zero = v_eq(&one, d, v_k(&one, bits, 0)), is_minus = v_eq(&one, d, v_k(&one, bits, UINT64_MAX));
    V safe = v_sel(&one, sign ? v_or(&one, is_zero, is_minus) : is_zero, v_k(&one, bits, 1), d);
    V r = divide_safe(b, n, wg_splat(b, safe), sign, remainder);
    if (sign && !remainder) {
        V minus = all_if(b, is_minus, bits);
        r = v_sub(b, v_xor(b, r, minus), minus);
    }
    return v_or(b, r, all_if(b, is_zero, bits));
}

V wg_divide(struct wg_lower *b, V n, V d, bool sign, bool remainder) {
    unsigned bits = wg_bits_of(n);
    uint64_t divisor, all = UINT64_MAX >> (64 - bits);
    V ones = v_k(b, bits, UINT64_MAX);
    if (wg_const_value(d, &divisor) && !(sign && divisor == all)) {
        if (divisor == 0) return ones;
        return divide_safe(b, n, v_k(b, bits, divisor), sign, remainder);
    }
    V one = b->lanes > 1 && bits <= 32 ? wg_splat_source(d) : NULL;
    if (one) return divide_by_one(b, n, one, sign, remainder);
    V by_zero, safe = make_safe(b, n, d, sign, &by_zero);
    return v_sel(b, by_zero, ones, divide_safe(b, n, safe, sign, remainder));
}

bool wg_row_div_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    dst[0] = wg_divide(b, wg_take(b, src[0], bits), wg_take(b, src[1], bits), wg_is_signed(in->type),
                       in->op == WG_OP_REM_I);
    return true;
}
