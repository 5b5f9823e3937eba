/* Early exit from the loop over warps: skips warps that have nothing to do in a phase, without testing each.
 *
 *     if (t < stride) part[t] += part[t + stride];       phase: setp.ge %p, %t, %stride;  @%p bra L
 *     __syncthreads();                                   L: bar.sync 0
 *
 * A thread's value `a + b * thread`, with a and b uniform over the block, b >= 0, and no wrap-around, is
 * monotonic. Once the first lane of a warp exceeds the branch's bound, so do all threads after it, in this
 * warp and in the next ones: the loop over the warps ends there. Where that edge of the branch leads straight
 * to the end of the phase, they have nothing else to do.
 */
#include "analysis/plan.h"
#include "cfg/cfg.h"
#include "jit/emit/count.h"
#include "jit/block/phases.h"

enum { MAX_DEPTH = 8 };

struct line {
    LLVMValueRef a, b; /* i32: a + b * thread; b NULL: zero */
};

static bool flat(const struct wg_emit *e) { return e->opts->ntid[1] == 1 && e->opts->ntid[2] == 1; }

/* The one definition of a register, if it is in this block. */
static const struct wg_ir_instr *defined_here(const struct wg_emit *e, uint32_t reg) {
    return e->an->cfg.def_block[reg] == e->block ? e->an->cfg.def[reg] : NULL;
}

static const struct wg_ir_instr *made_by(const struct wg_emit *e, uint32_t reg) {
    const struct wg_ir_instr *in = e->an->phases->made_by[reg];
    return in ? in : defined_here(e, reg);
}

static bool line_of(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t source, unsigned depth,
                    struct line *l);

static bool line_of_product(struct wg_emit *e, const struct wg_ir_instr *in, unsigned depth, struct line *l) {
    struct line x = {NULL, NULL}, y = x;
    if (in->mod[WG_MC_MULW] != WG_M_lo) return false;
    if (!line_of(e, in, 0, depth, &x) || !line_of(e, in, 1, depth, &y) || (x.b && y.b)) return false;
    l->a = LLVMBuildMul(e->L.b, x.a, y.a, "");
    l->b = x.b ? LLVMBuildMul(e->L.b, x.b, y.a, "") : y.b ? LLVMBuildMul(e->L.b, y.b, x.a, "") : NULL;
    return true;
}

static void add_lines(struct wg_emit *e, struct line *l, const struct line *x, bool minus) {
    LLVMValueRef b = x->b;
    l->a = minus ? LLVMBuildSub(e->L.b, l->a, x->a, "") : LLVMBuildAdd(e->L.b, l->a, x->a, "");
    if (!b) return;
    if (minus)
        l->b = LLVMBuildSub(e->L.b, l->b ? l->b : wg_i32(e, 0), b, "");
    else
        l->b = l->b ? LLVMBuildAdd(e->L.b, l->b, b, "") : b;
}

static bool line_of_instr(struct wg_emit *e, const struct wg_ir_instr *in, unsigned depth, struct line *l) {
    struct line x = {NULL, NULL};
    if (in->guard != WG_NO_REG) return false;
    switch (in->op) {
    case WG_OP_MOV: return line_of(e, in, 0, depth, l);
    case WG_OP_MOV_SREG:
        *l = (struct line){wg_i32(e, 0), wg_i32(e, 1)};
        return in->sreg == WG_SR_tid_x && flat(e);
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
        if (in->mod[WG_MC_SAT] != WG_M_none || in->type == WG_T_U16X2 || in->type == WG_T_S16X2) return false;
        if (!line_of(e, in, 0, depth, l) || !line_of(e, in, 1, depth, &x)) return false;
        add_lines(e, l, &x, in->op == WG_OP_SUB_I);
        return true;
    case WG_OP_MUL_I: return line_of_product(e, in, depth, l);
    case WG_OP_MAD_I:
        if (!line_of_product(e, in, depth, l) || !line_of(e, in, 2, depth, &x)) return false;
        add_lines(e, l, &x, false);
        return true;
    case WG_OP_SHL:
        if (in->src[1].kind != WG_O_IMM || in->src[1].imm > 31) return false;
        if (!line_of(e, in, 0, depth, l)) return false;
        l->a = LLVMBuildShl(e->L.b, l->a, wg_i32(e, (uint32_t)in->src[1].imm), "");
        if (l->b) l->b = LLVMBuildShl(e->L.b, l->b, wg_i32(e, (uint32_t)in->src[1].imm), "");
        return true;
    default: return false;
    }
}

