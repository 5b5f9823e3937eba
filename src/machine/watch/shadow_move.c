/* Shadow memory under copies and fills of the host: shadows are copied with the data, and undefined bytes are
 * reported where they reach the host. */
#include "machine/watch/check.h"
#include "machine/memory/origin.h"
#include "machine/memory/untouched.h"
#include "machine/work.h"
#include <string.h>

static void copy_row(struct wg_memory *m, uint64_t to, uint64_t from, uint64_t bytes) {
    /* Of what another device has, no gaps are taken over: it counts as written. */
    uint8_t *d = wg_shadow_at(m, to), *s = wg_shadow_at(m, from);
    if (!d) return;
    if (!s || wg_shadow_is_whole(m, from, bytes)) {
        wg_shadow_define(m, to, bytes);
        return;
    }
    wg_shadow_clear_lines(m, to, bytes);
    memmove(d, s, bytes);
    atomic_fetch_add(&m->undefined, 1);
    wg_origin_copy(m, to, from, bytes);
}

static void define_there(struct wg_memory *m, uint64_t at, uint64_t bytes) {
    if (wg_shadow_at(m, at)) wg_shadow_define(m, at, bytes);
}

static uint64_t row_of(const struct wg_copy *c, uint64_t z, uint64_t y) {
    return (uint64_t)c->src + z * c->src_slice + y * c->src_pitch;
}

static void copy_within(struct wg_memory *m, const struct wg_copy *c) {
    for (uint64_t z = 0; z < c->depth; z++)
        for (uint64_t y = 0; y < c->height; y++)
            copy_row(m, (uint64_t)c->dst + z * c->dst_slice + y * c->dst_pitch, row_of(c, z, y), c->width);
}

static void copy_to_host(struct wg_work *w, struct wg_memory *to) {
    struct wg_memory *m = wg_fleet_memory(w->dev, (uint64_t)w->copy.src);
    const struct wg_copy *c = &w->copy;
    for (uint64_t i = 0; i < c->depth * c->height; i++)
        define_there(to, (uint64_t)c->dst + i / c->height * c->dst_slice + i % c->height * c->dst_pitch,
                     c->width);
    struct wg_shadow_gaps all = {0};
    for (uint64_t z = 0; z < c->depth; z++)
        for (uint64_t y = 0; y < c->height; y++) {
            struct wg_shadow_gaps g = wg_shadow_gaps(m, row_of(c, z, y), c->width);
            if (g.bytes && !all.bytes) all.first = g.first;
            all.bytes += g.bytes;
        }
    if (!all.bytes) return;
    wg_check_copied(w, &all);
    for (uint64_t z = 0; z < c->depth; z++) /* reported once */
        for (uint64_t y = 0; y < c->height; y++) wg_shadow_define(m, row_of(c, z, y), c->width);
}

void wg_shadow_move(struct wg_work *w) {
    const struct wg_fill *f = &w->fill;
    uint64_t to = w->kind == WG_WORK_COPY ? (uint64_t)w->copy.dst : (uint64_t)f->dst;
    struct wg_memory *m = wg_fleet_memory(w->dev, to);
    if (!m->shadow) return;
    wg_untouched_settle(m);
    if (w->kind == WG_WORK_COPY)
        wg_memory_is_hosts(m, (uint64_t)w->copy.dst) ? copy_to_host(w, m) : copy_within(m, &w->copy);
    else
        for (uint64_t y = 0; y < f->height; y++)
            wg_shadow_define(m, (uint64_t)f->dst + y * f->pitch, f->width * f->element);
}
