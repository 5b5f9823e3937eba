/* Loads that the machine code has elsewhere than the PTX: outside the loop, where the value stays in a register, or an earlier
 * turn has loaded it; behind the branch that ends their block, where only one of its ways uses the value; or once more behind
 * it, in a loop that follows, say, where registers are too few to keep the value.
 *
 *     loop:  ld.global.f32 %f1, [%rd4];    line 64      LDG before the loop: once, and not in each turn
 *            bra loop;                     line 70      BRA, in the loop
 */
#ifndef WG_ANALYSIS_SASS_HOISTS_H
#define WG_ANALYSIS_SASS_HOISTS_H
#include "analysis/sass_flow.h"

/* A load's line, and a line that stays where it was (a branch, a store, a barrier), of one basic block of the PTX. */
struct wg_sass_placed {
    uint32_t ptx_line, block; /* block: any number that the lines of a block have in common */
    bool branch, local;       /* local: accesses local memory */
};
enum wg_sass_place { WG_SASS_IN_PLACE, WG_SASS_MOVED, WG_SASS_AGAIN /* and behind it */ };
/* [line of the PTX, up to `nlines`] where its loads are. `v`: all counted lines, `n` of them, by block. */
void wg_sass_hoists(struct wg_arena *a, const struct wg_sass_flow *w, const struct wg_sass_placed *v,
                    uint32_t n, uint32_t nlines, enum wg_sass_place *place);
#endif
