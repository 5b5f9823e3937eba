/* Masked loads and stores of bytes and 16-bit words, for hosts without AVX-512.
 *
 * LLVM scalarizes them: a test, a branch and an access for each lane. Active lanes are mostly consecutive: in
 * a row's first or last warp, all but some. So such an access becomes a call, which handles the lanes run by
 * run:
 *
 *     store    the vector is spilled to the stack, from where each run is copied, by two pieces that overlap:
 *              31 bytes are 16 and 16
 *     load     a vector that is within one page is loaded whole, for no lane of it faults where an active one
 *              does not; another one is copied to the stack, run by run
 */
#include "jit/llvm/optimise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64, MOST_PIECE = 32, PAGE = 4096 };

/* Code of one such function. */
struct body {
    struct wg_emit *e;
    LLVMValueRef f;
    uint32_t lanes, bytes; /* of an element */
    LLVMTypeRef bits, vector;
};

static LLVMBasicBlockRef block(const struct body *c) {
    return LLVMAppendBasicBlockInContext(c->e->L.ctx, c->f, "");
}

static LLVMValueRef ahead(const struct body *c, LLVMValueRef p, LLVMValueRef by) {
    return LLVMBuildGEP2(c->e->L.b, c->e->i8, p, &by, 1, "");
}

static void copy_piece(const struct body *c, LLVMValueRef to, LLVMValueRef from, LLVMValueRef at,
                       uint32_t n) {
    LLVMBuilderRef b = c->e->L.b;
    LLVMTypeRef t = n > 8 ? LLVMVectorType(c->e->i64, n / 8) : LLVMIntTypeInContext(c->e->L.ctx, n * 8);
    LLVMValueRef x = LLVMBuildLoad2(b, t, ahead(c, from, at), "");
    LLVMSetAlignment(x, 1);
    LLVMSetAlignment(LLVMBuildStore(b, x, ahead(c, to, at)), 1);
}

/* `n` bytes from place `first` on: of the largest piece that is no larger, the first and the last. */
static void copy_run(const struct body *c, LLVMValueRef to, LLVMValueRef from, LLVMValueRef first,
                     LLVMValueRef n) {
    LLVMBuilderRef b = c->e->L.b;
    LLVMBasicBlockRef done = block(c);
    for (uint32_t piece = MOST_PIECE; piece >= c->bytes; piece /= 2) {
        LLVMValueRef size = wg_i64(c->e, piece);
        LLVMBasicBlockRef here = block(c), less = piece == c->bytes ? NULL : block(c);
        if (less)
            LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntUGE, n, size, ""), here, less);
        else
            LLVMBuildBr(b, here);
        LLVMPositionBuilderAtEnd(b, here);
        copy_piece(c, to, from, first, piece);
        if (less) copy_piece(c, to, from, LLVMBuildSub(b, LLVMBuildAdd(b, first, n, ""), size, ""), piece);
        LLVMBuildBr(b, done);
        if (less) LLVMPositionBuilderAtEnd(b, less);
    }
    LLVMPositionBuilderAtEnd(b, done);
}

static LLVMValueRef zeros_below(const struct body *c, LLVMValueRef x) {
    LLVMTypeRef type[1] = {c->bits};
    LLVMValueRef args[2] = {x, LLVMConstNull(LLVMInt1TypeInContext(c->e->L.ctx))};
    return wg_lower_intrinsic(&c->e->L, "llvm.cttz", type, 1, args, 2);
}

/* All runs of the mask; the builder is positioned after them. */
static void copy_runs(const struct body *c, LLVMValueRef to, LLVMValueRef from, LLVMValueRef mask) {
    LLVMBuilderRef b = c->e->L.b;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = block(c), run = block(c), done = block(c);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef left = LLVMBuildPhi(b, c->bits, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, left, LLVMConstNull(c->bits), ""), done, run);
    LLVMPositionBuilderAtEnd(b, run);
    LLVMValueRef first = zeros_below(c, left);
    LLVMValueRef n = zeros_below(c, LLVMBuildNot(b, LLVMBuildLShr(b, left, first, ""), ""));
    LLVMValueRef lowest = LLVMBuildAnd(b, left, LLVMBuildNeg(b, left, ""), "");
    LLVMValueRef next = LLVMBuildAnd(b, left, LLVMBuildAdd(b, left, lowest, ""), "");
    LLVMValueRef bytes = wg_i64(c->e, c->bytes);
    first = LLVMBuildMul(b, wg_emit_resize(c->e, first, 64, false), bytes, "");
    n = LLVMBuildMul(b, wg_emit_resize(c->e, n, 64, false), bytes, "");
    copy_run(c, to, from, first, n);
    LLVMBuildBr(b, loop);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(b);
    LLVMAddIncoming(left, (LLVMValueRef[]){mask, next}, (LLVMBasicBlockRef[]){before, end}, 2);
    LLVMPositionBuilderAtEnd(b, done);
}

static LLVMValueRef on_stack(const struct body *c, LLVMValueRef x) {
    LLVMValueRef at = LLVMBuildAlloca(c->e->L.b, c->vector, "");
    LLVMSetAlignment(at, MOST_PIECE);
    LLVMBuildStore(c->e->L.b, x, at);
    return at;
}

/* store(x, p, mask) */
static void store_body(const struct body *c) {
    copy_runs(c, LLVMGetParam(c->f, 1), on_stack(c, LLVMGetParam(c->f, 0)), LLVMGetParam(c->f, 2));
    LLVMBuildRetVoid(c->e->L.b);
}

