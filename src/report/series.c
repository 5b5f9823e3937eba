/* See series.h. */
#include "report/series.h"
#include "report/figure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kernels ----------------------------------------------------------------------------------------------
 */

/* The kernels known so far, each as it was measured last, as one side of a comparison. */
static void known(const struct wg_series *s, uint32_t before, struct wg_measured *out) {
    for (uint32_t k = 0; k < s->kernel_count; k++) {
        const struct wg_measured_kernel *last = NULL;
        for (uint32_t i = 0; i < before; i++)
            if (s->kernels[k].of[i]) last = s->kernels[k].of[i];
        *WG_PUSH(&out->kernels) = *last;
    }
}

static void add_kernel(struct wg_arena *a, struct wg_series *s, uint32_t at,
                       const struct wg_measured_kernel *k) {
    struct wg_series_kernel *new = &s->kernels[s->kernel_count++];
    new->display = k->display;
    new->of = WG_NEW_N(a, const struct wg_measured_kernel *, s->n);
    new->of[at] = k;
}

static void add_measured(struct wg_arena *a, struct wg_series *s, uint32_t at) {
    struct wg_measured before = {.name = ""};
    const struct wg_measured *after = s->measured[at];
    known(s, at, &before);
    struct wg_matches m = wg_compare_match(a, &before, after);
    for (uint32_t i = 0; i < m.n; i++)
        if (m.v[i].after) s->kernels[i].of[at] = m.v[i].after;
    for (uint32_t i = 0; i < after->kernels.n; i++)
        if (!m.taken[i]) add_kernel(a, s, at, &after->kernels.v[i]);
    free(before.kernels.v);
}

/* ---- Names ------------------------------------------------------------------------------------------------
 */

/* How many bytes all names begin, or end, with alike; only whole words and folders are left away. */
static size_t alike(const struct wg_series *s, bool at_end) {
    const char *one = s->measured[0]->name;
    const char *parts = strchr(one, ' ') ? "/ " : "/-_"; /* options begin with a dash */
    size_t n = 0, whole = 0, length = strlen(one);
    for (; n < length; n++) {
        char c = at_end ? one[length - 1 - n] : one[n];
        for (uint32_t i = 1; i < s->n; i++) {
            const char *other = s->measured[i]->name;
            size_t l = strlen(other);
            if (n >= l || (at_end ? other[l - 1 - n] : other[n]) != c) return whole;
        }
        if (strchr(at_end ? ". " : parts, c)) whole = n + 1;
    }
    return 0; /* they are all the same */
}

static void name_all(struct wg_arena *a, struct wg_series *s) {
    size_t begin = alike(s, false), end = alike(s, true);
    s->label = WG_NEW_N(a, const char *, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        const char *name = s->measured[i]->name;
        size_t n = strlen(name);
        s->label[i] = n > begin + end ? wg_arena_strndup(a, name + begin, n - begin - end)
                                      : wg_arena_printf(a, "%u", i + 1);
        for (uint32_t j = 0; j < i; j++)
            if (!strcmp(s->label[i], s->label[j]))
                s->label[i] = wg_arena_printf(a, "%s (%u)", s->label[i], i + 1);
    }
}

struct wg_series wg_series_of(struct wg_arena *a, const struct wg_measured *const *measured, uint32_t n) {
    struct wg_series s = {.measured = measured, .n = n};
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        most += (uint32_t)measured[i]->kernels.n;
        s.gpu |= measured[i]->profiler;
    }
    s.kernels = WG_NEW_N(a, struct wg_series_kernel, most);
    for (uint32_t i = 0; i < n; i++) add_measured(a, &s, i);
    name_all(a, &s);
    return s;
}

/* ---- Figures ----------------------------------------------------------------------------------------------
 */

#define NONE UINT32_MAX

/* Where it was measured and where it changed; false: it is measured nowhere, or everywhere 0. */
static bool look(struct wg_series_row *r, uint32_t n) {
    bool any = false;
    r->first = NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (isnan(r->value[i])) continue;
        if (r->first == NONE)
            r->first = i;
        else if (fabs(r->value[i] - r->value[r->last]) >
                 1e-9 * fabs(r->value[r->last])) /* sums may be a bit apart */
            r->changed = i;
        r->last = i;
        any |= r->value[i] != 0;
    }
    return any;
}

static struct wg_series_row row_of(struct wg_arena *a, const struct wg_series *s, uint32_t kernel,
                                   const struct wg_metric *metric, size_t number) {
    struct wg_series_row r = {.metric = metric, .value = WG_NEW_N(a, double, s->n)};
    r.name = metric ? metric->name : s->gpu ? "time (Warpglass's: modelled)" : "time, modelled";
    for (uint32_t i = 0; i < s->n; i++) {
        const struct wg_measured_kernel *k = s->kernels[kernel].of[i];
        r.value[i] = !k ? NAN : metric ? k->value[number] : k->seconds;
    }
    return r;
}

struct wg_series_rows wg_series_rows(struct wg_arena *a, const struct wg_series *s, uint32_t kernel) {
    size_t n;
    const struct wg_metric *metrics = wg_metric_list(&n);
    struct wg_series_rows rows = {.v = WG_NEW_N(a, struct wg_series_row, n + 1)};
    for (size_t i = 0; i <= n; i++) {
        struct wg_series_row r = row_of(a, s, kernel, i < n ? &metrics[i] : NULL, i);
        if (!look(&r, s->n)) continue;
        if (r.changed || i == n)
            rows.v[rows.n++] = r;
        else
            rows.same++;
    }
    return rows;
}

enum wg_change wg_series_change(const struct wg_series *s, const struct wg_series_row *r, uint32_t from,
                                uint32_t to) {
    if (r->metric) return wg_compare_metric(r->metric, r->value[from], r->value[to], s->gpu);
    if (isnan(r->value[from]) || isnan(r->value[to])) return WG_CHANGE_ABSENT;
    return r->value[from] == r->value[to] ? WG_CHANGE_SAME : WG_CHANGE_OTHER;
}

const char *wg_series_text(struct wg_arena *a, const struct wg_series_row *r, double value) {
    if (isnan(value)) return "-";
    return r->metric ? wg_metric_text(a, r->metric, value) : wg_figure_time(a, value);
}
