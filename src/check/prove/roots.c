/* See roots.h. A data-flow analysis over all registers of a function to a fixed point, from the bottom: sets
 * only grow. */
#include "check/prove/roots.h"

uint64_t wg_roots_of(const struct wg_ir_module *m, const uint64_t *roots, const struct wg_ir_opd *o) {
    if (o->kind == WG_O_REG) return roots[o->index];
    if (o->kind == WG_O_SYM && m->syms[o->index].kind == WG_SYM_GLOBAL) return WG_ROOT_MODULE;
    return 0;
}

/* What is loaded into the register number `i` of a load. */
static uint64_t loaded(const struct wg_ir_module *m, const struct wg_ir_instr *in, uint32_t i) {
    const struct wg_ir_opd *o = &in->src[0];
    if (wg_type_bits(in->type) < 64) return 0;
    if (in->op != WG_OP_LD || o->kind != WG_O_SYM || m->syms[o->index].kind != WG_SYM_PARAM)
        return WG_ROOT_UNKNOWN;
    uint64_t at = (m->syms[o->index].offset + o->imm + (uint64_t)in->offset) / 8 + i;
    return at < WG_ROOT_PARAMS ? UINT64_C(1) << at : WG_ROOT_UNKNOWN;
}

static uint64_t result(const struct wg_ir_module *m, const uint64_t *roots, const struct wg_ir_instr *in,
                       uint32_t i) {
    uint64_t all = 0;
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_LDU:
    case WG_OP_ATOM: return loaded(m, in, i);
    case WG_OP_MUL_I:
    case WG_OP_SHL:
    case WG_OP_SHR:
    case WG_OP_DIV_I:
    case WG_OP_REM_I:
    case WG_OP_MOV_SREG:
    case WG_OP_SETP: return 0;
    case WG_OP_MAD_I: return wg_roots_of(m, roots, &in->src[2]);
    case WG_OP_MAPA: return WG_ROOT_OWN;
    case WG_OP_CVTA:
        if (in->space == WG_S_SHARED || in->space == WG_S_CLUSTER || in->space == WG_S_LOCAL)
            return WG_ROOT_OWN;
        break;
    default: break;
    }
    for (uint32_t k = 0; k < in->nsrc; k++) all |= wg_roots_of(m, roots, &in->src[k]);
    return all;
}

static bool add(uint64_t *to, uint64_t set) {
    bool more = set & ~*to;
    *to |= set;
    return more;
}

static bool see(const struct wg_ir_module *m, uint64_t *roots, const struct wg_ir_instr *in) {
    bool changed = false;
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) changed |= add(&roots[in->dst[i].index], result(m, roots, in, i));
    for (uint32_t i = 0; in->op == WG_OP_CALL && i < in->call->nrets; i++)
        if (in->call->rets[i].value.kind == WG_O_REG)
            changed |= add(&roots[in->call->rets[i].value.index], WG_ROOT_UNKNOWN);
    return changed;
}

uint64_t *wg_roots_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f) {
    uint64_t *roots = WG_NEW_N(a, uint64_t, f->nregs + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
                changed |= see(m, roots, &f->blocks[b].instrs[i]);
    }
    return roots;
}
