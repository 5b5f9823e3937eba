/* Divergence facts of all registers, to a fixed point, for both versions: see analysis.h. */
#include "analysis/flow.h"

#include <stdlib.h>
#include <string.h>

typedef struct wg_fact fact;

static bool same_pattern(const int64_t *a, const int64_t *b) {
    return a == b || (a && b && memcmp(a, b, WG_LANES * sizeof *a) == 0);
}

static bool same_fact(const fact *a, const fact *b) {
    return a->kind == b->kind && a->zeros == b->zeros && a->root_zeros == b->root_zeros &&
           a->root == b->root && a->is_const == b->is_const && a->value == b->value && a->max == b->max &&
           same_pattern(a->k, b->k) && same_pattern(a->r, b->r);
}

/* A bound that grows may grow for ever, round a loop: it goes up in few steps. */
static uint64_t grown(uint64_t max) {
    return max <= UINT8_MAX    ? UINT8_MAX
           : max <= UINT16_MAX ? UINT16_MAX
           : max <= INT32_MAX  ? INT32_MAX
                               : UINT64_MAX;
}

/* The fact of a register that holds either. `widen`: it is written in several places. */
static fact join(const fact *a, const fact *b, bool widen) {
    if (a->kind == WG_UNKNOWN) return *b;
    if (b->kind == WG_UNKNOWN) return *a;
    fact f = *a;
    if (a->kind != b->kind || !same_pattern(a->k, b->k) || !same_pattern(a->r, b->r)) {
        f = wg_fact_varying();
        f.root = a->root;
    }
    f.zeros = a->zeros < b->zeros ? a->zeros : b->zeros;
    if (f.kind == WG_VARYING && (a->kind == WG_AFFINE || b->kind == WG_AFFINE)) f.zeros = 0;
    f.root_zeros = a->root_zeros < b->root_zeros ? a->root_zeros : b->root_zeros;
    if (a->root != b->root) f.root = WG_NO_REG;
    f.is_const = a->is_const && b->is_const && a->value == b->value;
    if (!f.is_const) f.value = 0;
    f.max = b->max > a->max ? (widen ? grown(b->max) : b->max) : a->max;
    return f;
}

struct visit {
    struct wg_analysis *an;
    enum wg_version v;
    const uint64_t *waiting; /* GENERAL: blocks where lanes may wait meanwhile; NULL: none do */
    bool changed, unknown;
};

static void update(struct visit *w, uint32_t reg, fact f) {
    struct wg_analysis *an = w->an;
    if (w->v == WG_CONVERGED && an->func->regs[reg].shadow) return;
    if (an->func->regs[reg].width == WG_W1 && f.kind == WG_AFFINE) f = wg_fact_varying();
    if (w->waiting && an->wanted_at[reg] && wg_bits_meet(w->waiting, an->wanted_at[reg], an->func->nblocks))
        f = wg_fact_varying(); /* in waiting lanes the value that it has there is still live */
    /* A uniform 64-bit value that comes from nowhere known is the root of the addresses made from it. */
    if (f.root == WG_NO_REG && f.kind == WG_UNIFORM && !f.is_const && an->cfg.ndefs[reg] == 1 &&
        an->func->regs[reg].width == WG_W64) {
        f.root = reg;
        f.root_zeros = 64;
    }
    if (f.kind == WG_VARYING) f.k = f.r = NULL, f.is_const = false;
    /* What is read before it is written has its start as another definition: a sum of itself would never
     * end. */
    bool one = an->cfg.ndefs[reg] == 1 && !wg_bits_has(an->cfg.live_in[0], reg);
    fact *old = &an->facts[w->v][reg], joined = one ? f : join(old, &f, true);
    if (one && old->kind > f.kind) joined = *old; /* facts only weaken */
    if (same_fact(old, &joined)) return;
    *old = joined;
    w->changed = true;
}

static void see_unknown(void *user, uint32_t reg) {
    struct visit *w = user;
    if (w->an->facts[w->v][reg].kind == WG_UNKNOWN) w->unknown = true;
}

