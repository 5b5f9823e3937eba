/* A series of measurements as a page: see series.h. For each kernel it has a table of what changes, with a column for each
 * measurement and a sparkline for each metric. */
#include "report/series.h"
#include "report/figure.h"
#include "report/html.h"
#include <math.h>
#include <string.h>

/* A line through the values, the last one marked. */
static void curve(struct wg_strbuf *out, const struct wg_series_row *r, uint32_t n) {
    enum { WIDTH = 120, HEIGHT = 26, EDGE = 4 };
    double least = INFINITY, most = -INFINITY, x = 0, y = 0;
    for (uint32_t i = 0; i < n; i++) least = fmin(least, r->value[i]), most = fmax(most, r->value[i]);
    double step = n > 1 ? (double)(WIDTH - 2 * EDGE) / (n - 1) : 0, scale = most > least ? most - least : 1;
    wg_strbuf_printf(
        out, "<td><svg class=\"curve\" width=\"%d\" height=\"%d\" aria-hidden=\"true\"><polyline points=\"",
        WIDTH, HEIGHT);
    for (uint32_t i = 0; i < n; i++) {
        if (isnan(r->value[i])) continue;
        x = EDGE + i * step;
        y = HEIGHT - EDGE - (r->value[i] - least) / scale * (HEIGHT - 2 * EDGE);
        wg_strbuf_printf(out, "%.1f,%.1f ", x, y);
    }
    wg_strbuf_printf(out, "\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/></svg></td>", x, y);
}

static const char *class_of(const struct wg_series *s, const struct wg_series_row *r, uint32_t i) {
    enum wg_change c = i > r->first ? wg_series_change(s, r, i - 1, i) : WG_CHANGE_ABSENT;
    if (s->gpu && (c == WG_CHANGE_BETTER || c == WG_CHANGE_WORSE)) return "bad";
    return c == WG_CHANGE_BETTER ? "good" : c == WG_CHANGE_WORSE ? "bad" : "";
}

static void row(struct wg_page *p, const struct wg_series *s, const struct wg_series_row *r) {
    wg_strbuf_puts(p->out, "<tr><td><span");
    wg_html_tip(p, r->metric
                       ? r->metric->meaning
                       : "how long the launches might take on the chip: an estimate (docs/time_model.md)");
    wg_strbuf_puts(p->out, ">");
    wg_html_text(p->out, r->name);
    wg_strbuf_puts(p->out, "</span></td>");
    curve(p->out, r, s->n);
    for (uint32_t i = 0; i < s->n; i++)
        wg_html_cell(p->out, class_of(s, r, i), wg_series_text(p->arena, r, r->value[i]),
                     isnan(r->value[i]) ? -1 : r->value[i]);
    const char *change = wg_compare_factor(p->arena, r->value[r->first], r->value[r->last]);
    double ratio = r->value[r->first] > 0 ? r->value[r->last] / r->value[r->first] : INFINITY;
    wg_html_cell(p->out, "", change, isinf(ratio) ? 1e9 : ratio);
    wg_strbuf_puts(p->out, "</tr>");
}

static void kernel(struct wg_page *p, const struct wg_series *s, uint32_t number) {
    struct wg_series_rows rows = wg_series_rows(p->arena, s, number);
    const char *display = s->kernels[number].display;
    wg_strbuf_puts(p->out, "<section class=\"kernel\"><h2>");
    wg_html_text(p->out, wg_short_name(p->arena, display));
    wg_strbuf_puts(p->out, "</h2><div class=\"signature mono\">");
    wg_html_text(p->out, display);
    wg_strbuf_puts(p->out, "</div><div class=\"scroll\"><table class=\"sortable figures\"><thead><tr>");
    wg_html_head(p, "figure", "what was counted; point at one, or tap it, for its meaning");
    wg_strbuf_puts(p->out, "<th>course</th>");
    for (uint32_t i = 0; i < s->n; i++) wg_html_head(p, s->label[i], s->measured[i]->name);
    wg_html_head(p, "change", "the last relative to the first");
    wg_strbuf_puts(p->out, "</tr></thead><tbody>");
    for (uint32_t i = 0; i < rows.n; i++) row(p, s, &rows.v[i]);
    wg_strbuf_printf(p->out, "</tbody></table></div><p class=\"faint\">%s the same in all.</p></section>",
                     wg_figure_plural(p->arena, rows.same, "counter is", "counters are"));
}

void wg_series_html(struct wg_strbuf *out, struct wg_arena *a, const struct wg_series *s) {
    struct wg_page p = {.out = out, .arena = a};
    const char *version = NULL;
    wg_html_open(out, wg_arena_printf(a, "%s to %s", s->label[0], s->label[s->n - 1]));
    wg_strbuf_puts(out, "<header><h1 class=\"mono\">");
    wg_html_text(out, s->measured[0]->name);
    wg_strbuf_puts(out, " &rarr; ");
    wg_html_text(out, s->measured[s->n - 1]->name);
    wg_strbuf_printf(
        out,
        "</h1><p class=\"faint\">%u measurements, a column each: green is better than the one before, red "
        "is worse. Point at a figure's name, or tap it, for what it means.</p></header>\n<main>",
        s->n);
    for (uint32_t k = 0; k < s->kernel_count; k++) kernel(&p, s, k);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->measured[i]->version) version = s->measured[i]->version;
    wg_html_close(&p, version);
}
