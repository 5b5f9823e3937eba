/* Turns the bits of masks into lanes, for hosts without mask registers.
 *
 * Without AVX-512 a mask of lanes is a vector of bytes, words or floats, all ones or zeros. LLVM makes it from an
 * integer's bits quickly only where a select uses it at once. Before a masked access, or where it meets the result
 * of a compare, LLVM shifts out each bit and inserts it: 132 instructions for 32 lanes. Four do:
 *
 *     bitcast i32 %m to <32 x i1>   ->   %bytes = shufflevector (bitcast %m to <4 x i8>), <0 x 8, 1 x 8, 2 x 8, 3 x 8>
 *                                        icmp eq (and %bytes, <1, 2, 4 ... 128, 1, 2 ...>), <1, 2, 4 ... 128, 1, 2 ...>
 *
 * They are made in each block that uses the mask: in a register, a mask is an integer between blocks.
 *
 * Runs last before code generation: the optimiser knows that a mask of bits of a mask is this mask.
 */
#include "jit/llvm/optimise.h"

#include <stdlib.h>

enum { BITS_OF_BYTE = 8 };

/* Whether it takes an integer's bits for lanes, of which a byte has as many as bits, or several bytes. */
static bool is_made_mask(LLVMValueRef in) {
    if (!LLVMIsABitCastInst(in)) return false;
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(in, 0)), to = LLVMTypeOf(in);
    if (LLVMGetTypeKind(from) != LLVMIntegerTypeKind || LLVMGetTypeKind(to) != LLVMVectorTypeKind)
        return false;
    if (LLVMGetIntTypeWidth(LLVMGetElementType(to)) != 1) return false;
    return LLVMGetIntTypeWidth(from) % BITS_OF_BYTE == 0 && LLVMGetIntTypeWidth(from) <= WG_LANES;
}

/* Whether LLVM does well with the bits: they become an integer again, or are tested one by one. */
static bool wants_bits(const struct wg_emit *e, LLVMValueRef user) {
    return LLVMIsABitCastInst(user) || LLVMIsAExtractElementInst(user) || LLVMIsAPHINode(user) ||
           (LLVMIsACallInst(user) && !e->L.avx2);
}

static LLVMValueRef spread(struct wg_emit *e, LLVMValueRef bits) {
    LLVMBuilderRef b = e->L.b;
    uint32_t n = LLVMGetIntTypeWidth(LLVMTypeOf(bits));
    LLVMValueRef byte[WG_LANES], bit[WG_LANES];
    for (uint32_t l = 0; l < n; l++) {
        byte[l] = wg_i32(e, l / BITS_OF_BYTE);
        bit[l] = LLVMConstInt(e->i8, 1u << l % BITS_OF_BYTE, 0);
    }
    LLVMValueRef x = LLVMBuildBitCast(b, bits, LLVMVectorType(e->i8, n / BITS_OF_BYTE), "");
    x = LLVMBuildShuffleVector(b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(byte, n), "");
    x = LLVMBuildAnd(b, x, LLVMConstVector(bit, n), "");
    return LLVMBuildICmp(b, LLVMIntEQ, x, LLVMConstVector(bit, n), "spread");
}

static LLVMValueRef first_of(LLVMBasicBlockRef block) {
    LLVMValueRef in = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(in)) in = LLVMGetNextInstruction(in);
    return in;
}

/* Gives the users in one block lanes that are made there. */
static void spread_in(struct wg_emit *e, LLVMValueRef mask, LLVMBasicBlockRef block) {
    LLVMPositionBuilderBefore(e->L.b, block == LLVMGetInstructionParent(mask) ? mask : first_of(block));
    LLVMValueRef lanes = spread(e, LLVMGetOperand(mask, 0));
    for (LLVMUseRef use = LLVMGetFirstUse(mask), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMGetInstructionParent(user) != block || wants_bits(e, user)) continue;
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == mask) LLVMSetOperand(user, (unsigned)i, lanes);
        next = LLVMGetFirstUse(mask);
    }
}

void wg_spread_masks(struct wg_emit *e) {
    WG_VEC(LLVMValueRef) masks = {0};
    if (e->L.avx512) return;
    for (LLVMValueRef f = LLVMGetFirstFunction(e->L.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
                if (is_made_mask(in)) *WG_PUSH(&masks) = in;
    for (uint32_t i = 0; i < masks.n; i++) {
        LLVMUseRef use = LLVMGetFirstUse(masks.v[i]);
        while (use) {
            LLVMValueRef user = LLVMGetUser(use);
            if (wants_bits(e, user)) {
                use = LLVMGetNextUse(use);
                continue;
            }
            spread_in(e, masks.v[i], LLVMGetInstructionParent(user));
            use = LLVMGetFirstUse(masks.v[i]);
        }
        if (!LLVMGetFirstUse(masks.v[i])) LLVMInstructionEraseFromParent(masks.v[i]);
    }
    free(masks.v);
}