/* Whether the register still has, at the end of the block, the value that `in` read. */
static bool still_holds(const struct wg_emit *e, uint32_t reg, const struct wg_ir_instr *in) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    if (e->an->cfg.ndefs[reg] <= 1 || in < blk->instrs || in >= blk->instrs + blk->ninstrs) return true;
    for (; in < blk->instrs + blk->ninstrs; in++)
        if (wg_writes(in, reg)) return false;
    return true;
}

/* A source of an instruction of 32 bits, modulo 2^32. */
static bool line_of(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t source, unsigned depth,
                    struct line *l) {
    const struct wg_ir_opd *o = &in->src[source];
    if (o->kind == WG_O_IMM) {
        *l = (struct line){wg_i32(e, (uint32_t)o->imm), NULL};
        return true;
    }
    if (o->kind != WG_O_REG || depth == MAX_DEPTH) return false;
    if (wg_bits_has(e->an->phases->uniform, o->index)) {
        if (!still_holds(e, o->index, in)) return false;
        *l = (struct line){wg_value_get(e, o->index)->base, NULL};
        return true;
    }
    const struct wg_ir_instr *def = made_by(e, o->index);
    return def && line_of_instr(e, def, depth + 1, l);
}

/* ---- the branch ---- */

/* A path from the branch to the phase's end with nothing on it. */
struct way {
    uint32_t block[4], n;         /* on the path */
    uint32_t to;                  /* the block at which it ends, or nblocks: the kernel's end */
    const struct wg_ir_instr *in; /* the barrier there, or NULL */
};

static bool leads_to_end(const struct wg_emit *e, uint32_t b, struct way *w) {
    *w = (struct way){.to = b};
    for (uint32_t from = e->block; w->n < sizeof w->block / sizeof *w->block; b = w->to) {
        if (wg_phase_ends(e->an->phases, e->func, from, b)) return true;
        const struct wg_ir_block *blk = &e->func->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            if (!wg_phase_needs(e->an, &blk->instrs[i])) continue;
            if (!wg_meets_at(&blk->instrs[i])) return false;
            w->in = &blk->instrs[i];
        }
        w->block[w->n++] = from = b;
        w->to = e->func->nblocks;
        if (blk->term == WG_TERM_RET || blk->term == WG_TERM_EXIT) return true;
        if (blk->term != WG_TERM_BR) return false;
        w->to = blk->succ[0];
    }
    return false;
}

/* Skipped warps are counted at the blocks that they would have run, with all their lanes. */
static bool can_count(const struct wg_emit *e) {
    return wg_bits_has(e->an->full, e->block) || !e->opts->sites;
}

static void count_rest(struct wg_emit *e, const struct way *w) {
    const uint32_t *n = e->opts->ntid;
    LLVMValueRef warps = wg_i32(e, n[0] * n[1] * n[2] / WG_LANES), one = wg_i32(e, 1);
    warps = LLVMBuildSub(e->L.b, warps, e->once.warp_id, "");
    wg_count_idle(e, e->block, LLVMBuildSub(e->L.b, warps, one, "")); /* this one is counted already */
    for (uint32_t i = 0; i < w->n; i++) wg_count_idle(e, w->block[i], warps);
}

/* The block has no effect that is used for warps that go straight to `to`. */
static bool is_idle_block(const struct wg_emit *e, const struct wg_ir_block *blk, uint32_t to) {
    const struct wg_phases *ph = e->an->phases;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        bool load = in->op == WG_OP_LD && in->space == WG_S_PARAM;
        if (!wg_phase_needs(e->an, in)) continue;
        if ((wg_op_flags(in->op) && !load) || in->op == WG_OP_NONE) return false;
        for (uint32_t d = 0; d < in->ndst; d++) {
            if (in->dst[d].kind != WG_O_REG) continue;
            uint32_t r = in->dst[d].index;
            bool kept = wg_bits_has(ph->uniform, r) || wg_bits_has(ph->remade, r);
            if (!kept && to < e->func->nblocks && wg_bits_has(e->an->cfg.live_in[to], r)) return false;
        }
    }
    return true;
}

