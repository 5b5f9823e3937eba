/* See extended.h. The operations are those that were assembled (tests/count/halves.ptx). */
#include "analysis/extended.h"

enum { UNSIGNED = 1, SIGNED = 2 };

static unsigned by_type(uint8_t type) {
    if (wg_type_bits(type) != 16 || wg_type_kind(type) == WG_K_F) return 0;
    return wg_type_kind(type) == WG_K_S ? SIGNED : UNSIGNED;
}

/* How the instruction's operands of 16 bits are extended. Sums and their like have the same low bits either way. */
static unsigned ways(const struct wg_ir_instr *in) {
    bool whole = wg_type_kind(in->type) != WG_K_F;
    switch (in->op) {
    case WG_OP_CVT: return whole && wg_type_bits(in->type) > 16 ? by_type(in->type2) : 0;
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
        if (in->mod[WG_MC_MULW] != WG_M_lo) return by_type(in->type); /* fallthrough */
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_XOR:
    case WG_OP_SELP: return by_type(in->type) ? UNSIGNED | SIGNED : 0;
    case WG_OP_SETP:
    case WG_OP_SHR: return by_type(in->type);
    default: return 0;
    }
}

struct wg_extended wg_extended_find(struct wg_arena *a, const struct wg_ir_func *f) {
    struct wg_extended x = {{wg_bits_new(a, f->nregs), wg_bits_new(a, f->nregs)}};
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            unsigned how = ways(in);
            for (uint32_t k = 0; how && k < in->nsrc; k++) {
                if (in->src[k].kind != WG_O_REG) continue;
                if (how & UNSIGNED) wg_bits_add(x.as[0], in->src[k].index);
                if (how & SIGNED) wg_bits_add(x.as[1], in->src[k].index);
            }
        }
    return x;
}

bool wg_load_extends(const struct wg_extended *x, const struct wg_ir_func *f,
                     const struct wg_ir_instr *load) {
    if (load->op != WG_OP_LD || load->nvec > 1 || wg_type_bits(load->type) != 16) return false;
    const struct wg_ir_opd *to = &load->dst[0];
    bool sign = wg_type_kind(load->type) == WG_K_S;
    return to->kind == WG_O_REG &&
           (f->regs[to->index].width != WG_W16 || wg_bits_has(x->as[sign], to->index));
}
