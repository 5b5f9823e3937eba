/* See intervals.h. Concurrent pairs of intervals are computed from the entry's pair: where both intervals can
 * be left by a barrier of the same kind, the two intervals after those barriers are a pair, too. */
#include "check/prove/intervals.h"
#include "check/prove/interval_loops.h"

#include <stdlib.h>
#include <string.h>

enum { INTERVALS_MOST = 512, NO_BARRIER = -1, OF_CLUSTER = 64, OF_GRID };

struct interval {
    uint32_t first; /* block that it begins with */
    int left_by;    /* a barrier of this kind is why; the entry: NO_BARRIER */
    wg_bits blocks; /* that belong to it */
    wg_bits next;   /* intervals after its barriers */
    wg_bits with;   /* those that other threads may be in at the same time; past the last: they have ended */
    bool ends;      /* a thread may end in it */
};
struct finder {
    struct wg_arena *a;
    const struct wg_ir_func *f;
    enum wg_intervals_of of;
    bool split; /* the cluster's barriers have separate arrival and wait */
    uint32_t n;
    struct interval *v; /* [n] */
    uint32_t *behind;   /* [block] the interval after the barrier at its end; 0: there is none */
};

/* ---- barriers ---- */

static bool is_block_barrier(const struct wg_ir_instr *in) {
    bool sync = in->op == WG_OP_BAR_SYNC || in->op == WG_OP_BARRIER_SYNC;
    bool reduces = in->op == WG_OP_BAR_RED || in->op == WG_OP_BARRIER_RED;
    /* The number, and of a reduction the predicate: one more is a count of threads. */
    return (sync || reduces) && in->nsrc == 1u + reduces && in->src[0].kind == WG_O_IMM;
}

/* Whether the wait at the end of a block is for the arrival just before it. */
static bool is_whole(const struct wg_ir_block *b) {
    for (uint32_t i = b->ninstrs - 1; i-- > 0;) {
        const struct wg_ir_instr *in = &b->instrs[i];
        bool parameter = in->op == WG_OP_LD && in->space == WG_S_PARAM;
        if (in->op == WG_OP_BAR_CL_ARRIVE) return in->guard == WG_NO_REG;
        if (wg_op_flags(in->op) && !parameter) return false;
    }
    return false;
}

/* Barriers with a count, or where some threads only come by, may be complete before all are there. */
static bool is_partial(const struct wg_ir_instr *in) {
    bool cluster = in->op == WG_OP_BAR_CL_ARRIVE || in->op == WG_OP_BAR_CL_WAIT;
    return wg_op_is(in->op, WG_IS_BARRIER) && !cluster && !is_block_barrier(in);
}

static bool is_grid_barrier(const struct wg_ir_instr *in) {
    return in->op == WG_OP_CALL && in->call->builtin == WG_B_grid_sync;
}

bool wg_intervals_of_grid(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (f->blocks[b].ninstrs && is_grid_barrier(&f->blocks[b].instrs[f->blocks[b].ninstrs - 1]))
            return true;
    return false;
}

/* Which of them there are: false where threads may come by a block's barriers that others do not wait at. */
static bool look_at_barriers(struct finder *x) {
    uint32_t arrivals = 0, whole = 0;
    for (uint32_t b = 0; b < x->f->nblocks; b++) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = &blk->instrs[i];
            if (is_partial(in)) return false;
            arrivals += in->op == WG_OP_BAR_CL_ARRIVE;
            if (in->op != WG_OP_BAR_CL_WAIT) continue;
            whole += is_whole(blk);
            x->split |= !is_whole(blk);
        }
    }
    x->split |= arrivals != whole;
    return true;
}

/* false: some may be passed that are not seen here. */
static bool look_at_grid_barriers(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = &blk->instrs[i];
            bool ends = i + 1 == blk->ninstrs && blk->term == WG_TERM_BR && in->guard == WG_NO_REG;
            if (in->op == WG_OP_CALL && in->call->builtin == WG_B_none) return false;
            if (is_grid_barrier(in) && !ends) return false;
        }
    }
    return true;
}

/* The kind of the barrier at the end of a block: threads at barriers of different kinds wait for ever. */
static int barrier_of(const struct finder *x, const struct wg_ir_block *b) {
    const struct wg_ir_instr *last = b->ninstrs ? &b->instrs[b->ninstrs - 1] : NULL;
    if (!last || b->term != WG_TERM_BR) return NO_BARRIER;
    if (x->of == WG_INTERVALS_GRID) return is_grid_barrier(last) ? OF_GRID : NO_BARRIER;
    if (last->op == WG_OP_BAR_CL_WAIT) return x->split ? NO_BARRIER : OF_CLUSTER;
    if (x->of == WG_INTERVALS_CLUSTER || !is_block_barrier(last)) return NO_BARRIER;
    return (int)(last->src[0].imm & 15);
}

/* ---- intervals ---- */

