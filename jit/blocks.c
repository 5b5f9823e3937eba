/* From block to block, in the form of CONVERGED that runs whole blocks: the first one is the machine's
 * choice, and the next ones follow it in the order x, y, z for as long as the machine lets them (warp/warp.h:
 * more).
 *
 *     entry:   variables, and what is the same for all blocks of the launch
 *     block:   the block's indices; registers as a kernel finds them; then the first phase
 *     end:     done, or the next block's indices, written down for who asks meanwhile, and again
 */
#include "jit/function.h"

/* Not to be left out or put off: a fault's report, and services, read it. */
static void write_down(struct wg_emit *e, LLVMValueRef x, size_t offset, unsigned align) {
    LLVMValueRef st = LLVMBuildStore(e->L.b, x, wg_field(e, e->L.b, e->block_ptr, offset));
    LLVMSetOrdering(st, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(st, align);
}

/* A value that each block has its own of; the first one's is in the machine's memory. */
static LLVMValueRef own(struct wg_emit *e, LLVMTypeRef t, size_t offset, const char *name) {
    LLVMValueRef first = wg_load_field(e, e->entry_b, t, e->block_ptr, offset, false, "");
    LLVMValueRef phi = LLVMBuildPhi(e->block_b, t, name);
    LLVMAddIncoming(phi, &first, &e->entry, 1);
    return phi;
}

void wg_fn_begin_blocks(struct wg_emit *e) {
    LLVMBasicBlockRef block = wg_new_bb(e, "block");
    LLVMPositionBuilderAtEnd(e->block_b, block);
    static const char *const name[] = {"ctaid_x", "ctaid_y", "ctaid_z"};
    for (uint32_t i = 0; i < 3; i++)
        e->pre[WG_SR_ctaid_x + i] = e->pre[WG_SR_clusterid_x + i] =
            own(e, e->i32, offsetof(struct wg_block, ctaid) + 4 * i, name[i]);
    e->more = own(e, e->i64, offsetof(struct wg_block, more), "more");
}

/* Of %smid, which follows from the block's number. */
LLVMValueRef wg_block_smid(struct wg_emit *e) {
    LLVMValueRef n = NULL;
    for (uint32_t i = 3; i-- > 0;) {
        LLVMValueRef at = LLVMBuildZExt(e->block_b, e->pre[WG_SR_ctaid_x + i], e->i64, "");
        LLVMValueRef size = wg_load_field(e, e->entry_b, e->i32, e->block_ptr,
                                          offsetof(struct wg_block, nctaid) + 4 * i, true, "");
        size = LLVMBuildZExt(e->block_b, size, e->i64, "");
        n = n ? LLVMBuildAdd(e->block_b, at, LLVMBuildMul(e->block_b, n, size, ""), "") : at;
    }
    LLVMValueRef sms =
        wg_load_field(e, e->entry_b, e->i32, e->block_ptr, offsetof(struct wg_block, nsmid), true, "nsmid");
    n = LLVMBuildURem(e->block_b, n, LLVMBuildZExt(e->block_b, sms, e->i64, ""), "");
    return LLVMBuildTrunc(e->block_b, n, e->i32, "smid");
}

/* The builder stands where a block has ended. */
void wg_fn_finish_blocks(struct wg_emit *e) {
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->block_b);
    LLVMBasicBlockRef done = wg_new_bb(e, "done"), on = wg_new_bb(e, "on"), next = wg_new_bb(e, "next");
    LLVMValueRef zero = wg_i32(e, 0), again = LLVMConstInt(e->i1, 1, 0);
    if (e->ncombine) { /* the machine wants to see to sums between blocks */
        LLVMBuildBr(e->L.b, done);
    } else {
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, e->more, wg_i64(e, 0), ""), on, done);
    }
    LLVMPositionBuilderAtEnd(e->L.b, done);
    LLVMBuildRet(e->L.b, wg_i32(e, WG_WARP_DONE));
    if (e->ncombine) {
        LLVMDeleteBasicBlock(on);
        LLVMDeleteBasicBlock(next);
        return;
    }

    LLVMPositionBuilderAtEnd(e->L.b, on);
    LLVMValueRef stop =
        wg_load_field(e, e->entry_b, e->ptr, e->block_ptr, offsetof(struct wg_block, stop), true, "stop");
    stop = LLVMBuildLoad2(e->L.b, e->i32, stop, "");
    LLVMSetOrdering(stop, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(stop, 4);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, stop, zero, ""), next, done);

    LLVMPositionBuilderAtEnd(e->L.b, next);
    LLVMValueRef more = LLVMBuildSub(e->L.b, e->more, wg_i64(e, 1), "");
    LLVMAddIncoming(e->more, &more, &next, 1);
    write_down(e, more, offsetof(struct wg_block, more), 8);
    for (uint32_t i = 0; i < 3; i++) {
        LLVMValueRef was = e->pre[WG_SR_ctaid_x + i];
        LLVMValueRef size = wg_load_field(e, e->entry_b, e->i32, e->block_ptr,
                                          offsetof(struct wg_block, nctaid) + 4 * i, true, "");
        LLVMValueRef x = LLVMBuildAdd(e->L.b, was, LLVMBuildZExt(e->L.b, again, e->i32, ""), "");
        again = LLVMBuildICmp(e->L.b, LLVMIntEQ, x, size, "");
        x = LLVMBuildSelect(e->L.b, again, zero, x, "");
        LLVMAddIncoming(was, &x, &next, 1);
        write_down(e, x, offsetof(struct wg_block, ctaid) + 4 * i, 4);
    }
    LLVMBuildBr(e->L.b, block);
}
