/* A result file, read: JSON into the structs of profile.h, each value checked.
 *
 * The first thing that is wrong ends the reading, with its place: "kernels[0].launches[2].grid[1]: missing".
 * Readers of parts give nothing back; they look at `failed` where it matters for what they do next, and
 * reading goes on over harmless empty values otherwise.
 */
#include "report/profile.h"
#include <jansson.h>
#include <stdarg.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct reader {
    struct wg_arena *arena;
    struct wg_strbuf *why;
    const char *path; /* of the file */
    char place[256];  /* in the file, of the value being read */
    bool failed;
};

static void fail(struct reader *r, const char *key, const char *what) {
    if (!r->failed)
        wg_strbuf_printf(r->why, "%s: %s%s%s: %s", r->path, r->place, *r->place && key ? "." : "",
                         key ? key : "", what);
    r->failed = true;
}

/* The place grows by ".key" or "[index]", and shrinks to what it was. */
static size_t enter(struct reader *r, const char *key, size_t index) {
    size_t n = strlen(r->place);
    snprintf(r->place + n, sizeof r->place - n, "%s%s[%zu]", n ? "." : "", key, index);
    return n;
}
static void leave(struct reader *r, size_t n) { r->place[n] = 0; }

static const char *text(struct reader *r, const json_t *o, const char *key) {
    const json_t *v = json_object_get(o, key);
    if (!v || json_is_null(v)) return NULL;
    if (!json_is_string(v)) {
        fail(r, key, "a text was expected");
        return NULL;
    }
    return wg_arena_strndup(r->arena, json_string_value(v), json_string_length(v));
}

static const char *text_needed(struct reader *r, const json_t *o, const char *key) {
    const char *s = text(r, o, key);
    if (!s) fail(r, key, "missing");
    return s ? s : "";
}

static uint64_t count(struct reader *r, const char *key, const json_t *v, uint64_t most) {
    if (json_is_integer(v) && json_integer_value(v) >= 0 && (uint64_t)json_integer_value(v) <= most)
        return (uint64_t)json_integer_value(v);
    fail(r, key, v ? "a count was expected" : "missing");
    return 0;
}
static uint64_t number(struct reader *r, const json_t *o, const char *key, uint64_t otherwise,
                       uint64_t most) {
    const json_t *v = json_object_get(o, key);
    return v && !json_is_null(v) ? count(r, key, v, most) : otherwise;
}
static uint32_t small(struct reader *r, const json_t *o, const char *key, uint32_t otherwise) {
    return (uint32_t)number(r, o, key, otherwise, UINT32_MAX);
}
static uint64_t large(struct reader *r, const json_t *o, const char *key) {
    return number(r, o, key, 0, INT64_MAX);
}

/* The array at `key`, or NULL when there is none, which is wrong where it is `needed`. */
static const json_t *array(struct reader *r, const json_t *o, const char *key, bool needed) {
    const json_t *v = json_object_get(o, key);
    if (json_is_array(v)) return v;
    if (v && !json_is_null(v))
        fail(r, key, "a list was expected");
    else if (needed)
        fail(r, key, "missing");
    return NULL;
}

static void shape(struct reader *r, const json_t *o, const char *key, bool needed, uint32_t otherwise,
                  uint32_t out[3]) {
    const json_t *a = array(r, o, key, needed);
    for (size_t i = 0; i < 3; i++) out[i] = otherwise;
    if (!a) return;
    if (json_array_size(a) != 3) {
        fail(r, key, "three sizes were expected");
        return;
    }
    for (size_t i = 0; i < 3; i++) out[i] = (uint32_t)count(r, key, json_array_get(a, i), UINT32_MAX);
}

/* ---- Kernels ----------------------------------------------------------------------------------------------
 */

