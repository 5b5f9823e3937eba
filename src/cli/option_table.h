/* The list in options.def as tables, for those that write it out: help.c, manual.c and completion.c. */
#ifndef WG_CLI_OPTION_TABLE_H
#define WG_CLI_OPTION_TABLE_H
#include "cli/option_columns.h"

struct wg_command_row {
    const char *name, *arguments, *summary, *more;
};
extern const struct wg_command_row wg_command_rows[WG_COMMANDS];

/* Options under their headings; aliases are in none, they are for those who know them from nvcc. */
struct wg_option_row {
    const char *group; /* a heading, or NULL for an option */
    enum wg_option option;
    unsigned commands;
    enum wg_option_form form;
    const char *spelling, *value, *help;
};
extern const struct wg_option_row wg_option_rows[];
extern const size_t wg_option_row_count;

struct wg_help_pair {
    const char *left, *right;
};
struct wg_help_pairs {
    const struct wg_help_pair *v;
    size_t n;
};
extern const struct wg_help_pairs wg_dump_rows, wg_status_rows, wg_example_rows;
/* The library's own options, which programs started without this command take from the environment. */
extern const struct wg_help_pairs wg_variable_rows;

/* "--threads N", "-IDIR", "-c"; until the next call. */
const char *wg_option_shape(const struct wg_option_row *o);
/* Whether an option of the group that begins here is one of a command of `mask`. */
bool wg_option_group_has(const struct wg_option_row *group, unsigned mask);
#endif
