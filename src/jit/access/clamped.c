/* Accesses at indices that are mostly those of a row (access_plan.h): the lanes' indices are compared with it as the
 * code runs. There it is one load or store. Where they lie in few rows, as those of a divided index do, it is a
 * load under a mask for each row; elsewhere a gather or scatter.
 */
#include "jit/access/access_plan.h"

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

static LLVMValueRef row_pointer(struct wg_emit *e, const struct wg_value *a, LLVMValueRef first) {
    LLVMValueRef at =
        LLVMBuildMul(e->L.b, wg_emit_resize(e, first, 64, true), wg_i64(e, (uint64_t)a->step), "");
    return LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, a->far, at, ""), e->ptr, "");
}

void wg_store_speculated(struct wg_emit *e, const struct wg_access *plan, struct wg_value *a, LLVMValueRef x,
                         LLVMValueRef mask) {
    uint32_t bytes = plan->bits / 8;
    LLVMBasicBlockRef row = wg_new_bb(e, "row"), apart = wg_new_bb(e, "apart"), join = wg_new_bb(e, "stored");
    LLVMValueRef first = LLVMBuildExtractElement(e->L.b, a->near, wg_i64(e, 0), "");
    LLVMBuildCondBr(e->L.b, is_row(e, a->near, first, bytes / a->step, mask), row, apart);
    LLVMPositionBuilderAtEnd(e->L.b, row);
    LLVMSetAlignment(LLVMBuildStore(e->L.b, x, row_pointer(e, a, first)), bytes);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, apart);
    wg_scatter(e, a, x, plan->bits, mask);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
}

LLVMValueRef wg_load_speculated(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                                LLVMValueRef mask) {
    uint32_t bytes = plan->bits / 8;
    LLVMBasicBlockRef row = wg_new_bb(e, "row"), apart = wg_new_bb(e, "apart"), join = wg_new_bb(e, "loaded");
    LLVMValueRef first = LLVMBuildExtractElement(e->L.b, a->near, wg_i64(e, 0), ""), x[2];
    LLVMBuildCondBr(e->L.b, is_row(e, a->near, first, bytes / a->step, mask), row, apart);
    LLVMPositionBuilderAtEnd(e->L.b, row);
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, plan->bits), WG_LANES);
    x[0] = LLVMBuildLoad2(e->L.b, t, row_pointer(e, a, first), "");
    LLVMSetAlignment(x[0], bytes);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, apart);
    x[1] = wg_load_few_rows(e, a, plan->bits, mask, false);
    LLVMBasicBlockRef from[2] = {row, LLVMGetInsertBlock(e->L.b)};
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(x[0]), "");
    LLVMAddIncoming(phi, x, from, 2);
    return phi;
}
