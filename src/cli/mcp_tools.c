/* The tools of `warpglass mcp`, and their results: see mcp.h. */
#include "cli/layout.h"
#include "cli/mcp.h"
#include "cli/mcp_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TEXT = 16 << 10, MOST_REPORT = 64 << 10 };

/* ---- What there is ----------------------------------------------------------------------------------------
 */

#define PROGRAM                                                                                              \
    {"files", WG_MCP_FILES, true, NULL,                                                                      \
     "the program: CUDA source (.cu), with any other sources and objects of it, or an executable made by "   \
     "\"warpglass cc\""},                                                                                    \
        {"arch", WG_MCP_TEXT, false, "--arch", "the GPU to model, such as sm_80; sm_90 by default"},         \
        {"defines", WG_MCP_DEFINES, false, NULL, "macros, NAME or NAME=VALUE"},                              \
        {"include_dirs", WG_MCP_FOLDERS, false, "-I", "folders to look for headers in"},                     \
        {"standard", WG_MCP_TEXT, false, "-std", "the language standard, such as c++20"}
#define LAST                                                                                                 \
    {"timeout", WG_MCP_SECONDS, false, NULL,                                                                 \
     "end the call after so many seconds; the server's own limit is the most"}
#define PROGRAM_ARGUMENTS {"arguments", WG_MCP_ARGUMENTS, false, NULL, "arguments for the program"}
#define KERNEL                                                                                               \
    {"kernel", WG_MCP_TEXT, false, "--kernel",                                                               \
     "a regular expression: only kernels whose name, or part of it, matches"}
#define END {NULL, WG_MCP_TEXT, false, NULL, NULL}

static const struct wg_mcp_parameter run[] = {PROGRAM, LAST, PROGRAM_ARGUMENTS, END};
static const struct wg_mcp_parameter check[] = {
    PROGRAM,
    {"only", WG_MCP_TEXT, false, "--only",
     "which checks: a comma-separated list of memory, race, init and barrier"},
    {"leaks", WG_MCP_FLAG, false, "--leaks", "also report memory that is never freed"},
    KERNEL,
    LAST,
    PROGRAM_ARGUMENTS,
    END};
static const struct wg_mcp_parameter profile[] = {
    PROGRAM,
    {"expect", WG_MCP_TEXTS, false, "--expect",
     "expectations that must hold, such as \"saxpy: shared_conflicts == 0\""},
    {"launches", WG_MCP_TEXT, false, "--launches",
     "only launches A:B, counted from 0 over the whole program"},
    KERNEL,
    LAST,
    PROGRAM_ARGUMENTS,
    END};
static const struct wg_mcp_parameter compare[] = {
    {"before", WG_MCP_FILE, true, NULL,
     "CUDA source, an executable, or a JSON report of \"warpglass profile\""},
    {"after", WG_MCP_FILE, true, NULL, "the same of what is compared with it"},
    {"arch", WG_MCP_TEXT, false, "--arch", "the GPU to model, such as sm_80; sm_90 by default"},
    KERNEL,
    LAST,
    END};
static const struct wg_mcp_parameter explain[] = {{"names", WG_MCP_NAMES, false, NULL,
                                                   "counters, kinds of advice, kinds of findings, or what a "
                                                   "kernel is bound by; without any, all names are listed"},
                                                  LAST,
                                                  END};
static const struct wg_mcp_parameter occupancy[] = {
    {"files", WG_MCP_FILES, false, NULL,
     "CUDA source or PTX whose kernels are looked at, in place of a shape"},
    {"threads", WG_MCP_COUNT, false, "--threads", "threads per block"},
    {"registers", WG_MCP_COUNT, false, "--registers", "registers per thread"},
    {"shared", WG_MCP_COUNT, false, "--shared", "bytes of shared memory per block"},
    {"cluster", WG_MCP_COUNT, false, "--cluster", "blocks per cluster"},
    {"blocks", WG_MCP_COUNT, false, "--blocks", "blocks of the launch"},
    {"arch", WG_MCP_TEXT, false, "--arch", "the GPU to model, such as sm_80; sm_90 by default"},
    LAST,
    END};

