/* Bulk and tensor copies: passes the lanes' operands in memory, as words of 8 bytes, to bulk_work.c, which
 * copies. */
#include "jit/instr/instr.h"
#include "jit/code/helpers.h"

/* Source k as an address of the process, with its constant added: <32 x i64>. */
static LLVMValueRef address_lanes(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t k, bool shared) {
    const struct wg_ir_opd *o = &in->src[k];
    uint32_t bits = o->kind == WG_O_REG ? wg_reg_bits(e, o->index) : 64;
    int64_t plus = k == 0 && in->offset ? in->offset : o->kind == WG_O_REG ? (int64_t)o->imm : 0;
    struct wg_value v = wg_operand(e, o, bits);
    LLVMValueRef x = wg_value_vec(e, &v), far = wg_i64(e, (uint64_t)plus);
    if (shared) {
        x = wg_emit_resize(e, wg_emit_resize(e, x, 32, false), 64, true);
        far = LLVMBuildAdd(e->L.b, far, wg_shared_base(e), "");
    }
    return LLVMBuildAdd(e->L.b, wg_emit_resize(e, x, 64, false), wg_emit_splat(e, e->L.b, far), "");
}

static bool is_tensor(const struct wg_ir_instr *in) {
    return in->op == WG_OP_TENSOR_LOAD || in->op == WG_OP_TENSOR_STORE || in->op == WG_OP_TENSOR_RED;
}

enum { NUMBER, FAR, SHARED };
/* The kind of source k. */
static int kind_of(const struct wg_ir_instr *in, uint32_t k) {
    uint32_t rank = is_tensor(in) ? in->mod[WG_MC_DIMS] - WG_M_d1 + 1u : 0;
    if (in->op == WG_OP_TENSOR_LOAD) return k == 0 || k == 2 + rank ? SHARED : k == 1 ? FAR : NUMBER;
    if (is_tensor(in)) return k == 0 ? FAR : k == 1 + rank ? SHARED : NUMBER;
    if (k == 0) return in->space == WG_S_GLOBAL ? FAR : SHARED;
    if (k == 1) return in->op == WG_OP_BULK_LOAD ? FAR : SHARED;
    return k == 3 ? SHARED : NUMBER;
}

void wg_emit_bulk(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef mask = wg_instr_mask(e, in), area = wg_operand_area(e, in->nsrc);
    for (uint32_t k = 0; k < in->nsrc; k++) {
        int kind = kind_of(in, k);
        LLVMValueRef x;
        if (kind == NUMBER) {
            uint32_t bits = in->src[k].kind == WG_O_REG ? wg_reg_bits(e, in->src[k].index) : 32;
            struct wg_value v = wg_operand(e, &in->src[k], bits);
            x = wg_emit_resize(e, wg_value_vec(e, &v), 64, false);
        } else {
            x = address_lanes(e, in, k, kind == SHARED);
        }
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x, wg_field(e, e->L.b, area, (size_t)k * 256)), 64);
    }
    uint64_t code = in->op | (uint64_t)in->mod[WG_MC_AOP] << 16 | (uint64_t)in->type << 24 |
                    (uint64_t)(is_tensor(in) ? in->mod[WG_MC_DIMS] - WG_M_d1 + 1 : 0) << 32 |
                    (uint64_t)(in->mod[WG_MC_MULTICAST] != WG_M_none) << 40 |
                    (uint64_t)(in->space == WG_S_GLOBAL) << 41;
    LLVMValueRef args[5] = {e->warp, area, mask, wg_i64(e, code), wg_i32(e, in->id)};
    LLVMValueRef bad = wg_call_helper(e, "wg_jit_bulk", e->i32, args, 5);
    LLVMValueRef lane = LLVMBuildAnd(e->L.b, LLVMBuildSub(e->L.b, bad, wg_i32(e, 1), ""), wg_i32(e, 31), "");
    LLVMValueRef address = LLVMBuildLoad2(e->L.b, e->i64, area, "");
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntUGT, bad, wg_i32(e, WG_LANES), ""), WG_FAULT_ADDRESS, in,
                address, lane);
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, bad, wg_i32(e, 0), ""), WG_FAULT_COPY, in, NULL, lane);
}
