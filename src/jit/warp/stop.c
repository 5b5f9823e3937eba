/* Suspension points: barriers, which return the warp to the machine, and reconvergence points inside the
 * warp. */
#include "cfg/cfg.h"
#include "jit/warp/function.h"

#include <stdio.h>
#include <string.h>

void wg_fn_fill_wait(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef entry) {
    bool block = wg_op_flags(in->op) & WG_F_WAIT && in->op != WG_OP_BAR_CL_WAIT && in->op != WG_OP_CALL;
    bool red = wg_fn_is_red(in);
    uint8_t kind = block ? WG_WAIT_BLOCK : in->op == WG_OP_CALL ? WG_WAIT_GRID : WG_WAIT_CLUSTER;
    wg_store_field(e, e->L.b, wg_mask(e), entry, offsetof(struct wg_wait, lanes));
    LLVMValueRef head = wg_i32(e, kind | (uint32_t)(red ? in->mod[WG_MC_AOP] : 0) << 8);
    LLVMValueRef id = wg_i32(e, 0), threads = wg_i32(e, 0);
    if (in->op == WG_OP_WGMMA_WAIT) { /* the four warps of a warpgroup */
        LLVMValueRef group = LLVMBuildLShr(e->L.b, e->once.warp_id, wg_i32(e, 2), "");
        id = LLVMBuildAdd(e->L.b, group, wg_i32(e, WG_BARRIERS), "");
        head = LLVMBuildOr(e->L.b, head, LLVMBuildShl(e->L.b, id, wg_i32(e, 24), ""), "");
        threads = wg_i32(e, 4 * WG_LANES);
    } else if (block) {
        struct wg_value v = wg_operand(e, &in->src[0], 32);
        id = v.kind == WG_UNIFORM
                 ? v.base
                 : LLVMBuildExtractElement(e->L.b, wg_value_vec(e, &v), wg_fn_first_lane(e, wg_mask(e)), "");
        bool counted = in->nsrc > (red ? 2 : 1);
        if (counted) {
            v = wg_operand(e, &in->src[1], 32);
            threads = v.kind == WG_UNIFORM ? v.base
                                           : LLVMBuildExtractElement(e->L.b, wg_value_vec(e, &v),
                                                                     wg_fn_first_lane(e, wg_mask(e)), "");
        }
        LLVMValueRef big = LLVMBuildICmp(e->L.b, LLVMIntUGE, id, wg_i32(e, WG_BARRIERS), "");
        if (!LLVMIsAConstantInt(id) || LLVMConstIntGetZExtValue(id) >= WG_BARRIERS)
            wg_fault_if(e, big, WG_FAULT_BARRIER, in, NULL, NULL);
        head = LLVMBuildOr(e->L.b, head, LLVMBuildShl(e->L.b, id, wg_i32(e, 24), ""), "");
    }
    wg_store_field(e, e->L.b, head, entry, offsetof(struct wg_wait, kind));
    wg_store_field(e, e->L.b, threads, entry, offsetof(struct wg_wait, threads));
    wg_store_field(e, e->L.b, wg_i32(e, in->id), entry, offsetof(struct wg_wait, site));
    wg_store_field(e, e->L.b, wg_i32(e, in->loc), entry, offsetof(struct wg_wait, loc));
    if (red) {
        struct wg_value p = wg_operand(e, &in->src[in->nsrc - 1], 1);
        LLVMValueRef on = LLVMBuildAnd(e->L.b, wg_emit_mask(e, wg_value_vec(e, &p)), wg_mask(e), "");
        wg_store_field(e, e->L.b, on, entry, offsetof(struct wg_wait, predicate));
    }
}
_Static_assert(offsetof(struct wg_wait, red) == offsetof(struct wg_wait, kind) + 1 &&
                   offsetof(struct wg_wait, released) == offsetof(struct wg_wait, kind) + 2 &&
                   offsetof(struct wg_wait, id) == offsetof(struct wg_wait, kind) + 3,
               "wg_fn_fill_wait writes kind, red, released and id as one word");

