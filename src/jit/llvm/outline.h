/* Outlining: recurring groups of vector instructions become functions, called in their place.
 *
 *     %x = load <32 x i64>, ptr %a                  %bits = call i32 @outlined.7(ptr %a)
 *     %y = and <32 x i64> %x, splat (i64 3)    ->   %off = and i32 %bits, %mask
 *     %z = icmp ne <32 x i64> %y, zero
 *     %bits = bitcast <32 x i1> %z to i32
 *     %off = and i32 %bits, %mask
 *
 * LLVM's instruction selection takes some 0.1 ms for a vector operation that is wider than the host's
 * registers, at any optimisation level. In the version for divergent lanes registers are in memory, so an
 * instruction of the kernel is a few loads, an operation and a store, and the same few hundred of these
 * groups make up all of its vector code. What is left beside the calls is scalar code, which LLVM's quick
 * instruction selection handles.
 */
#ifndef WG_JIT_OUTLINE_H
#define WG_JIT_OUTLINE_H
#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wg_outline_vectors(LLVMValueRef function);

#ifdef __cplusplus
}
#endif
#endif
