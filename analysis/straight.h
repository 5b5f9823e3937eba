/* Phases that run straight on, for warps side by side (jam.h), although they load behind a store:
 *
 *     for (j = 0; j < 32; j += 8)              unrolled: four loads and stores, each behind a comparison
 *         if (x < w && y + j < h) out[x * h + y + j] = in[(y + j) * w + x];
 *
 * They may begin again at any place if what they store is held back to their end, and is then found to lie
 * apart from all that they have loaded (jit/held.h). So they go one way alone, the one on which everything
 * happens; warps that want another one begin again, each for itself.
 */
#ifndef WG_ANALYSIS_STRAIGHT_H
#define WG_ANALYSIS_STRAIGHT_H
#include "analysis/analysis.h"

enum { WG_NO_WAY = UINT8_MAX, WG_MOST_HELD = 32 /* accesses to global memory in such a phase */ };

/* Whether the phase does. way[block]: of those that it goes through the successor by its number there, 0 if
 * there is none; WG_NO_WAY for all others. No branch on it depends on what is in memory, and no access to
 * global memory has lanes at addresses that nothing is known of. */
bool wg_runs_straight(const struct wg_analysis *an, uint32_t begins, uint8_t *way);
#endif
