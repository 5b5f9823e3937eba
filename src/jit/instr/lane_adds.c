/* Thirty-two plain additions in sequence, to memory that no other thread changes: each lane adds at its own
 * address.
 *
 *     red.shared.add.u32 [%r1], %r2   ->   *at[0] += x[0];  *at[1] += x[1];  ...  *at[31] += x[31]
 *
 * Indices and addends move from vector to scalar registers two lanes at a time: through memory it takes
 * longer. Each address is a base plus an index, even where the index is the whole address: AMD's processors
 * predict that a load through one register aliases the preceding store through the same register, and roll
 * back where it does not, which took ten times as long. LLVM takes milliseconds for each such sequence, and
 * longer where it analyses the known bits of each lane; so the first few of a kernel are inlined, and the
 * others call a function that is emitted once.
 *
 * A read-modify-write of an address just written is slow, and where values come in runs each addition waits
 * for the one before. So where two lanes have the same address, all are compared, and if all are equal there
 * is a single addition.
 */
#include "jit/instr/instr.h"
#include "cfg/cfg.h"
#include "analysis/memory.h"
#include "analysis/plan.h"
#include "jit/emit/phase.h"

#include <stdio.h>

enum { IN_PLACE = 4 };

/* Lane `lane` of a <32 x i32> given as i64 pairs, zero-extended. */
static LLVMValueRef lane_of_pairs(struct wg_emit *e, LLVMValueRef pairs, uint32_t lane) {
    LLVMValueRef pair = LLVMBuildExtractElement(e->L.b, pairs, wg_i32(e, lane / 2), "");
    if (lane % 2) return LLVMBuildLShr(e->L.b, pair, wg_i64(e, 32), "");
    return LLVMBuildAnd(e->L.b, pair, wg_i64(e, UINT32_MAX), "");
}

/* Lanes `lane` and `lane` + 1 of a vector; of <32 x i32>, zero-extended. */
static void two_lanes(struct wg_emit *e, LLVMValueRef vec, uint32_t lane, LLVMValueRef x[2]) {
    if (LLVMTypeOf(vec) == LLVMVectorType(e->i32, WG_LANES)) {
        vec = LLVMBuildBitCast(e->L.b, vec, LLVMVectorType(e->i64, WG_LANES / 2), "");
        for (uint32_t i = 0; i < 2; i++) x[i] = lane_of_pairs(e, vec, lane + i);
        return;
    }
    for (uint32_t i = 0; i < 2; i++) x[i] = LLVMBuildExtractElement(e->L.b, vec, wg_i32(e, lane + i), "");
}

/* The addends of two lanes. */
static void two_addends(struct wg_emit *e, const struct wg_lane_adds *x, uint32_t lane, LLVMTypeRef t,
                        LLVMValueRef what[2]) {
    bool each = LLVMGetTypeKind(LLVMTypeOf(x->addend)) == LLVMVectorTypeKind;
    what[0] = what[1] = x->addend;
    if (each && x->real) {
        LLVMValueRef reals = LLVMBuildBitCast(e->L.b, x->addend, LLVMVectorType(t, WG_LANES), "");
        for (uint32_t i = 0; i < 2; i++)
            what[i] = LLVMBuildExtractElement(e->L.b, reals, wg_i32(e, lane + i), "");
        return;
    }
    if (each) two_lanes(e, x->addend, lane, what);
    for (uint32_t i = 0; i < 2; i++) {
        what[i] = wg_emit_resize(e, what[i], x->bits, false);
        if (x->real) what[i] = LLVMBuildBitCast(e->L.b, what[i], t, "");
    }
}

/* Whether addresses are 32-bit indices, not whole addresses. */
static bool has_indices(const struct wg_emit *e, const struct wg_lane_adds *x) {
    return LLVMTypeOf(x->at) == LLVMVectorType(e->i32, WG_LANES);
}

/* Emits them inline, at the builder's position. */
static void add_in_place(struct wg_emit *e, const struct wg_lane_adds *x) {
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, x->bits), unit = e->i8;
    if (x->real) t = x->bits == 64 ? LLVMDoubleTypeInContext(e->L.ctx) : LLVMFloatTypeInContext(e->L.ctx);
    if (has_indices(e, x)) unit = LLVMIntTypeInContext(e->L.ctx, x->step * 8);
    for (uint32_t l = 0; l < WG_LANES; l += 2) {
        LLVMValueRef index[2], what[2];
        two_lanes(e, x->at, l, index);
        two_addends(e, x, l, t, what);
        for (uint32_t i = 0; i < 2; i++) {
            LLVMValueRef to = LLVMBuildGEP2(e->L.b, unit, x->from, &index[i], 1, "");
            LLVMValueRef old = LLVMBuildLoad2(e->L.b, t, to, "");
            LLVMBuildStore(e->L.b,
                           x->real ? wg_add_floats(e, old, what[i]) : LLVMBuildAdd(e->L.b, old, what[i], ""),
                           to);
        }
    }
}

