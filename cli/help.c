/* --help and the manual page, both from options.def: see options.h. */
#include "cli/option_columns.h"
#include "machine/options.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, COLUMN = 26 }; /* of a terminal; where the explanations begin */

struct command {
    const char *name, *arguments, *summary, *more;
};
static const struct command commands[] = {
#define COMMAND(id, name, arguments, summary, more) {name, arguments, summary, more},
#include "cli/options.def"
};

/* Options under their headings; aliases are in no help, they are for those who know them from nvcc. */
struct entry {
    const char *group; /* a heading, or NULL for an option */
    unsigned commands;
    enum wg_option_form form;
    const char *spelling, *value, *help;
};
static const struct entry entries[] = {
#define GROUP(id, title)                                  {title, 0, FLAG, NULL, NULL, NULL},
#define OPTION(id, form, commands, spelling, value, help) {NULL, commands, form, spelling, value, help},
#include "cli/options.def"
};
enum { ENTRIES = sizeof entries / sizeof *entries };

struct pair {
    const char *left, *right;
};
static const struct pair dumps[] = {
#define DUMP(name, help) {name, help},
#include "cli/options.def"
};
static const struct pair statuses[] = {
#define STATUS(status, meaning) {status, meaning},
#include "cli/options.def"
};
static const struct pair examples[] = {
#define EXAMPLE(command, what) {command, what},
#include "cli/options.def"
};
/* The library's own options, which programs started without this command take from the environment. */
static const struct pair variables[] = {
#define X(field, NAME, kind, argument, help) {"WARPGLASS_" #NAME "=" argument, help},
    WG_OPTIONS(X)
#undef X
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Words from `at`, wrapped before column WIDTH; `column` says where the line is now. */
static void wrap(struct wg_strbuf *out, size_t column, size_t at, const char *text) {
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
    wrap(out, COLUMN, COLUMN, right);
}

/* "--threads N", "-IDIR", "-c" */
static const char *shape(const struct entry *e) {
    static char text[64];
    const char *between = e->form == WORD ? " " : e->form == EQUALS ? "=" : "", *open = "", *close = "";
    if (e->form == MAY_EQUAL) open = "[=", close = "]";
    if (!strcmp(e->spelling, "-o")) between = " "; /* may be joined, and never is */
    snprintf(text, sizeof text, "%s%s%s%s%s", e->spelling, e->value ? between : "", open,
             e->value ? e->value : "", close);
    return text;
}

static bool group_has(const struct entry *group, unsigned mask) {
    for (const struct entry *e = group + 1; e < entries + ENTRIES && !e->group; e++)
        if (e->commands & mask) return true;
    return false;
}

static void help_options(struct wg_strbuf *out, enum wg_command command) {
    unsigned mask = 1u << command;
    for (const struct entry *e = entries; e < entries + ENTRIES; e++) {
        if (e->group && group_has(e, mask)) wg_strbuf_printf(out, "\n%s:\n", e->group);
        if (e->group || !(e->commands & mask)) continue;
        two_columns(out, shape(e), e->help);
        if (strcmp(e->spelling, "--dump") != 0) continue;
        for (size_t i = 0; i < COUNT(dumps); i++) {
            wg_strbuf_printf(out, "%*s%-6s", COLUMN, "", dumps[i].left);
            wrap(out, COLUMN + 6, COLUMN + 6, dumps[i].right);
        }
    }
}

static void help_pairs(struct wg_strbuf *out, const char *title, const struct pair *pairs, size_t n) {
    wg_strbuf_printf(out, "\n%s:\n", title);
    for (size_t i = 0; i < n; i++) two_columns(out, pairs[i].left, pairs[i].right);
}

static void help_all(struct wg_strbuf *out) {
    wg_strbuf_puts(out, "Warpglass runs CUDA programs on a machine with no GPU.\n\n");
    for (int i = 0; i < WG_COMMANDS; i++)
        wg_strbuf_printf(out, "%s warpglass %s%s%s\n", i ? "      " : "usage:", commands[i].name,
                         *commands[i].arguments ? " " : "", commands[i].arguments);
    wg_strbuf_puts(out, "\nCommands:\n");
    for (int i = 0; i < WG_COMMANDS; i++) two_columns(out, commands[i].name, commands[i].summary);
    help_options(out, WG_CMD_NONE);
    wg_strbuf_puts(out, "\nExamples:\n");
    for (size_t i = 0; i < COUNT(examples); i++)
        wg_strbuf_printf(out, "  %s\n      %s\n", examples[i].left, examples[i].right);
    help_pairs(out, "Exit status", statuses, COUNT(statuses));
    wg_strbuf_puts(
        out,
        "\n\"warpglass COMMAND --help\" lists the options of a command; \"man warpglass\" has all of it.\n");
}

void wg_help(enum wg_command command, struct wg_strbuf *out) {
    if (command == WG_CMD_NONE) {
        help_all(out);
        return;
    }
    const struct command *c = &commands[command];
    wg_strbuf_printf(out, "usage: warpglass %s%s%s\n\n", c->name, *c->arguments ? " " : "", c->arguments);
    wrap(out, 0, 0, c->more);
    help_options(out, command);
    if (command == WG_CMD_RUN) help_pairs(out, "Environment", variables, COUNT(variables));
}

/* ---- The manual page, as troff --------------------------------------------------------------------------
 */

/* Text in which troff finds nothing to act on. */
static void troff(struct wg_strbuf *out, const char *text) {
    if (*text == '.' || *text == '\'') wg_strbuf_puts(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\')
            wg_strbuf_puts(out, "\\e");
        else if (*text == '-')
            wg_strbuf_puts(out, "\\-");
        else
            wg_strbuf_add(out, text, 1);
    }
}

static void man_item(struct wg_strbuf *out, const char *term, const char *text) {
    wg_strbuf_puts(out, ".TP\n.B ");
    /* Arguments of a macro end at blanks, so a term of several words is quoted. */
    wg_strbuf_puts(out, "\"");
    troff(out, term);
    wg_strbuf_puts(out, "\"\n");
    troff(out, text);
    wg_strbuf_puts(out, "\n");
}

static void man_pairs(struct wg_strbuf *out, const char *title, const struct pair *pairs, size_t n) {
    wg_strbuf_printf(out, ".SH %s\n", title);
    for (size_t i = 0; i < n; i++) man_item(out, pairs[i].left, pairs[i].right);
}

static void man_options(struct wg_strbuf *out) {
    wg_strbuf_puts(out, ".SH OPTIONS\nThe commands that take an option are given in brackets after it.\n");
    for (const struct entry *e = entries; e < entries + ENTRIES; e++) {
        if (e->group) {
            wg_strbuf_printf(out, ".SS %s\n", e->group);
            continue;
        }
        struct wg_strbuf text = {0};
        wg_strbuf_puts(&text, e->help);
        const char *before = " [";
        for (int i = 0; i < WG_COMMANDS; i++)
            if (e->commands >> i & 1) {
                wg_strbuf_printf(&text, "%s%s", before, commands[i].name);
                before = ", ";
            }
        if (*before == ',') wg_strbuf_puts(&text, "]");
        man_item(out, shape(e), text.s);
        wg_strbuf_free(&text);
        if (strcmp(e->spelling, "--dump") != 0) continue;
        wg_strbuf_puts(out, ".RS\n");
        for (size_t i = 0; i < COUNT(dumps); i++) man_item(out, dumps[i].left, dumps[i].right);
        wg_strbuf_puts(out, ".RE\n");
    }
}

void wg_man(struct wg_strbuf *out) {
    wg_strbuf_puts(out,
                   ".\\\" Made by \"warpglass --man\" from cli/options.def: change that file, not this one.\n"
                   ".TH WARPGLASS 1 \"\" \"Warpglass " WG_VERSION "\" \"\"\n"
                   ".SH NAME\nwarpglass \\- run CUDA programs on a machine with no GPU\n.SH SYNOPSIS\n");
    for (int i = 0; i < WG_COMMANDS; i++) {
        wg_strbuf_printf(out, ".B warpglass %s\n", commands[i].name);
        troff(out, commands[i].arguments);
        wg_strbuf_puts(out, "\n.br\n");
    }
    wg_strbuf_puts(
        out, ".SH DESCRIPTION\nWarpglass compiles and runs CUDA programs on the CPU, as the chosen GPU "
             "would run them: warps of 32 lanes, shared memory, barriers, clusters, atomics.\nIt needs no "
             "GPU and no NVIDIA software.\n.SH COMMANDS\n");
    for (int i = 0; i < WG_COMMANDS; i++) {
        man_item(out, commands[i].name, commands[i].summary);
        wg_strbuf_puts(out, ".br\n");
        troff(out, commands[i].more);
        wg_strbuf_puts(out, "\n");
    }
    man_options(out);
    man_pairs(out, "EXIT STATUS", statuses, COUNT(statuses));
    man_pairs(out, "ENVIRONMENT", variables, COUNT(variables));
    man_item(out, "WARPGLASS_CLANG", "the clang++ to use, 19 or later; by default, the one in PATH");
    man_item(out, "WARPGLASS_NVCC",
             "the nvcc to use; by default, the one in PATH, CUDA_HOME or /usr/local/cuda");
    man_item(out, "WARPGLASS_PTXAS",
             "the ptxas that \"occupancy\" gets register counts from; found like nvcc by default, and empty "
             "means none");
    wg_strbuf_puts(out, ".PP\nA program started without this command takes its options from these variables; "
                        "\"run\" sets them for the program it starts.\n"
                        ".SH FILES\n");
    man_item(out, "~/.cache/warpglass",
             "compiled programs and kernels; XDG_CACHE_HOME or WARPGLASS_CACHE_DIR moves it. It is used "
             "only if nobody else can write to it, and may be deleted at any time");
    man_pairs(out, "EXAMPLES", examples, COUNT(examples));
}
