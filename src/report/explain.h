/* Explanations of the terms in reports: counters and other figures, kinds of advice, kinds of findings, and the parts of the
 * chip that can be a kernel's bottleneck.
 *
 *     wg_explain(&paint, &arena, "bank_conflicts")     advice: what is so, what helps
 *     wg_explain(&paint, &arena, "race-block")         a finding: its page of docs/check, which is built in
 *     wg_explain(&paint, &arena, "global_sectors")     a counter: meaning, unit, Nsight Compute's name
 */
#ifndef WG_REPORT_EXPLAIN_H
#define WG_REPORT_EXPLAIN_H
#include "base/arena.h"
#include "check/finding.h"
#include "report/paint.h"

/* False, and nothing written, where no such word is known. */
bool wg_explain(const struct wg_paint *p, struct wg_arena *a, const char *name);
/* The page of docs/check about this kind of finding, whole, as Markdown. */
const char *wg_explain_page(enum wg_finding_kind kind);
/* All names, by what they are. */
void wg_explain_list(const struct wg_paint *p);
/* The nearest name, or NULL. */
const char *wg_explain_near(struct wg_arena *a, const char *name);
#endif
