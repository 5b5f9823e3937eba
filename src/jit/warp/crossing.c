/* Side exits and re-entry: transfers between the versions and to the machine, and the entry points of each.
 *
 * Both versions agree on each register's spill slot in the frame and on the numbers of warp->resume
 * (`at_...`). Wherever CONVERGED is left or entered, live registers are in CONVERGED's form: scalars and
 * masks packed together in their compact slots (`nook`). So a barrier touches few cache lines, and the many
 * side exits take little code. GENERAL, entered from there, expands them to 32 lanes in the registers' own
 * slots (`home`), where it keeps its values.
 */
#include "cfg/cfg.h"
#include "jit/emit/count.h"
#include "jit/warp/function.h"

#include <stdlib.h>

uint32_t wg_fn_at_block(const struct wg_emit *e, enum wg_version v, uint32_t b) {
    (void)e;
    return 1 + 2 * b + v;
}
/* GENERAL: lanes warp->active take the lower successor of branch b, the others wait at the higher one. */
uint32_t wg_fn_at_branch(const struct wg_emit *e, uint32_t b) { return 1 + 2 * e->func->nblocks + b; }
/* GENERAL: before the instruction of check k. */
uint32_t wg_fn_at_check(const struct wg_emit *e, uint32_t k) { return 1 + 3 * e->func->nblocks + k; }
/* After the bar.red at the end of block b. */
static uint32_t at_red(const struct wg_emit *e, enum wg_version v, uint32_t b) {
    return 1 + 3 * e->func->nblocks + e->out.checks.n + 2 * b + v;
}
/* GENERAL: whichever block has waiting lanes. */
uint32_t wg_fn_at_dispatch(const struct wg_emit *e) { return 1 + 5 * e->func->nblocks + e->out.checks.n; }
/* GENERAL: the same, from brx.idx at the end of block b. */
uint32_t wg_fn_at_indexed(const struct wg_emit *e, uint32_t b) { return wg_fn_at_dispatch(e) + 1 + b; }

/* ---- transfers between the versions ---- */

static void step_back_use(void *set, uint32_t r) { wg_bits_add(set, r); }
static void step_back_def(void *set, uint32_t r) { wg_bits_del(set, r); }

void wg_fn_live_before(struct wg_emit *e, uint32_t block, uint32_t instr, wg_bits live) {
    const struct wg_ir_block *b = &e->func->blocks[block];
    wg_bits_copy(live, e->an->cfg.live_out[block], e->func->nregs);
    if (b->term == WG_TERM_CBR || b->term == WG_TERM_BRX) wg_bits_add(live, b->cond);
    for (uint32_t i = b->ninstrs; i-- > instr;) {
        if (b->instrs[i].guard == WG_NO_REG) wg_each_def(&b->instrs[i], step_back_def, live);
        wg_each_use(&b->instrs[i], step_back_use, live);
    }
}

/* Tail-calls the other version in place of this one. */
void wg_fn_go_over(struct wg_emit *e, uint32_t resume, LLVMValueRef live) {
    wg_store_field(e, e->L.b, live, e->warp, offsetof(struct wg_warp, live));
    wg_store_field(e, e->L.b, wg_i32(e, resume), e->warp, offsetof(struct wg_warp, resume));
    if (e->whole) {
        e->run.runner->leave_phase(e);
        return;
    }
    LLVMValueRef code =
        wg_load_field(e, e->L.b, e->ptr, e->warp, offsetof(struct wg_warp, code), false, "code");
    size_t at = e->v == WG_CONVERGED ? offsetof(struct wg_code, general) : offsetof(struct wg_code, back);
    LLVMValueRef f = wg_load_field(e, e->L.b, e->ptr, code, at, false, "other");
    LLVMValueRef call = LLVMBuildCall2(e->L.b, LLVMFunctionType(e->i32, &e->ptr, 1, 0), f, &e->warp, 1, "");
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    LLVMBuildRet(e->L.b, call);
}

/* CONVERGED, before an instruction of a block or at its end: the live registers that are not yet in the
 * frame in its form. The set is valid until the next call. */
