/* Atomics: lane by lane, in lane order.
 *
 * Shared memory of a cluster belongs to one worker thread, so a shared atomic is a plain read, change and
 * write; so are generic ones whose lanes all turn out to point there. Integer additions whose result nobody
 * reads are emitted in place:
 *
 *     own       nobody else changes that memory: plain additions, 32 of them in a row when all lanes are on,
 *               one vector when the lanes are next to each other
 *     direct    global memory: locked additions
 *     summed    global memory: own additions to the worker's sums (combine.c)
 *
 * Everything else is done by a helper (helpers.c) over arrays of the lanes' addresses and operands.
 */
#include "jit/emit.h"
#include "jit/helpers.h"

static bool is_shared(const struct wg_ir_instr *in) {
    return in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
}

/* The helper's code for an operation: see helpers.h. */
static uint32_t atomic_code(const struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t code = in->type | (uint32_t)in->mod[WG_MC_AOP] << 8;
    if (is_shared(in)) code |= WG_ATOMIC_SHARED;
    if (in->space == WG_S_GENERIC) code |= WG_ATOMIC_GENERIC;
    if (wg_result_is_unused(e, in)) code |= WG_ATOMIC_UNREAD;
    return code;
}

/* What one addition works on. */
struct adds {
    const struct wg_ir_instr *in;
    struct wg_value *a, *b; /* address and addend */
    uint32_t bits;
    LLVMTypeRef t;
    LLVMValueRef mask;
    bool row;         /* the lanes are next to each other, lowest first */
    LLVMValueRef sum; /* all lanes at one place: of what they add */
    LLVMValueRef at;  /* lanes anywhere: <32 x i64> */
};

static LLVMValueRef is_not_zero(struct wg_emit *e, LLVMValueRef mask) {
    return LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), "");
}

/* ---- one lane ---- */

static void add_at(struct wg_emit *e, const struct adds *how, LLVMValueRef at, LLVMValueRef x, bool locked) {
    LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
    if (locked) {
        uint8_t sem = how->in->mod[WG_MC_SEM];
        LLVMAtomicOrdering order = sem == WG_M_none || sem == WG_M_relaxed
                                       ? LLVMAtomicOrderingMonotonic
                                       : LLVMAtomicOrderingSequentiallyConsistent;
        LLVMBuildAtomicRMW(e->L.b, LLVMAtomicRMWBinOpAdd, p, x, order, 0);
        return;
    }
    LLVMValueRef old = LLVMBuildLoad2(e->L.b, LLVMTypeOf(x), p, "");
    LLVMBuildStore(e->L.b, LLVMBuildAdd(e->L.b, old, x, ""), p);
}

/* The lanes' addresses and addends in memory, where one scalar load gets each. */
struct lanes_in_memory {
    LLVMValueRef at, addends, addend;
    bool locked;
};

static struct lanes_in_memory put_in_memory(struct wg_emit *e, const struct adds *x, LLVMValueRef shift) {
    LLVMValueRef at = x->at ? x->at : x->a->vec;
    if (shift) at = LLVMBuildAdd(e->L.b, at, wg_emit_splat(e, e->L.b, shift), "");
    struct lanes_in_memory m = {.at = wg_spill_lanes(e, 0, at)};
    if (x->b->kind == WG_UNIFORM)
        m.addend = wg_emit_resize(e, x->b->base, x->bits, false);
    else
        m.addends = wg_spill_lanes(e, 1, wg_emit_resize(e, x->b->vec, x->bits, false));
    return m;
}

static void add_lane(struct wg_emit *e, const struct adds *x, const struct lanes_in_memory *m,
                     LLVMValueRef lane) {
    LLVMValueRef at = LLVMBuildLoad2(e->L.b, e->i64, LLVMBuildGEP2(e->L.b, e->i64, m->at, &lane, 1, ""), "");
    LLVMValueRef value = m->addend;
    if (!value)
        value = LLVMBuildLoad2(e->L.b, x->t, LLVMBuildGEP2(e->L.b, x->t, m->addends, &lane, 1, ""), "");
    add_at(e, x, at, value, m->locked);
}

/* for each lane that is on, lowest first */
static void add_active_lanes(struct wg_emit *e, const struct adds *x, const struct lanes_in_memory *m) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->L.b), loop = wg_new_bb(e, "lane"),
                      done = wg_new_bb(e, "added");
    LLVMBuildCondBr(e->L.b, is_not_zero(e, x->mask), loop, done);
    LLVMPositionBuilderAtEnd(e->L.b, loop);
    LLVMValueRef left = LLVMBuildPhi(e->L.b, e->i32, "left"), args[2] = {left, LLVMConstInt(e->i1, 1, 0)};
    wg_set_lanes(e, 1);
    LLVMValueRef lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, args, 2);
    add_lane(e, x, m, LLVMBuildZExt(e->L.b, lane, e->i64, ""));
    LLVMValueRef rest = LLVMBuildAnd(e->L.b, left, LLVMBuildSub(e->L.b, left, wg_i32(e, 1), ""), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->L.b);
    LLVMBuildCondBr(e->L.b, is_not_zero(e, rest), loop, done);
    LLVMValueRef mask = x->mask;
    LLVMAddIncoming(left, &mask, &before, 1);
    LLVMAddIncoming(left, &rest, &end, 1);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}

