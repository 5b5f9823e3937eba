/* The write set of a launch, and what it touches otherwise than by atomics: see check_race.h. Each access's
 * address derives from parameters (check/prove/roots.h), whose values say which allocations it reaches into;
 * where that is not known it may be any.
 *
 * Most accesses are reads of what no thread writes, and many others can be shown to race with nothing
 * (check_proof.c). A wrong access may still reach other memory: the memory check reports it as far as that is
 * outside of every allocation, and otherwise a note says that something was not checked. */
#include "check/prove/roots.h"
#include "check/race/race.h"
#include "machine/device.h"
#include "machine/watch/check.h"
#include "machine/watch/check_stream.h"
#include <stdlib.h>
#include <string.h>

static bool is_atomic(const struct wg_ir_instr *in) { return wg_op_is(in->op, WG_IS_ATOMIC); }

/* Whether it may order what threads did before and after it. */
static bool orders(const struct wg_ir_instr *in) {
    enum wg_mod sem = in->mod[WG_MC_SEM];
    return in->op == WG_OP_MEMBAR || in->op == WG_OP_FENCE || sem == WG_M_acquire || sem == WG_M_release ||
           sem == WG_M_acq_rel;
}

static void add(struct wg_check_reach *r, const struct wg_span *s) {
    for (uint32_t i = 0; i < r->ranges.n; i++)
        if (r->ranges.v[i].base == s->base) return;
    *WG_PUSH(&r->ranges) = (struct wg_check_range){s->base, s->end};
}

static bool has(const struct wg_check_reach *r, uint64_t at) {
    for (uint32_t i = 0; i < r->ranges.n; i++)
        if (at >= r->ranges.v[i].base && at < r->ranges.v[i].end) return true;
    return r->anywhere;
}

static void reach_by_roots(const struct wg_grid *g, uint64_t roots, struct wg_check_reach *r) {
    const struct wg_module *m = g->func->module;
    uint64_t value;
    struct wg_span s;
    r->anywhere = roots & WG_ROOT_UNKNOWN;
    for (uint32_t i = 0; i < WG_ROOT_PARAMS; i++) {
        if (!(roots >> i & 1)) continue;
        memcpy(&value, (const uint8_t *)g->params + (size_t)i * 8, sizeof value);
        if (wg_fleet_find_reached(g->dev, value, &s))
            add(r, &s);
        else if (wg_memory_holds(wg_fleet_memory(g->dev, value),
                                 value)) /* beside an allocation: it may be counted from there */
            r->anywhere = true;
    }
    for (uint32_t i = 0; roots & WG_ROOT_MODULE && i < m->ir->nsyms; i++)
        if (m->ir->syms[i].kind == WG_SYM_GLOBAL && wg_fleet_find_reached(g->dev, m->symbols[i], &s))
            add(r, &s);
}

static void join(struct wg_check_reach *to, const struct wg_check_reach *r) {
    to->anywhere |= r->anywhere;
    for (uint32_t i = 0; i < r->ranges.n; i++)
        add(to, &(struct wg_span){.base = r->ranges.v[i].base, .end = r->ranges.v[i].end});
}

/* What an asynchronous copy reads is told as an access of its own. */
static uint64_t roots_of(const struct wg_check_site *s) {
    bool part = s->part_of && s->part_of->op == WG_OP_CP_ASYNC && wg_check_is_load(s->instr);
    return part ? WG_ROOT_UNKNOWN : s->instr->op == WG_OP_CP_ASYNC ? 0 : s->roots;
}

/* A load of what no thread of the launch writes: whatever order it asks for, it has nobody to learn from. */
static bool is_load_alone(const struct wg_grid *g, uint32_t id, uint64_t at) {
    uint8_t order = g->check->races.sites[id].order;
    return wg_check_is_load(g->check->sites[id].instr) && order != WG_RACE_ACQUIRE &&
           !has(&g->check->races.written, at);
}

bool wg_check_written_shared(const struct wg_check_races *r, uint32_t mem_kind) {
    return r->loose || (r->host && mem_kind != WG_MEM_DEVICE);
}

/* Whether the access is quiet, or *own, nothing that other blocks see, as long as it stays where its pointers
 * point.
 */
