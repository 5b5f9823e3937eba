/* Write-back of a trace: stores the last value of each word that the trace has stored to global memory, and
 * no other word. See trace.h.
 *
 *     words     0  1  2  3  4  5  6  7
 *     first     a  b  c  d  e  f  g  h        in a vector, as they were loaded
 *     then      i     j     k     l           sums of neighbours in another one
 *     then      m           n                 and of these
 *
 * Values return along the lanes that they came through: m and n to those of i and k, these four to those of
 * a, c, e and g, and that vector is stored under a mask of four lanes. Each such step is one permutation of
 * two vectors.
 */
#include "jit/access/access.h"
#include "jit/emit/issue.h"
#include "jit/lower/lower_rows.h"
#include "jit/trace/trace.h"

#include <stdlib.h>

enum { LINE = 64 };

struct dirty {
    int64_t key;
    uint32_t at;
    const struct wg_trace_home *home;
};

struct flush {
    struct wg_trace *t;
    struct wg_trace_object *o;
    struct dirty *d;
    uint32_t n;
    uint32_t *vector; /* vectors that were changed, and their new values */
    LLVMValueRef *now;
    uint32_t nchanged;
};

static int by_key(const void *x, const void *y) {
    const struct dirty *a = x, *b = y;
    return (a->key > b->key) - (a->key < b->key);
}

static uint32_t vector_of(uint32_t at) { return at / WG_TRACE_CHUNK; }

static LLVMValueRef *value_of(struct flush *f, uint32_t vector) {
    if (f->t->dry) return NULL;
    for (uint32_t i = 0; i < f->nchanged; i++)
        if (f->vector[i] == vector) return &f->now[i];
    return &f->t->vectors.v[vector].x;
}

static void change(struct flush *f, uint32_t vector, LLVMValueRef x) {
    uint32_t i = 0;
    while (i < f->nchanged && f->vector[i] != vector) i++;
    f->nchanged += i == f->nchanged;
    f->vector[i] = vector;
    f->now[i] = x;
}

/* Moves the words that are in vector y back to their lanes in x; where the value is another word's as well,
 * the lane is taken. */
static void fold(struct flush *f, uint32_t y, uint32_t x) {
    int from[WG_TRACE_CHUNK];
    bool taken[WG_TRACE_CHUNK] = {false}, moved = false;
    for (uint32_t l = 0; l < f->t->chunk; l++) from[l] = (int)l;
    for (uint32_t i = 0; i < f->n; i++)
        if (vector_of(f->d[i].at) == x) taken[f->d[i].at % WG_TRACE_CHUNK] = true;
    for (uint32_t i = 0; i < f->n; i++) {
        struct dirty *d = &f->d[i];
        if (vector_of(d->at) != y || !d->home || vector_of(d->home->at) != x) continue;
        uint32_t lane = d->home->at % WG_TRACE_CHUNK;
        if (taken[lane]) {
            d->home = NULL;
            continue;
        }
        from[lane] = (int)(d->at % WG_TRACE_CHUNK + f->t->chunk);
        taken[lane] = moved = true;
        d->at = d->home->at;
        d->home = d->home->before;
    }
    if (!moved) return;
    LLVMValueRef old = f->t->dry ? NULL : *value_of(f, x), new = f->t->dry ? NULL : *value_of(f, y);
    change(f, x, wg_trace_permute(f->t, old, new, from));
}

/* The last vector first: all that moves back to it is there already. */
static void fold_all(struct flush *f) {
    for (;;) {
        uint32_t last = 0;
        for (uint32_t i = 0; i < f->n; i++)
            if (f->d[i].home && vector_of(f->d[i].at) > last) last = vector_of(f->d[i].at);
        if (!last) return;
        for (uint32_t i = 0; i < f->n; i++)
            if (f->d[i].home && vector_of(f->d[i].at) == last) fold(f, last, vector_of(f->d[i].home->at));
    }
}

/* ---- stores ---- */

