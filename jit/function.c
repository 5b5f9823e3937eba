/* One version of a kernel as one LLVM function: blocks, masks, and where a warp stops and goes on.
 *
 *     entry:        load what every block may want; switch on warp->resume
 *     c.B / g.B     block B in CONVERGED / GENERAL
 *     A divergent branch in c.B goes over to GENERAL: what is alive is stored into the warp's frame in GENERAL's
 *     form, lanes into warp->live and warp->active, and the other function is called in place of this one. It is
 *     made when it is first wanted: most kernels never do. Where all lanes have met again, g.B goes back to c.B the
 *     same way, if its registers are what CONVERGED takes them for.
 *     A barrier stores what is alive and returns; `entry` comes back to the next block.
 *
 * Both functions agree on where a register lies in the frame (`home`) and on the numbers of warp->resume (`at_...`).
 */
#include "analysis/flow.h"
#include "jit/emit.h"

#include <stdio.h>
#include <string.h>

enum { QUANTUM = 8 }; /* turns of a spin loop before lanes of the same warp get theirs */

LLVMBasicBlockRef wg_new_bb(struct wg_emit *e, const char *name) {
    return LLVMAppendBasicBlockInContext(e->L.ctx, e->fn, name);
}

LLVMValueRef wg_field(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef base, size_t offset) {
    LLVMValueRef at = wg_i64(e, offset);
    return offset ? LLVMBuildInBoundsGEP2(b, e->i8, base, &at, 1, "") : base;
}

LLVMValueRef wg_load_field(struct wg_emit *e, LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef base, size_t offset,
                           bool invariant, const char *name) {
    LLVMValueRef x = LLVMBuildLoad2(b, t, wg_field(e, b, base, offset), name);
    if (invariant) LLVMSetMetadata(x, LLVMGetMDKindIDInContext(e->L.ctx, "invariant.load", 14),
                                   LLVMMetadataAsValue(e->L.ctx, e->invariant));
    return x;
}

void wg_store_field(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef base, size_t offset) {
    LLVMBuildStore(b, x, wg_field(e, b, base, offset));
}

/* ---- masks ---- */

LLVMValueRef wg_emit_bits(struct wg_emit *e, LLVMValueRef m) {
    return LLVMBuildBitCast(e->L.b, m, LLVMVectorType(e->i1, WG_LANES), "");
}

LLVMValueRef wg_emit_mask(struct wg_emit *e, LLVMValueRef bits) { return LLVMBuildBitCast(e->L.b, bits, e->i32, ""); }

bool wg_mask_is_full(struct wg_emit *e) { return e->v == WG_CONVERGED && wg_bits_has(e->an->full, e->block); }

LLVMValueRef wg_mask(struct wg_emit *e) {
    if (wg_mask_is_full(e)) return wg_i32(e, UINT32_MAX);
    if (!e->mask) e->mask = LLVMBuildLoad2(e->L.b, e->i32, e->mask_slot[e->v], "mask");
    return e->mask;
}

LLVMValueRef wg_mask_bits(struct wg_emit *e) {
    if (!e->mask_bits) e->mask_bits = wg_emit_bits(e, wg_mask(e));
    return e->mask_bits;
}

LLVMValueRef wg_instr_mask(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef m = wg_mask(e);
    if (in->guard == WG_NO_REG) return m;
    struct wg_value *g = wg_value_get(e, in->guard);
    LLVMValueRef bits;
    if (g->kind == WG_UNIFORM) {
        LLVMValueRef on = in->guard_neg ? LLVMBuildNot(e->L.b, g->base, "") : g->base;
        return LLVMBuildAnd(e->L.b, m, LLVMBuildSExt(e->L.b, on, e->i32, ""), "guarded");
    }
    bits = wg_emit_mask(e, wg_value_vec(e, g));
    if (in->guard_neg) bits = LLVMBuildNot(e->L.b, bits, "");
    return LLVMBuildAnd(e->L.b, m, bits, "guarded");
}

static void set_mask(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, LLVMValueRef m) {
    LLVMBuildStore(b, m, e->mask_slot[v]);
}

/* ---- trouble ---- */

void wg_emit_unsupported(struct wg_emit *e, const struct wg_ir_instr *in, const char *why) {
    const struct wg_ir_loc *loc = &e->module->locs[in->loc];
    struct wg_pos at = {e->module->name, in->ptx_line, 0};
    if (in->loc && loc->file) at = (struct wg_pos){loc->file, loc->line, loc->col};
    if (in->op == WG_OP_NONE) /* the builder's words */
        wg_diag_error(e->diag, at, NULL, "%s in kernel '%s' (PTX line %u)", why, e->func->name, in->ptx_line);
    else
        wg_diag_error(e->diag, at, NULL, "unsupported instruction '%s'%s%s in kernel '%s' (PTX line %u)",
                      wg_op_name(in->op), why ? ": " : "", why ? why : "", e->func->name, in->ptx_line);
    e->failed = true;
}

/* What the fault exit needs to know of a place, in one number. */
static LLVMValueRef site_of(struct wg_emit *e, enum wg_fault_kind kind, const struct wg_ir_instr *in) {
    uint64_t size = in ? wg_type_bits(in->type) / 8 * in->nvec : 0;
    uint64_t loc = in ? in->loc : e->func->blocks[e->block].loc;
    return wg_i64(e, loc | (uint64_t)(in ? in->op : 0) << 32 | (size & 255) << 48 | (uint64_t)kind << 56);
}

static void build_fault_exit(struct wg_emit *e) {
    e->fault = wg_new_bb(e, "fault");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(e->L.ctx);
    LLVMPositionBuilderAtEnd(b, e->fault);
    e->fault_site = LLVMBuildPhi(b, e->i64, "site");
    e->fault_address = LLVMBuildPhi(b, e->i64, "address");
    e->fault_lane = LLVMBuildPhi(b, e->i32, "lane");
    LLVMValueRef site = e->fault_site;
    struct {
        size_t at;
        unsigned shift;
        uint64_t mask;
    } parts[] = {{offsetof(struct wg_warp, fault.loc), 0, UINT32_MAX},
                 {offsetof(struct wg_warp, fault.op), 32, 0xffff},
                 {offsetof(struct wg_warp, fault.size), 48, 0xff},
                 {offsetof(struct wg_warp, fault.kind), 56, 0xff}};
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef x = LLVMBuildLShr(b, site, wg_i64(e, parts[i].shift), "");
        x = LLVMBuildTrunc(b, LLVMBuildAnd(b, x, wg_i64(e, parts[i].mask), ""), e->i32, "");
        wg_store_field(e, b, x, e->warp, parts[i].at);
    }
    wg_store_field(e, b, e->fault_address, e->warp, offsetof(struct wg_warp, fault.address));
    wg_store_field(e, b, e->fault_lane, e->warp, offsetof(struct wg_warp, fault.lane));
    wg_store_field(e, b, wg_i32(e, e->func_index), e->warp, offsetof(struct wg_warp, fault.func));
    LLVMBuildRet(b, wg_i32(e, WG_WARP_FAULT));
    LLVMDisposeBuilder(b);
}

