/* Sums over windows: integer sums of neighbours in an array, of whatever else besides.
 *
 *     sum = in[i-1] + in[i] + in[i+1] + in[i-1+n] + in[i+n] + in[i+1+n] + bias
 *       -> a window of 3 elements over 2 rows; rest: bias
 *
 * Lanes next to each other read nearly the same elements, and adding integers may be done in any order. So
 * the code generator adds up the rows first, over all that the lanes together read, and then, within the
 * vector, neighbours: a window of w elements over n rows is n loads and n + w additions instead of n * w each
 * (jit/access/window.c). What the lanes read, and so where they fault, stays what it is. Of warps side by side each
 * has the row's next elements, which the one before it wants the first of, so that these are no loads of
 * their own.
 *
 * A sum is a tree of unguarded additions of one width in one block whose inner results nobody else wants, and
 * between its first load and its root nothing writes memory or meets anybody. Registers that addresses and other
 * summands are read from hold the same up to the root, and behind it.
 */
#ifndef WG_ANALYSIS_WINDOW_H
#define WG_ANALYSIS_WINDOW_H
#include "analysis/analysis.h"

enum { WG_WINDOW_MOST = 17 }; /* elements: 32 lanes and as many more as half a vector has */

struct wg_window {
    uint32_t width; /* elements next to each other in each row */
    uint32_t nrows;
    uint32_t *row; /* the load of each row's first element: its number in the block */
    uint8_t bits;  /* of an element */
    bool is_signed;
};
struct wg_window_sum {
    struct wg_window_sum *next; /* in the block */
    uint32_t root;              /* the addition that gives it: its number in the block */
    uint32_t bits;
    struct wg_window *window;
    uint32_t nwindows;
    const struct wg_ir_opd **rest; /* what else is added */
    uint32_t nrest;
    bool together; /* less work only where warps side by side go on along the rows (jam.h) */
};

/* By block: its sums over windows, where that is less work than one load for each element. */
struct wg_window_sum **wg_window_sums(const struct wg_analysis *an, struct wg_arena *a);
#endif
