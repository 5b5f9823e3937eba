/* Scalarizes masked stores with a constant mask, and limits store merging in long rows of scalar stores.
 *
 * A masked store without AVX-512 takes AMD's processors as long as twelve stores. Where the mask is constant
 * and leaves few runs of lanes on, each run is a store of its own:
 *
 *     llvm.masked.store(%x, %p, 4, <1 0 1 0 0 0 0 0>)   ->   store x[0], p;  store x[2], p + 8
 *
 * A scatter without AVX-512, or a masked store of a lane or two, becomes a scalar store for each lane. LLVM
 * compares each such store of a block with every other one, repeatedly, to merge them: a loop of ten lines,
 * all lanes of eight warps jammed, took 16 seconds to compile for AVX2 and takes 0.2. So after some of them
 * it gets a fence, which it does not look across and which is no instruction of the CPU.
 */
#include "jit/llvm/optimise.h"

#include <string.h>

enum { STORES = 16 }; /* between fences */

static bool is_call_of(LLVMValueRef in, const char *name) {
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(in);
    return LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), name, strlen(name)) == 0;
}

static bool is_on(LLVMValueRef mask, unsigned lane) {
    LLVMValueRef bit = LLVMGetAggregateElement(mask, lane);
    return bit && LLVMIsAConstantInt(bit) && LLVMConstIntGetZExtValue(bit) != 0;
}

static unsigned lanes_of(LLVMValueRef mask) {
    unsigned lanes = 0, n = LLVMGetVectorSize(LLVMTypeOf(mask));
    for (unsigned i = 0; i < n; i++) lanes += is_on(mask, i);
    return lanes;
}

/* The number of scalar stores that it becomes, in this block. */
static unsigned stores_of(const struct wg_emit *e, LLVMValueRef in) {
    if (!LLVMIsACallInst(in)) return 0;
    bool scatter = !e->L.avx512 && is_call_of(in, "llvm.masked.scatter.");
    if (!scatter && !is_call_of(in, "llvm.masked.store.")) return 0;
    LLVMValueRef mask = LLVMGetOperand(in, 3);
    unsigned lanes = LLVMIsConstant(mask) ? lanes_of(mask) : 0;
    return scatter || lanes == 1 ? lanes : 0;
}

/* Active lanes [first, first + n), as many as one store writes: a power of two. */
struct run {
    unsigned first, n;
};

/* The runs of a masked store; 0: there are so many per vector that they take as long as the masked store. */
static unsigned find_runs(LLVMValueRef mask, unsigned vector, struct run *runs) {
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(mask)), count = 0;
    for (unsigned v = 0; v < n; v += vector) {
        unsigned before = count;
        for (unsigned l = v; l < v + vector && l < n;) {
            unsigned on = 0;
            while (l + on < n && l + on < v + vector && is_on(mask, l + on)) on++;
            while (on & (on - 1)) on &= on - 1;
            if (on) runs[count++] = (struct run){l, on};
            l += on ? on : 1;
        }
        if (count - before > vector / 2) return 0;
    }
    return count;
}

static void store_run(struct wg_emit *e, LLVMValueRef x, LLVMValueRef to, const struct run *r,
                      unsigned bytes) {
    LLVMValueRef c[WG_LANES], at = wg_i64(e, (uint64_t)r->first * bytes);
    for (unsigned l = 0; l < r->n; l++) c[l] = wg_i32(e, r->first + l);
    x = r->n == 1
            ? LLVMBuildExtractElement(e->L.b, x, c[0], "")
            : LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(c, r->n), "");
    LLVMSetAlignment(LLVMBuildStore(e->L.b, x, LLVMBuildGEP2(e->L.b, e->i8, to, &at, 1, "")), bytes);
}

static unsigned bytes_of(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind: return 4;
    case LLVMDoubleTypeKind: return 8;
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(t) / 8;
    default: return 0;
    }
}

/* Replaces a masked store; returns the last store; NULL: it stays. */
static LLVMValueRef in_runs(struct wg_emit *e, LLVMValueRef in, unsigned *stores) {
    struct run runs[WG_LANES];
    if (!e->L.avx2 || e->L.avx512 || !LLVMIsACallInst(in) || !is_call_of(in, "llvm.masked.store."))
        return NULL;
    LLVMValueRef x = LLVMGetOperand(in, 0), to = LLVMGetOperand(in, 1), mask = LLVMGetOperand(in, 3);
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(x)), bytes = bytes_of(LLVMGetElementType(LLVMTypeOf(x)));
    if (!LLVMIsConstant(mask) || n > WG_LANES || bytes < 4 ||
        bytes > LLVMConstIntGetZExtValue(LLVMGetOperand(in, 2)))
        return NULL;
    unsigned count = find_runs(mask, 32 / bytes, runs);
    if (!count) return NULL;
    LLVMPositionBuilderBefore(e->L.b, in);
    for (unsigned i = 0; i < count; i++) store_run(e, x, to, &runs[i], bytes);
    *stores += count;
    LLVMValueRef last = LLVMGetPreviousInstruction(in);
    LLVMInstructionEraseFromParent(in);
    return last;
}

void wg_part_store_runs(struct wg_emit *e) {
    for (LLVMValueRef f = LLVMGetFirstFunction(e->L.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb)) {
            unsigned stores = 0;
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
                LLVMValueRef last = in_runs(e, in, &stores);
                if (last) in = last;
                if ((stores += stores_of(e, in)) < STORES) continue;
                LLVMPositionBuilderBefore(e->L.b, LLVMGetNextInstruction(in));
                LLVMBuildFence(e->L.b, LLVMAtomicOrderingAcquireRelease, 1, "");
                stores = 0;
            }
        }
}
