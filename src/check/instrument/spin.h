/* Loops in which a thread may wait for another one by asking memory, or an mbarrier, again and again.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) ;     while (*flag == 0) __nanosleep(20);     for (;;) ;
 *     again: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0;   @!p bra again;
 *
 * The pass has them tell the machine each time that a thread comes round (ROUND, with what it takes along
 * from one round to the next: KEEPS), and of each access on the way. A thread that comes round with the same
 * in hand, having met the same in memory and changed nothing, does so for ever, unless somebody else changes
 * what it looks at: machine/watch/check_round.c draws the conclusion.
 *
 * What a thread takes along is what the loop itself writes and what its branches, addresses and stored values
 * depend on; not what decides only how long it sleeps. A loop is left alone where that changes in every round
 * (it counts to a bound), where it depends on clocks, and where it does what is not understood here.
 * Functions that it calls are part of it.
 */
#ifndef WG_CHECK_SPIN_H
#define WG_CHECK_SPIN_H
#include "check/instrument/pass.h"

/* What waiting threads ask: nothing that other units can change; other memory. CALLED, a bit beside these:
 * such loops may call the function. */
enum wg_spin { WG_SPIN_NO, WG_SPIN_OWN, WG_SPIN_OTHERS, WG_SPIN_CALLED = 4 };

/* Of the functions of the module: whether spinning threads may be met there (enum wg_spin). NULL: in none. */
const uint8_t *wg_spin_find(struct wg_arena *a, const struct wg_ir_module *m);

extern const struct wg_instrument_pass wg_spin_pass;
#endif
