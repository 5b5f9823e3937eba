/* The warp of a launch that executes most: what a launch of few blocks waits for. Counters are sums over warps, and where most
 * warps leave at a guard the mean says little of the few that go on.
 *
 *     struct wg_slowest s = wg_slowest_find(k, l, &arena);
 *     wg_slowest_turns(&s, ptx_line)       how often it comes to an instruction
 *     s.share                              its instructions, over those of the mean warp
 *
 * It is taken to enter each block that any warp enters. A block that is executed more often than there are warps is in a
 * loop, which the warps enter that execute what stands before or after it.
 */
#ifndef WG_REPORT_SLOWEST_H
#define WG_REPORT_SLOWEST_H
#include "base/arena.h"
#include "report/profile.h"

struct wg_slowest {
    uint32_t first, lines; /* of the PTX, that the kernel's code has; none where nothing is known */
    double *turns;         /* by line */
    double share;          /* at least 1 */
    double
        in_each_block; /* part of what it executes more than the mean warp that one warp of each block does */
};
struct wg_slowest wg_slowest_find(const struct wg_profile_kernel *k, const struct wg_launch *l,
                                  struct wg_arena *a);
/* 0: not known, or never. */
double wg_slowest_turns(const struct wg_slowest *s, uint32_t ptx_line);
#endif
