/* See symbols.h. The symbolizer runs once for each object, with all addresses of it. */
#include "cli/symbols.h"
#include "base/command.h"
#include "cli/layout.h"
#include "cli/process.h"
#include "cli/say.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_AT_ONCE = 1000 };

/* Files in the folder that the user is in are named as from there. */
static const char *tidy(struct wg_arena *a, const char *file) {
    char here[4096];
    size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (n > 1 && !strncmp(file, here, n) && file[n] == '/') file += n + 1;
    while (!strncmp(file, "./", 2)) file += 2;
    return wg_arena_strdup(a, file);
}

/* [{"FileName": "main.cu", "Line": 12, "Column": 3, "FunctionName": "main"}, ...], innermost first. */
static void read_frames(struct wg_arena *a, const json_t *symbols, struct wg_found_code *c) {
    size_t n = json_array_size(symbols);
    c->frames = WG_NEW_N(a, struct wg_frame, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *v = json_array_get(symbols, i);
        const char *file = json_string_value(json_object_get(v, "FileName"));
        const char *function = json_string_value(json_object_get(v, "FunctionName"));
        uint32_t line = (uint32_t)json_integer_value(json_object_get(v, "Line"));
        if (!file || !*file || !line) continue;
        c->frames[c->frame_count++] =
            (struct wg_frame){.file = tidy(a, file),
                              .line = line,
                              .column = (uint32_t)json_integer_value(json_object_get(v, "Column")),
                              .function = function && *function ? wg_arena_strdup(a, function) : NULL};
    }
}

/* What a return address returns to may belong to the next line: the call lies before it. */
static uint64_t call(const struct wg_found_code *c) { return c->offset ? c->offset - 1 : 0; }

static void read_answer(struct wg_arena *a, const char *path, struct wg_found_code *codes[], size_t n) {
    json_t *root = json_load_file(path, 0, NULL);
    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *v = json_array_get(root, i);
        const char *address = json_string_value(json_object_get(v, "Address"));
        for (size_t j = 0; address && j < n; j++)
            if (!codes[j]->frames && call(codes[j]) == strtoull(address, NULL, 16))
                read_frames(a, json_object_get(v, "Symbol"), codes[j]);
    }
    json_decref(root);
}

static bool find_symbolizer(struct wg_strbuf *path) {
    static const char *const names[] = {"llvm-symbolizer-19", "llvm-symbolizer"};
    for (int i = 0; i < 2; i++)
        if (wg_command_find(names[i], path)) return true;
    return false;
}

/* All of them are of one object. */
static void look(struct wg_arena *a, const char *symbolizer, struct wg_found_code *codes[], size_t n) {
    const char *scratch = wg_layout_scratch();
    struct wg_args words = {0};
    struct wg_process p = {.path = symbolizer};
    if (!scratch) return;
    char *answer = wg_arena_printf(a, "%s/symbols.json", scratch);
    char *complaints = wg_arena_printf(a, "%s/symbols.said", scratch);
    wg_args_add(&words, "llvm-symbolizer");
    wg_args_add(&words, "--output-style=JSON");
    wg_args_add(&words, "--no-debuginfod");
    wg_args_addf(&words, "--obj=%s", codes[0]->object);
    for (size_t i = 0; i < n; i++) wg_args_addf(&words, "0x%" PRIx64, call(codes[i]));
    p.argv = words.v;
    p.stdout_path = answer;
    p.stderr_path = complaints;
    int status = wg_process_run(&p);
    if (status)
        wg_say_verbose("llvm-symbolizer ended with status %d", status);
    else
        read_answer(a, answer, codes, n);
    wg_args_free(&words);
}

static int by_object(const void *pa, const void *pb) {
    const struct wg_found_code *a = *(struct wg_found_code *const *)pa,
                               *b = *(struct wg_found_code *const *)pb;
    int o = strcmp(a->object, b->object);
    return o ? o : (a->offset > b->offset) - (a->offset < b->offset);
}

void wg_symbols_look(void *arena, struct wg_found_code *codes[], size_t n) {
    struct wg_strbuf symbolizer = {0};
    if (!find_symbolizer(&symbolizer)) {
        wg_say("note: llvm-symbolizer-19 was not found (Debian: llvm-19), so calls in the host program have "
               "no line numbers");
        return;
    }
    qsort(codes, n, sizeof *codes, by_object);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && end - i < MOST_AT_ONCE && !strcmp(codes[i]->object, codes[end]->object);)
            end++;
        look(arena, symbolizer.s, codes + i, end - i);
    }
    wg_strbuf_free(&symbolizer);
}
