/* Strided byte accesses, three or four bytes apart: one channel of an image with interleaved channels.
 *
 *     k = 3*lane:   16 lanes' bytes are within 48: one load under the mask of just these bytes; then four
 *                   lanes' 12 bytes go to a quarter of the register each, and in it each byte to its lane's
 *                   word
 *
 * x86 has no byte gather; a gather would fetch a word per lane. No byte is accessed that no lane accesses, so
 * that a fault is always a lane's.
 *
 * Without AVX-512 there are no masks for bytes: where all lanes are active, four lanes' bytes are loaded with what stands
 * between the first and the last byte of all, whose pages lanes access.
 */
#include "jit/access/access_plan.h"

enum { HALF = WG_LANES / 2, BYTES = 64, QUARTER = 16 };

static LLVMValueRef half_address(struct wg_emit *e, const struct wg_value *a, int64_t stride, uint32_t half) {
    LLVMValueRef at = a->base;
    if (half) at = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)(HALF * stride)), "");
    return LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
}

/* Mask of the active lanes' bytes. */
static LLVMValueRef half_mask(struct wg_emit *e, LLVMValueRef mask, int64_t stride, uint32_t half) {
    uint64_t all = 0;
    for (uint32_t l = 0; l < HALF; l++) all |= UINT64_C(1) << (l * (uint64_t)stride);
    LLVMTypeRef t = LLVMVectorType(e->i1, BYTES);
    if (wg_is_full(mask)) return LLVMBuildBitCast(e->L.b, wg_i64(e, all), t, "");
    LLVMValueRef m = LLVMBuildZExt(e->L.b, mask, e->i64, "");
    if (half) m = LLVMBuildLShr(e->L.b, m, wg_i64(e, HALF), "");
    wg_set_lanes(e, 1);
    LLVMValueRef args[2] = {m, wg_i64(e, all)};
    return LLVMBuildBitCast(e->L.b, wg_lower_intrinsic(&e->L, "llvm.x86.bmi.pdep.64", NULL, 0, args, 2), t,
                            "");
}

/* Spreads contiguous groups of 12 bytes to the quarters of the register, or back. */
static LLVMValueRef spread(struct wg_emit *e, LLVMValueRef bytes, bool back) {
    LLVMValueRef c[HALF], words = LLVMBuildBitCast(e->L.b, bytes, LLVMVectorType(e->i32, HALF), "");
    for (uint32_t i = 0; i < HALF; i++) {
        uint32_t apart = i / 4 * 3 + i % 4, together = i / 3 * 4 + i % 3;
        bool wanted = back ? i < 12 : i % 4 < 3;
        c[i] = wanted ? wg_i32(e, back ? together : apart) : LLVMGetPoison(e->i32);
    }
    words =
        LLVMBuildShuffleVector(e->L.b, words, LLVMGetPoison(LLVMTypeOf(words)), LLVMConstVector(c, HALF), "");
    return LLVMBuildBitCast(e->L.b, words, LLVMTypeOf(bytes), "");
}

/* In each quarter: moves bytes 0, s, 2*s, 3*s to the low byte of a word each, or back; the others become
 * zero. With the intrinsic: LLVM would merge a shuffle with another one and emit four times as many. */
static LLVMValueRef place(struct wg_emit *e, LLVMValueRef bytes, int stride, bool back) {
    enum { ZERO = 0x80 };
    uint8_t index[BYTES];
    LLVMValueRef c[BYTES];
    for (int i = 0; i < BYTES; i++) index[i] = ZERO;
    for (int q = 0; q < BYTES; q += QUARTER)
        for (int i = 0; i < 4; i++) {
            int word = q + 4 * i, byte = q + stride * i;
            index[back ? byte : word] = (uint8_t)((back ? word : byte) % QUARTER);
        }
    for (int i = 0; i < BYTES; i++) c[i] = LLVMConstInt(e->i8, index[i], 0);
    static const char text[] = "vpshufb $2, $1, $0", where[] = "=v,v,v";
    LLVMTypeRef t = LLVMTypeOf(bytes), ft = LLVMFunctionType(t, (LLVMTypeRef[]){t, t}, 2, 0);
    LLVMValueRef code = LLVMGetInlineAsm(ft, text, sizeof text - 1, where, sizeof where - 1, 0, 0,
                                         LLVMInlineAsmDialectATT, 0);
    LLVMValueRef args[2] = {bytes, LLVMConstVector(c, BYTES)};
    return wg_pure_call(&e->L, LLVMBuildCall2(e->L.b, ft, code, args, 2, ""));
}

/* The 16 bytes that four lanes' bytes are among: those that begin with the first lane's, for the last four lanes those that
 * end with the last one's. index: where a lane's byte is among them. */
static LLVMValueRef load_quarter(struct wg_emit *e, const struct wg_value *a, int64_t stride, uint32_t first,
                                 int64_t index[4]) {
    int64_t low = first * stride, end = (WG_LANES - 1) * stride + 1;
    if (low + QUARTER > end) low = end - QUARTER;
    for (uint32_t i = 0; i < 4; i++) index[i] = (first + i) * stride - low;
    LLVMValueRef at = LLVMBuildAdd(e->L.b, a->base, wg_i64(e, (uint64_t)low), "");
    LLVMValueRef x =
        LLVMBuildLoad2(e->L.b, LLVMVectorType(e->i8, QUARTER), LLVMBuildIntToPtr(e->L.b, at, e->ptr, ""), "");
    LLVMSetAlignment(x, 1);
    return x;
}

