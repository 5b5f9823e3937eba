/* Scalarization of masked blocks: which blocks run lane by lane when few of their lanes are active.
 *
 *     if (t < stride) part[t] += part[t + stride];       stride 1, 2, 4, 8: as many active lanes in one warp
 *
 * A block of loads and arithmetic whose results only its one store uses, at its end, with lanes far apart: all lanes
 * load before the first one stores, as in vector code. jit/warp/few_lanes.c has its code.
 */
#ifndef WG_ANALYSIS_FEW_LANES_H
#define WG_ANALYSIS_FEW_LANES_H
#include "analysis/analysis.h"

/* For facts of CONVERGED. */
bool wg_few_lanes_fit(struct wg_analysis *an, uint32_t block);
#endif
