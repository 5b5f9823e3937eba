/* Lowering of integer arithmetic, with and without the carry flag. Division is in lower_div.c.
 *
 *     mad.hi.sat.s32 d, a, b, c  ->  llvm.sadd.sat(trunc((sext a * sext b) >> 32), c)
 *
 * Products: .wide and .hi of 32 bits multiply in 64 (LLVM finds vpmuldq and vpmuludq); .hi of 64 bits
 * multiplies in 128 for scalars and in four partial products for vectors, which LLVM would otherwise take
 * apart lane by lane. A division by a constant is a .hi: it is worth being good at.
 */
#include "jit/lower/lower_rows.h"

#include <string.h>

static bool has_sat(const struct wg_ir_instr *in) { return in->mod[WG_MC_SAT] == WG_M_sat; }

static V add_or_sat(struct wg_lower *b, const struct wg_ir_instr *in, V x, V y) {
    return has_sat(in) ? wg_binary(b, "llvm.sadd.sat", x, y) : v_add(b, x, y);
}

/* .sat is only of .s32. */
static bool sat_allowed(const struct wg_ir_instr *in) { return !has_sat(in) || in->type == WG_T_S32; }

static V add(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V *src) {
    unsigned bits = wg_type_bits(type);
    return add_or_sat(b, in, wg_take(b, src[0], bits), wg_take(b, src[1], bits));
}

bool wg_row_add_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    if (!sat_allowed(in)) return false;
    dst[0] = wg_by_halves(b, in, src, add);
    return true;
}

bool wg_row_sub_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    if (!sat_allowed(in)) return false;
    unsigned bits = wg_type_bits(in->type);
    V x = wg_take(b, src[0], bits), y = wg_take(b, src[1], bits);
    dst[0] = has_sat(in) ? wg_binary(b, "llvm.ssub.sat", x, y) : v_sub(b, x, y);
    return true;
}

/* ---- The carry flag ----
 *
 * Subtraction adds the complement: the flag is set where nothing was borrowed.
 */

static V carry_in(struct wg_lower *b, unsigned bits) {
    return b->cc ? wg_resize(b, b->cc, bits, false) : v_k(b, bits, 0);
}

/* x + y + in; the carry out becomes the flag when `write`. */
static V add_with_carry(struct wg_lower *b, V x, V y, V in, bool write) {
    V sum = v_add(b, x, y), out = v_ult(b, sum, x);
    if (in) {
        V more = v_add(b, sum, in);
        out = v_or(b, out, v_ult(b, more, sum));
        sum = more;
    }
    if (write) b->cc = v_zext(b, out, 32);
    return sum;
}

bool wg_row_add_carry(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    V flag = in->op == WG_OP_ADDC ? carry_in(b, bits) : NULL;
    dst[0] = add_with_carry(b, wg_take(b, src[0], bits), wg_take(b, src[1], bits), flag,
                            in->mod[WG_MC_CC] == WG_M_cc);
    return true;
}

bool wg_row_sub_borrow(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    V x = wg_take(b, src[0], bits), y = wg_take(b, src[1], bits);
    V r = v_sub(b, x, y), out = v_ult(b, x, y);
    if (in->op == WG_OP_SUBC) {
        V borrow = v_xor(b, carry_in(b, bits), v_k(b, bits, 1));
        out = v_or(b, out, v_ult(b, r, borrow));
        r = v_sub(b, r, borrow);
    }
    if (in->mod[WG_MC_CC] == WG_M_cc) b->cc = v_xor(b, v_zext(b, out, 32), v_k(b, 32, 1));
    dst[0] = r;
    return true;
}

/* ---- Products ---- */

