/* Calls out of a phase: one warp's share of a phase runs in other code, then the phase continues with the
 * next warp. Where a long divergent region is the reason, the callee is CONVERGED's other form, in which long
 * regions are predicated too; a warp that leaves for any other reason runs in GENERAL.
 *
 *     leave:    run(warp), general(warp)
 *     done:     all its lanes have exited, as those of other warps will: the warp is as before the block
 *     met:      all lanes wait at the barrier that ends the phase; live values are in the frame, where
 *               CONVERGED stores them
 *     left:     anything else: the machine continues, warp by warp (phases.c)
 */
#include "jit/block/phases.h"

static LLVMValueRef lanes_at_start(struct wg_emit *e, const struct wg_phase *p) {
    uint32_t rest = e->opts->ntid[0] * e->opts->ntid[1] * e->opts->ntid[2] % WG_LANES;
    LLVMValueRef all = wg_i32(e, UINT32_MAX);
    if (!rest) return all;
    LLVMValueRef last = LLVMBuildICmp(e->L.b, LLVMIntEQ, p->number, wg_i32(e, wg_warps_of(e) - 1), "");
    return LLVMBuildSelect(e->L.b, last, wg_i32(e, (1u << rest) - 1), all, "");
}

/* Whether the warp has diverged at a branch whose region is long. */
static LLVMValueRef is_at_region(struct wg_emit *e) {
    LLVMValueRef at =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, resume), false, "resume");
    LLVMValueRef is = LLVMConstInt(e->i1, 0, 0);
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        if (e->an->aside[b] && e->an->phases->of[b] == e->run.phase->begins)
            is = LLVMBuildOr(e->L.b, is,
                             LLVMBuildICmp(e->L.b, LLVMIntEQ, at, wg_i32(e, wg_fn_at_branch(e, b)), ""), "");
    return is;
}

static LLVMValueRef call_other(struct wg_emit *e) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef code = wg_load_field(e, b, e->ptr, e->warp, offsetof(struct wg_warp, code), false, "code");
    LLVMValueRef offset = LLVMBuildSelect(b, is_at_region(e), wg_i64(e, offsetof(struct wg_code, run)),
                                          wg_i64(e, offsetof(struct wg_code, general)), "");
    LLVMValueRef f = LLVMBuildInBoundsGEP2(b, e->i8, code, &offset, 1, "");
    f = LLVMBuildLoad2(b, e->ptr, f, "other");
    size_t at = offsetof(struct wg_block, last);
    LLVMValueRef last = wg_load_field(e, b, e->ptr, e->once.block, at, false, "last");
    wg_store_field(e, b, LLVMConstNull(e->ptr), e->once.block, at); /* this warp alone */
    LLVMValueRef status = LLVMBuildCall2(b, LLVMFunctionType(e->i32, &e->ptr, 1, 0), f, &e->warp, 1, "");
    wg_store_field(e, b, last, e->once.block, at);
    return status;
}

static void put_back(struct wg_emit *e) {
    static const size_t field[] = {offsetof(struct wg_warp, resume), offsetof(struct wg_warp, nwait),
                                   offsetof(struct wg_warp, met), offsetof(struct wg_warp, told)};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        wg_store_field(e, e->L.b, wg_i32(e, 0), e->warp, field[i]);
}

static LLVMBasicBlockRef build_done(struct wg_emit *e, struct wg_phase *p) {
    LLVMBasicBlockRef done = wg_new_bb(e, "aside.done");
    LLVMPositionBuilderAtEnd(e->L.b, done);
    put_back(e);
    wg_store_field(e, e->L.b, lanes_at_start(e, p), e->warp, offsetof(struct wg_warp, live));
    wg_fn_note_end(e, e->func->nblocks, NULL);
    LLVMBuildBr(e->L.b, p->latch);
    return done;
}

/* The one block of the phase that writes the register, once per warp. */
static bool find_maker(const struct wg_emit *e, const struct wg_phase *p, uint32_t reg, uint32_t *block) {
    if (e->an->cfg.ndefs[reg] != 1) return false;
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        if (e->an->phases->of[b] != p->begins) continue;
        for (uint32_t i = 0; i < blk->ninstrs; i++)
            for (uint32_t d = 0; d < blk->instrs[i].ndst; d++) {
                const struct wg_ir_opd *o = &blk->instrs[i].dst[d];
                if (o->kind != WG_O_REG || o->index != reg) continue;
                *block = b;
                return blk->loop == WG_NO_REG || e->an->phases->of[blk->loop] != p->begins;
            }
    }
    return false;
}

