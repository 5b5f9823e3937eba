/* The cost of one access, quickly: what wg_access_cost says, for generated code, which meets addresses in no
 * order millions of times. tests/count holds the two against each other. */
#ifndef WG_COUNT_FAST_H
#define WG_COUNT_FAST_H
#include "count/tally.h"

/* Like wg_tally_access. */
void wg_tally_access_fast(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a);
void wg_scratch_free(struct wg_scratch *x);
#endif
