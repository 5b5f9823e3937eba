/* Loads at clamped indices: lanes that may lie anywhere, and mostly lie next to each other.
 *
 *     x = min(max(blockIdx.x * blockDim.x + threadIdx.x + dx, 0), w - 1);   sum += in[y * w + x];
 *
 * What a minimum, a maximum or a choice makes of an index that grows with the lane is no pattern any more,
 * but in all warps but those at the border it has changed nothing. So the lanes' indices are compared with
 * those of a row as the code runs: there it is one load, elsewhere a gather.
 */
#include "jit/emit.h"

enum { DEPTH = 8 };

static bool grows_with_lane(const struct wg_emit *e, const struct wg_ir_opd *o) {
    return o->kind == WG_O_REG && e->an->facts[e->v][o->index].kind == WG_AFFINE;
}

/* Whether sums and products lead from a clamped index to the operand. */
static bool is_clamped(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? e->def[o->index] : NULL;
    if (!in || depth > DEPTH || e->an->facts[e->v][o->index].kind != WG_VARYING) return false;
    bool any = false;
    switch (in->op) {
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_SELP:
        if (grows_with_lane(e, &in->src[0]) || grows_with_lane(e, &in->src[1])) return true;
        /* fall through */
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
    case WG_OP_SHL:
    case WG_OP_CVT:
    case WG_OP_CVTA_TO:
    case WG_OP_MOV:
        for (uint32_t i = 0; i < in->nsrc; i++) any |= is_clamped(e, &in->src[i], depth + 1);
        return any;
    default: return false;
    }
}

/* i1: all lanes are on, and their indices grow by `step` from lane to lane and nowhere wrap round. */
static LLVMValueRef is_row(struct wg_emit *e, LLVMValueRef near, LLVMValueRef first, int64_t step,
                           LLVMValueRef mask) {
    LLVMBuilderRef b = e->L.b;
    int64_t k[WG_LANES];
    for (int64_t l = 0; l < WG_LANES; l++) k[l] = l * step;
    LLVMValueRef row = LLVMBuildAdd(b, wg_emit_splat(e, b, first), wg_lane_consts(e, k, 32), "");
    LLVMValueRef same = wg_emit_mask(e, LLVMBuildICmp(b, LLVMIntEQ, near, row, ""));
    LLVMValueRef most = wg_i32(e, (uint32_t)(INT32_MAX - k[WG_LANES - 1]));
    same = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, same, mask, ""), wg_i32(e, UINT32_MAX), "");
    return LLVMBuildAnd(b, same, LLVMBuildICmp(b, LLVMIntSLE, first, most, ""), "row");
}

LLVMValueRef wg_clamped_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                             uint32_t bits, LLVMValueRef mask) {
    const struct wg_code_opts *o = e->opts;
    uint32_t bytes = bits / 8;
    if (e->v != WG_CONVERGED || !e->L.avx2 || o->opt_level < 2 || o->check || o->sites || o->bounds)
        return NULL;
    if (a->kind != WG_VARYING || !a->near || a->step <= 0 || bytes % a->step || in->guard != WG_NO_REG)
        return NULL;
    wg_find_defs(e);
    if (!is_clamped(e, &in->src[0], 0)) return NULL;
    LLVMBasicBlockRef row = wg_new_bb(e, "row"), apart = wg_new_bb(e, "apart"), join = wg_new_bb(e, "loaded");
    LLVMValueRef first = LLVMBuildExtractElement(e->L.b, a->near, wg_i64(e, 0), ""), x[2];
    LLVMBuildCondBr(e->L.b, is_row(e, a->near, first, bytes / a->step, mask), row, apart);
    LLVMPositionBuilderAtEnd(e->L.b, row);
    LLVMValueRef at =
        LLVMBuildMul(e->L.b, wg_emit_resize(e, first, 64, true), wg_i64(e, (uint64_t)a->step), "");
    at = LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, a->far, at, ""), e->ptr, "");
    x[0] = LLVMBuildLoad2(e->L.b, LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), WG_LANES), at, "");
    LLVMSetAlignment(x[0], bytes);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, apart);
    struct wg_value copy = *a;
    x[1] = wg_gather(e, &copy, bits, bytes, mask);
    LLVMBasicBlockRef from[2] = {row, LLVMGetInsertBlock(e->L.b)};
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(x[0]), "");
    LLVMAddIncoming(phi, x, from, 2);
    return phi;
}
