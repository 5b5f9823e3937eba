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
#include "jit/emit/expand.h"
#include "jit/instr/instr.h"

struct wg_line {
    bool fails;
    LLVMValueRef a, b[3]; /* i32, computed at the start of a thread block; b[axis] NULL: zero */
};

static bool of_block(const void *user, uint32_t reg) {
    const struct wg_emit *e = user;
    return e->an->phases && wg_bits_has(e->an->phases->uniform, reg);
}

/* The value that the instruction reads, from what is known when the block begins. */
static bool find_line(struct wg_emit *e, const struct wg_ir_opd *o, struct wg_line *l) {
    struct wg_scev *s = e->an->exact;
    struct wg_env env = {.b = e->block_b, .bits = 32};
    struct wg_sum x = wg_scev_at(s, o, e->block, e->instr), step;
    wg_env_of_block(e, &env);
    for (uint32_t i = 0; i < 3; i++) {
        struct wg_scev_move next = {.stays = of_block, .user = e};
        next.by[WG_VAR_TID_X + i] = 1;
        if (!wg_scev_step(s, &x, &next, &step)) return false;
        bool is_zero = wg_scev_is_constant(&step) && !step.constant;
        l->b[i] = is_zero ? NULL : wg_expand(e, s, &step, &env);
        if (!is_zero && !l->b[i]) return false;
    }
    for (uint32_t i = 0; i < 3; i++) env.axis[WG_VAR_TID_X + i] = wg_i32(e, 0);
    env.nmade = 0;
    l->a = wg_expand(e, s, &x, &env);
    return l->a != NULL;
}

static struct wg_line *line_of(struct wg_emit *e, const struct wg_ir_opd *o) {
    uint32_t reg = o->index;
    if (!e->run.line) e->run.line = WG_NEW_N(&e->an->arena, struct wg_line *, e->func->nregs);
    if (e->run.line[reg]) return e->run.line[reg];
    struct wg_line *l = e->run.line[reg] = WG_NEW(&e->an->arena, struct wg_line);
    l->fails = !e->regs.def[reg] || wg_reg_bits(e, reg) != 32 || !find_line(e, o, l);
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
    const struct wg_line *l = line_of(e, &in->src[s]);
    if (l->fails) return false;
    wg_plan_yes(e->opts, WG_FORM_spans, in);
    check_block(e, l);
    LLVMValueRef x = first_index(e, l);
    *done = x && set_widened(e, in, s, x);
    return true;
}
