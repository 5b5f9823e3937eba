/* What all lanes get of a word in memory, loaded where they want it.
 *
 * x86 loads a word into all lanes of a vector in one instruction, which costs no more than any load, and some
 * instructions do so themselves. LLVM sees that within a basic block only: a word that is loaded before a
 * check and used behind it goes by way of a scalar register, which takes the vector units' time. So such
 * loads move down to their first use, as far as nothing may write in between.
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
