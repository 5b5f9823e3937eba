/* Redundancy elimination of warps: of a block's warps that compute the same, one runs. */
#ifndef WG_ANALYSIS_DUPLICATES_H
#define WG_ANALYSIS_DUPLICATES_H
#include "ir/ir.h"
#include "warp/warp.h"

/* How many warps of a block, the first ones, compute something that no warp before them does; 0: all of them.
 * The machine runs no others, so that the result does not depend on which code a launch has. */
uint32_t wg_distinct_warps(const struct wg_ir_module *m, const struct wg_ir_func *f,
                           const struct wg_code_opts *o);
#endif
