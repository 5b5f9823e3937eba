/* Atomics and reductions, in lane order: selects inline code, private sums or a helper.
 *
 * Shared memory of a cluster belongs to one worker thread, so a shared atomic is a plain read-modify-write;
 * so are generic ones if all lanes turn out to point to shared memory. Integer additions whose result is
 * unused are emitted inline:
 *
 *     own       memory that no other thread changes: plain additions, 32 in sequence for a full mask
 *               (lane_adds.c), one vector if the lanes are contiguous
 *     direct    global memory: additions with a lock prefix
 *     summed    global memory: `own` additions to the worker's private sums (combine.c)
 *
 * Other operations on memory that no other thread changes are inline as well (lane_atomics.c). Everything
 * else calls a helper (helpers.c) with arrays of the lanes' addresses and operands.
 */
#include "analysis/plan.h"
#include "jit/instr/instr.h"
#include "jit/code/helpers.h"

static bool is_shared(const struct wg_ir_instr *in) {
    return in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
}

/* The helper's operation code: see helpers.h. */
static uint32_t atomic_code(const struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t code = in->type | (uint32_t)in->mod[WG_MC_AOP] << 8;
    if (is_shared(in)) code |= WG_ATOMIC_SHARED;
    if (in->space == WG_S_GENERIC) code |= WG_ATOMIC_GENERIC;
    if (wg_result_is_unused(e, in)) code |= WG_ATOMIC_UNREAD;
    return code;
}

/* The operands of one addition. */
struct adds {
    const struct wg_ir_instr *in;
    struct wg_value *a, *b; /* address and addend */
    uint32_t bits;
    LLVMTypeRef t;
    LLVMValueRef mask;
    bool real;        /* floating point */
    bool row;         /* the lanes are contiguous, in order */
    LLVMValueRef sum; /* all lanes add to one address: the sum of their addends */
    /* Lanes anywhere: at far + sext(near) * step, or, where near is NULL, at a->vec, <32 x i64>. */
    LLVMValueRef far, near;
    uint32_t step;
};

static bool is_anywhere(const struct adds *x) { return !x->row && !x->sum; }

/* <32 x i64>; computed here, and not recorded in the register's value. */
static LLVMValueRef addresses(struct wg_emit *e, const struct adds *x) {
    struct wg_value a = *x->a;
    return wg_lane_addresses(e, &a);
}

static LLVMValueRef is_not_zero(struct wg_emit *e, LLVMValueRef mask) {
    return LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), "");
}

/* ---- one lane ---- */

static void add_at(struct wg_emit *e, const struct adds *how, LLVMValueRef p, LLVMValueRef x, bool locked) {
    if (locked) {
        uint8_t sem = how->in->mod[WG_MC_SEM];
        LLVMAtomicOrdering order = sem == WG_M_none || sem == WG_M_relaxed
                                       ? LLVMAtomicOrderingMonotonic
                                       : LLVMAtomicOrderingSequentiallyConsistent;
        LLVMBuildAtomicRMW(e->L.b, LLVMAtomicRMWBinOpAdd, p, x, order, 0);
        return;
    }
    LLVMValueRef old = LLVMBuildLoad2(e->L.b, LLVMTypeOf(x), p, "");
    LLVMBuildStore(e->L.b, wg_atomic_result(e, how->in, old, x, NULL), p);
}

/* The address of lane `index`: a pointer. */
static LLVMValueRef lane_address(struct wg_emit *e, const struct adds *x, LLVMValueRef index,
                                 LLVMValueRef shift) {
    LLVMValueRef at = index;
    if (x->near) {
        if (x->step > 1) at = LLVMBuildMul(e->L.b, at, wg_i64(e, x->step), "");
        at = LLVMBuildAdd(e->L.b, at, x->far, "");
    }
    if (shift) at = LLVMBuildAdd(e->L.b, at, shift, "");
    return LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
}

/* The lanes' addresses, or their indices, and addends, spilled to memory, where one scalar load reads
 * each. */
struct lanes_in_memory {
    LLVMValueRef index, addends, addend;
};

