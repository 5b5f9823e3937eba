/* Gathers and scatters: accesses whose lanes may be anywhere.
 *
 *     far + sext(near[lane]) * step    by 32-bit indices: on AVX-512 with the intrinsic, 16 lanes at once:
 *                                      LLVM widens an index used in two basic blocks, and then emits four
 *                                      gathers by 64-bit addresses instead of two
 *     vec[lane]                        by 64-bit addresses
 *
 * 8- and 16-bit gathers load the aligned dword around each element (it is in the same page) and shift. 8- and
 * 16-bit scatters run lane by lane, unless the lanes turn out to be contiguous at run time. Without AVX-512 all
 * scatters do: a loop over the active lanes where some are not, for a branch for each lane is rarely predicted.
 */
#include "jit/access/access.h"
#include "jit/lower/lower_rows.h"

#include <stdio.h>

/* The i32 mask of lanes [first, first + n) as <n x i1>. */
static LLVMValueRef part_of_mask(struct wg_emit *e, LLVMValueRef mask, unsigned first, unsigned n) {
    LLVMValueRef m = first ? LLVMBuildLShr(e->L.b, mask, wg_i32(e, first), "") : mask;
    m = LLVMBuildTrunc(e->L.b, m, LLVMIntTypeInContext(e->L.ctx, n), "");
    return LLVMBuildBitCast(e->L.b, m, LLVMVectorType(e->i1, n), "");
}

/* x == NULL: a gather; else a scatter of x. */
static LLVMValueRef by_name(struct wg_emit *e, LLVMValueRef far, LLVMValueRef near, uint32_t step,
                            uint32_t bits, LLVMValueRef mask, LLVMValueRef x) {
    unsigned n = 512 / bits, count = WG_LANES / n;
    char name[48];
    snprintf(name, sizeof name, "llvm.x86.avx512.mask.%s.dp%c.512", x ? "scatter" : "gather",
             bits == 32 ? 'i' : 'q');
    LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, far, e->ptr, ""), part[4];
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), n);
    wg_set_lanes(e, WG_LANES);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef m = part_of_mask(e, mask, i * n, n), index = wg_lanes_of(&e->L, near, i * n, n);
        LLVMValueRef scale = wg_i32(e, step);
        LLVMValueRef load[5] = {wg_is_full(mask) ? LLVMGetPoison(t) : LLVMConstNull(t), p, index, m, scale};
        LLVMValueRef store[5] = {p, m, index, x ? wg_lanes_of(&e->L, x, i * n, n) : NULL, scale};
        part[i] = wg_lower_intrinsic(&e->L, name, NULL, 0, x ? store : load, 5);
    }
    return x ? NULL : wg_lanes_join(&e->L, part, count, WG_LANES);
}

/* Lanes that a warp of the block may have, as a power of two: no vector is needed for the others. */
static unsigned lanes_of_block(const struct wg_emit *e) {
    uint32_t threads = wg_running_threads(e->opts);
    return threads <= WG_LANES / 4 ? WG_LANES / 4 : threads <= WG_LANES / 2 ? WG_LANES / 2 : WG_LANES;
}

static LLVMValueRef by_pointers(struct wg_emit *e, LLVMValueRef ptrs, uint32_t bits, uint32_t align,
                                LLVMValueRef mask) {
    unsigned n = lanes_of_block(e);
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), n);
    LLVMTypeRef types[2] = {t, LLVMVectorType(e->ptr, n)};
    LLVMValueRef args[4] = {wg_lanes_of(&e->L, ptrs, 0, n), wg_i32(e, align), part_of_mask(e, mask, 0, n),
                            LLVMConstNull(t)};
    LLVMValueRef part[WG_LANES / 8] = {wg_lower_intrinsic(&e->L, "llvm.masked.gather", types, 2, args, 4)};
    for (unsigned i = 1; i < WG_LANES / n; i++) part[i] = LLVMConstNull(t);
    return n == WG_LANES ? part[0] : wg_lanes_join(&e->L, part, WG_LANES / n, WG_LANES);
}

