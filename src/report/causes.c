/* Findings of one cause are one: races of one kind in one kernel and on one variable, which one missing barrier lets
 * happen, and races of one piece of a stream's work with another one, or with the host, which one missing wait does.
 * The first keeps the others as `pairs`, with all their places.
 *
 *     warps of a block     where a barrier between the two statements orders them (the detail says so), pairs that enclose
 *                          the same place are one cause:
 *                              1  tile[t] = x[i]       1 with 3 and 1 with 4: between 1 and 3
 *                              3  a = tile[t + 1]
 *                              4  b = tile[t + 2]
 *     all others           what is connected by its lines: in loops, statement after statement without __syncwarp(),
 *                          elements that several blocks update. In global memory it is one cause whether the threads are
 *                          of one warp, block or grid: the statement that several of them execute is what has to change
 *
 * Where the two places are in functions that were inlined, the statements are those of the innermost function that both
 * are in. */
#include "report/findings.h"

#include <stdlib.h>
#include <string.h>

/* A pair as two lines of one function, the lower one first. */
struct span {
    const struct wg_frame
        *in; /* a line of the function; NULL: there is none, or they are in different ones */
    uint32_t low, high;
};

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static bool same_function(const struct wg_frame *a, const struct wg_frame *b) {
    return same_text(a->function, b->function) && same_text(a->file, b->file);
}

struct wg_found_apart wg_found_apart(const struct wg_found *f) {
    uint32_t n = f->here.frame_count, m = f->other.frame_count;
    struct wg_found_apart x = {0};
    while (n && m && same_function(&f->here.frames[n - 1], &f->other.frames[m - 1])) {
        x = (struct wg_found_apart){&f->here.frames[n - 1], &f->other.frames[m - 1]};
        if (x.here->line != x.other->line) break;
        n--, m--;
    }
    return x;
}

static struct span span_of(const struct wg_found *f) {
    struct wg_found_apart x = wg_found_apart(f);
    if (!x.here) return (struct span){0};
    bool ordered = x.here->line < x.other->line;
    return (struct span){x.here, ordered ? x.here->line : x.other->line,
                         ordered ? x.other->line : x.here->line};
}

static bool same_memory(const struct wg_found_memory *a, const struct wg_found_memory *b) {
    return same_text(a->space, b->space) && same_text(a->name, b->name) && a->size == b->size &&
           wg_found_same_code(&a->made_at, &b->made_at);
}

/* One missing wait leaves the operations of all steps of a pipeline pending, too. */
static bool is_race(const struct wg_found *f) {
    bool kernels = f->kind == WG_F_race_warp || f->kind == WG_F_race_block || f->kind == WG_F_race_cluster ||
                   f->kind == WG_F_race_grid || f->kind == WG_F_race_volatile || f->kind == WG_F_copy_pending;
    return kernels && f->has_other && !f->suppressed && f->kernel && f->memory.has_allocation;
}

/* A barrier between the lines orders the two: check/instrument/between.h. */
static bool has_barrier(const struct wg_found *f) { return f->kind == WG_F_race_block && f->detail; }

/* Threads anywhere in the grid update one element of global memory. */
static bool is_of_any_threads(const struct wg_found *f) {
    bool plain = f->kind == WG_F_race_warp || f->kind == WG_F_race_block || f->kind == WG_F_race_grid;
    return plain && same_text(f->memory.space, "global") && !has_barrier(f);
}

static bool same_kind(const struct wg_found *a, const struct wg_found *b) {
    return a->kind == b->kind || (is_of_any_threads(a) && is_of_any_threads(b));
}

/* Everything but the lines. */
static bool are_alike(const struct wg_found *a, const struct wg_found *b) {
    return is_race(a) && is_race(b) && same_kind(a, b) && a->benign == b->benign &&
           same_text(a->kernel, b->kernel) && a->module == b->module && a->device == b->device &&
           same_memory(&a->memory, &b->memory);
}

static bool share_a_line(const struct span *a, const struct span *b) {
    return a->low == b->low || a->low == b->high || a->high == b->low || a->high == b->high;
}

static bool same_statement(const struct wg_found_place *a, const struct wg_found_place *b) {
    return a->frame_count && b->frame_count && a->frames[0].line && a->frames[0].line == b->frames[0].line &&
           same_text(a->frames[0].file, b->frames[0].file);
}

/* Of a function that was inlined in several places, too. */
static bool share_a_statement(const struct wg_found *a, const struct wg_found *b) {
    return same_statement(&a->here, &b->here) || same_statement(&a->here, &b->other) ||
           same_statement(&a->other, &b->here) || same_statement(&a->other, &b->other);
}

/* A launch, copy or fill: the call that asked for it, and the kernel, of which a function of the program may launch many. */
static bool same_work(const struct wg_found_place *a, const struct wg_found_place *b) {
    return a->asked.object && wg_found_same_code(&a->asked, &b->asked) && same_text(a->kernel, b->kernel);
}

