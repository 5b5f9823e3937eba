/* Exchanges that take a lock: they put in another value than they ask for, and the same place is given that value back.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) ;                       atom.cas %r1, [%rd1], 0, 1
 *     ...
 *     atomicExch(&lock, 0);                                       atom.exch %r2, [%rd1], 0
 *
 * What is never given back, as a state that only goes on (0: nobody, 1: at work, 2: done), is no lock: who comes first
 * has nothing to wait for.
 */
#ifndef WG_CHECK_LOCK_H
#define WG_CHECK_LOCK_H
#include "check/instrument/pass.h"

/* Of the function that is about to be copied: fills in the sites' `takes` and `blind`; volatile accesses of a place that an atomic asks
 * after are no `data`. */
void wg_lock_find(struct wg_instrument *x);
#endif
