/* See states.h. */
#include "analysis/states.h"

/* Numbers of instructions are odd, those of blocks even. */
enum { AT_START = 0, UNKNOWN = UINT32_MAX, UNCHANGED = UINT32_MAX - 1 };

uint32_t wg_state_after(const struct wg_ir_instr *in) { return 2 * in->id + 1; }

static uint32_t of_block(uint32_t block) { return 2 * block + 2; }

static uint32_t state_left(const struct wg_ir_block *b,
                           bool (*changes)(const void *user, const struct wg_ir_instr *in),
                           const void *user) {
    for (uint32_t i = b->ninstrs; i-- > 0;)
        if (changes(user, &b->instrs[i])) return wg_state_after(&b->instrs[i]);
    return UNCHANGED;
}

/* What the block's predecessors leave; UNKNOWN: not found yet; of_block(b): not all the same. */
static uint32_t state_met(const struct wg_ir_func *f, uint32_t b, const uint32_t *in, const uint32_t *left) {
    uint32_t met = UNKNOWN;
    for (uint32_t i = 0; i < f->blocks[b].npred; i++) {
        uint32_t p = f->blocks[b].pred[i], from = left[p] == UNCHANGED ? in[p] : left[p];
        if (from == UNKNOWN || from == met) continue;
        if (met != UNKNOWN) return of_block(b);
        met = from;
    }
    return met;
}

/* One round, from the blocks whose states are known; true: a block has got a state of its own. */
static bool propagate(const struct wg_ir_func *f, uint32_t *in, const uint32_t *left) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 1; b < f->nblocks; b++) {
            if (in[b] == of_block(b)) continue;
            uint32_t met = state_met(f, b, in, left);
            changed |= met != in[b];
            in[b] = met;
            if (met == of_block(b)) return true;
        }
    }
    return false;
}

/* Optimistic: a block that is found to have a state of its own changes what others met, so they begin anew. */
uint32_t *wg_states(struct wg_arena *a, const struct wg_ir_func *f,
                    bool (*changes)(const void *user, const struct wg_ir_instr *in), const void *user) {
    uint32_t *in = WG_NEW_N(a, uint32_t, f->nblocks + 1), *left = WG_NEW_N(a, uint32_t, f->nblocks + 1);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        in[b] = b ? UNKNOWN : f->blocks[0].npred ? of_block(0) : AT_START;
        left[b] = state_left(&f->blocks[b], changes, user);
    }
    while (propagate(f, in, left))
        for (uint32_t b = 1; b < f->nblocks; b++)
            if (in[b] != of_block(b)) in[b] = UNKNOWN;
    return in;
}