/* The block whose branch decides which warps have work: the first one, or its only successor. */
static uint32_t deciding_block(const struct wg_emit *e, uint32_t begins) {
    const struct wg_ir_func *f = e->func;
    uint32_t b = begins;
    while (f->blocks[b].term == WG_TERM_BR && !e->opts->sites) { /* code that counts: the first block only */
        uint32_t next = f->blocks[b].succ[0];
        if (f->blocks[next].npred != 1 || wg_phase_ends(e->an->phases, f, b, next)) break;
        b = next;
    }
    return b;
}

/* The same of all blocks from the phase's first one to this one. */
static bool is_idle_until_branch(const struct wg_emit *e, uint32_t begins, uint32_t to) {
    for (uint32_t b = begins;; b = e->func->blocks[b].succ[0]) {
        if (!is_idle_block(e, &e->func->blocks[b], to)) return false;
        if (b == e->block) return true;
    }
}

bool wg_fn_decides(const struct wg_emit *e, uint32_t begins) { return e->block == deciding_block(e, begins); }

enum order { LT, LE, GT, GE, EQ, NE, NONE };

static enum order order_of(const struct wg_ir_instr *in) {
    switch (in->mod[WG_MC_CMP]) {
    case WG_M_lt:
    case WG_M_lo: return LT;
    case WG_M_le:
    case WG_M_ls: return LE;
    case WG_M_gt:
    case WG_M_hi: return GT;
    case WG_M_ge:
    case WG_M_hs: return GE;
    case WG_M_eq: return EQ;
    case WG_M_ne: return NE;
    default: return NONE;
    }
}

static enum order turned_round(enum order o) {
    static const enum order other[] = {GT, GE, LT, LE, EQ, NE, NONE};
    return other[o];
}

/* No thread's value wraps around, and the values are monotonic. */
static LLVMValueRef only_grows(struct wg_emit *e, const struct line *l, bool is_signed) {
    const uint32_t *n = e->opts->ntid;
    LLVMValueRef a = wg_emit_resize(e, l->a, 64, is_signed), b = wg_emit_resize(e, l->b, 64, is_signed);
    LLVMValueRef last = LLVMBuildMul(e->L.b, b, wg_i64(e, n[0] * n[1] * n[2] - 1), "");
    last = LLVMBuildAdd(e->L.b, a, last, "");
    LLVMValueRef most = wg_i64(e, is_signed ? INT32_MAX : UINT32_MAX);
    LLVMValueRef fits = LLVMBuildICmp(e->L.b, LLVMIntSLE, last, most, "");
    LLVMValueRef rises = LLVMBuildICmp(e->L.b, LLVMIntSGE, b, wg_i64(e, 0), "");
    return LLVMBuildAnd(e->L.b, fits, rises, "");
}

/* The comparison of the warp's first lane that decides for the rest; `yes`: the result once the bound is
 * exceeded. */
static LLVMIntPredicate beyond(enum order o, bool is_signed, bool *yes) {
    *yes = o == GT || o == GE || o == NE;
    switch (o) {
    case LE:
    case GT:
    case EQ:
    case NE: return is_signed ? LLVMIntSGT : LLVMIntUGT;
    default: return is_signed ? LLVMIntSGE : LLVMIntUGE;
    }
}

/* The branch's comparison: a line against a uniform value. */
static bool find_comparison(struct wg_emit *e, const struct wg_ir_block *blk, struct line *l,
                            LLVMValueRef *bound, enum order *o, bool *is_signed) {
    const struct wg_ir_instr *in = defined_here(e, blk->cond);
    struct line y = {NULL, NULL};
    if (!in || in->op != WG_OP_SETP || in->guard != WG_NO_REG || in->dst[0].index != blk->cond) return false;
    if (wg_type_bits(in->type) != 32 || wg_type_kind(in->type) == WG_K_F) return false;
    *o = order_of(in);
    *is_signed = wg_type_kind(in->type) == WG_K_S;
    if (!line_of(e, in, 0, 0, l) || !line_of(e, in, 1, 0, &y)) return false;
    if (!l->b == !y.b) return false;
    *bound = y.a;
    if (l->b) return true;
    *bound = l->a;
    *l = y;
    *o = turned_round(*o);
    return true;
}

