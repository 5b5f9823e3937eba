/* Warp-level operations: shuffles, votes, matches, reductions; also address space conversions and calls to
 * the machine. */
#include "jit/instr/instr.h"
#include "jit/lower/lower_rows.h"

#include <stdio.h>

static LLVMValueRef konst(struct wg_emit *e, uint32_t bits, uint64_t x) {
    return wg_lower_const(&e->L, bits, x);
}

static void set_result(struct wg_emit *e, uint32_t i, const struct wg_ir_instr *in, LLVMValueRef x) {
    if (i >= in->ndst || in->dst[i].kind != WG_O_REG) return;
    uint32_t reg = in->dst[i].index;
    bool lanes = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    if (in->guard != WG_NO_REG)
        wg_set_result(e, in, reg,
                      lanes ? (struct wg_value){.kind = WG_VARYING, .vec = x}
                            : (struct wg_value){.kind = WG_UNIFORM, .base = x});
    else if (lanes)
        wg_value_set_vec(e, reg, x);
    else
        wg_value_set_scalar(e, reg, x);
}

static LLVMValueRef lane_ids(struct wg_emit *e) {
    int64_t k[WG_LANES];
    for (int l = 0; l < WG_LANES; l++) k[l] = l;
    return wg_lane_consts(e, k, 32);
}

/* ---- shuffles ---- */

/* Source lane and validity of every lane, as the PTX ISA defines them. */
static LLVMValueRef shuffle_source(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef b,
                                   LLVMValueRef c, LLVMValueRef *valid) {
    LLVMBuilderRef x = e->L.b;
    wg_set_lanes(e, WG_LANES);
    LLVMValueRef lane = lane_ids(e), low5 = konst(e, 32, 31);
    LLVMValueRef bval = LLVMBuildAnd(x, b, low5, ""), cval = LLVMBuildAnd(x, c, low5, "");
    LLVMValueRef seg = LLVMBuildAnd(x, LLVMBuildLShr(x, c, konst(e, 32, 8), ""), low5, "");
    LLVMValueRef notseg = LLVMBuildNot(x, seg, "");
    LLVMValueRef lo = LLVMBuildAnd(x, lane, seg, "");
    LLVMValueRef hi = LLVMBuildOr(x, lo, LLVMBuildAnd(x, cval, notseg, ""), "");
    LLVMValueRef j;
    LLVMIntPredicate ok = LLVMIntSLE;
    switch (in->mod[WG_MC_SHFL]) {
    case WG_M_up:
        j = LLVMBuildSub(x, lane, bval, "");
        ok = LLVMIntSGE;
        break;
    case WG_M_down: j = LLVMBuildAdd(x, lane, bval, ""); break;
    case WG_M_bfly: j = LLVMBuildXor(x, lane, bval, ""); break;
    default: j = LLVMBuildOr(x, lo, LLVMBuildAnd(x, bval, notseg, ""), ""); break;
    }
    *valid = LLVMBuildICmp(x, ok, j, hi, "");
    return LLVMBuildSelect(x, *valid, j, lane, "");
}

