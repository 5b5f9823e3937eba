/* Scalarization of masked blocks: where few lanes are active, runs them one after the other.
 *
 *     if (t < stride) part[t] += part[t + stride];       stride 1, 2, 4, 8: as many active lanes in one warp
 *
 * There is no store-to-load forwarding from a masked vector store: the load that follows waits until the
 * store has reached the cache. A gather or scatter costs the same for two lanes as for thirty-two. So where
 * few lanes are active, a short block of loads, arithmetic and one store runs for each of them in scalar
 * registers. All lanes load before the first one stores, as in vector code.
 */
#include "jit/emit/issue.h"
#include "jit/warp/function.h"
#include "jit/warp/one_lane.h"

enum { FEW = 8 };

static LLVMValueRef slot_at(struct wg_emit *e, LLVMTypeRef t, LLVMValueRef array, LLVMValueRef i) {
    LLVMValueRef index[2] = {wg_i32(e, 0), i};
    return LLVMBuildInBoundsGEP2(e->L.b, t, array, index, 2, "");
}

/* Leaves the builder in the block `done`, after both loops. */
static void emit_lanes(struct wg_emit *e, uint32_t b, LLVMValueRef mask, LLVMBasicBlockRef done) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    const struct wg_ir_instr *st = &blk->instrs[blk->ninstrs - 1];
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, wg_type_bits(st->type)),
                places = LLVMArrayType2(e->i64, FEW), values = LLVMArrayType2(t, FEW);
    LLVMValueRef at = LLVMBuildAlloca(e->entry_b, places, "at"), x = LLVMBuildAlloca(e->entry_b, values, "x");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->L.b), load = wg_new_bb(e, "lane.load"),
                      store = wg_new_bb(e, "lane.store"), here;
    struct wg_one_lane l = {.x = WG_NEW_N(&e->an->arena, LLVMValueRef, e->func->nregs)};
    LLVMValueRef zero = wg_i32(e, 0), one = wg_i32(e, 1);
    LLVMBuildBr(e->L.b, load);

    LLVMPositionBuilderAtEnd(e->L.b, load);
    LLVMValueRef rest = LLVMBuildPhi(e->L.b, e->i32, "rest"), n = LLVMBuildPhi(e->L.b, e->i32, "n");
    l.number = wg_first_lane_of(e, rest);
    wg_issues_begin(e);
    for (e->instr = 0; e->instr + 1 < blk->ninstrs; e->instr++) {
        wg_one_lane_emit(e, &l, &blk->instrs[e->instr]);
        wg_issue_here(e);
    }
    LLVMValueRef place = wg_one_lane_address(e, &l, st),
                 value = wg_one_lane_operand(e, &l, &st->src[1], wg_type_bits(st->type));
    LLVMBuildStore(e->L.b, place, slot_at(e, places, at, n));
    LLVMBuildStore(e->L.b, wg_emit_resize(e, value, wg_type_bits(st->type), false), slot_at(e, values, x, n));
    LLVMValueRef more = LLVMBuildAnd(e->L.b, rest, LLVMBuildSub(e->L.b, rest, one, ""), "");
    LLVMValueRef count = LLVMBuildAdd(e->L.b, n, one, "");
    here = LLVMGetInsertBlock(e->L.b);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, more, zero, ""), load, store);
    LLVMAddIncoming(rest, &mask, &before, 1);
    LLVMAddIncoming(rest, &more, &here, 1);
    LLVMAddIncoming(n, &zero, &before, 1);
    LLVMAddIncoming(n, &count, &here, 1);

    LLVMPositionBuilderAtEnd(e->L.b, store);
    LLVMValueRef i = LLVMBuildPhi(e->L.b, e->i32, "i");
    place = LLVMBuildLoad2(e->L.b, e->i64, slot_at(e, places, at, i), "");
    value = LLVMBuildLoad2(e->L.b, t, slot_at(e, values, x, i), "");
    LLVMSetAlignment(LLVMBuildStore(e->L.b, value, LLVMBuildIntToPtr(e->L.b, place, e->ptr, "")),
                     wg_type_bits(st->type) / 8);
    wg_issue_here(e);
    wg_issues_end(e);
    LLVMValueRef next = LLVMBuildAdd(e->L.b, i, one, "");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntULT, next, count, ""), store, done);
    LLVMAddIncoming(i, &zero, &here, 1);
    LLVMAddIncoming(i, &next, &store, 1);
}

LLVMBasicBlockRef wg_fn_emit_few_lanes(struct wg_emit *e, uint32_t b, LLVMValueRef mask) {
    LLVMBasicBlockRef few = wg_new_bb(e, "few"), many = wg_new_bb(e, "many"), done = wg_new_bb(e, "done");
    wg_set_lanes(e, 1);
    LLVMValueRef lanes = wg_lower_intrinsic(&e->L, "llvm.ctpop", &e->i32, 1, &mask, 1);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntULE, lanes, wg_i32(e, FEW), ""), few, many);
    LLVMPositionBuilderAtEnd(e->L.b, few);
    emit_lanes(e, b, mask, done);
    LLVMPositionBuilderAtEnd(e->L.b, many);
    return done;
}
