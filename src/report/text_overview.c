/* The overview of a program's kernels in the terminal report, and the table of a kernel's launches grouped by shape: see
 * text.h and overview.h.
 *
 *      share           time  launches  bound by       kernel
 *      ██▊   69 %     468 us       200  launch         scale
 *      █▎    31 %     210 us       200  latency        stride
 */
#include "report/figure.h"
#include "report/overview.h"
#include "report/text.h"
#include <string.h>

enum { BAR = 6, SHARE = 8, TIME = 10, LAUNCHES = 10, BINDS = 15, FIGURE = 12, WIDE = 120 };

static void cell(const struct wg_text *t, enum wg_ink ink, int width, const char *text) {
    wg_paint(&t->paint, WG_INK_PLAIN, "%*s", width - wg_columns(text), "");
    wg_paint(&t->paint, ink, "%s", text);
}

/* ---- Kernels ----------------------------------------------------------------------------------------------
 */

static const char *const wide_heads[] = {"instr.", "lanes", "sectors", "unused", "conflicts"};
enum { WIDE_COLUMNS = sizeof wide_heads / sizeof *wide_heads };

static bool is_wide(const struct wg_text *t) { return t->paint.width >= WIDE; }

static int name_width(const struct wg_text *t, const struct wg_overview *o) {
    return t->paint.width - (2 + BAR + SHARE + (o->timed ? TIME + BINDS : 0) + LAUNCHES + 2 +
                             is_wide(t) * WIDE_COLUMNS * FIGURE);
}

static void head(const struct wg_text *t, const struct wg_overview *o) {
    const struct wg_paint *p = &t->paint;
    wg_paint(p, WG_INK_FAINT, "  %*s", BAR + SHARE, o->timed ? "share" : "instr.");
    if (o->timed) wg_paint(p, WG_INK_FAINT, "%*s", TIME, "time");
    wg_paint(p, WG_INK_FAINT, "%*s", LAUNCHES, "launches");
    for (int i = 0; i < WIDE_COLUMNS && is_wide(t); i++)
        wg_paint(p, WG_INK_FAINT, "%*s", FIGURE, wide_heads[i]);
    if (o->timed) wg_paint(p, WG_INK_FAINT, "  %-*s", BINDS, "bound by");
    wg_paint(p, WG_INK_FAINT, o->timed ? "kernel\n" : "  kernel\n");
}

static void wide_cells(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_arena *a = t->arena;
    uint64_t unasked, sectors = wg_kernel_sectors(s, &unasked), conflicts = wg_kernel_conflicts(s);
    uint64_t warp = s->totals.v[WG_C_instructions], threads = s->totals.v[WG_C_threads];
    cell(t, WG_INK_PLAIN, FIGURE, wg_figure_short(a, warp));
    cell(t, threads < warp * 24 ? WG_INK_BAD : WG_INK_PLAIN, FIGURE, wg_figure_rough(a, threads, warp));
    cell(t, WG_INK_PLAIN, FIGURE, sectors ? wg_figure_short(a, sectors) : "-");
    cell(t, unasked * 5 > sectors ? WG_INK_BAD : WG_INK_PLAIN, FIGURE,
         wg_figure_percent(a, unasked, sectors));
    cell(t, conflicts ? WG_INK_BAD : WG_INK_PLAIN, FIGURE, conflicts ? wg_figure_short(a, conflicts) : "-");
}

static void row(const struct wg_text *t, const struct wg_overview *o, const struct wg_overview_row *r) {
    struct wg_arena *a = t->arena;
    const struct wg_summary *s = r->kernel;
    wg_paint(&t->paint, WG_INK_PLAIN, "  ");
    wg_paint_bar(&t->paint, BAR, r->work, o->work);
    cell(t, WG_INK_PLAIN, SHARE, wg_figure_percent(a, r->work, o->work));
    if (o->timed) cell(t, WG_INK_PLAIN, TIME, wg_figure_time(a, r->seconds));
    cell(t, WG_INK_PLAIN, LAUNCHES, wg_figure(a, s->launch_count));
    if (is_wide(t)) wide_cells(t, s);
    if (o->timed) wg_paint(&t->paint, WG_INK_PLAIN, "  %-*s", BINDS, r->binds);
    if (t->full_names)
        wg_paint(&t->paint, WG_INK_BOLD, "%s%s", o->timed ? "" : "  ", s->kernel->display);
    else
        wg_paint(&t->paint, WG_INK_BOLD, "%s%s", o->timed ? "" : "  ",
                 wg_name_in(a, s->kernel->display, name_width(t, o), t->paint.plain));
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
}

