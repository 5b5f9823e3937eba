/* The first tier: a long kernel begins by the reference, which starts at once, where little of it runs.
 *
 * Making code takes LLVM about a millisecond for each instruction of a long kernel: seconds for the thousands
 * that templates unfold into, a minute where lanes part in all of them. A launch of a few warps is over by
 * then. So where a kernel of more than TIER_LONG instructions, its functions put in place, is launched with
 * no more than TIER_FEW warps, the reference runs it, TIER_LAUNCHES times; then code is made of it. Which
 * launches these are, nothing but the program decides: so what hangs on the order of a block's warps is the
 * same in every run.
 *
 * Not where somebody asked for a backend (WARPGLASS_BACKEND), wants to see or to compare what is made, or
 * counts or checks what runs; and not where blocks add floats to global memory, whose sums are made in one
 * order by generated code alone (later_sums.h).
 */
#ifndef WG_MACHINE_TIER_H
#define WG_MACHINE_TIER_H
#include "machine/grid.h"

/* Whether this launch of the grid's kernel is to be run by the reference: it is one of them then. */
bool wg_tier_is_first(const struct wg_grid *g, const struct wg_launch *l);

#endif
