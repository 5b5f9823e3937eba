/* See result.h. */
#include "suite/result.h"
#include "report/reader.h"
#include "report/write_findings.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

static const char format[] = "warpglass-suite-result";

bool wg_suite_write_result(const struct wg_suite_run *run, const struct wg_suite_program *p,
                           const struct wg_suite_result *r, struct wg_strbuf *why) {
    struct wg_arena a = {0};
    struct wg_strbuf text = {0};
    json_t *o = json_pack("{s:s, s:i}", "format", format, "version", 1);
    json_object_set_new(o, "name", wg_json_text(p->name));
    json_object_set_new(o, "command", wg_json_text(r->command));
    json_object_set_new(o, "status", json_integer(r->status));
    json_object_set_new(o, "seconds", json_real(r->seconds));
    json_object_set_new(o, "begun", json_real(r->begun));
    json_object_set_new(o, "rank", json_integer(r->rank));
    json_object_set_new(o, "host", wg_json_text(r->host));
    json_object_set_new(o, "interrupted", json_integer(r->interrupted));
    json_object_set_new(o, "by", wg_json_text(r->by));
    wg_json_print(&text, o);
    const char *path = wg_suite_file(&a, run->folder, WG_SUITE_RESULT, p);
    bool good = wg_file_write(path, text.s, text.n);
    if (!good) wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    wg_strbuf_free(&text);
    wg_arena_free(&a);
    return good;
}

static struct wg_suite_result *read(struct wg_reader *r, const json_t *o) {
    struct wg_suite_result *x = WG_NEW(r->arena, struct wg_suite_result);
    const char *is = wg_read_text_needed(r, o, "format");
    const json_t *status = json_object_get(o, "status");
    if (strcmp(is, format) != 0 || !json_is_integer(status))
        wg_read_fail(r, "format", "not a result of a suite");
    *x = (struct wg_suite_result){.command = wg_read_text_needed(r, o, "command"),
                                  .status = (int)json_integer_value(status),
                                  .seconds = json_number_value(json_object_get(o, "seconds")),
                                  .begun = json_number_value(json_object_get(o, "begun")),
                                  .rank = wg_read_small(r, o, "rank", 0),
                                  .host = wg_read_text_needed(r, o, "host"),
                                  .interrupted = wg_read_small(r, o, "interrupted", 0),
                                  .by = wg_read_text(r, o, "by")};
    return x;
}

struct wg_suite_result *wg_suite_read_result(struct wg_arena *a, const char *folder,
                                             const struct wg_suite_program *p, struct wg_strbuf *why) {
    struct wg_strbuf text = {0};
    struct wg_suite_result *x = NULL;
    const char *path = wg_suite_file(a, folder, WG_SUITE_RESULT, p);
    struct wg_reader r = {.arena = a, .why = why, .path = path};
    if (wg_file_read(path, &text)) {
        json_t *root = wg_read_json(&r, text.s ? text.s : "", text.n);
        if (root) x = read(&r, root);
        json_decref(root);
        if (r.failed) x = NULL;
    } else if (errno != ENOENT) {
        wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    }
    wg_strbuf_free(&text);
    return x && !strcmp(x->command, p->command) ? x : NULL;
}

void wg_suite_last_times(struct wg_arena *a, const struct wg_suite_run *run, struct wg_suite *s) {
    struct wg_strbuf why = {0};
    for (uint32_t i = 0; run->last && i < s->n; i++) {
        const struct wg_suite_result *r = wg_suite_read_result(a, run->last, &s->v[i], &why);
        if (r && r->status >= 0) s->v[i].last = r->seconds;
    }
    wg_strbuf_free(&why); /* without a time it is begun early */
}
