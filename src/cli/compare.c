/* `warpglass compare` and `warpglass trend`: runs side by side, each a JSON report, a program to run, or a profiler's
 * CSV. Two have pictures and sources of both sides; of three and more there is a table with a column each. */
#include "cli/commands.h"
#include "cli/obtain.h"
#include "cli/say.h"
#include "cli/side.h"
#include "cli/terminal.h"
#include "report/series.h"

#include <stdlib.h>

struct comparing {
    const struct wg_cmdline *c;
    struct wg_arena arena;
    struct wg_sides sides;
};

static void put_text(struct comparing *k, const struct wg_series *s, struct wg_strbuf *text) {
    const struct wg_side *side = k->sides.all.v;
    struct wg_paint p = wg_terminal_paint(text);
    if (k->c->command == WG_CMD_TREND) {
        wg_series_trend(&p, &k->arena, s);
    } else if (s->n > 2) {
        wg_series_table(&p, &k->arena, s);
    } else {
        for (uint32_t i = 0; i < 2; i++)
            if (side[0].options || side[1].options)
                wg_paint_wrapped(
                    &p, 0, WG_INK_PLAIN,
                    wg_arena_printf(&k->arena, "%s: %s", i ? "after" : "before", side[i].measured.name));
        wg_compare_text(&p, &k->arena, &side[0].measured, &side[1].measured);
    }
}

static void put_page(struct comparing *k, const struct wg_series *s, struct wg_strbuf *text) {
    struct wg_side *side = k->sides.all.v;
    if (k->c->command == WG_CMD_TREND || s->n > 2)
        wg_series_html(text, &k->arena, s);
    else
        wg_compare_html(text, &k->arena, &side[0].measured, &side[0].sources, &side[1].measured,
                        &side[1].sources);
}

static int show(struct comparing *k) {
    const char *html = wg_cmdline_value(k->c, WG_CLI_REPORT_HTML);
    uint32_t n = k->sides.all.n;
    const struct wg_measured **measured = WG_NEW_N(&k->arena, const struct wg_measured *, n);
    for (uint32_t i = 0; i < n; i++) measured[i] = &k->sides.all.v[i].measured;
    struct wg_series s = wg_series_of(&k->arena, measured, n);
    struct wg_strbuf text = {0};
    put_text(k, &s, &text);
    bool good = wg_terminal_print(&text);
    wg_strbuf_free(&text);
    if (html) {
        put_page(k, &s, &text);
        good &= wg_obtain_write(html, &text);
    }
    return good ? 0 : 1;
}

static int measure(struct comparing *k) {
    struct wg_choice choice;
    int status = 0;
    if (!wg_obtain_check_files(k->c) || !wg_obtain_choice(k->c, &choice)) return 2;
    if (!wg_obtain_may_write(k->c)) return 1;
    for (uint32_t i = 0; !status && i < k->sides.all.n; i++)
        status = wg_side_measure(k->c, &k->arena, &choice, &k->sides.all.v[i]);
    for (uint32_t i = 0; !status && i < k->sides.all.n; i++)
        if (k->sides.all.v[i].measured.kernels.n) return 0;
    if (!status) wg_say("--kernel and --launches select no launch of any report");
    return status ? status : 1;
}

static bool enough(const struct comparing *k) {
    if (k->sides.all.n >= 2) return true;
    if (k->c->command == WG_CMD_TREND)
        wg_say("a trend needs two or more reports, oldest first: \"warpglass trend monday.json "
               "tuesday.json\"");
    else
        wg_say("compare needs two or more reports or programs: \"warpglass compare before.json after.json\"");
    return false;
}

int wg_command_compare(const struct wg_cmdline *c) {
    struct comparing k = {.c = c};
    int status = 2;
    if (wg_sides_of(c, &k.sides) && enough(&k)) {
        status = measure(&k);
        if (!status) status = show(&k);
    }
    wg_sides_free(&k.sides);
    wg_arena_free(&k.arena);
    return status;
}
