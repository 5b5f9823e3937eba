/* argv against the list in options.def: see options.h. */
#include "cli/option_columns.h"
#include "base/suggestion.h"

#include <errno.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct row {
    enum wg_option option;
    enum wg_option_form form;
    unsigned commands;
    const char *spelling;
};
static const struct row rows[] = {
#define OPTION(id, form, commands, spelling, value, help) {WG_CLI_##id, form, commands, spelling},
#define ALIAS(id, form, commands, spelling)               {WG_CLI_##id, form, commands, spelling},
#include "cli/options.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct {
    unsigned commands;
    const char *spelling, *why;
} refusals[] = {
#define REFUSED(commands, spelling, why) {commands, spelling, why},
#include "cli/options.def"
};

static const char *const command_names[] = {
#define COMMAND(id, name, arguments, summary, more) name,
#include "cli/options.def"
    NULL};

static bool read_file(struct wg_cmdline *c, const char *path, struct wg_strbuf *why);

const char *wg_command_name(enum wg_command command) { return command_names[command]; }

static bool find_command(const char *word, enum wg_command *command) {
    for (int i = 0; i < WG_COMMANDS; i++)
        if (!strcmp(word, command_names[i])) {
            *command = (enum wg_command)i;
            return true;
        }
    return false;
}

/* The row that a word starts with: the whole word, or the longest spelling that a value may follow. */
static const struct row *find_row(const char *word, enum wg_command command) {
    const struct row *best = NULL;
    size_t longest = 0;
    for (const struct row *r = rows; r < rows + ROWS; r++) {
        size_t n = strlen(r->spelling);
        if (!(r->commands >> command & 1) || strncmp(word, r->spelling, n) != 0 || n <= longest) continue;
        bool whole = !word[n], joined = r->form == JOINED || r->form == PREFIX;
        bool equals = r->form == WORD || r->form == EQUALS || r->form == MAY_EQUAL;
        if (whole || joined || (equals && word[n] == '=')) {
            best = r;
            longest = n;
        }
    }
    return best;
}

/* Whether the command runs a program whose file was named already: the word may be for that. */
static bool may_be_of_program(const struct wg_cmdline *c) {
    bool runs = c->command == WG_CMD_RUN || c->command == WG_CMD_PROFILE || c->command == WG_CMD_CHECK;
    return runs && wg_cmdline_has(c, WG_CLI_FILE);
}

static void say_unknown(const struct wg_cmdline *c, const char *word, struct wg_strbuf *why) {
    enum wg_command command = c->command;
    const char *names[ROWS + 1];
    size_t n = 0;
    for (const struct row *r = rows; r < rows + ROWS; r++)
        if (r->commands >> command & 1) names[n++] = r->spelling;
    names[n] = NULL;
    char name[64] = "";
    strncat(name, word, strcspn(word, "=") < 63 ? strcspn(word, "=") : 63);
    const char *meant = wg_suggestion(name, names);
    wg_strbuf_printf(why, "unknown option '%s'", word);
    if (command != WG_CMD_NONE) wg_strbuf_printf(why, " of '%s'", command_names[command]);
    if (meant) wg_strbuf_printf(why, ": did you mean '%s'?", meant);
    if (may_be_of_program(c))
        wg_strbuf_printf(why, "%s the program's arguments go after '--'", meant ? " If not," : ":");
}

/* "-time", "-time=FILE" */
static bool is_spelled(const char *word, const char *spelling) {
    size_t n = strlen(spelling);
    return !strncmp(word, spelling, n) && (!word[n] || word[n] == '=');
}

/* Words of nvcc's that mean something elsewhere and nothing here. */
static bool is_refused(const char *word, enum wg_command command, struct wg_strbuf *why) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (refusals[i].commands >> command & 1 && is_spelled(word, refusals[i].spelling)) {
            wg_strbuf_printf(why, "option '%s' of '%s': %s", refusals[i].spelling, command_names[command],
                             refusals[i].why);
            return true;
        }
    return false;
}

/* nvcc's -Werror may have kinds of warnings behind it, as a word of their own; to a compiler for C it has
 * none. A list of nothing but such kinds is what nvcc takes it for. */
