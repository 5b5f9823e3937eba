/* See duplicates.h.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;         blocks of 32 x 8 threads: each warp of a block has the
 *     for (...) sum[i] += a[i * n + j] * x[j];               same i in its lanes as the first one
 *
 * Where rows of a block are whole warps and threads ask for no index but x, warps below each other have the same
 * values in all registers as long as they load the same. In the schedule in which they run in step, each
 * instruction of all of them before the next one, they do: they load from the same addresses at the same time, and
 * what they store is the same in the same place. Threads that do not wait for each other may be scheduled like that,
 * and then memory looks as if one of these warps had run.
 *
 * That is also what a GPU does with most programs that count on it: warps that begin together stay together.
 *
 * So nothing may happen as often as there are warps (atomics, calls), and nothing may let warps learn of each other:
 * a barrier, a fence, an access that is volatile or ordered.
 */
#include "analysis/duplicates.h"
#include "analysis/effects.h"
#include "analysis/flow.h"
#include "analysis/plan.h"

/* The same in threads whose x is the same: rows are whole warps, so that the lane follows from x. */
static bool is_of_x(uint32_t sreg) {
    return sreg == WG_SR_tid_x || sreg == WG_SR_laneid || wg_sreg_of_block(sreg);
}

/* Local memory is elsewhere for each warp, and so is where it is. */
static bool names_local(const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_SYM && m->syms[in->src[i].index].kind == WG_SYM_LOCAL) return true;
    return false;
}

static bool may_be_skipped(const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    struct wg_effects x = wg_effects_of(in);
    if (x.once || x.meets || names_local(m, in)) return false;
    return in->op != WG_OP_MOV_SREG || is_of_x(in->sreg);
}

uint32_t wg_distinct_warps(const struct wg_ir_module *m, const struct wg_ir_func *f,
                           const struct wg_code_opts *o) {
    const uint32_t *n = o->ntid;
    if (!wg_may_use(o, WG_FORM_duplicates) || o->dealt.threads) return 0;
    if (n[0] % WG_LANES || n[1] * n[2] == 1) return 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (!may_be_skipped(m, &f->blocks[b].instrs[i])) return 0;
    wg_plan_yes(o, WG_FORM_duplicates, NULL);
    return n[0] / WG_LANES;
}