static LLVMValueRef permute(struct wg_emit *e, LLVMValueRef a, LLVMValueRef from) {
    if (LLVMIsConstant(from))
        return LLVMBuildShuffleVector(e->L.b, a, LLVMGetPoison(LLVMTypeOf(a)), from, "");
    if (e->L.avx512) {
        wg_set_lanes(e, WG_LANES);
        LLVMValueRef half[2], low = wg_lanes_of(&e->L, a, 0, 16), high = wg_lanes_of(&e->L, a, 16, 16);
        for (unsigned i = 0; i < 2; i++) {
            LLVMValueRef args[3] = {low, wg_lanes_of(&e->L, from, 16 * i, 16), high}; /* index modulo 32 */
            half[i] = wg_lower_intrinsic(&e->L, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
        }
        return wg_lanes_join(&e->L, half, 2, WG_LANES);
    }
    LLVMValueRef at = wg_spill_lanes(e, 0, a);
    LLVMTypeRef v64 = LLVMVectorType(e->i64, WG_LANES);
    LLVMValueRef index = LLVMBuildZExt(e->L.b, LLVMBuildAnd(e->L.b, from, konst(e, 32, 31), ""), v64, "");
    LLVMValueRef ptrs = LLVMBuildGEP2(e->L.b, e->i32, at, &index, 1, "");
    LLVMTypeRef t = LLVMTypeOf(a), types[2] = {t, LLVMTypeOf(ptrs)};
    LLVMValueRef args[4] = {ptrs, wg_i32(e, 4), LLVMConstAllOnes(LLVMVectorType(e->i1, WG_LANES)),
                            LLVMConstNull(t)};
    return wg_lower_intrinsic(&e->L, "llvm.masked.gather", types, 2, args, 4);
}

/* Lanes that do not execute the shuffle give zero (docs/warps.md), whatever their registers hold: a lane
 * that is absent still holds uniform values, and continues with those that depend on the lane's number. */
static LLVMValueRef or_zero(struct wg_emit *e, LLVMValueRef x) {
    if (wg_is_full(wg_mask(e))) return x;
    return LLVMBuildSelect(e->L.b, wg_mask_bits(e), x, LLVMConstNull(LLVMTypeOf(x)), "");
}

LLVMValueRef wg_shuffled(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *from,
                         LLVMValueRef *valid) {
    struct wg_value a = wg_operand(e, &in->src[0], 32), b = wg_operand(e, &in->src[1], 32);
    struct wg_value c = wg_operand(e, &in->src[2], 32);
    *from = shuffle_source(e, in, wg_value_vec(e, &b), wg_value_vec(e, &c), valid);
    return permute(e, or_zero(e, wg_value_vec(e, &a)), *from);
}

static void emit_shfl(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef from, valid, x = wg_shuffled(e, in, &from, &valid);
    set_result(e, 0, in, x);
    set_result(e, 1, in, valid);
}

/* ---- votes and reductions ---- */

/* Predicate bits and member masks as scalars if all lanes name one mask, else as lanes. A lane that names
 * a mask without itself takes part all the same: so it is on a GPU. */
static void vote_operands(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *on,
                          LLVMValueRef *members) {
    struct wg_value q = wg_operand(e, &in->src[0], 1), m = wg_operand(e, &in->src[1], 32);
    *on = LLVMBuildAnd(e->L.b, wg_emit_mask(e, wg_value_vec(e, &q)), wg_mask(e), "");
    *members = m.kind == WG_UNIFORM ? wg_mask(e) : NULL;
    wg_set_lanes(e, *members ? 1 : WG_LANES);
    if (*members) return;
    *on = wg_emit_splat(e, e->L.b, *on);
    *members = LLVMBuildAnd(e->L.b, wg_value_vec(e, &m), wg_emit_splat(e, e->L.b, wg_mask(e)), "");
}

static void emit_vote(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef on, members, none, all;
    vote_operands(e, in, &on, &members);
    LLVMBuilderRef x = e->L.b;
    LLVMValueRef hit = members == wg_mask(e) ? on : LLVMBuildAnd(x, on, members, "");
    if (in->op == WG_OP_VOTE_BALLOT) {
        set_result(e, 0, in, hit);
        return;
    }
    none = LLVMBuildICmp(x, LLVMIntEQ, hit, konst(e, 32, 0), "");
    all = LLVMBuildICmp(x, LLVMIntEQ, hit, members, "");
    switch (in->mod[WG_MC_VOTE]) {
    case WG_M_all: set_result(e, 0, in, all); break;
    case WG_M_any: set_result(e, 0, in, LLVMBuildNot(x, none, "")); break;
    default: set_result(e, 0, in, LLVMBuildOr(x, all, none, "")); break;
    }
}

/* A helper in helpers.c computes it with arrays: {values, members, out, second out}. */
static void emit_by_helper(struct wg_emit *e, const struct wg_ir_instr *in, const char *helper,
                           uint32_t code) {
    uint32_t bits = wg_type_bits(in->type);
    struct wg_value a = wg_operand(e, &in->src[0], bits), m = wg_operand(e, &in->src[1], 32);
    LLVMValueRef members = m.kind == WG_UNIFORM ? wg_emit_splat(e, e->L.b, wg_mask(e)) : wg_value_vec(e, &m);
    LLVMValueRef args[5] = {wg_spill_lanes(e, 0, wg_emit_resize(e, wg_value_vec(e, &a), 64, false)),
                            wg_spill_lanes(e, 1, wg_emit_resize(e, members, 64, false)),
                            wg_spill_lanes(e, 2, LLVMConstNull(LLVMVectorType(e->i64, WG_LANES))), wg_mask(e),
                            wg_i32(e, code)};
    LLVMValueRef pred = wg_call_helper(e, helper, e->i32, args, 5);
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, LLVMVectorType(e->i64, WG_LANES), args[2], "");
    x = wg_emit_resize(e, x, 32, false);
    bool scalar = in->dst[0].kind == WG_O_REG && e->an->facts[e->v][in->dst[0].index].kind == WG_UNIFORM;
    if (scalar) { /* inactive lanes hold no value: take an active one */
        LLVMValueRef c[2] = {LLVMBuildOr(e->L.b, wg_mask(e), wg_i32(e, 1u << 31), ""),
                             LLVMConstInt(e->i1, 0, 0)};
        wg_set_lanes(e, 1);
        LLVMValueRef lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, c, 2);
        x = LLVMBuildExtractElement(e->L.b, x, lane, "");
    }
    set_result(e, 0, in, x);
    set_result(e, 1, in, wg_emit_bits(e, pred));
}

