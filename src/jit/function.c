/* Emits one version of a kernel as one LLVM function: basic blocks, masks, suspension and resume points.
 *
 *     entry:        load what a whole thread block shares
 *     start:        start of a warp: load its own values; switch on warp->resume
 *     next:         CONVERGED, the warp is done or at a barrier: `start` for the next warp, up to block->last
 *     c.B / g.B     basic block B in CONVERGED / GENERAL
 *
 * A divergent branch in c.B continues in GENERAL: live registers are spilled to the warp's frame
 * (crossing.c), lane masks to warp->live and warp->active, and the other function is tail-called. It is
 * compiled on first use: most kernels never need it. Where all lanes have reconverged, g.B returns to c.B the
 * same way, if its registers match CONVERGED's facts. A barrier spills live registers and ends the warp's
 * time slice; `start` resumes at the next block.
 *
 * A long kernel is first compiled in a form of CONVERGED without re-entry from GENERAL (one_way): an entry
 * point at each loop merges all live values of two paths there, and such code cannot be split in two
 * (split_function.h). When lanes have diverged, the form with all entry points is compiled, too.
 *
 * A kernel whose threads only synchronise at __syncthreads() has CONVERGED in another form, which runs whole
 * thread blocks and has loops over warps in place of `start` and `next`: phases.c.
 *
 * Both functions agree on each register's spill slot in the frame (`home`) and on the numbers of warp->resume
 * (`at_...`).
 */
#include "jit/instr/instr.h"
#include "jit/access/row_lines.h"
#include "jit/emit/issue.h"
#include "cfg/cfg.h"
#include "jit/emit/count.h"
#include "jit/block/phases.h"

#include <stdio.h>
#include <string.h>

static uint32_t check_at(const struct wg_emit *e, uint32_t block, uint32_t instr) {
    for (uint32_t k = 0; k < e->out.checks.n; k++)
        if (e->out.checks.v[k].block == block && e->out.checks.v[k].instr == instr) return k;
    return WG_NO_REG;
}

/* GENERAL: the running lanes are joined by all lanes that wait at block b, at its start. */
static void take_along(struct wg_emit *e, uint32_t b) {
    LLVMValueRef slots[] = {wg_fn_wait_slot(e, b), e->masks.early[b], e->masks.rest[b]};
    LLVMValueRef m = LLVMBuildLoad2(e->L.b, e->i32, e->masks.slot[WG_GENERAL], "");
    for (uint32_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if (!slots[i]) continue;
        m = LLVMBuildOr(e->L.b, m, LLVMBuildLoad2(e->L.b, e->i32, slots[i], ""), "mask");
        LLVMBuildStore(e->L.b, wg_i32(e, 0), slots[i]);
    }
    wg_fn_set_mask(e, e->L.b, WG_GENERAL, m);
    e->masks.on = m;
#ifndef NDEBUG
    LLVMValueRef waits = wg_field(e, e->L.b, wg_fn_frame_ptr(e, e->L.b), e->masks.wait_home);
    LLVMValueRef args[2] = {waits, wg_i32(e, b)};
    wg_call_helper(e, "wg_jit_runs_lowest", LLVMVoidTypeInContext(e->L.ctx), args, 2);
#endif
}

