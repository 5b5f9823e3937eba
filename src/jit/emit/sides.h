/* Warps side by side (block/jam.c), as the files see them that emit code for all of them. */
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
    uint32_t now; /* whose code is being emitted */
    struct side side[WG_JAM_MOST];
    LLVMBasicBlockRef head, latch, alone, *bb;
    LLVMValueRef number; /* of the first */
    bool any_alone;
    const uint32_t **lanes; /* [block] of each warp the lanes that are on there; NULL: all */
};

/* What struct wg_emit has of the warp at hand goes to `s`, and comes from there. */
void wg_put_side_by(struct wg_emit *e, struct side *s);
void wg_take_side_up(struct wg_emit *e, const struct side *s);

/* The code behind it is for each of them in turn. */
#define EACH_SIDE(e, k) for (uint32_t k = 0; k < (e)->sides->jam->warps && (wg_turn_to_side(e, k), true); k++)
#endif