static struct lanes_in_memory put_in_memory(struct wg_emit *e, const struct adds *x) {
    struct lanes_in_memory m = {.index = wg_spill_lanes(e, 0, x->near ? x->near : addresses(e, x))};
    if (x->b->kind == WG_UNIFORM)
        m.addend = wg_emit_resize(e, x->b->base, x->bits, false);
    else
        m.addends = wg_spill_lanes(e, 1, wg_emit_resize(e, x->b->vec, x->bits, false));
    return m;
}

static void add_lane(struct wg_emit *e, const struct adds *x, const struct lanes_in_memory *m,
                     LLVMValueRef lane, LLVMValueRef shift, bool locked) {
    LLVMTypeRef t = x->near ? e->i32 : e->i64;
    LLVMValueRef index = LLVMBuildLoad2(e->L.b, t, LLVMBuildGEP2(e->L.b, t, m->index, &lane, 1, ""), "");
    LLVMValueRef value = m->addend;
    if (!value)
        value = LLVMBuildLoad2(e->L.b, x->t, LLVMBuildGEP2(e->L.b, x->t, m->addends, &lane, 1, ""), "");
    add_at(e, x, lane_address(e, x, wg_emit_resize(e, index, 64, true), shift), value, locked);
}

static void add_active_lanes(struct wg_emit *e, const struct adds *x, const struct lanes_in_memory *m,
                             LLVMValueRef shift, bool locked) {
    struct wg_lane_loop l;
    wg_lane_loop_begin(e, x->mask, &l);
    add_lane(e, x, m, l.lane, shift, locked);
    wg_lane_loop_end(e, &l);
}

/* ---- all lanes ---- */

/* The sum of the active lanes' addends, for one address. */
static LLVMValueRef sum_of_lanes(struct wg_emit *e, const struct adds *x) {
    if (x->b->kind == WG_UNIFORM) {
        wg_set_lanes(e, 1);
        LLVMValueRef mask = x->mask, n = wg_lower_intrinsic(&e->L, "llvm.ctpop", &e->i32, 1, &mask, 1);
        return LLVMBuildMul(e->L.b, wg_emit_resize(e, x->b->base, x->bits, false),
                            wg_emit_resize(e, n, x->bits, false), "");
    }
    LLVMTypeRef vt = LLVMVectorType(x->t, WG_LANES);
    LLVMValueRef all = wg_emit_resize(e, x->b->vec, x->bits, false);
    all = LLVMBuildSelect(e->L.b, wg_emit_bits(e, x->mask), all, LLVMConstNull(vt), "");
    wg_set_lanes(e, 1);
    return wg_lower_intrinsic(&e->L, "llvm.vector.reduce.add", &vt, 1, &all, 1);
}

static void add_one_place(struct wg_emit *e, const struct adds *x, LLVMValueRef shift, bool locked) {
    LLVMBasicBlockRef on = wg_new_bb(e, "on"), done = wg_new_bb(e, "added");
    LLVMBuildCondBr(e->L.b, is_not_zero(e, x->mask), on, done);
    LLVMPositionBuilderAtEnd(e->L.b, on);
    LLVMValueRef at = shift ? LLVMBuildAdd(e->L.b, x->a->base, shift, "") : x->a->base;
    add_at(e, x, LLVMBuildIntToPtr(e->L.b, at, e->ptr, ""), x->sum, locked);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}

/* Contiguous lanes, in memory of the worker's own. */
static void add_row(struct wg_emit *e, const struct adds *x, LLVMValueRef shift) {
    LLVMTypeRef vt = LLVMVectorType(x->t, WG_LANES), types[2] = {vt, e->ptr};
    LLVMValueRef at = shift ? LLVMBuildAdd(e->L.b, x->a->base, shift, "") : x->a->base;
    LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, at, e->ptr, ""), align = wg_i32(e, x->bits / 8);
    LLVMValueRef on = wg_emit_bits(e, x->mask), get[4] = {p, align, on, LLVMConstNull(vt)};
    LLVMValueRef old = wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, get, 4);
    LLVMValueRef more = x->b->kind == WG_UNIFORM ? wg_emit_splat(e, e->L.b, x->b->base) : x->b->vec;
    LLVMValueRef now = LLVMBuildAdd(e->L.b, old, wg_emit_resize(e, more, x->bits, false), "");
    LLVMValueRef put[4] = {now, p, align, on};
    wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, put, 4);
}

