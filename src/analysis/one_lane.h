/* Scalarization: which instructions have code for one lane in scalar registers (jit/warp/one_lane.h). */
#ifndef WG_ANALYSIS_ONE_LANE_H
#define WG_ANALYSIS_ONE_LANE_H
#include "analysis/analysis.h"

enum { WG_ONE_LANE_PARTS = 4 }; /* most operands, and results */

/* Whether a lane pattern is a multiple of the lane number; NULL is one, too. */
bool wg_is_line(const int64_t *k);
/* Weak loads and stores of up to 64 bits, and arithmetic; does not test the operands. */
bool wg_one_lane_fits(const struct wg_ir_func *f, const struct wg_ir_instr *in);
#endif
