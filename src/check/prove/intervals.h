/* Barrier intervals (may-happen-in-parallel analysis): the code that threads run between the same two
 * barriers of the whole block.
 *
 *     block 0    st.shared [tile+4*t]; bar.sync 0         interval 0: the entry's
 *     block 1    ld.shared [tile+4*u]; ...; bar.sync 0     interval 1: behind the barrier in block 0
 *
 * Two threads that have passed the same number of such barriers may be at any two places of two intervals
 * that are reachable together; at two other places they are never at the same time. Nothing is assumed about
 * branch conditions: threads may take different paths, as long as they reach the same barriers.
 */
#ifndef WG_CHECK_INTERVALS_H
#define WG_CHECK_INTERVALS_H
#include "cfg/bits.h"
#include "ir/ir.h"

struct wg_intervals {
    uint32_t nblocks;
    wg_bits *meets;    /* [block] blocks where another thread may be at the same time */
    wg_bits outlasted; /* blocks where a thread may be when another has ended, or is about to */
};

/* Whose barriers count: those of all threads of a block and of its cluster; those of clusters alone. */
enum wg_intervals_of { WG_INTERVALS_BLOCK, WG_INTERVALS_CLUSTER };
/* NULL: too many barriers. In the arena. */
struct wg_intervals *wg_intervals_find(struct wg_arena *a, const struct wg_ir_func *f,
                                       enum wg_intervals_of of);
#endif
