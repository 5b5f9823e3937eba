/* Additions a turn late.
 *
 * Thirty-two lanes add, each at its place, and where these are is worked out in vectors. What is in vectors
 * takes long to come to scalar registers, and a processor does not look far enough ahead to work out the next
 * turn's places meanwhile. So in a loop where nobody looks at the sums, places go to memory, and are added to
 * at the next turn, by when they lie in the first-level cache:
 *
 *     for (...) {                         for (...) {
 *         at = ...;                           at = ...;
 *         late.add(from, at, addend)          kept[turn % 2] = at;
 *     }                                       if (pending) 32 additions at kept[1 - turn % 2];
 *                                             pending = true;
 *                                         }
 *                                         if (pending) late.flush(kept[...]);    on all ways out of the loop
 *
 * and the same before each call in the loop, for who is called may look. Additions of integers may come in
 * any order.
 */
#ifndef WG_JIT_LATE_ADDS_H
#define WG_JIT_LATE_ADDS_H
#include <llvm-c/Types.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A call of a function late.*(ptr from, <32 x i32> places, iN or <32 x iN> addend) that does not exist:
 * places are unsigned. It becomes the above where it lies in the loop that begins with `header`, else 32
 * additions. */
struct wg_late_add {
    LLVMValueRef call;
    LLVMBasicBlockRef header;
    uint32_t step; /* bytes of a place's unit */
};
void wg_make_late_adds(const struct wg_late_add *adds, uint32_t n);

#ifdef __cplusplus
}
#endif
#endif
