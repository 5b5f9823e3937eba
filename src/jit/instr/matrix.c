/* Matrix instructions: the lanes' registers are passed in memory to matrix_work.c, and the results loaded
 * back. All lanes of the warp have converged: the instruction's table row requires it (F_SYNC). */
#include "jit/emit/count.h"
#include "jit/instr/instr.h"
#include "jit/code/helpers.h"

enum { SLOT = 256 };

LLVMValueRef wg_operand_area(struct wg_emit *e, uint32_t slots) {
    if (slots > e->access.area_slots) {
        LLVMTypeRef t = LLVMArrayType2(e->i8, (uint64_t)slots * SLOT);
        e->access.area = LLVMBuildAlloca(e->entry_b, t, "area");
        LLVMSetAlignment(e->access.area, 64);
        e->access.area_slots = slots;
    }
    return e->access.area;
}

static LLVMValueRef slot_at(struct wg_emit *e, LLVMValueRef area, uint32_t slot) {
    return wg_field(e, e->L.b, area, (size_t)slot * SLOT);
}

void wg_put_operands(struct wg_emit *e, LLVMValueRef area, uint32_t slot, const struct wg_ir_opd *o,
                     uint32_t n, uint32_t bits) {
    for (uint32_t i = 0; i < n; i++) {
        struct wg_value v = wg_operand(e, &o[i], bits);
        LLVMValueRef x = wg_emit_resize(e, wg_value_vec(e, &v), bits, false);
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x, slot_at(e, area, slot + i)), 64);
    }
}

void wg_take_results(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef area, uint32_t slot,
                     uint32_t bits) {
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), WG_LANES);
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG) continue;
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, slot_at(e, area, slot + i), "");
        LLVMSetAlignment(x, 64);
        wg_value_set_vec(e, in->dst[i].index, x);
    }
}

/* The operation code that matrix_work.c decodes. */
static uint64_t code_of(const struct wg_ir_instr *in, bool strided) {
    bool f16 = in->op == WG_OP_WMMA_F16;
    uint64_t a = f16 ? WG_T_F16 : in->type2, b = f16 ? WG_T_F16 : in->type3;
    uint64_t matrix = in->mod[WG_MC_MATRIX] == WG_M_mat_a ? 0 : in->mod[WG_MC_MATRIX] == WG_M_mat_b ? 1 : 2;
    return in->op | (uint64_t)in->mod[WG_MC_SHAPE] << 16 | (uint64_t)in->type << 24 | a << 32 | b << 40 |
           (uint64_t)in->type4 << 48 | (uint64_t)(in->mod[WG_MC_SAT] != WG_M_none) << 56 |
           (uint64_t)(in->mod[WG_MC_TRANS] != WG_M_none) << 57 |
           (uint64_t)(in->mod[WG_MC_LAYOUT] == WG_M_col) << 58 | (uint64_t)strided << 59 | matrix << 60;
}

static void emit_multiply(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_ir_parts *p) {
    uint32_t sources = in->nsrc - 1u; /* the last is the mask */
    LLVMValueRef area = wg_operand_area(e, sources + in->ndst);
    wg_put_operands(e, area, 0, in->src, sources, p->bits);
    LLVMValueRef args[3] = {area, wg_mask(e), wg_i64(e, code_of(in, false))};
    wg_call_helper(e, "wg_jit_multiply", LLVMVoidTypeInContext(e->L.ctx), args, 3);
    wg_take_results(e, in, area, sources, p->bits);
}

/* Addresses of the lanes that supply a row: <32 x i64>, 16 bytes each. */
static LLVMValueRef row_addresses(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t matrices) {
    uint32_t rows = matrices == 4 ? UINT32_MAX : (1u << 8 * matrices) - 1;
    LLVMValueRef mask = LLVMBuildAnd(e->L.b, wg_mask(e), wg_i32(e, rows), "rows");
    struct wg_ir_instr row = *in;
    row.type = WG_T_B128;
    row.nsrc = 1;
    struct wg_value a = wg_address(e, &row, mask);
    return LLVMBuildPtrToInt(e->L.b, wg_pointers(e, &a), LLVMVectorType(e->i64, WG_LANES), "");
}

static void emit_rows(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_ir_parts *p) {
    bool loads = in->op == WG_OP_LDMATRIX;
    LLVMValueRef area = wg_operand_area(e, p->a);
    if (!loads) wg_put_operands(e, area, 0, in->src + 1, p->a, 32);
    LLVMValueRef at = row_addresses(e, in, p->a);
    LLVMValueRef args[5] = {wg_spill_lanes(e, 0, at), area, wg_mask(e), wg_i32(e, p->a),
                            wg_i32(e, in->mod[WG_MC_TRANS] != WG_M_none)};
    wg_call_helper(e, loads ? "wg_jit_ldmatrix" : "wg_jit_stmatrix", LLVMVoidTypeInContext(e->L.ctx), args,
                   5);
    if (loads) wg_take_results(e, in, area, 0, 32);
}

