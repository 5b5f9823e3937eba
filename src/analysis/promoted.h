/* Local arrays that the assembler keeps in registers: accesses to them are no accesses to memory.
 *
 *     st.local.u32 [%rd1], %r1;       %rd1: the frame
 *     st.local.u32 [%rd1+4], %r2;
 *     ld.local.u32 %r3, [%rd2];       %rd2 = %rd1 + 4 * (%r4 & 1): a selection among both
 *
 * An array whose address goes nowhere but into loads and stores is one when all its indices are constants, or when it has
 * at most four elements. Of larger arrays the assembler keeps some, too, by what selecting among all elements costs
 * beside what the kernel does; of 168 kernels with arrays of 8 to 32 elements it kept 101. No rule was found that foretells
 * those of programs as well as those that were written to find it, so they are counted as memory.
 */
#ifndef WG_ANALYSIS_PROMOTED_H
#define WG_ANALYSIS_PROMOTED_H
#include "ir/ir.h"

/* Whether that is so of all of the function's local memory. False where it has none. */
bool wg_local_is_promoted(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f);
#endif