static void follow(struct finder *x, struct interval *v) {
    const struct wg_ir_func *f = x->f;
    WG_VEC(uint32_t) todo = {0};
    *WG_PUSH(&todo) = v->first;
    wg_bits_add(v->blocks, v->first);
    while (todo.n) {
        uint32_t b = todo.v[--todo.n];
        const struct wg_ir_block *blk = &f->blocks[b];
        v->ends |= !blk->nsucc;
        if (x->behind[b]) {
            wg_bits_add(v->next, x->behind[b]);
            continue;
        }
        for (uint32_t s = 0; s < blk->nsucc; s++) {
            if (wg_bits_has(v->blocks, blk->succ[s])) continue;
            wg_bits_add(v->blocks, blk->succ[s]);
            *WG_PUSH(&todo) = blk->succ[s];
        }
    }
    free(todo.v);
}

static bool find_intervals(struct finder *x) {
    const struct wg_ir_func *f = x->f;
    x->n = 1;
    x->behind = WG_NEW_N(x->a, uint32_t, f->nblocks + 1);
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (barrier_of(x, &f->blocks[b]) != NO_BARRIER) x->behind[b] = x->n++;
    if (x->n > INTERVALS_MOST) return false;
    x->v = WG_NEW_N(x->a, struct interval, x->n);
    for (uint32_t i = 0; i < x->n; i++) {
        x->v[i].blocks = wg_bits_new(x->a, f->nblocks);
        x->v[i].next = wg_bits_new(x->a, x->n);
        x->v[i].with = wg_bits_new(x->a, x->n + 1);
    }
    x->v[0].left_by = NO_BARRIER;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        if (!x->behind[b]) continue;
        x->v[x->behind[b]].first = f->blocks[b].succ[0];
        x->v[x->behind[b]].left_by = barrier_of(x, &f->blocks[b]);
    }
    for (uint32_t i = 0; i < x->n; i++) follow(x, &x->v[i]);
    return true;
}

/* ---- pairs ---- */

struct pairs {
    WG_VEC(uint32_t) todo; /* interval * (n + 1) + other */
};

static void add_pair(struct finder *x, struct pairs *p, uint32_t i, uint32_t k) {
    if (wg_bits_has(x->v[i].with, k)) return;
    wg_bits_add(x->v[i].with, k);
    *WG_PUSH(&p->todo) = i * (x->n + 1) + k;
}

static void find_pairs(struct finder *x) {
    struct pairs p = {0};
    const uint32_t ended = x->n;
    add_pair(x, &p, 0, 0);
    while (p.todo.n) {
        uint32_t at = p.todo.v[--p.todo.n], i = at / (x->n + 1), k = at % (x->n + 1);
        bool ends = k == ended || x->v[k].ends;
        WG_BITS_EACH(to, x->v[i].next, x->n) {
            if (ends) add_pair(x, &p, to, ended);
            if (k == ended) continue;
            WG_BITS_EACH(other, x->v[k].next, x->n)
            if (x->v[to].left_by == x->v[other].left_by) add_pair(x, &p, to, other);
        }
    }
    free(p.todo.v);
}

struct wg_intervals *wg_intervals_find(struct wg_arena *a, const struct wg_ir_func *f,
                                       enum wg_intervals_of of) {
    struct finder x = {.a = a, .f = f, .of = of};
    bool clear = of == WG_INTERVALS_GRID ? look_at_grid_barriers(f) : look_at_barriers(&x);
    if (!f->nblocks || !clear || !find_intervals(&x)) return NULL;
    find_pairs(&x);
    struct wg_intervals *out = WG_NEW(a, struct wg_intervals);
    out->nblocks = f->nblocks;
    out->meets = WG_NEW_N(a, wg_bits, f->nblocks);
    out->outlasted = wg_bits_new(a, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) out->meets[b] = wg_bits_new(a, f->nblocks);
    wg_bits around = wg_bits_new(a, f->nblocks);
    out->loops = of == WG_INTERVALS_BLOCK ? wg_interval_loops_find(a, f, x.behind) : NULL;
    for (uint32_t i = 0; i < x.n; i++) {
        bool ends = false;
        memset(around, 0, (f->nblocks + 63) / 64 * sizeof *around);
        WG_BITS_EACH(k, x.v[i].with, x.n + 1) {
            ends |= k == x.n || x.v[k].ends;
            if (k < x.n) wg_bits_join(around, x.v[k].blocks, f->nblocks);
        }
        WG_BITS_EACH(b, x.v[i].blocks, f->nblocks) {
            wg_bits_join(out->meets[b], around, f->nblocks);
            if (ends) wg_bits_add(out->outlasted, b);
        }
    }
    return out;
}

bool wg_intervals_meet(const struct wg_intervals *v, uint32_t a, uint32_t b, struct wg_meeting *out) {
    *out = (struct wg_meeting){.same = true};
    return wg_bits_has(v->meets[a], b) && (!v->loops || wg_interval_loops_meet(v->loops, a, b, out));
}
