/* NaN canonicalization, as on a GPU: whatever the operands, an f32 or f16 result that is a NaN is the
 * format's one NaN, all ones but the sign (0x7fffffff, 0x7fff), where x86 propagates an operand or produces
 * 0xffc00000 (docs/nans.md).
 *
 *     %sum = fadd float %a, %b                        %sum = fadd float %a, %b
 *     %w = bitcast float %sum to i32                  %w = bitcast float %sum to i32
 *     store i32 %w, ptr %p                            %n = select (fcmp uno %sum), i32 0x7fffffff, i32 %w
 *                                             ->      store i32 %n, ptr %p
 *
 * Arithmetic, comparisons and conversions to integers give the same result for any NaN, so canonicalization
 * is needed only where the bits may be observed, and is sunk as far as possible: before the store after the
 * loop, not at each sum in it. Where an arithmetic result is merged with another value (a loaded value keeps
 * its bits) it is done before the merge.
 *
 * It runs after everything that depends on forms, when registers are SSA values and before LLVM's passes, so
 * that what those fold is right as well. f64 needs none of it: x86 produces the GPU's NaN there.
 */
#ifndef WG_JIT_NANS_H
#define WG_JIT_NANS_H
#include "jit/lower/nan_marks.h"

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif
void wg_nans(LLVMModuleRef module);
#ifdef __cplusplus
}
#endif
#endif
