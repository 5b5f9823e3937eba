/* Parallel regions, called phases: the code that the warps of a block run one after the other between two
 * places where all of them synchronize. See analysis.h.
 *
 *     block 0 .. 2    load, bar.sync              phase 0: a loop over the warps
 *     block 3         for (stride ...             phase 3: the same for all warps, run once
 *     block 4 .. 6      if (t < stride) ..., bar.sync      phase 4: a loop over the warps
 *
 * A phase begins at the kernel's start, after each barrier, and where two phases join. All warps leave it for
 * the same block, so branches that may diverge between warps must reconverge inside it.
 */
#include "analysis/plan.h"
#include "analysis/effects.h"
#include "analysis/flow.h"

#include <string.h>

enum { REMADE_COST = 12, VECTOR_COST = 4 };

bool wg_is_plain_barrier(const struct wg_ir_instr *in) {
    bool sync = in->op == WG_OP_BAR_SYNC || in->op == WG_OP_BARRIER_SYNC;
    return sync && in->nsrc == 1 && in->src[0].kind == WG_O_IMM && in->src[0].imm == 0;
}

bool wg_is_grid_barrier(const struct wg_ir_instr *in) {
    return in->op == WG_OP_CALL && in->call->builtin == WG_B_grid_sync;
}

bool wg_meets_at(const struct wg_ir_instr *in) { return wg_is_plain_barrier(in) || wg_is_grid_barrier(in); }

/* The barrier at the end of a block. */
static const struct wg_ir_instr *barrier_of(const struct wg_ir_block *b) {
    const struct wg_ir_instr *last = b->ninstrs ? &b->instrs[b->ninstrs - 1] : NULL;
    return last && wg_meets_at(last) ? last : NULL;
}

bool wg_phase_needs(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CHECK_EVENT) return in->check != WG_EVENT_LEAVE;
    return !wg_is_for_shadows(an, in);
}

bool wg_phase_ends(const struct wg_phases *p, const struct wg_ir_func *f, uint32_t from, uint32_t to) {
    return p->of[from] != p->of[to] || barrier_of(&f->blocks[from]);
}

/* ---- which kernels ---- */

static bool has_loops(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (f->blocks[b].loop != WG_NO_REG) return true;
    return false;
}

/* Of these the machine keeps no account while a worker goes from block to block. */
static bool asks_for_place(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op == WG_OP_MOV_SREG && (in->sreg == WG_SR_smid || in->sreg == WG_SR_clusterid_x ||
                                             in->sreg == WG_SR_clusterid_y || in->sreg == WG_SR_clusterid_z))
                return true;
        }
    return false;
}

/* Whether the form for whole blocks may have GENERAL run a warp's part of a phase. */
static bool may_go_aside(const struct wg_analysis *an) {
    return !an->opts->check && !an->func->sweeps && !asks_for_place(an->func);
}

/* Nothing but plain barriers stops a warp, and nothing asks the machine where the others are. */
static bool instr_fits(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    if (wg_only_arrives(in)) return false;
    if (wg_is_grid_barrier(in) && !an->opts->grid_waits) return false;
    if (wg_needs_row_check(an, in) && !has_loops(an->func) && !may_go_aside(an))
        return false; /* often fails, and costs much then */
    return !(wg_op_flags(in->op) & WG_F_WAIT) || wg_meets_at(in);
}

/* A branch with long divergence. Where the kernel would otherwise run warp by warp from one of the grid's
 * barriers to the next, it is better to run the diverged part in GENERAL. */
static bool goes_aside(const struct wg_analysis *an, uint32_t b) {
    return may_go_aside(an) && (an->aside[b] || wg_bits_has(an->one_by_one, b) || an->opts->grid_waits);
}

/* Long divergence never happens, or rarely: warps stay in CONVERGED except where checks fail. */
static bool branch_fits(const struct wg_analysis *an, uint32_t b) {
    const struct wg_ir_block *blk = &an->func->blocks[b];
    if (!wg_bits_has(an->divergent[WG_CONVERGED], b)) return true;
    if (blk->term != WG_TERM_CBR) return false;
    return wg_flow_retires(an, b) || an->region[b] || blk->rare || goes_aside(an, b);
}