wg_bits wg_fn_unsettled(struct wg_emit *e, uint32_t block, uint32_t instr, const uint64_t *alive) {
    const struct wg_ir_block *b = &e->func->blocks[block];
    uint32_t n = e->func->nregs;
    wg_bits rest = e->regs.sets[0], known = e->regs.sets[1];
    wg_bits_copy(rest, alive, n);
    wg_bits_copy(known, (e->whole ? e->an->phases->settled : e->an->settled)[block], n);
    for (uint32_t i = 0; i < b->ninstrs && i < instr; i++) wg_each_def(&b->instrs[i], step_back_def, known);
    WG_BITS_EACH(r, known, n) if (!e->func->regs[r].shadow) wg_bits_del(rest, r);
    return rest;
}

/* The registers that a side exit from here still has to spill. */
static wg_bits unsaved(struct wg_emit *e) {
    const struct wg_ir_block *b = &e->func->blocks[e->block];
    uint32_t n = e->func->nregs;
    wg_bits live = e->regs.sets[2];
    wg_fn_live_before(e, e->block, e->instr, live);
    wg_bits rest = wg_fn_unsettled(e, e->block, e->instr, live);
    if (!e->out.saved || e->out.saved_block != e->block) return rest;
    for (; e->out.saved_to < e->instr; e->out.saved_to++)
        wg_each_def(&b->instrs[e->out.saved_to], step_back_def, e->out.saved);
    WG_BITS_EACH(r, e->out.saved, n) wg_bits_del(rest, r);
    return rest;
}

static void save_before_checks(struct wg_emit *e) {
    enum { MUCH = 24 };
    uint32_t n = e->func->nregs, many = 0;
    if (e->v != WG_CONVERGED || e->masks.region || (e->out.leave && e->out.leave_block == e->block)) return;
    wg_bits rest = unsaved(e);
    WG_BITS_EACH(r, rest, n) many++;
    if (many <= MUCH) return;
    wg_fn_save_regs(e, rest, NULL);
    if (!e->out.saved || e->out.saved_block != e->block) e->out.saved = wg_bits_new(&e->an->arena, n);
    wg_bits_join(e->out.saved, rest, n);
    e->out.saved_block = e->block;
    e->out.saved_to = e->instr;
}

/* The check where GENERAL resumes for a side exit from here: this instruction, or the CHECK_ACCESS of its
 * access. */
static uint32_t check_of(const struct wg_emit *e) {
    uint32_t k = 0;
    while (e->out.checks.v[k].block != e->block) k++;
    while (k + 1 < e->out.checks.n && e->out.checks.v[k + 1].block == e->block &&
           e->out.checks.v[k + 1].instr <= e->instr)
        k++;
    return k;
}

/* One side exit serves all checks of a block up to the next instruction that must not execute twice:
 * GENERAL resumes at the first of them. Not in instrumented code: what it repeats would be counted twice. */
static void leave_if(struct wg_emit *e, LLVMValueRef cond) {
    bool shared = e->out.leave && e->out.leave_block == e->block && !e->masks.region && !e->opts->sites;
    LLVMBasicBlockRef leave = shared ? e->out.leave : wg_new_bb(e, "leave"), stay = wg_new_bb(e, "stay");
    wg_mask(e);
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, cond, leave, stay));
    if (shared) {
        LLVMPositionBuilderAtEnd(e->L.b, stay);
        return;
    }
    LLVMPositionBuilderAtEnd(e->L.b, leave);
    if (e->masks.region) {
        wg_fn_abandon_region(e);
        LLVMPositionBuilderAtEnd(e->L.b, stay);
        return;
    }
    uint32_t k = check_of(e), here = e->instr;
    e->instr = e->out.checks.v[k].instr;
    wg_fn_save_regs(e, unsaved(e), NULL);
    /* GENERAL reports the access again; the machine must not count it twice. */
    if (e->out.told && e->out.told_block == e->block && e->out.told_instr == e->instr && here != e->instr)
        wg_store_field(e, e->L.b, e->out.told, e->warp, offsetof(struct wg_warp, told));
    e->instr = here;
    wg_fn_go_over(e, wg_fn_at_check(e, k), wg_mask(e));
    e->out.leave = leave;
    e->out.leave_block = e->block;
    LLVMPositionBuilderAtEnd(e->L.b, stay);
    wg_count_segment(e);
}

