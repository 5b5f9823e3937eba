/* Comparison of two measurements as a page: see compare.h. It has an overview and, for each pair of kernels, what changed,
 * one access of each kind before and after, and both sources with their heat maps. */
#include "report/compare.h"
#include "report/figure.h"
#include "report/html.h"
#include "report/picture.h"
#include <math.h>
#include <string.h>

struct sides {
    struct wg_page page; /* its kernel and sources are those of the side being written */
    const struct wg_measured *measured[2];
    struct wg_sources *sources[2];
    const char *name[2]; /* "Before", "After", or who measured */
    bool gpu;
};

/* ---- Figures ----------------------------------------------------------------------------------------------
 */

/* Its column sorts by powers of two. */
static void change_cell(struct sides *s, double before, double after, enum wg_change c) {
    const char *class = s->gpu && (c == WG_CHANGE_BETTER || c == WG_CHANGE_WORSE) ? "bad"
                        : c == WG_CHANGE_BETTER                                   ? "good"
                        : c == WG_CHANGE_WORSE                                    ? "bad"
                                                                                  : "";
    double order = before > 0 && after > 0 ? log2(after / before)
                   : before < after        ? 99
                   : before > after        ? -99
                                           : 0;
    wg_html_cell(s->page.out, class, wg_compare_factor(s->page.arena, before, after), order);
}

static void name_cell(struct wg_page *p, const char *name, const char *meaning) {
    wg_strbuf_puts(p->out, "<tr><td><span");
    wg_html_tip(p, meaning);
    wg_strbuf_puts(p->out, ">");
    wg_html_text(p->out, name);
    wg_strbuf_puts(p->out, "</span></td>");
}

static void time_row(struct sides *s, const struct wg_match *m) {
    double before = m->before->seconds, after = m->after->seconds;
    struct wg_arena *a = s->page.arena;
    if (isnan(before) || isnan(after)) return;
    name_cell(&s->page, s->gpu ? "time (Warpglass's is a model)" : "time, modelled",
              "how long the launches might take on the chip: an estimate (docs/time_model.md)");
    wg_html_cell(s->page.out, "", wg_figure_time(a, before), before);
    wg_html_cell(s->page.out, "", wg_figure_time(a, after), after);
    change_cell(s, before, after, WG_CHANGE_OTHER);
    wg_strbuf_puts(s->page.out, "</tr>");
}

static void figures_head(struct sides *s) {
    struct wg_strbuf *out = s->page.out;
    wg_strbuf_puts(out, "<div class=\"scroll\"><table class=\"sortable figures\"><thead><tr>");
    wg_html_head(&s->page, "figure", "what was counted; point at one, or tap it, for its meaning");
    for (int i = 0; i < 2; i++) wg_html_head(&s->page, s->name[i], s->measured[i]->name);
    wg_html_head(&s->page, s->gpu ? "difference" : "change", "the second relative to the first");
    wg_strbuf_puts(out, "</tr></thead><tbody>");
}

/* The rows of metrics whose change is, or is not, none. */
static uint32_t figure_rows(struct sides *s, const struct wg_match *m, bool same) {
    size_t n;
    uint32_t rows = 0;
    const struct wg_metric *metrics = wg_metric_list(&n);
    for (size_t i = 0; i < n; i++) {
        double before = m->before->value[i], after = m->after->value[i];
        enum wg_change c = wg_compare_metric(&metrics[i], before, after, s->gpu);
        if (c == WG_CHANGE_ABSENT || (c == WG_CHANGE_SAME) != same) continue;
        if (!rows++) figures_head(s);
        name_cell(&s->page,
                  s->gpu && !metrics[i].exact
                      ? wg_arena_printf(s->page.arena, "%s (from the PTX)", metrics[i].name)
                      : metrics[i].name,
                  metrics[i].meaning);
        wg_html_cell(s->page.out, "", wg_metric_text(s->page.arena, &metrics[i], before), before);
        wg_html_cell(s->page.out, "", wg_metric_text(s->page.arena, &metrics[i], after), after);
        change_cell(s, before, after, c);
        wg_strbuf_puts(s->page.out, "</tr>");
    }
    return rows;
}

static void figures(struct sides *s, const struct wg_match *m) {
    if (!figure_rows(s, m, false)) figures_head(s);
    time_row(s, m);
    wg_strbuf_puts(s->page.out, "</tbody></table></div><details class=\"same\"><summary>What is the same"
                                "</summary>");
    if (figure_rows(s, m, true))
        wg_strbuf_puts(s->page.out, "</tbody></table></div></details>");
    else
        wg_strbuf_puts(s->page.out, "<p>No counter is.</p></details>");
}

/* ---- Pictures ---------------------------------------------------------------------------------------------
 */

/* Of the sites of a class the one that wastes most, or where none wastes that costs most; NULL: it has none.
 */
