/* See waits.h. */
#include "report/waits.h"
#include "base/strbuf.h"
#include "mpi/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An operation, or a probe, which finds the message that the next receive gets. */
struct op {
    uint64_t group, at; /* what the communicator is in all ranks; when it was begun */
    uint64_t order;     /* in which its rank began its operations */
    int32_t rank, from, to, tag, root, own;
    uint8_t kind, call;
    bool dropped;
    int32_t other;     /* whose coming it needed; -1: not known, or nobody's */
    uint64_t other_at; /* when that one came */
};

/* Where a rank waited: for an operation of its own, or for those that came to their end there. */
struct point {
    uint64_t from, to;
    uint32_t first, n; /* of `ends` */
    uint8_t kind, call;
};
struct end {
    uint32_t op;
    bool early;
};

struct wg_waits_rank {
    struct wg_mpi_event *events; /* with times of rank 0's host */
    size_t n;
    WG_VEC(struct op) ops;
    WG_VEC(struct point) points;
    WG_VEC(struct end) ends;
};

static const char *const names[] = {
#define CALL(name, words, shape, comm, root, last) "MPI_" #name,
#include "mpi/calls.def"
};
const char *wg_waits_call_name(enum wg_mpi_call call) { return names[call]; }

const char *wg_waits_kind_name(enum wg_wait_kind kind, bool in_files) {
    static const char *const text[] = {"late sender", "late receiver", "collective"}, *const files[] = {
                                                                                          "late_sender",
                                                                                          "late_receiver",
                                                                                          "collective"};
    return in_files ? files[kind] : text[kind];
}

static enum wg_mpi_shape shape_of(uint8_t call) {
    static const uint8_t shapes[] = {
#define CALL(name, words, shape, comm, root, last) shape,
#include "mpi/calls.def"
    };
    return shapes[call];
}

void wg_waits_begin(struct wg_waits *w, struct wg_arena *a, uint32_t ranks) {
    *w = (struct wg_waits){.arena = a, .n = ranks};
    double **all[] = {&w->span, &w->in_mpi, &w->waited[0], &w->waited[1], &w->waited[2]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = WG_NEW_N(a, double, ranks);
        for (uint32_t r = 0; r < ranks; r++) (*all[i])[r] = NAN;
    }
    w->still = WG_NEW_N(a, const char *, ranks);
    w->cut = WG_NEW_N(a, bool, ranks);
    w->ranks = WG_NEW_N(a, struct wg_waits_rank, ranks);
}

void wg_waits_free(struct wg_waits *w) {
    for (uint32_t i = 0; i < w->n; i++) {
        free(w->ranks[i].events);
        free(w->ranks[i].ops.v);
        free(w->ranks[i].points.v);
        free(w->ranks[i].ends.v);
    }
    for (uint32_t i = 0; i < w->calls.n; i++) free(w->calls.v[i].times), free(w->calls.v[i].seconds);
    free(w->calls.v);
    free(w->all.v);
}

/* ---- One rank ---------------------------------------------------------------------------------------------
 */

/* Its clock was compared at the beginning and, unless it was killed, at the end; in between the two differ more and more. */
static void set_clock(struct wg_waits_rank *r) {
    const struct wg_mpi_event *first = NULL, *last = NULL;
    for (size_t i = 0; i < r->n; i++) {
        if (r->events[i].kind != WG_MPI_CLOCK) continue;
        if (!first) first = &r->events[i];
        last = &r->events[i];
    }
    if (!first) return;
    double begin = (double)(int64_t)first->id, at = (double)first->from, length = (double)last->from - at,
           change = length > 0 ? ((double)(int64_t)last->id - begin) / length : 0;
    for (size_t i = 0; i < r->n; i++) {
        struct wg_mpi_event *e = &r->events[i];
        if (e->kind == WG_MPI_CLOCK || e->kind == WG_MPI_DONE) continue;
        if (e->from) e->from += (uint64_t)(int64_t)(begin + change * ((double)e->from - at));
        if (e->to) e->to += (uint64_t)(int64_t)(begin + change * ((double)e->to - at));
    }
}

static bool is_valid(const struct wg_mpi_event *e, const struct wg_waits *w) {
    return e->kind <= WG_MPI_END && e->call < WG_MPI_CALLS && e->peer >= -1 && e->peer < (int32_t)w->n;
}

