/* Terminators of basic blocks: uniform and divergent branches, and the choice of the waiting block that runs
 * next.
 *
 * GENERAL keeps a mask of waiting lanes for each block where lanes may wait. Of several waiting blocks the
 * lowest runs next, which reconverges lanes as early as possible (thread frontiers). Lanes that cannot run
 * are kept in other masks (warp/slices.h). Lanes that branch to the exit count as exited.
 */
#include "analysis/flow.h"
#include "cfg/cfg.h"
#include "jit/emit/count.h"
#include "jit/emit/phase.h"
#include "jit/access/row_lines.h"
#include "jit/warp/function.h"
#include "warp/slices.h"

enum { MOST_LOOKED_AT = 4 }; /* waiting blocks tested in line; more are left to `dispatch` */

/* Branches to the lowest waiting block among these, or to `otherwise`. */
static void goto_waiting(struct wg_emit *e, const uint64_t *among, LLVMBasicBlockRef otherwise) {
    WG_BITS_EACH(y, among, e->func->nblocks) {
        if (!wg_bits_has(e->masks.waits, y)) continue;
        LLVMValueRef w = LLVMBuildLoad2(e->L.b, e->i32, wg_fn_wait_slot(e, y), "");
        LLVMBasicBlockRef next = wg_new_bb(e, "none");
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, w, wg_i32(e, 0), ""), e->bb[WG_GENERAL][y],
                        next);
        LLVMPositionBuilderAtEnd(e->L.b, next);
    }
    LLVMBuildBr(e->L.b, otherwise);
}

/* The lowest waiting block, not below `from`; the number of blocks if there is none. */
static LLVMValueRef next_waiting(struct wg_emit *e, LLVMValueRef from) {
    LLVMValueRef waits = wg_field(e, e->L.b, wg_fn_frame_ptr(e, e->L.b), e->masks.wait_home);
    LLVMValueRef args[3] = {waits, from, wg_i32(e, e->func->nblocks)};
    return wg_call_helper(e, "wg_jit_next_waiting", e->i32, args, 3);
}

void wg_fn_begin_search(struct wg_emit *e) {
    e->way.search = wg_new_bb(e, "search");
    LLVMPositionBuilderAtEnd(e->L.b, e->way.search);
    e->way.search_from = LLVMBuildPhi(e->L.b, e->i32, "from");
}

/* Emits the code of `search`. */
static void build_search(struct wg_emit *e) {
    if (LLVMCountIncoming(e->way.search_from) == 0) {
        LLVMDeleteBasicBlock(e->way.search);
        return;
    }
    LLVMPositionBuilderAtEnd(e->L.b, e->way.search);
    wg_fn_set_mask(e, e->L.b, WG_GENERAL, wg_i32(e, 0));
    LLVMValueRef y = next_waiting(e, e->way.search_from);
    LLVMBuildBr(e->L.b, e->way.chosen);
    LLVMAddIncoming(e->way.chosen_block, &y, &e->way.search, 1);
}

/* Branches to block `y` if it is a block; the builder then is where it is none. */
static void go_if_waiting(struct wg_emit *e, LLVMValueRef y) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b), none = wg_new_bb(e, "none");
    LLVMValueRef is = LLVMBuildICmp(e->L.b, LLVMIntULT, y, wg_i32(e, e->func->nblocks), "");
    LLVMBuildCondBr(e->L.b, is, e->way.chosen, none);
    LLVMAddIncoming(e->way.chosen_block, &y, &here, 1);
    LLVMPositionBuilderAtEnd(e->L.b, none);
}

/* `chosen`: the one switch that leads to every block where lanes may wait. */
static void build_chosen(struct wg_emit *e) {
    LLVMBasicBlockRef never = wg_new_bb(e, "never");
    LLVMPositionBuilderAtEnd(e->L.b, never);
    LLVMBuildUnreachable(e->L.b);
    LLVMPositionBuilderAtEnd(e->L.b, e->way.chosen);
    LLVMValueRef sw = LLVMBuildSwitch(e->L.b, e->way.chosen_block, never, e->func->nblocks);
    for (uint32_t y = 0; y < e->func->nblocks; y++)
        if (wg_bits_has(e->masks.waits, y)) LLVMAddCase(sw, wg_i32(e, y), e->bb[WG_GENERAL][y]);
}

