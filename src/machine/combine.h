/* Privatized sums: each worker buffers the additions of kernels to global memory and publishes them later
 * (warp/combine.h).
 *
 * Until they are published no other thread sees them. All threads of a block run on one worker, and generated
 * code publishes before anything else in the block could observe the difference (jit/access/combine.c). That
 * leaves blocks on other workers, and the host. They have no guarantee of *when* a relaxed addition becomes
 * visible, only that it does in the end, however long the thread that added runs on without a fence. So sums
 * are also published
 *   - when a warp yields: it may wait for a thread that waits for the addition
 *   - when a block reaches the grid's barrier, is put aside, or faults
 *   - when the worker has no more units of the launch; only then are its units counted as finished
 *   - between two blocks, when PUBLISH_NS have passed (where blocks are quick, at most 64 blocks later)
 *
 * A window is opened where additions were seen to go, and closed again where it does not pay: publishing
 * after only a handful of additions each time costs more than locked additions would.
 */
#ifndef WG_MACHINE_COMBINE_H
#define WG_MACHINE_COMBINE_H
#include "warp/combine.h"
#include <stdbool.h>
#include <stddef.h>

struct wg_worker;
struct wg_warp;

struct wg_sums {
    struct wg_combiner *at; /* WG_COMBINERS of them: what generated code sees */
    struct wg_sums_use {
        uint64_t base, bytes; /* the window; 0 bytes: none */
        uint32_t element;     /* bytes: 4 or 8 */
        uint32_t misses;      /* additions outside of any window */
        uint32_t patience;    /* the number of misses until a window is opened */
        uint32_t regrets;     /* times in a row that the window did not pay */
        uint64_t next;        /* while publishing: where */
    } use[WG_COMBINERS];
    void *memory;             /* of all windows; allocated when the first one is opened */
    uint64_t since;           /* the earliest time at which an addition became pending; nanoseconds */
    uint64_t looked;          /* the last read of the clock between two blocks */
    uint32_t quick, unlooked; /* blocks that may pass until the next look, and those that have */
};

void wg_sums_init(struct wg_sums *s);
void wg_sums_free(struct wg_sums *s);
static inline bool wg_sums_pending(const struct wg_sums *s) {
    return (s->at[0].adds | s->at[1].adds | s->at[2].adds | s->at[3].adds) != 0;
}
_Static_assert(WG_COMBINERS == 4, "wg_sums_pending looks at each");

/* Publishes the additions. On the worker, outside of kernel code. */
void wg_combine_publish(struct wg_worker *w);
/* The same, and closes all windows: what runs next may be another kernel. */
void wg_combine_close(struct wg_worker *w);
/* Between blocks, when so many have ended since: publishes if the last time is long ago. */
void wg_combine_tick(struct wg_worker *w, uint64_t ended);
/* How many blocks may follow one before the next tick. */
static inline uint64_t wg_combine_more(const struct wg_sums *s) { return s->quick; }

/* struct wg_services */
bool wg_combine_service_miss(struct wg_warp *w, uint32_t which, uint64_t low, uint64_t high,
                             uint32_t element);
void wg_combine_service_publish(struct wg_warp *w, uint32_t touched);
#endif
