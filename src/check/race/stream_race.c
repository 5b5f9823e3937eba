/* See stream_race.h. The footprint of a piece of work is a list of ranges sorted by address; two such
 * lists are merged, and where ranges overlap, their bytes are compared 32 at a time. */
#include "check/race/stream_race.h"
#include <stdlib.h>
#include <string.h>

enum {
    SECTOR = 32,
    KEPT_MOST = 1024,      /* pieces of work that are kept */
    RANGES_MOST = 1 << 19, /* ranges of one; of all of them: */
    RANGES_OF_ALL = 1 << 21,
    PAIRS_MOST = 64, /* of places, reported for two pieces of work */
    RECENT = 8,      /* ranges that the next one may continue */
};

struct wg_stream_races {
    struct wg_stream_races_options o;
    struct wg_stream_work *first, *last; /* in the order in which the program asked */
    uint32_t n;
    uint64_t order, ranges;
    bool left_out;
};

/* ---- clocks ---- */

static void grow(struct wg_clock *c, uint32_t n) {
    if (n <= c->n) return;
    c->at = wg_xrealloc(c->at, n * sizeof *c->at);
    memset(c->at + c->n, 0, (n - c->n) * sizeof *c->at);
    c->n = n;
}

void wg_clock_join(struct wg_clock *into, const struct wg_clock *other) {
    grow(into, other->n);
    for (uint32_t i = 0; i < other->n; i++)
        if (other->at[i] > into->at[i]) into->at[i] = other->at[i];
}

void wg_clock_set(struct wg_clock *c, uint32_t slot, uint32_t number) {
    grow(c, slot + 1);
    c->at[slot] = number;
}

void wg_clock_free(struct wg_clock *c) {
    free(c->at);
    *c = (struct wg_clock){0};
}

/* ---- the list ---- */

struct wg_stream_races *wg_stream_races_new(const struct wg_stream_races_options *o) {
    struct wg_stream_races *r = wg_xcalloc(1, sizeof *r);
    r->o = *o;
    return r;
}

struct wg_stream_work *wg_stream_work_new(struct wg_stream_races *r) {
    struct wg_stream_work *w = wg_xcalloc(1, sizeof *w);
    w->races = r;
    w->order = r->order++;
    w->prev = r->last;
    *(r->last ? &r->last->next : &r->first) = w;
    r->last = w;
    r->n++;
    return w;
}

static void drop(struct wg_stream_work *w) {
    struct wg_stream_races *r = w->races;
    *(w->prev ? &w->prev->next : &r->first) = w->next;
    *(w->next ? &w->next->prev : &r->last) = w->prev;
    r->n--;
    r->ranges -= w->touched.n;
    r->o.drop(r->o.user, w->user);
    wg_clock_free(&w->clock);
    free(w->touched.v);
    free(w->reach);
    free(w);
}

void wg_stream_races_free(struct wg_stream_races *r) {
    if (!r) return;
    while (r->first) drop(r->first);
    free(r);
}

struct wg_stream_work *wg_stream_races_first(const struct wg_stream_races *r) { return r->first; }

bool wg_stream_races_left_out(const struct wg_stream_races *r) { return r->left_out; }

/* ---- what a piece of work touched ---- */

static bool continues(const struct wg_touched *a, const struct wg_touched *t) {
    return a->to == t->from && a->unit == t->unit && a->mask == t->mask && a->site == t->site &&
           a->access == t->access && a->strong == t->strong && a->of_block == t->of_block &&
           a->of_device == t->of_device;
}

void wg_stream_work_touched(struct wg_stream_work *w, const struct wg_touched *t) {
    struct wg_stream_races *r = w->races;
    for (uint32_t i = w->touched.n, k = 0; i-- > 0 && k < RECENT; k++)
        if (continues(&w->touched.v[i], t)) {
            w->touched.v[i].to = t->to;
            return;
        }
    if (w->touched.n == RANGES_MOST || r->ranges == RANGES_OF_ALL) {
        r->left_out = w->crowded = true;
        return;
    }
    *WG_PUSH(&w->touched) = *t;
    w->sorted = false;
    r->ranges++;
}

