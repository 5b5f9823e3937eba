/* Barrier intervals (may-happen-in-parallel analysis): the code that threads run between the same two
 * barriers of the whole block.
 *
 *     block 0    st.shared [tile+4*t]; bar.sync 0         interval 0: the entry's
 *     block 1    ld.shared [tile+4*u]; ...; bar.sync 0     interval 1: behind the barrier in block 0
 *
 * Two threads that have passed the same number of such barriers may be at any two places of two intervals
 * that are reachable together; at two other places they are never at the same time. Nothing is assumed about
 * branch conditions: threads may take different paths, as long as they reach the same barriers.
 *
 * Where all barriers are in uniform blocks (uniform.h), all threads of a block run the same sequence of these, so
 * that more is known of two that are between the same two barriers. Both follow one piece of the sequence: one
 * may come to where the other is without a barrier, or both come from the same uniform block. And a loop that
 * cannot be run through without a barrier is in the same iteration for both, or for one of them in the next:
 *
 *     for (i = 0; i < n; i++) { if (t <= i) x[i - t] = ...; __syncthreads(); }           both have the same i
 */
#ifndef WG_CHECK_INTERVALS_H
#define WG_CHECK_INTERVALS_H
#include "cfg/bits.h"
#include "ir/ir.h"

struct wg_interval_loops; /* of uniform blocks: interval_loops.c */
struct wg_intervals {
    uint32_t nblocks;
    wg_bits *
        meets; /* [block] blocks where another thread may be at the same time; wg_intervals_meet knows more */
    wg_bits outlasted; /* blocks where a thread may be when another has ended, or is about to */
    const struct wg_interval_loops *loops; /* NULL: nothing is known of iterations */
};

/* Iterations of the loops around two places where two threads are at the same time, outermost first. */
enum { WG_MEETING_LOOPS = 3 };
struct wg_meeting {
    uint32_t nloops, loop[WG_MEETING_LOOPS]; /* headers */
    bool same;                               /* they may be in the same iteration of all these loops */
    /* In that of all loops further out, but of this one the second may be in the next iteration, or in the last. */
    bool next[WG_MEETING_LOOPS], last[WG_MEETING_LOOPS];
};

/* Whose barriers count: those of all threads of a block and of its cluster; those of clusters alone; of the grid. */
enum wg_intervals_of { WG_INTERVALS_BLOCK, WG_INTERVALS_CLUSTER, WG_INTERVALS_GRID };
/* Whether the function has a barrier of the grid. */
bool wg_intervals_of_grid(const struct wg_ir_func *f);
/* NULL: too many barriers. In the arena. */
struct wg_intervals *wg_intervals_find(struct wg_arena *a, const struct wg_ir_func *f,
                                       enum wg_intervals_of of);
/* Whether threads may be at these two blocks at the same time, and in which iterations. */
bool wg_intervals_meet(const struct wg_intervals *v, uint32_t a, uint32_t b, struct wg_meeting *out);
#endif
