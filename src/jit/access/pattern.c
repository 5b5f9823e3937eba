/* Affine accesses as contiguous runs of elements plus a permutation: see access_plan.h.
 *
 *     k = 4*lane                       32 elements in order: a plain vector load
 *     k = 4*(lane%16), r = lane/16     two runs of 16
 *     k = -4*lane                      a load and a reversal
 *
 * Every element of a run is within a page of elements that lanes access, so a run never faults where the
 * lanes would not.
 */
#include "jit/access/access_plan.h"
#include "jit/lower/lower_rows.h"

#include <stdlib.h>

static LLVMValueRef run_address(struct wg_emit *e, const struct wg_value *a, const struct wg_run *g) {
    LLVMValueRef at = a->base;
    if (a->r && g->r)
        at = LLVMBuildAdd(e->L.b, at, LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)g->r), ""), "");
    if (g->first) at = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)g->first), "");
    return at;
}

static LLVMValueRef run_pointer(struct wg_emit *e, const struct wg_value *a, const struct wg_run *g) {
    return LLVMBuildIntToPtr(e->L.b, run_address(e, a, g), e->ptr, "");
}

static LLVMValueRef shuffle(struct wg_emit *e, LLVMValueRef x, const int8_t *index, uint32_t n) {
    LLVMValueRef c[WG_MOST_RUN];
    for (uint32_t i = 0; i < n; i++)
        c[i] = index[i] < 0 ? LLVMGetPoison(e->i32) : wg_i32(e, (uint32_t)index[i]);
    return LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(c, n), "");
}

static bool is_identity(const int8_t *index, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (index[i] != (int8_t)i) return false;
    return true;
}

/* Number of elements of a masked load: rounded up to a power of two, which LLVM handles with far less
 * work. */
static uint32_t rounded_run(const struct wg_run *g) {
    uint32_t n = 1;
    while (n < g->n) n *= 2;
    return n;
}

/* Converts the lanes' mask to a mask of n elements, a run and what follows; elements that no lane accesses
 * are off. */
static LLVMValueRef run_mask(struct wg_emit *e, const struct wg_run *g, LLVMValueRef bits, uint32_t n) {
    if (g->n == WG_LANES && is_identity(g->lane, WG_LANES)) return bits;
    LLVMValueRef c[WG_MOST_RUN];
    for (uint32_t i = 0; i < n; i++)
        c[i] = wg_i32(e, i >= g->n || g->lane[i] < 0 ? WG_LANES : (uint32_t)g->lane[i]);
    return LLVMBuildShuffleVector(e->L.b, bits, LLVMConstNull(LLVMTypeOf(bits)), LLVMConstVector(c, n), "");
}

enum { MOST_SHIFTS = 4 };

/* The distinct distances between lanes and the elements that they share; 0: too many. */
static uint32_t find_shifts(const struct wg_run *g, int shift[MOST_SHIFTS]) {
    uint32_t n = 0;
    for (int l = 0; l < WG_LANES; l++) {
        uint32_t i = 0;
        if (g->element[l] < 0) continue;
        while (i < n && shift[i] != l - g->element[l]) i++;
        if (i < n) continue;
        if (n == MOST_SHIFTS) return 0;
        shift[n++] = l - g->element[l];
    }
    return g->n <= WG_LANES ? n : 0;
}

static bool has_run_mask(const struct wg_run *g) {
    int shift[MOST_SHIFTS];
    return g->injective || g->n == 1 || find_shifts(g, shift);
}

/* Mask of the elements that any active lane accesses. */
static LLVMValueRef shared_mask(struct wg_emit *e, const struct wg_run *g, LLVMValueRef bits, uint32_t n) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef mask = LLVMBuildBitCast(b, bits, e->i32, ""), any = wg_i32(e, 0);
    int shift[MOST_SHIFTS];
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < WG_LANES; l++) lanes |= g->element[l] < 0 ? 0 : 1u << l;
    if (g->n == 1) {
        LLVMValueRef on = LLVMBuildAnd(b, mask, wg_i32(e, lanes), "");
        any = LLVMBuildZExt(b, LLVMBuildICmp(b, LLVMIntNE, on, any, ""), e->i32, "");
    } else {
        for (uint32_t k = find_shifts(g, shift); k-- > 0;) {
            uint32_t of = 0, far = (uint32_t)abs(shift[k]);
            for (int l = 0; l < WG_LANES; l++)
                if (g->element[l] >= 0 && l - g->element[l] == shift[k]) of |= 1u << g->element[l];
            LLVMValueRef x = shift[k] < 0 ? LLVMBuildShl(b, mask, wg_i32(e, far), "")
                                          : LLVMBuildLShr(b, mask, wg_i32(e, far), "");
            any = LLVMBuildOr(b, any, LLVMBuildAnd(b, x, wg_i32(e, of), ""), "");
        }
    }
    if (n < WG_LANES) any = LLVMBuildTrunc(b, any, LLVMIntTypeInContext(e->L.ctx, n), "");
    return LLVMBuildBitCast(b, any, LLVMVectorType(e->i1, n), "");
}

