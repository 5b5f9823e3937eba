/* Loads whose lanes are in a few contiguous rows, found at run time: one masked load per row.
 *
 *     blocks of 24 x 8 threads:   tile[ty][tx] + tile[ty][tx + 1] + tile[ty + 1][tx]     two rows in a warp
 *
 * The code finds at run time where a row starts: where an index is not one more than the previous lane's.
 * Each row is then one masked load, from where lane 0 would be if it were in that row. What accesses at the
 * same indices share, which is everything but their base, is computed once in a basic block.
 */
#include "jit/access/access_plan.h"

enum { MOST_ROWS = 4 };

/* The rows found for one vector of indices. */
struct wg_lane_rows {
    uint32_t bits;
    int64_t step;
    LLVMValueRef near;   /* the indices */
    LLVMValueRef n;      /* i32: number of rows; 0: more than MOST_ROWS */
    LLVMValueRef at, on; /* in memory, for each row: bytes from `far` to lane 0, and the mask of its lanes */
};

/* Mask of the lanes that start a row. Within a row indices grow by `step` without wrapping. */
static LLVMValueRef row_starts(struct wg_emit *e, LLVMValueRef near, int64_t step) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef c[WG_LANES];
    for (uint32_t l = 0; l < WG_LANES; l++) c[l] = wg_i32(e, l ? l - 1 : 0);
    LLVMValueRef before =
        LLVMBuildShuffleVector(b, near, LLVMGetPoison(LLVMTypeOf(near)), LLVMConstVector(c, WG_LANES), "");
    LLVMValueRef grown = LLVMBuildSub(b, near, before, "");
    LLVMValueRef next =
        LLVMBuildICmp(b, LLVMIntEQ, grown, wg_emit_splat(e, b, wg_i32(e, (uint32_t)step)), "");
    next = LLVMBuildAnd(b, next, LLVMBuildICmp(b, LLVMIntSGT, near, before, ""), "");
    return LLVMBuildNot(b, wg_emit_mask(e, next), "starts");
}

static LLVMValueRef entry_of(struct wg_emit *e, LLVMTypeRef t, LLVMValueRef array, LLVMValueRef i) {
    return LLVMBuildInBoundsGEP2(e->L.b, t, array, &i, 1, "");
}

struct row {
    LLVMValueRef at, on; /* bytes from `far` to where lane 0 would be; mask of its lanes */
    LLVMValueRef rest;   /* mask of the lanes that start the remaining rows */
};

/* The row that starts at the lowest lane of `left`. */
static struct row first_row(struct wg_emit *e, const struct wg_lane_rows *r, const struct wg_value *a,
                            LLVMValueRef near, LLVMValueRef left) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef of_left[2] = {left, LLVMConstInt(e->i1, 1, 0)};
    LLVMValueRef lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, of_left, 2);
    LLVMValueRef first = LLVMBuildAnd(b, left, LLVMBuildNeg(b, left, ""), "");
    LLVMValueRef rest = LLVMBuildXor(b, left, first, "");
    LLVMValueRef below = LLVMBuildAnd(b, rest, LLVMBuildNeg(b, rest, ""), "");
    LLVMValueRef row = LLVMBuildSub(b, below, first, ""); /* from `first` on, up to `below` or all */
    LLVMValueRef index = LLVMBuildLoad2(b, e->i32, entry_of(e, e->i32, near, lane), "");
    LLVMValueRef at = LLVMBuildMul(b, wg_emit_resize(e, index, 64, true), wg_i64(e, (uint64_t)a->step), "");
    LLVMValueRef back = LLVMBuildMul(b, LLVMBuildZExt(b, lane, e->i64, ""), wg_i64(e, r->bits / 8), "");
    return (struct row){LLVMBuildSub(b, at, back, ""), row, rest};
}

