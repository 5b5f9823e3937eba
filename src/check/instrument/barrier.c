/* See barrier.h. */
#include "check/instrument/barrier.h"
#include "cfg/cfg.h"
#include "check/finding.h"
#include "check/instrument/meeting.h"

#include <stdlib.h>

/* ---- barriers ---- */

static bool is_barrier(const struct wg_ir_instr *in) {
    bool grid = in->op == WG_OP_CALL && in->call->builtin == WG_B_grid_sync;
    return grid || (wg_op_is(in->op, WG_IS_BARRIER) && wg_op_flags(in->op) & WG_F_WAIT);
}

bool wg_barrier_is_counted(const struct wg_ir_instr *in) {
    return wg_op_is(in->op, WG_IS_BARRIER) && in->op != WG_OP_BAR_CL_ARRIVE && in->op != WG_OP_BAR_CL_WAIT;
}

bool wg_barrier_is_aligned(const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_BAR_SYNC:
    case WG_OP_BAR_RED: return true;
    case WG_OP_BARRIER_SYNC:
    case WG_OP_BARRIER_RED: return in->mod[WG_MC_ALIGNED] == WG_M_aligned;
    default: return false;
    }
}

/* Whether a barrier may be met in the function: 1, or 0. seen[f]: 0 not looked at yet, 1 being looked at or
 * without one, 2 with one. */
static bool has_barrier(const struct wg_ir_module *m, uint32_t func, uint8_t *seen);

static bool may_meet(const struct wg_ir_module *m, const struct wg_ir_instr *in, uint8_t *seen) {
    if (is_barrier(in)) return true;
    if (in->op != WG_OP_CALL || in->call->builtin != WG_B_none) return false;
    if (in->call->func != WG_NO_REG) return has_barrier(m, in->call->func, seen);
    for (uint32_t f = 0; f < m->nfuncs; f++)
        if (m->funcs[f].address_taken && has_barrier(m, f, seen)) return true;
    return false;
}

static bool has_barrier(const struct wg_ir_module *m, uint32_t func, uint8_t *seen) {
    const struct wg_ir_func *f = &m->funcs[func];
    if (seen[func]) return seen[func] == 2;
    seen[func] = 1;
    for (uint32_t b = 0; b < f->nblocks && seen[func] == 1; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs && seen[func] == 1; i++)
            if (may_meet(m, &f->blocks[b].instrs[i], seen)) seen[func] = 2;
    return seen[func] == 2;
}

/* [block] a barrier may be met from its beginning on. */
static bool *find_ahead(struct wg_instrument *x) {
    const struct wg_ir_func *f = x->from;
    bool *ahead = WG_NEW_N(x->arena, bool, f->nblocks);
    uint8_t *seen = wg_xcalloc(x->m->nfuncs + 1, 1);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs && !ahead[b]; i++)
            ahead[b] = may_meet(x->m, &f->blocks[b].instrs[i], seen);
    free(seen);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = f->nblocks; b-- > 0;)
            for (uint32_t s = 0; s < f->blocks[b].nsucc && !ahead[b]; s++)
                if (ahead[f->blocks[b].succ[s]]) ahead[b] = changed = true;
    }
    return ahead;
}

uint32_t wg_barrier_block(const struct wg_ir_func *f, uint32_t id) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].id == id) return b;
    return WG_NO_REG;
}

bool wg_barrier_follows(const struct wg_ir_func *f, uint32_t a, uint32_t b) {
    uint32_t from = wg_barrier_block(f, a), to = wg_barrier_block(f, b);
    if (from == WG_NO_REG || to == WG_NO_REG || from >= to) return false; /* a barrier ends its block */
    bool *reached = wg_xcalloc(f->nblocks, sizeof *reached);
    reached[from] = true;
    for (uint32_t k = from; k < to; k++)
        for (uint32_t s = 0; reached[k] && s < f->blocks[k].nsucc; s++)
            if (f->blocks[k].succ[s] > k) reached[f->blocks[k].succ[s]] = true;
    bool yes = reached[to];
    free(reached);
    return yes;
}

