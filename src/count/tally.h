/* Tallies: the counters of one worker for one launch.
 *
 *     a worker's tally --- units[]   numbers that the code itself adds to: executions of its blocks, ...
 *                      \-- sites[]   a row and two samples for each place that accesses memory
 *
 * Code that counts (ref/, jit/) finds its worker's tally through wg_warp.tally. Only the code knows what its
 * units mean: wg_code.collect turns them into rows. Memory does not depend on the size of the grid.
 *
 *     struct wg_access_seen a = {
 *         .block = 7, .warp = 0, .mask = ~0u, .bytes = 4, .class = WG_CLASS_global_load};
 *     ... a.address[l] = 0x1000 + 128 * l ...
 *     wg_tally_access(tally, 3, &a);             sectors += 32, tags += 32, ideal_sectors += 4
 */
#ifndef WG_COUNT_TALLY_H
#define WG_COUNT_TALLY_H
#include "count/counters.h"
#include <stddef.h>

/* One access of a warp. */
struct wg_access_seen {
    uint64_t block; /* index in the grid */
    uint32_t warp;
    uint32_t mask;        /* active lanes */
    uint8_t class;        /* enum wg_class */
    bool swap;            /* shared memory: a compare-and-swap, which goes through the banks twice */
    uint8_t bytes;        /* of a lane */
    uint64_t order;       /* later accesses of a worker have greater ones */
    uint64_t address[32]; /* global memory: process addresses; shared: offsets from the block's window */
};

/* Which access it is. */
struct wg_access_of {
    uint64_t block, order;
    uint32_t warp;
};

struct wg_sample {
    bool taken;
    uint32_t cost; /* sectors or wavefronts */
    uint32_t mask, warp;
    uint64_t block, order;
    uint64_t address[32];
};

struct wg_site_tally {
    struct wg_counts counts;
    struct wg_sample first, worst;
};

struct wg_sites;   /* analysis/sites.h */
struct wg_scratch; /* fast.c */
struct wg_tally {
    const struct wg_sites *of; /* what is counted; the counting code's own */
    struct wg_site_tally *sites;
    uint32_t nunits, nsites;
    uint64_t order;             /* of the latest access that may become a sample */
    struct wg_scratch *scratch; /* fast.c */
    void *own;                  /* the code's, freed by free_own */
    void (*free_own)(void *own);
    uint64_t units[];
};

struct wg_tally *wg_tally_new(const struct wg_sites *of, uint32_t nunits, uint32_t nsites);
void wg_tally_free(struct wg_tally *t);

/* What one access costs, by the rules of model/. `mask` is not 0. */
struct wg_counts wg_access_cost(const struct wg_access_seen *a);
/* The cost of an atomic that is a compare-and-swap loop: in each iteration lanes load, and one lane per
 * contended word succeeds. Contention with other warps depends on timing and is not modelled: this is a warp
 * by itself. cost[0] is of the loads, cost[1] of the compare-and-swaps. */
void wg_loop_cost(const struct wg_access_seen *a, struct wg_counts cost[2]);
/* Adds the access to a site: its cost, and a sample of it where it is the first or the worst so far. */
void wg_tally_access(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a);
/* The same for an access whose cost is not a function of its addresses alone. */
void wg_tally_counted(struct wg_tally *t, uint32_t site, const struct wg_access_seen *a,
                      const struct wg_counts *cost);
/* The same for `times` accesses of the same cost, `a` being the first of them. */
void wg_tally_accesses(struct wg_site_tally *s, const struct wg_access_seen *a, uint64_t times);
/* Whether there is no sample yet, or the access came before it. A worker takes its blocks in rising order, and puts some
 * aside: what is first is the lowest block's. */
static inline bool wg_sample_is_after(const struct wg_sample *s, const struct wg_access_of *of) {
    return !s->taken || of->block < s->block || (of->block == s->block && of->order < s->order);
}
/* Merges the tally of another worker; of two samples, that of the lower block is kept. */
void wg_site_merge(struct wg_site_tally *to, const struct wg_site_tally *from);
#endif
