/* See choice.h. */
#include "check/instrument/choice.h"
#include "cfg/cfg.h"

static bool is_among(const uint32_t *all, uint32_t n, uint32_t x) {
    for (uint32_t i = 0; i < n; i++)
        if (all[i] == x) return true;
    return false;
}

/* The block only computes and loads, and leaves the predicate alone. */
static bool only_computes(const struct wg_ir_block *b, uint32_t predicate) {
    if (b->term != WG_TERM_BR && b->term != WG_TERM_CBR) return false;
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        const struct wg_ir_instr *in = &b->instrs[i];
        bool computes = in->op != WG_OP_NONE && (in->op == WG_OP_LD || !wg_op_flags(in->op));
        if (!computes || wg_writes(in, predicate)) return false;
    }
    return true;
}

/* What is come to from the branch before `meet`: few blocks, in no loop of their own, that nothing else leads to. */
static bool find_between(const struct wg_ir_func *f, uint32_t branch, uint32_t meet, struct wg_choice *c) {
    const struct wg_ir_block *from = &f->blocks[branch], *blk = from;
    *c = (struct wg_choice){.meet = meet};
    for (uint32_t at = 0;; at++) {
        for (uint32_t k = 0; k < blk->nsucc; k++) {
            uint32_t to = blk->succ[k];
            if (to == meet || is_among(c->between, c->n, to)) continue;
            const struct wg_ir_block *next = &f->blocks[to];
            bool repeats = next->loop != from->loop || next->loop == to;
            if (to == branch || repeats || c->n == WG_CHOICE_MOST || !only_computes(next, from->cond))
                return false;
            c->between[c->n++] = to;
        }
        if (at == c->n) break;
        blk = &f->blocks[c->between[at]];
    }
    for (uint32_t i = 0; i < c->n; i++) {
        blk = &f->blocks[c->between[i]];
        for (uint32_t k = 0; k < blk->npred; k++)
            if (blk->pred[k] != branch && !is_among(c->between, c->n, blk->pred[k])) return false;
    }
    return c->n > 0;
}

/* The nearest place: a successor, or one of the blocks that are come to first. */
static bool find(const struct wg_ir_func *f, uint32_t branch, struct wg_choice *c) {
    uint32_t near[WG_CHOICE_MOST + 1], n = 0;
    for (uint32_t at = 0, from = branch;; from = near[at++]) {
        const struct wg_ir_block *b = &f->blocks[from];
        for (uint32_t k = 0; k < b->nsucc && n <= WG_CHOICE_MOST; k++) {
            uint32_t to = b->succ[k];
            if (to == branch || is_among(near, n, to)) continue;
            if (find_between(f, branch, to, c)) return true;
            near[n++] = to;
        }
        if (at == n) return false;
    }
}

struct wg_choices wg_choices(struct wg_arena *a, const struct wg_ir_func *f) {
    struct wg_choices all = {WG_NEW_N(a, struct wg_choice *, f->nblocks + 1),
                             WG_NEW_N(a, struct wg_around *, f->nblocks + 1)};
    struct wg_choice c;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        if (f->blocks[b].term != WG_TERM_CBR || !find(f, b, &c)) continue;
        all.of[b] = WG_NEW(a, struct wg_choice);
        *all.of[b] = c;
        for (uint32_t k = 0; k < c.n; k++) {
            struct wg_around *around = WG_NEW(a, struct wg_around);
            *around = (struct wg_around){b, all.around[c.between[k]]};
            all.around[c.between[k]] = around;
        }
    }
    return all;
}