static void add_fault_edge(struct wg_emit *e, LLVMBasicBlockRef from, LLVMValueRef site, LLVMValueRef address,
                           LLVMValueRef lane) {
    LLVMAddIncoming(e->fault_site, &site, &from, 1);
    LLVMAddIncoming(e->fault_address, &address, &from, 1);
    LLVMAddIncoming(e->fault_lane, &lane, &from, 1);
}

static void hint_unlikely(struct wg_emit *e, LLVMValueRef br) {
    LLVMMetadataRef md[3] = {LLVMMDStringInContext2(e->L.ctx, "branch_weights", 14),
                             LLVMValueAsMetadata(wg_i32(e, 1)), LLVMValueAsMetadata(wg_i32(e, 1 << 20))};
    LLVMSetMetadata(br, LLVMGetMDKindIDInContext(e->L.ctx, "prof", 4),
                    LLVMMetadataAsValue(e->L.ctx, LLVMMDNodeInContext2(e->L.ctx, md, 3)));
}

void wg_fault_if(struct wg_emit *e, LLVMValueRef cond, enum wg_fault_kind kind, const struct wg_ir_instr *in,
                 LLVMValueRef address, LLVMValueRef lane) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b), next = wg_new_bb(e, "ok");
    if (!address) address = wg_i64(e, 0);
    if (!lane) lane = wg_i32(e, WG_LANES);
    hint_unlikely(e, LLVMBuildCondBr(e->L.b, cond, e->fault, next));
    add_fault_edge(e, here, site_of(e, kind, in), address, lane);
    LLVMPositionBuilderAtEnd(e->L.b, next);
}

static LLVMValueRef first_lane(struct wg_emit *e, LLVMValueRef m) {
    LLVMValueRef args[2] = {m, LLVMConstInt(e->i1, 0, 0)};
    wg_set_lanes(e, 1);
    return wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, args, 2);
}

/* ---- numbers of warp->resume ---- */

static uint32_t at_block(const struct wg_emit *e, enum wg_version v, uint32_t b) { (void)e; return 1 + 2 * b + v; }
/* GENERAL: lanes warp->active go to the lower successor of branch b, the others wait at the higher one. */
static uint32_t at_branch(const struct wg_emit *e, uint32_t b) { return 1 + 2 * e->func->nblocks + b; }
/* GENERAL: the instruction that check k stands before. */
static uint32_t at_check(const struct wg_emit *e, uint32_t k) { return 1 + 3 * e->func->nblocks + k; }
/* Behind the bar.red at the end of block b. */
static uint32_t at_red(const struct wg_emit *e, enum wg_version v, uint32_t b) {
    return 1 + 3 * e->func->nblocks + e->checks.n + 2 * b + v;
}
/* GENERAL: whichever block waits. */
static uint32_t at_dispatch(const struct wg_emit *e) { return 1 + 5 * e->func->nblocks + e->checks.n; }

/* ---- between the versions ---- */

static void step_back_use(void *set, uint32_t r) { wg_bits_add(set, r); }
static void step_back_def(void *set, uint32_t r) { wg_bits_del(set, r); }

static void live_before(struct wg_emit *e, uint32_t block, uint32_t instr, wg_bits live) {
    const struct wg_ir_block *b = &e->func->blocks[block];
    wg_bits_copy(live, e->an->live_out[block], e->func->nregs);
    if (b->term == WG_TERM_CBR || b->term == WG_TERM_BRX) wg_bits_add(live, b->cond);
    for (uint32_t i = b->ninstrs; i-- > instr;) {
        if (b->instrs[i].guard == WG_NO_REG) wg_each_def(&b->instrs[i], step_back_def, live);
        wg_each_use(&b->instrs[i], step_back_use, live);
    }
}

/* Registers to their places in the frame, in the form that version `to` gives them. base: values for those that are
 * VARYING here and are not there, or NULL. */
static void save_regs(struct wg_emit *e, const uint64_t *alive, enum wg_version to, const LLVMValueRef *base);

/* The other version goes on in place of this one. */
static void go_over(struct wg_emit *e, uint32_t resume, LLVMValueRef live) {
    wg_store_field(e, e->L.b, live, e->warp, offsetof(struct wg_warp, live));
    wg_store_field(e, e->L.b, wg_i32(e, resume), e->warp, offsetof(struct wg_warp, resume));
    LLVMValueRef code = wg_load_field(e, e->L.b, e->ptr, e->warp, offsetof(struct wg_warp, code), false, "code");
    size_t at = e->v == WG_CONVERGED ? offsetof(struct wg_code, general) : offsetof(struct wg_code, run);
    LLVMValueRef f = wg_load_field(e, e->L.b, e->ptr, code, at, false, "other");
    LLVMValueRef call = LLVMBuildCall2(e->L.b, LLVMFunctionType(e->i32, &e->ptr, 1, 0), f, &e->warp, 1, "");
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    LLVMBuildRet(e->L.b, call);
}

void wg_leave_converged_if(struct wg_emit *e, LLVMValueRef cond) {
    LLVMBasicBlockRef leave = wg_new_bb(e, "leave"), stay = wg_new_bb(e, "stay");
    wg_mask(e);
    hint_unlikely(e, LLVMBuildCondBr(e->L.b, cond, leave, stay));
    LLVMPositionBuilderAtEnd(e->L.b, leave);
    wg_bits live = wg_bits_new(&e->an->arena, e->func->nregs);
    live_before(e, e->block, e->instr, live);
    save_regs(e, live, WG_GENERAL, NULL);
    uint32_t k = 0;
    while (e->checks.v[k].block != e->block || e->checks.v[k].instr != e->instr) k++;
    go_over(e, at_check(e, k), wg_mask(e));
    LLVMPositionBuilderAtEnd(e->L.b, stay);
}

static bool ends_in_stop(const struct wg_ir_block *b) {
    return b->ninstrs && (wg_op_flags(b->instrs[b->ninstrs - 1].op) & WG_F_WAIT);
}

/* Where GENERAL may go back: behind a stop and at loop headers, where CONVERGED can be entered. */
static bool may_return(const struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    if (!e->an->needs_general || b == 0 || wg_leads_to_exit(e->func, b)) return false;
    bool after_stop = false;
    for (uint32_t p = 0; p < blk->npred; p++) after_stop |= ends_in_stop(&e->func->blocks[blk->pred[p]]);
    if (!after_stop && blk->loop != b) return false;
    WG_BITS_EACH(r, e->an->live_in[b], e->func->nregs)
    if (e->an->facts[WG_CONVERGED][r].r && !e->an->facts[WG_GENERAL][r].r) return false;
    return true;
}

/* cond &= every running lane's value is base + k[lane]; stores the base where it is. */
static LLVMValueRef same_shape(struct wg_emit *e, LLVMValueRef lane, uint32_t reg, LLVMValueRef *base) {
    struct wg_value *g = wg_value_get(e, reg);
    const struct wg_fact *c = &e->an->facts[WG_CONVERGED][reg];
    uint32_t bits = wg_reg_bits(e, reg);
    LLVMValueRef x = wg_value_vec(e, g);
    if (c->k) x = LLVMBuildSub(e->L.b, x, wg_lane_consts(e, c->k, bits), "");
    *base = LLVMBuildExtractElement(e->L.b, x, lane, "");
    LLVMValueRef differs;
    if (bits == 1) differs = LLVMBuildXor(e->L.b, x, wg_emit_splat(e, e->L.b, *base), "");
    else differs = LLVMBuildICmp(e->L.b, LLVMIntNE, x, wg_emit_splat(e, e->L.b, *base), "");
    LLVMValueRef any = LLVMBuildAnd(e->L.b, wg_emit_mask(e, differs), wg_mask(e), "");
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, any, wg_i32(e, 0), "");
}