/* Spills the lanes' indices to memory, and finds where rows start. */
static LLVMValueRef spill(struct wg_emit *e, const struct wg_lane_rows *r, const struct wg_value *a,
                          LLVMValueRef *starts, LLVMValueRef *count) {
    LLVMValueRef near = LLVMBuildAlloca(e->entry_b, LLVMTypeOf(a->near), "indices");
    LLVMBuildStore(e->L.b, a->near, near);
    *starts = row_starts(e, a->near, r->bits / 8 / a->step);
    *count = wg_lower_intrinsic(&e->L, "llvm.ctpop", &e->i32, 1, starts, 1);
    return near;
}

static LLVMValueRef are_few(struct wg_emit *e, LLVMValueRef count) {
    return LLVMBuildICmp(e->L.b, LLVMIntULE, count, wg_i32(e, MOST_ROWS), "");
}

static void find_rows(struct wg_emit *e, struct wg_lane_rows *r, const struct wg_value *a) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef starts, count, near = spill(e, r, a, &starts, &count), zero = wg_i32(e, 0);
    r->at = LLVMBuildAlloca(e->entry_b, LLVMArrayType2(e->i64, MOST_ROWS), "rows");
    r->on = LLVMBuildAlloca(e->entry_b, LLVMArrayType2(e->i32, MOST_ROWS), "lanes");
    LLVMBasicBlockRef head = LLVMGetInsertBlock(b), loop = wg_new_bb(e, "row"), done = wg_new_bb(e, "found");
    LLVMBuildCondBr(b, are_few(e, count), loop, done);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef left = LLVMBuildPhi(b, e->i32, "left"), i = LLVMBuildPhi(b, e->i32, "");
    struct row row = first_row(e, r, a, near, left);
    LLVMBuildStore(b, row.at, entry_of(e, e->i64, r->at, i));
    LLVMBuildStore(b, row.on, entry_of(e, e->i32, r->on, i));
    LLVMValueRef next = LLVMBuildAdd(b, i, wg_i32(e, 1), "");
    LLVMBasicBlockRef from[2] = {head, LLVMGetInsertBlock(b)};
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, row.rest, zero, ""), loop, done);
    LLVMAddIncoming(left, (LLVMValueRef[]){starts, row.rest}, from, 2);
    LLVMAddIncoming(i, (LLVMValueRef[]){zero, next}, from, 2);
    LLVMPositionBuilderAtEnd(b, done);
    r->n = LLVMBuildPhi(b, e->i32, "rows");
    LLVMAddIncoming(r->n, (LLVMValueRef[]){zero, count}, from, 2);
}

/* Loads the lanes `on`; the others keep the value in `x`. */
static LLVMValueRef load_row(struct wg_emit *e, const struct wg_lane_rows *r, const struct wg_value *a,
                             LLVMValueRef at, LLVMValueRef on, LLVMValueRef x) {
    LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, a->far, at, ""), e->ptr, "");
    LLVMTypeRef types[2] = {LLVMTypeOf(x), e->ptr};
    LLVMValueRef args[4] = {p, wg_i32(e, r->bits / 8), wg_emit_bits(e, on), x};
    return wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, args, 4);
}

/* Loads all rows found before. */
static LLVMValueRef load_each(struct wg_emit *e, const struct wg_lane_rows *r, const struct wg_value *a,
                              LLVMValueRef mask) {
    LLVMBuilderRef b = e->L.b;
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, r->bits), WG_LANES);
    LLVMBasicBlockRef head = LLVMGetInsertBlock(b), loop = wg_new_bb(e, "row"), done = wg_new_bb(e, "rows");
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef i = LLVMBuildPhi(b, e->i32, ""), x = LLVMBuildPhi(b, t, "");
    LLVMValueRef at = LLVMBuildLoad2(b, e->i64, entry_of(e, e->i64, r->at, i), "");
    LLVMValueRef on = LLVMBuildLoad2(b, e->i32, entry_of(e, e->i32, r->on, i), "");
    on = LLVMBuildAnd(b, on, mask, "");
    LLVMValueRef sum = load_row(e, r, a, at, on, x), next = LLVMBuildAdd(b, i, wg_i32(e, 1), "");
    LLVMBasicBlockRef from[2] = {head, LLVMGetInsertBlock(b)};
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, next, r->n, ""), loop, done);
    LLVMAddIncoming(i, (LLVMValueRef[]){wg_i32(e, 0), next}, from, 2);
    LLVMAddIncoming(x, (LLVMValueRef[]){LLVMConstNull(t), sum}, from, 2);
    LLVMPositionBuilderAtEnd(b, done);
    return sum;
}

