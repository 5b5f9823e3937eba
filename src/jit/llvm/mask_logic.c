/* Workaround for an infinite loop in LLVM 19's DAG combiner, on masks that are computed from masks.
 *
 *     %m = or i32 %x, %y
 *     bitcast %m to <32 x i1>;  bitcast %x to <32 x i1>;  bitcast %y to <32 x i1>
 *
 * X86's combine replaces the first bitcast by an "or" of the other two, since they exist; the generic combine
 * turns it into a bitcast of the "or" again, and neither terminates (llvm/llvm-project issue 123333, fixed in
 * LLVM 20). The same holds for "xor", for sums without carries, and for constants in place of %x. An empty
 * inline assembly, which hides from LLVM how its result depends on %m, costs nothing and keeps them apart:
 *
 *     %hidden = call i32 asm "", "=r,0"(i32 %m)
 *     bitcast %hidden to <32 x i1>
 *
 * Runs last before code generation, and only for AVX-512: elsewhere masks have no registers of their own.
 */
#include "jit/llvm/optimise.h"

enum { FEWEST_LANES = 16, DEEPEST = 6 };

static bool is_mask(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(t)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(t)) == 1 && LLVMGetVectorSize(t) >= FEWEST_LANES;
}

/* An integer's bits, taken for lanes. */
static bool is_made_mask(LLVMValueRef v) {
    return LLVMIsABitCastInst(v) && is_mask(LLVMTypeOf(v)) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMIntegerTypeKind;
}

static bool is_logic(LLVMValueRef v) {
    if (!LLVMIsAInstruction(v)) return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMOr || op == LLVMXor || op == LLVMAdd;
}

static LLVMValueRef behind_casts(LLVMValueRef v) {
    while (LLVMIsAFreezeInst(v) || LLVMIsATruncInst(v) || LLVMIsAZExtInst(v)) v = LLVMGetOperand(v, 0);
    return v;
}

static bool is_used_as_mask(LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (is_made_mask(LLVMGetUser(u))) return true;
    return false;
}

/* Whether all its operands may also exist as masks that are bitcast from integers. */
static bool may_be_masks(LLVMValueRef v, int depth) {
    if (LLVMIsAConstantInt(v)) return true;
    if (is_used_as_mask(v)) return true;
    LLVMValueRef inner = behind_casts(v);
    if (inner != v && is_used_as_mask(inner)) return true;
    return depth < DEEPEST && is_logic(inner) && may_be_masks(LLVMGetOperand(inner, 0), depth + 1) &&
           may_be_masks(LLVMGetOperand(inner, 1), depth + 1);
}

static bool goes_round(LLVMValueRef v, int depth) {
    v = behind_casts(v);
    if (!is_logic(v) || depth == DEEPEST) return false;
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    return (may_be_masks(x, 1) && may_be_masks(y, 1)) || goes_round(x, depth + 1) || goes_round(y, depth + 1);
}

static LLVMValueRef hidden(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v), function = LLVMFunctionType(t, &t, 1, false);
    LLVMValueRef line =
        LLVMGetInlineAsm(function, "", 0, "=r,0", 4, false, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(b, function, line, &v, 1, "hidden");
}

/* "or" of two masks that are both used elsewhere, too: in integers, where it can be hidden. */
static void hide_vector(LLVMBuilderRef b, LLVMValueRef in) {
    LLVMValueRef part[2];
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef mask = LLVMGetOperand(in, k);
        if (!is_made_mask(mask) || !LLVMGetNextUse(LLVMGetFirstUse(mask))) return;
        part[k] = LLVMGetOperand(mask, 0);
    }
    LLVMPositionBuilderBefore(b, in);
    LLVMValueRef all = LLVMBuildBinOp(b, LLVMGetInstructionOpcode(in), part[0], part[1], "");
    LLVMReplaceAllUsesWith(in, LLVMBuildBitCast(b, hidden(b, all), LLVMTypeOf(in), ""));
    LLVMInstructionEraseFromParent(in);
}

static void look_at(LLVMBuilderRef b, LLVMValueRef in) {
    LLVMOpcode op = LLVMGetInstructionOpcode(in);
    if ((op == LLVMOr || op == LLVMXor) && is_mask(LLVMTypeOf(in))) return hide_vector(b, in);
    if (!is_made_mask(in) || !goes_round(LLVMGetOperand(in, 0), 0)) return;
    LLVMPositionBuilderBefore(b, in);
    LLVMSetOperand(in, 0, hidden(b, LLVMGetOperand(in, 0)));
}

void wg_hide_mask_logic(struct wg_emit *e) {
    if (!e->L.avx512) return;
    for (LLVMValueRef f = LLVMGetFirstFunction(e->L.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                look_at(e->L.b, in);
            }
}
