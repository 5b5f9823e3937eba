/* The state of jammed warps (unroll-and-jam, block/jam.c), for the files that emit code for all of them. */
#ifndef WG_JIT_SIDES_H
#define WG_JIT_SIDES_H
#include "analysis/jam.h"
#include "jit/emit/emit.h"

struct side {
    struct wg_slot *slot;
    struct wg_value *cur;
    bool *have, *dirty;
    struct wg_rows *rows;
    struct wg_groups *groups;
    LLVMValueRef warp, number, tid[3], local, mask, mask_bits;
};

struct wg_sides {
    const struct wg_jam *jam;
    uint32_t now; /* the warp whose code is being emitted */
    struct side side[WG_JAM_MOST];
    LLVMBasicBlockRef head, latch, alone, *bb;
    LLVMValueRef number; /* number of the first warp */
    bool any_alone;
    const uint32_t **lanes; /* [block] the active lanes of each warp there; NULL: all */
};

/* Saves the state that struct wg_emit holds for the current warp to `s`, and restores it from there. */
void wg_put_side_by(struct wg_emit *e, struct side *s);
void wg_take_side_up(struct wg_emit *e, const struct side *s);

/* Emits the statement that follows for each of them, one after the other. */
#define EACH_SIDE(e, k)                                                                                      \
    for (uint32_t k = 0; k < (e)->sides->jam->warps && (wg_switch_to_side(e, k), true); k++)
#endif
