/* The overview of a page: a table of all kernels that can be sorted and searched, with their costs; and the launches of a
 * kernel grouped by shape. See html.h and overview.h. */
#include "report/advice.h"
#include "report/figure.h"
#include "report/html.h"

enum { NAME = 60, MANY = 8 /* rows from which on a search helps */ };

static const char *meaning(enum wg_counter c) { return wg_counter_infos[c].meaning; }

static void share_cell(struct wg_page *p, uint64_t part, uint64_t whole) {
    double share = whole ? 100 * (double)part / (double)whole : 0;
    wg_strbuf_printf(p->out, "<td class=\"heat\" style=\"--share:%.1f%%\" data-value=\"%.6g\">%s</td>", share,
                     share, wg_figure_percent(p->arena, part, whole));
}

static void row(struct wg_page *p, const struct wg_overview *o, uint32_t number) {
    struct wg_arena *a = p->arena;
    const struct wg_overview_row *r = &o->v[number];
    const struct wg_summary *s = r->kernel;
    struct wg_counts shared = wg_memory_counts(&s->classes, WG_MEMORY_SHARED);
    uint64_t excess, sectors = wg_kernel_sectors(s, &excess), conflicts = wg_kernel_conflicts(s);
    wg_strbuf_puts(p->out, "<tr><td title=\"");
    wg_html_text(p->out, s->kernel->display);
    wg_strbuf_printf(p->out, "\"><a href=\"#k%u\">", number);
    wg_html_text(p->out, wg_name_in(a, s->kernel->display, NAME, false));
    wg_strbuf_puts(p->out, "</a></td>");
    share_cell(p, r->work, o->work);
    if (o->timed) {
        wg_html_cell(p->out, "", wg_figure_time(a, r->seconds), r->seconds);
        wg_strbuf_printf(p->out, "<td>%s</td>", r->binds);
    }
    wg_html_cell(p->out, "", wg_figure(a, s->launch_count), s->launch_count);
    wg_html_cell(p->out, "", wg_figure(a, s->totals.v[WG_C_instructions]),
                 (double)s->totals.v[WG_C_instructions]);
    wg_html_cell(p->out, "", wg_figure(a, sectors), (double)sectors);
    wg_html_cell(p->out, excess * 5 > sectors ? "bad" : "", wg_figure_percent(a, excess, sectors),
                 sectors ? (double)excess / (double)sectors : 0);
    wg_html_cell(p->out, "", wg_figure(a, shared.v[WG_C_wavefronts]), (double)shared.v[WG_C_wavefronts]);
    wg_html_cell(p->out, conflicts ? "bad" : "", wg_figure(a, conflicts), (double)conflicts);
    uint32_t n = wg_advise(a, s, p->sources).n;
    wg_html_cell(p->out, "", wg_figure(a, n), n);
    wg_strbuf_puts(p->out, "</tr>\n");
}

static void caption(struct wg_page *p, const struct wg_overview *o, enum wg_order order) {
    struct wg_arena *a = p->arena;
    wg_strbuf_puts(p->out, "<div class=\"tools\"><p class=\"faint\">");
    wg_strbuf_printf(p->out, "%s, %s", wg_figure_plural(a, o->n, "kernel", "kernels"),
                     wg_figure_plural(a, o->launches, "launch", "launches"));
    if (o->timed) wg_strbuf_printf(p->out, ", %s modelled", wg_figure_time(a, o->seconds));
    if (o->n > 1) wg_strbuf_printf(p->out, "; sorted by %s", wg_order_words[order]);
    wg_strbuf_puts(p->out, "</p>");
    if (o->n > MANY)
        wg_strbuf_puts(p->out,
                       "<input type=\"search\" id=\"search\" placeholder=\"Search kernels\" aria-label=\""
                       "Search kernels\" autocomplete=\"off\" spellcheck=\"false\">");
    wg_strbuf_puts(p->out, "</div>");
}

