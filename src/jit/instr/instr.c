/* Dispatch by instruction, and what pure instructions share: guards, affine scales, checks of widening.
 *
 * A pure instruction with a uniform or affine result is lowered to scalar code: the base of an affine value
 * is lane 0's value, so the scalar operation on the operands' bases gives the result's base. analysis/ knows
 * the lane pattern; only the scale, where run-time scalars multiply a pattern, has rules here (affine_scale).
 */
#include "jit/emit/issue.h"
#include "analysis/plan.h"
#include "jit/emit/count.h"
#include "jit/instr/instr.h"

static LLVMValueRef extended(struct wg_emit *e, LLVMValueRef x, bool is_signed) {
    return wg_emit_resize(e, x, 64, is_signed);
}

/* Jammed warps: where indices are mostly not negative, one comparison proves that none is too large. The
 * builder then is on the path where that fails; returns the block after the check. */
static LLVMBasicBlockRef unless_small(struct wg_emit *e, const struct wg_value *a, int64_t high,
                                      int64_t most) {
    LLVMBuilderRef b = e->L.b;
    wg_mask(e); /* as in wg_divide_row */
    LLVMBasicBlockRef large = wg_new_bb(e, "large"), checked = wg_new_bb(e, "checked");
    LLVMValueRef last = extended(e, wg_emit_resize(e, a->base, 32, false), false);
    if (most) {
        LLVMValueRef scale = extended(e, wg_emit_resize(e, a->scale, 32, false), false);
        last = LLVMBuildAdd(b, last, LLVMBuildMul(b, scale, wg_i64(e, (uint64_t)most), ""), "");
    }
    LLVMValueRef is = LLVMBuildICmp(b, LLVMIntUGT, last, wg_i64(e, (uint64_t)(INT32_MAX - high)), "");
    LLVMBuildCondBr(b, is, large, checked);
    LLVMPositionBuilderAtEnd(b, large);
    return checked;
}

/* CONVERGED assumes that base + offsets does not wrap when it is widened; side exit to GENERAL where it
 * may. */
static void check_wrap(struct wg_emit *e, const struct wg_ir_instr *in) {
    bool is_signed = wg_type_kind(in->op == WG_OP_CVT ? in->type2 : in->type) == WG_K_S;
    uint32_t s = 0;
    if (in->op != WG_OP_CVT && wg_operand_fact(e->an, e->v, &in->src[0]).kind == WG_UNIFORM) s = 1;
    struct wg_fact f = wg_operand_fact(e->an, e->v, &in->src[s]);
    struct wg_value a = wg_operand(e, &in->src[s], 32);
    int64_t low = 0, high = 0, least = 0, most = 0;
    for (int l = 0; l < WG_LANES; l++) {
        int64_t k = f.k ? f.k[l] : 0, r = f.r ? f.r[l] : 0;
        if (k < low) low = k;
        if (k > high) high = k;
        if (r < least) least = r;
        if (r > most) most = r;
    }
    LLVMBuilderRef b = e->L.b;
    LLVMBasicBlockRef checked = NULL;
    if (e->sides && is_signed && low == 0 && least == 0) checked = unless_small(e, &a, high, most);
    LLVMValueRef base = extended(e, wg_emit_resize(e, a.base, 32, false), is_signed);
    LLVMValueRef lo = LLVMBuildAdd(b, base, wg_i64(e, (uint64_t)low), ""),
                 hi = LLVMBuildAdd(b, base, wg_i64(e, (uint64_t)high), "");
    if (f.r) {
        LLVMValueRef scale = extended(e, wg_emit_resize(e, a.scale, 32, false), true);
        LLVMValueRef x = LLVMBuildMul(b, scale, wg_i64(e, (uint64_t)least), ""),
                     y = LLVMBuildMul(b, scale, wg_i64(e, (uint64_t)most), "");
        LLVMValueRef falls = LLVMBuildICmp(b, LLVMIntSLT, scale, wg_i64(e, 0), "");
        lo = LLVMBuildAdd(b, lo, LLVMBuildSelect(b, falls, y, x, ""), "");
        hi = LLVMBuildAdd(b, hi, LLVMBuildSelect(b, falls, x, y, ""), "");
    }
    LLVMValueRef min = wg_i64(e, is_signed ? (uint64_t)INT32_MIN : 0),
                 max = wg_i64(e, is_signed ? INT32_MAX : UINT32_MAX);
    LLVMValueRef bad = LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntSLT, lo, min, ""),
                                   LLVMBuildICmp(b, LLVMIntSGT, hi, max, ""), "wraps");
    wg_leave_converged_if(e, bad);
    if (!checked) return;
    LLVMBuildBr(b, checked);
    LLVMPositionBuilderAtEnd(b, checked);
}

