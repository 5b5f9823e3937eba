/* A series of measurements for the terminal: see series.h. */
#include "report/series.h"
#include "report/figure.h"
#include <math.h>
#include <string.h>

enum {
    NAME = 36,
    VALUE = 14,
    TREND_NAME = 38,
    TREND_VALUE = 9,
    CHANGE = 10,
    LEAST_CELLS = 4,
    MOST_CELLS = 24
};

static void cell(const struct wg_paint *p, enum wg_ink ink, int width, const char *text) {
    int pad = width - wg_columns(text);
    wg_paint(p, WG_INK_PLAIN, "%*s", pad > 0 ? pad : 1, "");
    wg_paint(p, ink, "%s", text);
}

static enum wg_ink ink_of(const struct wg_series *s, const struct wg_series_row *r, uint32_t from,
                          uint32_t to) {
    enum wg_change c = wg_series_change(s, r, from, to);
    if (s->gpu) return c == WG_CHANGE_BETTER || c == WG_CHANGE_WORSE ? WG_INK_MARK : WG_INK_PLAIN;
    return c == WG_CHANGE_BETTER ? WG_INK_GOOD : c == WG_CHANGE_WORSE ? WG_INK_BAD : WG_INK_PLAIN;
}

static void kernel_name(const struct wg_paint *p, struct wg_arena *a, const struct wg_series *s,
                        uint32_t kernel) {
    const struct wg_series_kernel *k = &s->kernels[kernel];
    struct wg_strbuf missing = {0};
    wg_paint(p, WG_INK_PLAIN, "\n");
    wg_paint_wrapped(p, 0, WG_INK_BOLD, k->display);
    for (uint32_t i = 0; i < s->n; i++)
        if (!k->of[i]) wg_strbuf_printf(&missing, "%s%s", missing.n ? ", " : "Not in ", s->label[i]);
    if (missing.n) wg_paint_wrapped(p, 2, WG_INK_MARK, wg_arena_printf(a, "%s.", missing.s));
    wg_strbuf_free(&missing);
}

static void say_same(const struct wg_paint *p, struct wg_arena *a, const struct wg_series_rows *rows) {
    bool changed = rows->n && (rows->n > 1 || rows->v[0].metric);
    const char *figures = wg_figure_plural(a, rows->same, "counter is", "counters are");
    if (!changed && !rows->same) return;
    wg_paint_wrapped(p, 2, WG_INK_FAINT,
                     !changed ? "No counter changed." : wg_arena_printf(a, "%s the same in all.", figures));
}

/* ---- A column each ----------------------------------------------------------------------------------------
 */

/* Names that do not fit over their columns are told before, and columns have numbers. */
static bool names_fit(const struct wg_series *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (wg_columns(s->label[i]) >= VALUE) return false;
    return true;
}

static void columns_head(const struct wg_paint *p, struct wg_arena *a, const struct wg_series *s,
                         uint32_t from, uint32_t to) {
    bool fit = names_fit(s);
    wg_paint(p, WG_INK_BOLD, "%-*s", NAME, "");
    for (uint32_t i = from; i < to; i++)
        cell(p, WG_INK_BOLD, VALUE, fit ? s->label[i] : wg_arena_printf(a, "(%u)", i + 1));
    wg_paint(p, WG_INK_PLAIN, "\n");
}

static void columns_of(const struct wg_paint *p, struct wg_arena *a, const struct wg_series *s,
                       uint32_t kernel, uint32_t from, uint32_t to) {
    struct wg_series_rows rows = wg_series_rows(a, s, kernel);
    kernel_name(p, a, s, kernel);
    for (uint32_t i = 0; i < rows.n; i++) {
        const struct wg_series_row *r = &rows.v[i];
        wg_paint(p, WG_INK_PLAIN, "  %-*s", NAME - 2, r->name);
        for (uint32_t j = from; j < to; j++)
            cell(p, ink_of(s, r, r->first, j), VALUE, wg_series_text(a, r, r->value[j]));
        wg_paint(p, WG_INK_PLAIN, "\n");
    }
    say_same(p, a, &rows);
}

void wg_series_table(const struct wg_paint *p, struct wg_arena *a, const struct wg_series *s) {
    uint32_t fitting = p->width > NAME + 2 * VALUE ? (uint32_t)((p->width - NAME) / VALUE) : 2;
    for (uint32_t i = 0; i < s->n && !names_fit(s); i++)
        wg_paint_wrapped(p, 0, WG_INK_PLAIN, wg_arena_printf(a, "(%u) %s", i + 1, s->label[i]));
    for (uint32_t from = 0; from < s->n; from += fitting) {
        uint32_t to = from + fitting < s->n ? from + fitting : s->n;
        if (from) wg_paint(p, WG_INK_PLAIN, "\n");
        columns_head(p, a, s, from, to);
        for (uint32_t k = 0; k < s->kernel_count; k++) columns_of(p, a, s, k, from, to);
    }
}

