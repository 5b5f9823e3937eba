/* Order by fences and flags: what a thread did before a fence, and then an atomic or volatile store, is
 * ordered before what follows an atomic or volatile load of that address.
 *
 * A release is remembered once (struct release) and has a number; what an address, or a block, has heard of
 * is a set of numbers. Blocks that hand something on from one to the next, or that all add to one counter,
 * make sets that are one interval, so that 65536 blocks cost no more than two. A set that falls into too many
 * intervals takes in the smallest gaps: that orders more than there is, and finds less, but nothing wrong.
 *
 * Lenient on purpose: no fence is asked for behind a load (a barrier follows in correct code) that does not
 * call itself relaxed and takes no lock, and of one that does not inside the block; a fence by another thread of the block
 * counts for its own writes; a store does not end what earlier ones released.
 */
#include "check/race/race_state.h"
#include <stdlib.h>
#include <string.h>

static inline uint32_t lowest(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t highest(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* ---- sets ---- */

void race_set_clear(struct set *s) {
    free(s->at);
    *s = (struct set){0};
}

/* The first span that ends at or behind `x`. */
static uint32_t find(const struct set *s, uint32_t x) {
    uint32_t from = 0, to = s->n;
    while (from < to) {
        uint32_t mid = (from + to) / 2;
        if (s->at[mid].to < x)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

static bool has(const struct set *s, struct span x) {
    uint32_t i = find(s, x.from);
    return i < s->n && s->at[i].from <= x.from && x.to <= s->at[i].to;
}

static void close_smallest_gap(struct set *s) {
    uint32_t best = 0;
    for (uint32_t i = 1; i + 1 < s->n; i++)
        if (s->at[i + 1].from - s->at[i].to < s->at[best + 1].from - s->at[best].to) best = i;
    s->at[best].to = s->at[best + 1].to;
    memmove(s->at + best + 1, s->at + best + 2, (s->n - best - 2) * sizeof *s->at);
    s->n--;
}

static void add(struct set *s, struct span x) {
    if (!s->at) s->at = wg_xcalloc(SET_MOST + 1, sizeof *s->at);
    uint32_t i = find(s, x.from ? x.from - 1 : 0), k = i; /* touching spans become one */
    while (k < s->n && s->at[k].from <= x.to + 1) {
        x.from = lowest(x.from, s->at[k].from);
        x.to = highest(x.to, s->at[k].to);
        k++;
    }
    memmove(s->at + i + 1, s->at + k, (s->n - k) * sizeof *s->at);
    s->n = s->n - (k - i) + 1;
    s->at[i] = x;
    if (s->n > SET_MOST) close_smallest_gap(s);
}

static bool has_all(const struct set *s, const struct set *x) {
    for (uint32_t i = 0; i < x->n; i++)
        if (!has(s, x->at[i])) return false;
    return true;
}

static void add_all(struct set *s, const struct set *x) {
    for (uint32_t i = 0; i < x->n; i++) add(s, x->at[i]);
}

/* ---- addresses ---- */

enum { WINDOWS_SHIFT = 23 }; /* the shared memory of a cluster takes less */

uint64_t race_windows_of(const struct wg_race_block *b) {
    uint64_t first = b->peers && b->peers[0] ? b->peers[0]->block : b->block;
    return UINT64_C(1) << 63 | first << WINDOWS_SHIFT;
}

static uint32_t slot_of(const struct meeting *m, uint64_t address) {
    uint32_t mask = m->slots - 1, i = (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;
    while (m->signals[i].address && m->signals[i].address != address) i = (i + 1) & mask;
    return i;
}

static struct signal *find_signal(const struct meeting *m, uint64_t address) {
    if (!m->nsignals) return NULL;
    struct signal *s = &m->signals[slot_of(m, address)];
    return s->address ? s : NULL;
}

static struct signal *make_signal(struct meeting *m, uint64_t address) {
    if (m->nsignals * 2 >= m->slots) {
        struct meeting grown = {.slots = m->slots ? m->slots * 2 : 16};
        grown.signals = wg_xcalloc(grown.slots, sizeof *grown.signals);
        for (uint32_t i = 0; i < m->slots; i++)
            if (m->signals[i].address) grown.signals[slot_of(&grown, m->signals[i].address)] = m->signals[i];
        free(m->signals);
        m->signals = grown.signals;
        m->slots = grown.slots;
    }
    struct signal *s = &m->signals[slot_of(m, address)];
    if (!s->address) m->nsignals++;
    s->address = address;
    return s;
}

void race_meeting_clear(struct meeting *m) {
    for (uint32_t i = 1; i <= m->n; i++) free(m->v[i].warps), free(m->v[i].each);
    for (uint32_t i = 0; i < m->slots; i++) free(m->signals[i].set.at);
    free(m->v);
    free(m->signals);
    *m = (struct meeting){0};
}

/* ---- releases ---- */

/* How far back in the thread's block the release tells of `thread`. */
static uint32_t covers(const struct release *r, uint32_t thread, int reach) {
    if (r->each) return r->each[thread];
    if (thread == r->thread) return r->own[reach];
    uint32_t knew = r->warps ? highest(r->all, r->warps[thread >> 5]) : r->all;
    return lowest(knew, r->limit[reach]);
}

static uint32_t *knowledge(const struct wg_race_block *b, uint32_t thread) {
    uint32_t warp = thread >> 5, lane = thread & 31;
    if (!b->partial) return NULL;
    uint32_t *v = wg_xcalloc(b->nwarps, sizeof *v);
    for (uint32_t w = 0; w < b->nwarps; w++) {
        uint32_t at = warp * b->nwarps + w;
        v[w] = b->knows[at];
        if (!b->split || b->pair_time[at] <= b->all) continue;
        for (uint32_t k = 0; k < LANES; k++) v[w] = highest(v[w], b->pairs[at][lane][k]);
    }
    return v;
}

static uint32_t new_release(struct wg_race_block *b, uint32_t thread) {
    struct meeting *m = b->meeting;
    if (m->n + 1 >= m->cap) {
        m->cap = m->cap ? m->cap * 2 : 64;
        m->v = wg_xrealloc(m->v, m->cap * sizeof *m->v);
    }
    struct release *r = &m->v[++m->n];
    *r = (struct release){.block = b->block,
                          .before = b->last_release,
                          .thread = thread,
                          .at = b->time,
                          .all = b->all,
                          .warps = knowledge(b, thread)};
    for (int i = 0; i < REACHES; i++) {
        r->own[i] = b->fences[i][thread];
        r->limit[i] = highest(r->own[i], b->latest_fence[i]);
    }
    b->last_release = m->n;
    if (b->grid->last_release) b->grid->last_release[b->block] = m->n;
    return m->n;
}

static void release_to(struct wg_race_block *b, uint32_t thread, uint64_t address) {
    uint32_t last = b->thread_release[thread];
    const struct release *r = last ? &b->meeting->v[last] : NULL;
    /* What it acquired since goes on by the set. */
    if (!r || r->at <= b->all || r->at <= b->changed[thread >> 5] || r->at <= b->fences[FOR_BLOCK][thread]) {
        if (b->grid->shape.ordered) race_commit(b);
        last = b->thread_release[thread] = new_release(b, thread);
    }
    if (b->takers) race_lock_give_back(b, thread, address, &b->meeting->v[last]);
    struct signal *to = make_signal(b->meeting, address);
    struct set *s = &to->set;
    if (has_all(s, &b->known) && has(s, (struct span){last, last})) return;
    add_all(s, &b->known);
    add(s, (struct span){last, last});
    to->version++;
}

/* Whether the thread has learned what the release tells of already. */
static bool knows(const struct wg_race_block *b, uint32_t thread, const struct release *r) {
    uint32_t at = (thread >> 5) * b->nwarps + (r->thread >> 5);
    return b->split && b->pair_time[at] > b->all && r->own[FOR_BLOCK] > b->all &&
           b->pairs[at][thread & 31][r->thread & 31] >= r->own[FOR_BLOCK];
}

/* The thread learns what the block's own releases in the set tell of. */
static void join_own(struct wg_race_block *b, uint32_t thread, const struct set *s) {
    uint32_t warp = thread >> 5, lane = thread & 31;
    for (uint32_t i = b->last_release; i; i = b->meeting->v[i].before) {
        const struct release *r = &b->meeting->v[i];
        if (r->at <= b->all) break;
        if (r->thread == thread || knows(b, thread, r) || !has(s, (struct span){i, i})) continue;
        for (uint32_t w = 0; w < b->nwarps; w++) {
            uint32_t up_to = lowest(r->warps ? r->warps[w] : 0, r->limit[FOR_BLOCK]);
            if (up_to <= b->all) continue;
            uint32_t *p = race_pair(b, warp, w)[lane];
            for (uint32_t k = 0; k < LANES; k++) p[k] = highest(p[k], up_to);
        }
        if (r->own[FOR_BLOCK] <= b->all) continue;
        uint32_t *p = race_pair(b, warp, r->thread >> 5)[lane];
        p[r->thread & 31] = highest(p[r->thread & 31], r->own[FOR_BLOCK]);
    }
}

/* `late`: it counts, for what other blocks did, from the next fence or barrier on. */
static void acquire_from(struct wg_race_block *b, uint32_t thread, uint64_t address, bool late, bool takes) {
    const struct signal *s = find_signal(b->meeting, address);
    struct heard *h = &b->heard[thread];
    if (!s || (h->address == address && h->version == s->version && (late || !h->late))) return;
    /* A set only grows; what it had when the thread last looked has been joined. */
    if (b->last_release) join_own(b, thread, &s->set);
    *h = (struct heard){address, s->version, late};
    if (has_all(&b->known, &s->set)) return;
    if (late) {
        add_all(&b->late, &s->set);
        if (!takes) add_all(&b->flags, &s->set);
        return;
    }
    if (b->grid->shape.ordered) race_commit(b);
    add_all(&b->known, &s->set);
}

void race_acquire_late(struct wg_race_block *b) {
    if (b->grid->shape.ordered) race_commit(b);
    add_all(&b->known, &b->late);
    b->late.n = b->flags.n = 0;
}

void race_signal(struct wg_race_block *b, const struct wg_race_access *a, uint32_t lane, uint64_t address) {
    uint32_t thread = a->warp * LANES + lane;
    b->signalled = true;
    if (a->access != WG_RACE_STORE)
        acquire_from(b, thread, address, a->order == WG_RACE_SAID_RELAXED, a->takes);
    if (a->access == WG_RACE_LOAD || !b->fenced) return;
    release_to(b, thread, address);
}

void race_meet(struct wg_race_block **blocks, uint32_t n) {
    struct set all = {0};
    for (uint32_t i = 0; i < n; i++) {
        struct wg_race_block *b = blocks[i];
        if (!b) continue;
        race_commit(b);
        if (b->late.n) race_acquire_late(b);
        uint32_t number = new_release(b, 0);
        struct release *r = &b->meeting->v[number];
        r->all = r->limit[FOR_GRID] = r->own[FOR_GRID] = b->time;
        if (b->early) r->each = race_arrivals(b);
        add(&all, (struct span){number, number});
        add_all(&all, &b->known);
    }
    for (uint32_t i = 0; i < n; i++)
        if (blocks[i]) add_all(&blocks[i]->known, &all);
    race_set_clear(&all);
}

bool race_released(const struct wg_race_block *b, uint64_t other, uint32_t thread, uint32_t stamp,
                   bool flags) {
    flags &= b->flags.n > 0;
    if (!b->known.n && !flags) return false;
    uint32_t i = 0;
    if (b->grid->last_release) i = b->grid->last_release[other];
    for (; i; i = b->meeting->v[i].before)
        if ((has(&b->known, (struct span){i, i}) || (flags && has(&b->flags, (struct span){i, i}))) &&
            covers(&b->meeting->v[i], thread, FOR_GRID) >= stamp)
            return true;
    return false;
}

void wg_race_fence(struct wg_race_block *b, uint32_t warp, uint32_t lanes, enum wg_race_scope scope) {
    race_trail_leave(b);
    if (b->late.n) race_acquire_late(b);
    for (int reach = 0; reach < REACHES; reach++) {
        if (reach == FOR_GRID && scope == WG_RACE_CTA) break;
        if (b->takers) race_lock_fence(b, warp, lanes & b->full[warp], reach);
        for (uint32_t m = lanes & b->full[warp]; m; m &= m - 1)
            b->fences[reach][warp * LANES + (uint32_t)__builtin_ctz(m)] = b->time;
        b->latest_fence[reach] = b->time;
    }
    b->fenced = true;
    race_tick(b);
}

/* ---- mbarriers ---- */

static void signal_mbarriers(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint64_t *at,
                             enum wg_race_access_kind access) {
    struct wg_race_access a = {.warp = warp, .lanes = lanes, .access = (uint8_t)access};
    for (uint32_t m = lanes & b->full[warp]; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        race_signal(b, &a, l, race_windows_of(b) + at[l]);
    }
}

void wg_race_mbarrier_arrive(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint64_t *at) {
    wg_race_fence(b, warp, lanes, b->peers ? WG_RACE_CLUSTER_SCOPE : WG_RACE_CTA);
    signal_mbarriers(b, warp, lanes, at, WG_RACE_STORE);
}

void wg_race_mbarrier_passed(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint64_t *at) {
    race_trail_leave(b);
    if (b->late.n) race_acquire_late(b);
    signal_mbarriers(b, warp, lanes, at, WG_RACE_LOAD);
}
