/* Matches the kernels of two measurements, and finds what is better or worse: see compare.h. */
#include "report/compare.h"
#include "report/figure.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Matching ---------------------------------------------------------------------------------------------
 */

enum how { BY_NAME, BY_SHORT_NAME, BY_BARE_NAME, BY_ORDER };

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
static int partner(struct wg_arena *a, const struct wg_matches *m, const struct wg_measured *after,
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

static uint32_t left_over(const struct wg_matches *m) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++) n += !m->v[i].after;
    return n;
}

struct wg_matches wg_compare_match(struct wg_arena *a, const struct wg_measured *before,
                                   const struct wg_measured *after) {
    static const char *const reasons[] = {NULL, "matched by the name without arguments",
                                          "matched by the name alone",
                                          "matched as the only one left on both sides"};
    struct wg_matches m = {.n = before->kernels.n};
    m.v = WG_NEW_N(a, struct wg_match, before->kernels.n);
    m.taken = WG_NEW_N(a, bool, after->kernels.n);
    for (uint32_t i = 0; i < m.n; i++) m.v[i].before = &before->kernels.v[i];
    for (enum how how = BY_NAME; how <= BY_ORDER; how++) {
        if (how == BY_ORDER && left_over(&m) != 1) break;
        for (uint32_t i = 0; i < m.n; i++) {
            if (m.v[i].after) continue;
            int other = partner(a, &m, after, m.v[i].before->display, how);
            if (other < 0) continue;
            m.v[i].after = &after->kernels.v[other];
            m.v[i].reason = reasons[how];
            m.taken[other] = true;
        }
    }
    return m;
}

/* ---- Judging ----------------------------------------------------------------------------------------------
 */

static bool is_size_of_work(const struct wg_metric *m) {
    if (m->over >= 0) return false;
    return m->counter == WG_C_bytes_asked || m->counter == WG_C_ideal_sectors ||
           m->counter == WG_C_ideal_wavefronts;
}

enum wg_change wg_compare_metric(const struct wg_metric *m, double before, double after, bool against_gpu) {
    if (isnan(before) || isnan(after) || (before == 0 && after == 0)) return WG_CHANGE_ABSENT;
    if (fabs(after - before) <= 1e-9 * fabs(before)) return WG_CHANGE_SAME; /* sums come out a bit apart */
    if (against_gpu ? !m->exact : is_size_of_work(m)) return WG_CHANGE_OTHER;
    return (after < before) != m->more_is_better ? WG_CHANGE_BETTER : WG_CHANGE_WORSE;
}

const char *wg_compare_factor(struct wg_arena *a, double before, double after) {
    if (before == after) return "same";
    if (before == 0) return "new";
    if (after == 0) return "gone";
    double factor = after / before;
    if (fabs(factor - 1) < 5e-4) return factor < 1 ? "-<0.1 %" : "+<0.1 %";
    if (factor >= 0.5 && factor <= 2) return wg_arena_printf(a, "%+.3g %%", (factor - 1) * 100);
    return factor > 1 ? wg_arena_printf(a, "%.3g times", factor) : wg_arena_printf(a, "1 / %.3g", 1 / factor);
}

struct wg_compare_sum wg_compare_sum(struct wg_arena *a, const struct wg_match *m, bool against_gpu) {
    size_t n;
    const struct wg_metric *metrics = wg_metric_list(&n);
    struct wg_compare_sum t = {0};
    for (size_t i = 0; i < n; i++) {
        enum wg_change c =
            wg_compare_metric(&metrics[i], m->before->value[i], m->after->value[i], against_gpu);
        t.better += c == WG_CHANGE_BETTER;
        t.worse += c == WG_CHANGE_WORSE;
        t.same += c == WG_CHANGE_SAME && (metrics[i].exact || !against_gpu);
    }
    uint32_t differ = t.better + t.worse;
    if (!differ && !t.same)
        t.text = "The two have no exact counter in common.";
    else if (against_gpu)
        t.text = wg_arena_printf(a, "Of those that are exact, %u %s equal, %u differ.", t.same,
                                 t.same == 1 ? "is" : "are", differ);
    else if (!differ)
        t.text = "No counter changed.";
    else
        t.text =
            wg_arena_printf(a, "%s better, %u worse, %u are the same.",
                            wg_figure_plural(a, t.better, "counter is", "counters are"), t.worse, t.same);
    t.verdict = !differ && !t.same ? WG_VERDICT_NONE
                : against_gpu      ? (differ ? WG_VERDICT_NONE : WG_VERDICT_GOOD)
                : !t.worse         ? WG_VERDICT_GOOD
                : t.better         ? WG_VERDICT_NONE
                                   : WG_VERDICT_BAD;
    return t;
}
