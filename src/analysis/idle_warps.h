/* Index-set splitting of the loop over warps: which warps of a block have work in a phase.
 *
 *     if (t < stride) part[t] += part[t + stride];       phase: setp.ge %p, %t, %stride;  @%p bra L
 *     __syncthreads();                                   L: bar.sync 0
 *
 * One branch of the phase decides. Where one of its edges leads straight to the phase's end, warps whose lanes all take
 * it have nothing to do. If the lanes' ways are known at compile time (known.c), the loop has other bounds and another
 * step; else the code may leave it early (jit/block/idle_warps.c).
 */
#ifndef WG_ANALYSIS_IDLE_WARPS_H
#define WG_ANALYSIS_IDLE_WARPS_H
#include "analysis/analysis.h"

/* A path from the branch to the phase's end with nothing on it. */
struct wg_idle_path {
    uint32_t block[4], n;         /* on the path */
    uint32_t to;                  /* the block at which it ends, or nblocks: the kernel's end */
    const struct wg_ir_instr *in; /* the barrier there, or NULL */
};

/* The block whose branch decides: the phase's first one, or its only successor. `begins`: the phase. */
uint32_t wg_deciding_block(const struct wg_analysis *an, uint32_t begins);

/* Whether warps whose lanes all go from `branch` to its successor `edge` have nothing to do in the phase; and on which
 * path they leave it. */
bool wg_edge_is_idle(const struct wg_analysis *an, uint32_t begins, uint32_t branch, uint32_t edge,
                     struct wg_idle_path *path);

/* Those of the block's first `warps` warps for which the loop runs, by what is known at compile time:
 * 0, step, 2 * step, ... below `end`. */
struct wg_busy {
    uint32_t step, end;
};
struct wg_busy wg_busy_warps(const struct wg_analysis *an, uint32_t begins, uint32_t warps);
#endif
