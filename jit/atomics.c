/* Atomics: lane by lane, in lane order.
 *
 * Shared memory of a block belongs to one worker thread, so a shared atomic is a plain read, change and write;
 * global memory is everybody's. The common integer additions on shared memory are emitted in place; everything
 * else is done by a helper (helpers.c) over arrays of the lanes' addresses and operands.
 */
#include "jit/emit.h"

/* The helper's code for an operation: type in the low byte, operation above, 1 << 16 when other threads may see it. */
static uint32_t atomic_code(const struct wg_ir_instr *in) {
    bool shared = in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
    return in->type | (uint32_t)in->mod[WG_MC_AOP] << 8 | (shared ? 0 : 1u << 16);
}

/* Nobody reads the old value: nvcc writes atom with a result that it does not use where it means red. */
static bool result_is_unused(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->ndst == 0 || in->dst[0].kind != WG_O_REG || e->an->nuses[in->dst[0].index] == 0;
}

static bool simple_shared_add(const struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask) {
    bool shared = in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
    uint32_t bits = wg_type_bits(in->type);
    enum wg_type_kind kind = wg_type_kind(in->type);
    if (!shared || in->mod[WG_MC_AOP] != WG_M_add || kind == WG_K_F || bits < 32) return false;
    return result_is_unused(e, in) && LLVMIsAConstantInt(mask);
}

/* 32 additions in a row. */
static void emit_shared_adds(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, struct wg_value *b) {
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, wg_type_bits(in->type));
    LLVMValueRef offsets = NULL, base;
    if (a->near) {
        offsets = wg_spill_lanes(e, 0, LLVMBuildSExt(e->L.b, a->near, LLVMVectorType(e->i64, WG_LANES), ""));
        base = LLVMBuildIntToPtr(e->L.b, a->far, e->ptr, "");
    } else {
        offsets = wg_spill_lanes(e, 0, wg_value_vec(e, a));
        base = LLVMConstNull(e->ptr);
    }
    LLVMValueRef addends = b->kind == WG_UNIFORM ? NULL : wg_spill_lanes(e, 1, wg_emit_resize(e, wg_value_vec(e, b), 64, false));
    for (uint32_t l = 0; l < WG_LANES; l++) {
        LLVMValueRef off = wg_load_field(e, e->L.b, e->i64, offsets, l * 8, false, "");
        LLVMValueRef p = a->near ? LLVMBuildGEP2(e->L.b, e->i8, base, &off, 1, "") : LLVMBuildIntToPtr(e->L.b, off, e->ptr, "");
        LLVMValueRef x = addends ? wg_load_field(e, e->L.b, t, addends, l * 8, false, "") : wg_emit_resize(e, b->base, wg_type_bits(in->type), false);
        LLVMValueRef old = LLVMBuildLoad2(e->L.b, t, p, "");
        LLVMBuildStore(e->L.b, LLVMBuildAdd(e->L.b, old, x, ""), p);
    }
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
    LLVMValueRef old_vec = has_dst && in->guard != WG_NO_REG ? wg_value_vec(e, wg_value_get(e, in->dst[0].index)) : NULL;
    struct wg_value a = wg_address(e, in, mask);
    if (simple_shared_add(e, in, mask)) {
        emit_shared_adds(e, in, &a, &b);
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
    x = wg_emit_resize(e, wg_emit_resize(e, x, bits, false), wg_reg_bits(e, reg), wg_type_kind(in->type) == WG_K_S);
    if (old_vec) x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, mask), x, old_vec, "");
    wg_value_set_vec(e, reg, x);
}