static LLVMValueRef make(struct wg_emit *e, const struct wg_lane_adds *x, const char *name, LLVMTypeRef t) {
    LLVMValueRef f = LLVMAddFunction(e->L.module, name, t);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMBuilderRef here = e->L.b;
    e->L.b = LLVMCreateBuilderInContext(e->L.ctx);
    LLVMPositionBuilderAtEnd(e->L.b, LLVMAppendBasicBlockInContext(e->L.ctx, f, ""));
    struct wg_lane_adds inside = *x;
    inside.at = LLVMGetParam(f, 0);
    inside.addend = LLVMGetParam(f, 1);
    inside.from = LLVMGetParam(f, 2);
    add_in_place(e, &inside);
    LLVMBuildRetVoid(e->L.b);
    LLVMDisposeBuilder(e->L.b);
    e->L.b = here;
    return f;
}

/* Instructions by which threads learn of each other synchronise (analysis/effects.h). */
static bool looks_at_no_sum(const struct wg_emit *e, const struct wg_ir_instr *in) {
    uint8_t sem = in->mod[WG_MC_SEM];
    struct wg_effects x = wg_effects_of(in);
    if (in->op >= WG_OP_COUNT) return false;
    if (wg_is_plain_add(e, in)) return sem == WG_M_none || sem == WG_M_relaxed;
    /* Deferred sums are in shared memory, or are the worker's private sums, for which loads of global memory
     * test. */
    bool may_be_sums = (x.reads & ~WG_GLOBAL_MEMORY) || (in->op != WG_OP_LD && x.reads);
    return !may_be_sums && !x.writes && !x.meets;
}

/* Whether each warp runs the loop with this `header` by itself. */
static bool is_of_warp(const struct wg_emit *e, uint32_t header) {
    for (uint32_t b = 0; e->whole && b < e->func->nblocks; b++)
        if (wg_in_loop(e->func, b, header) && e->an->phases->of[b] != e->run.phase->begins) return false;
    return true;
}

/* In an iteration of a sweep all warps of a block run theirs, and then those of the next block: the phase
 * is the loop over them. */
static bool is_in_sweep(const struct wg_emit *e) {
    uint32_t header = e->func->blocks[e->block].loop;
    return e->whole && e->func->sweeps && !e->run.phase->once && !is_of_warp(e, header);
}

bool wg_may_add_late(const struct wg_emit *e) {
    uint32_t header = e->func->blocks[e->block].loop;
    if (e->v != WG_CONVERGED || e->check.tally || header == WG_NO_REG ||
        !wg_may_use(e->opts, WG_FORM_late_adds))
        return false;
    bool sweep = is_in_sweep(e);
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        if (sweep ? e->an->phases->of[b] != e->run.phase->begins : !wg_in_loop(e->func, b, header)) continue;
        for (uint32_t i = 0; i < e->func->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &e->func->blocks[b].instrs[i];
            if (!(sweep && wg_is_plain_barrier(in)) && !looks_at_no_sum(e, in)) return false;
        }
    }
    return true;
}

/* Emits the placeholder call for wg_make_late_adds. */
static void call_late(struct wg_emit *e, const struct wg_lane_adds *x) {
    LLVMValueRef args[3] = {x->from, x->at, x->addend};
    LLVMTypeRef types[3] = {e->ptr, LLVMTypeOf(x->at), LLVMTypeOf(x->addend)};
    LLVMTypeRef t = LLVMFunctionType(LLVMVoidTypeInContext(e->L.ctx), types, 3, 0);
    bool each = LLVMGetTypeKind(types[2]) == LLVMVectorTypeKind;
    char name[64];
    snprintf(name, sizeof name, "late.add.%u.%s", x->bits, each ? "each" : "same");
    LLVMValueRef f = LLVMGetNamedFunction(e->L.module, name);
    if (!f) f = LLVMAddFunction(e->L.module, name, t);
    LLVMBasicBlockRef header =
        is_in_sweep(e) ? e->run.phase->head : wg_code_at(e, e->func->blocks[e->block].loop, e->masks.all);
    *WG_PUSH(&e->access.late_adds) =
        (struct wg_late_add){LLVMBuildCall2(e->L.b, t, f, args, 3, ""), header, x->step};
}