/* The scale of the r term of an affine result. */
static LLVMValueRef affine_scale(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *s,
                                 uint32_t bits) {
    LLVMBuilderRef b = e->L.b;
    bool is_signed = wg_type_kind(in->type) == WG_K_S;
    switch (in->op) {
    case WG_OP_MUL_I:
    case WG_OP_MAD_I: {
        /* mad with an affine addend: its product has no scaled term */
        if (in->op == WG_OP_MAD_I && s[2].r) return wg_emit_resize(e, s[2].scale, bits, true);
        uint32_t a = s[0].kind == WG_AFFINE ? 0 : 1;
        LLVMValueRef x = wg_emit_resize(e, s[1 - a].base, bits, is_signed);
        return s[a].r ? LLVMBuildMul(b, x, wg_emit_resize(e, s[a].scale, bits, true), "") : x;
    }
    case WG_OP_SHL: return LLVMBuildShl(b, s[0].scale, wg_emit_resize(e, s[1].base, bits, false), "");
    default:
        for (uint32_t i = 0; i < in->nsrc; i++)
            if (s[i].r) return wg_emit_resize(e, s[i].scale, bits, true);
        return LLVMConstNull(LLVMIntTypeInContext(e->L.ctx, bits));
    }
}

/* mapa's result plus a uniform value, or plus 32-bit indices. */
static void track_mapped(struct wg_emit *e, const struct wg_mapped *m, const struct wg_value *more,
                         struct wg_value *v) {
    if (more->kind != WG_UNIFORM && (!more->near || m->near)) return;
    struct wg_mapped *sum = WG_NEW(&e->an->arena, struct wg_mapped);
    *sum = *m;
    sum->far = LLVMBuildAdd(e->L.b, m->far, more->kind == WG_UNIFORM ? more->base : more->far, "");
    if (more->kind != WG_UNIFORM) sum->near = more->near, sum->step = more->step;
    v->mapped = sum;
}

/* The index of an address, 32 bits of v->near. Unsigned indices are rebased to signed ones, from 2^31
 * steps higher. */
static void widen_near(struct wg_emit *e, struct wg_value *v, bool is_unsigned) {
    if (!is_unsigned) return;
    v->near = LLVMBuildXor(e->L.b, v->near, wg_emit_splat(e, e->L.b, wg_i32(e, 1u << 31)), "");
    v->far = LLVMBuildAdd(e->L.b, v->far, wg_i64(e, (uint64_t)v->step << 31), "");
}

/* Keeps the form far + sext(near)*step of 64-bit lanes, where the instruction preserves it. */
static void track_near(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *s,
                       struct wg_value *v) {
    bool wide = in->mod[WG_MC_MULW] == WG_M_wide;
    LLVMBuilderRef b = e->L.b;
    const struct wg_fact f = wg_operand_fact(e->an, e->v, &in->src[0]);
    bool fits = f.max <= INT32_MAX;
    switch (in->op) {
    case WG_OP_MOV:
        v->far = s[0].far, v->near = s[0].near, v->step = s[0].step;
        v->mapped = s[0].mapped;
        return;
    case WG_OP_CVT:
        if (wg_type_bits(in->type) != 64 || wg_type_bits(in->type2) != 32 ||
            wg_type_kind(in->type) == WG_K_F || wg_type_kind(in->type2) == WG_K_F ||
            in->mod[WG_MC_SAT] != WG_M_none)
            return;
        v->far = wg_i64(e, 0), v->step = 1;
        v->near = wg_emit_resize(e, wg_value_vec(e, &s[0]), 32, false); /* the register may be wider */
        widen_near(e, v, !fits && wg_type_kind(in->type2) != WG_K_S);
        return;
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
        if (!wide || wg_type_bits(in->type) != 32 || in->src[1].kind != WG_O_IMM || s[0].kind == WG_UNIFORM)
            return;
        if (in->op == WG_OP_MAD_I && s[2].kind != WG_UNIFORM) return;
        v->far = in->op == WG_OP_MAD_I ? s[2].base : wg_i64(e, 0);
        v->near = wg_value_vec(e, &s[0]);
        v->step =
            wg_type_kind(in->type) == WG_K_S ? (int32_t)in->src[1].imm : (int64_t)(uint32_t)in->src[1].imm;
        widen_near(e, v, !fits && wg_type_kind(in->type) != WG_K_S);
        return;
    case WG_OP_SHL:
        if (!s[0].near || in->src[1].kind != WG_O_IMM || in->src[1].imm > 32) return;
        v->far = LLVMBuildShl(b, s[0].far, wg_i64(e, in->src[1].imm), "");
        v->near = s[0].near, v->step = s[0].step << in->src[1].imm;
        return;
    case WG_OP_ADD_I: {
        uint32_t n = s[0].near ? 0 : 1, m = s[0].mapped ? 0 : 1;
        if (s[m].mapped) track_mapped(e, s[m].mapped, &s[1 - m], v);
        if (!s[n].near || s[1 - n].kind != WG_UNIFORM) return;
        v->far = LLVMBuildAdd(b, s[n].far, s[1 - n].base, "");
        v->near = s[n].near, v->step = s[n].step;
        return;
    }
    default: return;
    }
}

