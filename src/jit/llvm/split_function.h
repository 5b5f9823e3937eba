/* Splits a long kernel function in two, so that two threads can compile it.
 *
 * Nine tenths of the time to compile a kernel is spent in LLVM, which works on one function in one thread. So
 * where a function is long, a single-entry region of it, the code that a split point dominates, becomes a
 * function of its own, in a module of its own. The split point is one with about half of the code after it,
 * and where passing the live values costs next to nothing beside what runs: between two phases, or in a long
 * basic block. Code without such a point, as of a short loop around everything, stays whole.
 *
 * A part that is still very long is split in the same way, again and again, in its own module: the time that
 * LLVM's passes take for one function grows faster than the function does.
 */
#ifndef WG_JIT_SPLIT_FUNCTION_H
#define WG_JIT_SPLIT_FUNCTION_H
#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The module that has the second half of the function, named `name` there, in the same context; NULL: it
 * stays whole. Whatever else is shared by both gets names that begin so. */
LLVMModuleRef wg_split_function(LLVMValueRef function, const char *name);

/* Splits the module's functions until none is very long, where there are split points for it. */
void wg_split_long_functions(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
