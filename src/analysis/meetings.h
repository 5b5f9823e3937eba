/* Where ptxas lets lanes meet that parted. It emits BSSY where they part and BSYNC where they meet:
 *
 *   - at the immediate post-dominator of a branch;
 *   - at one more join for each block that dominates it immediately, the last one; the other ways leave by BREAK. Not if a
 *     loop between the two has an exit that leads past it, nor if what lies between overlaps what lies before another.
 *
 *     while (low < high) {                          BSSY B0
 *         if (a[i - 1] > b[j]) high = i;            BSSY B1
 *         else if (b[j - 1] > a[i]) low = i + 1;    two tests lead here: no BSYNC, each group of lanes goes on by itself
 *         else break;                               BREAK B1
 *     }                                             BSYNC B1, then BSYNC B0
 *
 * A way that ends in EXIT without meeting another counts for nothing: lanes that exited are waited for nowhere. Read in what
 * ptxas 13.0 makes of some twenty small kernels for sm_90, and held against requests of an H200.
 */
#ifndef WG_ANALYSIS_MEETINGS_H
#define WG_ANALYSIS_MEETINGS_H
#include "cfg/cfg.h"

/* Blocks that lanes come to on several ways, or from a loop in several iterations, and do not meet in. */
wg_bits wg_meetings_missed(struct wg_arena *a, const struct wg_ir_func *f);
#endif
