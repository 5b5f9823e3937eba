/* See refused.h. Habits of programs that nvcc takes: alignas behind __shared__ and other qualifiers, as NVIDIA's
 * own examples have it; launches as editors space them out, kernel << <grid, block >> >(x), or with a list for a
 * shape, <<<n, {x, y}>>>; PTX's registers with a single % in inline assembly; names of a template's templates without
 * `template`; functions of the device that are declared without __device__; initialisers of arrays of variable size;
 * launches in device code; pragmas that a macro expands to; local variables that are __device__ __shared__; code that
 * needs __NVCC__. All but the first and the last are written as clang takes them (respell.h) in a copy of the file, in
 * which every line keeps its place, and clang takes the copy for the file.
 */
#include "cli/refused.h"
#include "base/arena.h"
#include "cli/make_rule.h"
#include "cli/respell.h"
#include "cli/say.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char nvcc_macro[] = WG_AS_NVCC;

/* "file:line:column: error: what", or note */
struct message {
    const char *path, *what;
    size_t line, column; /* from 1 */
};

static bool respell_launches(struct wg_strbuf *text, size_t at) {
    return wg_respell_shape(text, at) || wg_respell_launches(text);
}

static const char host_function[] = "candidate function not viable: call to __host__ function from __";

/* Launches in device code: of a kernel by its name alone; of one of a template, or of several with its name. */
static const char child[] = "reference to __global__ function '";
static const char child_kernel[] = "candidate function not viable: call to __global__ function from __";
static const char child_declared[] = "the kernel's declaration";

static const char variable_array[] = "variable-sized object may not be initialized";

static const char expression[] = "expected expression";
static const char pragma_of_macro[] = "the pragma that a macro expands to";

static const char bad_percent[] = "invalid % escape in inline assembly string";

static const struct {
    const char *what;
    bool (*respell)(struct wg_strbuf *text, size_t at);
} kinds[] = {
    {expression, respell_launches},
    {pragma_of_macro, wg_respell_pragma},
    {"__constant__, __device__, and __managed__ are not allowed on non-static local variables",
     wg_respell_shared_variable},
    {bad_percent, wg_respell_percents},
    {"expected ')'", wg_respell_operands},
    {"missing 'template' keyword prior to dependent template name", wg_respell_template_name},
    {"reference to overloaded function could not be resolved", wg_respell_template_name},
    {host_function, wg_respell_prototype},
    {variable_array, wg_respell_variable_array},
    {child, wg_respell_child},
    {child_kernel, wg_respell_child_of_several},
    {child_declared, wg_respell_twin},
};