enum report { NO_REPORT, REPORT_IN_FILE, REPORT_PRINTED };
static const struct tool {
    const char *name, *title, *description;
    const struct wg_mcp_parameter *parameters;
    enum report report;
} tools[] = {
    {"run", "Run a CUDA program",
     "Compiles CUDA source and runs it on the CPU. Gives its exit status and output.", run, NO_REPORT},
    {"check", "Find faults in kernels",
     "Runs a CUDA program and finds data races, bad addresses, uninitialised reads and barriers that not all "
     "threads reach, each with its source lines. Status 3: something was found.",
     check, REPORT_IN_FILE},
    {"profile", "Profile kernels",
     "Runs a CUDA program and counts what each source line does to memory, as the hardware's profiler does; "
     "says what to change and what that would save. Status 3: an expectation does not hold.",
     profile, REPORT_IN_FILE},
    {"compare", "Compare two versions",
     "Profiles two versions of a program and shows which counters got better or worse.", compare, NO_REPORT},
    {"explain", "Explain a word of reports",
     "What a counter, a kind of advice or a kind of finding means, and what to do about it.", explain,
     NO_REPORT},
    {"occupancy", "Occupancy",
     "How many blocks of a kernel fit on one SM, what limits them, and what to change to fit another.",
     occupancy, REPORT_PRINTED}};
enum { TOOLS = sizeof tools / sizeof *tools };

static json_t *schema_of(const struct wg_mcp_parameter *p) {
    const char *type = "array";
    if (p->kind == WG_MCP_TEXT || p->kind == WG_MCP_FILE) type = "string";
    if (p->kind == WG_MCP_COUNT) type = "integer";
    if (p->kind == WG_MCP_SECONDS) type = "number";
    if (p->kind == WG_MCP_FLAG) type = "boolean";
    json_t *schema = json_pack("{s:s, s:s}", "type", type, "description", p->description);
    if (!strcmp(type, "array")) json_object_set_new(schema, "items", json_pack("{s:s}", "type", "string"));
    return schema;
}

static json_t *describe(const struct tool *t) {
    json_t *properties = json_object(), *required = json_array();
    for (const struct wg_mcp_parameter *p = t->parameters; p->name; p++) {
        json_object_set_new(properties, p->name, schema_of(p));
        if (p->required) json_array_append_new(required, json_string(p->name));
    }
    json_t *results = json_pack("{s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}}", "status", "type", "integer",
                                "timed_out", "type", "boolean", "out_of_memory", "type", "boolean", "output",
                                "type", "string", "messages", "type", "string");
    if (t->report)
        json_object_set_new(results, "report", json_pack("{s:[s, s, s]}", "type", "object", "array", "null"));
    json_t *input = json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required",
                              required, "additionalProperties", 0);
    json_t *output = json_pack("{s:s, s:o, s:[s, s, s, s, s]}", "type", "object", "properties", results,
                               "required", "status", "timed_out", "out_of_memory", "output", "messages");
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", t->name, "title", t->title, "description",
                     t->description, "inputSchema", input, "outputSchema", output);
}

json_t *wg_mcp_tools(void) {
    json_t *list = json_array();
    for (int i = 0; i < TOOLS; i++) json_array_append_new(list, describe(&tools[i]));
    return json_pack("{s:o}", "tools", list);
}

/* ---- A call -----------------------------------------------------------------------------------------------
 */

/* Where a call's process leaves what it says; gone after it. */
struct files {
    struct wg_strbuf output, messages, report;
};

static void name_files(struct files *f) {
    const char *scratch = wg_layout_scratch();
    wg_strbuf_printf(&f->output, "%s/output", scratch);
    wg_strbuf_printf(&f->messages, "%s/messages", scratch);
    wg_strbuf_printf(&f->report, "%s/report.json", scratch);
}

static void remove_files(struct files *f) {
    struct wg_strbuf *const all[] = {&f->output, &f->messages, &f->report};
    for (int i = 0; i < 3; i++) {
        unlink(all[i]->s);
        wg_strbuf_free(all[i]);
    }
}