static void read_frames(struct reader *r, const json_t *o, struct wg_site *s) {
    const json_t *a = array(r, o, "frames", false);
    size_t n = json_array_size(a);
    s->frames = WG_NEW_N(r->arena, struct wg_frame, n);
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *f = json_array_get(a, i);
        size_t before = enter(r, "frames", i);
        struct wg_frame frame = {.file = text(r, f, "file"),
                                 .line = small(r, f, "line", 0),
                                 .column = small(r, f, "column", 0),
                                 .function = text(r, f, "function")};
        if (frame.file && frame.line) s->frames[s->frame_count++] = frame;
        leave(r, before);
    }
}

static enum wg_class class_of(struct reader *r, const json_t *o) {
    const char *name = text_needed(r, o, "class");
    for (int i = 0; i < WG_CLASSES; i++)
        if (!strcmp(name, wg_class_infos[i].name)) return (enum wg_class)i;
    fail(r, "class", wg_arena_printf(r->arena, "there is no class '%s'", name));
    return WG_CLASS_line;
}

static void read_sites(struct reader *r, const json_t *o, struct wg_profile_kernel *k) {
    const json_t *a = array(r, o, "sites", true);
    size_t n = json_array_size(a);
    k->sites = WG_NEW_N(r->arena, struct wg_site, n);
    k->site_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = enter(r, "sites", i);
        struct wg_site *s = &k->sites[i];
        *s = (struct wg_site){.id = small(r, v, "id", (uint32_t)i),
                              .ptx_line = small(r, v, "ptx_line", 0),
                              .op = text(r, v, "op"),
                              .class = class_of(r, v),
                              .bytes = small(r, v, "bytes", 0),
                              .joined = small(r, v, "joined", 1),
                              .what = text(r, v, "what")};
        if (!s->op) s->op = "";
        if (s->bytes > 16 || (s->bytes & (s->bytes - 1)))
            fail(r, "bytes", "an access has 1, 2, 4, 8 or 16 bytes");
        if (s->id != i) fail(r, "id", "sites are numbered from 0 in their order");
        read_frames(r, v, s);
        leave(r, before);
    }
}

/* ---- Launches ---------------------------------------------------------------------------------------------
 */

static int counter_of(const char *name) {
    for (int i = 0; i < WG_COUNTERS; i++)
        if (!strcmp(name, wg_counter_infos[i].name)) return i;
    return -1;
}

static void read_totals(struct reader *r, const json_t *o, struct wg_counts *c) {
    const json_t *totals = json_object_get(o, "totals"), *value;
    const char *name;
    if (!json_is_object(totals)) {
        fail(r, "totals", totals ? "an object was expected" : "missing");
        return;
    }
    /* Counters that this version does not know are somebody else's. */
    json_object_foreach((json_t *)totals, name, value) {
        int i = counter_of(name);
        if (i >= 0) c->v[i] = count(r, name, value, INT64_MAX);
    }
}

/* {"columns": ["site", "requests", ...], "rows": [[0, 512, ...], ...]} */
static void read_site_counts(struct reader *r, const json_t *o, const struct wg_profile_kernel *k,
                             struct wg_launch *l) {
    enum { MOST = 64, SITE = -2, UNKNOWN = -1 };
    const json_t *table = json_object_get(o, "sites");
    if (!json_is_object(table)) {
        fail(r, "sites", table ? "an object was expected" : "missing");
        return;
    }
    const json_t *columns = array(r, table, "columns", true), *rows = array(r, table, "rows", true);
    int column[MOST];
    size_t width = json_array_size(columns), n = json_array_size(rows);
    if (width > MOST) width = MOST;
    for (size_t i = 0; i < width; i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        column[i] = !name ? UNKNOWN : !strcmp(name, "site") ? SITE : counter_of(name);
    }
    l->sites = WG_NEW_N(r->arena, struct wg_site_counts, n);
    l->site_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *row = json_array_get(rows, i);
        size_t before = enter(r, "sites.rows", i);
        if (json_array_size(row) != json_array_size(columns))
            fail(r, NULL, "it has not as many values as there are columns");
        for (size_t j = 0; j < width && !r->failed; j++) {
            uint64_t v = count(r, NULL, json_array_get(row, j), INT64_MAX);
            if (column[j] == SITE)
                l->sites[i].site = v < k->site_count ? (uint32_t)v : UINT32_MAX;
            else if (column[j] >= 0)
                l->sites[i].counts.v[column[j]] = v;
        }
        if (l->sites[i].site == UINT32_MAX) fail(r, NULL, "it names a site that the kernel has not");
        leave(r, before);
    }
}

