/* Index-set splitting of the loop over warps: see idle_warps.h. */
#include "analysis/idle_warps.h"
#include "analysis/plan.h"

static bool leads_to_end(const struct wg_analysis *an, uint32_t from, uint32_t b, struct wg_idle_path *w) {
    *w = (struct wg_idle_path){.to = b};
    for (; w->n < sizeof w->block / sizeof *w->block; b = w->to) {
        if (wg_phase_ends(an->phases, an->func, from, b)) return true;
        const struct wg_ir_block *blk = &an->func->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            if (!wg_phase_needs(an, &blk->instrs[i])) continue;
            if (!wg_meets_at(&blk->instrs[i])) return false;
            w->in = &blk->instrs[i];
        }
        w->block[w->n++] = from = b;
        w->to = an->func->nblocks;
        if (blk->term == WG_TERM_RET || blk->term == WG_TERM_EXIT) return true;
        if (blk->term != WG_TERM_BR) return false;
        w->to = blk->succ[0];
    }
    return false;
}

/* The block has no effect that is used for warps that go straight to `to`. */
static bool is_idle_block(const struct wg_analysis *an, const struct wg_ir_block *blk, uint32_t to) {
    const struct wg_phases *ph = an->phases;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        bool load = in->op == WG_OP_LD && in->space == WG_S_PARAM;
        if (!wg_phase_needs(an, in)) continue;
        if ((wg_op_flags(in->op) && !load) || in->op == WG_OP_NONE) return false;
        for (uint32_t d = 0; d < in->ndst; d++) {
            if (in->dst[d].kind != WG_O_REG) continue;
            uint32_t r = in->dst[d].index;
            bool kept = wg_bits_has(ph->uniform, r) || wg_bits_has(ph->remade, r);
            if (!kept && to < an->func->nblocks && wg_bits_has(an->cfg.live_in[to], r)) return false;
        }
    }
    return true;
}

uint32_t wg_deciding_block(const struct wg_analysis *an, uint32_t begins) {
    const struct wg_ir_func *f = an->func;
    uint32_t b = begins;
    while (f->blocks[b].term == WG_TERM_BR && !an->opts->sites) { /* code that counts: the first block only */
        uint32_t next = f->blocks[b].succ[0];
        if (f->blocks[next].npred != 1 || wg_phase_ends(an->phases, f, b, next)) break;
        b = next;
    }
    return b;
}

/* The same of all blocks from the phase's first one to this one. */
static bool is_idle_until_branch(const struct wg_analysis *an, uint32_t begins, uint32_t branch,
                                 uint32_t to) {
    for (uint32_t b = begins;; b = an->func->blocks[b].succ[0]) {
        if (!is_idle_block(an, &an->func->blocks[b], to)) return false;
        if (b == branch) return true;
    }
}

bool wg_edge_is_idle(const struct wg_analysis *an, uint32_t begins, uint32_t branch, uint32_t edge,
                     struct wg_idle_path *path) {
    return leads_to_end(an, branch, an->func->blocks[branch].succ[edge], path) &&
           is_idle_until_branch(an, begins, branch, path->to);
}

/* Lanes of a warp that exist. */
static uint32_t lanes_of(const struct wg_analysis *an, uint32_t warp) {
    const uint32_t *n = an->opts->ntid;
    uint32_t rest = n[0] * n[1] * n[2] - warp * WG_LANES;
    return rest < WG_LANES ? (1u << rest) - 1 : UINT32_MAX;
}

/* Whether it is known at compile time which lanes of each warp take the branch. */
static bool is_known(const struct wg_analysis *an, uint32_t branch) {
    if (an->opts->sites || !wg_may_use(an->opts, WG_FORM_idle)) return false;
    return an->taken[branch] != NULL;
}

struct wg_busy wg_busy_warps(const struct wg_analysis *an, uint32_t begins, uint32_t warps) {
    uint32_t b = wg_deciding_block(an, begins);
    uint32_t second = 0, last = 0;
    struct wg_idle_path path;
    bool idle[2];
    if (!is_known(an, b)) return (struct wg_busy){1, warps};
    for (uint32_t s = 0; s < 2; s++) idle[s] = wg_edge_is_idle(an, begins, b, s, &path);
    for (uint32_t i = 1; i < warps; i++) {
        uint32_t there = lanes_of(an, i), yes = an->taken[b][i] & there;
        if ((idle[0] && yes == there) || (idle[1] && yes == 0)) continue;
        if (!second) second = i;
        if (i % second) second = 1;
        last = i;
    }
    struct wg_busy busy = {second ? second : warps, last + 1};
    if (busy.step > 1 || busy.end < warps) wg_plan_yes(an->opts, WG_FORM_idle, NULL);
    return busy;
}