static void try_return(struct wg_emit *e, uint32_t b) {
    LLVMValueRef ok = LLVMConstInt(e->i1, 1, 0), waiting = NULL, lane = NULL;
    WG_BITS_EACH(x, e->an->frontier[b], e->func->nblocks) {
        if (!e->wait_slot[x] || x == b) continue;
        LLVMValueRef w = LLVMBuildLoad2(e->L.b, e->i32, e->wait_slot[x], "");
        waiting = waiting ? LLVMBuildOr(e->L.b, waiting, w, "") : w;
    }
    if (waiting) {
        /* Lanes parked at a barrier are in no wait mask: all that live must run here. */
        LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->live_slot, "");
        waiting = LLVMBuildOr(e->L.b, waiting, LLVMBuildXor(e->L.b, live, wg_mask(e), ""), "");
        ok = LLVMBuildICmp(e->L.b, LLVMIntEQ, waiting, wg_i32(e, 0), "");
    }
    if (wg_bits_has(e->an->full, b)) {
        LLVMValueRef all = LLVMBuildICmp(e->L.b, LLVMIntEQ, wg_mask(e), wg_i32(e, UINT32_MAX), "");
        ok = LLVMBuildAnd(e->L.b, ok, all, "");
    }
    LLVMValueRef *base = WG_NEW_N(&e->an->arena, LLVMValueRef, e->func->nregs);
    WG_BITS_EACH(r, e->an->live_in[b], e->func->nregs) {
        const struct wg_fact *c = &e->an->facts[WG_CONVERGED][r], *g = &e->an->facts[WG_GENERAL][r];
        if (c->kind == WG_VARYING || c->kind == WG_UNKNOWN || g->kind != WG_VARYING) continue;
        if (!lane) {
            LLVMValueRef m = LLVMBuildOr(e->L.b, wg_mask(e), wg_i32(e, 1u << 31), ""); /* in range whatever m is */
            lane = first_lane(e, m);
        }
        ok = LLVMBuildAnd(e->L.b, ok, same_shape(e, lane, r, &base[r]), "");
    }
    LLVMBasicBlockRef back = wg_new_bb(e, "return"), stay = wg_new_bb(e, "g");
    wg_mask(e);
    LLVMBuildCondBr(e->L.b, ok, back, stay);
    LLVMPositionBuilderAtEnd(e->L.b, back);
    save_regs(e, e->an->live_in[b], WG_CONVERGED, base);
    go_over(e, at_block(e, WG_CONVERGED, b), wg_mask(e));
    LLVMPositionBuilderAtEnd(e->L.b, stay);
}

/* ---- where the warp stops and goes on ---- */

/* Every register that may be alive where a warp stops or changes versions has its place, the same for both. */
static void find_homes(struct wg_emit *e) {
    const struct wg_ir_func *f = e->func;
    wg_bits any = wg_bits_new(&e->an->arena, f->nregs), live = wg_bits_new(&e->an->arena, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        wg_bits_join(any, e->an->live_in[b], f->nregs);
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (!wg_needs_wrap_check(e->an, in) && !wg_needs_row_check(e->an, in)) continue;
            *WG_PUSH(&e->checks) = (struct wg_check){b, i};
            live_before(e, b, i, live);
            wg_bits_join(any, live, f->nregs);
        }
    }
    WG_BITS_EACH(r, any, f->nregs) {
        uint32_t bits = wg_reg_bits(e, r), size = bits == 1 ? 4 : WG_LANES * bits / 8;
        e->home[r] = e->frame_bytes;
        e->frame_bytes += (size + 63) & ~63u;
    }
    e->wait_home = e->frame_bytes;
    if (e->an->needs_general) e->frame_bytes += (f->nblocks * 4 + 63) & ~63u;
}

static LLVMValueRef frame_ptr(struct wg_emit *e, LLVMBuilderRef b) {
    return wg_load_field(e, b, e->ptr, e->warp, offsetof(struct wg_warp, frame), true, "frame");
}

static void save_regs(struct wg_emit *e, const uint64_t *alive, enum wg_version to, const LLVMValueRef *base) {
    if (e->v == WG_GENERAL && to == WG_GENERAL) { /* they live there */
        wg_value_flush(e, alive);
        return;
    }
    LLVMValueRef frame = frame_ptr(e, e->L.b);
    WG_BITS_EACH(r, alive, e->func->nregs) {
        struct wg_value x = e->have[r] ? e->cur[r] : wg_slot_load(e, e->L.b, e->v, r);
        const struct wg_fact *f = &e->an->facts[to][r];
        uint32_t at = e->home[r], bits = wg_reg_bits(e, r);
        bool vec = f->kind == WG_VARYING || f->kind == WG_UNKNOWN;
        LLVMValueRef y = vec ? wg_value_vec_at(e, e->L.b, &x) : base && base[r] ? base[r] : x.base;
        if (!y) y = LLVMBuildExtractElement(e->L.b, x.vec, wg_i64(e, 0), "");
        if (bits == 1) y = vec ? wg_emit_mask(e, y) : LLVMBuildZExt(e->L.b, y, e->i32, "");
        LLVMValueRef st = LLVMBuildStore(e->L.b, y, wg_field(e, e->L.b, frame, at));
        LLVMSetAlignment(st, vec && bits > 1 ? 64 : 4);
        if (f->r && !vec) wg_store_field(e, e->L.b, x.scale, frame, at + 16);
    }
}

static void restore_regs(struct wg_emit *e, const uint64_t *alive) {
    enum wg_version v = e->v;
    if (v == WG_GENERAL) return;
    LLVMValueRef frame = frame_ptr(e, e->L.b);
    WG_BITS_EACH(r, alive, e->func->nregs) {
        const struct wg_fact *f = &e->an->facts[v][r];
        uint32_t at = e->home[r], bits = wg_reg_bits(e, r);
        bool vec = f->kind == WG_VARYING || f->kind == WG_UNKNOWN;
        LLVMTypeRef t = bits == 1 ? e->i32 : LLVMIntTypeInContext(e->L.ctx, bits);
        LLVMTypeRef lt = vec && bits > 1 ? LLVMVectorType(t, WG_LANES) : t;
        LLVMValueRef y = LLVMBuildLoad2(e->L.b, lt, wg_field(e, e->L.b, frame, at), "");
        LLVMSetAlignment(y, vec && bits > 1 ? 64 : 4);
        struct wg_value x = {.kind = f->kind, .k = f->k, .r = f->r};
        if (bits == 1) y = vec ? wg_emit_bits(e, y) : LLVMBuildTrunc(e->L.b, y, e->i1, "");
        if (vec) x.vec = y, x.kind = WG_VARYING;
        else x.base = y;
        if (f->r) x.scale = wg_load_field(e, e->L.b, t, frame, at + 16, false, "");
        wg_slot_store(e, e->L.b, v, r, &x);
    }
}