/* A reduction over all lanes of one mask: one result. */
static void emit_redux(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_value a = wg_operand(e, &in->src[0], 32), m = wg_operand(e, &in->src[1], 32);
    if (m.kind != WG_UNIFORM) {
        emit_by_helper(e, in, "wg_jit_redux", in->type | (uint32_t)in->mod[WG_MC_AOP] << 8);
        return;
    }
    bool sgn = wg_type_kind(in->type) == WG_K_S;
    const char *name = "llvm.vector.reduce.add";
    uint64_t neutral = 0;
    switch (in->mod[WG_MC_AOP]) {
    case WG_M_and: name = "llvm.vector.reduce.and", neutral = UINT32_MAX; break;
    case WG_M_or: name = "llvm.vector.reduce.or"; break;
    case WG_M_xor: name = "llvm.vector.reduce.xor"; break;
    case WG_M_min:
        name = sgn ? "llvm.vector.reduce.smin" : "llvm.vector.reduce.umin";
        neutral = sgn ? INT32_MAX : UINT32_MAX;
        break;
    case WG_M_max:
        name = sgn ? "llvm.vector.reduce.smax" : "llvm.vector.reduce.umax";
        neutral = sgn ? (uint32_t)INT32_MIN : 0;
        break;
    default: break;
    }
    wg_set_lanes(e, WG_LANES);
    LLVMValueRef none = konst(e, 32, neutral);
    LLVMValueRef x = LLVMBuildSelect(e->L.b, wg_mask_bits(e), wg_value_vec(e, &a), none, "");
    LLVMTypeRef t = LLVMTypeOf(x);
    wg_set_lanes(e, 1);
    x = wg_lower_intrinsic(&e->L, name, &t, 1, &x, 1);
    set_result(e, 0, in, x);
}

/* For each lane of one mask, the lanes with the same value: first those of the lowest lane, then of the
 * rest. */
