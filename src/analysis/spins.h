/* Detection of spin loops: loops in which lanes may wait for another lane's or warp's store or atomic.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) ;              SOON   polls the same address
 *     while ((old = atomicCAS(&key[i], 0, k)) != 0) i++; LATE   polls another address in each iteration
 *     for (int i = 0; i < n; i++) atomicAdd(&sum[i], 1); NEVER  what others write does not decide its end
 *
 * Lanes in such a loop must let the other lanes of their warp make progress, for which they may be waiting;
 * all other lanes wait for them at the reconvergence point. warp/slices.h says how they share time slices.
 */
#ifndef WG_ANALYSIS_SPINS_H
#define WG_ANALYSIS_SPINS_H
#include "cfg/bits.h"
#include "ir/ir.h"

/* When lanes in the loop yield their time slice. */
enum wg_yields { WG_YIELDS_NEVER, WG_YIELDS_LATE, WG_YIELDS_SOON };

/* [block] enum wg_yields of the loop that the block is the header of, or of a cycle that is entered there.
 * `f` may call other functions of the module. */
uint8_t *wg_spins_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f);

/* Headers of all loops that have an atomic whose result is used, an ordered access, a fence or the like, and
 * of those that are not natural loops and have one. */
wg_bits wg_spins_candidates(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f);
#endif
