/* The code generation pipeline: LLVM's passes from optimised IR to machine code, without those that are left
 * out, and two of our own.
 *
 * The machine scheduler reorders each block's instructions before register allocation. An out-of-order
 * processor gains little by that, and of four sums in a row the scheduler computes one after the other and
 * keeps the others' products in memory. So where everything live fits the host's registers in the original
 * order, that order stays. Then chains of additions are not reassociated into trees either: jammed warps have
 * enough independent instructions.
 *
 * Loop strength reduction takes a third of the time where many warps are jammed, for each has pointers of its
 * own; they are sums already. In large code it and domain reassignment (moves between vector and scalar
 * registers) take up to a seventh of the compile time, and the result runs no faster.
 *
 * In kernels that are long themselves machine LICM is off: what IR-level LICM could not hoist are constants,
 * and where a loop over warps is hundreds of instructions long, its registers would be full of constants that
 * are memory operands otherwise. That was half of the time to compile exponentials and logarithms of doubles.
 * They also skip the scheduler: where their registers do not suffice, no order within a block helps much.
 *
 * Quick code (tiers.h), and the version for divergent lanes where it has tens of thousands of instructions,
 * is compiled without optimisation: a register allocator that goes through each block once takes a quarter of
 * the time. Nor are instructions ordered for low register pressure as they are selected: that took an eighth
 * of it.
 *
 * Our own: products of sixteen words and the sums that they are added to are ordered in pairs, product,
 * product, sum, sum. Product after sum after product takes a third longer on Zen 4, where both compete for
 * the same two of four vector units.
 *
 * And a constant of 8 or 16 bits, such as a mask of so many lanes, is moved into a whole register. LLVM
 * writes a part of it, which has a false dependency on what the register held before: that may be the end of
 * the loop's previous iteration.
 */
#ifndef WG_JIT_CODE_PASSES_H
#define WG_JIT_CODE_PASSES_H
#include <llvm-c/TargetMachine.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The maximum vector register pressure of the optimised function. */
uint32_t wg_vectors_alive(LLVMValueRef function, uint32_t vector_bits);

/* Of all functions. */
uint32_t wg_instructions_in(LLVMModuleRef module);

enum {
    WG_PASS_SCHEDULER = 1,
    WG_PASS_LOOP_REDUCE = 2,
    WG_PASS_DOMAINS = 4,
    WG_PASS_HOIST = 8,
    WG_PASS_OPTIMISERS = 16 /* every optional pass: LLVM's code generation level 0 */
};
enum { WG_MOST_STACK = 14 << 20 }; /* bytes: what CONVERGED and GENERAL may have of a worker's 32 MiB, each */

/* The object file, or its assembly as text; NULL: LLVM fails, a function needs more stack than there is, or
 * the code is unwanted. unwanted: changed atomically: true, the code is no longer needed; NULL: it always is.
 */
LLVMMemoryBufferRef wg_generate_code(LLVMTargetMachineRef tm, LLVMModuleRef m, uint32_t left_out, bool text,
                                     const bool *unwanted);

#ifdef __cplusplus
}
#endif
#endif
