/* Fast cost model: see fast.h.
 *
 * Distinct sectors, lines and words are found with small hash tables that persist from access to access: a
 * key includes the access's number, so nothing has to be cleared. Data-dependent decisions are arithmetic,
 * not branches, because every other branch on irregular addresses would be mispredicted.
 *
 * Serialized lanes (reductions): a word that m lanes access is in m rounds, and each round counts each of its
 * sectors once, so a sector counts as often as its most contended word.
 */
#include "count/fast.h"
#include "base/arena.h"
#include "base/cpu.h"
#include "base/lanes.h"
#include "count/narrow.h"
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256, SLOT_BITS = 8, SECTOR_SHIFT = 5, LINE_SHIFT = 7, WORD_SHIFT = 2, SECTOR = 32 };
enum { BANKS = 32, WORD = 4, WAVEFRONT_BYTES = BANKS * WORD, UNIT_BITS = 46 };

struct cost {
    uint32_t sectors, l1_sectors, tags, ideal_sectors, wavefronts, ideal_wavefronts;
};

struct wg_scratch {
    bool vector;                    /* lanes.h can be used */
    const struct wg_narrow *narrow; /* NULL: cannot be used */
    uint64_t access;                /* 1 .. 2^18 - 1 */
    uint64_t sectors[SLOTS], lines[SLOTS], words[SLOTS];
    uint8_t wanted[SLOTS], most[SLOTS]; /* of words, of sectors' words */
};