/* The result of bar.red, for the lanes that return from it. */
void wg_fn_set_red_result(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (!in || in->dst[0].kind != WG_O_REG) return;
    LLVMValueRef x =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, wait[0].result), false, "");
    uint32_t reg = in->dst[0].index;
    if (wg_reg_bits(e, reg) == 1) x = LLVMBuildICmp(e->L.b, LLVMIntNE, x, wg_i32(e, 0), "");
    struct wg_value v = {.kind = WG_UNIFORM, .base = x};
    wg_slot_store(e, e->L.b, e->v, reg, &v);
}

/* A sleeping warp yields to the others. Where lanes are elsewhere, it stays, and spin loops around it
 * alternate between the lanes. */
static void sleep_lanes(struct wg_emit *e, uint32_t next) {
    if (wg_fn_others_wait(e)) {
        LLVMBasicBlockRef alone = wg_new_bb(e, "alone"), some = wg_new_bb(e, "awake");
        LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, ""), mask = wg_mask(e);
        wg_value_flush(e, e->an->cfg.live_out[e->block]);
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, live, mask, ""), alone, some);
        LLVMPositionBuilderAtEnd(e->L.b, some);
        wg_fn_goto_block(e, next);
        LLVMPositionBuilderAtEnd(e->L.b, alone);
    }
    wg_fn_stop_at(e, next, WG_WARP_YIELD, NULL);
}

static bool is_of_block(const struct wg_ir_instr *in) {
    return in->op != WG_OP_CALL && in->op != WG_OP_BAR_CL_WAIT;
}

/* Other lanes may be elsewhere: parks these, to resume at block `next`; the others keep running. */
static void park(struct wg_emit *e, uint32_t next, const struct wg_ir_instr *in) {
    wg_value_flush(e, e->an->cfg.live_out[e->block]);
    LLVMValueRef n = wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, nwait), false, "");
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntUGE, n, wg_i32(e, WG_MAX_WAITS), ""), WG_FAULT_DEADLOCK, in,
                NULL, NULL);
    LLVMValueRef at =
        LLVMBuildMul(e->L.b, LLVMBuildZExt(e->L.b, n, e->i64, ""), wg_i64(e, sizeof(struct wg_wait)), "");
    LLVMValueRef waits = wg_field(e, e->L.b, e->warp, offsetof(struct wg_warp, wait));
    LLVMValueRef entry = LLVMBuildInBoundsGEP2(e->L.b, e->i8, waits, &at, 1, "");
    wg_fn_fill_wait(e, in, entry);
    uint32_t home =
        wg_fn_is_red(in) && in->dst[0].kind == WG_O_REG ? e->regs.home[in->dst[0].index] : WG_NO_REG;
    bool pred = home != WG_NO_REG && wg_reg_bits(e, in->dst[0].index) == 1;
    /* helpers.c decodes this: block, the result's slot, and whether it is a predicate */
    uint64_t where = next | (uint64_t)(home == WG_NO_REG ? 0xffff : home / 64) << 15 | (uint64_t)pred << 31;
    wg_store_field(e, e->L.b, wg_i32(e, (uint32_t)where), entry, offsetof(struct wg_wait, resume));
    wg_store_field(e, e->L.b, LLVMBuildAdd(e->L.b, n, wg_i32(e, 1), ""), e->warp,
                   offsetof(struct wg_warp, nwait));
    if (!is_of_block(in)) {
        LLVMBuildBr(e->L.b, e->way.dispatch);
        return;
    }
    LLVMBasicBlockRef whole = wg_new_bb(e, "whole");
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, "");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, live, wg_mask(e), ""), whole, e->way.dispatch);
    LLVMPositionBuilderAtEnd(e->L.b, whole);
    wg_fn_stop_everywhere(e, WG_WARP_BARRIER);
}

void wg_fn_emit_stop(struct wg_emit *e, const struct wg_ir_block *blk, const struct wg_ir_instr *in) {
    uint32_t next = blk->succ[0];
    if (e->whole) {
        e->run.runner->end_phase(e, next, in);
        return;
    }
    if (in->op == WG_OP_NANOSLEEP) {
        sleep_lanes(e, next);
        return;
    }
    if (wg_fn_others_wait(e)) {
        park(e, next, in);
        return;
    }
    LLVMValueRef entry = wg_field(e, e->L.b, e->warp, offsetof(struct wg_warp, wait));
    wg_fn_fill_wait(e, in, entry);
    wg_store_field(e, e->L.b, wg_i32(e, 1), e->warp, offsetof(struct wg_warp, nwait));
    if (e->v == WG_GENERAL && wg_meets_at(in)) wg_fn_try_stop_converged(e, next, in);
    wg_fn_stop_at(e, next, is_of_block(in) ? WG_WARP_BARRIER : WG_WARP_WAITING, in);
}

