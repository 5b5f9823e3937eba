/* Compiles cases: for each a vector and a scalar function in one module, through LLVM's MCJIT.
 *
 *     void v7(uint64_t *src, uint64_t *dst, uint32_t *cc, uint64_t lane)
 * reads src[operand][lane] (32 of them, or one), calls wg_lower_pure, and writes dst[result][lane].
 */
#include "cases.h"
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WG_QUICK_CODE /* see jit/CMakeLists.txt */
enum { QUICK = true };
#else
enum { QUICK = false };
#endif
typedef LLVMValueRef V;
typedef void code_fn(uint64_t *src, uint64_t *dst, uint32_t *cc, uint64_t lane);

struct unit {
    LLVMContextRef ctx;
    LLVMModuleRef module;
    LLVMExecutionEngineRef engine;
    unsigned ncases;
    bool *there;
};

static void function_name(char *name, unsigned index, unsigned lanes) {
    snprintf(name, 32, "%c%u", lanes == 1 ? 's' : 'v', index);
}

static V address(struct wg_lower *b, V base, unsigned row, V lane, unsigned element) {
    LLVMTypeRef t = LLVMIntTypeInContext(b->ctx, element), i64 = LLVMInt64TypeInContext(b->ctx);
    V at = LLVMBuildAdd(b->b, lane, LLVMConstInt(i64, row * LANES, 0), "");
    return LLVMBuildGEP2(b->b, t, base, &at, 1, "");
}

static V load(struct wg_lower *b, V base, unsigned row, V lane, unsigned element) {
    V v = LLVMBuildLoad2(b->b, wg_lower_int(b, element), address(b, base, row, lane, element), "");
    LLVMSetAlignment(v, element / 8);
    return v;
}

static void store(struct wg_lower *b, V v, V base, unsigned row, V lane, unsigned element) {
    LLVMSetAlignment(LLVMBuildStore(b->b, v, address(b, base, row, lane, element)), element / 8);
}

static V splat(struct wg_lower *b, V x) {
    if (b->lanes == 1) return x;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(b->ctx), t = LLVMVectorType(LLVMTypeOf(x), b->lanes);
    V first = LLVMBuildInsertElement(b->b, LLVMGetPoison(t), x, LLVMConstInt(i32, 0, 0), "");
    return LLVMBuildShuffleVector(b->b, first, LLVMGetPoison(t), LLVMConstNull(LLVMVectorType(i32, b->lanes)),
                                  "");
}

static V operand(struct wg_lower *b, const struct test_case *c, unsigned i, V base, V lane) {
    if (c->operand[i].known == CONSTANT) return wg_lower_const(b, c->src[i], c->operand[i].value);
    struct wg_lower one = *b;
    bool uniform = c->operand[i].known == UNIFORM && b->lanes > 1;
    if (uniform) one.lanes = 1;
    V x = load(&one, base, i, lane, 64);
    if (c->src[i] < 64) x = LLVMBuildTrunc(b->b, x, wg_lower_int(&one, c->src[i]), "");
    return uniform ? splat(b, x) : x;
}

static void set_attributes(struct unit *u, V f, const struct level *l) {
    const char *const pairs[][2] = {{"target-cpu", l->cpu},
                                    {"min-legal-vector-width", l->avx512 ? "512" : "256"},
                                    {"prefer-vector-width", l->avx512 ? "512" : "256"}};
    for (int i = 0; i < 3; i++)
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(u->ctx, pairs[i][0], strlen(pairs[i][0]),
                                                          pairs[i][1], strlen(pairs[i][1])));
}

