/* Parallel regions: the form of CONVERGED that runs a whole block, as one loop over its warps for each phase
 * between barriers (analysis/phases.c).
 *
 *     before:   values that the previous phase left in registers that are uniform over the warps
 *     head:     number = 0, 1, ...; a warp's registers: from its frame, or rematerialized
 *     c.B ...   the blocks of the phase
 *     latch:    the next warp, or
 *     after:    dispatch to `before` of the next phase
 *
 * A phase that computes nothing but uniform values has no loop. A barrier emits no code at all. Uniform
 * registers keep their value from phase to phase; in a loop each warp begins with their values from before
 * it.
 *
 * Where a check fails the warp takes a side exit to GENERAL, and all others have to be brought to a state
 * that the machine can resume (`leave`): those before it to the end of the phase, those after it to its
 * beginning.
 */
#include "analysis/idle_warps.h"
#include "jit/instr/instr.h"
#include "cfg/cfg.h"
#include "jit/block/phases.h"
#include "jit/trace/trace.h"

#include <string.h>

static uint32_t threads_of(const struct wg_emit *e) {
    return e->opts->ntid[0] * e->opts->ntid[1] * e->opts->ntid[2];
}

/* ---- what a phase is ---- */

static void note_register(void *user, uint32_t reg) { wg_bits_add(user, reg); }

static void find_written(struct wg_emit *e, struct wg_phase *p) {
    const struct wg_phases *ph = e->an->phases;
    uint32_t n = e->func->nregs;
    wg_bits all = wg_bits_new(&e->an->arena, n);
    p->written = wg_bits_new(&e->an->arena, n);
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        for (uint32_t i = 0; ph->of[b] == p->begins && i < e->func->blocks[b].ninstrs; i++)
            wg_each_def(&e->func->blocks[b].instrs[i], note_register, all);
    WG_BITS_EACH(r, all, n)
    if (wg_bits_has(ph->uniform, r) && !e->func->regs[r].shadow) wg_bits_add(p->written, r);
}

static bool is_shared_work(const struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_phases *ph = e->an->phases;
    if (wg_meets_at(in) || !wg_phase_needs(e->an, in)) return true;
    bool load = in->op == WG_OP_LD && (in->space == WG_S_PARAM || in->space == WG_S_CONST);
    if ((wg_op_flags(in->op) && !load) || in->op == WG_OP_NONE || wg_may_leave(e->an, in)) return false;
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && !wg_bits_has(ph->uniform, in->dst[i].index) &&
            !wg_bits_has(ph->remade, in->dst[i].index))
            return false;
    return true;
}

/* Whether it is enough that one warp runs the phase. */
static bool runs_once(const struct wg_emit *e, uint32_t begins) {
    const struct wg_phases *ph = e->an->phases;
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        if (ph->of[b] != begins) continue;
        if (wg_bits_has(ph->parting, b)) return false;
        if (blk->term != WG_TERM_BR && blk->term != WG_TERM_CBR && blk->term != WG_TERM_RET &&
            blk->term != WG_TERM_EXIT)
            return false;
        for (uint32_t i = 0; i < blk->ninstrs; i++)
            if (!is_shared_work(e, &blk->instrs[i])) return false;
    }
    return !e->opts->sites;
}

static struct wg_phase *new_phase(struct wg_emit *e, uint32_t begins) {
    struct wg_arena *a = &e->an->arena;
    struct wg_phase *p = WG_NEW(a, struct wg_phase);
    struct wg_busy busy = wg_busy_warps(e->an, begins, wg_warps_of(e));
    p->begins = begins;
    p->step = busy.step;
    p->end = busy.end;
    p->once = runs_once(e, begins) || p->step >= p->end;
    p->before = wg_new_bb(e, "before");
    p->head = wg_new_bb(e, "head");
    p->latch = wg_new_bb(e, "latch");
    p->after = wg_new_bb(e, "after");
    p->ends = WG_NEW_N(a, struct wg_phase_end, 2 * e->func->nblocks + 1); /* blocks, the end, and barriers */
    p->in = WG_NEW_N(a, LLVMValueRef, e->func->nregs);
    p->out = WG_NEW_N(a, LLVMValueRef, e->func->nregs);
    find_written(e, p);
    return p;
}

