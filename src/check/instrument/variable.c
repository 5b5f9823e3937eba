/* See variable.h. A data-flow analysis over all registers of a function, with the lattice:
 *
 *     UNSEEN < PLAIN (no variable in it), one variable < MANY
 */
#include "check/instrument/variable.h"

enum { UNSEEN = UINT32_MAX, PLAIN = UINT32_MAX - 1, MANY = UINT32_MAX - 2 };

struct finder {
    const struct wg_ir_module *m;
    uint32_t *of;
    bool changed;
};

static bool is_variable(uint32_t v) { return v < MANY; }

static uint32_t join(uint32_t a, uint32_t b) {
    if (a == UNSEEN) return b;
    if (b == UNSEEN || a == b) return a;
    return MANY;
}

static uint32_t operand(const struct finder *x, const struct wg_ir_opd *o) {
    if (o->kind == WG_O_REG) return x->of[o->index];
    if (o->kind != WG_O_SYM) return PLAIN;
    return x->m->syms[o->index].kind == WG_SYM_FUNC ? PLAIN : o->index;
}

static uint32_t sum(uint32_t a, uint32_t b) {
    if (a == UNSEEN || b == UNSEEN) return UNSEEN;
    if (a == PLAIN) return b;
    return b == PLAIN ? a : MANY;
}

/* What is made of it is no address any more, unless something was. */
static uint32_t anything(const struct finder *x, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->nsrc; i++) {
        uint32_t v = operand(x, &in->src[i]);
        if (is_variable(v) || v == MANY) return MANY;
    }
    return PLAIN;
}

static uint32_t result(const struct finder *x, const struct wg_ir_instr *in) {
    uint32_t v[3];
    for (uint32_t i = 0; i < 3; i++) v[i] = i < in->nsrc ? operand(x, &in->src[i]) : PLAIN;
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_LDU:
    case WG_OP_ATOM: return PLAIN;
    case WG_OP_MOV:
    case WG_OP_CVT:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO:
    case WG_OP_MAPA: return v[0];
    case WG_OP_ADD_I:
    case WG_OP_OR: return sum(v[0], v[1]);
    case WG_OP_SUB_I: return v[1] == PLAIN ? v[0] : v[0] == v[1] && v[0] != MANY ? PLAIN : MANY;
    case WG_OP_MAD_I: return v[0] == PLAIN && v[1] == PLAIN ? v[2] : anything(x, in);
    case WG_OP_AND: return in->src[1].kind == WG_O_IMM ? v[0] : anything(x, in);
    case WG_OP_SELP: return join(v[0], v[1]);
    default: return anything(x, in);
    }
}

static void see(struct finder *x, uint32_t reg, uint32_t v) {
    uint32_t now = join(x->of[reg], v);
    x->changed |= now != x->of[reg];
    x->of[reg] = now;
}

static void see_instr(struct finder *x, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) see(x, in->dst[i].index, result(x, in));
    for (uint32_t i = 0; in->op == WG_OP_CALL && i < in->call->nrets; i++)
        if (in->call->rets[i].value.kind == WG_O_REG) see(x, in->call->rets[i].value.index, PLAIN);
}

uint32_t *wg_variables_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f) {
    struct finder x = {.m = m, .of = WG_NEW_N(a, uint32_t, f->nregs + 1), .changed = true};
    for (uint32_t r = 0; r < f->nregs; r++) x.of[r] = UNSEEN;
    while (x.changed) {
        x.changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) see_instr(&x, &f->blocks[b].instrs[i]);
    }
    for (uint32_t r = 0; r < f->nregs; r++)
        if (!is_variable(x.of[r])) x.of[r] = WG_NO_REG;
    return x.of;
}
