/* Fast cost model: see fast.h.
 *
 * Accesses whose lanes lie close together are put aside, and the costs of 32 of them are found at once (narrow.h). An
 * access may be counted after later ones for that: which of them is a sample hangs on their blocks and order alone.
 *
 * The others are looked at one by one, in vectors (lanes.h), or without such vectors by small hash tables that persist
 * from access to access: a key includes the access's number, so nothing has to be cleared. Data-dependent decisions are
 * arithmetic, not branches, because every other branch on irregular addresses would be mispredicted.
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

/* Accesses whose cost is found later, together (narrow.h). */
struct pending {
    struct wg_batch batch;
    struct access {
        struct wg_access_of of;
        uint32_t site, mask;
        uint8_t class, bytes;
    } v[WG_BATCH];
};

struct wg_scratch {
    bool vector;                    /* lanes.h can be used */
    const struct wg_narrow *narrow; /* NULL: cannot be used */
    struct pending *pending[WG_NUMBERS_KINDS];
    uint64_t access; /* 1 .. 2^18 - 1 */
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
    if (!(x->vector && wg_lanes_global(a, turns, &g))) global_by_tables(x, a, turns, &g);
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

static void shared_cost(uint32_t wavefronts, uint32_t lanes, uint32_t bytes, struct cost *c) {
    c->wavefronts = wavefronts;
    c->ideal_wavefronts = least((lanes * bytes + WAVEFRONT_BYTES - 1) / WAVEFRONT_BYTES, wavefronts);
}

/* Each word of a lane in local memory is in another row (tally.c), where the lanes lie alike. */
static uint32_t rows_of(uint8_t class, uint32_t bytes) {
    bool local = class == WG_CLASS_local_load || class == WG_CLASS_local_store;
    return local && bytes > WORD ? bytes / WORD : 1;
}

static void as_many_rows(uint32_t rows, struct cost *c) {
    c->sectors *= rows;
    c->l1_sectors *= rows;
    c->tags *= rows;
    c->ideal_sectors *= rows;
}

/* By which numbers an access is counted. False: the general way has to do. */
static bool find_numbers(const struct wg_lanes_access *a, enum wg_numbers *n) {
    if (a->swap) return false;
    switch (a->class) {
    case WG_CLASS_global_load:
    case WG_CLASS_global_store: *n = WG_NUMBERS_SECTORS; return true;
    case WG_CLASS_local_load:
    case WG_CLASS_local_store: *n = a->local_bytes ? WG_NUMBERS_LOCAL : WG_NUMBERS_SECTORS; return true;
    case WG_CLASS_global_atomic:
    case WG_CLASS_global_reduction:
        *n = WG_NUMBERS_WORDS;
        return a->bytes >= WORD; /* neighbours in one word are not serialized */
    case WG_CLASS_shared_atomic:
    case WG_CLASS_dsmem_atomic: *n = WG_NUMBERS_BANKS; return a->bytes <= WORD;
    case WG_CLASS_shared_load:
    case WG_CLASS_shared_store:
    case WG_CLASS_shared_reduction:
    case WG_CLASS_dsmem_load:
    case WG_CLASS_dsmem_store: *n = WG_NUMBERS_ROWS; return a->bytes <= WORD;
    default: return false;
    }
}

static void find_cost(struct wg_scratch *x, const struct wg_lanes_access *a, enum wg_numbers numbers,
                      struct cost *c) {
    uint32_t lanes = lanes_of(a->lanes.mask), rows = rows_of(a->class, a->bytes);
    if (numbers == WG_NUMBERS_ROWS || numbers == WG_NUMBERS_BANKS) {
        bool merge = numbers == WG_NUMBERS_ROWS;
        shared_cost(x->vector ? wg_lanes_wavefronts(&a->lanes, a->bits, merge)
                              : wavefronts_by_tables(x, &a->lanes, a->bits, merge),
                    lanes, a->bytes, c);
        return;
    }
    global_cost(x, &a->lanes, a->bytes / rows, numbers == WG_NUMBERS_WORDS, c);
    as_many_rows(rows, c);
}

static struct wg_scratch *new_scratch(void) {
    struct wg_scratch *x = wg_xcalloc(1, sizeof *x);
    x->vector = wg_lanes_usable();
    x->narrow = wg_narrow_for(wg_cpu_vector_bits());
    return x;
}

static bool is_sample(const struct wg_site_tally *s, const struct wg_access_of *of, const struct cost *c) {
    uint32_t cost = c->sectors > c->wavefronts ? c->sectors : c->wavefronts;
    return wg_sample_is_after(&s->first, of) || cost > s->worst.cost ||
           (cost == s->worst.cost && wg_sample_is_after(&s->worst, of));
}

/* What accesses of a site cost together. */
struct sum {
    struct cost cost;
    uint32_t requests, bytes_asked;
};

static void add(struct wg_site_tally *s, const struct sum *x) {
    uint64_t *v = s->counts.v;
    v[WG_C_requests] += x->requests;
    v[WG_C_bytes_asked] += x->bytes_asked;
    v[WG_C_sectors] += x->cost.sectors;
    v[WG_C_l1_sectors] += x->cost.l1_sectors;
    v[WG_C_tags] += x->cost.tags;
    v[WG_C_ideal_sectors] += x->cost.ideal_sectors;
    v[WG_C_wavefronts] += x->cost.wavefronts;
    v[WG_C_ideal_wavefronts] += x->cost.ideal_wavefronts;
}

static void note_ways(struct wg_site_tally *s, const struct cost *c) {
    uint64_t *ways = &s->counts.v[WG_C_ways];
    if (c->wavefronts > *ways * c->ideal_wavefronts)
        *ways = (c->wavefronts + c->ideal_wavefronts - 1) / c->ideal_wavefronts;
}

static inline void sum_up(struct sum *x, const struct cost *c, uint32_t bytes_asked) {
    x->requests++;
    x->bytes_asked += bytes_asked;
    x->cost.sectors += c->sectors;
    x->cost.l1_sectors += c->l1_sectors;
    x->cost.tags += c->tags;
    x->cost.ideal_sectors += c->ideal_sectors;
    x->cost.wavefronts += c->wavefronts;
    x->cost.ideal_wavefronts += c->ideal_wavefronts;
}

static void add_one(struct wg_site_tally *s, const struct cost *c, uint32_t bytes_asked) {
    struct sum x = {0};
    note_ways(s, c);
    sum_up(&x, c, bytes_asked);
    add(s, &x);
}

/* ---- later, together ---- */

static void cost_of(const struct wg_batch_costs *all, uint32_t i, enum wg_numbers numbers, uint32_t lanes,
                    const struct access *a, struct cost *c) {
    if (numbers == WG_NUMBERS_ROWS || numbers == WG_NUMBERS_BANKS) {
        shared_cost(all->wavefronts[i], lanes, a->bytes, c);
        return;
    }
    uint32_t rows = rows_of(a->class, a->bytes);
    take(&(struct wg_lanes_global){all->sectors[i], all->lines[i], all->turns[i]}, lanes, a->bytes / rows, c);
    as_many_rows(rows, c);
}

/* The access as the general way has it. */
static void count_sample(struct wg_tally *t, const struct pending *p, uint32_t i, enum wg_numbers numbers) {
    enum { ROW = 32 * WORD };
    const struct access *a = &p->v[i];
    struct wg_access_seen seen = {.block = a->of.block,
                                  .warp = a->of.warp,
                                  .order = a->of.order,
                                  .mask = a->mask,
                                  .class = a->class,
                                  .bytes = a->bytes};
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t low = p->batch.low[i][l];
        seen.address[l] =
            numbers == WG_NUMBERS_LOCAL ? low / WORD * ROW + l * WORD + low % WORD : p->batch.from[i] + low;
    }
    wg_tally_access(t, a->site, &seen);
}

