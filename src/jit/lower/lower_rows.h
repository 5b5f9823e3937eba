/* Internal interface of the pure lowering: one function per row, and the short builders they are written in.
 *
 * Stands between lower.c, which looks the row up, and lower_*.c, which say what it means in LLVM's
 * operations.
 *
 * Builders take and give values of b->lanes lanes and read like the formula they stand for:
 *
 *     V quotient = v_sel(b, v_eq(b, d, zero), ones, v_udiv(b, n, safe));
 *
 * Invariants:
 *   - A value handed to a row is bits (iN); floating-point rows go through wg_load_float / wg_store_float.
 *   - Poison may be made only where a select throws it away: out-of-range shifts, conversions out of range.
 *   - No fast-math flag is ever set: what a row rounds is rounded once, as PTX says.
 */
#ifndef WG_JIT_LOWER_ROWS_H
#define WG_JIT_LOWER_ROWS_H
#include "jit/lower/lower.h"

typedef LLVMValueRef V;
typedef bool wg_row_fn(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst);

#define ROW(row, fn) wg_row_fn wg_row_##fn;
#include "jit/lower/lower_rows.def"

/* The row in place; if it is long, a call of a function of its own (lower_outline.c). */
bool wg_row_outlined(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst, wg_row_fn *row);

/* ---- Builders ---- */
static inline V v_add(struct wg_lower *b, V x, V y) { return LLVMBuildAdd(b->b, x, y, ""); }
static inline V v_sub(struct wg_lower *b, V x, V y) { return LLVMBuildSub(b->b, x, y, ""); }
static inline V v_mul(struct wg_lower *b, V x, V y) { return LLVMBuildMul(b->b, x, y, ""); }
static inline V v_and(struct wg_lower *b, V x, V y) { return LLVMBuildAnd(b->b, x, y, ""); }
static inline V v_or(struct wg_lower *b, V x, V y) { return LLVMBuildOr(b->b, x, y, ""); }
static inline V v_xor(struct wg_lower *b, V x, V y) { return LLVMBuildXor(b->b, x, y, ""); }
static inline V v_not(struct wg_lower *b, V x) { return LLVMBuildNot(b->b, x, ""); }
static inline V v_neg(struct wg_lower *b, V x) { return LLVMBuildNeg(b->b, x, ""); }
static inline V v_shl(struct wg_lower *b, V x, V n) { return LLVMBuildShl(b->b, x, n, ""); }
static inline V v_lshr(struct wg_lower *b, V x, V n) { return LLVMBuildLShr(b->b, x, n, ""); }
static inline V v_ashr(struct wg_lower *b, V x, V n) { return LLVMBuildAShr(b->b, x, n, ""); }
static inline V v_sel(struct wg_lower *b, V c, V x, V y) { return LLVMBuildSelect(b->b, c, x, y, ""); }
static inline V v_icmp(struct wg_lower *b, LLVMIntPredicate p, V x, V y) {
    return LLVMBuildICmp(b->b, p, x, y, "");
}
static inline V v_fcmp(struct wg_lower *b, LLVMRealPredicate p, V x, V y) {
    return LLVMBuildFCmp(b->b, p, x, y, "");
}
static inline V v_fadd(struct wg_lower *b, V x, V y) { return LLVMBuildFAdd(b->b, x, y, ""); }
static inline V v_fsub(struct wg_lower *b, V x, V y) { return LLVMBuildFSub(b->b, x, y, ""); }
static inline V v_fmul(struct wg_lower *b, V x, V y) { return LLVMBuildFMul(b->b, x, y, ""); }
static inline V v_fdiv(struct wg_lower *b, V x, V y) { return LLVMBuildFDiv(b->b, x, y, ""); }
static inline V v_eq(struct wg_lower *b, V x, V y) { return v_icmp(b, LLVMIntEQ, x, y); }
static inline V v_ult(struct wg_lower *b, V x, V y) { return v_icmp(b, LLVMIntULT, x, y); }
static inline V v_slt(struct wg_lower *b, V x, V y) { return v_icmp(b, LLVMIntSLT, x, y); }
static inline V v_k(struct wg_lower *b, unsigned bits, uint64_t value) {
    return wg_lower_const(b, bits, value);
}
static inline V v_zext(struct wg_lower *b, V x, unsigned bits) {
    return LLVMBuildZExt(b->b, x, wg_lower_int(b, bits), "");
}
static inline V v_sext(struct wg_lower *b, V x, unsigned bits) {
    return LLVMBuildSExt(b->b, x, wg_lower_int(b, bits), "");
}
static inline V v_trunc(struct wg_lower *b, V x, unsigned bits) {
    return LLVMBuildTrunc(b->b, x, wg_lower_int(b, bits), "");
}
static inline V v_bitcast(struct wg_lower *b, V x, LLVMTypeRef t) { return LLVMBuildBitCast(b->b, x, t, ""); }