/* Makes the place `id` one where this function can be entered, and gives it its block. */
static LLVMBasicBlockRef entered_at(struct wg_emit *e, uint32_t id) {
    for (uint32_t i = 0; i < e->resumes.n; i++)
        if (e->resumes.v[i].id == id) return e->resumes.v[i].bb;
    struct wg_resume *r = WG_PUSH(&e->resumes);
    *r = (struct wg_resume){id, wg_new_bb(e, "resume")};
    return r->bb;
}

static void return_status(struct wg_emit *e, enum wg_warp_status s) { LLVMBuildRet(e->L.b, wg_i32(e, s)); }

static bool is_red(const struct wg_ir_instr *in) { return in->op == WG_OP_BAR_RED || in->op == WG_OP_BARRIER_RED; }

/* Stops with all live lanes here, at `in` or at a back edge (NULL); goes on at `next`. */
static void stop_at(struct wg_emit *e, uint32_t next, enum wg_warp_status status, const struct wg_ir_instr *in) {
    wg_store_field(e, e->L.b, wg_mask(e), e->warp, offsetof(struct wg_warp, live));
    save_regs(e, e->an->live_in[next], e->v, NULL);
    uint32_t id = in && is_red(in) ? at_red(e, e->v, e->block) : at_block(e, e->v, next);
    entered_at(e, id);
    wg_store_field(e, e->L.b, wg_i32(e, id), e->warp, offsetof(struct wg_warp, resume));
    return_status(e, status);
}

/* Stops with lanes waiting at several places. All is in the frame already: the builder's block has no values of its
 * own. */
static void stop_everywhere(struct wg_emit *e, enum wg_warp_status status) {
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->live_slot, "");
    wg_store_field(e, e->L.b, live, e->warp, offsetof(struct wg_warp, live));
    wg_store_field(e, e->L.b, wg_i32(e, at_dispatch(e)), e->warp, offsetof(struct wg_warp, resume));
    return_status(e, status);
}

/* ---- GENERAL: which block runs next ---- */

static void goto_waiting(struct wg_emit *e, const uint64_t *among, uint32_t above, LLVMBasicBlockRef otherwise) {
    for (uint32_t y = above; y < e->func->nblocks; y++) {
        if (!e->wait_slot[y] || (among && !wg_bits_has(among, y))) continue;
        LLVMValueRef w = LLVMBuildLoad2(e->L.b, e->i32, e->wait_slot[y], "");
        LLVMBasicBlockRef next = wg_new_bb(e, "none");
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, w, wg_i32(e, 0), ""), e->bb[WG_GENERAL][y], next);
        LLVMPositionBuilderAtEnd(e->L.b, next);
    }
    LLVMBuildBr(e->L.b, otherwise);
}

/* The code behind `dispatch`: the lowest waiting block, or the warp is done, or its lanes are all at barriers. */
static void build_dispatch(struct wg_emit *e) {
    LLVMPositionBuilderAtEnd(e->L.b, e->dispatch);
    set_mask(e, e->L.b, WG_GENERAL, wg_i32(e, 0));
    LLVMBasicBlockRef none = wg_new_bb(e, "idle");
    goto_waiting(e, NULL, 0, none);
    LLVMPositionBuilderAtEnd(e->L.b, none);
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->live_slot, "");
    LLVMBasicBlockRef done = wg_new_bb(e, "done"), parked = wg_new_bb(e, "parked");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, live, wg_i32(e, 0), ""), done, parked);
    LLVMPositionBuilderAtEnd(e->L.b, done);
    wg_store_field(e, e->L.b, wg_i32(e, 0), e->warp, offsetof(struct wg_warp, live));
    return_status(e, WG_WARP_DONE);
    LLVMPositionBuilderAtEnd(e->L.b, parked);
    e->v = WG_GENERAL;
    if (e->an->unordered) stop_everywhere(e, WG_WARP_WAITING);
    else LLVMBuildUnreachable(e->L.b);
}

static void add_waiting(struct wg_emit *e, uint32_t block, LLVMValueRef lanes) {
    LLVMValueRef w = LLVMBuildLoad2(e->L.b, e->i32, e->wait_slot[block], "");
    LLVMBuildStore(e->L.b, LLVMBuildOr(e->L.b, w, lanes, ""), e->wait_slot[block]);
}

/* To the lowest waiting block from `above` on that is behind the one whose turn was last: if it were always the lowest
 * one, lanes of two blocks could take turns for ever while a higher one holds the lock that they want. Comes out where
 * there is none. */
static void goto_next_turn(struct wg_emit *e, uint32_t above) {
    LLVMValueRef last = LLVMBuildLoad2(e->L.b, e->i32, e->turn_slot, "");
    for (uint32_t y = above; y < e->func->nblocks; y++) {
        if (!e->wait_slot[y]) continue;
        LLVMValueRef w = LLVMBuildLoad2(e->L.b, e->i32, e->wait_slot[y], "");
        LLVMValueRef turn = LLVMBuildAnd(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, w, wg_i32(e, 0), ""),
                                         LLVMBuildICmp(e->L.b, LLVMIntULT, last, wg_i32(e, y), ""), "");
        LLVMBasicBlockRef take = wg_new_bb(e, "turn"), next = wg_new_bb(e, "none");
        LLVMBuildCondBr(e->L.b, turn, take, next);
        LLVMPositionBuilderAtEnd(e->L.b, take);
        LLVMBuildStore(e->L.b, wg_i32(e, y), e->turn_slot);
        LLVMBuildBr(e->L.b, e->bb[WG_GENERAL][y]);
        LLVMPositionBuilderAtEnd(e->L.b, next);
    }
}

/* A spin loop has had its quantum: other lanes of the warp, then other warps. */
static void give_turn(struct wg_emit *e, uint32_t header) {
    LLVMBasicBlockRef yield = wg_new_bb(e, "yield"), spin = wg_new_bb(e, "spin");
    LLVMValueRef fuel = LLVMBuildLoad2(e->L.b, e->i32, e->fuel_slot, "");
    fuel = LLVMBuildSub(e->L.b, fuel, wg_i32(e, 1), "");
    LLVMBuildStore(e->L.b, fuel, e->fuel_slot);
    hint_unlikely(e, LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, fuel, wg_i32(e, 0), ""), yield, spin));
    LLVMPositionBuilderAtEnd(e->L.b, yield);
    LLVMBuildStore(e->L.b, wg_i32(e, QUANTUM), e->fuel_slot);
    if (e->v == WG_CONVERGED || !e->wait_slot[header]) {
        stop_at(e, header, WG_WARP_YIELD, NULL);
    } else {
        add_waiting(e, header, wg_mask(e));
        set_mask(e, e->L.b, WG_GENERAL, wg_i32(e, 0));
        goto_next_turn(e, header + 1);
        LLVMBuildStore(e->L.b, wg_i32(e, 0), e->turn_slot);
        stop_everywhere(e, WG_WARP_YIELD);
    }
    LLVMPositionBuilderAtEnd(e->L.b, spin);
}

