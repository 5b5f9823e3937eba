/* Fast cost model of one access: the same results as wg_access_cost, for generated code, which has millions
 * of accesses with irregular addresses. tests/count compares the two. */
#ifndef WG_COUNT_FAST_H
#define WG_COUNT_FAST_H
#include "count/lanes.h"
#include "count/tally.h"

/* An access, or the part of its lanes that goes to one memory, with its addresses as the code had them. */
struct wg_lanes_access {
    struct wg_lanes lanes;
    uint64_t local,
        local_bytes; /* local memory: the lanes' own lies from `local` on; 0: laid out as on the hardware */
    uint32_t bits;   /* shared memory: the lower ones of an offset */
    uint32_t site;
    uint8_t class, bytes; /* as in wg_access_seen */
    bool swap;
};
enum { WG_LANES_PARTS = 2 };

/* Counts all parts of an access, some of them later. False: nothing was counted, and the general way has to do. */
bool wg_tally_lanes(struct wg_tally *t, const struct wg_lanes_access *parts, uint32_t n,
                    const struct wg_access_of *of);

/* Like wg_tally_access, but perhaps later. */
void wg_tally_access_fast(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a);
/* Counts what is to be counted later: before the tally's sites are read. */
void wg_tally_settle(struct wg_tally *t);
void wg_scratch_free(struct wg_scratch *x);
#endif
