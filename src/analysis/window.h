/* Sliding-window sums: detection of integer sums of neighbours in an array, plus any other summands.
 *
 *     sum = in[i-1] + in[i] + in[i+1] + in[i-1+n] + in[i+n] + in[i+1+n] + bias
 *       -> a window of 3 elements over 2 rows; rest: bias
 *
 * Neighbouring lanes read nearly the same elements, and integer addition may be reassociated. So the code
 * generator adds up the rows first, over all that the lanes together read, and then, within the vector,
 * neighbours: a window of w elements over n rows is n loads and n + w additions instead of n * w each
 * (jit/access/window.c). The addresses that lanes read, and so where they fault, do not change. Of jammed
 * warps each has the row's next elements, whose first ones the warp before it needs, so that these are no
 * extra loads.
 *
 * A sum is a tree of unguarded additions of one width in one block whose inner results have no other use, and
 * between its first load and its root nothing writes memory or synchronizes. Registers from which addresses
 * and other summands are computed do not change up to the root, and after it.
 */
#ifndef WG_ANALYSIS_WINDOW_H
#define WG_ANALYSIS_WINDOW_H
#include "analysis/analysis.h"

enum { WG_WINDOW_MOST = 17 }; /* elements: 32 lanes and as many more as half a vector has */

struct wg_window {
    uint32_t width; /* consecutive elements of each row */
    uint32_t nrows;
    uint32_t *row; /* the load of each row's first element: its index in the block */
    uint8_t bits;  /* of an element */
    bool is_signed;
};
struct wg_window_sum {
    struct wg_window_sum *next; /* in the block */
    uint32_t root;              /* the addition that computes it: its index in the block */
    uint32_t bits;
    struct wg_window *window;
    uint32_t nwindows;
    const struct wg_ir_opd **rest; /* what else is added */
    uint32_t nrest;
    bool together; /* profitable only where jammed warps continue along the rows (jam.h) */
};

/* By block: its sums over windows, where that is cheaper than one load for each element. */
struct wg_window_sum **wg_window_sums(const struct wg_analysis *an, struct wg_arena *a);
#endif
