/* See lock.h. */
#include "check/instrument/lock.h"
#include "cfg/cfg.h"

struct use {
    uint32_t reg;
    bool found;
};
static void see_use(void *user, uint32_t r) {
    struct use *u = user;
    u->found |= r == u->reg;
}

static bool is_used(const struct wg_ir_func *f, uint32_t reg) {
    struct use u = {.reg = reg};
    for (uint32_t b = 0; b < f->nblocks && !u.found; b++) {
        u.found |= f->blocks[b].cond == reg;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs && !u.found; i++)
            wg_each_use(&f->blocks[b].instrs[i], see_use, &u);
    }
    return u.found;
}

/* Whether anything is made of what an atomic finds. */
static bool looks(const struct wg_ir_func *f, const struct wg_ir_instr *in) {
    return in->op == WG_OP_ATOM && in->ndst && in->dst[0].kind == WG_O_REG && is_used(f, in->dst[0].index);
}

/* The symbol that an address is, or was made from. */
static uint32_t symbol_of(const struct wg_instrument *x, const struct wg_ir_opd *o) {
    return o->kind == WG_O_REG ? x->variable[o->index] : o->kind == WG_O_SYM ? o->index : WG_NO_REG;
}

static bool same_place(const struct wg_instrument *x, const struct wg_ir_instr *a,
                       const struct wg_ir_instr *b) {
    const struct wg_ir_opd *p = &a->src[0], *q = &b->src[0];
    uint32_t symbol = symbol_of(x, p);
    if (a->offset != b->offset) return false;
    if (symbol != WG_NO_REG) return symbol == symbol_of(x, q);
    return p->kind == q->kind && (p->kind == WG_O_REG ? p->index == q->index : p->imm == q->imm);
}

static bool is_imm(const struct wg_ir_opd *o, uint64_t value) {
    return o->kind == WG_O_IMM && o->imm == value;
}

/* Puts the value there without a look at what it finds. */
static bool sets(const struct wg_ir_func *f, const struct wg_ir_instr *in, uint64_t value) {
    if (in->op == WG_OP_ST) return is_imm(&in->src[1], value);
    bool exchange = wg_op_is(in->op, WG_IS_ATOMIC) && in->mod[WG_MC_AOP] == WG_M_exch;
    return exchange && is_imm(&in->src[1], value) && !looks(f, in);
}

static bool is_given_back(const struct wg_instrument *x, const struct wg_ir_instr *take, uint64_t value) {
    const struct wg_ir_func *f = x->from;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (sets(f, &f->blocks[b].instrs[i], value) && same_place(x, take, &f->blocks[b].instrs[i]))
                return true;
    return false;
}

static bool takes(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    if (in->op != WG_OP_ATOM || in->space == WG_S_SHARED || in->nsrc < 2 || in->src[1].kind != WG_O_IMM)
        return false;
    uint64_t asked = in->src[1].imm;
    if (in->mod[WG_MC_AOP] == WG_M_cas)
        return in->nsrc > 2 && !is_imm(&in->src[2], asked) && is_given_back(x, in, asked);
    return in->mod[WG_MC_AOP] == WG_M_exch && asked && looks(x->from, in) && is_given_back(x, in, 0);
}

/* Who asks by an atomic, as for a lock, lets others write there: such a place is no data. */
static void is_asked_after(const struct wg_instrument *x, const struct wg_ir_instr *atomic) {
    const struct wg_ir_func *f = x->from;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool moves = in->op == WG_OP_LD || in->op == WG_OP_ST;
            if (moves && x->sites[in->id].data && same_place(x, atomic, in)) x->sites[in->id].data = false;
        }
}

void wg_lock_find(struct wg_instrument *x) {
    const struct wg_ir_func *f = x->from;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (!wg_op_is(in->op, WG_IS_ATOMIC)) continue;
            x->sites[in->id].takes = takes(x, in);
            x->sites[in->id].blind = in->mod[WG_MC_AOP] != WG_M_cas && !looks(f, in);
            if (!x->sites[in->id].blind) is_asked_after(x, in);
        }
}
