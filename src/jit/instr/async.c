/* Asynchronous copies to shared memory (cp.async), and mbarriers.
 *
 *     cp.async.ca.shared.global [d], [s], 16, n    a load and a store under the execution mask;
 *                                                  bytes from n on become zero, and lanes with n == 0 load
 *                                                  nothing
 *     mbarrier.*                                   mbarrier.c, lane by lane
 *
 * A copy completes within its instruction, so commits and waits emit nothing. A lane that waits for an
 * incomplete mbarrier phase ends its warp's time slice: at the next back edge of the loop the warp yields.
 */
#include "jit/emit/count.h"
#include "jit/instr/instr.h"
#include "jit/code/helpers.h"
#include "warp/mbarrier.h"
#include "warp/slices.h"

/* ---- cp.async ---- */

/* Number of bytes that each lane reads: NULL for all of them. */
static LLVMValueRef bytes_read(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t size) {
    if (in->nsrc < 4) return NULL;
    const struct wg_ir_opd *o = &in->src[3];
    bool pred = o->kind == WG_O_REG && wg_reg_bits(e, o->index) == 1;
    struct wg_value v = wg_operand(e, o, pred ? 1 : 32);
    wg_set_lanes(e, WG_LANES);
    LLVMValueRef x = wg_value_vec(e, &v), whole = wg_lower_const(&e->L, 32, size);
    if (pred) return LLVMBuildSelect(e->L.b, x, LLVMConstNull(LLVMTypeOf(whole)), whole, "");
    if (LLVMIsConstant(x) && o->kind == WG_O_IMM && (uint32_t)o->imm >= size) return NULL;
    LLVMTypeRef t = LLVMTypeOf(whole);
    LLVMValueRef args[2] = {wg_emit_resize(e, x, 32, false), whole};
    return wg_lower_intrinsic(&e->L, "llvm.umin", &t, 1, args, 2);
}

/* Element k of `width` bytes, with its bytes from n on zeroed. */
static LLVMValueRef keep_bytes(struct wg_emit *e, LLVMValueRef x, LLVMValueRef n, uint32_t k,
                               uint32_t width) {
    LLVMBuilderRef b = e->L.b;
    uint32_t bits = width * 8;
    LLVMTypeRef t = LLVMTypeOf(n);
    LLVMValueRef low[2] = {n, wg_lower_const(&e->L, 32, k * width)};
    LLVMValueRef left = wg_lower_intrinsic(&e->L, "llvm.usub.sat", &t, 1, low, 2);
    LLVMValueRef all = LLVMBuildICmp(b, LLVMIntUGE, left, wg_lower_const(&e->L, 32, width), "");
    LLVMValueRef shift = LLVMBuildAnd(b, LLVMBuildMul(b, left, wg_lower_const(&e->L, 32, 8), ""),
                                      wg_lower_const(&e->L, 32, bits - 1), "");
    LLVMValueRef one = wg_lower_const(&e->L, bits, 1), full = LLVMConstAllOnes(LLVMTypeOf(one));
    LLVMValueRef some =
        LLVMBuildSub(b, LLVMBuildShl(b, one, wg_emit_resize(e, shift, bits, false), ""), one, "");
    return LLVMBuildAnd(b, x, LLVMBuildSelect(b, all, full, some, ""), "");
}