static void read_sample(struct reader *r, const json_t *v, const struct wg_profile_kernel *k,
                        struct wg_recorded *s) {
    *s = (struct wg_recorded){.site = small(r, v, "site", UINT32_MAX),
                              .warp = small(r, v, "warp", 0),
                              .lanes = small(r, v, "mask", 0),
                              .base = text(r, v, "base")};
    if (s->site >= k->site_count) fail(r, "site", "the kernel has no such site");
    shape(r, v, "block", false, 0, s->block);
    unsigned id;
    if (s->base && sscanf(s->base, "allocation %u", &id) == 1) s->allocation = id;
    const json_t *addresses = array(r, v, "addresses", true);
    if (json_array_size(addresses) != 32) fail(r, "addresses", "one for each of 32 lanes was expected");
    for (size_t i = 0; i < 32 && !r->failed; i++) {
        const json_t *a = json_array_get(addresses, i);
        if (!(s->lanes >> i & 1)) continue;
        if (!json_is_integer(a)) fail(r, "addresses", "the address of an active lane is missing");
        s->address[i] = (uint64_t)json_integer_value(a); /* a lane below the allocation: a number below 0 */
    }
}

static void read_samples(struct reader *r, const json_t *o, const struct wg_profile_kernel *k,
                         struct wg_launch *l) {
    const json_t *a = array(r, o, "samples", false);
    size_t n = json_array_size(a);
    l->samples = WG_NEW_N(r->arena, struct wg_recorded, n);
    l->sample_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        size_t before = enter(r, "samples", i);
        read_sample(r, json_array_get(a, i), k, &l->samples[i]);
        leave(r, before);
    }
}

/* A file has launches as they ended. */
static int by_index(const void *a, const void *b) {
    const struct wg_launch *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static void read_launches(struct reader *r, const json_t *o, struct wg_profile_kernel *k) {
    const json_t *a = array(r, o, "launches", true);
    size_t n = json_array_size(a);
    k->launches = WG_NEW_N(r->arena, struct wg_launch, n);
    k->launch_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        struct wg_launch *l = &k->launches[i];
        size_t before = enter(r, "launches", i);
        *l = (struct wg_launch){.index = small(r, v, "index", (uint32_t)i),
                                .dynamic_shared = large(r, v, "dynamic_shared"),
                                .stream = large(r, v, "stream"),
                                .start_ns = large(r, v, "start_ns"),
                                .end_ns = large(r, v, "end_ns"),
                                .status = text(r, v, "status")};
        if (!l->status) l->status = "success";
        shape(r, v, "grid", true, 1, l->grid);
        shape(r, v, "block", true, 1, l->block);
        shape(r, v, "cluster", false, 1, l->cluster);
        if (!r->failed) read_totals(r, v, &l->totals);
        if (!r->failed) read_site_counts(r, v, k, l);
        if (!r->failed) read_samples(r, v, k, l);
        leave(r, before);
    }
    if (!r->failed) qsort(k->launches, n, sizeof *k->launches, by_index);
}

/* The text of the kernel's module, of which kernels share one copy. */
static const char *read_ptx(struct reader *r, const json_t *o, const char *const *texts, size_t n) {
    const json_t *v = json_object_get(o, "ptx");
    if (!v || json_is_null(v)) return NULL;
    uint64_t at = count(r, "ptx", v, INT64_MAX);
    if (!r->failed && at >= n) fail(r, "ptx", "the file has no such text");
    return r->failed ? NULL : texts[at];
}

