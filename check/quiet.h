/* Accesses to shared memory that race with nothing, whatever their addresses: those in whose intervals
 * (intervals.h) no other thread does anything to it that would not be right beside them.
 *
 *     tile[t] = in[i];  __syncthreads();  for (...) sum += tile[u];  __syncthreads();       the loads
 *     atomicAdd(&bins[v], 1);                            between two barriers, where there are only such
 *
 * All shared memory counts as one place, and generic addresses may be of it. Nothing is proven of kernels
 * that call functions, or whose copies into shared memory are asynchronous, and nothing of atomics where
 * there are fences, which may make them signals.
 */
#ifndef WG_CHECK_QUIET_H
#define WG_CHECK_QUIET_H
#include "check/instrument.h"

/* Says so in the sites of the function that is being copied. */
void wg_quiet_find(struct wg_instrument *x);
#endif