/* High 64 bits of an unsigned 64-bit product, from products of 32-bit halves. */
static V umul_high_by_halves(struct wg_lower *b, V x, V y) {
    V low = v_k(b, 64, UINT32_MAX), n = v_k(b, 64, 32);
    V x0 = v_and(b, x, low), x1 = v_lshr(b, x, n), y0 = v_and(b, y, low), y1 = v_lshr(b, y, n);
    V mid = v_add(b, v_mul(b, x1, y0), v_lshr(b, v_mul(b, x0, y0), n)); /* no overflow: (2^32-1)^2 + 2^32-1 */
    V mid2 = v_add(b, v_mul(b, x0, y1), v_and(b, mid, low));
    return v_add(b, v_add(b, v_mul(b, x1, y1), v_lshr(b, mid, n)), v_lshr(b, mid2, n));
}

/* 16 bits: vpmulhuw and vpmulhw by name, for LLVM sees them no more once it has joined a shift that follows.
 */
static V mul_high_words(struct wg_lower *b, V x, V y, bool sign) {
    static const char *const names[2][2] = {{"llvm.x86.avx2.pmulhu.w", "llvm.x86.avx2.pmulh.w"},
                                            {"llvm.x86.avx512.pmulhu.w.512", "llvm.x86.avx512.pmulh.w.512"}};
    unsigned count = b->avx512 ? 32 : 16, n = b->lanes / count;
    V part[8];
    for (unsigned i = 0; i < n; i++) {
        V pair[2] = {wg_lanes_of(b, x, i * count, count), wg_lanes_of(b, y, i * count, count)};
        part[i] = wg_lower_intrinsic(b, names[b->avx512][sign], NULL, 0, pair, 2);
    }
    return wg_lanes_join(b, part, n, b->lanes);
}

/* 64-bit products of the low halves of 64-bit lanes: vpmuludq or vpmuldq of one register. As LLVM sees it, it
 * would be a multiplication of extended words, and code generation spends a millisecond on each to find out.
 */
static V product_of_words(struct wg_lower *b, LLVMTypeRef t, V x, V y, bool sign) {
    LLVMTypeRef ft = LLVMFunctionType(t, (LLVMTypeRef[]){t, t}, 2, 0);
    const char *text = sign      ? b->avx2 ? "vpmuldq $2, $1, $0" : "pmuldq $2, $0"
                       : b->avx2 ? "vpmuludq $2, $1, $0"
                                 : "pmuludq $2, $0";
    const char *where = b->avx512 ? "=v,v,v" : b->avx2 ? "=x,x,x" : "=x,0,x";
    V code = LLVMGetInlineAsm(ft, text, strlen(text), where, strlen(where), 0, 0, LLVMInlineAsmDialectATT, 0);
    return wg_pure_call(b, LLVMBuildCall2(b->b, ft, code, (V[]){x, y}, 2, ""));
}

/* 32 bits: even and odd lanes apart, and the high halves put together. */
static V mul_high_dwords(struct wg_lower *b, V x, V y, bool sign) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(b->ctx);
    unsigned size = b->avx512 ? 16 : b->avx2 ? 8 : 4, count = b->lanes / size;
    struct wg_lower pairs = *b;
    pairs.lanes = size / 2;
    LLVMTypeRef wide = wg_lower_int(&pairs, 64);
    V n = v_k(&pairs, 64, 32), pick[16], part[32];
    for (unsigned l = 0; l < size; l++) pick[l] = LLVMConstInt(i32, (l | 1) + (l % 2) * size, 0);
    for (unsigned k = 0; k < count; k++) {
        V even[2], p[2];
        for (int i = 0; i < 2; i++) even[i] = v_bitcast(b, wg_lanes_of(b, i ? y : x, k * size, size), wide);
        p[0] = product_of_words(b, wide, even[0], even[1], sign);
        p[1] = product_of_words(b, wide, v_lshr(b, even[0], n), v_lshr(b, even[1], n), sign);
        for (int i = 0; i < 2; i++) p[i] = v_bitcast(b, p[i], LLVMVectorType(i32, size));
        part[k] = LLVMBuildShuffleVector(b->b, p[0], p[1], LLVMConstVector(pick, size), "");
    }
    return wg_lanes_join(b, part, count, b->lanes);
}

