/* Scalarization: see one_lane.h. */
#include "analysis/one_lane.h"

bool wg_is_line(const int64_t *k) {
    for (int l = 0; l < WG_LANES && k; l++)
        if (k[l] != l * k[1]) return false;
    return true;
}

static bool access_fits(const struct wg_ir_instr *in) {
    bool space = in->space == WG_S_SHARED || in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC ||
                 in->space == WG_S_LOCAL;
    return wg_ir_is_weak(in) && space && in->nvec == 1 && wg_type_bits(in->type) <= 64 && !in->checked;
}

bool wg_one_lane_fits(const struct wg_ir_func *f, const struct wg_ir_instr *in) {
    if (in->guard != WG_NO_REG || in->op >= WG_OP_COUNT) return false;
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_ST: return access_fits(in);
    case WG_OP_MOV:
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_SHL:
    case WG_OP_SHR:
    case WG_OP_AND:
    case WG_OP_OR:
    case WG_OP_XOR:
    case WG_OP_NOT:
    case WG_OP_NEG_I:
    case WG_OP_POPC:
    case WG_OP_CLZ:
    case WG_OP_MOV_PACK:
    case WG_OP_MOV_UNPACK:
    case WG_OP_CVT:
    case WG_OP_ADD_F:
    case WG_OP_SUB_F:
    case WG_OP_MUL_F:
    case WG_OP_FMA:
    case WG_OP_MIN_F:
    case WG_OP_MAX_F: break;
    default: return false;
    }
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind != WG_O_REG || f->regs[in->dst[i].index].width == WG_W128) return false;
    return !wg_op_flags(in->op) && in->ndst > 0 && in->ndst <= WG_ONE_LANE_PARTS &&
           in->nsrc <= WG_ONE_LANE_PARTS;
}
