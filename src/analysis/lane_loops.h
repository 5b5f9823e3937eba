/* Scalarization of divergent loops: which loops run for one lane after the other, each to its end.
 *
 *     for (int k = begin[row]; k < begin[row + 1]; k++) sum += value[k] * x[column[k]];
 *     for (int top = 1; top > 0;) if (!left[top]) top--; else ...          each lane with a stack of its own
 *
 * No lane waits for another in such a loop: what may wait (an ordered access, an atomic, a fence) has no code for one
 * lane (one_lane.h). So any order of the lanes is one that independent threads may have. jit/warp/lane_loops.c has its
 * code.
 */
#ifndef WG_ANALYSIS_LANE_LOOPS_H
#define WG_ANALYSIS_LANE_LOOPS_H
#include "analysis/analysis.h"

/* A natural loop that is left for one block. */
struct wg_scalar_loop {
    uint32_t head, out;
    wg_bits made; /* registers that it writes */
    wg_bits read; /* registers that it only reads */
    bool several; /* blocks */
};

/* The loop's blocks, in order. */
#define WG_EACH_IN_SCALAR_LOOP(k, f, l)                                                                      \
    for (uint32_t k = (l)->head; k < (f)->nblocks; k++)                                                      \
        if (wg_in_loop(f, k, (l)->head))

/* Whether the block is the header of such a loop, by facts of GENERAL. */
bool wg_scalar_loop_at(struct wg_analysis *an, uint32_t block, struct wg_scalar_loop *l);
/* Whether a register's value is one for each lane in GENERAL, neither uniform nor affine. */
bool wg_scalar_loop_varies(const struct wg_analysis *an, uint32_t reg);
/* Whether a register's value is used before or after the loop. */
bool wg_scalar_loop_keeps(const struct wg_analysis *an, const struct wg_scalar_loop *l, uint32_t reg);
#endif
