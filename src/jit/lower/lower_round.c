/* Lowering of directed rounding: floating-point operations rounded towards zero, down or up.
 *
 * With AVX-512 an instruction carries its rounding mode; LLVM's intrinsics of that kind work on whole
 * registers, so operands are cut into (scalars put into) pieces of 512 bits.
 *
 * Without it the mode is in a control register. Switching it between LLVM operations would be a race against
 * the scheduler, so switch, operation and switch back are one piece of inline assembly:
 *
 *     ldmxcsr towards_zero;  vaddps %ymm2, %ymm1, %ymm0;  ldmxcsr nearest
 *
 * (Generated code runs with the default control word: no traps, nearest.) fma without an FMA unit is rounded
 * to odd in double for floats; for doubles it is the C library's, called under fesetround.
 */
#include "jit/lower/lower_rows.h"
#include <fenv.h>
#include <stdio.h>
#include <string.h>

static bool is_f64(V x) { return wg_bits_of(x) == 64; }

/* ---- AVX-512 ---- */

static V piece_512(struct wg_lower *b, enum wg_fop op, enum wg_mod rnd, bool f64, V *x) {
    static const char *const names[] = {"add", "sub", "mul", "div", "sqrt", "vfmadd"};
    enum { DOWN = 9, UP = 10, ZERO = 11 }; /* the mode, and no exceptions */
    unsigned nargs = op == WG_FSQRT ? 1 : op == WG_FFMA ? 3 : 2;
    V args[4];
    for (unsigned i = 0; i < nargs; i++) args[i] = x[i];
    args[nargs] = LLVMConstInt(LLVMInt32TypeInContext(b->ctx),
                               rnd == WG_M_rz   ? ZERO
                               : rnd == WG_M_rm ? DOWN
                                                : UP,
                               0);
    char name[48];
    snprintf(name, sizeof name, "llvm.x86.avx512.%s.p%c.512", names[op], f64 ? 'd' : 's');
    return wg_lower_intrinsic(b, name, NULL, 0, args, nargs + 1);
}

/* ---- The control register ---- */

/* A control word in memory: private constants of the module. */
static V control_word(struct wg_lower *b, enum wg_mod rnd) {
    uint32_t word = 0x1f80 | (rnd == WG_M_rm   ? 1u << 13
                              : rnd == WG_M_rp ? 2u << 13
                              : rnd == WG_M_rz ? 3u << 13
                                               : 0);
    char name[32];
    snprintf(name, sizeof name, "wg.mxcsr.%x", word);
    V g = LLVMGetNamedGlobal(b->module, name);
    if (g) return g;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(b->ctx);
    g = LLVMAddGlobal(b->module, i32, name);
    LLVMSetInitializer(g, LLVMConstInt(i32, word, 0));
    LLVMSetGlobalConstant(g, 1);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    return g;
}

/* Two-operand forms work in place ($0 is also the first input); three-operand ones exist with AVX. */
static void assembly(char *text, size_t size, enum wg_fop op, bool f64, bool avx) {
    static const char *const names[] = {"add", "sub", "mul", "div", "sqrt"};
    char t = f64 ? 'd' : 's';
    const char *v = avx ? "v" : "";
    if (op == WG_FFMA)
        snprintf(text, size, "ldmxcsr $4\n\tvfmadd213p%c $3, $2, $0\n\tldmxcsr $5", t);
    else if (op == WG_FSQRT)
        snprintf(text, size, "ldmxcsr $2\n\t%ssqrtp%c $1, $0\n\tldmxcsr $3", v, t);
    else
        snprintf(text, size,
                 avx ? "ldmxcsr $3\n\tv%sp%c $2, $0, $0\n\tldmxcsr $4"
                     : "ldmxcsr $3\n\t%sp%c $2, $0\n\tldmxcsr $4",
                 names[op], t);
}

