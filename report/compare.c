/* See compare.h. */
#include "report/compare.h"
#include "report/figure.h"
#include "report/modelled.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum how { BY_NAME, BY_SHORT_NAME, BY_BARE_NAME, BY_ORDER, UNMATCHED };
struct match {
    const struct wg_measured_kernel *before, *after;
    enum how how;
};
struct matches {
    struct match *v;
    uint32_t n;
    bool *taken; /* of the kernels after */
};

/* ---- Matching ---------------------------------------------------------------------------------------------
 */

static const char *bare_name(struct wg_arena *a, const char *display) {
    const char *s = wg_short_name(a, display);
    s = wg_arena_strndup(a, s, strcspn(s, "<"));
    const char *colon = strrchr(s, ':');
    return colon ? colon + 1 : s;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* A whole name whose arguments' words are in one order, because tools spell types differently: both of
 * "void k(const int *)" and "void k(int const*)" give "k(* const int )". */
static const char *whole_name(struct wg_arena *a, const char *display) {
    enum { MOST = 16 };
    const char *name = wg_short_name(a, display), *at = strstr(display, name) + strlen(name);
    struct wg_strbuf b = {0};
    wg_strbuf_puts(&b, name);
    while (*at) {
        char *word[MOST];
        size_t n = 0;
        while (*at && *at != ',' && n < MOST) {
            size_t len = isalnum((unsigned char)*at) || *at == '_' ? strcspn(at, " ,*&()<>") : 1;
            if (*at != ' ') word[n++] = wg_arena_strndup(a, at, len);
            at += len;
        }
        qsort(word, n, sizeof *word, by_text);
        for (size_t i = 0; i < n; i++) wg_strbuf_printf(&b, "%s ", word[i]);
        if (*at == ',') at++;
        wg_strbuf_puts(&b, ",");
    }
    const char *text = wg_arena_strdup(a, b.s);
    wg_strbuf_free(&b);
    return text;
}

static const char *name_for(struct wg_arena *a, const char *display, enum how how) {
    if (how == BY_NAME) return whole_name(a, display);
    return how == BY_SHORT_NAME ? wg_short_name(a, display) : bare_name(a, display);
}

/* The only kernel left after that this name means, or -1. */
static int partner(struct wg_arena *a, const struct matches *m, const struct wg_measured *after,
                   const char *display, enum how how) {
    int found = -1;
    for (uint32_t i = 0; i < after->kernels.n; i++) {
        if (m->taken[i]) continue;
        if (how != BY_ORDER &&
            strcmp(name_for(a, display, how), name_for(a, after->kernels.v[i].display, how)) != 0)
            continue;
        if (found >= 0) return -1;
        found = (int)i;
    }
    return found;
}

static uint32_t left_over(const struct matches *m) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++) n += m->v[i].how == UNMATCHED;
    return n;
}

static struct matches match_kernels(struct wg_arena *a, const struct wg_measured *before,
                                    const struct wg_measured *after) {
    struct matches m = {.n = before->kernels.n};
    m.v = WG_NEW_N(a, struct match, before->kernels.n);
    m.taken = WG_NEW_N(a, bool, after->kernels.n);
    for (uint32_t i = 0; i < m.n; i++)
        m.v[i] = (struct match){.before = &before->kernels.v[i], .how = UNMATCHED};
    for (enum how how = BY_NAME; how <= BY_ORDER; how++) {
        if (how == BY_ORDER && left_over(&m) != 1) break;
        for (uint32_t i = 0; i < m.n; i++) {
            if (m.v[i].how != UNMATCHED) continue;
            int other = partner(a, &m, after, m.v[i].before->display, how);
            if (other < 0) continue;
            m.v[i].after = &after->kernels.v[other];
            m.v[i].how = how;
            m.taken[other] = true;
        }
    }
    return m;
}

/* ---- Writing ----------------------------------------------------------------------------------------------
 */

enum { NAME = 36, VALUE = 15, CHANGE = 14 };

static void cell(const struct wg_paint *p, enum wg_ink ink, int width, const char *text) {
    int pad = width - wg_columns(text);
    wg_paint(p, WG_INK_PLAIN, "%*s", pad > 0 ? pad : 1, "");
    wg_paint(p, ink, "%s", text);
}

static const char *change_of(struct wg_arena *a, double before, double after) {
    if (before == after) return "same";
    if (before == 0) return "new";
    if (after == 0) return "gone";
    double factor = after / before;
    if (factor >= 0.5 && factor <= 2) return wg_arena_printf(a, "%+.3g %%", (factor - 1) * 100);
    return factor > 1 ? wg_arena_printf(a, "%.3g times", factor) : wg_arena_printf(a, "1 / %.3g", 1 / factor);
}

static bool is_size_of_work(const struct wg_metric *m) {
    return m->counter == WG_C_bytes_asked || m->counter == WG_C_ideal_sectors ||
           m->counter == WG_C_ideal_wavefronts;
}

struct tally {
    uint32_t better, worse, same;
};

static void metric_row(const struct wg_paint *p, struct wg_arena *a, const struct wg_metric *m, double before,
                       double after, bool against_gpu, enum wg_ink ink) {
    wg_paint(p, WG_INK_PLAIN, "  %-*s", NAME - 2,
             against_gpu && !m->exact ? wg_arena_printf(a, "%s (of the PTX)", m->name) : m->name);
    cell(p, WG_INK_PLAIN, VALUE, wg_metric_text(a, m, before));
    cell(p, WG_INK_PLAIN, VALUE, wg_metric_text(a, m, after));
    cell(p, ink, CHANGE, change_of(a, before, after));
    wg_paint(p, WG_INK_PLAIN, "\n");
}

