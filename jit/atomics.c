/* Atomics: lane by lane, in lane order.
 *
 * Shared memory of a block belongs to one worker thread, so a shared atomic is a plain read, change and
 * write; global memory is everybody's. Integer additions whose result nobody reads are emitted in place;
 * everything else is done by a helper (helpers.c) over arrays of the lanes' addresses and operands.
 */
#include "jit/emit.h"

static bool is_shared(const struct wg_ir_instr *in) {
    return in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
}

/* The helper's code for an operation: type in the low byte, operation above, 1 << 16 when other threads may
 * see it. */
static uint32_t atomic_code(const struct wg_ir_instr *in) {
    return in->type | (uint32_t)in->mod[WG_MC_AOP] << 8 | (is_shared(in) ? 0 : 1u << 16);
}

/* Nobody reads the old value: nvcc writes atom with a result that it does not use where it means red. */
static bool result_is_unused(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->ndst == 0 || in->dst[0].kind != WG_O_REG || e->an->nuses[in->dst[0].index] == 0;
}

static bool is_plain_add(const struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    return in->mod[WG_MC_AOP] == WG_M_add && wg_type_kind(in->type) != WG_K_F && bits >= 32 &&
           result_is_unused(e, in);
}

static void add_at(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef p, LLVMValueRef x) {
    if (!is_shared(in)) {
        LLVMBuildAtomicRMW(e->L.b, LLVMAtomicRMWBinOpAdd, p, x, LLVMAtomicOrderingMonotonic, 0);
        return;
    }
    LLVMValueRef old = LLVMBuildLoad2(e->L.b, LLVMTypeOf(x), p, "");
    LLVMBuildStore(e->L.b, LLVMBuildAdd(e->L.b, old, x, ""), p);
}

/* Arrays in memory of the lanes' addresses (or offsets from `base`) and addends. */
struct lane_adds {
    LLVMValueRef base, offsets, addends, addend;
    LLVMTypeRef t;
};

static void add_lane(struct wg_emit *e, const struct wg_ir_instr *in, const struct lane_adds *x,
                     LLVMValueRef lane) {
    LLVMValueRef slot = LLVMBuildGEP2(e->L.b, e->i64, x->offsets, &lane, 1, "");
    LLVMValueRef off = LLVMBuildLoad2(e->L.b, e->i64, slot, ""), value = x->addend, p;
    if (x->base)
        p = LLVMBuildGEP2(e->L.b, e->i8, x->base, &off, 1, "");
    else
        p = LLVMBuildIntToPtr(e->L.b, off, e->ptr, "");
    if (x->addends)
        value = LLVMBuildLoad2(e->L.b, x->t, LLVMBuildGEP2(e->L.b, e->i64, x->addends, &lane, 1, ""), "");
    add_at(e, in, p, value);
}

/* for each lane that is on, lowest first */
static void add_active_lanes(struct wg_emit *e, const struct wg_ir_instr *in, const struct lane_adds *x,
                             LLVMValueRef mask) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->L.b), loop = wg_new_bb(e, "lane"),
                      done = wg_new_bb(e, "added");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, mask, wg_i32(e, 0), ""), done, loop);
    LLVMPositionBuilderAtEnd(e->L.b, loop);
    LLVMValueRef left = LLVMBuildPhi(e->L.b, e->i32, "left"), args[2] = {left, LLVMConstInt(e->i1, 1, 0)};
    wg_set_lanes(e, 1);
    LLVMValueRef lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, args, 2);
    add_lane(e, in, x, LLVMBuildZExt(e->L.b, lane, e->i64, ""));
    LLVMValueRef rest = LLVMBuildAnd(e->L.b, left, LLVMBuildSub(e->L.b, left, wg_i32(e, 1), ""), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->L.b);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, rest, wg_i32(e, 0), ""), done, loop);
    LLVMAddIncoming(left, &mask, &before, 1);
    LLVMAddIncoming(left, &rest, &end, 1);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}

