/* Order-dependence analysis: whether what a launch computes, or what is counted of it, may depend on the
 * order in which its blocks run.
 *
 *     out[i] = 2 * in[i]                 no: another block reads and writes elsewhere
 *     atomicAdd(&n, 1)                   no: integer addition gives the same sum in any order
 *     i = atomicAdd(&n, 1)               yes: who is first gets 0
 *     atomicAdd(&sum, x[i])              yes, if x is float
 *     while (flag[block - 1] == 0) ;     yes
 *     out[key[i]] = i                    yes, as far as anybody can tell
 *
 * It may if two blocks may touch one byte and one of them writes, other than by atomics of one kind whose
 * results are unused. Where an access goes follows from the form of its address (scev/forms.h), or else from
 * the parameters that the address derives from (check/prove/roots.h), whose allocations it is taken to stay
 * in. The answer is conservative: a launch about which no more is known counts as order-dependent.
 */
#include "analysis/effects.h"
#include "cfg/cfg.h"
#include "check/prove/apart_memo.h"
#include "check/prove/roots.h"
#include "machine/device.h"
#include "machine/later_sums.h"
#include "machine/module.h"
#include "machine/watch/watch.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_SPANS = 8, MOST_PAIRS = 1 << 16 };

/* An access of the launch, and the allocations that it may be in. */
struct touch {
    const struct wg_form_access *access;
    bool writes, commutes;
    uint32_t nspans;
    uint64_t spans[MOST_SPANS];
};

struct finder {
    struct wg_grid *g;
    struct wg_check_formed *formed;
    struct wg_forms *forms;
    struct wg_apart_memo *memo; /* of threads of different blocks */
    uint64_t *roots;
    uint32_t *nuses; /* [register] */
    struct wg_arena arena;
};

static void note_use(void *nuses, uint32_t r) { ((uint32_t *)nuses)[r]++; }

static void count_uses(struct finder *x) {
    const struct wg_ir_func *f = x->g->func->ir;
    x->nuses = WG_NEW_N(&x->arena, uint32_t, f->nregs + 1);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) wg_each_use(&blk->instrs[i], note_use, x->nuses);
        if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) x->nuses[blk->cond]++;
    }
}

static bool is_atomic(const struct wg_ir_instr *in) { return wg_op_is(in->op, WG_IS_ATOMIC); }

/* An atomic of one value per lane, whose result is unused. */
static bool leaves_no_trace(const struct finder *x, const struct wg_ir_instr *in) {
    bool unused = in->ndst == 0 || in->dst[0].kind != WG_O_REG || x->nuses[in->dst[0].index] == 0;
    return is_atomic(in) && unused && in->nvec <= 1;
}

static bool add_span(struct touch *t, uint64_t base) {
    for (uint32_t i = 0; i < t->nspans; i++)
        if (t->spans[i] == base) return true;
    if (t->nspans == MOST_SPANS) return false;
    t->spans[t->nspans++] = base;
    return true;
}

/* False: it may be anywhere. */
static bool find_by_roots(const struct finder *x, struct touch *t, uint64_t roots) {
    const struct wg_module *m = x->g->func->module;
    struct wg_span s;
    if (!roots || roots & WG_ROOT_UNKNOWN) return false;
    for (uint32_t i = 0; i < WG_ROOT_PARAMS; i++) {
        uint64_t value;
        if (!(roots >> i & 1)) continue;
        memcpy(&value, (const uint8_t *)x->g->params + (size_t)i * 8, sizeof value);
        bool found = wg_fleet_find_reached(x->g->dev, value, &s);
        if (found && !add_span(t, s.base)) return false;
        if (!found && wg_memory_holds(wg_fleet_memory(x->g->dev, value), value))
            return false; /* it may be counted from there */
    }
    for (uint32_t i = 0; roots & WG_ROOT_MODULE && i < m->ir->nsyms; i++)
        if (m->ir->syms[i].kind == WG_SYM_GLOBAL && wg_fleet_find_reached(x->g->dev, m->symbols[i], &s) &&
            !add_span(t, s.base))
            return false;
    return true;
}

