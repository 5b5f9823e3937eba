/* Which state of a memory, or value of a register that several instructions write, is there where a block begins:
 * numbers as SSA form gives them. Equal numbers at two instructions, one of which dominates the other, are one state.
 *
 *     st.shared.u32 [%r1], %r2;       state 7
 *     @%p1 bra $L2;
 *     ...                             7
 *     $L2:                            7: no path changed it; else a number of this block's own
 */
#ifndef WG_ANALYSIS_STATES_H
#define WG_ANALYSIS_STATES_H
#include "ir/ir.h"

/* [block] the number at its beginning. `changes`: whether an instruction leaves another state. */
uint32_t *wg_states(struct wg_arena *a, const struct wg_ir_func *f,
                    bool (*changes)(const void *user, const struct wg_ir_instr *in), const void *user);
/* The state that the instruction leaves, if it changes it. */
uint32_t wg_state_after(const struct wg_ir_instr *in);
#endif
