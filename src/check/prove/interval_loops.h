/* Iterations in barrier intervals: what intervals.h says of loops in uniform blocks. Internal to it. */
#ifndef WG_CHECK_INTERVAL_LOOPS_H
#define WG_CHECK_INTERVAL_LOOPS_H
#include "check/prove/intervals.h"

/* behind: [block] not 0: it ends with a barrier. NULL: not all barriers are in uniform blocks, or the function is too
 * large. In the arena. */
struct wg_interval_loops *wg_interval_loops_find(struct wg_arena *a, const struct wg_ir_func *f,
                                                 const uint32_t *behind);
/* As wg_intervals_meeting; false: two threads are never at these places at the same time. */
bool wg_interval_loops_meet(const struct wg_interval_loops *x, uint32_t a, uint32_t b,
                            struct wg_meeting *out);
#endif
