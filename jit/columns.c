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

enum { WORD = 4, MOST = 16, LINE = 64 };

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

/* How far it is to the words of the same rows that a later strip of blocks will want. */
static uint32_t next_strip(const struct wg_emit *e, uint32_t rows) {
    const uint32_t *n = e->opts->ntid;
    return n[0] * n[1] * n[2] / rows * WORD < LINE ? LINE : 2 * LINE;
}

/* Between `rows` rows in memory and the array, where a word of all rows lies together. */
static void turn(struct wg_emit *e, const struct wg_value *first, uint32_t rows, uint32_t words,
                 LLVMValueRef array, bool load) {
    LLVMValueRef step = distance(e, first), pitch = wg_i64(e, rows * WORD),
                 ahead = wg_i32(e, next_strip(e, rows));
    for (uint32_t at = 0; at < rows; at += MOST) {
        uint32_t n = rows - at < MOST ? rows - at : MOST;
        LLVMValueRef far = LLVMBuildMul(e->L.b, step, wg_i64(e, at), "");
        LLVMValueRef row = LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, first->base, far, ""), e->ptr, "");
        LLVMValueRef part = wg_field(e, e->L.b, array, at * WORD);
        LLVMValueRef in[7] = {row, step, wg_i32(e, n), part, pitch, wg_i32(e, words), ahead};
        LLVMValueRef out[7] = {part, pitch, wg_i32(e, words), row, step, wg_i32(e, n), ahead};
        wg_call_helper(e, "wg_jit_turn", LLVMVoidTypeInContext(e->L.ctx), load ? in : out, 7);
    }
}

void wg_columns_load(struct wg_emit *e, const struct wg_value *first, uint32_t rows, uint32_t n,
                     LLVMValueRef *x) {
    LLVMValueRef array = array_of(e, n);
    turn(e, first, rows, n * WG_LANES / rows, array, true);
    for (uint32_t k = 0; k < n; k++) {
        LLVMTypeRef t = LLVMVectorType(e->i32, WG_LANES);
        x[k] = LLVMBuildLoad2(e->L.b, t, wg_field(e, e->L.b, array, k * WG_LANES * WORD), "");
        LLVMSetAlignment(x[k], 64);
    }
}

void wg_columns_store(struct wg_emit *e, const struct wg_value *first, uint32_t rows, uint32_t n,
                      const LLVMValueRef *x) {
    LLVMValueRef array = array_of(e, n);
    for (uint32_t k = 0; k < n; k++) {
        LLVMValueRef at = wg_field(e, e->L.b, array, k * WG_LANES * WORD);
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x[k], at), 64);
    }
    turn(e, first, rows, n * WG_LANES / rows, array, false);
}
