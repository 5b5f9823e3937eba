/* See meetings.h. */
#include "analysis/meetings.h"

#include <stdlib.h>

enum { NONE = WG_NO_REG };

struct finder {
    struct wg_arena *a;
    const struct wg_ir_func *f;
    struct wg_cfg cfg;
    bool *ends;              /* [block] leads to the kernel's end and meets no other way */
    bool *last;              /* [block] see find_last */
    wg_bits *behind;         /* [block] its post-dominators, itself included; bit nblocks: the end */
    wg_bits meets;           /* blocks where lanes meet */
    WG_VEC(wg_bits) between; /* what lies before those that are not post-dominators */
};

static bool is_back(const struct finder *x, uint32_t from, uint32_t to) {
    return to <= from && wg_in_loop(x->f, from, to);
}

/* Blocks that are reached forward from more than one other. */
static bool is_join(const struct finder *x, uint32_t b) {
    const struct wg_ir_block *blk = &x->f->blocks[b];
    uint32_t first = NONE;
    for (uint32_t i = 0; i < blk->npred; i++) {
        if (is_back(x, blk->pred[i], b)) continue;
        if (first != NONE && first != blk->pred[i]) return true;
        first = blk->pred[i];
    }
    return false;
}

static void find_ends(struct finder *x) {
    for (uint32_t b = x->f->nblocks; b-- > 0;) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        bool ends = !is_join(x, b) && blk->loop == NONE;
        for (uint32_t k = 0; k < blk->nsucc; k++) ends &= blk->succ[k] > b && x->ends[blk->succ[k]];
        x->ends[b] = ends || wg_leads_to_exit(x->f, b);
    }
}

/* The last block of each loop that is left for the end alone: post-dominators go by its edge there. */
static void find_last(struct finder *x) {
    for (uint32_t h = 0; h < x->f->nblocks; h++) {
        uint32_t last = NONE;
        bool goes_on = x->f->blocks[h].loop != h;
        for (uint32_t b = h; b < x->f->nblocks && !goes_on; b++) {
            const struct wg_ir_block *blk = &x->f->blocks[b];
            for (uint32_t k = 0; k < blk->nsucc && wg_in_loop(x->f, b, h); k++) {
                if (wg_in_loop(x->f, blk->succ[k], h)) continue;
                if (x->ends[blk->succ[k]]) last = b;
                goes_on |= !x->ends[blk->succ[k]];
            }
        }
        if (!goes_on && last != NONE) x->last[last] = true;
    }
}

/* ---- Post-dominators ---- */

static uint32_t size_of(const struct finder *x, const uint64_t *set) {
    uint32_t n = 0;
    WG_BITS_EACH(b, set, x->f->nblocks + 1) n++;
    return n;
}

/* One block; true if its set has shrunk. */
static bool narrow(struct finder *x, uint32_t b, wg_bits now) {
    const struct wg_ir_block *blk = &x->f->blocks[b];
    uint32_t n = x->f->nblocks, words = (n + 64) / 64;
    bool any = false, changed = false;
    for (uint32_t k = 0; k < blk->nsucc; k++) {
        if (x->ends[blk->succ[k]] && !x->last[b]) continue;
        if (!any) wg_bits_copy(now, x->behind[blk->succ[k]], n + 1);
        for (uint32_t w = 0; w < words && any; w++) now[w] &= x->behind[blk->succ[k]][w];
        any = true;
    }
    if (!any) {
        for (uint32_t w = 0; w < words; w++) now[w] = 0;
        wg_bits_add(now, n);
    }
    wg_bits_add(now, b);
    for (uint32_t w = 0; w < words; w++) changed |= now[w] != x->behind[b][w];
    wg_bits_copy(x->behind[b], now, n + 1);
    return changed;
}

static void find_behind(struct finder *x) {
    uint32_t n = x->f->nblocks;
    wg_bits now = wg_bits_new(x->a, n + 1);
    x->behind = WG_NEW_N(x->a, wg_bits, n);
    for (uint32_t b = 0; b < n; b++) {
        x->behind[b] = wg_bits_new(x->a, n + 1);
        for (uint32_t k = 0; k <= n; k++) wg_bits_add(x->behind[b], k);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = n; b-- > 0;) changed |= narrow(x, b, now);
    }
}

/* The immediate one; NONE: the end. */
static uint32_t first_behind(const struct finder *x, uint32_t b) {
    uint32_t n = x->f->nblocks, size = size_of(x, x->behind[b]);
    WG_BITS_EACH(p, x->behind[b], n)
    if (p != b && size_of(x, x->behind[p]) + 1 == size) return p;
    return NONE;
}

