/* Speculative loads: plain loads whose value is only a guess at what a compare-and-swap will find:
 *
 *     old = *p;                                                   ld.global.u64 %old, [%p]
 *     do {                                                        loop:
 *         assumed = old;                                          ...      %new from %old
 *         old = atomicCAS(p, assumed, assumed + 1);               atom.cas %x, [%p], %old, %new
 *     } while (assumed != old);                                   setp.ne %again, %old, %x;  mov %old, %x
 *
 * If the guess is wrong the exchange fails, and the value has had no effect: the load counts as a relaxed
 * atomic of the exchange's scope, which orders nothing that other threads did before.
 *
 * Values that depend on the guess may be operands of an exchange at the same address, and may control code
 * which does nothing but compute, load, and exchange there. On the path where an exchange is known to have
 * succeeded, values loaded since the last one that failed are no guess any more. Where the value, or a value
 * derived from a guess that failed, has any other use, the load is an ordinary load.
 */
#ifndef WG_CHECK_GUESS_H
#define WG_CHECK_GUESS_H
#include "check/instrument/pass.h"

/* Of the function that is about to be copied: fills in the sites' `guess`. */
void wg_guess_find(struct wg_instrument *x);
#endif