static bool build(struct unit *u, const struct level *l, const struct test_case *c, unsigned index,
                  unsigned lanes) {
    char name[32];
    function_name(name, index, lanes);
    LLVMTypeRef ptr = LLVMPointerTypeInContext(u->ctx, 0), i64 = LLVMInt64TypeInContext(u->ctx);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(u->ctx), (LLVMTypeRef[]){ptr, ptr, ptr, i64}, 4, 0);
    V f = LLVMAddFunction(u->module, name, type);
    struct wg_lower b = {.ctx = u->ctx,
                         .module = u->module,
                         .b = LLVMCreateBuilderInContext(u->ctx),
                         .lanes = lanes,
                         .avx512 = l->avx512,
                         .avx2 = l->avx2};
    LLVMPositionBuilderAtEnd(b.b, LLVMAppendBasicBlockInContext(u->ctx, f, ""));
    struct wg_ir_opd src_opd[MAX_SRC] = {0}, dst_opd[MAX_DST] = {0};
    struct wg_ir_instr in = {
        .op = c->op, .type = c->type, .type2 = c->type2, .nvec = 1, .src = src_opd, .dst = dst_opd};
    for (int i = 0; i < MAX_MODS; i++)
        if (c->mods[i].value) in.mod[c->mods[i].field] = c->mods[i].value;
    V src[MAX_SRC], dst[MAX_DST] = {0}, lane = LLVMGetParam(f, 3);
    for (; in.nsrc < MAX_SRC && c->src[in.nsrc]; in.nsrc++) {
        src[in.nsrc] = operand(&b, c, in.nsrc, LLVMGetParam(f, 0), lane);
        src_opd[in.nsrc].kind = c->operand[in.nsrc].known == CONSTANT ? WG_O_IMM : WG_O_REG;
        src_opd[in.nsrc].imm = c->operand[in.nsrc].value;
    }
    for (; in.ndst < MAX_DST && c->dst[in.ndst]; in.ndst++) dst_opd[in.ndst].kind = WG_O_REG;
    if (c->carry) b.cc = load(&b, LLVMGetParam(f, 2), 0, lane, 32);
    bool there = wg_lower_pure(&b, &in, src, dst);
    for (unsigned i = 0; there && i < in.ndst; i++) {
        there = LLVMTypeOf(dst[i]) == wg_lower_int(&b, c->dst[i]); /* as wide as the row says */
        if (!there) break;
        V wide = c->dst[i] < 64 ? LLVMBuildZExt(b.b, dst[i], wg_lower_int(&b, 64), "") : dst[i];
        store(&b, wide, LLVMGetParam(f, 1), i, lane, 64);
    }
    if (there && c->carry) store(&b, b.cc, LLVMGetParam(f, 2), 0, lane, 32);
    LLVMBuildRetVoid(b.b);
    LLVMDisposeBuilder(b.b);
    return there;
}

struct unit *unit_compile(const struct level *l, const struct test_case *cases, unsigned ncases) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMLinkInMCJIT();
    struct unit *u = calloc(1, sizeof *u);
    u->ctx = LLVMContextCreate();
    u->module = LLVMModuleCreateWithNameInContext("rows", u->ctx);
    LLVMSetTarget(u->module, "x86_64-pc-linux-gnu");
    u->there = calloc(ncases, 1);
    u->ncases = ncases;
    for (unsigned i = 0; i < ncases; i++)
        u->there[i] = build(u, l, &cases[i], i, LANES) && build(u, l, &cases[i], i, 1);
    /* Those that rows made for themselves, too. */
    for (V f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) set_attributes(u, f, l);
    struct LLVMMCJITCompilerOptions o;
    LLVMInitializeMCJITCompilerOptions(&o, sizeof o);
    o.OptLevel = l->avx2 && !QUICK ? 2 : 0; /* both ways through LLVM's code generation */
    char *message = NULL;
    if (LLVMCreateMCJITCompilerForModule(&u->engine, u->module, &o, sizeof o, &message)) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    LLVMTargetMachineRef tm = LLVMGetExecutionEngineTargetMachine(u->engine);
    LLVMPassBuilderOptionsRef p = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetVerifyEach(p, 1);
    const char *passes =
        QUICK ? "function(early-cse)" : "function(early-cse,instcombine<no-verify-fixpoint>,gvn)";
    LLVMErrorRef e = LLVMRunPasses(u->module, passes, tm, p);
    if (e) abort();
    LLVMDisposePassBuilderOptions(p);
    return u;
}

/* UBSan would read what stands before a function's code to learn its type: generated code has no such thing.
 */
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
bool unit_run(struct unit *u, unsigned index, unsigned lanes, uint64_t src[MAX_SRC][LANES],
              const uint32_t *cc_in, uint64_t dst[MAX_DST][LANES], uint32_t *cc_out) {
    if (!u->there[index]) return false;
    char name[32];
    function_name(name, index, lanes);
    uint64_t at = LLVMGetFunctionAddress(u->engine, name);
    if (!at) abort();
    memcpy(cc_out, cc_in, LANES * sizeof *cc_out);
    for (unsigned lane = 0; lane < LANES; lane += lanes)
        ((code_fn *)(uintptr_t)at)(src[0], dst[0], cc_out, lane);
    return true;
}

char *unit_text(struct unit *u, unsigned index, unsigned lanes) {
    char name[32];
    function_name(name, index, lanes);
    return LLVMPrintValueToString(LLVMGetNamedFunction(u->module, name));
}

void unit_free(struct unit *u) {
    LLVMDisposeExecutionEngine(u->engine); /* and the module */
    LLVMContextDispose(u->ctx);
    free(u->there);
    free(u);
}