/* All 32 lanes in sequence. Signed indices are rebased to unsigned ones, from 2^31 steps lower: x86
 * addressing scales those. */
static struct wg_lane_adds all_lanes(struct wg_emit *e, const struct adds *x, LLVMValueRef shift) {
    struct wg_lane_adds y = {.bits = x->bits, .step = x->step, .real = x->real};
    if (x->near) {
        y.from = LLVMBuildSub(e->L.b, x->far, wg_i64(e, (uint64_t)x->step << 31), "");
        if (shift) y.from = LLVMBuildAdd(e->L.b, y.from, shift, "");
        y.at = LLVMBuildXor(e->L.b, x->near, wg_emit_splat(e, e->L.b, wg_i32(e, 1u << 31)), "");
    } else {
        y.from = shift ? shift : wg_shared_base(e);
        y.at = addresses(e, x);
        if (!shift) y.at = LLVMBuildSub(e->L.b, y.at, wg_emit_splat(e, e->L.b, y.from), "");
    }
    y.from = LLVMBuildIntToPtr(e->L.b, y.from, e->ptr, "");
    y.addend = wg_emit_resize(e, x->b->kind == WG_UNIFORM ? x->b->base : x->b->vec, x->bits, false);
    return y;
}

static void add_all_lanes(struct wg_emit *e, const struct adds *x, LLVMValueRef shift) {
    struct wg_lane_adds y = all_lanes(e, x, shift);
    y.late = x->near && !x->real && wg_may_add_late(e); /* the order of floating-point additions is fixed */
    if (y.late) wg_plan_yes(e->opts, WG_FORM_late_adds, &e->func->blocks[e->block].instrs[e->instr]);
    wg_emit_lane_adds(e, &y);
}

static void add_own(struct wg_emit *e, const struct adds *x, LLVMValueRef shift) {
    if (x->sum) {
        add_one_place(e, x, shift, false);
        return;
    }
    if (x->row) {
        add_row(e, x, shift);
        return;
    }
    if (wg_is_full(x->mask)) {
        add_all_lanes(e, x, shift);
        return;
    }
    LLVMBasicBlockRef all = wg_new_bb(e, "all"), some = wg_new_bb(e, "some"), done = wg_new_bb(e, "added");
    LLVMValueRef full = LLVMBuildICmp(e->L.b, LLVMIntEQ, x->mask, wg_i32(e, UINT32_MAX), "");
    LLVMBuildCondBr(e->L.b, full, all, some);
    LLVMPositionBuilderAtEnd(e->L.b, all);
    add_all_lanes(e, x, shift);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    struct lanes_in_memory m = put_in_memory(e, x);
    add_active_lanes(e, x, &m, shift, false);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}

static void add_direct(struct wg_emit *e, const struct adds *x) {
    if (x->sum) {
        add_one_place(e, x, NULL, true);
        return;
    }
    struct lanes_in_memory m = put_in_memory(e, x);
    add_active_lanes(e, x, &m, NULL, true);
}

/* ---- selection of the path ---- */

static LLVMValueRef half_of(struct wg_emit *e, LLVMValueRef x, unsigned lanes, unsigned first) {
    LLVMValueRef from[WG_LANES];
    for (unsigned l = 0; l < lanes; l++) from[l] = wg_i32(e, first + l);
    return LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(from, lanes), "");
}

/* Lanes whose 32 bits are at least `least`. Of a full warp on a host without masks, the greatest of four lanes
 * is compared, for a register each: it is only asked whether there are any (any_of). */
static LLVMValueRef at_least(struct wg_emit *e, const struct adds *a, LLVMValueRef x, LLVMValueRef least) {
    enum { REGISTER = 256 / 32 };
    unsigned lanes = WG_LANES;
    LLVMValueRef bound = wg_emit_splat(e, e->L.b, least), both[2];
    LLVMTypeRef t;
    for (; wg_is_full(a->mask) && e->L.avx2 && !e->L.avx512 && lanes > REGISTER; lanes /= 2) {
        both[0] = half_of(e, x, lanes / 2, 0);
        both[1] = half_of(e, x, lanes / 2, lanes / 2);
        t = LLVMTypeOf(both[0]);
        x = wg_lower_intrinsic(&e->L, "llvm.umax", &t, 1, both, 2);
        bound = half_of(e, bound, lanes / 2, 0);
    }
    return LLVMBuildICmp(e->L.b, LLVMIntUGE, x, bound, "");
}

