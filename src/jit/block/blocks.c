/* The loop over thread blocks, in the form of CONVERGED that runs whole blocks: the machine picks the first
 * one, and the next ones follow in the order x, y, z for as long as the machine lets them (warp/warp.h:
 * more).
 *
 *     entry:   variables, and what is invariant over the launch
 *     row:     indices y and z, and what depends on them alone: LLVM hoists it to here
 *     block:   the index x; registers as a kernel finds them; then the first phase
 *     end:     done, or the next block's indices, stored for whoever reads them meanwhile, and again
 *
 * After the last block of a sweep (analysis/interchange.h) whose blocks ran one iteration comes the first one
 * again, for the next iteration; but now and then the machine publishes pending sums first.
 */
#include "jit/warp/function.h"

/* A store that may not be removed or delayed: a fault's report, and services, read it. */
static void write_down(struct wg_emit *e, LLVMValueRef x, size_t offset, unsigned align) {
    LLVMValueRef st = LLVMBuildStore(e->L.b, x, wg_field(e, e->L.b, e->once.block, offset));
    LLVMSetOrdering(st, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(st, align);
}

/* A variable with one value per row of blocks; the first row's value is in the machine's memory. */
static LLVMValueRef of_row(struct wg_emit *e, LLVMTypeRef t, size_t offset, const char *name) {
    LLVMValueRef first = wg_load_field(e, e->entry_b, t, e->once.block, offset, false, "");
    LLVMValueRef phi = LLVMBuildPhi(e->block_b, t, name);
    LLVMAddIncoming(phi, &first, &e->entry, 1);
    return phi;
}

/* A variable that changes from block to block; it starts with its value at the beginning of the row. */
static LLVMValueRef of_block(struct wg_emit *e, LLVMValueRef first, const char *name) {
    LLVMValueRef phi = LLVMBuildPhi(e->block_b, LLVMTypeOf(first), name);
    LLVMAddIncoming(phi, &first, &e->run.row, 1);
    return phi;
}

enum { SWEEPS = 16 }; /* until the machine publishes sums */

static LLVMValueRef load_u32(struct wg_emit *e, size_t offset) {
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, e->i32, wg_field(e, e->L.b, e->once.block, offset), "");
    LLVMSetAlignment(x, 4);
    return x;
}

/* The last block of a sweep has run its iteration: starts the first block's next one and continues there; or
 * branches to `done`. */
static void begin_next_sweep(struct wg_emit *e, LLVMBasicBlockRef done) {
    LLVMBasicBlockRef swept = wg_new_bb(e, "swept"), again = wg_new_bb(e, "sweep");
    LLVMValueRef goes_on = load_u32(e, offsetof(struct wg_block, goes_on)), none = wg_i32(e, 0);
    LLVMValueRef x = e->once.sreg[WG_SR_ctaid_x], is_last = load_u32(e, offsetof(struct wg_block, last_x));
    is_last = LLVMBuildICmp(e->L.b, LLVMIntEQ, x, is_last, "");
    goes_on = LLVMBuildICmp(e->L.b, LLVMIntNE, goes_on, none, "");
    LLVMBuildCondBr(e->L.b, LLVMBuildAnd(e->L.b, goes_on, is_last, ""), swept, done);
    LLVMPositionBuilderAtEnd(e->L.b, swept);
    LLVMValueRef iteration = LLVMBuildAdd(e->L.b, e->once.sreg[WG_SR_iteration], wg_i32(e, 1), "");
    LLVMValueRef often =
        LLVMBuildAnd(e->L.b, iteration, wg_i32(e, e->access.ncombine ? SWEEPS - 1 : UINT32_MAX), "");
    LLVMValueRef stop =
        wg_load_field(e, e->entry_b, e->ptr, e->once.block, offsetof(struct wg_block, stop), true, "stop");
    stop = LLVMBuildLoad2(e->L.b, e->i32, stop, "");
    LLVMSetOrdering(stop, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(stop, 4);
    LLVMValueRef on = LLVMBuildAnd(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, stop, none, ""),
                                   LLVMBuildICmp(e->L.b, LLVMIntNE, often, none, ""), "");
    LLVMBuildCondBr(e->L.b, on, again, done);

    LLVMPositionBuilderAtEnd(e->L.b, again);
    x = load_u32(e, offsetof(struct wg_block, first_x));
    LLVMValueRef more = LLVMBuildSub(e->L.b, load_u32(e, offsetof(struct wg_block, last_x)), x, "");
    more = LLVMBuildZExt(e->L.b, more, e->i64, "");
    write_down(e, none, offsetof(struct wg_block, goes_on), 4);
    write_down(e, iteration, offsetof(struct wg_block, iteration), 4);
    write_down(e, x, offsetof(struct wg_block, ctaid), 4);
    write_down(e, more, offsetof(struct wg_block, more), 8);
    LLVMAddIncoming(e->run.row_x, &x, &again, 1);
    LLVMAddIncoming(e->run.row_more, &more, &again, 1);
    LLVMAddIncoming(e->once.sreg[WG_SR_iteration], &iteration, &again, 1);
    for (uint32_t i = 1; i < 3; i++)
        LLVMAddIncoming(e->once.sreg[WG_SR_ctaid_x + i], &e->once.sreg[WG_SR_ctaid_x + i], &again, 1);
    LLVMBuildBr(e->L.b, e->run.row);
}

