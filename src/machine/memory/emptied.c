/* See emptied.h. */
#include "machine/memory/emptied.h"
#include "machine/memory/memory.h"
#include "machine/memory/strays.h"
#include <stdlib.h>
#include <sys/mman.h>

/* Each costs two of the process's mappings, of which malloc and the program need some. */
enum { MOST_GAPS = 12000 };

static bool unmap(uint64_t from, uint64_t to) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return mmap((void *)from, to - from, PROT_NONE, flags, -1, 0) != MAP_FAILED;
}

/* The room around the address that no live allocation has. */
static void gap_around(const struct wg_memory *m, uint64_t a, uint64_t *from, uint64_t *to) {
    struct wg_span_at next = wg_spans_after(&m->spans, a), last = next;
    const struct wg_span *s = wg_spans_get(&m->spans, next);
    *to = s ? s->bottom : m->base + (UINT64_C(1) << m->bits);
    s = wg_spans_back(&m->spans, &last);
    *from = s ? s->top : m->base;
}

static struct wg_span *first_owed(struct wg_memory *m, uint64_t from, uint64_t to) {
    struct wg_span_at at = wg_spans_after(&m->emptied.owed, from ? from - 1 : 0);
    struct wg_span *s = wg_spans_get(&m->emptied.owed, at);
    return s && s->base < to ? s : NULL;
}

static void forget(struct wg_memory *m, uint64_t from, uint64_t to) {
    struct wg_span *s;
    if (!m->emptied.owed.n) return;
    if ((s = wg_spans_holding(&m->emptied.owed, from))) wg_spans_remove(&m->emptied.owed, s->base);
    while ((s = first_owed(m, from, to))) wg_spans_remove(&m->emptied.owed, s->base);
}

void wg_emptied_taken(struct wg_memory *m, uint64_t from, uint64_t to) {
    uint64_t gap_from, gap_to;
    gap_around(m, from, &gap_from, &gap_to);
    m->emptied.gaps += (gap_from < from) + (to < gap_to) - 1;
    forget(m, from, to);
}

void wg_emptied_left(struct wg_memory *m, uint64_t from, uint64_t to) {
    uint64_t gap_from, gap_to;
    gap_around(m, from, &gap_from, &gap_to);
    m->emptied.gaps -= (gap_from < from) + (to < gap_to) - 1;
}

/* What lies in one gap and is not given back yet: some that waited, and some that is owed. */
struct gap {
    uint64_t from, to;
    const struct wg_span *waited;
    uint32_t n;
};

/* The next of them by address, whichever it is; NULL: no more. */
static const struct wg_span *next_of(const struct wg_memory *m, const struct gap *g, uint32_t *waited,
                                     struct wg_span_at *owed) {
    const struct wg_span *o = wg_spans_get(&m->emptied.owed, *owed);
    const struct wg_span *w = *waited < g->n ? &g->waited[*waited] : NULL;
    if (o && o->base >= g->to) o = NULL;
    if (w && (!o || w->base < o->base)) {
        ++*waited;
        return w;
    }
    if (o) *owed = wg_spans_next(&m->emptied.owed, *owed);
    return o;
}

/* All of it in one call. False: there is no mapping left for that, or few. */
static bool give(struct wg_memory *m, const struct gap *g) {
    struct wg_span_at owed = wg_spans_after(&m->emptied.owed, g->from ? g->from - 1 : 0);
    uint64_t first = 0, end = g->from;
    uint32_t waited = 0, gaps = 0; /* those that there are: what lies in between is given back already */
    for (const struct wg_span *s; (s = next_of(m, g, &waited, &owed));) {
        if (!first) first = s->base;
        gaps += s->base > end;
        if (s->top > end) end = s->top;
    }
    gaps += end < g->to;
    if (!gaps && m->emptied.gaps >= MOST_GAPS) return false;
    wg_stray_clear(m, first, end);
    if (!unmap(first, end)) return false;
    forget(m, first, end);
    m->emptied.gaps += 1 - (int32_t)gaps;
    return true;
}

static void owe(struct wg_memory *m, const struct wg_span *s) {
    struct wg_span owed = {.base = s->base, .end = s->top, .bottom = s->base, .top = s->top, .file = -1};
    if (s->file < 0 || !unmap(s->base, s->top)) /* what is shared would stay */
        madvise((void *)s->base, s->top - s->base, MADV_DONTNEED);
    wg_spans_insert(&m->emptied.owed, &owed);
}

static int by_base(const void *a, const void *b) {
    const struct wg_span *x = a, *y = b;
    return x->base < y->base ? -1 : x->base > y->base;
}

void wg_emptied_give(struct wg_memory *m) {
    struct wg_emptied *e = &m->emptied;
    uint32_t n = e->n;
    qsort(e->waits, n, sizeof *e->waits, by_base);
    for (uint32_t i = 0; i < n;) {
        struct gap g = {.waited = &e->waits[i]};
        gap_around(m, g.waited->base, &g.from, &g.to);
        while (i < n && e->waits[i].base < g.to) i++, g.n++;
        if (give(m, &g)) continue;
        for (uint32_t k = 0; k < g.n; k++) owe(m, &g.waited[k]);
    }
    e->n = 0;
    e->bytes = 0;
}

void wg_emptied_add(struct wg_memory *m, const struct wg_span *s) {
    struct wg_emptied *e = &m->emptied;
    e->waits[e->n++] = *s;
    e->bytes += s->top - s->base;
    if (e->n == WG_EMPTIED_MOST || e->bytes >= WG_EMPTIED_BYTES || s->kind != WG_MEM_DEVICE || s->file >= 0)
        wg_emptied_give(m);
}

void wg_emptied_settle(struct wg_memory *m) {
    if (!atomic_load(&m->emptied.n)) return;
    pthread_rwlock_wrlock(&m->lock);
    wg_emptied_give(m);
    pthread_rwlock_unlock(&m->lock);
}