/* ---- warps that are known at compile time ---- */

/* Lanes of a warp that exist. */
static uint32_t lanes_of(const struct wg_emit *e, uint32_t warp) {
    const uint32_t *n = e->opts->ntid;
    uint32_t rest = n[0] * n[1] * n[2] - warp * WG_LANES;
    return rest < WG_LANES ? (1u << rest) - 1 : UINT32_MAX;
}

void wg_fn_find_busy(struct wg_emit *e, uint32_t begins, uint32_t *step, uint32_t *end) {
    uint32_t b = deciding_block(e, begins);
    const struct wg_ir_block *blk = &e->func->blocks[b];
    const uint32_t *taken = e->an->taken[b];
    uint32_t all = wg_warps_of(e), second = 0, last = 0, was = e->block;
    struct way w[2];
    bool idle[2];
    *step = 1;
    *end = all;
    if (!taken || e->opts->sites || !wg_may_use(e->opts, WG_FORM_idle)) return;
    e->block = b;
    for (uint32_t s = 0; s < 2; s++)
        idle[s] = leads_to_end(e, blk->succ[s], &w[s]) && is_idle_until_branch(e, begins, w[s].to);
    e->block = was;
    for (uint32_t i = 1; i < all; i++) {
        uint32_t there = lanes_of(e, i), yes = taken[i] & there;
        if ((idle[0] && yes == there) || (idle[1] && yes == 0)) continue;
        if (!second) second = i;
        if (i % second) second = 1;
        last = i;
    }
    *step = second ? second : all;
    *end = last + 1;
    if (*step > 1 || *end < all) wg_plan_yes(e->opts, WG_FORM_idle, NULL);
}

/* This warp and those after it have nothing to do in the phase: leaves the loop. */
static void end_loop(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in) {
    wg_fn_note_end(e, to, in);
    LLVMBuildBr(e->L.b, e->run.phase->after);
}

void wg_fn_skip_rest(struct wg_emit *e, const struct wg_ir_block *blk) {
    struct line l = {NULL, NULL};
    LLVMValueRef bound;
    enum order o;
    bool is_signed, yes;
    struct way w;
    if (!wg_may_use(e->opts, WG_FORM_idle) || !find_comparison(e, blk, &l, &bound, &o, &is_signed)) return;
    LLVMIntPredicate pred = beyond(o, is_signed, &yes);
    if (!leads_to_end(e, blk->succ[yes != blk->cond_neg ? 0 : 1], &w)) return;
    if (!can_count(e) || !is_idle_until_branch(e, e->an->phases->of[e->block], w.to)) return;
    wg_plan_yes(e->opts, WG_FORM_idle, blk->ninstrs ? &blk->instrs[blk->ninstrs - 1] : NULL);
    LLVMValueRef thread = LLVMBuildMul(e->L.b, e->once.warp_id, wg_i32(e, WG_LANES), "");
    LLVMValueRef first = LLVMBuildAdd(e->L.b, l.a, LLVMBuildMul(e->L.b, l.b, thread, ""), "");
    LLVMValueRef idle = LLVMBuildICmp(e->L.b, pred, first, bound, "");
    idle = LLVMBuildAnd(e->L.b, idle, only_grows(e, &l, is_signed), "idle");
    LLVMBasicBlockRef rest = wg_new_bb(e, "idle"), on = wg_new_bb(e, "busy");
    LLVMBuildCondBr(e->L.b, idle, rest, on);
    LLVMPositionBuilderAtEnd(e->L.b, rest);
    count_rest(e, &w);
    end_loop(e, w.to, w.in);
    LLVMPositionBuilderAtEnd(e->L.b, on);
}
