/* Masked accesses without a host instruction are outlined, one function for each kind.
 *
 * LLVM scalarizes them with a branch for each lane: 64 blocks for 32 lanes, and its register allocator visits
 * all blocks for each value that is live across them. A kernel of 600 lines of PTX had 40000 blocks for SSE4
 * and took 40 seconds to compile. So where there are many, each kind of access is one function, called in the
 * access's place:
 *
 *     %x = llvm.masked.gather(%p, 4, %mask, zero)   ->   %x = call @masked.gather...4.zero(%p, %mask)
 *
 * The cost of a call is small beside 32 branches.
 */
#include "jit/llvm/optimise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MANY = 48, /* accesses; fewer stay in place, so that LLVM sees how their masks are computed */
    MOST_ARGUMENTS = 4
};

enum kind { LOAD, STORE, GATHER, SCATTER, KINDS };
static const char *const names[KINDS] = {"llvm.masked.load.", "llvm.masked.store.", "llvm.masked.gather.",
                                         "llvm.masked.scatter."};
static const struct {
    unsigned alignment, mask, n;
} arguments[KINDS] = {{1, 2, 4}, {2, 3, 4}, {1, 2, 4}, {2, 3, 4}};

/* KINDS: another instruction, or one that stays as it is. */
static enum kind kind_of(const struct wg_emit *e, LLVMValueRef in) {
    if (!LLVMIsACallInst(in)) return KINDS;
    LLVMValueRef callee = LLVMGetCalledValue(in);
    size_t length;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    enum kind k = LOAD;
    while (k < KINDS && strncmp(name, names[k], strlen(names[k])) != 0) k++;
    if (k == KINDS || LLVMIsConstant(LLVMGetOperand(in, arguments[k].mask))) return KINDS;
    bool gives = k == LOAD || k == GATHER;
    LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(gives ? in : LLVMGetOperand(in, 0)));
    bool small = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) < 32;
    return !e->L.avx2 || k == SCATTER || small ? k : KINDS;
}

/* Whether an argument is a constant inside the function: operands that LLVM requires to be constant, and
 * mostly the pass-through value of inactive lanes. */
static bool is_inside(enum kind k, LLVMValueRef in, unsigned i) {
    LLVMValueRef x = LLVMGetOperand(in, i);
    if (i == arguments[k].alignment) return true;
    return (k == LOAD || k == GATHER) && i == 3 && LLVMIsConstant(x) && (LLVMIsUndef(x) || LLVMIsNull(x));
}

void wg_copy_attribute(LLVMValueRef to, LLVMValueRef from, const char *key) {
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(from, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                       key, (unsigned)strlen(key));
    if (a) LLVMAddAttributeAtIndex(to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

static LLVMValueRef make(struct wg_emit *e, enum kind k, LLVMValueRef in, const char *name,
                         LLVMTypeRef type) {
    LLVMValueRef f = LLVMAddFunction(e->L.module, name, type), args[MOST_ARGUMENTS];
    LLVMTypeRef called = LLVMGetCalledFunctionType(in);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
    wg_copy_attribute(f, e->fn, "prefer-vector-width");
    wg_copy_attribute(f, e->fn, "min-legal-vector-width");
    LLVMPositionBuilderAtEnd(e->L.b, LLVMAppendBasicBlockInContext(e->L.ctx, f, ""));
    for (unsigned i = 0, p = 0; i < arguments[k].n; i++)
        args[i] = is_inside(k, in, i) ? LLVMGetOperand(in, i) : LLVMGetParam(f, p++);
    LLVMValueRef x = LLVMBuildCall2(e->L.b, called, LLVMGetCalledValue(in), args, arguments[k].n, "");
    if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(e->L.b);
    else
        LLVMBuildRet(e->L.b, x);
    return f;
}

static void set_apart(struct wg_emit *e, enum kind k, LLVMValueRef in) {
    LLVMValueRef args[MOST_ARGUMENTS];
    LLVMTypeRef types[MOST_ARGUMENTS];
    unsigned n = 0;
    size_t length;
    char name[160];
    bool zero = is_inside(k, in, 3) && !LLVMIsUndef(LLVMGetOperand(in, 3));
    for (unsigned i = 0; i < arguments[k].n; i++)
        if (!is_inside(k, in, i)) types[n] = LLVMTypeOf(args[n] = LLVMGetOperand(in, i)), n++;
    /* The intrinsic's name has its types. */
    snprintf(name, sizeof name, "%s.%llu.%u%s", LLVMGetValueName2(LLVMGetCalledValue(in), &length) + 5,
             LLVMConstIntGetZExtValue(LLVMGetOperand(in, arguments[k].alignment)), n, zero ? ".zero" : "");
    LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(in), types, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(e->L.module, name);
    if (!f) f = make(e, k, in, name, type);
    LLVMPositionBuilderBefore(e->L.b, in);
    LLVMValueRef call = LLVMBuildCall2(e->L.b, type, f, args, n, "");
    LLVMSetInstructionCallConv(call, LLVMCCallConv);
    LLVMReplaceAllUsesWith(in, call);
    LLVMInstructionEraseFromParent(in);
}

void wg_split_masks(struct wg_emit *e) {
    WG_VEC(LLVMValueRef) found = {0};
    if (e->L.avx512) return; /* it has instructions for all of those that are made */
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(e->fn); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (kind_of(e, in) != KINDS) *WG_PUSH(&found) = in;
    for (uint32_t i = 0; i < found.n && found.n > MANY; i++) set_apart(e, kind_of(e, found.v[i]), found.v[i]);
    free(found.v);
}