void wg_fn_begin_phases(struct wg_emit *e) {
    e->run.phases = WG_NEW_N(&e->an->arena, struct wg_phase *, e->func->nblocks);
    e->run.end = LLVMBuildAlloca(e->entry_b, e->i32, "end");
    e->run.current = wg_load_field(e, e->entry_b, e->ptr, e->once.block, offsetof(struct wg_block, current),
                                   false, "current");
    WG_BITS_EACH(b, e->an->phases->begins, e->func->nblocks) e->run.phases[b] = new_phase(e, b);
}

/* ---- a warp's beginning ---- */

void wg_fn_be_warp(struct wg_emit *e, LLVMValueRef number) {
    LLVMValueRef at = LLVMBuildMul(e->L.b, LLVMBuildZExt(e->L.b, number, e->i64, ""),
                                   wg_i64(e, sizeof(struct wg_warp)), "");
    LLVMPositionBuilderAtEnd(e->warp_b, LLVMGetInsertBlock(e->L.b));
    e->warp = LLVMBuildInBoundsGEP2(e->L.b, e->i8, e->first_warp, &at, 1, "warp");
    e->once.warp_id = number;
    e->once.local = NULL;
    for (int i = 0; i < 3; i++) e->once.sreg[WG_SR_tid_x + i] = NULL;
}

/* Rematerializes the register, and its operands, at the builder's position. */
static void remake(struct wg_emit *e, uint32_t reg) {
    const struct wg_ir_instr *in = e->an->phases->made_by[reg];
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG && !e->regs.have[in->src[i].index] &&
            !wg_bits_has(e->an->phases->uniform, in->src[i].index) && !wg_is_of_first(e, in->src[i].index))
            remake(e, in->src[i].index);
    wg_emit_instr(e, in);
}

static const struct wg_ir_instr *remakes(struct wg_emit *e, uint32_t reg, bool part) {
    const struct wg_phases *ph = e->an->phases;
    if (!e->run.phase->begins || !wg_bits_has(ph->remade, reg)) return NULL;
    if (!part && !wg_bits_has(e->an->cfg.live_in[e->run.phase->begins], reg)) return NULL;
    const struct wg_ir_instr *in = ph->made_by[reg];
    for (uint32_t i = 0; i < in->nsrc; i++) {
        uint32_t r = in->src[i].kind == WG_O_REG ? in->src[i].index : WG_NO_REG;
        if (r == WG_NO_REG || e->regs.have[r] || wg_bits_has(ph->uniform, r) || wg_reg_bits(e, r) == 1)
            continue;
        if (!wg_is_of_first(e, r) || !wg_value_of_first(e, r)) remake(e, r);
    }
    return in;
}

void wg_fn_remake(struct wg_emit *e, uint32_t block) {
    WG_BITS_EACH(r, e->an->cfg.live_in[block], e->func->nregs)
    if (wg_bits_has(e->an->phases->remade, r) && !e->regs.have[r] && !wg_is_of_first(e, r)) remake(e, r);
}

bool wg_fn_wanted_at(const struct wg_emit *e, uint32_t block, uint32_t reg) {
    return wg_bits_has(e->an->phases->kept, reg) || wg_bits_has(e->an->cfg.live_in[block], reg);
}

static void start_mask(struct wg_emit *e, const struct wg_phase *p) {
    uint32_t rest = threads_of(e) % WG_LANES;
    LLVMValueRef all = wg_i32(e, UINT32_MAX), mask = all;
    if (rest) {
        LLVMValueRef last = LLVMBuildICmp(e->L.b, LLVMIntEQ, p->number, wg_i32(e, wg_warps_of(e) - 1), "");
        mask = LLVMBuildSelect(e->L.b, last, wg_i32(e, (1u << rest) - 1), all, "mask");
    }
    wg_fn_set_mask(e, e->L.b, WG_CONVERGED, mask);
}

