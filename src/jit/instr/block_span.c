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
    LLVMValueRef *choice; /* or, where a part of it is one of several definitions, a is one of these */
    uint32_t nchoices;
};

static bool of_block(const void *user, uint32_t reg) {
    const struct wg_emit *e = user;
    return wg_bits_has(e->an->phases->uniform, reg);
}

/* How the sum grows along an axis; false: not known. */
static bool step_along(struct wg_emit *e, const struct wg_sum *x, uint32_t axis, struct wg_sum *step) {
    struct wg_scev_move next = {.stays = of_block, .user = e};
    next.by[WG_VAR_TID_X + axis] = 1;
    return wg_scev_step(e->an->exact, x, &next, step);
}

static bool is_zero(const struct wg_sum *x) { return wg_scev_is_constant(x) && !x->constant; }

/* Where the rest of an unrolled loop begins is a register that either 0 or the loop's end was moved to. Takes
 * such a register out of the sum; WG_NO_REG: it has none. */
static uint32_t take_choice(struct wg_emit *e, struct wg_sum *x, int64_t *times) {
    for (uint32_t i = 0; i < x->nterms; i++) {
        const struct wg_form_var *v = wg_scev_var(e->an->exact, x->term[i].var);
        uint32_t reg = v->reg;
        if (v->kind != WG_VAR_REG || e->an->cfg.ndefs[reg] < 2 || wg_reg_bits(e, reg) != 32) continue;
        *times = x->term[i].times;
        for (x->nterms--; i < x->nterms; i++) x->term[i] = x->term[i + 1];
        return reg;
    }
    return WG_NO_REG;
}

/* The value that a definition gives, the same for the whole block; NULL: not known. */
static LLVMValueRef choice_of(struct wg_emit *e, uint32_t b, uint32_t i) {
    const struct wg_ir_instr *in = &e->func->blocks[b].instrs[i];
    struct wg_env env = {.b = e->block_b, .bits = 32};
    bool negates = in->op == WG_OP_NEG_I;
    if (in->guard != WG_NO_REG || in->ndst != 1 || in->nsrc != 1 || (!negates && in->op != WG_OP_MOV))
        return NULL;
    struct wg_sum x = wg_scev_at(e->an->exact, &in->src[0], b, i), step;
    for (uint32_t axis = 0; axis < 3; axis++)
        if (!step_along(e, &x, axis, &step) || !is_zero(&step)) return NULL;
    wg_env_of_block(e, &env);
    LLVMValueRef value = wg_expand(e, e->an->exact, &x, &env);
    return value && negates ? LLVMBuildNeg(e->block_b, value, "") : value;
}

static bool writes(const struct wg_ir_instr *in, uint32_t reg) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && in->dst[i].index == reg) return true;
    return false;
}

/* All values that l->a may have, to which one of the register's is to be added. */
static bool find_choices(struct wg_emit *e, struct wg_line *l, uint32_t reg, int64_t times) {
    LLVMBuilderRef at = e->block_b;
    l->choice = WG_NEW_N(&e->an->arena, LLVMValueRef, e->an->cfg.ndefs[reg] + 1);
    l->choice[l->nchoices++] = l->a; /* what is read before it is written is zero */
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        for (uint32_t i = 0; i < e->func->blocks[b].ninstrs; i++) {
            if (!writes(&e->func->blocks[b].instrs[i], reg)) continue;
            LLVMValueRef x = choice_of(e, b, i);
            if (!x) return false;
            x = LLVMBuildMul(at, x, wg_i32(e, (uint32_t)times), "");
            l->choice[l->nchoices++] = LLVMBuildAdd(at, l->a, x, "");
        }
    return true;
}

/* The value that the instruction reads, from what is known when the block begins. */
static bool find_line(struct wg_emit *e, const struct wg_ir_opd *o, struct wg_line *l) {
    struct wg_scev *s = e->an->exact;
    struct wg_env env = {.b = e->block_b, .bits = 32};
    struct wg_sum x = wg_scev_at(s, o, e->block, e->instr), step;
    int64_t times = 0;
    if (!x.known) return false;
    uint32_t chosen = take_choice(e, &x, &times);
    wg_env_of_block(e, &env);
    for (uint32_t i = 0; i < 3; i++) {
        if (!step_along(e, &x, i, &step)) return false;
        l->b[i] = is_zero(&step) ? NULL : wg_expand(e, s, &step, &env);
        if (!is_zero(&step) && !l->b[i]) return false;
    }
    for (uint32_t i = 0; i < 3; i++) env.axis[WG_VAR_TID_X + i] = wg_i32(e, 0);
    env.nmade = 0;
    l->a = wg_expand(e, s, &x, &env);
    return l->a && (chosen == WG_NO_REG || find_choices(e, l, chosen, times));
}

