/* See merge.h. */
#include "report/merge.h"
#include "report/figure.h"
#include "report/measured.h"
#include "report/reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_FOUND = 3, STATUS_SIGNAL = 128 };

void wg_merge_begin(struct wg_merge *m, uint32_t ranks) {
    *m = (struct wg_merge){.n = ranks};
    m->ranks = WG_NEW_N(&m->arena, struct wg_merge_rank, ranks);
    wg_metric_list(&m->metrics);
    wg_waits_begin(&m->waits, &m->arena, ranks);
}

void wg_merge_free(struct wg_merge *m) {
    for (uint32_t i = 0; i < m->kernels.n; i++) free(m->kernels.v[i].lines.v);
    free(m->kernels.v);
    free(m->library.v);
    free(m->findings.v);
    wg_waits_free(&m->waits);
    wg_arena_free(&m->arena);
}

void wg_merge_miss(struct wg_merge *m, uint32_t rank, const char *why) {
    m->missing += !m->ranks[rank].missing;
    m->ranks[rank].missing = wg_arena_strdup(&m->arena, why);
}

static const char *command_of(struct wg_merge *m, const char *program, const char **arguments, uint32_t n) {
    const char *text = wg_arena_strdup(&m->arena, program);
    for (uint32_t i = 0; i < n; i++) text = wg_arena_printf(&m->arena, "%s %s", text, arguments[i]);
    return text;
}

/* ---- Of profile -------------------------------------------------------------------------------------------
 */

static double *unknown(struct wg_merge *m, size_t n) {
    double *v = WG_NEW_N(&m->arena, double, n);
    for (size_t i = 0; i < n; i++) v[i] = NAN;
    return v;
}

static struct wg_merge_kernel *kernel_of(struct wg_merge *m, uint32_t rank, const char *display) {
    const char *program = m->processes ? m->ranks[rank].program : "";
    for (uint32_t i = 0; i < m->kernels.n; i++)
        if (!strcmp(m->kernels.v[i].display, display) && !strcmp(m->kernels.v[i].program, program))
            return &m->kernels.v[i];
    struct wg_merge_kernel *k = WG_PUSH(&m->kernels);
    k->display = wg_arena_strdup(&m->arena, display);
    k->program = program;
    k->launches = unknown(m, m->n);
    k->seconds = unknown(m, m->n);
    k->value = unknown(m, m->n * m->metrics);
    return k;
}

/* In the order of their numbers within a file. */
static struct wg_merge_line *line_of(struct wg_merge *m, struct wg_merge_kernel *k, const char *file,
                                     uint32_t line) {
    for (uint32_t i = 0; i < k->lines.n; i++)
        if (k->lines.v[i].line == line && !strcmp(k->lines.v[i].file, file)) return &k->lines.v[i];
    struct wg_merge_line *l = WG_PUSH(&k->lines);
    *l = (struct wg_merge_line){
        .file = wg_arena_strdup(&m->arena, file), .line = line, .work = unknown(m, m->n)};
    return l;
}

static void add_kernel(struct wg_merge *m, uint32_t rank, const struct wg_measured_kernel *from) {
    struct wg_merge_kernel *k = kernel_of(m, rank, from->display);
    k->launches[rank] = (isnan(k->launches[rank]) ? 0 : k->launches[rank]) + from->launches;
    k->seconds[rank] = from->seconds;
    for (size_t i = 0; i < m->metrics; i++) k->value[i * m->n + rank] = from->value[i];
    for (uint32_t i = 0; i < from->summary->line_count; i++) {
        const struct wg_line_summary *l = &from->summary->lines[i];
        if (l->file)
            line_of(m, k, l->file, l->line)->work[rank] = (double)(wg_work(&l->own) + wg_work(&l->called));
    }
}

static void add_library(struct wg_merge *m, uint32_t rank, const struct wg_profile_library *from) {
    struct wg_merge_library *l = NULL;
    for (uint32_t i = 0; i < m->library.n && !l; i++)
        if (!strcmp(m->library.v[i].name, from->name)) l = &m->library.v[i];
    if (!l) {
        l = WG_PUSH(&m->library);
        l->name = wg_arena_strdup(&m->arena, from->name);
        l->calls = unknown(m, m->n);
        l->operations = unknown(m, m->n);
    }
    if (isnan(l->calls[rank])) l->calls[rank] = l->operations[rank] = 0;
    l->calls[rank] += (double)from->calls;
    l->operations[rank] += (double)from->calls * (double)from->operations;
}