static bool find_spans(const struct finder *x, struct touch *t) {
    const struct wg_form_access *a = t->access;
    const struct wg_ir_instr *in = a->instr;
    struct wg_span s;
    int64_t lo, hi;
    bool known =
        a->at.known && a->space == WG_S_GLOBAL && wg_form_range(x->forms, &a->at, a->guards, &lo, &hi);
    if (known && wg_fleet_find_reached(x->g->dev, (uint64_t)lo, &s) && (uint64_t)hi + a->bytes <= s.end)
        return add_span(t, s.base);
    bool plain = wg_op_is(in->op, WG_IS_ACCESS) || in->op == WG_OP_WMMA_LOAD || in->op == WG_OP_WMMA_STORE;
    return plain && find_by_roots(x, t, wg_roots_of(x->g->func->module->ir, x->roots, &in->src[a->operand]));
}

/* Global memory is what blocks have in common; that of their own, and of their cluster's, is one worker's. */
static bool is_common(const struct wg_form_access *a) {
    struct wg_effects e = wg_effects_of(a->instr);
    if (a->space == WG_S_SHARED || a->space == WG_S_CLUSTER || a->space == WG_S_LOCAL) return false;
    if (a->instr->op == WG_OP_CP_ASYNC) return a->operand == 1;
    return (e.reads | e.writes) & WG_GLOBAL_MEMORY && wg_memories_of(a->instr->space) & WG_GLOBAL_MEMORY;
}

/* The machine's own functions that blocks may learn of each other by, and all of the program's. */
static bool calls_more(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op == WG_OP_CALL && in->call->builtin != WG_B_vprintf &&
                in->call->builtin != WG_B_assertfail && in->call->builtin != WG_B_grid_is_cooperative)
                return true;
        }
    return false;
}

static bool shares_a_span(const struct touch *a, const struct touch *b) {
    for (uint32_t i = 0; i < a->nspans; i++)
        for (uint32_t k = 0; k < b->nspans; k++)
            if (a->spans[i] == b->spans[k]) return true;
    return false;
}

static bool may_meet(const struct finder *x, const struct touch *a, const struct touch *b) {
    if (!a->writes && !b->writes) return false;
    if (a->commutes && b->commutes && a->access->instr->mod[WG_MC_AOP] == b->access->instr->mod[WG_MC_AOP])
        return false;
    return shares_a_span(a, b) && !wg_apart_memo_ask(x->memo, a->access, b->access, NULL);
}

static bool any_may_meet(struct finder *x) {
    uint32_t n = 0, pairs = 0;
    struct touch *v = WG_NEW_N(&x->arena, struct touch, x->forms->naccesses + 1);
    for (uint32_t i = 0; i < x->forms->naccesses; i++) {
        struct touch *t = &v[n];
        *t = (struct touch){.access = &x->forms->accesses[i]};
        if (!is_common(t->access)) continue;
        t->writes = t->access->stores;
        t->commutes = leaves_no_trace(x, t->access->instr) && wg_atomic_commutes(t->access->instr);
        if (!find_spans(x, t)) return true;
        n++;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k <= i; k++) {
            if (!v[i].writes && !v[k].writes) continue;
            if (++pairs > MOST_PAIRS || may_meet(x, &v[i], &v[k])) return true;
        }
    return false;
}

static struct finder look_at(struct wg_grid *g, const struct wg_launch *l) {
    struct finder x = {.g = g, .formed = wg_check_forms_take(g, l->block, l->grid)};
    x.forms = wg_check_forms_of(x.formed);
    x.memo = wg_check_memo_of(x.formed, WG_FORMS_OF_BLOCKS);
    x.roots = wg_roots_find(&x.arena, g->func->module->ir, g->func->ir);
    count_uses(&x);
    return x;
}

static void look_away(struct finder *x) {
    wg_arena_free(&x->arena);
    wg_check_forms_give(x->g, x->formed);
}

