/* See pace.h. */
#include "base/pace.h"
#include "base/clock.h"

enum { SHARE = 20, FREE_MS = 50 };

void wg_pace_begin(struct wg_pace *p) { *p = (struct wg_pace){.began = wg_now_ns()}; }

bool wg_pace_allows(const struct wg_pace *p) {
    return p->spent <= FREE_MS * UINT64_C(1000000) + (wg_now_ns() - p->began) / SHARE;
}

void wg_pace_wrote(struct wg_pace *p, uint64_t began) { p->spent += wg_now_ns() - began; }
