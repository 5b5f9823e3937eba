/* Runs all advisers, keeps the advice that makes the launches faster in the time model, and sorts it by benefit. See
 * ../advice.h. */
#include "report/advice/adviser.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t win(const struct wg_advice *a) { return a->before > a->after ? a->before - a->after : 0; }
/* The part of the time that it saves, here or where the chip is full. */
static double saving(const struct wg_advice *a) {
    double here = a->seconds > 0 ? 1 - a->then_seconds / a->seconds : 0;
    return here > 0.01 ? 1 + here : a->full_saving;
}
static int by_win(const void *a, const void *b) {
    const struct wg_advice *p = a, *q = b;
    double saved = saving(p) - saving(q);
    if (fabs(saved) > 0.02) return saved < 0 ? 1 : -1;
    return win(p) < win(q) ? 1 : win(p) > win(q) ? -1 : strcmp(p->kind, q->kind);
}

/* ---- What is kept ---- */

static uint64_t drawn_cost(const struct wg_recorded *access, const struct wg_site *site) {
    enum wg_class_memory m = wg_class_infos[site->class].memory;
    return m == WG_MEMORY_SHARED || m == WG_MEMORY_REMOTE ? wg_wavefronts_of(access, site)
                                                          : wg_sectors_of(access, site->bytes);
}

/* The picture has to show what the words say. */
static bool picture_agrees(const struct wg_advice *a) {
    return !a->now || drawn_cost(a->then, a->site) < drawn_cost(a->now, a->site);
}

struct seconds {
    double before, after, start;
};
static void add_seconds(struct seconds *s, const struct wg_estimate *now, const struct wg_estimate *then) {
    struct wg_time after = then->bound.time;
    /* A load waits for its last sector: with fewer of them, of which more are new, it waits no longer. */
    after.part[WG_TIME_LATENCY] = fmin(after.part[WG_TIME_LATENCY], now->bound.time.part[WG_TIME_LATENCY]);
    after.fill = fmin(after.fill, now->bound.time.fill);
    s->before += now->bound.time.seconds;
    s->after += wg_time_together(&after);
    s->start += now->bound.time.start;
}
/* By one part in five hundred of what the launches take beside their start. */
static bool falls(const struct seconds *s) { return s->before - s->after >= 0.002 * (s->before - s->start); }

/* Grids like these that fill the chip have to become faster, for a small one may be the first step to those, and
 * what it waits for may be hidden there. */
static bool is_faster(const struct wg_summary *s, struct wg_advice *a) {
    enum { WAVES = 8 };
    struct seconds here = {0}, grown = {0};
    double modelled = 0; /* without what no counter has: the report's figure of these launches */
    for (uint32_t i = 0; a->change && i < s->launch_count; i++) {
        struct wg_estimate now, then;
        if (!wg_estimate_launch(s->result, s->kernel, s->launches[i], &now) ||
            !wg_estimate_changed(s->result, s->kernel, s->launches[i], a->change, &then))
            return true;
        modelled += now.bound.time.seconds;
        wg_estimate_more(&now, a->hidden / s->launch_count);
        add_seconds(&here, &now, &then);
        double times = now.waves.waves > 0 ? WAVES / now.waves.waves : 1;
        if (times > 1) wg_estimate_grow(&now, times), wg_estimate_grow(&then, times);
        add_seconds(&grown, &now, &then);
    }
    if (a->change && here.before > 0)
        a->seconds = modelled, a->then_seconds = here.after * modelled / here.before;
    if (!a->change || a->change->blocks) return !a->change || falls(&here);
    if (!falls(&grown)) return false;
    if (grown.before > here.before) a->full_saving = 1 - grown.after / grown.before;
    return true;
}

static bool has(const struct wg_advising *g, uint32_t n, const char *kind) {
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(g->list.v[i].kind, kind)) return true;
    return false;
}

static void keep(struct wg_advising *g) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->list.n; i++) {
        struct wg_advice *a = &g->list.v[i];
        if ((!a->unit || a->after < a->before) && picture_agrees(a) && is_faster(g->s, a))
            g->list.v[n++] = *a;
    }
    /* What threads load that do the same work is no tile to share, and one lane's work not yet one for more blocks. */
    const char *not = has(g, n, "same_work") ? "repeated_loads" : has(g, n, "one_lane") ? "few_blocks" : "";
    g->list.n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(g->list.v[i].kind, not) != 0) g->list.v[g->list.n++] = g->list.v[i];
}

struct wg_advice_list wg_advise(struct wg_arena *arena, const struct wg_summary *s,
                                struct wg_sources *sources) {
    struct wg_advising g = {.arena = arena, .s = s, .sources = sources};
#define X(name) wg_advise_##name(&g);
    WG_ADVISERS(X)
#undef X
    keep(&g);
    if (g.list.n) qsort(g.list.v, g.list.n, sizeof *g.list.v, by_win);
    struct wg_advice *kept = WG_NEW_N(arena, struct wg_advice, g.list.n);
    if (g.list.n) memcpy(kept, g.list.v, g.list.n * sizeof *kept);
    free(g.list.v);
    g.list.v = kept;
    return g.list;
}
