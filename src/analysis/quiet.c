/* Analysis of signalling NaNs: registers of 32 and 64 bits that, read as a float of their width, are never
 * one.
 *
 * x86 has one instruction that is PTX's min and max except for signalling NaNs (vrange), so it matters that
 * arithmetic produces none: only loads can, and values assembled from bits.
 */
#include "analysis/flow.h"

static bool is_float(uint8_t type) { return type == WG_T_F32 || type == WG_T_F64; }

static bool imm_is_quiet(uint64_t imm, uint32_t bits) {
    uint64_t fraction = (1ull << (bits == 64 ? 52 : 23)) - 1, most = UINT64_MAX >> (64 - bits + 1);
    uint64_t magnitude = imm & most, infinite = most & ~fraction;
    return magnitude <= infinite || (imm & (fraction + 1) >> 1);
}

/* LLVM folds an operation that is the identity on numbers, and a NaN then passes unchanged. */
static bool may_be_left_out(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    uint64_t one = in->type == WG_T_F64 ? 0x3ff0000000000000 : 0x3f800000;
    uint64_t most = in->type == WG_T_F64 ? INT64_MAX : INT32_MAX;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        struct wg_fact f = wg_operand_fact(an, WG_CONVERGED, &in->src[i]);
        if (f.is_const && ((f.value & most) == one || (f.value & most) == 0)) return true;
    }
    return false;
}

static bool source_is_quiet(const struct wg_analysis *an, const struct wg_ir_instr *in, uint32_t i) {
    const struct wg_ir_opd *o = &in->src[i];
    if (o->kind == WG_O_IMM) return imm_is_quiet(o->imm, wg_type_bits(in->type));
    return o->kind == WG_O_REG && wg_bits_has(an->quiet, o->index);
}

/* Of two NaNs one is returned; constant folding does not make it quiet. */
static bool has_constant_nan(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    uint64_t infinite = in->type == WG_T_F64 ? 0x7ffull << 52 : 0x7f800000;
    uint64_t most = in->type == WG_T_F64 ? INT64_MAX : INT32_MAX;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        struct wg_fact f = wg_operand_fact(an, WG_CONVERGED, &in->src[i]);
        if (f.is_const && (f.value & most) > infinite) return true;
    }
    return false;
}

static bool gives_quiet(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    if (bits != 32 && bits != 64) return false;
    switch (in->op) {
    case WG_OP_ADD_F:
    case WG_OP_SUB_F:
    case WG_OP_MUL_F:
    case WG_OP_FMA:
    case WG_OP_MAD_F:
    case WG_OP_DIV_F:
    case WG_OP_SQRT:
    case WG_OP_RCP: return is_float(in->type) && !may_be_left_out(an, in);
    case WG_OP_MIN_F:
    case WG_OP_MAX_F: return is_float(in->type) && !has_constant_nan(an, in);
    case WG_OP_NEG_F:
    case WG_OP_ABS_F: return is_float(in->type) && source_is_quiet(an, in, 0);
    case WG_OP_MOV: return in->nsrc == 1 && in->ndst == 1 && source_is_quiet(an, in, 0);
    case WG_OP_SELP: return source_is_quiet(an, in, 0) && source_is_quiet(an, in, 1);
    case WG_OP_SHFL: return source_is_quiet(an, in, 0);
    default: return false;
    }
}

struct removing {
    struct wg_analysis *an;
    bool changed;
};

static void remove_def(void *user, uint32_t reg) {
    struct removing *r = user;
    r->changed |= wg_bits_has(r->an->quiet, reg);
    wg_bits_del(r->an->quiet, reg);
}

void wg_flow_quiet(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    struct removing r = {an, true};
    an->quiet = wg_bits_new(&an->arena, f->nregs);
    for (uint32_t i = 0; i < f->nregs; i++) wg_bits_add(an->quiet, i);
    while (r.changed) {
        r.changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
                if (!gives_quiet(an, &f->blocks[b].instrs[i]))
                    wg_each_def(&f->blocks[b].instrs[i], remove_def, &r);
    }
}
