/* Scalarization of divergent loops: loops with lane-dependent trip counts and scattered accesses run one lane
 * after the other, each to its end, in scalar registers.
 *
 *     for (int k = begin[row]; k < begin[row + 1]; k++) sum += value[k] * x[column[k]];
 *     for (int top = 1; top > 0;) if (!left[top]) top--; else ...          each lane with a stack of its own
 *
 * The three gathers of an iteration cost 32 lanes' worth however few lanes are left, and where lanes part in the
 * loop, each of its blocks runs for a few of them. A lane's own accesses cost one each, and out-of-order execution
 * overlaps one lane's last iterations with the next one's first. analysis/lane_loops.h says which loops these are.
 *
 * GENERAL only, after lanes have diverged: registers are in the frame there, so one lane's are read and
 * written individually. The loop's other blocks also have their code for all lanes, for those that arrive there from
 * CONVERGED; they run one by one from the loop's head on.
 */
#include "jit/emit/issue.h"
#include "analysis/lane_loops.h"
#include "jit/warp/one_lane.h"
#include "jit/warp/function.h"

/* A loop while it is emitted. */
struct loop {
    const struct wg_scalar_loop *is;
    struct wg_one_lane lane;
    LLVMValueRef *begin;   /* [register] a lane's initial values */
    LLVMValueRef *var;     /* [register] what blocks of the loop leave for others */
    LLVMBasicBlockRef *bb; /* [block] */
    LLVMBasicBlockRef end;
};

bool wg_fn_lane_loop_fits(struct wg_emit *e, uint32_t b, struct wg_scalar_loop *l) {
    if (e->v != WG_GENERAL || e->access.ncombine) return false;
    for (uint32_t k = 0; k < e->out.checks.n; k++)
        if (e->out.checks.v[k].block == b) return false; /* CONVERGED enters it in the middle */
    return wg_scalar_loop_at(e->an, b, l);
}

static LLVMTypeRef type_of(const struct wg_emit *e, uint32_t reg) {
    return LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, reg));
}

/* Values that are uniform or linear in the lane are loaded before the first lane. */
static void find_registers(struct wg_emit *e, struct loop *l) {
    uint32_t n = e->func->nregs;
    l->lane.x = WG_NEW_N(&e->an->arena, LLVMValueRef, n);
    l->begin = WG_NEW_N(&e->an->arena, LLVMValueRef, n);
    l->var = WG_NEW_N(&e->an->arena, LLVMValueRef, n);
    l->bb = WG_NEW_N(&e->an->arena, LLVMBasicBlockRef, e->func->nblocks);
    WG_BITS_EACH(r, l->is->read, n)
    if (!wg_scalar_loop_varies(e->an, r)) wg_value_get(e, r);
    WG_EACH_IN_SCALAR_LOOP(k, e->func, l->is) {
        l->bb[k] = wg_new_bb(e, "lane.block");
        WG_BITS_EACH(r, l->is->made, n)
        if (!l->var[r] && (wg_bits_has(e->an->cfg.live_in[k], r) || wg_scalar_loop_keeps(e->an, l->is, r)))
            l->var[r] = LLVMBuildAlloca(e->entry_b, type_of(e, r), "lane.var");
    }
}

static void begin_lane(struct wg_emit *e, struct loop *l) {
    WG_BITS_EACH(r, l->is->read, e->func->nregs)
    if (wg_scalar_loop_varies(e->an, r))
        l->begin[r] = LLVMBuildLoad2(e->L.b, type_of(e, r), wg_slot_of_lane(e, r, l->lane.number), "");
    WG_BITS_EACH(r, l->is->made, e->func->nregs)
    if (wg_bits_has(e->an->cfg.live_in[l->is->head], r)) {
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, type_of(e, r), wg_slot_of_lane(e, r, l->lane.number), "");
        LLVMBuildStore(e->L.b, x, l->var[r]);
    }
    LLVMBuildBr(e->L.b, l->bb[l->is->head]);
}

