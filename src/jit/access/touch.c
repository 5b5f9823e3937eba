/* Address range checks: no access reaches the host's memory. analysis/touch.h selects the checks.
 *
 *     (root - (home - slack)) >> (bits + 1) != 0      too far from the device's address space to reach it
 *
 * Testing a root, a base or the far part of an address covers all addresses computed from it, because
 * there are guard zones around the device's memory. A root that is far off is an error as such, so nothing
 * runs after the test: LLVM hoists it out of a loop that does not change the root. Without guard zones
 * (wg_code_opts.bounds), or if the program gave memory of its own to the device (given), each lane's
 * address is tested, and the machine is asked. */
#include "analysis/touch.h"
#include "jit/access/access.h"
#include "warp/touch.h"

/* Whether x, i64 or lanes of it, is outside of the device's address space. */
static LLVMValueRef outside(struct wg_emit *e, LLVMValueRef x) {
    bool vec = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    LLVMValueRef home = wg_preload(e, &e->once.device, e->i64, offsetof(struct wg_block, arena), "home");
    LLVMValueRef n = wg_i64(e, e->opts->arena_bits);
    if (vec) home = wg_emit_splat(e, e->L.b, home), n = wg_emit_splat(e, e->L.b, n);
    x = LLVMBuildLShr(e->L.b, LLVMBuildXor(e->L.b, x, home, ""), n, "");
    return LLVMBuildICmp(e->L.b, LLVMIntNE, x, LLVMConstNull(LLVMTypeOf(x)), "outside");
}

/* The offset of x from the lowest address from which the device's address space can be reached. */
static LLVMValueRef way(struct wg_emit *e, LLVMValueRef x) {
    if (!e->once.reach) {
        LLVMValueRef home = wg_preload(e, &e->once.device, e->i64, offsetof(struct wg_block, arena), "home");
        LLVMValueRef slack = wg_i64(e, WG_TOUCH_SLACK(e->opts->arena_bits));
        e->once.reach = LLVMBuildSub(e->entry_b, home, slack, "reach");
    }
    bool vec = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    return LLVMBuildSub(e->L.b, x, vec ? wg_emit_splat(e, e->L.b, e->once.reach) : e->once.reach, "");
}

/* Whether the space cannot be reached from such an offset, or lanes of them. */
static LLVMValueRef is_far(struct wg_emit *e, LLVMValueRef x) {
    LLVMValueRef n = wg_i64(e, e->opts->arena_bits + 1);
    if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind) n = wg_emit_splat(e, e->L.b, n);
    return LLVMBuildICmp(e->L.b, LLVMIntNE, LLVMBuildLShr(e->L.b, x, n, ""), LLVMConstNull(LLVMTypeOf(x)),
                         "far");
}

/* Whether the lanes are near enough to the base to be inside the guard zones around it. */
static bool lies_near(const struct wg_value *a) {
    const int64_t most = (int64_t)WG_TOUCH_ADDED;
    for (int l = 0; l < WG_LANES && a->k; l++)
        if (a->k[l] < -most || a->k[l] > most) return false;
    return !a->r;
}

/* The scalar, or lanes, to test. */
static LLVMValueRef subject(struct wg_emit *e, struct wg_touch t, struct wg_value *a) {
    if (t.kind == WG_TOUCH_ROOT && wg_value_is_at_hand(e, t.root)) {
        struct wg_value *root = wg_value_get(e, t.root);
        return root->kind == WG_UNIFORM ? root->base : wg_value_vec(e, root);
    }
    if (e->opts->bounds) return wg_lane_addresses(e, a);
    if (a->kind != WG_VARYING && lies_near(a)) return a->base;
    return a->near ? a->far : wg_lane_addresses(e, a);
}

/* The lanes of `out` that are not in the program's memory that was found last. */
static LLVMValueRef not_given(struct wg_emit *e, LLVMValueRef at, LLVMValueRef out, uint32_t bytes) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef from =
        wg_load_field(e, b, e->i64, e->once.block, offsetof(struct wg_block, given[0].base), false, "given");
    LLVMValueRef n =
        wg_load_field(e, b, e->i64, e->once.block, offsetof(struct wg_block, given[0].bytes), false, "");
    LLVMValueRef starts = wg_i64(e, bytes - 1); /* an access of `bytes` may start at so many fewer places */
    starts = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntUGT, n, starts, ""), LLVMBuildSub(b, n, starts, ""),
                             wg_i64(e, 0), "");
    LLVMValueRef into = LLVMBuildSub(b, at, wg_emit_splat(e, b, from), "");
    LLVMValueRef no = LLVMBuildICmp(b, LLVMIntUGE, into, wg_emit_splat(e, b, starts), "");
    return LLVMBuildAnd(b, out, wg_emit_mask(e, no), "");
}

/* The lanes of `mask` that the machine refuses. Moves the builder to another block. */
static LLVMValueRef refused(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at,
                            LLVMValueRef mask) {
    uint32_t bytes = wg_type_bits(in->type) / 8 * in->nvec;
    LLVMValueRef out = LLVMBuildAnd(e->L.b, wg_emit_mask(e, outside(e, at)), mask, "outside");
    if (e->opts->given || e->opts->bounds) out = not_given(e, at, out, bytes);
    LLVMBasicBlockRef ask = wg_new_bb(e, "ask"), asked = wg_new_bb(e, "asked"),
                      from[2] = {LLVMGetInsertBlock(e->L.b), ask};
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, out, wg_i32(e, 0), ""), ask, asked);
    LLVMPositionBuilderAtEnd(e->L.b, ask);
    LLVMValueRef args[4] = {e->warp, wg_spill_lanes(e, 0, at), out, wg_i32(e, bytes)};
    LLVMValueRef hit[2] = {wg_i32(e, 0), wg_call_helper(e, "wg_jit_refused", e->i32, args, 4)};
    from[1] = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, asked);
    LLVMPositionBuilderAtEnd(e->L.b, asked);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, e->i32, "refused");
    LLVMAddIncoming(phi, hit, from, 2);
    return phi;
}