/* Of two runs what changed; against a GPU everything that both have, of which only exact counters can be
 * wrong. */
static struct tally metric_rows(const struct wg_paint *p, struct wg_arena *a, const struct match *m,
                                bool against_gpu) {
    size_t n;
    const struct wg_metric *metrics = wg_metric_list(&n);
    struct tally t = {0};
    for (size_t i = 0; i < n; i++) {
        double before = m->before->value[i], after = m->after->value[i];
        if (isnan(before) || isnan(after) || (before == 0 && after == 0)) continue;
        bool differs = before != after, good = (after < before) != metrics[i].more_is_better;
        bool judged = differs && (against_gpu ? metrics[i].exact : !is_size_of_work(&metrics[i]));
        t.better += judged && good;
        t.worse += judged && !good;
        t.same += !differs && (metrics[i].exact || !against_gpu);
        if (!differs && !against_gpu) continue;
        metric_row(p, a, &metrics[i], before, after, against_gpu,
                   !judged       ? WG_INK_FAINT
                   : against_gpu ? WG_INK_MARK
                   : good        ? WG_INK_GOOD
                                 : WG_INK_BAD);
    }
    return t;
}

static void time_row(const struct wg_paint *p, struct wg_arena *a, const struct match *m, bool against_gpu) {
    double before = m->before->seconds, after = m->after->seconds;
    if (isnan(before) || isnan(after)) return;
    wg_paint(p, WG_INK_PLAIN, "  %-*s", NAME - 2,
             against_gpu ? "time (Warpglass's is a model)" : "time, modelled");
    cell(p, WG_INK_PLAIN, VALUE, wg_figure_time(a, before));
    cell(p, WG_INK_PLAIN, VALUE, wg_figure_time(a, after));
    cell(p, WG_INK_FAINT, CHANGE, change_of(a, before, after));
    wg_paint(p, WG_INK_PLAIN, "\n");
}

static void compare_kernel(const struct wg_paint *p, struct wg_arena *a, const struct match *m,
                           bool against_gpu) {
    struct tally t = metric_rows(p, a, m, against_gpu);
    time_row(p, a, m, against_gpu);
    uint32_t differ = t.better + t.worse;
    if (!differ && !t.same) {
        wg_paint_wrapped(p, 2, WG_INK_MARK, "The two have no exact counter in common.");
        return;
    }
    const char *sum = against_gpu ? wg_arena_printf(a, "Of those that are exact, %u %s equal, %u differ.",
                                                    t.same, t.same == 1 ? "is" : "are", differ)
                      : !differ   ? "No counter changed."
                                  : wg_arena_printf(a, "%s better, %u worse, %u are the same.",
                                                    wg_figure_plural(a, t.better, "counter is", "counters are"),
                                                    t.worse, t.same);
    enum wg_ink ink = against_gpu ? (differ ? WG_INK_MARK : WG_INK_GOOD)
                      : !t.worse  ? WG_INK_GOOD
                      : t.better  ? WG_INK_MARK
                                  : WG_INK_BAD;
    wg_paint_wrapped(p, 2, ink, sum);
}

static void say_match(const struct wg_paint *p, struct wg_arena *a, const struct match *m) {
    static const char *const why[] = {"", "matched by the name without arguments",
                                      "matched by the name alone",
                                      "matched because it is the only one left on both sides"};
    wg_paint(p, WG_INK_PLAIN, "\n");
    wg_paint_wrapped(p, 0, WG_INK_BOLD, m->before->display);
    if (m->how != BY_NAME)
        wg_paint_wrapped(p, 2, WG_INK_FAINT,
                         wg_arena_printf(a, "with %s (%s)", m->after->display, why[m->how]));
    if (m->before->launches != m->after->launches)
        wg_paint_wrapped(p, 2, WG_INK_MARK,
                         wg_arena_printf(a, "Sums of %s before and %s after.",
                                         wg_figure_plural(a, m->before->launches, "launch", "launches"),
                                         wg_figure_plural(a, m->after->launches, "launch", "launches")));
}

void wg_compare_text(struct wg_paint *p, struct wg_arena *a, const struct wg_measured *before,
                     const struct wg_measured *after) {
    struct matches m = match_kernels(a, before, after);
    bool gpu = before->profiler || after->profiler;
    wg_paint(p, WG_INK_BOLD, "%-*s", NAME, "");
    cell(p, WG_INK_BOLD, VALUE, before->profiler ? "GPU" : gpu ? "Warpglass" : "before");
    cell(p, WG_INK_BOLD, VALUE, after->profiler ? "GPU" : gpu ? "Warpglass" : "after");
    cell(p, WG_INK_BOLD, CHANGE, gpu ? "difference" : "change");
    wg_paint(p, WG_INK_PLAIN, "\n");
    for (uint32_t i = 0; i < m.n; i++) {
        if (m.v[i].how == UNMATCHED) continue;
        say_match(p, a, &m.v[i]);
        compare_kernel(p, a, &m.v[i], gpu);
    }
    for (uint32_t i = 0; i < m.n; i++)
        if (m.v[i].how == UNMATCHED)
            wg_paint_wrapped(p, 0, WG_INK_MARK,
                             wg_arena_printf(a, "Only in %s: %s", before->name, m.v[i].before->display));
    for (uint32_t i = 0; i < after->kernels.n; i++)
        if (!m.taken[i])
            wg_paint_wrapped(p, 0, WG_INK_MARK,
                             wg_arena_printf(a, "Only in %s: %s", after->name, after->kernels.v[i].display));
}
