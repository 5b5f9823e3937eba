/* Draft blocks to the blocks of ir.h: labels become indices, blocks that only jump are skipped, straight
 * lines are joined, unreachable blocks dropped. */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

struct flow {
    struct wg_fn *f;
    uint32_t n;
    uint32_t **succ; /* by draft block */
    uint32_t *npred; /* edges from reachable blocks */
    bool *reached;
    uint32_t *tail; /* next draft block joined to this one, or WG_NO_REG */
    bool *joined;   /* is the tail of another */
};

static bool resolve(struct flow *w) {
    struct wg_fn *f = w->f;
    for (uint32_t b = 0; b < w->n; b++) {
        const struct wg_draft *d = &f->blocks.v[b];
        const struct wg_target *t = d->succ ? d->succ : d->two;
        w->succ[b] = WG_NEW_N(&f->b->scratch, uint32_t, d->nsucc);
        for (uint32_t i = 0; i < d->nsucc; i++) {
            if (t[i].label && !t[i].label->block) {
                wg_ptx_error(f->b->src, t[i].off, "unknown label '%s'", t[i].label->name->s);
                return false;
            }
            w->succ[b][i] = t[i].label ? t[i].label->block - 1 : t[i].block;
        }
    }
    return true;
}

/* Where a jump to `b` ends up. Chains of empty blocks that go round are endless loops and stay. */
static uint32_t forward(const struct flow *w, uint32_t b) {
    uint32_t to = b;
    for (uint32_t steps = 0; steps < 64; steps++) {
        const struct wg_draft *d = &w->f->blocks.v[to];
        if (d->n || d->term != WG_TERM_BR || w->succ[to][0] == to) return to;
        to = w->succ[to][0];
        if (to == b) return b;
    }
    return to;
}

static void skip_jumps(struct flow *w) {
    for (uint32_t b = 0; b < w->n; b++) {
        struct wg_draft *d = &w->f->blocks.v[b];
        for (uint32_t i = 0; i < d->nsucc; i++) w->succ[b][i] = forward(w, w->succ[b][i]);
        if (d->term == WG_TERM_CBR && w->succ[b][0] == w->succ[b][1]) {
            d->term = WG_TERM_BR;
            d->nsucc = 1;
            d->cond = WG_NO_REG;
        }
    }
}

static void reach(struct flow *w) {
    WG_VEC(uint32_t) work = {0};
    w->reached[0] = true;
    *WG_PUSH(&work) = 0;
    while (work.n) {
        uint32_t b = work.v[--work.n];
        for (uint32_t i = 0; i < w->f->blocks.v[b].nsucc; i++) {
            uint32_t s = w->succ[b][i];
            w->npred[s]++;
            if (w->reached[s]) continue;
            w->reached[s] = true;
            *WG_PUSH(&work) = s;
        }
    }
    free(work.v);
}

/* Straight lines: a block that is its only predecessor's only successor continues it. */
static void join(struct flow *w) {
    for (uint32_t b = 0; b < w->n; b++) {
        w->tail[b] = WG_NO_REG;
        const struct wg_draft *d = &w->f->blocks.v[b];
        if (!w->reached[b] || d->term != WG_TERM_BR || d->waits) continue;
        uint32_t s = w->succ[b][0];
        if (s == b || w->npred[s] != 1 || w->f->blocks.v[s].syncs) continue;
        w->tail[b] = s;
        w->joined[s] = true;
    }
}

static void copy_block(struct flow *w, uint32_t head, struct wg_ir_block *out, const uint32_t *index) {
    struct wg_fn *f = w->f;
    uint32_t n = 0, last = head;
    for (uint32_t b = head; b != WG_NO_REG; b = w->tail[b]) n += f->blocks.v[b].n, last = b;
    out->label = f->blocks.v[head].label;
    out->nounroll = f->blocks.v[head].nounroll;
    out->ninstrs = n;
    out->instrs = WG_NEW_N(f->b->arena, struct wg_ir_instr, n);
    struct wg_ir_instr *to = out->instrs;
    for (uint32_t b = head; b != WG_NO_REG; b = w->tail[b]) {
        const struct wg_draft *d = &f->blocks.v[b];
        if (d->n) memcpy(to, &f->instrs.v[d->first], d->n * sizeof *to);
        to += d->n;
    }
    const struct wg_draft *d = &f->blocks.v[last];
    out->term = d->term;
    out->cond_neg = d->cond_neg;
    out->uniform = d->uniform;
    out->cond = d->cond;
    out->loc = d->loc;
    out->ptx_line = d->line;
    out->nsucc = d->nsucc;
    out->succ = WG_NEW_N(f->b->arena, uint32_t, d->nsucc);
    for (uint32_t i = 0; i < d->nsucc; i++) out->succ[i] = index[w->succ[last][i]];
}

bool wg_finish_blocks(struct wg_fn *f) {
    struct wg_arena *a = &f->b->scratch;
    /* The last block is the open one behind the final RET: never reached. */
    uint32_t n = f->blocks.n;
    f->blocks.v[n - 1].term = WG_TERM_RET;
    f->blocks.v[n - 1].cond = WG_NO_REG;
    struct flow w = {.f = f,
                     .n = n,
                     .succ = WG_NEW_N(a, uint32_t *, n),
                     .npred = WG_NEW_N(a, uint32_t, n),
                     .reached = WG_NEW_N(a, bool, n),
                     .tail = WG_NEW_N(a, uint32_t, n),
                     .joined = WG_NEW_N(a, bool, n)};
    if (!resolve(&w)) return false;
    skip_jumps(&w);
    reach(&w);
    join(&w);
    uint32_t *index = WG_NEW_N(a, uint32_t, n), count = 0;
    for (uint32_t b = 0; b < n; b++)
        if (w.reached[b] && !w.joined[b]) index[b] = count++;
    f->out->nblocks = count;
    f->out->blocks = WG_NEW_N(f->b->arena, struct wg_ir_block, count);
    for (uint32_t b = 0; b < n; b++)
        if (w.reached[b] && !w.joined[b]) copy_block(&w, b, &f->out->blocks[index[b]], index);
    wg_ir_order(f->b->arena, f->out);
    return true;
}