static const struct wg_site_summary *dearest(const struct wg_summary *s, enum wg_class class) {
    const struct wg_site_summary *best = NULL;
    uint64_t most = 0, most_waste = 0;
    for (uint32_t i = 0; s && i < s->kernel->site_count; i++) {
        const struct wg_site_summary *x = &s->sites[i];
        if (x->site->class != class || (!x->first && !x->worst)) continue;
        bool banks = wg_picture_has_banks(x->site);
        uint64_t cost = x->counts.v[banks ? WG_C_wavefronts : WG_C_sectors];
        uint64_t waste = cost - x->counts.v[banks ? WG_C_ideal_wavefronts : WG_C_ideal_sectors];
        if (best && (waste != most_waste ? waste < most_waste : cost <= most)) continue;
        best = x;
        most = cost;
        most_waste = waste;
    }
    return best;
}

static bool same_cost(const struct wg_site_summary *a, const struct wg_site_summary *b) {
    return a && b && a->site->bytes == b->site->bytes &&
           !memcmp(a->counts.v, b->counts.v, sizeof a->counts.v);
}

static void place_and_text(struct sides *s, int side, const struct wg_site *site) {
    if (!site->frame_count) {
        wg_strbuf_printf(s->page.out, "PTX line %u", site->ptx_line);
        return;
    }
    const struct wg_frame *f = &site->frames[0];
    wg_html_text(s->page.out, wg_source_base(f->file));
    wg_strbuf_printf(s->page.out, ":%u", f->line);
    const char *text = wg_source_line(wg_source_find(s->sources[side], f->file), f->line);
    if (!text) return;
    wg_strbuf_puts(s->page.out, "<pre class=\"quote\">");
    wg_html_text(s->page.out, text + strspn(text, " "));
    wg_strbuf_puts(s->page.out, "</pre>");
}

static void access_figure(struct sides *s, int side, const struct wg_site_summary *x) {
    wg_strbuf_printf(s->page.out, "<figure><figcaption>%s", s->name[side]);
    if (x) {
        wg_strbuf_puts(s->page.out, ": ");
        place_and_text(s, side, x->site);
        wg_strbuf_puts(s->page.out, "</figcaption>");
        wg_picture_html(s->page.out, x->worst ? x->worst : x->first, x->site);
    } else {
        wg_strbuf_puts(s->page.out, "</figcaption><p class=\"caption\">There is no such access.</p>");
    }
    wg_strbuf_puts(s->page.out, "</figure>");
}

/* One access of each class that changed. A profiler's side has none. */
static void pictures(struct sides *s, const struct wg_match *m) {
    bool any = false;
    for (int c = 0; c < WG_CLASSES && !s->gpu; c++) {
        enum wg_class_memory memory = wg_class_infos[c].memory;
        if (memory == WG_MEMORY_NONE || memory == WG_MEMORY_CONSTANT) continue;
        const struct wg_site_summary *before = dearest(m->before->summary, (enum wg_class)c),
                                     *after = dearest(m->after->summary, (enum wg_class)c);
        if ((!before && !after) || same_cost(before, after)) continue;
        if (!any)
            wg_strbuf_puts(s->page.out, "<h3>Accesses before and after <span class=\"hint\">Of each kind the "
                                        "one that wastes most.</span></h3>");
        any = true;
        wg_strbuf_printf(s->page.out, "<h4 class=\"kind\">%s</h4><div class=\"pictures\">",
                         wg_class_infos[c].label);
        access_figure(s, 0, before);
        access_figure(s, 1, after);
        wg_strbuf_puts(s->page.out, "</div>");
    }
}

/* ---- A pair of kernels ------------------------------------------------------------------------------------
 */

static void sources(struct sides *s, const struct wg_match *m, uint32_t number) {
    const struct wg_measured_kernel *kernel[2] = {m->before, m->after};
    wg_strbuf_puts(s->page.out, "<div class=\"sides\">");
    for (uint32_t i = 0; i < 2; i++) {
        if (!kernel[i]->summary) continue;
        s->page.kernel = 2 * number + i;
        s->page.sources = s->sources[i];
        wg_strbuf_printf(s->page.out, "<section aria-label=\"source, %s\"><p class=\"side\">%s</p>",
                         s->name[i], s->name[i]);
        wg_html_source(&s->page, kernel[i]->summary);
        wg_strbuf_puts(s->page.out, "</section>");
    }
    wg_strbuf_puts(s->page.out, "</div>");
}

static void pair(struct sides *s, const struct wg_match *m, uint32_t number) {
    struct wg_arena *a = s->page.arena;
    struct wg_strbuf *out = s->page.out;
    struct wg_compare_sum sum = wg_compare_sum(a, m, s->gpu);
    wg_strbuf_printf(out, "<section class=\"kernel\" id=\"pair%u\"><h2>", number);
    wg_html_text(out, wg_short_name(a, m->before->display));
    wg_strbuf_puts(out, "</h2><div class=\"signature mono\">");
    wg_html_text(out, m->before->display);
    if (m->reason) {
        wg_strbuf_puts(out, "<br>with ");
        wg_html_text(out, m->after->display);
        wg_strbuf_printf(out, " (%s)", m->reason);
    }
    wg_strbuf_printf(out, "</div><p class=\"statement %s\">", wg_html_verdict(sum.verdict));
    wg_html_text(out, sum.text);
    if (m->before->launches != m->after->launches)
        wg_strbuf_printf(out, " Figures are sums of %s before and %s after.",
                         wg_figure_plural(a, m->before->launches, "launch", "launches"),
                         wg_figure_plural(a, m->after->launches, "launch", "launches"));
    wg_strbuf_puts(out, "</p>");
    figures(s, m);
    pictures(s, m);
    sources(s, m, number);
    wg_strbuf_puts(out, "</section>");
}

