/* Masks of the lanes whose access a check refused and which do not execute it (instr/check.c decides
 * which). */
#include "jit/access/access.h"

LLVMValueRef wg_check_refused(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->checked ? e->check.refused : NULL;
}

LLVMValueRef wg_check_mask(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask) {
    LLVMValueRef refused = wg_check_refused(e, in);
    return refused ? LLVMBuildAnd(e->L.b, mask, LLVMBuildNot(e->L.b, refused, ""), "") : mask;
}

LLVMValueRef wg_check_zeros(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef x) {
    LLVMValueRef refused = wg_check_refused(e, in);
    if (!refused || LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVectorTypeKind) return x;
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef none = in->op == WG_OP_CHECK_LD ? LLVMConstAllOnes(t) : LLVMConstNull(t);
    return LLVMBuildSelect(e->L.b, wg_emit_bits(e, refused), none, x, "");
}
