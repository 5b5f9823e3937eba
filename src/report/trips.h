/* Dependent load chains: how often a launch's warps wait for global loads, and how far each wait reaches.
 *
 *     struct wg_waits_for_loads w = wg_trips_find(p, k, l, &touched, &slowest, waves);
 *     w.sum.all, w.sum.misses, w.sum.from_memory
 *
 * Loads that are under way together are one trip, which takes as long as its slowest load. The assembler moves no
 * load across a store or reduction that could write the same word, and a store waits for what it stores: so in
 * y[i] += a[j] * x[j] each turn is a trip.
 */
#ifndef WG_REPORT_TRIPS_H
#define WG_REPORT_TRIPS_H
#include "report/slowest.h"
#include "report/touched.h"

struct wg_trips {
    double all;
    double misses;      /* of them, those that L1 does not serve */
    double from_memory; /* of these, those that L2 does not serve */
};
/* Summed over warps, and of the slowest one (report/slowest.h); the latter is 0 where it is not known. */
struct wg_waits_for_loads {
    struct wg_trips sum, slowest;
};

/* `waves` of blocks: data that later waves share with the first is in L2. */
struct wg_waits_for_loads wg_trips_find(const struct wg_profile *p, const struct wg_profile_kernel *k,
                                        const struct wg_launch *l, const struct wg_touched *t,
                                        const struct wg_slowest *slowest, double waves);
#endif
