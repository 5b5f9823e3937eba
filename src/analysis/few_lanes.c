/* Scalarization of masked blocks: see few_lanes.h. */
#include "analysis/few_lanes.h"
#include "analysis/one_lane.h"
#include "analysis/plan.h"

enum { FAR = 4 };

/* Whether a lane's value takes only scalar arithmetic. `made`: registers that the block has written so
 * far. */
static bool source_fits(const struct wg_analysis *an, const struct wg_ir_opd *o, const uint64_t *made) {
    if (o->kind != WG_O_REG || wg_bits_has(made, o->index)) return true;
    const struct wg_fact *f = &an->facts[WG_CONVERGED][o->index];
    return f->kind == WG_UNIFORM || (f->kind == WG_AFFINE && wg_is_line(f->k) && wg_is_line(f->r));
}

/* Whether lanes are so far apart that only gathers or scatters serve them (jit/access/pattern.c). */
static bool is_scattered(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    struct wg_fact f = wg_operand_fact(an, WG_CONVERGED, &in->src[0]);
    int64_t step = f.k ? f.k[1] : 0;
    return f.r || step * (step < 0 ? -1 : 1) >= FAR * wg_type_bits(in->type) / 8;
}

bool wg_few_lanes_fit(struct wg_analysis *an, uint32_t b) {
    const struct wg_ir_block *blk = &an->func->blocks[b];
    const struct wg_code_opts *o = an->opts;
    if (!wg_may_use(o, WG_FORM_few_lanes) || an->tile_bits || blk->term != WG_TERM_BR || !blk->ninstrs)
        return false;
    if (blk->instrs[blk->ninstrs - 1].op != WG_OP_ST) return false;
    wg_bits made = wg_bits_new(&an->arena, an->func->nregs);
    bool scattered = false;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        if (!wg_one_lane_fits(an->func, in) || (in->op == WG_OP_ST && i + 1 < blk->ninstrs)) return false;
        for (uint32_t s = 0; s < in->nsrc; s++)
            if (!source_fits(an, &in->src[s], made)) return false;
        if (in->op == WG_OP_LD || in->op == WG_OP_ST) scattered |= is_scattered(an, in);
        if (in->op == WG_OP_ST) break;
        for (uint32_t d = 0; d < in->ndst; d++) {
            if (wg_bits_has(an->cfg.live_out[b], in->dst[d].index)) return false;
            wg_bits_add(made, in->dst[d].index);
        }
    }
    if (scattered) wg_plan_yes(o, WG_FORM_few_lanes, blk->instrs);
    return scattered;
}