static bool add_profile(struct wg_merge *m, uint32_t rank, const struct wg_strbuf *text, const char *path,
                        struct wg_strbuf *why) {
    struct wg_arena arena = {0};
    struct wg_measured measured = {0};
    struct wg_summaries s;
    const struct wg_choice all = WG_CHOOSE_ALL;
    struct wg_merge_rank *r = &m->ranks[rank];
    struct wg_profile *p = wg_profile_parse(&arena, text->s, text->n, path, why);
    bool good = p && wg_summarise(&arena, p, &all, &s, why);
    if (good) {
        wg_measured_of(&arena, &s, path, &measured);
        r->program = wg_arena_strdup(&m->arena, p->program);
        r->command = command_of(m, p->program, p->arguments, p->argument_count);
        for (uint32_t i = 0; i < measured.kernels.n; i++) add_kernel(m, rank, &measured.kernels.v[i]);
        for (uint32_t i = 0; i < p->library_count; i++) add_library(m, rank, &p->library[i]);
        r->status = p->status;
        if (!strcmp(p->ended, "signal")) {
            r->ended = wg_arena_printf(&m->arena, "signal %lld", (long long)p->status);
            r->status += STATUS_SIGNAL;
        } else if (strcmp(p->ended, "exit") != 0) {
            r->ended = wg_arena_strdup(&m->arena, p->ended);
        }
    }
    wg_measured_free(&measured);
    wg_arena_free(&arena);
    return good;
}

/* ---- Of check ---------------------------------------------------------------------------------------------
 */

static const char *text_or(struct wg_merge *m, const json_t *o, const char *key, const char *otherwise) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? wg_arena_strdup(&m->arena, s) : otherwise;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* Values, addresses and threads differ from rank to rank; the kind and the place make a finding. */
static struct wg_merge_finding *finding_of(struct wg_merge *m, const struct wg_merge_finding *f) {
    for (uint32_t i = 0; i < m->findings.n; i++) {
        struct wg_merge_finding *x = &m->findings.v[i];
        if (!strcmp(x->kind, f->kind) && same_text(x->kernel, f->kernel) && same_text(x->file, f->file) &&
            x->counts == f->counts && (f->file || !strcmp(x->message, f->message)))
            return x;
    }
    struct wg_merge_finding *x = WG_PUSH(&m->findings);
    *x = *f;
    x->in = WG_NEW_N(&m->arena, bool, m->n);
    return x;
}

/* Both places of a race. */
static const char *file_of(struct wg_merge *m, const json_t *f) {
    const json_t *where = json_object_get(f, "where");
    const json_t *other = json_array_get(json_object_get(json_object_get(f, "other"), "frames"), 0);
    const char *file = json_string_value(json_object_get(where, "file"));
    if (!file) return NULL;
    const char *at = wg_arena_printf(&m->arena, "%s:%lld", file,
                                     (long long)json_integer_value(json_object_get(where, "line")));
    long long line = (long long)json_integer_value(json_object_get(other, "line"));
    return line && line != json_integer_value(json_object_get(where, "line"))
               ? wg_arena_printf(&m->arena, "%s and %lld", at, line)
               : at;
}

static bool add_check(struct wg_merge *m, uint32_t rank, const json_t *root, const char *path,
                      struct wg_strbuf *why) {
    struct wg_reader r = {.arena = &m->arena, .why = why, .path = path};
    const json_t *all = wg_read_array(&r, root, "findings", true);
    if (r.failed) return false;
    m->checked = true;
    m->ranks[rank].program = text_or(m, root, "program", "the program");
    const json_t *words = json_object_get(root, "arguments");
    const char **arguments = WG_NEW_N(&m->arena, const char *, json_array_size(words) + 1);
    uint32_t n = 0;
    for (size_t i = 0; i < json_array_size(words); i++)
        if (json_is_string(json_array_get(words, i)))
            arguments[n++] = json_string_value(json_array_get(words, i));
    m->ranks[rank].command = command_of(m, m->ranks[rank].program, arguments, n);
    const char *ended = text_or(m, root, "ended", "exit");
    if (strcmp(ended, "exit") != 0) m->ranks[rank].ended = ended;
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *f = json_array_get(all, i);
        struct wg_merge_finding x = {.kind = text_or(m, f, "kind", "finding"),
                                     .kernel = text_or(m, f, "kernel", NULL),
                                     .file = file_of(m, f),
                                     .message = text_or(m, f, "message", ""),
                                     .counts = !json_is_true(json_object_get(f, "benign")) &&
                                               !json_is_string(json_object_get(f, "suppressed"))};
        finding_of(m, &x)->in[rank] = true;
    }
    return true;
}

/* ---- Of either --------------------------------------------------------------------------------------------
 */

