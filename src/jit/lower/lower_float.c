/* Lowering of floating-point arithmetic that IEEE defines, signs, minimum and maximum.
 *
 *     fma.rz.ftz.sat.f32 d, a, b, c
 *         flush a, b, c -> one operation rounded towards zero -> flush -> into [0, 1]
 *
 * f16 and bf16 are calculated in float and rounded once more, which is rounding once for + - * (24 bits are
 * at least 2 * 11 + 2); fma is rounded to odd first. Which NaN a result is, where it is none of its format,
 * nans.h sees to; of two different NaNs of f64 either may be given, as with x86's instructions
 * (docs/nans.md).
 */
#include "jit/lower/lower_rows.h"
#include "jit/lower/nan_marks.h"
#include <stdio.h>

bool wg_is_f64(uint32_t type) { return type == WG_T_F64; }

V wg_float_const(struct wg_lower *b, bool f64, double value) {
    LLVMTypeRef t = f64 ? LLVMDoubleTypeInContext(b->ctx) : LLVMFloatTypeInContext(b->ctx);
    return wg_splat(b, LLVMConstReal(t, value));
}

static bool value_is_f64(V x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
    return LLVMGetTypeKind(t) == LLVMDoubleTypeKind;
}

V wg_to_bits(struct wg_lower *b, V x) { return v_bitcast(b, x, wg_lower_int(b, value_is_f64(x) ? 64 : 32)); }
static V mark(struct wg_lower *b, V x, const char *kind, unsigned length) {
    if (LLVMIsAInstruction(x))
        LLVMSetMetadata(x, LLVMGetMDKindIDInContext(b->ctx, kind, length),
                        LLVMMetadataAsValue(b->ctx, LLVMMDNodeInContext2(b->ctx, NULL, 0)));
    return x;
}
V wg_to_bits_any(struct wg_lower *b, V x) {
    return mark(b, wg_to_bits(b, x), WG_NAN_ANY, sizeof WG_NAN_ANY - 1);
}
V wg_keep_nan(struct wg_lower *b, V x) { return mark(b, x, WG_NAN_KEPT, sizeof WG_NAN_KEPT - 1); }

V wg_from_bits(struct wg_lower *b, V x) {
    return v_bitcast(b, x, wg_lower_float(b, wg_bits_of(x) == 64 ? WG_T_F64 : WG_T_F32));
}

V wg_isnan(struct wg_lower *b, V x) { return v_fcmp(b, LLVMRealUNO, x, x); }

V wg_nan_of_upper_word(struct wg_lower *b, V x, V r) {
    V inf = v_k(b, 64, 0x7ffull << 52), mag = v_and(b, x, v_k(b, 64, INT64_MAX)),
      sign = v_and(b, x, v_k(b, 64, 1ull << 63));
    V upper = v_and(b, mag, v_k(b, 64, 0xffffffff00000000)), nan = v_k(b, 64, 0x7fffffff00000000);
    nan = v_sel(b, v_and(b, v_eq(b, upper, inf), v_icmp(b, LLVMIntNE, mag, inf)), sign, nan);
    return v_sel(b, wg_isnan(b, r), wg_from_bits(b, nan), r);
}

V wg_fabs(struct wg_lower *b, V x) { return wg_unary(b, "llvm.fabs", x); }

static uint64_t exponent_of(uint32_t type) {
    switch (type) {
    case WG_T_F16: return 0x7c00;
    case WG_T_BF16: return 0x7f80;
    case WG_T_F64: return 0x7ffull << 52;
    default: return 0x7f800000;
    }
}

V wg_flush(struct wg_lower *b, V x, uint32_t type) {
    unsigned bits = wg_type_bits(type);
    V tiny = v_eq(b, v_and(b, x, v_k(b, bits, exponent_of(type))), v_k(b, bits, 0));
    return v_sel(b, tiny, v_and(b, x, v_k(b, bits, 1ull << (bits - 1))), x);
}

V wg_load_float(struct wg_lower *b, V bits, uint32_t type, bool ftz) {
    V x = wg_take(b, bits, wg_type_bits(type));
    if (ftz) x = wg_flush(b, x, type);
    switch (type) {
    case WG_T_F16: return wg_half_to_float(b, x);
    case WG_T_BF16: return wg_bf16_to_float(b, x);
    default: return wg_from_bits(b, x);
    }
}

V wg_store_float(struct wg_lower *b, V x, uint32_t type, bool ftz) {
    V bits = type == WG_T_F16    ? wg_float_to_half(b, x, WG_M_rn)
             : type == WG_T_BF16 ? wg_float_to_bf16(b, x, WG_M_rn)
                                 : wg_to_bits(b, x);
    return ftz ? wg_flush(b, bits, type) : bits;
}