/* The slot of the key, or the free one to insert it in. At most 32 keys of one access, so there is room. */
static inline uint32_t slot_of(const uint64_t keys[SLOTS], uint64_t key) {
    uint64_t unit = key & ((UINT64_C(1) << UNIT_BITS) - 1);
    uint32_t at = (uint32_t)(unit * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
    /* One test of both: which of them ends the search is unpredictable. */
    while ((keys[at] != key) & (keys[at] >> UNIT_BITS == key >> UNIT_BITS)) at = (at + 1) % SLOTS;
    return at;
}

/* Inserts the key; 1 if it was new. */
static inline uint32_t put(uint64_t keys[SLOTS], uint32_t at, uint64_t key) {
    uint32_t fresh = keys[at] != key;
    keys[at] = key;
    return fresh;
}

static uint64_t begin(struct wg_scratch *x) {
    if (++x->access >> (64 - UNIT_BITS)) {
        memset(x->sectors, 0, sizeof x->sectors);
        memset(x->lines, 0, sizeof x->lines);
        memset(x->words, 0, sizeof x->words);
        x->access = 1;
    }
    return x->access << UNIT_BITS;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t lanes_of(uint32_t mask) {
    mask -= mask >> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

static void global_by_tables(struct wg_scratch *x, const struct wg_lanes *a, bool turns,
                             struct wg_lanes_global *g) {
    *g = (struct wg_lanes_global){0};
    uint64_t mark = begin(x), units = (UINT64_C(1) << UNIT_BITS) - 1;
    WG_EACH_LANE(l, a->mask) {
        uint64_t word = (a->address[l] - a->minus) >> WORD_SHIFT & units;
        uint64_t sector = mark | word >> (SECTOR_SHIFT - WORD_SHIFT),
                 line = mark | word >> (LINE_SHIFT - WORD_SHIFT);
        uint32_t s = slot_of(x->sectors, sector);
        uint32_t fresh = put(x->sectors, s, sector);
        g->sectors += fresh;
        g->lines += put(x->lines, slot_of(x->lines, line), line);
        if (!turns) continue;
        uint32_t w = slot_of(x->words, mark | word);
        uint32_t known = 1 - put(x->words, w, mark | word);
        uint8_t wanted = (uint8_t)(x->wanted[w] * known + 1), most = (uint8_t)(x->most[s] * (1 - fresh));
        uint32_t more = wanted > most;
        x->wanted[w] = wanted;
        x->most[s] = (uint8_t)(most + more);
        g->turns += more;
    }
    if (!turns) g->turns = g->sectors;
}

static void take(const struct wg_lanes_global *g, uint32_t lanes, uint32_t bytes, struct cost *c) {
    c->sectors = g->sectors;
    c->tags = g->lines;
    c->l1_sectors = g->turns;
    c->ideal_sectors = least((lanes * bytes + SECTOR - 1) / SECTOR, c->sectors);
}

static void global_cost(struct wg_scratch *x, const struct wg_lanes *a, uint32_t bytes, bool turns,
                        struct cost *c) {
    struct wg_lanes_global g;
    if (!(x->narrow && x->narrow->global(a, turns, &g)) && !(x->vector && wg_lanes_global(a, turns, &g)))
        global_by_tables(x, a, turns, &g);
    take(&g, lanes_of(a->mask), bytes, c);
}

static uint32_t wavefronts_by_tables(struct wg_scratch *x, const struct wg_lanes *a, uint32_t bits,
                                     bool merge) {
    uint8_t n[BANKS] = {0};
    uint32_t most = 0;
    uint64_t mark = begin(x);
    WG_EACH_LANE(l, a->mask) {
        uint32_t word = ((uint32_t)(a->address[l] - a->minus) & bits) / WORD, b = word % BANKS, more = 1;
        if (merge) more = put(x->words, slot_of(x->words, mark | word), mark | word);
        n[b] = (uint8_t)(n[b] + more);
        most = most > n[b] ? most : n[b];
    }
    return most;
}

/* Elements of at most a word. */
static void word_wavefronts(struct wg_scratch *x, const struct wg_lanes_access *a, bool merge,
                            struct cost *c) {
    uint32_t most;
    if (!x->vector)
        most = wavefronts_by_tables(x, &a->lanes, a->bits, merge);
    else if (!merge || !x->narrow || !x->narrow->wavefronts(&a->lanes, a->bits, &most))
        most = wg_lanes_wavefronts(&a->lanes, a->bits, merge);
    c->wavefronts = most;
    c->ideal_wavefronts =
        least((lanes_of(a->lanes.mask) * a->bytes + WAVEFRONT_BYTES - 1) / WAVEFRONT_BYTES, most);
}

/* Each word of a lane is in another row (tally.c), where the lanes lie alike. False: a lane is elsewhere. */
static bool local_cost(struct wg_scratch *x, const struct wg_lanes_access *a, struct cost *c) {
    uint32_t rows = a->bytes > WORD ? a->bytes / WORD : 1, bytes = a->bytes / rows;
    struct wg_lanes_global g;
    if (!a->local_bytes) {
        global_cost(x, &a->lanes, bytes, false, c);
    } else {
        if (!x->narrow || !x->narrow->local(&a->lanes, a->local, a->local_bytes, &g)) return false;
        take(&g, lanes_of(a->lanes.mask), bytes, c);
    }
    c->sectors *= rows;
    c->l1_sectors *= rows;
    c->tags *= rows;
    c->ideal_sectors *= rows;
    return true;
}

/* False: the general way has to do. */
static bool find_cost(struct wg_scratch *x, const struct wg_lanes_access *a, struct cost *c) {
    bool merge = true;
    if (a->swap) return false;
    switch (a->class) {
    case WG_CLASS_global_load:
    case WG_CLASS_global_store: global_cost(x, &a->lanes, a->bytes, false, c); return true;
    case WG_CLASS_local_load:
    case WG_CLASS_local_store: return local_cost(x, a, c);
    case WG_CLASS_global_atomic:
    case WG_CLASS_global_reduction:
        if (a->bytes < WORD) return false; /* neighbours in one word are not serialized */
        global_cost(x, &a->lanes, a->bytes, true, c);
        return true;
    case WG_CLASS_shared_atomic:
    case WG_CLASS_dsmem_atomic: merge = false; /* fall through */
    case WG_CLASS_shared_load:
    case WG_CLASS_shared_store:
    case WG_CLASS_shared_reduction:
    case WG_CLASS_dsmem_load:
    case WG_CLASS_dsmem_store:
        if (a->bytes > WORD) return false;
        word_wavefronts(x, a, merge, c);
        return true;
    default: return false;
    }
}

static struct wg_scratch *scratch_of(struct wg_tally *t) {
    if (!t->scratch) {
        t->scratch = wg_xcalloc(1, sizeof *t->scratch);
        t->scratch->vector = wg_lanes_usable();
        t->scratch->narrow = wg_narrow_for(wg_cpu_vector_bits());
    }
    return t->scratch;
}

static bool is_sample(const struct wg_site_tally *s, uint64_t block, const struct cost *c) {
    uint32_t cost = c->sectors > c->wavefronts ? c->sectors : c->wavefronts;
    return !s->first.taken || block < s->first.block || cost > s->worst.cost ||
           (cost == s->worst.cost && block < s->worst.block);
}

static void add(struct wg_site_tally *s, const struct wg_lanes_access *a, const struct cost *c) {
    uint64_t *v = s->counts.v;
    v[WG_C_requests]++;
    v[WG_C_bytes_asked] += (uint64_t)lanes_of(a->lanes.mask) * a->bytes;
    v[WG_C_sectors] += c->sectors;
    v[WG_C_l1_sectors] += c->l1_sectors;
    v[WG_C_tags] += c->tags;
    v[WG_C_ideal_sectors] += c->ideal_sectors;
    v[WG_C_wavefronts] += c->wavefronts;
    v[WG_C_ideal_wavefronts] += c->ideal_wavefronts;
    if (c->wavefronts > v[WG_C_ways] * c->ideal_wavefronts)
        v[WG_C_ways] = (c->wavefronts + c->ideal_wavefronts - 1) / c->ideal_wavefronts;
}

bool wg_tally_lanes(struct wg_tally *t, const struct wg_lanes_access *parts, uint32_t n, uint64_t block) {
    struct wg_scratch *x = scratch_of(t);
    struct cost c[WG_LANES_PARTS] = {{0}};
    for (uint32_t i = 0; i < n; i++)
        if (!find_cost(x, &parts[i], &c[i]) || is_sample(&t->sites[parts[i].site], block, &c[i]))
            return false;
    for (uint32_t i = 0; i < n; i++) add(&t->sites[parts[i].site], &parts[i], &c[i]);
    return true;
}

void wg_tally_access_fast(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a) {
    const struct wg_lanes_access whole = {.lanes = {a->address, 0, a->mask},
                                          .bits = UINT32_MAX,
                                          .site = site,
                                          .class = a->class,
                                          .bytes = a->bytes,
                                          .swap = a->swap};
    if (!wg_tally_lanes(t, &whole, 1, a->block)) wg_tally_access(t, site, a);
}

void wg_scratch_free(struct wg_scratch *x) { free(x); }