bool wg_launch_hangs_on_order(struct wg_grid *g, const struct wg_launch *l) {
    if (g->job.units == 1) return false;
    if (g->cooperative || calls_more(g->func->ir)) return true;
    struct finder x = look_at(g, l);
    bool may = any_may_meet(&x);
    look_away(&x);
    return may;
}

/* ---- sums of floats ---- */

/* An addition of floats to what can only be global memory. */
static bool is_float_add(const struct wg_ir_instr *in) {
    return is_atomic(in) && in->space == WG_S_GLOBAL && in->mod[WG_MC_AOP] == WG_M_add &&
           (in->type == WG_T_F32 || in->type == WG_T_F64);
}

static bool adds_floats(const struct finder *x, const struct wg_ir_instr *in) {
    return is_float_add(in) && leaves_no_trace(x, in);
}

/* Kernels that add no floats are not looked at any further. Others may learn of an addition by what is
 * ordered. */
static bool is_worth_a_look(const struct wg_ir_func *f) {
    bool adds = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            enum wg_mod sem = in->mod[WG_MC_SEM];
            bool atomic = is_atomic(in);
            bool tells = wg_is_fence(in) || (atomic && sem != WG_M_none && sem != WG_M_relaxed);
            if (tells || (!atomic && in->space != WG_S_SHARED && wg_effects_of(in).ordered)) return false;
            adds |= is_float_add(in);
        }
    return adds;
}

static bool note_spans(const struct finder *x, const struct touch *t, struct wg_later_span *spans,
                       uint32_t *n) {
    for (uint32_t i = 0; i < t->nspans; i++) {
        struct wg_span s;
        uint32_t k = 0;
        if (!wg_memory_find(&x->g->dev->memory, t->spans[i], &s) ||
            (s.kind != WG_MEM_DEVICE && s.kind != WG_MEM_MANAGED && s.kind != WG_MEM_MODULE))
            return false;
        while (k < *n && spans[k].base != s.base) k++;
        if (k == WG_LATER_SPANS) return false;
        spans[k] = (struct wg_later_span){s.base, s.end};
        if (k == *n) ++*n;
    }
    return true;
}

static bool is_among(const struct touch *t, const struct wg_later_span *spans, uint32_t n) {
    for (uint32_t i = 0; i < t->nspans; i++)
        for (uint32_t k = 0; k < n; k++)
            if (t->spans[i] == spans[k].base) return true;
    return false;
}

/* Where floats are added; nothing, if anything else may be there. */
static uint32_t find_sums(struct finder *x, struct wg_later_span *spans) {
    uint32_t n = 0;
    struct touch *v = WG_NEW_N(&x->arena, struct touch, x->forms->naccesses + 1);
    for (uint32_t i = 0; i < x->forms->naccesses; i++) {
        struct touch *t = &v[i];
        t->access = &x->forms->accesses[i];
        if (!is_common(t->access)) continue;
        if (!find_spans(x, t)) return 0;
        if (adds_floats(x, t->access->instr) && !note_spans(x, t, spans, &n)) return 0;
    }
    for (uint32_t i = 0; i < x->forms->naccesses; i++)
        if (is_common(v[i].access) && !adds_floats(x, v[i].access->instr) && is_among(&v[i], spans, n))
            return 0;
    return n;
}

/* What launches of the function have in common. Not computed for each: it reads all of the function. */
static bool may_add_later(struct wg_func *f) {
    enum { UNKNOWN, NO, YES };
    uint8_t known = atomic_load_explicit(&f->adds_later, memory_order_relaxed);
    if (known == UNKNOWN) {
        known = is_worth_a_look(f->ir) && !calls_more(f->ir) && !wg_func_may_wait(f) ? YES : NO;
        atomic_store_explicit(&f->adds_later, known, memory_order_relaxed);
    }
    return known == YES;
}

uint32_t wg_launch_later_sums(struct wg_grid *g, const struct wg_launch *l, struct wg_later_span *spans) {
    if (g->cooperative || g->code->sweeps || g->code->stages || !may_add_later(g->func)) return 0;
    struct finder x = look_at(g, l);
    uint32_t n = find_sums(&x, spans);
    look_away(&x);
    return n;
}
