/* Overflow checks of widened 32-bit indices, hoisted from warps to the thread block.
 *
 *     i = (blockIdx.y - 1) * width + x   is  a + b * tid.x + c * tid.y, with a, b, c the same for the block
 *     cvt.s64.s32 %rd, %i                is  the same in 64 bits, if the block's minimum and maximum fit 32
 *
 * Where a whole thread block runs in one function (phases.c), a single check at its start covers all warps
 * and all such indices; a warp only tests the result. Addresses are then affine in the warp's number, and
 * LLVM hoists the rest out of the loop over warps.
 */
#include "analysis/plan.h"
#include "jit/instr/instr.h"

enum { MOST_DEPTH = 12 };

struct wg_line {
    bool fails;
    LLVMValueRef a, b[3]; /* i32, computed at the start of a thread block; b[axis] NULL: zero */
};

static struct wg_line *line_of(struct wg_emit *e, uint32_t reg, unsigned depth);

static LLVMValueRef entry_param(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (in->src[0].kind != WG_O_SYM || in->nvec > 1) return NULL;
    const struct wg_ir_sym *s = &e->module->syms[in->src[0].index];
    if (s->kind != WG_SYM_PARAM) return NULL;
    LLVMValueRef params = LLVMBuildIntToPtr(e->entry_b, wg_params(e), e->ptr, "");
    return wg_load_field(e, e->entry_b, e->i32, params, s->offset + in->src[0].imm + (uint64_t)in->offset,
                         true, s->name);
}

static bool line_of_sreg(struct wg_emit *e, uint32_t sreg, struct wg_line *l) {
    const uint32_t *n = e->opts->ntid;
    l->a = wg_i32(e, 0);
    switch (sreg) {
    case WG_SR_tid_x:
    case WG_SR_tid_y:
    case WG_SR_tid_z:
        if (n[sreg - WG_SR_tid_x] > 1) l->b[sreg - WG_SR_tid_x] = wg_i32(e, 1);
        return true;
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z: l->a = wg_i32(e, n[sreg - WG_SR_ntid_x]); return true;
    case WG_SR_ctaid_x:
    case WG_SR_ctaid_y:
    case WG_SR_ctaid_z:
    case WG_SR_nctaid_x:
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z:
    case WG_SR_iteration: l->a = wg_block_field(e, sreg); return true;
    default: return false;
    }
}

static bool line_of_opd(struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth, struct wg_line *l) {
    *l = (struct wg_line){.a = wg_i32(e, (uint32_t)o->imm)};
    if (o->kind == WG_O_IMM) return true;
    if (o->kind != WG_O_REG) return false;
    *l = *line_of(e, o->index, depth + 1);
    return !l->fails;
}

static LLVMValueRef sum(struct wg_emit *e, LLVMValueRef x, LLVMValueRef y, bool minus) {
    if (!y) return x;
    if (minus) return LLVMBuildSub(e->block_b, x ? x : wg_i32(e, 0), y, "");
    return x ? LLVMBuildAdd(e->block_b, x, y, "") : y;
}

static void add_line(struct wg_emit *e, struct wg_line *l, const struct wg_line *x, bool minus) {
    l->a = sum(e, l->a, x->a, minus);
    for (int i = 0; i < 3; i++) l->b[i] = sum(e, l->b[i], x->b[i], minus);
}

static bool is_flat(const struct wg_line *l) { return !l->b[0] && !l->b[1] && !l->b[2]; }

static bool multiply(struct wg_emit *e, struct wg_line *l, const struct wg_line *x) {
    const struct wg_line *steep = is_flat(l) ? x : l, *by = is_flat(l) ? l : x;
    struct wg_line product = {.a = LLVMBuildMul(e->block_b, l->a, x->a, "")};
    if (!is_flat(by)) return false;
    for (int i = 0; i < 3; i++)
        if (steep->b[i]) product.b[i] = LLVMBuildMul(e->block_b, steep->b[i], by->a, "");
    *l = product;
    return true;
}

static bool is_plain(const struct wg_ir_instr *in) {
    return in->guard == WG_NO_REG && in->mod[WG_MC_SAT] == WG_M_none && wg_type_bits(in->type) == 32 &&
           in->type != WG_T_U16X2 && in->type != WG_T_S16X2;
}

static bool line_of_instr(struct wg_emit *e, const struct wg_ir_instr *in, unsigned depth,
                          struct wg_line *l) {
    struct wg_line x, y;
    if (!is_plain(in) || depth > MOST_DEPTH) return false;
    bool low = in->mod[WG_MC_MULW] == WG_M_lo;
    switch (in->op) {
    case WG_OP_MOV: return line_of_opd(e, &in->src[0], depth, l);
    case WG_OP_MOV_SREG: return line_of_sreg(e, in->sreg, l);
    case WG_OP_LD: return (l->a = entry_param(e, in)) != NULL;
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
        if (!line_of_opd(e, &in->src[0], depth, l) || !line_of_opd(e, &in->src[1], depth, &x)) return false;
        add_line(e, l, &x, in->op == WG_OP_SUB_I);
        return true;
    case WG_OP_SHL:
        if (in->src[1].kind != WG_O_IMM || in->src[1].imm > 31) return false;
        y = (struct wg_line){.a = wg_i32(e, 1u << in->src[1].imm)};
        return line_of_opd(e, &in->src[0], depth, l) && multiply(e, l, &y);
    case WG_OP_MUL_I:
        return low && line_of_opd(e, &in->src[0], depth, l) && line_of_opd(e, &in->src[1], depth, &x) &&
               multiply(e, l, &x);
    case WG_OP_MAD_I:
        if (!low || !line_of_opd(e, &in->src[0], depth, l) || !line_of_opd(e, &in->src[1], depth, &x) ||
            !line_of_opd(e, &in->src[2], depth, &y) || !multiply(e, l, &x))
            return false;
        add_line(e, l, &y, false);
        return true;
    default: return false;
    }
}