static void emit_block(struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    e->block = b;
    if (e->whole) wg_fn_enter_phase(e, b);
    LLVMPositionBuilderAtEnd(e->L.b, wg_code_at(e, b, e->masks.all));
    wg_value_begin_block(e);
    bool others = wg_fn_others_wait(e);
    if (e->v == WG_GENERAL && wg_bits_has(e->masks.waits, b)) take_along(e, b);
    if (e->v == WG_GENERAL && !e->brief && wg_fn_may_return(e, b)) wg_fn_try_return(e, b);
    struct wg_scalar_loop alone;
    if (wg_fn_lane_loop_fits(e, b, &alone)) {
        wg_fn_emit_lane_loop(e, &alone);
        return;
    }
    if (e->v == WG_CONVERGED && b == 0 && blk->npred == 0) wg_emit_block_prefetches(e);
    wg_row_lines_begin(e);
    if (blk->goes_on)
        wg_store_field(e, e->L.b, wg_i32(e, 1), e->once.block, offsetof(struct wg_block, goes_on));
    wg_issues_begin(e);
    bool meets = others && wg_fn_is_meeting(e, b);
    if (!meets) wg_count_block(e);
    for (uint32_t i = 0; i < blk->ninstrs && !e->failed; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        e->instr = i;
        if (e->v == WG_GENERAL) {
            uint32_t k = check_at(e, b, i);
            if (k != WG_NO_REG) { /* CONVERGED may enter here */
                wg_bits live = wg_bits_new(&e->an->arena, e->func->nregs);
                wg_fn_live_before(e, b, i, live);
                wg_value_flush(e, live);
                e->out.check_bb[k] = wg_new_bb(e, "g.check");
                wg_fn_entered_at(e, wg_fn_at_check(e, k));
                LLVMBuildBr(e->L.b, e->out.check_bb[k]);
                LLVMPositionBuilderAtEnd(e->L.b, e->out.check_bb[k]);
                wg_value_begin_block(e);
                e->out.entered = live;
                wg_count_segment(e);
            }
        }
        if (i == 0 && meets) {
            wg_fn_wait_for_partners(e, in);
            wg_count_block(e);
        }
        if (i + 1 == blk->ninstrs && wg_fn_stops(in)) {
            wg_issue_here(e);
            wg_issues_end(e);
            wg_fn_emit_stop(e, blk, in);
            return;
        }
        wg_emit_instr(e, in);
    }
    wg_issues_end(e);
    if (!e->failed) wg_fn_emit_terminator(e, blk);
}

/* Resumes what was suspended or handed over: its lanes, its registers, then the place. brx: the block
 * whose indexed branch CONVERGED stood at, or WG_NO_REG. */
static void emit_dispatch_entry(struct wg_emit *e, uint32_t brx, LLVMValueRef live) {
    if (brx != WG_NO_REG) wg_fn_restore_regs(e, e->an->cfg.live_out[brx]);
    LLVMBuildStore(e->L.b, live, e->masks.live);
    LLVMValueRef frame = wg_fn_frame_ptr(e, e->L.b);
    LLVMValueRef args[3] = {e->warp, frame, wg_field(e, e->L.b, frame, e->masks.wait_home)};
    wg_call_helper(e, "wg_jit_release", LLVMVoidTypeInContext(e->L.ctx), args, 3);
    LLVMBuildBr(e->L.b, e->way.dispatch);
}

static void emit_branch_entry(struct wg_emit *e, uint32_t b, LLVMValueRef live) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    uint32_t low = blk->succ[0] < blk->succ[1] ? 0 : 1;
    if (!e->brief) {
        wg_fn_clear_waits(e);
        wg_fn_restore_regs(e, e->an->cfg.live_out[b]);
    }
    LLVMValueRef active =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, active), false, "active");
    LLVMValueRef rest = LLVMBuildXor(e->L.b, live, active, "");
    bool low_exits = wg_leads_to_exit(e->func, blk->succ[low]);
    if (low_exits || wg_leads_to_exit(e->func, blk->succ[1 - low])) {
        live = active = low_exits ? rest : active;
        low = low_exits ? 1 - low : low;
    } else {
        LLVMBuildStore(e->L.b, rest, wg_fn_wait_slot(e, blk->succ[1 - low]));
    }
    LLVMBuildStore(e->L.b, live, e->masks.live);
    wg_fn_set_mask(e, e->L.b, WG_GENERAL, active);
    e->block = b;
    if (blk->succ[low] <= b && e->an->yields[blk->succ[low]]) /* a back edge of a spin loop */
        wg_fn_goto_block(e, blk->succ[low]);
    else
        LLVMBuildBr(e->L.b, e->bb[WG_GENERAL][blk->succ[low]]);
}

