/* One lane of a block in scalar registers, where that is cheaper than 32 lanes in vectors: few_lanes.c,
 * lane_loops.c. */
#ifndef WG_JIT_ONE_LANE_H
#define WG_JIT_ONE_LANE_H
#include "jit/emit/emit.h"

struct wg_one_lane {
    LLVMValueRef number; /* i32: which */
    LLVMValueRef *x;     /* [register] iN, what is known of it; NULL: the warp's value at this lane */
};
/* A pattern of lanes that is a multiple of their numbers; NULL is one, too. */
bool wg_is_line(const int64_t *k);
/* Weak loads and stores of up to 64 bits, and arithmetic; what they read is another question. */
bool wg_one_lane_fits(const struct wg_emit *e, const struct wg_ir_instr *in);
LLVMValueRef wg_one_lane_operand(struct wg_emit *e, const struct wg_one_lane *l, const struct wg_ir_opd *o,
                                 uint32_t bits);
/* Of a load or a store: i64, its alignment tested. */
LLVMValueRef wg_one_lane_address(struct wg_emit *e, const struct wg_one_lane *l,
                                 const struct wg_ir_instr *in);
/* Of what fits, stores excepted. */
void wg_one_lane_emit(struct wg_emit *e, struct wg_one_lane *l, const struct wg_ir_instr *in);
#endif