static void store_masked(struct wg_trace *t, LLVMValueRef x, LLVMValueRef to, uint32_t on, uint32_t bytes) {
    struct wg_emit *e = t->e;
    LLVMValueRef c[WG_TRACE_CHUNK], args[4] = {x, to, wg_i32(e, bytes)};
    for (uint32_t l = 0; l < t->chunk; l++) c[l] = LLVMConstInt(e->i1, on >> l & 1, 0);
    args[3] = LLVMConstVector(c, t->chunk);
    LLVMTypeRef types[2] = {LLVMTypeOf(x), e->ptr};
    wg_set_lanes(e, t->chunk);
    wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, args, 4);
}

/* Lanes `on` of x, lane 0 of which belongs to word `first`. */
struct piece {
    LLVMValueRef x;
    int64_t first;
    uint32_t on;
};

static LLVMValueRef base_of(struct flush *f) {
    return LLVMBuildIntToPtr(f->t->early, wg_trace_scalar(f->t, &f->o->base, 0, 64), f->t->e->ptr, "");
}

static void store_lanes(struct flush *f, const struct piece *p) {
    struct wg_trace *t = f->t;
    struct wg_emit *e = t->e;
    uint32_t low = (uint32_t)__builtin_ctz(p->on), run = p->on >> low, n = 32 - (uint32_t)__builtin_clz(run);
    LLVMValueRef base = base_of(f), x = p->x, at = wg_i64(e, (uint64_t)((p->first + low) * f->o->bytes)),
                 c[WG_TRACE_CHUNK], st;
    if ((run & (run + 1)) || (n & (n - 1))) {
        at = wg_i64(e, (uint64_t)(p->first * f->o->bytes));
        store_masked(t, x, LLVMBuildGEP2(e->L.b, e->i8, base, &at, 1, ""), p->on, f->o->bytes);
        return;
    }
    LLVMValueRef to = LLVMBuildGEP2(e->L.b, e->i8, base, &at, 1, "");
    for (uint32_t l = 0; l < n; l++) c[l] = wg_i32(e, low + l);
    if (n == 1)
        x = LLVMBuildExtractElement(e->L.b, x, c[0], "");
    else if (n < t->chunk)
        x = LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(c, n), "");
    st = LLVMBuildStore(e->L.b, x, to);
    LLVMSetAlignment(st, f->o->bytes);
}

/* Consecutive whole vectors. */
static bool is_row(const struct flush *f, const struct piece *p, uint32_t n) {
    uint32_t all = (uint32_t)(UINT64_C(1) << f->t->chunk) - 1;
    for (uint32_t i = 0; i < n; i++)
        if (p[i].on != all || p[i].first != p[0].first + (int64_t)i * f->t->chunk) return false;
    return true;
}

/* Vectors of a row per cache line; with AVX-512 each one is a line. */
static uint32_t of_a_line(const struct flush *f) {
    uint32_t bytes = f->t->chunk * f->o->bytes;
    return f->t->e->L.avx512 || bytes > LINE ? 1 : LINE / bytes;
}

/* The row by non-temporal stores; the block where the other path begins, or NULL: there is only that one. */
static LLVMBasicBlockRef stream_row(struct flush *f, const struct piece *p, uint32_t n) {
    struct wg_emit *e = f->t->e;
    LLVMValueRef *x = WG_NEW_N(f->t->a, LLVMValueRef, n), at = base_of(f);
    uint32_t streamed = e->access.stream_bytes, together = of_a_line(f), lanes = together * f->t->chunk;
    for (uint32_t i = 0; i < n; i++) x[i] = p[i].x;
    for (uint32_t i = 0; i < n; i += together) x[i / together] = wg_lanes_join(&e->L, &x[i], together, lanes);
    at = LLVMBuildPtrToInt(e->L.b, at, e->i64, "");
    at = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)(p->first * f->o->bytes)), "");
    LLVMBasicBlockRef join =
        wg_emit_stream(e, &at, 1, x, n / together, lanes * f->o->bytes, wg_i32(e, UINT32_MAX));
    e->access.stream_bytes = streamed; /* the phases have counted them already */
    return join;
}