static const char **read_texts(struct reader *r, const json_t *o, size_t *n) {
    const json_t *a = array(r, o, "ptx", false);
    *n = json_array_size(a);
    const char **texts = WG_NEW_N(r->arena, const char *, *n + 1);
    for (size_t i = 0; i < *n; i++) {
        const char *s = json_string_value(json_array_get(a, i));
        if (!s) fail(r, "ptx", "texts were expected");
        texts[i] = wg_arena_strdup(r->arena, s ? s : "");
    }
    return texts;
}

static void read_kernels(struct reader *r, const json_t *o, struct wg_profile *result) {
    size_t text_count;
    const char **texts = read_texts(r, o, &text_count);
    const json_t *a = array(r, o, "kernels", true);
    size_t n = json_array_size(a);
    result->kernels = WG_NEW_N(r->arena, struct wg_profile_kernel, n);
    result->kernel_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        struct wg_profile_kernel *k = &result->kernels[i];
        size_t before = enter(r, "kernels", i);
        *k = (struct wg_profile_kernel){.name = text_needed(r, v, "name"),
                                        .display = text(r, v, "display"),
                                        .module = text(r, v, "module"),
                                        .ptx = read_ptx(r, v, texts, text_count),
                                        .registers = small(r, v, "registers", 0),
                                        .max_threads = small(r, v, "max_threads", 0),
                                        .static_shared = large(r, v, "static_shared"),
                                        .local = large(r, v, "local"),
                                        .counted = text(r, v, "counted")};
        const char *from = text(r, v, "registers_from");
        k->registers_estimated = !from || strcmp(from, "ptxas") != 0;
        if (!k->display) k->display = k->name;
        if (!k->counted) k->counted = "ptx";
        if (!r->failed) read_sites(r, v, k);
        if (!r->failed) read_launches(r, v, k);
        leave(r, before);
    }
}

/* ---- The whole file ---------------------------------------------------------------------------------------
 */

static void read_allocations(struct reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *a = array(r, o, "allocations", false);
    size_t n = json_array_size(a);
    result->allocations = WG_NEW_N(r->arena, struct wg_profile_allocation, n);
    result->allocation_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = enter(r, "allocations", i);
        result->allocations[i] = (struct wg_profile_allocation){.id = small(r, v, "id", 0),
                                                                .bytes = large(r, v, "bytes"),
                                                                .kind = text(r, v, "kind"),
                                                                .call = text(r, v, "call")};
        leave(r, before);
    }
}

static void read_calls(struct reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *a = array(r, o, "api", false);
    size_t n = json_array_size(a);
    result->calls = WG_NEW_N(r->arena, struct wg_profile_call, n);
    result->call_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = enter(r, "api", i);
        result->calls[i] = (struct wg_profile_call){.name = text_needed(r, v, "name"),
                                                    .start_ns = large(r, v, "start_ns"),
                                                    .end_ns = large(r, v, "end_ns"),
                                                    .thread = large(r, v, "thread"),
                                                    .status = small(r, v, "result", 0),
                                                    .kind = text(r, v, "kind"),
                                                    .bytes = large(r, v, "bytes"),
                                                    .stream = large(r, v, "stream")};
        leave(r, before);
    }
}

static void read_sources(struct reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *a = array(r, o, "sources", false);
    size_t n = json_array_size(a);
    result->sources = WG_NEW_N(r->arena, struct wg_profile_source, n);
    result->source_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        size_t before = enter(r, "sources", i);
        result->sources[i].name = text_needed(r, json_array_get(a, i), "name");
        result->sources[i].text = text_needed(r, json_array_get(a, i), "text");
        leave(r, before);
    }
}

