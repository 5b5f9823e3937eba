/* `warpglass completion SHELL`: what completes this command's words in bash, zsh and fish, written from options.def, as the
 * help is: commands, the options of each, and the words that an option's value can be. */
#include "check/finding.h"
#include "cli/commands.h"
#include "cli/option_table.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "model/chip.h"
#include "report/overview.h"

#include <string.h>

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

/* ---- What an option's value can be ------------------------------------------------------------------------
 */

static void add_word(struct wg_strbuf *words, const char *word, size_t n) {
    if (words->n) wg_strbuf_puts(words, " ");
    wg_strbuf_add(words, word, n);
}

static void add_words(struct wg_strbuf *words, const char *const *list) {
    for (; *list; list++) add_word(words, *list, strlen(*list));
}

/* The words, a blank between two; none where it can be anything. */
static void values(struct wg_strbuf *words, const struct wg_option_row *o) {
    static const char *const compilers[] = {"clang", "nvcc", NULL};
    static const char *const streams[] = {"legacy", "null", "per-thread", NULL};
    static const char *const languages[] = {"cu", "c", "c++", "none", NULL};
    size_t n;
    const struct wg_chip *chips = wg_chip_list(&n);
    switch (o->option) {
    case WG_CLI_ARCH:
        for (size_t i = 0; i < n; i++)
            if (!i || strcmp(chips[i].arch, chips[i - 1].arch) != 0)
                add_word(words, chips[i].arch, strlen(chips[i].arch));
        break;
    case WG_CLI_ONLY:
        for (int c = 0; c < WG_CHECK_kernel; c++) add_word(words, wg_check_name(c), strlen(wg_check_name(c)));
        break;
    case WG_CLI_DUMP:
        for (size_t i = 0; i < wg_dump_rows.n; i++)
            add_word(words, wg_dump_rows.v[i].left, strlen(wg_dump_rows.v[i].left));
        break;
    case WG_CLI_SORT: add_words(words, wg_order_words); break;
    case WG_CLI_COMPILER: add_words(words, compilers); break;
    case WG_CLI_DEFAULT_STREAM: add_words(words, streams); break;
    case WG_CLI_LANGUAGE: add_words(words, languages); break;
    default:
        if (o->value && strchr(o->value, '|')) {
            add_word(words, o->value, strlen(o->value));
            for (char *at; (at = strchr(words->s, '|'));) *at = ' ';
        }
    }
}

static bool is_folder(const struct wg_option_row *o) { return o->value && !strcmp(o->value, "DIR"); }

/* ---- bash -------------------------------------------------------------------------------------------------
 */

static void add_command_names(struct wg_strbuf *out) {
    for (int i = 0; i < WG_COMMANDS; i++)
        wg_strbuf_printf(out, "%s%s", i ? " " : "", wg_command_rows[i].name);
}

/* One line for each command with the options it has; and for each option whose value has words. */
static void bash_command(struct wg_strbuf *out, unsigned mask) {
    wg_strbuf_puts(out, "        options='");
    for (const struct wg_option_row *o = wg_option_rows; o < wg_option_rows + wg_option_row_count; o++)
        if (o->commands & mask) wg_strbuf_printf(out, "%s%s ", o->spelling, o->form == EQUALS ? "=" : "");
    wg_strbuf_puts(out, "'\n        case $previous in\n");
    for (const struct wg_option_row *o = wg_option_rows; o < wg_option_rows + wg_option_row_count; o++) {
        struct wg_strbuf words = {0};
        if (!(o->commands & mask) || o->form == FLAG || o->form == PREFIX) continue;
        values(&words, o);
        if (words.n)
            wg_strbuf_printf(out, "        %s) words='%s' ;;\n", o->spelling, words.s);
        else
            wg_strbuf_printf(out, "        %s) kind=%s ;;\n", o->spelling,
                             is_folder(o)           ? "folder"
                             : o->form == MAY_EQUAL ? ""
                                                    : "any");
        wg_strbuf_free(&words);
    }
    wg_strbuf_puts(out, "        esac\n        ;;\n");
}

