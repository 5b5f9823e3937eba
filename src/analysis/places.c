/* See places.h. */
#include "analysis/places.h"
#include "base/lanes.h"
#include "analysis/atomics.h"
#include <string.h>

enum { WORD = 4, ROW = WG_LANES * WORD };

uint64_t wg_block_index(const struct wg_block *b) {
    return b->ctaid[0] + (uint64_t)b->nctaid[0] * (b->ctaid[1] + (uint64_t)b->nctaid[1] * b->ctaid[2]);
}

void wg_site_seen(const struct wg_site *s, uint32_t mask, struct wg_access_seen *a) {
    a->mask = s->one_lane ? mask & -mask : mask;
    a->class = s->class;
    a->bytes = s->bytes;
    a->swap = s->way == WG_SHARED_WAY_SWAP;
}

static void count_loop(struct wg_tally *t, uint32_t site, struct wg_access_seen *a) {
    struct wg_counts cost[2];
    wg_loop_cost(a, cost);
    wg_tally_counted(t, site, a, &cost[1]);
    wg_tally_counted(t, site + t->of->v[site].also, a, &cost[0]);
}

static void count_at(const struct wg_warp *w, uint32_t site, struct wg_access_seen *a, uint32_t mask,
                     wg_count_access count) {
    struct wg_tally *t = w->tally;
    const struct wg_site *s = &t->of->v[site];
    wg_site_seen(s, mask, a);
    if (s->way == WG_SHARED_WAY_LOOP) {
        count_loop(t, site, a);
        return;
    }
    count(t, site, a);
    if (!s->also) return;
    const struct wg_site *also = s + s->also;
    for (int l = 0; l < WG_LANES; l++) a->address[l] += (uint64_t)(int64_t)(also->shift - s->shift);
    wg_site_seen(also, mask, a);
    count(t, site + s->also, a);
}

/* All lanes at one place; addresses of lanes that are off may be anything. */
static void count_together(const struct wg_warp *w, uint32_t site, struct wg_access_seen *a,
                           const uint64_t address[32], uint64_t minus, uint32_t mask, wg_count_access count) {
    for (int l = 0; l < WG_LANES; l++) a->address[l] = address[l] - minus;
    count_at(w, site, a, mask, count);
}

/* Of the lanes, those in local memory, where words of neighbouring lanes lie side by side. */
static uint32_t find_local(const struct wg_warp *w, uint32_t mask, uint64_t address[32]) {
    uint32_t found = 0;
    WG_EACH_LANE(l, w->local ? mask : 0) {
        uint64_t at = address[l] - (uint64_t)(uintptr_t)w->local - l * w->local_stride;
        if (at >= w->local_stride) continue;
        address[l] = at / WORD * ROW + l * WORD + at % WORD;
        found |= 1u << l;
    }
    return found;
}

/* Of all lanes, those in the cluster's shared memory, from `base` on; `own`: in this block's window. */
static uint32_t find_shared(const struct wg_block *b, uint64_t base, uint64_t address[32], uint32_t *own) {
    uint64_t ranks = b->cluster_nctarank ? b->cluster_nctarank : 1,
             rank = b->shared_offset / WG_SHARED_STRIDE;
    uint32_t found = 0;
    *own = 0;
    for (uint32_t l = 0; l < WG_LANES; l++) {
        uint64_t at = address[l] - base, in = at < ranks * WG_SHARED_STRIDE;
        found |= (uint32_t)in << l;
        *own |= (uint32_t)(at / WG_SHARED_STRIDE == rank) << l;
        address[l] = in ? at % WG_SHARED_STRIDE : address[l];
    }
    return found;
}

static void count_apart(const struct wg_warp *w, uint32_t id, enum wg_space space, struct wg_access_seen *a,
                        uint32_t mask, wg_count_access count) {
    const struct wg_block *b = w->block;
    bool offsets = space == WG_S_SHARED || space == WG_S_CLUSTER;
    uint32_t lanes[WG_PLACES] = {0}, own = 0, shared = 0;
    if (space != WG_S_LOCAL)
        shared =
            mask & find_shared(b, offsets ? 0 : (uint64_t)(uintptr_t)b->cluster_shared, a->address, &own);
    lanes[WG_PLACE_SHARED] = shared & own;
    lanes[WG_PLACE_REMOTE] = shared & ~own;
    lanes[WG_PLACE_LOCAL] = shared == mask ? 0 : find_local(w, mask & ~shared, a->address);
    lanes[WG_PLACE_GLOBAL] = mask & ~shared & ~lanes[WG_PLACE_LOCAL];
    for (int p = 0; p < WG_PLACES; p++) {
        if (!lanes[p]) continue;
        uint32_t site = wg_site_at(w->tally->of, id, (enum wg_site_place)p);
        if (site == WG_NO_SITE) site = w->tally->of->memory[id];
        count_at(w, site, a, lanes[p], count);
    }
}

void wg_count_places(const struct wg_warp *w, uint32_t id, enum wg_space space, const uint64_t address[32],
                     uint32_t mask, wg_count_access count) {
    struct wg_access_seen a;
    uint32_t site = w->tally->of->memory[id];
    uint64_t minus = (uint64_t)-(int64_t)w->tally->of->v[site].shift;
    a.block = wg_block_index(w->block);
    a.warp = w->id;
    a.order = ++w->tally->order;
    if (space == WG_S_GLOBAL || space == WG_S_CONST) {
        count_together(w, site, &a, address, minus, mask, count);
    } else if (space == WG_S_SHARED) { /* shared::cta: the block's own */
        site = wg_site_at(w->tally->of, id, WG_PLACE_SHARED);
        count_together(w, site, &a, address, minus + w->block->shared_offset, mask, count);
    } else {
        for (int l = 0; l < WG_LANES; l++) a.address[l] = address[l] - minus;
        count_apart(w, id, space, &a, mask, count);
    }
}