/* i1: whether some active lanes are among those of at_least. */
static LLVMValueRef any_of(struct wg_emit *e, const struct adds *a, LLVMValueRef lanes) {
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(lanes));
    if (n == WG_LANES) return is_not_zero(e, LLVMBuildAnd(e->L.b, wg_emit_mask(e, lanes), a->mask, ""));
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, n);
    return LLVMBuildICmp(e->L.b, LLVMIntNE, LLVMBuildBitCast(e->L.b, lanes, t, ""), LLVMConstNull(t), "");
}

/* Lanes at far + near * step outside of [base, base + bytes), for any_of: tests near - first < count, where
 * `first` is the index of base. What does not fit 32 bits is outside; bytes is a multiple of the step. */
static LLVMValueRef lanes_outside(struct wg_emit *e, const struct adds *x, LLVMValueRef base,
                                  LLVMValueRef bytes) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef log = wg_i64(e, (uint64_t)__builtin_ctz(x->step));
    LLVMValueRef up = LLVMBuildSub(b, wg_i64(e, x->step - 1), x->far, "");
    LLVMValueRef first = LLVMBuildAShr(b, LLVMBuildAdd(b, base, up, ""), log, "");
    LLVMValueRef count = LLVMBuildLShr(b, bytes, log, "");
    LLVMValueRef room = LLVMBuildSub(b, wg_i64(e, UINT64_C(1) << 32), count, "");
    LLVMValueRef biased = LLVMBuildAdd(b, first, wg_i64(e, UINT64_C(1) << 31), "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULT, biased, room, "");
    count = LLVMBuildSelect(b, fits, LLVMBuildTrunc(b, count, e->i32, ""), wg_i32(e, 0), "");
    first = wg_emit_splat(e, b, LLVMBuildTrunc(b, first, e->i32, ""));
    return at_least(e, x, LLVMBuildSub(b, x->near, first, ""), count);
}

/* Whether all active lanes have their element in [base, base + bytes). */
static LLVMValueRef all_inside(struct wg_emit *e, const struct adds *x, LLVMValueRef base,
                               LLVMValueRef bytes) {
    LLVMValueRef out;
    if (!is_anywhere(x)) {
        LLVMValueRef offset = LLVMBuildSub(e->L.b, x->a->base, base, "");
        LLVMValueRef first = LLVMBuildICmp(e->L.b, LLVMIntULT, offset, bytes, "");
        if (!x->row) return first;
        LLVMValueRef last = LLVMBuildAdd(e->L.b, offset, wg_i64(e, (WG_LANES - 1) * x->bits / 8), "");
        return LLVMBuildAnd(e->L.b, first, LLVMBuildICmp(e->L.b, LLVMIntULT, last, bytes, ""), "");
    }
    if (x->near) {
        out = lanes_outside(e, x, base, bytes);
    } else {
        out = LLVMBuildSub(e->L.b, addresses(e, x), wg_emit_splat(e, e->L.b, base), "");
        out = LLVMBuildICmp(e->L.b, LLVMIntUGE, out, wg_emit_splat(e, e->L.b, bytes), "");
    }
    return LLVMBuildNot(e->L.b, any_of(e, x, out), "");
}

/* <32 x i64>: of the indices that were tested. They are spilled and reloaded; else LLVM would find that
 * they were loaded, and load them again to extend them: other values, if another block changes them
 * meanwhile. */
static LLVMValueRef tested_addresses(struct wg_emit *e, const struct adds *x) {
    if (!x->near) return addresses(e, x);
    LLVMTypeRef t = LLVMVectorType(e->i32, WG_LANES);
    LLVMValueRef near = LLVMBuildLoad2(e->L.b, t, wg_spill_lanes(e, 0, x->near), "");
    LLVMSetVolatile(near, 1);
    near = LLVMBuildMul(e->L.b, wg_emit_resize(e, near, 64, true),
                        wg_emit_splat(e, e->L.b, wg_i64(e, x->step)), "");
    return LLVMBuildAdd(e->L.b, near, wg_emit_splat(e, e->L.b, x->far), "");
}

