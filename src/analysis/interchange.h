/* Loop interchange of grid-stride loops (grid_loop.h) with the loop over warps: iterations run in memory
 * order.
 *
 *     for (i = ...; i < n; i += grid)     each warp's iterations are the grid's width apart, often in other
 *         ... p[i] ...                    pages: warp by warp, the host's prefetchers follow nothing
 *
 * A block's warps access consecutive memory. So a block runs the first iteration with all its warps, then the
 * next one, as if there were a barrier at the end of each iteration: the code in between is a phase
 * (phases.c). Iterations that not all threads of the block execute are left to the original loop.
 *
 * Where only arithmetic precedes the loop and no memory is the block's own (tables.h), a worker's blocks run
 * the first iteration one after the other, then all of them the next one: a sweep (func->sweeps,
 * machine/worker.c).
 */
#ifndef WG_ANALYSIS_INTERCHANGE_H
#define WG_ANALYSIS_INTERCHANGE_H
#include "warp/warp.h"

/* The function itself where there is no such loop; else a copy in the arena, which is correct under every
 * order of the block's threads, and is of use only if it turns out to have phases. */
const struct wg_ir_func *wg_interchange(struct wg_arena *a, const struct wg_ir_module *m,
                                        const struct wg_ir_func *f, const struct wg_code_opts *o);
#endif
