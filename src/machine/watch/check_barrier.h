/* The barrier check of a running block: which threads reached a barrier, which did not, and where the others were.
 *
 * A barrier is checked when it is complete, a warp's convergence point when its lanes have converged: by then
 * the state is the same whichever warp ran first.
 */
#ifndef WG_MACHINE_CHECK_BARRIER_H
#define WG_MACHINE_CHECK_BARRIER_H
#include "check/finding.h"
#include "machine/grid.h"

/* What is kept of a block. */
struct wg_barrier_watch {
    uint32_t expected[WG_MAX_WARPS];       /* lanes that had not ended at the last barrier of all threads */
    uint32_t left[WG_MAX_WARPS][WG_LANES]; /* the branch after which a thread reaches no barrier, or the last
                                            * barrier that was checked by thread; 0: none */
    uint32_t at;                           /* the last barrier before those, which all threads reached */
    /* Of the cluster: barriers completed, the last of them that a thread of this block waited for, and by
     * rank the latest access to the shared memory of another block. */
    uint32_t phases, waited;
    struct wg_check_remote {
        bool known, strong;                 /* strong: an atomic, a flag: may synchronise by itself */
        uint32_t phase, site, warp, thread; /* made before the block's arrival at the barrier `phase` */
    } remote[WG_MAX_CLUSTER];
    bool closely;     /* some barrier was checked thread by thread: so are all later ones */
    bool out_of_step; /* threads skipped a barrier: its consequences are not reported again */
};

/* Of a grid, under its lock: the lowest block that reached the current barrier, and the lowest that ended
 * without it. */
struct wg_check_grid_barrier {
    struct wg_check_block_at {
        bool known;
        uint64_t index;
        uint32_t ctaid[3];
        uint32_t site;
    } arrived, ended;
};

/* Of the fault of the lowest unit: where it is, and where others wait. */
struct wg_check_stuck {
    uint32_t site, other_site, block[3], thread;
    bool has_other;
    struct wg_finding_memory memory; /* that threads poll in vain */
};

/* The block's watch is there, and as at a block's start: all live lanes are expected. */
void wg_check_watch(struct wg_cta *c);
/* Barrier `id` of the block is complete, and no thread has been released. */
void wg_check_barrier(struct wg_cta *c, uint32_t id);
/* run_plain in run.c: all live threads have reached barrier 0. */
void wg_check_all_at_barrier(struct wg_cta *c);
/* All live threads of the block are at the grid's barrier. */
void wg_check_grid_arrival(struct wg_cta *c);
/* A block of a cooperative launch has ended; the grid's barrier is complete. Under the grid's lock. */
void wg_check_grid_exit(const struct wg_cta *c);
void wg_check_grid_barrier(struct wg_grid *g);
/* The cluster's barrier is complete; a thread of the block that waited is released; all blocks have ended. */
void wg_check_cluster_barrier(struct wg_unit *u);
void wg_check_cluster_waited(struct wg_cta *c, uint32_t warp, const struct wg_wait *w);
void wg_check_cluster_end(const struct wg_unit *u);
/* Lanes access memory at these addresses of the process: some may be another block's. True: some are. The
 * first: without addresses, some may be, of which there is nothing new to keep. */
bool wg_check_remote_known(const struct wg_warp *w, uint32_t id);
bool wg_check_remote_access(struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *address);
/* No warp of the unit can continue: threads wait at `site`, and others of warp `w` at `other` (NULL: nobody
 * else waits). Before the fault is recorded. */
void wg_check_stuck(const struct wg_unit *u, uint32_t site, const struct wg_warp *w,
                    const struct wg_wait *other);
/* The launch has ended: what stopped it, if the barrier check has to report that. */
void wg_check_barrier_fault(const struct wg_grid *g);
/* Lines as parts of a sentence. */
const char *wg_check_join_lines(struct wg_arena *a, const char *lines);
/* Events of code. Arrays of 32; members NULL: each names all lanes. */
void wg_check_left(struct wg_warp *w, uint32_t lanes, uint32_t id);
void wg_check_meeting(struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *members);
#endif
