/* See cfg.h. */
#include "cfg/cfg.h"

#include <string.h>

void wg_each_use(const struct wg_ir_instr *in, void (*fn)(void *, uint32_t), void *user) {
    if (in->guard != WG_NO_REG) fn(user, in->guard);
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG) fn(user, in->src[i].index);
    if (in->op != WG_OP_CALL) return;
    for (uint32_t i = 0; i < in->call->nargs; i++)
        if (in->call->args[i].value.kind == WG_O_REG) fn(user, in->call->args[i].value.index);
    if (in->call->target.kind == WG_O_REG) fn(user, in->call->target.index);
}

void wg_each_def(const struct wg_ir_instr *in, void (*fn)(void *, uint32_t), void *user) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) fn(user, in->dst[i].index);
    if (in->op != WG_OP_CALL) return;
    for (uint32_t i = 0; i < in->call->nrets; i++)
        if (in->call->rets[i].value.kind == WG_O_REG) fn(user, in->call->rets[i].value.index);
}

bool wg_writes(const struct wg_ir_instr *in, uint32_t reg) {
    for (uint32_t d = 0; d < in->ndst; d++)
        if (in->dst[d].kind == WG_O_REG && in->dst[d].index == reg) return true;
    return false;
}

static void count(void *counts, uint32_t r) { ((uint32_t *)counts)[r]++; }

uint32_t *wg_count_defs(struct wg_arena *a, const struct wg_ir_func *f) {
    uint32_t *ndefs = WG_NEW_N(a, uint32_t, f->nregs + 1);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            wg_each_def(&f->blocks[b].instrs[i], count, ndefs);
    return ndefs;
}

void wg_cfg_definitions(struct wg_cfg *c) {
    const struct wg_ir_func *f = c->func;
    c->ndefs = wg_count_defs(&c->arena, f);
    c->def = WG_NEW_N(&c->arena, const struct wg_ir_instr *, f->nregs);
    c->def_block = WG_NEW_N(&c->arena, uint32_t, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            for (uint32_t d = 0; d < in->ndst; d++) {
                if (in->dst[d].kind != WG_O_REG || c->ndefs[in->dst[d].index] != 1) continue;
                c->def[in->dst[d].index] = in;
                c->def_block[in->dst[d].index] = b;
            }
        }
}

void wg_grow(void *growing, uint32_t r) {
    struct wg_growing *g = growing;
    g->grew |= !wg_bits_has(g->set, r);
    wg_bits_add(g->set, r);
}

static void count_one(void *user, uint32_t reg) { ((uint32_t *)user)[reg]++; }
static void count_off(void *user, uint32_t reg) { ((uint32_t *)user)[reg]--; }

static bool is_unused(const struct wg_ir_instr *in, const uint32_t *uses) {
    bool load = in->op == WG_OP_LD && in->space == WG_S_PARAM;
    if ((wg_op_flags(in->op) && !load) || in->op == WG_OP_NONE || in->ndst == 0) return false;
    for (uint32_t d = 0; d < in->ndst; d++)
        if (in->dst[d].kind == WG_O_REG && uses[in->dst[d].index]) return false;
    return true;
}

void wg_drop_unused(struct wg_arena *a, struct wg_ir_func *f, uint32_t n) {
    uint32_t *uses = WG_NEW_N(a, uint32_t, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) uses[blk->cond]++;
        for (uint32_t i = 0; i < blk->ninstrs; i++) wg_each_use(&blk->instrs[i], count_one, uses);
    }
    for (uint32_t b = n; b-- > 0;) {
        struct wg_ir_block *blk = &f->blocks[b];
        uint32_t kept = blk->ninstrs;
        for (uint32_t i = blk->ninstrs; i-- > 0;) {
            struct wg_ir_instr in = blk->instrs[i];
            if (is_unused(&in, uses))
                wg_each_use(&in, count_off, uses);
            else
                blk->instrs[--kept] = in;
        }
        blk->instrs += kept;
        blk->ninstrs -= kept;
    }
}

void wg_flow_preds(struct wg_arena *a, struct wg_ir_block *blocks, uint32_t n) {
    for (uint32_t b = 0; b < n; b++) blocks[b].npred = 0;
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t k = 0; k < blocks[b].nsucc; k++) blocks[blocks[b].succ[k]].npred++;
    for (uint32_t b = 0; b < n; b++) {
        blocks[b].pred = WG_NEW_N(a, uint32_t, blocks[b].npred + 1);
        blocks[b].npred = 0;
    }
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t k = 0; k < blocks[b].nsucc; k++) {
            struct wg_ir_block *t = &blocks[blocks[b].succ[k]];
            t->pred[t->npred++] = b;
        }
}

void wg_flow_install(struct wg_arena *a, struct wg_ir_func *f, const struct wg_ir_reg *regs, uint32_t nregs,
                     const struct wg_ir_block *blocks, uint32_t nblocks) {
    f->nregs = nregs;
    f->regs = WG_NEW_N(a, struct wg_ir_reg, nregs);
    if (nregs) memcpy(f->regs, regs, nregs * sizeof *regs);
    f->nblocks = nblocks;
    f->blocks = WG_NEW_N(a, struct wg_ir_block, nblocks);
    memcpy(f->blocks, blocks, nblocks * sizeof *blocks);
    wg_flow_preds(a, f->blocks, nblocks);
}