static bool kernel_fits(const struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    if (!an->opts->whole_blocks || !wg_may_use(an->opts, WG_FORM_whole)) return false;
    if (!wg_bits_empty(an->spins, f->nblocks)) return false;
    if (an->opts->sites && an->needs_general) return false; /* one form counts, not two */
    for (uint32_t b = 0; b < f->nblocks; b++) {
        if (!branch_fits(an, b)) return false;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (!instr_fits(an, &f->blocks[b].instrs[i])) return false;
    }
    return true;
}

/* ---- where phases begin ---- */

static bool meets_another(const struct wg_ir_func *f, const uint32_t *of, uint32_t b) {
    for (uint32_t p = 0; p < f->blocks[b].npred; p++)
        if (of[f->blocks[b].pred[p]] != of[b]) return true;
    return false;
}

static void find_beginnings(const struct wg_ir_func *f, struct wg_phases *p) {
    wg_bits_add(p->begins, 0);
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (barrier_of(&f->blocks[b])) wg_bits_add(p->begins, f->blocks[b].succ[0]);
    for (uint32_t b = 0; f->stages && b < WG_STAGE_ASKS; b++)
        for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) wg_bits_add(p->begins, f->blocks[b].succ[k]);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = 0; b < f->nblocks; b++) {
            uint32_t from = f->blocks[b].npred ? f->blocks[b].pred[0] : b;
            for (uint32_t k = 1; k < f->blocks[b].npred; k++)
                if (f->blocks[b].pred[k] < from) from = f->blocks[b].pred[k];
            p->of[b] = wg_bits_has(p->begins, b) || from >= b ? b : p->of[from];
        }
        for (uint32_t b = 0; b < f->nblocks; b++) {
            if (wg_bits_has(p->begins, b) || (p->of[b] != b && !meets_another(f, p->of, b))) continue;
            wg_bits_add(p->begins, b);
            more = true;
        }
    }
}

/* ---- what is the same for all warps ---- */

struct scene {
    struct wg_analysis *an;
    struct wg_phases *p;
    wg_bits *after;  /* [block] blocks that post-dominate it */
    wg_bits apart;   /* blocks that only some of the warps run, or not equally often */
    wg_bits parting; /* blocks whose branch may differ between warps */
};

static void find_after(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    uint32_t n = f->nblocks, words = (n + 63) / 64;
    wg_bits now = wg_bits_new(&s->an->arena, n);
    s->after = WG_NEW_N(&s->an->arena, wg_bits, n);
    for (uint32_t b = 0; b < n; b++) {
        s->after[b] = wg_bits_new(&s->an->arena, n);
        memset(s->after[b], 0xff, words * 8);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = n; b-- > 0;) {
            memset(now, f->blocks[b].nsucc ? 0xff : 0, words * 8);
            for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
                for (uint32_t w = 0; w < words; w++) now[w] &= s->after[f->blocks[b].succ[k]][w];
            wg_bits_add(now, b);
            if (memcmp(now, s->after[b], words * 8) == 0) continue;
            wg_bits_copy(s->after[b], now, n);
            changed = true;
        }
    }
}

/* The blocks of the phase between a branch and its reconvergence point. */
static void mark_apart(struct scene *s, uint32_t branch, uint32_t b) {
    const struct wg_ir_block *blk = &s->an->func->blocks[b];
    for (uint32_t k = 0; k < blk->nsucc; k++) {
        uint32_t x = blk->succ[k];
        if (wg_phase_ends(s->p, s->an->func, b, x)) continue;
        if ((x != branch && wg_bits_has(s->after[branch], x)) || wg_bits_has(s->apart, x)) continue;
        wg_bits_add(s->apart, x);
        mark_apart(s, branch, x);
    }
}

static bool operand_uniform(const struct scene *s, const struct wg_ir_opd *o) {
    return o->kind != WG_O_REG || wg_bits_has(s->p->uniform, o->index);
}