/* All running lanes go to block t. Values are in their slots. */
static void goto_block(struct wg_emit *e, uint32_t t) {
    if (t <= e->block && wg_bits_has(e->an->spins, t)) give_turn(e, t);
    if (e->v == WG_CONVERGED) {
        LLVMBuildBr(e->L.b, e->bb[WG_CONVERGED][t]);
        return;
    }
    /* Lanes that wait lower run first. */
    bool lower = false;
    WG_BITS_EACH(y, e->an->frontier[e->block], e->func->nblocks) lower |= y < t && e->wait_slot[y];
    if (!lower || !e->wait_slot[t] || e->an->unordered) {
        LLVMBuildBr(e->L.b, e->bb[WG_GENERAL][t]);
        return;
    }
    add_waiting(e, t, wg_mask(e));
    set_mask(e, e->L.b, WG_GENERAL, wg_i32(e, 0));
    wg_bits among = wg_bits_new(&e->an->arena, e->func->nblocks);
    WG_BITS_EACH(y, e->an->frontier[e->block], e->func->nblocks)
    if (y < t) wg_bits_add(among, y);
    goto_waiting(e, among, 0, e->bb[WG_GENERAL][t]);
}

static void end_lanes(struct wg_emit *e) {
    if (e->v == WG_CONVERGED || wg_bits_empty(e->an->frontier[e->block], e->func->nblocks)) {
        wg_store_field(e, e->L.b, wg_i32(e, 0), e->warp, offsetof(struct wg_warp, live));
        return_status(e, WG_WARP_DONE);
        return;
    }
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->live_slot, "");
    live = LLVMBuildAnd(e->L.b, live, LLVMBuildNot(e->L.b, wg_mask(e), ""), "");
    LLVMBuildStore(e->L.b, live, e->live_slot);
    LLVMBuildBr(e->L.b, e->dispatch);
}

/* ---- terminators ---- */

/* CONVERGED, the condition varies: all one way, all the other, lanes retiring, or over to GENERAL. */
static void branch_converged(struct wg_emit *e, const struct wg_ir_block *blk, LLVMValueRef taken) {
    uint32_t yes = blk->succ[0], no = blk->succ[1];
    LLVMValueRef m = wg_mask(e);
    taken = LLVMBuildAnd(e->L.b, taken, m, "taken");
    LLVMBasicBlockRef some = wg_new_bb(e, "some"), all = wg_new_bb(e, "all"), split = wg_new_bb(e, "split");
    LLVMBasicBlockRef never = wg_new_bb(e, "never");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, taken, wg_i32(e, 0), ""), never, some);
    LLVMPositionBuilderAtEnd(e->L.b, never);
    goto_block(e, no);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, taken, m, ""), all, split);
    LLVMPositionBuilderAtEnd(e->L.b, all);
    goto_block(e, yes);
    LLVMPositionBuilderAtEnd(e->L.b, split);
    LLVMValueRef rest = LLVMBuildXor(e->L.b, m, taken, "");
    if (wg_leads_to_exit(e->func, yes) || wg_leads_to_exit(e->func, no)) {
        bool gone = wg_leads_to_exit(e->func, yes); /* those lanes are done; the others stay together */
        set_mask(e, e->L.b, WG_CONVERGED, gone ? rest : taken);
        goto_block(e, gone ? no : yes);
        return;
    }
    save_regs(e, e->an->live_out[e->block], WG_GENERAL, NULL);
    wg_store_field(e, e->L.b, yes < no ? taken : rest, e->warp, offsetof(struct wg_warp, active));
    go_over(e, at_branch(e, e->block), m);
}

static void branch_general(struct wg_emit *e, const struct wg_ir_block *blk, LLVMValueRef taken) {
    LLVMValueRef m = wg_mask(e);
    taken = LLVMBuildAnd(e->L.b, taken, m, "taken");
    LLVMValueRef rest = LLVMBuildXor(e->L.b, m, taken, "rest");
    LLVMBasicBlockRef some = wg_new_bb(e, "some"), all = wg_new_bb(e, "all"), split = wg_new_bb(e, "split");
    LLVMBasicBlockRef never = wg_new_bb(e, "never");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, taken, wg_i32(e, 0), ""), never, some);
    LLVMPositionBuilderAtEnd(e->L.b, never);
    goto_block(e, blk->succ[1]);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, rest, wg_i32(e, 0), ""), all, split);
    LLVMPositionBuilderAtEnd(e->L.b, all);
    goto_block(e, blk->succ[0]);
    LLVMPositionBuilderAtEnd(e->L.b, split);
    /* The lower one first, the other waits; a loop's back edge may spin, so its lanes take turns. */
    bool back = blk->succ[0] <= e->block || blk->succ[1] <= e->block;
    uint32_t low = blk->succ[0] < blk->succ[1] ? 0 : 1;
    add_waiting(e, blk->succ[1 - low], low == 0 ? rest : taken);
    LLVMValueRef saved = e->mask;
    e->mask = low == 0 ? taken : rest;
    set_mask(e, e->L.b, WG_GENERAL, e->mask);
    if (back || !e->an->unordered) goto_block(e, blk->succ[low]);
    else LLVMBuildBr(e->L.b, e->bb[WG_GENERAL][blk->succ[low]]);
    e->mask = saved;
}

/* brx.idx over varying indices: one target after the other. */
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
            goto_block(e, blk->succ[i]);
        }
        LLVMPositionBuilderAtEnd(e->L.b, out);
        LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
        LLVMBuildBr(e->L.b, e->fault);
        add_fault_edge(e, here, site_of(e, WG_FAULT_TRAP, NULL), wg_i64(e, 0), wg_i32(e, WG_LANES));
        return;
    }
    LLVMValueRef vec = wg_value_vec(e, idx), m = wg_mask(e);
    LLVMValueRef bad = LLVMBuildICmp(e->L.b, LLVMIntUGE, vec, wg_emit_splat(e, e->L.b, n), "");
    LLVMValueRef bad_mask = LLVMBuildAnd(e->L.b, wg_emit_mask(e, bad), m, "");
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, bad_mask, wg_i32(e, 0), ""), WG_FAULT_TRAP, NULL, NULL, NULL);
    LLVMDeleteBasicBlock(out);
    LLVMValueRef *lanes = WG_NEW_N(&e->an->arena, LLVMValueRef, e->func->nblocks);
    for (uint32_t i = 0; i < blk->nsucc; i++) {
        LLVMValueRef hit = LLVMBuildICmp(e->L.b, LLVMIntEQ, vec, wg_emit_splat(e, e->L.b, wg_i32(e, i)), "");
        LLVMValueRef go = LLVMBuildAnd(e->L.b, wg_emit_mask(e, hit), m, ""), *to = &lanes[blk->succ[i]];
        *to = *to ? LLVMBuildOr(e->L.b, *to, go, "") : go;
    }
    if (e->v == WG_GENERAL) {
        for (uint32_t b = 0; b < e->func->nblocks; b++)
            if (lanes[b]) add_waiting(e, b, lanes[b]);
        LLVMBuildBr(e->L.b, e->dispatch);
        return;
    }
    LLVMValueRef frame = frame_ptr(e, e->L.b);
    WG_BITS_EACH(b, e->waits, e->func->nblocks)
    wg_store_field(e, e->L.b, lanes[b] ? lanes[b] : wg_i32(e, 0), frame, e->wait_home + b * 4);
    save_regs(e, e->an->live_out[e->block], WG_GENERAL, NULL);
    go_over(e, at_dispatch(e), m);
}