/* Comparisons that x86's max and min instructions are: NaN and -0 give the second operand, +0. */
V wg_saturate(struct wg_lower *b, V x) {
    bool f64 = value_is_f64(x);
    V zero = wg_float_const(b, f64, 0.0), one = wg_float_const(b, f64, 1.0);
    x = v_sel(b, v_fcmp(b, LLVMRealOGT, x, zero), x, zero);
    return v_sel(b, v_fcmp(b, LLVMRealOLT, x, one), x, one);
}

/* ---- IEEE operations ---- */

V wg_ieee(struct wg_lower *b, enum wg_fop op, enum wg_mod rnd, V x, V y, V z) {
    if (rnd != WG_M_none && rnd != WG_M_rn) return wg_ieee_directed(b, op, rnd, x, y, z);
    switch (op) {
    case WG_FADD: return v_fadd(b, x, y);
    case WG_FSUB: return v_fsub(b, x, y);
    case WG_FMUL: return v_fmul(b, x, y);
    case WG_FDIV: return v_fdiv(b, x, y);
    case WG_FSQRT: return wg_unary(b, "llvm.sqrt", x);
    default: break;
    }
    if (b->avx2 || b->avx512 || value_is_f64(x)) return wg_ternary(b, "llvm.fma", x, y, z);
    return wg_double_to_float(b, wg_fma_odd(b, x, y, z),
                              WG_M_rn); /* no FMA unit: better than a call a lane */
}

/* x * y + z of f16's values, as a float rounded to odd (lower_formats.c). The product is exact: 22 bits, not below 2^-48. Of the two
 * floats around an inexact sum one is odd. */
static V fma_of_f16(struct wg_lower *b, V x, V y, V z) {
    V p = v_fmul(b, x, y), one = v_k(b, 32, 1);
    if (b->avx512) {
        V down = wg_to_bits_any(b, wg_ieee_directed(b, WG_FADD, WG_M_rm, p, z, NULL));
        V up = wg_to_bits_any(b, wg_ieee_directed(b, WG_FADD, WG_M_rp, p, z, NULL));
        return wg_from_bits(b, v_sel(b, v_eq(b, v_and(b, down, one), one), down, up));
    }
    V s = v_fadd(b, p, z), zz = v_fsub(b, s, p), pp = v_fsub(b, s, zz);
    V error = v_fadd(b, v_fsub(b, p, pp), v_fsub(b, z, zz)), bits = wg_to_bits_any(b, s);
    V inexact = v_fcmp(b, LLVMRealONE, error, wg_float_const(b, false, 0));
    V opposite = v_ashr(b, v_xor(b, bits, wg_to_bits_any(b, error)), v_k(b, 32, 31)); /* -1, or 0 */
    return wg_from_bits(b, v_sel(b, inexact, v_or(b, v_add(b, bits, opposite), one), bits));
}

/* fma of halves, as a float that rounds to the half once. bf16's operands are too far apart for a float's exponents. */
static V fma_of_halves(struct wg_lower *b, uint32_t type, V x, V y, V z) {
    if (type == WG_T_F16) return fma_of_f16(b, x, y, z);
    return wg_double_to_float_odd(b, wg_fma_odd(b, x, y, z));
}

static enum wg_fop fop_of(uint32_t row) {
    switch (row) {
    case WG_OP_ADD_F: return WG_FADD;
    case WG_OP_SUB_F: return WG_FSUB;
    case WG_OP_MUL_F: return WG_FMUL;
    case WG_OP_DIV_F:
    case WG_OP_DIV_A:
    case WG_OP_RCP:
    case WG_OP_RCP_A: return WG_FDIV;
    case WG_OP_SQRT:
    case WG_OP_SQRT_A: return WG_FSQRT;
    default: return WG_FFMA;
    }
}

/* LLVM's own NaNs, of constants, are not x86's. */
static bool all_constant(V x[3]) {
    for (unsigned i = 0; i < 3; i++)
        if (x[i] && !LLVMIsConstant(x[i])) return false;
    return true;
}
/* A constant that LLVM does not see. */
static V hidden(struct wg_lower *b, V x) { return wg_unary(b, "llvm.arithmetic.fence", x); }

