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
#include "jit/emit/late_add.h"

#ifdef __cplusplus
extern "C" {
#endif

void wg_make_late_adds(const struct wg_late_add *adds, uint32_t n);

#ifdef __cplusplus
}
#endif
#endif
