/* The kernels of a report in a selected order, with their costs and bottlenecks; and the launches of a kernel grouped by
 * shape.
 *
 *     struct wg_overview o = wg_overview(&arena, &summaries, WG_ORDER_TIME);
 *     o.v[0].seconds / o.seconds      the share of the kernel with the most modelled time
 *
 * For an unknown chip there are no times, and shares are of the instructions.
 */
#ifndef WG_REPORT_OVERVIEW_H
#define WG_REPORT_OVERVIEW_H
#include "report/summary.h"

/* X(ID, word): what --sort takes; all but names with the greatest first, and FIRST in the order of the first
 * launch. */
#define WG_ORDERS(X)                                                                                         \
    X(TIME, "time")                                                                                          \
    X(LAUNCHES, "launches")                                                                                  \
    X(INSTRUCTIONS, "instructions")                                                                          \
    X(SECTORS, "sectors")                                                                                    \
    X(CONFLICTS, "conflicts")                                                                                \
    X(NAME, "name")                                                                                          \
    X(FIRST, "first")
enum wg_order {
#define X(id, word) WG_ORDER_##id,
    WG_ORDERS(X)
#undef X
        WG_ORDER_COUNT
};
extern const char *const wg_order_words[WG_ORDER_COUNT + 1]; /* ends with NULL */

struct wg_overview_row {
    struct wg_summary *kernel;
    double seconds;    /* modelled, of all launches */
    uint64_t work;     /* what shares are of: picoseconds of that, or instructions */
    double figure;     /* what it is sorted by */
    const char *binds; /* a word or two (statement.h) */
};
struct wg_overview {
    struct wg_overview_row *v;
    uint32_t n;
    bool timed; /* the chip is known */
    double seconds;
    uint64_t work, launches;
};
/* Also puts the summaries into this order. */
struct wg_overview wg_overview(struct wg_arena *a, struct wg_summaries *s, enum wg_order order);
/* Sectors of global and local memory, and of those the ones that nobody asked for. */
uint64_t wg_kernel_sectors(const struct wg_summary *s, uint64_t *unasked);
uint64_t wg_kernel_conflicts(const struct wg_summary *s);

/* Launches of one grid, block, cluster and dynamic shared memory. */
struct wg_shape_group {
    const struct wg_launch *first;
    uint32_t launches;
    double least, median, most, sum; /* modelled seconds; without a model warp instructions */
};
struct wg_shape_groups {
    struct wg_shape_group *v; /* the one with the greatest sum first */
    uint32_t n;
    bool timed;
};
struct wg_shape_groups wg_shape_groups(struct wg_arena *a, const struct wg_summary *s);

/* A kernel's name in so many columns: without its arguments, then without the namespaces of its template's
 * arguments, then with its middle left out. */
const char *wg_name_in(struct wg_arena *a, const char *display, int columns, bool plain);
#endif
