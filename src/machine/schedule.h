/* Schedules: orders in which a launch runs other than that of its numbers: --schedule (docs/determinism.md).
 *
 *     blocks   begin in this order, and each runs until it ends or only waits
 *     warps    of a block, or of a cluster's, run their time slices in it, again after each barrier
 *     lanes    where it was asked for, run one at a time until they meet (ref/run.c)
 *
 * reverse: the last one first. random: a permutation derived from the seed, the launch and the block, and so
 * the same in every run and with any number of threads.
 */
#ifndef WG_MACHINE_SCHEDULE_H
#define WG_MACHINE_SCHEDULE_H
#include "machine/grid.h"
#include "machine/options.h"

/* The keys of the `number`th launch of the program. `lanes`: for wg_block.lane_order. */
uint64_t wg_schedule_key(const wg_opt_SCHEDULE *s, uint64_t number);
uint64_t wg_schedule_lanes(const wg_opt_SCHEDULE *s, uint64_t number);

/* The unit that runs in the `i`th place. */
uint64_t wg_schedule_unit(const struct wg_grid *g, uint64_t i);
/* The order of the unit's warps, each as block * nwarps + warp, for one pass over all of them. */
void wg_schedule_warps(struct wg_unit *u, uint16_t order[WG_MAX_CLUSTER * WG_MAX_WARPS]);
#endif