/* 8 and 16 bits: the dword around each element. */
static LLVMValueRef gather_small(struct wg_emit *e, struct wg_value *a, uint32_t bits, LLVMValueRef mask) {
    LLVMTypeRef v64 = LLVMVectorType(e->i64, WG_LANES), v32 = LLVMVectorType(e->i32, WG_LANES);
    LLVMValueRef at = wg_lane_addresses(e, a);
    LLVMValueRef three = wg_emit_splat(e, e->L.b, wg_i64(e, 3));
    LLVMValueRef down = LLVMBuildAnd(e->L.b, at, LLVMBuildNot(e->L.b, three, ""), "");
    LLVMValueRef ptrs = LLVMBuildIntToPtr(e->L.b, down, LLVMVectorType(e->ptr, WG_LANES), "");
    LLVMValueRef word = by_pointers(e, ptrs, 32, 4, mask);
    LLVMValueRef shift =
        LLVMBuildShl(e->L.b, LLVMBuildAnd(e->L.b, at, three, ""),
                     LLVMBuildSExt(e->L.b, wg_emit_splat(e, e->L.b, wg_i32(e, 3)), v64, ""), "");
    word = LLVMBuildLShr(e->L.b, word, LLVMBuildTrunc(e->L.b, shift, v32, ""), "");
    return LLVMBuildTrunc(e->L.b, word, LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), WG_LANES), "");
}

LLVMValueRef wg_gather(struct wg_emit *e, struct wg_value *a, uint32_t bits, uint32_t align,
                       LLVMValueRef mask) {
    LLVMValueRef far, near;
    uint32_t step;
    if (bits < 32) return gather_small(e, a, bits, mask);
    if (e->L.avx512 && wg_split_address(e, a, &far, &near, &step))
        return by_name(e, far, near, step, bits, mask, NULL);
    return by_pointers(e, wg_pointers(e, a), bits, align, mask);
}

static void scatter_small(struct wg_emit *e, struct wg_value *a, LLVMValueRef x, uint32_t bits,
                          LLVMValueRef mask) {
    LLVMValueRef at = wg_lane_addresses(e, a);
    int64_t k[WG_LANES];
    for (int l = 0; l < WG_LANES; l++) k[l] = l * (int64_t)bits / 8;
    LLVMValueRef lane = wg_first_lane_of(e, mask);
    LLVMValueRef base = LLVMBuildSub(e->L.b, at, wg_lane_consts(e, k, 64), "");
    LLVMValueRef start = LLVMBuildExtractElement(e->L.b, base, lane, "");
    LLVMValueRef apart = LLVMBuildICmp(e->L.b, LLVMIntNE, base, wg_emit_splat(e, e->L.b, start), "");
    LLVMValueRef odd = LLVMBuildAnd(e->L.b, wg_emit_mask(e, apart), mask, "");
    LLVMBasicBlockRef fast = wg_new_bb(e, "row"), slow = wg_new_bb(e, "each"), join = wg_new_bb(e, "stored");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, odd, wg_i32(e, 0), ""), fast, slow);
    LLVMPositionBuilderAtEnd(e->L.b, fast);
    LLVMTypeRef types[2] = {LLVMTypeOf(x), e->ptr};
    LLVMValueRef args[4] = {x, LLVMBuildIntToPtr(e->L.b, start, e->ptr, ""), wg_i32(e, bits / 8),
                            wg_emit_bits(e, mask)};
    wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, args, 4);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, slow);
    LLVMValueRef call[4] = {wg_spill_lanes(e, 0, at), wg_spill_lanes(e, 1, wg_emit_resize(e, x, 64, false)),
                            mask, wg_i32(e, bits / 8)};
    wg_call_helper(e, "wg_jit_scatter_small", LLVMVoidTypeInContext(e->L.ctx), call, 4);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
}

/* The address of one lane, from those that lie in memory at `array`: indices from `far`, or, if step is 0,
 * addresses. */
