/* See volatile.h: a forward walk over the transitive uses of a load's value, to a fixed point. */
#include "check/instrument/volatile.h"
#include "cfg/bits.h"
#include "cfg/cfg.h"

struct follow {
    wg_bits made; /* registers that are made of the value */
    bool uses, decides, grew;
};

static void see_use(void *user, uint32_t r) {
    struct follow *f = user;
    f->uses |= wg_bits_has(f->made, r);
}

static bool is_predicate(const struct wg_ir_func *f, const struct wg_ir_opd *o) {
    return o->kind == WG_O_REG && f->regs[o->index].width == WG_W1;
}

/* What an instruction does with the value that it uses. */
static void go_through(struct follow *f, const struct wg_ir_func *func, const struct wg_ir_instr *in) {
    uint32_t flags = wg_op_flags(in->op);
    bool stored = in->op == WG_OP_ST && in->space != WG_S_LOCAL && in->space != WG_S_PARAM;
    bool loads = wg_op_is(in->op, WG_IS_LOAD); /* by it as an address: what is there is another value */
    if (in->guard != WG_NO_REG && wg_bits_has(f->made, in->guard)) f->decides = true;
    bool atomic = wg_op_is(in->op, WG_IS_ATOMIC);
    if (in->op == WG_OP_CALL || in->op == WG_OP_SELP || in->op == WG_OP_SLCT) f->decides = true;
    if (atomic && in->mod[WG_MC_AOP] == WG_M_cas) f->decides = true;
    if ((flags & WG_F_MEM && !stored && !loads && !atomic) || (flags & WG_F_EFFECT && !atomic))
        f->decides = true;
    for (uint32_t k = 0; k < in->ndst && !loads && !atomic; k++) {
        if (in->dst[k].kind != WG_O_REG) continue;
        f->decides |= is_predicate(func, &in->dst[k]);
        f->grew |= !wg_bits_has(f->made, in->dst[k].index);
        wg_bits_add(f->made, in->dst[k].index);
    }
}

/* Whether anything depends on the value but other values. */
static bool decides(const struct wg_ir_func *func, struct wg_arena *a, const struct wg_ir_instr *load) {
    struct follow f = {.made = wg_bits_new(a, func->nregs)};
    for (uint32_t k = 0; k < load->ndst; k++)
        if (load->dst[k].kind == WG_O_REG) wg_bits_add(f.made, load->dst[k].index);
    for (f.grew = true; f.grew && !f.decides;) {
        f.grew = false;
        for (uint32_t b = 0; b < func->nblocks; b++) {
            const struct wg_ir_block *blk = &func->blocks[b];
            f.decides |= blk->cond != WG_NO_REG && wg_bits_has(f.made, blk->cond);
            for (uint32_t i = 0; i < blk->ninstrs && !f.decides; i++) {
                f.uses = false;
                wg_each_use(&blk->instrs[i], see_use, &f);
                if (f.uses) go_through(&f, func, &blk->instrs[i]);
            }
        }
    }
    return f.decides;
}

static bool is_volatile(const struct wg_ir_instr *in) { return in->mod[WG_MC_SEM] == WG_M_volatile; }

/* As far as the text tells: the same register or variable, so many bytes further on. */
static bool same_place(const struct wg_ir_instr *a, const struct wg_ir_instr *b) {
    const struct wg_ir_opd *x = &a->src[0], *y = &b->src[0];
    bool same = x->kind == y->kind && a->offset == b->offset && a->space == b->space;
    return same && (x->kind == WG_O_IMM ? x->imm == y->imm : x->index == y->index && x->imm == y->imm);
}

typedef void (*each_volatile)(struct wg_instrument *x, const struct wg_ir_instr *in,
                              const struct wg_ir_instr *asks);
static void each(struct wg_instrument *x, each_volatile fn, const struct wg_ir_instr *asks) {
    const struct wg_ir_func *f = x->from;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (is_volatile(in) && (in->op == WG_OP_LD || in->op == WG_OP_ST)) fn(x, in, asks);
        }
}

static void judge(struct wg_instrument *x, const struct wg_ir_instr *in, const struct wg_ir_instr *asks) {
    (void)asks;
    x->sites[in->id].data = in->op == WG_OP_ST || !decides(x->from, x->arena, in);
}

/* What a flag is read or written for besides is no data. */
static void is_flag(struct wg_instrument *x, const struct wg_ir_instr *in, const struct wg_ir_instr *asks) {
    if (same_place(in, asks)) x->sites[in->id].data = false;
}
static void spread(struct wg_instrument *x, const struct wg_ir_instr *in, const struct wg_ir_instr *asks) {
    (void)asks;
    if (in->op == WG_OP_LD && !x->sites[in->id].data) each(x, is_flag, in);
}

void wg_volatile_find(struct wg_instrument *x) {
    each(x, judge, NULL);
    each(x, spread, NULL);
}