const struct wg_exits wg_fn_exits = {leave_if, save_before_checks};

static bool ends_in_stop(const struct wg_ir_block *b) {
    return b->ninstrs && wg_fn_stops(&b->instrs[b->ninstrs - 1]);
}

/* Whether GENERAL may return to CONVERGED there: after a suspension point and at loop headers, where
 * CONVERGED has entry points. */
bool wg_fn_may_return(const struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    if (!e->an->needs_general || b == 0 || wg_leads_to_exit(e->func, b)) return false;
    if (wg_bits_has(e->an->one_by_one, b)) return false; /* it has just come from there */
    bool after_stop = false;
    for (uint32_t p = 0; p < blk->npred; p++) after_stop |= ends_in_stop(&e->func->blocks[blk->pred[p]]);
    if (!after_stop && blk->loop != b) return false;
    WG_BITS_EACH(r, e->an->cfg.live_in[b], e->func->nregs)
    if (e->an->facts[WG_CONVERGED][r].r && !e->an->facts[WG_GENERAL][r].r) return false;
    return true;
}

/* Whether every running lane's shadow is all ones. */
static LLVMValueRef all_defined(struct wg_emit *e, uint32_t reg) {
    struct wg_value *g = wg_value_get(e, reg);
    LLVMValueRef x = g->kind == WG_UNIFORM ? g->base : wg_value_vec(e, g);
    LLVMValueRef less = LLVMBuildICmp(e->L.b, LLVMIntNE, x, LLVMConstAllOnes(LLVMTypeOf(x)), "");
    if (g->kind == WG_UNIFORM) return LLVMBuildNot(e->L.b, less, "");
    less = LLVMBuildAnd(e->L.b, wg_emit_mask(e, less), wg_mask(e), "");
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, less, wg_i32(e, 0), "");
}

/* cond &= every running lane's value is base + k[lane]; gives the base where that holds. */
static LLVMValueRef same_shape(struct wg_emit *e, LLVMValueRef lane, uint32_t reg, LLVMValueRef *base) {
    struct wg_value *g = wg_value_get(e, reg);
    const struct wg_fact *c = &e->an->facts[WG_CONVERGED][reg];
    uint32_t bits = wg_reg_bits(e, reg);
    LLVMValueRef x = wg_value_vec(e, g);
    if (c->k) x = LLVMBuildSub(e->L.b, x, wg_lane_consts(e, c->k, bits), "");
    *base = LLVMBuildExtractElement(e->L.b, x, lane, "");
    LLVMValueRef differs;
    if (bits == 1)
        differs = LLVMBuildXor(e->L.b, x, wg_emit_splat(e, e->L.b, *base), "");
    else
        differs = LLVMBuildICmp(e->L.b, LLVMIntNE, x, wg_emit_splat(e, e->L.b, *base), "");
    LLVMValueRef any = LLVMBuildAnd(e->L.b, wg_emit_mask(e, differs), wg_mask(e), "");
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, any, wg_i32(e, 0), "");
}

/* Whether all live lanes are here and the registers live at block b match CONVERGED's facts;
 * base[register] is CONVERGED's form of a register that has 32 lanes here. */
