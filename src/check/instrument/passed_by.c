/* Skipped warp synchronisation: convergence points of a warp that a named lane has certainly gone past: see
 * barrier.h.
 *
 *     @%p1 bra $BESIDE;                    lanes that go to $BESIDE store while the others still name them:
 *     shfl.sync.down.b32 %r1, ..., -1;     they were there, and passed by
 *     $BESIDE:
 *     st.global.u32 [%rd1], %r1;
 *     ret;
 *
 * Without the store, `if (i >= n) return;` before the synchronisation, which is correct, cannot be told from
 * `if (i < n) {...}` around it, and neither is reported.
 */
#include "check/instrument/barrier.h"

#include <stdlib.h>
#include <string.h>

/* Something that a lane does while it lives, and that no compiler does for it sooner. */
static bool works(const struct wg_ir_block *b) {
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        const struct wg_ir_instr *in = &b->instrs[i];
        bool parameter = in->op == WG_OP_LD && in->space == WG_S_PARAM;
        if (in->op == WG_OP_CALL) return true;
        if (!parameter && wg_op_flags(in->op) & (WG_F_MEM | WG_F_EFFECT | WG_F_SYNC | WG_F_WAIT)) return true;
    }
    return false;
}

/* Marks in `seen` the blocks that can be reached from those in it, without going through those in `closed` (NULL: none);
 * if `back`, the blocks that reach them. */
static void spread(const struct wg_ir_func *f, bool *seen, const bool *closed, bool back) {
    uint32_t *stack = wg_xcalloc(f->nblocks, sizeof *stack), n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (seen[b]) stack[n++] = b;
    while (n) {
        const struct wg_ir_block *b = &f->blocks[stack[--n]];
        const uint32_t *next = back ? b->pred : b->succ;
        for (uint32_t i = 0; i < (back ? b->npred : b->nsucc); i++) {
            if (seen[next[i]] || (closed && closed[next[i]])) continue;
            seen[next[i]] = true;
            stack[n++] = next[i];
        }
    }
    free(stack);
}

/* closed[b]: `at` itself, and the work after it, from where no path leads back to it. */
static void find_work_behind(const struct wg_ir_func *f, uint32_t at, bool *closed, bool *room) {
    bool *behind = room, *before = room + f->nblocks;
    for (uint32_t s = 0; s < f->blocks[at].nsucc; s++) behind[f->blocks[at].succ[s]] = true;
    spread(f, behind, NULL, false);
    before[at] = true;
    spread(f, before, NULL, true);
    for (uint32_t b = 0; b < f->nblocks; b++) closed[b] = behind[b] && !before[b] && works(&f->blocks[b]);
    closed[at] = true;
}

bool wg_meeting_is_passed_by(const struct wg_ir_func *f, uint32_t at) {
    if (!f->entry || at == 0) return false;
    bool *room = wg_xcalloc(4 * f->nblocks, sizeof *room), *closed = room + 2 * f->nblocks,
         *seen = room + 3 * f->nblocks, ends = false;
    find_work_behind(f, at, closed, room);
    seen[0] = !closed[0];
    for (uint32_t s = 0; s < f->blocks[at].nsucc; s++)
        if (!closed[f->blocks[at].succ[s]]) seen[f->blocks[at].succ[s]] = true;
    spread(f, seen, closed, false);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        uint8_t term = f->blocks[b].term;
        ends |= seen[b] && (term == WG_TERM_RET || term == WG_TERM_EXIT);
    }
    free(room);
    return !ends;
}

bool wg_barrier_was_passed_by(const struct wg_ir_func *f, uint32_t barrier, uint32_t branch) {
    uint32_t at = wg_barrier_block(f, barrier), from = wg_barrier_branch(f, branch);
    if (at == WG_NO_REG || from == WG_NO_REG) return false;
    bool *seen = wg_xcalloc(f->nblocks, sizeof *seen), worked = false;
    for (uint32_t s = 0; s < f->blocks[from].nsucc; s++) {
        memset(seen, 0, f->nblocks * sizeof *seen);
        seen[f->blocks[from].succ[s]] = true;
        spread(f, seen, NULL, false);
        for (uint32_t b = 0; b < f->nblocks && !seen[at]; b++) worked |= seen[b] && works(&f->blocks[b]);
    }
    free(seen);
    return worked;
}
