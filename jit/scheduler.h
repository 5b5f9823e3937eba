/* LLVM's machine scheduler, and code that is better off without it.
 *
 * It puts each block's instructions into another order before they get registers. A processor that runs them
 * out of order gains little by that, and of four sums in a row it makes one after the other and keeps the
 * others' products in memory. So where all that is alive fits the host's registers in the order that the
 * instructions were made in, they stay in it.
 */
#ifndef WG_JIT_SCHEDULER_H
#define WG_JIT_SCHEDULER_H
#include <llvm-c/Types.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the function, which is optimised: the most vector registers that are taken at once. */
uint32_t wg_vectors_alive(LLVMValueRef function, uint32_t vector_bits);

/* For all code that is made from now on in the context. */
void wg_leave_out_scheduler(LLVMContextRef context);

#ifdef __cplusplus
}
#endif
#endif