static LLVMValueRef lanes_in(struct wg_emit *e, const LLVMValueRef *slots) {
    LLVMValueRef lanes = wg_i32(e, 0);
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        if (slots[b]) lanes = LLVMBuildOr(e->L.b, lanes, LLVMBuildLoad2(e->L.b, e->i32, slots[b], ""), "");
    return lanes;
}

/* Moves the lanes of these slots to their waiting masks: they can run. */
static void let_run(struct wg_emit *e, const LLVMValueRef *slots) {
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        if (!slots[b]) continue;
        wg_fn_add_waiting(e, b, LLVMBuildLoad2(e->L.b, e->i32, slots[b], ""));
        LLVMBuildStore(e->L.b, wg_i32(e, 0), slots[b]);
    }
}

static bool has_any(const struct wg_emit *e, const LLVMValueRef *slots) {
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        if (slots[b]) return true;
    return false;
}

/* No lane can run. If lanes rest, their round is over: see wg_round_is_last. */
static void build_rounds(struct wg_emit *e) {
    LLVMBasicBlockRef over = wg_new_bb(e, "round"), yield = wg_new_bb(e, "yield"),
                      none = wg_new_bb(e, "none");
    LLVMValueRef rest = lanes_in(e, e->masks.rest);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, rest, wg_i32(e, 0), ""), over, none);
    LLVMPositionBuilderAtEnd(e->L.b, over);
    let_run(e, e->masks.rest);
    size_t rested_at = offsetof(struct wg_warp, rested), rounds_at = offsetof(struct wg_warp, rounds);
    LLVMValueRef rested = wg_load_field(e, e->L.b, e->i32, e->warp, rested_at, false, "rested");
    LLVMValueRef rounds = wg_load_field(e, e->L.b, e->i32, e->warp, rounds_at, false, "rounds");
    LLVMValueRef same = LLVMBuildICmp(e->L.b, LLVMIntEQ, rest, rested, "");
    LLVMValueRef more = LLVMBuildSelect(e->L.b, same, wg_i32(e, WG_SAME_ROUND), wg_i32(e, 1), "");
    rounds = LLVMBuildAdd(e->L.b, rounds, more, "");
    LLVMValueRef last = LLVMBuildICmp(e->L.b, LLVMIntUGE, rounds, wg_i32(e, WG_ROUNDS), "");
    rounds = LLVMBuildSelect(e->L.b, last, wg_i32(e, 0), rounds, "");
    wg_store_field(e, e->L.b, rest, e->warp, rested_at);
    wg_store_field(e, e->L.b, rounds, e->warp, rounds_at);
    LLVMBuildCondBr(e->L.b, last, yield, e->way.dispatch);
    LLVMPositionBuilderAtEnd(e->L.b, yield);
    let_run(e, e->masks.early);
    wg_fn_stop_everywhere(e, WG_WARP_YIELD);
    LLVMPositionBuilderAtEnd(e->L.b, none);
}

/* Emits the code of `dispatch`: it branches to the lowest waiting block, or the warp is done, or its lanes
 * rest, or all of them are at barriers. */
