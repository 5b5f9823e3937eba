/* Execution masks, the warp's fields, and the fault exit. See emit.h.
 *
 *     mask        i32, the active lanes; all ones where analysis/ proves that every lane is active
 *     fault       one basic block per function: site, kind and lane are phis
 */
#include "cfg/cfg.h"
#include "jit/emit/emit.h"

LLVMBasicBlockRef wg_new_bb(struct wg_emit *e, const char *name) {
    return LLVMAppendBasicBlockInContext(e->L.ctx, e->fn, name);
}

LLVMValueRef wg_field(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef base, size_t offset) {
    LLVMValueRef at = wg_i64(e, offset);
    return offset ? LLVMBuildInBoundsGEP2(b, e->i8, base, &at, 1, "") : base;
}

LLVMValueRef wg_load_field(struct wg_emit *e, LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef base,
                           size_t offset, bool invariant, const char *name) {
    LLVMValueRef x = LLVMBuildLoad2(b, t, wg_field(e, b, base, offset), name);
    if (invariant)
        LLVMSetMetadata(x, LLVMGetMDKindIDInContext(e->L.ctx, "invariant.load", 14),
                        LLVMMetadataAsValue(e->L.ctx, e->invariant));
    return x;
}

void wg_store_field(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef base, size_t offset) {
    LLVMBuildStore(b, x, wg_field(e, b, base, offset));
}

/* ---- masks ---- */

/* Constants stay constants, so that the code is specialised for the lanes that run it. */
LLVMValueRef wg_emit_bits(struct wg_emit *e, LLVMValueRef m) {
    LLVMValueRef c[WG_LANES];
    if (LLVMIsAConstantInt(m)) {
        uint64_t lanes = LLVMConstIntGetZExtValue(m);
        for (int l = 0; l < WG_LANES; l++) c[l] = LLVMConstInt(e->i1, lanes >> l & 1, 0);
        return LLVMConstVector(c, WG_LANES);
    }
    return LLVMBuildBitCast(e->L.b, m, LLVMVectorType(e->i1, WG_LANES), "");
}

LLVMValueRef wg_emit_mask(struct wg_emit *e, LLVMValueRef bits) {
    uint32_t lanes = 0;
    int l = 0;
    for (; l < WG_LANES && LLVMIsConstant(bits); l++) {
        LLVMValueRef bit = LLVMGetAggregateElement(bits, (unsigned)l);
        if (!bit || !LLVMIsAConstantInt(bit)) break;
        lanes |= (uint32_t)LLVMConstIntGetZExtValue(bit) << l;
    }
    if (l == WG_LANES) return wg_i32(e, lanes);
    return LLVMBuildBitCast(e->L.b, bits, e->i32, "");
}

bool wg_mask_is_full(struct wg_emit *e) {
    if (e->sides) return !e->masks.on || wg_is_full(e->masks.on);
    return e->v == WG_CONVERGED && !e->masks.region && (e->masks.all || wg_bits_has(e->an->full, e->block));
}

LLVMBasicBlockRef wg_code_at(const struct wg_emit *e, uint32_t b, bool all) {
    return all && e->masks.all_bb && e->masks.all_bb[b] ? e->masks.all_bb[b] : e->bb[e->v][b];
}

bool wg_is_full(LLVMValueRef mask) {
    return LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) == UINT32_MAX;
}

LLVMValueRef wg_mask(struct wg_emit *e) {
    if (!e->masks.on && wg_mask_is_full(e)) return wg_i32(e, UINT32_MAX);
    if (!e->masks.on) e->masks.on = LLVMBuildLoad2(e->L.b, e->i32, e->masks.slot[e->v], "mask");
    return e->masks.on;
}

LLVMValueRef wg_mask_bits(struct wg_emit *e) {
    if (!e->masks.bits) e->masks.bits = wg_emit_bits(e, wg_mask(e));
    return e->masks.bits;
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

LLVMValueRef wg_fn_first_lane(struct wg_emit *e, LLVMValueRef m) {
    LLVMValueRef args[2] = {m, LLVMConstInt(e->i1, 0, 0)};
    wg_set_lanes(e, 1);
    return wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, args, 2);
}

LLVMValueRef wg_first_lane_of(struct wg_emit *e, LLVMValueRef m) {
    LLVMValueRef args[2] = {LLVMBuildOr(e->L.b, m, wg_i32(e, 1u << 31), ""), LLVMConstInt(e->i1, 0, 0)};
    wg_set_lanes(e, 1);
    return wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, args, 2);
}

