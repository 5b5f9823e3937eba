/* Spin-loop detection: loops in which a thread may wait for another one by polling memory, or an mbarrier.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) ;     while (*flag == 0) __nanosleep(20);     for (;;) ;
 *     again: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0;   @!p bra again;
 *
 * The pass makes the loop report each iteration of a thread to the machine (ROUND, with its loop-carried
 * values: KEEPS), and each access in it. A thread that begins an iteration with the same state, having read
 * the same values from memory and changed nothing, spins for ever, unless somebody else changes what it
 * polls: machine/watch/check_round.c draws the conclusion.
 *
 * The state of an iteration is what the loop itself writes and what its branches, addresses and stored values
 * depend on; not what decides only how long it sleeps. A loop is not instrumented where that state changes in
 * every iteration (it counts to a bound), where it depends on clocks, and where it contains instructions that
 * the analysis does not model. Functions that it calls are part of it.
 */
#ifndef WG_CHECK_SPIN_H
#define WG_CHECK_SPIN_H
#include "check/instrument/pass.h"

/* What waiting threads poll: only memory that no other unit can change; other memory. CALLED, an additional
 * bit: such loops may call the function. */
enum wg_spin { WG_SPIN_NO, WG_SPIN_OWN, WG_SPIN_OTHERS, WG_SPIN_CALLED = 4 };

/* Of the functions of the module: whether spinning threads may be met there (enum wg_spin). NULL: in none. */
const uint8_t *wg_spin_find(struct wg_arena *a, const struct wg_ir_module *m);

extern const struct wg_instrument_pass wg_spin_pass;
#endif
