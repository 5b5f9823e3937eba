/* Fast cost model of one access: the same results as wg_access_cost, for generated code, which has millions
 * of accesses with irregular addresses. tests/count compares the two. */
#ifndef WG_COUNT_FAST_H
#define WG_COUNT_FAST_H
#include "count/tally.h"

/* Like wg_tally_access. */
void wg_tally_access_fast(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a);
void wg_scratch_free(struct wg_scratch *x);
#endif