/* ---- all lanes ---- */

/* The sum of what lanes that are on add to one place. */
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
    add_at(e, x, shift ? LLVMBuildAdd(e->L.b, x->a->base, shift, "") : x->a->base, x->sum, locked);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}

/* Lanes next to each other, in memory of the worker's own. */
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

static void add_own(struct wg_emit *e, const struct adds *x, LLVMValueRef shift) {
    if (x->sum) {
        add_one_place(e, x, shift, false);
        return;
    }
    if (x->row) {
        add_row(e, x, shift);
        return;
    }
    struct lanes_in_memory m = put_in_memory(e, x, shift);
    if (LLVMIsAConstantInt(x->mask)) {
        for (uint32_t l = 0; l < WG_LANES; l++) add_lane(e, x, &m, wg_i64(e, l));
        return;
    }
    LLVMBasicBlockRef all = wg_new_bb(e, "all"), some = wg_new_bb(e, "some"), done = wg_new_bb(e, "added");
    LLVMValueRef full = LLVMBuildICmp(e->L.b, LLVMIntEQ, x->mask, wg_i32(e, UINT32_MAX), "");
    LLVMBuildCondBr(e->L.b, full, all, some);
    LLVMPositionBuilderAtEnd(e->L.b, all);
    for (uint32_t l = 0; l < WG_LANES; l++) add_lane(e, x, &m, wg_i64(e, l));
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    add_active_lanes(e, x, &m);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}

static void add_direct(struct wg_emit *e, const struct adds *x) {
    if (x->sum) {
        add_one_place(e, x, NULL, true);
        return;
    }
    struct lanes_in_memory m = put_in_memory(e, x, NULL);
    m.locked = true;
    add_active_lanes(e, x, &m);
}

/* ---- which way ---- */

/* All lanes that are on have their element in [base, base + bytes). *offset: from base, of the place or of
 * the first lane of a row, or of each lane. */
static LLVMValueRef all_inside(struct wg_emit *e, const struct adds *x, LLVMValueRef base, LLVMValueRef bytes,
                               LLVMValueRef *offset) {
    if (!x->at) {
        *offset = LLVMBuildSub(e->L.b, x->a->base, base, "");
        LLVMValueRef first = LLVMBuildICmp(e->L.b, LLVMIntULT, *offset, bytes, "");
        if (!x->row) return first;
        LLVMValueRef last = LLVMBuildAdd(e->L.b, *offset, wg_i64(e, (WG_LANES - 1) * x->bits / 8), "");
        return LLVMBuildAnd(e->L.b, first, LLVMBuildICmp(e->L.b, LLVMIntULT, last, bytes, ""), "");
    }
    *offset = LLVMBuildSub(e->L.b, x->at, wg_emit_splat(e, e->L.b, base), "");
    LLVMValueRef out = LLVMBuildICmp(e->L.b, LLVMIntUGE, *offset, wg_emit_splat(e, e->L.b, bytes), "");
    out = LLVMBuildAnd(e->L.b, wg_emit_mask(e, out), x->mask, "");
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, out, wg_i32(e, 0), "");
}

static LLVMValueRef extreme(struct wg_emit *e, const char *name, LLVMValueRef p, LLVMValueRef x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef args[2] = {LLVMBuildLoad2(e->L.b, t, p, ""), x};
    LLVMSetAlignment(args[0], 4);
    LLVMValueRef now = wg_lower_intrinsic(&e->L, name, &t, 1, args, 2);
    LLVMValueRef st = LLVMBuildStore(e->L.b, now, p);
    LLVMSetAlignment(st, 4);
    return st;
}

/* Notes where the additions went. */
static void note_adds(struct wg_emit *e, const struct adds *x, LLVMValueRef c, LLVMValueRef offset) {
    LLVMValueRef low = wg_field(e, e->L.b, c, offsetof(struct wg_combiner, low));
    LLVMValueRef high = wg_field(e, e->L.b, c, offsetof(struct wg_combiner, high));
    LLVMValueRef least = wg_emit_resize(e, offset, 32, false), most = least;
    if (x->row) most = LLVMBuildAdd(e->L.b, least, wg_i32(e, (WG_LANES - 1) * x->bits / 8), "");
    if (x->at && !LLVMIsAConstantInt(x->mask)) {
        LLVMValueRef on = wg_emit_bits(e, x->mask);
        LLVMTypeRef t = LLVMTypeOf(least);
        most = LLVMBuildSelect(e->L.b, on, least, LLVMConstNull(t), "");
        least = LLVMBuildSelect(e->L.b, on, least, LLVMConstAllOnes(t), "");
    }
    extreme(e, "llvm.umin", low, least);
    extreme(e, "llvm.umax", high, most);
    LLVMValueRef at = wg_field(e, e->L.b, c, offsetof(struct wg_combiner, adds));
    LLVMValueRef n = LLVMBuildLoad2(e->L.b, e->i64, at, "");
    LLVMBuildStore(e->L.b, LLVMBuildAdd(e->L.b, n, wg_i64(e, 1), ""), at);
}

