/* The reports of ranks as one page: see merge.h. What became of each rank, findings with their ranks, and for each kernel the
 * figures that are not the same in all ranks: least, median and most. */
#include "report/figure.h"
#include "report/html.h"
#include "report/merge.h"

#include <math.h>

enum { MANY_LINES = 200, MANY_WAITS = 1000 }; /* of a kernel; those that differ most */

static void put(struct wg_page *p, const char *before, const char *text, const char *after) {
    wg_strbuf_puts(p->out, before);
    wg_html_text(p->out, text);
    wg_strbuf_puts(p->out, after);
}

/* ---- Ranks ------------------------------------------------------------------------------------------------
 */

/* How long its kernels might take, all together: the rank with the most is waited for. */
static double seconds_of(const struct wg_merge *m, uint32_t rank) {
    double sum = 0;
    for (uint32_t i = 0; i < m->kernels.n; i++)
        if (!isnan(m->kernels.v[i].seconds[rank])) sum += m->kernels.v[i].seconds[rank];
    return sum;
}

static bool has_commands(const struct wg_merge *m) { return m->processes && wg_merge_has_commands(m); }

static void rank_row(struct wg_page *p, const struct wg_merge *m, uint32_t rank) {
    const char *wrong = wg_merge_wrong(p->arena, m, rank);
    double seconds = seconds_of(m, rank);
    uint32_t found = wg_merge_findings(m, rank);
    wg_strbuf_printf(p->out, "<tr><td>%u</td>", rank);
    if (has_commands(m))
        wg_html_cell(p->out, "mono", m->ranks[rank].command ? m->ranks[rank].command : "", rank);
    wg_html_cell(p->out, wrong ? "bad" : "good", wrong ? wrong : "came to its end", wrong != NULL);
    if (m->kernels.n) wg_html_cell(p->out, "", wg_figure_time(p->arena, seconds), seconds);
    if (m->checked) wg_html_cell(p->out, found ? "bad" : "", wg_figure(p->arena, found), found);
    wg_strbuf_puts(p->out, "</tr>");
}

static void ranks(struct wg_page *p, const struct wg_merge *m) {
    wg_strbuf_puts(p->out, "<div class=\"scroll screen\"><table class=\"sortable suite\"><thead><tr>");
    wg_html_head(p, wg_merge_noun(m, false, false),
                 m->processes ? "in the order in which they began" : "its number in the job");
    if (has_commands(m)) wg_html_head(p, "command", "the program and its arguments");
    wg_html_head(p, "end", "how its program ended");
    if (m->kernels.n) wg_html_head(p, "kernels", "the modelled time of all its launches");
    if (m->checked) wg_html_head(p, "findings", "neither benign nor suppressed");
    wg_strbuf_puts(p->out, "</tr></thead><tbody>");
    for (uint32_t i = 0; i < m->n; i++) rank_row(p, m, i);
    wg_strbuf_puts(p->out, "</tbody></table></div>");
}

/* ---- Who waited for whom ----------------------------------------------------------------------------------
 */

static void head(struct wg_page *p, const char *what, const char *meaning);
static void row(struct wg_page *p, const char *name, const char *meaning, const struct wg_metric *metric,
                const struct wg_merge_spread *s);

static void wait_row(struct wg_page *p, const struct wg_wait *w) {
    wg_strbuf_printf(p->out, "<tr><td>%u</td><td>%u</td>", w->rank, w->of);
    wg_html_cell(p->out, "", wg_figure_time(p->arena, w->seconds), w->seconds);
    wg_html_cell(p->out, "", wg_figure(p->arena, w->times), (double)w->times);
    put(p, "<td>", wg_waits_call_name(w->call), "</td>");
    put(p, "<td>", wg_waits_kind_name(w->kind, false), "</td></tr>");
}