/* Loads the rows from `starts` on, as they are found. */
static LLVMValueRef load_once(struct wg_emit *e, const struct wg_lane_rows *r, const struct wg_value *a,
                              LLVMValueRef near, LLVMValueRef starts, LLVMValueRef mask) {
    LLVMBuilderRef b = e->L.b;
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, r->bits), WG_LANES);
    LLVMBasicBlockRef head = LLVMGetInsertBlock(b), loop = wg_new_bb(e, "row"), done = wg_new_bb(e, "rows");
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef left = LLVMBuildPhi(b, e->i32, "left"), x = LLVMBuildPhi(b, t, "");
    struct row row = first_row(e, r, a, near, left);
    LLVMValueRef sum = load_row(e, r, a, row.at, LLVMBuildAnd(b, row.on, mask, ""), x);
    LLVMBasicBlockRef from[2] = {head, LLVMGetInsertBlock(b)};
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, row.rest, wg_i32(e, 0), ""), loop, done);
    LLVMAddIncoming(left, (LLVMValueRef[]){starts, row.rest}, from, 2);
    LLVMAddIncoming(x, (LLVMValueRef[]){LLVMConstNull(t), sum}, from, 2);
    LLVMPositionBuilderAtEnd(b, done);
    return sum;
}

/* For 64-bit addresses in shared memory, each access truncates the indices to 32 bits again. */
static LLVMValueRef indices_of(const struct wg_value *a) {
    return LLVMIsATruncInst(a->near) ? LLVMGetOperand(a->near, 0) : a->near;
}

/* Whether these rows are also those of the address's lanes. */
static bool serves(const struct wg_lane_rows *r, const struct wg_value *a, uint32_t bits) {
    return r && r->near == indices_of(a) && r->step == a->step && r->bits == bits;
}

/* The rows of the access before it, if they serve this one. */
static const struct wg_lane_rows *rows_of(struct wg_emit *e, const struct wg_value *a, uint32_t bits) {
    if (serves(e->access.lane_rows, a, bits)) return e->access.lane_rows;
    struct wg_lane_rows *r = WG_NEW(&e->an->arena, struct wg_lane_rows);
    *r = (struct wg_lane_rows){.bits = bits, .step = a->step, .near = indices_of(a)};
    find_rows(e, r, a);
    e->access.lane_rows = r;
    return r;
}

LLVMValueRef wg_load_few_rows(struct wg_emit *e, const struct wg_value *a, uint32_t bits, LLVMValueRef mask,
                              bool share) {
    struct wg_value copy = *a;
    if (!e->L.avx512 || bits > 32) return wg_gather(e, &copy, bits, bits / 8, mask);
    struct wg_lane_rows own = {.bits = bits};
    const struct wg_lane_rows *r = share ? rows_of(e, a, bits) : &own;
    LLVMValueRef starts, count, near = share ? NULL : spill(e, r, a, &starts, &count);
    LLVMValueRef few = share ? LLVMBuildICmp(e->L.b, LLVMIntNE, r->n, wg_i32(e, 0), "") : are_few(e, count);
    LLVMBasicBlockRef some = wg_new_bb(e, "some"), many = wg_new_bb(e, "many"), join = wg_new_bb(e, "loaded"),
                      from[2];
    LLVMBuildCondBr(e->L.b, few, some, many);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    LLVMValueRef x[2] = {share ? load_each(e, r, a, mask) : load_once(e, r, a, near, starts, mask)};
    from[0] = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, many);
    x[1] = wg_gather(e, &copy, bits, bits / 8, mask);
    from[1] = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(x[0]), "");
    LLVMAddIncoming(phi, x, from, 2);
    return phi;
}
