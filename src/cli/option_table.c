/* options.def as tables: see option_table.h. */
#include "cli/option_table.h"
#include "machine/options.h"

#include <stdio.h>
#include <string.h>

const struct wg_command_row wg_command_rows[WG_COMMANDS] = {
#define COMMAND(id, name, arguments, summary, more) {name, arguments, summary, more},
#include "cli/options.def"
};

const struct wg_option_row wg_option_rows[] = {
#define GROUP(id, title) {title, WG_CLI_FILE, 0, FLAG, NULL, NULL, NULL},
#define OPTION(id, form, commands, spelling, value, help)                                                    \
    {NULL, WG_CLI_##id, commands, form, spelling, value, help},
#include "cli/options.def"
};
const size_t wg_option_row_count = sizeof wg_option_rows / sizeof *wg_option_rows;

#define PAIRS(name) {name, sizeof(name) / sizeof *(name)}
static const struct wg_help_pair dumps[] = {
#define DUMP(name, help) {name, help},
#include "cli/options.def"
};
const struct wg_help_pairs wg_dump_rows = PAIRS(dumps);
static const struct wg_help_pair statuses[] = {
#define STATUS(status, meaning) {status, meaning},
#include "cli/options.def"
};
const struct wg_help_pairs wg_status_rows = PAIRS(statuses);
static const struct wg_help_pair examples[] = {
#define EXAMPLE(command, what) {command, what},
#include "cli/options.def"
};
const struct wg_help_pairs wg_example_rows = PAIRS(examples);
static const struct wg_help_pair variables[] = {
#define X(field, NAME, kind, argument, help) {"WARPGLASS_" #NAME "=" argument, help},
    WG_OPTIONS(X)
#undef X
};
const struct wg_help_pairs wg_variable_rows = PAIRS(variables);

const char *wg_option_shape(const struct wg_option_row *o) {
    static char text[64];
    const char *between = o->form == WORD ? " " : o->form == EQUALS ? "=" : "", *open = "", *close = "";
    if (o->form == MAY_EQUAL) open = "[=", close = "]";
    if (o->option == WG_CLI_OUTPUT) between = " "; /* may be joined, and never is */
    snprintf(text, sizeof text, "%s%s%s%s%s", o->spelling, o->value ? between : "", open,
             o->value ? o->value : "", close);
    return text;
}

bool wg_option_group_has(const struct wg_option_row *group, unsigned mask) {
    for (const struct wg_option_row *o = group + 1; o < wg_option_rows + wg_option_row_count && !o->group;
         o++)
        if (o->commands & mask) return true;
    return false;
}
