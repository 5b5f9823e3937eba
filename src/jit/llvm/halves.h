/* A long kernel's code in two halves, so that two threads can make machine code of it.
 *
 * Nine tenths of the time to compile a kernel are LLVM's, which works on one function in one thread. So where
 * a function is long, the part of it that begins at some place and that no way leads into but through it
 * becomes a function of its own, in a module of its own. The place is one where about half of the code lies
 * behind it, and where handing over what is alive costs next to nothing beside what runs: between two phases,
 * or in a long row of instructions. Code for which there is no such place, as of a short loop around
 * everything, stays whole.
 *
 * Where a half is still very long it is taken apart in the same way, again and again, in its own module: what
 * LLVM's passes take for one function grows faster than the function does.
 */
#ifndef WG_JIT_HALVES_H
#define WG_JIT_HALVES_H
#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The module that has the second half of the function, named `name` there, in the same context; NULL: it
 * stays whole. Whatever else is shared by both gets names that begin so. */
LLVMModuleRef wg_take_half(LLVMValueRef function, const char *name);

/* Takes the module's functions apart until none is very long, where there are places for it. */
void wg_part_long_functions(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