/* Rematerializes what the phase itself reads: no edge leaves it that would save the rest. */
static void remake_read(struct wg_emit *e, const struct wg_phase *p) {
    const struct wg_ir_func *f = e->func;
    wg_bits read = wg_bits_new(&e->an->arena, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (e->an->phases->of[b] != p->begins) continue;
        for (uint32_t i = 0; i < blk->ninstrs; i++) wg_each_use(&blk->instrs[i], note_register, read);
        if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) wg_bits_add(read, blk->cond);
    }
    WG_BITS_EACH(r, e->an->cfg.live_in[p->begins], f->nregs)
    if (wg_bits_has(e->an->phases->remade, r) && wg_bits_has(read, r) && !e->regs.have[r]) remake(e, r);
}

static void start_registers(struct wg_emit *e, struct wg_phase *p) {
    uint32_t n = e->func->nregs;
    const struct wg_phases *ph = e->an->phases;
    WG_BITS_EACH(r, p->written, n) {
        if (!wg_fn_wanted_at(e, p->begins, r)) continue;
        LLVMPositionBuilderAtEnd(e->L.b, p->before);
        struct wg_value x = wg_slot_load(e, e->L.b, WG_CONVERGED, r);
        LLVMPositionBuilderAtEnd(e->L.b, p->head);
        wg_slot_store(e, e->L.b, WG_CONVERGED, r, &x);
        p->in[r] = x.base;
    }
    LLVMPositionBuilderAtEnd(e->L.b, p->head);
    if (p->begins == 0) { /* what is read before it is written is zero */
        WG_BITS_EACH(r, e->an->cfg.live_in[0], n) {
            if (wg_bits_has(ph->uniform, r)) continue;
            LLVMValueRef zero = LLVMConstNull(LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, r)));
            wg_slot_store(e, e->L.b, WG_CONVERGED, r, &(struct wg_value){.kind = WG_UNIFORM, .base = zero});
        }
        return;
    }
    wg_bits framed = wg_bits_new(&e->an->arena, n);
    wg_phase_framed(e->an, p->begins, framed);
    if (!wg_bits_empty(framed, n)) wg_fn_restore_regs(e, framed);
    wg_value_begin_block(e);
    if (e->an->needs_general)
        wg_fn_remake(e, p->begins);
    else
        remake_read(e, p);
    wg_value_flush(e, e->an->cfg.live_in[p->begins]);
}

static void begin_phase(struct wg_emit *e, struct wg_phase *p) {
    LLVMPositionBuilderAtEnd(e->L.b, p->head);
    p->number = p->once ? wg_i32(e, 0) : LLVMBuildPhi(e->L.b, e->i32, "number");
    wg_fn_be_warp(e, p->number);
    p->warp = e->warp;
    LLVMBuildStore(e->L.b, e->warp, e->warp_slot);
    if (!runs_once(e, p->begins)) {
        LLVMValueRef st = LLVMBuildStore(e->L.b, e->warp, e->run.current);
        LLVMSetOrdering(st, LLVMAtomicOrderingMonotonic);
        LLVMSetAlignment(st, 8);
    }
    start_mask(e, p);
    start_registers(e, p);
    p->entered = true;
}

void wg_fn_enter_phase(struct wg_emit *e, uint32_t b) {
    struct wg_phase *p = e->run.phases[e->an->phases->of[b]], *old = e->run.phase;
    if (p == old) return;
    for (int i = 0; i < 3; i++) {
        if (old) old->tid[i] = e->once.sreg[WG_SR_tid_x + i];
        e->once.sreg[WG_SR_tid_x + i] = p->tid[i];
    }
    if (old) old->local = e->once.local;
    e->once.local = p->local;
    e->warp = p->warp;
    e->once.warp_id = p->number;
    e->run.phase = p;
    LLVMPositionBuilderAtEnd(e->warp_b, p->head);
    if (!p->entered) begin_phase(e, p);
    e->block = b;
}