static int by_address(const void *pa, const void *pb) {
    const struct wg_touched *a = pa, *b = pb;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    if (a->access != b->access) return a->access < b->access ? -1 : 1;
    if (a->site != b->site) return a->site < b->site ? -1 : 1;
    return a->mask < b->mask ? -1 : a->mask > b->mask;
}

/* Ranges may overlap: where a search has to begin is told by how far those before reach. */
static void sort(struct wg_stream_work *w) {
    const struct wg_touched *v = w->touched.v;
    if (w->sorted || !w->touched.n) return;
    qsort(w->touched.v, w->touched.n, sizeof *v, by_address);
    w->reach = wg_xrealloc(w->reach, w->touched.n * sizeof *w->reach);
    for (uint32_t i = 0; i < w->touched.n; i++)
        w->reach[i] = i && w->reach[i - 1] > v[i].to ? w->reach[i - 1] : v[i].to;
    w->sorted = true;
}

/* Which of the 32 bytes from `at` on. */
static uint32_t bytes_at(const struct wg_touched *t, uint64_t at) {
    if (t->unit == SECTOR) return t->mask;
    if (t->unit == 1) {
        uint64_t skip = t->from > at ? t->from - at : 0, keep = t->to - at;
        uint32_t bytes = keep >= SECTOR ? UINT32_MAX : (uint32_t)((UINT64_C(1) << keep) - 1);
        return bytes & (uint32_t)(UINT64_C(0xffffffff) << skip);
    }
    uint32_t words = t->mask >> (at % 128 / 4) & 0xff, bytes = 0;
    for (uint32_t k = 0; k < 8; k++) bytes |= (words >> k & 1) * 0xfu << 4 * k;
    return bytes;
}

/* ---- two of them, held against each other ---- */

struct pair {
    const struct wg_stream_work *first, *second;
    struct wg_stream_found v[PAIRS_MOST];
    uint32_t n;
    bool answered; /* one may have waited for what the other did */
};

static void note(struct pair *p, const struct wg_touched *a, const struct wg_touched *b, uint64_t at,
                 uint64_t words) {
    for (uint32_t i = 0; i < p->n; i++)
        if (p->v[i].one->site == a->site && p->v[i].two->site == b->site &&
            p->v[i].one->access == a->access && p->v[i].two->access == b->access) {
            p->v[i].words += words;
            return;
        }
    if (p->n < PAIRS_MOST) p->v[p->n++] = (struct wg_stream_found){p->first, p->second, a, b, at, words};
}

static void hold_ranges(struct pair *p, const struct wg_touched *a, const struct wg_touched *b) {
    uint64_t from = a->from > b->from ? a->from : b->from, to = a->to < b->to ? a->to : b->to;
    bool across = p->first->device != p->second->device && (a->of_device || b->of_device);
    bool both = a->strong && b->strong && !a->of_block && !b->of_block && !across;
    if (a->access == WG_RACE_LOAD && b->access == WG_RACE_LOAD) return;
    uint64_t first = 0, bytes = 0;
    for (uint64_t at = from & ~(uint64_t)(SECTOR - 1); at < to; at += SECTOR) {
        uint32_t common = bytes_at(a, at) & bytes_at(b, at);
        if (!common) continue;
        if (!bytes) first = at + (uint32_t)__builtin_ctz(common);
        bytes += (uint32_t)__builtin_popcount(common);
    }
    if (!bytes) return;
    if (both)
        p->answered |= (a->access != WG_RACE_LOAD && p->second->listens) ||
                       (b->access != WG_RACE_LOAD && p->first->listens);
    else
        note(p, a, b, first, (bytes + 3) / 4);
}

static void hold_lists(struct pair *p) {
    const struct wg_touched *a = p->first->touched.v, *b = p->second->touched.v;
    const uint64_t *reach = p->second->reach;
    uint32_t begin = 0, m = p->second->touched.n;
    for (uint32_t i = 0; i < p->first->touched.n; i++) {
        while (begin < m && reach[begin] <= a[i].from) begin++;
        for (uint32_t j = begin; j < m && b[j].from < a[i].to; j++)
            if (b[j].to > a[i].from) hold_ranges(p, &a[i], &b[j]);
    }
}