static bool quiet_within(const struct wg_grid *g, uint32_t id, const struct wg_check_reach *of, bool *own) {
    const struct wg_check_races *r = &g->check->races;
    struct wg_span s;
    bool quiet = true, all_own = true;
    *own = false;
    if (of->anywhere) return false;
    for (uint32_t i = 0; i < of->ranges.n; i++) {
        if (!wg_fleet_find_reached(g->dev, of->ranges.v[i].base, &s)) return false;
        if (s.kind == WG_MEM_SCRATCH || s.kind == WG_MEM_HEAP) return false;
        bool alone = is_load_alone(g, id, s.base);
        all_own &= alone || wg_check_proof_own(r, id, s.base);
        quiet &= (alone && !wg_check_written_shared(r, s.kind)) || wg_check_proof_quiet(r, id, s.base);
    }
    *own = all_own;
    return quiet;
}

static void find_silence(struct wg_grid *g, const struct wg_check_reach *of) {
    struct wg_check_races *r = &g->check->races;
    bool silent_elsewhere = true; /* but for shared memory */
    r->silent = r->no_global = r->apart = true;
    for (uint32_t id = 0; id < g->check->nids; id++) {
        const struct wg_check_site *s = &g->check->sites[id];
        bool runs = s->instr && g->check->reached[s->func];
        if (runs && s->instr->op == WG_OP_MBARRIER_INIT) /* who knows that it has begun */
            r->silent = silent_elsewhere = false;
        if (!runs || !wg_check_race_is_told(g, id)) continue;
        bool shared = s->instr->space == WG_S_SHARED, own = shared,
             within = shared || quiet_within(g, id, &of[id], &own),
             quiet = shared ? wg_check_shared_quiet(g, id) : within && of[id].sure;
        r->silent &= quiet;
        r->no_global &= quiet || shared;
        r->apart &= own;
        silent_elsewhere &= quiet || shared;
    }
    if (!r->silent) wg_check_alike_begin(g, silent_elsewhere);
}

void wg_check_written_begin(struct wg_grid *g) {
    const struct wg_check_launch *c = g->check;
    struct wg_check_races *r = &g->check->races;
    r->loose = wg_check_streams_loose(g->dev);
    r->host = wg_check_host_tells(g->dev);
    struct wg_check_reach *of = wg_xcalloc(c->nids + 1, sizeof *of);
    for (uint32_t id = 0; id < c->nids; id++) {
        const struct wg_check_site *s = &c->sites[id];
        bool called = s->func != g->func->index;
        struct wg_span span;
        if (!s->instr || !c->reached[s->func]) continue;
        uint64_t roots = roots_of(s);
        r->orders |= orders(s->instr);
        if (!roots) continue;
        of[id].sure = wg_check_proof_span(g, id, &span);
        if (of[id].sure)
            add(&of[id], &span);
        else
            reach_by_roots(g, called ? WG_ROOT_UNKNOWN : roots, &of[id]);
        if (!wg_check_is_load(s->instr)) join(&r->written, &of[id]);
        if (!is_atomic(s->instr)) join(&r->plain, &of[id]);
    }
    if (!wg_func_may_launch(g->func))
        wg_check_proof_find(g, of); /* what it does beside its children is told */
    find_silence(g, of);
    for (uint32_t id = 0; id < c->nids; id++) free(of[id].ranges.v);
    free(of);
}

void wg_check_written_end(struct wg_grid *g) {
    free(g->check->races.written.ranges.v);
    free(g->check->races.plain.ranges.v);
    wg_check_proof_free(&g->check->races);
}

bool wg_check_written_quiet(const struct wg_grid *g, uint32_t id, const struct wg_check_window *w) {
    struct wg_check_races *r = &g->check->races;
    const struct wg_ir_instr *in = g->check->sites[id].instr;
    struct wg_span s;
    if (!r->grid || (in->space != WG_S_GLOBAL && in->space != WG_S_GENERIC)) return false;
    if (!wg_fleet_find_reached(g->dev, w->lo, &s) || s.kind == WG_MEM_SCRATCH || s.kind == WG_MEM_HEAP)
        return false;
    bool written = has(&r->written, w->lo), plain = has(&r->plain, w->lo);
    bool expected = (wg_check_is_load(in) || written) && (is_atomic(in) || plain);
    if (!expected && !atomic_exchange(&r->surprised, true))
        wg_findings_note(g->dev->options.findings, "A kernel accessed memory that none of its arguments "
                                                   "points to: races there were not all checked");
    if (wg_check_proof_quiet(r, id, s.base)) return true;
    if (wg_check_written_shared(r, s.kind)) return false;
    if (is_load_alone(g, id, w->lo)) return true;
    return is_atomic(in) && !plain && !r->orders && wg_check_race_is_relaxed(g, id);
}