void wg_fn_build_dispatch(struct wg_emit *e) {
    LLVMPositionBuilderAtEnd(e->L.b, e->way.dispatch);
    wg_fn_set_mask(e, e->L.b, WG_GENERAL, wg_i32(e, 0));
    go_if_waiting(e, next_waiting(e, wg_i32(e, 0)));
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, "");
    LLVMBasicBlockRef done = wg_new_bb(e, "done"), parked = wg_new_bb(e, "parked");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, live, wg_i32(e, 0), ""), done, parked);
    LLVMPositionBuilderAtEnd(e->L.b, done);
    wg_store_field(e, e->L.b, wg_i32(e, 0), e->warp, offsetof(struct wg_warp, live));
    wg_fn_return_status(e, WG_WARP_DONE);
    LLVMPositionBuilderAtEnd(e->L.b, parked);
    e->v = WG_GENERAL;
    if (has_any(e, e->masks.rest)) build_rounds(e);
    wg_fn_tell_waits(e);
    let_run(e, e->masks.early); /* they test again when the warp resumes */
    if (wg_bits_empty(e->an->passed, e->func->nblocks))
        LLVMBuildUnreachable(e->L.b);
    else
        wg_fn_stop_everywhere(e, WG_WARP_WAITING);
    LLVMPositionBuilderAtEnd(e->L.b, e->way.look_again);
    let_run(e, e->masks.early);
    LLVMBuildBr(e->L.b, e->way.dispatch);
    if (e->brief) build_search(e);
    build_chosen(e);
}

LLVMValueRef wg_fn_wait_slot(struct wg_emit *e, uint32_t block) {
    return wg_place_in_frame(e, e->L.b, e->masks.wait_home + block * 4);
}

void wg_fn_add_waiting(struct wg_emit *e, uint32_t block, LLVMValueRef lanes) {
    LLVMValueRef slot = wg_fn_wait_slot(e, block), w = LLVMBuildLoad2(e->L.b, e->i32, slot, "");
    LLVMBuildStore(e->L.b, LLVMBuildOr(e->L.b, w, lanes, ""), slot);
}

/* Emits wg_slice_is_over: whether the lanes' time slice has ended. live: NULL if all live lanes are here. */
static LLVMValueRef slice_is_over(struct wg_emit *e, uint8_t yields, LLVMValueRef live) {
    size_t spun_at = offsetof(struct wg_warp, spun), spent_at = offsetof(struct wg_warp, spent);
    LLVMValueRef spun = wg_load_field(e, e->L.b, e->i32, e->warp, spun_at, false, "spun");
    LLVMValueRef spent = wg_load_field(e, e->L.b, e->i32, e->warp, spent_at, false, "spent");
    LLVMValueRef same = LLVMBuildICmp(e->L.b, LLVMIntEQ, spun, wg_mask(e), "");
    LLVMValueRef vain = LLVMBuildICmp(e->L.b, LLVMIntUGE, spent, wg_i32(e, WG_IN_VAIN), "");
    LLVMValueRef more = LLVMBuildAdd(e->L.b, spent, wg_i32(e, 1), "");
    spent = LLVMBuildSelect(e->L.b, LLVMBuildOr(e->L.b, same, vain, ""), more, wg_i32(e, 0), "");
    uint32_t most = yields == WG_YIELDS_SOON ? WG_SLICE_SOON : WG_SLICE_LATE;
    LLVMValueRef over = LLVMBuildICmp(e->L.b, LLVMIntUGE, spent, wg_i32(e, most), "");
    if (live && yields == WG_YIELDS_SOON) {
        LLVMValueRef others = LLVMBuildICmp(e->L.b, LLVMIntNE, live, wg_mask(e), "");
        over = LLVMBuildOr(e->L.b, over, LLVMBuildAnd(e->L.b, same, others, ""), "");
    }
    wg_store_field(e, e->L.b, wg_mask(e), e->warp, spun_at);
    wg_store_field(e, e->L.b, LLVMBuildSelect(e->L.b, over, wg_i32(e, 0), spent, ""), e->warp, spent_at);
    return over;
}

/* All running lanes branch back to the header of a spin loop: may end their time slice, so that others
 * run. */
