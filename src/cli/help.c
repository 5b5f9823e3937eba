/* --help and "warpglass help", from options.def: see options.h. */
#include "cli/commands.h"
#include "cli/option_table.h"
#include "cli/say.h"
#include "cli/terminal.h"

#include <string.h>

enum { WIDTH = 80, COLUMN = 26 }; /* of a terminal; where the explanations begin */

void wg_help_wrap(struct wg_strbuf *out, size_t column, size_t at, const char *text) {
    while (*text) {
        size_t n = strcspn(text, " ");
        if (column + n > WIDTH && column > at) {
            wg_strbuf_printf(out, "\n%*s", (int)at, "");
            column = at;
        }
        wg_strbuf_add(out, text, n);
        column += n;
        text += n;
        if (*text == ' ') text++;
        if (*text && column + 1 + strcspn(text, " ") <= WIDTH) {
            wg_strbuf_puts(out, " ");
            column++;
        } else if (*text) {
            column = WIDTH;
        }
    }
    wg_strbuf_puts(out, "\n");
}

static void two_columns(struct wg_strbuf *out, const char *left, const char *right) {
    size_t column = 2 + strlen(left);
    wg_strbuf_printf(out, "  %s", left);
    if (column + 2 > COLUMN) {
        wg_strbuf_puts(out, "\n");
        column = 0;
    }
    wg_strbuf_printf(out, "%*s", (int)(COLUMN - column), "");
    wg_help_wrap(out, COLUMN, COLUMN, right);
}

static void help_dumps(struct wg_strbuf *out) {
    for (size_t i = 0; i < wg_dump_rows.n; i++) {
        wg_strbuf_printf(out, "%*s%-6s", COLUMN, "", wg_dump_rows.v[i].left);
        wg_help_wrap(out, COLUMN + 6, COLUMN + 6, wg_dump_rows.v[i].right);
    }
}

static void help_options(struct wg_strbuf *out, enum wg_command command) {
    unsigned mask = 1u << command;
    for (const struct wg_option_row *o = wg_option_rows; o < wg_option_rows + wg_option_row_count; o++) {
        if (o->group && wg_option_group_has(o, mask)) wg_strbuf_printf(out, "\n%s:\n", o->group);
        if (o->group || !(o->commands & mask)) continue;
        two_columns(out, wg_option_shape(o), o->help);
        if (o->option == WG_CLI_DUMP) help_dumps(out);
    }
}

static void help_pairs(struct wg_strbuf *out, const char *title, const struct wg_help_pairs *pairs) {
    wg_strbuf_printf(out, "\n%s:\n", title);
    for (size_t i = 0; i < pairs->n; i++) two_columns(out, pairs->v[i].left, pairs->v[i].right);
}

static void help_all(struct wg_strbuf *out) {
    wg_strbuf_puts(out, "Warpglass runs CUDA programs on a machine with no GPU.\n\n");
    for (int i = 0; i < WG_COMMANDS; i++)
        wg_strbuf_printf(out, "%s warpglass %s%s%s\n", i ? "      " : "usage:", wg_command_rows[i].name,
                         *wg_command_rows[i].arguments ? " " : "", wg_command_rows[i].arguments);
    wg_strbuf_puts(out, "\nCommands:\n");
    for (int i = 0; i < WG_COMMANDS; i++)
        two_columns(out, wg_command_rows[i].name, wg_command_rows[i].summary);
    help_options(out, WG_CMD_NONE);
    wg_strbuf_puts(out, "\nExamples:\n");
    for (size_t i = 0; i < wg_example_rows.n; i++)
        wg_strbuf_printf(out, "  %s\n      %s\n", wg_example_rows.v[i].left, wg_example_rows.v[i].right);
    help_pairs(out, "Exit status", &wg_status_rows);
    wg_strbuf_puts(out, "\n\"warpglass COMMAND --help\" lists the options of a command; \"man warpglass\" "
                        "describes everything.\n");
}

void wg_help(enum wg_command command, struct wg_strbuf *out) {
    if (command == WG_CMD_NONE) {
        help_all(out);
        return;
    }
    const struct wg_command_row *c = &wg_command_rows[command];
    wg_strbuf_printf(out, "usage: warpglass %s%s%s\n\n", c->name, *c->arguments ? " " : "", c->arguments);
    wg_help_wrap(out, 0, 0, c->more);
    help_options(out, command);
    if (command == WG_CMD_RUN) help_pairs(out, "Environment", &wg_variable_rows);
}

int wg_command_help(const struct wg_cmdline *c) {
    struct wg_strbuf text = {0};
    const char *name = wg_cmdline_value(c, WG_CLI_FILE);
    enum wg_command command = WG_CMD_NONE;
    bool good = !name || wg_cmdline_read_command(name, &command, &text);
    if (good)
        wg_help(command, &text);
    else
        wg_say("help: %s", text.s);
    int status = good ? !wg_terminal_print(&text) : 2;
    wg_strbuf_free(&text);
    return status;
}