static void visit_instr(struct visit *w, const struct wg_ir_instr *in) {
    struct wg_analysis *an = w->an;
    w->unknown = false; /* an operand not met yet: its definition comes later round a loop, and so do we */
    wg_each_use(in, see_unknown, w);
    if (w->unknown) return;
    bool varies = in->guard != WG_NO_REG && an->facts[w->v][in->guard].kind == WG_VARYING;
    varies |= w->waiting && wg_flow_parks(in); /* each lane gets its result where it waits */
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG) continue;
        fact f = varies ? wg_fact_varying() : wg_transfer(an, w->v, in, i);
        update(w, in->dst[i].index, f);
    }
    if (in->op != WG_OP_CALL) return;
    for (uint32_t i = 0; i < in->call->nrets; i++)
        if (in->call->rets[i].value.kind == WG_O_REG)
            update(w, in->call->rets[i].value.index, wg_transfer(an, w->v, in, i));
}

/* Registers read before any write hold zero in every lane: uniform. */
static void start_facts(struct wg_analysis *an, enum wg_version v) {
    an->facts[v] = WG_NEW_N(&an->arena, fact, an->func->nregs);
    for (uint32_t r = 0; r < an->func->nregs; r++) {
        an->facts[v][r].root = WG_NO_REG;
        if (an->cfg.ndefs[r] == 0 || (an->func->nblocks && wg_bits_has(an->cfg.live_in[0], r)))
            an->facts[v][r] = (fact){.kind = WG_UNIFORM, .max = UINT64_MAX, .root = WG_NO_REG};
        if (v == WG_CONVERGED && an->func->regs[r].shadow)
            an->facts[v][r] = (fact){.kind = WG_UNIFORM,
                                     .is_const = true,
                                     .value = UINT64_MAX,
                                     .max = UINT64_MAX,
                                     .root = WG_NO_REG};
    }
}

static void solve(struct wg_analysis *an, enum wg_version v) {
    const struct wg_ir_func *f = an->func;
    struct visit w = {.an = an, .v = v, .changed = true};
    while (w.changed) {
        w.changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++) {
            bool alone = v != WG_GENERAL || wg_bits_empty(an->frontier[b], f->nblocks);
            w.waiting = alone ? NULL : an->frontier[b];
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) visit_instr(&w, &f->blocks[b].instrs[i]);
        }
    }
}

/* Branches whose condition varies. True if one is new. */
static bool find_divergent(struct wg_analysis *an, enum wg_version v) {
    const struct wg_ir_func *f = an->func;
    bool grew = false;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (blk->term != WG_TERM_CBR && blk->term != WG_TERM_BRX) continue;
        if (an->facts[v][blk->cond].kind == WG_UNIFORM || wg_bits_has(an->divergent[v], b)) continue;
        wg_bits_add(an->divergent[v], b);
        grew = true;
    }
    return grew;
}

/* Most registers are alive in one block alone. */
static void find_wanted(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->wanted_at = WG_NEW_N(&an->arena, wg_bits, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        WG_BITS_EACH(r, an->cfg.live_in[b], f->nregs) {
            if (!an->wanted_at[r]) an->wanted_at[r] = wg_bits_new(&an->arena, f->nblocks);
            wg_bits_add(an->wanted_at[r], b);
        }
    }
}

static void solve_general(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->frontier = WG_NEW_N(&an->arena, wg_bits, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) an->frontier[b] = wg_bits_new(&an->arena, f->nblocks);
    an->passed = wg_bits_new(&an->arena, f->nblocks);
    an->stays = wg_bits_new(&an->arena, f->nblocks);
    start_facts(an, WG_GENERAL);
    find_wanted(an);
    for (bool more = true; more;) {
        solve(an, WG_GENERAL);
        more = find_divergent(an, WG_GENERAL);
        more |= wg_flow_frontiers(an);
        more |= wg_flow_passed(an);
    }
}

static void mark_reachable(const struct wg_ir_func *f, uint32_t from, wg_bits set) {
    if (wg_bits_has(set, from)) return;
    wg_bits_add(set, from);
    for (uint32_t s = 0; s < f->blocks[from].nsucc; s++) mark_reachable(f, f->blocks[from].succ[s], set);
}