static struct wg_line *line_of(struct wg_emit *e, uint32_t reg, unsigned depth) {
    if (!e->run.line) e->run.line = WG_NEW_N(&e->an->arena, struct wg_line *, e->func->nregs);
    if (e->run.line[reg]) return e->run.line[reg];
    struct wg_line *l = e->run.line[reg] = WG_NEW(&e->an->arena, struct wg_line);
    l->fails =
        !e->regs.def[reg] || wg_reg_bits(e, reg) != 32 || !line_of_instr(e, e->regs.def[reg], depth, l);
    return l;
}

/* Whether all threads' values, exact modulo 2^32, fit an int. */
static LLVMValueRef block_fits(struct wg_emit *e, const struct wg_line *l) {
    LLVMBuilderRef b = e->block_b;
    LLVMValueRef low = LLVMBuildSExt(b, l->a, e->i64, ""), high = low, zero = wg_i64(e, 0);
    for (int i = 0; i < 3; i++) {
        if (!l->b[i]) continue;
        LLVMValueRef far = wg_i64(e, e->opts->ntid[i] - 1);
        far = LLVMBuildMul(b, LLVMBuildSExt(b, l->b[i], e->i64, ""), far, "");
        LLVMValueRef falls = LLVMBuildICmp(b, LLVMIntSLT, far, zero, "");
        low = LLVMBuildAdd(b, low, LLVMBuildSelect(b, falls, far, zero, ""), "");
        high = LLVMBuildAdd(b, high, LLVMBuildSelect(b, falls, zero, far, ""), "");
    }
    LLVMValueRef above = LLVMBuildICmp(b, LLVMIntSGE, low, wg_i64(e, (uint64_t)INT32_MIN), "");
    LLVMValueRef below = LLVMBuildICmp(b, LLVMIntSLE, high, wg_i64(e, INT32_MAX), "");
    return LLVMBuildAnd(b, above, below, "");
}

/* Side exit to GENERAL if any index of the kernel that is checked here does not fit. */
static void check_block(struct wg_emit *e, const struct wg_line *l) {
    if (!e->run.spans_fit) {
        e->run.spans_fit = LLVMBuildAlloca(e->entry_b, e->i1, "fit");
        LLVMBuildStore(e->block_b, LLVMConstInt(e->i1, 1, 0), e->run.spans_fit);
    }
    LLVMValueRef fit = LLVMBuildLoad2(e->block_b, e->i1, e->run.spans_fit, "");
    LLVMBuildStore(e->block_b, LLVMBuildAnd(e->block_b, fit, block_fits(e, l), ""), e->run.spans_fit);
    fit = LLVMBuildLoad2(e->L.b, e->i1, e->run.spans_fit, ""); /* covers all indices, also later ones */
    wg_leave_converged_if(e, LLVMBuildNot(e->L.b, fit, ""));
}

/* The index of the warp's first thread in 64 bits; NULL: better computed in 32 bits. */
static LLVMValueRef first_index(struct wg_emit *e, const struct wg_line *l) {
    LLVMValueRef x = LLVMBuildSExt(e->L.b, l->a, e->i64, "");
    for (int i = 0; i < 3; i++) {
        if (!l->b[i]) continue;
        LLVMValueRef tid = wg_tid_base(e, (uint32_t)i);
        if (!tid || !LLVMIsAConstantInt(l->b[i])) return NULL;
        LLVMValueRef by = LLVMBuildSExt(e->L.b, l->b[i], e->i64, "");
        tid = LLVMBuildZExt(e->L.b, tid, e->i64, "");
        x = LLVMBuildAdd(e->L.b, x, LLVMBuildMul(e->L.b, tid, by, ""), "");
    }
    return x;
}

static bool set_widened(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t s, LLVMValueRef x) {
    uint32_t reg = in->dst[0].index;
    const struct wg_fact *f = &e->an->facts[e->v][reg];
    if (f->kind != WG_AFFINE || f->r) return false;
    if (in->op != WG_OP_CVT) {
        struct wg_value by = wg_operand(e, &in->src[1 - s], 32);
        x = LLVMBuildMul(e->L.b, x, LLVMBuildSExt(e->L.b, by.base, e->i64, ""), "");
    }
    if (in->op == WG_OP_MAD_I) {
        x = LLVMBuildAdd(e->L.b, x, wg_operand(e, &in->src[2], 64).base, "");
    }
    wg_value_set(e, reg, (struct wg_value){.kind = WG_AFFINE, .base = x, .k = f->k});
    return true;
}

bool wg_emit_block_span(struct wg_emit *e, const struct wg_ir_instr *in, bool *done) {
    uint32_t type = in->op == WG_OP_CVT ? in->type2 : in->type, s = 0;
    *done = false;
    if (!e->whole || wg_type_kind(type) != WG_K_S || !wg_may_use(e->opts, WG_FORM_spans)) return false;
    if (in->op != WG_OP_CVT && wg_operand_fact(e->an, e->v, &in->src[0]).kind == WG_UNIFORM) s = 1;
    const struct wg_line *l = line_of(e, in->src[s].index, 0);
    if (l->fails) return false;
    wg_plan_yes(e->opts, WG_FORM_spans, in);
    check_block(e, l);
    LLVMValueRef x = first_index(e, l);
    *done = x && set_widened(e, in, s, x);
    return true;
}
