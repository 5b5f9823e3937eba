/* Full unrolling of loops around __syncthreads() whose trip count is a compile-time constant: see
 * unroll.c. */
#ifndef WG_ANALYSIS_UNROLL_H
#define WG_ANALYSIS_UNROLL_H
#include "warp/warp.h"

/* The function itself where there is nothing to unroll; else a copy in the arena. */
const struct wg_ir_func *wg_unroll(struct wg_arena *a, const struct wg_ir_func *f,
                                   const struct wg_code_opts *o);
#endif
