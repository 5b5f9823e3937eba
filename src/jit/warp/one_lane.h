/* Scalarization: the code of one lane of a basic block in scalar registers, where that is cheaper than 32
 * lanes in vectors; used by few_lanes.c and lane_loops.c. */
#ifndef WG_JIT_ONE_LANE_H
#define WG_JIT_ONE_LANE_H
#include "jit/emit/emit.h"

struct wg_one_lane {
    LLVMValueRef number; /* i32: the lane */
    LLVMValueRef *x;     /* [register] iN: its value in this lane; NULL: extract it from the warp's value */
};
LLVMValueRef wg_one_lane_operand(struct wg_emit *e, const struct wg_one_lane *l, const struct wg_ir_opd *o,
                                 uint32_t bits);
/* The address of a load or store: i64, with its alignment tested. */
LLVMValueRef wg_one_lane_address(struct wg_emit *e, const struct wg_one_lane *l,
                                 const struct wg_ir_instr *in);
/* Emits what fits, a store where it stands. */
void wg_one_lane_emit(struct wg_emit *e, struct wg_one_lane *l, const struct wg_ir_instr *in);
#endif
