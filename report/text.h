/* The report for a terminal: a block for each kernel, with what it moved, what that means, its classes of
 * memory, its source with each line's figures, and advice. 80 columns are enough; more of them show more.
 *
 *     struct wg_strbuf out = {0};
 *     struct wg_text_options o = {.width = 80};
 *     wg_text_report(&out, &arena, result, &summaries, &sources, &o);
 */
#ifndef WG_REPORT_TEXT_H
#define WG_REPORT_TEXT_H
#include "report/paint.h"
#include "report/source.h"
#include "report/summary.h"

struct wg_text_options {
    int width;
    bool colour, plain;
    bool all_lines; /* of the source, not only those that did something and what is around them */
};

struct wg_text {
    struct wg_paint paint;
    struct wg_arena *arena;
    struct wg_sources *sources;
    bool all_lines;
};

void wg_text_report(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *r,
                    const struct wg_summaries *s, struct wg_sources *sources,
                    const struct wg_text_options *o);

/* text_source.c: the listing of one kernel's lines. */
void wg_text_source(const struct wg_text *t, const struct wg_summary *s);
/* text_advice.c: what to change. */
void wg_text_advice(const struct wg_text *t, const struct wg_summary *s);
#endif
