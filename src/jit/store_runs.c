/* Many stores of single lanes in a row.
 *
 * A scatter without AVX-512, or a masked store of a lane or two, becomes a store of a number for each lane.
 * LLVM holds each such store of a block against each other, time and again, to make wider ones of them: a
 * loop of ten lines, all lanes of eight warps side by side, took 16 seconds to compile for AVX2 and takes
 * 0.2. So after some of them it sees a fence, which it does not look across and which is no instruction of
 * the CPU.
 */
#include "jit/optimise.h"

#include <string.h>

enum { STORES = 16 }; /* between fences */

static bool is_call_of(LLVMValueRef in, const char *name) {
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(in);
    return LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), name, strlen(name)) == 0;
}

static unsigned lanes_of(LLVMValueRef mask) {
    unsigned lanes = 0, n = LLVMGetVectorSize(LLVMTypeOf(mask));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef bit = LLVMGetAggregateElement(mask, i);
        if (bit && LLVMIsAConstantInt(bit)) lanes += LLVMConstIntGetZExtValue(bit) != 0;
    }
    return lanes;
}

/* How many stores of numbers become of it, in this block. */
static unsigned stores_of(const struct wg_emit *e, LLVMValueRef in) {
    if (!LLVMIsACallInst(in)) return 0;
    bool scatter = !e->L.avx512 && is_call_of(in, "llvm.masked.scatter.");
    if (!scatter && !is_call_of(in, "llvm.masked.store.")) return 0;
    LLVMValueRef mask = LLVMGetOperand(in, 3);
    unsigned lanes = LLVMIsConstant(mask) ? lanes_of(mask) : 0;
    return scatter || lanes == 1 ? lanes : 0;
}

void wg_part_store_runs(struct wg_emit *e) {
    for (LLVMValueRef f = LLVMGetFirstFunction(e->L.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb)) {
            unsigned stores = 0;
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
                if ((stores += stores_of(e, in)) < STORES) continue;
                LLVMPositionBuilderBefore(e->L.b, LLVMGetNextInstruction(in));
                LLVMBuildFence(e->L.b, LLVMAtomicOrderingAcquireRelease, 1, "");
                stores = 0;
            }
        }
}