static struct wg_line *line_of(struct wg_emit *e, const struct wg_ir_opd *o) {
    uint32_t reg = o->index;
    if (!e->run.line) e->run.line = WG_NEW_N(&e->an->arena, struct wg_line *, e->func->nregs);
    if (e->run.line[reg]) return e->run.line[reg];
    struct wg_line *l = e->run.line[reg] = WG_NEW(&e->an->arena, struct wg_line);
    l->fails = !e->regs.def[reg] || wg_reg_bits(e, reg) != 32 || !find_line(e, o, l);
    return l;
}

/* Whether all threads' values from a on, exact modulo 2^32, fit an int. */
static LLVMValueRef fits_from(struct wg_emit *e, const struct wg_line *l, LLVMValueRef a) {
    LLVMBuilderRef b = e->block_b;
    LLVMValueRef low = LLVMBuildSExt(b, a, e->i64, ""), high = low, zero = wg_i64(e, 0);
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

static LLVMValueRef block_fits(struct wg_emit *e, const struct wg_line *l) {
    LLVMValueRef fit = l->nchoices ? NULL : fits_from(e, l, l->a);
    for (uint32_t i = 0; i < l->nchoices; i++) {
        LLVMValueRef x = fits_from(e, l, l->choice[i]);
        fit = fit ? LLVMBuildAnd(e->block_b, fit, x, "") : x;
    }
    return fit;
}

/* Adds an index to those that the block's flag is about. */
static void add_to_check(struct wg_emit *e, const struct wg_line *l) {
    if (!e->run.spans_fit) {
        e->run.spans_fit = LLVMBuildAlloca(e->entry_b, e->i1, "fit");
        LLVMBuildStore(e->block_b, LLVMConstInt(e->i1, 1, 0), e->run.spans_fit);
    }
    LLVMValueRef fit = LLVMBuildLoad2(e->block_b, e->i1, e->run.spans_fit, "");
    LLVMBuildStore(e->block_b, LLVMBuildAnd(e->block_b, fit, block_fits(e, l), ""), e->run.spans_fit);
}

LLVMValueRef wg_block_spans_fit(struct wg_emit *e) {
    return LLVMBuildLoad2(e->L.b, e->i1, e->run.spans_fit, "");
}

/* Side exit to GENERAL if any index of the kernel that is checked here does not fit. */
static void check_block(struct wg_emit *e, const struct wg_line *l) {
    add_to_check(e, l);
    if (wg_is_past_restart(e)) return; /* tested where the jammed warps begin: block/jam.c */
    wg_leave_converged_if(e, LLVMBuildNot(e->L.b, wg_block_spans_fit(e), ""));
}

/* The index of the warp's first thread in 64 bits; NULL: better computed in 32 bits. */
static LLVMValueRef first_index(struct wg_emit *e, const struct wg_line *l) {
    if (l->nchoices) return NULL;
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

/* The index that the instruction widens, its source *s; NULL: no affine function of the thread. */
static const struct wg_line *widened_line(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t *s) {
    uint32_t type = in->op == WG_OP_CVT ? in->type2 : in->type;
    *s = in->op != WG_OP_CVT && wg_operand_fact(e->an, e->v, &in->src[0]).kind == WG_UNIFORM;
    if (!e->whole || wg_type_kind(type) != WG_K_S || !wg_may_use(e->opts, WG_FORM_spans)) return NULL;
    const struct wg_line *l = line_of(e, &in->src[*s]);
    return l->fails ? NULL : l;
}

bool wg_block_span_covers(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t s;
    const struct wg_line *l = widened_line(e, in, &s);
    if (l) add_to_check(e, l);
    return l != NULL;
}

bool wg_emit_block_span(struct wg_emit *e, const struct wg_ir_instr *in, bool *done) {
    uint32_t s;
    const struct wg_line *l = widened_line(e, in, &s);
    *done = false;
    if (!l) return false;
    wg_plan_yes(e->opts, WG_FORM_spans, in);
    check_block(e, l);
    LLVMValueRef x = first_index(e, l);
    *done = x && set_widened(e, in, s, x);
    return true;
}
