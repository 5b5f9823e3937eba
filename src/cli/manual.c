/* The manual pages, as troff: warpglass(1) with all of it, and one for each command, warpglass-run(1). Written from
 * options.def, as --help is. */
#include "cli/option_table.h"

#include <string.h>

/* Text in which troff finds nothing to act on. */
static void troff(struct wg_strbuf *out, const char *text) {
    if (*text == '.' || *text == '\'') wg_strbuf_puts(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\')
            wg_strbuf_puts(out, "\\e");
        else if (*text == '-')
            wg_strbuf_puts(out, "\\-");
        else if (*text == '"')
            wg_strbuf_puts(out, "\\(dq"); /* which ends no argument of a macro */
        else
            wg_strbuf_add(out, text, 1);
    }
}

static void item(struct wg_strbuf *out, const char *term, const char *text) {
    wg_strbuf_puts(out, ".TP\n.B ");
    /* Arguments of a macro end at blanks, so a term of several words is quoted. */
    wg_strbuf_puts(out, "\"");
    troff(out, term);
    wg_strbuf_puts(out, "\"\n");
    troff(out, text);
    wg_strbuf_puts(out, "\n");
}

static void section(struct wg_strbuf *out, const char *title, const struct wg_help_pairs *pairs) {
    wg_strbuf_printf(out, ".SH %s\n", title);
    for (size_t i = 0; i < pairs->n; i++) item(out, pairs->v[i].left, pairs->v[i].right);
}

/* "[run, cc]" */
static void add_commands(struct wg_strbuf *out, unsigned mask) {
    const char *before = " [";
    for (int i = 0; i < WG_COMMANDS; i++)
        if (mask >> i & 1) {
            wg_strbuf_printf(out, "%s%s", before, wg_command_rows[i].name);
            before = ", ";
        }
    if (*before == ',') wg_strbuf_puts(out, "]");
}

/* Those of the commands in `mask`; where they are several, which of them take one. */
static void options(struct wg_strbuf *out, unsigned mask) {
    const unsigned every = (unsigned)A;
    wg_strbuf_puts(out, ".SH OPTIONS\n");
    if (mask == every)
        wg_strbuf_puts(out, "The commands that take an option are given in brackets after it.\n");
    for (const struct wg_option_row *o = wg_option_rows; o < wg_option_rows + wg_option_row_count; o++) {
        if (o->group && wg_option_group_has(o, mask)) wg_strbuf_printf(out, ".SS %s\n", o->group);
        if (o->group || !(o->commands & mask)) continue;
        struct wg_strbuf text = {0};
        wg_strbuf_puts(&text, o->help);
        if (mask == every && o->commands == every)
            wg_strbuf_puts(&text, " [every command]");
        else if (mask == every)
            add_commands(&text, o->commands);
        item(out, wg_option_shape(o), text.s);
        wg_strbuf_free(&text);
        if (o->option != WG_CLI_DUMP) continue;
        wg_strbuf_puts(out, ".RS\n");
        for (size_t i = 0; i < wg_dump_rows.n; i++)
            item(out, wg_dump_rows.v[i].left, wg_dump_rows.v[i].right);
        wg_strbuf_puts(out, ".RE\n");
    }
}

static void environment(struct wg_strbuf *out) {
    section(out, "ENVIRONMENT", &wg_variable_rows);
    item(out, "WARPGLASS_CLANG", "the clang++ to use, 19 or later; by default, the one in PATH");
    item(out, "WARPGLASS_NVCC", "the nvcc to use; by default, the one in PATH, CUDA_HOME or /usr/local/cuda");
    item(out, "WARPGLASS_PTXAS",
         "the ptxas that \"occupancy\" gets register counts from; found like nvcc by default, and empty "
         "means none");
    item(out, "WARPGLASS_NVDISASM",
         "the nvdisasm by which \"profile\" reads the machine code that ptxas makes; found and turned off in "
         "the same way");
    wg_strbuf_puts(out, ".PP\nA program started without this command takes its options from these variables; "
                        "\"run\" sets them for the program it starts.\n");
}

static void begin(struct wg_strbuf *out, const char *title, const char *made_by) {
    wg_strbuf_printf(out,
                     ".\\\" Made by \"warpglass %s\" from cli/options.def: change that file, not this one.\n"
                     ".TH %s 1 \"\" \"Warpglass " WG_VERSION "\" \"\"\n",
                     made_by, title);
}

