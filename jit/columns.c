/* A piece of each row in one access, turned in registers: see columns.h.
 *
 *     out[y * n + x] = in[x * n + y];     16 warps, y = 0 .. 15: of row x the elements y ... y + 15
 *
 * Warps one after the other would gather from 32 lines each, the same ones each time, and where rows are a
 * power of two apart these lie in one set of the cache and are gone before the next warp comes. The turning
 * is a function of ours (turn.c) that works on an array of the warps' lanes: LLVM takes long over so many
 * shuffles.
 */
#include "jit/columns.h"

enum { MOST = 16 };

static LLVMTypeRef lanes_of(struct wg_emit *e, uint32_t bits) {
    return LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), WG_LANES);
}

/* The first row, and how far it is to the next. */
static LLVMValueRef distance(struct wg_emit *e, const struct wg_value *a) {
    if (!a->r) return wg_i64(e, (uint64_t)a->k[1]);
    return LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)a->r[1]), "");
}

static LLVMValueRef array_of(struct wg_emit *e, uint32_t n, uint32_t bits) {
    LLVMTypeRef t = LLVMArrayType2(lanes_of(e, bits), n);
    LLVMValueRef a = LLVMBuildAlloca(e->entry_b, t, "turned");
    LLVMSetAlignment(a, 64);
    return a;
}

/* What another block will touch is asked for: nothing else sees rows that are pages apart coming. */
static LLVMValueRef far_ahead(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first) {
    LLVMValueRef far = in->space == WG_S_SHARED ? NULL : wg_emit_blocks_apart(e, in, first->base);
    return far ? far : wg_i64(e, 0);
}

static const char *helper_of(uint32_t bits) {
    switch (bits) {
    case 8: return "wg_jit_turn8";
    case 16: return "wg_jit_turn16";
    case 32: return "wg_jit_turn32";
    default: return "wg_jit_turn64";
    }
}

/* Between `rows` rows of `elements` in memory and the array, where an element of all rows lies together. */
static void turn(struct wg_emit *e, const struct wg_ir_instr *access, const struct wg_value *first,
                 uint32_t rows, uint32_t elements, LLVMValueRef array) {
    bool load = access->op == WG_OP_LD;
    uint32_t bits = wg_type_bits(access->type), bytes = bits / 8;
    LLVMValueRef step = distance(e, first), pitch = wg_i64(e, rows * bytes), none = wg_i64(e, 0),
                 past = load ? NULL : wg_streams_rows(e, access, first->base, step, rows, elements * bytes);
    LLVMValueRef far = past ? none : far_ahead(e, access, first);
    for (uint32_t at = 0; at < rows; at += MOST) {
        uint32_t n = rows - at < MOST ? rows - at : MOST;
        LLVMValueRef to = LLVMBuildMul(e->L.b, step, wg_i64(e, at), "");
        LLVMValueRef row = LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, first->base, to, ""), e->ptr, "");
        LLVMValueRef part = wg_field(e, e->L.b, array, at * bytes);
        LLVMValueRef in[9] = {row, step, wg_i32(e, n), part, pitch, wg_i32(e, elements),
                              far, none, wg_i32(e, 0)};
        LLVMValueRef out[9] = {part, pitch, wg_i32(e, elements),       row, step, wg_i32(e, n),
                               none, far,   past ? past : wg_i32(e, 0)};
        wg_call_helper(e, helper_of(bits), LLVMVoidTypeInContext(e->L.ctx), load ? in : out, 9);
    }
}

void wg_columns_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first,
                     uint32_t rows, uint32_t n, LLVMValueRef *x) {
    uint32_t bits = wg_type_bits(in->type), bytes = WG_LANES * bits / 8;
    LLVMValueRef array = array_of(e, n, bits);
    turn(e, in, first, rows, n * WG_LANES / rows, array);
    for (uint32_t k = 0; k < n; k++) {
        x[k] = LLVMBuildLoad2(e->L.b, lanes_of(e, bits), wg_field(e, e->L.b, array, k * bytes), "");
        LLVMSetAlignment(x[k], 32);
    }
}

void wg_columns_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first,
                      uint32_t rows, uint32_t n, const LLVMValueRef *x) {
    uint32_t bits = wg_type_bits(in->type), bytes = WG_LANES * bits / 8;
    LLVMValueRef array = array_of(e, n, bits);
    for (uint32_t k = 0; k < n; k++) {
        LLVMValueRef at = wg_field(e, e->L.b, array, k * bytes);
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x[k], at), 32);
    }
    turn(e, in, first, rows, n * WG_LANES / rows, array);
}