static struct wg_wait_call *call_of(struct wg_waits *w, uint8_t call) {
    for (uint32_t i = 0; i < w->calls.n; i++)
        if (w->calls.v[i].call == call) return &w->calls.v[i];
    struct wg_wait_call *c = WG_PUSH(&w->calls);
    *c = (struct wg_wait_call){
        .call = call, .times = wg_xcalloc(w->n, sizeof(double)), .seconds = wg_xcalloc(w->n, sizeof(double))};
    for (uint32_t i = 0; i < w->n; i++) c->times[i] = c->seconds[i] = NAN;
    return c;
}

static bool is_call(uint8_t kind) {
    return kind >= WG_MPI_SEND && kind <= WG_MPI_OTHER && kind != WG_MPI_DONE && kind != WG_MPI_DROPPED;
}

/* What it took, by function. An event of no length is a part of a call that has another one. */
static void add_times(struct wg_waits *w, uint32_t rank) {
    const struct wg_waits_rank *r = &w->ranks[rank];
    uint64_t begin = r->events[0].from, end = begin;
    w->in_mpi[rank] = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct wg_mpi_event *e = &r->events[i];
        if (e->kind == WG_MPI_END) end = e->from;
        if (!is_call(e->kind)) continue;
        if (e->from > end) end = e->from;
        if (e->to > end) end = e->to;
        if (e->to <= e->from) continue;
        struct wg_wait_call *c = call_of(w, e->call);
        double seconds = (double)(e->to - e->from) * 1e-9;
        if (isnan(c->times[rank])) c->times[rank] = c->seconds[rank] = 0;
        c->times[rank]++;
        c->seconds[rank] += seconds;
        w->in_mpi[rank] += seconds;
    }
    w->span[rank] = (double)(end - begin) * 1e-9;
}

struct ids {
    uint32_t *op; /* of each id, its operation + 1 */
    size_t n;
    uint64_t *group; /* of each number of the file */
    uint32_t groups;
    size_t *point; /* of each event that waits, its point + 1 */
};

static void learn_ids(const struct wg_waits_rank *r, struct ids *ids) {
    for (size_t i = 0; i < r->n; i++) {
        const struct wg_mpi_event *e = &r->events[i];
        if (e->kind == WG_MPI_GROUP && e->group >= ids->groups) ids->groups = e->group + 1;
    }
    ids->n = r->n + 1;
    if (ids->groups > r->n) ids->groups = 0;
    ids->op = wg_xcalloc(ids->n, sizeof *ids->op);
    ids->group = wg_xcalloc((size_t)ids->groups + 1, sizeof *ids->group);
    ids->point = wg_xcalloc(r->n + 1, sizeof *ids->point);
}

static void add_op(struct wg_waits_rank *r, uint32_t rank, const struct wg_mpi_event *e, struct ids *ids) {
    bool sends = e->kind == WG_MPI_SEND;
    struct op *o = WG_PUSH(&r->ops);
    *o = (struct op){.group = e->group < ids->groups ? ids->group[e->group] : 0,
                     .at = e->from,
                     .order = r->ops.n,
                     .rank = (int32_t)rank,
                     .from = sends ? (int32_t)rank : e->peer,
                     .to = sends ? e->peer : (int32_t)rank,
                     .tag = e->tag,
                     .root = e->peer,
                     .own = e->tag,
                     .kind = e->kind,
                     .call = e->call,
                     .other = -1};
    if (e->id && e->id < ids->n) ids->op[e->id] = r->ops.n;
}

static void add_point(struct wg_waits_rank *r, const struct wg_mpi_event *e, bool of_op) {
    *WG_PUSH(&r->points) =
        (struct point){.from = e->from, .to = e->to, .first = r->ends.n, .kind = e->kind, .call = e->call};
    if (!of_op) return;
    *WG_PUSH(&r->ends) = (struct end){.op = r->ops.n - 1};
    r->points.v[r->points.n - 1].n = 1;
}