/* CONVERGED, at a long region's branch: entered from code for whole thread blocks. */
static void emit_region_entry(struct wg_emit *e, uint32_t b, LLVMValueRef live) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    wg_fn_restore_regs(e, e->an->cfg.live_out[b]);
    wg_fn_set_mask(e, e->L.b, WG_CONVERGED, live);
    LLVMBuildStore(e->L.b, live, e->masks.live);
    LLVMValueRef low =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, active), false, "active");
    LLVMValueRef high = LLVMBuildXor(e->L.b, live, low, "");
    bool first = blk->succ[0] < blk->succ[1];
    e->block = b;
    e->access.checked.n = 0;
    wg_fn_emit_region(e, first ? low : high, first ? high : low);
}

/* All live lanes at one place, with the registers live there. */
static void enter_together(struct wg_emit *e, const uint64_t *alive, LLVMValueRef live) {
    wg_store_field(e, e->L.b, wg_i32(e, 0), e->warp, offsetof(struct wg_warp, nwait));
    if (e->v == WG_GENERAL)
        wg_fn_clear_waits(e);
    else
        wg_fn_restore_regs(e, alive);
    wg_fn_set_mask(e, e->L.b, e->v, live);
    LLVMBuildStore(e->L.b, live, e->masks.live);
}

/* At the start of a block, or after bar.red. */
static void emit_place_entry(struct wg_emit *e, uint32_t block, const struct wg_ir_instr *red,
                             LLVMValueRef live) {
    enter_together(e, e->an->cfg.live_in[block], live);
    wg_fn_set_red_result(e, red);
    LLVMBuildBr(e->L.b, e->bb[e->v][block]);
}

/* The registers live at any check of the block whose first check is `first`: valid until the next call.
 * *n: the number of its checks. */
static wg_bits alive_at_checks(struct wg_emit *e, uint32_t first, uint32_t *n) {
    uint32_t block = e->out.checks.v[first].block;
    wg_bits alive = e->regs.sets[2], any = e->regs.sets[3];
    wg_fn_live_before(e, block, e->out.checks.v[first].instr, any);
    for (*n = 1; first + *n < e->out.checks.n && e->out.checks.v[first + *n].block == block; ++*n) {
        wg_fn_live_before(e, block, e->out.checks.v[first + *n].instr, alive);
        wg_bits_join(any, alive, e->func->nregs);
    }
    return any;
}

/* GENERAL, from the checks of check k's block: they share one entry point, which restores the registers
 * live at any of them; those not live at the actual check may hold anything. */
static void emit_check_entry(struct wg_emit *e, uint32_t k, LLVMValueRef live) {
    uint32_t block = e->out.checks.v[k].block, first = k, n;
    while (first > 0 && e->out.checks.v[first - 1].block == block) first--;
    if (first < k) { /* the first one's entry exists already, as its resume comes first */
        LLVMBuildBr(e->L.b, wg_fn_entered_at(e, wg_fn_at_check(e, first)));
        return;
    }
    wg_bits any = alive_at_checks(e, first, &n);
    if (!e->brief) {
        wg_fn_restore_regs(e, any);
        wg_fn_clear_waits(e);
    }
    wg_fn_set_mask(e, e->L.b, e->v, live);
    LLVMBuildStore(e->L.b, live, e->masks.live);
    LLVMValueRef at =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, resume), false, "check");
    LLVMValueRef sw = LLVMBuildSwitch(e->L.b, at, e->out.check_bb[first], n);
    for (uint32_t i = 1; i < n; i++)
        LLVMAddCase(sw, wg_i32(e, wg_fn_at_check(e, first + i)), e->out.check_bb[first + i]);
}