/* In CONVERGED lanes leave a warp only where a branch goes straight to the end; blocks after that may have
 * fewer than 32 active lanes. (GENERAL goes back to a full block only with 32 lanes.) */
static void find_full(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    wg_bits partial = wg_bits_new(&an->arena, f->nblocks);
    const uint32_t *n = an->opts->ntid;
    if (n[0] * n[1] * n[2] % WG_LANES) mark_reachable(f, 0, partial);
    WG_BITS_EACH(b, an->divergent[WG_CONVERGED], f->nblocks) {
        const struct wg_ir_block *blk = &f->blocks[b];
        bool leaves = false;
        if (an->region[b]) continue; /* they come along to the end */
        for (uint32_t s = 0; s < blk->nsucc; s++) leaves |= wg_leads_to_exit(f, blk->succ[s]);
        for (uint32_t s = 0; s < blk->nsucc && leaves; s++) mark_reachable(f, blk->succ[s], partial);
    }
    an->full = wg_bits_new(&an->arena, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (!wg_bits_has(partial, b)) wg_bits_add(an->full, b);
}

static bool needs_general(const struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (wg_bits_has(an->divergent[WG_CONVERGED], b)) {
            bool retires = wg_flow_retires(an, b);
            bool comes_along = an->region[b] && (retires || !an->region[b]->is_long);
            if ((!retires && !comes_along) || blk->term == WG_TERM_BRX) return true;
        }
        for (uint32_t i = 0; i < blk->ninstrs; i++)
            if (wg_may_leave(an, &blk->instrs[i])) return true;
    }
    return false;
}

static void count(void *counts, uint32_t r) { ((uint32_t *)counts)[r]++; }

static void count_uses(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->nuses = WG_NEW_N(&an->arena, uint32_t, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) wg_each_use(&blk->instrs[i], count, an->nuses);
        if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) an->nuses[blk->cond]++;
    }
}

struct wg_analysis *wg_analyse(const struct wg_ir_module *m, const struct wg_ir_func *f,
                               const struct wg_code_opts *opts) {
    struct wg_analysis *an = wg_xcalloc(1, sizeof *an);
    an->module = m;
    an->func = f;
    an->opts = opts;
    an->cfg.func = f;
    wg_cfg_definitions(&an->cfg);
    count_uses(an);
    for (int v = 0; v < WG_VERSIONS; v++) an->divergent[v] = wg_bits_new(&an->arena, f->nblocks);
    wg_cfg_liveness(&an->cfg);
    wg_cfg_dominators(&an->cfg);
    an->exact = wg_scev_new(&an->arena, m, &an->cfg, opts->ntid, WG_SCEV_EXACT);
    an->low = wg_scev_new(&an->arena, m, &an->cfg, opts->ntid, WG_SCEV_LOW);
    an->unwrapped = wg_scev_new(&an->arena, m, &an->cfg, opts->ntid, WG_SCEV_UNWRAPPED);
    wg_flow_settled(an);
    an->spins = wg_spins_candidates(&an->arena, m, f);
    an->yields = wg_spins_find(&an->arena, m, f);
    wg_flow_shared_only(an);
    start_facts(an, WG_CONVERGED);
    solve(an, WG_CONVERGED);
    wg_flow_tile(an);
    if (an->tile_bits) { /* what is loaded from there is known to be small */
        start_facts(an, WG_CONVERGED);
        solve(an, WG_CONVERGED);
    }
    find_divergent(an, WG_CONVERGED);
    wg_flow_known(an);
    wg_flow_regions(an);
    solve_general(an);
    wg_flow_one_by_one(an);
    find_full(an);
    an->needs_general = needs_general(an);
    wg_flow_quiet(an);
    wg_flow_touch(an);
    wg_flow_phases(an);
    return an;
}

void wg_analysis_free(struct wg_analysis *an) {
    if (!an) return;
    wg_arena_free(&an->cfg.arena);
    wg_arena_free(&an->arena);
    free(an);
}