static void add(void *set, uint32_t r) { wg_bits_add(set, r); }
static void del(void *set, uint32_t r) { wg_bits_del(set, r); }

/* The transfer function of liveness: live = (live - written) + read. A predicated write does not kill the old
 * value. */
static void step_back(const struct wg_ir_instr *in, wg_bits live) {
    if (in->guard == WG_NO_REG) wg_each_def(in, del, live);
    wg_each_use(in, add, live);
}

static void block_live_in(const struct wg_ir_block *b, wg_bits live) {
    if (b->term == WG_TERM_CBR || b->term == WG_TERM_BRX) wg_bits_add(live, b->cond);
    for (uint32_t i = b->ninstrs; i-- > 0;) step_back(&b->instrs[i], live);
}

void wg_cfg_liveness(struct wg_cfg *c) {
    const struct wg_ir_func *f = c->func;
    c->live_in = WG_NEW_N(&c->arena, wg_bits, f->nblocks);
    c->live_out = WG_NEW_N(&c->arena, wg_bits, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        c->live_in[b] = wg_bits_new(&c->arena, f->nregs);
        c->live_out[b] = wg_bits_new(&c->arena, f->nregs);
    }
    wg_bits live = wg_bits_new(&c->arena, f->nregs);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = f->nblocks; b-- > 0;) {
            const struct wg_ir_block *blk = &f->blocks[b];
            for (uint32_t s = 0; s < blk->nsucc; s++)
                wg_bits_join(c->live_out[b], c->live_in[blk->succ[s]], f->nregs);
            wg_bits_copy(live, c->live_out[b], f->nregs);
            block_live_in(blk, live);
            grew |= wg_bits_join(c->live_in[b], live, f->nregs);
        }
    }
}

/* Numbers the dominator tree in preorder: what a block dominates follows it. Blocks come after their idoms.
 */
static void number_dominators(struct wg_cfg *c) {
    uint32_t n = c->func->nblocks, *next = WG_NEW_N(&c->arena, uint32_t, n);
    c->dominated = WG_NEW_N(&c->arena, uint32_t, n);
    c->dom_number = WG_NEW_N(&c->arena, uint32_t, n);
    for (uint32_t b = n; b-- > 1;)
        if (c->idom[b] != WG_NO_REG) c->dominated[c->idom[b]] += 1 + c->dominated[b];
    for (uint32_t b = 0; b < n; b++) {
        if (b && c->idom[b] != WG_NO_REG) {
            c->dom_number[b] = next[c->idom[b]];
            next[c->idom[b]] += 1 + c->dominated[b];
        }
        next[b] = c->dom_number[b] + 1;
    }
}

/* Cooper, Harvey, Kennedy: blocks are in reverse postorder, so an idom has a lower number. */
void wg_cfg_dominators(struct wg_cfg *c) {
    const struct wg_ir_func *f = c->func;
    c->idom = WG_NEW_N(&c->arena, uint32_t, f->nblocks);
    for (uint32_t b = 1; b < f->nblocks; b++) c->idom[b] = WG_NO_REG;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 1; b < f->nblocks; b++) {
            uint32_t dom = WG_NO_REG;
            for (uint32_t p = 0; p < f->blocks[b].npred; p++) {
                uint32_t x = f->blocks[b].pred[p];
                if (c->idom[x] == WG_NO_REG) continue;
                if (dom == WG_NO_REG) {
                    dom = x;
                    continue;
                }
                uint32_t y = dom;
                while (x != y) {
                    while (x > y) x = c->idom[x];
                    while (y > x) y = c->idom[y];
                }
                dom = x;
            }
            if (dom != c->idom[b]) {
                c->idom[b] = dom;
                changed = true;
            }
        }
    }
    number_dominators(c);
}

bool wg_dominates(const struct wg_cfg *c, uint32_t a, uint32_t b) {
    return c->dom_number[b] - c->dom_number[a] <= c->dominated[a]; /* less than a's number: wraps around */
}

bool wg_in_loop(const struct wg_ir_func *f, uint32_t block, uint32_t header) {
    uint32_t l = f->blocks[block].loop;
    while (l != WG_NO_REG && l != header) l = f->blocks[l].outer;
    return l == header;
}

bool wg_leads_to_exit(const struct wg_ir_func *f, uint32_t block) {
    const struct wg_ir_block *b = &f->blocks[block];
    return b->ninstrs == 0 && (b->term == WG_TERM_RET || b->term == WG_TERM_EXIT);
}

struct following {
    wg_bits from;
    bool found, changed;
};

static void follow_use(void *user, uint32_t reg) {
    struct following *x = user;
    x->found |= wg_bits_has(x->from, reg);
}

static void follow_def(void *user, uint32_t reg) {
    struct following *x = user;
    x->changed |= !wg_bits_has(x->from, reg);
    wg_bits_add(x->from, reg);
}

wg_bits wg_following(struct wg_arena *a, const struct wg_ir_func *f,
                     enum wg_part (*part)(const void *user, const struct wg_ir_instr *in), const void *user) {
    struct following x = {.from = wg_bits_new(a, f->nregs), .changed = true};
    while (x.changed) {
        x.changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
                enum wg_part p = part(user, in);
                x.found = p == WG_PART_BEGINS;
                if (p == WG_PART_FOLLOWS) wg_each_use(in, follow_use, &x);
                if (x.found) wg_each_def(in, follow_def, &x);
            }
    }
    return x.from;
}
