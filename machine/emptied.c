/* See emptied.h. */
#include "machine/emptied.h"
#include "machine/memory.h"
#include "machine/stray.h"
#include <stdlib.h>
#include <sys/mman.h>

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

void wg_emptied_forget(struct wg_memory *m, uint64_t from, uint64_t to) {
    struct wg_span *s;
    if (!m->emptied.owed.n) return;
    if ((s = wg_spans_holding(&m->emptied.owed, from))) wg_spans_remove(&m->emptied.owed, s->base);
    while ((s = first_owed(m, from, to))) wg_spans_remove(&m->emptied.owed, s->base);
}

/* All of [from, to), and what is owed of the gap that it lies in. */
static bool give(struct wg_memory *m, uint64_t from, uint64_t to, uint64_t gap_from, uint64_t gap_to) {
    struct wg_span_at at = wg_spans_after(&m->emptied.owed, gap_from ? gap_from - 1 : 0);
    for (const struct wg_span *s; (s = wg_spans_get(&m->emptied.owed, at)) && s->base < gap_to;
         at = wg_spans_next(&m->emptied.owed, at)) {
        if (s->base < from) from = s->base;
        if (s->top > to) to = s->top;
    }
    wg_stray_clear(m, from, to);
    if (!unmap(from, to)) return false;
    wg_emptied_forget(m, from, to);
    return true;
}

static void owe(struct wg_memory *m, const struct wg_span *s) {
    struct wg_span owed = {.base = s->base, .end = s->top, .bottom = s->base, .top = s->top};
    madvise((void *)s->base, s->top - s->base, MADV_DONTNEED);
    mprotect((void *)s->base, s->top - s->base, PROT_NONE);
    wg_spans_insert(&m->emptied.owed, &owed);
}

static int by_base(const void *a, const void *b) {
    const struct wg_span *x = a, *y = b;
    return x->base < y->base ? -1 : x->base > y->base;
}

void wg_emptied_give(struct wg_memory *m) {
    struct wg_emptied *e = &m->emptied;
    uint32_t n = e->n, end;
    uint64_t gap_from, gap_to;
    qsort(e->waits, n, sizeof *e->waits, by_base);
    for (uint32_t i = 0; i < n; i = end) {
        gap_around(m, e->waits[i].base, &gap_from, &gap_to);
        for (end = i + 1; end < n && e->waits[end].base < gap_to;) end++;
        if (give(m, e->waits[i].base, e->waits[end - 1].top, gap_from, gap_to)) continue;
        for (uint32_t k = i; k < end; k++) owe(m, &e->waits[k]);
    }
    e->n = 0;
    e->bytes = 0;
}

void wg_emptied_add(struct wg_memory *m, const struct wg_span *s) {
    struct wg_emptied *e = &m->emptied;
    e->waits[e->n++] = *s;
    e->bytes += s->top - s->base;
    if (e->n == WG_EMPTIED_MOST || e->bytes >= WG_EMPTIED_BYTES || s->kind != WG_MEM_DEVICE)
        wg_emptied_give(m);
}

void wg_emptied_settle(struct wg_memory *m) {
    if (!atomic_load(&m->emptied.n)) return;
    pthread_rwlock_wrlock(&m->lock);
    wg_emptied_give(m);
    pthread_rwlock_unlock(&m->lock);
}
