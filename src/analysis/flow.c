/* Liveness, dominators, settled registers and thread frontiers: see flow.h.
 *
 * Thread frontiers: while a block runs, other lanes of the warp may wait only at the blocks of its frontier.
 * Of several waiting blocks the lowest runs next, so a frontier holds higher blocks only, and of the lower
 * ones those where lanes may not be able to run yet (`passed`): others of their meeting have yet to come, the
 * machine holds them at a barrier, or they spin and it is the others' turn.
 */
#include "analysis/flow.h"

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

static void count(void *counts, uint32_t r) { ((uint32_t *)counts)[r]++; }

uint32_t *wg_count_defs(struct wg_arena *a, const struct wg_ir_func *f) {
    uint32_t *ndefs = WG_NEW_N(a, uint32_t, f->nregs + 1);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            wg_each_def(&f->blocks[b].instrs[i], count, ndefs);
    return ndefs;
}

void wg_grow(void *growing, uint32_t r) {
    struct wg_growing *g = growing;
    g->grew |= !wg_bits_has(g->set, r);
    wg_bits_add(g->set, r);
}

static bool is_mapped(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o, uint32_t depth) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? def[o->index] : NULL;
    if (!in || depth > 4) return false;
    if (in->op != WG_OP_ADD_I) return in->op == WG_OP_MAPA;
    return is_mapped(def, &in->src[0], depth + 1) || is_mapped(def, &in->src[1], depth + 1);
}

bool wg_is_mapped(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o) {
    return is_mapped(def, o, 0);
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

static void add(void *set, uint32_t r) { wg_bits_add(set, r); }
static void del(void *set, uint32_t r) { wg_bits_del(set, r); }

/* live = (live - written) + read. A guarded write keeps the old value where the guard is false. */
static void step_back(const struct wg_ir_instr *in, wg_bits live) {
    if (in->guard == WG_NO_REG) wg_each_def(in, del, live);
    wg_each_use(in, add, live);
}

static void block_live_in(const struct wg_ir_block *b, wg_bits live) {
    if (b->term == WG_TERM_CBR || b->term == WG_TERM_BRX) wg_bits_add(live, b->cond);
    for (uint32_t i = b->ninstrs; i-- > 0;) step_back(&b->instrs[i], live);
}

void wg_flow_liveness(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->live_in = WG_NEW_N(&an->arena, wg_bits, f->nblocks);
    an->live_out = WG_NEW_N(&an->arena, wg_bits, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        an->live_in[b] = wg_bits_new(&an->arena, f->nregs);
        an->live_out[b] = wg_bits_new(&an->arena, f->nregs);
    }
    wg_bits live = wg_bits_new(&an->arena, f->nregs);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = f->nblocks; b-- > 0;) {
            const struct wg_ir_block *blk = &f->blocks[b];
            for (uint32_t s = 0; s < blk->nsucc; s++)
                wg_bits_join(an->live_out[b], an->live_in[blk->succ[s]], f->nregs);
            wg_bits_copy(live, an->live_out[b], f->nregs);
            block_live_in(blk, live);
            grew |= wg_bits_join(an->live_in[b], live, f->nregs);
        }
    }
}

/* Numbers the tree of dominators so that what a block dominates follows it: blocks come behind their idoms. */
static void number_dominators(struct wg_analysis *an) {
    uint32_t n = an->func->nblocks, *next = WG_NEW_N(&an->arena, uint32_t, n);
    an->dominated = WG_NEW_N(&an->arena, uint32_t, n);
    an->dom_number = WG_NEW_N(&an->arena, uint32_t, n);
    for (uint32_t b = n; b-- > 1;)
        if (an->idom[b] != WG_NO_REG) an->dominated[an->idom[b]] += 1 + an->dominated[b];
    for (uint32_t b = 0; b < n; b++) {
        if (b && an->idom[b] != WG_NO_REG) {
            an->dom_number[b] = next[an->idom[b]];
            next[an->idom[b]] += 1 + an->dominated[b];
        }
        next[b] = an->dom_number[b] + 1;
    }
}

