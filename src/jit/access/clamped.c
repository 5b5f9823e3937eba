/* Speculated accesses: the indices of a clamped or divided index are mostly those of a row (access_plan.h),
 * and the code compares them with one at run time. Where they match it is one load or store; in thread blocks
 * of 8 or 16 columns, one for each row of threads. Where they are in a few rows, as those of a divided index
 * are, it is one masked load per row; elsewhere a gather or scatter.
 */
#include "jit/access/access_plan.h"
#include "jit/lower/lower_rows.h"

enum { MOST_ROWS = WG_LANES / 8 };

/* Number of rows of threads in the plan; the lanes of each are contiguous. */
static uint32_t rows_of(const struct wg_access *plan) { return WG_LANES / plan->columns; }

static void first_of_rows(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                          LLVMValueRef first[MOST_ROWS]) {
    for (uint32_t i = 0; i < rows_of(plan); i++)
        first[i] = LLVMBuildExtractElement(e->L.b, a->near, wg_i64(e, (uint64_t)i * plan->columns), "");
}

/* Broadcasts each row's first index to all of its lanes. */
static LLVMValueRef spread_first(struct wg_emit *e, const struct wg_access *plan, LLVMValueRef near,
                                 LLVMValueRef first) {
    LLVMValueRef c[WG_LANES];
    if (rows_of(plan) == 1) return wg_emit_splat(e, e->L.b, first);
    for (uint32_t l = 0; l < WG_LANES; l++) c[l] = wg_i32(e, l - l % plan->columns);
    return LLVMBuildShuffleVector(e->L.b, near, LLVMGetPoison(LLVMTypeOf(near)), LLVMConstVector(c, WG_LANES),
                                  "");
}

/* i1: all lanes are active, and in each row the indices grow by `step` from lane to lane without wrapping. Where
 * only one term of the index grows at all, that term is compared. */
static LLVMValueRef are_rows(struct wg_emit *e, const struct wg_access *plan, LLVMValueRef near,
                             const LLVMValueRef first[MOST_ROWS], int64_t step, LLVMValueRef mask) {
    LLVMBuilderRef b = e->L.b;
    int64_t k[WG_LANES];
    if (plan->grows != WG_NO_REG) near = wg_value_vec(e, wg_value_get(e, plan->grows));
    LLVMValueRef lane0 = LLVMBuildExtractElement(b, near, wg_i64(e, 0), "");
    for (int64_t l = 0; l < WG_LANES; l++) k[l] = l % plan->columns * step;
    LLVMValueRef row = LLVMBuildAdd(b, spread_first(e, plan, near, lane0), wg_lane_consts(e, k, 32), "");
    LLVMValueRef same = wg_emit_mask(e, LLVMBuildICmp(b, LLVMIntEQ, near, row, ""));
    LLVMValueRef most = wg_i32(e, (uint32_t)(INT32_MAX - k[WG_LANES - 1]));
    same = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, same, mask, ""), wg_i32(e, UINT32_MAX), "");
    for (uint32_t i = 0; i < rows_of(plan); i++)
        same = LLVMBuildAnd(b, same, LLVMBuildICmp(b, LLVMIntSLE, first[i], most, ""), "row");
    return same;
}

static LLVMValueRef row_pointer(struct wg_emit *e, const struct wg_value *a, LLVMValueRef first) {
    LLVMValueRef at =
        LLVMBuildMul(e->L.b, wg_emit_resize(e, first, 64, true), wg_i64(e, (uint64_t)a->step), "");
    return LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, a->far, at, ""), e->ptr, "");
}

static LLVMValueRef load_rows(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                              const LLVMValueRef first[MOST_ROWS]) {
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, plan->bits), plan->columns);
    LLVMValueRef part[MOST_ROWS];
    for (uint32_t i = 0; i < rows_of(plan); i++) {
        part[i] = LLVMBuildLoad2(e->L.b, t, row_pointer(e, a, first[i]), "");
        LLVMSetAlignment(part[i], plan->bits / 8);
    }
    return wg_lanes_join(&e->L, part, rows_of(plan), WG_LANES);
}

/* In lane order: where rows overlap, the last lane's value remains. */
static void store_rows(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                       LLVMValueRef x, const LLVMValueRef first[MOST_ROWS]) {
    for (uint32_t i = 0; i < rows_of(plan); i++) {
        LLVMValueRef part = wg_lanes_of(&e->L, x, i * plan->columns, plan->columns);
        LLVMSetAlignment(LLVMBuildStore(e->L.b, part, row_pointer(e, a, first[i])), plan->bits / 8);
    }
}

void wg_store_speculated(struct wg_emit *e, const struct wg_access *plan, struct wg_value *a, LLVMValueRef x,
                         LLVMValueRef mask) {
    LLVMBasicBlockRef row = wg_new_bb(e, "row"), apart = wg_new_bb(e, "apart"), join = wg_new_bb(e, "stored");
    LLVMValueRef first[MOST_ROWS];
    first_of_rows(e, plan, a, first);
    LLVMBuildCondBr(e->L.b, are_rows(e, plan, a->near, first, plan->bits / 8 / a->step, mask), row, apart);
    LLVMPositionBuilderAtEnd(e->L.b, row);
    store_rows(e, plan, a, x, first);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, apart);
    wg_scatter(e, a, x, plan->bits, mask);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
}

LLVMValueRef wg_load_speculated(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                                LLVMValueRef mask) {
    LLVMBasicBlockRef row = wg_new_bb(e, "row"), apart = wg_new_bb(e, "apart"), join = wg_new_bb(e, "loaded");
    LLVMValueRef first[MOST_ROWS], x[2];
    first_of_rows(e, plan, a, first);
    LLVMBuildCondBr(e->L.b, are_rows(e, plan, a->near, first, plan->bits / 8 / a->step, mask), row, apart);
    LLVMPositionBuilderAtEnd(e->L.b, row);
    x[0] = load_rows(e, plan, a, first);
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
