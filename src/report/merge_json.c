/* The reports of ranks as one, as JSON: see merge.h. */
#include "report/merge.h"
#include "report/write_findings.h"

#include <jansson.h>
#include <math.h>

static void text(json_t *o, const char *key, const char *s) { json_object_set_new(o, key, wg_json_text(s)); }

/* null where no rank has it. */
static json_t *spread_of(const struct wg_merge *m, const double *v) {
    struct wg_merge_spread s = wg_merge_spread(m, v);
    if (!s.n) return json_null();
    return json_pack("{s:f, s:f, s:f, s:i, s:i}", "least", s.least, "median", s.median, "most", s.most,
                     "most_in", (int)s.at, "ranks", (int)s.n);
}

static json_t *kernel_of(const struct wg_merge *m, const struct wg_merge_kernel *k) {
    json_t *o = json_object(), *counters = json_object(), *lines = json_array();
    size_t n;
    const struct wg_metric *metrics = wg_metric_list(&n);
    for (size_t i = 0; i < n; i++) {
        struct wg_merge_spread s = wg_merge_spread(m, k->value + i * m->n);
        if (s.n && s.most != 0)
            json_object_set_new(counters, metrics[i].name, spread_of(m, k->value + i * m->n));
    }
    for (uint32_t i = 0; i < k->lines.n; i++) {
        json_t *l = json_object();
        text(l, "file", k->lines.v[i].file);
        json_object_set_new(l, "line", json_integer(k->lines.v[i].line));
        json_object_set_new(l, "work", spread_of(m, k->lines.v[i].work));
        json_array_append_new(lines, l);
    }
    text(o, "name", k->display);
    json_object_set_new(o, "launches", spread_of(m, k->launches));
    json_object_set_new(o, "seconds", spread_of(m, k->seconds));
    json_object_set_new(o, "counters", counters);
    json_object_set_new(o, "lines", lines);
    return o;
}

static json_t *library_of(const struct wg_merge *m) {
    json_t *all = json_array();
    for (uint32_t i = 0; i < m->library.n; i++) {
        json_t *o = json_object();
        text(o, "name", m->library.v[i].name);
        json_object_set_new(o, "calls", spread_of(m, m->library.v[i].calls));
        json_object_set_new(o, "operations", spread_of(m, m->library.v[i].operations));
        json_array_append_new(all, o);
    }
    return all;
}

static json_t *rank_of(const struct wg_merge_rank *r, uint32_t rank) {
    json_t *o = json_object();
    json_object_set_new(o, "rank", json_integer(rank));
    text(o, "report", r->path);
    text(o, "program", r->program);
    text(o, "command", r->command);
    text(o, "missing", r->missing);
    text(o, "ended", r->missing ? NULL : r->ended ? r->ended : "exit");
    json_object_set_new(o, "status", r->missing ? json_null() : json_integer(r->status));
    return o;
}

static json_t *finding_of(const struct wg_merge *m, const struct wg_merge_finding *f) {
    json_t *o = json_object(), *in = json_array();
    for (uint32_t i = 0; i < m->n; i++)
        if (f->in[i]) json_array_append_new(in, json_integer(i));
    text(o, "kind", f->kind);
    text(o, "kernel", f->kernel);
    text(o, "where", f->file);
    text(o, "message", f->message);
    json_object_set_new(o, "counts", json_boolean(f->counts));
    json_object_set_new(o, "ranks", in);
    return o;
}

static json_t *number(double x) { return isnan(x) ? json_null() : json_real(x); }

/* Of each rank; of each pair of ranks and function; of each function. */
static json_t *mpi_of(const struct wg_merge *m) {
    const struct wg_waits *w = &m->waits;
    json_t *ranks = json_array(), *waits = json_array(), *calls = json_array();
    for (uint32_t i = 0; i < m->n; i++) {
        json_t *o = json_object();
        json_object_set_new(o, "rank", json_integer(i));
        json_object_set_new(o, "seconds", number(w->span[i]));
        json_object_set_new(o, "in_mpi", number(w->in_mpi[i]));
        for (int k = 0; k < WG_WAIT_KINDS; k++)
            json_object_set_new(o, wg_waits_kind_name((enum wg_wait_kind)k, true), number(w->waited[k][i]));
        text(o, "still", m->ranks[i].ended ? w->still[i] : NULL);
        json_array_append_new(ranks, o);
    }
    for (uint32_t i = 0; i < w->all.n; i++) {
        const struct wg_wait *x = &w->all.v[i];
        json_array_append_new(waits, json_pack("{s:i, s:i, s:s, s:s, s:I, s:f}", "rank", (int)x->rank, "for",
                                               (int)x->of, "kind", wg_waits_kind_name(x->kind, true), "call",
                                               wg_waits_call_name(x->call), "times", (json_int_t)x->times,
                                               "seconds", x->seconds));
    }
    for (uint32_t i = 0; i < w->calls.n; i++)
        json_array_append_new(calls,
                              json_pack("{s:s, s:o, s:o}", "call", wg_waits_call_name(w->calls.v[i].call),
                                        "times", spread_of(m, w->calls.v[i].times), "seconds",
                                        spread_of(m, w->calls.v[i].seconds)));
    return json_pack("{s:o, s:o, s:o}", "ranks", ranks, "waits", waits, "calls", calls);
}

void wg_merge_json(struct wg_strbuf *out, const struct wg_merge *m) {
    json_t *root = json_object(), *ranks = json_array(), *kernels = json_array(), *findings = json_array();
    for (uint32_t i = 0; i < m->n; i++) json_array_append_new(ranks, rank_of(&m->ranks[i], i));
    for (uint32_t i = 0; i < m->kernels.n; i++)
        json_array_append_new(kernels, kernel_of(m, &m->kernels.v[i]));
    for (uint32_t i = 0; i < m->findings.n; i++)
        json_array_append_new(findings, finding_of(m, &m->findings.v[i]));
    text(root, "format", "warpglass-merged");
    json_object_set_new(root, "version", json_integer(1));
    text(root, "warpglass", WG_VERSION);
    text(root, "ranks_are", wg_merge_noun(m, false, true));
    json_object_set_new(root, "ranks", ranks);
    json_object_set_new(root, "kernels", kernels);
    if (m->library.n) json_object_set_new(root, "library", library_of(m));
    json_object_set_new(root, "findings", findings);
    json_object_set_new(root, "mpi", m->waits.known ? mpi_of(m) : json_null());
    wg_json_print(out, root);
}
