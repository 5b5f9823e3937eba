/* The report as a page: see write.h. It is one file with its style and scripts embedded (assets.h), and needs no network: an
 * overview that can be sorted and searched (html_overview.c) and, for each kernel, what it moved, advice with pictures, and
 * the source with its heat map. If there are many kernels, they are collapsed until one is selected. */
#include "report/advice.h"
#include "report/figure.h"
#include "report/html.h"
#include "report/links.h"
#include "report/modelled.h"
#include "report/picture.h"
#include "report/statement.h"
#include "report/write.h"
#include <string.h>

enum { TITLE = 90 }; /* columns of a kernel's name; the whole stands below it */

static const char *meaning(enum wg_counter c) { return wg_counter_infos[c].meaning; }

/* ---- A kernel's memory ------------------------------------------------------------------------------------
 */

static bool turns(enum wg_class_memory m) { return m == WG_MEMORY_SHARED || m == WG_MEMORY_REMOTE; }
static bool moves(enum wg_class_memory m) { return m == WG_MEMORY_GLOBAL || m == WG_MEMORY_LOCAL; }

static void each_cell(struct wg_page *p, const struct wg_counts *c, enum wg_counter what,
                      enum wg_counter ideal) {
    uint64_t n = c->v[WG_C_requests];
    bool bad = c->v[what] * 4 > c->v[ideal] * 5;
    wg_html_cell(p->out, bad ? "bad" : "",
                 wg_arena_printf(p->arena, "%s (%s)", wg_figure_ratio(p->arena, c->v[what], n),
                                 wg_figure_ratio(p->arena, c->v[ideal], n)),
                 n ? (double)c->v[what] / (double)n : 0);
}

static void count_cell(struct wg_page *p, const struct wg_counts *c, enum wg_counter what,
                       const char *class) {
    wg_html_cell(p->out, class, wg_figure(p->arena, c->v[what]), (double)c->v[what]);
}
static void bytes_cell(struct wg_page *p, const struct wg_counts *c, enum wg_counter what) {
    wg_html_cell(p->out, "", wg_figure_bytes(p->arena, c->v[what]), (double)c->v[what]);
}

static void memory_rows(struct wg_page *p, const struct wg_summary *s, bool turning) {
    for (int i = 0; i < WG_CLASSES; i++) {
        const struct wg_counts *c = &s->classes.of[i];
        enum wg_class_memory m = wg_class_infos[i].memory;
        if (!c->v[WG_C_requests] || !(turning ? turns(m) : moves(m))) continue;
        wg_strbuf_printf(p->out, "<tr><td>%s</td>", wg_class_infos[i].label);
        count_cell(p, c, WG_C_requests, "");
        if (turning) {
            count_cell(p, c, WG_C_wavefronts, "");
            each_cell(p, c, WG_C_wavefronts, WG_C_ideal_wavefronts);
            count_cell(p, c, WG_C_conflicts, c->v[WG_C_conflicts] ? "bad" : "good");
            count_cell(p, c, WG_C_ways, "");
            bytes_cell(p, c, WG_C_bytes_asked);
        } else {
            count_cell(p, c, WG_C_sectors, "");
            each_cell(p, c, WG_C_sectors, WG_C_ideal_sectors);
            bytes_cell(p, c, WG_C_bytes_asked);
            bytes_cell(p, c, WG_C_bytes_moved);
            count_cell(p, c, WG_C_tags, "");
        }
        wg_strbuf_puts(p->out, "</tr>");
    }
}

static bool has_memory(const struct wg_summary *s, bool turning) {
    for (int i = 0; i < WG_CLASSES; i++)
        if (s->classes.of[i].v[WG_C_requests] &&
            (turning ? turns(wg_class_infos[i].memory) : moves(wg_class_infos[i].memory)))
            return true;
    return false;
}