static LLVMValueRef load_run(struct wg_emit *e, const struct wg_value *a, const struct wg_run *g,
                             uint32_t bits, LLVMValueRef mask_bits) {
    uint32_t align = bits / 8;
    LLVMTypeRef et = LLVMIntTypeInContext(e->L.ctx, bits);
    LLVMValueRef p = run_pointer(e, a, g), x;
    if (!mask_bits) {
        LLVMTypeRef t = g->n == 1 ? et : LLVMVectorType(et, g->n);
        x = LLVMBuildLoad2(e->L.b, t, p, "");
        LLVMSetAlignment(x, align);
        if (g->n > 1) return x;
        LLVMTypeRef one = LLVMVectorType(et, 1);
        return LLVMBuildInsertElement(e->L.b, LLVMGetPoison(one), x, wg_i64(e, 0), "");
    }
    uint32_t elements = rounded_run(g);
    if (elements < 128 / bits) elements = 128 / bits; /* the smallest masked load */
    LLVMTypeRef t = LLVMVectorType(et, elements);
    LLVMTypeRef types[2] = {t, e->ptr};
    LLVMValueRef mask =
        g->injective ? run_mask(e, g, mask_bits, elements) : shared_mask(e, g, mask_bits, elements);
    LLVMValueRef args[4] = {p, wg_i32(e, align), mask, LLVMConstNull(t)};
    return wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, args, 4);
}

static LLVMValueRef load_each(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                              LLVMValueRef mask_bits) {
    LLVMValueRef all = NULL;
    for (uint32_t i = 0; i < plan->nruns; i++) {
        const struct wg_run *g = &plan->run[i];
        LLVMValueRef x = load_run(e, a, g, plan->bits, mask_bits);
        if (g->n != WG_LANES || !is_identity(g->element, WG_LANES)) x = shuffle(e, x, g->element, WG_LANES);
        if (!all) {
            all = x;
            continue;
        }
        LLVMValueRef c[WG_LANES];
        for (uint32_t l = 0; l < WG_LANES; l++) c[l] = wg_i32(e, g->element[l] < 0 ? l : WG_LANES + l);
        all = LLVMBuildShuffleVector(e->L.b, all, x, LLVMConstVector(c, WG_LANES), "");
    }
    return all;
}

LLVMValueRef wg_load_runs(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                          LLVMValueRef mask) {
    bool injective = true, masked = true;
    for (uint32_t i = 0; i < plan->nruns; i++) injective &= plan->run[i].injective;
    for (uint32_t i = 0; i < plan->nruns; i++) masked &= has_run_mask(&plan->run[i]);
    if (wg_is_full(mask)) return load_each(e, plan, a, NULL);
    if (injective) return load_each(e, plan, a, wg_emit_bits(e, mask));
    /* Lanes share elements: with a full mask, runs; else a masked load of the elements needed, or a gather.
     */
    LLVMBasicBlockRef fast = wg_new_bb(e, "full"), slow = wg_new_bb(e, "partial"),
                      join = wg_new_bb(e, "loaded");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, mask, wg_i32(e, UINT32_MAX), ""), fast, slow);
    LLVMPositionBuilderAtEnd(e->L.b, fast);
    LLVMValueRef x[2];
    LLVMBasicBlockRef from[2];
    x[0] = load_each(e, plan, a, NULL);
    from[0] = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, slow);
    struct wg_value copy = *a;
    x[1] = masked ? load_each(e, plan, a, wg_emit_bits(e, mask))
                  : wg_gather(e, &copy, plan->bits, plan->bits / 8, mask);
    from[1] = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(x[0]), "");
    LLVMAddIncoming(phi, x, from, 2);
    return phi;
}

/* The lanes' values in the order of the run's elements. */
static LLVMValueRef run_value(struct wg_emit *e, const struct wg_run *g, LLVMValueRef vec) {
    return g->n != WG_LANES || !is_identity(g->lane, WG_LANES) ? shuffle(e, vec, g->lane, g->n) : vec;
}

static void store_run(struct wg_emit *e, const struct wg_value *a, const struct wg_run *g, LLVMValueRef vec,
                      uint32_t align, LLVMValueRef mask_bits) {
    LLVMValueRef p = run_pointer(e, a, g), x = run_value(e, g, vec);
    if (!mask_bits && wg_run_is_dense(g)) {
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x, p), align);
        return;
    }
    if (!mask_bits) mask_bits = LLVMConstAllOnes(LLVMVectorType(e->i1, WG_LANES));
    LLVMTypeRef types[2] = {LLVMTypeOf(x), e->ptr};
    LLVMValueRef args[4] = {x, p, wg_i32(e, align), run_mask(e, g, mask_bits, g->n)};
    wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, args, 4);
}

