/* See apart.h. */
#include "analysis/apart.h"
#include "analysis/meetings.h"

#include <string.h>

enum {
    MOST_BLOCKS = 400,
    MOST_INSTRS = 12000, /* more */
    MOST_COPIES = 1000,
    LEAST_INSTRS = 8, /* of what accesses no memory: the assembler would make predicates of less */
};

struct copier {
    struct wg_arena *a;
    struct wg_ir_func f; /* as it has become */
    bool *missed;        /* [number of a block's end] its lanes do not meet: meetings.h */
    uint32_t never;      /* a predicate that is false: behind the function's registers */
    wg_bits part;        /* blocks that the copied one dominates, with it */
};

/* ---- What is copied ---- */

/* Lanes wait for others there, or elsewhere. */
static bool has_wait(const struct wg_ir_block *b) {
    for (uint32_t i = 0; i < b->ninstrs; i++)
        if (b->instrs[i].op == WG_OP_CALL || wg_op_flags(b->instrs[i].op) & (WG_F_WAIT | WG_F_SYNC))
            return true;
    return b->term == WG_TERM_BRX;
}

static bool accesses_memory(const struct wg_ir_block *b) {
    for (uint32_t i = 0; i < b->ninstrs; i++)
        if (wg_op_flags(b->instrs[i].op) & WG_F_MEM && b->instrs[i].space != WG_S_PARAM) return true;
    return false;
}

/* The edge back to a loop that nothing takes. */
static bool is_anchor(const struct copier *x, const struct wg_ir_block *b, uint32_t succ) {
    return succ == 0 && b->term == WG_TERM_CBR && b->cond == x->never;
}

/* Whether it can be copied, and is worth it. What follows an inner loop in an outer one goes on there. */
static bool may_copy(const struct copier *x, uint32_t b, bool left) {
    uint32_t instrs = 0;
    bool memory = false, goes_on = false, far = false;
    WG_BITS_EACH(k, x->part, x->f.nblocks) {
        const struct wg_ir_block *blk = &x->f.blocks[k];
        if (has_wait(blk)) return false;
        memory |= accesses_memory(blk);
        instrs += blk->ninstrs;
        for (uint32_t s = 0; s < blk->nsucc; s++)
            if (!is_anchor(x, blk, s) && !wg_bits_has(x->part, blk->succ[s])) {
                if (blk->succ[s] <= k) return false;
                goes_on = true;
                far |= x->missed[x->f.blocks[blk->succ[s]].id];
            }
    }
    return (goes_on || !left) && x->f.blocks[b].loop != b && (memory || far || instrs >= LEAST_INSTRS);
}

static void find_part(struct copier *x, uint32_t b) {
    struct wg_cfg cfg = {.func = &x->f};
    wg_cfg_dominators(&cfg);
    x->part = wg_bits_new(x->a, x->f.nblocks);
    for (uint32_t k = b; k < x->f.nblocks; k++)
        if (wg_dominates(&cfg, b, k)) wg_bits_add(x->part, k);
    wg_arena_free(&cfg.arena);
}

/* ---- Edges ---- */

/* The loop that an edge leaves. */
static uint32_t loop_left(const struct copier *x, uint32_t from, uint32_t to) {
    uint32_t loop = x->f.blocks[from].loop;
    return loop != WG_NO_REG && !wg_in_loop(&x->f, to, loop) ? loop : WG_NO_REG;
}

/* A few instructions between two tests for the same block are no branch of their own. */
static bool is_same_test(const struct copier *x, uint32_t b, uint32_t to) {
    const struct wg_ir_block *blk = &x->f.blocks[b];
    if (blk->npred != 1 || blk->ninstrs >= LEAST_INSTRS || accesses_memory(blk) || has_wait(blk))
        return false;
    const struct wg_ir_block *above = &x->f.blocks[blk->pred[0]];
    for (uint32_t k = 0; k < above->nsucc; k++)
        if (above->succ[k] == to) return true;
    return false;
}

/* The predecessor from which lanes are told apart: several tests for one. */
static uint32_t group_of(const struct copier *x, uint32_t from, uint32_t to) {
    while (is_same_test(x, from, to)) from = x->f.blocks[from].pred[0];
    return from;
}

/* An edge to the block from which lanes come that it has to keep apart from others; WG_NO_REG: there is none. */
static uint32_t edge_to_part(const struct copier *x, uint32_t b) {
    const struct wg_ir_block *blk = &x->f.blocks[b];
    for (uint32_t i = 0; i < blk->npred; i++)
        if (loop_left(x, blk->pred[i], b) != WG_NO_REG) return blk->pred[i];
    for (uint32_t i = 1; i < blk->npred; i++)
        if (group_of(x, blk->pred[i], b) != group_of(x, blk->pred[0], b)) return blk->pred[i];
    return WG_NO_REG;
}