static bool is_shared(const struct wg_ir_instr *in) {
    return in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
}

static struct wg_touch wanted(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (is_shared(in)) return (struct wg_touch){.kind = WG_TOUCH_SAFE};
    if (e->opts->bounds) return (struct wg_touch){.kind = WG_TOUCH_ADDRESS};
    return wg_touch_of(e->an, e->block, e->instr);
}

/* Faults if x is far, for tests where that alone is an error. */
static void fault_if_far(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef x, struct wg_value *a,
                         LLVMValueRef mask) {
    LLVMValueRef from = way(e, x), any = from, hit = mask;
    bool vec = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    if (vec) {
        LLVMTypeRef t = LLVMTypeOf(from);
        any = wg_lower_intrinsic(&e->L, "llvm.vector.reduce.or", &t, 1, &from, 1);
    }
    LLVMBasicBlockRef near = wg_fn_seldom_if(e, is_far(e, any), "far");
    bool all = LLVMIsAConstantInt(mask) && LLVMConstIntGetSExtValue(mask) == -1;
    LLVMValueRef bad = LLVMConstInt(e->i1, 1, 0);
    if (vec) hit = LLVMBuildAnd(e->L.b, wg_emit_mask(e, is_far(e, from)), mask, "");
    if (!all && (vec || in->guard != WG_NO_REG))
        bad = LLVMBuildICmp(e->L.b, LLVMIntNE, hit, wg_i32(e, 0), "");
    struct wg_value lanes = {.kind = WG_VARYING, .vec = wg_lane_addresses(e, a)};
    wg_fault_lanes_if(e, bad, WG_FAULT_ADDRESS, in, &lanes, hit);
    wg_fn_go_on(e, near);
}

bool wg_check_touch_and_low(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *address,
                            LLVMValueRef low, LLVMValueRef mask) {
    struct wg_touch t = wanted(e, in);
    struct wg_value a = *address;
    if (t.kind == WG_TOUCH_SAFE || e->opts->given || e->opts->bounds) return false;
    LLVMValueRef x = subject(e, t, &a);
    if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind) return false;
    LLVMValueRef none = wg_i64(e, 0), on = LLVMConstInt(e->i1, 1, 0);
    LLVMValueRef high = LLVMBuildLShr(e->L.b, way(e, x), wg_i64(e, e->opts->arena_bits + 1), "");
    high = LLVMBuildOr(e->L.b, high, low, "");
    LLVMBasicBlockRef near = wg_fn_seldom_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, high, none, "wrong"), "far");
    if (in->guard != WG_NO_REG) on = LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), "");
    LLVMValueRef bad =
        LLVMBuildAnd(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, low, none, "misaligned"), on, "");
    wg_fault_lanes_if(e, bad, WG_FAULT_MISALIGNED, in, &a, mask);
    struct wg_value lanes = {.kind = WG_VARYING, .vec = wg_lane_addresses(e, &a)};
    wg_fault_lanes_if(e, on, WG_FAULT_ADDRESS, in, &lanes, mask);
    wg_fn_go_on(e, near);
    return true;
}

void wg_check_touch(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *address,
                    LLVMValueRef mask) {
    struct wg_touch t = wanted(e, in);
    struct wg_value a = *address;
    if (t.kind == WG_TOUCH_SAFE) return;
    LLVMValueRef x = subject(e, t, &a);
    if (!e->opts->given && !e->opts->bounds) {
        fault_if_far(e, in, x, &a, mask);
        return;
    }
    LLVMValueRef some = outside(e, x);
    if (LLVMGetTypeKind(LLVMTypeOf(some)) == LLVMVectorTypeKind) {
        some = LLVMBuildAnd(e->L.b, wg_emit_mask(e, some), mask, "");
        some = LLVMBuildICmp(e->L.b, LLVMIntNE, some, wg_i32(e, 0), "");
    }
    LLVMBasicBlockRef near = wg_fn_seldom_if(e, some, "far");
    struct wg_value lanes = {.kind = WG_VARYING, .vec = wg_lane_addresses(e, &a)};
    LLVMValueRef hit = refused(e, in, lanes.vec, mask);
    wg_fault_lanes_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, hit, wg_i32(e, 0), ""), WG_FAULT_ADDRESS, in,
                      &lanes, hit);
    wg_fn_go_on(e, near);
}

void wg_check_touch_of_lane(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at,
                            LLVMValueRef lane) {
    if (wanted(e, in).kind == WG_TOUCH_SAFE) return;
    if (!e->opts->given && !e->opts->bounds) {
        wg_fault_if(e, is_far(e, way(e, at)), WG_FAULT_ADDRESS, in, at, lane);
        return;
    }
    LLVMBasicBlockRef near = wg_fn_seldom_if(e, outside(e, at), "far");
    LLVMValueRef mask = LLVMBuildShl(e->L.b, wg_i32(e, 1), lane, "");
    LLVMValueRef hit = refused(e, in, wg_emit_splat(e, e->L.b, at), mask);
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, hit, wg_i32(e, 0), ""), WG_FAULT_ADDRESS, in, at, lane);
    wg_fn_go_on(e, near);
}
