/* "warpglass tool": see device_tool.h. */
#include "cli/device_tool.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "cli/toolkit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- nvlink ---------------------------------------------------------------------------------------------
 */

static const struct wg_tool_option any_options[] = {{0}};

static int nvlink(const struct wg_tool_words *w) {
    (void)w;
    wg_say(
        "nvlink: device code is linked when the program starts, so there is nothing for nvlink to make. Let "
        "nvcc link the program, or make the object that the host's linker needs with \"nvcc -dlink\"");
    return 1;
}

static const struct tool {
    const char *name, *arguments, *what;
    const struct wg_tool_option *options;
    int (*run)(const struct wg_tool_words *w);
} tools[] = {
    {"ptxas", "[OPTIONS] FILE.ptx -o FILE",
     "Checks PTX, and wraps it into a file that cuModuleLoad loads in a cubin's place: the PTX is translated "
     "to "
     "code for the CPU when it runs.",
     wg_ptxas_options, wg_tool_ptxas},
    {"fatbinary", "--create=FILE --image3=kind=ptx,sm=90,file=FILE...",
     "Puts PTX, and what ptxas and nvcc -cubin make of it, into one container.", wg_fatbinary_options,
     wg_tool_fatbinary},
    {"cuobjdump", "[OPTIONS] FILE...",
     "Shows the device code in objects, libraries, executables and containers of device code.",
     wg_cuobjdump_options, wg_tool_cuobjdump},
    {"nvlink", "", "Not supported: device code is linked when the program starts.", any_options, nvlink}};
enum { TOOLS = sizeof tools / sizeof *tools };

/* ---- Options --------------------------------------------------------------------------------------------
 */

const char *wg_tool_value(const struct wg_tool_words *w, const char *name) {
    const char *value = NULL;
    for (uint32_t i = 0; i < w->items.n; i++)
        if (!strcmp(w->items.v[i].option->name, name)) value = w->items.v[i].value;
    return value && strcmp(value, "false") != 0 ? value : NULL;
}

static bool is_name(const char *name, const char *word, size_t n) {
    return name && strlen(name) == n && !strncmp(name, word, n);
}

static bool takes_value(const struct wg_tool_option *o) {
    return o->form == WG_TOOL_VALUE || o->form == WG_TOOL_REFUSED_VALUE;
}

/* The option that a word names, and the value in it or NULL. */
static const struct wg_tool_option *find_option(const struct wg_tool_words *w, const char *word,
                                                const char **value) {
    bool two = !strncmp(word, "--", 2);
    const char *name = word + 1 + two, *equals = strchr(name, '=');
    size_t n = equals ? (size_t)(equals - name) : strlen(name);
    *value = equals ? equals + 1 : NULL;
    for (const struct wg_tool_option *o = w->options; o->name; o++)
        if (is_name(o->name, name, n) || (!two && is_name(o->brief, name, n))) return o;
    *value = name + 1;
    for (const struct wg_tool_option *o = w->options; o->name && !two && *name; o++)
        if (takes_value(o) && is_name(o->brief, name, 1)) return o;
    return NULL;
}

static bool read_words(struct wg_tool_words *w, char **words, unsigned deep);

static bool read_options_file(struct wg_tool_words *w, const char *path, unsigned deep) {
    enum { DEEPEST = 16 };
    struct wg_strbuf text = {0};
    struct wg_args words = {0};
    bool good = deep < DEEPEST && wg_file_read(path, &text);
    if (!good)
        wg_say("%s: the options file %s cannot be read: %s", w->tool, path,
               strerror(deep < DEEPEST ? errno : ELOOP));
    if (good) wg_args_add_words(&words, text.s ? text.s : "", " \t\r\n");
    *WG_PUSH(&w->kept) = words;
    wg_strbuf_free(&text);
    return good && (!words.n || read_words(w, words.v, deep + 1));
}

/* Takes the option that *at stands on. False after a message. */
static bool read_option(struct wg_tool_words *w, char ***at, unsigned deep) {
    const char *word = **at, *value;
    bool from_file = !strncmp(word, "--options-file", 14) || !strncmp(word, "-optf", 5);
    static const struct wg_tool_option file = {"options-file", "optf", "FILE", WG_TOOL_VALUE, NULL};
    const struct wg_tool_option *o = from_file ? &file : find_option(w, word, &value);
    if (from_file) value = strchr(word, '=') ? strchr(word, '=') + 1 : NULL;
    if (!o) {
        wg_say("%s: unknown option %s; \"%s --help\" lists them", w->tool, word, w->tool);
        return false;
    }
    if (takes_value(o) && !value && !(value = *++*at)) {
        wg_say("%s: %s needs a value: %s", w->tool, word, o->value);
        return false;
    }
    if (o->form == WG_TOOL_REFUSED || o->form == WG_TOOL_REFUSED_VALUE) {
        wg_say("%s: %s: %s", w->tool, word, o->help);
        return false;
    }
    if (from_file) return read_options_file(w, value, deep);
    *WG_PUSH(&w->items) = (struct wg_tool_item){o, takes_value(o) || value ? value : "true"};
    return true;
}