static LLVMValueRef address_of_lane(struct wg_emit *e, LLVMValueRef array, LLVMValueRef far, uint32_t step,
                                    LLVMValueRef lane) {
    LLVMBuilderRef b = e->L.b;
    LLVMTypeRef t = step ? e->i32 : e->i64;
    LLVMValueRef at = LLVMBuildLoad2(b, t, LLVMBuildInBoundsGEP2(b, t, array, &lane, 1, ""), "");
    if (step) {
        at = LLVMBuildMul(b, LLVMBuildSExt(b, at, e->i64, ""), wg_i64(e, step), "");
        at = LLVMBuildAdd(b, at, far, "");
    }
    return LLVMBuildIntToPtr(b, at, e->ptr, "");
}

/* The active lanes one after the other, to where `join` goes on. */
static void scatter_each(struct wg_emit *e, struct wg_value *a, LLVMValueRef x, LLVMValueRef mask,
                         LLVMBasicBlockRef join) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef far = NULL, near = NULL, none = wg_i32(e, 0), of_left[2] = {NULL, LLVMConstInt(e->i1, 1, 0)};
    uint32_t step = 0;
    LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(x));
    if (!wg_split_address(e, a, &far, &near, &step)) near = wg_lane_addresses(e, a);
    LLVMValueRef at = wg_spill_lanes(e, 0, near), values = wg_spill_lanes(e, 1, x);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), each = wg_new_bb(e, "lane");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, mask, none, ""), each, join);
    LLVMPositionBuilderAtEnd(b, each);
    LLVMValueRef left = LLVMBuildPhi(b, e->i32, "left");
    of_left[0] = left;
    wg_set_lanes(e, 1);
    LLVMValueRef lane = wg_lower_intrinsic(&e->L, "llvm.cttz", &e->i32, 1, of_left, 2);
    lane = LLVMBuildZExt(b, lane, e->i64, "");
    LLVMValueRef value = LLVMBuildLoad2(b, t, LLVMBuildInBoundsGEP2(b, t, values, &lane, 1, ""), "");
    LLVMBuildStore(b, value, address_of_lane(e, at, far, step, lane));
    LLVMValueRef rest = LLVMBuildAnd(b, left, LLVMBuildSub(b, left, wg_i32(e, 1), ""), "");
    LLVMAddIncoming(left, &mask, &before, 1);
    LLVMAddIncoming(left, &rest, &each, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, rest, none, ""), each, join);
}

static void scatter_by_pointers(struct wg_emit *e, LLVMValueRef ptrs, LLVMValueRef x, uint32_t bits,
                                LLVMValueRef mask) {
    LLVMTypeRef types[2] = {LLVMTypeOf(x), LLVMVectorType(e->ptr, WG_LANES)};
    LLVMValueRef args[4] = {x, ptrs, wg_i32(e, bits / 8), wg_emit_bits(e, mask)};
    wg_lower_intrinsic(&e->L, "llvm.masked.scatter", types, 2, args, 4);
}

void wg_scatter(struct wg_emit *e, struct wg_value *a, LLVMValueRef x, uint32_t bits, LLVMValueRef mask) {
    LLVMValueRef far, near;
    uint32_t step;
    if (bits < 32) {
        scatter_small(e, a, x, bits, mask);
        return;
    }
    if (e->L.avx512 && wg_split_address(e, a, &far, &near, &step)) {
        by_name(e, far, near, step, bits, mask, x);
        return;
    }
    LLVMValueRef ptrs = wg_pointers(e, a);
    if (e->L.avx512 || LLVMIsAConstantInt(mask)) {
        scatter_by_pointers(e, ptrs, x, bits, mask);
        return;
    }
    LLVMBasicBlockRef all = wg_new_bb(e, "all"), some = wg_new_bb(e, "some"), join = wg_new_bb(e, "stored");
    uint32_t threads = wg_running_threads(e->opts);
    LLVMValueRef full = wg_i32(e, threads < WG_LANES ? (1u << threads) - 1 : UINT32_MAX);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, mask, full, ""), all, some);
    LLVMPositionBuilderAtEnd(e->L.b, all);
    scatter_by_pointers(e, ptrs, x, bits, full);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    scatter_each(e, a, x, mask, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
}