static void pairs(struct wg_page *p, const struct wg_merge *m) {
    if (!m->waits.all.n) return;
    wg_strbuf_puts(p->out, "<div class=\"scroll\"><table class=\"sortable figures\"><thead><tr>");
    wg_html_head(p, "rank", "who waited");
    wg_html_head(p, "for", "who came last");
    wg_html_head(p, "time", "how long, all together");
    wg_html_head(p, "times", "in how many calls");
    wg_html_head(p, "in", "the function of MPI");
    wg_html_head(p, "why",
                 "late sender: a message was waited for; late receiver: nobody took it; collective: not all "
                 "ranks had come");
    wg_strbuf_puts(p->out, "</tr></thead><tbody>");
    for (uint32_t i = 0; i < m->waits.all.n && i < MANY_WAITS; i++) wait_row(p, &m->waits.all.v[i]);
    wg_strbuf_puts(p->out, "</tbody></table></div>");
}

static void waits(struct wg_page *p, const struct wg_merge *m) {
    const double *of_ranks;
    const char *name, *latest = wg_merge_latest(p->arena, m);
    if (!m->waits.known) return;
    wg_strbuf_puts(p->out, "<section class=\"kernel\"><h2>Who waited for whom in MPI</h2>");
    for (uint32_t i = 0; i < m->n; i++)
        if (m->waits.still[i] && m->ranks[i].ended)
            put(p, "<p class=\"statement bad\">",
                wg_arena_printf(p->arena, "Rank %u was %s.", i, m->waits.still[i]), "</p>");
    if (latest) put(p, "<p class=\"statement\">", latest, "</p>");
    pairs(p, m);
    head(p, "time", "over ranks");
    for (uint32_t i = 0; (name = wg_merge_wait_row(m, i, &of_ranks)); i++) {
        struct wg_merge_spread s = wg_merge_spread(m, of_ranks);
        if (s.n && s.most > 0) row(p, name, NULL, NULL, &s);
    }
    wg_strbuf_puts(p->out, "</tbody></table></div>");
    put(p, "<p class=\"caption\">", wg_merge_waits_note(p->arena, m), "</p></section>");
}

/* ---- Findings ---------------------------------------------------------------------------------------------
 */

static void findings(struct wg_page *p, const struct wg_merge *m) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < m->findings.n; i++) {
        const struct wg_merge_finding *f = &m->findings.v[i];
        if (!f->counts) continue;
        if (!shown++) wg_strbuf_puts(p->out, "<h3>Findings</h3>");
        put(p, "<article class=\"advice\"><h4>", f->kind, " ");
        if (f->file) put(p, "<span class=\"faint\">", f->file, "</span>");
        put(p, "</h4><p>", f->message, "</p>");
        put(p, "<p class=\"caption\">in ", wg_merge_ranks(p->arena, m, f->in), "</p></article>");
    }
    if (m->checked && !shown) wg_strbuf_puts(p->out, "<p class=\"statement good\">Nothing was found.</p>");
}

/* ---- Kernels ----------------------------------------------------------------------------------------------
 */

static void head(struct wg_page *p, const char *what, const char *meaning) {
    wg_strbuf_puts(p->out, "<div class=\"scroll\"><table class=\"sortable figures\"><thead><tr>");
    wg_html_head(p, what, meaning);
    wg_html_head(p, "least", "over the ranks that have it");
    wg_html_head(p, "median", "over the ranks that have it");
    wg_html_head(p, "most", "over the ranks that have it");
    wg_html_head(p, "in", "a rank that has the most");
    wg_strbuf_puts(p->out, "</tr></thead><tbody>");
}

static void row(struct wg_page *p, const char *name, const char *meaning, const struct wg_metric *metric,
                const struct wg_merge_spread *s) {
    const double values[] = {s->least, s->median, s->most};
    wg_strbuf_puts(p->out, "<tr><td><span");
    if (meaning) wg_html_tip(p, meaning);
    put(p, ">", name, "</span></td>");
    for (int i = 0; i < 3; i++)
        wg_html_cell(p->out, "",
                     metric ? wg_metric_text(p->arena, metric, values[i])
                            : wg_figure_time(p->arena, values[i]),
                     values[i]);
    wg_strbuf_printf(p->out, "<td>%u</td></tr>", s->at);
}

