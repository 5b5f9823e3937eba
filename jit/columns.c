/* A piece of each row in one access, turned in registers: see columns.h.
 *
 *     out[y * n + x] = in[x * n + y];     16 warps, y = 0 .. 15: of row x the words y ... y + 15
 *
 * Warps one after the other would gather from 32 lines each, the same ones each time, and where rows are a
 * power of two apart these lie in one set of the cache and are gone before the next warp comes. The turning
 * is a function of ours (turn.c) that works on an array of the warps' lanes: LLVM takes long over so many
 * shuffles.
 */
#include "jit/columns.h"

enum { WORD = 4, MOST = 16 };

/* The first row, and how far it is to the next. */
static LLVMValueRef distance(struct wg_emit *e, const struct wg_value *a) {
    if (!a->r) return wg_i64(e, (uint64_t)a->k[1]);
    return LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)a->r[1]), "");
}

static LLVMValueRef array_of(struct wg_emit *e, uint32_t n) {
    LLVMTypeRef t = LLVMArrayType2(LLVMVectorType(e->i32, WG_LANES), n);
    LLVMValueRef a = LLVMBuildAlloca(e->entry_b, t, "turned");
    LLVMSetAlignment(a, 64);
    return a;
}

/* What another block will touch is asked for: nothing else sees rows that are pages apart coming. */
static LLVMValueRef far_ahead(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first) {
    LLVMValueRef far = in->space == WG_S_SHARED ? NULL : wg_emit_blocks_apart(e, in, first->base);
    return far ? far : wg_i64(e, 0);
}

/* Between `rows` rows in memory and the array, where a word of all rows lies together. */
static void turn(struct wg_emit *e, const struct wg_ir_instr *access, const struct wg_value *first,
                 uint32_t rows, uint32_t words, LLVMValueRef array) {
    bool load = access->op == WG_OP_LD;
    LLVMValueRef step = distance(e, first), pitch = wg_i64(e, rows * WORD), none = wg_i64(e, 0),
                 past = load ? NULL : wg_streams_rows(e, access, first->base, step, words * WORD);
    LLVMValueRef far = past ? none : far_ahead(e, access, first);
    for (uint32_t at = 0; at < rows; at += MOST) {
        uint32_t n = rows - at < MOST ? rows - at : MOST;
        LLVMValueRef to = LLVMBuildMul(e->L.b, step, wg_i64(e, at), "");
        LLVMValueRef row = LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, first->base, to, ""), e->ptr, "");
        LLVMValueRef part = wg_field(e, e->L.b, array, at * WORD);
        LLVMValueRef in[9] = {row, step, wg_i32(e, n), part, pitch, wg_i32(e, words),
                              far, none, wg_i32(e, 0)};
        LLVMValueRef out[9] = {part, pitch, wg_i32(e, words),          row, step, wg_i32(e, n),
                               none, far,   past ? past : wg_i32(e, 0)};
        wg_call_helper(e, "wg_jit_turn", LLVMVoidTypeInContext(e->L.ctx), load ? in : out, 9);
    }
}

void wg_columns_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first,
                     uint32_t rows, uint32_t n, LLVMValueRef *x) {
    LLVMValueRef array = array_of(e, n);
    turn(e, in, first, rows, n * WG_LANES / rows, array);
    for (uint32_t k = 0; k < n; k++) {
        LLVMTypeRef t = LLVMVectorType(e->i32, WG_LANES);
        x[k] = LLVMBuildLoad2(e->L.b, t, wg_field(e, e->L.b, array, k * WG_LANES * WORD), "");
        LLVMSetAlignment(x[k], 64);
    }
}

void wg_columns_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first,
                      uint32_t rows, uint32_t n, const LLVMValueRef *x) {
    LLVMValueRef array = array_of(e, n);
    for (uint32_t k = 0; k < n; k++) {
        LLVMValueRef at = wg_field(e, e->L.b, array, k * WG_LANES * WORD);
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x[k], at), 64);
    }
    turn(e, in, first, rows, n * WG_LANES / rows, array);
}
