/* argv against the list in options.def: see options.h. */
#include "cli/option_columns.h"
#include "base/suggestion.h"

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

static const char *const command_names[] = {
#define COMMAND(id, name, arguments, summary, more) name,
#include "cli/options.def"
    NULL};

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
        if (whole || joined || ((r->form == WORD || r->form == EQUALS) && word[n] == '=')) {
            best = r;
            longest = n;
        }
    }
    return best;
}

static void say_unknown(const char *word, enum wg_command command, struct wg_strbuf *why) {
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
}

/* Reads the option at *argv and moves *argv to the last word that belongs to it. */
static bool read_option(struct wg_cmdline *c, char ***argv, struct wg_strbuf *why) {
    const char *word = **argv;
    const struct row *r = find_row(word, c->command);
    if (!r) {
        say_unknown(word, c->command, why);
        return false;
    }
    const char *rest = word + strlen(r->spelling);
    const char *value = NULL;
    if ((r->form == WORD || r->form == EQUALS) && *rest == '=')
        value = rest + 1;
    else if (r->form == PREFIX || (r->form == JOINED && *rest))
        value = rest;
    else if (r->form != FLAG)
        value = (*argv)[1] ? *++*argv : NULL;
    if (r->form != FLAG && r->form != PREFIX && (!value || !*value)) {
        wg_strbuf_printf(why, "option '%s' needs a value", r->spelling);
        return false;
    }
    *WG_PUSH(&c->items) = (struct wg_item){r->option, r->spelling, value};
    return true;
}

static bool read_command(struct wg_cmdline *c, const char *word, struct wg_strbuf *why) {
    if (find_command(word, &c->command)) return true;
    const char *meant = wg_suggestion(word, command_names);
    if (meant)
        wg_strbuf_printf(why, "unknown command '%s': did you mean '%s'?", word, meant);
    else if (strchr(word, '.') || strchr(word, '/'))
        wg_strbuf_printf(why, "unknown command '%s': did you mean 'warpglass run %s'?", word, word);
    else
        wg_strbuf_printf(why, "unknown command '%s'", word);
    return false;
}

bool wg_cmdline_parse(struct wg_cmdline *c, char **argv, struct wg_strbuf *why) {
    *c = (struct wg_cmdline){.command = WG_CMD_NONE};
    for (argv++; *argv; argv++) {
        if (!strcmp(*argv, "--")) {
            c->program_args = argv + 1;
            return true;
        }
        if ((*argv)[0] == '-' && (*argv)[1]) {
            if (!read_option(c, &argv, why)) return false;
        } else if (c->command == WG_CMD_NONE) {
            if (!read_command(c, *argv, why)) return false;
        } else {
            *WG_PUSH(&c->items) = (struct wg_item){WG_CLI_FILE, *argv, *argv};
        }
    }
    c->program_args = argv;
    return true;
}

void wg_cmdline_free(struct wg_cmdline *c) {
    free(c->items.v);
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
