/* Workaround for a miscompilation in LLVM 19's instruction selection: bit selects under a mask.
 *
 *     %o = or (and %x, C), (and %y, ~C)           bits of x where C has ones, of y elsewhere
 *     %s = select <16 x i1> %lanes, %o, %y
 *
 * becomes one masked vpternlogd. Where x, y or C is loaded from memory, LLVM's pattern for two of the six
 * operand orders (X86InstrAVX512.td, "matching masked loads with different operand orders") computes the
 * truth table of another function. GENERAL code is full of such selects, because it merges each result into
 * the active lanes. A freeze between the two keeps the pattern from matching; it costs one masked move.
 *
 * Runs last before code generation: no later IR pass can move the freeze.
 */
#include "jit/emit/emit.h"

static LLVMValueRef behind_bitcasts(LLVMValueRef v) {
    while (LLVMIsABitCastInst(v)) v = LLVMGetOperand(v, 0);
    return v;
}

/* An addition whose operands have no common bits is an or. */
static bool may_have_zeros(LLVMValueRef v) {
    v = behind_bitcasts(v);
    if (!LLVMIsAInstruction(v)) return LLVMIsAConstant(v) != NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
    case LLVMShl:
    case LLVMLShr:
    case LLVMZExt:
    case LLVMSelect: return true;
    default: return false;
    }
}

static bool may_select_bits(LLVMValueRef v) {
    v = behind_bitcasts(v);
    if (!LLVMIsAInstruction(v)) return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMOr:
    case LLVMXor:
    case LLVMCall: return true; /* calls: copysign, fshl, bswap, and lop3's own vpternlogd */
    case LLVMShuffleVector:     /* two vectors concatenated */
        return may_select_bits(LLVMGetOperand(v, 0)) || may_select_bits(LLVMGetOperand(v, 1));
    case LLVMAdd: return may_have_zeros(LLVMGetOperand(v, 0)) && may_have_zeros(LLVMGetOperand(v, 1));
    default: return false;
    }
}

static void set_apart(LLVMBuilderRef b, LLVMValueRef select) {
    LLVMPositionBuilderBefore(b, select);
    for (unsigned i = 1; i < 3; i++) {
        LLVMValueRef v = LLVMGetOperand(select, i);
        if (may_select_bits(v)) LLVMSetOperand(select, i, LLVMBuildFreeze(b, v, ""));
    }
}

void wg_emit_set_bit_selects_apart(struct wg_emit *e) {
    for (LLVMValueRef f = LLVMGetFirstFunction(e->L.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
                if (LLVMIsASelectInst(in) &&
                    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(in, 0))) == LLVMVectorTypeKind)
                    set_apart(e->L.b, in);
}