static LLVMValueRef may_be_converged(struct wg_emit *e, uint32_t b, LLVMValueRef *base) {
    LLVMValueRef ok = LLVMConstInt(e->i1, 1, 0), lane = NULL;
    if (!wg_bits_empty(e->an->frontier[b], e->func->nblocks)) {
        /* Lanes elsewhere wait at some block, or at a barrier. */
        LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, "");
        ok = LLVMBuildICmp(e->L.b, LLVMIntEQ, live, wg_mask(e), "");
    }
    if (wg_bits_has(e->an->full, b)) {
        LLVMValueRef all = LLVMBuildICmp(e->L.b, LLVMIntEQ, wg_mask(e), wg_i32(e, UINT32_MAX), "");
        ok = LLVMBuildAnd(e->L.b, ok, all, "");
    }
    WG_BITS_EACH(r, e->an->cfg.live_in[b], e->func->nregs) {
        const struct wg_fact *c = &e->an->facts[WG_CONVERGED][r], *g = &e->an->facts[WG_GENERAL][r];
        if (e->func->regs[r].shadow) {
            ok = LLVMBuildAnd(e->L.b, ok, all_defined(e, r), "");
            continue;
        }
        if (c->kind == WG_VARYING || c->kind == WG_UNKNOWN || g->kind != WG_VARYING) continue;
        if (!lane) {
            LLVMValueRef m =
                LLVMBuildOr(e->L.b, wg_mask(e), wg_i32(e, 1u << 31), ""); /* in range whatever m is */
            lane = wg_fn_first_lane(e, m);
        }
        ok = LLVMBuildAnd(e->L.b, ok, same_shape(e, lane, r, &base[r]), "");
    }
    wg_mask(e);
    return ok;
}

void wg_fn_try_return(struct wg_emit *e, uint32_t b) {
    LLVMValueRef *base = wg_xcalloc(e->func->nregs, sizeof(LLVMValueRef));
    LLVMValueRef ok = may_be_converged(e, b, base);
    LLVMBasicBlockRef back = wg_new_bb(e, "return"), stay = wg_new_bb(e, "g");
    LLVMBuildCondBr(e->L.b, ok, back, stay);
    LLVMPositionBuilderAtEnd(e->L.b, back);
    wg_fn_save_regs(e, e->an->cfg.live_in[b], base);
    free(base);
    wg_fn_go_over(e, wg_fn_at_block(e, WG_CONVERGED, b), wg_mask(e));
    LLVMPositionBuilderAtEnd(e->L.b, stay);
}

void wg_fn_try_stop_converged(struct wg_emit *e, uint32_t next, const struct wg_ir_instr *in) {
    if (e->brief || !wg_fn_may_return(e, next) || e->opts->check) return;
    wg_value_flush(e, e->an->cfg.live_in[next]);
    LLVMValueRef *base = wg_xcalloc(e->func->nregs, sizeof(LLVMValueRef));
    LLVMValueRef ok = may_be_converged(e, next, base);
    LLVMBasicBlockRef back = wg_new_bb(e, "converged"), stay = wg_new_bb(e, "g");
    LLVMBuildCondBr(e->L.b, ok, back, stay);
    LLVMPositionBuilderAtEnd(e->L.b, back);
    wg_fn_save_regs(e, e->an->cfg.live_in[next], base);
    free(base);
    wg_store_field(e, e->L.b, wg_mask(e), e->warp, offsetof(struct wg_warp, live));
    uint32_t id = wg_fn_at_block(e, WG_CONVERGED, next);
    wg_store_field(e, e->L.b, wg_i32(e, id), e->warp, offsetof(struct wg_warp, resume));
    wg_fn_return_status(e, wg_is_grid_barrier(in) ? WG_WARP_WAITING : WG_WARP_BARRIER);
    LLVMPositionBuilderAtEnd(e->L.b, stay);
}

/* ---- suspension and resumption of the warp ---- */

/* CONVERGED's form is one or two scalars, or a mask. */
static bool fits_nook(const struct wg_emit *e, uint32_t reg) {
    const struct wg_fact *f = &e->an->facts[WG_CONVERGED][reg];
    return (f->kind != WG_VARYING && f->kind != WG_UNKNOWN) || wg_reg_bits(e, reg) == 1;
}

/* Assigns a spill slot, common to both versions, to every register that may be live where a warp is
 * suspended or changes versions. */
