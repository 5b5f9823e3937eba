/* See spans.h. */
#include "machine/memory/spans.h"
#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };
struct wg_span_piece {
    uint32_t n;
    struct wg_span v[MOST];
};

struct wg_span_at wg_spans_after(const struct wg_spans *l, uint64_t a) {
    uint32_t lo = 0, hi = l->npieces;
    while (lo < hi) { /* the first piece that begins beyond `a` */
        uint32_t mid = lo + (hi - lo) / 2;
        if (l->piece[mid]->v[0].base <= a)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo) return (struct wg_span_at){0, 0};
    const struct wg_span_piece *p = l->piece[lo - 1];
    struct wg_span_at at = {lo - 1, 0};
    for (hi = p->n; at.index < hi;) {
        uint32_t mid = at.index + (hi - at.index) / 2;
        if (p->v[mid].base <= a)
            at.index = mid + 1;
        else
            hi = mid;
    }
    return at.index < p->n ? at : (struct wg_span_at){lo, 0};
}

struct wg_span *wg_spans_get(const struct wg_spans *l, struct wg_span_at at) {
    return at.piece < l->npieces ? &l->piece[at.piece]->v[at.index] : NULL;
}

struct wg_span_at wg_spans_next(const struct wg_spans *l, struct wg_span_at at) {
    return at.index + 1 < l->piece[at.piece]->n ? (struct wg_span_at){at.piece, at.index + 1}
                                                : (struct wg_span_at){at.piece + 1, 0};
}

struct wg_span *wg_spans_back(const struct wg_spans *l, struct wg_span_at *at) {
    if (!at->index) {
        if (!at->piece) return NULL;
        at->piece--;
        at->index = l->piece[at->piece]->n;
    }
    at->index--;
    return wg_spans_get(l, *at);
}

struct wg_span *wg_spans_holding(const struct wg_spans *l, uint64_t a) {
    struct wg_span_at at = wg_spans_after(l, a);
    struct wg_span *s = wg_spans_back(l, &at);
    return s && a < s->end ? s : NULL;
}

/* ---- changes ---- */

static struct wg_span_piece *add_piece(struct wg_spans *l, uint32_t at) {
    if (l->npieces == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 16;
        l->piece = wg_xrealloc(l->piece, l->cap * sizeof *l->piece);
    }
    memmove(l->piece + at + 1, l->piece + at, (l->npieces - at) * sizeof *l->piece);
    l->npieces++;
    l->piece[at] = wg_xmalloc(sizeof **l->piece);
    l->piece[at]->n = 0;
    return l->piece[at];
}

void wg_spans_insert(struct wg_spans *l, const struct wg_span *s) {
    struct wg_span_at at = wg_spans_after(l, s->base);
    /* It goes to the end of the piece before, where it is that or the begin of one. */
    if (!at.index && at.piece) at = (struct wg_span_at){at.piece - 1, l->piece[at.piece - 1]->n};
    struct wg_span_piece *p = l->npieces ? l->piece[at.piece] : add_piece(l, 0);
    if (p->n == MOST) { /* what is made in order fills pieces whole */
        uint32_t keep = at.index == MOST ? MOST : MOST / 2;
        struct wg_span_piece *more = add_piece(l, at.piece + 1);
        p = l->piece[at.piece];
        memcpy(more->v, p->v + keep, (MOST - keep) * sizeof *p->v);
        more->n = MOST - keep;
        p->n = keep;
        if (at.index >= keep) {
            p = more;
            at.index -= keep;
        }
    }
    memmove(p->v + at.index + 1, p->v + at.index, (p->n - at.index) * sizeof *p->v);
    p->v[at.index] = *s;
    p->n++;
    l->n++;
}

void wg_spans_remove(struct wg_spans *l, uint64_t base) {
    struct wg_span_at at = wg_spans_after(l, base);
    if (!wg_spans_back(l, &at)) return;
    struct wg_span_piece *p = l->piece[at.piece];
    memmove(p->v + at.index, p->v + at.index + 1, (p->n - at.index - 1) * sizeof *p->v);
    p->n--;
    l->n--;
    if (p->n) return;
    free(p);
    memmove(l->piece + at.piece, l->piece + at.piece + 1, (l->npieces - at.piece - 1) * sizeof *l->piece);
    l->npieces--;
}

void wg_spans_free(struct wg_spans *l) {
    for (uint32_t i = 0; i < l->npieces; i++) free(l->piece[i]);
    free(l->piece);
    *l = (struct wg_spans){0};
}

struct wg_span *wg_spans_copy(const struct wg_spans *l, uint32_t *n) {
    struct wg_span *v = wg_xmalloc((l->n + 1) * sizeof *v);
    *n = 0;
    for (uint32_t i = 0; i < l->npieces; i++) {
        memcpy(v + *n, l->piece[i]->v, l->piece[i]->n * sizeof *v);
        *n += l->piece[i]->n;
    }
    return v;
}