static void memory_table(struct wg_page *p, const struct wg_summary *s, bool turning) {
    if (!has_memory(s, turning)) return;
    wg_strbuf_printf(p->out, "<h3>%s</h3><div class=\"scroll\"><table class=\"sortable\"><thead><tr>",
                     turning ? "Shared memory" : "Global and local memory");
    wg_html_head(p, "access", "what kind of instruction");
    wg_html_head(p, "requests", meaning(WG_C_requests));
    if (turning) {
        wg_html_head(p, "wavefronts", meaning(WG_C_wavefronts));
        wg_html_head(p, "each (ideal)", "average wavefronts per access, and the fewest its bytes need");
        wg_html_head(p, "conflicts", meaning(WG_C_conflicts));
        wg_html_head(p, "worst", meaning(WG_C_ways));
        wg_html_head(p, "asked", meaning(WG_C_bytes_asked));
    } else {
        wg_html_head(p, "sectors", meaning(WG_C_sectors));
        wg_html_head(p, "each (ideal)", "average sectors per access, and the fewest its bytes need");
        wg_html_head(p, "asked", meaning(WG_C_bytes_asked));
        wg_html_head(p, "moved", meaning(WG_C_bytes_moved));
        wg_html_head(p, "lines", meaning(WG_C_tags));
    }
    wg_strbuf_puts(p->out, "</tr></thead><tbody>");
    memory_rows(p, s, turning);
    wg_strbuf_puts(p->out, "</tbody></table></div>");
}

/* ---- Advice -----------------------------------------------------------------------------------------------
 */

static void picture(struct wg_page *p, const char *title, const struct wg_recorded *access,
                    const struct wg_site *site) {
    wg_strbuf_printf(p->out, "<figure><figcaption>%s</figcaption>", title);
    wg_picture_html(p->out, access, site);
    wg_strbuf_puts(p->out, "</figure>");
}

static void win(struct wg_page *p, const struct wg_advice *a) {
    if (!a->unit) return;
    double most = a->before ? (double)a->before : 1;
    wg_strbuf_printf(
        p->out,
        "<div class=\"win\"><span>now</span><span class=\"bar\" style=\"width:100%%\"></span><b>%s</b>"
        "<span>then</span><span class=\"bar then\" style=\"width:%.2f%%\"></span><b>%s</b></div><p "
        "class=\"caption\">",
        wg_figure(p->arena, a->before), 100 * (double)a->after / most, wg_figure(p->arena, a->after));
    wg_html_text(p->out, wg_advice_win(p->arena, a));
    wg_strbuf_puts(p->out, a->proven ? " Computed for every access.</p>" : "</p>");
}

static void advice(struct wg_page *p, const struct wg_summary *s) {
    struct wg_advice_list list = wg_advise(p->arena, s, p->sources);
    if (list.n) wg_strbuf_puts(p->out, "<h3>What to change</h3>");
    for (uint32_t i = 0; i < list.n; i++) {
        const struct wg_advice *a = &list.v[i];
        wg_strbuf_puts(p->out, "<article class=\"advice\"><h4>");
        wg_html_text(p->out, a->title);
        wg_strbuf_puts(p->out, " <span class=\"faint\">");
        if (a->site && a->site->frame_count) {
            wg_strbuf_printf(p->out, "<a href=\"#k%u-", p->kernel);
            wg_html_text(p->out, wg_source_base(a->site->frames[0].file));
            wg_strbuf_printf(p->out, "-%u\">", a->site->frames[0].line);
            wg_html_text(p->out, wg_advice_place(p->arena, a));
            wg_strbuf_puts(p->out, "</a>");
        } else {
            wg_html_text(p->out, wg_advice_place(p->arena, a));
        }
        wg_strbuf_puts(p->out, "</span></h4><p>");
        wg_html_text(p->out, a->text);
        wg_strbuf_puts(p->out, "</p>");
        win(p, a);
        const char *time = wg_advice_time(p->arena, a);
        if (time) wg_strbuf_printf(p->out, "<p class=\"caption\">%s</p>", time);
        if (a->now) {
            wg_strbuf_puts(p->out, "<div class=\"pictures\">");
            picture(p, "One access now", a->now, a->site);
            picture(p, "The same access then", a->then, a->site);
            wg_strbuf_puts(p->out, "</div>");
        }
        wg_strbuf_puts(p->out, "</article>");
    }
}

/* ---- The page ---------------------------------------------------------------------------------------------
 */

