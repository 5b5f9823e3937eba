/* Matrix instructions: which there are, and how many registers of a lane hold its part of each matrix.
 *
 *     mma.m16n8k32 of s8:   a is 16 x 32 bytes, 16 of them a lane, 4 registers
 *                           b is 32 x 8, 2 registers
 *                           c and d are 16 x 8 words, 4 registers
 */
#include "ir/ir.h"

static bool is_int8(uint8_t t) { return t == WG_T_S8 || t == WG_T_U8; }

/* Registers of a lane for so many elements. */
static uint8_t registers(uint32_t elements, uint8_t type) {
    uint32_t bits = wg_type_bits(type);
    return (uint8_t)(bits == 64 ? elements / 32 : elements * bits / 32 / 32);
}

static bool mma_exists(const struct wg_ir_instr *i, struct wg_matrix_shape s) {
    uint8_t a = i->type2;
    if (i->type != i->type4 || (i->type3 != a && !(is_int8(a) && is_int8(i->type3)))) return false;
    if (i->mod[WG_MC_SAT] && !is_int8(a)) return false;
    switch (a) {
    case WG_T_F16:
        return s.m == 16 && (s.k == 8 || s.k == 16) && (i->type == WG_T_F16 || i->type == WG_T_F32);
    case WG_T_BF16: return s.m == 16 && (s.k == 8 || s.k == 16) && i->type == WG_T_F32;
    case WG_T_TF32: return s.m == 16 && (s.k == 4 || s.k == 8) && i->type == WG_T_F32;
    case WG_T_F64: return (s.m == 8 ? s.k == 4 : s.k <= 16) && i->type == WG_T_F64;
    default: return (s.m == 8 ? s.k == 16 : s.k >= 16) && i->type == WG_T_S32;
    }
}

/* The shapes that a type of a and b has in wmma. */
static bool wmma_shape_fits(struct wg_matrix_shape s, uint8_t type) {
    if (type == WG_T_F64) return s.k == 4;
    if (type == WG_T_TF32) return s.k == 8;
    return s.k == 16;
}

/* wmma keeps some elements in two lanes or four: f16 has 8 registers of a and of b whatever the shape. */
static uint8_t wmma_registers(struct wg_matrix_shape s, uint8_t matrix, uint8_t type) {
    if (type == WG_T_F16 && (matrix == WG_M_mat_a || matrix == WG_M_mat_b)) return 8;
    uint32_t elements = matrix == WG_M_mat_a ? s.m * s.k : matrix == WG_M_mat_b ? s.k * s.n : s.m * s.n;
    return registers(elements, type);
}

/* A load or store of one matrix. */
static bool wmma_part(const struct wg_ir_instr *i, struct wg_ir_parts *out) {
    uint8_t matrix = i->mod[WG_MC_MATRIX], t = i->type;
    bool factor = matrix == WG_M_mat_a || matrix == WG_M_mat_b, exists;
    if (i->op == WG_OP_WMMA_STORE ? matrix != WG_M_mat_d : matrix == WG_M_mat_d) return false;
    if (factor)
        exists = t != WG_T_F32 && t != WG_T_S32 && wmma_shape_fits(out->shape, t);
    else if (t == WG_T_F64)
        exists = out->shape.k == 4;
    else
        exists = out->shape.k == 16 || (t == WG_T_F32 && out->shape.k == 8);
    if (!exists || (!factor && t != WG_T_F16 && t != WG_T_F32 && t != WG_T_F64 && t != WG_T_S32))
        return false;
    out->a = out->d = wmma_registers(out->shape, matrix, t);
    out->bits = t == WG_T_F64 ? 64 : 32;
    return true;
}

static bool wmma_exists(const struct wg_ir_instr *i, struct wg_matrix_shape s) {
    uint8_t a = i->type2, want = is_int8(a) ? WG_T_S32 : a == WG_T_F64 ? WG_T_F64 : WG_T_F32;
    if (i->op == WG_OP_WMMA_F16) return s.k == 16 && !i->mod[WG_MC_SAT];
    return i->type == want && i->type4 == want && i->type3 == a && wmma_shape_fits(s, a) &&
           (!i->mod[WG_MC_SAT] || is_int8(a)) && (!i->mod[WG_MC_RND] || a == WG_T_F64);
}

static bool wgmma_exists(const struct wg_ir_instr *i, struct wg_matrix_shape s) {
    uint8_t a = i->type2;
    bool bytes = is_int8(a);
    if (!i->columns || (i->type3 != a && !(bytes && is_int8(i->type3)))) return false;
    if (bytes) /* of byte matrices, widths from 32 on are multiples of 16 */
        return s.k == 32 && i->type == WG_T_S32 && (i->columns <= 24 || i->columns % 16 == 0);
    if (i->mod[WG_MC_SAT] || s.k != (a == WG_T_TF32 ? 8 : 16)) return false;
    return i->type == WG_T_F32 || (i->type == WG_T_F16 && a == WG_T_F16);
}

bool wg_ir_matrix_parts(const struct wg_ir_instr *i, struct wg_ir_parts *out) {
    struct wg_matrix_shape s = wg_mod_shape(i->mod[WG_MC_SHAPE]);
    *out = (struct wg_ir_parts){.shape = s, .bits = 32};
    uint8_t a = i->op == WG_OP_WMMA_F16 ? WG_T_F16 : i->type2,
            b = i->op == WG_OP_WMMA_F16 ? WG_T_F16 : i->type3;
    switch (i->op) {
    case WG_OP_LDMATRIX:
    case WG_OP_STMATRIX: {
        uint8_t n = i->mod[WG_MC_NUMBER];
        out->a = out->d = n == WG_M_x1 ? 1 : n == WG_M_x2 ? 2 : 4;
        return true;
    }
    case WG_OP_WMMA_LOAD:
    case WG_OP_WMMA_STORE: return wmma_part(i, out);
    case WG_OP_WMMA_F16:
    case WG_OP_WMMA:
        if (!wmma_exists(i, s)) return false;
        out->a = wmma_registers(s, WG_M_mat_a, a);
        out->b = wmma_registers(s, WG_M_mat_b, b);
        break;
    case WG_OP_WGMMA:
        out->d = out->c = (uint8_t)(i->columns / (i->type == WG_T_F16 ? 4 : 2));
        return wgmma_exists(i, s);
    case WG_OP_MMA:
        if (!mma_exists(i, s)) return false;
        out->a = registers(s.m * s.k, a);
        out->b = registers(s.k * s.n, b);
        break;
    default: return false;
    }
    out->c = registers(s.m * s.n, i->type4);
    out->d = registers(s.m * s.n, i->type);
    out->bits = a == WG_T_F64 ? 64 : 32;
    return true;
}