/* What a terminal shows of a message: without colours. */
static void drop_colours(char *text) {
    char *to = text;
    for (const char *from = text; *from;) {
        if (*from == '\033') {
            from += strcspn(from, "m");
            from += *from != '\0';
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

/* The word that starts so; NULL: none. */
static const char *find_word(const struct wg_args *words, const char *start) {
    for (size_t i = 0; i < words->n; i++)
        if (!strncmp(words->v[i], start, strlen(start))) return words->v[i];
    return NULL;
}

/* A line of the messages, which is cut up. */
static bool parse(char *line, const char *mark, struct message *m) {
    char *end = strstr(line, mark);
    if (!end) return false;
    size_t numbers[2];
    m->what = end + strlen(mark);
    for (int i = 0; i < 2; i++) {
        *end = '\0';
        end = strrchr(line, ':');
        if (!end) return false;
        numbers[i] = strtoul(end + 1, NULL, 10);
    }
    *end = '\0';
    m->path = line;
    m->column = numbers[0];
    m->line = numbers[1];
    return m->column && m->line;
}

/* Of a call that is refused: whether the file with the call has the function for the device. */
static bool is_for_device(const struct message *call) {
    const char *name = strchr(call->what, '\'');
    struct wg_strbuf text = {0};
    bool is = name && wg_file_read(call->path, &text) && text.n &&
              wg_respell_defines_for_device(&text, name + 1, strcspn(name + 1, "'"));
    wg_strbuf_free(&text);
    return is;
}

/* What CUDA 13 does not have, in headers of their own, because newer programs use the same names otherwise: how the
 * messages about such a name begin, the names, and what is said. */
static const struct old {
    const char *header, *misses[4], *names[14], *note;
} olds[] = {
    {"warpglass/textures/references.h",
     {"no template named '", "unknown type name '", "use of undeclared identifier '", "no type named '"},
     {"texture", "surface", "textureReference", "surfaceReference", "cudaBindTexture", "cudaBindTexture2D",
      "cudaBindTextureToArray", "cudaUnbindTexture", "cudaGetTextureReference",
      "cudaGetTextureAlignmentOffset", "cudaBindSurfaceToArray", "cudaGetSurfaceReference"},
     "has texture or surface references, which CUDA 12 removed: compiled as CUDA 11 has them"},
    {"warpglass/driver_older_forms.h",
     {"no matching function for call to '"},
     {"cuCtxCreate_v4", "cuMemPrefetchAsync_v2", "cuMemAdvise_v2", "cuStreamGetCaptureInfo_v3",
      "cuGraphAddDependencies_v2", "cuGraphRemoveDependencies_v2", "cuGraphGetEdges_v2",
      "cuGraphNodeGetDependencies_v2", "cuGraphNodeGetDependentNodes_v2", "cuGraphInstantiateWithFlags",
      "cuGraphExecUpdate_v2", "cuGraphAddNode_v2", "cuStreamUpdateCaptureDependencies_v2"},
     "calls functions of the driver as CUDA 12 has them"},
};

static bool is_missing(const char *what, const struct old *o) {
    for (size_t k = 0; k < sizeof o->misses / sizeof *o->misses && o->misses[k]; k++) {
        size_t start = strlen(o->misses[k]);
        if (strncmp(what, o->misses[k], start) != 0) continue;
        for (size_t i = 0; i < sizeof o->names / sizeof *o->names && o->names[i]; i++) {
            size_t length = strlen(o->names[i]);
            if (!strncmp(what + start, o->names[i], length) && what[start + length] == '\'') return true;
        }
    }
    return false;
}

/* Adds the headers that are missed. */
static bool add_old(const struct message *found, size_t n, struct wg_args *words) {
    static bool told[sizeof olds / sizeof *olds];
    bool any = false;
    for (size_t o = 0; o < sizeof olds / sizeof *olds; o++) {
        bool misses = false;
        for (size_t i = 0; i < n && !misses; i++) misses = is_missing(found[i].what, &olds[o]);
        if (!misses || find_word(words, olds[o].header)) continue;
        wg_args_add(words, "-include");
        wg_args_add(words, olds[o].header);
        if (!told[o]) wg_say("note: %s %s", found->path, olds[o].note);
        told[o] = any = true;
    }
    return any;
}

/* By file, and from its end on, so that what is changed moves nothing that is still to be looked at. */
static int by_place(const void *a, const void *b) {
    const struct message *x = a, *y = b;
    int files = strcmp(x->path, y->path);
    if (files) return files;
    if (x->line != y->line) return x->line < y->line ? 1 : -1;
    if (x->column != y->column) return x->column < y->column ? 1 : -1;
    return strcmp(x->what, y->what);
}

static void add(struct message **all, size_t *n, const struct message *m) {
    *all = wg_xrealloc(*all, (*n + 1) * sizeof **all);
    (*all)[(*n)++] = *m;
}

/* The byte at a line and a column; the text's end where it has no such place. */
static size_t place_of(const struct wg_strbuf *text, const struct message *m) {
    const char *p = text->s;
    for (size_t line = 1; line < m->line && *p; line++) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    size_t most = strcspn(p, "\n"), column = m->column - 1;
    return (size_t)(p - text->s) + (column < most ? column : most);
}

/* The copy of a file that clang takes for it; NULL: it takes the file itself. */
static const char *copy_of(const char *path, const struct wg_args *words) {
    struct wg_strbuf from = {0};
    wg_strbuf_printf(&from, "%s;", path);
    const char *word = find_word(words, from.s), *copy = word ? word + from.n : NULL;
    wg_strbuf_free(&from);
    return copy;
}

/* Of a launch that is refused: whether its kernel has to be found by the launch's arguments. */
static bool is_of_several(const struct message *call, const struct wg_args *words) {
    const char *copy = copy_of(call->path, words);
    struct wg_strbuf text = {0};
    bool is = wg_file_read(copy ? copy : call->path, &text) && text.n &&
              wg_respell_is_of_several(&text, place_of(&text, call));
    wg_strbuf_free(&text);
    return is;
}

/* What may be changed in the macro that a refused text is expanded from; NULL: nothing. */
static const char *fault_of_macro(const struct message *refused, const struct message *note) {
    if (strncmp(note->what, "expanded from macro", 19) != 0) return NULL;
    return !strcmp(refused->what, bad_percent)  ? bad_percent
           : !strcmp(refused->what, expression) ? pragma_of_macro
                                                : NULL;
}

/* Errors, and what notes say of them: where a function is declared of which a call is refused, and in which macro a
 * % or a pragma stands. */
static size_t find_messages(char *text, const struct wg_args *words, struct message **all) {
    struct message m, call = {0};
    size_t n = 0;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        if (parse(line, ": error: ", &m)) {
            call = m;
            add(all, &n, &m);
        } else if (parse(line, ": note: ", &m) && call.path) {
            const char *of_macro = fault_of_macro(&call, &m);
            bool of_kernel = !strncmp(m.what, child_kernel, strlen(child_kernel));
            if (of_macro) m.what = of_macro;
            if (of_kernel) {
                if (is_of_several(&call, words))
                    add(all, &n, &(struct message){m.path, child_declared, m.line, m.column});
                m = (struct message){call.path, m.what, call.line, call.column};
            }
            if (of_macro || of_kernel ||
                (!strncmp(m.what, host_function, strlen(host_function)) && is_for_device(&call)))
                add(all, &n, &m);
        }
    }
    if (n) qsort(*all, n, sizeof **all, by_place);
    return n;
}

/* What lies in one file. Its copy, if it has one already, is what clang speaks of. */
static bool respell_file(const struct message *m, size_t n, const char *messages, struct wg_args *words) {
    struct wg_strbuf text = {0}, copy = {0};
    const char *known = copy_of(m->path, words);
    if (known)
        wg_strbuf_puts(&copy, known);
    else
        wg_strbuf_printf(&copy, "%s.%zu.cu", messages, words->n);
    bool any = false, has_text = wg_file_read(known ? copy.s : m->path, &text) && text.n;
    for (size_t i = 0; has_text && i < n; i++) {
        bool again = i && !by_place(&m[i], &m[i - 1]);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !again; k++)
            if (!strncmp(m[i].what, kinds[k].what, strlen(kinds[k].what)))
                any |= kinds[k].respell(&text, place_of(&text, &m[i]));
    }
    any = any && wg_file_write(copy.s, text.s, text.n);
    if (any && !known) {
        wg_args_add_list(words, "-Xclang,-remap-file,-Xclang");
        wg_args_addf(words, "%s;%s", m->path, copy.s);
    }
    wg_strbuf_free(&text);
    wg_strbuf_free(&copy);
    return any;
}

/* The name that an error says is not declared, whose end is cut off; NULL: another error. */
static const char *undeclared_name(const char *what) {
    static const char *const starts[] = {"no member named '",   "use of undeclared identifier '",
                                         "unknown type name '", "no template named '",
                                         "no type named '",     "no matching function for call to '"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(what, starts[i], strlen(starts[i])) != 0) continue;
        char *name = strchr(what, '\'') + 1;
        name[strcspn(name, "'")] = '\0';
        return name;
    }
    return NULL;
}

