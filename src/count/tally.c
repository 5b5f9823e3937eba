/* See tally.h. */
#include "count/tally.h"
#include "base/arena.h"
#include "count/fast.h"
#include "model/banks.h"
#include "model/coalesce.h"
#include <stdlib.h>
#include <string.h>

struct wg_tally *wg_tally_new(const struct wg_sites *of, uint32_t nunits, uint32_t nsites) {
    struct wg_tally *t = wg_xcalloc(1, sizeof *t + nunits * sizeof *t->units);
    t->of = of;
    t->nunits = nunits;
    t->nsites = nsites;
    t->sites = wg_xcalloc(nsites ? nsites : 1, sizeof *t->sites);
    return t;
}

void wg_tally_free(struct wg_tally *t) {
    if (!t) return;
    if (t->own) t->free_own(t->own);
    wg_scratch_free(t->scratch);
    free(t->sites);
    free(t);
}

/* ---- what an access costs ---- */

static void global_cost(const struct wg_access_seen *a, struct wg_counts *r) {
    struct wg_global_cost c = wg_coalesce(a->address, a->mask, a->bytes);
    bool turns = a->class == WG_CLASS_global_atomic || a->class == WG_CLASS_global_reduction;
    r->v[WG_C_sectors] = c.sectors;
    r->v[WG_C_l1_sectors] = turns ? wg_coalesce_rounds(a->address, a->mask) : c.sectors;
    r->v[WG_C_ideal_sectors] = c.ideal_sectors;
    r->v[WG_C_tags] = c.lines;
}

/* Words of a lane are interleaved with those of the other lanes (analysis/places.c): each is a row. */
static void local_cost(const struct wg_access_seen *a, struct wg_counts *r) {
    enum { WORD = 4, ROW = 32 * WORD };
    uint64_t address[32];
    uint32_t words = a->bytes > WORD ? a->bytes / WORD : 1;
    memcpy(address, a->address, sizeof address);
    for (uint32_t k = 0; k < words; k++) {
        struct wg_global_cost c = wg_coalesce(address, a->mask, a->bytes < WORD ? a->bytes : WORD);
        r->v[WG_C_sectors] += c.sectors;
        r->v[WG_C_l1_sectors] += c.sectors;
        r->v[WG_C_ideal_sectors] += c.ideal_sectors;
        r->v[WG_C_tags] += c.lines;
        for (int l = 0; l < 32; l++) address[l] += ROW;
    }
}

static enum wg_shared_kind shared_kind(uint8_t class) {
    switch (class) {
    case WG_CLASS_shared_load:
    case WG_CLASS_dsmem_load: return WG_SHARED_LOAD;
    case WG_CLASS_shared_store:
    case WG_CLASS_matrix_load: /* rows that are one are not read as one */
    case WG_CLASS_matrix_store:
    case WG_CLASS_dsmem_store: return WG_SHARED_STORE;
    case WG_CLASS_shared_reduction: return WG_SHARED_INCREMENT;
    default: return WG_SHARED_ATOMIC;
    }
}

static void shared_cost(const struct wg_access_seen *a, struct wg_counts *r) {
    uint32_t offset[32];
    for (int l = 0; l < 32; l++) offset[l] = (uint32_t)a->address[l];
    struct wg_shared_cost c = wg_banks(shared_kind(a->class), offset, a->mask, a->bytes);
    uint32_t passes = a->swap ? 2 : 1;
    r->v[WG_C_wavefronts] = passes * c.wavefronts;
    r->v[WG_C_ideal_wavefronts] = passes * c.ideal;
    r->v[WG_C_ways] = (c.wavefronts + c.ideal - 1) / c.ideal;
}

struct wg_counts wg_access_cost(const struct wg_access_seen *a) {
    struct wg_counts r = {{0}};
    r.v[WG_C_requests] = 1;
    r.v[WG_C_bytes_asked] = (uint64_t)__builtin_popcount(a->mask) * a->bytes;
    switch (wg_class_infos[a->class].memory) {
    case WG_MEMORY_GLOBAL: global_cost(a, &r); break;
    case WG_MEMORY_LOCAL: local_cost(a, &r); break;
    case WG_MEMORY_SHARED:
    case WG_MEMORY_REMOTE: shared_cost(a, &r); break;
    default: break;
    }
    return r;
}