uint32_t wg_barrier_branch(const struct wg_ir_func *f, uint32_t id) {
    for (uint32_t b = 0; b < f->nblocks && id; b++)
        if (f->blocks[b].id == id && f->blocks[b].term == WG_TERM_CBR) return b;
    return WG_NO_REG;
}

bool wg_barrier_loop_was_left(const struct wg_ir_func *f, uint32_t barrier, uint32_t branch) {
    uint32_t at = wg_barrier_block(f, barrier), from = wg_barrier_branch(f, branch);
    if (at == WG_NO_REG || from == WG_NO_REG) return false;
    for (uint32_t h = f->blocks[at].loop; h != WG_NO_REG; h = f->blocks[h].outer)
        if (wg_in_loop(f, from, h)) return true;
    return false;
}

/* ---- the pass ---- */

static void begin(struct wg_instrument *x) {
    x->barrier_ahead = x->from->entry && x->checks & 1u << WG_CHECK_barrier ? find_ahead(x) : NULL;
}

static struct wg_ir_instr event(const struct wg_ir_instr *in, uint32_t what, struct wg_ir_opd *sources,
                                uint8_t n) {
    struct wg_ir_instr e = wg_instrument_like(in, WG_OP_CHECK_EVENT, WG_T_NONE);
    e.check = what;
    e.src = sources;
    e.nsrc = n;
    return e;
}

/* Saves the value of an operand before the instruction, for use after it. */
static struct wg_ir_opd keep(struct wg_instrument *x, const struct wg_ir_instr *in, uint32_t s) {
    struct wg_ir_opd o = in->src[s];
    bool lost = false;
    for (uint32_t d = 0; d < in->ndst; d++)
        lost |= o.kind == WG_O_REG && in->dst[d].kind == WG_O_REG && in->dst[d].index == o.index;
    if (!lost) return o;
    struct wg_ir_opd to = {.kind = WG_O_REG, .index = wg_instrument_reg(x, WG_W32, "%kept")};
    struct wg_ir_instr mov = wg_instrument_like(in, WG_OP_MOV, WG_T_B32);
    mov.id = 0;
    mov.dst = &to;
    mov.ndst = 1;
    mov.src = &o;
    mov.nsrc = 1;
    wg_instrument_put(x, mov);
    return to;
}

static bool meets(const struct wg_ir_instr *in) { return (wg_op_flags(in->op) & WG_F_SYNC) != 0; }

static bool arrives(const struct wg_ir_instr *in) {
    return in->op == WG_OP_MBARRIER_ARRIVE || in->op == WG_OP_MBARRIER_ARRIVE_NC ||
           in->op == WG_OP_CP_ASYNC_ARRIVE;
}

static bool tests_phase(const struct wg_ir_instr *in) {
    return in->op == WG_OP_MBARRIER_WAIT || in->op == WG_OP_MBARRIER_WAIT_PARITY;
}

/* Behind a test of an mbarrier. */
static void tell_phase(struct wg_instrument *x, const struct wg_ir_instr *in, bool race) {
    struct wg_ir_opd about[2] = {in->dst[0], in->src[0]};
    struct wg_check_site *s = &x->sites[in->id];
    if (in->src[0].kind == WG_O_SYM) s->variable = in->src[0].index;
    if (in->src[0].kind == WG_O_REG) s->variable = x->variable[in->src[0].index];
    if (race) wg_instrument_put(x, event(in, WG_EVENT_PASSED, about, 2));
}

/* An arrival at the barrier of the cluster that its wait does not follow at once. */
static bool arrives_early(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    const struct wg_ir_instr *end = x->block->instrs + x->block->ninstrs;
    return in->op == WG_OP_BAR_CL_ARRIVE && (in + 1 == end || in[1].op != WG_OP_BAR_CL_WAIT);
}