static bool add(struct wg_merge *m, uint32_t rank, const char *path, const struct wg_strbuf *text,
                struct wg_strbuf *why) {
    struct wg_reader r = {.arena = &m->arena, .why = why, .path = path};
    json_t *root = wg_read_json(&r, text->s ? text->s : "", text->n);
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!root) return false;
    bool check = format && !strcmp(format, "warpglass-check");
    bool good = check ? add_check(m, rank, root, path, why) : add_profile(m, rank, text, path, why);
    json_decref(root);
    return good;
}

void wg_merge_add(struct wg_merge *m, uint32_t rank, const char *path) {
    struct wg_strbuf text = {0}, why = {0};
    struct wg_merge_rank *r = &m->ranks[rank];
    r->path = wg_arena_strdup(&m->arena, path);
    bool read = wg_file_read(path, &text);
    if (!read) wg_strbuf_printf(&why, "%s: %s", path, strerror(errno));
    if (!read || !add(m, rank, path, &text, &why)) wg_merge_miss(m, rank, why.s);
    m->unfinished += r->ended != NULL;
    size_t n = strlen(path);
    if (n > 5 && !strcmp(path + n - 5, ".json"))
        wg_merge_add_events(m, rank, wg_arena_printf(&m->arena, "%.*s.mpi", (int)(n - 5), path));
    wg_strbuf_free(&text);
    wg_strbuf_free(&why);
}

void wg_merge_add_events(struct wg_merge *m, uint32_t rank, const char *path) {
    wg_waits_add(&m->waits, rank, path);
}

void wg_merge_match(struct wg_merge *m) { wg_waits_match(&m->waits); }

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct wg_merge_spread wg_merge_spread(const struct wg_merge *m, const double *of_ranks) {
    struct wg_merge_spread s = {NAN, NAN, NAN, 0, 0};
    double *known = wg_xmalloc((m->n + 1) * sizeof *known);
    for (uint32_t i = 0; i < m->n; i++) {
        if (isnan(of_ranks[i])) continue;
        if (!s.n || of_ranks[i] > of_ranks[s.at]) s.at = i;
        known[s.n++] = of_ranks[i];
    }
    qsort(known, s.n, sizeof *known, by_value);
    if (s.n) s.least = known[0], s.median = known[(s.n - 1) / 2], s.most = known[s.n - 1];
    free(known);
    return s;
}

int wg_merge_status(const struct wg_merge *m) {
    int64_t most = 0;
    for (uint32_t i = 0; i < m->findings.n; i++)
        if (m->findings.v[i].counts) return STATUS_FOUND;
    for (uint32_t i = 0; i < m->n; i++)
        if (m->ranks[i].status > most) most = m->ranks[i].status;
    if (most) return most > UINT8_MAX ? 1 : (int)most;
    return m->missing || m->unfinished;
}

uint32_t wg_merge_findings(const struct wg_merge *m, uint32_t rank) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->findings.n; i++) n += m->findings.v[i].counts && m->findings.v[i].in[rank];
    return n;
}

/* ---- Words ------------------------------------------------------------------------------------------------
 */

const char *wg_merge_noun(const struct wg_merge *m, bool capital, bool many) {
    static const char *const nouns[2][2][2] = {{{"rank", "ranks"}, {"Rank", "Ranks"}},
                                               {{"process", "processes"}, {"Process", "Processes"}}};
    return nouns[m->processes][capital][many];
}

const char *wg_merge_ranks(struct wg_arena *a, const struct wg_merge *m, const bool *in) {
    const char *text = "";
    uint32_t ranks = 0, n = m->n;
    for (uint32_t i = 0; i < n; i++) {
        if (!in[i]) continue;
        uint32_t last = i;
        while (last + 1 < n && in[last + 1]) last++;
        const char *comma = *text ? ", " : "";
        text = last > i ? wg_arena_printf(a, "%s%s%u-%u", text, comma, i, last)
                        : wg_arena_printf(a, "%s%s%u", text, comma, i);
        ranks += last - i + 1;
        i = last;
    }
    return wg_arena_printf(a, "%s %s", wg_merge_noun(m, false, ranks != 1), text);
}

bool wg_merge_has_commands(const struct wg_merge *m) {
    for (uint32_t i = 1; i < m->n; i++)
        if (!same_text(m->ranks[i].command, m->ranks[0].command)) return true;
    return false;
}

const char *wg_merge_title(struct wg_arena *a, const struct wg_merge *m) {
    const char *program = NULL;
    for (uint32_t i = 0; i < m->n && !program; i++) program = m->ranks[i].program;
    return wg_arena_printf(
        a, "%s of %s",
        wg_figure_plural(a, m->n, wg_merge_noun(m, false, false), wg_merge_noun(m, false, true)),
        program ? program : "a program");
}