static void emit_terminator(struct wg_emit *e, const struct wg_ir_block *blk) {
    wg_value_flush(e, e->an->live_out[e->block]);
    switch (blk->term) {
    case WG_TERM_BR: goto_block(e, blk->succ[0]); break;
    case WG_TERM_RET: case WG_TERM_EXIT: end_lanes(e); break;
    case WG_TERM_BRX: branch_indexed(e, blk); break;
    case WG_TERM_TRAP: {
        LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
        LLVMValueRef lane = first_lane(e, wg_mask(e));
        LLVMBuildBr(e->L.b, e->fault);
        add_fault_edge(e, here, site_of(e, WG_FAULT_TRAP, NULL), wg_i64(e, 0), lane);
        break;
    }
    case WG_TERM_CBR: {
        struct wg_value *c = wg_value_get(e, blk->cond);
        if (blk->succ[0] == blk->succ[1]) {
            goto_block(e, blk->succ[0]);
            break;
        }
        if (c->kind == WG_UNIFORM) {
            LLVMValueRef cond = c->base;
            LLVMBasicBlockRef yes = wg_new_bb(e, "yes"), no = wg_new_bb(e, "no");
            LLVMBuildCondBr(e->L.b, cond, blk->cond_neg ? no : yes, blk->cond_neg ? yes : no);
            LLVMPositionBuilderAtEnd(e->L.b, yes);
            goto_block(e, blk->succ[0]);
            LLVMPositionBuilderAtEnd(e->L.b, no);
            goto_block(e, blk->succ[1]);
            break;
        }
        LLVMValueRef taken = wg_emit_mask(e, wg_value_vec(e, c));
        if (blk->cond_neg) taken = LLVMBuildNot(e->L.b, taken, "");
        if (e->v == WG_CONVERGED) branch_converged(e, blk, taken);
        else branch_general(e, blk, taken);
        break;
    }
    }
}

/* ---- barriers and the like: the last instruction of a block ---- */

static void fill_wait(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef entry) {
    bool block = wg_op_flags(in->op) & WG_F_WAIT && in->op != WG_OP_BAR_CL_WAIT && in->op != WG_OP_CALL;
    bool red = is_red(in);
    uint8_t kind = block ? WG_WAIT_BLOCK : in->op == WG_OP_CALL ? WG_WAIT_GRID : WG_WAIT_CLUSTER;
    wg_store_field(e, e->L.b, wg_mask(e), entry, offsetof(struct wg_wait, lanes));
    LLVMValueRef head = wg_i32(e, kind | (uint32_t)(red ? in->mod[WG_MC_AOP] : 0) << 8);
    LLVMValueRef id = wg_i32(e, 0), threads = wg_i32(e, 0);
    if (block) {
        struct wg_value v = wg_operand(e, &in->src[0], 32);
        id = v.kind == WG_UNIFORM ? v.base : LLVMBuildExtractElement(e->L.b, wg_value_vec(e, &v), first_lane(e, wg_mask(e)), "");
        bool counted = in->nsrc > (red ? 2 : 1);
        if (counted) {
            v = wg_operand(e, &in->src[1], 32);
            threads = v.kind == WG_UNIFORM ? v.base
                                           : LLVMBuildExtractElement(e->L.b, wg_value_vec(e, &v), first_lane(e, wg_mask(e)), "");
        }
        LLVMValueRef big = LLVMBuildICmp(e->L.b, LLVMIntUGE, id, wg_i32(e, WG_BARRIERS), "");
        if (!LLVMIsAConstantInt(id) || LLVMConstIntGetZExtValue(id) >= WG_BARRIERS)
            wg_fault_if(e, big, WG_FAULT_BARRIER, in, NULL, NULL);
        head = LLVMBuildOr(e->L.b, head, LLVMBuildShl(e->L.b, id, wg_i32(e, 24), ""), "");
    }
    wg_store_field(e, e->L.b, head, entry, offsetof(struct wg_wait, kind));
    wg_store_field(e, e->L.b, threads, entry, offsetof(struct wg_wait, threads));
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
               "fill_wait writes kind, red, released and id as one word");

static bool stops(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CALL) return in->call->builtin == WG_B_grid_sync;
    return (wg_op_flags(in->op) & WG_F_WAIT) != 0;
}

/* The result of bar.red, for the lanes that come back from it. */
static void set_red_result(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (!in || in->dst[0].kind != WG_O_REG) return;
    LLVMValueRef x = wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, wait[0].result), false, "");
    uint32_t reg = in->dst[0].index;
    if (wg_reg_bits(e, reg) == 1) x = LLVMBuildICmp(e->L.b, LLVMIntNE, x, wg_i32(e, 0), "");
    struct wg_value v = {.kind = WG_UNIFORM, .base = x};
    wg_slot_store(e, e->L.b, e->v, reg, &v);
}

static void emit_stop(struct wg_emit *e, const struct wg_ir_block *blk, const struct wg_ir_instr *in) {
    uint32_t next = blk->succ[0];
    if (in->op == WG_OP_NANOSLEEP) {
        if (wg_bits_empty(e->an->frontier[e->block], e->func->nblocks) || e->v == WG_CONVERGED)
            stop_at(e, next, WG_WARP_YIELD, NULL);
        else {
            wg_value_flush(e, e->an->live_out[e->block]);
            goto_block(e, next); /* spin loops around it take turns */
        }
        return;
    }
    if (e->v == WG_GENERAL && !wg_bits_empty(e->an->frontier[e->block], e->func->nblocks)) {
        /* Other lanes are elsewhere: these are parked, and the others go on. */
        wg_value_flush(e, e->an->live_out[e->block]);
        LLVMValueRef n = wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, nwait), false, "");
        wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntUGE, n, wg_i32(e, WG_MAX_WAITS), ""), WG_FAULT_DEADLOCK, in, NULL, NULL);
        LLVMValueRef at = LLVMBuildMul(e->L.b, LLVMBuildZExt(e->L.b, n, e->i64, ""), wg_i64(e, sizeof(struct wg_wait)), "");
        LLVMValueRef entry = LLVMBuildInBoundsGEP2(
            e->L.b, e->i8, wg_field(e, e->L.b, e->warp, offsetof(struct wg_warp, wait)), &at, 1, "");
        fill_wait(e, in, entry);
        uint32_t home = is_red(in) && in->dst[0].kind == WG_O_REG ? e->home[in->dst[0].index] : WG_NO_REG;
        bool pred = home != WG_NO_REG && wg_reg_bits(e, in->dst[0].index) == 1;
        /* helpers.c reads this back: block, where the result goes, and whether it is a predicate */
        uint64_t where = next | (uint64_t)(home == WG_NO_REG ? 0xffff : home / 64) << 15 | (uint64_t)pred << 31;
        wg_store_field(e, e->L.b, wg_i32(e, (uint32_t)where), entry, offsetof(struct wg_wait, resume));
        wg_store_field(e, e->L.b, LLVMBuildAdd(e->L.b, n, wg_i32(e, 1), ""), e->warp, offsetof(struct wg_warp, nwait));
        LLVMBuildBr(e->L.b, e->dispatch);
        return;
    }
    LLVMValueRef entry = wg_field(e, e->L.b, e->warp, offsetof(struct wg_warp, wait));
    fill_wait(e, in, entry);
    wg_store_field(e, e->L.b, wg_i32(e, 1), e->warp, offsetof(struct wg_warp, nwait));
    bool block_barrier = in->op != WG_OP_CALL && in->op != WG_OP_BAR_CL_WAIT;
    stop_at(e, next, block_barrier ? WG_WARP_BARRIER : WG_WARP_WAITING, in);
}

