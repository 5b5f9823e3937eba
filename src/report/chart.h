/* The memory chart of a kernel: what moves between the kernel, L1, shared memory, L2 and DRAM, summed over its launches.
 *
 * Requests, sectors and wavefronts are counted. What L1 and L2 keep is the time model's estimate (model/time.h): of loads
 * the sectors that L1 misses, and of loads and stores the bytes that DRAM moves. Local memory is assumed to stay in L1.
 *
 *     loads    8,192 requests, 32,768 sectors ->  L1 keeps 0 %  -> 32,768 sectors ->  L2 keeps 0 %  -> 1 MiB of DRAM
 */
#ifndef WG_REPORT_CHART_H
#define WG_REPORT_CHART_H
#include "report/summary.h"

enum wg_chart_kind {
    WG_CHART_LOADS,
    WG_CHART_STORES,
    WG_CHART_ATOMICS,
    WG_CHART_LOCAL,
    WG_CHART_SHARED,
    WG_CHART_KINDS
};
extern const char *const wg_chart_names[WG_CHART_KINDS];

struct wg_chart_row {
    double requests;
    double l1, l2; /* bytes between kernel and L1 or shared memory; between L1 and L2 */
    double dram;   /* bytes between L2 and DRAM */
};
struct wg_chart {
    struct wg_chart_row row[WG_CHART_KINDS];
    double l1_hits,
        l2_hits; /* of the sectors that are loaded, from 0 to 1; below 0: nothing is loaded there */
};
/* False for a chip that is not known, and for a kernel that accesses no memory. */
bool wg_chart_of(const struct wg_summary *s, struct wg_chart *out);
#endif
