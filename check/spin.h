/* Loops in which a thread may wait for another one by asking memory again and again.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) ;     while (*flag == 0) __nanosleep(20);     for (;;) ;
 *
 * The pass has them tell the machine each time that a thread comes round (ROUND, with what it takes along
 * from one round to the next: KEEPS), and of each access on the way. A thread that comes round with the same
 * in hand, having met the same in memory and changed nothing, does so for ever, unless somebody else changes
 * what it looks at: machine/check_round.c draws the conclusion.
 *
 * What a thread takes along is what the loop itself writes and what its branches, addresses and stored values
 * depend on. A loop is left alone where that changes in every round (it counts to a bound), where it has to
 * do with clocks, and where it does what is not understood here.
 */
#ifndef WG_CHECK_SPIN_H
#define WG_CHECK_SPIN_H
#include "check/instrument.h"

/* Of the functions of the module: whether spinning threads may be met there. NULL: in none. */
const bool *wg_spin_find(struct wg_arena *a, const struct wg_ir_module *m);

extern const struct wg_instrument_pass wg_spin_pass;
#endif
