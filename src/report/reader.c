/* See reader.h. */
#include "report/reader.h"
#include <stdio.h>
#include <string.h>

void wg_read_fail(struct wg_reader *r, const char *key, const char *what) {
    if (!r->failed)
        wg_strbuf_printf(r->why, "%s: %s%s%s: %s", r->path, r->place, *r->place && key ? "." : "",
                         key ? key : "", what);
    r->failed = true;
}

size_t wg_read_enter(struct wg_reader *r, const char *key, size_t index) {
    size_t n = strlen(r->place);
    snprintf(r->place + n, sizeof r->place - n, "%s%s[%zu]", n ? "." : "", key, index);
    return n;
}
void wg_read_leave(struct wg_reader *r, size_t n) { r->place[n] = 0; }

const char *wg_read_text(struct wg_reader *r, const json_t *o, const char *key) {
    const json_t *v = json_object_get(o, key);
    if (!v || json_is_null(v)) return NULL;
    if (!json_is_string(v)) {
        wg_read_fail(r, key, "expected a string");
        return NULL;
    }
    return wg_arena_strndup(r->arena, json_string_value(v), json_string_length(v));
}

const char *wg_read_text_needed(struct wg_reader *r, const json_t *o, const char *key) {
    const char *s = wg_read_text(r, o, key);
    if (!s) wg_read_fail(r, key, "missing");
    return s ? s : "";
}

uint64_t wg_read_count(struct wg_reader *r, const char *key, const json_t *v, uint64_t most) {
    if (json_is_integer(v) && json_integer_value(v) >= 0 && (uint64_t)json_integer_value(v) <= most)
        return (uint64_t)json_integer_value(v);
    wg_read_fail(r, key, v ? "expected a count" : "missing");
    return 0;
}
static uint64_t number(struct wg_reader *r, const json_t *o, const char *key, uint64_t otherwise,
                       uint64_t most) {
    const json_t *v = json_object_get(o, key);
    return v && !json_is_null(v) ? wg_read_count(r, key, v, most) : otherwise;
}
uint32_t wg_read_small(struct wg_reader *r, const json_t *o, const char *key, uint32_t otherwise) {
    return (uint32_t)number(r, o, key, otherwise, UINT32_MAX);
}
uint64_t wg_read_large(struct wg_reader *r, const json_t *o, const char *key) {
    return number(r, o, key, 0, INT64_MAX);
}

const json_t *wg_read_array(struct wg_reader *r, const json_t *o, const char *key, bool needed) {
    const json_t *v = json_object_get(o, key);
    if (json_is_array(v)) return v;
    if (v && !json_is_null(v))
        wg_read_fail(r, key, "expected a list");
    else if (needed)
        wg_read_fail(r, key, "missing");
    return NULL;
}

void wg_read_shape(struct wg_reader *r, const json_t *o, const char *key, bool needed, uint32_t otherwise,
                   uint32_t out[3]) {
    const json_t *a = wg_read_array(r, o, key, needed);
    for (size_t i = 0; i < 3; i++) out[i] = otherwise;
    if (!a) return;
    if (json_array_size(a) != 3) {
        wg_read_fail(r, key, "expected three sizes");
        return;
    }
    for (size_t i = 0; i < 3; i++) out[i] = (uint32_t)wg_read_count(r, key, json_array_get(a, i), UINT32_MAX);
}

static void say_no_json(struct wg_strbuf *why, const char *path, const char *text, size_t length,
                        const json_error_t *e) {
    size_t begin = 0;
    while (begin < length && strchr(" \t\r\n", text[begin])) begin++;
    if (begin == length)
        wg_strbuf_printf(why, "%s: the file is empty", path);
    else if (text[begin] != '{')
        wg_strbuf_printf(why, "%s: not a Warpglass report, which is JSON", path);
    else if ((size_t)e->position >= length || json_error_code(e) == json_error_premature_end_of_input)
        wg_strbuf_printf(why, "%s:%d: the file ends too early: it was cut off, or is still being written",
                         path, e->line);
    else
        wg_strbuf_printf(why, "%s:%d:%d: invalid JSON: %s", path, e->line, e->column, e->text);
}

json_t *wg_read_json(struct wg_reader *r, const char *text, size_t length) {
    json_error_t e;
    json_t *root = json_loadb(text, length, 0, &e);
    if (!root) say_no_json(r->why, r->path, text, length, &e);
    return root;
}

struct wg_frame *wg_read_frames(struct wg_reader *r, const json_t *o, uint32_t *count) {
    const json_t *a = wg_read_array(r, o, "frames", false);
    size_t n = json_array_size(a);
    struct wg_frame *frames = WG_NEW_N(r->arena, struct wg_frame, n);
    *count = 0;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *f = json_array_get(a, i);
        size_t before = wg_read_enter(r, "frames", i);
        struct wg_frame frame = {.file = wg_read_text(r, f, "file"),
                                 .line = wg_read_small(r, f, "line", 0),
                                 .column = wg_read_small(r, f, "column", 0),
                                 .function = wg_read_text(r, f, "function")};
        while (frame.file && !strncmp(frame.file, "./", 2)) frame.file += 2; /* headers of the folder */
        if (frame.file && frame.line) frames[(*count)++] = frame;
        wg_read_leave(r, before);
    }
    return frames;
}