static void fact(struct wg_page *p, const char *text, const char *tip) {
    wg_strbuf_puts(p->out, "<li>");
    if (tip) {
        wg_strbuf_puts(p->out, "<span");
        wg_html_tip(p, tip);
        wg_strbuf_puts(p->out, ">");
    }
    wg_html_text(p->out, text);
    wg_strbuf_puts(p->out, tip ? "</span></li>" : "</li>");
}

static const char *shape(struct wg_arena *a, const char *what, const uint32_t v[3]) {
    if (v[2] > 1) return wg_arena_printf(a, "%s %u x %u x %u", what, v[0], v[1], v[2]);
    return v[1] > 1 ? wg_arena_printf(a, "%s %u x %u", what, v[0], v[1])
                    : wg_arena_printf(a, "%s %u", what, v[0]);
}

static void shape_facts(struct wg_page *p, const struct wg_launch *l) {
    struct wg_arena *a = p->arena;
    fact(p, shape(a, "grid", l->grid), "blocks");
    fact(p, shape(a, "block", l->block), "threads of a block");
    if (l->cluster[0] * l->cluster[1] * l->cluster[2] > 1)
        fact(p, shape(a, "cluster", l->cluster), "blocks of a cluster");
}

static void facts(struct wg_page *p, const struct wg_summary *s) {
    struct wg_arena *a = p->arena;
    const struct wg_launch *l = s->launches[0];
    const struct wg_profile_kernel *k = s->kernel;
    uint64_t shared = k->static_shared + l->dynamic_shared, warp = s->totals.v[WG_C_instructions];
    wg_strbuf_puts(p->out, "<ul class=\"facts\">");
    fact(p,
         s->launch_count == 1 ? wg_arena_printf(a, "launch %u", l->index)
                              : wg_figure_plural(a, s->launch_count, "launch", "launches"),
         s->launch_count == 1 ? "its number in the program, starting at 0"
                              : "figures are sums over all of them");
    if (wg_shape_groups(a, s).n == 1) shape_facts(p, l);
    fact(p, wg_arena_printf(a, "%u registers%s", k->registers, k->registers_estimated ? " (estimated)" : ""),
         !k->registers_estimated
             ? "per thread, as the assembler reports them"
             : wg_arena_printf(a,
                               "per thread: an estimate, because there is no ptxas here. Half of such "
                               "estimates are within %d %% of ptxas, nine out of ten within %d %%",
                               WG_REGISTERS_HALF_WITHIN, WG_REGISTERS_MOST_WITHIN));
    if (shared)
        fact(p, wg_arena_printf(a, "%s shared", wg_figure_bytes(a, shared)),
             "shared memory of a block, static and dynamic");
    fact(p, wg_arena_printf(a, "%s instructions", wg_figure(a, warp)), meaning(WG_C_instructions));
    if (k->assembler)
        fact(p,
             wg_arena_printf(a, "%s machine instructions",
                             wg_figure(a, s->totals.v[WG_C_machine_instructions])),
             wg_arena_printf(a, "that warps executed, as assembled by %s", k->assembler));
    if (warp)
        fact(p, wg_arena_printf(a, "%s of 32 lanes", wg_figure_ratio(a, s->totals.v[WG_C_threads], warp)),
             "average active lanes per instruction");
    if (s->totals.v[WG_C_divergent_branches])
        fact(p,
             wg_arena_printf(
                 a, "%s divergent",
                 wg_figure_percent(a, s->totals.v[WG_C_divergent_branches], s->totals.v[WG_C_branches])),
             "branches at which warps diverged");
    wg_strbuf_puts(p->out, "</ul>");
}

static void model(struct wg_page *p, const struct wg_summary *s) {
    struct wg_modelled m;
    wg_strbuf_puts(p->out, "<h3>On the chip <span class=\"hint\">A model, not a count.</span></h3>");
    wg_html_light(p, s);
    if (!wg_model_kernel(p->arena, s, &m)) return;
    wg_strbuf_puts(p->out, "<p class=\"model\">");
    wg_html_text(p->out, m.time);
    wg_strbuf_puts(p->out, " ");
    wg_html_text(p->out, m.occupancy);
    wg_strbuf_puts(p->out, "</p>");
    uint32_t links;
    const struct wg_link_row *link = wg_links_of(p->arena, s, &links);
    for (uint32_t i = 0; i < links; i++) {
        wg_strbuf_puts(p->out, "<p class=\"model\">");
        wg_html_text(p->out, wg_link_sentence(p->arena, &link[i]));
        wg_strbuf_puts(p->out, "</p>");
    }
}