static bool is_kinds_of_warnings(const char *list) {
    static const char *const kinds[] = {
        "all-warnings",           "cross-execution-space-call", "reorder",
        "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
        "deprecated-declarations"};
    for (; list && *list; list += *list == ',') {
        size_t n = strcspn(list, ","), i = 0, count = sizeof kinds / sizeof *kinds;
        while (i < count && (strlen(kinds[i]) != n || strncmp(list, kinds[i], n) != 0)) i++;
        if (i == count) return false;
        list += n;
    }
    return list != NULL;
}

static const char *with_kinds(struct wg_cmdline *c, char ***argv, const char *value) {
    if (strcmp(value, "error") != 0 || !is_kinds_of_warnings((*argv)[1])) return value;
    wg_args_addf(&c->words, "error=%s", *++*argv);
    return c->words.v[c->words.n - 1];
}

/* nvcc's "-O 3" and "-O=3". A compiler for C takes -O alone, and what follows is a file: not if it is a digit. */
static const char *as_level(char ***argv, const char *value) {
    const char *next = (*argv)[1];
    if (!*value && next && *next >= '0' && *next <= '9' && !next[1]) return *++*argv;
    return value + (*value == '=');
}

static bool needs_value(const struct row *r, struct wg_strbuf *why) {
    wg_strbuf_printf(why, "option '%s' needs a value", r->spelling);
    return false;
}

/* ---- Lists: nvcc's "-I one,two", in which "\\," is a comma ---- */

static bool is_list(enum wg_option option) {
    switch (option) {
    case WG_CLI_DEFINE:
    case WG_CLI_UNDEFINE:
    case WG_CLI_INCLUDE_DIR:
    case WG_CLI_SYSTEM_DIR:
    case WG_CLI_INCLUDE_FILE:
    case WG_CLI_OPTIONS_FILE:
    case WG_CLI_LIBRARY:
    case WG_CLI_LIBRARY_DIR: return true;
    default: return false;
    }
}

/* Up to the comma that ends an element, which is moved past; its text is appended. In a macro's definition, a comma after which
 * no name follows, or in parentheses, is part of it, as with other compilers; nvcc refuses that. */
static const char *read_element(const char *list, bool macro, struct wg_strbuf *text) {
    bool quoted = false;
    int depth = 0;
    for (; *list; list++) {
        bool ends = *list == ',' && !quoted;
        if (macro) ends &= !depth && (isalpha((unsigned char)list[1]) || list[1] == '_');
        if (ends) return list + 1;
        quoted ^= *list == '"';
        depth += (*list == '(') - (*list == ')');
        if (*list == '\\' && list[1] == ',') list++;
        wg_strbuf_add(text, list, 1);
    }
    return list;
}

static bool add_list(struct wg_cmdline *c, const struct row *r, const char *list, struct wg_strbuf *why) {
    bool any = false, good = true;
    while (*list && good) {
        struct wg_strbuf text = {0};
        list = read_element(list, r->option == WG_CLI_DEFINE, &text);
        if (text.n) {
            wg_args_add(&c->words, text.s);
            const char *value = c->words.v[c->words.n - 1];
            any = true;
            if (r->option == WG_CLI_OPTIONS_FILE)
                good = read_file(c, value, why);
            else
                *WG_PUSH(&c->items) = (struct wg_item){r->option, r->spelling, value};
        }
        wg_strbuf_free(&text);
    }
    return any ? good : needs_value(r, why);
}

/* Reads the option at *argv and moves *argv to the last word that belongs to it. */
static bool read_option(struct wg_cmdline *c, char ***argv, struct wg_strbuf *why) {
    const char *word = **argv;
    if (is_refused(word, c->command, why)) return false;
    const struct row *r = find_row(word, c->command);
    if (!r && wg_cmdline_has(c, WG_CLI_FORWARD)) {
        *WG_PUSH(&c->items) = (struct wg_item){WG_CLI_HOST_ARGS, word, word};
        return true;
    }
    if (!r) {
        say_unknown(c, word, why);
        return false;
    }
    const char *rest = word + strlen(r->spelling);
    const char *value = NULL;
    if (*rest == '=' && r->form != JOINED && r->form != PREFIX)
        value = rest + 1;
    else if (r->form == PREFIX || (r->form == JOINED && *rest))
        value = rest + (r->form == JOINED && *rest == '='); /* as nvcc has it */
    else if (r->form != FLAG && r->form != MAY_EQUAL)
        value = (*argv)[1] ? *++*argv : NULL;
    bool wants = r->form != FLAG && r->form != PREFIX && (r->form != MAY_EQUAL || value);
    if (wants && (!value || !*value)) return needs_value(r, why);
    if (is_list(r->option)) return add_list(c, r, value, why);
    if (r->option == WG_CLI_WARNING) value = with_kinds(c, argv, value);
    if (r->option == WG_CLI_OPTIMISE) value = as_level(argv, value);
    *WG_PUSH(&c->items) = (struct wg_item){r->option, r->spelling, value};
    return true;
}