static void add_turn(struct wg_counts *to, enum wg_shared_kind kind, const uint32_t offset[32],
                     uint32_t lanes, const struct wg_access_seen *a) {
    struct wg_shared_cost c = wg_banks(kind, offset, lanes, a->bytes);
    uint32_t passes = kind == WG_SHARED_LOAD ? 1 : 2;
    to->v[WG_C_requests]++;
    to->v[WG_C_bytes_asked] += (uint64_t)__builtin_popcount(lanes) * a->bytes;
    to->v[WG_C_wavefronts] += passes * c.wavefronts;
    to->v[WG_C_ideal_wavefronts] += passes * c.wavefronts; /* as the hardware counts it */
    to->v[WG_C_ways] = 1;
}

void wg_loop_cost(const struct wg_access_seen *a, struct wg_counts cost[2]) {
    uint32_t offset[32];
    for (int l = 0; l < 32; l++) offset[l] = (uint32_t)a->address[l];
    memset(cost, 0, 2 * sizeof *cost);
    for (uint32_t left = a->mask; left;) {
        uint32_t done = 0;
        add_turn(&cost[0], WG_SHARED_LOAD, offset, left, a);
        add_turn(&cost[1], WG_SHARED_STORE, offset, left, a);
        for (uint32_t l = 0; l < 32; l++) { /* the lowest lane of each word */
            bool first = left >> l & 1;
            for (uint32_t k = 0; k < l && first; k++) first = !(done >> k & 1) || offset[k] != offset[l];
            done |= (uint32_t)first << l;
        }
        left &= ~done;
    }
}

/* ---- samples ---- */

static void take(struct wg_sample *s, const struct wg_access_seen *a, uint32_t cost) {
    *s = (struct wg_sample){
        .taken = true, .cost = cost, .mask = a->mask, .warp = a->warp, .block = a->block, .order = a->order};
    for (int l = 0; l < 32; l++) s->address[l] = a->mask >> l & 1 ? a->address[l] : 0;
}

static bool before(uint64_t block, uint64_t order, const struct wg_sample *s) {
    return wg_sample_is_after(s, &(struct wg_access_of){.block = block, .order = order});
}

static void count(struct wg_site_tally *s, const struct wg_access_seen *a, struct wg_counts r,
                  uint64_t times) {
    uint64_t most = r.v[WG_C_sectors] > r.v[WG_C_wavefronts] ? r.v[WG_C_sectors] : r.v[WG_C_wavefronts];
    uint32_t cost = (uint32_t)most;
    for (int c = 0; c < WG_ACCESS_COUNTERS; c++) {
        uint64_t *sum = &s->counts.v[c];
        if (!wg_counter_infos[c].most)
            *sum += r.v[c] * times;
        else if (r.v[c] > *sum)
            *sum = r.v[c];
    }
    if (before(a->block, a->order, &s->first)) take(&s->first, a, cost);
    if (!s->worst.taken || cost > s->worst.cost ||
        (cost == s->worst.cost && before(a->block, a->order, &s->worst)))
        take(&s->worst, a, cost);
}

void wg_tally_accesses(struct wg_site_tally *s, const struct wg_access_seen *a, uint64_t times) {
    count(s, a, wg_access_cost(a), times);
}

void wg_tally_counted(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a,
                      const struct wg_counts *cost) {
    count(&t->sites[site], a, *cost, 1);
}

void wg_tally_access(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a) {
    wg_tally_accesses(&t->sites[site], a, 1);
}

void wg_site_merge(struct wg_site_tally *to, const struct wg_site_tally *from) {
    const struct wg_sample *f = &from->first, *w = &from->worst;
    wg_counts_add(&to->counts, &from->counts);
    if (f->taken && before(f->block, f->order, &to->first)) to->first = *f;
    if (w->taken &&
        (w->cost > to->worst.cost || (w->cost == to->worst.cost && before(w->block, w->order, &to->worst))))
        to->worst = *w;
}
