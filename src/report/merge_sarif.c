/* The SARIF files of ranks as one: see merge.h. All of each finding stays as its first rank has it; the ranks that had it are in
 * its message and its properties. Each rank is an invocation. */
#include "report/merge.h"
#include "report/reader.h"
#include "report/write_findings.h"

#include <jansson.h>
#include <stdlib.h>

struct results {
    const struct wg_merge *m;
    struct wg_arena *a;
    json_t *all;
    WG_VEC(bool *) in; /* for each result its ranks */
};

static bool is_suppressed(const json_t *result) {
    return json_array_size(json_object_get(result, "suppressions")) > 0;
}

static bool same(const json_t *a, const json_t *b, const char *key) {
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

/* Values, addresses and threads in the message differ from rank to rank; the kind and the places make a finding. */
static bool is_same(const json_t *a, const json_t *b) {
    const json_t *at = json_array_get(json_object_get(a, "locations"), 0);
    return same(a, b, "ruleId") && same(a, b, "level") && same(a, b, "locations") &&
           is_suppressed(a) == is_suppressed(b) &&
           (json_object_get(at, "physicalLocation") || same(a, b, "message"));
}

static void add_result(struct results *r, uint32_t rank, json_t *result) {
    static const char count[] = "occurrenceCount";
    size_t i = 0;
    while (i < json_array_size(r->all) && !is_same(json_array_get(r->all, i), result)) i++;
    json_t *x = json_array_get(r->all, i);
    if (x) {
        json_object_set_new(x, count,
                            json_integer(json_integer_value(json_object_get(x, count)) +
                                         json_integer_value(json_object_get(result, count))));
    } else {
        json_array_append(r->all, result);
        *WG_PUSH(&r->in) = WG_NEW_N(r->a, bool, r->m->n);
    }
    r->in.v[i][rank] = true;
}

static void name_ranks(struct results *r) {
    for (uint32_t i = 0; i < r->in.n; i++) {
        json_t *result = json_array_get(r->all, i), *ranks = json_array(),
               *message = json_object_get(result, "message");
        const char *text = json_string_value(json_object_get(message, "text"));
        for (uint32_t k = 0; k < r->m->n; k++)
            if (r->in.v[i][k]) json_array_append_new(ranks, json_integer(k));
        json_object_set_new(message, "text",
                            wg_json_text(wg_arena_printf(r->a, "%s (in %s)", text ? text : "",
                                                         wg_merge_ranks(r->a, r->m, r->in.v[i]))));
        json_object_set_new(result, "properties", json_pack("{s:o}", "ranks", ranks));
    }
}

/* Of a rank that left no file: what became of it. */
static json_t *missing(struct results *r, uint32_t rank) {
    const char *wrong = wg_merge_wrong(r->a, r->m, rank);
    return json_pack("{s:b, s:[{s:s, s:{s:o}}]}", "executionSuccessful", 0, "toolExecutionNotifications",
                     "level", "error", "message", "text",
                     wg_json_text(wg_arena_printf(r->a, "%s %u: %s", wg_merge_noun(r->m, false, false), rank,
                                                  wrong ? wrong : "no report")));
}

static json_t *read(struct wg_arena *a, const char *path) {
    struct wg_strbuf text = {0}, why = {0};
    struct wg_reader reader = {.arena = a, .why = &why, .path = path};
    json_t *root = wg_file_read(path, &text) ? wg_read_json(&reader, text.s ? text.s : "", text.n) : NULL;
    wg_strbuf_free(&text);
    wg_strbuf_free(&why);
    return root;
}

bool wg_merge_sarif(struct wg_strbuf *out, struct wg_arena *a, const struct wg_merge *m,
                    const char *const *paths) {
    struct results r = {.m = m, .a = a, .all = json_array()};
    json_t *whole = NULL, *of_whole = NULL, *invocations = json_array();
    for (uint32_t rank = 0; rank < m->n; rank++) {
        json_t *root = read(a, paths[rank]), *run = json_array_get(json_object_get(root, "runs"), 0),
               *invocation = json_array_get(json_object_get(run, "invocations"), 0),
               *found = json_object_get(run, "results");
        for (size_t i = 0; i < json_array_size(found); i++) add_result(&r, rank, json_array_get(found, i));
        if (invocation) json_object_set_new(invocation, "properties", json_pack("{s:i}", "rank", (int)rank));
        json_array_append_new(invocations, invocation ? json_incref(invocation) : missing(&r, rank));
        if (run && !whole)
            whole = root, of_whole = run;
        else
            json_decref(root);
    }
    name_ranks(&r);
    free(r.in.v);
    json_object_set_new(of_whole, "results", r.all); /* of NULL: they are freed */
    json_object_set_new(of_whole, "invocations", invocations);
    if (whole) wg_json_print(out, whole);
    return whole != NULL;
}