static void synopsis(struct wg_strbuf *out, const struct wg_command_row *c) {
    wg_strbuf_printf(out, ".B warpglass %s\n", c->name);
    troff(out, c->arguments);
    if (*c->arguments) wg_strbuf_puts(out, "\n");
}

static void whole(struct wg_strbuf *out) {
    begin(out, "WARPGLASS", "--man");
    wg_strbuf_puts(out, ".SH NAME\nwarpglass \\- run CUDA programs on a machine with no GPU\n.SH SYNOPSIS\n");
    for (int i = 0; i < WG_COMMANDS; i++) {
        synopsis(out, &wg_command_rows[i]);
        wg_strbuf_puts(out, ".br\n");
    }
    wg_strbuf_puts(
        out, ".SH DESCRIPTION\nWarpglass compiles and runs CUDA programs on the CPU, as the chosen GPU "
             "would run them: warps of 32 lanes, shared memory, barriers, clusters, atomics.\nIt needs no "
             "GPU and no NVIDIA software.\n.SH COMMANDS\nEach has a page of its own, such as "
             "warpglass\\-run(1).\n");
    for (int i = 0; i < WG_COMMANDS; i++) {
        item(out, wg_command_rows[i].name, wg_command_rows[i].summary);
        wg_strbuf_puts(out, ".br\n");
        troff(out, wg_command_rows[i].more);
        wg_strbuf_puts(out, "\n");
    }
    options(out, (unsigned)A);
    section(out, "EXIT STATUS", &wg_status_rows);
    environment(out);
    wg_strbuf_puts(out, ".SH FILES\n");
    item(out, "~/.cache/warpglass",
         "compiled programs and kernels; XDG_CACHE_HOME or WARPGLASS_CACHE_DIR moves it. It is used "
         "only if nobody else can write to it, and may be deleted at any time");
    section(out, "EXAMPLES", &wg_example_rows);
}

/* Those that call this command. */
static void examples_of(struct wg_strbuf *out, const char *name) {
    struct wg_strbuf word = {0};
    bool any = false;
    wg_strbuf_printf(&word, "warpglass %s", name);
    for (size_t i = 0; i < wg_example_rows.n; i++) {
        const char *at = strstr(wg_example_rows.v[i].left, word.s);
        if (!at || strchr("abcdefghijklmnopqrstuvwxyz", at[word.n] ? at[word.n] : ' ')) continue;
        if (!any) wg_strbuf_puts(out, ".SH EXAMPLES\n");
        item(out, wg_example_rows.v[i].left, wg_example_rows.v[i].right);
        any = true;
    }
    wg_strbuf_free(&word);
}

static void page(struct wg_strbuf *out, enum wg_command command) {
    const struct wg_command_row *c = &wg_command_rows[command];
    struct wg_strbuf title = {0}, made_by = {0};
    wg_strbuf_printf(&title, "WARPGLASS-%s", c->name);
    for (char *t = title.s; *t; t++)
        if (*t >= 'a' && *t <= 'z') *t -= 'a' - 'A';
    wg_strbuf_printf(&made_by, "%s --man", c->name);
    begin(out, title.s, made_by.s);
    wg_strbuf_printf(out, ".SH NAME\nwarpglass\\-%s \\- ", c->name);
    troff(out, c->summary);
    wg_strbuf_puts(out, "\n.SH SYNOPSIS\n");
    synopsis(out, c);
    wg_strbuf_puts(out, ".SH DESCRIPTION\n");
    troff(out, c->more);
    wg_strbuf_puts(out, "\n");
    options(out, 1u << command);
    section(out, "EXIT STATUS", &wg_status_rows);
    if (1u << command & (R | P | K)) environment(out);
    examples_of(out, c->name);
    wg_strbuf_puts(out, ".SH SEE ALSO\n.BR warpglass (1)\n");
    wg_strbuf_free(&title);
    wg_strbuf_free(&made_by);
}

void wg_man(enum wg_command command, struct wg_strbuf *out) {
    if (command == WG_CMD_NONE)
        whole(out);
    else
        page(out, command);
}
