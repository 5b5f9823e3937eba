/* Tables: shared memory that a block clears, adds to, and hands over to global memory in the end.
 *
 *     for (i = t; i < n; i += threads) mine[i] = 0;                     clear
 *     __syncthreads();
 *     for (...) atomicAdd(&mine[values[i]], 1);                         count
 *     __syncthreads();
 *     for (i = t; i < n; i += threads) atomicAdd(&bins[i], mine[i]);    hand over
 *
 * What several such blocks do on one worker can be done with one table: cleared once, counted in by all of
 * them, handed over once. Nobody can tell, for what is handed over are additions without an order whose old
 * values nobody reads, and the sum of several is one. So a function is cut at its two barriers into stages
 * (func->stages), each of which ends the block, and %stage says which one is to be run: the machine runs the
 * first for one block of many, the second for all of them, also turn by turn (turns.h), and the third for one
 * (machine/worker.c). Barriers may be the cluster's: then there is a table for each rank.
 *
 * Not only additions: any operation of integers that may be made in any order, as long as it is the same for
 * all that a block counts, and hands over.
 */
#ifndef WG_ANALYSIS_TABLES_H
#define WG_ANALYSIS_TABLES_H
#include "warp/warp.h"

/* A kernel of the kind. */
struct wg_tables {
    uint8_t *stage;      /* [block] enum wg_stage */
    uint32_t barrier[2]; /* the blocks that end in the two barriers... */
    uint32_t before[2];  /* ...and how many of their instructions stand before these */
    /* What each of the later stages begins with, in this order: the registers that it wants of those before.
     */
    const struct wg_ir_instr **made[WG_STAGES];
    uint32_t nmade[WG_STAGES];
};

bool wg_find_tables(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                    const struct wg_code_opts *o, struct wg_tables *t);

/* The function itself where it is not of the kind, or the machine does not run stages; else a copy in the
 * arena, which is of use only if it turns out to have phases. */
const struct wg_ir_func *wg_cut_stages(struct wg_arena *a, const struct wg_ir_module *m,
                                       const struct wg_ir_func *f, const struct wg_code_opts *o);
#endif
