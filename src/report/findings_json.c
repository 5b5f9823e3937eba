/* Findings as JSON: see write_findings.h. The schema is docs/check.schema.json. */
#include "report/finding_words.h"
#include "report/write_findings.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

json_t *wg_json_text(const char *s) {
    struct wg_strbuf b = {0};
    if (!s) return json_null();
    json_t *v = json_string(s);
    if (v) return v;
    wg_strbuf_json(&b, s);
    v = json_loadb(b.s, b.n, JSON_DECODE_ANY, NULL);
    wg_strbuf_free(&b);
    return v;
}

void wg_json_print(struct wg_strbuf *out, json_t *root) {
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    wg_strbuf_puts(out, text);
    wg_strbuf_puts(out, "\n");
    free(text);
    json_decref(root);
}

static void text(json_t *o, const char *key, const char *s) { json_object_set_new(o, key, wg_json_text(s)); }
static void number(json_t *o, const char *key, uint64_t n) {
    json_object_set_new(o, key, json_integer((json_int_t)n));
}
static void flag(json_t *o, const char *key, bool b) { json_object_set_new(o, key, json_boolean(b)); }
static void three(json_t *o, const char *key, const uint32_t v[3]) {
    json_object_set_new(o, key, json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]));
}

static json_t *frame_of(const struct wg_frame *f) {
    json_t *o = json_object();
    text(o, "file", f->file);
    number(o, "line", f->line);
    number(o, "column", f->column);
    text(o, "function", f->function);
    return o;
}

static json_t *frames_of(const struct wg_frame *f, uint32_t n) {
    json_t *a = json_array();
    for (uint32_t i = 0; i < n; i++) json_array_append_new(a, frame_of(&f[i]));
    return a;
}

static json_t *code_of(const struct wg_found_code *c) {
    if (!c->object) return json_null();
    json_t *o = json_object();
    text(o, "object", c->object);
    number(o, "offset", c->offset);
    json_object_set_new(o, "frames", frames_of(c->frames, c->frame_count));
    return o;
}

static json_t *place_of(const struct wg_found_place *p) {
    json_t *o = json_object();
    text(o, "op", p->op);
    text(o, "access", p->access);
    number(o, "bytes", p->bytes);
    text(o, "value", p->value);
    number(o, "ptx_line", p->ptx_line);
    if (p->has_thread) {
        three(o, "block", p->block);
        three(o, "thread", p->thread);
    }
    json_object_set_new(o, "frames", frames_of(p->frames, p->frame_count));
    if (p->kernel) {
        text(o, "kernel", p->kernel);
        number(o, "launch", p->launch);
    }
    if (p->asked_by) {
        text(o, "asked_by", p->asked_by);
        json_object_set_new(o, "asked_at", code_of(&p->asked));
    }
    if (p->launcher) text(o, "launcher", p->launcher);
    return o;
}

static json_t *memory_of(const struct wg_found_memory *m) {
    if (!m->space) return json_null();
    json_t *o = json_object();
    text(o, "space", m->space);
    text(o, "address", m->address);
    text(o, "name", m->name);
    if (!m->has_allocation) return o;
    text(o, "what", m->what);
    number(o, "size", m->size);
    json_object_set_new(o, "offset", json_integer(m->offset));
    flag(o, "freed", m->freed);
    text(o, "made_by", m->made_by);
    json_object_set_new(o, "made_at", code_of(&m->made_at));
    json_object_set_new(o, "freed_at", code_of(&m->freed_at));
    if (m->device >= 0) json_object_set_new(o, "device", json_integer(m->device));
    return o;
}

