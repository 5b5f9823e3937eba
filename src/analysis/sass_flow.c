/* See sass_flow.h. */
#include "analysis/sass_flow.h"
#include <string.h>

enum { BLOCKS_AT_MOST = 6000, NONE = WG_SASS_NONE };

/* ---- Slow paths ---- */

static const struct wg_sass_instr *last_of(const struct wg_sass_func *f, uint32_t b) {
    return &f->instrs[f->blocks[b].to - 1];
}

/* A call of the assembler's own behind a branch of the same PTX instruction; and what asks which memory a generic address is
 * of, after an atomic on global memory that failed because it is not that. */
static bool is_slow(const struct wg_sass_func *f, uint32_t b) {
    const struct wg_sass_block *blk = &f->blocks[b];
    if (wg_sass_is(&f->instrs[blk->from], "QSPC")) return true;
    if (!blk->calls || blk->callee == NONE || !b) return false;
    const struct wg_sass_instr *call = last_of(f, b), *before = last_of(f, b - 1);
    return before->guarded && wg_sass_is(before, "BRA") && before->ptx_line == call->ptx_line;
}

static void mark_alive(const struct wg_sass_flow *w, uint32_t *stack) {
    uint32_t n = 0;
    w->alive[w->root] = true;
    stack[n++] = w->root;
    while (n) {
        const struct wg_sass_block *b = &w->f->blocks[stack[--n]];
        for (uint32_t i = 0; i < b->nnext; i++) {
            uint32_t to = b->next[i];
            if (w->alive[to] || is_slow(w->f, to)) continue;
            w->alive[to] = true;
            stack[n++] = to;
        }
    }
}

static void find_before(struct wg_arena *a, const struct wg_sass_flow *w) {
    const struct wg_sass_func *f = w->f;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; w->alive[b] && i < f->blocks[b].nnext; i++) {
                uint32_t to = f->blocks[b].next[i];
                if (!w->alive[to]) continue;
                if (fill) w->before[to][w->nbefore[to]] = b;
                w->nbefore[to]++;
            }
        for (uint32_t b = 0; !fill && b < f->nblocks; b++) {
            w->before[b] = WG_NEW_N(a, uint32_t, w->nbefore[b] + 1);
            w->nbefore[b] = 0;
        }
    }
}

/* ---- Dominators: Cooper, Harvey, Kennedy, on either direction of the graph ---- */

struct graph {
    uint32_t n, root;    /* nodes: blocks and, backwards, the exit as the last */
    uint32_t *const *in; /* [node]: from where */
    const uint32_t *nin;
    uint32_t *order, *number; /* postorder */
    uint32_t *idom;
};

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b) {
    while (a != b) {
        while (g->number[a] < g->number[b]) a = g->idom[a];
        while (g->number[b] < g->number[a]) b = g->idom[b];
    }
    return a;
}

static void dominate(const struct graph *g, uint32_t reached) {
    for (uint32_t i = 0; i < g->n; i++) g->idom[i] = NONE;
    g->idom[g->root] = g->root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = reached; k-- > 0;) {
            uint32_t b = g->order[k], best = NONE;
            if (b == g->root) continue;
            for (uint32_t i = 0; i < g->nin[b]; i++) {
                uint32_t from = g->in[b][i];
                if (g->idom[from] == NONE) continue;
                best = best == NONE ? from : meet(g, from, best);
            }
            if (best != g->idom[b]) g->idom[b] = best, changed = true;
        }
    }
}

/* Postorder from the root along `out`; how many nodes were reached. */
static uint32_t walk(struct wg_arena *a, const struct graph *g, uint32_t *const *out, const uint32_t *nout) {
    uint32_t *stack = WG_NEW_N(a, uint32_t, g->n + 1), *at = WG_NEW_N(a, uint32_t, g->n + 1);
    bool *seen = WG_NEW_N(a, bool, g->n + 1);
    uint32_t depth = 0, reached = 0;
    stack[depth++] = g->root;
    seen[g->root] = true;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (at[b] == nout[b]) {
            g->number[b] = reached;
            g->order[reached++] = b;
            depth--;
            continue;
        }
        uint32_t to = out[b][at[b]++];
        if (!seen[to]) stack[depth++] = to;
        seen[to] = true;
    }
    return reached;
}

struct edges {
    uint32_t **to, *n;
};

/* The blocks after each block and, for those that end threads, the exit. */
static struct edges edges_after(struct wg_arena *a, const struct wg_sass_flow *w) {
    const struct wg_sass_func *f = w->f;
    struct edges e = {WG_NEW_N(a, uint32_t *, f->nblocks + 1), WG_NEW_N(a, uint32_t, f->nblocks + 1)};
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_sass_block *blk = &f->blocks[b];
        e.to[b] = WG_NEW_N(a, uint32_t, blk->nnext + 1);
        for (uint32_t i = 0; w->alive[b] && i < blk->nnext; i++)
            if (w->alive[blk->next[i]]) e.to[b][e.n[b]++] = blk->next[i];
        if (w->alive[b] && (blk->exits || !e.n[b])) e.to[b][e.n[b]++] = f->nblocks;
    }
    return e;
}

