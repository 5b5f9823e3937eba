/* Checks ir.h's invariants. What it finds is a fault of the builder's. */
#include "ir/ir.h"

#include <stdlib.h>

struct check {
    struct wg_ir_module *m;
    const struct wg_ir_func *f;
    uint32_t block;
    const char *wrong;
};

static bool fail(struct check *c, const struct wg_ir_instr *i, const char *what) {
    if (!c->wrong)
        c->wrong = wg_arena_printf(&c->m->arena, "%s, block %u, ptx line %u: %s", c->f->name, c->block,
                                   i ? i->ptx_line : c->f->blocks[c->block].ptx_line, what);
    return false;
}

static bool check_opd(struct check *c, const struct wg_ir_instr *i, const struct wg_ir_opd *o) {
    if (o->kind > WG_O_SYM) return fail(c, i, "unknown kind of operand");
    if (o->kind == WG_O_REG && o->index >= c->f->nregs) return fail(c, i, "register out of range");
    if (o->kind == WG_O_SYM && o->index >= c->m->nsyms) return fail(c, i, "symbol out of range");
    if (o->negated && (o->kind == WG_O_SYM || (o->kind == WG_O_REG && c->f->regs[o->index].width != WG_W1)))
        return fail(c, i, "negated operand is not a predicate");
    return true;
}

static bool check_opds(struct check *c, const struct wg_ir_instr *i) {
    for (uint32_t k = 0; k < i->ndst; k++) {
        if (!check_opd(c, i, &i->dst[k])) return false;
        if (i->dst[k].kind != WG_O_REG && i->dst[k].kind != WG_O_NONE)
            return fail(c, i, "destination is not a register");
    }
    for (uint32_t k = 0; k < i->nsrc; k++) {
        if (!check_opd(c, i, &i->src[k])) return false;
        if (i->src[k].kind == WG_O_NONE) return fail(c, i, "source is missing");
    }
    return true;
}

static bool check_call(struct check *c, const struct wg_ir_instr *i) {
    const struct wg_ir_call *x = i->call;
    if (x->func != WG_NO_REG && x->func >= c->m->nfuncs) return fail(c, i, "called function out of range");
    if (x->func == WG_NO_REG && !x->builtin && x->target.kind != WG_O_REG)
        return fail(c, i, "call of nothing");
    for (uint32_t k = 0; k < x->nargs; k++)
        if (!check_opd(c, i, &x->args[k].value) ||
            x->args[k].offset + wg_type_bits(x->args[k].type) / 8 > x->arg_bytes)
            return fail(c, i, "argument outside its frame");
    for (uint32_t k = 0; k < x->nrets; k++)
        if (!check_opd(c, i, &x->rets[k].value) || x->rets[k].offset < x->ret_offset ||
            x->rets[k].offset + wg_type_bits(x->rets[k].type) / 8 > x->bytes)
            return fail(c, i, "result outside its frame");
    return true;
}

static bool check_instr(struct check *c, const struct wg_ir_block *b, uint32_t at) {
    const struct wg_ir_instr *i = &b->instrs[at];
    if (i->op >= WG_OP_ALL) return fail(c, i, "unknown operation");
    if (i->loc >= c->m->nlocs) return fail(c, i, "source place out of range");
    if (i->op == WG_OP_NONE) return i->unsupported || fail(c, i, "unsupported instruction without its text");
    uint32_t flags = wg_op_flags(i->op);
    if (flags & WG_F_FLOW) return fail(c, i, "control flow inside a block");
    if (flags & WG_F_WAIT && (at + 1 != b->ninstrs || b->term != WG_TERM_BR))
        return fail(c, i, "something follows an instruction where warps wait");
    if (flags & WG_F_SYNC && at != 0) return fail(c, i, "lanes meet inside a block");
    if (i->guard != WG_NO_REG) {
        if (flags & (WG_F_WAIT | WG_F_SYNC)) return fail(c, i, "guard where lanes meet or wait");
        if (i->guard >= c->f->nregs || c->f->regs[i->guard].width != WG_W1)
            return fail(c, i, "guard is not a predicate");
    }
    return check_opds(c, i) && (i->op != WG_OP_CALL || check_call(c, i));
}

static bool check_term(struct check *c, const struct wg_ir_block *b) {
    static const uint32_t nsucc[] = {[WG_TERM_BR] = 1, [WG_TERM_CBR] = 2};
    if (b->term > WG_TERM_OVERFLOW) return fail(c, NULL, "unknown terminator");
    if (b->term == WG_TERM_BRX ? b->nsucc == 0 : b->nsucc != (b->term <= WG_TERM_CBR ? nsucc[b->term] : 0))
        return fail(c, NULL, "wrong number of successors");
    for (uint32_t i = 0; i < b->nsucc; i++)
        if (b->succ[i] == 0 || b->succ[i] >= c->f->nblocks) return fail(c, NULL, "successor out of range");
    bool needs = b->term == WG_TERM_CBR || b->term == WG_TERM_BRX;
    if (needs != (b->cond != WG_NO_REG)) return fail(c, NULL, "condition missing or too many");
    if (needs && b->cond >= c->f->nregs) return fail(c, NULL, "condition out of range");
    if (b->term == WG_TERM_CBR && c->f->regs[b->cond].width != WG_W1)
        return fail(c, NULL, "condition is not a predicate");
    return true;
}

static bool in_loop(const struct wg_ir_func *f, uint32_t block, uint32_t header) {
    uint32_t h = f->blocks[block].loop;
    while (h != WG_NO_REG && h != header) h = f->blocks[h].outer;
    return h == header;
}

/* A loop's blocks stand in a row from its header, and each block has its predecessors listed. */
static bool check_shape(struct check *c) {
    const struct wg_ir_func *f = c->f;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *x = &f->blocks[b];
        c->block = b;
        if (b ? !x->npred : x->npred)
            return fail(c, NULL, b ? "unreachable block" : "block 0 has predecessors");
        for (uint32_t i = 0; i < x->npred; i++)
            if (x->pred[i] >= f->nblocks) return fail(c, NULL, "predecessor out of range");
        if (x->loop != WG_NO_REG && (x->loop > b || f->blocks[x->loop].loop != x->loop))
            return fail(c, NULL, "loop's header out of place");
        if (x->loop != WG_NO_REG && x->loop != b && !in_loop(f, b - 1, x->loop))
            return fail(c, NULL, "a loop's blocks are not contiguous");
        if (x->outer != WG_NO_REG && (x->loop != b || !in_loop(f, b - 1, x->outer)))
            return fail(c, NULL, "inner loop out of place");
    }
    return true;
}

static void check_func(struct check *c) {
    for (uint32_t b = 0; b < c->f->nblocks; b++) {
        const struct wg_ir_block *x = &c->f->blocks[b];
        c->block = b;
        for (uint32_t i = 0; i < x->ninstrs; i++)
            if (!check_instr(c, x, i)) return;
        if (!check_term(c, x)) return;
    }
    check_shape(c);
}

const char *wg_ir_verify(struct wg_ir_module *m) {
    struct check c = {.m = m};
    for (uint32_t i = 0; i < m->nfuncs && !c.wrong; i++) {
        c.f = &m->funcs[i];
        check_func(&c);
    }
    return c.wrong;
}
