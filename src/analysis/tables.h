/* Privatized tables: detection of shared memory that a block clears, adds to, and flushes to global memory.
 *
 *     for (i = t; i < n; i += threads) mine[i] = 0;                     clear
 *     __syncthreads();
 *     for (...) atomicAdd(&mine[values[i]], 1);                         count
 *     __syncthreads();
 *     for (i = t; i < n; i += threads) atomicAdd(&bins[i], mine[i]);    hand over
 *
 * Several such blocks on one worker can share one table: cleared once, counted in by all of them, handed over
 * once. That is unobservable: what is handed over are unordered additions whose old values are unused, and
 * the sum of several is one addition. So loop fission cuts a function at its two barriers into stages
 * (func->stages), each of which ends the block, and %stage selects the one to run: the machine runs the first
 * for one block of many, the second for all of them, also interchanged with a grid-stride loop (interchange.h), and
 * the third for one (machine/worker.c). Barriers may be the cluster's: then there is a table for each rank.
 *
 * Not only additions: any commutative and associative operation on integers, as long as the block counts and
 * hands over with the same one.
 */
#ifndef WG_ANALYSIS_TABLES_H
#define WG_ANALYSIS_TABLES_H
#include "warp/warp.h"

/* A kernel of the kind. */
struct wg_tables {
    uint8_t *stage;      /* [block] enum wg_stage */
    uint32_t barrier[2]; /* the blocks that end in the two barriers... */
    uint32_t before[2];  /* ...and how many of their instructions precede these */
    /* Instructions that each later stage begins with, in this order: it rematerializes the registers of
     * earlier stages that it reads. */
    const struct wg_ir_instr **made[WG_STAGES];
    uint32_t nmade[WG_STAGES];
};

bool wg_find_tables(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                    const struct wg_code_opts *o, struct wg_tables *t);

/* The function itself where it has no tables, or the machine does not run stages; else a copy in the arena,
 * which is of use only if it turns out to have phases. */
const struct wg_ir_func *wg_cut_stages(struct wg_arena *a, const struct wg_ir_module *m,
                                       const struct wg_ir_func *f, const struct wg_code_opts *o);
#endif
