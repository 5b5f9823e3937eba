/* Shadow memory (check/instrument/shadow.h): loads and stores of defined bits, beside the program's own.
 *
 *     check.ld %s1, [%rd1]     the program's load, at an offset of opts->shadow bytes; lanes that load
 *                              something undefined are reported to the machine, out of line
 *
 * The address is the program's plus a constant, so it is as uniform or affine. Lanes that check.access
 * refused, and those whose memory is outside of the arena, have no shadow: what they load counts as defined.
 */
#include "jit/instr/instr.h"

static LLVMValueRef all_ones(LLVMValueRef x) { return LLVMConstAllOnes(LLVMTypeOf(x)); }

static bool is_vector(LLVMValueRef x) { return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind; }

/* i32: lanes of `mask` in which not all of the low `bits` of x are ones. */
static LLVMValueRef undefined_lanes(struct wg_emit *e, LLVMValueRef x, uint32_t bits, LLVMValueRef mask) {
    x = wg_emit_resize(e, x, bits, false);
    LLVMValueRef less = LLVMBuildICmp(e->L.b, LLVMIntNE, x, all_ones(x), "");
    if (is_vector(x)) return LLVMBuildAnd(e->L.b, wg_emit_mask(e, less), mask, "");
    return LLVMBuildSelect(e->L.b, less, mask, wg_i32(e, 0), "");
}

/* Branches on lanes != 0, with the builder on that path; returns the block that continues. */
static LLVMBasicBlockRef where_any(struct wg_emit *e, LLVMValueRef lanes) {
    return wg_fn_seldom_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, lanes, wg_i32(e, 0), ""), "undefined");
}

static void emit_defined(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef mask = wg_instr_mask(e, in);
    uint32_t bits = wg_type_bits(in->type);
    struct wg_value v = wg_operand(e, &in->src[0], bits);
    LLVMValueRef x = v.kind == WG_UNIFORM ? v.base : wg_value_vec(e, &v);
    if (x == all_ones(x)) return;
    LLVMValueRef lanes = undefined_lanes(e, x, bits, mask);
    LLVMBasicBlockRef go = where_any(e, lanes);
    LLVMValueRef args[4] = {e->warp, lanes, wg_i32(e, in->id), wg_i32(e, in->check)};
    wg_call_helper(e, "wg_jit_check_defined", LLVMVoidTypeInContext(e->L.ctx), args, 4);
    wg_fn_go_on(e, go);
}

/* Reports that lanes of `lanes` hold undefined bits, at the program's addresses. */
static void tell(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef lanes) {
    struct wg_value a = wg_unchecked_address(e, in);
    LLVMBasicBlockRef go = where_any(e, lanes);
    LLVMValueRef args[5] = {e->warp, lanes, wg_i32(e, in->id), wg_i32(e, in->check),
                            wg_spill_lanes(e, 0, wg_lane_addresses(e, &a))};
    wg_call_helper(e, "wg_jit_check_undefined", LLVMVoidTypeInContext(e->L.ctx), args, 5);
    wg_fn_go_on(e, go);
}

/* Lanes of the access that have no shadow, as wg_check_refused gives them, without those that it contains. */
static LLVMValueRef outside_arena(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (!e->opts->shadow_outside || (in->space != WG_S_GENERIC && in->space != WG_S_GLOBAL)) return NULL;
    struct wg_value a = wg_unchecked_address(e, in);
    LLVMValueRef at = wg_lane_addresses(e, &a);
    LLVMValueRef home = wg_emit_splat(e, e->L.b, wg_i64(e, e->opts->arena_base >> e->opts->arena_bits));
    LLVMValueRef n = wg_emit_splat(e, e->L.b, wg_i64(e, e->opts->arena_bits));
    return wg_emit_mask(e, LLVMBuildICmp(e->L.b, LLVMIntNE, LLVMBuildLShr(e->L.b, at, n, ""), home, ""));
}

/* The access itself, `shadow` bytes higher. */
static void beside(struct wg_emit *e, const struct wg_ir_instr *in,
                   void (*emit)(struct wg_emit *, const struct wg_ir_instr *)) {
    struct wg_ir_instr moved = *in;
    LLVMValueRef refused = e->check.refused, outside = outside_arena(e, in);
    moved.offset = (int64_t)((uint64_t)moved.offset + e->opts->shadow);
    moved.checked = true; /* the program's access is tested for its alignment */
    if (!in->checked) e->check.refused = NULL;
    if (outside)
        e->check.refused = e->check.refused ? LLVMBuildOr(e->L.b, e->check.refused, outside, "") : outside;
    emit(e, &moved);
    e->check.refused = refused;
}

/* CONVERGED has no undefined values: side exit to GENERAL, which meets them again. */
static void leave_if_undefined(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef mask = wg_check_mask(e, in, wg_instr_mask(e, in)), x[4], all = NULL;
    wg_load_elements(e, in, mask, x);
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) all = all ? LLVMBuildAnd(e->L.b, all, x[i], "") : x[i];
    LLVMValueRef lanes = undefined_lanes(e, all, wg_type_bits(in->type), mask);
    wg_leave_converged_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, lanes, wg_i32(e, 0), ""));
}

