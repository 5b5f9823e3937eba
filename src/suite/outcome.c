/* See outcome.h. */
#include "suite/outcome.h"
#include "report/figure.h"
#include "report/reader.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAIL_BYTES = 2000, TAIL_LINES = 12, STATUS_TIMEOUT = 124, STATUS_SIGNAL = 128 };

/* ---- Words ------------------------------------------------------------------------------------------------
 */

static const char *ended(struct wg_arena *a, int status) {
    if (status == STATUS_TIMEOUT) return "status 124 (timeout)";
    if (status > STATUS_SIGNAL && status < STATUS_SIGNAL + 32)
        return wg_arena_printf(a, "signal %d (%s)", status - STATUS_SIGNAL,
                               strsignal(status - STATUS_SIGNAL));
    return wg_arena_printf(a, "status %d", status);
}

static const char *words_of(struct wg_arena *a, const struct wg_suite_outcome *o) {
    if (!o->result) return "not ended";
    if (o->result->status < 0) return "given up";
    if (o->good)
        return o->program->status ? wg_arena_printf(a, "as expected, status %d", o->program->status)
                                  : "as expected";
    return wg_arena_printf(a, "%s, expected %d", ended(a, o->result->status), o->program->status);
}

static const char *again_of(struct wg_arena *a, const struct wg_suite_result *r) {
    if (!r || !r->interrupted) return NULL;
    const char *times = r->interrupted == 1 ? "once" : wg_arena_printf(a, "%u times", r->interrupted);
    if (r->status < 0)
        return wg_arena_printf(a,
                               "It was begun %s, last by %s, and each time whoever ran it was killed: it was "
                               "not begun again.",
                               times, r->by);
    return wg_arena_printf(
        a, "It was begun %s before, last by %s, which was killed; this is another run of it.", times, r->by);
}

const char *wg_suite_time(struct wg_arena *a, double seconds) {
    if (seconds < 0) return "-";
    return wg_arena_printf(a, seconds < 100 ? "%.2f s" : "%.0f s", seconds);
}

const char *wg_suite_summary(struct wg_arena *a, const struct wg_suite_outcomes *o) {
    const char *bad = o->bad ? wg_arena_printf(a, ", %u not", o->bad) : "",
               *unended = o->unended ? wg_arena_printf(a, ", %u not ended", o->unended) : "",
               *before = !o->before ? ""
                                    : wg_arena_printf(a,
                                                      " %u of them had ended before this start, which went "
                                                      "on with a run that was stopped.",
                                                      o->before);
    return wg_arena_printf(a, "%s: %u as expected%s%s; %s of programs in %s.%s",
                           wg_figure_plural(a, o->n, "program", "programs"), o->good, bad, unended,
                           wg_suite_time(a, o->seconds), wg_suite_time(a, o->wall), before);
}

const char *wg_suite_missing(struct wg_arena *a, const struct wg_suite_outcomes *o) {
    return wg_arena_printf(a, "These ranks never began: %s. The others ran their programs.", o->missing);
}

/* Of lines, those that are messages of Warpglass's, if there are some: a report may stand between them. */
static const char *messages_of(struct wg_arena *a, const char *lines) {
    static const char begins[] = "warpglass: ";
    struct wg_strbuf kept = {0};
    for (const char *s = lines; *s;) {
        size_t n = strcspn(s, "\n");
        if (!strncmp(s, begins, sizeof begins - 1))
            wg_strbuf_printf(&kept, "%s%.*s", kept.n ? "\n" : "", (int)n, s);
        s += n + (s[n] == '\n');
    }
    const char *text = kept.n ? wg_arena_strdup(a, kept.s) : lines;
    wg_strbuf_free(&kept);
    return text;
}

/* The last lines of what a program wrote. */
static const char *tail_of(struct wg_arena *a, const char *path) {
    char bytes[TAIL_BYTES + 1];
    struct wg_strbuf shown = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    off_t size = lseek(fd, 0, SEEK_END);
    ssize_t n = pread(fd, bytes, TAIL_BYTES, size > TAIL_BYTES ? size - TAIL_BYTES : 0);
    close(fd);
    while (n > 0 && bytes[n - 1] == '\n') n--;
    if (n <= 0) return NULL;
    char *begin = bytes + n;
    for (int lines = 0; begin > bytes && (begin[-1] != '\n' || ++lines < TAIL_LINES);) begin--;
    wg_strbuf_shown(&shown, begin, (size_t)(bytes + n - begin));
    const char *text = wg_arena_strdup(a, shown.s);
    wg_strbuf_free(&shown);
    return text;
}

/* ---- Findings ---------------------------------------------------------------------------------------------
 */

static bool is_command(const struct wg_suite_program *p, const char *name) {
    size_t n = strlen(name);
    return !strncmp(p->command, name, n) && strchr(" \t", p->command[n]);
}