/* The beginning of a file, as text that may be shown. */
static json_t *text_of(const char *path) {
    static char bytes[MOST_TEXT];
    struct wg_strbuf text = {0};
    struct stat st = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t n = 0;
    for (ssize_t got; fd >= 0 && n < sizeof bytes && (got = read(fd, bytes + n, sizeof bytes - n)) > 0;)
        n += (size_t)got;
    wg_strbuf_shown(&text, bytes, n);
    if (fd >= 0 && fstat(fd, &st) == 0 && (size_t)st.st_size > n)
        wg_strbuf_printf(&text, "\n[%lld more bytes]\n", (long long)st.st_size - (long long)n);
    if (fd >= 0) close(fd);
    json_t *result = json_stringn(text.s ? text.s : "", text.n);
    wg_strbuf_free(&text);
    return result;
}

/* The report that a file holds, cut; JSON's null where there is none. */
static json_t *report_of(const char *path) {
    json_t *report = json_load_file(path, 0, NULL);
    if (!report) return json_null();
    json_object_del(report, "sources"); /* which the client has */
    if (json_is_object(report)) wg_mcp_cut(report, MOST_REPORT);
    return report;
}

static json_t *as_result(json_t *text, json_t *structured, bool is_error) {
    json_t *result =
        json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text", text, "isError", is_error);
    if (structured) json_object_set_new(result, "structuredContent", structured);
    return result;
}

static json_t *refusal(const char *why) { return as_result(json_string(why), NULL, true); }

/* What a model reads that knows nothing of structured results. */
static json_t *summary(int status, const char *limit, const json_t *output, const json_t *messages) {
    const char *out = json_string_value(output), *said = json_string_value(messages);
    if (limit) return json_sprintf("%s%sended at the limit of %s\n", out, said, limit);
    return json_sprintf("%s%sexit status %d\n", out, said, status);
}

static json_t *start(const struct wg_mcp *server, const struct tool *t, const json_t *arguments,
                     struct wg_args *words, struct files *f) {
    const json_t *asked = json_object_get(arguments, "timeout");
    struct wg_process p = {.argv = words->v,
                           .path = wg_layout_self(),
                           .stdout_path = f->output.s,
                           .stderr_path = f->messages.s,
                           .timeout = server->timeout};
    if (asked && json_number_value(asked) < p.timeout) p.timeout = json_number_value(asked);
    if (!wg_mcp_watch_begin(server->memory)) return refusal(strerror(errno));
    int status = wg_process_run(&p);
    bool too_much = wg_mcp_watch_end();
    json_t *output = text_of(f->output.s), *messages = text_of(f->messages.s);
    json_t *report = NULL;
    if (t->report) report = report_of(t->report == REPORT_PRINTED ? f->output.s : f->report.s);
    const char *limit = p.timed_out ? "time" : too_much ? "memory" : NULL;
    bool no_report = json_is_null(report), no_answer = t->parameters != run && !t->report && status;
    bool failed = limit || p.signal || no_report || no_answer || status == 2 ||
                  status == WG_STATUS_CANNOT_RUN || status == WG_STATUS_NOT_FOUND;
    json_t *text = summary(status, limit, output, messages);
    json_t *structured = json_pack("{s:i, s:b, s:b, s:o, s:o}", "status", status, "timed_out", p.timed_out,
                                   "out_of_memory", too_much, "output", output, "messages", messages);
    if (report) json_object_set_new(structured, "report", report);
    return as_result(text, structured, failed);
}

json_t *wg_mcp_call(const struct wg_mcp *server, const char *name, const json_t *arguments) {
    const struct tool *t = tools;
    while (t < tools + TOOLS && strcmp(t->name, name) != 0) t++;
    if (t == tools + TOOLS) return NULL;
    struct wg_args words = {0};
    struct wg_strbuf why = {0};
    struct files f = {0};
    name_files(&f);
    wg_args_add(&words, "warpglass");
    wg_args_add(&words, t->name);
    if (t->report == REPORT_IN_FILE) {
        wg_args_addf(&words, "--json=%s", f.report.s);
        wg_args_addf(&words, "--source-root=%s", server->folder);
    }
    if (t->report == REPORT_PRINTED) wg_args_add(&words, "--json");
    json_t *result = wg_mcp_words(server, t->parameters, arguments, &words, &why)
                         ? start(server, t, arguments, &words, &f)
                         : refusal(why.s);
    remove_files(&f);
    wg_strbuf_free(&why);
    wg_args_free(&words);
    return result;
}