/* ---- its end ---- */

bool wg_fn_ends_phase(const struct wg_emit *e, uint32_t to) {
    return wg_phase_ends(e->an->phases, e->func, e->block, to);
}

void wg_fn_note_end(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in) {
    struct wg_phase *p = e->run.phase;
    uint32_t k = 0;
    while (k < p->nends && !(p->ends[k].to == to && p->ends[k].in == in)) k++;
    if (k == p->nends) p->ends[p->nends++] = (struct wg_phase_end){to, in};
    LLVMBuildStore(e->L.b, wg_i32(e, k), e->run.end);
}

void wg_fn_save_for_next(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in) {
    uint32_t n = e->func->nregs;
    if (to == e->func->nblocks) return;
    if (in) wg_value_flush(e, e->an->cfg.live_in[to]);
    wg_bits framed = wg_bits_new(&e->an->arena, n);
    wg_phase_framed(e->an, to, framed);
    const struct wg_region *r = e->an->region[e->block]; /* its blocks may have written them */
    if (!r || r->join != to) framed = wg_fn_unsettled(e, e->block, UINT32_MAX, framed);
    if (!wg_bits_empty(framed, n)) wg_fn_save_regs(e, framed, NULL);
}

static void end_phase(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in) {
    wg_fn_save_for_next(e, to, in);
    wg_fn_note_end(e, to, in);
    LLVMBuildBr(e->L.b, e->run.phase->latch);
}

void wg_fn_keep_out(struct wg_emit *e, const struct wg_phase *p) {
    WG_BITS_EACH(r, p->written, e->func->nregs)
    if (p->out[r]) {
        struct wg_value x = wg_slot_load(e, e->L.b, WG_CONVERGED, r);
        LLVMBuildStore(e->L.b, x.base, p->out[r]);
    }
}

static void build_latch(struct wg_emit *e, struct wg_phase *p) {
    LLVMPositionBuilderAtEnd(e->L.b, p->latch);
    if (p->once) {
        LLVMBuildBr(e->L.b, p->after);
        return;
    }
    wg_fn_keep_out(e, p);
    LLVMValueRef next = LLVMBuildAdd(e->L.b, p->number, wg_i32(e, p->step), ""), zero = wg_i32(e, 0);
    LLVMValueRef more = LLVMBuildICmp(e->L.b, LLVMIntULT, next, wg_i32(e, p->end), "");
    LLVMBuildCondBr(e->L.b, more, p->head, p->after);
    if (!p->sides) LLVMAddIncoming(p->number, &zero, &p->before, 1);
    LLVMAddIncoming(p->number, &next, &p->latch, 1);
}

/* ---- the grid's barrier ---- */

/* Uniform registers that are live after it; each warp's own are in its frame. */
static wg_bits common_behind(struct wg_emit *e, uint32_t to) {
    const struct wg_phases *ph = e->an->phases;
    wg_bits common = wg_bits_new(&e->an->arena, e->func->nregs);
    WG_BITS_EACH(r, ph->uniform, e->func->nregs)
    if (wg_fn_wanted_at(e, to, r) && !e->func->regs[r].shadow) wg_bits_add(common, r);
    return common;
}