static const char *finding_text(struct wg_arena *a, const json_t *f) {
    const json_t *where = json_object_get(f, "where");
    const char *file = json_string_value(json_object_get(where, "file"));
    const char *message = json_string_value(json_object_get(f, "message"));
    const char *kind = json_string_value(json_object_get(f, "kind"));
    if (!message) message = "";
    if (!kind) kind = "finding";
    if (json_is_string(where)) /* of several processes */
        return wg_arena_printf(a, "%s: %s: %s", json_string_value(where), kind, message);
    return file
               ? wg_arena_printf(a, "%s:%lld: %s: %s", file,
                                 (long long)json_integer_value(json_object_get(where, "line")), kind, message)
               : wg_arena_printf(a, "%s: %s", kind, message);
}

static void read_findings(struct wg_arena *a, const char *path, struct wg_suite_outcome *o) {
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *all = json_object_get(root, "findings");
    o->findings = WG_NEW_N(a, const char *, json_array_size(all));
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *f = json_array_get(all, i);
        if (json_is_true(json_object_get(f, "benign")) || json_is_string(json_object_get(f, "suppressed")) ||
            json_is_false(json_object_get(f, "counts")))
            continue;
        o->findings[o->finding_count++] = finding_text(a, f);
    }
    json_decref(root);
}

/* ---- Counters against the last run ------------------------------------------------------------------------
 */

static bool measure(struct wg_arena *a, const char *path, struct wg_measured *m) {
    struct wg_strbuf why = {0};
    struct wg_summaries s;
    const struct wg_choice all = WG_CHOOSE_ALL;
    const struct wg_profile *r = wg_profile_read(a, path, &why);
    bool good = r && wg_summarise(a, r, &all, &s, &why);
    if (good) wg_measured_of(a, &s, path, m);
    wg_strbuf_free(&why);
    return good;
}

static void changes_of(struct wg_arena *a, const struct wg_match *m, struct wg_suite_outcome *o,
                       struct wg_suite_change *room) {
    size_t n;
    const struct wg_metric *metrics = wg_metric_list(&n);
    for (size_t i = 0; m->after && i < n; i++) {
        double before = m->before->value[i], after = m->after->value[i];
        enum wg_change c = wg_compare_metric(&metrics[i], before, after, false);
        if (c == WG_CHANGE_ABSENT || c == WG_CHANGE_SAME) continue;
        room[o->change_count++] = (struct wg_suite_change){.kernel = m->after->display,
                                                           .metric = metrics[i].name,
                                                           .before = wg_metric_text(a, &metrics[i], before),
                                                           .after = wg_metric_text(a, &metrics[i], after),
                                                           .change = c};
    }
}

static void read_changes(struct wg_arena *a, const struct wg_suite_run *run, struct wg_suite_outcome *o) {
    struct wg_measured before = {0}, after = {0};
    size_t n;
    if (measure(a, wg_suite_file(a, run->last, WG_SUITE_REPORT, o->program), &before) &&
        measure(a, wg_suite_file(a, run->folder, WG_SUITE_REPORT, o->program), &after)) {
        struct wg_matches m = wg_compare_match(a, &before, &after);
        wg_metric_list(&n);
        o->changes = WG_NEW_N(a, struct wg_suite_change, m.n * n);
        for (uint32_t i = 0; i < m.n; i++) changes_of(a, &m.v[i], o, o->changes);
    }
    wg_measured_free(&before);
    wg_measured_free(&after);
}

/* ---- All of a run -----------------------------------------------------------------------------------------
 */

static void look_at(struct wg_arena *a, const struct wg_suite_run *run, struct wg_suite_outcome *o) {
    struct wg_strbuf why = {0};
    o->result = wg_suite_read_result(a, run->folder, o->program, &why);
    o->good = o->result && o->result->status == o->program->status;
    o->last = o->program->last;
    o->again = again_of(a, o->result);
    o->words = why.s ? wg_arena_strdup(a, why.s) : words_of(a, o);
    wg_strbuf_free(&why);
    if (!o->result) return;
    if (!o->good) o->tail = tail_of(a, wg_suite_file(a, run->folder, WG_SUITE_OUTPUT, o->program));
    if (o->tail) o->tail = messages_of(a, o->tail);
    if (is_command(o->program, "check"))
        read_findings(a, wg_suite_file(a, run->folder, WG_SUITE_REPORT, o->program), o);
    if (run->last && is_command(o->program, "profile")) read_changes(a, run, o);
}

void wg_suite_outcomes(struct wg_arena *a, const struct wg_suite *s, const struct wg_suite_run *run,
                       double since, const char *missing, struct wg_suite_outcomes *out) {
    double first = 0, end = 0;
    *out = (struct wg_suite_outcomes){.suite = s, .run = run, .since = since, .missing = missing, .n = s->n};
    out->v = WG_NEW_N(a, struct wg_suite_outcome, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        struct wg_suite_outcome *o = &out->v[i];
        o->program = &s->v[i];
        look_at(a, run, o);
        if (!o->result) {
            out->unended++;
            continue;
        }
        out->good += o->good, out->bad += !o->good;
        out->before += o->result->begun < since;
        out->seconds += o->result->seconds;
        if (!first || o->result->begun < first) first = o->result->begun;
        if (o->result->begun + o->result->seconds > end) end = o->result->begun + o->result->seconds;
    }
    out->wall = end - first;
}
