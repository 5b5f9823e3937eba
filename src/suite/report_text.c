/* A suite's report for the terminal: see outcome.h. Programs in the order of the file, with what is wrong below each; then
 * what has changed since the last run, and a summary. */
#include "report/figure.h"
#include "suite/outcome.h"

#include <math.h>
#include <string.h>

enum { LEAST_NAME = 12, TIME = 10, MOST_CHANGES = 8 };

static int name_width(const struct wg_suite_outcomes *o) {
    int most = LEAST_NAME;
    for (uint32_t i = 0; i < o->n; i++)
        if ((int)strlen(o->v[i].program->name) > most) most = (int)strlen(o->v[i].program->name);
    return most > 30 ? 30 : most;
}

static void put_tail(const struct wg_paint *p, const char *tail) {
    for (const char *s = tail; *s;) {
        size_t n = strcspn(s, "\n");
        wg_paint(p, WG_INK_FAINT, "    | %.*s\n", (int)n, s);
        s += n + (s[n] == '\n');
    }
}

static void put_changes(const struct wg_paint *p, struct wg_arena *a, const struct wg_suite_outcome *o) {
    for (uint32_t i = 0; i < o->change_count && i < MOST_CHANGES; i++) {
        const struct wg_suite_change *c = &o->changes[i];
        enum wg_ink ink = c->change == WG_CHANGE_BETTER  ? WG_INK_GOOD
                          : c->change == WG_CHANGE_WORSE ? WG_INK_BAD
                                                         : WG_INK_MARK;
        const char *verdict = c->change == WG_CHANGE_BETTER  ? " (better)"
                              : c->change == WG_CHANGE_WORSE ? " (worse)"
                                                             : "";
        wg_paint_wrapped(p, 4, ink,
                         wg_arena_printf(a, "%s: %s: %s, before %s%s", c->kernel, c->metric, c->after,
                                         c->before, verdict));
    }
    if (o->change_count > MOST_CHANGES)
        wg_paint_wrapped(p, 4, WG_INK_FAINT,
                         wg_arena_printf(a, "and %s; \"warpglass compare\" shows them",
                                         wg_figure_plural(a, o->change_count - MOST_CHANGES, "more counter",
                                                          "more counters")));
}

static void put_program(const struct wg_paint *p, struct wg_arena *a, const struct wg_suite_outcome *o,
                        int width) {
    const char *now = o->result ? wg_suite_time(a, o->result->seconds) : "-";
    wg_paint(p, WG_INK_PLAIN, "%-*s %*s %*s  ", width, o->program->name, TIME, now, TIME,
             wg_suite_time(a, o->last));
    wg_paint(p, o->good ? WG_INK_GOOD : WG_INK_BAD, "%s\n", o->words);
    if (o->again) wg_paint_wrapped(p, 4, WG_INK_MARK, o->again);
    for (uint32_t i = 0; i < o->finding_count; i++)
        wg_paint_wrapped(p, 4, o->good ? WG_INK_PLAIN : WG_INK_BAD, o->findings[i]);
    put_changes(p, a, o);
    if (o->tail && !o->finding_count) put_tail(p, o->tail);
}

static void put_summary(const struct wg_paint *p, struct wg_arena *a, const struct wg_suite_outcomes *o) {
    wg_paint(p, WG_INK_PLAIN, "\n");
    wg_paint_wrapped(p, 0, o->bad || o->unended ? WG_INK_BAD : WG_INK_GOOD, wg_suite_summary(a, o));
    if (*o->missing) wg_paint_wrapped(p, 0, WG_INK_BAD, wg_suite_missing(a, o));
    if (o->bad || o->unended)
        wg_paint_wrapped(p, 0, WG_INK_FAINT,
                         wg_arena_printf(a, "What programs wrote is in %s/output.", o->run->folder));
}

void wg_suite_text(const struct wg_paint *p, struct wg_arena *a, const struct wg_suite_outcomes *o) {
    int width = name_width(o);
    wg_paint(p, WG_INK_BOLD, "%-*s %*s %*s\n", width, "program", TIME, "time", TIME, "last run");
    for (uint32_t i = 0; i < o->n; i++) put_program(p, a, &o->v[i], width);
    put_summary(p, a, o);
}