static void yield_slice(struct wg_emit *e, uint32_t header) {
    LLVMBasicBlockRef yield = wg_new_bb(e, "yield"), spin = wg_new_bb(e, "spin");
    LLVMValueRef live = NULL;
    if (wg_fn_others_wait(e)) live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, "");
    LLVMValueRef over = slice_is_over(e, e->an->yields[header], live);
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, over, yield, spin));
    LLVMPositionBuilderAtEnd(e->L.b, yield);
    if (live) {
        LLVMBasicBlockRef rest = wg_new_bb(e, "rest"), alone = wg_new_bb(e, "alone");
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, live, wg_mask(e), ""), alone, rest);
        LLVMPositionBuilderAtEnd(e->L.b, rest);
        LLVMValueRef lanes = LLVMBuildLoad2(e->L.b, e->i32, e->masks.rest[header], "");
        LLVMBuildStore(e->L.b, LLVMBuildOr(e->L.b, lanes, wg_mask(e), ""), e->masks.rest[header]);
        LLVMBuildBr(e->L.b, e->way.dispatch);
        LLVMPositionBuilderAtEnd(e->L.b, alone);
    }
    wg_fn_stop_at(e, header, WG_WARP_YIELD, NULL);
    LLVMPositionBuilderAtEnd(e->L.b, spin);
}

/* GENERAL: `lanes` have exited. */
static void retire(struct wg_emit *e, LLVMValueRef lanes) {
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, "");
    live = LLVMBuildAnd(e->L.b, live, LLVMBuildNot(e->L.b, lanes, ""), "");
    LLVMBuildStore(e->L.b, live, e->masks.live);
}

static void end_lanes(struct wg_emit *e) {
    if (e->whole) {
        e->run.runner->end_phase(e, e->func->nblocks, NULL);
        return;
    }
    if (wg_fn_others_wait(e)) {
        retire(e, wg_mask(e));
        LLVMBuildBr(e->L.b, e->way.look_again);
        return;
    }
    wg_store_field(e, e->L.b, wg_i32(e, 0), e->warp, offsetof(struct wg_warp, live));
    if (e->v == WG_CONVERGED)
        wg_fn_end_slice(e, WG_WARP_DONE);
    else
        wg_fn_return_status(e, WG_WARP_DONE);
}

/* All running lanes branch to block t. Values are in their slots. */
void wg_fn_goto_block(struct wg_emit *e, uint32_t t) {
    if (e->v == WG_GENERAL && wg_leads_to_exit(e->func, t)) {
        end_lanes(e);
        return;
    }
    if (t <= e->block && e->an->yields[t]) yield_slice(e, t);
    if (e->whole && e->run.runner->ends_phase(e, t)) {
        e->run.runner->end_phase(e, t, NULL);
        return;
    }
    if (e->v == WG_CONVERGED) {
        wg_row_lines_repeat(e, t);
        bool all = e->masks.on ? wg_is_full(e->masks.on) : wg_mask_is_full(e);
        LLVMBuildBr(e->L.b, wg_code_at(e, t, all));
        return;
    }
    /* Lanes that wait at a lower block run first. */
    uint32_t lower = 0;
    WG_BITS_EACH(y, e->an->frontier[e->block], e->func->nblocks)
    lower += y < t && wg_bits_has(e->masks.waits, y);
    if (!lower || !wg_bits_has(e->masks.waits, t)) {
        LLVMBuildBr(e->L.b, e->bb[WG_GENERAL][t]);
        return;
    }
    wg_fn_add_waiting(e, t, wg_mask(e));
    wg_fn_set_mask(e, e->L.b, WG_GENERAL, wg_i32(e, 0));
    if (lower > MOST_LOOKED_AT) { /* in a large function these chains would be most of its code */
        LLVMBuildBr(e->L.b, e->way.dispatch);
        return;
    }
    wg_bits among = wg_bits_new(&e->an->arena, e->func->nblocks);
    WG_BITS_EACH(y, e->an->frontier[e->block], e->func->nblocks)
    if (y < t) wg_bits_add(among, y);
    goto_waiting(e, among, e->bb[WG_GENERAL][t]);
}

/* One of several paths that all running lanes may take: a mask loaded on it does not dominate the others. */
static void goto_one_way(struct wg_emit *e, uint32_t t) {
    LLVMValueRef mask = e->masks.on, bits = e->masks.bits;
    wg_fn_goto_block(e, t);
    e->masks.on = mask;
    e->masks.bits = bits;
}

/* ---- terminators ---- */

