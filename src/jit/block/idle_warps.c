/* Early exit from the loop over warps: skips warps that have nothing to do in a phase, without testing each.
 *
 *     if (t < stride) part[t] += part[t + stride];       phase: setp.ge %p, %t, %stride;  @%p bra L
 *     __syncthreads();                                   L: bar.sync 0
 *
 * A thread's value `a + b * thread`, with a and b uniform over the block, b >= 0, and no wrap-around, is
 * monotonic. Once the first lane of a warp exceeds the branch's bound, so do all threads after it, in this
 * warp and in the next ones: the loop over the warps ends there. Where that edge of the branch leads straight
 * to the end of the phase, they have nothing else to do.
 *
 * analysis/idle_warps.h decides which edges those are. What a value is of the thread is found here, because its
 * coefficients are emitted. Scalar evolution is not asked: it takes the counter of a loop around the phase for an
 * initial value and a count of iterations, which have no registers where the code is. Here each register that is
 * uniform over the block is a leaf (line_of), and its value is available.
 */
#include "analysis/idle_warps.h"
#include "analysis/plan.h"
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

/* Skipped warps are counted at the blocks that they would have run, with all their lanes. */
static bool can_count(const struct wg_emit *e) {
    return wg_bits_has(e->an->full, e->block) || !e->opts->sites;
}

static void count_rest(struct wg_emit *e, const struct wg_idle_path *w) {
    const uint32_t *n = e->opts->ntid;
    LLVMValueRef warps = wg_i32(e, n[0] * n[1] * n[2] / WG_LANES), one = wg_i32(e, 1);
    warps = LLVMBuildSub(e->L.b, warps, e->once.warp_id, "");
    wg_count_idle(e, e->block, LLVMBuildSub(e->L.b, warps, one, "")); /* this one is counted already */
    for (uint32_t i = 0; i < w->n; i++) wg_count_idle(e, w->block[i], warps);
}

bool wg_fn_decides(const struct wg_emit *e, uint32_t begins) {
    return e->block == wg_deciding_block(e->an, begins);
}

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

static enum order swapped(enum order o) {
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
    *o = swapped(*o);
    return true;
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
    struct wg_idle_path w;
    if (!wg_may_use(e->opts, WG_FORM_idle) || !find_comparison(e, blk, &l, &bound, &o, &is_signed)) return;
    LLVMIntPredicate pred = beyond(o, is_signed, &yes);
    if (!can_count(e)) return;
    if (!wg_edge_is_idle(e->an, e->an->phases->of[e->block], e->block, yes != blk->cond_neg ? 0 : 1, &w))
        return;
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
