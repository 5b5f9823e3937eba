/* If-conversion: regions, short divergent branches whose lanes soon reconverge. See analysis.h.
 *
 *     @!%p1 bra $L2;            block 3: the branch
 *     ...                       block 4: the region, run for the lanes whose %p1 holds
 *     $L2: ...                  block 5: the join
 *
 * CONVERGED runs the blocks of a region under masks, lowest first, and stays converged. A block of a region
 * has no loop, no synchronization of lanes and no suspension point in it.
 *
 * Paths from elsewhere may lead into a region, as to what `if (a && b) ... else ...` does otherwise: each of the two
 * branches has a region of its own, whose code is made for it alone.
 *
 * Where one side of the branch is the end of the kernel no region is needed: those lanes retire. It has one
 * all the same if that is profitable: then whole warps run code of their own, specialized for all lanes
 * active.
 */
#include "analysis/plan.h"
#include "analysis/effects.h"
#include "analysis/flow.h"

#include <string.h>

enum { MOST_INSTRS = 64, MOST_LONG = 1024, MOST_OF_EXIT = 192 };

static bool may_run_masked(const struct wg_ir_instr *in) {
    if (wg_op_flags(in->op) & (WG_F_SYNC | WG_F_WAIT | WG_F_FLOW | WG_F_CC)) return false;
    bool asks = in->op == WG_OP_ACTIVEMASK || in->op == WG_OP_CHECK_SHFL || in->op == WG_OP_CHECK_BALLOT;
    return !asks && in->op != WG_OP_NONE && !wg_only_arrives(in);
}

static bool instrs_fit(const struct wg_analysis *an, const struct wg_ir_block *b, uint32_t most,
                       uint32_t *count, struct wg_replay *done) {
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        const struct wg_ir_instr *in = &b->instrs[i];
        bool checked = wg_needs_wrap_check(an, in) || wg_needs_row_check(an, in) || wg_loads_shadows(an, in);
        if (in->op == WG_OP_CHECK_ACCESS) continue; /* under masks it refuses lanes and never leaves */
        if (wg_is_for_shadows(an, in)) continue;
        if (!may_run_masked(in) || ++*count > most) return false;
        /* A failing check is a side exit to GENERAL at the branch, which runs the region again from its
         * start; and a block is counted once. */
        if (checked && (done->spoilt || an->opts->sites)) return false;
        wg_replay_past(done, in);
    }
    return true;
}

/* No header of a loop between the branch and the join: it has a predecessor that follows it. *shared: a path from
 * elsewhere leads to the block. */
static bool block_fits(const struct wg_analysis *an, uint32_t branch, uint32_t b, const uint64_t *inside,
                       bool *shared) {
    const struct wg_ir_block *blk = &an->func->blocks[b];
    if (blk->term != WG_TERM_BR && blk->term != WG_TERM_CBR) return false;
    for (uint32_t p = 0; p < blk->npred; p++) {
        if (blk->pred[p] >= b) return false;
        *shared |= blk->pred[p] != branch && !wg_bits_has(inside, blk->pred[p]);
    }
    return true;
}

/* Whether lanes that wait at `at` while block b runs need the value of `reg` from before b. */
static bool wants_old(const struct wg_analysis *an, uint32_t b, uint32_t at, uint32_t reg) {
    return wg_bits_has(an->cfg.live_in[at], reg) && (at <= b || !wg_dominates(&an->cfg, b, at));
}

/* The instruction of the region that writes the register; NULL: there is none, or not just one. */
static const struct wg_ir_instr *made_in(const struct wg_analysis *an, const struct wg_region *r,
                                         uint32_t reg) {
    if (an->cfg.ndefs[reg] != 1) return NULL;
    for (uint32_t i = 0; i < r->nblocks; i++) {
        const struct wg_ir_block *b = &an->func->blocks[r->block[i]];
        for (uint32_t k = 0; k < b->ninstrs; k++)
            if (b->instrs[k].ndst == 1 && b->instrs[k].dst[0].kind == WG_O_REG &&
                b->instrs[k].dst[0].index == reg)
                return &b->instrs[k];
    }
    return NULL;
}

