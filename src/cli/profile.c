/* `warpglass profile`: runs a program and counts (or reads a report of before), then writes the report: to
 * standard output for a person, and to the files that --html, --json and --csv name. Expectations are read
 * before the program runs, so that a mistyped one costs nothing, and checked when it has ended. */
#include "base/suggestion.h"
#include "cli/commands.h"
#include "cli/obtain.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "report/annotation.h"
#include "report/expect.h"
#include "report/gcc_lines.h"
#include "report/names.h"
#include "report/overview.h"
#include "report/source_root.h"
#include "report/text.h"
#include "report/trace.h"
#include "report/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_BROKEN = 3 };
#define NONE UINT32_MAX

/* ---- Files ------------------------------------------------------------------------------------------------
 */

struct reporting {
    const struct wg_cmdline *c;
    struct wg_arena arena;
    struct wg_expectations expectations;
    struct wg_profile *profile;
    struct wg_summaries summaries; /* in the order of their first launches, as files have them */
    struct wg_summaries shown;     /* the same as --sort says */
    struct wg_sources sources;
    const char *root; /* where names in files start; NULL: as the compiler has them */
    enum wg_order order;
    uint32_t top; /* NONE: as many as fit */
    bool gcc;     /* lines for an editor, in place of the text */
};

static bool write_data(struct reporting *r) {
    const char *json = wg_cmdline_value(r->c, WG_CLI_REPORT_JSON),
               *csv = wg_cmdline_value(r->c, WG_CLI_REPORT_CSV);
    const char *trace = wg_cmdline_value(r->c, WG_CLI_REPORT_TRACE);
    struct wg_strbuf text = {0}, why = {0};
    bool good = true;
    if (json) {
        wg_write_json(&text, &r->arena, r->profile, &r->summaries, &r->sources,
                      wg_cmdline_has(r->c, WG_CLI_SHOW_SASS));
        good &= wg_obtain_write(json, &text);
    }
    if (csv) {
        wg_write_csv(&text, &r->summaries);
        good &= wg_obtain_write(csv, &text);
    }
    if (trace && !wg_write_trace(&text, &r->arena, r->profile, &why)) {
        wg_say("--trace: %s", why.s);
        wg_strbuf_free(&why);
        good = false;
    } else if (trace) {
        good &= wg_obtain_write(trace, &text);
    }
    return good;
}

static bool write_page(struct reporting *r) {
    const char *html = wg_cmdline_value(r->c, WG_CLI_REPORT_HTML);
    struct wg_strbuf text = {0};
    if (!html) return true;
    wg_write_html(&text, &r->arena, r->profile, &r->shown, &r->sources, r->order,
                  wg_cmdline_has(r->c, WG_CLI_SHOW_SASS));
    return wg_obtain_write(html, &text);
}

/* ---- Expectations -----------------------------------------------------------------------------------------
 */

static bool read_expectations(struct reporting *r) {
    struct wg_strbuf why = {0};
    bool good = true;
    for (uint32_t i = 0; good && i < r->c->items.n; i++) {
        const struct wg_item *item = &r->c->items.v[i];
        if (item->option == WG_CLI_EXPECT)
            good = wg_expect_add(&r->arena, &r->expectations, item->value, "--expect", &why);
        if (item->option == WG_CLI_BUDGET)
            good = wg_expect_read(&r->arena, &r->expectations, item->value, &why);
    }
    if (!good) wg_say("%s", why.s);
    wg_strbuf_free(&why);
    return good;
}

static bool check_expectations(struct reporting *r) {
    struct wg_broken_list broken = {0};
    struct wg_strbuf annotations = {0};
    uint32_t n = r->expectations.all.n;
    wg_expect_check(&r->arena, &r->expectations, &r->summaries, &broken);
    struct wg_strbuf lines = {0};
    if (r->gcc)
        wg_gcc_broken(&lines, &broken);
    else
        for (uint32_t i = 0; i < broken.all.n; i++) wg_say("%s", broken.all.v[i].text);
    wg_terminal_print(&lines);
    wg_strbuf_free(&lines);
    wg_annotate_broken(&annotations, &r->arena, r->root, &broken);
    wg_obtain_annotate(&annotations);
    bool good = !broken.all.n;
    if (n && good) wg_say_verbose("all of %u expectations hold", n);
    wg_broken_free(&broken);
    return good;
}