static LLVMValueRef joined(struct wg_emit *e, LLVMValueRef x, LLVMValueRef y, uint32_t n) {
    LLVMValueRef c[WG_LANES];
    for (uint32_t i = 0; i < n; i++) c[i] = wg_i32(e, i);
    return LLVMBuildShuffleVector(e->L.b, x, y, LLVMConstVector(c, n), "");
}

/* Eight lanes' words. With the intrinsic: LLVM would take a shuffle apart. */
static LLVMValueRef load_eight(struct wg_emit *e, const struct wg_value *a, int64_t stride, uint32_t first) {
    enum { ZERO = 0x80 };
    LLVMValueRef x[2], c[2 * QUARTER];
    for (uint32_t q = 0; q < 2; q++) {
        int64_t index[4];
        x[q] = load_quarter(e, a, stride, first + 4 * q, index);
        for (uint32_t i = 0; i < QUARTER; i++)
            c[q * QUARTER + i] = LLVMConstInt(e->i8, i % 4 ? ZERO : (uint64_t)index[i / 4], 0);
    }
    LLVMValueRef args[2] = {joined(e, x[0], x[1], 2 * QUARTER), LLVMConstVector(c, 2 * QUARTER)};
    LLVMValueRef words = wg_lower_intrinsic(&e->L, "llvm.x86.avx2.pshuf.b", NULL, 0, args, 2);
    return LLVMBuildBitCast(e->L.b, words, LLVMVectorType(e->i32, 8), "");
}

static LLVMValueRef load_all(struct wg_emit *e, const struct wg_value *a, int64_t stride) {
    LLVMValueRef x[4];
    for (uint32_t i = 0; i < 4; i++) x[i] = load_eight(e, a, stride, 8 * i);
    LLVMValueRef all = joined(e, joined(e, x[0], x[1], HALF), joined(e, x[2], x[3], HALF), WG_LANES);
    return wg_emit_resize(e, all, 8, false);
}

/* As above where all lanes are active, else lane by lane. */
static LLVMValueRef load_without_masks(struct wg_emit *e, const struct wg_value *a, int64_t stride,
                                       LLVMValueRef mask) {
    if (wg_is_full(mask)) return load_all(e, a, stride);
    LLVMBasicBlockRef full = wg_new_bb(e, "full"), some = wg_new_bb(e, "some"), join = wg_new_bb(e, "loaded"),
                      from[2];
    LLVMValueRef x[2], is_full = LLVMBuildICmp(e->L.b, LLVMIntEQ, mask, wg_i32(e, UINT32_MAX), "");
    struct wg_value copy = *a;
    LLVMBuildCondBr(e->L.b, is_full, full, some);
    LLVMPositionBuilderAtEnd(e->L.b, full);
    x[0] = load_all(e, a, stride);
    from[0] = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    x[1] = wg_gather(e, &copy, 8, 1, mask);
    from[1] = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(x[0]), "");
    LLVMAddIncoming(phi, x, from, 2);
    return phi;
}

LLVMValueRef wg_load_strided(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                             LLVMValueRef mask) {
    int64_t stride = plan->stride;
    if (!e->L.avx512) return load_without_masks(e, a, stride, mask);
    LLVMTypeRef t = LLVMVectorType(e->i8, BYTES), types[2] = {t, e->ptr};
    LLVMValueRef half[2];
    for (uint32_t h = 0; h < 2; h++) {
        LLVMValueRef args[4] = {half_address(e, a, stride, h), wg_i32(e, 1), half_mask(e, mask, stride, h),
                                LLVMConstNull(t)};
        LLVMValueRef x = wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, args, 4);
        if (stride == 3) x = spread(e, x, false);
        x = place(e, x, (int)stride, false);
        half[h] = LLVMBuildBitCast(e->L.b, x, LLVMVectorType(e->i32, HALF), "");
    }
    LLVMValueRef c[WG_LANES];
    for (uint32_t l = 0; l < WG_LANES; l++) c[l] = wg_i32(e, l);
    LLVMValueRef all = LLVMBuildShuffleVector(e->L.b, half[0], half[1], LLVMConstVector(c, WG_LANES), "");
    return wg_emit_resize(e, all, 8, false);
}

void wg_store_strided(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                      LLVMValueRef x, LLVMValueRef mask) {
    int64_t stride = plan->stride;
    LLVMTypeRef t = LLVMVectorType(e->i8, BYTES), types[2] = {t, e->ptr};
    for (uint32_t h = 0; h < 2; h++) {
        LLVMValueRef c[HALF];
        for (uint32_t l = 0; l < HALF; l++) c[l] = wg_i32(e, l + h * HALF);
        LLVMValueRef y =
            LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(c, HALF), "");
        y = LLVMBuildBitCast(e->L.b, wg_emit_resize(e, y, 32, false), t, "");
        if (stride == 3) y = spread(e, place(e, y, 3, true), true);
        LLVMValueRef args[4] = {y, half_address(e, a, stride, h), wg_i32(e, 1),
                                half_mask(e, mask, stride, h)};
        wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, args, 4);
    }
}
