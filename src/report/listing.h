/* Which source lines the listing of a kernel shows, for the terminal (text_source.c) and for pages (html_source.c): those
 * of one file after another, each with enough context to be readable.
 *
 *     for (struct wg_listing l = {0}; wg_listing_next(s, &l);)       a file, or the kernel's PTX
 *         for (uint32_t i = l.from; i < l.to; i++) s->lines[i] ...
 */
#ifndef WG_REPORT_LISTING_H
#define WG_REPORT_LISTING_H
#include "report/source.h"
#include "report/summary.h"

struct wg_listing {
    const char *file;  /* NULL: lines of the PTX, when the kernel has no line information */
    uint32_t from, to; /* lines of the summary */
};
/* The next file's lines, or false. Lines without a place are left out where others have one. */
bool wg_listing_next(const struct wg_summary *s, struct wg_listing *l);

/* A line's figures as listings have them: a line may load well and store badly, so of its classes it is the
 * one with most waste that is shown, not what lies between. */
struct wg_line_figures {
    struct wg_counts moving, turning; /* of global and local memory; of shared memory */
    struct wg_counts run;             /* instructions and the flow */
    uint64_t work;
};
struct wg_line_figures wg_line_figures(const struct wg_line_summary *l);

/* The text of a line of the kernel's PTX, or where that is not known the instruction that was counted there.
 */
const char *wg_listing_ptx(struct wg_sources *sources, const struct wg_summary *s, uint32_t line);
#endif
