/* Lowering of comparison (setp, set, testp) and selection (selp, slct).
 *
 *     setp.lt.and.f32 p|q, a, b, c   ->   t = fcmp olt a, b;   p = t & c;   q = !t & c
 *
 * Comparisons of halves are made in float, which holds them exactly.
 */
#include "jit/lower/lower_rows.h"

/* ---- Comparison ---- */

static int float_predicate(enum wg_mod m) {
    switch (m) {
    case WG_M_eq: return LLVMRealOEQ;
    case WG_M_ne: return LLVMRealONE;
    case WG_M_lt: return LLVMRealOLT;
    case WG_M_le: return LLVMRealOLE;
    case WG_M_gt: return LLVMRealOGT;
    case WG_M_ge: return LLVMRealOGE;
    case WG_M_equ: return LLVMRealUEQ;
    case WG_M_neu: return LLVMRealUNE;
    case WG_M_ltu: return LLVMRealULT;
    case WG_M_leu: return LLVMRealULE;
    case WG_M_gtu: return LLVMRealUGT;
    case WG_M_geu: return LLVMRealUGE;
    case WG_M_num: return LLVMRealORD;
    case WG_M_nan: return LLVMRealUNO;
    default: return -1;
    }
}

static int int_predicate(enum wg_mod m, bool sign) {
    switch (m) {
    case WG_M_eq: return LLVMIntEQ;
    case WG_M_ne: return LLVMIntNE;
    case WG_M_lt: return sign ? LLVMIntSLT : LLVMIntULT;
    case WG_M_le: return sign ? LLVMIntSLE : LLVMIntULE;
    case WG_M_gt: return sign ? LLVMIntSGT : LLVMIntUGT;
    case WG_M_ge: return sign ? LLVMIntSGE : LLVMIntUGE;
    case WG_M_lo: return LLVMIntULT;
    case WG_M_ls: return LLVMIntULE;
    case WG_M_hi: return LLVMIntUGT;
    case WG_M_hs: return LLVMIntUGE;
    default: return -1;
    }
}

V wg_mod_cmp(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V x, V y) {
    enum wg_mod m = in->mod[WG_MC_CMP];
    if (wg_type_kind(type) == WG_K_F) {
        int p = float_predicate(m);
        bool ftz = in->mod[WG_MC_FTZ] == WG_M_ftz;
        if (p < 0) return NULL;
        return v_fcmp(b, p, wg_load_float(b, x, type, ftz), wg_load_float(b, y, type, ftz));
    }
    unsigned bits = wg_type_bits(type);
    int p = int_predicate(m, wg_is_signed(type));
    return p < 0 ? NULL : v_icmp(b, p, wg_take(b, x, bits), wg_take(b, y, bits));
}

static V combine(struct wg_lower *b, const struct wg_ir_instr *in, V t, V c) {
    switch (in->mod[WG_MC_BOOL]) {
    case WG_M_and: return v_and(b, t, c);
    case WG_M_or: return v_or(b, t, c);
    case WG_M_xor: return v_xor(b, t, c);
    default: return t;
    }
}

bool wg_row_setp(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V t = wg_mod_cmp(b, in, in->type, src[0], src[1]), c = in->nsrc > 2 ? src[2] : NULL;
    if (!t) return false;
    dst[0] = combine(b, in, t, c);
    if (in->ndst > 1) dst[1] = combine(b, in, v_not(b, t), c);
    return true;
}

/* The comparison of the low halves (i = 0) or the high ones. */
static V compare_half(struct wg_lower *b, const struct wg_ir_instr *in, V *src, unsigned i) {
    V x = wg_take(b, src[0], 32), y = wg_take(b, src[1], 32), n = v_k(b, 32, 16);
    V t = wg_mod_cmp(b, in, wg_type_of_half(in->type), i ? v_lshr(b, x, n) : x, i ? v_lshr(b, y, n) : y);
    return t ? combine(b, in, t, in->nsrc > 2 ? src[2] : NULL) : NULL;
}

