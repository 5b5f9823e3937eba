/* Comparison of two measurements: which kernels correspond to each other, and what got better or worse.
 *
 * Kernels are matched by their full names, however types are spelled; then by their names without arguments; then
 * without template arguments and namespaces; a single kernel that is left on each side is matched with the other. Each
 * match says how it was found.
 */
#ifndef WG_REPORT_COMPARE_H
#define WG_REPORT_COMPARE_H
#include "report/measured.h"
#include "report/paint.h"
#include "report/source.h"
#include "report/statement.h"

struct wg_match {
    const struct wg_measured_kernel *before, *after; /* after: NULL when nothing fits */
    const char *reason;                              /* why these two; NULL: they have one name */
};
struct wg_matches {
    struct wg_match *v; /* one for each kernel before */
    uint32_t n;
    bool *taken; /* of the kernels after: it is somebody's partner */
};
struct wg_matches wg_compare_match(struct wg_arena *a, const struct wg_measured *before,
                                   const struct wg_measured *after);

/* What a metric's two values are to each other. OTHER: different, and no better or worse for it: the size of
 * the work, and against a GPU what is not exact. */
enum wg_change { WG_CHANGE_ABSENT, WG_CHANGE_SAME, WG_CHANGE_BETTER, WG_CHANGE_WORSE, WG_CHANGE_OTHER };
enum wg_change wg_compare_metric(const struct wg_metric *m, double before, double after, bool against_gpu);
/* "8 times", "1 / 8", "+5 %", "same", "new", "gone" */
const char *wg_compare_factor(struct wg_arena *a, double before, double after);

struct wg_compare_sum {
    uint32_t better, worse, same;
    enum wg_verdict verdict;
    const char *text; /* a sentence */
};
struct wg_compare_sum wg_compare_sum(struct wg_arena *a, const struct wg_match *m, bool against_gpu);

/* compare_html.c: a page like write.h's, with pictures of both sides. Of a profiler's side the sources are
 * not looked at. */
void wg_compare_html(struct wg_strbuf *out, struct wg_arena *a, const struct wg_measured *before,
                     struct wg_sources *before_sources, const struct wg_measured *after,
                     struct wg_sources *after_sources);
/* compare_text.c */
void wg_compare_text(struct wg_paint *p, struct wg_arena *a, const struct wg_measured *before,
                     const struct wg_measured *after);
#endif