static V arith(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V *src) {
    bool ftz = in->mod[WG_MC_FTZ] == WG_M_ftz, half = wg_type_bits(type) == 16;
    enum wg_fop op = fop_of(in->op);
    V x[3] = {0}, r;
    for (unsigned i = 0; i < in->nsrc && i < 3; i++) x[i] = wg_load_float(b, src[i], type, ftz);
    if (in->op == WG_OP_RCP || in->op == WG_OP_RCP_A) {
        x[1] = x[0];
        x[0] = wg_float_const(b, wg_is_f64(type), 1.0);
    }
    if (all_constant(x)) x[0] = hidden(b, x[0]);
    if (half && op == WG_FFMA)
        r = fma_of_halves(b, type, x[0], x[1], x[2]);
    else
        r = wg_ieee(b, op, in->mod[WG_MC_RND], x[0], x[1], x[2]);
    if (in->op == WG_OP_RCP_A && wg_is_f64(type)) r = wg_nan_of_upper_word(b, wg_take(b, src[0], 64), r);
    if (in->mod[WG_MC_RELU] == WG_M_relu) { /* NaN stays NaN */
        V negative = v_fcmp(b, LLVMRealOLE, r, wg_float_const(b, false, 0.0));
        r = v_sel(b, negative, wg_float_const(b, false, 0.0), r);
    }
    if (in->mod[WG_MC_SAT] == WG_M_sat) r = wg_saturate(b, r);
    return wg_store_float(b, r, type, ftz);
}

bool wg_row_arith_float(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    enum wg_mod rnd = in->mod[WG_MC_RND];
    enum wg_type half = wg_type_of_half(in->type);
    if (wg_type_bits(half) == 16 && rnd != WG_M_none && rnd != WG_M_rn) return false;
    if (in->mod[WG_MC_SAT] != WG_M_none && in->mod[WG_MC_SAT] != WG_M_sat) return false;
    dst[0] = wg_by_halves(b, in, src, arith);
    return true;
}

/* ---- Signs: bits, not arithmetic, but for NaNs ---- */

static V finite_sign(struct wg_lower *b, const struct wg_ir_instr *in, V x) {
    bool f64 = value_is_f64(x);
    if (!f64) return in->op == WG_OP_NEG_F ? LLVMBuildFNeg(b->b, x, "") : wg_fabs(b, x);
    /* A NaN of f64 keeps its sign, as in a difference: -0 - x, and for |x| the greater one of x and 0 - x. */
    if (in->op == WG_OP_NEG_F) return v_fsub(b, hidden(b, wg_float_const(b, true, -0.0)), x);
    V minus = v_fsub(b, hidden(b, wg_float_const(b, true, 0.0)), x);
    return v_sel(b, v_fcmp(b, LLVMRealOGT, x, minus), x, minus);
}

static V sign_of_half(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V x) {
    V mag = v_and(b, x, v_k(b, 16, 0x7fff)), nan = v_icmp(b, LLVMIntUGT, mag, v_k(b, 16, exponent_of(type)));
    return v_sel(b, nan, v_k(b, 16, 0x7fff), in->op == WG_OP_ABS_F ? mag : v_xor(b, x, v_k(b, 16, 0x8000)));
}

static V sign(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V *src) {
    unsigned bits = wg_type_bits(type);
    uint64_t top = 1ull << (bits - 1);
    V x = wg_take(b, src[0], bits), s = v_k(b, bits, top), rest = v_k(b, bits, ~top);
    if (in->mod[WG_MC_FTZ] == WG_M_ftz) x = wg_flush(b, x, type);
    if (in->op == WG_OP_COPYSIGN) /* a's sign on b */
        return v_or(b, v_and(b, x, s), v_and(b, wg_take(b, src[1], bits), rest));
    if (bits == 16) return sign_of_half(b, in, type, x);
    return wg_to_bits(b, finite_sign(b, in, wg_from_bits(b, x)));
}

bool wg_row_sign_float(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = wg_by_halves(b, in, src, sign);
    return true;
}

/* ---- Minimum and maximum ---- */

/* Where the mask is set (NULL: everywhere) the least or greatest of x and y as AVX-512 has it, elsewhere
 * `old`: +0 is above -0, a quiet NaN gives the other one, a signalling one itself, made quiet. */
static V range_512(struct wg_lower *b, bool min, V x, V y, V old, V mask) {
    bool f64 = value_is_f64(x);
    unsigned size = f64 ? 8 : 16, n = b->lanes > size ? b->lanes / size : 1;
    char name[48];
    snprintf(name, sizeof name, "llvm.x86.avx512.mask.range.p%c.512", f64 ? 'd' : 's');
    LLVMTypeRef i32 = LLVMInt32TypeInContext(b->ctx), bits = LLVMIntTypeInContext(b->ctx, size);
    V parts[8], how = LLVMConstInt(i32, min ? 4 : 5, 0), rounding = LLVMConstInt(i32, 4, 0);
    for (unsigned p = 0; p < n; p++) {
        V on = LLVMConstAllOnes(bits);
        if (mask && b->lanes == 1)
            on = LLVMBuildZExt(b->b, mask, bits, "");
        else if (mask)
            on = LLVMBuildBitCast(b->b, wg_lanes_of(b, mask, p * size, size), bits, "");
        V args[6] = {wg_lanes_of(b, x, p * size, size),
                     wg_lanes_of(b, y, p * size, size),
                     how,
                     wg_lanes_of(b, old, p * size, size),
                     on,
                     rounding};
        parts[p] = wg_lower_intrinsic(b, name, NULL, 0, args, 6);
    }
    return wg_lanes_join(b, parts, n, b->lanes);
}

