/* Static classification of a kernel's instructions for the race check: see check_race.h. */
#include "check/race/race.h"
#include "machine/watch/check.h"
#include <stdlib.h>

/* What goes past the first-level cache is seen by other blocks as volatile accesses are: programs from before
 * there were .relaxed ones hand over data in words of their own that way (ld.cg and st.cg of a state and its
 * value). */
static bool is_coherent(const struct wg_ir_instr *in) {
    enum wg_mod cache = in->mod[WG_MC_CACHE];
    return cache == WG_M_cg || cache == WG_M_cv || cache == WG_M_wt;
}

static uint8_t order_of(const struct wg_ir_instr *in) {
    bool plain = in->op == WG_OP_LD || in->op == WG_OP_ST;
    if (plain && in->mod[WG_MC_SEM] == WG_M_none && is_coherent(in)) return WG_RACE_VOLATILE;
    switch (in->mod[WG_MC_SEM]) {
    case WG_M_volatile: return WG_RACE_VOLATILE;
    case WG_M_relaxed: return WG_RACE_SAID_RELAXED;
    case WG_M_mmio: return WG_RACE_RELAXED;
    case WG_M_acquire: return WG_RACE_ACQUIRE;
    case WG_M_release: return WG_RACE_RELEASE;
    case WG_M_acq_rel: return WG_RACE_ACQ_REL;
    default: break;
    }
    if (!wg_op_is(in->op, WG_IS_ATOMIC)) return WG_RACE_WEAK;
    /* What takes a lock has to be followed by a fence; of a ticket that is drawn a barrier follows. */
    bool takes = in->mod[WG_MC_AOP] == WG_M_cas || in->mod[WG_MC_AOP] == WG_M_exch;
    return takes ? WG_RACE_SAID_RELAXED : WG_RACE_RELAXED;
}

static uint8_t scope_of(const struct wg_ir_instr *in) {
    switch (in->mod[WG_MC_SCOPE]) {
    case WG_M_cta: return WG_RACE_CTA;
    case WG_M_cluster: return WG_RACE_CLUSTER_SCOPE;
    case WG_M_sys: return WG_RACE_SYS;
    default: return WG_RACE_GPU;
    }
}

struct wg_race_site wg_check_race_site(const struct wg_ir_instr *in) {
    struct wg_race_site s = {.order = order_of(in), .scope = scope_of(in), .space = in->space};
    bool of_others = in->space == WG_S_GENERIC || in->space == WG_S_GLOBAL || in->space == WG_S_SHARED ||
                     in->space == WG_S_CLUSTER;
    if (!of_others) return s;
    s.bytes = (uint8_t)(wg_type_bits(in->type) / 8 * in->nvec);
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_LDU: s.access = WG_RACE_LOAD; break;
    case WG_OP_ST: s.access = WG_RACE_STORE; break;
    case WG_OP_ATOM:
    case WG_OP_RED: s.access = WG_RACE_ATOMIC; break;
    default: break;
    }
    return s;
}

bool wg_check_race_is_relaxed(const struct wg_grid *g, uint32_t id) {
    const struct wg_race_site *s = &g->check->races.sites[id];
    return s->access == WG_RACE_ATOMIC && (s->order == WG_RACE_RELAXED || s->order == WG_RACE_SAID_RELAXED) &&
           (s->scope == WG_RACE_GPU || s->scope == WG_RACE_SYS);
}

bool wg_check_race_is_told(const struct wg_grid *g, uint32_t id) { return g->check->races.sites[id].access; }

bool wg_check_race_is_weak(const struct wg_grid *g, uint32_t id) {
    return g->check->races.sites[id].order == WG_RACE_WEAK;
}

static bool may_learn(const struct wg_ir_instr *in) {
    bool shared = in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
    if (in->op == WG_OP_ATOM) return !shared && in->ndst && in->dst[0].kind == WG_O_REG;
    if (in->op == WG_OP_LD) return !shared && in->space != WG_S_LOCAL && order_of(in) != WG_RACE_WEAK;
    return in->op == WG_OP_CALL && in->call->builtin == WG_B_grid_sync;
}

static bool some_may_learn(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (may_learn(&f->blocks[b].instrs[i])) return true;
    return false;
}

bool wg_check_race_orders(const struct wg_grid *g) {
    const struct wg_ir_module *m = g->func->module->ir;
    if (!(wg_checks(g->dev) & 1u << WG_CHECK_race)) return false;
    if (g->cooperative || g->shape.nctas > 1) return true;
    bool *reached = wg_ir_reached(m, g->func->index), orders = false;
    for (uint32_t f = 0; f < m->nfuncs && !orders; f++) orders = reached[f] && some_may_learn(&m->funcs[f]);
    free(reached);
    return orders;
}

bool wg_check_is_load(const struct wg_ir_instr *in) {
    return wg_op_is(in->op, WG_IS_LOAD) || in->op == WG_OP_CP_ASYNC || in->op == WG_OP_WMMA_LOAD ||
           in->op == WG_OP_BULK_LOAD || in->op == WG_OP_TENSOR_LOAD;
}
