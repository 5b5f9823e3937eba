/* Index-set splitting of the grid: blocks inside of all borders run a copy of the kernel without its border code. */
#ifndef WG_ANALYSIS_INTERIOR_H
#define WG_ANALYSIS_INTERIOR_H
#include "warp/warp.h"

/* The function itself where there is nothing to split; else a copy in the arena. */
const struct wg_ir_func *wg_split_interior(struct wg_arena *a, const struct wg_ir_func *f,
                                           const struct wg_code_opts *o);
#endif