static bool all_uniform(const struct wg_value *s, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (s[i].kind != WG_UNIFORM) return false;
    return true;
}

static bool scalar_results(const struct wg_emit *e, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG) continue;
        uint8_t k = e->an->facts[e->v][in->dst[i].index].kind;
        if (k != WG_UNIFORM && k != WG_AFFINE) return false;
    }
    return true;
}

enum { MAX_OPERANDS = 16 };

static uint32_t quiet_sources(const struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t quiet = 0;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG && wg_bits_has(e->an->quiet, in->src[i].index)) quiet |= 1u << i;
    return quiet;
}

static void emit_pure(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_value s[MAX_OPERANDS];
    LLVMValueRef src[MAX_OPERANDS], dst[MAX_OPERANDS] = {0};
    for (uint32_t i = 0; i < in->nsrc; i++) s[i] = wg_operand(e, &in->src[i], wg_ir_source_bits(in, i));
    bool cc = wg_op_flags(in->op) & WG_F_CC;
    bool scalar = !cc && (scalar_results(e, in) || all_uniform(s, in->nsrc));
    for (uint32_t i = 0; i < in->nsrc; i++) src[i] = scalar ? s[i].base : wg_value_vec(e, &s[i]);
    wg_set_lanes(e, scalar ? 1 : WG_LANES);
    LLVMValueRef before = NULL;
    if (cc) {
        LLVMTypeRef t = LLVMVectorType(e->i32, WG_LANES);
        if (!e->regs.cc) e->regs.cc = LLVMBuildAlloca(e->entry_b, t, "cc");
        before = e->L.cc = LLVMBuildLoad2(e->L.b, t, e->regs.cc, "");
    }
    e->L.quiet = quiet_sources(e, in);
    bool narrow = wg_narrow(e, in, src, dst), known = narrow || wg_lower_pure(&e->L, in, src, dst);
    if (narrow) wg_plan_yes(e->opts, WG_FORM_narrow, in);
    e->L.quiet = 0;
    if (!known) {
        wg_emit_unsupported(e, in, NULL);
        return;
    }
    wg_count_slow(e, in, src, dst[0]);
    if (cc) {
        LLVMValueRef now = e->L.cc;
        if (in->guard != WG_NO_REG) {
            LLVMValueRef on = wg_value_vec(e, wg_value_get(e, in->guard));
            now = LLVMBuildSelect(e->L.b, on, in->guard_neg ? before : now, in->guard_neg ? now : before, "");
        }
        LLVMBuildStore(e->L.b, now, e->regs.cc);
    }
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG || !dst[i]) continue;
        uint32_t reg = in->dst[i].index, bits = wg_reg_bits(e, reg);
        const struct wg_fact *f = &e->an->facts[e->v][reg];
        LLVMValueRef x = wg_emit_resize(e, dst[i], bits, wg_type_kind(in->type) == WG_K_S);
        struct wg_value v = {.kind = WG_VARYING, .vec = x};
        if (scalar) {
            v = (struct wg_value){
                .kind = f->kind == WG_AFFINE ? WG_AFFINE : WG_UNIFORM, .base = x, .k = f->k, .r = f->r};
            if (f->r && f->kind == WG_AFFINE) {
                v.scale = affine_scale(e, in, s, bits);
                if (bits == 64) track_near(e, in, s, &v); /* run-time strides mostly become gathers */
            }
        } else if (bits == 64) {
            track_near(e, in, s, &v);
        }
        wg_set_result(e, in, reg, v);
    }
}

/* Whether executing it again has no visible effect. */
static bool may_repeat(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_LD) return wg_ir_is_weak(in);
    return wg_op_flags(in->op) == 0 && in->op != WG_OP_CALL;
}