static void lines(struct wg_page *p, const struct wg_merge *m, const struct wg_merge_kernel *k) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < k->lines.n && shown < MANY_LINES; i++) {
        struct wg_merge_spread s = wg_merge_spread(m, k->lines.v[i].work);
        if (!(s.most > s.least)) continue;
        if (!shown++) {
            wg_strbuf_puts(p->out, "<h3>Lines</h3>");
            head(p, "line", "sectors and wavefronts of the line");
        }
        row(p, wg_arena_printf(p->arena, "%s:%u", k->lines.v[i].file, k->lines.v[i].line), NULL,
            &wg_metric_whole, &s);
    }
    if (shown) wg_strbuf_puts(p->out, "</tbody></table></div>");
}

static void library(struct wg_page *p, const struct wg_merge *m) {
    const double *of_ranks;
    const char *name;
    if (!m->library.n) return;
    wg_strbuf_puts(p->out, "<section class=\"kernel\"><h2>cuBLAS</h2>");
    head(p, "function", "over ranks");
    for (uint32_t i = 0; (name = wg_merge_library_row(p->arena, m, i, &of_ranks)); i++) {
        struct wg_merge_spread s = wg_merge_spread(m, of_ranks);
        row(p, name, NULL, &wg_metric_whole, &s);
    }
    wg_strbuf_puts(p->out, "</tbody></table></div></section>");
}

static void kernel(struct wg_page *p, const struct wg_merge *m, const struct wg_merge_kernel *k) {
    size_t n, same = 0;
    const struct wg_metric *metrics = wg_metric_list(&n);
    struct wg_merge_spread time = wg_merge_spread(m, k->seconds);
    put(p, "<section class=\"kernel\"><h2>", wg_short_name(p->arena, k->display), "</h2>");
    put(p, "<div class=\"signature mono\" tabindex=\"0\">", k->display, "</div><p class=\"faint\">");
    put(p, "", wg_merge_launches(p->arena, m, k), "</p>");
    head(p, "figure", "what was counted; point at one, or tap it, for its meaning");
    if (time.n) row(p, "time, modelled", "how long the launches might take on the chip", NULL, &time);
    for (size_t i = 0; i < n; i++) {
        struct wg_merge_spread s = wg_merge_spread(m, k->value + i * m->n);
        same += s.n && s.least == s.most && s.most != 0;
        if (s.n && s.least < s.most) row(p, metrics[i].name, metrics[i].meaning, &metrics[i], &s);
    }
    wg_strbuf_puts(p->out, "</tbody></table></div>");
    if (same)
        put(p, "<p class=\"caption\">", wg_figure_plural(p->arena, same, "counter is", "counters are"),
            " the same in all of them.</p>");
    lines(p, m, k);
    wg_strbuf_puts(p->out, "</section>");
}

void wg_merge_html(struct wg_strbuf *out, struct wg_arena *a, const struct wg_merge *m) {
    struct wg_page p = {.out = out, .arena = a};
    const char *title = wg_merge_title(a, m);
    wg_html_open(out, title);
    put(&p, "<header><h1 class=\"mono\">", title, "</h1>");
    put(&p, "<p class=\"faint\">Figures that are not the same in all ", wg_merge_noun(m, false, true),
        ": least, median and most over those that have one.</p></header>\n<main>");
    ranks(&p, m);
    findings(&p, m);
    waits(&p, m);
    library(&p, m);
    for (uint32_t i = 0; i < m->kernels.n; i++) kernel(&p, m, &m->kernels.v[i]);
    wg_html_close(&p, WG_VERSION);
}
