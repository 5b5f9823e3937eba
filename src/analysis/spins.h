/* Loops in which lanes may wait for what others do: for another lane's or another warp's store or atomic.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) ;              SOON   asks the same again and again
 *     while ((old = atomicCAS(&key[i], 0, k)) != 0) i++; LATE   goes on to something else in each turn
 *     for (int i = 0; i < n; i++) atomicAdd(&sum[i], 1); NEVER  what others write does not decide its end
 *
 * Lanes that go round such a loop have to let the others of their warp go on, whom they may wait for; all
 * other lanes wait for them where their ways join. warp/turns.h says how they take turns.
 */
#ifndef WG_ANALYSIS_SPINS_H
#define WG_ANALYSIS_SPINS_H
#include "cfg/bits.h"
#include "ir/ir.h"

/* When lanes that go round the loop give up their turn. */
enum wg_yields { WG_YIELDS_NEVER, WG_YIELDS_LATE, WG_YIELDS_SOON };

/* [block] enum wg_yields of the loop that the block is the header of, or of a cycle that is entered there.
 * `f` may call other functions of the module. */
uint8_t *wg_spins_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f);

/* Headers of all loops that have an atomic whose result is used, an ordered access, a fence or the like, and
 * of those that are not natural loops and have one. */
wg_bits wg_spins_candidates(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f);
#endif
