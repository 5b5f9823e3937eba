/* See pace.h. */
#include "base/pace.h"

#include <time.h>

enum { SHARE = 20, FREE_MS = 50 };

uint64_t wg_pace_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void wg_pace_begin(struct wg_pace *p) { *p = (struct wg_pace){.began = wg_pace_now()}; }

bool wg_pace_allows(const struct wg_pace *p) {
    return p->spent <= FREE_MS * UINT64_C(1000000) + (wg_pace_now() - p->began) / SHARE;
}

void wg_pace_wrote(struct wg_pace *p, uint64_t began) { p->spent += wg_pace_now() - began; }
