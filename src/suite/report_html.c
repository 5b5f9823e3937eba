/* A suite's report as a page: see outcome.h. All programs in a table that can be sorted; below it those that have more to say: what
 * was found, what they wrote, and the counters that have changed since the last run. */
#include "report/html.h"
#include "suite/outcome.h"

#include <math.h>
#include <string.h>

static void put(struct wg_page *p, const char *before, const char *text, const char *after) {
    wg_strbuf_puts(p->out, before);
    wg_html_text(p->out, text);
    wg_strbuf_puts(p->out, after);
}

static bool has_more(const struct wg_suite_outcome *o) {
    return o->finding_count || o->change_count || o->tail || o->again;
}

static uint32_t changes(const struct wg_suite_outcome *o, enum wg_change c) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->change_count; i++) n += o->changes[i].change == c;
    return n;
}

/* ---- All programs -----------------------------------------------------------------------------------------
 */

static void time_cell(struct wg_page *p, double seconds) {
    wg_html_cell(p->out, "", wg_suite_time(p->arena, seconds), seconds);
}

static void count_cell(struct wg_page *p, const char *class, uint32_t n) {
    wg_html_cell(p->out, n ? class : "", n ? wg_arena_printf(p->arena, "%u", n) : "", n);
}

/* Of times as of the programs themselves: the machine's other work is in them, so none is good or bad. */
static void factor_cell(struct wg_page *p, double before, double now) {
    bool known = before > 0 && now > 0;
    wg_html_cell(p->out, "", known ? wg_arena_printf(p->arena, "%+.0f %%", 100 * (now / before - 1)) : "-",
                 known ? log(now / before) : 0);
}

static void program_row(struct wg_page *p, const struct wg_suite_outcome *o, uint32_t number) {
    double now = o->result ? o->result->seconds : -1;
    wg_strbuf_puts(p->out, "<tr><td>");
    if (has_more(o)) wg_strbuf_printf(p->out, "<a href=\"#p%u\">", number);
    wg_html_text(p->out, o->program->name);
    wg_strbuf_puts(p->out, has_more(o) ? "</a></td>" : "</td>");
    /* Sorted by it, those that are wrong come first. */
    wg_html_cell(p->out, o->good ? "good" : "bad", o->words, o->good ? 0 : o->result ? 1 : 2);
    time_cell(p, now);
    time_cell(p, o->last);
    factor_cell(p, o->last, now);
    count_cell(p, o->good ? "" : "bad", o->finding_count);
    count_cell(p, "good", changes(o, WG_CHANGE_BETTER));
    count_cell(p, "bad", changes(o, WG_CHANGE_WORSE));
    count_cell(p, "", changes(o, WG_CHANGE_OTHER));
    wg_strbuf_puts(p->out, "</tr>");
}

static void table(struct wg_page *p, const struct wg_suite_outcomes *all) {
    wg_strbuf_puts(p->out, "<div class=\"scroll\"><table class=\"sortable suite\"><thead><tr>");
    wg_html_head(p, "program", "its name in the suite's file");
    wg_html_head(p, "result", "how it ended, and the exit status that the suite expects");
    wg_html_head(p, "time", "from start to end");
    wg_html_head(p, "last run", "the time in the last complete run");
    wg_html_head(p, "change", "of the time; it depends on what else the machine did");
    wg_html_head(p, "findings", "of check: neither benign nor suppressed");
    wg_html_head(p, "better", "counters of profile that are better than in the last run");
    wg_html_head(p, "worse", "counters of profile that are worse than in the last run");
    wg_html_head(p, "other", "counters of profile that are different, and neither better nor worse");
    wg_strbuf_puts(p->out, "</tr></thead><tbody>");
    for (uint32_t i = 0; i < all->n; i++) program_row(p, &all->v[i], i);
    wg_strbuf_puts(p->out, "</tbody></table></div>");
}

/* ---- A program that has more to say -----------------------------------------------------------------------
 */

static void findings(struct wg_page *p, const struct wg_suite_outcome *o) {
    if (!o->finding_count) return;
    wg_strbuf_puts(p->out, "<h3>Findings</h3><ul>");
    for (uint32_t i = 0; i < o->finding_count; i++) put(p, "<li>", o->findings[i], "</li>");
    wg_strbuf_puts(p->out, "</ul>");
}

static void changed_counters(struct wg_page *p, const struct wg_suite_outcome *o) {
    static const char *const classes[] = {[WG_CHANGE_BETTER] = "good", [WG_CHANGE_WORSE] = "bad"};
    if (!o->change_count) return;
    wg_strbuf_puts(p->out, "<h3>Counters that have changed</h3><div class=\"scroll\"><table class=\"sortable "
                           "figures suite\"><thead><tr>");
    wg_html_head(p, "kernel", "the kernel's name");
    wg_html_head(p, "counter", "what was counted; point at one, or tap it, for its meaning");
    wg_html_head(p, "last run", "in the last complete run");
    wg_html_head(p, "now", "in this run");
    wg_strbuf_puts(p->out, "</tr></thead><tbody>");
    for (uint32_t i = 0; i < o->change_count; i++) {
        const struct wg_suite_change *c = &o->changes[i];
        struct wg_metric m;
        const char *class = c->change < sizeof classes / sizeof *classes ? classes[c->change] : NULL;
        put(p, "<tr><td>", c->kernel, "</td><td><span");
        wg_html_tip(p, wg_metric_find(c->metric, &m) ? m.meaning : c->metric);
        put(p, ">", c->metric, "</span></td>");
        put(p, "<td>", c->before, "</td>");
        wg_strbuf_printf(p->out, "<td class=\"%s\">", class ? class : "");
        put(p, "", c->after, "</td></tr>");
    }
    wg_strbuf_puts(p->out, "</tbody></table></div>");
}

static void program(struct wg_page *p, const struct wg_suite_outcome *o, uint32_t number) {
    wg_strbuf_printf(p->out, "<section class=\"kernel\" id=\"p%u\"><h2>", number);
    put(p, "", o->program->name, "</h2><div class=\"signature mono\" tabindex=\"0\">warpglass ");
    put(p, "", o->program->command, "</div>");
    wg_strbuf_printf(p->out, "<p class=\"statement %s\">", o->good ? "good" : "bad");
    put(p, "", o->words, "</p>");
    if (o->again) put(p, "<p>", o->again, "</p>");
    findings(p, o);
    if (o->tail) put(p, "<h3>What it wrote</h3><pre class=\"quote whole\">", o->tail, "</pre>");
    changed_counters(p, o);
    wg_strbuf_puts(p->out, "</section>");
}

void wg_suite_html(struct wg_strbuf *out, struct wg_arena *a, const struct wg_suite_outcomes *o) {
    struct wg_page p = {.out = out, .arena = a};
    const char *name = wg_source_base(o->suite->path);
    wg_html_open(out, name);
    put(&p, "<header><h1 class=\"mono\">", name, "</h1><p class=\"faint\">Results and output are in ");
    put(&p, "", o->run->folder, ".</p></header>\n<main>");
    wg_strbuf_printf(out, "<p class=\"statement %s\">", o->bad || o->unended ? "bad" : "good");
    put(&p, "", wg_suite_summary(a, o), "</p>");
    if (*o->missing) put(&p, "<p class=\"statement bad\">", wg_suite_missing(a, o), "</p>");
    table(&p, o);
    for (uint32_t i = 0; i < o->n; i++)
        if (has_more(&o->v[i])) program(&p, &o->v[i], i);
    wg_html_close(&p, WG_VERSION);
}
