/* Numbers formatted for people; each function returns a string in the arena.
 *
 *     wg_figure(16777216)        "16,777,216"         wg_figure_short(16777216)  "16.8 M"
 *     wg_figure_bytes(67108864)  "64.0 MiB"           wg_figure_ratio(32, 1)     "32"
 *                                                     wg_figure_ratio(9, 4)      "2.25"
 */
#ifndef WG_REPORT_FIGURE_H
#define WG_REPORT_FIGURE_H
#include "base/arena.h"

const char *wg_figure(struct wg_arena *a, uint64_t n);
/* At most 6 characters. */
const char *wg_figure_short(struct wg_arena *a, uint64_t n);
const char *wg_figure_bytes(struct wg_arena *a, uint64_t bytes);
/* Three digits at most, "-" for 0 / 0. */
const char *wg_figure_ratio(struct wg_arena *a, uint64_t part, uint64_t whole);
/* The same in two digits, or as many as the whole number has. */
const char *wg_figure_rough(struct wg_arena *a, uint64_t part, uint64_t whole);
/* "87 %"; never rounded to 0 or 100 unless it is. */
const char *wg_figure_percent(struct wg_arena *a, uint64_t part, uint64_t whole);
/* "1 launch", "2 launches" */
const char *wg_figure_plural(struct wg_arena *a, uint64_t n, const char *one, const char *many);
/* "101 us", "4.33 ms" */
const char *wg_figure_time(struct wg_arena *a, double seconds);
#endif
