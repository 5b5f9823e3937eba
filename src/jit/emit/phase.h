/* What is known of the phase that code is being emitted of (block/phases.c): e->whole. */
#ifndef WG_JIT_PHASE_H
#define WG_JIT_PHASE_H
#include "jit/emit/emit.h"

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
#endif
