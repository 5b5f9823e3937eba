/* Launches of a kernel that are alike: those with the same counters at every site, so that a file has them once. */
#ifndef WG_COUNT_ALIKE_H
#define WG_COUNT_ALIKE_H
#include "base/hash.h"
#include <stdbool.h>

/* A set of hashes of counters, each with the position of the first launch that has them. All zero: empty. */
struct wg_alike {
    struct wg_alike_first *first; /* open addressing: a power of two of places, at most half of them taken */
    uint32_t places, n;
};
/* Whether there is one with these counters, and its position in `at`; else `*at` becomes its position. */
bool wg_alike_find(struct wg_alike *s, const struct wg_hash *counters, uint32_t *at);
void wg_alike_free(struct wg_alike *s);
#endif
