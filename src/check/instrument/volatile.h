/* What a volatile load is for. One whose value decides something asks after a flag: others may write it meanwhile, for
 * that is what flags are for. One whose value is only data, moved, added, stored, used as an address, has to be
 * ordered behind the write of it, as a plain one has.
 *
 *     while (*(volatile int *)ready == 0) ;        ld.volatile %r1; setp.eq %p1, %r1, 0: asks
 *     sum += *(volatile int *)part;                ld.volatile %r2; add %r3, %r3, %r2: data
 *
 * Other accesses of the same place, as far as the text tells, are the flag's as well.
 * What leaves the function, or goes through memory of the thread's own, may decide something there: it asks.
 */
#ifndef WG_CHECK_VOLATILE_H
#define WG_CHECK_VOLATILE_H
#include "check/instrument/pass.h"

/* Of the function that is about to be copied: fills in the sites' `data`. */
void wg_volatile_find(struct wg_instrument *x);
#endif
