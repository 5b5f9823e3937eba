/* Speed of light, roofline, instruction mix and memory chart of a kernel on the page: see html.h, light.h and chart.h. The
 * page's scripts (html/roofline.js, html/chart.js) draw the roofline and the chart from the figures here. */
#include "report/chart.h"
#include "report/figure.h"
#include "report/html.h"
#include "report/light.h"
#include <math.h>

static void bar(struct wg_page *p, const char *name, const char *tip, double part, const char *figure) {
    wg_strbuf_puts(p->out, "<span");
    wg_html_tip(p, tip);
    wg_strbuf_printf(p->out, ">%s</span><i style=\"--part:%.1f%%\"></i><b>%s</b>", name, 100 * fmin(1, part),
                     figure);
}

static const char *percent(struct wg_arena *a, double part) {
    return part < 1e-9 ? "0 %" : wg_figure_percent(a, (uint64_t)fmax(1, part * 1e9), 1000000000);
}

static void peaks(struct wg_page *p, const struct wg_light *l) {
    wg_strbuf_puts(p->out, "<figure><figcaption>Share of the chip's peak, in the modelled "
                           "time</figcaption><div class=\"bars\">");
    for (int i = 0; i < WG_LIGHT_COUNT; i++)
        if (l->of_peak[i] > 0)
            bar(p, wg_light_infos[i].name, wg_light_infos[i].meaning, l->of_peak[i],
                percent(p->arena, l->of_peak[i]));
    bar(p, "occupancy",
        "warps on SMs that have any, on average over the modelled time; the limit is shown below",
        l->achieved, percent(p->arena, l->achieved));
    wg_strbuf_puts(p->out, "</div></figure>");
}

static void mix(struct wg_page *p, const struct wg_summary *s) {
    struct wg_mix_part parts[WG_MIX_PARTS];
    uint32_t n = wg_light_mix(s, parts);
    uint64_t all = 0;
    if (!n) return;
    for (uint32_t i = 0; i < n; i++) all += parts[i].threads;
    wg_strbuf_puts(p->out, "<figure><figcaption>Instruction mix</figcaption><div class=\"bars\">");
    for (uint32_t i = 0; i < n; i++)
        bar(p, parts[i].name, wg_counter_infos[parts[i].counter].meaning,
            (double)parts[i].threads / (double)all, wg_figure_percent(p->arena, parts[i].threads, all));
    wg_strbuf_puts(p->out, "</div></figure>");
}

/* Bandwidths of DRAM, L2 and L1; then for each type its name, peak, what is reached, and operations for each byte of the
 * three. */
static void roofline(struct wg_page *p, const struct wg_light *l) {
    bool any = false;
    for (int i = 0; i < WG_ROOFS; i++) any |= l->roof[i].operations > 0;
    if (!any) return;
    wg_strbuf_puts(p->out, "<figure><figcaption>Roofline</figcaption><div class=\"roofline\" data-roofs=\"");
    for (int i = 0; i < WG_LEVELS; i++) wg_strbuf_printf(p->out, "%s%.3g", i ? " " : "", l->bandwidth[i]);
    for (int i = 0; i < WG_ROOFS; i++) {
        const struct wg_roofline *r = &l->roof[i];
        if (r->operations <= 0) continue;
        wg_strbuf_printf(p->out, ";%s %.3g %.3g", wg_roof_names[i], r->peak, r->reached);
        for (int k = 0; k < WG_LEVELS; k++)
            wg_strbuf_printf(p->out, " %.3g", l->bytes[k] > 0 ? r->operations / l->bytes[k] : 0);
    }
    wg_strbuf_puts(p->out, "\"></div></figure>");
}

/* For each kind of access that there is: its number, requests, and bytes between kernel and L1, L1 and L2, L2 and DRAM;
 * before them the hit rates of loads. */
static void chart(struct wg_page *p, const struct wg_summary *s) {
    struct wg_chart c;
    if (!wg_chart_of(s, &c)) return;
    wg_strbuf_printf(p->out,
                     "<figure class=\"chart\"><figcaption>Memory chart</figcaption><div class=\"chart\" "
                     "data-chart=\"%.3g %.3g",
                     c.l1_hits, c.l2_hits);
    for (int i = 0; i < WG_CHART_KINDS; i++) {
        const struct wg_chart_row *r = &c.row[i];
        if (r->requests > 0)
            wg_strbuf_printf(p->out, ";%d %.0f %.0f %.0f %.0f", i, r->requests, r->l1, r->l2, r->dram);
    }
    wg_strbuf_puts(p->out, "\"></div></figure>");
}

void wg_html_light(struct wg_page *p, const struct wg_summary *s) {
    struct wg_light l;
    bool known = wg_light_of(s, &l);
    wg_strbuf_puts(p->out, "<div class=\"pictures light\">");
    if (known) peaks(p, &l);
    mix(p, s);
    if (known) roofline(p, &l);
    chart(p, s);
    wg_strbuf_puts(p->out, "</div>");
}