/* Cooper, Harvey, Kennedy: blocks are in reverse postorder, so an idom has a lower number. */
void wg_flow_dominators(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->idom = WG_NEW_N(&an->arena, uint32_t, f->nblocks);
    for (uint32_t b = 1; b < f->nblocks; b++) an->idom[b] = WG_NO_REG;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 1; b < f->nblocks; b++) {
            uint32_t dom = WG_NO_REG;
            for (uint32_t p = 0; p < f->blocks[b].npred; p++) {
                uint32_t x = f->blocks[b].pred[p];
                if (an->idom[x] == WG_NO_REG) continue;
                if (dom == WG_NO_REG) {
                    dom = x;
                    continue;
                }
                uint32_t y = dom;
                while (x != y) {
                    while (x > y) x = an->idom[x];
                    while (y > x) y = an->idom[y];
                }
                dom = x;
            }
            if (dom != an->idom[b]) {
                an->idom[b] = dom;
                changed = true;
            }
        }
    }
    number_dominators(an);
}

bool wg_dominates(const struct wg_analysis *an, uint32_t a, uint32_t b) {
    return an->dom_number[b] - an->dom_number[a] <= an->dominated[a]; /* below a it wraps round */
}

bool wg_in_loop(const struct wg_ir_func *f, uint32_t block, uint32_t header) {
    uint32_t l = f->blocks[block].loop;
    while (l != WG_NO_REG && l != header) l = f->blocks[l].outer;
    return l == header;
}

bool wg_flow_parks(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CALL) return in->call->builtin == WG_B_grid_sync;
    return (wg_op_flags(in->op) & WG_F_WAIT) && in->op != WG_OP_NANOSLEEP;
}

static bool ends_parked(const struct wg_ir_block *b) {
    return b->ninstrs && wg_flow_parks(&b->instrs[b->ninstrs - 1]);
}

struct spreading {
    struct wg_analysis *an;
    wg_bits due; /* blocks whose frontier has grown since it was spread */
    wg_bits waiting;
};

/* Block x may run next, if it is one: lanes still wait at the others, and at itself where they stay behind.
 */
static void tell(struct spreading *s, uint32_t x) {
    struct wg_analysis *an = s->an;
    uint32_t n = an->func->nblocks;
    if (x == n) return;
    bool goes = !wg_bits_has(an->stays, x);
    if (goes) wg_bits_del(s->waiting, x);
    if (wg_bits_join(an->frontier[x], s->waiting, n)) wg_bits_add(s->due, x);
    if (goes) wg_bits_add(s->waiting, x);
}

/* What may wait when block b has run: the others of its frontier, and its own lanes, except where they have
 * exited; not before they are let go from a barrier.
 *
 * Of blocks that wait any may run next, for each may be empty: lanes wait then at those above it, and at
 * those below it that may be passed over. Only the lowest is told. The others are in its frontier then, and
 * each tells the next above it and the lowest of its own: so all get to know of one another, block by block,
 * at the price of a few unions a block and not of one for each pair. */
static void spread_from(struct spreading *x, uint32_t b) {
    const struct wg_ir_func *f = x->an->func;
    const struct wg_ir_block *blk = &f->blocks[b];
    uint32_t n = f->nblocks;
    bool part = wg_bits_has(x->an->divergent[WG_GENERAL], b);
    wg_bits_copy(x->waiting, x->an->frontier[b], n);
    for (uint32_t s = 0; s < blk->nsucc; s++) {
        if (!part) wg_bits_copy(x->waiting, x->an->frontier[b], n);
        if (ends_parked(blk) || !wg_leads_to_exit(f, blk->succ[s])) wg_bits_add(x->waiting, blk->succ[s]);
        if (!part) tell(x, wg_bits_next(x->waiting, 0, n));
    }
    if (part) tell(x, wg_bits_next(x->waiting, 0, n));
    wg_bits_copy(x->waiting, x->an->frontier[b], n);
    if (wg_bits_has(x->an->passed, b)) wg_bits_add(x->waiting, b);
    tell(x, wg_bits_next(x->waiting, 0, n));
    tell(x, wg_bits_next(x->waiting, b + 1, n));
}

bool wg_flow_frontiers(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    uint32_t n = f->nblocks;
    struct spreading x = {.an = an, .due = wg_bits_new(&an->arena, n)};
    bool any = false;
    x.waiting = wg_bits_new(&an->arena, n);
    for (uint32_t b = 0; b < n; b++)
        if (wg_bits_has(an->divergent[WG_GENERAL], b) || !wg_bits_empty(an->frontier[b], n))
            spread_from(&x, b);
    while (!wg_bits_empty(x.due, n)) {
        any = true;
        WG_BITS_EACH(b, x.due, n) {
            wg_bits_del(x.due, b);
            spread_from(&x, b);
        }
    }
    return any;
}

