/* `warpglass merge`: the JSON reports of a job's ranks as one report. The first file is that of rank 0. */
#include "cli/merge.h"
#include "cli/commands.h"
#include "cli/obtain.h"
#include "cli/say.h"
#include "cli/terminal.h"

/* The option of this command, or NULL. */
static const char *file(const struct wg_cmdline *c, enum wg_option of_merge, enum wg_option of_profile,
                        enum wg_option of_check) {
    return wg_cmdline_value(c, c->command == WG_CMD_MERGE   ? of_merge
                               : c->command == WG_CMD_CHECK ? of_check
                                                            : of_profile);
}

static bool write_files(const struct wg_cmdline *c, struct wg_arena *a, const struct wg_merge *m,
                        const char *const *sarifs) {
    const char *json = file(c, WG_CLI_MERGE_JSON, WG_CLI_REPORT_JSON, WG_CLI_CHECK_JSON),
               *html = file(c, WG_CLI_MERGE_HTML, WG_CLI_REPORT_HTML, WG_CLI_REPORT_HTML),
               *junit = file(c, WG_CLI_MERGE_JUNIT, WG_CLI_CHECK_JUNIT, WG_CLI_CHECK_JUNIT),
               *sarif = sarifs ? wg_cmdline_value(c, WG_CLI_CHECK_SARIF) : NULL;
    struct wg_strbuf text = {0};
    bool good = true;
    if (json) {
        wg_merge_json(&text, m);
        good &= wg_obtain_write(json, &text);
    }
    if (html) {
        wg_merge_html(&text, a, m);
        good &= wg_obtain_write(html, &text);
    }
    if (junit) {
        wg_merge_junit(&text, a, m);
        good &= wg_obtain_write(junit, &text);
    }
    if (sarif && wg_merge_sarif(&text, a, m, sarifs)) {
        good &= wg_obtain_write(sarif, &text);
    } else if (sarif) {
        wg_say("--sarif %s: not written, because no rank left its findings", sarif);
        good = false;
    }
    return good;
}

/* It is made of all reports: one's own would be another's. */
static bool is_file(enum wg_option o) {
    return o == WG_CLI_REPORT_JSON || o == WG_CLI_REPORT_HTML || o == WG_CLI_CHECK_JSON ||
           o == WG_CLI_CHECK_SARIF || o == WG_CLI_CHECK_JUNIT;
}

struct wg_cmdline wg_merge_own(const struct wg_cmdline *c, const char *json, const char *sarif) {
    struct wg_cmdline own = {.command = c->command, .program_args = c->program_args, .of_rank = true};
    for (uint32_t i = 0; i < c->items.n; i++)
        if (!is_file(c->items.v[i].option)) *WG_PUSH(&own.items) = c->items.v[i];
    enum wg_option o = c->command == WG_CMD_PROFILE ? WG_CLI_REPORT_JSON : WG_CLI_CHECK_JSON;
    *WG_PUSH(&own.items) = (struct wg_item){o, "--json", json};
    if (wg_cmdline_has(c, WG_CLI_CHECK_SARIF))
        *WG_PUSH(&own.items) = (struct wg_item){WG_CLI_CHECK_SARIF, "--sarif", sarif};
    return own;
}

bool wg_merge_print(const struct wg_cmdline *c, const struct wg_merge *m, const char *const *sarifs) {
    struct wg_arena arena = {0};
    struct wg_strbuf text = {0};
    struct wg_paint p = wg_terminal_paint(&text);
    wg_merge_text(&p, &arena, m);
    bool good = wg_terminal_print(&text);
    wg_strbuf_free(&text);
    good &= write_files(c, &arena, m, sarifs);
    wg_arena_free(&arena);
    return good;
}

int wg_merge_show(const struct wg_cmdline *c, const struct wg_merge *m, const char *const *sarifs) {
    bool good = wg_merge_print(c, m, sarifs);
    int status = wg_merge_status(m);
    return status ? status : !good;
}