/* ---- Copying ---- */

static struct wg_ir_block *room_for(struct copier *x, uint32_t more) {
    struct wg_ir_block *to = WG_NEW_N(x->a, struct wg_ir_block, x->f.nblocks + more);
    memcpy(to, x->f.blocks, x->f.nblocks * sizeof *to);
    for (uint32_t b = 0; b < x->f.nblocks; b++) {
        to[b].succ = WG_NEW_N(x->a, uint32_t, to[b].nsucc + 1);
        memcpy(to[b].succ, x->f.blocks[b].succ, to[b].nsucc * sizeof *to[b].succ);
    }
    return to;
}

/* A block that goes on to `to`, and never back to the loop's header. */
static void add_anchor(struct copier *x, struct wg_ir_block *at, uint32_t to, uint32_t header) {
    *at = (struct wg_ir_block){
        .term = WG_TERM_CBR, .cond = x->never, .nsucc = 2, .loop = WG_NO_REG, .outer = WG_NO_REG};
    at->loc = x->f.blocks[to].loc, at->ptx_line = x->f.blocks[to].ptx_line;
    at->succ = WG_NEW_N(x->a, uint32_t, 2);
    at->succ[0] = header, at->succ[1] = to;
}

/* Where lanes wait that go on in the loop: behind the copy, as they would not at the header. */
static void add_latch(struct copier *x, struct wg_ir_block *at, uint32_t header) {
    *at = (struct wg_ir_block){
        .term = WG_TERM_BR, .cond = WG_NO_REG, .nsucc = 1, .loop = WG_NO_REG, .outer = WG_NO_REG};
    at->loc = x->f.blocks[header].loc, at->ptx_line = x->f.blocks[header].ptx_line;
    at->succ = WG_NEW_N(x->a, uint32_t, 1);
    at->succ[0] = header;
}

/* Makes the edges of the group go to the copy. The copy is what comes first in the order of the blocks: not taken. */
static void turn(struct copier *x, struct wg_ir_block *to, uint32_t from, uint32_t b, uint32_t copy,
                 bool left) {
    for (uint32_t i = 0; i < x->f.blocks[b].npred; i++) {
        uint32_t p = x->f.blocks[b].pred[i];
        if (left ? p != from : group_of(x, p, b) != group_of(x, from, b)) continue;
        for (uint32_t k = 0; k < to[p].nsucc; k++)
            if (to[p].succ[k] == b) to[p].succ[k] = copy;
        if (left && to[p].term == WG_TERM_CBR && to[p].succ[0] == copy && to[p].succ[1] != copy) {
            to[p].succ[0] = to[p].succ[1], to[p].succ[1] = copy;
            to[p].cond_neg = !to[p].cond_neg;
        }
    }
}

static void copy_part(struct copier *x, uint32_t b, uint32_t from) {
    uint32_t n = x->f.nblocks, at = n, loop = loop_left(x, from, b), *copy = WG_NEW_N(x->a, uint32_t, n),
             out = 0;
    WG_BITS_EACH(k, x->part, n) {
        copy[k] = at++;
        for (uint32_t s = 0; s < x->f.blocks[k].nsucc; s++) out++;
    }
    struct wg_ir_block *to = room_for(x, at - n + out + 1);
    WG_BITS_EACH(k, x->part, n) {
        const struct wg_ir_block *blk = &x->f.blocks[k];
        struct wg_ir_block *c = &to[copy[k]];
        *c = *blk;
        c->succ = WG_NEW_N(x->a, uint32_t, blk->nsucc + 1);
        for (uint32_t s = 0; s < blk->nsucc; s++) {
            bool inside = wg_bits_has(x->part, blk->succ[s]);
            c->succ[s] = inside ? copy[blk->succ[s]] : blk->succ[s];
            if (inside || loop == WG_NO_REG || is_anchor(x, blk, s)) continue;
            add_anchor(x, &to[at], blk->succ[s], loop);
            c->succ[s] = at++;
        }
    }
    turn(x, to, from, b, copy[b], loop != WG_NO_REG);
    if (loop != WG_NO_REG && to[from].nsucc == 2 && to[from].succ[0] <= from && !is_anchor(x, &to[from], 0)) {
        add_latch(x, &to[at], to[from].succ[0]);
        to[from].succ[0] = at++;
    }
    x->f.blocks = to;
    x->f.nblocks = at;
}