void wg_text_overview(const struct wg_text *t, const struct wg_overview *o) {
    struct wg_arena *a = t->arena;
    uint32_t shown = t->rows < o->n ? t->rows : o->n;
    uint64_t rest = 0;
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
    head(t, o);
    for (uint32_t i = 0; i < shown; i++) row(t, o, &o->v[i]);
    for (uint32_t i = shown; i < o->n; i++) rest += o->v[i].work;
    if (shown < o->n)
        wg_paint(&t->paint, WG_INK_FAINT, "  %*s  of the %u others: --top %u shows all\n", BAR + SHARE,
                 wg_figure_percent(a, rest, o->work), o->n - shown, o->n);
    const char *launches = wg_figure_plural(a, o->launches, "launch", "launches");
    wg_paint_wrapped(&t->paint, 2, WG_INK_FAINT,
                     o->timed ? wg_arena_printf(a, "%s in total, %s. Times are modelled.", launches,
                                                wg_figure_time(a, o->seconds))
                              : wg_arena_printf(a, "%s in all.", launches));
}

/* ---- Launches by shape ------------------------------------------------------------------------------------
 */

enum { GRID = 18, BLOCK = 12, EACH = 10, MOST_SHAPES = 8 };

static const char *shape(struct wg_arena *a, const uint32_t v[3]) {
    if (v[2] > 1) return wg_arena_printf(a, "%u x %u x %u", v[0], v[1], v[2]);
    if (v[1] > 1) return wg_arena_printf(a, "%u x %u", v[0], v[1]);
    return wg_arena_printf(a, "%u", v[0]);
}

static const char *cost(struct wg_arena *a, const struct wg_shape_groups *g, double value) {
    return g->timed ? wg_figure_time(a, value) : wg_figure_short(a, (uint64_t)value);
}

static void group_row(const struct wg_text *t, const struct wg_shape_groups *g,
                      const struct wg_shape_group *v, double all) {
    struct wg_arena *a = t->arena;
    cell(t, WG_INK_PLAIN, LAUNCHES, wg_figure(a, v->launches));
    wg_paint(&t->paint, WG_INK_PLAIN, "  %-*s%-*s", GRID - 2, shape(a, v->first->grid), BLOCK,
             shape(a, v->first->block));
    cell(t, WG_INK_PLAIN, EACH, cost(a, g, v->least));
    cell(t, WG_INK_PLAIN, EACH, cost(a, g, v->median));
    cell(t, WG_INK_PLAIN, EACH, cost(a, g, v->most));
    cell(t, WG_INK_PLAIN, EACH, cost(a, g, v->sum));
    if (is_wide(t))
        cell(t, WG_INK_PLAIN, EACH, wg_figure_percent(a, (uint64_t)(v->sum * 1e12), (uint64_t)(all * 1e12)));
    if (is_wide(t) && v->first->dynamic_shared)
        wg_paint(&t->paint, WG_INK_FAINT, "  %s of dynamic shared memory",
                 wg_figure_bytes(a, v->first->dynamic_shared));
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
}

const char *wg_text_spread(struct wg_arena *a, const struct wg_shape_groups *g) {
    const struct wg_shape_group *v = &g->v[0];
    if (v->least == v->most) return wg_arena_printf(a, ", %s each", cost(a, g, v->median));
    return wg_arena_printf(a, ", %s to %s each, median %s", cost(a, g, v->least), cost(a, g, v->most),
                           cost(a, g, v->median));
}

void wg_text_shapes(const struct wg_text *t, const struct wg_shape_groups *g) {
    double all = 0, rest = 0;
    uint32_t launches = 0, shown = g->n <= MOST_SHAPES ? g->n : MOST_SHAPES - 1;
    for (uint32_t i = 0; i < g->n; i++) all += g->v[i].sum;
    wg_paint(&t->paint, WG_INK_FAINT, "%*s  %-*s%-*s%*s%*s%*s%*s", LAUNCHES, "launches", GRID - 2, "grid",
             BLOCK, "block", EACH, "least", EACH, "median", EACH, "most", EACH, g->timed ? "sum" : "instr.");
    if (is_wide(t)) wg_paint(&t->paint, WG_INK_FAINT, "%*s", EACH, "share");
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
    for (uint32_t i = 0; i < shown; i++) group_row(t, g, &g->v[i], all);
    for (uint32_t i = shown; i < g->n; i++) launches += g->v[i].launches, rest += g->v[i].sum;
    if (!launches) return;
    cell(t, WG_INK_FAINT, LAUNCHES, wg_figure(t->arena, launches));
    wg_paint(&t->paint, WG_INK_FAINT, "  of %u other shapes%*s\n", g->n - shown,
             GRID - 2 + BLOCK + 4 * EACH - 16 - (int)(g->n - shown > 9), cost(t->arena, g, rest));
}