/* An operation's end: whose message it was, and where that was waited for. */
static void add_end(struct wg_waits_rank *r, const struct wg_mpi_event *e, const struct ids *ids) {
    uint32_t op = e->id < ids->n ? ids->op[e->id] : 0;
    if (!op) return;
    struct op *o = &r->ops.v[op - 1];
    if (e->kind == WG_MPI_DROPPED) o->dropped = true;
    if (o->kind == WG_MPI_RECEIVE && e->kind == WG_MPI_DONE) o->from = e->peer, o->tag = e->tag;
    size_t point = e->kind == WG_MPI_DONE && e->from < r->n ? ids->point[e->from] : 0;
    if (!point || r->points.v[point - 1].first + r->points.v[point - 1].n != r->ends.n) return;
    *WG_PUSH(&r->ends) = (struct end){op - 1, e->group != 0};
    r->points.v[point - 1].n++;
}

static void read_events(struct wg_waits *w, uint32_t rank) {
    struct wg_waits_rank *r = &w->ranks[rank];
    struct ids ids = {0};
    learn_ids(r, &ids);
    for (size_t i = 0; i < r->n; i++) {
        const struct wg_mpi_event *e = &r->events[i];
        bool waits = e->kind == WG_MPI_WAIT_ALL || e->kind == WG_MPI_WAIT_ANY;
        if (e->kind == WG_MPI_GROUP && e->group < ids.groups) ids.group[e->group] = e->id;
        if (e->kind == WG_MPI_FULL) w->cut[rank] = true;
        if (e->kind >= WG_MPI_SEND && e->kind <= WG_MPI_COLLECTIVE) {
            add_op(r, rank, e, &ids);
            if (!e->id) add_point(r, e, true);
        }
        if (waits) {
            add_point(r, e, false);
            ids.point[i] = r->points.n;
        }
        if (e->kind == WG_MPI_DONE || e->kind == WG_MPI_DROPPED) add_end(r, e, &ids);
        if (is_call(e->kind) && !e->to && !(e->kind == WG_MPI_TEST))
            w->still[rank] = e->peer >= 0 && e->peer != (int32_t)rank
                                 ? wg_arena_printf(w->arena, "in %s, with rank %d", names[e->call], e->peer)
                                 : wg_arena_printf(w->arena, "in %s", names[e->call]);
    }
    free(ids.op);
    free(ids.group);
    free(ids.point);
}

void wg_waits_add(struct wg_waits *w, uint32_t rank, const char *path) {
    struct wg_waits_rank *r = &w->ranks[rank];
    struct wg_strbuf text = {0};
    if (r->events || !wg_file_read(path, &text) || text.n < sizeof *r->events) {
        wg_strbuf_free(&text);
        return;
    }
    r->events = wg_xmalloc(text.n);
    memcpy(r->events, text.s, text.n);
    size_t n = text.n / sizeof *r->events;
    wg_strbuf_free(&text);
    while (r->n < n && r->events[r->n].kind != WG_MPI_NOTHING && is_valid(&r->events[r->n], w)) r->n++;
    if (!r->n || r->events->kind != WG_MPI_BEGIN || r->events->id != WG_MPI_VERSION ||
        r->events->tag != (int32_t)w->n || r->events->peer != (int32_t)rank) {
        r->n = 0;
        return;
    }
    w->known++;
    set_clock(r);
    add_times(w, rank);
    read_events(w, rank);
    for (uint32_t k = 0; k < WG_WAIT_KINDS; k++) w->waited[k][rank] = 0;
}

bool wg_waits_left_early(const char *path) {
    struct wg_strbuf text = {0};
    bool began = false, ended = false;
    if (!wg_file_read(path, &text)) return false;
    for (size_t at = 0; at + sizeof(struct wg_mpi_event) <= text.n; at += sizeof(struct wg_mpi_event)) {
        struct wg_mpi_event e;
        memcpy(&e, text.s + at, sizeof e);
        began |= e.kind == WG_MPI_BEGIN;
        ended |= e.kind == WG_MPI_END;
    }
    wg_strbuf_free(&text);
    return began && !ended;
}

/* ---- Who needed whom --------------------------------------------------------------------------------------
 */

struct ops {
    WG_VEC(struct op *) v;
};

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* Messages of one kind, in their order; sends before receives. */
static int by_message(const void *x, const void *y) {
    const struct op *a = *(struct op *const *)x, *b = *(struct op *const *)y;
    int c = compare(a->group, b->group);
    if (!c) c = (a->from > b->from) - (a->from < b->from);
    if (!c) c = (a->to > b->to) - (a->to < b->to);
    if (!c) c = (a->tag > b->tag) - (a->tag < b->tag);
    if (!c) c = (a->kind != WG_MPI_SEND) - (b->kind != WG_MPI_SEND);
    return c ? c : compare(a->order, b->order);
}

