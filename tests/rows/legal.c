/* Which forms of the table's product the PTX ISA has (8.8, sm_90). Agrees with ptxas 13.0 form by form, but
 * for a handful that it takes and the ISA does not have (rcp.rn.ftz.f64, fma.rz.bf16, cvt.bf16.f16) and for
 * .b128, which memory_test.c has. */
#include "tests/rows/cases.h"

static bool is_float(enum wg_type t) { return wg_type_kind(t) == WG_K_F; }
static bool is_half(enum wg_type t) { return t == WG_T_F16 || t == WG_T_F16X2; }
static bool is_bf16(enum wg_type t) { return t == WG_T_BF16 || t == WG_T_BF16X2; }
static bool is_signed(enum wg_type t) { return wg_type_kind(t) == WG_K_S; }
static enum wg_mod mod(const struct row_case *c, enum wg_modc k) { return c->mod[k]; }
static bool has(const struct row_case *c, enum wg_modc k) { return c->mod[k] != WG_M_none; }
static bool ftz_fits(const struct row_case *c) {
    return !has(c, WG_MC_FTZ) || c->type == WG_T_F32 || is_half(c->type);
}

static bool comparison(const struct row_case *c) {
    enum wg_mod m = mod(c, WG_MC_CMP);
    bool ordered_only = m >= WG_M_equ && m <= WG_M_nan,
         unsigned_only = m == WG_M_lo || m == WG_M_ls || m == WG_M_hi || m == WG_M_hs;
    if (!ftz_fits(c)) return false;
    switch (wg_type_kind(c->type)) {
    case WG_K_F: return !unsigned_only;
    case WG_K_S: return !ordered_only && !unsigned_only;
    case WG_K_U: return !ordered_only;
    default: return m == WG_M_eq || m == WG_M_ne;
    }
}

static bool set(const struct row_case *c) {
    bool narrow = c->type2 == WG_T_U16 || c->type2 == WG_T_S16;
    if (!comparison(c) || (c->type2 == WG_T_BF16 && has(c, WG_MC_FTZ))) return false;
    if (is_bf16(c->type)) return !is_float(c->type2) || c->type2 == WG_T_BF16;
    if (c->type == WG_T_F16) return c->type2 != WG_T_F32;
    return !narrow;
}

static bool set_pair(const struct row_case *c) {
    return comparison(c) && (!is_float(c->type2) || c->type2 == c->type);
}

/* add, sub, mul, fma, mad */
static bool arithmetic(const struct row_case *c) {
    enum wg_mod rnd = mod(c, WG_MC_RND);
    bool wide = c->type == WG_T_F32 || c->type == WG_T_F64;
    if (!ftz_fits(c)) return false;
    if (rnd != WG_M_none && rnd != WG_M_rn && !wide) return false;
    if (c->op == WG_OP_MAD_F && rnd == WG_M_none) return false;
    if (has(c, WG_MC_SAT) && (mod(c, WG_MC_SAT) != WG_M_sat || (c->type != WG_T_F32 && !is_half(c->type))))
        return false;
    return !has(c, WG_MC_RELU) || ((is_half(c->type) || is_bf16(c->type)) && !has(c, WG_MC_SAT));
}

static bool cvt_to_integer(const struct row_case *c) {
    enum wg_mod rnd = mod(c, WG_MC_RND);
    enum wg_type t = c->type, u = c->type2;
    bool sat = has(c, WG_MC_SAT);
    if (!is_float(u)) {
        if (rnd || has(c, WG_MC_FTZ)) return false;
        uint32_t tb = wg_type_bits(t), ub = wg_type_bits(u);
        bool holds_all = is_signed(t) == is_signed(u) ? tb >= ub : is_signed(t) && tb > ub;
        return !sat || !holds_all;
    }
    if (rnd < WG_M_rni || rnd > WG_M_rpi) return false;
    if (has(c, WG_MC_FTZ) && u != WG_T_F32) return false;
    return u != WG_T_BF16 || (wg_type_bits(t) > 8 && !sat);
}

static bool cvt_narrowing(const struct row_case *c) {
    enum wg_mod rnd = mod(c, WG_MC_RND), s = mod(c, WG_MC_SAT);
    enum wg_type t = c->type, u = c->type2;
    bool to_half = (t == WG_T_F16 || t == WG_T_BF16) && u == WG_T_F32, relu = has(c, WG_MC_RELU);
    if (rnd < WG_M_rn || rnd > WG_M_rp) return false;
    if (has(c, WG_MC_FTZ) && (u != WG_T_F32 || relu || s == WG_M_satfinite) &&
        (t != WG_T_F32 || relu || s == WG_M_satfinite))
        return false;
    if ((relu || s == WG_M_satfinite) && (!to_half || (rnd != WG_M_rn && rnd != WG_M_rz))) return false;
    if (relu && s == WG_M_sat) return false;
    return s != WG_M_sat || t != WG_T_BF16;
}

