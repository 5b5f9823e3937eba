/* See uniform.h. Optimistic: everything is uniform until found otherwise. */
#include "check/prove/uniform.h"
#include "analysis/flow.h"
#include "cfg/cfg.h"

#include <string.h>

struct finder {
    const struct wg_ir_func *f;
    wg_bits *after; /* [block] blocks that post-dominate it, itself too */
    wg_bits regs;   /* uniform so far */
    wg_bits blocks; /* uniform so far */
    wg_bits split;  /* blocks whose branch is not uniform */
    wg_bits seen;   /* for a flood */
    uint32_t *todo;
    bool changed;
};

/* ---- post-dominators ---- */

/* It ends the launch: what other threads do after it matters to nobody. */
static bool is_fatal(const struct wg_ir_block *b) {
    return b->term == WG_TERM_TRAP || b->term == WG_TERM_BAD_CALL || b->term == WG_TERM_OVERFLOW;
}

static bool all_end(struct finder *x, struct wg_arena *a) {
    const struct wg_ir_func *f = x->f;
    wg_bits ends = wg_bits_new(a, f->nblocks);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = f->nblocks; b-- > 0;) {
            bool end = !f->blocks[b].nsucc;
            for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) end |= wg_bits_has(ends, f->blocks[b].succ[k]);
            if (!end || wg_bits_has(ends, b)) continue;
            wg_bits_add(ends, b);
            more = true;
        }
    }
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (!wg_bits_has(ends, b)) return false;
    return true;
}

static void find_after(struct finder *x, struct wg_arena *a) {
    const struct wg_ir_func *f = x->f;
    uint32_t n = f->nblocks, words = (n + 63) / 64;
    wg_bits now = wg_bits_new(a, n);
    x->after = WG_NEW_N(a, wg_bits, n);
    for (uint32_t b = 0; b < n; b++) {
        x->after[b] = wg_bits_new(a, n);
        memset(x->after[b], 0xff, words * sizeof *now);
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = n; b-- > 0;) {
            bool open = f->blocks[b].nsucc || is_fatal(&f->blocks[b]);
            memset(now, open ? 0xff : 0, words * sizeof *now);
            for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
                for (uint32_t w = 0; w < words; w++) now[w] &= x->after[f->blocks[b].succ[k]][w];
            wg_bits_add(now, b);
            if (memcmp(now, x->after[b], words * sizeof *now) == 0) continue;
            wg_bits_copy(x->after[b], now, n);
            more = true;
        }
    }
}

/* ---- blocks ---- */

/* Threads take different ways from here to where all ways join again. */
static void part(struct finder *x, uint32_t branch) {
    const struct wg_ir_func *f = x->f;
    uint32_t n = 0;
    memset(x->seen, 0, (f->nblocks + 63) / 64 * sizeof *x->seen);
    x->todo[n++] = branch;
    while (n) {
        const struct wg_ir_block *b = &f->blocks[x->todo[--n]];
        for (uint32_t k = 0; k < b->nsucc; k++) {
            uint32_t s = b->succ[k];
            if ((s != branch && wg_bits_has(x->after[branch], s)) || wg_bits_has(x->seen, s)) continue;
            wg_bits_add(x->seen, s);
            wg_bits_del(x->blocks, s);
            if (s != branch) x->todo[n++] = s;
        }
    }
}

static void find_splits(struct finder *x) {
    for (uint32_t b = 0; b < x->f->nblocks; b++) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        if ((blk->term != WG_TERM_CBR && blk->term != WG_TERM_BRX) || wg_bits_has(x->split, b)) continue;
        if (wg_bits_has(x->regs, blk->cond)) continue;
        wg_bits_add(x->split, b);
        part(x, b);
        x->changed = true;
    }
}

/* ---- registers ---- */

struct reading {
    const struct finder *x;
    bool uniform;
};

static void read(void *user, uint32_t reg) {
    struct reading *r = user;
    r->uniform &= wg_bits_has(r->x->regs, reg);
}

/* The same in all threads if its operands are. */
static bool is_function(const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_LD: return in->space == WG_S_PARAM || in->space == WG_S_CONST;
    case WG_OP_MOV_SREG: return wg_sreg_of_block(in->sreg);
    case WG_OP_ACTIVEMASK:
    case WG_OP_NONE: return false;
    default: return !wg_op_flags(in->op) && in->op < WG_OP_OWN;
    }
}

struct writing {
    struct finder *x;
    bool uniform;
};

static void write(void *user, uint32_t reg) {
    struct writing *w = user;
    if (w->uniform || !wg_bits_has(w->x->regs, reg)) return;
    wg_bits_del(w->x->regs, reg);
    w->x->changed = true;
}

static void find_registers(struct finder *x) {
    for (uint32_t b = 0; b < x->f->nblocks; b++)
        for (uint32_t i = 0; i < x->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &x->f->blocks[b].instrs[i];
            struct reading r = {x, is_function(in) && wg_bits_has(x->blocks, b)};
            wg_each_use(in, read, &r);
            struct writing w = {x, r.uniform};
            wg_each_def(in, write, &w);
        }
}

wg_bits wg_uniform_find(struct wg_arena *a, const struct wg_ir_func *f) {
    struct finder x = {.f = f, .changed = true};
    struct wg_cfg c = {.func = f};
    wg_bits blocks = wg_bits_new(a, f->nblocks);
    x.blocks = blocks;
    wg_cfg_liveness(&c);
    if (all_end(&x, &c.arena)) {
        x.regs = wg_bits_new(&c.arena, f->nregs + 1);
        x.split = wg_bits_new(&c.arena, f->nblocks);
        x.seen = wg_bits_new(&c.arena, f->nblocks);
        x.todo = WG_NEW_N(&c.arena, uint32_t, f->nblocks + 1);
        find_after(&x, &c.arena);
        for (uint32_t b = 0; b < f->nblocks; b++) wg_bits_add(x.blocks, b);
        for (uint32_t r = 0; r < f->nregs; r++)
            if (!wg_bits_has(c.live_in[0], r)) wg_bits_add(x.regs, r);
        while (x.changed) {
            x.changed = false;
            find_registers(&x);
            find_splits(&x);
        }
    } else {
        blocks = NULL;
    }
    wg_arena_free(&c.arena);
    return blocks;
}