static void store_pieces(struct flush *f, const struct piece *p, uint32_t n) {
    struct wg_emit *e = f->t->e;
    bool row = f->o->streams && n % of_a_line(f) == 0 && is_row(f, p, n);
    f->t->in_pieces |= f->o->streams && !row;
    f->t->past |= row;
    if (f->t->dry) return;
    LLVMBasicBlockRef join = row ? stream_row(f, p, n) : NULL;
    for (uint32_t i = 0; i < n; i++) store_lanes(f, &p[i]);
    if (!join) return;
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
}

/* A whole vector of words whose values are in another order, reversed for example. */
static bool lie_otherwise(const struct flush *f, uint32_t i) {
    uint32_t n = 1;
    while (n < f->t->chunk && i + n < f->n && f->d[i + n].key == f->d[i].key + n) n++;
    return n == f->t->chunk && f->d[i + 1].at != f->d[i].at + 1;
}

/* The words from d[i] on that are in the same vector; returns where the next ones begin. */
static uint32_t find_piece(struct flush *f, uint32_t i, struct piece *p) {
    struct wg_trace *t = f->t;
    int64_t first = lie_otherwise(f, i) ? f->d[i].key : f->d[i].key - f->d[i].at % WG_TRACE_CHUNK;
    uint32_t at[WG_TRACE_CHUNK] = {0}, on = 0, n = i, from[WG_TRACE_CHUNK], nfrom = 0;
    for (; n < f->n && f->d[n].key < first + t->chunk; n++) {
        uint32_t l = (uint32_t)(f->d[n].key - first), k = 0;
        at[l] = f->d[n].at;
        on |= 1u << l;
        while (k < nfrom && from[k] != vector_of(at[l])) k++;
        if (k == nfrom) from[nfrom++] = vector_of(at[l]);
    }
    /* Vectors may have changed: those that are used here get numbers of their own. */
    for (uint32_t k = 0; k < nfrom; k++) {
        uint32_t vector = wg_trace_vector(t, t->dry ? NULL : *value_of(f, from[k]), f->o->bits);
        for (uint32_t l = 0; l < t->chunk; l++)
            if (on >> l & 1 && vector_of(at[l]) == from[k])
                at[l] = vector * WG_TRACE_CHUNK + at[l] % WG_TRACE_CHUNK;
    }
    *p = (struct piece){wg_trace_gather(t, at, f->o->bits), first, on};
    return n;
}

/* Whether each word is a lane of one piece, and nothing else is. */
static bool are_all(const struct flush *f, const struct piece *p, uint32_t n) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < f->t->chunk; l++)
            if (p[i].on >> l & 1 && (word == f->n || f->d[word++].key != p[i].first + l)) return false;
    return word == f->n;
}

void wg_trace_flush(struct wg_trace *t, struct wg_trace_object *o) {
    struct flush f = {.t = t, .o = o, .d = WG_NEW_N(t->a, struct dirty, o->ndirty + 1)};
    for (uint32_t i = 0; i < o->room; i++) {
        struct wg_trace_word *w = &o->word[i];
        if (!w->dirty) continue;
        f.d[f.n++] = (struct dirty){w->key, w->at, w->home};
        *WG_PUSH(&t->results) = w->at;
        w->dirty = false;
        w->home = NULL;
    }
    uint32_t most = t->vectors.n + 1;
    for (uint32_t i = 0; i < f.n; i++)
        for (const struct wg_trace_home *h = f.d[i].home; h; h = h->before) most++;
    f.vector = WG_NEW_N(t->a, uint32_t, most);
    f.now = WG_NEW_N(t->a, LLVMValueRef, most);
    o->ndirty = 0;
    qsort(f.d, f.n, sizeof *f.d, by_key);
    fold_all(&f);
    struct piece *p = WG_NEW_N(t->a, struct piece, f.n + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < f.n; n++) i = find_piece(&f, i, &p[n]);
    if (!are_all(&f, p, n)) wg_break_promise(t->e, "a word that was stored is written never, or twice");
    store_pieces(&f, p, n);
}