static void emit_match_any(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    struct wg_value a = wg_operand(e, &in->src[0], bits), m = wg_operand(e, &in->src[1], 32);
    if (m.kind != WG_UNIFORM) {
        emit_by_helper(e, in, "wg_jit_match_any", bits);
        return;
    }
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef x = wg_value_vec(e, &a), at = wg_spill_lanes(e, 0, x);
    LLVMValueRef named = wg_mask(e);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), turn = wg_new_bb(e, "value"),
                      done = wg_new_bb(e, "matched");
    LLVMValueRef none = LLVMConstNull(LLVMVectorType(e->i32, WG_LANES));
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, named, wg_i32(e, 0), ""), done, turn);
    LLVMPositionBuilderAtEnd(b, turn);
    LLVMValueRef rest = LLVMBuildPhi(b, e->i32, "rest"), out = LLVMBuildPhi(b, LLVMTypeOf(none), "out");
    LLVMValueRef c[2] = {rest, LLVMConstInt(e->i1, 1, 0)};
    wg_set_lanes(e, 1);
    LLVMValueRef lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, c, 2);
    LLVMTypeRef one = LLVMGetElementType(LLVMTypeOf(x));
    LLVMValueRef index = LLVMBuildZExt(b, lane, e->i64, "");
    LLVMValueRef value = LLVMBuildLoad2(b, one, LLVMBuildInBoundsGEP2(b, one, at, &index, 1, ""), "");
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, x, wg_emit_splat(e, b, value), "");
    same = LLVMBuildAnd(b, wg_emit_mask(e, same), named, "");
    LLVMValueRef all = wg_emit_splat(e, b, same);
    LLVMValueRef next = LLVMBuildSelect(b, wg_emit_bits(e, same), all, out, "");
    LLVMValueRef left = LLVMBuildAnd(b, rest, LLVMBuildNot(b, same, ""), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(b), from[2] = {before, end};
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, left, wg_i32(e, 0), ""), done, turn);
    LLVMAddIncoming(rest, (LLVMValueRef[]){named, left}, from, 2);
    LLVMAddIncoming(out, (LLVMValueRef[]){none, next}, from, 2);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMValueRef matched = LLVMBuildPhi(b, LLVMTypeOf(none), "matched");
    LLVMAddIncoming(matched, (LLVMValueRef[]){none, next}, from, 2);
    wg_set_lanes(e, WG_LANES);
    set_result(e, 0, in, matched);
}

static void emit_elect(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_value m = wg_operand(e, &in->src[0], 32);
    bool one = m.kind == WG_UNIFORM;
    wg_set_lanes(e, one ? 1 : WG_LANES);
    LLVMValueRef members = wg_mask(e);
    if (!one) members = LLVMBuildAnd(e->L.b, wg_value_vec(e, &m), wg_emit_splat(e, e->L.b, members), "");
    LLVMTypeRef t = LLVMTypeOf(members);
    LLVMValueRef args[2] = {LLVMBuildOr(e->L.b, members, konst(e, 32, 1u << 31), ""),
                            LLVMConstInt(e->i1, 0, 0)};
    LLVMValueRef leader = wg_lower_intrinsic(&e->L, "llvm.cttz", &t, 1, args, 2);
    set_result(e, 0, in, leader);
    LLVMValueRef lanes = one ? wg_emit_splat(e, e->L.b, leader) : leader;
    set_result(e, 1, in, LLVMBuildICmp(e->L.b, LLVMIntEQ, lanes, lane_ids(e), ""));
}

/* ---- address spaces ---- */

static LLVMValueRef spread(struct wg_emit *e, LLVMValueRef scalar) {
    return e->L.lanes == 1 ? scalar : wg_emit_splat(e, e->L.b, scalar);
}

/* Scalars if the result is uniform or affine (computed from lane 0's values), else lanes. */
static bool scalar_result(struct wg_emit *e, const struct wg_ir_instr *in) {
    bool scalar = true;
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) {
            uint8_t k = e->an->facts[e->v][in->dst[i].index].kind;
            scalar &= k == WG_UNIFORM || k == WG_AFFINE;
        }
    wg_set_lanes(e, scalar ? 1 : WG_LANES);
    return scalar;
}

static LLVMValueRef pick(struct wg_emit *e, struct wg_value *v) {
    return e->L.lanes == 1 ? v->base : wg_value_vec(e, v);
}