static V piece_mxcsr(struct wg_lower *b, enum wg_fop op, enum wg_mod rnd, bool f64, V *x) {
    char text[128];
    bool sqrt = op == WG_FSQRT;
    unsigned n = sqrt ? 1 : op == WG_FFMA ? 3 : 2;
    const char *constraints = sqrt            ? "=x,x,*m,*m,~{dirflag},~{fpsr},~{flags}"
                              : op == WG_FFMA ? "=x,0,x,x,*m,*m,~{dirflag},~{fpsr},~{flags}"
                                              : "=x,0,x,*m,*m,~{dirflag},~{fpsr},~{flags}";
    assembly(text, sizeof text, op, f64, b->avx2);
    LLVMTypeRef t = LLVMTypeOf(x[0]), ptr = LLVMPointerTypeInContext(b->ctx, 0), params[5] = {t, t, t};
    V args[5];
    for (unsigned i = 0; i < n; i++) args[i] = x[i];
    for (unsigned i = 0; i < 2; i++) {
        params[n + i] = ptr;
        args[n + i] = control_word(b, i == 0 ? rnd : WG_M_rn);
    }
    LLVMTypeRef f = LLVMFunctionType(t, params, n + 2, 0);
    V code = LLVMGetInlineAsm(f, text, strlen(text), constraints, strlen(constraints), 0, 0,
                              LLVMInlineAsmDialectATT, 0);
    V call = LLVMBuildCall2(b->b, f, code, args, n + 2, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    for (unsigned i = 0; i < 2; i++)
        LLVMAddCallSiteAttribute(call, n + i + 1,
                                 LLVMCreateTypeAttribute(b->ctx, kind, LLVMInt32TypeInContext(b->ctx)));
    return call;
}

/* ---- fma of doubles without an FMA unit ---- */

/* double wg.fma.rz(double, double, double): the C library's fma between two fesetrounds. Apart from the rest
 * of the code so that nothing else can move between the two. */
static V library_fma(struct wg_lower *b, enum wg_mod rnd) {
    int mode = rnd == WG_M_rz ? FE_TOWARDZERO : rnd == WG_M_rm ? FE_DOWNWARD : FE_UPWARD;
    char name[32];
    snprintf(name, sizeof name, "wg.fma.%s", rnd == WG_M_rz ? "rz" : rnd == WG_M_rm ? "rm" : "rp");
    V f = LLVMGetNamedFunction(b->module, name);
    if (f) return f;
    LLVMTypeRef d = LLVMDoubleTypeInContext(b->ctx), i = LLVMInt32TypeInContext(b->ctx);
    LLVMTypeRef fma_type = LLVMFunctionType(d, (LLVMTypeRef[]){d, d, d}, 3, 0),
                round_type = LLVMFunctionType(i, &i, 1, 0);
    V fma = LLVMGetNamedFunction(b->module, "fma"), round = LLVMGetNamedFunction(b->module, "fesetround");
    if (!fma) fma = LLVMAddFunction(b->module, "fma", fma_type);
    if (!round) round = LLVMAddFunction(b->module, "fesetround", round_type);
    f = LLVMAddFunction(b->module, name, fma_type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    const char *const attributes[] = {"noinline", "strictfp"};
    for (int a = 0; a < 2; a++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[a], strlen(attributes[a]));
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(b->ctx, kind, 0));
    }
    LLVMBuilderRef fb = LLVMCreateBuilderInContext(b->ctx);
    LLVMPositionBuilderAtEnd(fb, LLVMAppendBasicBlockInContext(b->ctx, f, ""));
    V args[3] = {LLVMGetParam(f, 0), LLVMGetParam(f, 1), LLVMGetParam(f, 2)}, to = LLVMConstInt(i, mode, 0);
    V nearest = LLVMConstInt(i, FE_TONEAREST, 0);
    LLVMBuildCall2(fb, round_type, round, &to, 1, "");
    V r = LLVMBuildCall2(fb, fma_type, fma, args, 3, "");
    unsigned strict =
        LLVMGetEnumAttributeKindForName("strictfp", 8); /* or LLVM takes it for its own llvm.fma */
    LLVMAddCallSiteAttribute(r, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(b->ctx, strict, 0));
    LLVMBuildCall2(fb, round_type, round, &nearest, 1, "");
    LLVMBuildRet(fb, r);
    LLVMDisposeBuilder(fb);
    return f;
}

/* Of floats. A sum that is exactly zero is -0 when rounding down, unless both terms are +0. */
static V fma_by_double(struct wg_lower *b, enum wg_mod rnd, V *x) {
    V sum = wg_fma_odd(b, x[0], x[1], x[2]), r = wg_double_to_float(b, sum, rnd);
    if (rnd != WG_M_rm) return r;
    V product = v_xor(b, wg_to_bits(b, x[0]), wg_to_bits(b, x[1]));
    V sign = v_and(b, v_or(b, product, wg_to_bits(b, x[2])), v_k(b, 32, 1u << 31));
    V zero = v_fcmp(b, LLVMRealOEQ, sum, wg_float_const(b, true, 0));
    return wg_from_bits(b, v_sel(b, zero, sign, wg_to_bits(b, r)));
}

static V fma_without_unit(struct wg_lower *b, enum wg_mod rnd, bool f64, V *x) {
    if (!f64) return fma_by_double(b, rnd, x);
    V f = library_fma(b, rnd), r = LLVMGetPoison(LLVMTypeOf(x[0]));
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    if (b->lanes == 1) return LLVMBuildCall2(b->b, type, f, x, 3, "");
    for (unsigned i = 0; i < b->lanes; i++) {
        V at = LLVMConstInt(LLVMInt32TypeInContext(b->ctx), i, 0), args[3];
        for (int a = 0; a < 3; a++) args[a] = LLVMBuildExtractElement(b->b, x[a], at, "");
        r = LLVMBuildInsertElement(b->b, r, LLVMBuildCall2(b->b, type, f, args, 3, ""), at, "");
    }
    return r;
}

V wg_ieee_directed(struct wg_lower *b, enum wg_fop op, enum wg_mod rnd, V x, V y, V z) {
    V operands[3] = {x, y, z}, parts[16], piece[3];
    bool f64 = is_f64(wg_to_bits(b, x));
    unsigned n = op == WG_FSQRT ? 1 : op == WG_FFMA ? 3 : 2;
    if (op == WG_FFMA && !b->avx2 && !b->avx512) return fma_without_unit(b, rnd, f64, operands);
    unsigned size = (b->avx512 ? 64
                     : b->avx2 ? 32
                               : 16) /
                    (f64 ? 8 : 4),
             nparts = (b->lanes + size - 1) / size;
    for (unsigned p = 0; p < nparts; p++) {
        for (unsigned i = 0; i < n; i++) piece[i] = wg_lanes_of(b, operands[i], p * size, size);
        parts[p] = b->avx512 ? piece_512(b, op, rnd, f64, piece) : piece_mxcsr(b, op, rnd, f64, piece);
    }
    return wg_lanes_join(b, parts, nparts, b->lanes);
}
