/* A suite's report as JSON: see outcome.h. */
#include "report/write_findings.h"
#include "suite/outcome.h"

#include <jansson.h>

static void text(json_t *o, const char *key, const char *s) { json_object_set_new(o, key, wg_json_text(s)); }
static void number(json_t *o, const char *key, double v, bool known) {
    json_object_set_new(o, key, known ? json_real(v) : json_null());
}
static void count(json_t *o, const char *key, uint32_t n) { json_object_set_new(o, key, json_integer(n)); }

static json_t *changes_of(const struct wg_suite_outcome *o) {
    static const char *const words[] = {
        [WG_CHANGE_BETTER] = "better", [WG_CHANGE_WORSE] = "worse", [WG_CHANGE_OTHER] = "other"};
    json_t *a = json_array();
    for (uint32_t i = 0; i < o->change_count; i++) {
        json_t *c = json_object();
        text(c, "kernel", o->changes[i].kernel);
        text(c, "counter", o->changes[i].metric);
        text(c, "before", o->changes[i].before);
        text(c, "after", o->changes[i].after);
        text(c, "change", words[o->changes[i].change]);
        json_array_append_new(a, c);
    }
    return a;
}

static json_t *program_of(const struct wg_suite_outcome *o) {
    json_t *p = json_object(), *findings = json_array();
    text(p, "name", o->program->name);
    text(p, "command", o->program->command);
    count(p, "line", o->program->line);
    json_object_set_new(p, "ended", json_boolean(o->result != NULL));
    json_object_set_new(p, "as_expected", json_boolean(o->good));
    text(p, "result", o->words);
    count(p, "expected", (uint32_t)o->program->status);
    json_object_set_new(p, "status",
                        o->result && o->result->status >= 0 ? json_integer(o->result->status) : json_null());
    number(p, "seconds", o->result ? o->result->seconds : 0, o->result != NULL);
    number(p, "last_seconds", o->last, o->last >= 0);
    if (o->result) {
        count(p, "rank", o->result->rank);
        text(p, "host", o->result->host);
        count(p, "interrupted", o->result->interrupted);
        text(p, "interrupted_at", o->result->by);
    }
    for (uint32_t i = 0; i < o->finding_count; i++)
        json_array_append_new(findings, wg_json_text(o->findings[i]));
    json_object_set_new(p, "findings", findings);
    json_object_set_new(p, "changes", changes_of(o));
    text(p, "output", o->tail);
    return p;
}

void wg_suite_json(struct wg_strbuf *out, const struct wg_suite_outcomes *o) {
    json_t *root = json_object(), *programs = json_array();
    for (uint32_t i = 0; i < o->n; i++) json_array_append_new(programs, program_of(&o->v[i]));
    text(root, "format", "warpglass-suite");
    count(root, "version", 1);
    text(root, "warpglass", WG_VERSION);
    text(root, "suite", o->suite->path);
    text(root, "results", o->run->folder);
    count(root, "as_expected", o->good);
    count(root, "not_as_expected", o->bad);
    count(root, "not_ended", o->unended);
    count(root, "ended_before", o->before);
    number(root, "seconds", o->seconds, true);
    number(root, "wall_seconds", o->wall, true);
    text(root, "missing_ranks", o->missing);
    json_object_set_new(root, "programs", programs);
    wg_json_print(out, root);
}
