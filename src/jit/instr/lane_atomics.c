/* Inline atomics on memory that no other thread changes, without locks, as a loop over the active lanes.
 *
 * These are the atomics that atomics.c has no better form for, and that need no lock: any operation of 32 or
 * 64 bits on shared memory, with or without its old value.
 *
 *     atom.shared.max.u32 %r1, [%r2], %r3    for each active lane, lowest first:
 *                                                old[lane] = *at[lane];  *at[lane] = max(old[lane], b[lane])
 *
 * Operands and old values are spilled to memory, where the loop over lanes loads and stores each as a scalar.
 */
#include "jit/instr/instr.h"

void wg_lane_loop_begin(struct wg_emit *e, LLVMValueRef mask, struct wg_lane_loop *l) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->L.b);
    l->loop = wg_new_bb(e, "lane");
    l->done = wg_new_bb(e, "lanes");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), ""), l->loop, l->done);
    LLVMPositionBuilderAtEnd(e->L.b, l->loop);
    l->left = LLVMBuildPhi(e->L.b, e->i32, "left");
    LLVMAddIncoming(l->left, &mask, &before, 1);
    LLVMValueRef args[2] = {l->left, LLVMConstInt(e->i1, 1, 0)};
    wg_set_lanes(e, 1);
    l->lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, args, 2);
    l->lane = LLVMBuildZExt(e->L.b, l->lane, e->i64, "");
}

void wg_lane_loop_end(struct wg_emit *e, struct wg_lane_loop *l) {
    LLVMValueRef rest = LLVMBuildAnd(e->L.b, l->left, LLVMBuildSub(e->L.b, l->left, wg_i32(e, 1), ""), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->L.b);
    LLVMValueRef more = LLVMBuildICmp(e->L.b, LLVMIntNE, rest, wg_i32(e, 0), "");
    LLVMBuildCondBr(e->L.b, more, l->loop, l->done);
    LLVMAddIncoming(l->left, &rest, &end, 1);
    LLVMPositionBuilderAtEnd(e->L.b, l->done);
}

bool wg_is_in_place(const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    if (bits != 32 && bits != 64) return false;
    if (wg_type_kind(in->type) == WG_K_F)
        return in->mod[WG_MC_AOP] == WG_M_add && (in->type == WG_T_F32 || in->type == WG_T_F64);
    switch (in->mod[WG_MC_AOP]) {
    case WG_M_add:
    case WG_M_exch:
    case WG_M_cas:
    case WG_M_and:
    case WG_M_or:
    case WG_M_xor:
    case WG_M_inc:
    case WG_M_dec:
    case WG_M_min:
    case WG_M_max: return true;
    default: return false;
    }
}

bool wg_only_grows(const struct wg_ir_instr *in) {
    uint8_t op = in->mod[WG_MC_AOP], sem = in->mod[WG_MC_SEM];
    if (sem != WG_M_none && sem != WG_M_relaxed) return false;
    return op == WG_M_min || op == WG_M_max || op == WG_M_and || op == WG_M_or;
}

/* Additions in shared memory do not flush denormals; of two NaNs in f64 the old value, a, remains. */
LLVMValueRef wg_add_floats(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef sum = LLVMBuildFAdd(e->L.b, a, b, "");
    LLVMTypeRef t = LLVMTypeOf(sum);
    if (t == LLVMDoubleTypeInContext(e->L.ctx)) {
        LLVMValueRef quiet = LLVMBuildFAdd(e->L.b, a, a, "");
        return LLVMBuildSelect(e->L.b, LLVMBuildFCmp(e->L.b, LLVMRealUNO, a, a, ""), quiet, sum, "");
    }
    LLVMValueRef nan = LLVMBuildFCmp(e->L.b, LLVMRealUNO, sum, sum, "");
    return LLVMBuildSelect(e->L.b, nan, LLVMConstBitCast(wg_i32(e, 0x7fffffff), t), sum, "");
}

