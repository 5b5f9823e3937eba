/* Lock detection: exchanges that acquire a lock. They store another value than the one they compare with, and
 * that value is stored back to the same place later.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) ;                       atom.cas %r1, [%rd1], 0, 1
 *     ...
 *     atomicExch(&lock, 0);                                       atom.exch %r2, [%rd1], 0
 *
 * A place that is never set back, such as a state that only advances (0: nobody, 1: at work, 2: done), is no
 * lock: the first thread has nothing to wait for.
 */
#ifndef WG_CHECK_LOCK_H
#define WG_CHECK_LOCK_H
#include "check/instrument/pass.h"

/* Of the function that is about to be copied: fills in the sites' `takes` and `blind`; volatile accesses of a place that an atomic asks
 * after are no `data`. */
void wg_lock_find(struct wg_instrument *x);
#endif