void wg_fn_find_homes(struct wg_emit *e) {
    const struct wg_ir_func *f = e->func;
    wg_bits any = wg_bits_new(&e->an->arena, f->nregs), live = wg_bits_new(&e->an->arena, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        wg_bits_join(any, e->an->cfg.live_in[b], f->nregs);
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (!wg_may_leave(e->an, in)) continue;
            *WG_PUSH(&e->out.checks) = (struct wg_check){b, i};
            wg_fn_live_before(e, b, i, live);
            wg_bits_join(any, live, f->nregs);
        }
    }
    /* What phases after the grid's barrier compute others from. */
    if (e->opts->grid_waits && e->an->phases) wg_bits_join(any, e->an->phases->kept, f->nregs);
    WG_BITS_EACH(r, any, f->nregs) {
        if (!fits_nook(e, r)) continue;
        e->regs.nook[r] = e->regs.frame_bytes;
        e->regs.frame_bytes += e->an->facts[WG_CONVERGED][r].r ? 16 : 8;
    }
    e->regs.frame_bytes = (e->regs.frame_bytes + 63) & ~63u;
    WG_BITS_EACH(r, any, f->nregs) {
        if (!e->an->needs_general && fits_nook(e, r)) continue;
        uint32_t bits = wg_reg_bits(e, r), size = bits == 1 ? 4 : WG_LANES * bits / 8;
        e->regs.home[r] = e->regs.frame_bytes;
        e->regs.frame_bytes += (size + 63) & ~63u;
    }
    e->masks.wait_home = e->regs.frame_bytes;
    if (e->an->needs_general) e->regs.frame_bytes += (f->nblocks * 4 + 63) & ~63u;
}

/* No lane waits anywhere. */
void wg_fn_clear_waits(struct wg_emit *e) {
    uint32_t bytes = (e->func->nblocks * 4 + 63) & ~63u;
    LLVMValueRef at = wg_field(e, e->L.b, wg_fn_frame_ptr(e, e->L.b), e->masks.wait_home);
    LLVMBuildMemSet(e->L.b, at, LLVMConstInt(e->i8, 0, 0), wg_i64(e, bytes), 64);
}

LLVMValueRef wg_fn_frame_ptr(struct wg_emit *e, LLVMBuilderRef b) {
    return wg_load_field(e, b, e->ptr, e->warp, offsetof(struct wg_warp, frame), true, "frame");
}

/* base[register], where set, is CONVERGED's form of a register that GENERAL has as 32 lanes. */
void wg_fn_save_regs(struct wg_emit *e, const uint64_t *alive, const LLVMValueRef *base) {
    LLVMValueRef frame = wg_fn_frame_ptr(e, e->L.b);
    WG_BITS_EACH(r, alive, e->func->nregs) {
        struct wg_value x = e->regs.have[r] ? e->regs.cur[r] : wg_slot_load(e, e->L.b, e->v, r);
        const struct wg_fact *f = &e->an->facts[WG_CONVERGED][r];
        uint32_t at = fits_nook(e, r) ? e->regs.nook[r] : e->regs.home[r], bits = wg_reg_bits(e, r);
        bool vec = f->kind == WG_VARYING || f->kind == WG_UNKNOWN;
        LLVMValueRef y = vec ? wg_value_vec_at(e, e->L.b, &x) : base && base[r] ? base[r] : x.base;
        if (!y) y = LLVMBuildExtractElement(e->L.b, x.vec, wg_i64(e, 0), "");
        if (bits == 1) y = vec ? wg_emit_mask(e, y) : LLVMBuildZExt(e->L.b, y, e->i32, "");
        LLVMValueRef st = LLVMBuildStore(e->L.b, y, wg_field(e, e->L.b, frame, at));
        LLVMSetAlignment(st, vec && bits > 1 ? 64 : 4);
        if (f->r && !vec) wg_store_field(e, e->L.b, x.scale, frame, at + 8);
    }
}