/* Lanes whose guard is false keep their value. */
static void keep_unguarded(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *v,
                           uint32_t reg) {
    struct wg_value *old = wg_value_get(e, reg), *g = wg_value_get(e, in->guard);
    bool alike = v->kind == old->kind && e->an->facts[e->v][reg].kind == v->kind; /* the same pattern */
    if (g->kind == WG_UNIFORM && alike && v->kind != WG_VARYING) {
        LLVMValueRef c = g->base, yes = v->base, no = old->base;
        if (v->scale && old->scale)
            v->scale = LLVMBuildSelect(e->L.b, c, in->guard_neg ? old->scale : v->scale,
                                       in->guard_neg ? v->scale : old->scale, "");
        v->vec = v->far = v->near = NULL;
        v->mapped = NULL;
        v->base = LLVMBuildSelect(e->L.b, c, in->guard_neg ? no : yes, in->guard_neg ? yes : no, "");
        return;
    }
    LLVMValueRef c = wg_value_vec(e, g), yes = wg_value_vec(e, v), no = wg_value_vec(e, old);
    *v = (struct wg_value){.kind = WG_VARYING};
    v->vec = LLVMBuildSelect(e->L.b, c, in->guard_neg ? no : yes, in->guard_neg ? yes : no, "");
}

void wg_set_result(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg, struct wg_value v) {
    if (in->guard != WG_NO_REG) keep_unguarded(e, in, &v, reg);
    wg_value_set(e, reg, v);
}

void wg_fn_set_mask(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, LLVMValueRef m) {
    LLVMBuildStore(b, m, e->masks.slot[v]);
}

/* ---- failures and faults ---- */

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

/* Encodes what the fault exit needs to know of a place in one number. */
LLVMValueRef wg_fn_site_of(struct wg_emit *e, enum wg_fault_kind kind, const struct wg_ir_instr *in) {
    uint64_t size = in ? wg_type_bits(in->type) / 8 * in->nvec : 0;
    uint64_t loc = in ? in->loc : e->func->blocks[e->block].loc;
    return wg_i64(e, loc | (uint64_t)(in ? in->op : 0) << 32 | (size & 255) << 48 | (uint64_t)kind << 56);
}

void wg_fn_build_fault_exit(struct wg_emit *e) {
    e->faults.bb = wg_new_bb(e, "fault");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(e->L.ctx);
    LLVMPositionBuilderAtEnd(b, e->faults.bb);
    e->faults.site = LLVMBuildPhi(b, e->i64, "site");
    e->faults.address = LLVMBuildPhi(b, e->i64, "address");
    e->faults.lane = LLVMBuildPhi(b, e->i32, "lane");
    LLVMValueRef site = e->faults.site, warp = e->warp;
    if (e->whole) warp = LLVMBuildLoad2(b, e->ptr, e->warp_slot, "warp");
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
        wg_store_field(e, b, x, warp, parts[i].at);
    }
    wg_store_field(e, b, e->faults.address, warp, offsetof(struct wg_warp, fault.address));
    wg_store_field(e, b, e->faults.lane, warp, offsetof(struct wg_warp, fault.lane));
    wg_store_field(e, b, wg_i32(e, e->func_index), warp, offsetof(struct wg_warp, fault.func));
    LLVMBuildRet(b, wg_i32(e, WG_WARP_FAULT));
    LLVMDisposeBuilder(b);
}

void wg_fn_add_fault_edge(struct wg_emit *e, LLVMBasicBlockRef from, LLVMValueRef site, LLVMValueRef address,
                          LLVMValueRef lane) {
    LLVMAddIncoming(e->faults.site, &site, &from, 1);
    LLVMAddIncoming(e->faults.address, &address, &from, 1);
    LLVMAddIncoming(e->faults.lane, &lane, &from, 1);
}

void wg_fn_hint_unlikely(struct wg_emit *e, LLVMValueRef br) {
    LLVMMetadataRef md[3] = {LLVMMDStringInContext2(e->L.ctx, "branch_weights", 14),
                             LLVMValueAsMetadata(wg_i32(e, 1)), LLVMValueAsMetadata(wg_i32(e, 1 << 20))};
    LLVMSetMetadata(br, LLVMGetMDKindIDInContext(e->L.ctx, "prof", 4),
                    LLVMMetadataAsValue(e->L.ctx, LLVMMDNodeInContext2(e->L.ctx, md, 3)));
}

LLVMBasicBlockRef wg_fn_seldom_if(struct wg_emit *e, LLVMValueRef cond, const char *name) {
    LLVMBasicBlockRef seldom = wg_new_bb(e, name), go = wg_new_bb(e, "go");
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, cond, seldom, go));
    LLVMPositionBuilderAtEnd(e->L.b, seldom);
    return go;
}

