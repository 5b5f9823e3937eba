/* Idiom recognition: quotients, remainders and sums of indices that a compiler wrote as shifts, masks and products. */
#ifndef WG_ANALYSIS_IDIOMS_H
#define WG_ANALYSIS_IDIOMS_H
#include "warp/warp.h"

/* The function itself where there are none; else a copy in the arena. */
const struct wg_ir_func *wg_find_idioms(struct wg_arena *a, const struct wg_ir_module *m,
                                        const struct wg_ir_func *f, const struct wg_code_opts *o);
#endif
