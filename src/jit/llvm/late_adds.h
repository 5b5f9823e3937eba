/* Software pipelining of scattered additions: they are made one iteration late.
 *
 * Thirty-two lanes add, each at its own address, and the addresses are computed in vectors. Moving vector
 * elements to scalar registers has a long latency, and a processor does not look far enough ahead to compute
 * the next iteration's addresses meanwhile. So in a loop where the sums are not read, addresses are stored to
 * memory, and the additions are made in the next iteration, when they are in the first-level cache:
 *
 *     for (...) {                         for (...) {
 *         at = ...;                           at = ...;
 *         late.add(from, at, addend)          kept[parity]     = at;
 *     }                                       if (pending) 32 additions at kept[1 - parity];
 *                                             pending = true;
 *                                         }
 *                                         if (pending) late.flush(kept[...]);    on all exits of the loop
 *
 * and the same before each call in the loop, for the callee may read the sums. Additions of integers may be
 * made in any order.
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
