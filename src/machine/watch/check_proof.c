/* Static race elimination for global memory: which accesses of a launch cannot race, whatever its threads do:
 * see check_race.h.
 *
 * The symbolic forms of the addresses (scev/forms.h) are evaluated with the launch's parameters. The reach of
 * an access is then an interval inside one allocation, or else what its parameters say (check_written.c). An
 * access is quiet in an allocation if, paired with every other that may reach it and with itself, no byte is
 * accessed by two threads, or both only read, or both are atomics and nothing is ordered by them. Then it can be part of
 * no race there, and leaving it out hides no race of other accesses. Where other streams or the host may use the
 * allocation meanwhile, its footprint has to be known as well, byte by byte.
 */
#include "check/prove/apart_memo.h"
#include "check/prove/intervals.h"
#include "check/prove/places.h"
#include "machine/device.h"
#include "machine/watch/check.h"
#include "machine/watch/check_race.h"
#include "machine/watch/check_stream.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ACCESSES = 256,   /* of one allocation: their pairs are tested */
    MOST_PLACES = 1 << 14, /* that stand for the footprint of an access in what others may use */
};

static bool is_read(const struct wg_form_access *a) { return a->loads && !a->stores; }

/* The form of what the instruction with this number does to global memory. */
static const struct wg_form_access *form_of(const struct wg_grid *g, const struct wg_forms *x, uint32_t id) {
    const struct wg_check_site *s = &g->check->sites[id];
    const struct wg_ir_instr *in = s->part_of ? s->part_of : s->instr;
    for (uint32_t i = 0; i < x->naccesses; i++) {
        const struct wg_form_access *a = &x->accesses[i];
        if (a->instr == in && (in->op != WG_OP_CP_ASYNC || is_read(a))) return a;
    }
    return NULL;
}

bool wg_check_proof_span(struct wg_grid *g, uint32_t id, struct wg_span *out) {
    const struct wg_forms *x = g->dev->options.tells_all ? NULL : wg_check_forms(g);
    const struct wg_form_access *a =
        x && g->check->sites[id].func == g->func->index ? form_of(g, x, id) : NULL;
    int64_t lo, hi;
    if (!a || !a->at.known || a->space != WG_S_GLOBAL || !wg_form_range(x, &a->at, a->guards, &lo, &hi))
        return false;
    return wg_fleet_find_reached(g->dev, (uint64_t)lo, out) && (uint64_t)hi + a->bytes <= out->end;
}

/* ---- pairs ---- */

/* An access that may reach the allocation. */
struct reacher {
    uint32_t id;
    const struct wg_form_access *form; /* NULL: there is none */
    bool reads, relaxed;               /* relaxed: an atomic of the grid's scope */
    bool loud, shared;                 /* may race with some; with some of another block */
};

static bool may_race(struct wg_apart_memo *memo, const struct reacher *a, const struct reacher *b) {
    if ((a->reads && b->reads) || (a->relaxed && b->relaxed)) return false;
    return !a->form || !b->form || !wg_apart_memo_ask(memo, a->form, b->form, NULL);
}

static bool reaches(const struct wg_check_reach *r, uint64_t base) {
    for (uint32_t i = 0; i < r->ranges.n; i++)
        if (r->ranges.v[i].base == base) return true;
    return r->anywhere;
}

static bool is_atomic(const struct wg_ir_instr *in) { return wg_op_is(in->op, WG_IS_ATOMIC); }

/* The access's footprint, which work of other streams and the host may ask for; false: it is not known, or `shared` with
 * them and too scattered. */
static bool remember(struct wg_grid *g, const struct reacher *a, bool shared) {
    struct wg_check_races *r = &g->check->races;
    struct wg_form_extent *e = a->form ? wg_form_extent_new(wg_check_forms(g), a->form) : NULL;
    if (!e || (shared && wg_form_extent_places(e) > MOST_PLACES)) {
        free(e);
        return false;
    }
    struct wg_check_shown *s = wg_xcalloc(1, sizeof *s);
    *s =
        (struct wg_check_shown){.extent = e, .id = a->id, .access = r->sites[a->id].access, .next = r->shown};
    r->shown = s;
    return true;
}

/* Whether an access that races with nothing needs no report. */
static bool is_quiet(struct wg_grid *g, const struct reacher *a, const struct wg_check_range *span,
                     bool shared) {
    struct wg_check_races *r = &g->check->races;
    if (is_atomic(g->check->sites[a->id].instr)) return a->relaxed && !r->orders && remember(g, a, true);
    if (!wg_check_race_is_weak(g, a->id)) return false;
    bool known = remember(g, a, shared);
    r->vague |= !known && !shared;
    if (!known && shared) wg_check_seen_add(g, a->id, span);
    return known || !shared;
}

void wg_check_shown_free(struct wg_check_shown *s) {
    for (struct wg_check_shown *next; s; s = next) {
        next = s->next;
        free(s->extent);
        free(s);
    }
}