/* ---- The page ---------------------------------------------------------------------------------------------
 */

static void overview(struct sides *s, const struct wg_matches *m) {
    struct wg_strbuf *out = s->page.out;
    struct wg_arena *a = s->page.arena;
    wg_strbuf_puts(out, "<div class=\"scroll\"><table class=\"sortable\" id=\"overview\"><thead><tr>");
    wg_html_head(&s->page, "kernel", "the kernel's name without its arguments");
    wg_html_head(&s->page, s->gpu ? "fewer" : "better",
                 s->gpu ? "exact counters of which the second has less" : "counters that got better");
    wg_html_head(&s->page, s->gpu ? "more" : "worse",
                 s->gpu ? "exact counters of which the second has more" : "counters that got worse");
    wg_html_head(&s->page, "same", "counters that are equal");
    wg_html_head(&s->page, wg_arena_printf(a, "%s: time", s->name[0]), "modelled, or a profiler's");
    wg_html_head(&s->page, wg_arena_printf(a, "%s: time", s->name[1]), "modelled, or a profiler's");
    wg_strbuf_puts(out, "</tr></thead><tbody>");
    for (uint32_t i = 0; i < m->n; i++) {
        if (!m->v[i].after) continue;
        struct wg_compare_sum sum = wg_compare_sum(a, &m->v[i], s->gpu);
        wg_strbuf_printf(out, "<tr><td><a href=\"#pair%u\">", i);
        wg_html_text(out, wg_short_name(a, m->v[i].before->display));
        wg_strbuf_puts(out, "</a></td>");
        wg_html_cell(out, sum.better && !s->gpu ? "good" : "", wg_figure(a, sum.better), sum.better);
        wg_html_cell(out, sum.worse ? "bad" : "", wg_figure(a, sum.worse), sum.worse);
        wg_html_cell(out, "", wg_figure(a, sum.same), sum.same);
        double times[2] = {m->v[i].before->seconds, m->v[i].after->seconds};
        for (int side = 0; side < 2; side++)
            wg_html_cell(out, "", isnan(times[side]) ? "-" : wg_figure_time(a, times[side]),
                         isnan(times[side]) ? 0 : times[side]);
        wg_strbuf_puts(out, "</tr>");
    }
    wg_strbuf_puts(out, "</tbody></table></div>");
}

static void only_in(struct sides *s, int side, const char *display) {
    wg_strbuf_puts(s->page.out, "<p class=\"statement\">Only in ");
    wg_html_text(s->page.out, s->measured[side]->name);
    wg_strbuf_puts(s->page.out, ": ");
    wg_html_text(s->page.out, display);
    wg_strbuf_puts(s->page.out, "</p>");
}

void wg_compare_html(struct wg_strbuf *out, struct wg_arena *a, const struct wg_measured *before,
                     struct wg_sources *before_sources, const struct wg_measured *after,
                     struct wg_sources *after_sources) {
    struct sides s = {.page = {.out = out, .arena = a},
                      .measured = {before, after},
                      .sources = {before_sources, after_sources},
                      .name = {"Before", "After"},
                      .gpu = before->profiler || after->profiler};
    for (int i = 0; i < 2 && s.gpu; i++) s.name[i] = s.measured[i]->profiler ? "GPU" : "Warpglass";
    struct wg_matches m = wg_compare_match(a, before, after);
    wg_html_open(out,
                 wg_arena_printf(a, "%s and %s", wg_source_base(before->name), wg_source_base(after->name)));
    wg_strbuf_puts(out, "<header><h1 class=\"mono\">");
    wg_html_text(out, before->name);
    wg_strbuf_puts(out, " &rarr; ");
    wg_html_text(out, after->name);
    wg_strbuf_puts(
        out, "</h1><p class=\"faint\">Two measurements side by side. Point at a figure's name, or tap it, "
             "for what it means.</p></header>\n<main>");
    overview(&s, &m);
    for (uint32_t i = 0; i < m.n; i++)
        if (m.v[i].after) pair(&s, &m.v[i], i);
    for (uint32_t i = 0; i < m.n; i++)
        if (!m.v[i].after) only_in(&s, 0, m.v[i].before->display);
    for (uint32_t i = 0; i < after->kernels.n; i++)
        if (!m.taken[i]) only_in(&s, 1, after->kernels.v[i].display);
    const struct wg_measured *counted = before->profiler ? after : before;
    wg_html_close(&s.page, counted->version);
}
