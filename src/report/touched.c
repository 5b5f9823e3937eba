/* See touched.h. */
#include "report/touched.h"
#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32 };

enum wg_touching wg_touching(enum wg_class class) {
    switch (class) {
    case WG_CLASS_global_load:
    case WG_CLASS_bulk_load:
    case WG_CLASS_async_load: return WG_TOUCHES_LOADS;
    case WG_CLASS_global_store:
    case WG_CLASS_bulk_store: return WG_TOUCHES_STORES;
    case WG_CLASS_global_atomic:
    case WG_CLASS_bulk_reduction:
    case WG_CLASS_global_reduction: return WG_TOUCHES_ATOMICS;
    default: return WG_TOUCHES_NOTHING;
    }
}

/* A sector as one warp came to it, and for each sort of access how often the site ran that did, plus one; the one that ran
 * most often. */
struct visit {
    uint64_t sector, most[WG_TOUCHES_NOTHING];
    const struct wg_recorded *by; /* NULL: a free place */
};

struct visits {
    struct visit *v;
    size_t mask;
};

static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

static bool same_warp(const struct wg_recorded *a, const struct wg_recorded *b) {
    return a->allocation == b->allocation && a->warp == b->warp &&
           !memcmp(a->block, b->block, sizeof a->block);
}

/* Its place, which is made if there is none. */
static struct visit *visit(struct visits *all, const struct wg_recorded *r, uint64_t sector) {
    uint64_t h = mix(mix(sector, r->allocation), r->warp);
    for (int d = 0; d < 3; d++) h = mix(h, r->block[d]);
    size_t at = h & all->mask;
    while (all->v[at].by && (all->v[at].sector != sector || !same_warp(all->v[at].by, r)))
        at = (at + 1) & all->mask;
    if (!all->v[at].by) all->v[at] = (struct visit){.sector = sector, .by = r};
    return &all->v[at];
}

/* Whether an earlier access that ran as often touched it: loads find again what was loaded or stored, others what their
 * own sort touched. */
static bool was_touched(const struct visit *v, enum wg_touching sort, uint64_t times) {
    return v->most[sort] > times || (sort == WG_TOUCHES_LOADS && v->most[WG_TOUCHES_STORES] > times);
}

static void touch(struct visits *all, const struct wg_recorded *r, const struct wg_counts *c,
                  struct wg_touched_site *of) {
    uint64_t times = c->v[WG_C_instructions];
    uint32_t lanes = 0, found = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (!(r->lanes >> lane & 1)) continue;
        lanes++;
        found += r->allocation && was_touched(visit(all, r, r->address[lane] / SECTOR), of->sort, times);
    }
    if (lanes) of->sectors *= 1 - (double)found / lanes;
    for (uint32_t lane = 0; r->allocation && lane < 32; lane++) {
        if (!(r->lanes >> lane & 1)) continue;
        struct visit *v = visit(all, r, r->address[lane] / SECTOR);
        if (v->most[of->sort] <= times) v->most[of->sort] = times + 1;
    }
}

/* first[s]: the first recorded access of l->sites[s], or NULL. */
static void find_first(const struct wg_profile_kernel *k, const struct wg_launch *l,
                       const struct wg_recorded **first, struct wg_touched *t) {
    uint32_t *at = wg_xcalloc(k->site_count + 1, sizeof *at);
    for (uint32_t s = l->site_count; s-- > 0;) at[l->sites[s].site] = s + 1;
    for (uint32_t i = 0; i < l->sample_count; i++) {
        const struct wg_recorded *r = &l->samples[i];
        uint32_t s = r->site < k->site_count ? at[r->site] : 0;
        if (!s) continue;
        if (!first[s - 1]) first[s - 1] = r;
        if (!t->of[s - 1].allocation) t->of[s - 1].allocation = r->allocation;
    }
    free(at);
}

struct wg_touched wg_touched_find(const struct wg_profile_kernel *k, const struct wg_launch *l) {
    struct wg_touched t = {wg_xcalloc(l->site_count + 1, sizeof *t.of)};
    const struct wg_recorded **first = wg_xcalloc(l->site_count + 1, sizeof *first);
    find_first(k, l, first, &t);
    struct visits all = {.mask = 64};
    while (all.mask < (size_t)l->site_count * 64) all.mask *= 2; /* half of it stays free */
    all.v = wg_xcalloc(all.mask--, sizeof *all.v);
    for (uint32_t s = 0; s < l->site_count; s++) {
        const struct wg_counts *c = &l->sites[s].counts;
        t.of[s].sort = wg_touching(k->sites[l->sites[s].site].class);
        t.of[s].sectors = (double)c->v[WG_C_sectors];
        if (first[s] && t.of[s].sort != WG_TOUCHES_NOTHING) touch(&all, first[s], c, &t.of[s]);
    }
    free(all.v);
    free(first);
    return t;
}

void wg_touched_free(struct wg_touched *t) { free(t->of); }
