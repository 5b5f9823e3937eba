/* Division and remainder of consecutive lane values by a uniform divisor, as scalars.
 *
 *     (x + width - 1) % width     x = base + lane, width uniform: most warps are in one row of the
 *                                 width
 *
 * CONVERGED speculates that all warps are: the quotient is a scalar, the remainder a base plus the lane. If
 * the divisor was added to the dividend, as when indices wrap round an edge, one subtraction mostly gives the
 * remainder, without a division.
 */
#include "analysis/plan.h"
#include "jit/instr/instr.h"

enum { STEPS = 4 };

/* Whether `reg` is an addend in the computation of the operand. */
static bool has_added(const struct wg_emit *e, const struct wg_ir_opd *o, uint32_t reg, unsigned steps) {
    if (o->kind != WG_O_REG || !steps) return false;
    const struct wg_ir_instr *in = e->regs.def[o->index];
    if (!in || in->guard != WG_NO_REG || (in->op != WG_OP_ADD_I && in->op != WG_OP_SUB_I)) return false;
    for (uint32_t i = 0; i < (in->op == WG_OP_ADD_I ? 2 : 1); i++) {
        if (in->src[i].kind == WG_O_REG && in->src[i].index == reg) return true;
        if (has_added(e, &in->src[i], reg, steps - 1)) return true;
    }
    return false;
}

static bool wraps_round(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->op == WG_OP_REM_I && in->src[1].kind == WG_O_REG &&
           has_added(e, &in->src[0], in->src[1].index, STEPS);
}

struct row {
    LLVMValueRef base, by; /* dividends from base to base + far; the divisor */
    uint64_t far;
    bool is_signed;
    LLVMValueRef whole; /* i1: none of the dividends has wrapped and, if signed, none is negative */
};

static struct row row_of(struct wg_emit *e, const struct wg_ir_instr *in, uint64_t far) {
    uint32_t bits = wg_type_bits(in->type);
    LLVMBuilderRef b = e->L.b;
    struct wg_value a = wg_operand(e, &in->src[0], bits), n = wg_operand(e, &in->src[1], bits);
    struct row r = {.base = wg_emit_resize(e, a.base, bits, false),
                    .by = wg_emit_resize(e, n.base, bits, false),
                    .far = far,
                    .is_signed = wg_type_kind(in->type) == WG_K_S};
    LLVMTypeRef t = LLVMTypeOf(r.base);
    LLVMValueRef last = far ? LLVMBuildAdd(b, r.base, LLVMConstInt(t, far, 0), "") : r.base;
    if (r.is_signed) {
        LLVMValueRef all = LLVMBuildOr(b, LLVMBuildOr(b, r.base, r.by, ""), last, "");
        r.whole = LLVMBuildICmp(b, LLVMIntSGE, all, LLVMConstNull(t), "");
    } else {
        r.whole = LLVMBuildICmp(b, LLVMIntUGE, last, r.base, "");
    }
    return r;
}

/* Whether rest .. rest + far are below the divisor. */
static LLVMValueRef fits(struct wg_emit *e, const struct row *r, LLVMValueRef rest) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef end = LLVMBuildAdd(b, rest, LLVMConstInt(LLVMTypeOf(rest), r->far, 0), "");
    LLVMValueRef fit = LLVMBuildICmp(b, LLVMIntULT, end, r->by, "");
    return LLVMBuildAnd(b, fit, LLVMBuildICmp(b, LLVMIntUGE, end, rest, ""), "");
}

/* The path on which the divisor is subtracted once. */
struct wrapped {
    LLVMBasicBlockRef from, done;
    LLVMValueRef rest;
};

static struct wrapped try_once(struct wg_emit *e, const struct row *r) {
    LLVMBuilderRef b = e->L.b;
    struct wrapped w = {.done = wg_new_bb(e, "wrapped"), .rest = LLVMBuildSub(b, r->base, r->by, "")};
    LLVMBasicBlockRef divide = wg_new_bb(e, "divide");
    LLVMValueRef once =
        LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntUGE, r->base, r->by, ""), fits(e, r, w.rest), "");
    w.from = LLVMGetInsertBlock(b);
    LLVMBuildCondBr(b, LLVMBuildAnd(b, once, r->whole, ""), w.done, divide);
    LLVMPositionBuilderAtEnd(b, divide);
    return w;
}

static LLVMValueRef come_together(struct wg_emit *e, const struct wrapped *w, LLVMValueRef rest) {
    LLVMBasicBlockRef from[2] = {w->from, LLVMGetInsertBlock(e->L.b)};
    LLVMValueRef rests[2] = {w->rest, rest};
    LLVMBuildBr(e->L.b, w->done);
    LLVMPositionBuilderAtEnd(e->L.b, w->done);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(rest), "rest");
    LLVMAddIncoming(phi, rests, from, 2);
    return phi;
}

void wg_divide_row(struct wg_emit *e, const struct wg_ir_instr *in) {
    wg_plan_yes(e->opts, WG_FORM_rows, in);
    struct wg_fact f = wg_operand_fact(e->an, e->v, &in->src[0]);
    uint64_t far = 0;
    for (int l = 0; l < WG_LANES; l++)
        if ((uint64_t)f.k[l] > far) far = (uint64_t)f.k[l];
    LLVMBuilderRef b = e->L.b;
    struct row r = row_of(e, in, far);
    bool wraps = wraps_round(e, in);
    struct wrapped w = {0};
    if (wraps) {
        wg_mask(e); /* a side exit needs it, and so may the code after both paths */
        w = try_once(e, &r);
    }
    LLVMTypeRef t = LLVMTypeOf(r.base);
    LLVMValueRef is_zero = LLVMBuildICmp(b, LLVMIntEQ, r.by, LLVMConstNull(t), "");
    LLVMValueRef safe = LLVMBuildSelect(b, is_zero, LLVMConstInt(t, 1, 0), r.by, "");
    LLVMValueRef rest = LLVMBuildURem(b, r.base, safe, "");
    wg_leave_converged_if(e, LLVMBuildNot(b, LLVMBuildAnd(b, fits(e, &r, rest), r.whole, ""), ""));
    if (wraps) rest = come_together(e, &w, rest);
    uint32_t reg = in->dst[0].index;
    struct wg_value v = {.kind = WG_UNIFORM, .base = rest};
    if (in->op == WG_OP_DIV_I) v.base = LLVMBuildUDiv(b, r.base, safe, "");
    if (in->op == WG_OP_REM_I) v.kind = WG_AFFINE, v.k = f.k;
    v.base = wg_emit_resize(e, v.base, wg_reg_bits(e, reg), r.is_signed);
    wg_value_set(e, reg, v);
}

bool wg_wrap_scalar(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (in->op != WG_OP_REM_I || in->guard != WG_NO_REG || wg_type_bits(in->type) < 32 || !wraps_round(e, in))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (e->an->facts[e->v][in->src[i].index].kind != WG_UNIFORM) return false;
    struct row r = row_of(e, in, 0);
    struct wrapped w = try_once(e, &r);
    LLVMValueRef src[2] = {r.base, r.by}, rest[1] = {NULL};
    wg_set_lanes(e, 1);
    e->failed |= !wg_lower_pure(&e->L, in, src, rest);
    if (e->failed) return true;
    uint32_t reg = in->dst[0].index;
    LLVMValueRef x = come_together(e, &w, rest[0]);
    wg_value_set_scalar(e, reg, wg_emit_resize(e, x, wg_reg_bits(e, reg), r.is_signed));
    return true;
}