/* What no edge leads to any more is gone: ir.h wants every block reachable. */
static void drop_unreached(struct copier *x) {
    uint32_t n = x->f.nblocks, kept = 0, *number = WG_NEW_N(x->a, uint32_t, n);
    wg_bits seen = wg_bits_new(x->a, n);
    uint32_t *work = WG_NEW_N(x->a, uint32_t, n + 1), todo = 0;
    wg_bits_add(seen, 0);
    work[todo++] = 0;
    while (todo) {
        const struct wg_ir_block *blk = &x->f.blocks[work[--todo]];
        for (uint32_t k = 0; k < blk->nsucc; k++) {
            if (wg_bits_has(seen, blk->succ[k])) continue;
            wg_bits_add(seen, blk->succ[k]);
            work[todo++] = blk->succ[k];
        }
    }
    WG_BITS_EACH(b, seen, n) {
        number[b] = kept;
        x->f.blocks[kept++] = x->f.blocks[b];
    }
    x->f.nblocks = kept;
    for (uint32_t b = 0; b < kept; b++)
        for (uint32_t k = 0; k < x->f.blocks[b].nsucc; k++)
            x->f.blocks[b].succ[k] = number[x->f.blocks[b].succ[k]];
}

static uint32_t size_of(const struct wg_ir_func *f) {
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) n += f->blocks[b].ninstrs;
    return n;
}

/* A register that the entry sets to false. */
static void add_never(struct copier *x) {
    struct wg_ir_block *entry = &x->f.blocks[0];
    struct wg_ir_reg *regs = WG_NEW_N(x->a, struct wg_ir_reg, x->f.nregs + 1);
    struct wg_ir_instr *instrs = WG_NEW_N(x->a, struct wg_ir_instr, entry->ninstrs + 1);
    memcpy(regs, x->f.regs, x->f.nregs * sizeof *regs);
    regs[x->never] = (struct wg_ir_reg){.name = "%never", .width = WG_W1, .type = WG_T_PRED};
    instrs[0] = (struct wg_ir_instr){.op = WG_OP_MOV,
                                     .type = WG_T_PRED,
                                     .ndst = 1,
                                     .nsrc = 1,
                                     .nvec = 1,
                                     .guard = WG_NO_REG,
                                     .loc = x->f.loc,
                                     .ptx_line = x->f.ptx_line};
    instrs[0].dst = WG_NEW(x->a, struct wg_ir_opd);
    instrs[0].src = WG_NEW(x->a, struct wg_ir_opd);
    *instrs[0].dst = (struct wg_ir_opd){.kind = WG_O_REG, .index = x->never};
    *instrs[0].src = (struct wg_ir_opd){.kind = WG_O_IMM};
    memcpy(instrs + 1, entry->instrs, entry->ninstrs * sizeof *instrs);
    entry->instrs = instrs;
    entry->ninstrs++;
    x->f.regs = regs;
    x->f.nregs++;
}

/* The next block to copy, and in `part` what it dominates. */
static uint32_t next(struct copier *x, uint32_t *from) {
    for (uint32_t b = 0; b < x->f.nblocks; b++) {
        if (!x->missed[x->f.blocks[b].id]) continue;
        *from = edge_to_part(x, b);
        if (*from == WG_NO_REG) continue;
        find_part(x, b);
        if (may_copy(x, b, loop_left(x, *from, b) != WG_NO_REG)) return b;
    }
    return WG_NO_REG;
}

/* What has become of it, in the module's arena. */
static void settle(struct copier *x, struct wg_ir_module *m, struct wg_ir_func *f) {
    x->a = &m->arena;
    x->f.blocks = room_for(x, 0);
    add_never(x);
    wg_ir_order(x->a, &x->f);
    x->f.apart = true;
    *f = x->f;
}

void wg_keep_apart(struct wg_ir_module *m, struct wg_ir_func *f) {
    struct wg_arena a = {0};
    struct copier x = {.a = &a, .f = *f, .missed = WG_NEW_N(&a, bool, m->nids + 1), .never = f->nregs};
    uint32_t most = size_of(f) + MOST_INSTRS, from, b = WG_NO_REG, copies = 0;
    if (f->nblocks <= MOST_BLOCKS) {
        wg_bits missed = wg_meetings_missed(&a, f);
        WG_BITS_EACH(k, missed, f->nblocks) x.missed[f->blocks[k].id] = true;
        for (; (b = next(&x, &from)) != WG_NO_REG && size_of(&x.f) <= most && copies < MOST_COPIES;
             copies++) {
            copy_part(&x, b, from);
            drop_unreached(&x);
            wg_ir_order(x.a, &x.f);
        }
    }
    if (copies && b == WG_NO_REG) settle(&x, m, f);
    wg_arena_free(&a);
}