static void emit_entry(struct wg_emit *e, struct wg_resume r) {
    uint32_t n = e->func->nblocks;
    LLVMPositionBuilderAtEnd(e->L.b, r.bb);
    wg_value_begin_block(e);
    LLVMValueRef live =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, live), false, "live");
    uint32_t id = r.id - 1;
    if (r.id == wg_fn_at_dispatch(e))
        emit_dispatch_entry(e, WG_NO_REG, live);
    else if (r.id > wg_fn_at_dispatch(e))
        emit_dispatch_entry(e, r.id - wg_fn_at_indexed(e, 0), live);
    else if (id < 2 * n)
        emit_place_entry(e, id / 2, NULL, live);
    else if (id < 3 * n && e->v == WG_CONVERGED)
        emit_region_entry(e, id - 2 * n, live);
    else if (id < 3 * n)
        emit_branch_entry(e, id - 2 * n, live);
    else if (id < 3 * n + e->out.checks.n)
        emit_check_entry(e, id - 3 * n, live);
    else {
        const struct wg_ir_block *b = &e->func->blocks[(id - 3 * n - e->out.checks.n) / 2];
        emit_place_entry(e, b->succ[0], &b->instrs[b->ninstrs - 1], live);
    }
}

/* Whether CONVERGED enters GENERAL there, at a branch or a check. */
static bool comes_from_converged(const struct wg_emit *e, uint32_t id) {
    uint32_t n = e->func->nblocks;
    return e->v == WG_GENERAL && id > 2 * n && id - 1 < 3 * n + e->out.checks.n;
}

/* Brief GENERAL: one entry point for all places where CONVERGED enters it. It restores the registers live
 * at any of them, and branches to each place. */
static LLVMBasicBlockRef emit_shared_entry(struct wg_emit *e) {
    uint32_t blocks = e->func->nblocks, n;
    LLVMBasicBlockRef entry = wg_new_bb(e, "over"), never = wg_new_bb(e, "never");
    wg_bits any = wg_bits_new(&e->an->arena, e->func->nregs);
    LLVMPositionBuilderAtEnd(e->L.b, never);
    LLVMBuildUnreachable(e->L.b);
    LLVMPositionBuilderAtEnd(e->L.b, entry);
    wg_value_begin_block(e);
    LLVMValueRef at =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, resume), false, "place");
    for (uint32_t i = 0; i < e->out.resumes.n; i++) {
        uint32_t id = e->out.resumes.v[i].id, place = id - 1 - 2 * blocks;
        if (!comes_from_converged(e, id)) continue;
        wg_bits_join(any,
                     place < blocks ? e->an->cfg.live_out[place] : alive_at_checks(e, place - blocks, &n),
                     e->func->nregs);
    }
    wg_fn_restore_regs(e, any);
    wg_fn_clear_waits(e);
    LLVMValueRef sw = LLVMBuildSwitch(e->L.b, at, never, e->out.resumes.n);
    for (uint32_t i = 0; i < e->out.resumes.n; i++) {
        struct wg_resume *r = &e->out.resumes.v[i];
        if (comes_from_converged(e, r->id)) LLVMAddCase(sw, wg_i32(e, r->id), r->bb);
    }
    return entry;
}

/* CONVERGED: the entries from GENERAL, from resumes.v[first] on, share one entry point, which restores the
 * registers live at any of them: separate ones would each reload nearly the same registers. Those not live
 * where the warp resumes may hold anything. All of these ids are blocks. */
static void emit_ways_back(struct wg_emit *e, uint32_t first) {
    uint32_t n = e->func->nregs;
    LLVMBasicBlockRef entry = e->out.resumes.v[first].bb;
    wg_bits any = wg_bits_new(&e->an->arena, n);
    for (uint32_t i = first; i < e->out.resumes.n; i++)
        wg_bits_join(any, e->an->cfg.live_in[(e->out.resumes.v[i].id - 1) / 2], n);
    LLVMPositionBuilderAtEnd(e->L.b, entry);
    wg_value_begin_block(e);
    LLVMValueRef live =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, live), false, "live");
    enter_together(e, any, live);
    LLVMValueRef at =
        wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, resume), false, "place");
    LLVMValueRef sw = NULL;
    for (uint32_t i = first; i < e->out.resumes.n; i++) {
        struct wg_resume *r = &e->out.resumes.v[i];
        LLVMBasicBlockRef place = e->bb[WG_CONVERGED][(r->id - 1) / 2];
        if (!sw) {
            sw = LLVMBuildSwitch(e->L.b, at, place, e->out.resumes.n - first);
            continue;
        }
        LLVMAddCase(sw, wg_i32(e, r->id), place);
        LLVMDeleteBasicBlock(r->bb);
        r->bb = entry;
    }
}