static void hold(struct wg_stream_work *w, struct wg_stream_work *other) {
    struct pair p = {.first = other->order < w->order ? other : w,
                     .second = other->order < w->order ? w : other};
    /* What was asked for first may have waited for the second (check_stream.c, wg_check_value_seen). */
    if (wg_clock_has(&p.second->clock, p.first->slot, p.first->number) ||
        wg_clock_has(&p.first->clock, p.second->slot, p.second->number) || (w->bounds && other->bounds))
        return;
    sort(w);
    sort(other);
    hold_lists(&p);
    /* A kernel that waits for a flag of the other's is ordered by it. */
    for (uint32_t i = 0; i < p.n && !p.answered; i++) w->races->o.found(w->races->o.user, &p.v[i]);
}

static bool has_bytes(const struct wg_touched *t, uint64_t address, uint32_t bytes) {
    uint64_t end = address + bytes;
    for (uint64_t at = address & ~(uint64_t)(SECTOR - 1); at < end; at += SECTOR) {
        struct wg_touched asked = {.from = address, .to = end, .unit = 1};
        if (at < t->to && at + SECTOR > t->from && (bytes_at(t, at) & bytes_at(&asked, at))) return true;
    }
    return false;
}

const struct wg_touched *wg_stream_work_at(struct wg_stream_work *w, uint64_t address, uint32_t bytes,
                                           bool written) {
    uint32_t low = 0, high = w->touched.n;
    sort(w);
    while (low < high) { /* the first that begins after it */
        uint32_t middle = low + (high - low) / 2;
        if (w->touched.v[middle].from < address + bytes)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i-- > 0 && w->reach[i] > address;) {
        const struct wg_touched *t = &w->touched.v[i];
        if ((!written || t->access != WG_RACE_LOAD) && has_bytes(t, address, bytes)) return t;
    }
    return NULL;
}

void wg_stream_work_ended(struct wg_stream_work *w) {
    struct wg_stream_races *r = w->races;
    for (struct wg_stream_work *o = r->first; o; o = o->next)
        if (o != w && o->ended) hold(w, o);
    w->ended = true;
    for (struct wg_stream_work *o = r->first, *next; o && r->n > KEPT_MOST; o = next) {
        next = o->next;
        if (o->ended) drop(o);
    }
}

/* ---- what is over ---- */

static bool all_know(const struct wg_stream_races *r, const struct wg_stream_work *w) {
    for (const struct wg_stream_work *o = r->last; o; o = o->prev)
        if (!o->ended && !wg_clock_has(&o->clock, w->slot, w->number)) return false;
    return true;
}

void wg_stream_races_settle(struct wg_stream_races *r, const struct wg_clock *host) {
    for (struct wg_stream_work *w = r->first, *next; w; w = next) {
        next = w->next;
        if (w->ended && wg_clock_has(host, w->slot, w->number) && all_know(r, w)) drop(w);
    }
}

void wg_stream_races_drop(struct wg_stream_races *r, bool (*which)(const void *work_user, const void *of),
                          const void *of) {
    for (struct wg_stream_work *w = r->first, *next; w; w = next) {
        next = w->next;
        if (which(w->user, of)) drop(w);
    }
}

/* Pieces stay where units go across the border: such memory is rounded up to more than that. */
void wg_stream_races_forget(struct wg_stream_races *r, uint64_t base, uint64_t size) {
    uint64_t end = (base + size + 127) & ~(uint64_t)127;
    for (struct wg_stream_work *w = r->first; w; w = w->next)
        for (uint32_t i = 0; w->ended && i < w->touched.n; i++) {
            struct wg_touched *t = &w->touched.v[i];
            if (t->to <= base || t->from >= end) continue;
            w->sorted = false;
            if (t->from < base)
                t->to = base;
            else if (t->to > end)
                t->from = end;
            else
                t->to = t->from;
        }
}
