/* See overview.h. */
#include "report/overview.h"
#include "report/estimate.h"
#include "report/paint.h"
#include "report/statement.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const wg_order_words[WG_ORDER_COUNT + 1] = {
#define X(id, word) word,
    WG_ORDERS(X)
#undef X
};

uint64_t wg_kernel_sectors(const struct wg_summary *s, uint64_t *unasked) {
    struct wg_counts moved = wg_memory_counts(&s->classes, WG_MEMORY_GLOBAL);
    struct wg_counts local = wg_memory_counts(&s->classes, WG_MEMORY_LOCAL);
    wg_counts_add(&moved, &local);
    if (unasked) *unasked = moved.v[WG_C_sectors] - moved.v[WG_C_ideal_sectors];
    return moved.v[WG_C_sectors];
}

uint64_t wg_kernel_conflicts(const struct wg_summary *s) {
    struct wg_counts shared = wg_memory_counts(&s->classes, WG_MEMORY_SHARED);
    return shared.v[WG_C_conflicts];
}

/* ---- Kernels ----------------------------------------------------------------------------------------------
 */

static double figure_of(const struct wg_overview_row *r, enum wg_order order) {
    switch (order) {
    case WG_ORDER_TIME: return (double)r->work;
    case WG_ORDER_LAUNCHES: return r->kernel->launch_count;
    case WG_ORDER_INSTRUCTIONS: return (double)r->kernel->totals.v[WG_C_instructions];
    case WG_ORDER_SECTORS: return (double)wg_kernel_sectors(r->kernel, NULL);
    case WG_ORDER_CONFLICTS: return (double)wg_kernel_conflicts(r->kernel);
    default: return 0;
    }
}

static int by_first(const struct wg_overview_row *p, const struct wg_overview_row *q) {
    uint32_t i = p->kernel->launches[0]->index, j = q->kernel->launches[0]->index;
    return (i > j) - (i < j);
}

static int by_figure(const void *a, const void *b) {
    const struct wg_overview_row *p = a, *q = b;
    if (p->figure != q->figure) return p->figure > q->figure ? -1 : 1;
    return by_first(p, q);
}

static int by_name(const void *a, const void *b) {
    const struct wg_overview_row *p = a, *q = b;
    int names = strcmp(p->kernel->kernel->display, q->kernel->kernel->display);
    return names ? names : by_first(p, q);
}

static double seconds_of(const struct wg_summary *s) {
    double sum = 0;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        struct wg_estimate e;
        if (!wg_estimate_launch(s->result, s->kernel, s->launches[i], &e)) return NAN;
        sum += e.bound.time.seconds;
    }
    return sum;
}

struct wg_overview wg_overview(struct wg_arena *a, struct wg_summaries *s, enum wg_order order) {
    struct wg_overview o = {.v = WG_NEW_N(a, struct wg_overview_row, s->n), .n = s->n, .timed = true};
    struct wg_summary *was = WG_NEW_N(a, struct wg_summary, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        was[i] = s->v[i];
        double seconds = seconds_of(&was[i]);
        o.timed &= !isnan(seconds);
        o.v[i] = (struct wg_overview_row){.kernel = &was[i], .seconds = seconds, .binds = wg_binds(&was[i])};
    }
    for (uint32_t i = 0; i < s->n; i++) {
        struct wg_overview_row *r = &o.v[i];
        r->work = o.timed ? (uint64_t)(r->seconds * 1e12 + 0.5) : r->kernel->totals.v[WG_C_instructions];
        o.seconds += r->seconds, o.work += r->work, o.launches += r->kernel->launch_count;
    }
    for (uint32_t i = 0; i < s->n; i++) o.v[i].figure = figure_of(&o.v[i], order);
    if (o.n) qsort(o.v, o.n, sizeof *o.v, order == WG_ORDER_NAME ? by_name : by_figure);
    for (uint32_t i = 0; i < s->n; i++) {
        s->v[i] = *o.v[i].kernel;
        o.v[i].kernel = &s->v[i];
    }
    return o;
}