static void find_dominators(struct wg_arena *a, struct wg_sass_flow *w, uint32_t *post) {
    uint32_t n = w->f->nblocks;
    struct edges after = edges_after(a, w),
                 back = {WG_NEW_N(a, uint32_t *, n + 1), WG_NEW_N(a, uint32_t, n + 1)};
    struct graph g = {n,
                      w->root,
                      w->before,
                      w->nbefore,
                      WG_NEW_N(a, uint32_t, n + 1),
                      WG_NEW_N(a, uint32_t, n + 1),
                      w->dominator};
    /* Forwards without the exit. */
    struct edges inner = {after.to, WG_NEW_N(a, uint32_t, n + 1)};
    for (uint32_t b = 0; b < n; b++)
        inner.n[b] = after.n[b] - (after.n[b] && after.to[b][after.n[b] - 1] == n);
    dominate(&g, walk(a, &g, inner.to, inner.n));
    /* Backwards from it. */
    uint32_t exits = 0;
    for (uint32_t b = 0; b < n; b++) exits += after.n[b] != inner.n[b];
    memcpy(back.to, w->before, n * sizeof *back.to);
    memcpy(back.n, w->nbefore, n * sizeof *back.n);
    back.to[n] = WG_NEW_N(a, uint32_t, exits + 1);
    for (uint32_t b = 0; b < n; b++)
        if (after.n[b] != inner.n[b]) back.to[n][back.n[n]++] = b;
    struct graph r = {n + 1, n, after.to, after.n, g.order, g.number, post};
    dominate(&r, walk(a, &r, back.to, back.n));
}

/* ---- Loops ---- */

static bool dominates(const struct wg_sass_flow *w, uint32_t a, uint32_t b) {
    while (b != a && w->dominator[b] != b && w->dominator[b] != NONE) b = w->dominator[b];
    return a == b;
}

/* The blocks of the loops with this header that reach it without leaving it: `in`; how many. */
static uint32_t loop_of(const struct wg_sass_flow *w, uint32_t header, bool *in, uint32_t *stack) {
    uint32_t n = 0, size = 0;
    memset(in, 0, w->f->nblocks * sizeof *in);
    for (uint32_t i = 0; i < w->nbefore[header]; i++) {
        uint32_t from = w->before[header][i];
        if (in[from] || w->dominator[from] == NONE || !dominates(w, header, from)) continue;
        in[from] = true;
        stack[n++] = from;
    }
    if (!n) return 0;
    if (!in[header]) size++;
    in[header] = true;
    while (n) {
        uint32_t b = stack[--n];
        size++;
        for (uint32_t i = 0; b != header && i < w->nbefore[b]; i++) {
            uint32_t from = w->before[b][i];
            if (in[from]) continue;
            in[from] = true;
            stack[n++] = from;
        }
    }
    return size;
}

static void find_loops(struct wg_arena *a, struct wg_sass_flow *w) {
    uint32_t n = w->f->nblocks, *size = WG_NEW_N(a, uint32_t, n + 1), *stack = WG_NEW_N(a, uint32_t, n + 1);
    uint32_t *around = WG_NEW_N(a, uint32_t, n + 1);
    bool *in = WG_NEW_N(a, bool, n + 1);
    for (uint32_t b = 0; b < n; b++) w->loop[b] = w->outer[b] = NONE, size[b] = around[b] = UINT32_MAX;
    for (uint32_t h = 0; h < n; h++) {
        uint32_t members = w->alive[h] ? loop_of(w, h, in, stack) : 0;
        for (uint32_t b = 0; members && b < n; b++) {
            if (!in[b]) continue;
            if (members < size[b]) size[b] = members, w->loop[b] = h;
        }
    }
    for (uint32_t h = 0; h < n; h++) { /* the smallest loop that has the header of another */
        uint32_t members = w->loop[h] != NONE ? loop_of(w, h, in, stack) : 0;
        for (uint32_t b = 0; members && b < n; b++)
            if (in[b] && b != h && w->loop[b] == b && members < around[b])
                around[b] = members, w->outer[b] = h;
    }
}

bool wg_sass_flow_in(const struct wg_sass_flow *w, uint32_t block, uint32_t header) {
    if (header == NONE) return true;
    uint32_t h = w->loop[block];
    while (h != NONE && h != header) h = w->outer[h];
    return h == header;
}

/* ---- Classes ---- */

static bool postdominates(const uint32_t *post, uint32_t exit, uint32_t b, uint32_t a) {
    while (a != b && a != exit && post[a] != NONE) a = post[a];
    return a == b;
}

bool wg_sass_flow_find(struct wg_arena *a, const struct wg_sass_func *f, uint32_t root,
                       struct wg_sass_flow *w) {
    uint32_t n = f->nblocks;
    if (!n || n > BLOCKS_AT_MOST) return false;
    *w = (struct wg_sass_flow){f,
                               root,
                               WG_NEW_N(a, bool, n),
                               WG_NEW_N(a, uint32_t, n),
                               WG_NEW_N(a, uint32_t, n),
                               WG_NEW_N(a, uint32_t, n),
                               WG_NEW_N(a, uint32_t, n + 1),
                               WG_NEW_N(a, uint32_t *, n),
                               WG_NEW_N(a, uint32_t, n)};
    uint32_t *post = WG_NEW_N(a, uint32_t, n + 1);
    mark_alive(w, WG_NEW_N(a, uint32_t, n + 1));
    find_before(a, w);
    find_dominators(a, w, post);
    find_loops(a, w);
    for (uint32_t b = 0; b < n; b++) w->class[b] = b;
    for (uint32_t b = 0; b < n; b++) {
        if (b == root || !w->alive[b] || post[b] == NONE) continue;
        uint32_t d = w->dominator[b];
        while (d != NONE && d != root && w->loop[d] != w->loop[b]) d = w->dominator[d];
        if (d != NONE && w->loop[d] == w->loop[b] && postdominates(post, n, b, d)) w->class[b] = d;
    }
    for (uint32_t b = 0; b < n; b++)
        while (w->class[w->class[b]] != w->class[b]) w->class[b] = w->class[w->class[b]];
    return true;
}
