/* Lowering of pure rows: instructions whose result depends on their register operands alone.
 *
 * One meaning serves both widths: when every source is uniform the operands are scalars and `lanes` is 1,
 * otherwise they are vectors of 32. LLVM's operations are written once over `b->lanes`.
 *
 *     add.sat.s32 %r3, %r1, %r2   ->   wg_lower_pure(b, in, {<32 x i32> r1, <32 x i32> r2}, dst)
 *
 * Values: integers and untyped bits are iN, predicates i1, and floating-point registers are ALSO iN (the
 * caller's registers are bits; lowering bitcasts to float/double/half and back, which costs nothing).
 * A source arrives as wide as the register it came from; the row takes its low part when its type is
 * narrower. A result must be as wide as the row says (the caller widens to the register: sign-extended for
 * signed types, zero-extended otherwise). u8/s8 results of cvt are extended by the row to 16 bits.
 */
#ifndef WG_JIT_LOWER_H
#define WG_JIT_LOWER_H
#include "ir/ir.h"
#include <llvm-c/Core.h>

struct wg_lower {
    LLVMContextRef ctx;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    unsigned lanes;  /* 1: scalars; 32: vectors */
    bool avx512;     /* the code may use AVX-512 (F, BW, DQ, VL, CD) */
    bool avx2;       /* the code may use AVX2, FMA and F16C (implied by avx512); neither: SSE4.2 */
    bool slow_masks; /* AVX2's masked stores are slow (target.h) */
    uint32_t quiet;  /* sources, a bit each, that are no signalling NaN */
    LLVMValueRef cc; /* carry flag of F_CC rows: iN 0/1 as i32 (or vector of): read, and set when written */
};

/* The type iN, or <32 x iN>. */
LLVMTypeRef wg_lower_int(struct wg_lower *b, unsigned bits);
/* float, double, half, bfloat or a vector of. */
LLVMTypeRef wg_lower_float(struct wg_lower *b, enum wg_type t);
/* A constant of iN in every lane. */
LLVMValueRef wg_lower_const(struct wg_lower *b, unsigned bits, uint64_t value);
/* Calls an overloaded intrinsic by name ("llvm.ctpop") over `types`. */
LLVMValueRef wg_lower_intrinsic(struct wg_lower *b, const char *name, LLVMTypeRef *types, unsigned ntypes,
                                LLVMValueRef *args, unsigned nargs);
/* Says of a call that it neither reads nor writes memory: it can be moved, and joined with its like. */
LLVMValueRef wg_pure_call(struct wg_lower *b, LLVMValueRef call);

/* src[i] for each of in->src (negated predicates already negated, immediates as constants of the source's
 * width); dst[i] is set for each of in->dst. False when the row or this combination of modifiers has no
 * lowering here: the caller reports it as unsupported by name and line. */
bool wg_lower_pure(struct wg_lower *b, const struct wg_ir_instr *in, LLVMValueRef *src, LLVMValueRef *dst);
#endif