/* ---- reconvergence points: the first instruction of a block ---- */

bool wg_fn_is_meeting(const struct wg_emit *e, uint32_t block) {
    const struct wg_ir_block *b = &e->func->blocks[block];
    return b->ninstrs && (wg_op_flags(b->instrs[0].op) & WG_F_SYNC);
}

void wg_fn_tell_waits(struct wg_emit *e) {
    for (uint32_t y = 0; y < e->func->nblocks; y++) {
        if (!e->masks.early[y]) continue;
        const struct wg_ir_instr *in = &e->func->blocks[y].instrs[0];
        LLVMValueRef args[4] = {e->warp, LLVMBuildLoad2(e->L.b, e->i32, e->masks.early[y], ""),
                                wg_i32(e, in->id), wg_i32(e, in->loc)};
        wg_call_helper(e, "wg_jit_wait_in_vain", LLVMVoidTypeInContext(e->L.ctx), args, 4);
    }
}

/* Lanes that wait at bar.warp.sync in other blocks: any bar.warp.sync completes any other. Puts the masks
 * they name into `names`. NULL: there is no such block. */
static LLVMValueRef at_other_warp_barriers(struct wg_emit *e, LLVMValueRef *names) {
    LLVMValueRef lanes = NULL;
    for (uint32_t y = 0; y < e->func->nblocks; y++) {
        if (y == e->block || !e->masks.early[y]) continue;
        const struct wg_ir_instr *in = &e->func->blocks[y].instrs[0];
        if (in->op != WG_OP_BAR_WARP) continue;
        struct wg_value named = wg_operand(e, &in->src[in->nsrc - 1], 32);
        LLVMValueRef w = LLVMBuildLoad2(e->L.b, e->i32, e->masks.early[y], "");
        *names = LLVMBuildSelect(e->L.b, wg_emit_bits(e, w), wg_value_vec(e, &named), *names, "");
        lanes = lanes ? LLVMBuildOr(e->L.b, lanes, w, "") : w;
    }
    return lanes;
}

/* Lanes released from a bar.warp.sync that have not resumed yet. */
static LLVMValueRef load_met(struct wg_emit *e) {
    return wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, met), false, "met");
}

/* The lanes that may resume: those that are ready, and those named by lanes at another bar.warp.sync. The
 * lanes elsewhere that the ready ones name may resume there: the lowest block of all of them is next. */
static LLVMValueRef meet_elsewhere(struct wg_emit *e, LLVMValueRef ready, LLVMValueRef members,
                                   LLVMValueRef elsewhere) {
    LLVMTypeRef t = LLVMTypeOf(members);
    size_t at = offsetof(struct wg_warp, met);
    LLVMValueRef met = load_met(e);
    LLVMValueRef named = LLVMBuildSelect(e->L.b, wg_emit_bits(e, ready), members, LLVMConstNull(t), "");
    named = wg_lower_intrinsic(&e->L, "llvm.vector.reduce.or", &t, 1, &named, 1);
    named = LLVMBuildAnd(e->L.b, named, elsewhere, "");
    LLVMBasicBlockRef both = wg_new_bb(e, "both"), here = wg_new_bb(e, "here");
    ready = LLVMBuildOr(e->L.b, ready, LLVMBuildAnd(e->L.b, met, wg_mask(e), ""), "");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, named, wg_i32(e, 0), ""), both, here);
    LLVMPositionBuilderAtEnd(e->L.b, both);
    LLVMValueRef all = LLVMBuildOr(e->L.b, LLVMBuildOr(e->L.b, met, named, ""), ready, "");
    wg_store_field(e, e->L.b, all, e->warp, at);
    wg_fn_add_waiting(e, e->block, wg_mask(e));
    LLVMBuildBr(e->L.b, e->way.look_again);
    LLVMPositionBuilderAtEnd(e->L.b, here);
    met = LLVMBuildAnd(e->L.b, met, LLVMBuildNot(e->L.b, ready, ""), "");
    wg_store_field(e, e->L.b, met, e->warp, at);
    return ready;
}

