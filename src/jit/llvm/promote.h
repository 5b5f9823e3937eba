/* Promotion of variables to SSA values, as by LLVM's mem2reg, in time about linear in the code.
 *
 * CONVERGED keeps each register in an alloca, and for each of them mem2reg visits all blocks that one of its
 * definitions dominates: in a chain of blocks that is the whole chain, so the time is registers times blocks.
 * A kernel of 6,400 lines of PTX took 10 seconds for it. Here dominance frontiers are computed once, and a
 * variable costs the blocks in which it is live.
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