/* ---- The other joins ---- */

static bool parts(const struct finder *x, uint32_t b) {
    const struct wg_ir_block *blk = &x->f->blocks[b];
    uint32_t ways = 0;
    for (uint32_t k = 0; k < blk->nsucc; k++)
        ways += (!x->ends[blk->succ[k]] || x->last[b]) && (k == 0 || blk->succ[k] != blk->succ[0]);
    return ways > 1;
}

/* The blocks from `above`, which dominates it immediately, to the join, without that. */
static wg_bits blocks_between(const struct finder *x, uint32_t above, uint32_t join) {
    wg_bits set = wg_bits_new(x->a, x->f->nblocks);
    uint32_t *work = WG_NEW_N(x->a, uint32_t, x->f->nblocks + 1), n = 0;
    work[n++] = join;
    while (n) {
        uint32_t b = work[--n];
        const struct wg_ir_block *blk = &x->f->blocks[b];
        for (uint32_t i = 0; i < blk->npred && b != above; i++) {
            uint32_t p = blk->pred[i];
            if (p == join || wg_bits_has(set, p) || (b == join && is_back(x, p, b)) ||
                !wg_dominates(&x->cfg, above, p))
                continue;
            wg_bits_add(set, p);
            work[n++] = p;
        }
    }
    return set;
}

/* Whether a loop between the two has an exit that leads past the join. */
static bool is_passed(const struct finder *x, const uint64_t *between, uint32_t above, uint32_t join) {
    WG_BITS_EACH(b, between, x->f->nblocks) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        if (blk->loop == NONE || wg_in_loop(x->f, above, blk->loop)) continue;
        for (uint32_t k = 0; k < blk->nsucc; k++) {
            uint32_t s = blk->succ[k];
            if (s != join && !x->ends[s] && !wg_bits_has(between, s)) return true;
        }
    }
    return false;
}

static bool overlaps(const struct finder *x, const uint64_t *set) {
    for (uint32_t i = 0; i < x->between.n; i++) {
        const uint64_t *other = x->between.v[i];
        bool both = false, mine = false, others = false;
        for (uint32_t w = 0; w < (x->f->nblocks + 63) / 64; w++) {
            both |= (set[w] & other[w]) != 0;
            mine |= (set[w] & ~other[w]) != 0;
            others |= (other[w] & ~set[w]) != 0;
        }
        if (both && mine && others) return true;
    }
    return false;
}

/* The last join that `above` dominates immediately, beside its post-dominator. */
static void add_last_join(struct finder *x, uint32_t above, uint32_t behind) {
    for (uint32_t j = x->f->nblocks; j-- > above + 1;) {
        if (x->cfg.idom[j] != above || j == behind || x->ends[j] || !is_join(x, j)) continue;
        wg_bits between = blocks_between(x, above, j);
        if (is_passed(x, between, above, j) || overlaps(x, between)) return;
        wg_bits_add(x->meets, j);
        *WG_PUSH(&x->between) = between;
        return;
    }
}

/* Whether the block is reached from a loop that it is not in. */
static bool is_behind_loop(const struct finder *x, uint32_t b) {
    const struct wg_ir_block *blk = &x->f->blocks[b];
    for (uint32_t i = 0; i < blk->npred; i++) {
        uint32_t loop = x->f->blocks[blk->pred[i]].loop;
        if (loop != NONE && !wg_in_loop(x->f, b, loop)) return true;
    }
    return false;
}

wg_bits wg_meetings_missed(struct wg_arena *a, const struct wg_ir_func *f) {
    struct finder x = {.a = a, .f = f, .cfg = {.func = f}};
    wg_bits missed = wg_bits_new(a, f->nblocks);
    x.ends = WG_NEW_N(a, bool, f->nblocks + 1);
    x.meets = wg_bits_new(a, f->nblocks);
    wg_cfg_dominators(&x.cfg);
    x.last = WG_NEW_N(a, bool, f->nblocks + 1);
    find_ends(&x);
    find_last(&x);
    find_behind(&x);
    for (uint32_t b = f->nblocks; b-- > 0;) {
        if (!parts(&x, b)) continue;
        uint32_t behind = first_behind(&x, b);
        if (behind != NONE) wg_bits_add(x.meets, behind);
        add_last_join(&x, b, behind);
    }
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (!wg_bits_has(x.meets, b) && !wg_leads_to_exit(f, b) &&
            (is_behind_loop(&x, b) || (is_join(&x, b) && !x.ends[b])))
            wg_bits_add(missed, b);
    free(x.between.v);
    wg_arena_free(&x.cfg.arena);
    return missed;
}