/* Whether both compute the same from values defined before the region. */
static bool are_alike(const struct wg_analysis *an, const struct wg_region *r, const struct wg_ir_instr *x,
                      const struct wg_ir_instr *y, unsigned depth) {
    if (x->op != y->op || x->type != y->type || x->type2 != y->type2 || x->nsrc != y->nsrc || !depth)
        return false;
    if (wg_op_flags(x->op) || x->op == WG_OP_MOV_SREG || x->op == WG_OP_NONE || x->ndst != 1 || y->ndst != 1)
        return false;
    if (x->guard != WG_NO_REG || y->guard != WG_NO_REG || memcmp(x->mod, y->mod, sizeof x->mod) != 0)
        return false;
    for (uint32_t i = 0; i < x->nsrc; i++) {
        const struct wg_ir_opd *a = &x->src[i], *b = &y->src[i];
        if (a->kind != b->kind || a->negated != b->negated || a->imm != b->imm) return false;
        if (a->kind != WG_O_REG) {
            if (a->index != b->index) return false;
            continue;
        }
        const struct wg_ir_instr *p = made_in(an, r, a->index), *q = made_in(an, r, b->index);
        if (p && q ? !are_alike(an, r, p, q, depth - 1) : a->index != b->index) return false;
        if (!p && an->cfg.ndefs[a->index] != 1) return false;
    }
    return true;
}

/* Whether all lanes get the register from the region, and each of its definitions there gives the same value:
 * one scalar serves them all. Compilers compute an index on either side of a branch. */
static bool is_made_alike(const struct wg_analysis *an, const struct wg_region *r, uint32_t branch,
                          uint32_t reg) {
    enum { DEEP = 6 };
    const struct wg_ir_instr *first = NULL;
    if (wg_bits_has(an->cfg.live_out[branch], reg)) return false;
    for (uint32_t i = 0; i < r->nblocks; i++) {
        const struct wg_ir_block *b = &an->func->blocks[r->block[i]];
        for (uint32_t k = 0; k < b->ninstrs; k++) {
            const struct wg_ir_instr *in = &b->instrs[k];
            bool makes = false;
            for (uint32_t d = 0; d < in->ndst; d++)
                makes |= in->dst[d].kind == WG_O_REG && in->dst[d].index == reg;
            if (makes && first && !are_alike(an, r, first, in, DEEP)) return false;
            if (makes && !first) first = in;
        }
    }
    return true;
}

struct blending {
    const struct wg_analysis *an;
    const struct wg_region *r;
    uint32_t branch;
    uint32_t at; /* index into r->block */
    bool fits;
};

static void see_def(void *user, uint32_t reg) {
    struct blending *w = user;
    if (w->an->func->regs[reg].shadow) return; /* all ones, whoever writes it */
    bool old = wants_old(w->an, w->r->block[w->at], w->r->join, reg);
    for (uint32_t i = w->at + 1; i < w->r->nblocks; i++)
        old |= wants_old(w->an, w->r->block[w->at], w->r->block[i], reg);
    bool vector = w->an->facts[WG_CONVERGED][reg].kind == WG_VARYING;
    if (!old || (!vector && is_made_alike(w->an, w->r, w->branch, reg))) return;
    wg_bits_add(w->r->blend[w->at], reg);
    w->fits &= vector; /* only those can be blended */
}

static bool find_blends(struct wg_analysis *an, struct wg_region *r, uint32_t branch) {
    struct blending w = {.an = an, .r = r, .branch = branch, .fits = true};
    for (; w.at < r->nblocks; w.at++) {
        const struct wg_ir_block *b = &an->func->blocks[r->block[w.at]];
        r->blend[w.at] = wg_bits_new(&an->arena, an->func->nregs);
        for (uint32_t i = 0; i < b->ninstrs; i++) wg_each_def(&b->instrs[i], see_def, &w);
    }
    return w.fits;
}