/* Outside of the window of pending additions: asks the machine whether these may be summed all the same;
 * an i1. */
static LLVMValueRef ask(struct wg_emit *e, const struct adds *x, uint32_t which) {
    LLVMValueRef yes, element = wg_i32(e, x->bits / 8);
    if (is_anywhere(x)) {
        LLVMValueRef args[5] = {e->warp, wg_i32(e, which), wg_spill_lanes(e, 0, tested_addresses(e, x)),
                                x->mask, element};
        yes = wg_call_helper(e, "wg_jit_combine_lanes", e->i32, args, 5);
    } else {
        LLVMValueRef last = x->a->base;
        if (x->row) last = LLVMBuildAdd(e->L.b, last, wg_i64(e, (WG_LANES - 1) * x->bits / 8), "");
        LLVMValueRef args[5] = {e->warp, wg_i32(e, which), x->a->base, last, element};
        yes = wg_call_helper(e, "wg_jit_combine_miss", e->i32, args, 5);
    }
    return is_not_zero(e, yes);
}

/* On the path of additions to private sums: counts one more. Returns the offset from an address to its
 * sum. */
static LLVMValueRef count_adds(struct wg_emit *e, LLVMValueRef c) {
    LLVMValueRef at = wg_field(e, e->L.b, c, offsetof(struct wg_combiner, adds));
    LLVMValueRef n = LLVMBuildLoad2(e->L.b, e->i64, at, "");
    LLVMBuildStore(e->L.b, LLVMBuildAdd(e->L.b, n, wg_i64(e, 1), ""), at);
    return wg_load_field(e, e->L.b, e->i64, c, offsetof(struct wg_combiner, shift), false, "shift");
}

static LLVMValueRef test_shared(struct wg_emit *e, const struct adds *x) {
    LLVMValueRef ranks = wg_load_field(e, e->L.b, e->i32, e->once.block,
                                       offsetof(struct wg_block, cluster_nctarank), true, "ranks");
    LLVMValueRef bytes =
        LLVMBuildMul(e->L.b, wg_emit_resize(e, ranks, 64, false), wg_i64(e, WG_SHARED_STRIDE), "");
    return all_inside(e, x, wg_shared_base(e), bytes);
}

/* Shared memory of blocks that differ by lane: 32 bits suffice once each lane is known to be inside its
 * block's window. False, and nothing emitted: the address does not have that form. */
static bool add_mapped(struct wg_emit *e, const struct adds *x) {
    const struct wg_mapped *m = x->a->mapped;
    if (!m || !m->near || (m->step != 1 && m->step != 2 && m->step != 4 && m->step != 8)) return false;
    LLVMBuilderRef b = e->L.b;
    LLVMBasicBlockRef own = wg_new_bb(e, "own"), direct = wg_new_bb(e, "direct"),
                      done = wg_new_bb(e, "added");
    LLVMValueRef base = wg_shared_base(e), step = wg_emit_splat(e, b, wg_i32(e, (uint32_t)m->step));
    struct adds y = *x;
    y.far = m->far, y.near = m->near, y.step = (uint32_t)m->step;
    LLVMValueRef out = lanes_outside(e, &y, base, wg_i64(e, WG_SHARED_STRIDE));
    LLVMValueRef ranks = wg_load_field(e, b, e->i32, e->once.block,
                                       offsetof(struct wg_block, cluster_nctarank), true, "ranks");
    out = LLVMBuildOr(b, out, at_least(e, x, m->rank, ranks), "");
    LLVMBuildCondBr(b, any_of(e, x, out), direct, own);
    LLVMPositionBuilderAtEnd(b, own);
    LLVMValueRef window = LLVMBuildMul(b, m->rank, wg_emit_splat(e, b, wg_i32(e, WG_SHARED_STRIDE)), "");
    LLVMValueRef rest = wg_emit_resize(e, LLVMBuildSub(b, m->far, base, ""), 32, false);
    y.near = LLVMBuildAdd(b, window, LLVMBuildMul(b, m->near, step, ""), "");
    y.near = LLVMBuildAdd(b, y.near, wg_emit_splat(e, b, rest), "");
    y.far = base, y.step = 1;
    add_own(e, &y, NULL);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, direct);
    add_direct(e, x);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    return true;
}

