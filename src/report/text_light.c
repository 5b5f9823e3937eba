/* Speed of light in the terminal report: see text.h and light.h.
 *
 *      schedulers     █▏          12 %   L1, shared     ███         31 %
 *      L2             ██▏         22 %   DRAM           ███████     71 %
 *
 *      Memory chart    requests kernel - L1  L1 hits     L1 - L2  L2 hits      DRAM
 *      loads               8192    1.00 MiB      0 %    1.00 MiB      0 %  1.00 MiB
 */
#include "report/chart.h"
#include "report/figure.h"
#include "report/light.h"
#include "report/text.h"
#include <math.h>

enum { BAR = 10, ROW = 36, LABEL = 14 };

static const char *percent(struct wg_arena *a, double part) {
    return part < 1e-9 ? "0 %" : wg_figure_percent(a, (uint64_t)fmax(1, part * 1e9), 1000000000);
}

static void peaks(const struct wg_text *t, const struct wg_light *l) {
    int in_row = 0, columns = t->paint.width / ROW;
    wg_paint(&t->paint, WG_INK_FAINT, "  Share of the chip's peak, in the modelled time\n");
    for (int i = 0; i < WG_LIGHT_COUNT; i++) {
        if (l->of_peak[i] <= 0) continue;
        if (in_row == columns) wg_paint(&t->paint, WG_INK_PLAIN, "\n"), in_row = 0;
        if (in_row) wg_paint(&t->paint, WG_INK_PLAIN, " ");
        wg_paint(&t->paint, WG_INK_PLAIN, "  %-*s", LABEL, wg_light_infos[i].name);
        wg_paint_bar(&t->paint, BAR, (uint64_t)(fmin(1, l->of_peak[i]) * 1e9), 1000000000);
        const char *figure = percent(t->arena, l->of_peak[i]);
        wg_paint(&t->paint, WG_INK_PLAIN, "%*s", ROW - 3 - LABEL - BAR, figure);
        in_row++;
    }
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
}

static void mix(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_mix_part parts[WG_MIX_PARTS];
    uint32_t n = wg_light_mix(s, parts);
    uint64_t all = 0;
    struct wg_strbuf b = {0};
    for (uint32_t i = 0; i < n; i++) all += parts[i].threads;
    wg_strbuf_puts(&b, "Instruction mix: ");
    for (uint32_t i = 0; i < n; i++)
        wg_strbuf_printf(&b, "%s%s %s", i ? ", " : "", parts[i].name,
                         wg_figure_percent(t->arena, parts[i].threads, all));
    wg_strbuf_puts(&b, ".");
    if (n) wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, b.s);
    wg_strbuf_free(&b);
}

static void roof(const struct wg_text *t, const struct wg_light *l, enum wg_roof_type type) {
    struct wg_arena *a = t->arena;
    const struct wg_roofline *r = &l->roof[type];
    struct wg_strbuf b = {0};
    if (r->operations <= 0) return;
    wg_strbuf_printf(&b, "%s: %s operations", wg_roof_names[type],
                     wg_figure_short(a, (uint64_t)r->operations));
    const char *comma = ":";
    for (int i = 0; i < WG_LEVELS; i++) {
        if (l->bytes[i] <= 0) continue;
        wg_strbuf_printf(&b, "%s %.3g %s %s", comma, r->operations / l->bytes[i],
                         *comma == ':' ? "a byte of" : "of", wg_level_names[i]);
        comma = ",";
    }
    wg_strbuf_printf(&b, ". %sFLOP/s; %s allows %sFLOP/s.", wg_figure_large(a, r->reached),
                     r->binds == WG_LEVELS ? "the peak" : wg_level_names[r->binds],
                     wg_figure_large(a, r->roof));
    wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, b.s);
    wg_strbuf_free(&b);
}

/* ---- The memory chart ---- */

enum { NAME = 14, REQUESTS = 10, BYTES = 12, HITS = 9, DRAM = 10 };

static void bytes(const struct wg_text *t, double n) {
    wg_paint(&t->paint, WG_INK_PLAIN, "%*s", BYTES, n > 0 ? wg_figure_bytes(t->arena, (uint64_t)n) : "");
}

static void hits(const struct wg_text *t, bool loads, double part) {
    wg_paint(&t->paint, WG_INK_PLAIN, "%*s", HITS, loads && part >= 0 ? percent(t->arena, part) : "");
}

static void chart(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_chart c;
    if (!wg_chart_of(s, &c)) return;
    wg_paint(&t->paint, WG_INK_FAINT, "\n  %-*s%*s%*s%*s%*s%*s%*s\n", NAME, "Memory chart", REQUESTS,
             "requests", BYTES, "kernel - L1", HITS, "L1 hits", BYTES, "L1 - L2", HITS, "L2 hits", DRAM,
             "DRAM");
    for (int i = 0; i < WG_CHART_KINDS; i++) {
        const struct wg_chart_row *r = &c.row[i];
        if (r->requests <= 0) continue;
        wg_paint(&t->paint, WG_INK_PLAIN, "  %-*s%*s", NAME, wg_chart_names[i], REQUESTS,
                 wg_figure_short(t->arena, (uint64_t)r->requests));
        bytes(t, r->l1);
        hits(t, i == WG_CHART_LOADS, c.l1_hits);
        bytes(t, r->l2);
        hits(t, i == WG_CHART_LOADS, c.l2_hits);
        wg_paint(&t->paint, WG_INK_PLAIN, "%*s", DRAM,
                 r->dram > 0 ? wg_figure_bytes(t->arena, (uint64_t)r->dram) : "");
        wg_paint_end_line(&t->paint);
    }
    wg_paint_wrapped(&t->paint, 2, WG_INK_FAINT, "Hits, and what moves behind L1, are modelled.");
}

void wg_text_light(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_light l;
    bool known = wg_light_of(s, &l);
    if (known) {
        peaks(t, &l);
        wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN,
                         wg_arena_printf(t->arena,
                                         "Occupancy: %s theoretical, %s achieved on average in the model.",
                                         percent(t->arena, l.occupancy), percent(t->arena, l.achieved)));
    }
    mix(t, s);
    for (int i = 0; known && i < WG_ROOFS; i++) roof(t, &l, (enum wg_roof_type)i);
    chart(t, s);
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
}
