/* See explain.h. */
#include "report/explain.h"
#include "base/suggestion.h"
#include "model/time.h"
#include "report/metric.h"
#include <ctype.h>
#include <string.h>

/* The pages of findings, as they are in docs/check. */
#define PAGE(id, name)                                                                                       \
    __asm__(".section .rodata\n.hidden wg_page_" #id "\n.global wg_page_" #id "\nwg_page_" #id               \
            ":\n.incbin \"" WG_PAGES "/" name ".md\"\n.byte 0\n.previous\n");                                \
    extern const char wg_page_##id[];
#define KIND(id, name, check, title) PAGE(id, name)
#include "check/kinds.def"

static const char *const pages[WG_FINDING_KINDS] = {
#define KIND(id, name, check, title) wg_page_##id,
#include "check/kinds.def"
};

static const struct {
    const char *name, *what, *how;
} advice[] = {
#define KIND(name, what, how) {#name, what, how},
#include "report/advice/kinds.def"
};
enum { ADVICE = sizeof advice / sizeof *advice };

/* ---- One name ---------------------------------------------------------------------------------------------
 */

static bool explain_advice(const struct wg_paint *p, const char *name) {
    for (int i = 0; i < ADVICE; i++) {
        if (strcmp(name, advice[i].name) != 0) continue;
        wg_paint(p, WG_INK_BOLD, "%s", name);
        wg_paint(p, WG_INK_FAINT, " (advice of \"warpglass profile\")\n");
        wg_paint_wrapped(p, 2, WG_INK_PLAIN, advice[i].what);
        wg_paint_wrapped(p, 2, WG_INK_GOOD, advice[i].how);
        wg_paint_wrapped(p, 2, WG_INK_FAINT,
                         "It is only given if the access shown becomes cheaper and the modelled time falls.");
        return true;
    }
    return false;
}

static bool explain_finding(const struct wg_paint *p, const char *name) {
    for (int i = 0; i < WG_FINDING_KINDS; i++) {
        const struct wg_finding_info *f = wg_finding_info((enum wg_finding_kind)i);
        if (strcmp(name, f->name) != 0) continue;
        wg_paint(p, WG_INK_BOLD, "%s", name);
        wg_paint(p, WG_INK_FAINT, " (a finding of \"warpglass check\", %s)\n\n", wg_check_name(f->check));
        wg_paint(p, WG_INK_PLAIN, "%s", pages[i]);
        return true;
    }
    return false;
}

static bool explain_figure(const struct wg_paint *p, struct wg_arena *a, const char *name) {
    struct wg_metric m;
    if (!wg_metric_find(name, &m)) return false;
    wg_paint(p, WG_INK_BOLD, "%s", m.name);
    wg_paint(p, WG_INK_FAINT, " (a figure of \"warpglass profile\", in %s)\n", m.unit);
    wg_paint_wrapped(p, 2, WG_INK_PLAIN,
                     wg_arena_printf(a, "%c%s.", toupper((unsigned char)m.meaning[0]), m.meaning + 1));
    wg_paint_wrapped(p, 2, WG_INK_PLAIN,
                     m.of ? "It is counted for whole kernels, not for lines."
                     : m.exact
                         ? "Equal to the hardware's if the kernel's instructions are those of the hardware."
                         : "Computed from the PTX; the hardware runs what the assembler makes of it.");
    if (m.profiler)
        wg_paint_wrapped(p, 2, WG_INK_PLAIN, wg_arena_printf(a, "Nsight Compute: %s", m.profiler));
    wg_paint_wrapped(p, 2, WG_INK_FAINT,
                     wg_arena_printf(a, "A budget: --expect 'KERNEL: %s <= NUMBER'", m.name));
    return true;
}

static bool explain_part(const struct wg_paint *p, struct wg_arena *a, const char *name) {
    for (int i = 0; i < WG_TIME_PART_COUNT; i++) {
        if (strcmp(name, wg_time_part_names[i]) != 0) continue;
        wg_paint(p, WG_INK_BOLD, "%s", name);
        wg_paint(p, WG_INK_FAINT, " (a part of the time model)\n");
        wg_paint_wrapped(p, 2, WG_INK_PLAIN,
                         wg_arena_printf(a, "When it takes the longest: %s.", wg_time_part_meanings[i]));
        return true;
    }
    return false;
}

const char *wg_explain_page(enum wg_finding_kind kind) { return pages[kind]; }

bool wg_explain(const struct wg_paint *p, struct wg_arena *a, const char *name) {
    size_t before = p->out->n;
    bool known = explain_advice(p, name) || explain_finding(p, name);
    struct wg_strbuf more = {0};
    struct wg_paint q = *p;
    q.out = &more;
    if (explain_figure(&q, a, name) || explain_part(&q, a, name)) { /* "divergent_branches" is advice, too */
        if (p->out->n > before) wg_strbuf_puts(p->out, "\n");
        wg_strbuf_puts(p->out, more.s);
        known = true;
    }
    wg_strbuf_free(&more);
    return known;
}

/* ---- All names --------------------------------------------------------------------------------------------
 */

static void list_one(const struct wg_paint *p, const char *name, const char *what) {
    enum { NAME = 24 };
    int left = p->width - NAME - 4;
    const char *dots = wg_columns(what) <= left ? "" : p->plain ? "..." : "…";
    wg_paint(p, WG_INK_BOLD, "  %-*s", NAME, name);
    wg_paint(p, WG_INK_PLAIN, "  %.*s%s\n", (int)wg_fitting(what, left - wg_columns(dots)), what, dots);
}

void wg_explain_list(const struct wg_paint *p) {
    wg_paint(p, WG_INK_FAINT, "Advice of \"warpglass profile\"\n");
    for (int i = 0; i < ADVICE; i++) list_one(p, advice[i].name, advice[i].how);
    wg_paint(p, WG_INK_FAINT, "\nWhat bounds a kernel\n");
    for (int i = 0; i < WG_TIME_PART_COUNT; i++) list_one(p, wg_time_part_names[i], wg_time_part_meanings[i]);
    wg_paint(p, WG_INK_FAINT, "\nFindings of \"warpglass check\"\n");
    for (int i = 0; i < WG_FINDING_KINDS; i++) {
        const struct wg_finding_info *f = wg_finding_info((enum wg_finding_kind)i);
        list_one(p, f->name, f->title);
    }
    wg_paint(p, WG_INK_FAINT, "\nFigures: \"warpglass profile --counters\" lists them.\n");
}

const char *wg_explain_near(struct wg_arena *a, const char *name) {
    const char **names = WG_NEW_N(a, const char *, ADVICE + WG_FINDING_KINDS + WG_TIME_PART_COUNT + 1);
    uint32_t n = 0;
    for (int i = 0; i < ADVICE; i++) names[n++] = advice[i].name;
    for (int i = 0; i < WG_FINDING_KINDS; i++) names[n++] = wg_finding_info((enum wg_finding_kind)i)->name;
    for (int i = 0; i < WG_TIME_PART_COUNT; i++) names[n++] = wg_time_part_names[i];
    names[n] = NULL;
    const char *near = wg_suggestion(name, names);
    return near ? near : wg_metric_near(name);
}