void wg_fn_begin_blocks(struct wg_emit *e) {
    static const char *const name[] = {"first_x", "ctaid_y", "ctaid_z"};
    LLVMBasicBlockRef block = wg_new_bb(e, "block");
    e->run.row = wg_new_bb(e, "row");
    LLVMPositionBuilderAtEnd(e->block_b, e->run.row);
    for (uint32_t i = 0; i < 3; i++)
        e->once.sreg[WG_SR_ctaid_x + i] = e->once.sreg[WG_SR_clusterid_x + i] =
            of_row(e, e->i32, offsetof(struct wg_block, ctaid) + 4 * i, name[i]);
    e->run.more = of_row(e, e->i64, offsetof(struct wg_block, more), "first_more");
    if (e->func->sweeps)
        e->once.sreg[WG_SR_iteration] = of_row(e, e->i32, offsetof(struct wg_block, iteration), "iteration");
    LLVMBuildBr(e->block_b, block);
    LLVMPositionBuilderAtEnd(e->block_b, block);
    e->run.row_x = e->once.sreg[WG_SR_ctaid_x];
    e->run.row_more = e->run.more;
    e->once.sreg[WG_SR_ctaid_x] = e->once.sreg[WG_SR_clusterid_x] = of_block(e, e->run.row_x, "ctaid_x");
    e->run.more = of_block(e, e->run.row_more, "more");
}

static LLVMValueRef blocks_along(struct wg_emit *e, uint32_t axis) {
    return wg_load_field(e, e->entry_b, e->i32, e->once.block, offsetof(struct wg_block, nctaid) + 4 * axis,
                         true, "");
}

/* The builder is positioned where a block has ended. */
void wg_fn_finish_blocks(struct wg_emit *e) {
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->block_b);
    LLVMBasicBlockRef done = wg_new_bb(e, "done"), on = wg_new_bb(e, "on"), next = wg_new_bb(e, "next");
    LLVMValueRef zero = wg_i32(e, 0), again = LLVMConstInt(e->i1, 1, 0);
    LLVMBasicBlockRef last = e->func->sweeps ? wg_new_bb(e, "last") : done;
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, e->run.more, wg_i64(e, 0), ""), on, last);
    LLVMPositionBuilderAtEnd(e->L.b, done);
    LLVMBuildRet(e->L.b, wg_i32(e, WG_WARP_DONE));

    if (last != done) {
        LLVMPositionBuilderAtEnd(e->L.b, last);
        begin_next_sweep(e, done);
    }
    LLVMPositionBuilderAtEnd(e->L.b, on);
    LLVMValueRef stop =
        wg_load_field(e, e->entry_b, e->ptr, e->once.block, offsetof(struct wg_block, stop), true, "stop");
    stop = LLVMBuildLoad2(e->L.b, e->i32, stop, "");
    LLVMSetOrdering(stop, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(stop, 4);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, stop, zero, ""), next, done);

    LLVMPositionBuilderAtEnd(e->L.b, next);
    LLVMValueRef more = LLVMBuildSub(e->L.b, e->run.more, wg_i64(e, 1), "");
    write_down(e, more, offsetof(struct wg_block, more), 8);
    LLVMBasicBlockRef along = wg_new_bb(e, "along"), down = wg_new_bb(e, "down");
    LLVMValueRef x = LLVMBuildAdd(e->L.b, e->once.sreg[WG_SR_ctaid_x], wg_i32(e, 1), "");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, x, blocks_along(e, 0), ""), down, along);

    LLVMPositionBuilderAtEnd(e->L.b, along);
    write_down(e, x, offsetof(struct wg_block, ctaid), 4);
    LLVMAddIncoming(e->once.sreg[WG_SR_ctaid_x], &x, &along, 1);
    LLVMAddIncoming(e->run.more, &more, &along, 1);
    LLVMBuildBr(e->L.b, block);

    LLVMPositionBuilderAtEnd(e->L.b, down);
    write_down(e, zero, offsetof(struct wg_block, ctaid), 4);
    LLVMAddIncoming(e->run.row_x, &zero, &down, 1);
    LLVMAddIncoming(e->run.row_more, &more, &down, 1);
    if (e->func->sweeps)
        LLVMAddIncoming(e->once.sreg[WG_SR_iteration], &e->once.sreg[WG_SR_iteration], &down, 1);
    for (uint32_t i = 1; i < 3; i++) {
        LLVMValueRef was = e->once.sreg[WG_SR_ctaid_x + i];
        LLVMValueRef to = LLVMBuildAdd(e->L.b, was, LLVMBuildZExt(e->L.b, again, e->i32, ""), "");
        again = LLVMBuildICmp(e->L.b, LLVMIntEQ, to, blocks_along(e, i), "");
        to = LLVMBuildSelect(e->L.b, again, zero, to, "");
        LLVMAddIncoming(was, &to, &down, 1);
        write_down(e, to, offsetof(struct wg_block, ctaid) + 4 * i, 4);
    }
    LLVMBuildBr(e->L.b, e->run.row);
}