void wg_html_overview(struct wg_page *p, const struct wg_overview *o, enum wg_order order) {
    caption(p, o, order);
    wg_strbuf_puts(p->out,
                   "<div class=\"scroll screen\"><table class=\"sortable\" id=\"overview\"><thead><tr>");
    wg_html_head(p, "kernel", "the kernel's name without its arguments; point at one for the whole");
    if (o->timed) {
        wg_html_head(p, "share", "share of the modelled time of all launches shown");
        wg_html_head(p, "time", "how long its launches might take on the chip, summed: a model, not a count");
        wg_html_head(p, "bound by", "the part of the chip that takes longest in the time model");
    } else {
        wg_html_head(p, "share", "share of the instructions of all launches shown");
    }
    wg_html_head(p, "launches", "how often it was launched; the figures are sums over the launches");
    wg_html_head(p, "instructions", meaning(WG_C_instructions));
    wg_html_head(p, "sectors", meaning(WG_C_sectors));
    wg_html_head(p, "unused", "sectors beyond those that the requested bytes would fill");
    wg_html_head(p, "wavefronts", meaning(WG_C_wavefronts));
    wg_html_head(p, "conflicts", meaning(WG_C_conflicts));
    wg_html_head(p, "advice", "changes that would save something, and how much");
    wg_strbuf_puts(p->out, "</tr></thead><tbody>\n");
    for (uint32_t i = 0; i < o->n; i++) row(p, o, i);
    wg_strbuf_puts(p->out, "</tbody></table></div>");
}

/* ---- Launches by shape ------------------------------------------------------------------------------------
 */

static void shape_cell(struct wg_page *p, const uint32_t v[3]) {
    struct wg_arena *a = p->arena;
    const char *text = v[2] > 1   ? wg_arena_printf(a, "%u x %u x %u", v[0], v[1], v[2])
                       : v[1] > 1 ? wg_arena_printf(a, "%u x %u", v[0], v[1])
                                  : wg_arena_printf(a, "%u", v[0]);
    wg_html_cell(p->out, "", text, (double)v[0] * v[1] * v[2]);
}

static void cost_cell(struct wg_page *p, const struct wg_shape_groups *g, double value) {
    wg_html_cell(p->out, "",
                 g->timed ? wg_figure_time(p->arena, value) : wg_figure(p->arena, (uint64_t)value), value);
}

void wg_html_shapes(struct wg_page *p, const struct wg_summary *s) {
    if (s->launch_count < 2) return;
    struct wg_shape_groups g = wg_shape_groups(p->arena, s);
    const char *of =
        g.timed ? "over the modelled times of such launches" : "over the instructions of such launches";
    wg_strbuf_printf(p->out,
                     "<details class=\"shapes\"%s><summary>Launches by shape</summary><div class=\"scroll\">"
                     "<table class=\"sortable\"><thead><tr>",
                     g.n > 1 && g.n <= MANY ? " open" : "");
    wg_html_head(p, "grid", "blocks");
    wg_html_head(p, "block", "threads of a block");
    wg_html_head(p, "launches", "how many have this shape");
    wg_html_head(p, "least", of);
    wg_html_head(p, "median", of);
    wg_html_head(p, "most", of);
    wg_html_head(p, "sum", of);
    wg_strbuf_puts(p->out, "</tr></thead><tbody>");
    for (uint32_t i = 0; i < g.n; i++) {
        const struct wg_shape_group *v = &g.v[i];
        wg_strbuf_puts(p->out, "<tr>");
        shape_cell(p, v->first->grid);
        shape_cell(p, v->first->block);
        wg_html_cell(p->out, "", wg_figure(p->arena, v->launches), v->launches);
        cost_cell(p, &g, v->least);
        cost_cell(p, &g, v->median);
        cost_cell(p, &g, v->most);
        cost_cell(p, &g, v->sum);
        wg_strbuf_puts(p->out, "</tr>");
    }
    wg_strbuf_puts(p->out, "</tbody></table></div></details>");
}