bool wg_cmdline_read_command(const char *word, enum wg_command *command, struct wg_strbuf *why) {
    if (find_command(word, command)) return true;
    const char *meant = wg_suggestion(word, command_names);
    if (meant)
        wg_strbuf_printf(why, "unknown command '%s': did you mean '%s'?", word, meant);
    else if (strchr(word, '.') || strchr(word, '/'))
        wg_strbuf_printf(why, "unknown command '%s': did you mean 'warpglass run %s'?", word, word);
    else
        wg_strbuf_printf(why, "unknown command '%s'", word);
    return false;
}

static bool read_words(struct wg_cmdline *c, char **argv, struct wg_strbuf *why) {
    for (; *argv; argv++) {
        if (!strcmp(*argv, "--")) {
            if (c->files_open) {
                wg_strbuf_puts(why, "'--' is not allowed in a file of options");
                return false;
            }
            c->program_args = argv + 1;
            return true;
        }
        if ((*argv)[0] == '-' && (*argv)[1]) {
            if (!read_option(c, &argv, why)) return false;
        } else if (c->command == WG_CMD_NONE) {
            if (!wg_cmdline_read_command(*argv, &c->command, why)) return false;
        } else {
            *WG_PUSH(&c->items) = (struct wg_item){WG_CLI_FILE, *argv, *argv};
        }
    }
    c->program_args = argv;
    return true;
}

/* Words stand where the name of their file stood. */
static bool read_file(struct wg_cmdline *c, const char *path, struct wg_strbuf *why) {
    enum { DEEPEST = 16 };
    struct wg_strbuf text = {0};
    bool good = c->files_open < DEEPEST;
    if (!good)
        wg_strbuf_printf(why, "%s: options files include each other in a circle", path);
    else if (!(good = wg_file_read(path, &text)))
        wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    c->files_open++;
    if (good && text.n) {
        size_t before = c->words.n;
        wg_args_add_words(&c->words, text.s, " \t\r\n");
        /* A list of its own: c->words grows while it is read. */
        size_t n = c->words.n - before;
        char **list = wg_xcalloc(n + 1, sizeof *list);
        if (n) memcpy(list, c->words.v + before, n * sizeof *list);
        good = read_words(c, list, why);
        free(list);
    }
    c->files_open--;
    wg_strbuf_free(&text);
    return good;
}

/* CMake compiles a file of this name to learn whose compiler for CUDA it was given. */
static bool is_asked_by_cmake(char **argv) {
    static const char name[] = "CMakeCUDACompilerId.cu";
    for (; *argv; argv++) {
        const char *slash = strrchr(*argv, '/');
        if (!strcmp(slash ? slash + 1 : *argv, name)) return true;
    }
    return false;
}

bool wg_cmdline_parse(struct wg_cmdline *c, char **argv, struct wg_strbuf *why) {
    *c = (struct wg_cmdline){.command = WG_CMD_NONE};
    if (*argv && !(argv[1] && !strcmp(argv[1], "nvcc")) && is_asked_by_cmake(argv + 1)) {
        wg_strbuf_puts(why,
                       "CMake takes a CUDA compiler by nvcc's name and words: give it bin/nvcc of the folder "
                       "that \"warpglass toolkit\" makes, or set all it looks at with eval \"$(warpglass "
                       "env)\"");
        return false;
    }
    return read_words(c, argv + 1, why);
}

void wg_cmdline_free(struct wg_cmdline *c) {
    free(c->items.v);
    wg_args_free(&c->words);
    *c = (struct wg_cmdline){0};
}

const char *wg_cmdline_value(const struct wg_cmdline *c, enum wg_option option) {
    const char *value = NULL;
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == option) value = c->items.v[i].value;
    return value;
}

bool wg_cmdline_has(const struct wg_cmdline *c, enum wg_option option) {
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == option) return true;
    return false;
}
