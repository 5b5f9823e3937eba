/* Instruction selection of pure operations: dispatches an instruction to the lowering of its row.
 *
 * The path of one instruction:
 *     wg_ir_instr -> table below -> lower_*.c -> LLVM operations over b->lanes
 *     add.f16x2 d, a, b  is  add.f16 over twice the lanes:  <32 x i32> -> <64 x i16> -> ... -> <32 x i32>
 */
#include "jit/lower/lower_rows.h"

static wg_row_fn *const rows[WG_OP_COUNT] = {
#define ROW(row, fn) [WG_OP_##row] = wg_row_##fn,
#include "jit/lower/lower_rows.def"
};

bool wg_lower_pure(struct wg_lower *b, const struct wg_ir_instr *in, LLVMValueRef *src, LLVMValueRef *dst) {
    if (in->op >= WG_OP_COUNT || !rows[in->op]) return false;
    return wg_row_outlined(b, in, src, dst, rows[in->op]);
}

/* ---- Moves ---- */

bool wg_row_mov(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = wg_take(b, src[0], wg_type_bits(in->type));
    return true;
}

bool wg_row_mov_pack(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type), part = bits / in->nsrc;
    V all = NULL;
    for (unsigned i = 0; i < in->nsrc; i++) {
        V x = v_zext(b, wg_take(b, src[i], part), bits);
        if (i > 0) x = v_shl(b, x, v_k(b, bits, i * part));
        all = all ? v_or(b, all, x) : x;
    }
    dst[0] = all;
    return true;
}

bool wg_row_mov_unpack(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type), part = bits / in->ndst;
    V all = wg_take(b, src[0], bits);
    for (unsigned i = 0; i < in->ndst; i++)
        dst[i] = v_trunc(b, i ? v_lshr(b, all, v_k(b, bits, i * part)) : all, part);
    return true;
}