/* The lowest block above `branch` in `front`, which is the join when there is nothing else. */
static struct wg_region *region_at(struct wg_analysis *an, uint32_t branch, uint32_t most) {
    const struct wg_ir_func *f = an->func;
    wg_bits front = wg_bits_new(&an->arena, f->nblocks), inside = wg_bits_new(&an->arena, f->nblocks);
    struct wg_region *r = WG_NEW(&an->arena, struct wg_region);
    uint32_t count = 0;
    bool shared = false;
    struct wg_replay done = {0};
    for (uint32_t s = 0; s < f->blocks[branch].nsucc; s++) wg_bits_add(front, f->blocks[branch].succ[s]);
    for (;;) {
        uint32_t first = wg_bits_next(front, 0, f->nblocks), x = wg_bits_next(front, branch + 1, f->nblocks);
        r->join = first;
        if (wg_bits_next(front, first + 1, f->nblocks) == f->nblocks) break;
        if (x == f->nblocks || r->nblocks == WG_REGION_BLOCKS) return NULL;
        if (!block_fits(an, branch, x, inside, &shared) ||
            !instrs_fit(an, &f->blocks[x], most, &count, &done))
            return NULL;
        if (shared && count > MOST_INSTRS) return NULL; /* much code for each of the branches before it */
        wg_bits_del(front, x);
        wg_bits_add(inside, x);
        r->block[r->nblocks++] = x;
        for (uint32_t s = 0; s < f->blocks[x].nsucc; s++) wg_bits_add(front, f->blocks[x].succ[s]);
    }
    if (r->join <= branch && wg_bits_has(an->spins, r->join)) return NULL;
    r->is_long = count > MOST_INSTRS;
    return find_blends(an, r, branch) ? r : NULL;
}

/* A field of its own structure in each lane. Without AVX-512, masks cost more than the code under
 * them. */
static bool is_masked_field(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    if (an->opts->width != 256 || in->src[0].kind != WG_O_REG) return false;
    struct wg_fact at = wg_operand_fact(an, WG_CONVERGED, &in->src[0]);
    return at.kind == WG_AFFINE && at.k && at.k[1] - at.k[0] > wg_type_bits(in->type) / 8;
}

/* Whether a version for all lanes active is profitable besides the masked one: elements narrower than a word
 * are widened as they are loaded, several per lane are one long load. */
static bool gains_when_full(const struct wg_analysis *an, const struct wg_region *r) {
    for (uint32_t i = 0; i < r->nblocks; i++) {
        const struct wg_ir_block *b = &an->func->blocks[r->block[i]];
        for (uint32_t k = 0; k < b->ninstrs; k++) {
            const struct wg_ir_instr *in = &b->instrs[k];
            bool access = in->op == WG_OP_LD || in->op == WG_OP_ST;
            bool small = in->nvec > 1 || wg_type_bits(in->type) < 32;
            if (access && wg_memories_of(in->space) && (small || is_masked_field(an, in))) return true;
        }
    }
    return false;
}

void wg_flow_regions(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    an->region = WG_NEW_N(&an->arena, struct wg_region *, f->nblocks);
    an->aside = WG_NEW_N(&an->arena, struct wg_region *, f->nblocks);
    WG_BITS_EACH(b, an->divergent[WG_CONVERGED], f->nblocks) {
        const struct wg_ir_block *blk = &f->blocks[b];
        bool leaves = false;
        for (uint32_t s = 0; s < blk->nsucc; s++) leaves |= wg_leads_to_exit(f, blk->succ[s]);
        if (blk->term != WG_TERM_CBR || !wg_may_use(an->opts, WG_FORM_regions)) continue;
        struct wg_region *r = region_at(an, b, leaves ? MOST_OF_EXIT : MOST_LONG);
        if (!r || (leaves && !gains_when_full(an, r))) continue;
        bool now = leaves || !r->is_long || an->opts->long_regions;
        *(now ? &an->region[b] : &an->aside[b]) = r;
        wg_plan_yes(an->opts, WG_FORM_regions, blk->ninstrs ? &blk->instrs[blk->ninstrs - 1] : NULL);
    }
}
