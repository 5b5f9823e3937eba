/* Sinks loads that are broadcast to all lanes into the block that uses them.
 *
 * x86 loads a word into all lanes of a vector in one instruction, which costs no more than any load, and some
 * instructions have such a memory operand. LLVM selects that within a basic block only: a word that is loaded
 * before a check and used after it goes through a scalar register, and the broadcast then takes the vector
 * units' time. So such loads move down to their first use, as far as nothing between may write to memory.
 */
#ifndef WG_JIT_BROADCASTS_H
#define WG_JIT_BROADCASTS_H
#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wg_sink_broadcasts(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
