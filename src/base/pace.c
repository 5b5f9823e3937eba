/* See pace.h. */
#include "base/pace.h"
#include "base/clock.h"

enum { MS = 1000000, SHARE = 20 };

void wg_pace_begin(struct wg_pace *p, uint32_t free_ms, bool saves) {
    *p = (struct wg_pace){.began = wg_now_ns(), .free = free_ms * (uint64_t)MS, .saves = saves};
}

bool wg_pace_allows(const struct wg_pace *p) {
    uint64_t now = wg_now_ns();
    if (p->saves) return p->spent <= p->free + (now - p->began) / SHARE;
    return p->spent <= p->free || now - p->ended >= SHARE * p->took;
}

void wg_pace_wrote(struct wg_pace *p, uint64_t began) {
    p->ended = wg_now_ns();
    p->took = p->ended - began;
    p->spent += p->took;
}