static void bash(struct wg_strbuf *out) {
    wg_strbuf_puts(out, "# Completes words of warpglass in bash. Made by \"warpglass completion bash\".\n"
                        "_warpglass() {\n"
                        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
                        "    local command='' options='' words='' kind='' i\n"
                        "    COMPREPLY=()\n"
                        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                        "        [[ ${COMP_WORDS[i]} == -- ]] && return # what follows is the program's\n"
                        "        [[ ${COMP_WORDS[i]} == -* || -n $command ]] || command=${COMP_WORDS[i]}\n"
                        "    done\n"
                        "    # \"--sort=ti\" is three words here.\n"
                        "    if [[ $current == = ]]; then\n"
                        "        current=''\n"
                        "    elif [[ $previous == = ]]; then\n"
                        "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
                        "    fi\n"
                        "    case $command in\n    '')\n        words='");
    add_command_names(out);
    wg_strbuf_puts(out, "'\n        options='");
    for (const struct wg_option_row *o = wg_option_rows; o < wg_option_rows + wg_option_row_count; o++)
        if (o->commands & N) wg_strbuf_printf(out, "%s ", o->spelling);
    wg_strbuf_puts(out, "'\n        ;;\n");
    for (int i = 0; i < WG_COMMANDS; i++) {
        wg_strbuf_printf(out, "    %s)\n", wg_command_rows[i].name);
        if (i == WG_CMD_HELP) {
            wg_strbuf_puts(out, "        words='");
            add_command_names(out);
            wg_strbuf_puts(out, "'\n");
        } else if (i == WG_CMD_COMPLETION) {
            wg_strbuf_puts(out, "        words='bash zsh fish'\n");
        }
        bash_command(out, 1u << i);
    }
    wg_strbuf_puts(
        out,
        "    esac\n"
        "    if [[ $kind == folder ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -d -- \"$current\")\n"
        "    elif [[ $kind != any && $current == -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
        "        [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2> /dev/null\n"
        "    elif [[ -n $words ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
        "    fi\n"
        "}\n"
        "complete -o default -F _warpglass warpglass\n");
}

/* ---- zsh --------------------------------------------------------------------------------------------------
 */