/* CONVERGED, a divergent branch: an if-converted region, lanes that exit, or continuing in GENERAL. */
static void part_converged(struct wg_emit *e, const struct wg_ir_block *blk, LLVMValueRef taken,
                           LLVMValueRef m) {
    uint32_t yes = blk->succ[0], no = blk->succ[1];
    wg_count_parted(e);
    LLVMValueRef rest = LLVMBuildXor(e->L.b, m, taken, "");
    if (e->an->region[e->block]) {
        wg_fn_emit_region(e, taken, rest);
        return;
    }
    if (wg_flow_retires(e->an, e->block)) {
        bool gone = wg_leads_to_exit(e->func, yes); /* those lanes exit; the others stay converged */
        e->masks.on = gone ? rest : taken;
        wg_fn_set_mask(e, e->L.b, WG_CONVERGED, e->masks.on);
        wg_fn_goto_block(e, gone ? no : yes);
        e->masks.on = NULL;
        return;
    }
    wg_fn_save_regs(e, wg_fn_unsettled(e, e->block, UINT32_MAX, e->an->cfg.live_out[e->block]), NULL);
    wg_store_field(e, e->L.b, yes < no ? taken : rest, e->warp, offsetof(struct wg_warp, active));
    wg_fn_go_over(e, wg_fn_at_branch(e, e->block), m);
}

/* Marks the blocks of e->block's region as reached only by masked code, unless code for whole thread
 * blocks can enter in the middle of the region. */
static void reach_under_masks(struct wg_emit *e) {
    const struct wg_region *r = e->opts->long_regions ? NULL : e->an->region[e->block];
    for (uint32_t i = 0; r && i < r->nblocks; i++) wg_bits_add(e->masks.under, r->block[i]);
}

/* CONVERGED, the condition varies: all lanes go one way, or all the other, or they diverge. */
static void branch_converged(struct wg_emit *e, const struct wg_ir_block *blk, LLVMValueRef taken) {
    uint32_t yes = blk->succ[0], no = blk->succ[1];
    LLVMValueRef m = wg_mask(e);
    taken = LLVMBuildAnd(e->L.b, taken, m, "taken");
    if (LLVMIsAConstantInt(taken) && LLVMIsAConstantInt(m)) { /* the same lanes in each execution */
        uint64_t lanes = LLVMConstIntGetZExtValue(taken);
        if (!lanes || lanes == LLVMConstIntGetZExtValue(m)) {
            wg_fn_goto_block(e, lanes ? yes : no);
            return;
        }
        reach_under_masks(e);
    } else {
        LLVMBasicBlockRef some = wg_new_bb(e, "some"), all = wg_new_bb(e, "all");
        LLVMBasicBlockRef split = wg_new_bb(e, "split"), never = wg_new_bb(e, "never");
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, taken, wg_i32(e, 0), ""), never, some);
        LLVMPositionBuilderAtEnd(e->L.b, never);
        wg_fn_goto_block(e, no);
        LLVMPositionBuilderAtEnd(e->L.b, some);
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, taken, m, ""), all, split);
        LLVMPositionBuilderAtEnd(e->L.b, all);
        wg_fn_goto_block(e, yes);
        LLVMPositionBuilderAtEnd(e->L.b, split);
    }
    part_converged(e, blk, taken, m);
}

/* GENERAL: only `lanes` keep running, and branch to block t; others that ran with them have exited. */
static void go_without(struct wg_emit *e, uint32_t t, LLVMValueRef lanes) {
    bool meets = false;
    WG_BITS_EACH(y, e->an->frontier[e->block], e->func->nblocks) meets |= e->masks.early[y] != NULL;
    e->masks.on = lanes;
    wg_fn_set_mask(e, e->L.b, WG_GENERAL, lanes);
    if (!meets || wg_leads_to_exit(e->func, t)) {
        wg_fn_goto_block(e, t);
        return;
    }
    wg_fn_add_waiting(e, t, lanes); /* reconvergences that others wait for may now be complete */
    LLVMBuildBr(e->L.b, e->way.look_again);
}

