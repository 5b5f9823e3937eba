/* Privatization of global atomic additions: which instructions use private sums, where these are published.
 *
 * A relaxed red.global.add (and an atom whose result is unused) adds to private sums of the worker thread
 * (warp/combine.h), which are published to global memory later. All threads of a block run on that worker, so
 * two rules suffice:
 *   - a plain load or store that may alias a pending sum publishes the sums first: one compare per warp
 *   - whatever synchronises with other workers (device-scope fences, ordered and volatile accesses, other
 *     atomics) publishes first
 * Barriers of thread blocks and clusters need nothing: the threads that wait there run on the same worker.
 * The machine publishes where a warp yields to other workers (a spin loop's yield, a grid barrier, the end).
 *
 *     red.global.add.u32 [%rd1], 1      sum at %rd1 + shift += 1            atomics.c
 *     ld.global.u32 %r1, [%rd2]         if (%rd2 - base < bytes) publish    wg_combine_before_access
 *     membar.gl                         if (adds) publish                   wg_combine_before
 */
#include "analysis/plan.h"
#include "analysis/effects.h"
#include "analysis/flow.h"
#include "jit/access/access.h"

static bool may_be_global(const struct wg_ir_instr *in) {
    return in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC;
}

static bool is_unordered(const struct wg_ir_instr *in) {
    uint8_t sem = in->mod[WG_MC_SEM], scope = in->mod[WG_MC_SCOPE];
    return (sem == WG_M_none || sem == WG_M_relaxed) && scope != WG_M_sys;
}

bool wg_result_is_unused(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->ndst == 0 || in->dst[0].kind != WG_O_REG || e->an->nuses[in->dst[0].index] == 0;
}

bool wg_is_plain_add(const struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    return wg_op_is(in->op, WG_IS_ATOMIC) && in->mod[WG_MC_AOP] == WG_M_add &&
           wg_type_kind(in->type) != WG_K_F && (bits == 32 || bits == 64) && in->nvec <= 1 &&
           wg_result_is_unused(e, in);
}

static void reach(const struct wg_ir_func *f, wg_bits set) {
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t s = 0; wg_bits_has(set, b) && s < f->blocks[b].nsucc; s++) {
                grew |= !wg_bits_has(set, f->blocks[b].succ[s]);
                wg_bits_add(set, f->blocks[b].succ[s]);
            }
    }
}

static bool block_meets(const struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    for (uint32_t i = 0; i < blk->ninstrs; i++)
        if (wg_effects_of(&blk->instrs[i]).meets && wg_combiner_of(e, &blk->instrs[i]) == WG_NO_REG)
            return true;
    return false;
}

/* Blocks whose accesses may alias a pending addition: those reachable from one and, if a thread that added
 * can synchronise with others, those reachable from any synchronisation. */
static void find_behind(struct wg_emit *e, wg_bits behind) {
    const struct wg_ir_func *f = e->func;
    bool meets = false;
    reach(f, behind);
    for (uint32_t b = 0; b < f->nblocks; b++) /* an iteration of a sweep follows the one before it */
        if (f->blocks[b].goes_on && wg_bits_has(behind, b)) wg_bits_add(behind, 0);
    reach(f, behind);
    WG_BITS_EACH(b, behind, f->nblocks) meets |= block_meets(e, b);
    if (!meets) return;
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (block_meets(e, b)) wg_bits_add(behind, b);
    reach(f, behind);
}

static bool is_summed(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return wg_is_plain_add(e, in) && may_be_global(in) && is_unordered(in) &&
           !wg_is_mapped(e->regs.def, &in->src[0]);
}

/* The register of the array base of an address, if the address is a uniform base plus an index. */
static uint32_t array_of(const struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_ir_instr *sum = in->src[0].kind == WG_O_REG ? e->regs.def[in->src[0].index] : NULL;
    if (!sum || sum->op != WG_OP_ADD_I) return WG_NO_REG;
    for (uint32_t i = 0; i < 2; i++)
        if (sum->src[i].kind == WG_O_REG &&
            wg_operand_fact(e->an, WG_CONVERGED, &sum->src[i]).kind == WG_UNIFORM)
            return sum->src[i].index;
    return WG_NO_REG;
}

/* Additions of an unrolled loop share one combiner: else each load would be tested against the window of
 * each of them, and sums of the same elements be published several times. */
static bool share_sums(const struct wg_emit *e, const struct wg_ir_instr *a, const struct wg_ir_instr *b) {
    uint32_t array = array_of(e, a);
    return array != WG_NO_REG && array == array_of(e, b) && wg_type_bits(a->type) == wg_type_bits(b->type);
}

void wg_combine_plan(struct wg_emit *e) {
    const struct wg_ir_func *f = e->func;
    e->access.combine_behind = wg_bits_new(&e->an->arena, f->nblocks);
    if (!e->opts->combine || !wg_may_use(e->opts, WG_FORM_combine)) return;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (!is_summed(e, in)) continue;
            uint32_t which = wg_combiner_of(e, in);
            if (which == WG_NO_REG && e->access.ncombine == WG_COMBINERS) continue;
            if (which == WG_NO_REG) e->access.combine[e->access.ncombine++] = in;
            wg_plan_yes(e->opts, WG_FORM_combine, in);
            wg_bits_add(e->access.combine_behind, b);
        }
    if (e->access.ncombine) find_behind(e, e->access.combine_behind);
}

