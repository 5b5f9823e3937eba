/* See states.h. */
#include "analysis/states.h"

/* Numbers are those of instructions' ids, of blocks behind them, and three that are neither. */
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

uint32_t *wg_states(struct wg_arena *a, const struct wg_ir_func *f,
                    bool (*changes)(const void *user, const struct wg_ir_instr *in), const void *user) {
    uint32_t *in = WG_NEW_N(a, uint32_t, f->nblocks + 1), *left = WG_NEW_N(a, uint32_t, f->nblocks + 1);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        in[b] = b ? UNKNOWN : f->blocks[0].npred ? of_block(0) : AT_START;
        left[b] = state_left(&f->blocks[b], changes, user);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 1; b < f->nblocks; b++) {
            const struct wg_ir_block *blk = &f->blocks[b];
            uint32_t now = UNKNOWN;
            for (uint32_t i = 0; i < blk->npred; i++) {
                uint32_t p = blk->pred[i], from = left[p] == UNCHANGED ? in[p] : left[p];
                if (from == UNKNOWN || from == now) continue;
                now = now == UNKNOWN ? from : of_block(b);
            }
            if (in[b] == of_block(b) || now == in[b]) continue;
            in[b] = in[b] == UNKNOWN ? now : of_block(b);
            changed = true;
        }
    }
    return in;
}