/* The lower block runs first, the lanes of the other wait. */
static void part_general(struct wg_emit *e, const struct wg_ir_block *blk, LLVMValueRef taken,
                         LLVMValueRef rest) {
    LLVMValueRef saved = e->masks.on, to[2] = {taken, rest};
    uint32_t low = blk->succ[0] < blk->succ[1] ? 0 : 1;
    wg_count_parted(e);
    for (uint32_t s = 0; s < 2; s++) {
        if (!wg_leads_to_exit(e->func, blk->succ[s])) continue;
        retire(e, to[s]);
        go_without(e, blk->succ[1 - s], to[1 - s]);
        e->masks.on = saved;
        return;
    }
    wg_fn_add_waiting(e, blk->succ[1 - low], to[1 - low]);
    e->masks.on = to[low];
    wg_fn_set_mask(e, e->L.b, WG_GENERAL, e->masks.on);
    wg_fn_goto_block(e, blk->succ[low]);
    e->masks.on = saved;
}

/* Whether all lanes may wait at both successors until the lowest waiting block is picked: no back edge of
 * a spin loop, and no lane exits. */
static bool may_wait_both_ways(const struct wg_emit *e, const struct wg_ir_block *blk) {
    for (uint32_t s = 0; s < 2; s++) {
        uint32_t to = blk->succ[s];
        if (!wg_bits_has(e->masks.waits, to) || wg_leads_to_exit(e->func, to) ||
            (to <= e->block && e->an->yields[to]))
            return false;
    }
    return true;
}

/* Brief: the lowest block where lanes wait is one of these two, or of those that may have lanes waiting
 * meanwhile. */
static void wait_both_ways(struct wg_emit *e, const struct wg_ir_block *blk, LLVMValueRef taken,
                           LLVMValueRef rest) {
    uint32_t from = blk->succ[0] < blk->succ[1] ? blk->succ[0] : blk->succ[1];
    WG_BITS_EACH(y, e->an->frontier[e->block], e->func->nblocks) {
        if (y < from) from = y;
        break;
    }
    wg_fn_add_waiting(e, blk->succ[0], taken);
    wg_fn_add_waiting(e, blk->succ[1], rest);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
    LLVMValueRef at = wg_i32(e, from);
    LLVMBuildBr(e->L.b, e->way.search);
    LLVMAddIncoming(e->way.search_from, &at, &here, 1);
}

static void branch_general(struct wg_emit *e, const struct wg_ir_block *blk, LLVMValueRef taken) {
    LLVMValueRef m = wg_mask(e);
    taken = LLVMBuildAnd(e->L.b, taken, m, "taken");
    LLVMValueRef rest = LLVMBuildXor(e->L.b, m, taken, "rest");
    if (e->brief && may_wait_both_ways(e, blk)) {
        wait_both_ways(e, blk, taken, rest);
        return;
    }
    LLVMBasicBlockRef some = wg_new_bb(e, "some"), all = wg_new_bb(e, "all"), split = wg_new_bb(e, "split");
    LLVMBasicBlockRef never = wg_new_bb(e, "never");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, taken, wg_i32(e, 0), ""), never, some);
    LLVMPositionBuilderAtEnd(e->L.b, never);
    wg_fn_goto_block(e, blk->succ[1]);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, rest, wg_i32(e, 0), ""), all, split);
    LLVMPositionBuilderAtEnd(e->L.b, all);
    wg_fn_goto_block(e, blk->succ[0]);
    LLVMPositionBuilderAtEnd(e->L.b, split);
    part_general(e, blk, taken, rest);
}

/* Counts a divergence if no one block gets all of the lanes. */
static void count_parting(struct wg_emit *e, LLVMValueRef *lanes, LLVMValueRef mask) {
    LLVMValueRef together = LLVMConstInt(e->i1, 0, 0);
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        if (lanes[b])
            together =
                LLVMBuildOr(e->L.b, together, LLVMBuildICmp(e->L.b, LLVMIntEQ, lanes[b], mask, ""), "");
    wg_count_parted_if(e, LLVMBuildNot(e->L.b, together, ""));
}