static bool has_word(const char *line, size_t n, const char *word) {
    size_t length = strlen(word);
    const char *end = line + n;
    for (const char *p = line; length && (p = memmem(p, (size_t)(end - p), word, length)); p++) {
        if ((p == line || !wg_respell_in_name(p[-1])) && !wg_respell_in_name(p[length])) return true;
    }
    return false;
}

/* Whether the name, or, without one, the line stands in a part of the text that an #if about __NVCC__ decides on. */
static bool depends_on_nvcc(const char *text, const char *name, size_t number) {
    unsigned depth = 0, decided = 0; /* the depth at which __NVCC__ decides */
    for (const char *line = text; *line; number--) {
        size_t n = strcspn(line, "\n");
        const char *p = line + strspn(line, " \t");
        if (*p == '#') {
            p += 1 + strspn(p + 1, " \t");
            bool opens = !strncmp(p, "if", 2), ends = !strncmp(p, "endif", 5);
            depth += opens;
            if ((opens || !strncmp(p, "elif", 4)) && !decided && has_word(line, n, "__NVCC__"))
                decided = depth;
            if (ends && decided == depth) decided = 0;
            depth -= ends && depth;
        }
        if (decided && (name ? has_word(line, n, name) : number == 1)) return true;
        line += n + (line[n] != '\0');
    }
    return false;
}

