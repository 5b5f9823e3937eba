/* LLVM's passes from optimised IR to machine code, less those that are left out, and two of our own.
 *
 * The machine scheduler puts each block's instructions into another order before they get registers. A
 * processor that runs them out of order gains little by that, and of four sums in a row it makes one after
 * the other and keeps the others' products in memory. So where all that is alive fits the host's registers in
 * the order that the instructions were made in, they stay in it. Then nobody makes trees of chains of
 * additions either: warps side by side have enough that waits for nobody.
 *
 * Loop strength reduction takes a third of the time where many warps go side by side, for each has pointers
 * of its own; they are sums already. In large code it and domain reassignment (moves between vector and
 * scalar registers) take up to a seventh of the time to compile, and what they make of it runs no faster.
 *
 * In kernels that are long themselves nothing is hoisted out of loops as machine code: what LLVM's IR could
 * not hoist are constants, and where a loop over warps goes round hundreds of instructions, its registers are
 * full of constants then, which are operands in memory otherwise. That was half of the time to compile
 * exponentials and logarithms of doubles. They go without the scheduler, too: where their registers do not
 * suffice, no order within a block helps much.
 *
 * Code that is made quickly (tiers.h), and the version for parted lanes where it has tens of thousands of
 * instructions, is made with none of the optimisers: a register allocator that goes through each block once
 * takes a quarter of the time. Nor are instructions put into an order that needs few registers as they are
 * selected: that took an eighth of it.
 *
 * Ours: products of sixteen words and the sums that they are added to go in pairs, product, product, sum,
 * sum. Product after sum after product takes a third longer on Zen 4, where both want the same two of four
 * vector units.
 *
 * And a constant of 8 or 16 bits, as a mask of so many lanes is one, is moved into a whole register. LLVM
 * moves it into a part, and the processor then waits for what the register held before, which may be the
 * end of the loop's last turn.
 */
#ifndef WG_JIT_CODE_PASSES_H
#define WG_JIT_CODE_PASSES_H
#include <llvm-c/TargetMachine.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the function, which is optimised: the most vector registers that are taken at once. */
uint32_t wg_vectors_alive(LLVMValueRef function, uint32_t vector_bits);

/* Of all functions. */
uint32_t wg_instructions_in(LLVMModuleRef module);

enum {
    WG_PASS_SCHEDULER = 1,
    WG_PASS_LOOP_REDUCE = 2,
    WG_PASS_DOMAINS = 4,
    WG_PASS_HOIST = 8,
    WG_PASS_OPTIMISERS = 16 /* all that need not be: LLVM's level of code generation 0 */
};
enum { WG_MOST_STACK = 14 << 20 }; /* bytes: what CONVERGED and GENERAL may have of a worker's 32 MiB, each */

/* An object, or as text what it would have; NULL: LLVM cannot, a function wants more stack than there is, or nobody
 * wants the code any more. unwanted: changed atomically: true, that is so; NULL: it never is. */
LLVMMemoryBufferRef wg_generate_code(LLVMTargetMachineRef tm, LLVMModuleRef m, uint32_t left_out, bool text,
                                     const bool *unwanted);

#ifdef __cplusplus
}
#endif
#endif
