/* Turn by turn: loops that the grid goes through together (grid_loop.h), in the order in which the memory
 * lies.
 *
 *     for (i = ...; i < n; i += grid)     each warp's turns are the grid's width apart, often in other pages:
 *         ... p[i] ...                    warp by warp, the host's prefetchers follow nothing
 *
 * The warps of a block stand side by side in memory. So a block makes the first turn with all its warps, then
 * the next one, as if there were a barrier at the end of each turn: the code in between is a phase
 * (phases.c). Turns that not all threads of the block make are left to the loop as it was.
 *
 * Where nothing but arithmetic comes before the loop and nothing is the block's own (tables.h), a worker's
 * blocks make the first turn one after the other, then all of them the next one: a sweep (func->sweeps,
 * machine/worker.c).
 */
#ifndef WG_ANALYSIS_TURNS_H
#define WG_ANALYSIS_TURNS_H
#include "warp/warp.h"

/* The function itself where no loop is of the kind; else a copy in the arena, which is right under every
 * order of the block's threads, and is of use only if it turns out to have phases. */
const struct wg_ir_func *wg_go_by_turns(struct wg_arena *a, const struct wg_ir_module *m,
                                        const struct wg_ir_func *f, const struct wg_code_opts *o);
#endif
