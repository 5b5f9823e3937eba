/* One phase of a kernel that runs whole blocks: what phases.c and jam.c share. */
#ifndef WG_JIT_PHASES_H
#define WG_JIT_PHASES_H
#include "jit/warp/function.h"

/* A way out of a phase. */
struct wg_phase_end {
    uint32_t to;                  /* a block, or nblocks: the kernel's end */
    const struct wg_ir_instr *in; /* the barrier on the way, or NULL */
};

struct wg_phase {
    uint32_t begins;
    bool entered;
    bool once; /* no loop: the first warp does it for all */
    LLVMBasicBlockRef before, head, latch, after;
    LLVMBasicBlockRef leave; /* NULL: no way leads there */
    struct wg_sides *sides;  /* groups of warps run it side by side before the loop; NULL: none do */
    uint32_t step, end;      /* the loop is over warps 0, step, ... below end: others have nothing to do */
    LLVMValueRef warp, number;
    LLVMValueRef tid[3], local; /* of emit.h's, those that are a warp's own */
    struct wg_phase_end *ends;
    uint32_t nends;
    wg_bits written;        /* uniform registers that it writes and that somebody still wants */
    wg_bits lost;           /* of these, those that a warp which left may not have made yet */
    LLVMValueRef *in, *out; /* [register] of these: before it; a variable: behind a warp's part */
};

static inline uint32_t wg_warps_of(const struct wg_emit *e) {
    return (e->opts->ntid[0] * e->opts->ntid[1] * e->opts->ntid[2] + WG_LANES - 1) / WG_LANES;
}

/* From here on code is of this warp; its turn_b is where the builder stands. */
void wg_fn_be_warp(struct wg_emit *e, LLVMValueRef number);
/* Computes anew what is to be, of registers alive at the start of the block. */
void wg_fn_remake(struct wg_emit *e, uint32_t block);
/* What makes a predicate that the phase computed anew where it began, or with `part` one that such is made
 * of. What it is made of itself, but for predicates, is at hand then. NULL: it was not. */
const struct wg_ir_instr *wg_fn_remakes(struct wg_emit *e, uint32_t reg, bool part);
/* Whether anything behind the beginning of a phase for `block` reads it. */
bool wg_fn_wanted_at(const struct wg_emit *e, uint32_t block, uint32_t reg);
/* The warp's part of the phase ends for block `to`: its registers go to where the next phase finds them. */
void wg_fn_save_for_next(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in);
void wg_fn_note_end(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in);
/* Values of uniform registers for the warps that have ended their part: for where others leave. */
void wg_fn_keep_out(struct wg_emit *e, const struct wg_phase *p);

/* aside.c: at the place where warps leave the phase. Other code runs the warp's part; the builder then stands
 * where that ended in another way than the phase does. */
void wg_fn_run_aside(struct wg_emit *e, struct wg_phase *p);
/* Before each way there: what all warps make the same, and later phases make others of, is kept as it is. */
void wg_fn_keep_aside(struct wg_emit *e);

/* jam.c */
/* Emits the phases that warps run side by side, beside the code of one warp. */
void wg_fn_emit_sides(struct wg_emit *e);
/* The edges between the two: `before` has no terminator yet. */
void wg_fn_close_sides(struct wg_emit *e, struct wg_phase *p);
#endif
