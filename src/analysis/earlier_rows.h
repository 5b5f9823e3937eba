/* Loads of rows that were loaded before: a filter's block of row y reads rows y - 1, y and y + 1 of an image,
 * of which the first two are what the blocks of the row before it have read as their last two.
 *
 *     in[(y - 1) * width + x]       at y + 1 is in[y * width + x] at y: read before
 *     in[y * width + x]             at y + 1 is in[(y + 1) * width + x] at y: read before
 *     in[(y + 1) * width + x]
 *
 * For prefetches, so it need not be exact: that 32-bit numbers wrap round is left aside.
 */
#ifndef WG_ANALYSIS_EARLIER_ROWS_H
#define WG_ANALYSIS_EARLIER_ROWS_H
#include "scev/scev.h"

/* Where a load or store stands. */
struct wg_row_access {
    uint32_t block, index;
};
/* earlier[i]: where the access is, others of the n are, some rows of threads or blocks before. s: UNWRAPPED. */
void wg_find_earlier_rows(struct wg_scev *s, const struct wg_row_access *accesses, uint32_t n, bool *earlier);
#endif