bool wg_sreg_of_block(uint32_t sreg) {
    switch (sreg) {
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z:
    case WG_SR_ctaid_x:
    case WG_SR_ctaid_y:
    case WG_SR_ctaid_z:
    case WG_SR_nctaid_x:
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z:
    case WG_SR_smid:
    case WG_SR_nsmid:
    case WG_SR_gridid:
    case WG_SR_dynamic_smem_size:
    case WG_SR_total_smem_size:
    case WG_SR_iteration:
    case WG_SR_last_x:
    case WG_SR_stage: return true;
    default: return false;
    }
}

static bool gives_uniform(const struct scene *s, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_LD) {
        if (in->space != WG_S_PARAM && in->space != WG_S_CONST) return false;
    } else if (in->op == WG_OP_MOV_SREG) {
        if (!wg_sreg_of_block(in->sreg)) return false;
    } else if (wg_op_flags(in->op) || in->op == WG_OP_NONE || in->op == WG_OP_ACTIVEMASK) {
        return false;
    }
    if (in->guard != WG_NO_REG && !wg_bits_has(s->p->uniform, in->guard)) return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (!operand_uniform(s, &in->src[i])) return false;
    return true;
}

/* Written once, before every read. */
static bool written_once(const struct wg_analysis *an, uint32_t reg) {
    return an->cfg.ndefs[reg] == 1 && !wg_bits_has(an->cfg.live_in[0], reg);
}

static bool keeps_uniform(const struct scene *s, uint32_t b, const struct wg_ir_instr *in, uint32_t reg) {
    if (s->an->func->regs[reg].shadow) return true;
    if (s->an->facts[WG_CONVERGED][reg].kind != WG_UNIFORM || !gives_uniform(s, in)) return false;
    bool whole = written_once(s->an, reg) && in->guard == WG_NO_REG;
    return whole || !wg_bits_has(s->apart, b);
}

struct defining {
    const struct scene *s;
    uint32_t block;
    const struct wg_ir_instr *in;
    bool changed;
};

static void see_def(void *user, uint32_t reg) {
    struct defining *d = user;
    if (!wg_bits_has(d->s->p->uniform, reg) || keeps_uniform(d->s, d->block, d->in, reg)) return;
    wg_bits_del(d->s->p->uniform, reg);
    d->changed = true;
}

static bool find_parting(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    bool grew = false;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if ((blk->term != WG_TERM_CBR && blk->term != WG_TERM_BRX) || wg_bits_has(s->parting, b)) continue;
        if (wg_bits_has(s->p->uniform, blk->cond)) continue;
        wg_bits_add(s->parting, b);
        mark_apart(s, b, b);
        grew = true;
    }
    return grew;
}

static void find_uniform(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    for (uint32_t r = 0; r < f->nregs; r++) wg_bits_add(s->p->uniform, r);
    for (bool more = true; more;) {
        struct defining d = {.s = s};
        for (d.block = 0; d.block < f->nblocks; d.block++)
            for (uint32_t i = 0; i < f->blocks[d.block].ninstrs; i++) {
                d.in = &f->blocks[d.block].instrs[i];
                wg_each_def(d.in, see_def, &d);
            }
        more = find_parting(s);
        more |= d.changed;
    }
}

/* Diverged warps reconverge before their phase ends: all leave it by the same barrier, or for the same block
 * without one. */
static bool all_leave_together(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    uint32_t n = f->nblocks, nexits = 2 * n + 1;
    wg_bits *exits = WG_NEW_N(&s->an->arena, wg_bits, n); /* blocks, the end, barriers by their block */
    for (uint32_t b = 0; b < n; b++) exits[b] = wg_bits_new(&s->an->arena, nexits);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = n; b-- > 0;) {
            const struct wg_ir_block *blk = &f->blocks[b];
            bool ends = blk->term == WG_TERM_RET || blk->term == WG_TERM_EXIT;
            if (ends) wg_bits_add(exits[b], n);
            for (uint32_t k = 0; k < blk->nsucc; k++) {
                if (barrier_of(blk))
                    wg_bits_add(exits[b], n + 1 + b);
                else if (wg_phase_ends(s->p, f, b, blk->succ[k]))
                    wg_bits_add(exits[b], blk->succ[k]);
                else
                    grew |= wg_bits_join(exits[b], exits[blk->succ[k]], nexits);
            }
        }
    }
    WG_BITS_EACH(b, s->parting, n) {
        uint32_t first = wg_bits_next(exits[b], 0, nexits);
        if (first < nexits && wg_bits_next(exits[b], first + 1, nexits) < nexits) return false;
    }
    return true;
}

