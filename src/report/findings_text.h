/* Findings for the terminal: each with its source location, both locations of a race, the callers that it was inlined into
 * and the memory involved; then what was checked, and a summary. It fits 80 columns.
 *
 *     struct wg_findings_view v = {.width = 80, .most = 20};
 *     wg_findings_text(&out, file, &suppressions, &sources, &v);
 */
#ifndef WG_REPORT_FINDINGS_TEXT_H
#define WG_REPORT_FINDINGS_TEXT_H
#include "report/findings.h"
#include "report/paint.h"
#include "report/source.h"
#include "report/suppress.h"

struct wg_findings_view {
    int width;
    bool colour, plain, timed_out;
    uint32_t most; /* findings shown; the rest is counted */
};
void wg_findings_text(struct wg_strbuf *out, const struct wg_findings_file *f,
                      const struct wg_suppressions *suppressions, struct wg_sources *sources,
                      const struct wg_findings_view *v);
/* One finding alone, without colours; for JUnit. */
void wg_findings_text_one(struct wg_strbuf *out, const struct wg_findings_file *f, const struct wg_found *x,
                          struct wg_sources *sources, int width);
#endif
