/* Counting of accesses by memory: resolves generic and cluster addresses of lanes and counts each memory.
 *
 * A generic address may name global, shared or local memory, and shared::cluster the block's own window or
 * another's: an access is counted once for each memory that some of its lanes go to, as the hardware counts
 * it. Shared addresses are counted from the start of their block's window. Local memory is counted in the
 * hardware's layout: words of the lanes of a warp next to each other.
 *
 *     ld.u32 with lanes 0..15 in global memory and 16..31 in this block's shared memory:
 *         global_load with mask 0x0000ffff, shared_load with mask 0xffff0000
 */
#ifndef WG_ANALYSIS_PLACES_H
#define WG_ANALYSIS_PLACES_H
#include "analysis/sites.h"
#include "count/fast.h"
#include "warp/warp.h"

typedef void (*wg_count_access)(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a);

/* Counts the access of instruction `id` (a memory site of w->tally's) into w->tally. `address`: offsets in
 * the cluster's shared memory for the shared spaces, addresses of the process for the others. */
void wg_count_places(const struct wg_warp *w, uint32_t id, enum wg_space space, const uint64_t address[32],
                     uint32_t mask, wg_count_access count);
/* The same for the fast cost model and addresses of the process in all spaces, which are not copied. False: nothing was
 * counted; wg_count_places has to. */
bool wg_count_in_place(const struct wg_warp *w, uint32_t id, enum wg_space space, const uint64_t address[32],
                       uint32_t mask);
/* The access as ptxas's instruction makes it: fills in everything but block, warp, order and addresses.
 */
void wg_site_seen(const struct wg_site *s, uint32_t mask, struct wg_access_seen *a);
/* The same for lanes at address - minus: all but `local`. */
void wg_site_lanes(const struct wg_site *s, uint32_t site, uint32_t mask, struct wg_lanes_access *a);
/* The block's index in its grid. */
uint64_t wg_block_index(const struct wg_block *b);
#endif