bool wg_flow_passed(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    wg_bits passed = wg_bits_new(&an->arena, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (!blk->ninstrs || wg_bits_empty(an->frontier[b], f->nblocks)) continue;
        if (wg_op_flags(blk->instrs[0].op) & WG_F_SYNC) wg_bits_add(passed, b);
        if (ends_parked(blk)) wg_bits_add(passed, blk->succ[0]);
    }
    bool grew = wg_bits_join(an->stays, passed, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) {
            uint32_t t = f->blocks[b].succ[s];
            if (t <= b && an->yields[t] && !wg_bits_empty(an->frontier[b], f->nblocks))
                wg_bits_add(passed, t);
        }
    return wg_bits_join(an->passed, passed, f->nblocks) || grew;
}

/* Defs after which a register's place in the frame no longer holds its value. */
static void unsettle(const struct wg_ir_block *b, wg_bits settled) {
    for (uint32_t i = 0; i < b->ninstrs; i++) wg_each_def(&b->instrs[i], del, settled);
}

static void settled_after(const struct wg_analysis *an, uint32_t b, wg_bits out) {
    const struct wg_ir_block *blk = &an->func->blocks[b];
    wg_bits_copy(out, an->settled[b], an->func->nregs);
    unsettle(blk, out);
    const struct wg_ir_instr *last = blk->ninstrs ? &blk->instrs[blk->ninstrs - 1] : NULL;
    if (!last || !(wg_flow_parks(last) || last->op == WG_OP_NANOSLEEP)) return;
    wg_bits_join(out, an->live_in[blk->succ[0]], an->func->nregs); /* the stop saves them */
    wg_each_def(last, del, out);                                   /* what it gives is known when it ends */
}

void wg_flow_settled(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->settled = WG_NEW_N(&an->arena, wg_bits, f->nblocks);
    wg_bits out = wg_bits_new(&an->arena, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        an->settled[b] = wg_bits_new(&an->arena, f->nregs);
        if (b > 0) wg_bits_copy(an->settled[b], an->live_in[b], f->nregs); /* until a way in says otherwise */
    }
    for (bool shrank = true; shrank;) {
        shrank = false;
        for (uint32_t b = 0; b < f->nblocks; b++) {
            settled_after(an, b, out);
            for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) {
                wg_bits into = an->settled[f->blocks[b].succ[s]];
                WG_BITS_EACH(r, into, f->nregs) {
                    if (wg_bits_has(out, r)) continue;
                    wg_bits_del(into, r);
                    shrank = true;
                }
            }
        }
    }
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

static bool is_memory(const struct wg_ir_instr *in) { return (wg_op_flags(in->op) & WG_F_MEM) != 0; }

/* Whether the use as source i keeps the register's upper half out of sight. */
static bool use_is_shared_address(const struct wg_analysis *an, const struct wg_ir_instr *in, uint32_t i) {
    if (is_memory(in) || in->op == WG_OP_CHECK_ACCESS || in->op == WG_OP_CHECK_LD || in->op == WG_OP_CHECK_ST)
        return i == 0 && (in->space == WG_S_SHARED || in->space == WG_S_CLUSTER);
    switch (in->op) {
    case WG_OP_SHL:
        if (i != 0) return false;
        break;
    case WG_OP_MOV:
    case WG_OP_ADD_I:
    case WG_OP_SUB_I: break;
    default: return false;
    }
    return in->guard == WG_NO_REG && in->dst[0].kind == WG_O_REG &&
           wg_bits_has(an->shared_only, in->dst[0].index);
}

void wg_flow_shared_only(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->shared_only = wg_bits_new(&an->arena, f->nregs);
    for (uint32_t r = 0; r < f->nregs; r++)
        if (f->regs[r].width == WG_W64) wg_bits_add(an->shared_only, r);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t n = 0; n < f->blocks[b].ninstrs; n++) {
                const struct wg_ir_instr *in = &f->blocks[b].instrs[n];
                wg_bits seen = an->shared_only;
                for (uint32_t i = 0; i < in->nsrc; i++) {
                    if (in->src[i].kind != WG_O_REG || !wg_bits_has(seen, in->src[i].index)) continue;
                    if (use_is_shared_address(an, in, i)) continue;
                    wg_bits_del(seen, in->src[i].index);
                    changed = true;
                }
                for (uint32_t i = 0; in->op == WG_OP_CALL && i < in->call->nargs; i++)
                    if (in->call->args[i].value.kind == WG_O_REG)
                        wg_bits_del(seen, in->call->args[i].value.index);
            }
    }
}