void wg_fn_go_on(struct wg_emit *e, LLVMBasicBlockRef go) {
    LLVMBuildBr(e->L.b, go);
    LLVMPositionBuilderAtEnd(e->L.b, go);
}

/* The fault exit for one form of address: it computes the faulting lane and its address, so that no access
 * has to. A long kernel has more than one exit for the forms that pass vectors: where its code is split
 * (split_function.h), the part that has most of an exit's predecessors holds it, and the vectors of the others are
 * passed across. */
static struct wg_lane_fault *lane_fault(struct wg_emit *e, const struct wg_value *a) {
    enum { MOST_WAYS = 4 };
    unsigned shape = a->base ? 0 : a->near ? 1 : 2;
    struct wg_lane_fault *f = &e->faults.of_lanes[shape];
    bool full = shape > 0 && e->is_long && f->bb && LLVMCountIncoming(f->site) >= MOST_WAYS;
    if (f->bb && !full) return f;
    LLVMBuilderRef old = e->L.b;
    e->L.b = LLVMCreateBuilderInContext(e->L.ctx);
    f->bb = wg_new_bb(e, "fault.lane");
    LLVMPositionBuilderAtEnd(e->L.b, f->bb);
    f->site = LLVMBuildPhi(e->L.b, e->i64, "site");
    f->hit = LLVMBuildPhi(e->L.b, e->i32, "hit");
    if (shape < 2) f->far = LLVMBuildPhi(e->L.b, e->i64, "far");
    if (shape == 1) f->step = LLVMBuildPhi(e->L.b, e->i64, "step");
    if (shape > 0)
        f->vec = LLVMBuildPhi(e->L.b, LLVMVectorType(shape == 1 ? e->i32 : e->i64, WG_LANES), "lanes");
    LLVMValueRef lane = wg_first_lane_of(e, f->hit), at = f->far;
    if (shape > 0) at = LLVMBuildExtractElement(e->L.b, f->vec, lane, "");
    if (shape == 1) {
        at = LLVMBuildMul(e->L.b, LLVMBuildSExt(e->L.b, at, e->i64, ""), f->step, "");
        at = LLVMBuildAdd(e->L.b, at, f->far, "");
    }
    wg_fn_add_fault_edge(e, f->bb, f->site, at, lane);
    LLVMBuildBr(e->L.b, e->faults.bb);
    LLVMDisposeBuilder(e->L.b);
    e->L.b = old;
    return f;
}

void wg_fault_lanes_if(struct wg_emit *e, LLVMValueRef cond, enum wg_fault_kind kind,
                       const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef hit) {
    if (wg_begin_again_if(e, cond)) return;
    struct wg_lane_fault *f = lane_fault(e, a);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b), next = wg_new_bb(e, "ok");
    LLVMValueRef site = wg_fn_site_of(e, kind, in), far = a->base ? a->base : a->far;
    LLVMValueRef step = wg_i64(e, (uint64_t)a->step);
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, cond, f->bb, next));
    LLVMAddIncoming(f->site, &site, &here, 1);
    LLVMAddIncoming(f->hit, &hit, &here, 1);
    if (f->far) LLVMAddIncoming(f->far, &far, &here, 1);
    if (f->step) LLVMAddIncoming(f->step, &step, &here, 1);
    if (f->vec) LLVMAddIncoming(f->vec, f->step ? &a->near : &a->vec, &here, 1);
    LLVMPositionBuilderAtEnd(e->L.b, next);
}

void wg_fault_if(struct wg_emit *e, LLVMValueRef cond, enum wg_fault_kind kind, const struct wg_ir_instr *in,
                 LLVMValueRef address, LLVMValueRef lane) {
    if (wg_begin_again_if(e, cond)) return;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b), next = wg_new_bb(e, "ok");
    if (!address) address = wg_i64(e, 0);
    if (!lane) lane = wg_i32(e, WG_LANES);
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, cond, e->faults.bb, next));
    wg_fn_add_fault_edge(e, here, wg_fn_site_of(e, kind, in), address, lane);
    LLVMPositionBuilderAtEnd(e->L.b, next);
}

/* ---- side exits ---- */

bool wg_fn_stops(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CALL) return in->call->builtin == WG_B_grid_sync;
    return (wg_op_flags(in->op) & WG_F_WAIT) != 0;
}

void wg_leave_converged_if(struct wg_emit *e, LLVMValueRef cond) {
    if (!wg_begin_again_if(e, cond)) e->out.exits->leave_if(e, cond);
}

void wg_save_before_checks(struct wg_emit *e) { e->out.exits->save_before_checks(e); }
