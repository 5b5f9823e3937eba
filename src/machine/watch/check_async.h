/* The asynchronous proxy in the race check: copies of the copy engine, and matrix products of operands in
 * shared memory. Between its issue and its completion such an operation may read and write at any time, and
 * only threads ordered after the completion may touch that memory.
 *
 *     bulk and tensor copies to shared memory    the end of the phase of their mbarrier that counts their
 *                                                bytes
 *     those to global memory                     the thread's wait for the group; their reads: .read
 *     wgmma                                      the warp's wait for the group
 *
 * A thread that observes the completion is ordered after it, and passes the order on as usual: by barriers,
 * by mbarriers, by convergence of a warp, by flags. That the operation itself comes after earlier accesses of
 * others is checked as for any access: it counts as one of the thread that issued it (check/race/race.h). And
 * what threads wrote must have been handed over to the proxy: check_proxy.h.
 */
#ifndef WG_MACHINE_CHECK_ASYNC_H
#define WG_MACHINE_CHECK_ASYNC_H
#include "machine/watch/check_race.h"

/* What an operation does to one memory, at the process's addresses. */
struct wg_async_part {
    uint32_t id;    /* of the access split off from it: check/instrument/instrument.h */
    uint8_t access; /* enum wg_race_access_kind */
    uint8_t until;  /* enum wg_async_end */
    bool shared;
    uint64_t mbarrier;
    const struct wg_check_range *ranges;
    uint32_t n;
};
/* READY: the initialisation of an mbarrier, which completes at once; other threads must be ordered after it
 * before they use the mbarrier. */
enum wg_async_end {
    WG_ASYNC_MBARRIER,
    WG_ASYNC_GROUP,
    WG_ASYNC_GROUP_READ,
    WG_ASYNC_PRODUCTS,
    WG_ASYNC_READY
};

void wg_check_async_begin(struct wg_grid *g);
void wg_check_async_unit_begin(struct wg_unit *u);
void wg_check_async_unit_end(struct wg_unit *u);
/* All blocks of a cluster have ended: checks copies to each other's memory that no thread has waited for. */
void wg_check_async_cluster_end(const struct wg_unit *u);
/* A lane, or the whole warp (WG_LANES), issues an operation of these parts. */
void wg_check_async_issue(const struct wg_warp *w, uint32_t lane, const struct wg_async_part *p, uint32_t n);
/* Threads access memory: returns the lanes that were reported, and need no further check. */
struct wg_race_access;
uint32_t wg_check_async_access(const struct wg_warp *w, const struct wg_race_access *a);
/* Commits the operations so far as a group; the lanes wait for groups, as instruction `id` says. */
void wg_check_async_commit(const struct wg_warp *w, uint32_t lanes, bool products);
void wg_check_async_wait(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *open);
void wg_check_async_proxy_fence(const struct wg_warp *w, uint32_t lanes, uint32_t id);
/* Synchronisation, which passes the order on. Addresses of mbarriers are the process's. */
void wg_check_async_arrive(const struct wg_warp *w, uint32_t lanes, const uint64_t *mbarrier);
void wg_check_async_passed(const struct wg_warp *w, uint32_t lanes, const uint64_t *mbarrier);
void wg_check_async_mbarrier_begins(const struct wg_warp *w, uint32_t lanes, uint32_t id,
                                    const uint64_t *mbarrier);
/* Lanes use mbarriers as instruction `id` has it. */
void wg_check_async_mbarrier_used(const struct wg_warp *w, uint32_t lanes, uint32_t id,
                                  const uint64_t *mbarrier);
void wg_check_async_meeting(const struct wg_warp *w, uint32_t lanes);
void wg_check_async_bar_arrive(const struct wg_warp *w, uint32_t lanes, uint32_t id);
/* By warp: lanes that waited, and those that are released; NULL: all. */
void wg_check_async_barrier(const struct wg_cta *c, uint32_t id, const uint32_t *waited,
                            const uint32_t *released);
void wg_check_async_unit_barrier(const struct wg_unit *u); /* of the cluster, or of the grid */
#endif