/* p is the comparison of the low halves, q of the high ones. */
bool wg_row_setp_x2(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    for (unsigned i = 0; i < in->ndst; i++)
        if (!(dst[i] = compare_half(b, in, src, i))) return false;
    return true;
}

/* True is all ones in an integer and 1.0 in a float. */
static uint64_t yes(uint32_t type) {
    switch (type) {
    case WG_T_F32: return 0x3f800000;
    case WG_T_F16:
    case WG_T_F16X2: return 0x3c00;
    case WG_T_BF16:
    case WG_T_BF16X2: return 0x3f80;
    default: return UINT64_MAX;
    }
}

bool wg_row_set(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V t = wg_mod_cmp(b, in, in->type, src[0], src[1]);
    if (!t) return false;
    t = combine(b, in, t, in->nsrc > 2 ? src[2] : NULL);
    unsigned bits = wg_type_bits(in->type2);
    dst[0] = v_sel(b, t, v_k(b, bits, yes(in->type2)), v_k(b, bits, 0));
    return true;
}

bool wg_row_set_x2(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    uint64_t one = yes(in->type2) & 0xffff;
    V low = compare_half(b, in, src, 0), high = compare_half(b, in, src, 1), zero = v_k(b, 32, 0);
    if (!low || !high) return false;
    dst[0] = v_or(b, v_sel(b, low, v_k(b, 32, one), zero), v_sel(b, high, v_k(b, 32, one << 16), zero));
    return true;
}

/* ---- Selection ---- */

bool wg_row_selp(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    dst[0] = v_sel(b, src[2], wg_take(b, src[0], bits), wg_take(b, src[1], bits));
    return true;
}

/* The first operand when the third is not negative: -0 is not, NaN is. */
bool wg_row_slct(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    V c;
    if (in->type2 == WG_T_F32) {
        V x = wg_load_float(b, src[2], WG_T_F32, in->mod[WG_MC_FTZ] == WG_M_ftz);
        c = v_fcmp(b, LLVMRealOGE, x, wg_float_const(b, false, 0.0));
    } else
        c = v_icmp(b, LLVMIntSGE, wg_take(b, src[2], 32), v_k(b, 32, 0));
    dst[0] = v_sel(b, c, wg_take(b, src[0], bits), wg_take(b, src[1], bits));
    return true;
}

/* ---- testp ---- */

/* Classes by magnitude: 0 < subnormal < least normal <= normal < infinity < NaN; zeros count as normal. */
bool wg_row_testp(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    bool f64 = in->type == WG_T_F64;
    unsigned bits = f64 ? 64 : 32;
    V x = wg_take(b, src[0], bits), mag = v_and(b, x, v_k(b, bits, UINT64_MAX >> (65 - bits)));
    V inf = v_k(b, bits, f64 ? 0x7ffull << 52 : 0xffull << 23),
      least = v_k(b, bits, f64 ? 1ull << 52 : 1ull << 23);
    V one = v_k(b, bits, 1), finite = v_ult(b, mag, inf);
    V subnormal = v_ult(b, v_sub(b, mag, one), v_sub(b, least, one)); /* 0 - 1 is the greatest number */
    switch (in->mod[WG_MC_TESTP]) {
    case WG_M_finite: dst[0] = finite; return true;
    case WG_M_infinite: dst[0] = v_eq(b, mag, inf); return true;
    case WG_M_number: dst[0] = v_icmp(b, LLVMIntULE, mag, inf); return true;
    case WG_M_notanumber: dst[0] = v_icmp(b, LLVMIntUGT, mag, inf); return true;
    case WG_M_normal: dst[0] = v_and(b, finite, v_not(b, subnormal)); return true;
    case WG_M_subnormal: dst[0] = subnormal; return true;
    default: return false;
    }
}