static bool is_same_message(const struct op *a, const struct op *b) {
    return a->group == b->group && a->from == b->from && a->to == b->to && a->tag == b->tag;
}

static void match_stream(struct op **ops, size_t n) {
    size_t sends = 0, next = 0;
    while (sends < n && ops[sends]->kind == WG_MPI_SEND) sends++;
    for (size_t i = sends; i < n && next < sends; i++) {
        struct op *s = ops[next], *r = ops[i];
        r->other = s->rank, r->other_at = s->at;
        if (r->kind == WG_MPI_PROBE) continue;
        s->other = r->rank, s->other_at = r->at;
        next++;
    }
}

static void match_messages(struct wg_waits *w) {
    struct ops all = {0};
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t k = 0; k < w->ranks[i].ops.n; k++) {
            struct op *o = &w->ranks[i].ops.v[k];
            if (o->kind != WG_MPI_COLLECTIVE && o->group && o->from >= 0 && o->to >= 0 && !o->dropped)
                *WG_PUSH(&all.v) = o;
        }
    if (all.v.n) qsort(all.v.v, all.v.n, sizeof *all.v.v, by_message);
    for (uint32_t i = 0, end; i < all.v.n; i = end) {
        for (end = i; end < all.v.n && is_same_message(all.v.v[i], all.v.v[end]);) end++;
        match_stream(all.v.v + i, end - i);
    }
    free(all.v.v);
}

/* The n-th collective call of a communicator is that of all of its ranks. */
static int by_collective(const void *x, const void *y) {
    const struct op *a = *(struct op *const *)x, *b = *(struct op *const *)y;
    int c = compare(a->group, b->group);
    if (!c) c = compare(a->order, b->order); /* by now its number in the group */
    return c ? c : (a->own > b->own) - (a->own < b->own);
}

static void number_collectives(struct op **ops, size_t n) {
    for (size_t i = 0, number = 0; i < n; i++) {
        if (i && (ops[i]->group != ops[i - 1]->group || ops[i]->rank != ops[i - 1]->rank)) number = 0;
        ops[i]->tag = (int32_t)number++;
    }
    for (size_t i = 0; i < n; i++) ops[i]->order = (uint64_t)ops[i]->tag;
}

static int by_rank(const void *x, const void *y) {
    const struct op *a = *(struct op *const *)x, *b = *(struct op *const *)y;
    int c = compare(a->group, b->group);
    if (!c) c = (a->rank > b->rank) - (a->rank < b->rank);
    return c ? c : compare(a->order, b->order);
}

static void match_call(struct op **ops, size_t n) {
    const struct op *last = ops[0], *before = NULL, *root = NULL;
    for (size_t i = 0; i < n; i++) {
        if (ops[i]->at > last->at) last = ops[i];
        if (ops[i]->rank == ops[i]->root) root = ops[i];
    }
    for (size_t i = 0; i < n; i++) {
        enum wg_mpi_shape shape = shape_of(ops[i]->call);
        const struct op *needs = shape == ALL || shape == COMM_NEW                  ? last
                                 : shape == FROM_ROOT                               ? root
                                 : shape == TO_ROOT && ops[i]->rank == ops[i]->root ? last
                                 : shape == PREFIX                                  ? before
                                                                                    : NULL;
        if (needs && needs != ops[i]) ops[i]->other = needs->rank, ops[i]->other_at = needs->at;
        if (!before || ops[i]->at > before->at) before = ops[i];
    }
}

static void match_collectives(struct wg_waits *w) {
    struct ops all = {0};
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t k = 0; k < w->ranks[i].ops.n; k++)
            if (w->ranks[i].ops.v[k].kind == WG_MPI_COLLECTIVE && w->ranks[i].ops.v[k].group)
                *WG_PUSH(&all.v) = &w->ranks[i].ops.v[k];
    if (all.v.n) {
        qsort(all.v.v, all.v.n, sizeof *all.v.v, by_rank);
        number_collectives(all.v.v, all.v.n);
        qsort(all.v.v, all.v.n, sizeof *all.v.v, by_collective);
    }
    for (uint32_t i = 0, end; i < all.v.n; i = end) {
        for (end = i; end < all.v.n && all.v.v[i]->group == all.v.v[end]->group &&
                      all.v.v[i]->order == all.v.v[end]->order;)
            end++;
        match_call(all.v.v + i, end - i);
    }
    free(all.v.v);
}

