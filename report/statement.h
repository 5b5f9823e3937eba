/* The one sentence that tells most about a kernel.
 *
 *     "Memory-bound: 78 % of the 18,874,368 sectors moved were not asked for."
 *     "Shared memory: 94 % of the 17,301,504 wavefronts are bank conflicts."
 *     "Nothing wasted: every sector moved was asked for."
 */
#ifndef WG_REPORT_STATEMENT_H
#define WG_REPORT_STATEMENT_H
#include "report/summary.h"

enum wg_verdict { WG_VERDICT_GOOD, WG_VERDICT_BAD, WG_VERDICT_NONE };
struct wg_statement {
    enum wg_verdict verdict;
    const char *text;
};
/* A sentence about a program that did not end by itself, or NULL. */
const char *wg_ending(struct wg_arena *a, const struct wg_profile *r);
struct wg_statement wg_statement(struct wg_arena *a, const struct wg_summary *s);
#endif