/* Without AVX-512 a masked store takes as long as a dozen others on some CPUs, and mostly all lanes are
 * active: a branch version without masks for that case. The builder then is in the version for partial
 * masks; NULL: there is no such version. */
static LLVMBasicBlockRef store_if_full(struct wg_emit *e, const struct wg_value *a, const struct wg_run *g,
                                       uint32_t n, LLVMValueRef vec, uint32_t align, LLVMValueRef mask) {
    if (!e->L.avx2 || e->L.avx512 || LLVMIsConstant(mask)) return NULL;
    for (uint32_t i = 0; i < n; i++)
        if (!wg_run_is_dense(&g[i])) return NULL;
    LLVMBasicBlockRef full = wg_new_bb(e, "full"), some = wg_new_bb(e, "some"), join = wg_new_bb(e, "stored");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, mask, wg_i32(e, UINT32_MAX), ""), full, some);
    LLVMPositionBuilderAtEnd(e->L.b, full);
    for (uint32_t i = 0; i < n; i++) store_run(e, a, &g[i], vec, align, NULL);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    return join;
}

static enum wg_part data_part(const void *user, const struct wg_ir_instr *in) {
    (void)user;
    bool reads = in->op == WG_OP_LD && in->space != WG_S_PARAM && in->space != WG_S_CONST;
    return reads ? WG_PART_BEGINS : WG_PART_FOLLOWS;
}

static bool follows_data(struct wg_emit *e, uint32_t reg) {
    if (!e->access.of_data) e->access.of_data = wg_following(&e->an->arena, e->func, data_part, NULL);
    return wg_bits_has(e->access.of_data, reg);
}

/* Whether lanes are off for what the kernel has loaded, by the branches that lead here and nowhere else. */
static bool hangs_on_data(struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_ir_block *blocks = e->func->blocks;
    if (in->guard != WG_NO_REG && follows_data(e, in->guard)) return true;
    for (uint32_t b = e->block; blocks[b].npred == 1 && blocks[b].pred[0] < b;) {
        b = blocks[b].pred[0];
        if (blocks[b].term == WG_TERM_CBR && wg_bits_has(e->an->divergent[e->v], b) &&
            follows_data(e, blocks[b].cond))
            return true;
    }
    return false;
}

/* A run of all lanes in their order under a mask, register by register: a plain store where all lanes of one are
 * active, none where none is. For hosts whose masked stores are slow: on others the branches take up to six times as
 * long. Where the mask hangs on data, they are hard to predict, and masked stores no slower. */
static void store_by_registers(struct wg_emit *e, const struct wg_value *a, const struct wg_run *g,
                               LLVMValueRef vec, uint32_t bits, LLVMValueRef mask) {
    LLVMBuilderRef b = e->L.b;
    uint32_t n = 256 / bits;
    LLVMValueRef p = run_pointer(e, a, g), bit = wg_emit_bits(e, mask);
    for (uint32_t i = 0; i < WG_LANES; i += n) {
        LLVMValueRef x = wg_lanes_of(&e->L, vec, i, n), m = wg_lanes_of(&e->L, bit, i, n);
        LLVMValueRef all = wg_i32(e, ((1u << n) - 1) << i), on = LLVMBuildAnd(b, mask, all, "");
        LLVMValueRef by = wg_i64(e, (uint64_t)i * bits / 8);
        LLVMValueRef at = LLVMBuildGEP2(b, e->i8, p, &by, 1, "");
        LLVMBasicBlockRef any = wg_new_bb(e, "any"), full = wg_new_bb(e, "full"), some = wg_new_bb(e, "some"),
                          next = wg_new_bb(e, "next");
        LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, on, wg_i32(e, 0), ""), next, any);
        LLVMPositionBuilderAtEnd(b, any);
        LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, on, all, ""), full, some);
        LLVMPositionBuilderAtEnd(b, full);
        LLVMSetAlignment(LLVMBuildStore(b, x, at), bits / 8);
        LLVMBuildBr(b, next);
        LLVMPositionBuilderAtEnd(b, some);
        LLVMTypeRef types[2] = {LLVMTypeOf(x), e->ptr};
        LLVMValueRef args[4] = {x, at, wg_i32(e, bits / 8), m};
        wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, args, 4);
        LLVMBuildBr(b, next);
        LLVMPositionBuilderAtEnd(b, next);
    }
}

