/* What is distinct among the launches of a kernel: of those with the same counters a file has one (result.c). */
#ifndef WG_COUNT_DISTINCT_H
#define WG_COUNT_DISTINCT_H
#include "base/hash.h"
#include <stdbool.h>

/* A set of hashes of counters, each with the position of the first launch that has them. All zero: empty. */
struct wg_distinct {
    struct wg_distinct_first
        *first; /* open addressing: a power of two of places, at most half of them taken */
    uint32_t places, n;
};
/* True: there is one with these counters, whose position `at` gets. False: it was added, at the position `*at`. */
bool wg_distinct_find(struct wg_distinct *s, const struct wg_hash *counters, uint32_t *at);
void wg_distinct_free(struct wg_distinct *s);
#endif