/* No window: tells the machine, which may open one. */
static void tell_miss(struct wg_emit *e, const struct adds *x, uint32_t which) {
    LLVMValueRef at = x->a->base;
    if (x->at) {
        LLVMValueRef m = LLVMBuildOr(e->L.b, x->mask, wg_i32(e, 1u << 31), "");
        LLVMValueRef args[2] = {m, LLVMConstInt(e->i1, 1, 0)};
        wg_set_lanes(e, 1);
        LLVMValueRef lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, args, 2);
        at = LLVMBuildExtractElement(e->L.b, x->at, lane, "");
    }
    LLVMValueRef args[4] = {e->warp, wg_i32(e, which), at, wg_i32(e, x->bits / 8)};
    wg_call_helper(e, "wg_jit_combine_miss", LLVMVoidTypeInContext(e->L.ctx), args, 4);
}

static LLVMValueRef test_shared(struct wg_emit *e, const struct adds *x) {
    LLVMValueRef ranks = wg_load_field(e, e->L.b, e->i32, e->block_ptr,
                                       offsetof(struct wg_block, cluster_nctarank), true, "ranks");
    LLVMValueRef bytes = LLVMBuildMul(e->L.b, wg_emit_resize(e, ranks, 64, false),
                                      wg_i64(e, WG_SHARED_STRIDE), ""),
                 offset;
    return all_inside(e, x, wg_shared_base(e), bytes, &offset);
}

/* Generic or global: own memory if it turns out to be the cluster's, or if there are sums for it. */
static void add_global(struct wg_emit *e, const struct adds *x) {
    uint32_t which = wg_combiner_of(e, x->in);
    bool maybe_shared = x->in->space == WG_S_GENERIC;
    if (which == WG_NO_REG && !maybe_shared) {
        add_direct(e, x);
        return;
    }
    LLVMBasicBlockRef own = wg_new_bb(e, "own"), done = wg_new_bb(e, "added");
    LLVMBasicBlockRef from[2];
    LLVMValueRef shifts[2], offset;
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
        LLVMBasicBlockRef summed = wg_new_bb(e, "summed"), miss = wg_new_bb(e, "miss");
        LLVMValueRef c = wg_combiner(e, which);
        LLVMValueRef base =
            wg_load_field(e, e->L.b, e->i64, c, offsetof(struct wg_combiner, base), false, "window");
        LLVMValueRef bytes =
            wg_load_field(e, e->L.b, e->i64, c, offsetof(struct wg_combiner, bytes), false, "bytes");
        LLVMBuildCondBr(e->L.b, all_inside(e, x, base, bytes, &offset), summed, miss);
        LLVMPositionBuilderAtEnd(e->L.b, summed);
        note_adds(e, x, c, offset);
        from[n] = LLVMGetInsertBlock(e->L.b);
        shifts[n++] =
            wg_load_field(e, e->L.b, e->i64, c, offsetof(struct wg_combiner, shift), false, "shift");
        LLVMBuildBr(e->L.b, own);
        LLVMPositionBuilderAtEnd(e->L.b, miss);
        tell_miss(e, x, which);
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
    else if (!(x.row = is_row(a, bits / 8)))
        x.at = wg_lane_addresses(e, a);
    else if (!is_shared(in)) /* locked additions go lane by lane */
        wg_lane_addresses(e, a);
    if (is_shared(in))
        add_own(e, &x, NULL);
    else
        add_global(e, &x);
}

void wg_emit_atomic(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
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
    LLVMValueRef pointers = wg_pointers(e, &a);
    LLVMValueRef at = LLVMBuildPtrToInt(e->L.b, pointers, LLVMVectorType(e->i64, WG_LANES), "");
    LLVMValueRef args[7] = {e->warp,
                            wg_spill_lanes(e, 0, at),
                            wg_spill_lanes(e, 1, wg_emit_resize(e, wg_value_vec(e, &b), 64, false)),
                            wg_spill_lanes(e, 2, wg_emit_resize(e, wg_value_vec(e, &c), 64, false)),
                            wg_spill_lanes(e, 3, LLVMConstNull(LLVMVectorType(e->i64, WG_LANES))),
                            mask,
                            wg_i32(e, atomic_code(e, in))};
    wg_call_helper(e, "wg_jit_atomic", LLVMVoidTypeInContext(e->L.ctx), args, 7);
    if (!has_dst) return;
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, LLVMVectorType(e->i64, WG_LANES), args[4], "");
    uint32_t reg = in->dst[0].index;
    x = wg_emit_resize(e, wg_emit_resize(e, x, bits, false), wg_reg_bits(e, reg),
                       wg_type_kind(in->type) == WG_K_S);
    if (old_vec) x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, guarded), x, old_vec, "");
    wg_value_set_vec(e, reg, x);
}
