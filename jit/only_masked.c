/* Regions that are emitted under masks alone.
 *
 *     j = neighbours[k];
 *     if (j >= 0) sum += p[j];
 *
 * Most regions (analysis/region.c) are emitted twice: for the lanes that part, and for whole warps, without
 * masks. Where a region gathers, each lane from where it likes, a mask costs nothing beside that: one form
 * does for both, and the kernel compiles in half of the time. Short kernels have the other form all the same.
 */
#include "jit/function.h"

/* What a warp's part of the work costs, in instructions of the host. */
enum { GATHER = 24, BLEND = 2, PART = 8 };

static bool is_anywhere(const struct wg_emit *e, const struct wg_ir_opd *o) {
    return wg_operand_fact(e->an, WG_CONVERGED, o).kind == WG_VARYING;
}

/* 0: it costs more under a mask than without one. */
static uint32_t cost_of(const struct wg_emit *e, const struct wg_ir_instr *in) {
    bool access = in->op == WG_OP_LD || in->op == WG_OP_ST;
    if (wg_may_leave(e->an, in) || in->op >= WG_OP_COUNT || in->guard != WG_NO_REG) return 0;
    if (!access) return wg_op_flags(in->op) ? 0 : 1;
    if (in->space == WG_S_PARAM || in->space == WG_S_CONST) return is_anywhere(e, &in->src[0]) ? 0 : 1;
    return wg_ir_is_weak(in) && is_anywhere(e, &in->src[0]) ? GATHER * in->nvec : 0;
}

static bool costs_the_same(const struct wg_emit *e, const struct wg_region *r) {
    uint32_t all = 0, more = 0;
    for (uint32_t i = 0; i < r->nblocks; i++) {
        const struct wg_ir_block *b = &e->func->blocks[r->block[i]];
        for (uint32_t k = 0; k < b->ninstrs; k++) {
            uint32_t cost = cost_of(e, &b->instrs[k]);
            if (!cost) return false;
            all += cost;
        }
        WG_BITS_EACH(x, r->blend[i], e->func->nregs) more += BLEND;
    }
    return all >= GATHER && more * PART <= all;
}

/* Whether lanes part by what they have loaded: no scalar tells that all of them go one way. */
static bool parts_by_lane(const struct wg_emit *e, const struct wg_ir_block *blk) {
    const struct wg_ir_instr *in = e->def[blk->cond];
    if (!in || in->op != WG_OP_SETP) return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (is_anywhere(e, &in->src[i])) return true;
    return false;
}

void wg_fn_find_only_masked(struct wg_emit *e) {
    const struct wg_ir_func *f = e->func;
    e->only_masked = wg_bits_new(&e->an->arena, f->nblocks);
    e->under_masks = wg_bits_new(&e->an->arena, f->nblocks);
    bool matters = e->v == WG_CONVERGED && e->is_long && e->opts->opt_level > 1;
    if (!matters || !e->L.avx512 || e->opts->sites) return;
    if (e->opts->long_regions) return; /* code for whole blocks enters in the middle of one */
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_region *r = e->an->region[b];
        if (r && !e->an->taken[b] && parts_by_lane(e, &f->blocks[b]) && costs_the_same(e, r))
            wg_bits_add(e->only_masked, b);
    }
}