static LLVMValueRef map_address(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef a,
                                LLVMValueRef rank, uint32_t bits) {
    LLVMBuilderRef x = e->L.b;
    LLVMValueRef origin = in->space == WG_S_GENERIC ? spread(e, wg_shared_base(e)) : konst(e, bits, 0);
    LLVMValueRef off = LLVMBuildSub(x, a, origin, "");
    if (in->op == WG_OP_GETCTARANK) return LLVMBuildUDiv(x, off, konst(e, bits, WG_SHARED_STRIDE), "");
    off = LLVMBuildAnd(x, off, konst(e, bits, WG_SHARED_STRIDE - 1), "");
    off = LLVMBuildAdd(x, off, LLVMBuildMul(x, rank, konst(e, bits, WG_SHARED_STRIDE), ""), "");
    return LLVMBuildAdd(x, off, origin, "");
}

/* Clamps ranks that no cluster has to one above the last: addresses computed from it stay near, and fault. */
static LLVMValueRef no_far_rank(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef rank) {
    if (wg_operand_fact(e->an, e->v, &in->src[1]).max <= WG_SHARED_RANKS) return rank;
    LLVMValueRef last = konst(e, 32, WG_SHARED_RANKS);
    return LLVMBuildSelect(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntULT, rank, last, ""), rank, last, "");
}

/* Maps a uniform generic address to varying ranks. */
static const struct wg_mapped *mapped(struct wg_emit *e, LLVMValueRef a, LLVMValueRef ranks) {
    struct wg_mapped *m = WG_NEW(&e->an->arena, struct wg_mapped);
    LLVMValueRef base = wg_shared_base(e), off = LLVMBuildSub(e->L.b, a, base, "");
    off = LLVMBuildAnd(e->L.b, off, wg_i64(e, WG_SHARED_STRIDE - 1), "");
    *m = (struct wg_mapped){.far = LLVMBuildAdd(e->L.b, base, off, ""), .rank = ranks, .step = 1};
    return m;
}

static LLVMValueRef in_space(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef a) {
    LLVMBuilderRef x = e->L.b;
    LLVMValueRef base = wg_shared_base(e), window = konst(e, 64, (uint64_t)WG_SHARED_STRIDE * 16);
    LLVMValueRef own = LLVMBuildAdd(x, base, wg_emit_resize(e, wg_shared_offset(e), 64, false), "");
    LLVMValueRef in_cluster =
        LLVMBuildICmp(x, LLVMIntULT, LLVMBuildSub(x, a, spread(e, base), ""), window, "");
    LLVMValueRef in_block = LLVMBuildICmp(x, LLVMIntULT, LLVMBuildSub(x, a, spread(e, own), ""),
                                          konst(e, 64, WG_SHARED_STRIDE), "");
    LLVMValueRef local = wg_load_field(e, x, e->i64, e->warp, offsetof(struct wg_warp, local), false, "");
    LLVMValueRef stride =
        wg_load_field(e, x, e->i64, e->warp, offsetof(struct wg_warp, local_stride), false, "");
    LLVMValueRef size = LLVMBuildMul(x, stride, wg_i64(e, WG_LANES), "");
    LLVMValueRef in_local =
        LLVMBuildICmp(x, LLVMIntULT, LLVMBuildSub(x, a, spread(e, local), ""), spread(e, size), "");
    switch (in->space) {
    case WG_S_SHARED: return in_block;
    case WG_S_CLUSTER: return in_cluster;
    case WG_S_LOCAL: return in_local;
    default: return LLVMBuildNot(x, LLVMBuildOr(x, in_cluster, in_local, ""), "");
    }
}

