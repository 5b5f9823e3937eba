/* NaNs get the bits that a GPU gives them: whatever the operands, a result of f32 or f16 that is no number is
 * the format's one NaN, all ones but the sign (0x7fffffff, 0x7fff), where x86 hands an operand on or makes
 * 0xffc00000 (docs/nans.md).
 *
 *     %sum = fadd float %a, %b                        %sum = fadd float %a, %b
 *     %w = bitcast float %sum to i32                  %w = bitcast float %sum to i32
 *     store i32 %w, ptr %p                            %n = select (fcmp uno %sum), i32 0x7fffffff, i32 %w
 *                                             ->      store i32 %n, ptr %p
 *
 * Arithmetic, comparisons and conversions to integers do not care which NaN they get, so it is done only
 * where somebody may look at the bits, and as late as can be: before the store behind the loop, not at each
 * sum in it. Where what arithmetic made meets what it did not make (a loaded value is to keep its bits) it is
 * done before they meet.
 *
 * It comes behind all that forms decide, when registers are SSA values and before LLVM's passes, so that what
 * those fold is right as well. f64 needs none of it: x86 makes the GPU's NaN there.
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