static bool cvt_between_floats(const struct row_case *c) {
    enum wg_mod rnd = mod(c, WG_MC_RND), s = mod(c, WG_MC_SAT);
    enum wg_type t = c->type, u = c->type2;
    bool ftz = has(c, WG_MC_FTZ);
    if (t == WG_T_TF32) {
        if (u != WG_T_F32 || ftz) return false;
        if (rnd == WG_M_rna) return !has(c, WG_MC_RELU) && s != WG_M_sat;
        return (rnd == WG_M_rn || rnd == WG_M_rz) && s == WG_M_none;
    }
    if (rnd == WG_M_rna) return false;
    bool same = t == u, from_small = u == WG_T_F16 || u == WG_T_BF16;
    if (same) {
        if (rnd && (rnd < WG_M_rni || rnd > WG_M_rpi)) return false;
        if (has(c, WG_MC_RELU) || s == WG_M_satfinite) return false;
        if (t == WG_T_BF16) return !ftz && !s;
        return !ftz || t == WG_T_F32;
    }
    if (wg_type_bits(t) < wg_type_bits(u)) return cvt_narrowing(c);
    if (has(c, WG_MC_RELU) || s == WG_M_satfinite) return false;
    if (ftz && t != WG_T_F32 && u != WG_T_F32) return false;
    if (from_small && (t == WG_T_BF16 || u == WG_T_BF16)) { /* a mode may be written where bf16 is involved */
        if (s || (rnd && (rnd < WG_M_rn || rnd > WG_M_rp))) return false;
        return t != WG_T_BF16 || rnd;
    }
    return rnd == WG_M_none;
}

static bool cvt(const struct row_case *c) {
    enum wg_mod rnd = mod(c, WG_MC_RND), s = mod(c, WG_MC_SAT);
    if (!is_float(c->type)) return !has(c, WG_MC_RELU) && s != WG_M_satfinite && cvt_to_integer(c);
    if (is_float(c->type2)) return cvt_between_floats(c);
    if (c->type == WG_T_TF32 || has(c, WG_MC_RELU) || s == WG_M_satfinite || rnd < WG_M_rn || rnd > WG_M_rp)
        return false;
    if (c->type == WG_T_BF16) return !has(c, WG_MC_FTZ) && !s && wg_type_bits(c->type2) > 8;
    return !has(c, WG_MC_FTZ) || c->type == WG_T_F32;
}

static bool packs(const struct row_case *c) {
    uint32_t n = 2u << c->variant, each = wg_type_bits(c->type) / n;
    return wg_type_kind(c->type) == WG_K_B && c->type != WG_T_B128 && n <= 4 && each >= 16 && each <= 32;
}

bool case_legal(const struct row_case *c) {
    bool sat = has(c, WG_MC_SAT);
    enum wg_mod half = mod(c, WG_MC_MULW);
    switch (c->op) {
    case WG_OP_ADD_I:
    case WG_OP_SUB_I: return !sat || (c->type == WG_T_S32 && mod(c, WG_MC_SAT) == WG_M_sat);
    case WG_OP_ADD_CC:
    case WG_OP_ADDC:
    case WG_OP_SUB_CC:
    case WG_OP_SUBC: return wg_type_kind(c->type) != WG_K_B;
    case WG_OP_MUL_I: return half && (half != WG_M_wide || wg_type_bits(c->type) < 64);
    case WG_OP_MAD_I:
        if (half == WG_M_wide && wg_type_bits(c->type) == 64) return false;
        return !sat || (c->type == WG_T_S32 && half == WG_M_hi && mod(c, WG_MC_SAT) == WG_M_sat);
    case WG_OP_MAD24:
        return !sat || (c->type == WG_T_S32 && half == WG_M_hi && mod(c, WG_MC_SAT) == WG_M_sat);
    case WG_OP_MIN_I:
    case WG_OP_MAX_I: return !has(c, WG_MC_RELU) || c->type == WG_T_S32 || c->type == WG_T_S16X2;
    case WG_OP_LOP3_P: return mod(c, WG_MC_BOOL) != WG_M_xor;
    case WG_OP_SETP:
    case WG_OP_SETP_B: return comparison(c) && (!c->second || (c->type != WG_T_F16 && !is_bf16(c->type)));
    case WG_OP_SETP_X2:
    case WG_OP_SETP_X2_B: return comparison(c);
    case WG_OP_SET:
    case WG_OP_SET_B: return set(c);
    case WG_OP_SET_X2:
    case WG_OP_SET_X2_B: return set_pair(c);
    case WG_OP_SLCT: return !has(c, WG_MC_FTZ) || c->type2 == WG_T_F32;
    case WG_OP_ADD_F:
    case WG_OP_SUB_F:
    case WG_OP_MUL_F:
    case WG_OP_FMA:
    case WG_OP_MAD_F: return arithmetic(c);
    case WG_OP_NEG_F:
    case WG_OP_ABS_F: return ftz_fits(c);
    case WG_OP_MIN_F:
    case WG_OP_MAX_F:
        return ftz_fits(c) && (c->type != WG_T_F64 || (!has(c, WG_MC_NAN) && !has(c, WG_MC_XORSIGN)));
    case WG_OP_DIV_F:
    case WG_OP_RCP:
    case WG_OP_SQRT: return ftz_fits(c);
    case WG_OP_RCP_A: return c->type == WG_T_F32 || has(c, WG_MC_FTZ);
    case WG_OP_EX2_A: return is_bf16(c->type) ? has(c, WG_MC_FTZ) : !has(c, WG_MC_FTZ) || c->type == WG_T_F32;
    case WG_OP_MOV_PACK:
    case WG_OP_MOV_UNPACK: return packs(c);
    case WG_OP_CVT: return cvt(c);
    case WG_OP_CVT_PACK_F:
        return (mod(c, WG_MC_RND) == WG_M_rn || mod(c, WG_MC_RND) == WG_M_rz) &&
               mod(c, WG_MC_SAT) != WG_M_sat;
    case WG_OP_MOV: return c->type != WG_T_B128;
    case WG_OP_CVT_PACK_B:
    case WG_OP_CVT_PACK_I: return mod(c, WG_MC_SAT) == WG_M_sat;
    default: return true;
    }
}