/* Blocks where lanes may wait for others. */
static void find_waits(struct wg_emit *e) {
    const struct wg_ir_func *f = e->func;
    e->masks.waits = wg_bits_new(&e->an->arena, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        wg_bits_join(e->masks.waits, e->an->frontier[b], f->nblocks);
        if (!wg_bits_has(e->an->divergent[WG_GENERAL], b) && !wg_bits_has(e->an->divergent[WG_CONVERGED], b))
            continue;
        for (uint32_t s = 0; s < f->blocks[b].nsucc; s++)
            if (!wg_leads_to_exit(f, f->blocks[b].succ[s])) wg_bits_add(e->masks.waits, f->blocks[b].succ[s]);
    }
}

/* in_memory: prevents its promotion to SSA values. */
static LLVMValueRef zeroed_slot(struct wg_emit *e, const char *name, bool in_memory) {
    LLVMValueRef a = LLVMBuildAlloca(e->entry_b, e->i32, name);
    LLVMSetVolatile(LLVMBuildStore(e->whole ? e->block_b : e->warp_b, wg_i32(e, 0), a), in_memory);
    return a;
}

/* Starts the loop over the warps of a block. */
static void begin_warps(struct wg_emit *e) {
    e->entry = wg_new_bb(e, "entry");
    e->warp_start = wg_new_bb(e, "start");
    LLVMPositionBuilderAtEnd(e->entry_b, e->entry);
    LLVMPositionBuilderAtEnd(e->warp_b, e->warp_start);
    e->first_warp = e->warp = LLVMGetParam(e->fn, 0);
    e->once.block =
        wg_load_field(e, e->entry_b, e->ptr, e->warp, offsetof(struct wg_warp, block), true, "block");
    if (e->whole) {
        LLVMDeleteBasicBlock(e->warp_start);
        wg_fn_begin_blocks(e);
        e->warp_slot = LLVMBuildAlloca(e->entry_b, e->ptr, "warp");
    } else if (e->v == WG_CONVERGED) {
        e->warp = LLVMBuildPhi(e->warp_b, e->ptr, "warp");
        LLVMAddIncoming(e->warp, &e->first_warp, &e->entry, 1);
        e->way.next = wg_new_bb(e, "next");
        LLVMPositionBuilderAtEnd(e->L.b, e->way.next);
        e->way.next_status = LLVMBuildPhi(e->L.b, e->i32, "status");
    }
}

/* Emits `next`. */
static void end_warps(struct wg_emit *e) {
    LLVMBasicBlockRef on = wg_new_bb(e, "on"), leave = wg_new_bb(e, "leave");
    LLVMValueRef last =
        wg_load_field(e, e->entry_b, e->ptr, e->once.block, offsetof(struct wg_block, last), false, "last");
    LLVMValueRef current = wg_load_field(e, e->entry_b, e->ptr, e->once.block,
                                         offsetof(struct wg_block, current), false, "current");
    LLVMPositionBuilderAtEnd(e->L.b, e->way.next);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntULT, e->warp, last, ""), on, leave);
    LLVMPositionBuilderAtEnd(e->L.b, leave);
    LLVMBuildRet(e->L.b, e->way.next_status);
    LLVMPositionBuilderAtEnd(e->L.b, on);
    LLVMValueRef warp = wg_field(e, e->L.b, e->warp, sizeof(struct wg_warp));
    LLVMValueRef st = LLVMBuildStore(e->L.b, warp, current);
    LLVMSetOrdering(st, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(st, 8);
    LLVMBuildBr(e->L.b, e->warp_start);
    LLVMAddIncoming(e->warp, &warp, &on, 1);
}