unsigned wg_bits_of(V x);                                       /* width of one lane of integers */
V wg_resize(struct wg_lower *b, V x, unsigned bits, bool sign); /* truncates or extends, or leaves as it is */
bool wg_is_signed(uint32_t type);                               /* enum wg_type */
/* The low part of a source that the row's type asks for. */
V wg_take(struct wg_lower *b, V x, unsigned bits);
/* Whether x is a splat constant, and its value. */
bool wg_const_value(V x, uint64_t *value);
/* The scalar that x is a splat of, or NULL when that is not known. */
V wg_splat_source(V x);
V wg_splat(struct wg_lower *b, V scalar);
/* Intrinsics of one type that take and give it. */
V wg_unary(struct wg_lower *b, const char *name, V x);
V wg_binary(struct wg_lower *b, const char *name, V x, V y);
V wg_ternary(struct wg_lower *b, const char *name, V x, V y, V z);
/* x, hidden from code generation's known-bits analysis: that is repeated through some chains of operations,
 * and would take longer for them than for all the rest. Emits no instruction. */
V wg_opaque(struct wg_lower *b, V x);
/* Lanes [first, first + count) of a vector; and vectors end to end. */
V wg_lanes_of(struct wg_lower *b, V x, unsigned first, unsigned count);
V wg_lanes_join(struct wg_lower *b, V *parts, unsigned nparts, unsigned count);
enum wg_type wg_type_of_half(uint32_t type); /* f16x2 -> f16; other types as they are */

/* Calculates one result of type `type` from sources of that type. */
typedef V wg_typed_fn(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V *src);
/* f over the row's lanes; for types like f16x2 over twice as many lanes of the half. */
V wg_by_halves(struct wg_lower *b, const struct wg_ir_instr *in, V *src, wg_typed_fn *f);

/* ---- Shifts with PTX's counts: any 32-bit unsigned count, of b->lanes ---- */
V wg_shl(struct wg_lower *b, V x, V count); /* 0 from the width on */
V wg_lshr(struct wg_lower *b, V x, V count);
V wg_ashr(struct wg_lower *b, V x, V count);               /* the sign from the width on */
V wg_low_mask(struct wg_lower *b, V count, unsigned bits); /* `count` ones; all from the width on */

/* ---- Integers ---- */
V wg_mul_high(struct wg_lower *b, V x, V y, bool sign);
V wg_divide(struct wg_lower *b, V n, V d, bool sign, bool remainder);

/* ---- Floating point ---- */
/* Values that rows calculate with are float or double; half and bf16 are calculated in float, which for
 * + - * is exact enough to round once (24 >= 2 * 11 + 2). */
V wg_load_float(struct wg_lower *b, V bits, uint32_t type, bool ftz);
V wg_store_float(struct wg_lower *b, V x, uint32_t type, bool ftz);
bool wg_is_f64(uint32_t type);
V wg_float_const(struct wg_lower *b, bool f64, double value);
V wg_to_bits(struct wg_lower *b, V x); /* float -> i32, double -> i64 */
V wg_to_bits_any(struct wg_lower *b,
                 V x); /* of a NaN any bits will do (nans.h): the row sets right what it becomes */
V wg_keep_nan(struct wg_lower *b, V x);  /* x, a conversion, keeps the payload of a NaN (nans.h) */
V wg_from_bits(struct wg_lower *b, V x); /* i32 -> float, i64 -> double */
V wg_flush(struct wg_lower *b, V bits, uint32_t type); /* a subnormal number -> zero of its sign */
V wg_saturate(struct wg_lower *b, V x);                /* into [0, 1]; NaN -> 0 */
V wg_isnan(struct wg_lower *b, V x);
/* What rcp and rsqrt.approx.ftz.f64 give for operand x where r, exactly that, is no number: they look at the
 * upper word alone, for which NaNs with all of their payload below it are infinite. */
V wg_nan_of_upper_word(struct wg_lower *b, V x, V r);
V wg_fabs(struct wg_lower *b, V x);
V wg_mod_cmp(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V x,
             V y); /* NULL: no such comparison */

enum wg_fop { WG_FADD, WG_FSUB, WG_FMUL, WG_FDIV, WG_FSQRT, WG_FFMA };
/* One IEEE operation in rounding mode rn, rz, rm or rp; x, y, z as the operation needs. */
V wg_ieee(struct wg_lower *b, enum wg_fop op, enum wg_mod rnd, V x, V y, V z);
V wg_ieee_directed(struct wg_lower *b, enum wg_fop op, enum wg_mod rnd, V x, V y, V z); /* rz, rm, rp */

/* ---- Between formats ---- */
V wg_half_to_float(struct wg_lower *b, V bits);
V wg_half_to_float_kept(struct wg_lower *b, V bits); /* a NaN's payload stays */
V wg_bf16_to_float(struct wg_lower *b, V bits);
V wg_float_to_half(struct wg_lower *b, V x, enum wg_mod rnd); /* -> i16 */
V wg_float_to_bf16(struct wg_lower *b, V x, enum wg_mod rnd); /* -> i16 */
V wg_double_to_float(struct wg_lower *b, V x, enum wg_mod rnd);
V wg_double_to_float_kept(struct wg_lower *b, V x, enum wg_mod rnd); /* a NaN's payload stays */
/* To float so that a later rounding to 22 bits or fewer sees what was cut off (round to odd). */
V wg_double_to_float_odd(struct wg_lower *b, V x);
/* x * y + z of float in double, rounded to odd: rounding it again to float or less is rounding once. */
V wg_fma_odd(struct wg_lower *b, V x, V y, V z);
#endif
