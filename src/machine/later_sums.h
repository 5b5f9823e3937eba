/* Deterministic floating-point sums: the result is the same at any number of threads.
 *
 * Floating-point addition is not associative: each order rounds differently. So where a kernel adds floats to
 * global memory by atomics, and nothing else in the launch touches the same memory, the additions are
 * buffered and applied in the order of the blocks:
 *
 *     claim [begin, end)   blocks that a worker took: it keeps what they add, by block
 *     frontier             all blocks before it have had theirs applied
 *     a claim ends         it waits in a list; those at the frontier are applied, and move it on
 *
 * The additions of one block are kept in the order in which its warps run, which the code determines. Others
 * see them when the launch ends at the latest; so kernels with fences, and those whose blocks wait for each
 * other, add at once. So do all kernels where blocks run in one order anyway (one_order.c).
 */
#ifndef WG_MACHINE_LATER_SUMS_H
#define WG_MACHINE_LATER_SUMS_H
#include "warp/warp.h"
#include <stdbool.h>
#include <stdint.h>

struct wg_grid;
struct wg_worker;
struct wg_warp;
struct wg_sum_claim;
struct wg_later_sums;

enum { WG_LATER_SPANS = 8 };
/* Memory that is added to. */
struct wg_later_span {
    uint64_t base, end;
};

struct wg_later_sums *wg_later_new(const struct wg_later_span *spans, uint32_t n);
void wg_later_free(struct wg_later_sums *s); /* all claims have ended; or NULL */
/* The worker is about to run units [begin, end); so many of a claim have ended. */
struct wg_sum_claim *wg_later_begin(struct wg_worker *w, struct wg_grid *g, uint64_t begin, uint64_t end);
void wg_later_ended(struct wg_worker *w, struct wg_sum_claim *c, uint64_t units);

/* struct wg_services: adds each lane's bits of b at its address. Returns the lanes that have to add by
 * themselves. */
uint32_t wg_later_service_add(struct wg_warp *w, uint32_t lanes, const uint64_t *at, const uint64_t *b,
                              enum wg_sum_kind kind);
#endif