static void read_program(struct reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *arguments = array(r, o, "arguments", false), *device = json_object_get(o, "device");
    size_t n = json_array_size(arguments);
    result->warpglass = text(r, o, "warpglass");
    result->program = text(r, o, "program");
    if (!result->program) result->program = "the program";
    result->ended = text(r, o, "ended");
    if (!result->ended) result->ended = "exit";
    const json_t *status = json_object_get(o, "status");
    result->status = json_is_integer(status) ? json_integer_value(status) : 0;
    result->arguments = WG_NEW_N(r->arena, const char *, n + 1);
    result->argument_count = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        const char *s = json_string_value(json_array_get(arguments, i));
        result->arguments[i] = wg_arena_strdup(r->arena, s ? s : "");
    }
    result->arch = text(r, device, "arch");
    result->device = text(r, device, "name");
    if (!result->arch && json_is_object(device)) fail(r, "device.arch", "missing");
    if (!result->arch) result->arch = ""; /* it never came to the device */
    if (!result->device) result->device = "";
    result->sms = small(r, device, "sms", 0);
}

/* Is it a file of ours, of a version that we read? */
static bool check_kind(struct reader *r, const json_t *o) {
    const char *format = json_string_value(json_object_get(o, "format"));
    const json_t *version = json_object_get(o, "version");
    if (!format || (strcmp(format, "warpglass-result") != 0 && strcmp(format, "warpglass-report") != 0)) {
        wg_strbuf_printf(r->why, "%s: it is JSON, but no report of Warpglass%s%s%s", r->path,
                         format ? " (its format is '" : "", format ? format : "", format ? "')" : "");
        return false;
    }
    if (json_integer_value(version) != WG_PROFILE_VERSION) {
        const char *who = json_string_value(json_object_get(o, "warpglass"));
        wg_strbuf_printf(
            r->why,
            "%s: it is a report of version %lld%s%s, and this Warpglass reads version %d: profile "
            "the program again",
            r->path, (long long)json_integer_value(version), who ? ", written by Warpglass " : "",
            who ? who : "", WG_PROFILE_VERSION);
        return false;
    }
    return true;
}

static void say_no_json(struct wg_strbuf *why, const char *path, const char *text, size_t length,
                        const json_error_t *e) {
    size_t begin = 0;
    while (begin < length && strchr(" \t\r\n", text[begin])) begin++;
    if (begin == length)
        wg_strbuf_printf(why, "%s: the file is empty", path);
    else if (text[begin] != '{')
        wg_strbuf_printf(why, "%s: it is no report of Warpglass, which is JSON", path);
    else if ((size_t)e->position >= length || json_error_code(e) == json_error_premature_end_of_input)
        wg_strbuf_printf(why, "%s:%d: the file ends too early: it was cut off, or is still being written",
                         path, e->line);
    else
        wg_strbuf_printf(why, "%s:%d:%d: it is no whole JSON: %s", path, e->line, e->column, e->text);
}

struct wg_profile *wg_profile_parse(struct wg_arena *arena, const char *text, size_t length, const char *path,
                                    struct wg_strbuf *why) {
    struct reader r = {.arena = arena, .why = why, .path = path};
    json_error_t e;
    json_t *root = json_loadb(text, length, 0, &e);
    struct wg_profile *result = NULL;
    if (!root) {
        say_no_json(why, path, text, length, &e);
        return NULL;
    }
    if (check_kind(&r, root)) {
        result = WG_NEW(arena, struct wg_profile);
        result->path = wg_arena_strdup(arena, path);
        read_program(&r, root, result);
        read_allocations(&r, root, result);
        read_calls(&r, root, result);
        read_sources(&r, root, result);
        if (!r.failed) read_kernels(&r, root, result);
    }
    json_decref(root);
    return r.failed ? NULL : result;
}

struct wg_profile *wg_profile_read(struct wg_arena *arena, const char *path, struct wg_strbuf *why) {
    struct wg_strbuf file = {0};
    struct wg_profile *result = NULL;
    if (wg_file_read(path, &file))
        result = wg_profile_parse(arena, file.s ? file.s : "", file.n, path, why);
    else
        wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    wg_strbuf_free(&file);
    return result;
}