void wg_emit_cvta(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t reg = in->dst[0].kind == WG_O_REG ? in->dst[0].index : WG_NO_REG;
    if (reg == WG_NO_REG) return;
    uint32_t bits = in->op == WG_OP_ISSPACEP ? 64 : wg_type_bits(in->type);
    struct wg_value a = wg_operand(e, &in->src[0], bits), r;
    LLVMValueRef rank = NULL;
    if (in->op == WG_OP_ISSPACEP && (in->space == WG_S_CONST || in->space == WG_S_PARAM)) {
        wg_emit_unsupported(e, in, "of this state space");
        return;
    }
    if ((in->op == WG_OP_CVTA || in->op == WG_OP_CVTA_TO) && in->space != WG_S_SHARED &&
        in->space != WG_S_CLUSTER) {
        wg_set_result(e, in, reg, a);
        return;
    }
    scalar_result(e, in);
    LLVMValueRef x = wg_emit_resize(e, pick(e, &a), bits, false);
    if (in->op == WG_OP_MAPA) {
        r = wg_operand(e, &in->src[1], 32);
        rank = pick(e, &r);
        if (in->space == WG_S_GENERIC) rank = no_far_rank(e, in, rank);
        x = map_address(e, in, x, wg_emit_resize(e, rank, bits, false), bits);
    } else if (in->op == WG_OP_GETCTARANK) {
        x = wg_emit_resize(e, map_address(e, in, x, NULL, bits), 32, false);
    } else if (in->op == WG_OP_ISSPACEP) {
        x = in_space(e, in, x);
    } else {
        LLVMValueRef base = wg_emit_resize(e, wg_shared_base(e), bits, false);
        x = in->op == WG_OP_CVTA ? LLVMBuildAdd(e->L.b, x, spread(e, base), "")
                                 : LLVMBuildSub(e->L.b, x, spread(e, base), "");
    }
    const struct wg_fact *f = &e->an->facts[e->v][reg];
    struct wg_value v = {.kind = WG_VARYING, .vec = x, .scale = a.scale};
    if (e->L.lanes == 1)
        v = (struct wg_value){.kind = f->kind, .base = x, .k = f->k, .r = f->r, .scale = a.scale};
    if (in->op == WG_OP_MAPA && e->L.lanes > 1 && in->space == WG_S_GENERIC && a.kind == WG_UNIFORM)
        v.mapped = mapped(e, a.base, rank);
    wg_set_result(e, in, reg, v);
}

/* ---- calls of the machine ---- */

static LLVMValueRef arg_lanes(struct wg_emit *e, const struct wg_ir_call *c, uint32_t i, unsigned scratch) {
    uint32_t bits = wg_type_bits(c->args[i].type);
    struct wg_value v = wg_operand(e, &c->args[i].value, bits);
    return wg_spill_lanes(e, scratch, wg_emit_resize(e, wg_value_vec(e, &v), 64, false));
}

static void set_returned(struct wg_emit *e, const struct wg_ir_call *c, LLVMValueRef array) {
    if (!c->nrets || c->rets[0].value.kind != WG_O_REG) return;
    uint32_t reg = c->rets[0].value.index;
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, LLVMVectorType(e->i64, WG_LANES), array, "");
    wg_value_set_vec(e, reg, wg_emit_resize(e, x, wg_reg_bits(e, reg), false));
}

