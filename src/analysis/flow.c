/* Settled registers, thread frontiers and shared addresses: see flow.h.
 *
 * Thread frontiers: while a block runs, other lanes of the warp may wait only at the blocks of its frontier.
 * The lowest waiting block runs next, so a frontier holds higher blocks only, and of the lower ones those
 * where lanes may not be able to run yet (`passed`): other lanes of their reconvergence have yet to arrive,
 * the machine holds them at a barrier, or they spin and the others have the time slice.
 */
#include "analysis/flow.h"

static bool is_mapped(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o, uint32_t depth) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? def[o->index] : NULL;
    if (!in || depth > 4) return false;
    if (in->op != WG_OP_ADD_I) return in->op == WG_OP_MAPA;
    return is_mapped(def, &in->src[0], depth + 1) || is_mapped(def, &in->src[1], depth + 1);
}

bool wg_is_mapped(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o) {
    return is_mapped(def, o, 0);
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

/* Propagates to block x, if it is one, which may run next: lanes still wait at the others, and at x itself
 * where they may stay. */
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
 * Any waiting block may run next, because each may be empty: lanes wait then at the higher ones, and at lower
 * ones that may be passed over. The set is propagated only to the lowest. The others are then in its
 * frontier, and each propagates to the next higher one and to its own lowest: so it reaches all of them,
 * block by block, at the price of a few unions per block and not of one for each pair. */
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

static void del(void *set, uint32_t r) { wg_bits_del(set, r); }

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
    wg_bits_join(out, an->cfg.live_in[blk->succ[0]], an->func->nregs); /* the stop saves them */
    wg_each_def(last, del, out); /* what it gives is known when it ends */
}

void wg_flow_settled(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->settled = WG_NEW_N(&an->arena, wg_bits, f->nblocks);
    wg_bits out = wg_bits_new(&an->arena, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        an->settled[b] = wg_bits_new(&an->arena, f->nregs);
        if (b > 0)
            wg_bits_copy(an->settled[b], an->cfg.live_in[b], f->nregs); /* until a way in says otherwise */
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