V wg_mul_high(struct wg_lower *b, V x, V y, bool sign) {
    unsigned bits = wg_bits_of(x);
    if (bits == 16 && b->lanes > 1 && b->avx2) return mul_high_words(b, x, y, sign);
    if (bits == 32 && b->lanes > 1) return mul_high_dwords(b, x, y, sign);
    if (bits == 64 && b->lanes > 1) {
        V high = umul_high_by_halves(b, x, y);
        if (!sign) return high;
        V n = v_k(b, 64, 63); /* a negative factor counted 2^64 too much */
        high = v_sub(b, high, v_and(b, v_ashr(b, x, n), y));
        return v_sub(b, high, v_and(b, v_ashr(b, y, n), x));
    }
    V wide = v_mul(b, wg_resize(b, x, 2 * bits, sign), wg_resize(b, y, 2 * bits, sign));
    return v_trunc(b, v_lshr(b, wide, v_k(b, 2 * bits, bits)), bits);
}

/* lo, hi or wide, as the instruction says (lo when it does not); NULL for a wide product of 64 bits. */
static V product(struct wg_lower *b, const struct wg_ir_instr *in, V *src) {
    unsigned bits = wg_type_bits(in->type);
    bool sign = wg_is_signed(in->type);
    V x = wg_take(b, src[0], bits), y = wg_take(b, src[1], bits);
    switch (in->mod[WG_MC_MULW]) {
    case WG_M_wide:
        if (bits > 32) return NULL;
        return v_mul(b, wg_resize(b, x, 2 * bits, sign), wg_resize(b, y, 2 * bits, sign));
    case WG_M_hi: return wg_mul_high(b, x, y, sign);
    default: return v_mul(b, x, y);
    }
}

bool wg_row_mul_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = product(b, in, src);
    return dst[0] != NULL;
}

bool wg_row_mad_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    if (has_sat(in) && (in->type != WG_T_S32 || in->mod[WG_MC_MULW] != WG_M_hi)) return false;
    V p = product(b, in, src);
    if (!p) return false;
    dst[0] = add_or_sat(b, in, p, wg_take(b, src[2], wg_bits_of(p)));
    return true;
}

bool wg_row_mad_carry(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    V p = product(b, in, src), flag = in->op == WG_OP_MADC ? carry_in(b, bits) : NULL;
    dst[0] = add_with_carry(b, p, wg_take(b, src[2], bits), flag, in->mod[WG_MC_CC] == WG_M_cc);
    return true;
}

/* The product of two 24-bit numbers has 48 bits: .lo gives the low 32, .hi the high 32. */
bool wg_row_mul24(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    bool sign = wg_is_signed(in->type), hi = in->mod[WG_MC_MULW] == WG_M_hi;
    if (has_sat(in) && (!sign || !hi)) return false;
    V n = v_k(b, 32, 8), f[2];
    for (int i = 0; i < 2; i++) {
        V up = v_shl(b, wg_take(b, src[i], 32), n);
        f[i] = sign ? v_ashr(b, up, n) : v_lshr(b, up, n);
    }
    V p;
    if (hi) {
        V wide = v_mul(b, wg_resize(b, f[0], 64, sign), wg_resize(b, f[1], 64, sign));
        p = v_trunc(b, v_lshr(b, wide, v_k(b, 64, 16)), 32);
    } else
        p = v_mul(b, f[0], f[1]);
    dst[0] = in->op == WG_OP_MAD24 ? add_or_sat(b, in, p, wg_take(b, src[2], 32)) : p;
    return true;
}

/* ---- Sums of absolute differences and of small products ---- */

bool wg_row_sad(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    bool sign = wg_is_signed(in->type);
    V x = wg_take(b, src[0], bits), y = wg_take(b, src[1], bits);
    V high = wg_binary(b, sign ? "llvm.smax" : "llvm.umax", x, y);
    V low = wg_binary(b, sign ? "llvm.smin" : "llvm.umin", x, y);
    dst[0] = v_add(b, wg_take(b, src[2], bits), v_sub(b, high, low));
    return true;
}