static void begin_warp(struct wg_emit *e) {
    LLVMValueRef live =
        wg_load_field(e, e->warp_b, e->i32, e->warp, offsetof(struct wg_warp, live), false, "live");
    LLVMBuildStore(e->warp_b, live, e->masks.slot[WG_CONVERGED]);
    e->once.warp_id =
        wg_load_field(e, e->warp_b, e->i32, e->warp, offsetof(struct wg_warp, id), true, "warp_id");
}

/* Masks of lanes that run later, one for each block that may be passed over. Any block may run next, so as
 * SSA values they would be live everywhere: 258 spin loops made 3.6 million incoming values of phis. Where
 * there are many they stay in memory. */
static void make_later_slots(struct wg_emit *e) {
    enum { FEW = 8 };
    uint32_t n = 0;
    WG_BITS_EACH(b, e->an->passed, e->func->nblocks) n++;
    WG_BITS_EACH(b, e->an->passed, e->func->nblocks) {
        if (wg_fn_is_meeting(e, b)) e->masks.early[b] = zeroed_slot(e, "early", n > FEW);
        if (e->an->yields[b]) e->masks.rest[b] = zeroed_slot(e, "rest", n > FEW);
    }
}

static void begin(struct wg_emit *e) {
    e->out.exits = &wg_fn_exits;
    e->run.runner = e->whole ? &wg_phase_runner : NULL;
    LLVMTypeRef ft = LLVMFunctionType(e->i32, &e->ptr, 1, 0);
    e->fn = LLVMAddFunction(e->L.module, "wg_kernel", ft);
    begin_warps(e);
    for (int v = 0; v < WG_VERSIONS; v++) e->masks.slot[v] = zeroed_slot(e, "mask", false);
    e->masks.live = zeroed_slot(e, "live", false);
    if (!e->whole) begin_warp(e);
    wg_fn_find_homes(e);
    find_waits(e);
    wg_combine_plan(e);
    e->out.check_bb = WG_NEW_N(&e->an->arena, LLVMBasicBlockRef, e->out.checks.n + 1);
    wg_fn_build_fault_exit(e);
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        char name[32];
        snprintf(name, sizeof name, "%c.%u", e->v == WG_CONVERGED ? 'c' : 'g', b);
        e->bb[e->v][b] = wg_new_bb(e, name);
    }
    if (e->v == WG_CONVERGED) return;
    make_later_slots(e);
    e->way.dispatch = wg_new_bb(e, "dispatch");
    e->way.look_again = wg_new_bb(e, "look");
    if (e->brief) wg_fn_begin_search(e);
    e->way.chosen = wg_new_bb(e, "chosen");
    LLVMPositionBuilderAtEnd(e->L.b, e->way.chosen);
    e->way.chosen_block = LLVMBuildPhi(e->L.b, e->i32, "block");
}

/* Adds the entry points that the other version may use. */
static void open_to_other(struct wg_emit *e) {
    bool left_out = false;
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        if (e->v == WG_CONVERGED) {
            bool left = b && e->an->phases && wg_bits_has(e->an->phases->begins, b);
            bool back = left || wg_fn_may_return(e, b);
            if (back && !e->one_way) wg_fn_entered_at(e, wg_fn_at_block(e, WG_CONVERGED, b));
            left_out |= back && e->one_way;
        } else if (wg_bits_has(e->an->divergent[WG_CONVERGED], b) && blk->term == WG_TERM_CBR &&
                   blk->succ[0] != blk->succ[1]) {
            wg_fn_entered_at(e, wg_fn_at_branch(e, b));
        } else if (blk->term == WG_TERM_BRX && e->an->facts[WG_CONVERGED][blk->cond].kind != WG_UNIFORM) {
            wg_fn_entered_at(e, wg_fn_at_indexed(e, b));
        }
    }
    if (e->v == WG_GENERAL) wg_fn_entered_at(e, wg_fn_at_dispatch(e));
    e->one_way = left_out;
}

