/* Check elimination: accesses to shared memory that cannot race, and need no check ("quiet" accesses).
 *
 *     tile[t] = in[i];  __syncthreads();  for (...) sum += tile[u];  __syncthreads();       the loads
 *     atomicAdd(&bins[v], 1);                            between two barriers, where there are only such
 *
 * In their barrier intervals (intervals.h) no other thread makes an access to shared memory that conflicts
 * with them, at whatever addresses. Others are quiet if the addresses of certain pairs of accesses are
 * disjoint, which is decided at launch (forms.h): in the example, the store paired with itself.
 *
 * Generic addresses may be shared memory. Nothing is proven of kernels that call functions, or whose copies
 * into shared memory are asynchronous, and nothing of atomics where there are fences, which may make them
 * signals.
 */
#ifndef WG_CHECK_QUIET_H
#define WG_CHECK_QUIET_H
#include "check/instrument/pass.h"
#include "check/prove/intervals.h"

/* Of a function: what may be quiet if pairs of accesses are apart for any two threads of a block. */
struct wg_quiet_pair {
    const struct wg_ir_instr *first, *second; /* as they were read */
    struct wg_meeting meeting;
};
struct wg_quiet_pairs {
    struct wg_quiet_pair *v;
    uint32_t n;
};

/* Marks the quiet accesses in the sites of the function being copied, and returns the pairs; NULL: there
 * are none. */
const struct wg_quiet_pairs *wg_quiet_find(struct wg_instrument *x);
#endif