/* Inside of single quotes, with a backslash before each character of `special`. */
static void quoted(struct wg_strbuf *out, const char *text, const char *special, const char *quote) {
    for (; *text; text++) {
        if (*text == '\'')
            wg_strbuf_puts(out, quote);
        else
            wg_strbuf_printf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

static void zsh_option(struct wg_strbuf *out, const struct wg_option_row *o) {
    static const char *const joints[] = {
        [FLAG] = "", [WORD] = "=", [EQUALS] = "=", [JOINED] = "+", [PREFIX] = "-", [MAY_EQUAL] = "=-"};
    struct wg_strbuf words = {0};
    wg_strbuf_printf(out, "            '*%s%s[", o->spelling, joints[o->form]);
    quoted(out, o->help, "[]\\", "'\\''");
    wg_strbuf_puts(out, "]");
    if (o->value) {
        values(&words, o);
        wg_strbuf_printf(out, "%s", o->form == MAY_EQUAL ? "::" : ":");
        quoted(out, o->value, ":\\", "'\\''");
        if (words.n)
            wg_strbuf_printf(out, ":(%s)", words.s);
        else if (is_folder(o))
            wg_strbuf_puts(out, ":_files -/");
        else
            wg_strbuf_printf(out, ":%s",
                             !strcmp(o->value, "FILE") || o->option == WG_CLI_OUTPUT ? "_files" : " ");
        wg_strbuf_free(&words);
    }
    wg_strbuf_puts(out, "' \\\n");
}

static void zsh(struct wg_strbuf *out) {
    wg_strbuf_puts(out, "#compdef warpglass\n"
                        "# Completes words of warpglass in zsh. Made by \"warpglass completion zsh\".\n"
                        "_warpglass() {\n"
                        "    local curcontext=$curcontext state line\n"
                        "    typeset -A opt_args\n"
                        "    local -a commands=(\n");
    for (int i = 0; i < WG_COMMANDS; i++) {
        wg_strbuf_printf(out, "        '%s:", wg_command_rows[i].name);
        quoted(out, wg_command_rows[i].summary, ":\\", "'\\''");
        wg_strbuf_puts(out, "'\n");
    }
    wg_strbuf_puts(out, "    )\n    _arguments -C \\\n");
    for (const struct wg_option_row *o = wg_option_rows; o < wg_option_rows + wg_option_row_count; o++)
        if (o->commands & N) zsh_option(out, o);
    wg_strbuf_puts(out, "            '1:command:->command' '*::argument:->argument'\n"
                        "    case $state in\n"
                        "    command) _describe command commands ;;\n"
                        "    argument)\n"
                        "        case $line[1] in\n");
    for (int i = 0; i < WG_COMMANDS; i++) {
        wg_strbuf_printf(out, "        %s) _arguments -S \\\n", wg_command_rows[i].name);
        for (const struct wg_option_row *o = wg_option_rows; o < wg_option_rows + wg_option_row_count; o++)
            if (o->commands >> i & 1) zsh_option(out, o);
        wg_strbuf_puts(out, "            '*:");
        if (i == WG_CMD_HELP) {
            wg_strbuf_puts(out, "command:(");
            add_command_names(out);
            wg_strbuf_puts(out, ")' ;;\n");
        } else {
            wg_strbuf_puts(out, i == WG_CMD_COMPLETION ? "shell:(bash zsh fish)' ;;\n" : "file:_files' ;;\n");
        }
    }
    wg_strbuf_puts(out,
                   "        esac ;;\n    esac\n}\n"
                   "if [[ $funcstack[1] == _warpglass ]]; then _warpglass \"$@\"; else compdef _warpglass "
                   "warpglass; fi\n");
}

/* ---- fish -------------------------------------------------------------------------------------------------
 */

static void fish_option(struct wg_strbuf *out, const struct wg_option_row *o) {
    struct wg_strbuf words = {0};
    const char *name = o->spelling + strspn(o->spelling, "-");
    bool in_all = (o->commands & (unsigned)A) == (unsigned)A;
    wg_strbuf_puts(out, "complete -c warpglass");
    if (!in_all) {
        wg_strbuf_puts(out, " -n '");
        if (o->commands & N) wg_strbuf_puts(out, "__fish_use_subcommand; or ");
        wg_strbuf_puts(out, "__fish_seen_subcommand_from");
        for (int i = 0; i < WG_COMMANDS; i++)
            if (o->commands >> i & 1) wg_strbuf_printf(out, " %s", wg_command_rows[i].name);
        wg_strbuf_puts(out, "'");
    }
    wg_strbuf_printf(out, " -%s %s", name - o->spelling == 2 ? "l" : name[1] ? "o" : "s", name);
    values(&words, o);
    if (words.n)
        wg_strbuf_printf(out, " -x -a '%s'", words.s);
    else if (is_folder(o))
        wg_strbuf_puts(out, " -x -a '(__fish_complete_directories)'");
    else if (o->form != FLAG && o->form != MAY_EQUAL && o->form != PREFIX)
        wg_strbuf_puts(out, " -r");
    wg_strbuf_puts(out, " -d '");
    quoted(out, o->help, "\\", "\\'");
    wg_strbuf_puts(out, "'\n");
    wg_strbuf_free(&words);
}

static void fish(struct wg_strbuf *out) {
    wg_strbuf_puts(out, "# Completes words of warpglass in fish. Made by \"warpglass completion fish\".\n");
    for (int i = 0; i < WG_COMMANDS; i++) {
        wg_strbuf_printf(out, "complete -c warpglass -n __fish_use_subcommand -f -a %s -d '",
                         wg_command_rows[i].name);
        quoted(out, wg_command_rows[i].summary, "\\", "\\'");
        wg_strbuf_puts(out, "'\n");
    }
    wg_strbuf_puts(out, "complete -c warpglass -n '__fish_seen_subcommand_from help' -f -a '");
    add_command_names(out);
    wg_strbuf_puts(
        out, "'\ncomplete -c warpglass -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n");
    for (const struct wg_option_row *o = wg_option_rows; o < wg_option_rows + wg_option_row_count; o++)
        if (!o->group) fish_option(out, o);
}

/* ---- The command ------------------------------------------------------------------------------------------
 */

int wg_command_completion(const struct wg_cmdline *c) {
    static void (*const writers[])(struct wg_strbuf *) = {bash, zsh, fish};
    struct wg_strbuf text = {0};
    const char *shell = wg_cmdline_value(c, WG_CLI_FILE);
    for (int i = 0; shell && shells[i]; i++)
        if (!strcmp(shell, shells[i])) writers[i](&text);
    if (!text.n) {
        wg_say("completion: for which shell? bash, zsh or fish");
        return 2;
    }
    return wg_terminal_finish(&text);
}