/* A run of all lanes in their order, of which data says which are on: where few are, one after the other. Four masked
 * stores take as long as 16 lanes or so, where they are slow; but a loop's end is predicted wrongly, and more often so the
 * longer it is. */
static void store_few_apart(struct wg_emit *e, const struct wg_value *a, const struct wg_run *g,
                            LLVMValueRef vec, uint32_t bits, LLVMValueRef mask) {
    enum { FEW = 18 };
    LLVMBuilderRef b = e->L.b;
    LLVMBasicBlockRef few = wg_new_bb(e, "few"), each = wg_new_bb(e, "lane"), many = wg_new_bb(e, "many"),
                      join = wg_new_bb(e, "stored"), none_or_few = wg_new_bb(e, "any");
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, bits);
    LLVMValueRef none = wg_i32(e, 0), p = run_pointer(e, a, g), count[2] = {NULL, LLVMConstInt(e->i1, 1, 0)};
    wg_set_lanes(e, 1);
    LLVMValueRef n = wg_lower_intrinsic(&e->L, "llvm.ctpop", &e->i32, 1, &mask, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULE, n, wg_i32(e, FEW), ""), none_or_few, many);
    LLVMPositionBuilderAtEnd(b, none_or_few);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, mask, none, ""), few, join);
    LLVMPositionBuilderAtEnd(b, few);
    LLVMValueRef values = wg_spill_lanes(e, 1, vec);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, each);
    LLVMPositionBuilderAtEnd(b, each);
    LLVMValueRef left = count[0] = LLVMBuildPhi(b, e->i32, "left");
    LLVMValueRef lane =
        LLVMBuildZExt(b, wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, count, 2), e->i64, "");
    LLVMValueRef x = LLVMBuildLoad2(b, t, LLVMBuildInBoundsGEP2(b, t, values, &lane, 1, ""), "");
    LLVMSetAlignment(LLVMBuildStore(b, x, LLVMBuildGEP2(b, t, p, &lane, 1, "")), bits / 8);
    LLVMValueRef rest = LLVMBuildAnd(b, left, LLVMBuildSub(b, left, wg_i32(e, 1), ""), "");
    LLVMAddIncoming(left, &mask, &before, 1);
    LLVMAddIncoming(left, &rest, &each, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, rest, none, ""), each, join);
    LLVMPositionBuilderAtEnd(b, many);
    store_run(e, a, g, vec, bits / 8, wg_emit_bits(e, mask));
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, join);
}

/* The non-temporal path, if all runs are whole lines: see stream.c. */
static LLVMBasicBlockRef stream_runs(struct wg_emit *e, const struct wg_value *a, const struct wg_run *g,
                                     uint32_t n, LLVMValueRef vec, uint32_t bytes, LLVMValueRef mask) {
    LLVMValueRef at[WG_MOST_RUNS], x[WG_MOST_RUNS];
    for (uint32_t i = 0; i < n; i++)
        if (!wg_run_is_dense(&g[i]) || g[i].n != g[0].n || g[i].n * bytes % 64) return NULL;
    for (uint32_t i = 0; i < n; i++) {
        at[i] = run_address(e, a, &g[i]);
        x[i] = run_value(e, &g[i], vec);
    }
    return wg_emit_stream(e, at, n, x, n, g[0].n * bytes, mask);
}

void wg_store_runs(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_access *plan,
                   const struct wg_value *a, LLVMValueRef vec, LLVMValueRef mask) {
    bool full = wg_is_full(mask);
    LLVMValueRef mask_bits = full ? NULL : wg_emit_bits(e, mask);
    uint32_t n = plan->nruns, align = plan->bits / 8;
    LLVMBasicBlockRef join =
        wg_may_stream(e, in, e->block) ? stream_runs(e, a, plan->run, n, vec, align, mask) : NULL;
    LLVMBasicBlockRef stored = full ? NULL : store_if_full(e, a, plan->run, n, vec, align, mask);
    bool whole = stored && e->L.slow_masks && n == 1 && plan->bits >= 32 && plan->run[0].n == WG_LANES &&
                 is_identity(plan->run[0].lane, WG_LANES);
    if (whole && hangs_on_data(e, in))
        store_few_apart(e, a, &plan->run[0], vec, plan->bits, mask);
    else if (whole)
        store_by_registers(e, a, &plan->run[0], vec, plan->bits, mask);
    else
        for (uint32_t i = 0; i < n; i++) store_run(e, a, &plan->run[i], vec, align, mask_bits);
    if (stored) {
        LLVMBuildBr(e->L.b, stored);
        LLVMPositionBuilderAtEnd(e->L.b, stored);
    }
    if (join) {
        LLVMBuildBr(e->L.b, join);
        LLVMPositionBuilderAtEnd(e->L.b, join);
    }
}