/* load(p, mask, others) */
static void load_body(const struct body *c) {
    LLVMBuilderRef b = c->e->L.b;
    LLVMValueRef p = LLVMGetParam(c->f, 0), mask = LLVMGetParam(c->f, 1), others = LLVMGetParam(c->f, 2);
    LLVMBasicBlockRef whole = block(c), runs = block(c);
    LLVMValueRef in_page =
        LLVMBuildAnd(b, LLVMBuildPtrToInt(b, p, c->e->i64, ""), wg_i64(c->e, PAGE - 1), "");
    LLVMValueRef one = LLVMBuildICmp(b, LLVMIntULE, in_page, wg_i64(c->e, PAGE - c->lanes * c->bytes), "");
    LLVMValueRef any = LLVMBuildICmp(b, LLVMIntNE, mask, LLVMConstNull(c->bits), "");
    LLVMBuildCondBr(b, LLVMBuildAnd(b, one, any, ""), whole, runs);
    LLVMPositionBuilderAtEnd(b, whole);
    LLVMValueRef x = LLVMBuildLoad2(b, c->vector, p, "");
    LLVMSetAlignment(x, c->bytes);
    LLVMTypeRef lanes = LLVMVectorType(LLVMInt1TypeInContext(c->e->L.ctx), c->lanes);
    LLVMBuildRet(b, LLVMBuildSelect(b, LLVMBuildBitCast(b, mask, lanes, ""), x, others, ""));
    LLVMPositionBuilderAtEnd(b, runs);
    LLVMValueRef at = on_stack(c, others);
    copy_runs(c, at, p, mask);
    LLVMBuildRet(b, LLVMBuildLoad2(b, c->vector, at, ""));
}

static LLVMValueRef make(struct wg_emit *e, const char *name, LLVMTypeRef type, bool is_store,
                         LLVMTypeRef vector) {
    LLVMTypeRef element = LLVMGetElementType(vector);
    struct body c = {.e = e, .f = LLVMAddFunction(e->L.module, name, type), .vector = vector};
    c.lanes = LLVMGetVectorSize(vector);
    c.bytes = LLVMGetIntTypeWidth(element) / 8;
    c.bits = LLVMIntTypeInContext(e->L.ctx, c.lanes);
    LLVMSetLinkage(c.f, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(c.f, LLVMCCallConv);
    wg_copy_attribute(c.f, e->fn, "prefer-vector-width");
    wg_copy_attribute(c.f, e->fn, "min-legal-vector-width");
    LLVMPositionBuilderAtEnd(e->L.b, block(&c));
    (is_store ? store_body : load_body)(&c);
    return c.f;
}

/* The vector type of a masked load or store of small elements, under a mask that is not constant; NULL: it is
 * another instruction. */
static LLVMTypeRef small_vector(LLVMValueRef in, bool *is_store) {
    size_t length;
    if (!LLVMIsACallInst(in) || !LLVMIsAFunction(LLVMGetCalledValue(in))) return NULL;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(in), &length);
    *is_store = strncmp(name, "llvm.masked.store.", 18) == 0;
    if (!*is_store && strncmp(name, "llvm.masked.load.", 17) != 0) return NULL;
    LLVMTypeRef t = LLVMTypeOf(*is_store ? LLVMGetOperand(in, 0) : in), element = LLVMGetElementType(t);
    if (LLVMIsConstant(LLVMGetOperand(in, *is_store ? 3 : 2))) return NULL;
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(element) > 16) return NULL;
    uint32_t bits = LLVMGetVectorSize(t) * LLVMGetIntTypeWidth(element);
    return LLVMGetIntTypeWidth(element) >= 8 && bits <= 8 * MOST_BYTES ? t : NULL;
}

static void set_apart(struct wg_emit *e, LLVMValueRef in, LLVMTypeRef vector, bool is_store) {
    LLVMTypeRef bits = LLVMIntTypeInContext(e->L.ctx, LLVMGetVectorSize(vector));
    char name[64];
    LLVMPositionBuilderBefore(e->L.b, in);
    LLVMValueRef mask = LLVMBuildBitCast(e->L.b, LLVMGetOperand(in, is_store ? 3 : 2), bits, "");
    LLVMValueRef args[3] = {LLVMGetOperand(in, 0), is_store ? LLVMGetOperand(in, 1) : mask,
                            is_store ? mask : LLVMGetOperand(in, 3)};
    LLVMTypeRef types[3] = {LLVMTypeOf(args[0]), LLVMTypeOf(args[1]), LLVMTypeOf(args[2])};
    LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(in), types, 3, 0);
    snprintf(name, sizeof name, "small.%s.%u.%u", is_store ? "store" : "load", LLVMGetVectorSize(vector),
             LLVMGetIntTypeWidth(LLVMGetElementType(vector)));
    LLVMValueRef f = LLVMGetNamedFunction(e->L.module, name);
    if (!f) f = make(e, name, type, is_store, vector);
    LLVMPositionBuilderBefore(e->L.b, in);
    LLVMValueRef call = LLVMBuildCall2(e->L.b, type, f, args, 3, "");
    LLVMSetInstructionCallConv(call, LLVMCCallConv);
    LLVMReplaceAllUsesWith(in, call);
    LLVMInstructionEraseFromParent(in);
}

void wg_split_small_masks(struct wg_emit *e) {
    WG_VEC(LLVMValueRef) found = {0};
    bool is_store;
    if (e->L.avx512) return;
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(e->fn); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (small_vector(in, &is_store)) *WG_PUSH(&found) = in;
    for (uint32_t i = 0; i < found.n; i++) {
        LLVMTypeRef vector = small_vector(found.v[i], &is_store);
        set_apart(e, found.v[i], vector, is_store);
    }
    free(found.v);
}
