/* Register promotion of local arrays by ptxas: accesses to promoted arrays do not access memory.
 *
 *     st.local.u32 [%rd1], %r1;       %rd1: the frame
 *     st.local.u32 [%rd1+4], %r2;
 *     ld.local.u32 %r3, [%rd2];       %rd2 = %rd1 + 4 * (%r4 & 1): a selection among both
 *
 * An array whose address does not escape from loads and stores is promoted when all its indices are
 * constants, or when it has at most four elements. Of larger arrays ptxas promotes some, too, by the cost of
 * selecting among all elements relative to the rest of the kernel; of 168 kernels with arrays of 8 to 32
 * elements it promoted 101. No rule was found that predicts programs as well as the kernels that were written
 * to find it, so larger arrays are counted as memory, unless the machine code is
 * there to see (cli/machine_code.h).
 */
#ifndef WG_ANALYSIS_PROMOTED_H
#define WG_ANALYSIS_PROMOTED_H
#include "ir/ir.h"

/* Whether all of the function's local memory is promoted. False where it has none. */
bool wg_local_is_promoted(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f);
#endif