static const struct wg_check_proof *proof_of(const struct wg_check_races *r, uint64_t base) {
    for (uint32_t i = 0; i < r->proofs.n; i++)
        if (r->proofs.v[i].base == base) return &r->proofs.v[i];
    return NULL;
}

struct memos {
    struct wg_apart_memo *grid, *blocks;
    const struct wg_intervals *intervals; /* between barriers of the grid; NULL: there are none */
};

/* Whether a barrier of the grid is between any two threads that make them. */
static bool are_parted(const struct memos *m, const struct reacher *a, const struct reacher *b) {
    return m->intervals && a->form && b->form &&
           !wg_bits_has(m->intervals->meets[a->form->block], b->form->block);
}

static void hold_against(const struct memos *m, struct reacher *a, struct reacher *b) {
    if (!(a->loud && b->loud) && !are_parted(m, a, b) && may_race(m->grid, a, b)) a->loud = b->loud = true;
    if (!(a->loud && b->loud) || (a->shared && b->shared)) return; /* known, or of no consequence */
    if (may_race(m->blocks, a, b)) a->shared = b->shared = true;
}

static void prove(struct wg_grid *g, const struct wg_check_reach *of, const struct wg_check_range *span,
                  const struct memos *memos, bool shared) {
    struct wg_check_races *r = &g->check->races;
    struct reacher *v = wg_xcalloc(MOST_ACCESSES, sizeof *v);
    uint32_t n = 0, words = g->check->nids / 64 + 1;
    bool crowded = false;
    for (uint32_t id = 0; id < g->check->nids; id++) {
        if (!reaches(&of[id], span->base)) continue;
        crowded |= n == MOST_ACCESSES;
        if (crowded) break;
        const struct wg_check_site *s = &g->check->sites[id];
        bool own = s->func == g->func->index;
        v[n++] = (struct reacher){.id = id,
                                  .form = own ? form_of(g, wg_check_forms(g), id) : NULL,
                                  .reads = wg_check_is_load(s->instr),
                                  .relaxed = is_atomic(s->instr) && wg_check_race_is_relaxed(g, id)};
    }
    for (uint32_t i = 0; i < n && !crowded; i++)
        for (uint32_t k = 0; k <= i; k++) hold_against(memos, &v[i], &v[k]);
    struct wg_check_proof *p = WG_PUSH(&r->proofs);
    p->base = span->base;
    p->quiet = wg_xcalloc(words, sizeof *p->quiet);
    p->own = wg_xcalloc(words, sizeof *p->own);
    for (uint32_t i = 0; i < n && !crowded; i++) {
        uint64_t bit = UINT64_C(1) << v[i].id % 64;
        if (!v[i].shared && wg_check_race_is_weak(g, v[i].id)) p->own[v[i].id / 64] |= bit;
        if (!v[i].loud && is_quiet(g, &v[i], span, shared)) p->quiet[v[i].id / 64] |= bit;
    }
    free(v);
}

void wg_check_proof_find(struct wg_grid *g, const struct wg_check_reach *of) {
    struct wg_check_races *r = &g->check->races;
    if (g->dev->options.tells_all || r->written.anywhere) return;
    if (!r->written.ranges.n && !r->loose && !r->host) return;
    struct memos memos = {wg_check_memo(g, WG_FORMS_OF_GRID), wg_check_memo(g, WG_FORMS_OF_BLOCKS), NULL};
    struct wg_arena arena = {0};
    const struct wg_ir_func *f = g->func->ir;
    if (g->cooperative && wg_intervals_of_grid(f))
        memos.intervals = wg_intervals_find(&arena, f, WG_INTERVALS_GRID);
    for (uint32_t i = 0; i < r->written.ranges.n + r->plain.ranges.n; i++) {
        bool writes = i < r->written.ranges.n;
        const struct wg_check_range *span =
            writes ? &r->written.ranges.v[i] : &r->plain.ranges.v[i - r->written.ranges.n];
        struct wg_span s;
        if (!wg_fleet_find_reached(g->dev, span->base, &s) || proof_of(r, span->base)) continue;
        bool shared = wg_check_written_shared(r, s.kind);
        if (writes || shared) prove(g, of, span, &memos, shared);
    }
    wg_arena_free(&arena);
}

bool wg_check_proof_quiet(const struct wg_check_races *r, uint32_t id, uint64_t base) {
    const struct wg_check_proof *p = proof_of(r, base);
    return p && p->quiet[id / 64] >> (id % 64) & 1;
}

bool wg_check_proof_own(const struct wg_check_races *r, uint32_t id, uint64_t base) {
    const struct wg_check_proof *p = proof_of(r, base);
    return p && p->own[id / 64] >> (id % 64) & 1;
}

void wg_check_proof_free(struct wg_check_races *r) {
    for (uint32_t i = 0; i < r->proofs.n; i++) {
        free(r->proofs.v[i].quiet);
        free(r->proofs.v[i].own);
    }
    free(r->proofs.v);
}
