/* See modelled.h. */
#include "report/modelled.h"
#include "report/figure.h"
#include "report/statement.h"
#include <ctype.h>
#include <string.h>

static const char *limits(struct wg_arena *a, const struct wg_occupancy *o) {
    struct wg_strbuf b = {0};
    for (int i = 0; i < WG_LIMITS; i++)
        if (wg_occupancy_limiters(o) >> i & 1)
            wg_strbuf_printf(&b, "%s%s", b.n ? " and " : "", wg_occupancy_limit_names[i]);
    const char *text = b.n ? wg_arena_strdup(a, b.s) : "nothing";
    wg_strbuf_free(&b);
    return text;
}

/* What was wasted or what binds is said before; then it is enough to name the part of the chip that is busy. */
static const char *reason(struct wg_arena *a, const struct wg_summary *s, const struct wg_estimate *e) {
    struct wg_statement head = wg_statement(a, s);
    enum wg_time_part longest = e->bound.time.longest;
    bool memory = longest == WG_TIME_L1 || longest == WG_TIME_L2 || longest == WG_TIME_DRAM;
    bool latency = longest == WG_TIME_LATENCY, is_short = e->bound.time.start > 0.6 * e->bound.time.seconds;
    if (!is_short && !latency && (head.verdict == WG_VERDICT_BAD || !memory))
        return wg_time_part_meanings[longest];
    struct wg_strbuf b = {0};
    wg_bound_statement(&e->bound, &e->input, &b);
    const char *text = b.n ? wg_arena_strdup(a, b.s) : "";
    wg_strbuf_free(&b);
    return text;
}

bool wg_model_kernel(struct wg_arena *a, const struct wg_summary *s, struct wg_modelled *out) {
    *out = (struct wg_modelled){0};
    for (uint32_t i = 0; i < s->launch_count; i++) {
        struct wg_estimate e;
        if (!wg_estimate_launch(s->result, s->kernel, s->launches[i], &e)) return false;
        if (!i) out->first = e;
        out->seconds += e.bound.time.seconds;
    }
    const struct wg_estimate *e = &out->first;
    out->reason = reason(a, s, e);
    out->time = wg_arena_printf(a, "Modelled on %s: %s; %s.", e->chip->name, wg_figure_time(a, out->seconds),
                                out->reason);
    out->occupancy =
        wg_arena_printf(a, "%s on an SM at once (%u of %u warps, limited by %s), %.3g %s.",
                        wg_figure_plural(a, e->occupancy.blocks, "block", "blocks"), e->occupancy.warps,
                        e->chip->limits->warps_per_sm, limits(a, &e->occupancy), e->waves.waves,
                        e->waves.waves == 1 ? "wave" : "waves");
    return true;
}