static void emit_test(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef mask = wg_check_mask(e, in, wg_instr_mask(e, in));
    LLVMBasicBlockRef go = wg_unless_whole(e, in, mask);
    beside(e, in, leave_if_undefined);
    if (!go) return;
    wg_mark_lines(e, in, mask);
    wg_fn_go_on(e, go);
}

static void emit_shadow_load(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (e->v == WG_CONVERGED && wg_loads_shadows(e->an, in)) {
        emit_test(e, in);
        return;
    }
    LLVMValueRef mask = wg_instr_mask(e, in), lanes = NULL;
    uint32_t bits = wg_type_bits(in->type);
    beside(e, in, wg_emit_load);
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG) continue;
        struct wg_value *v = wg_value_get(e, in->dst[i].index);
        LLVMValueRef x = v->kind == WG_UNIFORM ? v->base : wg_value_vec(e, v);
        LLVMValueRef less = undefined_lanes(e, x, bits, mask);
        lanes = lanes ? LLVMBuildOr(e->L.b, lanes, less, "") : less;
    }
    if (lanes) tell(e, in, lanes);
}

static bool all_defined(const struct wg_emit *e, const struct wg_ir_instr *in) {
    for (uint32_t i = 1; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG ? !e->func->regs[in->src[i].index].shadow
                                        : in->src[i].imm != UINT64_MAX)
            return false;
    return true;
}

static void emit_shadow_store(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef mask = wg_check_mask(e, in, wg_instr_mask(e, in)), lanes = NULL;
    uint32_t bits = wg_type_bits(in->type);
    LLVMBasicBlockRef go = e->v == WG_CONVERGED && all_defined(e, in) ? wg_unless_whole(e, in, mask) : NULL;
    beside(e, in, wg_emit_store);
    if (go) {
        wg_mark_lines(e, in, mask);
        wg_fn_go_on(e, go);
        return;
    }
    for (uint32_t i = 1; i < in->nsrc; i++) {
        if (in->src[i].kind != WG_O_REG) continue;
        struct wg_value v = wg_operand(e, &in->src[i], bits);
        LLVMValueRef x = v.kind == WG_UNIFORM ? v.base : wg_value_vec(e, &v);
        if (x == all_ones(x)) continue;
        LLVMValueRef less = undefined_lanes(e, x, bits, mask);
        lanes = lanes ? LLVMBuildOr(e->L.b, lanes, less, "") : less;
    }
    if (lanes) tell(e, in, lanes);
}

/* i32: lanes whose source lane is not active, or is not in their mask. */
static LLVMValueRef lanes_from_nowhere(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef from,
                                       LLVMValueRef mask) {
    struct wg_value m = wg_operand(e, &in->src[3], 32);
    LLVMValueRef one = wg_emit_splat(e, e->L.b, wg_i32(e, 1));
    LLVMValueRef there = LLVMBuildAnd(e->L.b, wg_value_vec(e, &m), wg_emit_splat(e, e->L.b, mask), "");
    there = LLVMBuildAnd(e->L.b, LLVMBuildLShr(e->L.b, there, from, ""), one, "");
    LLVMValueRef none = LLVMBuildICmp(e->L.b, LLVMIntNE, there, one, "");
    return LLVMBuildAnd(e->L.b, wg_emit_mask(e, none), mask, "");
}

static void emit_shadow_shfl(struct wg_emit *e, const struct wg_ir_instr *in) {
    bool fast = e->v == WG_CONVERGED && wg_loads_shadows(e->an, in);
    LLVMValueRef mask = wg_instr_mask(e, in), from, valid, x = wg_shuffled(e, in, &from, &valid);
    LLVMValueRef nowhere = lanes_from_nowhere(e, in, from, mask);
    if (fast) {
        wg_leave_converged_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, nowhere, wg_i32(e, 0), ""));
        return;
    }
    x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, nowhere), LLVMConstNull(LLVMTypeOf(x)), x, "");
    wg_value_set_vec(e, in->dst[0].index, x);
    LLVMBasicBlockRef go = where_any(e, nowhere);
    LLVMValueRef args[5] = {e->warp, nowhere, wg_i32(e, in->id), wg_i32(e, in->check),
                            wg_spill_lanes(e, 0, wg_emit_resize(e, from, 64, false))};
    wg_call_helper(e, "wg_jit_check_undefined", LLVMVoidTypeInContext(e->L.ctx), args, 5);
    wg_fn_go_on(e, go);
}

static void emit_shadow_ballot(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_value q = wg_operand(e, &in->src[0], 1);
    LLVMValueRef on = LLVMBuildAnd(e->L.b, wg_emit_mask(e, wg_value_vec(e, &q)), wg_mask(e), "");
    wg_value_set_scalar(e, in->dst[0].index, on);
}

void wg_emit_shadow(struct wg_emit *e, const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_CHECK_DEFINED: emit_defined(e, in); break;
    case WG_OP_CHECK_LD: emit_shadow_load(e, in); break;
    case WG_OP_CHECK_ST: emit_shadow_store(e, in); break;
    case WG_OP_CHECK_SHFL: emit_shadow_shfl(e, in); break;
    default: emit_shadow_ballot(e, in); break;
    }
}
