/* What a launch writes, and what it touches otherwise than by atomics: see check_race.h. Each access's
 * address was made from parameters (check/roots.h), whose values say which allocations it reaches into; where
 * that is not known it may be any.
 *
 * Most accesses are reads of what no thread writes. One that goes wrong may still get elsewhere: the memory
 * check tells of it as far as that is outside of every allocation, and else a note says that something was
 * not looked at. */
#include "check/race.h"
#include "check/roots.h"
#include "machine/check.h"
#include "machine/check_stream.h"
#include "machine/device.h"
#include <stdlib.h>
#include <string.h>

static bool is_load(const struct wg_ir_instr *in) {
    return in->op == WG_OP_LD || in->op == WG_OP_LDU || in->op == WG_OP_CP_ASYNC ||
           in->op == WG_OP_WMMA_LOAD || in->op == WG_OP_BULK_LOAD || in->op == WG_OP_TENSOR_LOAD;
}
static bool is_atomic(const struct wg_ir_instr *in) { return in->op == WG_OP_ATOM || in->op == WG_OP_RED; }

/* Whether it may order what threads did before and after it. */
static bool orders(const struct wg_ir_instr *in) {
    enum wg_mod sem = in->mod[WG_MC_SEM];
    return in->op == WG_OP_MEMBAR || in->op == WG_OP_FENCE || sem == WG_M_acquire || sem == WG_M_release ||
           sem == WG_M_acq_rel;
}

static bool calls_functions(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].op == WG_OP_CALL) return true;
    return false;
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

static void reach(const struct wg_grid *g, uint64_t roots, struct wg_check_reach *r) {
    const struct wg_module *m = g->func->module;
    struct wg_memory *memory = &g->dev->memory;
    uint64_t value;
    struct wg_span s;
    r->anywhere =
        roots & WG_ROOT_UNKNOWN || wg_check_streams_loose(g->dev); /* other work may do what this does not */
    for (uint32_t i = 0; i < WG_ROOT_PARAMS; i++) {
        if (!(roots >> i & 1)) continue;
        memcpy(&value, (const uint8_t *)g->params + (size_t)i * 8, sizeof value);
        if (wg_memory_find(memory, value, &s))
            add(r, &s);
        else if (wg_memory_holds(memory, value)) /* beside an allocation: it may be counted from there */
            r->anywhere = true;
    }
    for (uint32_t i = 0; roots & WG_ROOT_MODULE && i < m->ir->nsyms; i++)
        if (m->ir->syms[i].kind == WG_SYM_GLOBAL && wg_memory_find(memory, m->symbols[i], &s)) add(r, &s);
}

void wg_check_written_begin(struct wg_grid *g) {
    const struct wg_ir_module *m = g->func->module->ir;
    const struct wg_check_launch *c = g->check;
    struct wg_check_races *r = &g->check->races;
    bool calls = calls_functions(g->func->ir);
    uint64_t written = 0, plain = 0;
    for (uint32_t id = 0; id < c->nids; id++) {
        const struct wg_check_site *s = &c->sites[id];
        bool own = s->func == g->func->index, called = calls && !m->funcs[s->func].entry;
        if (!s->instr || !(own || called)) continue;
        uint64_t roots = s->roots && called ? WG_ROOT_UNKNOWN : s->roots;
        if (!is_load(s->instr)) written |= roots;
        if (!is_atomic(s->instr)) plain |= roots;
        r->orders |= orders(s->instr);
    }
    reach(g, written, &r->written);
    reach(g, plain, &r->plain);
}

void wg_check_written_end(struct wg_grid *g) {
    free(g->check->races.written.ranges.v);
    free(g->check->races.plain.ranges.v);
}

bool wg_check_written_quiet(const struct wg_grid *g, uint32_t id, const struct wg_check_window *w) {
    struct wg_check_races *r = &g->check->races;
    const struct wg_ir_instr *in = g->check->sites[id].instr;
    struct wg_span s;
    if (!r->grid || (in->space != WG_S_GLOBAL && in->space != WG_S_GENERIC)) return false;
    if (!wg_memory_find(&g->dev->memory, w->lo, &s) || s.kind == WG_MEM_SCRATCH || s.kind == WG_MEM_HEAP)
        return false;
    bool written = has(&r->written, w->lo), plain = has(&r->plain, w->lo);
    bool expected = (is_load(in) || written) && (is_atomic(in) || plain);
    if (!expected && !atomic_exchange(&r->surprised, true))
        wg_findings_note(
            g->dev->options.findings,
            "A kernel touched memory that none of its arguments for that is about: not all races "
            "there were looked for");
    if (is_load(in)) return !written;
    return is_atomic(in) && !plain && !r->orders && wg_check_race_is_relaxed(g, id);
}