/* ---- A line each ------------------------------------------------------------------------------------------
 */

/* How a figure went, a character for each measurement; of more than fit each stands for the last of some. */
static const char *line_of(struct wg_arena *a, const struct wg_paint *p, const struct wg_series_row *r,
                           uint32_t n, uint32_t cells) {
    static const char *const steps[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const plain[] = {"_", "_", ".", ".", "-", "-", "=", "="};
    struct wg_strbuf b = {0};
    double least = INFINITY, most = -INFINITY;
    if (cells > n) cells = n;
    for (uint32_t i = 0; i < n; i++) least = fmin(least, r->value[i]), most = fmax(most, r->value[i]);
    for (uint32_t i = 0; i < cells; i++) {
        double v = r->value[(i + 1) * n / cells - 1];
        int step = most > least ? (int)((v - least) / (most - least) * 7.99) : 0;
        wg_strbuf_puts(&b, isnan(v) ? " " : (p->plain ? plain : steps)[step]);
    }
    const char *text = wg_arena_strdup(a, b.s);
    wg_strbuf_free(&b);
    return text;
}

/* At most so wide: exact where that fits. */
static const char *short_text(struct wg_arena *a, const struct wg_series_row *r, double v) {
    const char *text = wg_series_text(a, r, v);
    return wg_columns(text) < TREND_VALUE || !r->metric ? text : wg_figure_short(a, (uint64_t)v);
}

struct trend {
    const struct wg_paint *p;
    struct wg_arena *arena;
    const struct wg_series *s;
    uint32_t cells;
};

static void trend_row(const struct trend *t, const struct wg_series_row *r) {
    const struct wg_paint *p = t->p;
    double first = r->value[r->first], last = r->value[r->last];
    int left = p->width - TREND_NAME - 2 * TREND_VALUE - CHANGE - 2 - (int)t->cells - 2;
    wg_paint(p, WG_INK_PLAIN, "  %-*.*s", TREND_NAME - 2, TREND_NAME - 2, r->name);
    cell(p, WG_INK_PLAIN, TREND_VALUE, short_text(t->arena, r, first));
    cell(p, WG_INK_PLAIN, TREND_VALUE, short_text(t->arena, r, last));
    cell(p, ink_of(t->s, r, r->first, r->last), CHANGE, wg_compare_factor(t->arena, first, last));
    wg_paint(p, WG_INK_FAINT, "  %s", line_of(t->arena, p, r, t->s->n, t->cells));
    if (r->changed && left >= 4) {
        const char *label = t->s->label[r->changed];
        wg_paint(p, ink_of(t->s, r, r->changed - 1, r->changed), "  %.*s", (int)wg_fitting(label, left),
                 label);
    }
    wg_paint(p, WG_INK_PLAIN, "\n");
}

static void trend_head(const struct trend *t) {
    const struct wg_paint *p = t->p;
    wg_paint_wrapped(p, 0, WG_INK_PLAIN,
                     wg_arena_printf(t->arena,
                                     "%u measurements, from %s to %s. The last column names the one in which "
                                     "a figure changed last.",
                                     t->s->n, t->s->measured[0]->name, t->s->measured[t->s->n - 1]->name));
    wg_paint(p, WG_INK_BOLD, "%-*s", TREND_NAME, "");
    cell(p, WG_INK_BOLD, TREND_VALUE, "first");
    cell(p, WG_INK_BOLD, TREND_VALUE, "last");
    cell(p, WG_INK_BOLD, CHANGE, "change");
    wg_paint(p, WG_INK_BOLD, "  %-*s  since\n", (int)t->cells, "");
}

void wg_series_trend(const struct wg_paint *p, struct wg_arena *a, const struct wg_series *s) {
    enum { LABEL = 12 };
    struct trend t = {.p = p, .arena = a, .s = s};
    int spare = p->width - TREND_NAME - 2 * TREND_VALUE - CHANGE - 2 - 2 - LABEL;
    t.cells = spare < LEAST_CELLS ? LEAST_CELLS : spare < MOST_CELLS ? (uint32_t)spare : MOST_CELLS;
    if (t.cells > s->n) t.cells = s->n;
    trend_head(&t);
    for (uint32_t k = 0; k < s->kernel_count; k++) {
        struct wg_series_rows rows = wg_series_rows(a, s, k);
        kernel_name(p, a, s, k);
        for (uint32_t i = 0; i < rows.n; i++) trend_row(&t, &rows.v[i]);
        say_same(p, a, &rows);
    }
}
