/* See places.h. */
#include "analysis/places.h"
#include "base/lanes.h"
#include "analysis/atomics.h"
#include <string.h>

uint64_t wg_block_index(const struct wg_block *b) {
    return b->ctaid[0] + (uint64_t)b->nctaid[0] * (b->ctaid[1] + (uint64_t)b->nctaid[1] * b->ctaid[2]);
}

void wg_site_seen(const struct wg_site *s, uint32_t mask, struct wg_access_seen *a) {
    a->mask = s->one_lane ? mask & -mask : mask;
    a->class = s->class;
    a->bytes = s->bytes;
    a->swap = s->way == WG_SHARED_WAY_SWAP;
}

void wg_site_lanes(const struct wg_site *s, uint32_t site, uint32_t mask, struct wg_lanes_access *a) {
    a->lanes.mask = s->one_lane ? mask & -mask : mask;
    a->local_bytes = 0;
    a->bits = UINT32_MAX;
    a->site = site;
    a->class = s->class;
    a->bytes = s->bytes;
    a->swap = s->way != WG_SHARED_WAY_NATIVE;
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
    wg_lanes_less(a->address, address, minus, UINT64_MAX);
    count_at(w, site, a, mask, count);
}

/* Of the lanes, those in local memory. */
static uint32_t find_local(const struct wg_warp *w, uint32_t mask, uint64_t address[32]) {
    uint64_t base = (uint64_t)(uintptr_t)w->local, bytes = w->local_stride;
    if (!w->local || !(mask & wg_lanes_within(address, base, WG_LANES * bytes))) return 0;
    return wg_lanes_local(address, mask, base, bytes);
}

/* Of the lanes, those in the cluster's shared memory, from `base` on; `own`: in this block's window. */
static uint32_t find_shared(const struct wg_block *b, uint64_t base, uint32_t mask, uint64_t address[32],
                            uint32_t *own) {
    uint64_t ranks = b->cluster_nctarank ? b->cluster_nctarank : 1;
    uint32_t found = mask & wg_lanes_within(address, base, ranks * WG_SHARED_STRIDE);
    *own = 0;
    if (!found) return 0;
    *own = found & wg_lanes_within(address, base + b->shared_offset, WG_SHARED_STRIDE);
    if (found == mask)
        wg_lanes_less(address, address, base, WG_SHARED_STRIDE - 1);
    else
        WG_EACH_LANE(l, found) address[l] = (address[l] - base) % WG_SHARED_STRIDE;
    return found;
}

static void count_apart(const struct wg_warp *w, uint32_t id, enum wg_space space, struct wg_access_seen *a,
                        uint32_t mask, wg_count_access count) {
    const struct wg_block *b = w->block;
    bool offsets = space == WG_S_SHARED || space == WG_S_CLUSTER;
    uint32_t lanes[WG_PLACES] = {0}, own = 0, shared = 0;
    if (space != WG_S_LOCAL)
        shared = find_shared(b, offsets ? 0 : (uint64_t)(uintptr_t)b->cluster_shared, mask, a->address, &own);
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
        wg_lanes_less(a.address, address, minus, UINT64_MAX);
        count_apart(w, id, space, &a, mask, count);
    }
}

/* ---- the same, where the addresses lie ---- */

struct parts {
    const struct wg_warp *w;
    const uint64_t *address;
    uint32_t first; /* the access's first site */
    uint32_t n;
    struct wg_lanes_access v[WG_LANES_PARTS];
};

/* The lanes of the mask, at address - minus. */
static struct wg_lanes_access *add_part(struct parts *p, uint32_t site, uint32_t mask, uint64_t minus) {
    const struct wg_site *s = &p->w->tally->of->v[site];
    struct wg_lanes_access *a = &p->v[p->n++];
    a->lanes.address = p->address;
    a->lanes.minus = minus - (uint64_t)(int64_t)s->shift;
    wg_site_lanes(s, site, mask, a);
    return a;
}

/* The cluster's shared memory: its own sites are the first and the next. False: some lanes are elsewhere. */
static bool add_shared(struct parts *p, uint32_t first, uint32_t mask, int64_t shift) {
    const struct wg_block *b = p->w->block;
    uint64_t base = (uint64_t)(uintptr_t)b->cluster_shared, from = base - (uint64_t)shift;
    uint64_t ranks = b->cluster_nctarank ? b->cluster_nctarank : 1;
    uint32_t own = mask & wg_lanes_within(p->address, from + b->shared_offset, WG_SHARED_STRIDE);
    if (own) add_part(p, first, own, base)->bits = WG_SHARED_STRIDE - 1;
    if (own == mask) return true;
    if (mask & ~wg_lanes_within(p->address, from, ranks * WG_SHARED_STRIDE)) return false;
    add_part(p, first + 1, mask & ~own, base)->bits = WG_SHARED_STRIDE - 1;
    return true;
}

static void add_local(struct parts *p, uint32_t site, uint32_t mask) {
    struct wg_lanes_access *a = add_part(p, site, mask, 0);
    a->local = (uint64_t)(uintptr_t)p->w->local;
    a->local_bytes = p->w->local_stride;
}

/* Generic addresses, which are mostly all in one memory. */
static bool add_generic(struct parts *p, uint32_t mask, int64_t shift) {
    const struct wg_warp *w = p->w;
    uint64_t shared = (uint64_t)(uintptr_t)w->block->cluster_shared - (uint64_t)shift,
             local = (uint64_t)(uintptr_t)w->local - (uint64_t)shift;
    uint64_t ranks = w->block->cluster_nctarank ? w->block->cluster_nctarank : 1;
    if (mask & wg_lanes_within(p->address, shared, ranks * WG_SHARED_STRIDE))
        return add_shared(p, p->first + WG_PLACE_SHARED, mask, shift);
    if (w->local && (mask & wg_lanes_within(p->address, local, WG_LANES * w->local_stride)))
        add_local(p, p->first + WG_PLACE_LOCAL, mask);
    else
        add_part(p, p->first + WG_PLACE_GLOBAL, mask, 0);
    return true;
}

bool wg_count_in_place(const struct wg_warp *w, uint32_t id, enum wg_space space, const uint64_t address[32],
                       uint32_t mask) {
    const struct wg_sites *of = w->tally->of;
    struct parts p; /* not cleared: this is for each access */
    const struct wg_site *s = &of->v[of->memory[id]];
    uint64_t window = (uint64_t)(uintptr_t)w->block->cluster_shared;
    bool found = true;
    if (s->also || s->class == WG_CLASS_constant) return false;
    p.w = w;
    p.address = address;
    p.first = of->memory[id];
    p.n = 0;
    switch (space) {
    case WG_S_GLOBAL: add_part(&p, p.first, mask, 0); break;
    case WG_S_SHARED: add_part(&p, p.first, mask, window + w->block->shared_offset); break;
    case WG_S_CLUSTER: found = add_shared(&p, p.first, mask, s->shift); break;
    case WG_S_LOCAL:
        if (!w->local) return false;
        add_local(&p, p.first, mask);
        break;
    case WG_S_GENERIC: found = add_generic(&p, mask, s->shift); break;
    default: return false;
    }
    const struct wg_access_of which = {wg_block_index(w->block), ++w->tally->order, w->id};
    return found && wg_tally_lanes(w->tally, p.v, p.n, &which);
}
