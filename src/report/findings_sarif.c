/* Findings as SARIF 2.1.0, which GitHub code scanning, Azure DevOps and editors display next to the source: see
 * write_findings.h. Rules are the kinds of findings, each with its page of docs/check as help; a benign race has level
 * note. */
#include "report/explain.h"
#include "report/finding_words.h"
#include "report/write_findings.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

static json_t *message(const char *s) {
    json_t *o = json_object();
    json_object_set_new(o, "text", wg_json_text(s));
    return o;
}

static void put_uri(struct wg_strbuf *b, const char *file) {
    if (*file == '/') wg_strbuf_puts(b, "file://");
    while (!strncmp(file, "./", 2)) file += 2;
    for (; *file; file++)
        if (isalnum((unsigned char)*file) || strchr("/-._~+", *file))
            wg_strbuf_add(b, file, 1);
        else
            wg_strbuf_printf(b, "%%%02X", (unsigned char)*file);
}

/* A file's name as a URI reference: relative ones stay so, and are taken from %SRCROOT%. */
static json_t *uri(const char *file) {
    struct wg_strbuf b = {0};
    put_uri(&b, file);
    json_t *v = json_string(b.s);
    wg_strbuf_free(&b);
    return v;
}

/* What %SRCROOT% is here; a folder's URI ends in a slash. */
static json_t *bases(const char *root) {
    struct wg_strbuf b = {0};
    put_uri(&b, root);
    if (b.s[b.n - 1] != '/') wg_strbuf_puts(&b, "/");
    json_t *v = json_pack("{s:{s:s}}", "%SRCROOT%", "uri", b.s);
    wg_strbuf_free(&b);
    return v;
}

static json_t *physical(const struct wg_frame *f) {
    json_t *artifact = json_object(), *region = json_object();
    json_object_set_new(artifact, "uri", uri(f->file));
    if (*f->file != '/') json_object_set_new(artifact, "uriBaseId", json_string("%SRCROOT%"));
    json_object_set_new(region, "startLine", json_integer(f->line));
    if (f->column) json_object_set_new(region, "startColumn", json_integer(f->column));
    return json_pack("{s:o,s:o}", "artifactLocation", artifact, "region", region);
}

static json_t *location(const struct wg_frame *f, const char *kernel) {
    json_t *o = json_object();
    if (f) json_object_set_new(o, "physicalLocation", physical(f));
    if (kernel) {
        json_t *logical = json_object();
        json_object_set_new(logical, "fullyQualifiedName", wg_json_text(kernel));
        json_object_set_new(logical, "kind", json_string("function"));
        json_object_set_new(o, "logicalLocations", json_pack("[o]", logical));
    }
    return o;
}

static void add_related(json_t *a, const struct wg_frame *f, const char *said) {
    if (!f) return;
    json_t *o = location(f, NULL);
    json_object_set_new(o, "id", json_integer((json_int_t)json_array_size(a) + 1));
    json_object_set_new(o, "message", message(said));
    json_array_append_new(a, o);
}

static void add_code(struct wg_arena *a, json_t *list, const struct wg_found_code *c, const char *said) {
    add_related(list, wg_found_frame(c->frames, c->frame_count), said);
}

static void add_place(struct wg_arena *a, json_t *list, const struct wg_found_place *p, const char *before) {
    const char *who = wg_found_who(a, p);
    add_related(
        list, wg_found_frame(p->frames, p->frame_count),
        wg_arena_printf(a, "%s%s%s%s", before, wg_found_act(a, p), who ? " by " : "", who ? who : ""));
}

static json_t *related(struct wg_arena *a, const struct wg_found *f) {
    json_t *list = json_array();
    if (f->has_other) add_place(a, list, &f->other, "");
    for (uint32_t i = 0; i < f->pair_count; i++) {
        add_place(a, list, &f->pairs[i].here, wg_arena_printf(a, "pair %u of the same cause: ", i + 1));
        add_place(a, list, &f->pairs[i].other, wg_arena_printf(a, "pair %u, the other access: ", i + 1));
    }
    if (f->kernel || f->host.object) add_code(a, list, &f->memory.made_at, "the memory was allocated here");
    add_code(a, list, &f->memory.freed_at, "the memory was freed here");
    return list;
}

