/* Findings and advice in the format of gcc's diagnostics, one line each, for problem matchers and compilation modes of
 * editors.
 *
 *     src/a.cu:12:5: error: a write of 4 bytes races with a read [race-block]
 *     src/a.cu:30:9: note: the other access
 *     src/a.cu:16:11: warning: Bank conflicts on tile: 16,777,216 wavefronts would be 524,288, 32 times fewer. [bank_conflicts]
 *
 * Files have the names that the compiler was given, which editors resolve relative to the folder that the command runs in.
 * A message without a source location begins with "warpglass:".
 */
#ifndef WG_REPORT_GCC_LINES_H
#define WG_REPORT_GCC_LINES_H
#include "report/expect.h"
#include "report/findings.h"
#include "report/source.h"

/* Findings are errors, and benign ones warnings; what is suppressed is not told. */
void wg_gcc_findings(struct wg_strbuf *out, const struct wg_findings_file *f);
/* Expectations that do not hold, as errors. */
void wg_gcc_broken(struct wg_strbuf *out, const struct wg_broken_list *broken);
/* A profile's advice, as warnings. */
void wg_gcc_advice(struct wg_strbuf *out, struct wg_arena *a, const struct wg_summaries *s,
                   struct wg_sources *sources);
#endif