/* ---- meeting places: the first instruction of a block ---- */

/* GENERAL, and lanes may be elsewhere: those whose partners have not come yet wait here. */
static void wait_for_partners(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_value members = wg_operand(e, &in->src[in->nsrc - 1], 32);
    LLVMValueRef m = wg_mask(e);
    LLVMValueRef live = LLVMBuildLoad2(e->L.b, e->i32, e->live_slot, "");
    LLVMValueRef absent = LLVMBuildAnd(e->L.b, live, LLVMBuildNot(e->L.b, m, ""), "");
    LLVMValueRef missing = LLVMBuildAnd(e->L.b, wg_value_vec(e, &members), wg_emit_splat(e, e->L.b, absent), "");
    LLVMValueRef ready = LLVMBuildICmp(e->L.b, LLVMIntEQ, missing, LLVMConstNull(LLVMTypeOf(missing)), "");
    ready = LLVMBuildAnd(e->L.b, wg_emit_mask(e, ready), m, "ready");
    LLVMValueRef early = LLVMBuildXor(e->L.b, m, ready, "");
    LLVMBasicBlockRef some = wg_new_bb(e, "early"), wait = wg_new_bb(e, "meet"), go = wg_new_bb(e, "met");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, early, wg_i32(e, 0), ""), some, go);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    add_waiting(e, e->block, early);
    set_mask(e, e->L.b, WG_GENERAL, ready);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, ready, wg_i32(e, 0), ""), wait, go);
    LLVMPositionBuilderAtEnd(e->L.b, wait);
    LLVMBasicBlockRef others = wg_new_bb(e, "others");
    goto_waiting(e, NULL, e->block + 1, others);
    LLVMPositionBuilderAtEnd(e->L.b, others);
    /* Nothing higher waits: lower ones, in whose way this block's own lanes are not. */
    wg_bits below = wg_bits_new(&e->an->arena, e->func->nblocks);
    for (uint32_t y = 0; y < e->block; y++) wg_bits_add(below, y);
    LLVMBasicBlockRef stuck = wg_new_bb(e, "stuck");
    goto_waiting(e, below, 0, stuck);
    LLVMPositionBuilderAtEnd(e->L.b, stuck);
    stop_everywhere(e, WG_WARP_YIELD);
    LLVMPositionBuilderAtEnd(e->L.b, go);
    wg_value_begin_block(e);
}

/* ---- blocks ---- */

static uint32_t check_at(const struct wg_emit *e, uint32_t block, uint32_t instr) {
    for (uint32_t k = 0; k < e->checks.n; k++)
        if (e->checks.v[k].block == block && e->checks.v[k].instr == instr) return k;
    return WG_NO_REG;
}

static void emit_block(struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    e->block = b;
    LLVMPositionBuilderAtEnd(e->L.b, e->bb[e->v][b]);
    wg_value_begin_block(e);
    bool others = e->v == WG_GENERAL && !wg_bits_empty(e->an->frontier[b], e->func->nblocks);
    if (e->v == WG_GENERAL && e->wait_slot[b]) {
        LLVMValueRef m = LLVMBuildLoad2(e->L.b, e->i32, e->mask_slot[WG_GENERAL], "");
        m = LLVMBuildOr(e->L.b, m, LLVMBuildLoad2(e->L.b, e->i32, e->wait_slot[b], ""), "mask");
        set_mask(e, e->L.b, WG_GENERAL, m);
        LLVMBuildStore(e->L.b, wg_i32(e, 0), e->wait_slot[b]);
        e->mask = m;
    }
    if (e->v == WG_GENERAL && may_return(e, b)) try_return(e, b);
    if (e->v == WG_CONVERGED && b == 0 && blk->npred == 0) wg_emit_block_prefetches(e);
    for (uint32_t i = 0; i < blk->ninstrs && !e->failed; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        e->instr = i;
        if (e->v == WG_GENERAL) {
            uint32_t k = check_at(e, b, i);
            if (k != WG_NO_REG) { /* CONVERGED may come over here */
                wg_bits live = wg_bits_new(&e->an->arena, e->func->nregs);
                live_before(e, b, i, live);
                wg_value_flush(e, live);
                e->check_bb[k] = wg_new_bb(e, "g.check");
                entered_at(e, at_check(e, k));
                LLVMBuildBr(e->L.b, e->check_bb[k]);
                LLVMPositionBuilderAtEnd(e->L.b, e->check_bb[k]);
                wg_value_begin_block(e);
            }
        }
        if (i == 0 && others && (wg_op_flags(in->op) & WG_F_SYNC)) wait_for_partners(e, in);
        if (i + 1 == blk->ninstrs && stops(in)) {
            emit_stop(e, blk, in);
            return;
        }
        wg_emit_instr(e, in);
    }
    if (!e->failed) emit_terminator(e, blk);
}

static void clear_waits(struct wg_emit *e) {
    WG_BITS_EACH(b, e->waits, e->func->nblocks) LLVMBuildStore(e->L.b, wg_i32(e, 0), e->wait_slot[b]);
}

/* What has been stopped or handed over goes on: its lanes, its registers, then the place. */
static void emit_dispatch_entry(struct wg_emit *e, LLVMValueRef live) {
    LLVMBuildStore(e->L.b, live, e->live_slot);
    LLVMValueRef frame = frame_ptr(e, e->L.b);
    LLVMValueRef args[3] = {e->warp, frame, wg_field(e, e->L.b, frame, e->wait_home)};
    wg_call_helper(e, "wg_jit_release", LLVMVoidTypeInContext(e->L.ctx), args, 3);
    LLVMBuildBr(e->L.b, e->dispatch);
}

static void emit_branch_entry(struct wg_emit *e, uint32_t b, LLVMValueRef live) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    uint32_t low = blk->succ[0] < blk->succ[1] ? 0 : 1;
    clear_waits(e);
    LLVMValueRef active = wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, active), false, "active");
    LLVMBuildStore(e->L.b, live, e->live_slot);
    set_mask(e, e->L.b, WG_GENERAL, active);
    LLVMBuildStore(e->L.b, LLVMBuildXor(e->L.b, live, active, ""), e->wait_slot[blk->succ[1 - low]]);
    LLVMBuildBr(e->L.b, e->bb[WG_GENERAL][blk->succ[low]]);
}