/* Where the code is inlined, callers are a stack. */
static json_t *stacks(const struct wg_found_place *p) {
    json_t *frames = json_array();
    for (uint32_t i = 0; i < p->frame_count; i++)
        json_array_append_new(frames,
                              json_pack("{s:o}", "location", location(&p->frames[i], p->frames[i].function)));
    return json_pack("[{s:o}]", "frames", frames);
}

static json_t *result(const struct wg_findings_file *file, const struct wg_found *f) {
    struct wg_arena *a = file->arena;
    const struct wg_finding_info *info = wg_finding_info(f->kind);
    json_t *o = json_object(), *others = related(a, f);
    json_object_set_new(o, "ruleId", json_string(info->name));
    json_object_set_new(o, "ruleIndex", json_integer(f->kind));
    json_object_set_new(o, "level", json_string(f->benign ? "note" : "error"));
    json_object_set_new(o, "message", message(wg_found_message(a, f)));
    json_object_set_new(o, "locations", json_pack("[o]", location(wg_found_where(f), f->kernel)));
    if (json_array_size(others))
        json_object_set_new(o, "relatedLocations", others);
    else
        json_decref(others);
    if (f->here.frame_count > 1) json_object_set_new(o, "stacks", stacks(&f->here));
    json_object_set_new(o, "occurrenceCount", json_integer(f->count ? (json_int_t)f->count : 1));
    json_t *suppressions = json_array();
    if (f->suppressed)
        json_array_append_new(suppressions, json_pack("{s:s,s:o}", "kind", "external", "justification",
                                                      wg_json_text(f->suppressed)));
    json_object_set_new(o, "suppressions", suppressions);
    return o;
}

static json_t *rules(void) {
    json_t *list = json_array();
    for (int k = 0; k < WG_FINDING_KINDS; k++) {
        const struct wg_finding_info *info = wg_finding_info(k);
        const char *page = wg_explain_page(k);
        json_t *o = json_object(), *help = message(page);
        json_object_set_new(help, "markdown", wg_json_text(page));
        json_object_set_new(o, "id", json_string(info->name));
        json_object_set_new(o, "shortDescription", message(info->title));
        json_object_set_new(o, "help", help);
        json_object_set_new(o, "properties",
                            json_pack("{s:[s,s]}", "tags", "cuda", wg_check_name(info->check)));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *invocation(const struct wg_findings_file *f, int status) {
    json_t *o = json_object(), *notes = json_array();
    bool whole = !strcmp(f->ended, "exit") || !strcmp(f->ended, "fault");
    json_object_set_new(o, "executionSuccessful", json_boolean(whole));
    json_object_set_new(o, "exitCode", json_integer(status));
    for (uint32_t i = 0; i < f->note_count; i++)
        json_array_append_new(notes,
                              json_pack("{s:s,s:o}", "level", "note", "message", message(f->notes[i])));
    json_object_set_new(o, "toolExecutionNotifications", notes);
    return o;
}

void wg_findings_sarif(struct wg_strbuf *out, const struct wg_findings_file *f, const char *root,
                       int status) {
    json_t *results = json_array();
    for (uint32_t i = 0; i < f->found_count; i++) json_array_append_new(results, result(f, &f->found[i]));
    json_t *driver =
        json_pack("{s:s,s:s,s:o}", "name", "warpglass", "semanticVersion", WG_VERSION, "rules", rules());
    json_t *run = json_pack("{s:{s:o},s:[o],s:o}", "tool", "driver", driver, "invocations",
                            invocation(f, status), "results", results);
    if (root) json_object_set_new(run, "originalUriBaseIds", bases(root));
    wg_json_print(out,
                  json_pack("{s:s,s:s,s:[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                            "version", "2.1.0", "runs", run));
}