/* GENERAL: lanes[block] branch there. Those that go backwards may be spinning. */
static void part_indexed(struct wg_emit *e, LLVMValueRef *lanes) {
    uint32_t back = WG_NO_REG;
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        if (!lanes[b]) continue;
        if (wg_leads_to_exit(e->func, b))
            retire(e, lanes[b]);
        else if (back == WG_NO_REG && b <= e->block && e->an->yields[b])
            back = b;
        else
            wg_fn_add_waiting(e, b, lanes[b]);
    }
    if (back != WG_NO_REG) {
        LLVMBasicBlockRef some = wg_new_bb(e, "back"), none = wg_new_bb(e, "on");
        LLVMValueRef saved = e->masks.on;
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, lanes[back], wg_i32(e, 0), ""), some, none);
        LLVMPositionBuilderAtEnd(e->L.b, some);
        go_without(e, back, lanes[back]);
        e->masks.on = saved;
        LLVMPositionBuilderAtEnd(e->L.b, none);
    }
    LLVMBuildBr(e->L.b, e->way.look_again);
}

/* CONVERGED: continues in GENERAL, where lanes[block] branch to each block. */
static void go_over_indexed(struct wg_emit *e, LLVMValueRef *lanes, LLVMValueRef live) {
    LLVMValueRef frame = wg_fn_frame_ptr(e, e->L.b);
    wg_fn_clear_waits(e);
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        if (!lanes[b]) continue;
        if (wg_leads_to_exit(e->func, b))
            live = LLVMBuildAnd(e->L.b, live, LLVMBuildNot(e->L.b, lanes[b], ""), "");
        else
            wg_store_field(e, e->L.b, lanes[b], frame, e->masks.wait_home + b * 4);
    }
    wg_fn_save_regs(e, wg_fn_unsettled(e, e->block, UINT32_MAX, e->an->cfg.live_out[e->block]), NULL);
    wg_fn_go_over(e, wg_fn_at_indexed(e, e->block), live);
}

/* brx.idx with varying indices: one target after the other. */
static void branch_indexed(struct wg_emit *e, const struct wg_ir_block *blk) {
    struct wg_value *idx = wg_value_get(e, blk->cond);
    LLVMValueRef n = wg_i32(e, blk->nsucc);
    LLVMBasicBlockRef out = wg_new_bb(e, "outside");
    if (idx->kind == WG_UNIFORM) {
        LLVMValueRef sw = LLVMBuildSwitch(e->L.b, idx->base, out, blk->nsucc);
        for (uint32_t i = 0; i < blk->nsucc; i++) {
            LLVMBasicBlockRef bb = wg_new_bb(e, "case");
            LLVMAddCase(sw, wg_i32(e, i), bb);
            LLVMPositionBuilderAtEnd(e->L.b, bb);
            goto_one_way(e, blk->succ[i]);
        }
        LLVMPositionBuilderAtEnd(e->L.b, out);
        LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
        LLVMBuildBr(e->L.b, e->faults.bb);
        wg_fn_add_fault_edge(e, here, wg_fn_site_of(e, WG_FAULT_TRAP, NULL), wg_i64(e, 0),
                             wg_i32(e, WG_LANES));
        return;
    }
    LLVMValueRef vec = wg_value_vec(e, idx), m = wg_mask(e);
    LLVMValueRef bad = LLVMBuildICmp(e->L.b, LLVMIntUGE, vec, wg_emit_splat(e, e->L.b, n), "");
    LLVMValueRef bad_mask = LLVMBuildAnd(e->L.b, wg_emit_mask(e, bad), m, "");
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, bad_mask, wg_i32(e, 0), ""), WG_FAULT_TRAP, NULL, NULL,
                NULL);
    LLVMDeleteBasicBlock(out);
    LLVMValueRef *lanes = WG_NEW_N(&e->an->arena, LLVMValueRef, e->func->nblocks);
    for (uint32_t i = 0; i < blk->nsucc; i++) {
        LLVMValueRef hit = LLVMBuildICmp(e->L.b, LLVMIntEQ, vec, wg_emit_splat(e, e->L.b, wg_i32(e, i)), "");
        LLVMValueRef go = LLVMBuildAnd(e->L.b, wg_emit_mask(e, hit), m, ""), *to = &lanes[blk->succ[i]];
        *to = *to ? LLVMBuildOr(e->L.b, *to, go, "") : go;
    }
    count_parting(e, lanes, m);
    if (e->v == WG_GENERAL)
        part_indexed(e, lanes);
    else
        go_over_indexed(e, lanes, m);
}

