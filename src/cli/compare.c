/* `warpglass compare`: two runs side by side, each a JSON report, a program to run, or a profiler's CSV. */
#include "cli/commands.h"
#include "cli/obtain.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "report/compare.h"
#include "report/names.h"

#include <errno.h>
#include <string.h>

static bool is_csv(const char *file) {
    size_t n = strlen(file);
    return n > 4 && !strcmp(file + n - 4, ".csv");
}

struct side {
    struct wg_measured measured;
    struct wg_sources sources; /* not of a profiler's */
};

/* 0, or the status to end with after a message. */
static int measure(const struct wg_cmdline *c, struct wg_arena *arena, const char *file,
                   const struct wg_choice *choice, struct side *out) {
    struct wg_strbuf why = {0};
    struct wg_summaries s = {0};
    int status = 0;
    bool good;
    if (is_csv(file)) {
        good = wg_measured_read_csv(arena, file, choice, &out->measured, &why);
    } else {
        struct wg_profile *r = wg_obtain(arena, c, file, &status);
        if (!r || status) return status ? status : 1;
        good = wg_summarise(arena, r, choice, &s, &why);
        if (good && !s.n) {
            wg_strbuf_printf(&why, "%s: %s", file,
                             r->kernel_count ? "no launch was chosen by --kernel and --launches"
                                             : "it launched no kernel");
            good = false;
        }
        if (good) {
            wg_sources_init(&out->sources, arena, r);
            wg_name_memory(arena, r, &out->sources);
            wg_measured_of(arena, &s, file, &out->measured);
        }
    }
    if (!good) wg_say("%s", why.s);
    wg_strbuf_free(&why);
    return good ? 0 : 1;
}

static int show(const struct wg_cmdline *c, struct wg_arena *arena, struct side side[2]) {
    struct wg_strbuf text = {0};
    const char *html = wg_cmdline_value(c, WG_CLI_REPORT_HTML);
    struct wg_paint p = {.out = &text,
                         .width = wg_terminal_width(),
                         .colour = wg_terminal_has_colour(),
                         .plain = wg_terminal_is_plain()};
    wg_compare_text(&p, arena, &side[0].measured, &side[1].measured);
    bool good = wg_terminal_print(&text);
    wg_strbuf_free(&text);
    if (html) {
        wg_compare_html(&text, arena, &side[0].measured, &side[0].sources, &side[1].measured,
                        &side[1].sources);
        bool written = wg_file_write(html, text.s, text.n);
        if (!written) wg_say("%s: %s", html, strerror(errno));
        good &= written;
        wg_strbuf_free(&text);
    }
    return good ? 0 : 1;
}

int wg_command_compare(const struct wg_cmdline *c) {
    const char *file[2] = {NULL, NULL};
    struct side side[2] = {{.measured = {0}}, {.measured = {0}}};
    struct wg_arena arena = {0};
    struct wg_choice choice;
    uint32_t files = 0;
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == WG_CLI_FILE && files++ < 2) file[files - 1] = c->items.v[i].value;
    if (files != 2) {
        wg_say("compare takes two: \"warpglass compare before.json after.json\"");
        return 2;
    }
    if (!wg_obtain_check_files(c) || !wg_obtain_choice(c, &choice)) return 2;
    if (!wg_obtain_may_write(c)) return 1;
    int status = measure(c, &arena, file[0], &choice, &side[0]);
    if (!status) status = measure(c, &arena, file[1], &choice, &side[1]);
    if (!status) status = show(c, &arena, side);
    wg_measured_free(&side[0].measured);
    wg_measured_free(&side[1].measured);
    wg_arena_free(&arena);
    return status;
}
