/* Advice in the terminal report: see text.h and advice.h. */
#include "report/advice.h"
#include "report/figure.h"
#include "report/picture.h"
#include "report/text.h"

const char *wg_advice_place(struct wg_arena *a, const struct wg_advice *advice) {
    const struct wg_site *s = advice->site;
    if (!s) return "the launch";
    if (!s->frame_count) return wg_arena_printf(a, "PTX line %u", s->ptx_line);
    return wg_arena_printf(a, "%s:%u", wg_source_base(s->frames[0].file), s->frames[0].line);
}

const char *wg_advice_win(struct wg_arena *a, const struct wg_advice *advice) {
    if (!advice->unit) return NULL;
    if (!advice->after)
        return wg_arena_printf(a, "%s %s would be none.", wg_figure(a, advice->before), advice->unit);
    const char *times =
        advice->before / advice->after >= 2
            ? wg_arena_printf(a, ", %s times fewer", wg_figure_ratio(a, advice->before, advice->after))
            : wg_arena_printf(a, ", %s fewer",
                              wg_figure_percent(a, advice->before - advice->after, advice->before));
    return wg_arena_printf(a, "%s %s would be %s%s%s.", wg_figure(a, advice->before), advice->unit,
                           wg_figure(a, advice->after), times,
                           advice->note     ? wg_arena_printf(a, " (%s)", advice->note)
                           : advice->proven ? ""
                                            : " (scaled from the recorded accesses)");
}

const char *wg_advice_time(struct wg_arena *a, const struct wg_advice *advice) {
    if (advice->then_seconds <= 0) return NULL;
    const char *now = wg_figure_time(a, advice->seconds), *then = wg_figure_time(a, advice->then_seconds);
    double saving = 100 * (1 - advice->then_seconds / advice->seconds);
    if (saving < 0.5 && advice->full_saving > 0)
        return wg_arena_printf(
            a, "Modelled time: hardly less than %s at this size; %.2g %% less on a grid that fills the chip.",
            now, 100 * advice->full_saving);
    return wg_arena_printf(a, "Modelled time: %s would be %s, %.2g %% less%s.", now, then, saving,
                           !advice->unit && advice->note ? wg_arena_printf(a, " (%s)", advice->note) : "");
}

void wg_text_advice(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_advice_list list = wg_advise(t->arena, s, t->sources);
    if (!list.n) return;
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
    for (uint32_t i = 0; i < list.n; i++) {
        const struct wg_advice *a = &list.v[i];
        wg_paint(&t->paint, WG_INK_MARK, "  %u. ", i + 1);
        wg_paint(&t->paint, WG_INK_BOLD, "%s", a->title);
        wg_paint(&t->paint, WG_INK_FAINT, " (%s)\n", wg_advice_place(t->arena, a));
        wg_paint_wrapped(&t->paint, 5, WG_INK_PLAIN, a->text);
        if (a->now) {
            wg_picture_ruler(&t->paint, 5, a->site);
            wg_picture_line(&t->paint, 5, "now", a->now, a->site);
            wg_picture_line(&t->paint, 5, "then", a->then, a->site);
        }
        const char *win = wg_advice_win(t->arena, a);
        if (win) wg_paint_wrapped(&t->paint, 5, WG_INK_GOOD, win);
        const char *time = wg_advice_time(t->arena, a);
        if (time) wg_paint_wrapped(&t->paint, 5, WG_INK_GOOD, time);
    }
}