/* Suspends the block: uniform registers are spilled to the first warp's frame. */
static LLVMBasicBlockRef stop_at_grid(struct wg_emit *e, uint32_t to) {
    LLVMBasicBlockRef stop = wg_new_bb(e, "grid"), here = LLVMGetInsertBlock(e->L.b);
    LLVMValueRef warp = e->warp, id_then = e->once.warp_id, local = e->once.local, tid[3];
    memcpy(tid, &e->once.sreg[WG_SR_tid_x], sizeof tid);
    LLVMPositionBuilderAtEnd(e->L.b, stop);
    wg_fn_be_warp(e, wg_i32(e, 0));
    wg_value_begin_block(e);
    wg_fn_save_regs(e, common_behind(e, to), NULL);
    LLVMValueRef id = wg_i32(e, wg_fn_at_block(e, WG_CONVERGED, to));
    wg_store_field(e, e->L.b, id, e->warp, offsetof(struct wg_warp, resume));
    LLVMBuildRet(e->L.b, wg_i32(e, WG_WARP_GRID));
    LLVMPositionBuilderAtEnd(e->L.b, here);
    e->warp = warp;
    e->once.warp_id = id_then;
    e->once.local = local;
    memcpy(&e->once.sreg[WG_SR_tid_x], tid, sizeof tid);
    return stop;
}

static LLVMBasicBlockRef go_on_behind_grid(struct wg_emit *e, uint32_t to) {
    LLVMBasicBlockRef on = wg_new_bb(e, "behind.grid");
    LLVMPositionBuilderAtEnd(e->L.b, on);
    wg_fn_be_warp(e, wg_i32(e, 0));
    wg_value_begin_block(e);
    wg_fn_restore_regs(e, common_behind(e, to));
    LLVMBuildBr(e->L.b, e->run.phases[to]->before);
    return on;
}

/* The entry: starts a block, or resumes it after the grid's barrier. */
static void enter(struct wg_emit *e) {
    LLVMBasicBlockRef first = e->run.phases[0]->before;
    LLVMValueRef at = wg_load_field(e, e->block_b, e->i32, e->first_warp, offsetof(struct wg_warp, resume),
                                    false, "resume");
    LLVMValueRef sw = LLVMBuildSwitch(e->block_b, at, first, 1);
    wg_bits met = wg_bits_new(&e->an->arena, e->func->nblocks);
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        uint32_t to = blk->succ[0];
        if (!blk->ninstrs || !wg_is_grid_barrier(&blk->instrs[blk->ninstrs - 1]) || wg_bits_has(met, to))
            continue;
        wg_bits_add(met, to);
        LLVMAddCase(sw, wg_i32(e, wg_fn_at_block(e, WG_CONVERGED, to)), go_on_behind_grid(e, to));
    }
}

/* The target of a phase's end. The machine is notified of a barrier once per block, for races, and to check
 * whether all of shared memory is defined by then. */
static LLVMBasicBlockRef way_on(struct wg_emit *e, const struct wg_phase *p, uint32_t k,
                                LLVMBasicBlockRef end) {
    const struct wg_phase_end *x = &p->ends[k];
    LLVMBasicBlockRef next = x->to == e->func->nblocks ? end : e->run.phases[x->to]->before;
    if (x->in && wg_is_grid_barrier(x->in)) return stop_at_grid(e, x->to);
    if (!x->in || !(e->opts->check_told || e->opts->shadow)) return next;
    LLVMBasicBlockRef barrier = wg_new_bb(e, "barrier"), here = LLVMGetInsertBlock(e->L.b);
    LLVMPositionBuilderAtEnd(e->L.b, barrier);
    if (!e->opts->check_told) wg_unless_shared_whole(e, next);
    LLVMValueRef none = LLVMConstNull(e->ptr);
    LLVMValueRef args[6] = {
        e->first_warp, wg_i32(e, UINT32_MAX), wg_i32(e, x->in->id), wg_i32(e, WG_EVENT_BARRIER), none, none};
    wg_call_helper(e, "wg_jit_check_event", LLVMVoidTypeInContext(e->L.ctx), args, 6);
    LLVMBuildBr(e->L.b, next);
    LLVMPositionBuilderAtEnd(e->L.b, here);
    return barrier;
}