const char *wg_merge_wrong(struct wg_arena *a, const struct wg_merge *m, uint32_t rank) {
    const struct wg_merge_rank *r = &m->ranks[rank];
    if (r->missing) return wg_arena_printf(a, "is missing: %s", r->missing);
    if (r->ended)
        return wg_arena_printf(a, "did not come to its end (%s): its figures are of what it had done.",
                               r->ended);
    return r->status ? wg_arena_printf(a, "ended with status %lld.", (long long)r->status) : NULL;
}

const char *wg_merge_launches(struct wg_arena *a, const struct wg_merge *m, const struct wg_merge_kernel *k) {
    struct wg_merge_spread launches = wg_merge_spread(m, k->launches);
    bool *in = WG_NEW_N(a, bool, m->n);
    for (uint32_t i = 0; i < m->n; i++) in[i] = !isnan(k->launches[i]);
    return wg_arena_printf(a, "in %s, %s%s each", wg_merge_ranks(a, m, in),
                           launches.least < launches.most ? wg_arena_printf(a, "%.0f to ", launches.least)
                                                          : "",
                           wg_figure_plural(a, (uint64_t)launches.most, "launch", "launches"));
}

const char *wg_merge_wait(struct wg_arena *a, const struct wg_wait *w) {
    return wg_arena_printf(a, "Rank %u waited %s for rank %u in %s (%s), %s", w->rank,
                           wg_figure_time(a, w->seconds), w->of, wg_waits_call_name(w->call),
                           wg_waits_kind_name(w->kind, false),
                           wg_figure_plural(a, w->times, "time", "times"));
}

const char *wg_merge_latest(struct wg_arena *a, const struct wg_merge *m) {
    double *of = WG_NEW_N(a, double, m->n);
    bool *by = WG_NEW_N(a, bool, m->n);
    uint32_t most = 0, ranks = 0;
    for (uint32_t i = 0; i < m->waits.all.n; i++) of[m->waits.all.v[i].of] += m->waits.all.v[i].seconds;
    for (uint32_t i = 1; i < m->n; i++)
        if (of[i] > of[most]) most = i;
    for (uint32_t i = 0; i < m->waits.all.n; i++)
        if (m->waits.all.v[i].of == most) by[m->waits.all.v[i].rank] = true;
    for (uint32_t i = 0; i < m->n; i++) ranks += by[i];
    if (!ranks) return NULL;
    return wg_arena_printf(a, "Rank %u was waited for most: %s, by %s.", most, wg_figure_time(a, of[most]),
                           ranks == m->n - 1 ? m->n > 2 ? "all others" : "the other"
                                             : wg_merge_ranks(a, m, by));
}

const char *wg_merge_waits_note(struct wg_arena *a, const struct wg_merge *m) {
    uint32_t cut = 0;
    for (uint32_t i = 0; i < m->n; i++) cut += m->waits.cut[i];
    const char *text = "These times were measured, and kernels ran on the CPU.";
    return cut ? wg_arena_printf(a, "%s Of %s only the first calls were recorded.", text,
                                 wg_figure_plural(a, cut, "rank", "ranks"))
               : text;
}

const char *wg_merge_wait_row(const struct wg_merge *m, uint32_t i, const double **of_ranks) {
    const struct wg_waits *w = &m->waits;
    const struct {
        const char *name;
        const double *of_ranks;
    } rows[] = {{"from MPI_Init to MPI_Finalize", w->span},
                {"in MPI", w->in_mpi},
                {"waiting for late senders", w->waited[WG_WAIT_SENDER]},
                {"waiting for late receivers", w->waited[WG_WAIT_RECEIVER]},
                {"waiting in collectives", w->waited[WG_WAIT_COLLECTIVE]}};
    uint32_t n = sizeof rows / sizeof *rows;
    *of_ranks = i < n ? rows[i].of_ranks : i < n + w->calls.n ? w->calls.v[i - n].seconds : NULL;
    return i < n ? rows[i].name : i < n + w->calls.n ? wg_waits_call_name(w->calls.v[i - n].call) : NULL;
}

const char *wg_merge_library_row(struct wg_arena *a, const struct wg_merge *m, uint32_t i,
                                 const double **of_ranks) {
    if (i / 2 >= m->library.n) return NULL;
    const struct wg_merge_library *l = &m->library.v[i / 2];
    *of_ranks = i % 2 ? l->operations : l->calls;
    return wg_arena_printf(a, "%s, %s", l->name, i % 2 ? "operations" : "calls");
}