/* ---- What is shown ----------------------------------------------------------------------------------------
 */

/* --sort and --top. */
static bool read_view(struct reporting *r) {
    const char *sort = wg_cmdline_value(r->c, WG_CLI_SORT), *top = wg_cmdline_value(r->c, WG_CLI_TOP);
    char *end;
    r->top = NONE;
    for (r->order = 0; sort && r->order < WG_ORDER_COUNT; r->order++)
        if (!strcmp(sort, wg_order_words[r->order])) break;
    if (r->order == WG_ORDER_COUNT) {
        const char *near = wg_suggestion(sort, wg_order_words);
        wg_say("--sort %s: kernels are sorted by time, launches, instructions, sectors, conflicts, name or "
               "first%s%s%s",
               sort, near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
        return false;
    }
    const char *from_start = wg_cmdline_value(r->c, WG_CLI_FROM_START);
    if (from_start && strcmp(from_start, "on") != 0 && strcmp(from_start, "off") != 0) {
        wg_say("--profile-from-start %s: expected on or off", from_start);
        return false;
    }
    if (!top) return true;
    unsigned long n = strtoul(top, &end, 10);
    if (*top < '0' || *top > '9' || *end || n >= NONE) {
        wg_say("--top %s: expected a number of kernels, such as 5; 0 shows the overview alone", top);
        return false;
    }
    r->top = (uint32_t)n;
    return true;
}

/* ---- The command ------------------------------------------------------------------------------------------
 */

static int list_counters(void) {
    size_t n;
    const struct wg_metric *m = wg_metric_list(&n);
    struct wg_strbuf text = {0};
    struct wg_arena arena = {0};
    struct wg_paint p = {.out = &text, .width = wg_terminal_width(), .colour = wg_terminal_has_colour()};
    for (size_t i = 0; i < n; i++) {
        wg_paint(&p, WG_INK_BOLD, "%s\n", m[i].name);
        wg_paint_wrapped(&p, 4, WG_INK_PLAIN,
                         wg_arena_printf(&arena, "%s%s", m[i].meaning,
                                         m[i].exact || m[i].of ? "" : " (counted on the PTX)"));
        if (m[i].profiler)
            wg_paint_wrapped(&p, 4, WG_INK_FAINT,
                             wg_arena_printf(&arena, "Nsight Compute: %s", m[i].profiler));
    }
    bool good = wg_terminal_print(&text);
    wg_strbuf_free(&text);
    wg_arena_free(&arena);
    return good ? 0 : 1;
}

/* What there would have been to choose: the first few kernels, and how many there are. */
static void say_launches(const struct reporting *r) {
    enum { FEW = 8, NAME = 100 };
    uint32_t kernels = 0;
    for (uint32_t i = 0; i < r->profile->kernel_count; i++) {
        const struct wg_profile_kernel *k = &r->profile->kernels[i];
        if (!k->launch_count || kernels++ >= FEW) continue;
        wg_say("  %.*s%s, launches %u to %u", NAME, k->display, strlen(k->display) > NAME ? "..." : "",
               k->launches[0].index, k->launches[k->launch_count - 1].index);
    }
    if (kernels > FEW) wg_say("  and %u more, of %u kernels in all", kernels - FEW, kernels);
}

/* Nothing to show is never an empty report. */
static bool say_empty(const struct reporting *r, const struct wg_choice *choice) {
    if (r->summaries.n || r->profile->library_count) return false;
    bool killed = !strcmp(r->profile->ended, "signal") || !strcmp(r->profile->ended, "running");
    if (!r->profile->kernel_count && r->profile->note)
        wg_say("%s: %s", r->profile->program, r->profile->note);
    else if (!r->profile->kernel_count && killed)
        wg_say("%s was stopped before any kernel had finished, so there is nothing to report",
               r->profile->program);
    else if (!r->profile->kernel_count)
        wg_say("%s launched no kernel, so there is nothing to report", r->profile->program);
    else if (choice->kernel)
        wg_say("no kernel matches --kernel '%s'%s; the launches were:", choice->kernel,
               choice->first || choice->last != UINT32_MAX ? " and --launches" : "");
    else
        wg_say("no launch has these numbers; the launches were:");
    say_launches(r);
    return true;
}

/* How much a screen takes: all of a few kernels, of many the overview. */
static void set_size(const struct reporting *r, struct wg_text_options *o) {
    enum { FEW = 8, ROWS = 20 };
    o->detailed = r->top != NONE ? r->top : r->summaries.n <= FEW ? FEW : 0;
    o->rows = r->top != NONE && r->top > ROWS ? r->top : ROWS;
    if (r->summaries.n == ROWS + 1) o->rows++; /* the line that stands for one more takes as much */
    o->order = r->order;
}

static bool show(struct reporting *r, const struct wg_choice *choice) {
    struct wg_strbuf text = {0}, why = {0};
    if (!wg_summarise(&r->arena, r->profile, choice, &r->summaries, &why)) {
        wg_say("--kernel: %s", why.s);
        wg_strbuf_free(&why);
        return false;
    }
    if (choice->kernel) r->profile->library_count = 0; /* they are none that have been chosen */
    bool idle = r->c->of_rank && !r->profile->kernel_count && !r->profile->note;
    if (!idle && say_empty(r, choice)) return false;
    wg_sources_init(&r->sources, &r->arena, r->profile);
    r->sources.root = r->root;
    wg_name_memory(&r->arena, r->profile, &r->sources);
    struct wg_text_options o = {.width = wg_terminal_width(),
                                .colour = wg_terminal_has_colour(),
                                .plain = wg_terminal_is_plain(),
                                .all_lines = wg_cmdline_has(r->c, WG_CLI_ALL_LINES),
                                .ptx = wg_cmdline_has(r->c, WG_CLI_SHOW_PTX),
                                .sass = wg_cmdline_has(r->c, WG_CLI_SHOW_SASS),
                                .full_names = wg_cmdline_has(r->c, WG_CLI_FULL_NAMES)};
    set_size(r, &o);
    r->shown = (struct wg_summaries){WG_NEW_N(&r->arena, struct wg_summary, r->summaries.n), r->summaries.n};
    memcpy(r->shown.v, r->summaries.v, r->shown.n * sizeof *r->shown.v);
    if (r->gcc)
        wg_gcc_advice(&text, &r->arena, &r->shown, &r->sources);
    else
        wg_text_report(&text, &r->arena, r->profile, &r->shown, &r->sources, &o);
    bool good = wg_terminal_print(&text);
    wg_strbuf_free(&text);
    return good;
}

static bool write(struct reporting *r) {
    bool fresh = !*r->profile->path; /* a report of before has the names that it was written with */
    if (fresh) wg_source_root_profile(r->root, r->profile, &r->summaries, &r->sources);
    bool good = write_data(r);
    return write_page(r) && good;
}

/* The exit status, of a program that ended with `status`. */
static int report(struct reporting *r, const struct wg_choice *choice, int status) {
    bool good = show(r, choice);
    bool kept = check_expectations(r);
    if (good) good = write(r);
    return status ? status : !good ? 1 : !kept ? STATUS_BROKEN : 0;
}

int wg_command_profile(const struct wg_cmdline *c) {
    struct reporting r = {.c = c};
    struct wg_choice choice;
    uint32_t files;
    int status = 2;
    if (wg_cmdline_has(c, WG_CLI_COUNTERS)) return list_counters();
    const char *file = wg_obtain_single(c, &files);
    if (!files) {
        wg_say("which program? \"warpglass profile FILE.cu\"");
    } else if (wg_obtain_check_files(c) && wg_obtain_choice(c, &choice) && read_view(&r) &&
               wg_obtain_root(c, &r.arena, &r.root) && wg_obtain_format(c, &r.gcc) && read_expectations(&r)) {
        status = 1;
        struct wg_processes several = {0};
        if (wg_obtain_may_write(c)) r.profile = wg_obtain(&r.arena, c, file, &status, &several);
        if (r.profile) status = report(&r, &choice, status);
        if (several.n > 1) status = wg_processes_report(c, wg_command_profile, &several, status);
    }
    wg_expect_free(&r.expectations);
    wg_arena_free(&r.arena);
    return status;
}