/* ---- order of the warps' side effects ---- */

static bool is_seen(const struct wg_ir_instr *in) {
    struct wg_effects x = wg_effects_of(in);
    return x.once || ((x.reads | x.writes) & ~WG_LOCAL_MEMORY);
}

/* Whether at most one phase between two barriers has side effects. Then they happen in the order of warps
 * that run from barrier to barrier, one after the other, as in all other ways to run a block: where that
 * order matters, a check finds the same in all of them. A block of one warp has one order only. */
static bool keeps_order(const struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    if (wg_running_threads(s->an->opts) <= WG_LANES) return true;
    wg_bits seen = wg_bits_new(&s->an->arena, f->nblocks);   /* phases with side effects */
    wg_bits behind = wg_bits_new(&s->an->arena, f->nblocks); /* reachable from one without a barrier */
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (is_seen(&f->blocks[b].instrs[i])) wg_bits_add(seen, s->p->of[b]);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = 0; b < f->nblocks; b++) {
            uint32_t from = s->p->of[b];
            bool after = wg_bits_has(seen, from) || wg_bits_has(behind, from);
            for (uint32_t k = 0; after && !barrier_of(&f->blocks[b]) && k < f->blocks[b].nsucc; k++) {
                uint32_t to = s->p->of[f->blocks[b].succ[k]];
                if (to == from || wg_bits_has(behind, to)) continue;
                wg_bits_add(behind, to);
                grew = true;
            }
        }
    }
    WG_BITS_EACH(p, behind, f->nblocks) if (wg_bits_has(seen, p)) return false;
    return true;
}

/* ---- rematerialization in each phase ---- */

static bool is_cheap(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_MOV_SREG)
        return in->sreg <= WG_SR_tid_z || in->sreg == WG_SR_laneid || in->sreg == WG_SR_warpid;
    if (in->op == WG_OP_CVT) return wg_type_kind(in->type) != WG_K_F && wg_type_kind(in->type2) != WG_K_F;
    bool simple = wg_op_is(in->op, WG_IS_COPY | WG_IS_LINEAR | WG_IS_BITWISE) || in->op == WG_OP_SHR ||
                  in->op == WG_OP_SETP;
    return simple && wg_type_kind(in->type) != WG_K_F;
}

static uint32_t cost_of_operand(const struct scene *s, const uint32_t *cost, const struct wg_ir_opd *o) {
    if (o->kind != WG_O_REG) return 0;
    if (wg_bits_has(s->p->uniform, o->index))
        return written_once(s->an, o->index) ? 0 : REMADE_COST + 1; /* may have changed since */
    return cost[o->index];
}

/* Bits of lanes are one word. */
static bool joins_predicates(const struct wg_ir_instr *in) {
    bool joins = in->op == WG_OP_AND || in->op == WG_OP_OR || in->op == WG_OP_NOT;
    return joins && wg_type_bits(in->type) == 1;
}

static void find_remade(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    uint32_t *cost = WG_NEW_N(&s->an->arena, uint32_t, f->nregs);
    for (uint32_t r = 0; r < f->nregs; r++) cost[r] = REMADE_COST + 1;
    s->p->made_by = WG_NEW_N(&s->an->arena, const struct wg_ir_instr *, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->ndst != 1 || in->dst[0].kind != WG_O_REG || in->guard != WG_NO_REG) continue;
            uint32_t r = in->dst[0].index;
            if (!written_once(s->an, r) || wg_bits_has(s->p->uniform, r)) continue;
            if (!is_cheap(in) || wg_may_leave(s->an, in)) continue;
            bool vector = s->an->facts[WG_CONVERGED][r].kind == WG_VARYING && !joins_predicates(in);
            uint32_t sum = vector ? VECTOR_COST : 1;
            for (uint32_t k = 0; k < in->nsrc; k++) sum += cost_of_operand(s, cost, &in->src[k]);
            if (sum > REMADE_COST) continue;
            cost[r] = sum;
            s->p->made_by[r] = in;
            wg_bits_add(s->p->remade, r);
        }
}