/* Generic or global: `own` memory if it turns out to be the cluster's, or if there are private sums for
 * it. */
static void add_global(struct wg_emit *e, const struct adds *x) {
    uint32_t which = wg_combiner_of(e, x->in);
    bool maybe_shared = x->in->space == WG_S_GENERIC;
    if (which == WG_NO_REG && maybe_shared && is_anywhere(x) && add_mapped(e, x)) return;
    if (which == WG_NO_REG && !maybe_shared) {
        add_direct(e, x);
        return;
    }
    LLVMBasicBlockRef own = wg_new_bb(e, "own"), done = wg_new_bb(e, "added");
    LLVMBasicBlockRef from[2];
    LLVMValueRef shifts[2];
    unsigned n = 0;
    if (maybe_shared) {
        LLVMBasicBlockRef global = wg_new_bb(e, "global");
        LLVMValueRef inside = test_shared(e, x);
        from[n] = LLVMGetInsertBlock(e->L.b);
        shifts[n++] = wg_i64(e, 0);
        LLVMBuildCondBr(e->L.b, inside, own, global);
        LLVMPositionBuilderAtEnd(e->L.b, global);
    }
    if (which != WG_NO_REG) {
        LLVMBasicBlockRef summed = wg_new_bb(e, "summed"), miss = wg_new_bb(e, "miss"),
                          direct = wg_new_bb(e, "direct");
        LLVMValueRef c = wg_combiner(e, which);
        LLVMValueRef base =
            wg_load_field(e, e->L.b, e->i64, c, offsetof(struct wg_combiner, from), false, "from");
        LLVMValueRef bytes =
            wg_load_field(e, e->L.b, e->i64, c, offsetof(struct wg_combiner, bytes), false, "bytes");
        LLVMBuildCondBr(e->L.b, all_inside(e, x, base, bytes), summed, miss);
        LLVMPositionBuilderAtEnd(e->L.b, miss);
        LLVMBuildCondBr(e->L.b, ask(e, x, which), summed, direct);
        LLVMPositionBuilderAtEnd(e->L.b, summed);
        shifts[n] = count_adds(e, c);
        from[n++] = LLVMGetInsertBlock(e->L.b);
        LLVMBuildBr(e->L.b, own);
        LLVMPositionBuilderAtEnd(e->L.b, direct);
    }
    add_direct(e, x);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, own);
    LLVMValueRef shift = LLVMBuildPhi(e->L.b, e->i64, "shift");
    LLVMAddIncoming(shift, shifts, from, n);
    add_own(e, x, shift);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}

static bool is_row(const struct wg_value *a, uint32_t bytes) {
    if (a->kind != WG_AFFINE || a->r || !a->k) return false;
    for (int l = 0; l < WG_LANES; l++)
        if (a->k[l] != (int64_t)l * bytes) return false;
    return true;
}

static void emit_adds(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, struct wg_value *b,
                      LLVMValueRef mask) {
    uint32_t bits = wg_type_bits(in->type);
    struct adds x = {.in = in, .a = a, .b = b, .bits = bits, .mask = mask};
    x.t = LLVMIntTypeInContext(e->L.ctx, bits);
    if (b->kind != WG_UNIFORM) wg_value_vec(e, b);
    if (a->kind == WG_UNIFORM)
        x.sum = sum_of_lanes(e, &x);
    else if (!(x.row = is_row(a, bits / 8)) && !wg_split_address(e, a, &x.far, &x.near, &x.step))
        wg_lane_addresses(e, a);
    if (is_shared(in))
        add_own(e, &x, NULL);
    else
        add_global(e, &x);
}

/* ---- all other operations ---- */

/* The lanes whose operation would change memory: most operands of a maximum are below it, and a load costs
 * less than a lock. */
static LLVMValueRef lanes_that_change(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                                      struct wg_value *b, LLVMValueRef mask) {
    uint32_t bits = wg_type_bits(in->type);
    LLVMValueRef old = wg_gather(e, a, bits, bits / 8, mask), more = wg_value_vec(e, b);
    LLVMValueRef now = wg_atomic_result(e, in, old, wg_emit_resize(e, more, bits, false), NULL);
    return LLVMBuildAnd(e->L.b, wg_emit_mask(e, LLVMBuildICmp(e->L.b, LLVMIntNE, now, old, "")), mask, "");
}

