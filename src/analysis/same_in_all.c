/* Recursion-invariant registers: registers that hold the same in all activations of a recursive function.
 *
 *     walk(tree, at):  ... walk(tree, left) ... walk(tree, right)        `tree` is what it was at first
 *
 * An argument is invariant if each recursive call passes the incoming value of one of these arguments, and
 * only one of them is passed from outside. So is a register computed from invariants and constants alone, by
 * an instruction that is the register's only definition.
 */
#include "cfg/cfg.h"
#include "analysis/recursion.h"

#include <stdlib.h>

struct same {
    struct inliner *x;
    uint32_t nregs;
    uint32_t *ndefs;
    const struct wg_ir_instr **def;
    const struct group **group; /* [register] the innermost that it belongs to, or NULL */
    uint32_t *class_of;         /* [register] of arguments: a register that stands for all of its class */
    uint32_t *entries;          /* [such a register] arguments of the class that are passed from outside */
    bool *is, *is_arg, *bad;    /* bad: [such a register] something else is passed */
};

static uint32_t class_of(struct same *s, uint32_t arg) {
    while (s->class_of[arg] != arg) arg = s->class_of[arg];
    return arg;
}

static void note_def(struct same *s, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) {
            s->ndefs[in->dst[i].index]++;
            s->def[in->dst[i].index] = in;
        }
    for (uint32_t i = 0; in->op == WG_OP_CALL && i < in->call->nrets; i++)
        if (in->call->rets[i].value.kind == WG_O_REG) s->ndefs[in->call->rets[i].value.index] += 2;
}

static void find_groups(struct same *s) {
    const struct inliner *x = s->x;
    for (uint32_t i = 0; i < x->members.n; i++) {
        const struct member *m = x->members.v[i];
        const struct group *g = m->group;
        for (uint32_t r = g->first_reg; r < g->end_reg; r++)
            if (!s->group[r] || s->group[r]->first_reg < g->first_reg) s->group[r] = g;
        for (uint32_t k = 0; k < m->c.call->nargs && m->c.by_register; k++) s->is_arg[m->c.arg_reg[k]] = true;
    }
}

/* The argument whose value the operand is, of the same group; or WG_NO_REG. */
static uint32_t origin(const struct same *s, const struct wg_ir_opd *o, const struct group *g) {
    struct wg_ir_opd at = *o;
    for (int steps = 0; steps < 16; steps++) {
        if (at.kind != WG_O_REG || s->group[at.index] != g) return WG_NO_REG;
        if (s->is_arg[at.index]) return at.index;
        const struct wg_ir_instr *in = s->def[at.index];
        if (s->ndefs[at.index] != 1 || in->op != WG_OP_MOV || in->guard != WG_NO_REG) return WG_NO_REG;
        uint8_t width = s->x->regs.v[at.index].width;
        at = in->src[0];
        if (at.kind == WG_O_REG && s->x->regs.v[at.index].width != width) return WG_NO_REG;
    }
    return WG_NO_REG;
}

/* What the block that passes arguments moves into them. */
static void see_site(struct same *s, const struct site *site) {
    const struct wg_ir_block *b = &s->x->blocks.v[site->push];
    for (uint32_t i = 0; i < b->ninstrs && site->callee->c.by_register; i++) {
        const struct wg_ir_instr *in = &b->instrs[i];
        if (in->op != WG_OP_MOV || !s->is_arg[in->dst[0].index]) continue;
        uint32_t to = class_of(s, in->dst[0].index);
        if (!site->inside) {
            s->entries[to]++;
            continue;
        }
        uint32_t from = origin(s, &in->src[0], site->callee->group);
        bool wide = from != WG_NO_REG && s->x->regs.v[from].width == s->x->regs.v[to].width;
        if (!wide) {
            s->bad[to] = true;
            continue;
        }
        from = class_of(s, from);
        if (from == to) continue;
        s->class_of[from] = to;
        s->entries[to] += s->entries[from];
        s->bad[to] |= s->bad[from];
    }
}

static bool is_pure(const struct wg_ir_instr *in) {
    bool special = in->op == WG_OP_MOV_SREG &&
                   (in->sreg <= WG_SR_nctaid_z || in->sreg == WG_SR_laneid || in->sreg == WG_SR_warpid);
    bool other = in->op == WG_OP_SHR || in->op == WG_OP_CVT || in->op == WG_OP_SETP || in->op == WG_OP_SELP;
    return in->guard == WG_NO_REG &&
           (special || other || wg_op_is(in->op, WG_IS_COPY | WG_IS_LINEAR | WG_IS_BITWISE));
}

static bool stays(struct same *s, uint32_t r) {
    if (s->is_arg[r]) {
        uint32_t c = class_of(s, r);
        return !s->bad[c] && s->entries[c] == 1;
    }
    const struct wg_ir_instr *in = s->def[r];
    if (s->ndefs[r] != 1 || !is_pure(in)) return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG &&
            (s->group[in->src[i].index] != s->group[r] || !s->is[in->src[i].index]))
            return false;
    return true;
}

bool *wg_recursion_same(struct inliner *x) {
    struct wg_arena *a = x->arena;
    uint32_t n = x->regs.n;
    struct same s = {.x = x,
                     .nregs = n,
                     .ndefs = WG_NEW_N(a, uint32_t, n),
                     .def = WG_NEW_N(a, const struct wg_ir_instr *, n),
                     .group = WG_NEW_N(a, const struct group *, n),
                     .class_of = WG_NEW_N(a, uint32_t, n),
                     .entries = WG_NEW_N(a, uint32_t, n),
                     .is = WG_NEW_N(a, bool, n),
                     .is_arg = WG_NEW_N(a, bool, n),
                     .bad = WG_NEW_N(a, bool, n)};
    for (uint32_t b = 0; b < x->blocks.n; b++)
        for (uint32_t i = 0; i < x->blocks.v[b].ninstrs; i++) note_def(&s, &x->blocks.v[b].instrs[i]);
    find_groups(&s);
    for (uint32_t r = 0; r < n; r++) s.class_of[r] = r;
    for (uint32_t i = 0; i < x->sites.n; i++) see_site(&s, x->sites.v[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < n; r++)
            if (s.group[r] && !s.is[r] && stays(&s, r)) changed = s.is[r] = true;
    }
    return s.is;
}