static void build_after(struct wg_emit *e, struct wg_phase *p, LLVMBasicBlockRef end) {
    LLVMPositionBuilderAtEnd(e->L.b, p->after);
    if (!p->nends) { /* an infinite loop */
        LLVMBuildUnreachable(e->L.b);
        return;
    }
    if (p->nends == 1) {
        LLVMBuildBr(e->L.b, way_on(e, p, 0, end));
        return;
    }
    LLVMValueRef k = LLVMBuildLoad2(e->L.b, e->i32, e->run.end, "");
    LLVMValueRef sw = LLVMBuildSwitch(e->L.b, k, way_on(e, p, 0, end), p->nends - 1);
    for (uint32_t i = 1; i < p->nends; i++) LLVMAddCase(sw, wg_i32(e, i), way_on(e, p, i, end));
}

/* ---- leaving ---- */

static void leave_phase(struct wg_emit *e) {
    struct wg_phase *p = e->run.phase;
    if (!p->leave) {
        p->leave = wg_new_bb(e, "leave.all");
        WG_BITS_EACH(r, p->written, e->func->nregs)
        p->out[r] = LLVMBuildAlloca(e->entry_b, LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, r)), "out");
    }
    wg_fn_keep_aside(e);
    LLVMBuildBr(e->L.b, p->leave);
}

/* The warp being run: its registers that are read by the phase at `block` are spilled to its frame. */
static void put_warp(struct wg_emit *e, const struct wg_phase *p, uint32_t block, bool begun) {
    uint32_t n = e->func->nregs;
    wg_bits put = wg_bits_new(&e->an->arena, n), framed = wg_bits_new(&e->an->arena, n);
    wg_value_begin_block(e);
    WG_BITS_EACH(r, p->written, n) {
        LLVMValueRef x = p->in[r];
        if (begun)
            x = LLVMBuildLoad2(e->L.b, LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, r)), p->out[r], "");
        if (!x) continue;
        e->regs.cur[r] = (struct wg_value){.kind = WG_UNIFORM, .base = x};
        e->regs.have[r] = true;
    }
    wg_fn_remake(e, block);
    wg_phase_framed(e->an, block, framed);
    wg_bits_copy(put, e->an->cfg.live_in[block], n);
    WG_BITS_EACH(r, framed, n) wg_bits_del(put, r);
    wg_fn_save_regs(e, put, NULL);
    uint32_t id = wg_fn_at_block(e, WG_CONVERGED, block);
    wg_store_field(e, e->L.b, wg_i32(e, id), e->warp, offsetof(struct wg_warp, resume));
}

static void put_ended(struct wg_emit *e, const struct wg_phase *p, const struct wg_phase_end *x) {
    if (x->to == e->func->nblocks) {
        wg_store_field(e, e->L.b, wg_i32(e, 0), e->warp, offsetof(struct wg_warp, live));
        return;
    }
    put_warp(e, p, x->to, true);
    if (!x->in) return;
    e->masks.on = wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, live), false, "live");
    wg_fn_fill_wait(e, x->in, wg_field(e, e->L.b, e->warp, offsetof(struct wg_warp, wait)));
    wg_store_field(e, e->L.b, wg_i32(e, 1), e->warp, offsetof(struct wg_warp, nwait));
}

/* for (number from `from`; number < `to`; number++): the builder is positioned in the loop. */
struct loop {
    LLVMBasicBlockRef head, out;
    LLVMValueRef number;
};

static struct loop begin_loop(struct wg_emit *e, LLVMValueRef from, LLVMValueRef to) {
    struct loop l = {wg_new_bb(e, "each"), wg_new_bb(e, "done"), NULL};
    LLVMBasicBlockRef body = wg_new_bb(e, "put"), here = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, l.head);
    LLVMPositionBuilderAtEnd(e->L.b, l.head);
    l.number = LLVMBuildPhi(e->L.b, e->i32, "other");
    LLVMAddIncoming(l.number, &from, &here, 1);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntULT, l.number, to, ""), body, l.out);
    LLVMPositionBuilderAtEnd(e->L.b, body);
    wg_fn_be_warp(e, l.number);
    return l;
}

