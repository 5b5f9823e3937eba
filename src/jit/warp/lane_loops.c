/* Scalarization of divergent loops: loops with lane-dependent trip counts and scattered loads run one lane
 * after the other, each to its end, in scalar registers.
 *
 *     for (int k = begin[row]; k < begin[row + 1]; k++) sum += value[k] * x[column[k]];
 *
 * The three gathers of an iteration cost 32 lanes' worth however few lanes are left. A lane's own loads cost
 * one each, and out-of-order execution overlaps one lane's last iterations with the next one's first. Nothing
 * in the loop waits for other lanes or writes memory, so any order of the lanes is one that independent
 * threads may have.
 *
 * GENERAL only, after lanes have diverged: registers are in the frame there, so one lane's are read and
 * written individually.
 */
#include "jit/emit/issue.h"
#include "analysis/plan.h"
#include "jit/warp/one_lane.h"
#include "cfg/cfg.h"
#include "jit/warp/function.h"

enum { FEWEST_GATHERS = 2, MOST_INSTRS_A_GATHER = 24 };

static bool varies(const struct wg_emit *e, uint32_t reg) {
    uint8_t kind = e->an->facts[e->v][reg].kind;
    return kind != WG_UNIFORM && kind != WG_AFFINE;
}

/* Whether the frame holds it lane by lane. */
static bool lies_by_lanes(const struct wg_emit *e, uint32_t reg) {
    return varies(e, reg) && wg_reg_bits(e, reg) >= 8;
}

static bool source_fits(const struct wg_emit *e, const struct wg_ir_opd *o, const uint64_t *made) {
    if (o->kind != WG_O_REG) return true;
    if (o->negated) return false;
    if (wg_bits_has(made, o->index)) return true;
    if (varies(e, o->index)) return lies_by_lanes(e, o->index);
    const struct wg_fact *f = &e->an->facts[e->v][o->index];
    return wg_is_line(f->k) && wg_is_line(f->r);
}

static bool instr_fits(const struct wg_emit *e, const struct wg_ir_instr *in, const uint64_t *made) {
    bool selects = in->op == WG_OP_SETP || in->op == WG_OP_SELP;
    if (in->op == WG_OP_ST || in->ndst != 1 || in->guard != WG_NO_REG) return false;
    if (!selects && !wg_one_lane_fits(e, in)) return false;
    for (uint32_t s = 0; s < in->nsrc; s++)
        if (!source_fits(e, &in->src[s], made)) return false;
    return true;
}

static bool is_gather(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->op == WG_OP_LD && in->src[0].kind == WG_O_REG && varies(e, in->src[0].index);
}

/* Whether lanes leave block b one by one for its one successor that is not b itself. */
static bool is_loop_of_lanes(const struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    if (blk->term != WG_TERM_CBR || (blk->succ[0] == b) == (blk->succ[1] == b)) return false;
    return varies(e, blk->cond) && !wg_bits_has(e->an->spins, b);
}

bool wg_fn_lane_loop_fits(struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    const struct wg_code_opts *o = e->opts;
    if (e->v != WG_GENERAL || !wg_may_use(o, WG_FORM_lane_loops) || e->an->tile_bits || e->access.ncombine)
        return false;
    if (!is_loop_of_lanes(e, b)) return false;
    for (uint32_t k = 0; k < e->out.checks.n; k++)
        if (e->out.checks.v[k].block == b) return false; /* CONVERGED enters it in the middle */
    wg_bits made = wg_bits_new(&e->an->arena, e->func->nregs);
    uint32_t gathers = 0;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        if (!instr_fits(e, in, made)) return false;
        gathers += is_gather(e, in);
        wg_bits_add(made, in->dst[0].index);
    }
    if (!wg_bits_has(made, blk->cond)) return false;
    WG_BITS_EACH(r, made, e->func->nregs) {
        bool kept = wg_bits_has(e->an->cfg.live_in[b], r) || wg_bits_has(e->an->cfg.live_out[b], r);
        if (kept && !lies_by_lanes(e, r)) return false;
    }
    if (gathers < FEWEST_GATHERS || blk->ninstrs > gathers * MOST_INSTRS_A_GATHER) return false;
    wg_plan_yes(o, WG_FORM_lane_loops, blk->instrs);
    return true;
}

/* ---- the code ---- */

struct loop {
    const struct wg_ir_block *blk;
    wg_bits made, read; /* registers that it writes; varying registers live into it */
    struct wg_one_lane lane;
    LLVMValueRef *begin; /* [register] a lane's initial values */
};

