/* One lane of a basic block in scalar registers: see one_lane.h. */
#include "analysis/one_lane.h"
#include "jit/access/access.h"
#include "jit/warp/one_lane.h"

/* base + k[lane] + r[lane] * scale, for patterns that are multiples of the lane number. */
static LLVMValueRef of_lane(struct wg_emit *e, const struct wg_one_lane *l, const struct wg_value *v) {
    LLVMValueRef x = v->base;
    if (v->kind == WG_UNIFORM || (!v->k && !v->r)) return x;
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef lane = wg_emit_resize(e, l->number, LLVMGetIntTypeWidth(t), false);
    if (v->k)
        x = LLVMBuildAdd(e->L.b, x, LLVMBuildMul(e->L.b, lane, LLVMConstInt(t, (uint64_t)v->k[1], 1), ""),
                         "");
    if (v->r) {
        LLVMValueRef step = LLVMBuildMul(e->L.b, v->scale, LLVMConstInt(t, (uint64_t)v->r[1], 1), "");
        x = LLVMBuildAdd(e->L.b, x, LLVMBuildMul(e->L.b, lane, step, ""), "");
    }
    return x;
}

LLVMValueRef wg_one_lane_operand(struct wg_emit *e, const struct wg_one_lane *l, const struct wg_ir_opd *o,
                                 uint32_t bits) {
    if (o->kind == WG_O_REG && l->x[o->index]) return l->x[o->index];
    struct wg_value v = wg_operand(e, o, bits);
    return of_lane(e, l, &v);
}

LLVMValueRef wg_one_lane_address(struct wg_emit *e, const struct wg_one_lane *l,
                                 const struct wg_ir_instr *in) {
    LLVMValueRef at = wg_one_lane_operand(e, l, &in->src[0], 64);
    uint64_t offset = (uint64_t)in->offset;
    uint32_t bytes = wg_type_bits(in->type) / 8;
    if (in->space == WG_S_SHARED) {
        at = wg_emit_resize(e, wg_emit_resize(e, at, 32, false), 64, true);
        at = LLVMBuildAdd(e->L.b, wg_shared_base(e), at, "");
    } else {
        at = wg_emit_resize(e, at, 64, false);
    }
    at = LLVMBuildAdd(e->L.b, at, wg_i64(e, offset), "");
    if (bytes > 1) {
        LLVMValueRef low = LLVMBuildAnd(e->L.b, at, wg_i64(e, bytes - 1), "");
        wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, low, wg_i64(e, 0), ""), WG_FAULT_MISALIGNED, in, at,
                    l->number);
    }
    wg_check_touch_of_lane(e, in, at, l->number);
    return at;
}

static void set(struct wg_emit *e, struct wg_one_lane *l, const struct wg_ir_instr *in, uint32_t which,
                LLVMValueRef x) {
    uint32_t reg = in->dst[which].index;
    l->x[reg] = wg_emit_resize(e, x, wg_reg_bits(e, reg), wg_type_kind(in->type) == WG_K_S);
}

void wg_one_lane_emit(struct wg_emit *e, struct wg_one_lane *l, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    if (in->op == WG_OP_ST) {
        LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, wg_one_lane_address(e, l, in), e->ptr, "");
        LLVMValueRef x = wg_emit_resize(e, wg_one_lane_operand(e, l, &in->src[1], bits), bits, false);
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x, p), bits / 8);
        return;
    }
    if (in->op == WG_OP_LD) {
        LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, wg_one_lane_address(e, l, in), e->ptr, "");
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, LLVMIntTypeInContext(e->L.ctx, bits), p, "");
        LLVMSetAlignment(x, bits / 8);
        set(e, l, in, 0, x);
        return;
    }
    LLVMValueRef src[WG_ONE_LANE_PARTS], dst[WG_ONE_LANE_PARTS] = {0};
    for (uint32_t i = 0; i < in->nsrc; i++)
        src[i] = wg_one_lane_operand(e, l, &in->src[i], wg_ir_source_bits(in, i));
    wg_set_lanes(e, 1);
    if (!wg_lower_pure(&e->L, in, src, dst)) {
        wg_emit_unsupported(e, in, NULL);
        return;
    }
    for (uint32_t i = 0; i < in->ndst; i++) set(e, l, in, i, dst[i]);
}
