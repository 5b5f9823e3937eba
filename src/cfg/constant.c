/* Constant folding. See constant.h. */
#include "cfg/constant.h"

bool wg_constant_type(enum wg_type type) {
    enum wg_type_kind k = wg_type_kind(type);
    if (type == WG_T_PRED) return true;
    return (k == WG_K_U || k == WG_K_S || k == WG_K_B) && type != WG_T_U16X2 && type != WG_T_S16X2 &&
           (wg_type_bits(type) == 32 || wg_type_bits(type) == 64);
}

static int64_t extended(uint64_t x, uint32_t bits) {
    return bits >= 64 ? (int64_t)x : (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static bool compare(const struct wg_ir_instr *in, uint64_t a, uint64_t b, uint64_t *x) {
    uint32_t bits = wg_type_bits(in->type);
    bool less = wg_type_kind(in->type) == WG_K_S ? extended(a, bits) < extended(b, bits) : a < b;
    switch (in->mod[WG_MC_CMP]) {
    case WG_M_eq: *x = a == b; return true;
    case WG_M_ne: *x = a != b; return true;
    case WG_M_lt:
    case WG_M_lo: *x = less; return true;
    case WG_M_le:
    case WG_M_ls: *x = less || a == b; return true;
    case WG_M_gt:
    case WG_M_hi: *x = !less && a != b; return true;
    case WG_M_ge:
    case WG_M_hs: *x = !less; return true;
    default: return false;
    }
}

static bool product(const struct wg_ir_instr *in, uint64_t a, uint64_t b, uint64_t *x) {
    uint32_t bits = wg_type_bits(in->type);
    bool wide = in->mod[WG_MC_MULW] == WG_M_wide;
    if (!wide && in->mod[WG_MC_MULW] != WG_M_lo) return false;
    bool is_signed = wide && wg_type_kind(in->type) == WG_K_S;
    *x = is_signed ? (uint64_t)extended(a, bits) * (uint64_t)extended(b, bits) : a * b;
    return true;
}

static bool divide(const struct wg_ir_instr *in, uint64_t a, uint64_t b, uint64_t *x) {
    uint32_t bits = wg_type_bits(in->type);
    int64_t n = extended(a, bits), by = extended(b, bits);
    bool is_signed = wg_type_kind(in->type) == WG_K_S, rest = in->op == WG_OP_REM_I;
    if (b == 0 || (is_signed && by == -1)) return false;
    if (is_signed)
        *x = (uint64_t)(rest ? n % by : n / by);
    else
        *x = rest ? a % b : a / b;
    return true;
}

static uint64_t shift_right(const struct wg_ir_instr *in, uint64_t a, uint64_t by) {
    uint32_t bits = wg_type_bits(in->type);
    if (wg_type_kind(in->type) == WG_K_S) return (uint64_t)(extended(a, bits) >> (by < bits ? by : bits - 1));
    return by < bits ? a >> by : 0;
}

static bool extreme(const struct wg_ir_instr *in, uint64_t a, uint64_t b, uint64_t *x) {
    uint32_t bits = wg_type_bits(in->type);
    bool less = wg_type_kind(in->type) == WG_K_S ? extended(a, bits) < extended(b, bits) : a < b;
    *x = less == (in->op == WG_OP_MIN_I) ? a : b;
    return in->mod[WG_MC_RELU] == WG_M_none;
}

static bool convert(const struct wg_ir_instr *in, uint64_t a, uint64_t *x) {
    uint32_t from = wg_type_bits(in->type2);
    *x = wg_type_kind(in->type2) == WG_K_S ? (uint64_t)extended(a, from) : wg_constant_cut(a, from);
    return wg_type_kind(in->type2) != WG_K_F;
}

bool wg_constant_of(const struct wg_ir_instr *in, const uint64_t source[3], uint64_t *x) {
    uint32_t bits = wg_type_bits(in->type);
    uint64_t a = wg_constant_cut(source[0], bits), b = wg_constant_cut(source[1], bits);
    uint32_t by = (uint32_t)source[1]; /* the shift count */
    if (!wg_constant_type(in->type) || in->mod[WG_MC_SAT] != WG_M_none) return false;
    switch (in->op) {
    case WG_OP_MOV: *x = a; return true;
    case WG_OP_ADD_I: *x = a + b; return true;
    case WG_OP_SUB_I: *x = a - b; return true;
    case WG_OP_MUL_I: return product(in, a, b, x);
    case WG_OP_MAD_I: return product(in, a, b, x) && (*x += source[2], true);
    case WG_OP_DIV_I:
    case WG_OP_REM_I: return divide(in, a, b, x);
    case WG_OP_NEG_I: *x = -a; return true;
    case WG_OP_MIN_I:
    case WG_OP_MAX_I: return extreme(in, a, b, x);
    case WG_OP_SHL: *x = by < bits ? a << by : 0; return true;
    case WG_OP_SHR: *x = shift_right(in, a, by); return true;
    case WG_OP_AND: *x = a & b; return true;
    case WG_OP_OR: *x = a | b; return true;
    case WG_OP_XOR: *x = a ^ b; return true;
    case WG_OP_NOT: *x = in->type == WG_T_PRED ? !a : ~a; return true;
    case WG_OP_CVT: return convert(in, source[0], x);
    case WG_OP_SETP: return in->nsrc == 2 && in->ndst == 1 && compare(in, a, b, x);
    default: return false;
    }
}
