/* The reports of ranks as one, for the terminal: see merge.h. What became of ranks first, then findings, who waited for whom, then kernels: the
 * figures that are not the same in all ranks. */
#include "report/figure.h"
#include "report/merge.h"
#include <math.h>

enum { NAME = 38, VALUE = 13, AT = 6, MOST_LINES = 12, MOST_WAITS = 8, MOST_CALLS = 10, MOST_COMMANDS = 40 };

static void cell(const struct wg_paint *p, int width, const char *text) {
    int pad = width - wg_columns(text);
    wg_paint(p, WG_INK_PLAIN, "%*s%s", pad > 0 ? pad : 1, "", text);
}

static void head(const struct wg_paint *p, const char *what) {
    wg_paint(p, WG_INK_FAINT, "  %-*s%*s%*s%*s%*s\n", NAME - 2, what, VALUE, "least", VALUE, "median", VALUE,
             "most", AT, "in");
}

static void row(const struct wg_paint *p, struct wg_arena *a, const char *name,
                const struct wg_metric *metric, const struct wg_merge_spread *s) {
    const double values[] = {s->least, s->median, s->most};
    wg_paint(p, WG_INK_PLAIN, "  %-*s", NAME - 2, name);
    for (int i = 0; i < 3; i++)
        cell(p, VALUE, metric ? wg_metric_text(a, metric, values[i]) : wg_figure_time(a, values[i]));
    cell(p, AT, wg_arena_printf(a, "%u", s->at));
    wg_paint(p, WG_INK_PLAIN, "\n");
}

static void put_ranks(const struct wg_paint *p, struct wg_arena *a, const struct wg_merge *m) {
    wg_paint(p, WG_INK_BOLD, "%s\n", wg_merge_title(a, m));
    for (uint32_t i = 0; m->processes && wg_merge_has_commands(m) && i < m->n && i < MOST_COMMANDS; i++)
        wg_paint_wrapped(p, 2, WG_INK_FAINT, wg_arena_printf(a, "%u: %s", i, m->ranks[i].command));
    for (uint32_t i = 0; i < m->n; i++) {
        const char *wrong = wg_merge_wrong(a, m, i);
        if (wrong)
            wg_paint_wrapped(p, 0, WG_INK_BAD,
                             wg_arena_printf(a, "%s %u %s", wg_merge_noun(m, true, false), i, wrong));
    }
}

static void put_findings(const struct wg_paint *p, struct wg_arena *a, const struct wg_merge *m) {
    uint32_t counting = 0;
    for (uint32_t i = 0; i < m->findings.n; i++) {
        const struct wg_merge_finding *f = &m->findings.v[i];
        counting += f->counts;
        if (!f->counts) continue;
        wg_paint(p, WG_INK_PLAIN, "\n");
        wg_paint_wrapped(p, 0, WG_INK_BAD,
                         wg_arena_printf(a, "%s%s%s", f->file ? f->file : "", f->file ? ": " : "", f->kind));
        wg_paint_wrapped(p, 2, WG_INK_PLAIN, f->message);
        wg_paint_wrapped(p, 2, WG_INK_FAINT, wg_arena_printf(a, "in %s", wg_merge_ranks(a, m, f->in)));
    }
    if (m->checked)
        wg_paint(p, counting ? WG_INK_BAD : WG_INK_GOOD, "\n%s\n",
                 counting ? wg_figure_plural(a, counting, "finding", "findings") : "Nothing was found.");
}

static void put_lines(const struct wg_paint *p, struct wg_arena *a, const struct wg_merge *m,
                      const struct wg_merge_kernel *k) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < k->lines.n && shown < MOST_LINES; i++) {
        struct wg_merge_spread s = wg_merge_spread(m, k->lines.v[i].work);
        if (!(s.most > s.least)) continue;
        if (!shown++) head(p, "sectors and wavefronts of line");
        row(p, a, wg_arena_printf(a, "%s:%u", k->lines.v[i].file, k->lines.v[i].line), &wg_metric_whole, &s);
    }
}

static void put_kernel(const struct wg_paint *p, struct wg_arena *a, const struct wg_merge *m,
                       const struct wg_merge_kernel *k) {
    size_t n, same = 0;
    const struct wg_metric *metrics = wg_metric_list(&n);
    struct wg_merge_spread launches = wg_merge_spread(m, k->launches), time = wg_merge_spread(m, k->seconds);
    wg_paint(p, WG_INK_PLAIN, "\n");
    wg_paint_wrapped(p, 0, WG_INK_BOLD, k->display);
    wg_paint_wrapped(p, 2, launches.n < m->n ? WG_INK_MARK : WG_INK_FAINT, wg_merge_launches(a, m, k));
    head(p, "");
    for (size_t i = 0; i < n; i++) {
        struct wg_merge_spread s = wg_merge_spread(m, k->value + i * m->n);
        same += s.n && s.least == s.most && s.most != 0;
        if (s.n && s.least < s.most) row(p, a, metrics[i].name, &metrics[i], &s);
    }
    if (time.n) row(p, a, "time, modelled", NULL, &time);
    put_lines(p, a, m, k);
    if (same)
        wg_paint_wrapped(p, 2, WG_INK_FAINT,
                         wg_arena_printf(a, "%s the same in all of them.",
                                         wg_figure_plural(a, same, "counter is", "counters are")));
}

static void put_waits(const struct wg_paint *p, struct wg_arena *a, const struct wg_merge *m) {
    const double *of_ranks;
    const char *name, *latest = wg_merge_latest(a, m);
    if (!m->waits.known) return;
    wg_paint(p, WG_INK_BOLD, "\nWho waited for whom in MPI\n");
    for (uint32_t i = 0; i < m->n; i++)
        if (m->waits.still[i] && m->ranks[i].ended)
            wg_paint_wrapped(p, 2, WG_INK_BAD, wg_arena_printf(a, "Rank %u was %s.", i, m->waits.still[i]));
    if (latest) wg_paint_wrapped(p, 2, WG_INK_MARK, latest);
    for (uint32_t i = 0; i < m->waits.all.n && i < MOST_WAITS; i++)
        wg_paint_wrapped(p, 2, WG_INK_PLAIN, wg_merge_wait(a, &m->waits.all.v[i]));
    head(p, "");
    for (uint32_t i = 0; i < MOST_CALLS && (name = wg_merge_wait_row(m, i, &of_ranks)); i++) {
        struct wg_merge_spread s = wg_merge_spread(m, of_ranks);
        if (s.n && s.most > 0) row(p, a, name, NULL, &s);
    }
    wg_paint_wrapped(p, 2, WG_INK_FAINT, wg_merge_waits_note(a, m));
}

static void put_library(const struct wg_paint *p, struct wg_arena *a, const struct wg_merge *m) {
    const double *of_ranks;
    const char *name;
    if (!m->library.n) return;
    wg_paint(p, WG_INK_BOLD, "\ncuBLAS\n");
    head(p, "");
    for (uint32_t i = 0; (name = wg_merge_library_row(a, m, i, &of_ranks)); i++) {
        struct wg_merge_spread s = wg_merge_spread(m, of_ranks);
        row(p, a, name, &wg_metric_whole, &s);
    }
}

void wg_merge_text(const struct wg_paint *p, struct wg_arena *a, const struct wg_merge *m) {
    put_ranks(p, a, m);
    put_findings(p, a, m);
    put_waits(p, a, m);
    put_library(p, a, m);
    for (uint32_t i = 0; i < m->kernels.n; i++) put_kernel(p, a, m, &m->kernels.v[i]);
}
