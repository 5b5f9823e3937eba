/* Priority order: reverse postorder in which every natural loop's blocks stand together, the inner loop's
 * before what follows it; and the loops themselves.
 *
 * Reverse postorder alone may put a loop's exit between two of its blocks. A loop's blocks all follow its
 * header there, so taking each loop as a whole at the place of its header keeps every forward edge forward.
 * Irreducible cycles have no header that dominates them; they stay as reverse postorder has them.
 */
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

struct order {
    struct wg_ir_func *f;
    uint32_t n;
    uint32_t *rpo;            /* blocks in reverse postorder */
    uint32_t *number;         /* by block: its place there */
    uint32_t *idom;           /* by place: place */
    uint32_t *pred, *pred_at; /* by place: predecessors' places, pred_at[i] .. pred_at[i + 1] */
    uint32_t *loop;           /* by place: innermost header's place, or WG_NO_REG; a header's is itself */
    uint32_t *outer;          /* by header's place */
};

struct visit {
    uint32_t block, next;
};

/* Depth first; what falls through, and the first entry of a table, last: they come first in the result. */
static void number_blocks(struct order *o) {
    WG_VEC(struct visit) stack = {0};
    bool *seen = wg_xcalloc(o->n, sizeof *seen);
    uint32_t at = o->n;
    seen[0] = true;
    *WG_PUSH(&stack) = (struct visit){0, 0};
    while (stack.n) {
        struct visit *v = &stack.v[stack.n - 1];
        const struct wg_ir_block *b = &o->f->blocks[v->block];
        if (v->next == b->nsucc) {
            o->rpo[--at] = v->block;
            o->number[v->block] = at;
            stack.n--;
            continue;
        }
        uint32_t k = v->next++, s = b->succ[b->term == WG_TERM_BRX ? b->nsucc - 1 - k : k];
        if (seen[s]) continue;
        seen[s] = true;
        *WG_PUSH(&stack) = (struct visit){s, 0};
    }
    free(seen);
    free(stack.v);
}

static void find_preds(struct order *o) {
    for (uint32_t i = 0; i < o->n; i++) {
        const struct wg_ir_block *b = &o->f->blocks[i];
        for (uint32_t k = 0; k < b->nsucc; k++) o->pred_at[o->number[b->succ[k]] + 1]++;
    }
    for (uint32_t i = 0; i < o->n; i++) o->pred_at[i + 1] += o->pred_at[i];
    o->pred = wg_xcalloc(o->pred_at[o->n] + 1, sizeof *o->pred);
    uint32_t *fill = wg_xcalloc(o->n + 1, sizeof *fill);
    memcpy(fill, o->pred_at, o->n * sizeof *fill);
    for (uint32_t i = 0; i < o->n; i++) {
        const struct wg_ir_block *b = &o->f->blocks[o->rpo[i]];
        for (uint32_t k = 0; k < b->nsucc; k++) o->pred[fill[o->number[b->succ[k]]]++] = i;
    }
    free(fill);
}

static uint32_t intersect(const struct order *o, uint32_t a, uint32_t b) {
    while (a != b) {
        while (a > b) a = o->idom[a];
        while (b > a) b = o->idom[b];
    }
    return a;
}

/* Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm". */
static void find_dominators(struct order *o) {
    for (uint32_t i = 1; i < o->n; i++) o->idom[i] = WG_NO_REG;
    o->idom[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < o->n; i++) {
            uint32_t dom = WG_NO_REG;
            for (uint32_t k = o->pred_at[i]; k < o->pred_at[i + 1]; k++) {
                uint32_t p = o->pred[k];
                if (o->idom[p] == WG_NO_REG) continue;
                dom = dom == WG_NO_REG ? p : intersect(o, p, dom);
            }
            changed |= o->idom[i] != dom;
            o->idom[i] = dom;
        }
    }
}

static bool dominates(const struct order *o, uint32_t a, uint32_t b) {
    while (b > a) b = o->idom[b];
    return a == b;
}

static uint32_t outermost(const struct order *o, uint32_t i) {
    uint32_t h = o->loop[i];
    while (h != WG_NO_REG && o->outer[h] != WG_NO_REG) h = o->outer[h];
    return h;
}

/* Claims the blocks of the loop at header h: all that reach its back edges without passing it. Inner loops,
 * found before, are claimed as a whole. */
static void claim_loop(struct order *o, uint32_t h, uint32_t *work) {
    uint32_t n = 0;
    for (uint32_t k = o->pred_at[h]; k < o->pred_at[h + 1]; k++)
        if (o->pred[k] >= h && dominates(o, h, o->pred[k])) work[n++] = o->pred[k];
    if (!n) return;
    o->loop[h] = h;
    while (n) {
        uint32_t i = work[--n], inner = outermost(o, i);
        if (i == h || inner == h) continue;
        if (inner == WG_NO_REG)
            o->loop[i] = h;
        else {
            o->outer[inner] = h;
            i = inner;
        }
        for (uint32_t k = o->pred_at[i]; k < o->pred_at[i + 1]; k++)
            if (outermost(o, o->pred[k]) != h) work[n++] = o->pred[k];
    }
}