uint32_t wg_combiner_of(const struct wg_emit *e, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < e->access.ncombine; i++)
        if (e->access.combine[i] == in) return i;
    for (uint32_t i = 0; i < e->access.ncombine && is_summed(e, in); i++)
        if (share_sums(e, e->access.combine[i], in)) return i;
    return WG_NO_REG;
}

LLVMValueRef wg_combiner(struct wg_emit *e, uint32_t which) {
    LLVMValueRef all = wg_load_field(e, e->L.b, e->ptr, e->once.block, offsetof(struct wg_block, combiners),
                                     true, "combiners");
    return wg_field(e, e->L.b, all, which * sizeof(struct wg_combiner));
}

/* ---- what must not be reordered with them ---- */

static void publish_if(struct wg_emit *e, LLVMValueRef cond, uint32_t touched) {
    LLVMBasicBlockRef now = wg_new_bb(e, "publish"), go = wg_new_bb(e, "published");
    LLVMValueRef args[2] = {e->warp, wg_i32(e, touched)};
    LLVMBuildCondBr(e->L.b, cond, now, go);
    LLVMPositionBuilderAtEnd(e->L.b, now);
    wg_call_helper(e, "wg_jit_publish", LLVMVoidTypeInContext(e->L.ctx), args, 2);
    LLVMBuildBr(e->L.b, go);
    LLVMPositionBuilderAtEnd(e->L.b, go);
}

static void publish(struct wg_emit *e) {
    LLVMValueRef adds = wg_i64(e, 0);
    for (uint32_t i = 0; i < e->access.ncombine; i++) {
        LLVMValueRef n = wg_load_field(e, e->L.b, e->i64, wg_combiner(e, i),
                                       offsetof(struct wg_combiner, adds), false, "");
        adds = LLVMBuildOr(e->L.b, adds, n, "adds");
    }
    publish_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, adds, wg_i64(e, 0), ""), WG_COMBINERS);
}

/* One unsigned compare of [at, at + size) with a range: an address below it wraps to a huge value. */
static LLVMValueRef touches(struct wg_emit *e, LLVMValueRef at, LLVMValueRef base, LLVMValueRef bytes,
                            uint64_t size) {
    LLVMValueRef from = LLVMBuildSub(e->L.b, wg_i64(e, size - 1), base, "");
    LLVMValueRef end = LLVMBuildAdd(e->L.b, bytes, wg_i64(e, size - 1), "");
    if (LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVectorTypeKind) {
        from = wg_emit_splat(e, e->L.b, from);
        end = wg_emit_splat(e, e->L.b, end);
    }
    return LLVMBuildICmp(e->L.b, LLVMIntULT, LLVMBuildAdd(e->L.b, at, from, ""), end, "");
}

/* The lanes of a pattern without a scaled term access one contiguous range. */
static bool stretch_of(const struct wg_value *a, int64_t *low, int64_t *high) {
    *low = *high = 0;
    if (a->kind == WG_VARYING || a->r) return false;
    for (int l = 0; a->k && l < WG_LANES; l++) {
        if (a->k[l] < *low) *low = a->k[l];
        if (a->k[l] > *high) *high = a->k[l];
    }
    return *high - *low < 1 << 20;
}

void wg_combine_before_access(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                              LLVMValueRef mask, bool invariant) {
    e->access.combine_asked = true;
    if (!e->access.ncombine || invariant || in->op >= WG_OP_COUNT || !may_be_global(in)) return;
    if (!wg_ir_is_weak(in)) {
        publish(e);
        return;
    }
    if (!wg_bits_has(e->access.combine_behind, e->block)) return;
    uint64_t size = wg_type_bits(in->type) / 8 * in->nvec;
    for (uint32_t i = 0; i < e->access.ncombine; i++) {
        LLVMValueRef c = wg_combiner(e, i), hit;
        LLVMValueRef base =
            wg_load_field(e, e->L.b, e->i64, c, offsetof(struct wg_combiner, from), false, "from");
        LLVMValueRef bytes =
            wg_load_field(e, e->L.b, e->i64, c, offsetof(struct wg_combiner, bytes), false, "bytes");
        int64_t low, high;
        if (stretch_of(a, &low, &high)) {
            LLVMValueRef at = LLVMBuildAdd(e->L.b, a->base, wg_i64(e, (uint64_t)low), "");
            hit = touches(e, at, base, bytes, size + (uint64_t)(high - low));
        } else {
            hit = touches(e, wg_lane_addresses(e, a), base, bytes, size);
            hit = LLVMBuildAnd(e->L.b, wg_emit_mask(e, hit), mask, "");
            hit = LLVMBuildICmp(e->L.b, LLVMIntNE, hit, wg_i32(e, 0), "");
        }
        publish_if(e, hit, i);
    }
}

/* Instructions other than loads, stores and additions to sums. Threads that wait at a barrier of the block
 * or the cluster run on the same worker. */
void wg_combine_before(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (!e->access.ncombine) return;
    struct wg_effects x = wg_effects_of(in);
    uint8_t scope = in->mod[WG_MC_SCOPE];
    if (wg_op_is(in->op, WG_IS_LOAD | WG_IS_STORE)) return; /* wg_combine_before_access */
    if (wg_only_arrives(in)) return;
    /* Additions without a combiner commute with those that have one. */
    if (wg_op_is(in->op, WG_IS_ATOMIC) && is_unordered(in) && (wg_is_plain_add(e, in) || !may_be_global(in)))
        return;
    if (wg_is_fence(in) && (scope == WG_M_cta || scope == WG_M_cluster)) return;
    if (x.ordered || x.once || ((x.reads | x.writes) & WG_GLOBAL_MEMORY)) publish(e);
}