static void call_helper(struct wg_emit *e, const struct wg_ir_instr *in, const LLVMValueRef *arrays,
                        LLVMValueRef mask) {
    LLVMValueRef args[7] = {
        e->warp, arrays[0], arrays[1], arrays[2], arrays[3], mask, wg_i32(e, atomic_code(e, in))};
    wg_call_helper(e, "wg_jit_atomic", LLVMVoidTypeInContext(e->L.ctx), args, 7);
}

/* Returns the array of the old values. */
static LLVMValueRef emit_other(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                               struct wg_value *b, struct wg_value *c, LLVMValueRef mask) {
    bool unread = wg_result_is_unused(e, in), in_place = wg_is_in_place(in);
    LLVMBasicBlockRef done = wg_new_bb(e, "done");
    if (!is_shared(in) && in_place && unread && wg_only_grows(in)) {
        LLVMBasicBlockRef on = wg_new_bb(e, "on");
        mask = lanes_that_change(e, in, a, b, mask);
        LLVMBuildCondBr(e->L.b, is_not_zero(e, mask), on, done);
        LLVMPositionBuilderAtEnd(e->L.b, on);
    }
    LLVMValueRef none = LLVMConstNull(LLVMVectorType(e->i64, WG_LANES)), arrays[4];
    LLVMValueRef at = wg_lane_addresses(e, a);
    arrays[0] = wg_spill_lanes(e, 0, at);
    arrays[1] = wg_spill_lanes(e, 1, wg_emit_resize(e, wg_value_vec(e, b), 64, false));
    arrays[2] =
        in->nsrc > 2 ? wg_spill_lanes(e, 2, wg_emit_resize(e, wg_value_vec(e, c), 64, false)) : arrays[1];
    arrays[3] = wg_spill_lanes(e, 3, none);
    LLVMValueRef own_arrays[4] = {arrays[0], arrays[1], arrays[2], unread ? NULL : arrays[3]};
    if (in_place && is_shared(in)) {
        wg_emit_in_place(e, in, own_arrays, mask);
    } else if (in_place && in->space == WG_S_GENERIC) {
        LLVMBasicBlockRef own = wg_new_bb(e, "own"), global = wg_new_bb(e, "global");
        struct adds x = {.in = in, .a = a, .b = b, .bits = wg_type_bits(in->type), .mask = mask};
        LLVMBuildCondBr(e->L.b, test_shared(e, &x), own, global);
        LLVMPositionBuilderAtEnd(e->L.b, own);
        wg_emit_in_place(e, in, own_arrays, mask);
        LLVMBuildBr(e->L.b, done);
        LLVMPositionBuilderAtEnd(e->L.b, global);
        call_helper(e, in, arrays, mask);
    } else {
        call_helper(e, in, arrays, mask);
    }
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
    return arrays[3];
}

/* Floating-point additions to shared memory at varying addresses, with the old values unused. False, and
 * nothing emitted: it is not of that kind. */
static bool emit_float_adds(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                            struct wg_value *b, LLVMValueRef mask) {
    struct adds x = {.in = in, .a = a, .b = b, .bits = wg_type_bits(in->type), .mask = mask, .real = true};
    if (in->mod[WG_MC_AOP] != WG_M_add || wg_type_kind(in->type) != WG_K_F || !wg_is_in_place(in) ||
        !is_shared(in) || !wg_result_is_unused(e, in) || a->kind != WG_VARYING ||
        !wg_split_address(e, a, &x.far, &x.near, &x.step))
        return false;
    x.t = LLVMIntTypeInContext(e->L.ctx, x.bits);
    if (b->kind != WG_UNIFORM) wg_value_vec(e, b);
    add_own(e, &x, NULL);
    return true;
}

void wg_emit_unread_atomic(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                           struct wg_value *b, LLVMValueRef mask) {
    if (wg_is_plain_add(e, in))
        emit_adds(e, in, a, b, mask);
    else
        emit_other(e, in, a, b, b, mask);
}