static void kernel(struct wg_page *p, const struct wg_summary *s) {
    struct wg_statement what = wg_statement(p->arena, s);
    wg_strbuf_printf(p->out, "<section class=\"kernel\" id=\"k%u\"><details%s><summary><h2>", p->kernel,
                     p->closed ? "" : " open");
    wg_html_text(p->out, wg_name_in(p->arena, s->kernel->display, TITLE, false));
    wg_strbuf_puts(p->out, "</h2></summary><div class=\"signature mono\" tabindex=\"0\">");
    wg_html_text(p->out, s->kernel->display);
    wg_strbuf_puts(p->out, "</div>");
    facts(p, s);
    wg_html_shapes(p, s);
    wg_strbuf_printf(p->out, "<p class=\"statement %s\">", wg_html_verdict(what.verdict));
    wg_html_text(p->out, what.text);
    wg_strbuf_puts(p->out, "</p>");
    for (uint32_t i = 0; i < s->launch_count; i++)
        if (strcmp(s->launches[i]->status, "success") != 0) {
            wg_strbuf_printf(p->out, "<p class=\"statement bad\">Launch %u ended with ",
                             s->launches[i]->index);
            wg_html_text(p->out, s->launches[i]->status);
            wg_strbuf_puts(p->out, ": its figures cover what ran until then.</p>");
            break;
        }
    const char *calls = wg_system_calls(p->arena, s);
    memory_table(p, s, false);
    if (calls) {
        wg_strbuf_puts(p->out, "<p class=\"model\">");
        wg_html_text(p->out, calls);
        wg_strbuf_puts(p->out, "</p>");
    }
    memory_table(p, s, true);
    advice(p, s);
    wg_html_source(p, s);
    model(p, s);
    wg_strbuf_puts(p->out, "</details></section>");
}

void wg_write_html(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *r,
                   struct wg_summaries *s, struct wg_sources *sources, enum wg_order order, bool sass) {
    enum { FEW = 8, PTX_OF_FEW = 400000, PTX_OF_MANY = 70000 };
    struct wg_page p = {.out = out,
                        .arena = arena,
                        .sources = sources,
                        .with_ptx = true,
                        .sass = sass,
                        .ptx_room = s->n > FEW ? PTX_OF_MANY : PTX_OF_FEW,
                        .closed = s->n > FEW};
    struct wg_overview o = wg_overview(arena, s, order);
    wg_html_open(out, wg_source_base(r->program));
    wg_strbuf_puts(out, "<header><h1 class=\"mono\">");
    wg_html_text(out, r->program);
    for (uint32_t i = 0; i < r->argument_count; i++) {
        wg_strbuf_puts(out, " ");
        wg_html_text(out, r->arguments[i]);
    }
    wg_strbuf_puts(out, "</h1><p class=\"faint\">What every line did to memory, counted on a model of ");
    wg_html_text(out, *r->device ? r->device : r->arch);
    wg_strbuf_puts(out, " (");
    wg_html_text(out, r->arch);
    wg_strbuf_puts(out, "). Point at a figure's name, or tap it, for what it means.</p></header>\n<main>");
    const char *ending = wg_ending(arena, r);
    if (ending) wg_strbuf_printf(out, "<p class=\"statement bad\">%s</p>", ending);
    if (r->note) {
        wg_strbuf_puts(out, "<p class=\"statement\">");
        wg_html_text(out, r->note);
        wg_strbuf_puts(out, "</p>");
    }
    if (s->n) wg_html_overview(&p, &o, order);
    wg_html_library(&p, r);
    for (p.kernel = 0; p.kernel < s->n; p.kernel++) kernel(&p, &s->v[p.kernel]);
    wg_html_close(&p, r->warpglass);
}