static void emit_row(struct wg_emit *e, const struct wg_lane_adds *x) {
    if (x->late && has_indices(e, x)) {
        call_late(e, x);
        return;
    }
    if (e->access.nlane_adds++ < IN_PLACE) {
        add_in_place(e, x);
        return;
    }
    LLVMValueRef args[3] = {x->at, x->addend, x->from};
    LLVMTypeRef types[3] = {LLVMTypeOf(x->at), LLVMTypeOf(x->addend), e->ptr};
    bool each = LLVMGetTypeKind(types[1]) == LLVMVectorTypeKind;
    LLVMTypeRef t = LLVMFunctionType(LLVMVoidTypeInContext(e->L.ctx), types, 3, 0);
    char name[64];
    snprintf(name, sizeof name, "add.%c%u.%s.%u", x->real ? 'f' : 'i', x->bits, each ? "each" : "same",
             has_indices(e, x) ? x->step : 0);
    LLVMValueRef f = LLVMGetNamedFunction(e->L.module, name);
    if (!f) f = make(e, x, name, t);
    LLVMBuildCall2(e->L.b, t, f, args, 3, "");
}

/* One addition of all lanes' addends to the first lane's address. */
static void add_to_first(struct wg_emit *e, const struct wg_lane_adds *x) {
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, x->bits),
                unit = LLVMIntTypeInContext(e->L.ctx, x->step * 8);
    LLVMValueRef index = LLVMBuildExtractElement(e->L.b, x->at, wg_i32(e, 0), "");
    index = wg_emit_resize(e, index, 64, false);
    LLVMValueRef sum, all = x->addend;
    LLVMTypeRef vt = LLVMTypeOf(all);
    wg_set_lanes(e, 1);
    if (LLVMGetTypeKind(vt) == LLVMVectorTypeKind)
        sum = wg_lower_intrinsic(&e->L, "llvm.vector.reduce.add", &vt, 1, &all, 1);
    else
        sum = LLVMBuildMul(e->L.b, all, LLVMConstInt(t, WG_LANES, 0), "");
    LLVMValueRef to = LLVMBuildGEP2(e->L.b, unit, x->from, &index, 1, "");
    LLVMBuildStore(e->L.b, LLVMBuildAdd(e->L.b, LLVMBuildLoad2(e->L.b, t, to, ""), sum, ""), to);
}

/* i1: whether the first lane's address equals that of a lane in the middle that is also the first of a
 * register. */
static LLVMValueRef two_are_alike(struct wg_emit *e, const struct wg_lane_adds *x) {
    LLVMValueRef end[2];
    for (uint32_t i = 0; i < 2; i++)
        end[i] = LLVMBuildExtractElement(e->L.b, x->at, wg_i32(e, i * (WG_LANES / 2)), "");
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, end[0], end[1], "");
}

void wg_emit_lane_adds(struct wg_emit *e, const struct wg_lane_adds *x) {
    if (x->real || !has_indices(e, x)) {
        emit_row(e, x);
        return;
    }
    LLVMBasicBlockRef look = wg_new_bb(e, "look"), one = wg_new_bb(e, "one"), row = wg_new_bb(e, "row"),
                      done = wg_new_bb(e, "done");
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, two_are_alike(e, x), look, row));
    LLVMPositionBuilderAtEnd(e->L.b, look);
    LLVMValueRef first = LLVMBuildExtractElement(e->L.b, x->at, wg_i32(e, 0), "");
    LLVMValueRef others = LLVMBuildICmp(e->L.b, LLVMIntNE, x->at, wg_emit_splat(e, e->L.b, first), "");
    others = LLVMBuildICmp(e->L.b, LLVMIntNE, wg_emit_mask(e, others), wg_i32(e, 0), "");
    LLVMBuildCondBr(e->L.b, others, row, one);
    LLVMPositionBuilderAtEnd(e->L.b, one);
    add_to_first(e, x);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, row);
    emit_row(e, x);
    LLVMBuildBr(e->L.b, done);
    LLVMPositionBuilderAtEnd(e->L.b, done);
}