/* A 128-bit operand in memory, as the helper needs it; NULL: space for a result. */
static LLVMValueRef wide_in_memory(struct wg_emit *e, struct wg_value *v) {
    LLVMTypeRef t = LLVMVectorType(e->i64, WG_LANES);
    LLVMValueRef at = LLVMBuildAlloca(e->entry_b, LLVMArrayType2(t, 2), "wide");
    struct wg_value halves[2];
    LLVMSetAlignment(at, 64);
    if (!v) return at;
    wg_take_halves(e, v, halves);
    for (uint32_t i = 0; i < 2; i++) {
        LLVMValueRef n = wg_i32(e, i);
        LLVMBuildStore(e->L.b, wg_value_vec(e, &halves[i]), LLVMBuildGEP2(e->L.b, t, at, &n, 1, ""));
    }
    return at;
}

/* 128-bit exchange, or compare and swap: by a helper, in any address space. */
static void emit_wide(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMTypeRef t = LLVMVectorType(e->i64, WG_LANES);
    LLVMValueRef mask = wg_instr_mask(e, in), guarded = mask, half[2];
    struct wg_value b = wg_operand(e, &in->src[1], 128), c = b;
    if (in->nsrc > 2) c = wg_operand(e, &in->src[2], 128);
    bool has_dst = in->op == WG_OP_ATOM && in->dst[0].kind == WG_O_REG;
    LLVMValueRef old =
        has_dst && in->guard != WG_NO_REG ? wg_value_vec(e, wg_value_get(e, in->dst[0].index)) : NULL;
    mask = wg_check_mask(e, in, mask);
    struct wg_value a = wg_address(e, in, mask);
    LLVMValueRef args[6] = {wg_spill_lanes(e, 0, wg_lane_addresses(e, &a)),
                            wide_in_memory(e, &b),
                            wide_in_memory(e, &c),
                            wide_in_memory(e, NULL),
                            mask,
                            wg_i32(e, in->mod[WG_MC_AOP] == WG_M_cas)};
    wg_call_helper(e, "wg_jit_atomic_wide", LLVMVoidTypeInContext(e->L.ctx), args, 6);
    if (!has_dst) return;
    for (uint32_t i = 0; i < 2; i++) {
        LLVMValueRef n = wg_i32(e, i);
        half[i] = LLVMBuildLoad2(e->L.b, t, LLVMBuildGEP2(e->L.b, t, args[3], &n, 1, ""), "");
    }
    LLVMValueRef x = wg_join_halves(e, half[0], half[1]);
    if (old) x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, guarded), x, old, "");
    wg_value_set_vec(e, in->dst[0].index, x);
}

void wg_emit_atomic(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    if (bits == 128 && in->nvec <= 1) {
        emit_wide(e, in);
        return;
    }
    bool noftz_half = in->type == WG_T_F16 || in->type == WG_T_BF16;
    if (bits > 64 || (bits < 32 && !noftz_half && in->mod[WG_MC_AOP] != WG_M_cas) || in->nvec > 1) {
        wg_emit_unsupported(e, in, "this size of atomic");
        return;
    }
    LLVMValueRef mask = wg_instr_mask(e, in);
    struct wg_value b = wg_operand(e, &in->src[1], bits), c = {.kind = WG_UNIFORM, .base = wg_i64(e, 0)};
    if (in->nsrc > 2) c = wg_operand(e, &in->src[2], bits);
    bool has_dst = in->op == WG_OP_ATOM && !wg_result_is_unused(e, in);
    LLVMValueRef old_vec =
        has_dst && in->guard != WG_NO_REG ? wg_value_vec(e, wg_value_get(e, in->dst[0].index)) : NULL;
    LLVMValueRef guarded = mask;
    mask = wg_check_mask(e, in, mask);
    struct wg_value a = wg_address(e, in, mask);
    if (wg_is_plain_add(e, in)) {
        emit_adds(e, in, &a, &b, mask);
        return;
    }
    if (emit_float_adds(e, in, &a, &b, mask)) return;
    LLVMValueRef out = emit_other(e, in, &a, &b, &c, mask);
    if (!has_dst) return;
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, LLVMVectorType(e->i64, WG_LANES), out, "");
    uint32_t reg = in->dst[0].index;
    x = wg_emit_resize(e, wg_emit_resize(e, x, bits, false), wg_reg_bits(e, reg),
                       wg_type_kind(in->type) == WG_K_S);
    if (old_vec) x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, guarded), x, old_vec, "");
    wg_value_set_vec(e, reg, x);
}