static bool read_words(struct wg_tool_words *w, char **words, unsigned deep) {
    for (; *words; words++)
        if (**words != '-' || !(*words)[1])
            wg_args_add(&w->files, *words);
        else if (!read_option(w, &words, deep))
            return false;
    return true;
}

/* ---- The command ----------------------------------------------------------------------------------------
 */

static void add_rows(const struct tool *t, struct wg_strbuf *out) {
    for (const struct wg_tool_option *o = t->options; o->name; o++) {
        if (!o->help || o->form == WG_TOOL_REFUSED || o->form == WG_TOOL_REFUSED_VALUE) continue;
        wg_strbuf_printf(out, "  --%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        if (o->brief) wg_strbuf_printf(out, ", -%s", o->brief);
        wg_strbuf_puts(out, "\n      ");
        wg_help_wrap(out, 6, 6, o->help);
    }
}

static void help(const struct tool *t, struct wg_strbuf *out) {
    struct wg_strbuf text = {0};
    wg_strbuf_printf(out, "usage: %s %s\n\n", t->name, t->arguments);
    wg_strbuf_printf(&text, "%s This is Warpglass's, in place of NVIDIA's.", t->what);
    wg_help_wrap(out, 0, 0, text.s);
    wg_strbuf_puts(out, "\n");
    add_rows(t, out);
    wg_strbuf_puts(out, "  --options-file FILE, -optf\n      read more options from FILE\n"
                        "  --version, -V\n      print the version of the toolkit that this stands in for\n");
    wg_strbuf_free(&text);
    const char *before = "Taken without effect: ";
    for (const struct wg_tool_option *o = t->options; o->name; o++)
        if (!o->help) {
            wg_strbuf_printf(&text, "%s--%s", before, o->name);
            before = ", ";
        }
    if (text.n) {
        wg_strbuf_puts(out, "\n");
        wg_help_wrap(out, 0, 0, text.s);
    }
    wg_strbuf_free(&text);
}

static bool asks(char *const *words, const char *name, const char *brief) {
    for (; *words; words++)
        if (!strcmp(*words, name) || !strcmp(*words, brief)) return true;
    return false;
}

static int run(const struct tool *t, char **words) {
    struct wg_strbuf text = {0};
    struct wg_tool_words w = {.tool = t->name, .options = t->options};
    if (asks(words, "--help", "-h")) {
        help(t, &text);
        return wg_terminal_finish(&text);
    }
    if (asks(words, "--version", "-V")) {
        wg_strbuf_printf(&text,
                         "%s of Warpglass " WG_VERSION ", for device code that runs on the CPU\n"
                         "Cuda compilation tools, release " WG_TOOLKIT_RELEASE ", V" WG_TOOLKIT_VERSION "\n",
                         t->name);
        return wg_terminal_finish(&text);
    }
    int status = t->options == any_options || read_words(&w, words, 0) ? t->run(&w) : 1;
    wg_args_free(&w.files);
    for (uint32_t i = 0; i < w.kept.n; i++) wg_args_free(&w.kept.v[i]);
    free(w.kept.v);
    free(w.items.v);
    return status;
}

int wg_command_tool(const struct wg_cmdline *c) {
    const char *name = c->items.n ? c->items.v[0].value : NULL;
    for (size_t i = 0; name && i < TOOLS; i++)
        if (!strcmp(tools[i].name, name) && c->items.n == 1) return run(&tools[i], c->program_args);
    struct wg_strbuf known = {0};
    for (size_t i = 0; i < TOOLS; i++) wg_strbuf_printf(&known, "%s%s", i ? ", " : "", tools[i].name);
    if (c->items.n > 1)
        wg_say("%s: its arguments stand behind \"--\": warpglass tool %s -- %s", name, name,
               c->items.v[1].value);
    else if (name)
        wg_say("unknown tool '%s'; there are %s", name, known.s);
    else
        wg_say("which tool? There are %s", known.s);
    wg_strbuf_free(&known);
    return 2;
}
