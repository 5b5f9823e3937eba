/* Comparison of two measurements for the terminal: see compare.h. */
#include "report/compare.h"
#include "report/figure.h"
#include <math.h>

enum { NAME = 36, VALUE = 15, CHANGE = 14 };

static void cell(const struct wg_paint *p, enum wg_ink ink, int width, const char *text) {
    int pad = width - wg_columns(text);
    wg_paint(p, WG_INK_PLAIN, "%*s", pad > 0 ? pad : 1, "");
    wg_paint(p, ink, "%s", text);
}

static void metric_row(const struct wg_paint *p, struct wg_arena *a, const struct wg_metric *m, double before,
                       double after, bool against_gpu, enum wg_ink ink) {
    wg_paint(p, WG_INK_PLAIN, "  %-*s", NAME - 2,
             against_gpu && !m->exact ? wg_arena_printf(a, "%s (from the PTX)", m->name) : m->name);
    cell(p, WG_INK_PLAIN, VALUE, wg_metric_text(a, m, before));
    cell(p, WG_INK_PLAIN, VALUE, wg_metric_text(a, m, after));
    cell(p, ink, CHANGE, wg_compare_factor(a, before, after));
    wg_paint(p, WG_INK_PLAIN, "\n");
}

/* Of two runs what changed; against a GPU everything that both have, of which only exact counters can be
 * wrong. */
static void metric_rows(const struct wg_paint *p, struct wg_arena *a, const struct wg_match *m,
                        bool against_gpu) {
    size_t n;
    const struct wg_metric *metrics = wg_metric_list(&n);
    for (size_t i = 0; i < n; i++) {
        double before = m->before->value[i], after = m->after->value[i];
        enum wg_change c = wg_compare_metric(&metrics[i], before, after, against_gpu);
        if (c == WG_CHANGE_ABSENT || (c == WG_CHANGE_SAME && !against_gpu)) continue;
        bool judged = c == WG_CHANGE_BETTER || c == WG_CHANGE_WORSE;
        metric_row(p, a, &metrics[i], before, after, against_gpu,
                   !judged                 ? WG_INK_FAINT
                   : against_gpu           ? WG_INK_MARK
                   : c == WG_CHANGE_BETTER ? WG_INK_GOOD
                                           : WG_INK_BAD);
    }
}

static void time_row(const struct wg_paint *p, struct wg_arena *a, const struct wg_match *m,
                     bool against_gpu) {
    double before = m->before->seconds, after = m->after->seconds;
    if (isnan(before) || isnan(after)) return;
    wg_paint(p, WG_INK_PLAIN, "  %-*s", NAME - 2,
             against_gpu ? "time (Warpglass's is a model)" : "time, modelled");
    cell(p, WG_INK_PLAIN, VALUE, wg_figure_time(a, before));
    cell(p, WG_INK_PLAIN, VALUE, wg_figure_time(a, after));
    cell(p, WG_INK_FAINT, CHANGE, wg_compare_factor(a, before, after));
    wg_paint(p, WG_INK_PLAIN, "\n");
}

static void say_match(const struct wg_paint *p, struct wg_arena *a, const struct wg_match *m) {
    wg_paint(p, WG_INK_PLAIN, "\n");
    wg_paint_wrapped(p, 0, WG_INK_BOLD, m->before->display);
    if (m->reason)
        wg_paint_wrapped(p, 2, WG_INK_FAINT,
                         wg_arena_printf(a, "with %s (%s)", m->after->display, m->reason));
    if (m->before->launches != m->after->launches)
        wg_paint_wrapped(p, 2, WG_INK_MARK,
                         wg_arena_printf(a, "Sums of %s before and %s after.",
                                         wg_figure_plural(a, m->before->launches, "launch", "launches"),
                                         wg_figure_plural(a, m->after->launches, "launch", "launches")));
}

void wg_compare_text(struct wg_paint *p, struct wg_arena *a, const struct wg_measured *before,
                     const struct wg_measured *after) {
    static const enum wg_ink ink[] = {
        [WG_VERDICT_GOOD] = WG_INK_GOOD, [WG_VERDICT_BAD] = WG_INK_BAD, [WG_VERDICT_NONE] = WG_INK_MARK};
    struct wg_matches m = wg_compare_match(a, before, after);
    bool gpu = before->profiler || after->profiler;
    wg_paint(p, WG_INK_BOLD, "%-*s", NAME, "");
    cell(p, WG_INK_BOLD, VALUE, before->profiler ? "GPU" : gpu ? "Warpglass" : "before");
    cell(p, WG_INK_BOLD, VALUE, after->profiler ? "GPU" : gpu ? "Warpglass" : "after");
    cell(p, WG_INK_BOLD, CHANGE, gpu ? "difference" : "change");
    wg_paint(p, WG_INK_PLAIN, "\n");
    for (uint32_t i = 0; i < m.n; i++) {
        if (!m.v[i].after) continue;
        struct wg_compare_sum sum = wg_compare_sum(a, &m.v[i], gpu);
        say_match(p, a, &m.v[i]);
        metric_rows(p, a, &m.v[i], gpu);
        time_row(p, a, &m.v[i], gpu);
        wg_paint_wrapped(p, 2, ink[sum.verdict], sum.text);
    }
    for (uint32_t i = 0; i < m.n; i++)
        if (!m.v[i].after)
            wg_paint_wrapped(p, 0, WG_INK_MARK,
                             wg_arena_printf(a, "Only in %s: %s", before->name, m.v[i].before->display));
    for (uint32_t i = 0; i < after->kernels.n; i++)
        if (!m.taken[i])
            wg_paint_wrapped(p, 0, WG_INK_MARK,
                             wg_arena_printf(a, "Only in %s: %s", after->name, after->kernels.v[i].display));
}
