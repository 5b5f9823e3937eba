/* Cross-block reuse of loads: loads of image rows that an earlier row of blocks loaded before. A filter's
 * block of row y reads rows y - 1, y and y + 1 of an image; the blocks of the row before it read the first
 * two of them as their last two.
 *
 *     in[(y - 1) * width + x]       at y + 1 is in[y * width + x] at y: read before
 *     in[y * width + x]             at y + 1 is in[(y + 1) * width + x] at y: read before
 *     in[(y + 1) * width + x]
 *
 * For prefetches, so it need not be exact: wrapping of 32-bit numbers is ignored.
 */
#ifndef WG_ANALYSIS_EARLIER_ROWS_H
#define WG_ANALYSIS_EARLIER_ROWS_H
#include "scev/scev.h"

/* The position of a load or store. */
struct wg_row_access {
    uint32_t block, index;
};
/* earlier[i]: another of the n accesses, some rows of threads or blocks before, has the same address. s:
 * UNWRAPPED. */
void wg_find_earlier_rows(struct wg_scev *s, const struct wg_row_access *accesses, uint32_t n, bool *earlier);
#endif
