/* Plain loads that only guess what an exchange by compare will find:
 *
 *     old = *p;                                                   ld.global.u64 %old, [%p]
 *     do {                                                        loop:
 *         assumed = old;                                          ...      %new from %old
 *         old = atomicCAS(p, assumed, assumed + 1);               atom.cas %x, [%p], %old, %new
 *     } while (assumed != old);                                   setp.ne %again, %old, %x;  mov %old, %x
 *
 * If the guess was wrong the exchange says so, and nothing has come of it: the load counts as an atomic of
 * the exchange's scope, which tells no thread anything of what others did before.
 *
 * What depends on the guess may be operand of an exchange at the same address, and may decide about code
 * which does nothing but compute, load, and exchange there. Where an exchange is found to have gone right,
 * what was in hand since the last one that failed is no guess any more. Whoever does anything else with the
 * value, or with what follows from a guess that failed, has a load as any other.
 */
#ifndef WG_CHECK_GUESS_H
#define WG_CHECK_GUESS_H
#include "check/instrument/pass.h"

/* Of the function that is about to be copied: fills in the sites' `guess`. */
void wg_guess_find(struct wg_instrument *x);
#endif