static void before(struct wg_instrument *x, const struct wg_ir_instr *in) {
    bool race = x->checks & 1u << WG_CHECK_race;
    if (race && (in->op == WG_OP_CP_ASYNC_ARRIVE || in->op == WG_OP_CP_ASYNC_WAIT_ALL))
        wg_instrument_put(x, event(in, WG_EVENT_COPIES_DONE, NULL, 0));
    if (race && in->op == WG_OP_CP_ASYNC_WAIT)
        wg_instrument_put(x, event(in, WG_EVENT_COPIES_WAIT, in->src, 1));
    if (race && in->op == WG_OP_CP_ASYNC_COMMIT)
        wg_instrument_put(x, event(in, WG_EVENT_COPIES_COMMIT, NULL, 0));
    if (race && in->op == WG_OP_BULK_COMMIT) wg_instrument_put(x, event(in, WG_EVENT_BULK_COMMIT, NULL, 0));
    if (race && in->op == WG_OP_BULK_WAIT) wg_instrument_put(x, event(in, WG_EVENT_BULK_WAIT, in->src, 1));
    if (race && in->op == WG_OP_WGMMA_COMMIT)
        wg_instrument_put(x, event(in, WG_EVENT_MATRIX_COMMIT, NULL, 0));
    if (race && arrives(in)) wg_instrument_put(x, event(in, WG_EVENT_ARRIVE, in->src, in->nsrc));
    if (race && (in->op == WG_OP_MBARRIER_INIT || in->op == WG_OP_MBARRIER_INVAL))
        wg_instrument_put(x, event(in, WG_EVENT_MBARRIER, in->src, 1));
    if (race && arrives_early(x, in)) wg_instrument_put(x, event(in, WG_EVENT_CLUSTER_ARRIVE, NULL, 0));
    if (!meets(in)) return;
    x->members = keep(x, in, in->nsrc - 1u);
    if (x->checks & 1u << WG_CHECK_barrier)
        x->sites[in->id].passed_by = wg_meeting_is_passed_by(x->from, (uint32_t)(x->block - x->from->blocks));
}

static bool is_told_before(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    return in == x->block->instrs && wg_meeting_is_repeated(x->from, (uint32_t)(x->block - x->from->blocks));
}

static void after(struct wg_instrument *x, const struct wg_ir_instr *in) {
    bool race = x->checks & 1u << WG_CHECK_race;
    if (in->op == WG_OP_MEMBAR || in->op == WG_OP_FENCE) {
        if (race) wg_instrument_put(x, event(in, WG_EVENT_FENCE, NULL, 0));
        return;
    }
    if (race && in->op == WG_OP_FENCE_PROXY) wg_instrument_put(x, event(in, WG_EVENT_PROXY_FENCE, NULL, 0));
    if (race && in->op == WG_OP_WGMMA_WAIT) wg_instrument_put(x, event(in, WG_EVENT_MATRIX_WAIT, in->src, 1));
    if (tests_phase(in)) tell_phase(x, in, race);
    if (!meets(in)) return;
    uint32_t apart = is_told_before(x, in) ? WG_EVENT_IF_APART : 0;
    bool all = wg_meeting_is_of_all(in);
    wg_instrument_put(x, event(in, WG_EVENT_WARP_SYNC | apart, all ? NULL : &x->members, !all));
}

/* Before a branch one of whose ways leads to no barrier. */
static void end(struct wg_instrument *x, const struct wg_ir_block *b) {
    if (!x->barrier_ahead || b->term != WG_TERM_CBR) return;
    if (x->barrier_ahead[b->succ[0]] == x->barrier_ahead[b->succ[1]]) return;
    struct wg_ir_instr *like = WG_NEW(x->arena, struct wg_ir_instr);
    *like = (struct wg_ir_instr){
        .op = WG_OP_BRA, .guard = b->cond, .loc = b->loc, .ptx_line = b->ptx_line, .id = b->id};
    like->guard_neg = x->barrier_ahead[b->succ[0]] != b->cond_neg;
    x->sites[b->id].instr = like;
    x->sites[b->id].func = x->func;
    wg_instrument_put(x, event(like, WG_EVENT_LEAVE, NULL, 0));
}

const struct wg_instrument_pass wg_barrier_pass = {
    .checks = 1u << WG_CHECK_race | 1u << WG_CHECK_barrier,
    .begin = begin,
    .before = before,
    .after = after,
    .end = end,
};