static void emit_copy(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t size = (uint32_t)in->src[2].imm, width = size < 8 ? 4 : 8;
    LLVMValueRef mask = wg_instr_mask(e, in), reads = mask, x[4], n = bytes_read(e, in, size);
    if (n) {
        LLVMValueRef some = LLVMBuildICmp(e->L.b, LLVMIntNE, n, LLVMConstNull(LLVMTypeOf(n)), "");
        reads = LLVMBuildAnd(e->L.b, mask, wg_emit_mask(e, some), "reads");
    }
    struct wg_ir_instr part = *in;
    part.type = width == 8 ? WG_T_B64 : WG_T_B32;
    part.nvec = (uint8_t)(size / width);
    part.ndst = 0;
    part.nsrc = 1;
    part.space = WG_S_GLOBAL;
    part.src = &in->src[1];
    part.offset = in->src[1].kind == WG_O_REG ? (int64_t)in->src[1].imm : 0;
    struct wg_ir_instr store = part;
    store.space = in->space;
    store.src = &in->src[0];
    store.offset = in->offset;
    struct wg_value from = wg_unchecked_address(e, &part), to = wg_unchecked_address(e, &store);
    wg_count_copy(e, in, mask, reads, &from, &to);
    if (n) part.guard = 0; /* any guard: with one the mask is used */
    wg_load_elements(e, &part, reads, x);
    struct wg_value v[4];
    for (uint32_t k = 0; k < part.nvec; k++) {
        bool vec = LLVMGetTypeKind(LLVMTypeOf(x[k])) == LLVMVectorTypeKind;
        if (n && !vec) x[k] = wg_emit_splat(e, e->L.b, x[k]);
        wg_set_lanes(e, WG_LANES);
        if (n) x[k] = keep_bytes(e, x[k], n, k, width);
        v[k] = n || vec ? (struct wg_value){.kind = WG_VARYING, .vec = x[k]}
                        : (struct wg_value){.kind = WG_UNIFORM, .base = x[k]};
    }
    part.space = in->space;
    part.src = &in->src[0];
    part.offset = in->offset;
    part.guard = in->guard;
    wg_store_elements(e, &part, mask, v);
}

/* ---- mbarriers ---- */

/* The instruction's result in the lanes that executed it. */
static void set_result(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef x, LLVMValueRef mask) {
    uint32_t reg = in->dst[0].index;
    x = wg_emit_resize(e, x, wg_reg_bits(e, reg), false);
    if (e->an->facts[e->v][reg].kind == WG_UNIFORM) {
        LLVMValueRef lane = wg_fn_first_lane(e, LLVMBuildOr(e->L.b, mask, wg_i32(e, 1u << 31), ""));
        LLVMValueRef s = LLVMBuildExtractElement(e->L.b, x, lane, "");
        if (in->guard != WG_NO_REG) {
            LLVMValueRef on = LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), "");
            s = LLVMBuildSelect(e->L.b, on, s, wg_value_get(e, reg)->base, "");
        }
        wg_value_set_scalar(e, reg, s);
        return;
    }
    if (in->guard != WG_NO_REG)
        x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, mask), x, wg_value_vec(e, wg_value_get(e, reg)), "");
    wg_value_set_vec(e, reg, x);
}

/* If a lane waits in vain, ends the time slice at the next back edge. */
static void end_slice(struct wg_emit *e, LLVMValueRef over, LLVMValueRef mask) {
    LLVMValueRef vain = LLVMBuildAnd(e->L.b, LLVMBuildNot(e->L.b, wg_emit_mask(e, over), ""), mask, "");
    LLVMValueRef some = LLVMBuildICmp(e->L.b, LLVMIntNE, vain, wg_i32(e, 0), "");
    size_t at = offsetof(struct wg_warp, spent);
    LLVMValueRef spent = wg_load_field(e, e->L.b, e->i32, e->warp, at, false, "spent");
    spent = LLVMBuildSelect(e->L.b, some, wg_i32(e, WG_IN_VAIN), spent, "");
    wg_store_field(e, e->L.b, spent, e->warp, at);
}

/* An mbarrier instruction: the lanes' addresses and operands, and the helper's code for it. */
struct on_mbarrier {
    const struct wg_ir_instr *in;
    LLVMValueRef mask, at, operand;
    uint32_t code;
    bool one;  /* all lanes use the same mbarrier */
    bool once; /* and their operands are 1, known at compile time */
};