void wg_fn_restore_regs(struct wg_emit *e, const uint64_t *alive) {
    LLVMValueRef frame = wg_fn_frame_ptr(e, e->L.b);
    WG_BITS_EACH(r, alive, e->func->nregs) {
        const struct wg_fact *f = &e->an->facts[WG_CONVERGED][r];
        bool nook = fits_nook(e, r);
        if (e->v == WG_GENERAL && !nook) continue; /* that is its place already */
        uint32_t at = nook ? e->regs.nook[r] : e->regs.home[r], bits = wg_reg_bits(e, r);
        bool vec = f->kind == WG_VARYING || f->kind == WG_UNKNOWN;
        LLVMTypeRef t = bits == 1 ? e->i32 : LLVMIntTypeInContext(e->L.ctx, bits);
        LLVMTypeRef lt = vec && bits > 1 ? LLVMVectorType(t, WG_LANES) : t;
        LLVMValueRef y = LLVMBuildLoad2(e->L.b, lt, wg_field(e, e->L.b, frame, at), "");
        LLVMSetAlignment(y, vec && bits > 1 ? 64 : 4);
        struct wg_value x = {.kind = f->kind, .k = f->k, .r = f->r};
        if (bits == 1) y = vec ? wg_emit_bits(e, y) : LLVMBuildTrunc(e->L.b, y, e->i1, "");
        if (vec)
            x.vec = y, x.kind = WG_VARYING;
        else
            x.base = y;
        if (f->r) x.scale = wg_load_field(e, e->L.b, t, frame, at + 8, false, "");
        wg_slot_store(e, e->L.b, e->v, r, &x);
    }
}

/* Makes `id` an entry point of this function, and returns its block. */
LLVMBasicBlockRef wg_fn_entered_at(struct wg_emit *e, uint32_t id) {
    for (uint32_t i = 0; i < e->out.resumes.n; i++)
        if (e->out.resumes.v[i].id == id) return e->out.resumes.v[i].bb;
    struct wg_resume *r = WG_PUSH(&e->out.resumes);
    *r = (struct wg_resume){id, wg_new_bb(e, "resume")};
    return r->bb;
}

/* CONVERGED: ends the warp's time slice. */
void wg_fn_end_slice(struct wg_emit *e, enum wg_warp_status s) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
    LLVMValueRef status = wg_i32(e, s);
    LLVMBuildBr(e->L.b, e->way.next);
    LLVMAddIncoming(e->way.next_status, &status, &here, 1);
}

void wg_fn_return_status(struct wg_emit *e, enum wg_warp_status s) { LLVMBuildRet(e->L.b, wg_i32(e, s)); }

bool wg_fn_others_wait(const struct wg_emit *e) {
    return e->v == WG_GENERAL && !wg_bits_empty(e->an->frontier[e->block], e->func->nblocks);
}

bool wg_fn_is_red(const struct wg_ir_instr *in) {
    return in->op == WG_OP_BAR_RED || in->op == WG_OP_BARRIER_RED;
}

/* Suspends the warp with all live lanes here, at `in` or at a back edge (NULL); it resumes at `next`. */
void wg_fn_stop_at(struct wg_emit *e, uint32_t next, enum wg_warp_status status,
                   const struct wg_ir_instr *in) {
    wg_store_field(e, e->L.b, wg_mask(e), e->warp, offsetof(struct wg_warp, live));
    if (e->v == WG_CONVERGED) {
        wg_bits rest = wg_fn_unsettled(e, e->block, UINT32_MAX, e->an->cfg.live_in[next]);
        WG_BITS_EACH(r, rest, e->func->nregs) /* CONVERGED knows their value when it resumes */
        if (e->func->regs[r].shadow) wg_bits_del(rest, r);
        wg_fn_save_regs(e, rest, NULL);
    } else
        wg_value_flush(e, e->an->cfg.live_in[next]); /* their slots are in the frame */
    uint32_t id = in && wg_fn_is_red(in) ? at_red(e, e->v, e->block) : wg_fn_at_block(e, e->v, next);
    wg_fn_entered_at(e, id);
    wg_store_field(e, e->L.b, wg_i32(e, id), e->warp, offsetof(struct wg_warp, resume));
    if (e->v == WG_CONVERGED && status == WG_WARP_BARRIER && wg_is_plain_barrier(in))
        wg_fn_end_slice(e, status);
    else
        wg_fn_return_status(e, status);
}

/* Suspends the warp with lanes waiting at several places. All values are in the frame already: the
 * builder's block has none of its own. */
void wg_fn_stop_everywhere(struct wg_emit *e, enum wg_warp_status status) {
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, "");
    wg_store_field(e, e->L.b, live, e->warp, offsetof(struct wg_warp, live));
    wg_store_field(e, e->L.b, wg_i32(e, wg_fn_at_dispatch(e)), e->warp, offsetof(struct wg_warp, resume));
    wg_fn_return_status(e, status);
}