static void end_loop(struct wg_emit *e, struct loop *l) {
    LLVMValueRef next = LLVMBuildAdd(e->L.b, l->number, wg_i32(e, 1), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, l->head);
    LLVMAddIncoming(l->number, &next, &here, 1);
    LLVMPositionBuilderAtEnd(e->L.b, l->out);
}

static void build_leave(struct wg_emit *e, struct wg_phase *p) {
    if (!p->leave) return;
    LLVMPositionBuilderAtEnd(e->L.b, p->leave);
    if (wg_bits_has(e->an->phases->asides, p->begins)) wg_fn_run_aside(e, p);
    LLVMValueRef end = LLVMBuildLoad2(e->L.b, e->i32, e->run.end, "");
    for (uint32_t k = 0; k < p->nends; k++) {
        LLVMValueRef is = LLVMBuildICmp(e->L.b, LLVMIntEQ, end, wg_i32(e, k), "");
        LLVMValueRef count = LLVMBuildSelect(e->L.b, is, p->number, wg_i32(e, 0), "");
        struct loop l = begin_loop(e, wg_i32(e, 0), count);
        put_ended(e, p, &p->ends[k]);
        end_loop(e, &l);
    }
    if (p->begins) {
        LLVMValueRef from = LLVMBuildAdd(e->L.b, p->number, wg_i32(e, 1), "");
        struct loop l = begin_loop(e, from, wg_i32(e, wg_warps_of(e)));
        put_warp(e, p, p->begins, false);
        end_loop(e, &l);
    }
    LLVMBuildRet(e->L.b, wg_i32(e, WG_WARP_LEFT));
}

/* Of a block whose last warp has fewer lanes the others run code for all of them, where there is such code. */
static void start_warp(struct wg_emit *e, const struct wg_phase *p) {
    LLVMBasicBlockRef own = wg_code_at(e, p->begins, false), all = wg_code_at(e, p->begins, true);
    LLVMPositionBuilderAtEnd(e->L.b, p->head);
    if (all == own) {
        LLVMBuildBr(e->L.b, own);
        return;
    }
    LLVMValueRef last = LLVMBuildICmp(e->L.b, LLVMIntEQ, p->number, wg_i32(e, wg_warps_of(e) - 1), "");
    LLVMBuildCondBr(e->L.b, last, own, all);
}

void wg_fn_finish_phases(struct wg_emit *e) {
    LLVMBasicBlockRef end = wg_new_bb(e, "end");
    LLVMPositionBuilderAtEnd(e->L.b, end);
    wg_fn_finish_blocks(e);
    WG_BITS_EACH(b, e->an->phases->begins, e->func->nblocks) {
        struct wg_phase *p = e->run.phases[b];
        wg_fn_enter_phase(e, b);
        LLVMPositionBuilderAtEnd(e->L.b, p->before);
        if (p->sides)
            wg_fn_close_sides(e, p);
        else
            LLVMBuildBr(e->L.b, p->head);
        start_warp(e, p);
        build_latch(e, p);
        build_after(e, p, end);
        build_leave(e, p);
    }
    if (e->opts->grid_waits)
        enter(e);
    else if (!wg_fn_emit_trace(e, e->run.phases[0]->before, end))
        LLVMBuildBr(e->block_b, e->run.phases[0]->before);
    LLVMBuildBr(e->entry_b, e->run.row);
}

/* ---- the interface to a warp's code ---- */

static void skip_rest(struct wg_emit *e, const struct wg_ir_block *blk) {
    if (!e->run.phase->once && wg_fn_decides(e, e->run.phase->begins)) wg_fn_skip_rest(e, blk);
}

const struct wg_block_runner wg_phase_runner = {wg_fn_ends_phase, end_phase, leave_phase, skip_rest, remakes};