LLVMValueRef wg_fn_known_lanes(struct wg_emit *e, uint32_t block) {
    const uint32_t *lanes = e->v == WG_CONVERGED ? e->an->taken[block] : NULL;
    if (!lanes) return NULL;
    uint32_t step = e->whole ? e->run.phase->step : 1, end = e->whole ? e->run.phase->end : wg_warps_of(e);
    for (uint32_t w = 0; w < end; w += step)
        if (lanes[w] != lanes[0]) return NULL;
    return wg_i32(e, lanes[0]);
}

void wg_fn_emit_terminator(struct wg_emit *e, const struct wg_ir_block *blk) {
    bool varies = blk->term == WG_TERM_CBR && e->an->facts[e->v][blk->cond].kind == WG_VARYING;
    if (varies && !wg_fn_known_lanes(e, e->block)) wg_fn_try_all_lanes(e, blk);
    wg_value_flush(e, e->an->cfg.live_out[e->block]);
    switch (blk->term) {
    case WG_TERM_BR: wg_fn_goto_block(e, blk->succ[0]); break;
    case WG_TERM_RET:
    case WG_TERM_EXIT: end_lanes(e); break;
    case WG_TERM_BRX: branch_indexed(e, blk); break;
    case WG_TERM_BAD_CALL:
    case WG_TERM_OVERFLOW:
    case WG_TERM_TRAP: {
        LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
        LLVMValueRef lane = wg_fn_first_lane(e, wg_mask(e));
        LLVMBuildBr(e->L.b, e->faults.bb);
        enum wg_fault_kind kind = blk->term == WG_TERM_TRAP       ? WG_FAULT_TRAP
                                  : blk->term == WG_TERM_OVERFLOW ? WG_FAULT_STACK
                                                                  : WG_FAULT_CALL;
        wg_fn_add_fault_edge(e, here, wg_fn_site_of(e, kind, NULL), wg_i64(e, 0), lane);
        break;
    }
    case WG_TERM_CBR: {
        struct wg_value *c = wg_value_get(e, blk->cond);
        if (blk->succ[0] == blk->succ[1]) {
            wg_fn_goto_block(e, blk->succ[0]);
            break;
        }
        LLVMValueRef taken = wg_fn_known_lanes(e, e->block);
        if (!taken && e->whole) e->run.runner->skip_rest(e, blk);
        if (c->kind == WG_UNIFORM && taken) {
            wg_fn_goto_block(e, blk->succ[LLVMConstIntGetZExtValue(taken) & 1 ? 0 : 1]);
            break;
        }
        if (c->kind == WG_UNIFORM) {
            LLVMValueRef cond = c->base;
            LLVMBasicBlockRef yes = wg_new_bb(e, "yes"), no = wg_new_bb(e, "no");
            LLVMBuildCondBr(e->L.b, cond, blk->cond_neg ? no : yes, blk->cond_neg ? yes : no);
            LLVMPositionBuilderAtEnd(e->L.b, yes);
            goto_one_way(e, blk->succ[0]);
            LLVMPositionBuilderAtEnd(e->L.b, no);
            goto_one_way(e, blk->succ[1]);
            break;
        }
        if (!taken) {
            taken = wg_emit_mask(e, wg_value_vec(e, c));
            if (blk->cond_neg) taken = LLVMBuildNot(e->L.b, taken, "");
        }
        if (e->v == WG_CONVERGED)
            branch_converged(e, blk, taken);
        else
            branch_general(e, blk, taken);
        break;
    }
    }
}