static void keep_sources(struct wg_phases *p, uint32_t reg) {
    const struct wg_ir_instr *in = p->made_by[reg];
    for (uint32_t k = 0; k < in->nsrc; k++) {
        if (in->src[k].kind != WG_O_REG) continue;
        if (wg_bits_has(p->uniform, in->src[k].index))
            wg_bits_add(p->kept, in->src[k].index);
        else
            keep_sources(p, in->src[k].index);
    }
}

/* Values rematerialized at a phase's start need their operands there. */
static void find_kept(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    WG_BITS_EACH(b, s->p->begins, f->nblocks)
    WG_BITS_EACH(r, s->an->cfg.live_in[b], f->nregs)
    if (wg_bits_has(s->p->remade, r)) keep_sources(s->p, r);
}

/* ---- what the frame holds ---- */

static void unsettle(void *user, uint32_t reg) { wg_bits_del(user, reg); }

void wg_phase_framed(const struct wg_analysis *an, uint32_t block, wg_bits framed) {
    const struct wg_phases *p = an->phases;
    for (uint32_t w = 0; w < (an->func->nregs + 63) / 64; w++)
        framed[w] = an->cfg.live_in[block][w] & ~p->uniform[w] & ~p->remade[w];
}

/* At a phase's start the frame holds all the values that it has to. */
static void find_settled(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    struct wg_phases *p = an->phases;
    wg_bits out = wg_bits_new(&an->arena, f->nregs);
    p->settled = WG_NEW_N(&an->arena, wg_bits, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        p->settled[b] = wg_bits_new(&an->arena, f->nregs);
        if (b > 0) wg_phase_framed(an, b, p->settled[b]);
    }
    for (bool shrank = true; shrank;) {
        shrank = false;
        for (uint32_t b = 0; b < f->nblocks; b++) {
            wg_bits_copy(out, p->settled[b], f->nregs);
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
                wg_each_def(&f->blocks[b].instrs[i], unsettle, out);
            for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) {
                uint32_t to = f->blocks[b].succ[k];
                if (wg_phase_ends(p, f, b, to)) continue;
                WG_BITS_EACH(r, p->settled[to], f->nregs) {
                    if (wg_bits_has(out, r)) continue;
                    wg_bits_del(p->settled[to], r);
                    shrank = true;
                }
            }
        }
    }
}

static void find_asides(struct wg_analysis *an, struct wg_phases *p) {
    const struct wg_ir_func *f = an->func;
    p->asides = wg_bits_new(&an->arena, f->nblocks);
    if (!may_go_aside(an)) return;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        bool parts = wg_bits_has(an->divergent[WG_CONVERGED], b) && f->blocks[b].term == WG_TERM_CBR;
        bool leaves = an->opts->grid_waits || wg_bits_has(an->one_by_one, b);
        if (an->aside[b] || (parts && leaves && !an->region[b])) wg_bits_add(p->asides, p->of[b]);
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (wg_needs_row_check(an, &f->blocks[b].instrs[i])) wg_bits_add(p->asides, p->of[b]);
    }
}

void wg_flow_phases(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    struct wg_arena *a = &an->arena;
    if (!f->nblocks || !kernel_fits(an)) return;
    struct wg_phases *p = WG_NEW(a, struct wg_phases);
    struct scene s = {
        .an = an, .p = p, .apart = wg_bits_new(a, f->nblocks), .parting = wg_bits_new(a, f->nblocks)};
    p->of = WG_NEW_N(a, uint32_t, f->nblocks);
    p->begins = wg_bits_new(a, f->nblocks);
    p->uniform = wg_bits_new(a, f->nregs);
    p->remade = wg_bits_new(a, f->nregs);
    p->kept = wg_bits_new(a, f->nregs);
    find_beginnings(f, p);
    find_after(&s);
    find_uniform(&s);
    if (!all_leave_together(&s) || (an->opts->check && !keeps_order(&s))) return;
    find_remade(&s);
    find_kept(&s);
    p->parting = s.parting;
    find_asides(an, p);
    an->phases = p;
    wg_plan_yes(an->opts, WG_FORM_whole, NULL);
    find_settled(an);
}