void wg_fn_keep_aside(struct wg_emit *e) {
    struct wg_phase *p = e->run.phase;
    if (!wg_bits_has(e->an->phases->asides, p->begins)) return;
    if (!p->lost) p->lost = wg_bits_new(&e->an->arena, e->func->nregs);
    WG_BITS_EACH(r, p->written, e->func->nregs) {
        uint32_t made;
        if (!wg_bits_has(e->an->phases->kept, r)) continue;
        bool once = find_maker(e, p, r, &made);
        if (once && e->regs.have[r] && made <= e->block)
            wg_slot_store(e, e->L.b, WG_CONVERGED, r, &e->regs.cur[r]);
        else if (!once || made == e->block || !wg_dominates(&e->an->cfg, made, e->block))
            wg_bits_add(p->lost, r);
    }
}

/* The registers that this phase writes for all warps, that the next phase reads, and that are live at the
 * end, so that they are in the frame. The others must be there already; false: not all of them are. */
static bool find_wanted(struct wg_emit *e, const struct wg_phase *p, uint32_t to, wg_bits wanted) {
    WG_BITS_EACH(r, p->written, e->func->nregs) {
        if (!wg_fn_wanted_at(e, to, r)) continue;
        if (wg_bits_has(e->an->cfg.live_in[to], r))
            wg_bits_add(wanted, r);
        else if (wg_bits_has(p->lost, r))
            return false;
    }
    return true;
}

static LLVMBasicBlockRef build_met(struct wg_emit *e, struct wg_phase *p, const struct wg_phase_end *end) {
    wg_bits wanted = wg_bits_new(&e->an->arena, e->func->nregs);
    if (!end->in || !wg_fn_may_return(e, end->to) || !find_wanted(e, p, end->to, wanted)) return NULL;
    LLVMBasicBlockRef met = wg_new_bb(e, "aside.met");
    LLVMPositionBuilderAtEnd(e->L.b, met);
    put_back(e);
    wg_value_begin_block(e);
    wg_fn_restore_regs(e, wanted);
    wg_fn_note_end(e, end->to, end->in);
    LLVMBuildBr(e->L.b, p->latch);
    return met;
}

/* At a barrier: the warp has all the lanes that it began with, and is in CONVERGED's form, or takes `left`.
 */
static LLVMBasicBlockRef build_barrier(struct wg_emit *e, struct wg_phase *p, LLVMBasicBlockRef left,
                                       bool of_grid) {
    LLVMBasicBlockRef barrier = wg_new_bb(e, "aside.barrier"), all = wg_new_bb(e, "aside.all");
    LLVMPositionBuilderAtEnd(e->L.b, barrier);
    LLVMValueRef live =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, live), false, "live");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, live, lanes_at_start(e, p), ""), all, left);
    LLVMPositionBuilderAtEnd(e->L.b, all);
    LLVMValueRef at =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, resume), false, "resume");
    LLVMValueRef sw = LLVMBuildSwitch(e->L.b, at, left, p->nends);
    for (uint32_t k = 0; k < p->nends; k++) {
        uint32_t to = p->ends[k].to;
        bool twice = false; /* two barriers lead there: either will do */
        if (!p->ends[k].in || wg_is_grid_barrier(p->ends[k].in) != of_grid) continue;
        for (uint32_t i = 0; i < k; i++)
            twice |= p->ends[i].to == to && p->ends[i].in && wg_is_grid_barrier(p->ends[i].in) == of_grid;
        LLVMBasicBlockRef met = twice ? NULL : build_met(e, p, &p->ends[k]);
        if (met) LLVMAddCase(sw, wg_i32(e, wg_fn_at_block(e, WG_CONVERGED, to)), met);
    }
    return barrier;
}

void wg_fn_run_aside(struct wg_emit *e, struct wg_phase *p) {
    LLVMBasicBlockRef left = wg_new_bb(e, "left"), fault = wg_new_bb(e, "aside.fault");
    LLVMValueRef sw = LLVMBuildSwitch(e->L.b, call_other(e), left, 3);
    LLVMAddCase(sw, wg_i32(e, WG_WARP_FAULT), fault);
    LLVMPositionBuilderAtEnd(e->L.b, fault);
    LLVMBuildRet(e->L.b, wg_i32(e, WG_WARP_FAULT));
    for (uint32_t k = 0; k < p->nends; k++)
        if (p->ends[k].to == e->func->nblocks) {
            LLVMAddCase(sw, wg_i32(e, WG_WARP_DONE), build_done(e, p));
            break;
        }
    LLVMAddCase(sw, wg_i32(e, WG_WARP_BARRIER), build_barrier(e, p, left, false));
    bool grid = false;
    for (uint32_t k = 0; k < p->nends; k++) grid |= p->ends[k].in && wg_is_grid_barrier(p->ends[k].in);
    if (grid) LLVMAddCase(sw, wg_i32(e, WG_WARP_WAITING), build_barrier(e, p, left, true));
    LLVMPositionBuilderAtEnd(e->L.b, left);
}
