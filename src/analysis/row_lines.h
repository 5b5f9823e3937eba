/* Row lines: loads by which each lane walks along a row of its own, some words further in each iteration of a
 * loop. Whole lines of the rows are loaded, transposed and kept for the iterations that follow
 * (jit/access/row_lines.c).
 *
 *     for (k ...) y[i] += a[i * n + k] * x[k];       32 rows, 4 n bytes apart
 *
 * The kept words are copies of memory, and must not outlive it. In the loop nothing synchronizes with another
 * thread (no atomics, fences, barriers, volatile accesses, calls), so what other threads store there need not be
 * seen in it; and all the warp's own stores are of a kind that can be compared with the lines, by address, as the
 * code runs. All lanes run all of the loop together.
 */
#ifndef WG_ANALYSIS_ROW_LINES_H
#define WG_ANALYSIS_ROW_LINES_H
#include "analysis/analysis.h"

enum { WG_ROW_LINE = 64, WG_MOST_ROW_LINES = 4 };

struct wg_row_lines {
    uint32_t n; /* address registers */
    struct {
        uint32_t reg, bytes, loads; /* bytes of an element; loads by it in an iteration */
        int64_t step;               /* bytes from one iteration to the next, a hint */
    } row[WG_MOST_ROW_LINES];
};

/* Whether lane l has l times what lane 1 has; NULL: all have 0. */
bool wg_is_lane_line(const int64_t *k);
/* Of the loop with this header; false: it has none. */
bool wg_find_row_lines(const struct wg_analysis *an, uint32_t header, struct wg_row_lines *x);
#endif
