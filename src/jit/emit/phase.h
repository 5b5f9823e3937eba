/* State of the phase (parallel region) being emitted (block/phases.c): used with e->whole. */
#ifndef WG_JIT_PHASE_H
#define WG_JIT_PHASE_H
#include "jit/emit/emit.h"

/* An exit of a phase. */
struct wg_phase_end {
    uint32_t to;                  /* target block, or nblocks: the kernel's end */
    const struct wg_ir_instr *in; /* the barrier on this exit, or NULL */
};

struct wg_phase {
    uint32_t begins;
    bool entered;
    bool once; /* no loop: the first warp executes it for all */
    LLVMBasicBlockRef before, head, latch, after;
    LLVMBasicBlockRef leave; /* NULL: unreachable */
    struct wg_sides *sides;  /* groups of jammed warps run it before the loop; NULL: none do */
    uint32_t step, end;      /* the loop runs over warps 0, step, ... below end: the others have no work */
    LLVMValueRef warp, number;
    LLVMValueRef tid[3], local; /* those of emit.h's values that are per warp */
    struct wg_phase_end *ends;
    uint32_t nends;
    wg_bits written;        /* uniform registers that it writes and that are live out */
    wg_bits lost;           /* of these, those that a warp which took a side exit may not have computed yet */
    LLVMValueRef *in, *out; /* [register] their values before it; allocas: after a warp's iteration */
};
#endif