void wg_emit_builtin(struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_ir_call *c = in->call;
    static const struct {
        const char *helper;
        uint8_t args;
    } table[WG_B_COUNT] = {[WG_B_vprintf] = {"wg_jit_vprintf", 2},
                           [WG_B_malloc] = {"wg_jit_malloc", 1},
                           [WG_B_free] = {"wg_jit_free", 1},
                           [WG_B_device_runtime] = {"wg_jit_device_runtime", 4},
                           [WG_B_launch_device] = {"wg_jit_launch_device", 2},
                           [WG_B_launch_device_ptsz] = {"wg_jit_launch_device", 2},
                           [WG_B_assertfail] = {"wg_jit_assertfail", 4}};
    if (c->builtin == WG_B_grid_is_cooperative) {
        if (!c->nrets || c->rets[0].value.kind != WG_O_REG) return;
        LLVMValueRef x =
            wg_load_field(e, e->L.b, e->i32, e->once.block, offsetof(struct wg_block, cooperative), true, "");
        wg_value_set_scalar(e, c->rets[0].value.index,
                            wg_emit_resize(e, x, wg_reg_bits(e, c->rets[0].value.index), false));
        return;
    }
    if (!table[c->builtin].helper || c->nargs < table[c->builtin].args) {
        wg_emit_unsupported(e, in, "a call that this version cannot make");
        return;
    }
    /* {warp, the call, lanes, arrays of the first four arguments}: the helper knows how many it takes */
    LLVMValueRef args[7] = {e->warp, wg_i32(e, in->id), wg_mask(e)}, null = LLVMConstNull(e->ptr);
    for (uint32_t i = 0; i < 4; i++) args[3 + i] = i < table[c->builtin].args ? arg_lanes(e, c, i, i) : null;
    LLVMValueRef out = args[3];
    wg_call_helper(e, table[c->builtin].helper, LLVMVoidTypeInContext(e->L.ctx), args, 7);
    if (c->builtin == WG_B_assertfail) {
        LLVMValueRef c[2] = {LLVMBuildOr(e->L.b, wg_mask(e), wg_i32(e, 1u << 31), ""),
                             LLVMConstInt(e->i1, 0, 0)};
        wg_set_lanes(e, 1);
        LLVMValueRef first = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, c, 2);
        wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, wg_mask(e), wg_i32(e, 0), ""), WG_FAULT_ASSERT, in,
                    NULL, first);
        return;
    }
    set_returned(e, c, out);
}

/* ---- all of it ---- */

static void emit_arrive(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_value id = wg_operand(e, &in->src[0], 32), n = wg_operand(e, &in->src[1], 32);
    wg_set_lanes(e, 1);
    LLVMValueRef zero = wg_i64(e, 0);
    LLVMValueRef args[4] = {e->warp, wg_instr_mask(e, in),
                            id.base ? id.base : LLVMBuildExtractElement(e->L.b, id.vec, zero, ""),
                            n.base ? n.base : LLVMBuildExtractElement(e->L.b, n.vec, zero, "")};
    wg_call_helper(e, "wg_jit_bar_arrive", LLVMVoidTypeInContext(e->L.ctx), args, 4);
}

static void emit_fence(struct wg_emit *e, const struct wg_ir_instr *in) {
    bool block = in->mod[WG_MC_SCOPE] == WG_M_cta || in->mod[WG_MC_SCOPE] == WG_M_cluster;
    /* Threads of a block share one host thread: a compiler fence suffices. */
    LLVMBuildFence(e->L.b, LLVMAtomicOrderingSequentiallyConsistent, block, "");
}

void wg_emit_warp_op(struct wg_emit *e, const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_SHFL: emit_shfl(e, in); break;
    case WG_OP_VOTE:
    case WG_OP_VOTE_BALLOT: emit_vote(e, in); break;
    case WG_OP_MATCH:
        if (in->mod[WG_MC_VOTE] == WG_M_all)
            emit_by_helper(e, in, "wg_jit_match_all", wg_type_bits(in->type));
        else
            emit_match_any(e, in);
        break;
    case WG_OP_REDUX: emit_redux(e, in); break;
    case WG_OP_ELECT: emit_elect(e, in); break;
    case WG_OP_ACTIVEMASK: set_result(e, 0, in, wg_mask(e)); break;
    case WG_OP_BAR_WARP: LLVMBuildFence(e->L.b, LLVMAtomicOrderingSequentiallyConsistent, 1, ""); break;
    case WG_OP_BAR_ARRIVE:
    case WG_OP_BARRIER_ARRIVE: emit_arrive(e, in); break;
    case WG_OP_BAR_CL_ARRIVE: {
        LLVMValueRef args[2] = {e->warp, wg_instr_mask(e, in)};
        wg_call_helper(e, "wg_jit_cluster_arrive", LLVMVoidTypeInContext(e->L.ctx), args, 2);
        break;
    }
    case WG_OP_MEMBAR:
    case WG_OP_FENCE: emit_fence(e, in); break;
    default: wg_emit_unsupported(e, in, NULL); break;
    }
}