/* Lanes in a later iteration of a loop may be at a barrier where others are still in the previous
 * iteration, or at one bar.warp.sync while others are at an unrelated one: lanes that name different masks
 * do not meet, except in checked code, where this is reported and they continue. Gives `ready` without the
 * lanes that name a lane of `here` which names another mask. That all name one mask is the common case. */
static LLVMValueRef without_unlike(struct wg_emit *e, LLVMValueRef names, LLVMValueRef here,
                                   LLVMValueRef ready) {
    LLVMValueRef none = wg_i32(e, 0);
    LLVMValueRef cttz[2] = {here, LLVMConstInt(LLVMInt1TypeInContext(e->L.ctx), 0, false)};
    LLVMValueRef lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, cttz, 2);
    lane = LLVMBuildAnd(e->L.b, lane, wg_i32(e, WG_LANES - 1), "");
    LLVMValueRef first = wg_emit_splat(e, e->L.b, LLVMBuildExtractElement(e->L.b, names, lane, ""));
    LLVMValueRef differs = wg_emit_mask(e, LLVMBuildICmp(e->L.b, LLVMIntNE, names, first, ""));
    differs = LLVMBuildICmp(e->L.b, LLVMIntNE, LLVMBuildAnd(e->L.b, differs, here, ""), none, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->L.b), ask = wg_new_bb(e, "unlike"),
                      done = wg_new_bb(e, "alike");
    LLVMBuildCondBr(e->L.b, differs, ask, done);
    LLVMPositionBuilderAtEnd(e->L.b, ask);
    LLVMValueRef args[2] = {wg_spill_lanes(e, 0, names), here};
    LLVMValueRef unlike = wg_call_helper(e, "wg_jit_named_unlike", e->i32, args, 2);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, e->i32, ""), values[2] = {none, unlike};
    LLVMBasicBlockRef from[2] = {before, ask};
    LLVMAddIncoming(phi, values, from, 2);
    return LLVMBuildAnd(e->L.b, ready, LLVMBuildNot(e->L.b, phi, ""), "");
}

/* GENERAL, and lanes may be elsewhere: lanes whose partners have not arrived wait here. */
void wg_fn_wait_for_partners(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_value members = wg_operand(e, &in->src[in->nsrc - 1], 32);
    LLVMValueRef m = wg_mask(e);
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, "");
    LLVMValueRef names = wg_value_vec(e, &members);
    LLVMValueRef elsewhere = in->op == WG_OP_BAR_WARP ? at_other_warp_barriers(e, &names) : NULL;
    if (elsewhere) elsewhere = LLVMBuildAnd(e->L.b, elsewhere, LLVMBuildNot(e->L.b, load_met(e), ""), "");
    LLVMValueRef here = elsewhere ? LLVMBuildOr(e->L.b, m, elsewhere, "") : m;
    LLVMValueRef absent = LLVMBuildAnd(e->L.b, live, LLVMBuildNot(e->L.b, here, ""), "");
    LLVMValueRef missing =
        LLVMBuildAnd(e->L.b, wg_value_vec(e, &members), wg_emit_splat(e, e->L.b, absent), "");
    LLVMValueRef ready = LLVMBuildICmp(e->L.b, LLVMIntEQ, missing, LLVMConstNull(LLVMTypeOf(missing)), "");
    ready = LLVMBuildAnd(e->L.b, wg_emit_mask(e, ready), m, "ready");
    if (!e->opts->check && (elsewhere || members.kind != WG_UNIFORM))
        ready = without_unlike(e, names, here, ready);
    if (elsewhere) ready = meet_elsewhere(e, ready, wg_value_vec(e, &members), elsewhere);
    LLVMValueRef early = LLVMBuildXor(e->L.b, m, ready, "");
    LLVMBasicBlockRef some = wg_new_bb(e, "early"), go = wg_new_bb(e, "met");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, early, wg_i32(e, 0), ""), some, go);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    LLVMBuildStore(e->L.b, early, e->masks.early[e->block]);
    wg_fn_set_mask(e, e->L.b, WG_GENERAL, ready);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, ready, wg_i32(e, 0), ""), e->way.dispatch, go);
    LLVMPositionBuilderAtEnd(e->L.b, go);
    wg_value_begin_block(e);
}
