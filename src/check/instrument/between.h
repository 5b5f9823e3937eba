/* Suggestion of a missing barrier: finds a place where a barrier would order two accesses that race. All
 * threads of a block pass it exactly once, after the one access and before the other on every path.
 *
 *     if (i < n) tile[i] = x[i];      a
 *                                     all threads come by here, after a, and not again
 *     x[i] = tile[n - 1 - i];         b
 *
 * There is no answer where one loop contains both accesses, where threads may have returned before, or where
 * the accesses are in different functions.
 */
#ifndef WG_CHECK_BETWEEN_H
#define WG_CHECK_BETWEEN_H
#include "check/instrument/instrument.h"

/* Whether there is such a place after the instruction with number `a` and before that with number `b`. */
bool wg_all_pass_between(const struct wg_ir_func *f, uint32_t a, uint32_t b);
/* "a __syncthreads() between line 6 and line 7 would order them", for either order of the two; NULL: no place is known,
 * or there is no line for it. `barrier`: what it is called. */
const char *wg_barrier_between(struct wg_arena *arena, const struct wg_ir_module *m,
                               const struct wg_check_site *a, const struct wg_check_site *b,
                               const char *barrier);
#endif
