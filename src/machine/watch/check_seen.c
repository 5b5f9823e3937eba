/* Footprints that only a run tells, of accesses that race with nothing in their launch (check_proof.c) where other streams or
 * the host may use the memory meanwhile: at addresses that were loaded, in loops. A bit for each word says that it was
 * touched; who came first is not kept, and nothing is held against anything. */
#include "base/lanes.h"
#include "machine/watch/check_stream_state.h"
#include "machine/work.h"
#include <stdlib.h>

enum { WORD = 4, BITS = 64 };
#define SPAN_MOST (UINT64_C(1) << 31) /* bytes of an allocation */

struct wg_check_seen {
    struct wg_check_seen *next;
    uint64_t base, end;
    uint8_t access; /* enum wg_race_access_kind */
    _Atomic uint64_t bits[];
};

void wg_check_seen_add(struct wg_grid *g, uint32_t id, const struct wg_check_range *span) {
    struct wg_check_races *r = &g->check->races;
    uint64_t words = (span->end - span->base) / WORD;
    uint32_t bytes = r->sites[id].bytes;
    /* What is stored may be what a lock is for: race_lock.c. */
    bool may = r->sites[id].access == WG_RACE_LOAD || (r->sites[id].access == WG_RACE_STORE && !r->takes);
    if (!may || bytes < WORD || span->base % WORD || span->end - span->base > SPAN_MOST) return;
    if (!r->seen) r->seen = wg_xcalloc(g->check->nids, sizeof(struct wg_check_seen *));
    struct wg_check_seen *s = wg_xcalloc(1, sizeof *s + (words / BITS + 1) * sizeof *s->bits);
    *s = (struct wg_check_seen){
        .next = r->seen[id], .base = span->base, .end = span->end, .access = r->sites[id].access};
    r->seen[id] = s;
}

static void set(_Atomic uint64_t *at, uint64_t bits) {
    if (bits & ~atomic_load_explicit(at, memory_order_relaxed))
        atomic_fetch_or_explicit(at, bits, memory_order_relaxed);
}

/* So many words from each of the lanes' addresses on. */
static void set_words(struct wg_check_seen *s, uint32_t lanes, const uint64_t *address, uint32_t words) {
    WG_EACH_LANE(l, lanes) {
        uint64_t word = (address[l] - s->base) / WORD;
        for (uint32_t i = 0; i < words; i++)
            set(&s->bits[(word + i) / BITS], UINT64_C(1) << (word + i) % BITS);
    }
}

/* The same of lanes that are near each other: in BITS words from the first. */
static void set_near(struct wg_check_seen *s, uint32_t lanes, const uint64_t *address, uint32_t words,
                     uint64_t first) {
    uint64_t each = (UINT64_C(1) << words) - 1, all = 0, word = (first - s->base) / WORD;
    uint32_t shift = (uint32_t)(word % BITS);
    WG_EACH_LANE(l, lanes) all |= each << (address[l] - first) / WORD;
    set(&s->bits[word / BITS], all << shift);
    if (shift && all >> (BITS - shift)) set(&s->bits[word / BITS + 1], all >> (BITS - shift));
}

bool wg_check_seen(struct wg_check_seen *s, uint32_t lanes, const struct wg_check_ask *a, uint32_t bytes) {
    uint64_t spelt[WG_LANES], first = UINT64_MAX, last = 0;
    const uint64_t *address = a->address ? a->address : spelt;
    if (!a->address) wg_check_addresses(a, spelt);
    WG_EACH_LANE(l, lanes) {
        first = address[l] < first ? address[l] : first;
        last = address[l] > last ? address[l] : last;
    }
    while (s && (first < s->base || last + bytes > s->end)) s = s->next;
    if (!s) return false;
    if (last + bytes - first <= BITS * WORD)
        set_near(s, lanes, address, bytes / WORD, first);
    else
        set_words(s, lanes, address, bytes / WORD);
    return true;
}

static void touch(struct wg_stream_work *x, const struct wg_check_seen *s, uint32_t id, uint64_t from,
                  uint64_t to) {
    struct wg_touched t = {.from = s->base + from * WORD,
                           .to = s->base + to * WORD,
                           .mask = UINT32_MAX,
                           .unit = 1,
                           .access = s->access,
                           .site = id,
                           .thread = WG_SOME_THREAD};
    if (from < to) wg_stream_work_touched(x, &t);
}

static void touch_all(struct wg_stream_work *x, const struct wg_check_seen *s, uint32_t id) {
    uint64_t words = (s->end - s->base) / WORD, from = 0, at = 0;
    for (uint64_t n; at < words; at += n) {
        uint64_t bits = atomic_load_explicit(&s->bits[at / BITS], memory_order_relaxed);
        n = 1;
        if (!(at % BITS) && (!bits || bits == UINT64_MAX)) n = words - at < BITS ? words - at : BITS;
        if (bits >> at % BITS & 1) continue;
        touch(x, s, id, from, at);
        from = at + n;
    }
    touch(x, s, id, from, words);
}

void wg_check_seen_end(struct wg_grid *g) {
    struct wg_check_races *r = &g->check->races;
    struct wg_check_streams *c = g->dev->check_streams;
    struct wg_stream_work *x = g->work->stream_work;
    if (!r->seen) return;
    if (c) pthread_mutex_lock(&c->lock);
    for (uint32_t id = 0; id < g->check->nids; id++)
        for (struct wg_check_seen *s = r->seen[id], *next; s; s = next) {
            next = s->next;
            if (c && x) touch_all(x, s, id);
            free(s);
        }
    if (c) pthread_mutex_unlock(&c->lock);
    free(r->seen);
}