/* Copies, pure instructions, and our own instructions. */
static void emit_rest(struct wg_emit *e, const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_GRIDDEPCONTROL: /* a kernel starts only when those before it have ended */
    case WG_OP_BULK_COMMIT:
    case WG_OP_BULK_WAIT:
    case WG_OP_WGMMA_FENCE:
    case WG_OP_WGMMA_COMMIT: break; /* nothing is in flight */
    case WG_OP_CP_ASYNC:
    case WG_OP_CP_ASYNC_COMMIT:
    case WG_OP_CP_ASYNC_WAIT:
    case WG_OP_CP_ASYNC_WAIT_ALL:
    case WG_OP_CP_ASYNC_ARRIVE:
    case WG_OP_MBARRIER_INIT:
    case WG_OP_MBARRIER_INVAL:
    case WG_OP_MBARRIER_ARRIVE:
    case WG_OP_MBARRIER_ARRIVE_NC:
    case WG_OP_MBARRIER_TX:
    case WG_OP_MBARRIER_WAIT:
    case WG_OP_MBARRIER_WAIT_PARITY: wg_emit_async(e, in); break;
    default:
        if (in->op < WG_OP_COUNT)
            emit_pure(e, in);
        else
            wg_emit_check(e, in);
        break;
    }
}

static void emit_other(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (wg_op_is(in->op, WG_IS_MATRIX))
        wg_emit_matrix(e, in);
    else if (wg_op_flags(in->op) & WG_F_BULK)
        wg_emit_bulk(e, in);
    else if (!wg_op_is(in->op, WG_IS_HINT | WG_IS_FENCE))
        emit_rest(e, in);
}

static void emit_access(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (e->opts->dry && in->space != WG_S_PARAM)
        wg_emit_count_alone(e, in);
    else if (wg_op_is(in->op, WG_IS_ATOMIC))
        wg_emit_atomic(e, in);
    else if (wg_op_is(in->op, WG_IS_STORE))
        wg_emit_store(e, in);
    else
        wg_emit_load(e, in);
}

static void emit_instr(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (e->v == WG_CONVERGED && wg_is_for_shadows(e->an, in)) return;
    if (e->whole && !wg_phase_needs(e->an, in)) return;
    if (!may_repeat(in) || (in->op == WG_OP_CHECK_ACCESS && e->opts->check_told)) e->out.leave = NULL;
    if (e->v == WG_CONVERGED && wg_needs_wrap_check(e->an, in)) {
        bool done;
        if (!wg_emit_block_span(e, in, &done)) check_wrap(e, in);
        if (done) return;
    }
    if (e->v == WG_CONVERGED && wg_needs_row_check(e->an, in)) {
        wg_divide_row(e, in);
        return;
    }
    if (wg_wrap_scalar(e, in)) return;
    if (wg_look_up_lanes(e, in)) return;
    wg_combine_before(e, in);
    switch (in->op) {
    case WG_OP_ADD_I:
        emit_pure(e, in);
        wg_window_sum(e, in);
        break;
    case WG_OP_NONE: wg_emit_unsupported(e, in, in->unsupported); break;
    case WG_OP_MOV_SREG: wg_emit_sreg(e, in); break;
    case WG_OP_LD:
    case WG_OP_LDU:
    case WG_OP_ST:
    case WG_OP_ATOM:
    case WG_OP_RED: emit_access(e, in); break;
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO:
    case WG_OP_ISSPACEP:
    case WG_OP_MAPA:
    case WG_OP_GETCTARANK: wg_emit_cvta(e, in); break;
    case WG_OP_CALL: wg_emit_builtin(e, in); break;
    case WG_OP_SHFL:
    case WG_OP_VOTE:
    case WG_OP_VOTE_BALLOT:
    case WG_OP_MATCH:
    case WG_OP_REDUX:
    case WG_OP_ELECT:
    case WG_OP_ACTIVEMASK:
    case WG_OP_BAR_WARP:
    case WG_OP_BAR_ARRIVE:
    case WG_OP_BARRIER_ARRIVE:
    case WG_OP_BAR_CL_ARRIVE:
    case WG_OP_MEMBAR:
    case WG_OP_FENCE: wg_emit_warp_op(e, in); break;
    default: emit_other(e, in); break;
    }
}

void wg_emit_instr(struct wg_emit *e, const struct wg_ir_instr *in) {
    bool access = wg_op_is(in->op, WG_IS_LOAD | WG_IS_STORE);
    e->access.combine_asked = false;
    emit_instr(e, in);
    if (e->access.ncombine && access && !e->access.combine_asked)
        wg_break_promise(e, "an access overtakes deferred additions");
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    if (e->instr < blk->ninstrs && in == &blk->instrs[e->instr]) wg_issue_here(e);
}