/* The file among those of make's rule that declares the name as __NVCC__ has it; NULL: none. */
static const char *find_declaring(const struct wg_args *files, const char *name) {
    const char *found = NULL;
    for (size_t i = 0; i < files->n && !found; i++) {
        struct wg_strbuf text = {0};
        if (wg_file_read(files->v[i], &text) && text.n && depends_on_nvcc(text.s, name, 0))
            found = files->v[i];
        wg_strbuf_free(&text);
    }
    return found;
}

/* The file that asks for __NVCC__ and so may be why clang says this; NULL: none. */
static const char *find_asking(const struct message *m, bool is_note, const struct wg_args *files) {
    struct wg_strbuf text = {0};
    bool of_host = is_note && !strncmp(m->what, host_function, strlen(host_function)), asks = false;
    if ((of_host || !is_note) && wg_file_read(m->path, &text) && text.n)
        asks = of_host ? strstr(text.s, "__NVCC__") != NULL : depends_on_nvcc(text.s, NULL, m->line);
    wg_strbuf_free(&text);
    const char *name = is_note || asks ? NULL : undeclared_name(m->what);
    return asks ? m->path : name ? find_declaring(files, name) : NULL;
}

/* What a compiler said, in words without that macro; `rule`: a file with make's rule of what was read. The caller frees it; NULL:
 * nothing asks. */
static char *find_asking_file(const char *said, const char *rule, const struct wg_args *words) {
    struct wg_strbuf copy = {0}, read = {0};
    struct wg_args files = {0};
    const char *asks = NULL;
    wg_strbuf_puts(&copy, said);
    drop_colours(copy.s);
    if (wg_file_read(rule, &read) && read.n) wg_make_rule_read(read.s, &files);
    for (char *line = copy.s, *next; line && !asks && !find_word(words, nvcc_macro); line = next) {
        struct message m;
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        bool is_note = parse(line, ": note: ", &m);
        if (is_note || parse(line, ": error: ", &m) || parse(line, ": fatal error: ", &m))
            asks = find_asking(&m, is_note, &files);
    }
    char *found = asks ? wg_xstrdup(asks) : NULL;
    wg_args_free(&files);
    wg_strbuf_free(&read);
    wg_strbuf_free(&copy);
    return found;
}

void wg_refused_explain(const char *text, const char *rule, const struct wg_args *words) {
    char *asks = find_asking_file(text, rule, words);
    if (asks)
        wg_say("note: %s tests whether __NVCC__ is defined, as nvcc does: try -D__NVCC__, or compile as "
               "nvcc (warpglass toolkit)",
               asks);
    free(asks);
}

/* ---- The next try ---- */

static bool add_nvcc(const char *said, const char *rule, const struct wg_args *tried, struct wg_args *words) {
    char *asks = find_asking_file(said, rule, tried);
    if (asks) {
        wg_args_add(words, nvcc_macro);
        wg_say("note: %s tests whether __NVCC__ is defined, as nvcc does: compiled with %s", asks,
               nvcc_macro);
    }
    free(asks);
    return asks != NULL;
}

/* Which of the two clang says depends on whether a word of C++'s or a program's own type follows. */
static bool is_misplaced_alignas(const char *messages) {
    return strstr(messages, "'alignas' attribute cannot be applied to types") ||
           (strstr(messages, "an attribute list cannot appear here") && strstr(messages, "alignas("));
}

bool wg_refused_words(const char *messages, const char *rule, const struct wg_args *tried,
                      struct wg_args *words) {
    struct wg_strbuf text = {0}, said = {0};
    struct message *found = NULL;
    bool any = false;
    if (wg_file_read(messages, &text) && text.n) {
        any = is_misplaced_alignas(text.s) && !find_word(words, "warpglass/alignas");
        if (any) wg_args_add_list(words, "-include,warpglass/alignas_anywhere.h");
        if (strstr(text.s, variable_array) && !find_word(words, "warpglass/variable"))
            wg_args_add_list(words, "-include,warpglass/variable_arrays.h");
        wg_strbuf_puts(&said, text.s);
        drop_colours(text.s);
        size_t n = find_messages(text.s, words, &found);
        any |= !find_word(tried, WG_ONLY_NEWEST) && add_old(found, n, words);
        for (size_t i = 0, end; i < n; i = end) {
            for (end = i + 1; end < n && !strcmp(found[end].path, found[i].path);) end++;
            any |= respell_file(&found[i], end - i, messages, words);
        }
        any = any || add_nvcc(said.s, rule, tried, words);
    }
    free(found);
    wg_strbuf_free(&said);
    wg_strbuf_free(&text);
    return any;
}
