/* The report for the terminal: an overview if there are several kernels, and a block for each kernel that is shown in
 * full, with what it moved, what that means, its classes of memory, its source with each line's figures, and advice.
 * It fits 80 columns; wider terminals show more.
 *
 *     struct wg_strbuf out = {0};
 *     struct wg_text_options o = {.width = 80};
 *     wg_text_report(&out, &arena, result, &summaries, &sources, &o);
 */
#ifndef WG_REPORT_TEXT_H
#define WG_REPORT_TEXT_H
#include "report/overview.h"
#include "report/paint.h"
#include "report/source.h"
#include "report/summary.h"

struct wg_text_options {
    int width;
    bool colour, plain;
    bool all_lines;    /* of the source, not only those that did something and what is around them */
    bool ptx, sass;    /* below the lines of the source */
    bool full_names;   /* in the overview */
    uint32_t rows;     /* of the overview, at most */
    uint32_t detailed; /* kernels from the first that have a block, at most */
    enum wg_order order;
};

struct wg_text {
    struct wg_paint paint;
    struct wg_arena *arena;
    struct wg_sources *sources;
    bool all_lines, ptx, sass, full_names;
    uint32_t rows;
};

/* Puts the summaries into the order asked for. */
void wg_text_report(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *r,
                    struct wg_summaries *s, struct wg_sources *sources, const struct wg_text_options *o);

/* text_overview.c: all kernels, a row each; a kernel's launches, a row a shape, or where all have the same a clause:
 * ", 2.3 us to 2.6 us each, median 2.5 us". */
void wg_text_overview(const struct wg_text *t, const struct wg_overview *o);
void wg_text_shapes(const struct wg_text *t, const struct wg_shape_groups *g);
const char *wg_text_spread(struct wg_arena *a, const struct wg_shape_groups *g);
/* text_library.c: the calls of cuBLAS, a row each. */
void wg_text_library(const struct wg_text *t, const struct wg_profile *r);
/* text_light.c: how near it comes to the chip's peaks, and what its instructions are. */
void wg_text_light(const struct wg_text *t, const struct wg_summary *s);
/* text_source.c: the listing of one kernel's lines. */
void wg_text_source(const struct wg_text *t, const struct wg_summary *s);
/* text_advice.c: what to change. */
void wg_text_advice(const struct wg_text *t, const struct wg_summary *s);
#endif
