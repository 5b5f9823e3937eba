/* Reads the command line: finds the rows of options.def in argv.
 *
 * Options, files and libraries stay in one list in the order given, because the order means something to
 * -x and to the linker.
 *
 *     warpglass cc -O2 a.cu -lm -o app
 *     command CC, items {OPTIMISE "2"} {FILE "a.cu"} {LIBRARY "m"} {OUTPUT "app"}
 */
#ifndef WG_CLI_OPTIONS_H
#define WG_CLI_OPTIONS_H
#include "base/arena.h"
#include "base/strbuf.h"
#include "cli/process.h"

enum wg_command {
#define COMMAND(id, name, arguments, summary, more) WG_CMD_##id,
#include "cli/options.def"
    WG_COMMANDS,
    WG_CMD_NONE = WG_COMMANDS
};

enum wg_option {
#define OPTION(id, form, commands, spelling, value, help) WG_CLI_##id,
#include "cli/options.def"
    WG_CLI_FILE /* no option: a file's name */
};

struct wg_item {
    enum wg_option option;
    const char *spelling; /* as the user wrote it, without the value; a file's: its name */
    const char *value;    /* NULL for flags */
};

struct wg_cmdline {
    enum wg_command command;
    WG_VEC(struct wg_item) items;
    char **program_args;  /* what stands behind "--", ending with NULL */
    struct wg_args words; /* those of items that are not from argv */
    unsigned files_open;  /* options files that are being read */
    bool of_rank;         /* one of many: that its program does nothing on a device is no error */
    const char *
        leave; /* the folder where processes of its program leave their files, "DIR/"; NULL: a temporary one */
    const char *left; /* profile, check: nothing is run; a process has left this file. NULL: as usual */
    int left_status;  /* how the program ended that left it */
};

/* False with a message, without newline, in `why`. */
bool wg_cmdline_parse(struct wg_cmdline *c, char **argv, struct wg_strbuf *why);
void wg_cmdline_free(struct wg_cmdline *c);
/* The last value given for an option, or NULL. */
const char *wg_cmdline_value(const struct wg_cmdline *c, enum wg_option option);
bool wg_cmdline_has(const struct wg_cmdline *c, enum wg_option option);

/* "profile". Not of WG_CMD_NONE. */
const char *wg_command_name(enum wg_command command);
/* The command of this name. False with "unknown command", and which may have been meant, in `why`. */
bool wg_cmdline_read_command(const char *name, enum wg_command *command, struct wg_strbuf *why);

/* help.c: text for a person. WG_CMD_NONE: for the command as a whole. */
void wg_help(enum wg_command command, struct wg_strbuf *out);
/* Words, wrapped before column 80; lines begin at column `at`, and `column` says where this one is now. */
void wg_help_wrap(struct wg_strbuf *out, size_t column, size_t at, const char *text);
/* manual.c: the manual page, as troff; of one command or of all. */
void wg_man(enum wg_command command, struct wg_strbuf *out);
#endif