static void settle(struct wg_tally *t, enum wg_numbers numbers) {
    struct wg_scratch *x = t->scratch;
    struct pending *p = x->pending[numbers];
    struct wg_batch_costs costs;
    struct sum sum = {0};
    x->narrow->costs(&p->batch, numbers, &costs);
    for (uint32_t i = 0; i < p->batch.n; i++) {
        const struct access *a = &p->v[i];
        struct wg_site_tally *s = &t->sites[a->site];
        uint32_t lanes = 32u - p->batch.off[i];
        struct cost c = {0};
        cost_of(&costs, i, numbers, lanes, a, &c);
        if (is_sample(s, &a->of, &c)) {
            count_sample(t, p, i, numbers);
        } else {
            note_ways(s, &c);
            sum_up(&sum, &c, lanes * a->bytes);
        }
        if (i + 1 < p->batch.n && a[1].site == a->site) continue;
        add(s, &sum);
        sum = (struct sum){0};
    }
    p->batch.n = 0;
}

void wg_tally_settle(struct wg_tally *t) {
    for (int i = 0; i < WG_NUMBERS_KINDS && t->scratch; i++)
        if (t->scratch->pending[i]) settle(t, (enum wg_numbers)i);
}

static struct pending *pending_of(struct wg_scratch *x, enum wg_numbers numbers) {
    if (!x->pending[numbers]) {
        x->pending[numbers] = wg_xaligned(_Alignof(struct pending), sizeof(struct pending));
        memset(x->pending[numbers], 0, sizeof(struct pending));
    }
    return x->pending[numbers];
}

