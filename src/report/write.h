/* Report files: JSON (docs/report.schema.json), CSV, and a page for browsers.
 *
 * Each function returns the whole text; the caller writes it to the file that the user named.
 */
#ifndef WG_REPORT_WRITE_H
#define WG_REPORT_WRITE_H
#include "report/overview.h"
#include "report/source.h"
#include "report/summary.h"

/* Holds all that was chosen of the result, so that it reads back (profile.h), and what is made of it:
 * counters by name, lines, the statement, advice. Members come in one order, numbers are the same on every
 * machine. `sass`: with machine code, where it is known. */
void wg_write_json(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *r,
                   const struct wg_summaries *s, struct wg_sources *sources, bool sass);
/* kernel,file,line,counter,value,unit,exact: a row for each counter that is not 0 of each kernel, whose file
 * and line are empty, and of each line. */
void wg_write_csv(struct wg_strbuf *out, const struct wg_summaries *s);
/* Puts the summaries into the order asked for. */
void wg_write_html(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *r,
                   struct wg_summaries *s, struct wg_sources *sources, enum wg_order order, bool sass);
#endif