/* Adds the entry points where code for whole thread blocks has this function run a warp that diverged. */
static void open_long_regions(struct wg_emit *e) {
    for (uint32_t b = 0; b < e->func->nblocks && e->an->opts->long_regions; b++)
        if (e->an->region[b] && e->an->region[b]->is_long) wg_fn_entered_at(e, wg_fn_at_branch(e, b));
}

/* See wg_fn_at_block. */
static LLVMValueRef is_converged_block(struct wg_emit *e, LLVMValueRef at) {
    LLVMValueRef odd = LLVMBuildTrunc(e->L.b, at, e->i1, "");
    LLVMValueRef end = wg_i32(e, wg_fn_at_block(e, WG_CONVERGED, e->func->nblocks));
    return LLVMBuildAnd(e->L.b, odd, LLVMBuildICmp(e->L.b, LLVMIntULT, at, end, ""), "");
}

/* GENERAL was suspended, and the machine calls CONVERGED. */
static void build_way_to_general(struct wg_emit *e) {
    if (e->v == WG_GENERAL || !e->an->needs_general) {
        LLVMBuildUnreachable(e->L.b);
        return;
    }
    LLVMValueRef code =
        wg_load_field(e, e->L.b, e->ptr, e->warp, offsetof(struct wg_warp, code), false, "code");
    LLVMValueRef f =
        wg_load_field(e, e->L.b, e->ptr, code, offsetof(struct wg_code, general), false, "other");
    if (e->one_way) { /* or it was suspended where CONVERGED is to resume */
        LLVMValueRef at =
            wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, resume), false, "resume");
        LLVMValueRef back =
            wg_load_field(e, e->L.b, e->ptr, code, offsetof(struct wg_code, back), false, "back");
        f = LLVMBuildSelect(e->L.b, is_converged_block(e, at), back, f, "");
    }
    LLVMValueRef call = LLVMBuildCall2(e->L.b, LLVMFunctionType(e->i32, &e->ptr, 1, 0), f, &e->warp, 1, "");
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    LLVMBuildRet(e->L.b, call);
}

/* The end of `start`: the switch to where the warp starts or resumes. */
static void build_switch(struct wg_emit *e) {
    LLVMBasicBlockRef other = wg_new_bb(e, "other");
    if (e->v == WG_CONVERGED) {
        LLVMBasicBlockRef gone = wg_new_bb(e, "gone"), alive = wg_new_bb(e, "alive");
        LLVMValueRef live =
            wg_load_field(e, e->warp_b, e->i32, e->warp, offsetof(struct wg_warp, live), false, "live");
        LLVMBuildCondBr(e->warp_b, LLVMBuildICmp(e->warp_b, LLVMIntEQ, live, wg_i32(e, 0), ""), gone, alive);
        LLVMPositionBuilderAtEnd(e->L.b, gone);
        wg_fn_end_slice(e, WG_WARP_DONE);
        LLVMPositionBuilderAtEnd(e->warp_b, alive);
    }
    LLVMValueRef at =
        wg_load_field(e, e->warp_b, e->i32, e->warp, offsetof(struct wg_warp, resume), false, "resume");
    LLVMValueRef sw = LLVMBuildSwitch(e->warp_b, at, other, e->out.resumes.n + 1);
    if (e->v == WG_CONVERGED) LLVMAddCase(sw, wg_i32(e, 0), e->bb[WG_CONVERGED][0]);
    LLVMBasicBlockRef shared = e->brief ? emit_shared_entry(e) : NULL;
    for (uint32_t i = 0; i < e->out.resumes.n; i++) {
        const struct wg_resume *r = &e->out.resumes.v[i];
        LLVMAddCase(sw, wg_i32(e, r->id), shared && comes_from_converged(e, r->id) ? shared : r->bb);
    }
    LLVMPositionBuilderAtEnd(e->L.b, other);
    build_way_to_general(e);
}

