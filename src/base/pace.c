/* See pace.h. */
#include "base/pace.h"
#include "base/clock.h"

enum { MS = 1000000, SHARE = 20, EARLY_SHARE = 4, EARLY_MS = 50 };

void wg_pace_begin(struct wg_pace *p, uint32_t free_ms) {
    *p = (struct wg_pace){.began = wg_now_ns(), .free = free_ms * (uint64_t)MS};
}

bool wg_pace_allows(const struct wg_pace *p) {
    uint64_t share = p->spent <= EARLY_MS * (uint64_t)MS ? EARLY_SHARE : SHARE;
    return p->spent <= p->free + (wg_now_ns() - p->began) / share;
}

void wg_pace_wrote(struct wg_pace *p, uint64_t began) { p->spent += wg_now_ns() - began; }
