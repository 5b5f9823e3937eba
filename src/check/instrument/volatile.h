/* Classification of volatile loads as flags or data. A load whose value controls something polls a flag:
 * others may write it meanwhile, for that is what flags are for. A load whose value is only data (moved,
 * added, stored, used as an address) must be ordered after the write of it, as a plain one must.
 *
 *     while (*(volatile int *)ready == 0) ;        ld.volatile %r1; setp.eq %p1, %r1, 0: asks
 *     sum += *(volatile int *)part;                ld.volatile %r2; add %r3, %r3, %r2: data
 *
 * Other accesses of the same place, as far as the text tells, belong to the flag as well. A value that
 * escapes the function, or goes through memory of the thread's own, may control something there: it counts as
 * a flag.
 */
#ifndef WG_CHECK_VOLATILE_H
#define WG_CHECK_VOLATILE_H
#include "check/instrument/pass.h"

/* Of the function that is about to be copied: fills in the sites' `data`. */
void wg_volatile_find(struct wg_instrument *x);
#endif