/* The same of what may be signalling: where y is any NaN x stays, where x is one y is given, quiet. */
static V minmax_512(struct wg_lower *b, bool min, V x, bool x_quiet, V y, bool y_quiet) {
    if (x_quiet && !y_quiet) return range_512(b, min, x, y, x, v_fcmp(b, LLVMRealORD, y, y));
    if (y_quiet && !x_quiet) return range_512(b, min, y, x, y, v_fcmp(b, LLVMRealORD, x, x));
    if (x_quiet) return range_512(b, min, x, y, x, NULL);
    V r = range_512(b, min, x, y, x, v_fcmp(b, LLVMRealORD, y, y));
    return range_512(b, min, y, y, r, wg_isnan(b, x));
}

/* -0 is less than +0; of a number and a NaN the number is given, of two NaNs (with .NaN: of one) a NaN.
 * x86's min(x, y) = x < y ? x : y gives y for two zeros and for any NaN. So the operand that decides between
 * zeros is put second: the negative one for min, the positive one for max; then a NaN there gives the first.
 */
static V minmax(struct wg_lower *b, bool min, V x, V y) {
    V x0 = x, y0 = y;
    if (LLVMIsConstant(y)) { /* its sign and class are known: less is left to do */
        V t = x;
        x = y;
        y = t;
    }
    V bits = wg_to_bits_any(b, x), negative = v_slt(b, bits, v_k(b, value_is_f64(x) ? 64 : 32, 0));
    V first = v_sel(b, negative, min ? y : x, min ? x : y),
      second = v_sel(b, negative, min ? x : y, min ? y : x);
    V r = v_sel(b, v_fcmp(b, min ? LLVMRealOLT : LLVMRealOGT, first, second), first, second);
    r = v_sel(b, wg_isnan(b, second), first, r);
    if (!value_is_f64(x)) return mark(b, r, WG_NAN_MADE, sizeof WG_NAN_MADE - 1);
    /* Two NaNs: y, made quiet by an addition that changes nothing else. */
    V both = v_and(b, wg_isnan(b, x0), wg_isnan(b, y0));
    return v_sel(b, both, v_fadd(b, y0, hidden(b, wg_float_const(b, true, -0.0))), r);
}

static V minmax_of(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V *src) {
    bool ftz = in->mod[WG_MC_FTZ] == WG_M_ftz, xorsign = in->mod[WG_MC_XORSIGN] == WG_M_xorsign_abs;
    V x = wg_load_float(b, src[0], type, ftz), y = wg_load_float(b, src[1], type, ftz), sign = NULL;
    if (xorsign) {
        unsigned bits = wg_type_bits(type); /* NaNs have signs here */
        sign = v_xor(b, wg_take(b, src[0], bits), wg_take(b, src[1], bits));
        sign =
            v_and(b, bits < 32 ? v_shl(b, v_zext(b, sign, 32), v_k(b, 32, 16)) : sign, v_k(b, 32, 1u << 31));
        x = wg_fabs(b, x);
        y = wg_fabs(b, y);
    }
    bool min = in->op == WG_OP_MIN_F, constant = LLVMIsConstant(x) || LLVMIsConstant(y);
    uint32_t quiet = wg_type_bits(type) >= 32 ? b->quiet : 0;
    V r = b->avx512 && !constant ? minmax_512(b, min, x, quiet & 1, y, quiet & 2) : minmax(b, min, x, y);
    if (in->mod[WG_MC_NAN] == WG_M_NaN) {
        V canonical =
            wg_from_bits(b, v_k(b, value_is_f64(x) ? 64 : 32, value_is_f64(x) ? INT64_MAX : INT32_MAX));
        r = v_sel(b, v_fcmp(b, LLVMRealUNO, x, y), canonical, r);
    }
    if (xorsign) {
        V signed_bits = v_or(b, wg_to_bits_any(b, r), sign);
        r = wg_from_bits(b, v_sel(b, wg_isnan(b, r), v_k(b, 32, INT32_MAX), signed_bits));
    }
    return wg_store_float(b, r, type, false);
}

bool wg_row_minmax_float(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = wg_by_halves(b, in, src, minmax_of);
    return true;
}