/* One wait would order both: of the same two pieces of work, or of the host and one; the host's place is `here`. */
static bool miss_one_wait(const struct wg_found *a, const struct wg_found *b) {
    bool streams = a->kind == WG_F_race_stream, host = a->kind == WG_F_race_host;
    if (!(streams || host) || a->kind != b->kind || a->suppressed || b->suppressed) return false;
    if (!a->has_other || !b->has_other || !same_text(a->detail, b->detail)) return false;
    if (host) return same_work(&a->other, &b->other);
    return (same_work(&a->here, &b->here) && same_work(&a->other, &b->other)) ||
           (same_work(&a->here, &b->other) && same_work(&a->other, &b->here));
}

/* ---- groups ---- */

struct causes {
    struct wg_findings_file *file;
    struct span *spans;
    uint32_t *head; /* [finding] the first of its cause */
};

static void join(struct causes *c, uint32_t a, uint32_t b) {
    uint32_t low = c->head[a] < c->head[b] ? c->head[a] : c->head[b], high = c->head[a] ^ c->head[b] ^ low;
    for (uint32_t i = 0; low != high && i < c->file->found_count; i++)
        if (c->head[i] == high) c->head[i] = low;
}

static bool may_join(const struct causes *c, uint32_t a, uint32_t b) {
    const struct span *s = &c->spans[a], *t = &c->spans[b];
    return s->in && t->in && same_function(s->in, t->in) && are_alike(&c->file->found[a], &c->file->found[b]);
}

static void join_by_waits(struct causes *c) {
    const struct wg_found *all = c->file->found;
    for (uint32_t i = 0; i < c->file->found_count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (miss_one_wait(&all[i], &all[j])) join(c, i, j);
}

static void join_connected(struct causes *c) {
    const struct wg_found *all = c->file->found;
    for (uint32_t i = 0; i < c->file->found_count; i++)
        for (uint32_t j = 0; !has_barrier(&all[i]) && j < i; j++) {
            if (has_barrier(&all[j]) || !are_alike(&all[i], &all[j])) continue;
            bool lines = may_join(c, i, j) && share_a_line(&c->spans[i], &c->spans[j]);
            if (lines || share_a_statement(&all[i], &all[j])) join(c, i, j);
        }
}

/* Of pairs that have no barrier yet, the one whose later line comes first says where it goes: right before that. */
static uint32_t next_barrier(const struct causes *c, const bool *done) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < c->file->found_count; i++) {
        bool counts = !done[i] && c->spans[i].in && has_barrier(&c->file->found[i]);
        if (counts && (best == UINT32_MAX || c->spans[i].high < c->spans[best].high)) best = i;
    }
    return best;
}

static void join_by_barriers(struct causes *c) {
    bool *done = wg_xcalloc(c->file->found_count + 1, sizeof *done);
    for (uint32_t at; (at = next_barrier(c, done)) != UINT32_MAX;) {
        done[at] = true;
        for (uint32_t i = 0; i < c->file->found_count; i++) {
            bool orders =
                has_barrier(&c->file->found[i]) && may_join(c, at, i) && c->spans[i].low < c->spans[at].high;
            if (done[i] || !orders) continue;
            join(c, at, i);
            done[i] = true;
        }
    }
    free(done);
}

/* Of the host's accesses, the wait goes before the first. */
static uint32_t length(const struct causes *c, uint32_t i) {
    const struct wg_found *f = &c->file->found[i];
    bool host = f->kind == WG_F_race_host && f->here.frame_count;
    return host ? f->here.frames[0].line : c->spans[i].high - c->spans[i].low;
}

/* The pair whose lines are the closest says most about where the barrier goes. */
static uint32_t clearest(const struct causes *c, uint32_t head) {
    uint32_t best = head;
    for (uint32_t i = head + 1; i < c->file->found_count; i++)
        if (c->head[i] == head && length(c, i) && (!length(c, best) || length(c, i) < length(c, best)))
            best = i;
    return best;
}

/* The findings of a cause, of which `first` is told: the others as its pairs. */
static void take_pairs(const struct causes *c, uint32_t head, uint32_t first, struct wg_found *x) {
    const struct wg_findings_file *f = c->file;
    uint32_t n = 0;
    for (uint32_t i = head; i < f->found_count; i++) n += c->head[i] == head && i != first;
    x->pairs = WG_NEW_N(f->arena, struct wg_found, n);
    for (uint32_t i = head; i < f->found_count; i++)
        if (c->head[i] == head && i != first) x->pairs[x->pair_count++] = f->found[i];
}

static void collect(struct causes *c) {
    struct wg_findings_file *f = c->file;
    struct wg_found *all = WG_NEW_N(f->arena, struct wg_found, f->found_count + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->found_count; i++) {
        if (c->head[i] != i) continue;
        uint32_t first = clearest(c, i);
        all[n] = f->found[first];
        take_pairs(c, i, first, &all[n++]);
    }
    f->found = all;
    f->found_count = n;
}

void wg_findings_by_cause(struct wg_findings_file *f) {
    struct causes c = {.file = f,
                       .spans = WG_NEW_N(f->arena, struct span, f->found_count + 1),
                       .head = WG_NEW_N(f->arena, uint32_t, f->found_count + 1)};
    for (uint32_t i = 0; i < f->found_count; i++) {
        c.head[i] = i;
        if (is_race(&f->found[i])) c.spans[i] = span_of(&f->found[i]);
    }
    join_by_waits(&c);
    join_connected(&c);
    join_by_barriers(&c);
    collect(&c);
}
