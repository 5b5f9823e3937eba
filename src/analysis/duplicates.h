/* Redundancy elimination of warps: of a block's warps that compute the same, one runs. */
#ifndef WG_ANALYSIS_DUPLICATES_H
#define WG_ANALYSIS_DUPLICATES_H
#include "analysis/analysis.h"

/* How many warps of a block, the first ones, compute something that no warp before them does: mostly all. */
uint32_t wg_distinct_warps(const struct wg_analysis *an);
#endif