/* Calls the helper, which works lane by lane. */
static LLVMValueRef call_mbarrier(struct wg_emit *e, const struct on_mbarrier *m) {
    LLVMValueRef args[5] = {e->warp, wg_spill_lanes(e, 0, m->at), wg_spill_lanes(e, 1, m->operand), m->mask,
                            wg_i32(e, m->code)};
    LLVMValueRef bad = wg_call_helper(e, "wg_jit_mbarrier", e->i32, args, 5);
    LLVMValueRef lane = LLVMBuildAnd(e->L.b, LLVMBuildSub(e->L.b, bad, wg_i32(e, 1), ""), wg_i32(e, 31), "");
    wg_fault_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, bad, wg_i32(e, 0), ""), WG_FAULT_MBARRIER, m->in,
                LLVMBuildExtractElement(e->L.b, m->at, lane, ""), lane);
    return LLVMBuildLoad2(e->L.b, LLVMVectorType(e->i64, WG_LANES), args[2], "");
}

static bool waits(const struct wg_ir_instr *in) {
    return in->op == WG_OP_MBARRIER_WAIT || in->op == WG_OP_MBARRIER_WAIT_PARITY;
}

/* Whether each lane arrives once: then the phase does not complete as long as more arrivals are pending. */
static bool arrives_once(const struct on_mbarrier *m) {
    const struct wg_ir_instr *in = m->in;
    bool copies = in->op == WG_OP_CP_ASYNC_ARRIVE && in->mod[WG_MC_NOINC] == WG_M_noinc;
    return (in->op == WG_OP_MBARRIER_ARRIVE || in->op == WG_OP_MBARRIER_ARRIVE_NC || copies) && m->once &&
           in->mod[WG_MC_AOP] != WG_M_arrive_drop && in->mod[WG_MC_EXPECT] != WG_M_expect_tx;
}

/* Whether the mbarrier may be accessed inline: its address is in the cluster's memory, and enough lanes
 * are active. */
static LLVMValueRef may_touch(struct wg_emit *e, const struct on_mbarrier *m, LLVMValueRef address) {
    LLVMValueRef own = wg_load_field(e, e->L.b, e->i64, e->once.block,
                                     offsetof(struct wg_block, cluster_shared), true, "shared");
    LLVMValueRef n = wg_load_field(e, e->L.b, e->i32, e->once.block,
                                   offsetof(struct wg_block, cluster_nctarank), true, "blocks");
    n = LLVMBuildMul(e->L.b, LLVMBuildZExt(e->L.b, n, e->i64, ""), wg_i64(e, WG_SHARED_STRIDE), "");
    LLVMValueRef in = LLVMBuildICmp(e->L.b, LLVMIntULT, LLVMBuildSub(e->L.b, address, own, ""), n, "");
    LLVMValueRef least = wg_i32(e, waits(m->in) ? 1 : UINT32_MAX); /* required lanes: any, or all */
    return LLVMBuildAnd(e->L.b, in, LLVMBuildICmp(e->L.b, LLVMIntUGE, m->mask, least, ""), "");
}

static LLVMValueRef splat_u64(struct wg_emit *e, uint64_t x) {
    return wg_emit_splat(e, e->L.b, wg_i64(e, x));
}

/* Each lane's result when the mbarrier holds `b`. */
static LLVMValueRef result_of_one(struct wg_emit *e, const struct on_mbarrier *m, LLVMValueRef b) {
    LLVMValueRef all = wg_emit_splat(e, e->L.b, b);
    if (!waits(m->in)) return all;
    bool token = m->in->op == WG_OP_MBARRIER_WAIT;
    if (!token) all = LLVMBuildLShr(e->L.b, all, splat_u64(e, WG_MBARRIER_PHASE_AT), "");
    LLVMValueRef x = LLVMBuildXor(e->L.b, m->operand, all, "");
    x = LLVMBuildAnd(e->L.b, x, splat_u64(e, token ? UINT64_C(3) << WG_MBARRIER_PHASE_AT : 1), "");
    x = LLVMBuildICmp(e->L.b, LLVMIntNE, x, LLVMConstNull(LLVMTypeOf(x)), "");
    return LLVMBuildZExt(e->L.b, x, LLVMVectorType(e->i64, WG_LANES), "");
}

