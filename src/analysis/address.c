/* See address.h. */
#include "analysis/address.h"

static struct wg_address of_symbol(const struct wg_ir_module *m, const struct wg_ir_func *f,
                                   const struct wg_ir_opd *o, int64_t offset) {
    const struct wg_ir_sym *s = &m->syms[o->index];
    bool in_window = s->kind == WG_SYM_SHARED;
    return (struct wg_address){.root = f->nregs + (in_window ? m->nsyms : o->index),
                               .offset = offset + (int64_t)(o->imm + (in_window ? s->offset : 0))};
}

struct wg_address wg_address_of(const struct wg_ir_module *m, const struct wg_cfg *definitions,
                                const struct wg_ir_opd *o, int64_t offset, bool fixed) {
    enum { DEEP = 16 };
    if (o->kind == WG_O_SYM) return of_symbol(m, definitions->func, o, offset);
    uint32_t reg = o->kind == WG_O_REG ? o->index : WG_NO_REG;
    const struct wg_ir_instr *reader = NULL;
    for (int depth = 0; depth < DEEP && reg != WG_NO_REG && definitions->def[reg]; depth++) {
        const struct wg_ir_instr *d = definitions->def[reg];
        if (d->guard != WG_NO_REG || d->nsrc == 0 || d->src[0].kind == WG_O_IMM) break;
        bool add = d->op == WG_OP_ADD_I && d->src[1].kind == WG_O_IMM && !d->mod[WG_MC_SAT];
        if (!add && d->op != WG_OP_MOV) break;
        bool symbol = d->src[0].kind == WG_O_SYM;
        if (fixed && !symbol && !definitions->def[d->src[0].index]) break;
        if (add) offset += wg_type_bits(d->type) == 32 ? (int32_t)d->src[1].imm : (int64_t)d->src[1].imm;
        if (symbol) return of_symbol(m, definitions->func, &d->src[0], offset);
        reg = d->src[0].index;
        reader = d;
    }
    return (struct wg_address){reg, offset, reader};
}