/* Blocks of regions that the same lanes always enter are emitted only if-converted, unless a scalar test
 * (all_lanes.c) sends whole warps there after all: every edge to them comes from a lower block, so it has
 * been emitted by now. */
static bool is_left_out(const struct wg_emit *e, uint32_t b) {
    return wg_bits_has(e->masks.under, b) && !(e->masks.all_bb && e->masks.all_bb[b]) &&
           !LLVMGetFirstUse(LLVMBasicBlockAsValue(e->bb[e->v][b]));
}

/* Warps come here that have all of their lanes, besides the block's last one, which has fewer. */
static bool begins_with_all(const struct wg_emit *e, uint32_t b) {
    return wg_bits_has(e->an->phases->begins, b) && wg_warps_of(e) > 1;
}

/* Edges lead to such code from lower blocks, or from within a loop that lower blocks lead to. */
static void emit_all_lanes(struct wg_emit *e) {
    uint32_t streams = e->access.stream_bytes; /* each warp's bytes have been counted */
    if (!e->masks.all_bb) return;
    e->masks.all = true;
    e->access.napart = e->access.nlane_adds = 0; /* this code is the one that mostly runs */
    for (uint32_t b = 0; b < e->func->nblocks && !e->failed; b++) {
        LLVMBasicBlockRef *at = &e->masks.all_bb[b];
        if (!*at) continue;
        e->out.leave = NULL;
        e->out.saved = NULL;
        if (LLVMGetFirstUse(LLVMBasicBlockAsValue(*at)) || begins_with_all(e, b)) {
            emit_block(e, b);
        } else {
            LLVMDeleteBasicBlock(*at);
            *at = NULL;
        }
    }
    e->masks.all = false;
    e->access.stream_bytes = streams;
}

static void emit_blocks(struct wg_emit *e) {
    wg_fn_begin_all_lanes(e);
    for (uint32_t b = 0; b < e->func->nblocks && !e->failed; b++) {
        uint32_t checked = e->access.checked.n;
        if (is_left_out(e, b))
            LLVMDeleteBasicBlock(e->bb[e->v][b]);
        else
            emit_block(e, b);
        /* A block that this one dominates may be reached through its other code. */
        if (e->masks.all_bb && e->masks.all_bb[b]) e->access.checked.n = checked;
    }
    emit_all_lanes(e);
}

LLVMValueRef wg_emit_kernel(struct wg_emit *e) {
    begin(e);
    if (e->whole) wg_fn_begin_phases(e);
    e->masks.under = wg_bits_new(&e->an->arena, e->func->nblocks);
    emit_blocks(e);
    if (e->failed) return NULL;
    if (e->whole) {
        wg_fn_emit_sides(e);
        wg_fn_finish_phases(e);
        if (LLVMCountIncoming(e->faults.site) == 0) LLVMDeleteBasicBlock(e->faults.bb);
        return e->fn;
    }
    if (e->v == WG_CONVERGED) open_long_regions(e);
    uint32_t own = e->out.resumes.n; /* suspension points of the function itself */
    open_to_other(e);
    if (e->v == WG_GENERAL) {
        wg_fn_build_dispatch(e);
        own = e->out.resumes.n;
    }
    for (uint32_t i = 0; i < own; i++) emit_entry(e, e->out.resumes.v[i]);
    if (own < e->out.resumes.n) emit_ways_back(e, own);
    build_switch(e);
    if (e->v == WG_CONVERGED) end_warps(e);
    LLVMBuildBr(e->entry_b, e->warp_start);
    if (LLVMCountIncoming(e->faults.site) == 0) LLVMDeleteBasicBlock(e->faults.bb);
    return e->fn;
}
