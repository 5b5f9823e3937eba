/* Variables become values, as LLVM's mem2reg makes them, in time that does not grow faster than the code.
 *
 * CONVERGED keeps each register in a variable, and there LLVM looks, for each variable, through all blocks
 * that one of its definitions dominates: in a row of blocks that is all of the row, so the time is registers
 * times blocks. A kernel of 6,400 lines of PTX took 10 seconds for it. Here frontiers of dominance are worked
 * out once, and a variable costs the blocks in which it is alive.
 */
#ifndef WG_JIT_PROMOTE_H
#define WG_JIT_PROMOTE_H
#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In a function of so many blocks that it is worth it; in others LLVM's own pass does it. */
void wg_promote_variables(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