/* ---- How long ---------------------------------------------------------------------------------------------
 */

/* A send that returned before its receiver came did not wait for it. By the clocks of two hosts, which are milliseconds apart, one
 * that did may seem to have returned a little before. */
static bool needs(const struct op *o, const struct end *e, const struct point *p) {
    if (o->other < 0 || o->other == o->rank || e->early) return false;
    return o->kind != WG_MPI_SEND || o->other_at <= p->to + (p->to - p->from) / 4;
}

static void add_wait(struct wg_waits *w, const struct op *o, const struct point *p) {
    uint64_t until = o->other_at < p->to ? o->other_at : p->to;
    if (until <= p->from) return;
    *WG_PUSH(&w->all) = (struct wg_wait){.rank = (uint32_t)o->rank,
                                         .of = (uint32_t)o->other,
                                         .kind = o->kind == WG_MPI_SEND         ? WG_WAIT_RECEIVER
                                                 : o->kind == WG_MPI_COLLECTIVE ? WG_WAIT_COLLECTIVE
                                                                                : WG_WAIT_SENDER,
                                         .call = p->call,
                                         .times = 1,
                                         .seconds = (double)(until - p->from) * 1e-9};
}

static void add_waits(struct wg_waits *w, const struct wg_waits_rank *r) {
    for (uint32_t i = 0; i < r->points.n; i++) {
        const struct point *p = &r->points.v[i];
        const struct op *longest = NULL;
        for (uint32_t k = 0; p->to && k < p->n; k++) {
            const struct end *e = &r->ends.v[p->first + k];
            const struct op *o = &r->ops.v[e->op];
            if (p->kind == WG_MPI_WAIT_ANY && (!needs(o, e, p) || o->other_at <= p->from)) {
                longest = NULL; /* one of those that were enough was there */
                break;
            }
            if (!needs(o, e, p)) continue;
            bool later = !longest || o->other_at > longest->other_at ||
                         (o->other_at == longest->other_at && longest->kind == WG_MPI_SEND);
            if (!longest || (p->kind == WG_MPI_WAIT_ANY ? !later : later)) longest = o;
        }
        if (longest) add_wait(w, longest, p);
    }
}

static int by_what(const void *x, const void *y) {
    const struct wg_wait *a = x, *b = y;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    if (a->of != b->of) return a->of < b->of ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return ((int)a->call > (int)b->call) - ((int)a->call < (int)b->call);
}

static int by_length(const void *x, const void *y) {
    const struct wg_wait *a = x, *b = y;
    int c = (b->seconds > a->seconds) - (b->seconds < a->seconds);
    return c ? c : by_what(x, y);
}

static double sum(const struct wg_waits *w, const double *of_ranks) {
    double all = 0;
    for (uint32_t i = 0; i < w->n; i++) all += isnan(of_ranks[i]) ? 0 : of_ranks[i];
    return all;
}

static void sort_calls(struct wg_waits *w) {
    for (uint32_t i = 1; i < w->calls.n; i++) {
        struct wg_wait_call c = w->calls.v[i];
        uint32_t k = i;
        while (k && sum(w, w->calls.v[k - 1].seconds) < sum(w, c.seconds))
            w->calls.v[k] = w->calls.v[k - 1], k--;
        w->calls.v[k] = c;
    }
}

void wg_waits_match(struct wg_waits *w) {
    uint32_t kept = 0;
    match_messages(w);
    match_collectives(w);
    for (uint32_t i = 0; i < w->n; i++) add_waits(w, &w->ranks[i]);
    if (w->all.n) qsort(w->all.v, w->all.n, sizeof *w->all.v, by_what);
    for (uint32_t i = 0; i < w->all.n; i++) {
        const struct wg_wait x = w->all.v[i];
        w->waited[x.kind][x.rank] += x.seconds;
        if (kept && !by_what(&w->all.v[kept - 1], &x)) {
            w->all.v[kept - 1].times++;
            w->all.v[kept - 1].seconds += x.seconds;
        } else {
            w->all.v[kept++] = x;
        }
    }
    w->all.n = kept;
    if (kept) qsort(w->all.v, kept, sizeof *w->all.v, by_length);
    sort_calls(w);
}