/* Bits [first, first + width) of a 32-bit word as a number. */
static V field(struct wg_lower *b, V x, unsigned first, unsigned width, bool sign) {
    V up = first + width < 32 ? v_shl(b, x, v_k(b, 32, 32 - width - first)) : x;
    V n = v_k(b, 32, 32 - width);
    return sign ? v_ashr(b, up, n) : v_lshr(b, up, n);
}

/* c + the sum of products of `count` fields: of x of `wx` bits, of y bytes from byte `first` on. */
static V dot(struct wg_lower *b, const struct wg_ir_instr *in, V *src, unsigned count, unsigned wx,
             unsigned first) {
    V sum = wg_take(b, src[2], 32), x = wg_take(b, src[0], 32), y = wg_take(b, src[1], 32);
    for (unsigned i = 0; i < count; i++)
        sum = v_add(b, sum,
                    v_mul(b, field(b, x, i * wx, wx, wg_is_signed(in->type)),
                          field(b, y, (first + i) * 8, 8, wg_is_signed(in->type2))));
    return sum;
}

bool wg_row_dp4a(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = dot(b, in, src, 4, 8, 0);
    return true;
}

bool wg_row_dp2a(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = dot(b, in, src, 2, 16, in->mod[WG_MC_MULW] == WG_M_hi ? 2 : 0);
    return true;
}

/* Differences of four bytes or two halves: each in its place, or their sum and a third operand. */
bool wg_row_vabsdiff(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V x = wg_take(b, src[0], 32), y = wg_take(b, src[1], 32);
    bool sum = in->op == WG_OP_VABSDIFF4_ADD || in->op == WG_OP_VABSDIFF2_ADD;
    unsigned bits = in->op == WG_OP_VABSDIFF2 || in->op == WG_OP_VABSDIFF2_ADD ? 16 : 8;
    V r = sum ? wg_take(b, src[2], 32) : v_k(b, 32, 0);
    for (unsigned i = 0; i < 32 / bits; i++) {
        V p = field(b, x, i * bits, bits, false), q = field(b, y, i * bits, bits, false);
        V d = v_sub(b, wg_binary(b, "llvm.umax", p, q), wg_binary(b, "llvm.umin", p, q));
        r = sum ? v_add(b, r, d) : v_or(b, r, v_shl(b, d, v_k(b, 32, i * bits)));
    }
    dst[0] = r;
    return true;
}

/* ---- One operand, and the lesser of two ---- */

bool wg_row_abs_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V x = wg_take(b, src[0], wg_type_bits(in->type));
    V no = LLVMConstInt(LLVMInt1TypeInContext(b->ctx), 0, 0); /* the least number's is itself, not poison */
    LLVMTypeRef t = LLVMTypeOf(x);
    dst[0] = wg_lower_intrinsic(b, "llvm.abs", &t, 1, (V[]){x, no}, 2);
    return true;
}

bool wg_row_neg_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = v_neg(b, wg_take(b, src[0], wg_type_bits(in->type)));
    return true;
}

static V minmax(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V *src) {
    static const char *const names[2][2] = {{"llvm.umax", "llvm.smax"}, {"llvm.umin", "llvm.smin"}};
    unsigned bits = wg_type_bits(type);
    V x = wg_take(b, src[0], bits), y = wg_take(b, src[1], bits);
    bool min = in->op == WG_OP_MIN_I || in->op == WG_OP_MIN_RELU;
    V r = wg_binary(b, names[min][wg_is_signed(type)], x, y);
    if (in->mod[WG_MC_RELU] == WG_M_relu) r = wg_binary(b, "llvm.smax", r, LLVMConstNull(LLVMTypeOf(r)));
    return r;
}

bool wg_row_minmax_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    if (in->mod[WG_MC_RELU] == WG_M_relu && !wg_is_signed(in->type)) return false;
    dst[0] = wg_by_halves(b, in, src, minmax);
    return true;
}
