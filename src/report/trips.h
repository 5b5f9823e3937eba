/* Dependent load chains: how often a launch's warps wait for global loads, and how far each wait reaches.
 *
 *     struct wg_trips t = wg_trips_find(p, k, l, &touched, waves);
 *     t.all, t.misses, t.from_memory       summed over warps
 *
 * Loads that are under way together are one trip, which takes as long as its slowest load. The assembler moves no
 * load across a store or reduction that could write the same word, and a store waits for what it stores: so in
 * y[i] += a[j] * x[j] each turn is a trip.
 */
#ifndef WG_REPORT_TRIPS_H
#define WG_REPORT_TRIPS_H
#include "report/touched.h"

struct wg_trips {
    double all;
    double misses;      /* of them, those that L1 does not serve */
    double from_memory; /* of these, those that L2 does not serve */
};

/* `waves` of blocks: data that later waves share with the first is in L2. */
struct wg_trips wg_trips_find(const struct wg_profile *p, const struct wg_profile_kernel *k,
                              const struct wg_launch *l, const struct wg_touched *t, double waves);
#endif