/* All lanes add to one place: the sum of what they add, once. */
static void add_uniform(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                        struct wg_value *b, LLVMValueRef mask) {
    uint32_t bits = wg_type_bits(in->type);
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, bits), vt = LLVMVectorType(t, WG_LANES);
    LLVMValueRef sum;
    wg_set_lanes(e, 1);
    if (b->kind == WG_UNIFORM) {
        LLVMValueRef n = wg_lower_intrinsic(&e->L, "llvm.ctpop", &e->i32, 1, &mask, 1);
        sum = LLVMBuildMul(e->L.b, wg_emit_resize(e, b->base, bits, false), wg_emit_resize(e, n, bits, false),
                           "");
    } else {
        LLVMValueRef x = wg_emit_resize(e, wg_value_vec(e, b), bits, false);
        x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, mask), x, LLVMConstNull(vt), "");
        sum = wg_lower_intrinsic(&e->L, "llvm.vector.reduce.add", &vt, 1, &x, 1);
    }
    LLVMBasicBlockRef on = wg_new_bb(e, "on"), done = wg_new_bb(e, "added");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), ""), on, done);
    LLVMPositionBuilderAtEnd(e->L.b, on);
    add_at(e, in, LLVMBuildIntToPtr(e->L.b, a->base, e->ptr, ""), sum);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}

static void emit_adds(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, struct wg_value *b,
                      LLVMValueRef mask) {
    if (a->kind == WG_UNIFORM) {
        add_uniform(e, in, a, b, mask);
        return;
    }
    uint32_t bits = wg_type_bits(in->type);
    struct lane_adds x = {.t = LLVMIntTypeInContext(e->L.ctx, bits)};
    if (a->near && a->step == 1) {
        x.offsets =
            wg_spill_lanes(e, 0, LLVMBuildSExt(e->L.b, a->near, LLVMVectorType(e->i64, WG_LANES), ""));
        x.base = LLVMBuildIntToPtr(e->L.b, a->far, e->ptr, "");
    } else {
        LLVMValueRef p = wg_pointers(e, a);
        x.offsets = wg_spill_lanes(e, 0, LLVMBuildPtrToInt(e->L.b, p, LLVMVectorType(e->i64, WG_LANES), ""));
    }
    if (b->kind == WG_UNIFORM)
        x.addend = wg_emit_resize(e, b->base, bits, false);
    else
        x.addends = wg_spill_lanes(e, 1, wg_emit_resize(e, wg_value_vec(e, b), 64, false));
    if (!LLVMIsAConstantInt(mask)) {
        add_active_lanes(e, in, &x, mask);
        return;
    }
    for (uint32_t l = 0; l < WG_LANES; l++) add_lane(e, in, &x, wg_i64(e, l));
}

void wg_emit_atomic(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    bool noftz_half = in->type == WG_T_F16 || in->type == WG_T_BF16;
    if (bits > 64 || (bits < 32 && !noftz_half && in->mod[WG_MC_AOP] != WG_M_cas) || in->nvec > 1) {
        wg_emit_unsupported(e, in, "this size of atomic");
        return;
    }
    LLVMValueRef mask = wg_instr_mask(e, in);
    struct wg_value b = wg_operand(e, &in->src[1], bits), c = {.kind = WG_UNIFORM, .base = wg_i64(e, 0)};
    if (in->nsrc > 2) c = wg_operand(e, &in->src[2], bits);
    bool has_dst = in->op == WG_OP_ATOM && !result_is_unused(e, in);
    LLVMValueRef old_vec =
        has_dst && in->guard != WG_NO_REG ? wg_value_vec(e, wg_value_get(e, in->dst[0].index)) : NULL;
    struct wg_value a = wg_address(e, in, mask);
    if (is_plain_add(e, in)) {
        emit_adds(e, in, &a, &b, mask);
        return;
    }
    LLVMValueRef pointers = wg_pointers(e, &a);
    LLVMValueRef at = LLVMBuildPtrToInt(e->L.b, pointers, LLVMVectorType(e->i64, WG_LANES), "");
    LLVMValueRef args[6] = {wg_spill_lanes(e, 0, at),
                            wg_spill_lanes(e, 1, wg_emit_resize(e, wg_value_vec(e, &b), 64, false)),
                            wg_spill_lanes(e, 2, wg_emit_resize(e, wg_value_vec(e, &c), 64, false)),
                            wg_spill_lanes(e, 3, LLVMConstNull(LLVMVectorType(e->i64, WG_LANES))),
                            mask,
                            wg_i32(e, atomic_code(in))};
    wg_call_helper(e, "wg_jit_atomic", LLVMVoidTypeInContext(e->L.ctx), args, 6);
    if (!has_dst) return;
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, LLVMVectorType(e->i64, WG_LANES), args[3], "");
    uint32_t reg = in->dst[0].index;
    x = wg_emit_resize(e, wg_emit_resize(e, x, bits, false), wg_reg_bits(e, reg),
                       wg_type_kind(in->type) == WG_K_S);
    if (old_vec) x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, mask), x, old_vec, "");
    wg_value_set_vec(e, reg, x);
}