static LLVMValueRef of_first_lane(struct wg_emit *e, LLVMValueRef vec) {
    LLVMValueRef lane = wg_fn_first_lane(e, LLVMBuildOr(e->L.b, wg_mask(e), wg_i32(e, 1u << 31), ""));
    return LLVMBuildExtractElement(e->L.b, vec, lane, "");
}

/* All lanes name the same tile: uses the first one's operands. */
static void emit_tile(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_ir_parts *p) {
    bool loads = in->op == WG_OP_WMMA_LOAD;
    uint32_t parts = loads ? 0 : p->a;
    bool strided = in->nsrc > 2 + parts; /* address, parts, stride, mask */
    LLVMValueRef area = wg_operand_area(e, p->a), stride = wg_i32(e, 0);
    if (!loads) wg_put_operands(e, area, 0, in->src + 1, parts, p->bits);
    if (strided) {
        struct wg_value v = wg_operand(e, &in->src[1 + parts], 32);
        stride = of_first_lane(e, wg_value_vec(e, &v));
    }
    /* In checked code the machine tests the address. */
    struct wg_value a = e->opts->check ? wg_unchecked_address(e, in) : wg_address(e, in, wg_mask(e));
    LLVMValueRef at = LLVMBuildPtrToInt(e->L.b, wg_pointers(e, &a), LLVMVectorType(e->i64, WG_LANES), "");
    at = of_first_lane(e, at);
    wg_count_tile(e, in, at, stride);
    LLVMValueRef args[7] = {e->warp,          at, area, wg_mask(e), stride, wg_i64(e, code_of(in, strided)),
                            wg_i32(e, in->id)};
    LLVMValueRef refused = wg_call_helper(e, "wg_jit_wmma_memory", e->i32, args, 7);
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, refused, wg_i32(e, 0), ""), WG_FAULT_ADDRESS, in, at,
                wg_fn_first_lane(e, LLVMBuildOr(e->L.b, wg_mask(e), wg_i32(e, 1u << 31), "")));
    if (loads) wg_take_results(e, in, area, 0, p->bits);
}

static void emit_transposition(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef area = wg_operand_area(e, 2), args[2] = {area, wg_mask(e)};
    wg_put_operands(e, area, 0, in->src, 1, 32);
    wg_call_helper(e, "wg_jit_movmatrix", LLVMVoidTypeInContext(e->L.ctx), args, 2);
    wg_take_results(e, in, area, 1, 32);
}

/* wgmma: a's words or descriptor at slot 0, b's descriptor at 4, the predicate at 5, d from 6 on. */
static void emit_wgmma(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t parts = in->nsrc - in->ndst - 1u,
             na = in->src[1].kind == WG_O_REG && wg_reg_bits(e, in->src[1].index) == 32 ? 4 : 1;
    uint32_t nimm = parts - na - 2;
    uint64_t flags = 0; /* a negative, b negative, a transposed, b transposed */
    for (uint32_t k = 0; k < nimm; k++) {
        uint32_t x = (uint32_t)in->src[na + 2 + k].imm;
        bool set = k < 2 ? (int32_t)x == -1 : x == 1;
        uint32_t bit = k < 2 ? k : na == 4 ? 3 : k;
        flags |= (uint64_t)set << bit;
    }
    LLVMValueRef area = wg_operand_area(e, 6 + in->ndst);
    wg_put_operands(e, area, 0, in->src, na, na == 4 ? 32 : 64);
    wg_put_operands(e, area, 4, &in->src[na], 1, 64);
    struct wg_value q = wg_operand(e, &in->src[na + 1], 1);
    LLVMValueRef on = wg_emit_resize(e, wg_value_vec(e, &q), 32, false);
    LLVMSetAlignment(LLVMBuildStore(e->L.b, on, slot_at(e, area, 5)), 64);
    wg_put_operands(e, area, 6, &in->src[parts], in->ndst, 32);
    uint64_t code = in->columns | (uint64_t)in->type << 16 | (uint64_t)in->type2 << 24 |
                    (uint64_t)in->type3 << 32 | flags << 40 | (uint64_t)(na == 4) << 44 |
                    (uint64_t)(in->mod[WG_MC_SAT] != WG_M_none) << 45;
    LLVMValueRef args[5] = {e->warp, area, wg_mask(e), wg_i64(e, code), wg_i32(e, in->id)};
    LLVMValueRef ok = wg_call_helper(e, "wg_jit_wgmma", e->i32, args, 5);
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntEQ, ok, wg_i32(e, 0), ""), WG_FAULT_COPY, in, NULL,
                wg_i32(e, 0));
    wg_take_results(e, in, area, 6, 32);
}

void wg_emit_matrix(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_ir_parts p;
    wg_ir_matrix_parts(in, &p);
    switch (in->op) {
    case WG_OP_LDMATRIX:
    case WG_OP_STMATRIX: emit_rows(e, in, &p); break;
    case WG_OP_WMMA_LOAD:
    case WG_OP_WMMA_STORE: emit_tile(e, in, &p); break;
    case WG_OP_WGMMA: emit_wgmma(e, in); break;
    case WG_OP_MOVMATRIX: emit_transposition(e, in); break;
    default: emit_multiply(e, in, &p); break;
    }
}