/* Values that are uniform or linear in the lane are loaded before the first lane. */
static void find_registers(struct wg_emit *e, struct loop *l) {
    uint32_t n = e->func->nregs;
    l->made = wg_bits_new(&e->an->arena, n);
    l->read = wg_bits_new(&e->an->arena, n);
    l->lane.x = WG_NEW_N(&e->an->arena, LLVMValueRef, n);
    l->begin = WG_NEW_N(&e->an->arena, LLVMValueRef, n);
    for (uint32_t i = 0; i < l->blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &l->blk->instrs[i];
        for (uint32_t s = 0; s < in->nsrc; s++) {
            uint32_t r = in->src[s].index;
            if (in->src[s].kind != WG_O_REG || wg_bits_has(l->made, r)) continue;
            if (varies(e, r))
                wg_bits_add(l->read, r);
            else
                wg_value_get(e, r);
        }
        wg_bits_add(l->made, in->dst[0].index);
    }
}

static void begin_lane(struct wg_emit *e, struct loop *l) {
    WG_BITS_EACH(r, l->read, e->func->nregs) {
        LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, r));
        l->begin[r] = LLVMBuildLoad2(e->L.b, t, wg_slot_of_lane(e, r, l->lane.number), "");
        l->lane.x[r] = l->begin[r];
    }
}

/* All iterations of the lane; the builder then is after the loop. */
static void emit_turns(struct wg_emit *e, struct loop *l, uint32_t b) {
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->L.b), turn = wg_new_bb(e, "lane.turn"),
                      end = wg_new_bb(e, "lane.end");
    LLVMBuildBr(e->L.b, turn);
    LLVMPositionBuilderAtEnd(e->L.b, turn);
    LLVMValueRef *phi = WG_NEW_N(&e->an->arena, LLVMValueRef, e->func->nregs);
    WG_BITS_EACH(r, l->made, e->func->nregs) {
        if (!l->begin[r]) continue;
        phi[r] = l->lane.x[r] = LLVMBuildPhi(e->L.b, LLVMTypeOf(l->begin[r]), "");
        LLVMAddIncoming(phi[r], &l->begin[r], &from, 1);
    }
    wg_issues_begin(e);
    for (e->instr = 0; e->instr < l->blk->ninstrs && !e->failed; e->instr++) {
        wg_one_lane_emit(e, &l->lane, &l->blk->instrs[e->instr]);
        wg_issue_here(e);
    }
    wg_issues_end(e);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
    WG_BITS_EACH(r, l->made, e->func->nregs) if (phi[r]) LLVMAddIncoming(phi[r], &l->lane.x[r], &here, 1);
    bool again_if = (l->blk->succ[0] == b) != l->blk->cond_neg;
    LLVMBuildCondBr(e->L.b, l->lane.x[l->blk->cond], again_if ? turn : end, again_if ? end : turn);
    LLVMPositionBuilderAtEnd(e->L.b, end);
}

void wg_fn_emit_lane_loop(struct wg_emit *e, uint32_t b) {
    struct loop l = {.blk = &e->func->blocks[b]};
    find_registers(e, &l);
    LLVMValueRef mask = wg_mask(e), one = wg_i32(e, 1);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->L.b), next = wg_new_bb(e, "lane"),
                      out = wg_new_bb(e, "lanes");
    LLVMBuildBr(e->L.b, next);
    LLVMPositionBuilderAtEnd(e->L.b, next);
    LLVMValueRef rest = LLVMBuildPhi(e->L.b, e->i32, "rest");
    l.lane.number = wg_first_lane_of(e, rest);
    begin_lane(e, &l);
    emit_turns(e, &l, b);
    if (e->failed) return;
    WG_BITS_EACH(r, l.made, e->func->nregs)
    if (wg_bits_has(e->an->cfg.live_out[b], r))
        LLVMBuildStore(e->L.b, l.lane.x[r], wg_slot_of_lane(e, r, l.lane.number));
    LLVMValueRef more = LLVMBuildAnd(e->L.b, rest, LLVMBuildSub(e->L.b, rest, one, ""), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
    LLVMAddIncoming(rest, &mask, &before, 1);
    LLVMAddIncoming(rest, &more, &here, 1);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, more, wg_i32(e, 0), ""), next, out);
    LLVMPositionBuilderAtEnd(e->L.b, out);
    e->masks.on = mask;
    wg_fn_goto_block(e, l.blk->succ[l.blk->succ[0] == b]);
}
