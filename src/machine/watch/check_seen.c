/* Footprints that only a run tells, of accesses that race with nothing in their launch (check_proof.c) where other streams or
 * the host may use the memory meanwhile: loads at addresses that were loaded, loops. A bit for each word says that it was
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
    _Atomic uint64_t bits[];
};

void wg_check_seen_add(struct wg_grid *g, uint32_t id, const struct wg_check_range *span) {
    struct wg_check_races *r = &g->check->races;
    uint64_t words = (span->end - span->base) / WORD;
    uint32_t bytes = r->sites[id].bytes;
    bool loads = r->sites[id].access == WG_RACE_LOAD; /* what is stored may tell of a lock: race_lock.c */
    if (!loads || bytes < WORD || span->base % WORD || span->end - span->base > SPAN_MOST) return;
    if (!r->seen) r->seen = wg_xcalloc(g->check->nids, sizeof(struct wg_check_seen *));
    struct wg_check_seen *s = wg_xcalloc(1, sizeof *s + (words / BITS + 1) * sizeof *s->bits);
    *s = (struct wg_check_seen){.next = r->seen[id], .base = span->base, .end = span->end};
    r->seen[id] = s;
}

static void set(struct wg_check_seen *s, uint64_t word) {
    uint64_t bit = UINT64_C(1) << word % BITS;
    _Atomic uint64_t *at = &s->bits[word / BITS];
    if (!(atomic_load_explicit(at, memory_order_relaxed) & bit))
        atomic_fetch_or_explicit(at, bit, memory_order_relaxed);
}

bool wg_check_seen(struct wg_check_seen *s, uint32_t lanes, const struct wg_check_ask *a, uint32_t bytes) {
    uint64_t address[WG_LANES], first = 0, last = 0;
    WG_EACH_LANE(l, lanes) {
        address[l] = a->address ? a->address[l]
                                : a->base + (uint64_t)a->spread->k[l] + a->scale * (uint64_t)a->spread->r[l];
        if (!first || address[l] < first) first = address[l];
        if (address[l] > last) last = address[l];
    }
    while (s && (first < s->base || last + bytes > s->end)) s = s->next;
    if (!s) return false;
    WG_EACH_LANE(l, lanes) {
        for (uint32_t i = 0; i < bytes; i += WORD) set(s, (address[l] - s->base + i) / WORD);
    }
    return true;
}

static void touch(struct wg_stream_work *x, const struct wg_check_seen *s, uint32_t id, uint64_t from,
                  uint64_t to) {
    struct wg_touched t = {.from = s->base + from * WORD,
                           .to = s->base + to * WORD,
                           .mask = UINT32_MAX,
                           .unit = 1,
                           .access = WG_RACE_LOAD,
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