static void end_lane(struct wg_emit *e, struct loop *l) {
    LLVMPositionBuilderAtEnd(e->L.b, l->end);
    WG_BITS_EACH(r, l->is->made, e->func->nregs)
    if (wg_bits_has(e->an->cfg.live_in[l->is->out], r)) {
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, type_of(e, r), l->var[r], "");
        LLVMBuildStore(e->L.b, x, wg_slot_of_lane(e, r, l->lane.number));
    }
}

static LLVMBasicBlockRef way_to(const struct loop *l, uint32_t to) { return l->bb[to] ? l->bb[to] : l->end; }

/* Block k for one lane. */
static void emit_block(struct wg_emit *e, struct loop *l, uint32_t k) {
    const struct wg_ir_block *blk = &e->func->blocks[k];
    LLVMPositionBuilderAtEnd(e->L.b, l->bb[k]);
    e->block = k;
    WG_BITS_EACH(r, l->is->read, e->func->nregs) l->lane.x[r] = l->begin[r];
    WG_BITS_EACH(r, l->is->made, e->func->nregs)
    l->lane.x[r] =
        wg_bits_has(e->an->cfg.live_in[k], r) ? LLVMBuildLoad2(e->L.b, type_of(e, r), l->var[r], "") : NULL;
    wg_issues_begin(e);
    for (e->instr = 0; e->instr < blk->ninstrs && !e->failed; e->instr++) {
        const struct wg_ir_instr *in = &blk->instrs[e->instr];
        wg_one_lane_emit(e, &l->lane, in);
        wg_issue_here(e);
        for (uint32_t i = 0; i < in->ndst; i++)
            if (l->var[in->dst[i].index])
                LLVMBuildStore(e->L.b, l->lane.x[in->dst[i].index], l->var[in->dst[i].index]);
    }
    wg_issues_end(e);
    if (e->failed) return;
    if (blk->term == WG_TERM_BR) {
        LLVMBuildBr(e->L.b, way_to(l, blk->succ[0]));
        return;
    }
    LLVMValueRef c = l->lane.x[blk->cond];
    if (!c) c = LLVMBuildLoad2(e->L.b, e->i1, l->var[blk->cond], "");
    LLVMBuildCondBr(e->L.b, c, way_to(l, blk->succ[blk->cond_neg]), way_to(l, blk->succ[!blk->cond_neg]));
}

void wg_fn_emit_lane_loop(struct wg_emit *e, const struct wg_scalar_loop *is) {
    struct loop l = {.is = is};
    find_registers(e, &l);
    l.end = wg_new_bb(e, "lane.end");
    LLVMValueRef mask = wg_mask(e), one = wg_i32(e, 1);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->L.b), next = wg_new_bb(e, "lane"),
                      out = wg_new_bb(e, "lanes");
    LLVMBuildBr(e->L.b, next);
    LLVMPositionBuilderAtEnd(e->L.b, next);
    LLVMValueRef rest = LLVMBuildPhi(e->L.b, e->i32, "rest");
    l.lane.number = wg_first_lane_of(e, rest);
    begin_lane(e, &l);
    WG_EACH_IN_SCALAR_LOOP(k, e->func, is) if (!e->failed) emit_block(e, &l, k);
    e->block = is->head;
    if (e->failed) return;
    end_lane(e, &l);
    LLVMValueRef more = LLVMBuildAnd(e->L.b, rest, LLVMBuildSub(e->L.b, rest, one, ""), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
    LLVMAddIncoming(rest, &mask, &before, 1);
    LLVMAddIncoming(rest, &more, &here, 1);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, more, wg_i32(e, 0), ""), next, out);
    LLVMPositionBuilderAtEnd(e->L.b, out);
    e->masks.on = mask;
    wg_fn_goto_block(e, is->out);
}
