/* See overrun.h. */
#include "machine/overrun.h"
#include "machine/device.h"
#include "machine/worker.h"
#include <string.h>

/* What a stray load finds: a tiny number as a float or a double, and no index that is likely to be right. */
enum { KNOWN = 0x15 };
enum { UNITS = 6 }; /* that are run again to find who stored there */

uint64_t wg_window_mapped(const struct wg_shape *s) {
    return s->window_bytes ? (s->window_bytes + WG_MEMORY_PAD + WG_PAGE - 1) & ~(uint64_t)(WG_PAGE - 1) : 0;
}

static uint8_t *end_of(const struct wg_unit *u, uint32_t rank) {
    return (uint8_t *)u->shared + (uint64_t)rank * WG_SHARED_STRIDE + u->shape.window_bytes;
}

void wg_overrun_begin(const struct wg_unit *u) {
    uint64_t bytes = wg_window_mapped(&u->shape) - u->shape.window_bytes;
    for (uint32_t k = 0; k < u->shape.nctas; k++) memset(end_of(u, k), KNOWN, bytes);
}

static void note(const struct wg_unit *u, uint64_t first, const uint8_t *at) {
    struct wg_grid *g = u->grid;
    struct wg_overrun *o = &g->overrun;
    pthread_mutex_lock(&g->lock);
    if (!o->seen || first < o->first)
        *o = (struct wg_overrun){.seen = true,
                                 .first = first,
                                 .last = u->index,
                                 .shared = (uint64_t)u->shared,
                                 .at = (uint64_t)at};
    pthread_mutex_unlock(&g->lock);
}

void wg_overrun_look(const struct wg_unit *u, uint64_t first) {
    struct wg_grid *g = u->grid;
    if (!u->shape.window_bytes) return;
    uint64_t bytes = wg_window_mapped(&u->shape) - u->shape.window_bytes;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        uint8_t *at = end_of(u, k);
        uint64_t from = 0;
        if (at[0] == KNOWN && !memcmp(at, at + 1, bytes - 1)) continue;
        while (at[from] == KNOWN) from++;
        if (!g->dry && !g->replayed && !wg_checks(g->dev)) note(u, first, at + from);
        memset(at, KNOWN, bytes);
    }
}

/* The first, the last, and some between them. */
uint64_t wg_overrun_unit(const struct wg_grid *g, uint32_t i) {
    uint64_t first = g->overrun.first, more = g->overrun.last - first;
    if (i >= UNITS || i > more) return UINT64_MAX;
    return i < 2 ? first + i * more : first + more * (i - 1) / (more < UNITS ? more : UNITS);
}
