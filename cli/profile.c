/* `warpglass profile`: runs a program and counts (or reads a report of before), then writes the report: to
 * standard output for a person, and to the files that --html, --json and --csv name. Expectations are read
 * before the program runs, so that a mistyped one costs nothing, and checked when it has ended. */
#include "cli/commands.h"
#include "cli/obtain.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "report/expect.h"
#include "report/names.h"
#include "report/text.h"
#include "report/trace.h"
#include "report/write.h"

#include <stdio.h>
#include <string.h>

enum { STATUS_BROKEN = 3 };

/* ---- Files ------------------------------------------------------------------------------------------------
 */

struct reporting {
    const struct wg_cmdline *c;
    struct wg_arena arena;
    struct wg_expectations expectations;
    struct wg_profile *profile;
    struct wg_summaries summaries;
    struct wg_sources sources;
};

static bool write_files(struct reporting *r) {
    const char *json = wg_cmdline_value(r->c, WG_CLI_REPORT_JSON),
               *csv = wg_cmdline_value(r->c, WG_CLI_REPORT_CSV);
    const char *html = wg_cmdline_value(r->c, WG_CLI_REPORT_HTML);
    const char *trace = wg_cmdline_value(r->c, WG_CLI_REPORT_TRACE);
    struct wg_strbuf text = {0}, why = {0};
    bool good = true;
    if (json) {
        wg_write_json(&text, &r->arena, r->profile, &r->summaries, &r->sources);
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
    if (html) {
        wg_write_html(&text, &r->arena, r->profile, &r->summaries, &r->sources);
        good &= wg_obtain_write(html, &text);
    }
    return good;
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
    struct wg_strbuf said = {0};
    uint32_t n = r->expectations.all.n;
    uint32_t broken = wg_expect_check(&r->arena, &r->expectations, &r->summaries, &said);
    for (char *line = said.s, *end; line && *line; line = end + 1) {
        end = strchr(line, '\n');
        wg_say("%.*s", (int)(end - line), line);
    }
    if (n && !broken) wg_say_verbose("all of %u expectations hold", n);
    wg_strbuf_free(&said);
    return !broken;
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
        wg_paint_wrapped(
            &p, 4, WG_INK_PLAIN,
            wg_arena_printf(&arena, "%s%s", m[i].meaning, m[i].exact ? "" : " (counted on the PTX)"));
        if (m[i].profiler)
            wg_paint_wrapped(&p, 4, WG_INK_FAINT,
                             wg_arena_printf(&arena, "Nsight Compute: %s", m[i].profiler));
    }
    bool good = wg_terminal_print(&text);
    wg_strbuf_free(&text);
    wg_arena_free(&arena);
    return good ? 0 : 1;
}

/* Nothing to show is never an empty report. */
static bool say_empty(const struct reporting *r, const struct wg_choice *choice) {
    if (r->summaries.n) return false;
    bool killed = !strcmp(r->profile->ended, "signal") || !strcmp(r->profile->ended, "running");
    if (!r->profile->kernel_count && killed)
        wg_say("%s was ended before any kernel had finished, so there is nothing to report",
               r->profile->program);
    else if (!r->profile->kernel_count)
        wg_say("%s launched no kernel, so there is nothing to report", r->profile->program);
    else if (choice->kernel)
        wg_say("no kernel matches --kernel '%s'%s; launched were:", choice->kernel,
               choice->first || choice->last != UINT32_MAX ? " and --launches" : "");
    else
        wg_say("no launch has these numbers; launched were:");
    for (uint32_t i = 0; i < r->profile->kernel_count; i++) {
        const struct wg_profile_kernel *k = &r->profile->kernels[i];
        if (k->launch_count)
            wg_say("  %s, launches %u to %u", k->display, k->launches[0].index,
                   k->launches[k->launch_count - 1].index);
    }
    return true;
}

static bool report(struct reporting *r, const struct wg_choice *choice) {
    struct wg_strbuf text = {0}, why = {0};
    if (!wg_summarise(&r->arena, r->profile, choice, &r->summaries, &why)) {
        wg_say("--kernel: %s", why.s);
        wg_strbuf_free(&why);
        return false;
    }
    if (say_empty(r, choice)) return false;
    wg_sources_init(&r->sources, &r->arena, r->profile);
    wg_name_memory(&r->arena, r->profile, &r->sources);
    struct wg_text_options o = {.width = wg_terminal_width(),
                                .colour = wg_terminal_has_colour(),
                                .plain = wg_terminal_is_plain(),
                                .all_lines = wg_cmdline_has(r->c, WG_CLI_ALL_LINES)};
    wg_text_report(&text, &r->arena, r->profile, &r->summaries, &r->sources, &o);
    bool good = wg_terminal_print(&text);
    wg_strbuf_free(&text);
    return write_files(r) && good;
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
    } else if (wg_obtain_check_files(c) && wg_obtain_choice(c, &choice) && read_expectations(&r)) {
        r.profile = wg_obtain(&r.arena, c, file, &status);
        if (r.profile && !report(&r, &choice) && !status) status = 1;
        if (r.profile && !check_expectations(&r) && !status) status = STATUS_BROKEN;
    }
    wg_expect_free(&r.expectations);
    wg_arena_free(&r.arena);
    return status;
}