/* One mbarrier for all lanes: an inline path without a call for what most programs do. */
static LLVMValueRef change_one(struct wg_emit *e, const struct on_mbarrier *m) {
    LLVMBuilderRef b = e->L.b;
    LLVMBasicBlockRef look = wg_new_bb(e, "mbarrier"), fast = wg_new_bb(e, "at.once"),
                      slow = wg_new_bb(e, "by.lanes"), done = wg_new_bb(e, "changed"), from[2] = {fast, NULL};
    LLVMValueRef address = LLVMBuildExtractElement(b, m->at, wg_i64(e, 0), "");
    LLVMBuildCondBr(b, may_touch(e, m, address), look, slow);
    LLVMPositionBuilderAtEnd(b, look);
    LLVMValueRef p = LLVMBuildIntToPtr(b, address, e->ptr, ""), x = LLVMBuildLoad2(b, e->i64, p, "");
    LLVMValueRef good = LLVMBuildICmp(b, LLVMIntSLT, x, wg_i64(e, 0), ""); /* valid */
    if (!waits(m->in)) {
        LLVMValueRef pending = LLVMBuildAnd(b, x, wg_i64(e, WG_MBARRIER_MOST), "");
        LLVMValueRef more = LLVMBuildICmp(b, LLVMIntUGT, pending, wg_i64(e, WG_LANES), "");
        good = LLVMBuildAnd(b, good, more, "");
    }
    LLVMBuildCondBr(b, good, fast, slow);
    LLVMPositionBuilderAtEnd(b, fast);
    LLVMValueRef value[2] = {result_of_one(e, m, x), NULL};
    if (!waits(m->in)) LLVMBuildStore(b, LLVMBuildSub(b, x, wg_i64(e, WG_LANES), ""), p);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, slow);
    value[1] = call_mbarrier(e, m);
    from[1] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(value[0]), "");
    LLVMAddIncoming(phi, value, from, 2);
    return phi;
}
_Static_assert(WG_MBARRIER_VALID_AT == 63, "the sign");

static void emit_mbarrier(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct on_mbarrier m = {.in = in, .mask = wg_check_mask(e, in, wg_instr_mask(e, in))};
    bool token = in->op == WG_OP_MBARRIER_WAIT;
    struct wg_value x = {.kind = WG_UNIFORM, .base = wg_i64(e, 1)};
    if (in->nsrc > 1) x = wg_operand(e, &in->src[1], token ? 64 : 32);
    m.operand = wg_emit_resize(e, wg_value_vec(e, &x), 64, false);
    struct wg_value a = wg_address(e, in, m.mask);
    m.at = LLVMBuildPtrToInt(e->L.b, wg_pointers(e, &a), LLVMVectorType(e->i64, WG_LANES), "");
    m.one = a.kind == WG_UNIFORM;
    m.once = x.kind == WG_UNIFORM && LLVMIsAConstantInt(x.base) && LLVMConstIntGetZExtValue(x.base) == 1;
    m.code = in->op | (uint32_t)in->mod[WG_MC_AOP] << 16 |
             (uint32_t)(in->mod[WG_MC_EXPECT] == WG_M_expect_tx) << 24 |
             (uint32_t)(in->mod[WG_MC_NOINC] == WG_M_noinc) << 25 | (uint32_t)e->opts->check << 26;
    bool at_once = m.one && (waits(in) || arrives_once(&m));
    LLVMValueRef out = at_once ? change_one(e, &m) : call_mbarrier(e, &m);
    if (!in->ndst) return;
    if (waits(in)) {
        out = LLVMBuildTrunc(e->L.b, out, LLVMVectorType(e->i1, WG_LANES), "");
        end_slice(e, out, m.mask);
    }
    if (in->dst[0].kind == WG_O_REG) set_result(e, in, wg_check_zeros(e, in, out), m.mask);
}

void wg_emit_async(struct wg_emit *e, const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_CP_ASYNC: emit_copy(e, in); break;
    case WG_OP_CP_ASYNC_COMMIT:
    case WG_OP_CP_ASYNC_WAIT:
    case WG_OP_CP_ASYNC_WAIT_ALL: break;
    default: emit_mbarrier(e, in); break;
    }
}