static json_t *also_of(const struct wg_found *f) {
    json_t *a = json_array();
    for (uint32_t i = 0; i < f->also_count; i++) {
        json_t *o = json_object();
        text(o, "kind", wg_finding_info(f->also[i].kind)->name);
        text(o, "access", f->also[i].access);
        text(o, "other_access", f->also[i].other_access);
        number(o, "count", f->also[i].count);
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *finding_of(const struct wg_findings_file *file, const struct wg_found *f);
static json_t *pairs_of(const struct wg_findings_file *file, const struct wg_found *f) {
    json_t *a = json_array();
    for (uint32_t i = 0; i < f->pair_count; i++) json_array_append_new(a, finding_of(file, &f->pairs[i]));
    return a;
}

static json_t *finding_of(const struct wg_findings_file *file, const struct wg_found *f) {
    const struct wg_finding_info *info = wg_finding_info(f->kind);
    const struct wg_frame *where = wg_found_where(f);
    json_t *o = json_object();
    text(o, "kind", info->name);
    text(o, "check", wg_check_name(info->check));
    text(o, "title", info->title);
    text(o, "message", wg_found_message(file->arena, f));
    text(o, "detail", f->detail);
    text(o, "kernel", f->kernel);
    number(o, "launch", f->launch);
    if (f->device >= 0) json_object_set_new(o, "device", json_integer(f->device));
    number(o, "count", f->count);
    flag(o, "benign", f->benign);
    json_object_set_new(o, "also", also_of(f));
    text(o, "suppressed", f->suppressed);
    json_object_set_new(o, "where", where ? frame_of(where) : json_null());
    json_object_set_new(o, "here", place_of(&f->here));
    json_object_set_new(o, "other", f->has_other ? place_of(&f->other) : json_null());
    json_object_set_new(o, "memory", memory_of(&f->memory));
    json_object_set_new(o, "host", code_of(&f->host));
    if (f->launched.object) json_object_set_new(o, "launched", code_of(&f->launched));
    if (f->launcher) text(o, "launcher", f->launcher);
    if (f->pair_count) json_object_set_new(o, "pairs", pairs_of(file, f));
    return o;
}

static json_t *suppressions_of(const struct wg_suppressions *s) {
    json_t *a = json_array();
    for (uint32_t i = 0; i < s->all.n; i++) {
        json_t *o = json_object();
        text(o, "at", s->all.v[i].at);
        text(o, "text", s->all.v[i].text);
        number(o, "used", s->all.v[i].used);
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *texts_of(const char *const *v, uint32_t n) {
    json_t *a = json_array();
    for (uint32_t i = 0; i < n; i++) json_array_append_new(a, wg_json_text(v[i]));
    return a;
}

static json_t *kernels_of(const struct wg_findings_file *f) {
    json_t *a = json_array();
    for (uint32_t i = 0; i < f->kernel_count; i++) {
        json_t *o = json_object();
        text(o, "name", f->kernels[i].name);
        number(o, "launches", f->kernels[i].launches);
        number(o, "threads", f->kernels[i].threads);
        number(o, "accesses", f->kernels[i].accesses);
        json_array_append_new(a, o);
    }
    return a;
}

void wg_findings_json(struct wg_strbuf *out, const struct wg_findings_file *f,
                      const struct wg_suppressions *s) {
    json_t *root = json_object(), *checks = json_array(), *found = json_array();
    for (int c = 0; c < WG_CHECKS; c++)
        if (f->checks[c]) json_array_append_new(checks, json_string(wg_check_name(c)));
    for (uint32_t i = 0; i < f->found_count; i++) json_array_append_new(found, finding_of(f, &f->found[i]));
    text(root, "format", "warpglass-check");
    number(root, "version", 1);
    text(root, "warpglass", WG_VERSION);
    text(root, "program", f->program);
    json_object_set_new(root, "arguments", texts_of(f->arguments, f->argument_count));
    text(root, "arch", f->arch);
    text(root, "device", f->device);
    text(root, "ended", f->ended);
    json_object_set_new(root, "checks", checks);
    json_object_set_new(root, "notes", texts_of(f->notes, f->note_count));
    json_object_set_new(root, "kernels", kernels_of(f));
    number(root, "counting", wg_findings_counting(f));
    json_object_set_new(root, "findings", found);
    json_object_set_new(root, "suppressions", suppressions_of(s));
    wg_json_print(out, root);
}