/* False: its lanes are too far apart. */
static bool put_off(struct wg_tally *t, const struct wg_lanes_access *a, enum wg_numbers numbers,
                    const struct wg_access_of *of) {
    const struct wg_narrow *narrow = t->scratch->narrow;
    struct pending *p = pending_of(t->scratch, numbers);
    struct wg_batch *b = &p->batch;
    bool done;
    switch (numbers) {
    case WG_NUMBERS_LOCAL: done = narrow->local(&a->lanes, a->local, a->local_bytes, b); break;
    case WG_NUMBERS_ROWS:
    case WG_NUMBERS_BANKS: done = narrow->shared(&a->lanes, a->bits, numbers == WG_NUMBERS_ROWS, b); break;
    default: done = narrow->global(&a->lanes, numbers == WG_NUMBERS_WORDS, b);
    }
    if (!done) return false;
    p->v[b->n++] = (struct access){*of, a->site, a->lanes.mask, a->class, a->bytes};
    if (b->n == WG_BATCH) settle(t, numbers);
    return true;
}

/* ---- an access ---- */

static void count_by_model(struct wg_tally *t, const struct wg_lanes_access *a,
                           const struct wg_access_of *of) {
    struct wg_access_seen seen = {.block = of->block,
                                  .warp = of->warp,
                                  .order = of->order,
                                  .mask = a->lanes.mask,
                                  .class = a->class,
                                  .bytes = a->bytes};
    wg_lanes_less(seen.address, a->lanes.address, a->lanes.minus,
                  a->bits == UINT32_MAX ? UINT64_MAX : a->bits);
    wg_tally_access(t, a->site, &seen);
}

static bool count_part(struct wg_tally *t, const struct wg_lanes_access *a, enum wg_numbers numbers,
                       const struct wg_access_of *of) {
    struct wg_scratch *x = t->scratch;
    struct cost c = {0};
    if (x->narrow && put_off(t, a, numbers, of)) return true;
    if (numbers == WG_NUMBERS_LOCAL) return false;
    find_cost(x, a, numbers, &c);
    if (is_sample(&t->sites[a->site], of, &c))
        count_by_model(t, a, of);
    else
        add_one(&t->sites[a->site], &c, lanes_of(a->lanes.mask) * a->bytes);
    return true;
}

bool wg_tally_lanes(struct wg_tally *t, const struct wg_lanes_access *parts, uint32_t n,
                    const struct wg_access_of *of) {
    enum wg_numbers numbers[WG_LANES_PARTS];
    if (!t->scratch) t->scratch = new_scratch();
    for (uint32_t i = 0; i < n; i++)
        if (!find_numbers(&parts[i], &numbers[i])) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!count_part(t, &parts[i], numbers[i], of)) return false; /* local memory: a part alone */
    return true;
}

void wg_tally_access_fast(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a) {
    const struct wg_lanes_access whole = {.lanes = {a->address, 0, a->mask},
                                          .bits = UINT32_MAX,
                                          .site = site,
                                          .class = a->class,
                                          .bytes = a->bytes,
                                          .swap = a->swap};
    if (!wg_tally_lanes(t, &whole, 1, &(struct wg_access_of){a->block, a->order, a->warp}))
        wg_tally_access(t, site, a);
}

void wg_scratch_free(struct wg_scratch *x) {
    for (int i = 0; i < WG_NUMBERS_KINDS && x; i++) free(x->pending[i]);
    free(x);
}