static LLVMValueRef add_floats(struct wg_emit *e, LLVMValueRef old, LLVMValueRef b, bool f64) {
    LLVMTypeRef t = f64 ? LLVMDoubleTypeInContext(e->L.ctx) : LLVMFloatTypeInContext(e->L.ctx);
    LLVMValueRef sum =
        wg_add_floats(e, LLVMBuildBitCast(e->L.b, old, t, ""), LLVMBuildBitCast(e->L.b, b, t, ""));
    return LLVMBuildBitCast(e->L.b, sum, LLVMTypeOf(old), "");
}

static LLVMValueRef extreme(struct wg_emit *e, LLVMIntPredicate is_first, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(e->L.b, LLVMBuildICmp(e->L.b, is_first, a, b, ""), a, b, "");
}

LLVMValueRef wg_atomic_result(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef old,
                              LLVMValueRef b, LLVMValueRef c) {
    LLVMBuilderRef x = e->L.b;
    LLVMTypeRef t = LLVMTypeOf(old);
    bool sign = wg_type_kind(in->type) == WG_K_S;
    switch (in->mod[WG_MC_AOP]) {
    case WG_M_add:
        if (wg_type_kind(in->type) == WG_K_F) return add_floats(e, old, b, in->type == WG_T_F64);
        return LLVMBuildAdd(x, old, b, "");
    case WG_M_cas: return LLVMBuildSelect(x, LLVMBuildICmp(x, LLVMIntEQ, old, b, ""), c, old, "");
    case WG_M_and: return LLVMBuildAnd(x, old, b, "");
    case WG_M_or: return LLVMBuildOr(x, old, b, "");
    case WG_M_xor: return LLVMBuildXor(x, old, b, "");
    case WG_M_inc: {
        LLVMValueRef wraps = LLVMBuildICmp(x, LLVMIntUGE, old, b, "");
        return LLVMBuildSelect(x, wraps, LLVMConstNull(t), LLVMBuildAdd(x, old, LLVMConstInt(t, 1, 0), ""),
                               "");
    }
    case WG_M_dec: {
        LLVMValueRef less = LLVMBuildSub(x, old, LLVMConstInt(t, 1, 0), "");
        /* 0 - 1 wraps above every bound */
        return LLVMBuildSelect(x, LLVMBuildICmp(x, LLVMIntUGE, less, b, ""), b, less, "");
    }
    case WG_M_min: return extreme(e, sign ? LLVMIntSLT : LLVMIntULT, old, b);
    case WG_M_max: return extreme(e, sign ? LLVMIntSGT : LLVMIntUGT, old, b);
    default: return b; /* exch */
    }
}

static LLVMValueRef lane_of(struct wg_emit *e, LLVMValueRef array, LLVMValueRef lane) {
    return LLVMBuildGEP2(e->L.b, e->i64, array, &lane, 1, "");
}

void wg_emit_in_place(struct wg_emit *e, const struct wg_ir_instr *in, const LLVMValueRef *arrays,
                      LLVMValueRef mask) {
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, wg_type_bits(in->type));
    struct wg_lane_loop l;
    wg_lane_loop_begin(e, mask, &l);
    LLVMValueRef at = LLVMBuildLoad2(e->L.b, e->ptr, lane_of(e, arrays[0], l.lane), "");
    LLVMValueRef b = LLVMBuildLoad2(e->L.b, t, lane_of(e, arrays[1], l.lane), "");
    LLVMValueRef c = in->nsrc > 2 ? LLVMBuildLoad2(e->L.b, t, lane_of(e, arrays[2], l.lane), "") : NULL;
    LLVMValueRef old = LLVMBuildLoad2(e->L.b, t, at, "");
    LLVMBuildStore(e->L.b, wg_atomic_result(e, in, old, b, c), at);
    if (arrays[3])
        LLVMBuildStore(e->L.b, LLVMBuildZExt(e->L.b, old, e->i64, ""), lane_of(e, arrays[3], l.lane));
    wg_lane_loop_end(e, &l);
}