/* ---- Launches ---------------------------------------------------------------------------------------------
 */

static bool same_shape(const struct wg_launch *a, const struct wg_launch *b) {
    return !memcmp(a->grid, b->grid, sizeof a->grid) && !memcmp(a->block, b->block, sizeof a->block) &&
           !memcmp(a->cluster, b->cluster, sizeof a->cluster) && a->dynamic_shared == b->dynamic_shared;
}

struct timed_launch {
    const struct wg_launch *launch;
    uint32_t group;
    double cost;
};

static int by_group_and_cost(const void *a, const void *b) {
    const struct timed_launch *p = a, *q = b;
    if (p->group != q->group) return p->group < q->group ? -1 : 1;
    return (p->cost > q->cost) - (p->cost < q->cost);
}

static int by_sum(const void *a, const void *b) {
    const struct wg_shape_group *p = a, *q = b;
    if (p->sum != q->sum) return p->sum > q->sum ? -1 : 1;
    return p->first->index < q->first->index ? -1 : p->first->index > q->first->index;
}

static uint32_t group_of(struct wg_shape_groups *g, const struct wg_launch *l) {
    for (uint32_t i = 0; i < g->n; i++)
        if (same_shape(g->v[i].first, l)) return i;
    g->v[g->n] = (struct wg_shape_group){.first = l};
    return g->n++;
}

struct wg_shape_groups wg_shape_groups(struct wg_arena *a, const struct wg_summary *s) {
    uint32_t n = s->launch_count;
    struct wg_shape_groups g = {.v = WG_NEW_N(a, struct wg_shape_group, n), .timed = true};
    struct timed_launch *all = WG_NEW_N(a, struct timed_launch, n);
    for (uint32_t i = 0; i < n; i++) {
        struct wg_estimate e;
        g.timed &= wg_estimate_launch(s->result, s->kernel, s->launches[i], &e);
        all[i] = (struct timed_launch){.launch = s->launches[i],
                                       .group = group_of(&g, s->launches[i]),
                                       .cost = g.timed ? e.bound.time.seconds : 0};
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!g.timed) all[i].cost = (double)all[i].launch->totals.v[WG_C_instructions];
        g.v[all[i].group].launches++, g.v[all[i].group].sum += all[i].cost;
    }
    if (n) qsort(all, n, sizeof *all, by_group_and_cost);
    for (uint32_t i = 0, end; i < n; i = end) {
        struct wg_shape_group *group = &g.v[all[i].group];
        end = i + group->launches;
        group->least = all[i].cost, group->most = all[end - 1].cost;
        group->median = (all[(i + end - 1) / 2].cost + all[(i + end) / 2].cost) / 2;
    }
    if (g.n) qsort(g.v, g.n, sizeof *g.v, by_sum);
    return g;
}

/* ---- Names ------------------------------------------------------------------------------------------------
 */

/* "at::native::f<at::Half, std::plus<int>>" -> "f<Half, plus<int>>" */
static char *without_namespaces(struct wg_arena *a, const char *name) {
    char *out = wg_arena_strdup(a, name), *end = out, *word = out;
    for (const char *s = name; *s; s++) {
        if (s[0] == ':' && s[1] == ':') {
            end = word;
            s++;
            continue;
        }
        *end++ = *s;
        if (strchr("<, (", *s)) word = end;
    }
    *end = 0;
    return out;
}

const char *wg_name_in(struct wg_arena *a, const char *display, int columns, bool plain) {
    const char *name = wg_short_name(a, display);
    if (wg_columns(name) > columns) name = without_namespaces(a, name);
    int all = wg_columns(name);
    if (all <= columns) return name;
    const char *dots = plain ? "..." : "…";
    int left = columns - wg_columns(dots), head = (left + 1) / 2;
    if (left < 2) return name;
    size_t tail = wg_fitting(name, all - (left - head));
    return wg_arena_printf(a, "%.*s%s%s", (int)wg_fitting(name, head), name, dots, name + tail);
}