/* All live lanes at one place: the start of a block, behind bar.red, or at check k. */
static void emit_place_entry(struct wg_emit *e, uint32_t block, const struct wg_ir_instr *red, uint32_t k, LLVMValueRef live) {
    wg_bits alive = e->an->live_in[block];
    if (k != WG_NO_REG) {
        alive = wg_bits_new(&e->an->arena, e->func->nregs);
        live_before(e, block, e->checks.v[k].instr, alive);
    } else {
        wg_store_field(e, e->L.b, wg_i32(e, 0), e->warp, offsetof(struct wg_warp, nwait));
    }
    restore_regs(e, alive);
    if (e->v == WG_GENERAL) clear_waits(e);
    set_red_result(e, red);
    set_mask(e, e->L.b, e->v, live);
    LLVMBuildStore(e->L.b, live, e->live_slot);
    LLVMBuildBr(e->L.b, k == WG_NO_REG ? e->bb[e->v][block] : e->check_bb[k]);
}

static void emit_entry(struct wg_emit *e, struct wg_resume r) {
    uint32_t n = e->func->nblocks;
    LLVMPositionBuilderAtEnd(e->L.b, r.bb);
    wg_value_begin_block(e);
    LLVMValueRef live = wg_load_field(e, e->L.b, e->i32, e->warp, offsetof(struct wg_warp, live), false, "live");
    uint32_t id = r.id - 1;
    if (r.id == at_dispatch(e)) emit_dispatch_entry(e, live);
    else if (id < 2 * n) emit_place_entry(e, id / 2, NULL, WG_NO_REG, live);
    else if (id < 3 * n) emit_branch_entry(e, id - 2 * n, live);
    else if (id < 3 * n + e->checks.n) emit_place_entry(e, e->checks.v[id - 3 * n].block, NULL, id - 3 * n, live);
    else {
        const struct wg_ir_block *b = &e->func->blocks[(id - 3 * n - e->checks.n) / 2];
        emit_place_entry(e, b->succ[0], &b->instrs[b->ninstrs - 1], WG_NO_REG, live);
    }
}

/* Blocks where lanes may wait for others. */
static void find_waits(struct wg_emit *e) {
    const struct wg_ir_func *f = e->func;
    e->waits = wg_bits_new(&e->an->arena, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        wg_bits_join(e->waits, e->an->frontier[b], f->nblocks);
        if (!wg_bits_has(e->an->divergent[WG_GENERAL], b) && !wg_bits_has(e->an->divergent[WG_CONVERGED], b)) continue;
        for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) wg_bits_add(e->waits, f->blocks[b].succ[s]);
    }
}

static LLVMValueRef zeroed_slot(struct wg_emit *e, const char *name) {
    LLVMValueRef a = LLVMBuildAlloca(e->entry_b, e->i32, name);
    LLVMBuildStore(e->entry_b, wg_i32(e, 0), a);
    return a;
}

static void begin(struct wg_emit *e) {
    LLVMTypeRef ft = LLVMFunctionType(e->i32, &e->ptr, 1, 0);
    e->fn = LLVMAddFunction(e->L.module, "wg_kernel", ft);
    e->warp = LLVMGetParam(e->fn, 0);
    e->entry = wg_new_bb(e, "entry");
    LLVMPositionBuilderAtEnd(e->entry_b, e->entry);
    for (int v = 0; v < WG_VERSIONS; v++) e->mask_slot[v] = zeroed_slot(e, "mask");
    e->live_slot = zeroed_slot(e, "live");
    e->fuel_slot = zeroed_slot(e, "fuel");
    e->turn_slot = zeroed_slot(e, "turn");
    LLVMValueRef live =
        wg_load_field(e, e->entry_b, e->i32, e->warp, offsetof(struct wg_warp, live), false, "live");
    LLVMBuildStore(e->entry_b, live, e->mask_slot[WG_CONVERGED]);
    LLVMBuildStore(e->entry_b, wg_i32(e, QUANTUM), e->fuel_slot);
    e->block_ptr = wg_load_field(e, e->entry_b, e->ptr, e->warp, offsetof(struct wg_warp, block), true, "block");
    e->warp_id = wg_load_field(e, e->entry_b, e->i32, e->warp, offsetof(struct wg_warp, id), true, "warp_id");
    find_homes(e);
    find_waits(e);
    e->check_bb = WG_NEW_N(&e->an->arena, LLVMBasicBlockRef, e->checks.n + 1);
    build_fault_exit(e);
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        char name[32];
        snprintf(name, sizeof name, "%c.%u", e->v == WG_CONVERGED ? 'c' : 'g', b);
        e->bb[e->v][b] = wg_new_bb(e, name);
    }
    if (e->v == WG_CONVERGED) return;
    LLVMValueRef frame = frame_ptr(e, e->entry_b);
    WG_BITS_EACH(b, e->waits, e->func->nblocks) e->wait_slot[b] = wg_field(e, e->entry_b, frame, e->wait_home + b * 4);
    e->dispatch = wg_new_bb(e, "dispatch");
}

/* Where the other version may hand over to this one. */
static void open_to_other(struct wg_emit *e) {
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        if (e->v == WG_CONVERGED) {
            if (may_return(e, b)) entered_at(e, at_block(e, WG_CONVERGED, b));
        } else if (wg_bits_has(e->an->divergent[WG_CONVERGED], b) && blk->term == WG_TERM_CBR && blk->succ[0] != blk->succ[1]) {
            entered_at(e, at_branch(e, b));
        }
    }
    if (e->v == WG_GENERAL) entered_at(e, at_dispatch(e));
}

LLVMValueRef wg_emit_kernel(struct wg_emit *e) {
    begin(e);
    for (uint32_t b = 0; b < e->func->nblocks && !e->failed; b++) emit_block(e, b);
    if (e->failed) return NULL;
    open_to_other(e);
    if (e->v == WG_GENERAL) build_dispatch(e);
    for (uint32_t i = 0; i < e->resumes.n; i++) emit_entry(e, e->resumes.v[i]);
    LLVMValueRef at = wg_load_field(e, e->entry_b, e->i32, e->warp, offsetof(struct wg_warp, resume), false, "resume");
    LLVMBasicBlockRef other = wg_new_bb(e, "other");
    LLVMValueRef sw = LLVMBuildSwitch(e->entry_b, at, other, e->resumes.n + 1);
    if (e->v == WG_CONVERGED) LLVMAddCase(sw, wg_i32(e, 0), e->bb[WG_CONVERGED][0]);
    for (uint32_t i = 0; i < e->resumes.n; i++) LLVMAddCase(sw, wg_i32(e, e->resumes.v[i].id), e->resumes.v[i].bb);
    LLVMPositionBuilderAtEnd(e->L.b, other); /* GENERAL stopped, and the machine calls CONVERGED */
    if (e->v == WG_CONVERGED && e->an->needs_general) {
        LLVMValueRef code = wg_load_field(e, e->L.b, e->ptr, e->warp, offsetof(struct wg_warp, code), false, "code");
        LLVMValueRef f = wg_load_field(e, e->L.b, e->ptr, code, offsetof(struct wg_code, general), false, "other");
        LLVMValueRef call = LLVMBuildCall2(e->L.b, LLVMFunctionType(e->i32, &e->ptr, 1, 0), f, &e->warp, 1, "");
        LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
        LLVMBuildRet(e->L.b, call);
    } else {
        LLVMBuildUnreachable(e->L.b);
    }
    if (LLVMCountIncoming(e->fault_site) == 0) LLVMDeleteBasicBlock(e->fault);
    return e->fn;
}
