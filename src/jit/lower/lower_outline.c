/* Outlined lowerings: rows of hundreds of machine instructions become one function per module and row, called
 * in the row's place.
 *
 *     sin.approx.f32 %f2, %f1   ->   %f2 = call intel_ocl_bicc <32 x i32> @sin.approx(<32 x i32> %f1)
 *
 * Code generation takes milliseconds for a sine and its time grows with the code, so a kernel with ten of
 * them would take a tenth of a second to compile. The calling convention keeps half of the vector registers.
 */
#include "jit/lower/lower_rows.h"

#include <stdio.h>

static bool is_long(uint32_t op) {
    switch (op) {
    case WG_OP_SIN_A:
    case WG_OP_COS_A:
    case WG_OP_LG2_A:
    case WG_OP_EX2_A:
    case WG_OP_TANH_A: return true;
    default: return false;
    }
}

static V make(struct wg_lower *b, const char *name, LLVMTypeRef t, const struct wg_ir_instr *in,
              wg_row_fn *row) {
    V f = LLVMAddFunction(b->module, name, t), src[3], dst[2] = {0};
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(f, LLVMIntelOCLBICallConv);
    struct wg_lower inside = *b;
    inside.b = LLVMCreateBuilderInContext(b->ctx);
    LLVMPositionBuilderAtEnd(inside.b, LLVMAppendBasicBlockInContext(b->ctx, f, ""));
    for (unsigned i = 0; i < in->nsrc; i++) src[i] = LLVMGetParam(f, i);
    bool done = row(&inside, in, src, dst);
    if (done) LLVMBuildRet(inside.b, dst[0]);
    LLVMDisposeBuilder(inside.b);
    if (done) return f;
    LLVMDeleteFunction(f);
    return NULL;
}

bool wg_row_outlined(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst, wg_row_fn *row) {
    if (!is_long(in->op) || b->lanes == 1 || in->nsrc > 3 || in->ndst != 1) return row(b, in, src, dst);
    char name[128];
    int n = snprintf(name, sizeof name, "%s.%u.%u.%u.", wg_op_name(in->op), b->lanes, in->type, in->type2);
    for (unsigned i = 0; i < WG_MC_COUNT; i++)
        n += snprintf(name + n, sizeof name - (size_t)n, "%02x", in->mod[i]);
    LLVMTypeRef of[3];
    for (unsigned i = 0; i < in->nsrc; i++) {
        of[i] = LLVMTypeOf(src[i]);
        n += snprintf(name + n, sizeof name - (size_t)n, ".%u", wg_bits_of(src[i]));
    }
    V f = LLVMGetNamedFunction(b->module, name);
    /* All of them give as many bits as they take. */
    LLVMTypeRef t = LLVMFunctionType(wg_lower_int(b, wg_type_bits(in->type)), of, in->nsrc, 0);
    if (!f && !(f = make(b, name, t, in, row))) return false;
    dst[0] = wg_pure_call(b, LLVMBuildCall2(b->b, t, f, src, in->nsrc, ""));
    LLVMSetInstructionCallConv(dst[0], LLVMIntelOCLBICallConv);
    return true;
}