static void find_loops(struct order *o) {
    for (uint32_t i = 0; i < o->n; i++) o->loop[i] = o->outer[i] = WG_NO_REG;
    /* Each edge is pushed at most once for a loop's headers' chain; this is room enough for one loop. */
    uint32_t *work = wg_xcalloc(o->pred_at[o->n] + o->n + 1, sizeof *work);
    for (uint32_t h = o->n; h-- > 0;) claim_loop(o, h, work);
    free(work);
}

/* Lists of a loop's members in reverse postorder. Item 2 * i is block i, item 2 * i + 1 the whole loop of
 * header i; list h holds the loop of header h, list n the function. */
static void append(uint32_t *first, uint32_t *last, uint32_t *next, uint32_t list, uint32_t item) {
    if (first[list] == WG_NO_REG)
        first[list] = item;
    else
        next[last[list]] = item;
    last[list] = item;
}

/* Fills `out` with places in priority order. */
static void lay_out(struct order *o, uint32_t *out) {
    uint32_t n = o->n;
    uint32_t *first = wg_xmalloc((n + 1) * sizeof *first), *last = wg_xmalloc((n + 1) * sizeof *last);
    uint32_t *next = wg_xmalloc(2 * n * sizeof *next), *stack = wg_xmalloc((n + 1) * sizeof *stack);
    memset(first, 0xff, (n + 1) * sizeof *first);
    memset(next, 0xff, 2 * n * sizeof *next);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t h = o->loop[i];
        if (h == i) { /* a loop joins its surroundings where its header stands */
            uint32_t around = o->outer[i];
            append(first, last, next, around == WG_NO_REG ? n : around, 2 * i + 1);
        }
        append(first, last, next, h == WG_NO_REG ? n : h, 2 * i);
    }
    uint32_t depth = 0, count = 0, item = first[n];
    for (;;) {
        if (item == WG_NO_REG) {
            if (!depth) break;
            item = next[stack[--depth]];
        } else if (item & 1) {
            stack[depth++] = item;
            item = first[item / 2];
        } else {
            out[count++] = item / 2;
            item = next[item];
        }
    }
    free(first);
    free(last);
    free(next);
    free(stack);
}

/* Blocks into their places, indices renamed, predecessors filled in. */
static void apply(struct wg_arena *a, struct order *o, const uint32_t *out) {
    struct wg_ir_func *f = o->f;
    uint32_t *place = wg_xcalloc(o->n, sizeof *place); /* by old block: new index */
    struct wg_ir_block *blocks = WG_NEW_N(a, struct wg_ir_block, o->n);
    for (uint32_t i = 0; i < o->n; i++) place[o->rpo[out[i]]] = i;
    for (uint32_t i = 0; i < o->n; i++) {
        struct wg_ir_block *x = &blocks[i];
        uint32_t at = out[i];
        *x = f->blocks[o->rpo[at]];
        for (uint32_t k = 0; k < x->nsucc; k++) x->succ[k] = place[x->succ[k]];
        x->loop = o->loop[at] == WG_NO_REG ? WG_NO_REG : place[o->rpo[o->loop[at]]];
        x->outer = o->outer[at] == WG_NO_REG ? WG_NO_REG : place[o->rpo[o->outer[at]]];
        x->npred = o->pred_at[at + 1] - o->pred_at[at];
        x->pred = WG_NEW_N(a, uint32_t, x->npred);
        for (uint32_t k = 0; k < x->npred; k++) x->pred[k] = place[o->rpo[o->pred[o->pred_at[at] + k]]];
    }
    f->blocks = blocks;
    free(place);
}

void wg_ir_order(struct wg_arena *a, struct wg_ir_func *f) {
    uint32_t n = f->nblocks;
    uint32_t *room = wg_xcalloc(7 * (size_t)n + 1, sizeof *room);
    struct order o = {.f = f,
                      .n = n,
                      .rpo = room,
                      .number = room + n,
                      .idom = room + 2 * n,
                      .loop = room + 3 * n,
                      .outer = room + 4 * n,
                      .pred_at = room + 5 * n};
    uint32_t *out = wg_xcalloc(n, sizeof *out);
    number_blocks(&o);
    find_preds(&o);
    find_dominators(&o);
    find_loops(&o);
    lay_out(&o, out);
    apply(a, &o, out);
    free(out);
    free(o.pred);
    free(room);
}
