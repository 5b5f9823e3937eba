/* Where lanes meet that parted: BSYNC is executed once by each of the groups that come to it.
 *
 *     BSSY B0; @P1 BRA L;        executed 100 times; in 30 of them the lanes part
 *     ...                        60 times
 *     L: BSYNC B0;               130 times
 */
#ifndef WG_ANALYSIS_SASS_MEETINGS_H
#define WG_ANALYSIS_SASS_MEETINGS_H
#include "analysis/sass_counts.h"

/* Adds to the executions of the blocks that end in a BSYNC those of the lanes that parted at the branches before it
 * (lines[].parted). */
void wg_sass_add_meetings(const struct wg_sass_flow *w, const struct wg_sass_line *lines, uint32_t nlines,
                          double *times);
#endif
