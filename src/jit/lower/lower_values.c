/* The builders that all pure rows use: types, constants, intrinsics, widths and lanes. */
#include "jit/lower/lower_rows.h"
#include <assert.h>
#include <string.h>

/* ---- Types and constants ---- */

static LLVMTypeRef lanes_of_type(struct wg_lower *b, LLVMTypeRef t) {
    return b->lanes == 1 ? t : LLVMVectorType(t, b->lanes);
}

LLVMTypeRef wg_lower_int(struct wg_lower *b, unsigned bits) {
    return lanes_of_type(b, LLVMIntTypeInContext(b->ctx, bits));
}

LLVMTypeRef wg_lower_float(struct wg_lower *b, enum wg_type t) {
    switch (t) {
    case WG_T_F64: return lanes_of_type(b, LLVMDoubleTypeInContext(b->ctx));
    case WG_T_F16: return lanes_of_type(b, LLVMHalfTypeInContext(b->ctx));
    case WG_T_BF16: return lanes_of_type(b, LLVMBFloatTypeInContext(b->ctx));
    default: return lanes_of_type(b, LLVMFloatTypeInContext(b->ctx));
    }
}

V wg_splat(struct wg_lower *b, V scalar) {
    if (b->lanes == 1) return scalar;
    LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(scalar), b->lanes);
    if (LLVMIsConstant(scalar)) {
        V elements[128];
        assert(b->lanes <= 128);
        for (unsigned i = 0; i < b->lanes; i++) elements[i] = scalar;
        return LLVMConstVector(elements, b->lanes);
    }
    LLVMTypeRef i32 = LLVMInt32TypeInContext(b->ctx);
    V first = LLVMBuildInsertElement(b->b, LLVMGetPoison(t), scalar, LLVMConstInt(i32, 0, 0), "");
    return LLVMBuildShuffleVector(b->b, first, LLVMGetPoison(t), LLVMConstNull(LLVMVectorType(i32, b->lanes)),
                                  "");
}

LLVMValueRef wg_lower_const(struct wg_lower *b, unsigned bits, uint64_t value) {
    return wg_splat(b, LLVMConstInt(LLVMIntTypeInContext(b->ctx, bits), value, 0));
}

LLVMValueRef wg_lower_intrinsic(struct wg_lower *b, const char *name, LLVMTypeRef *types, unsigned ntypes,
                                LLVMValueRef *args, unsigned nargs) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    assert(id != 0);
    V f = LLVMGetIntrinsicDeclaration(b->module, id, types, ntypes);
    return LLVMBuildCall2(b->b, LLVMIntrinsicGetType(b->ctx, id, types, ntypes), f, args, nargs, "");
}

V wg_unary(struct wg_lower *b, const char *name, V x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    return wg_lower_intrinsic(b, name, &t, 1, &x, 1);
}
V wg_binary(struct wg_lower *b, const char *name, V x, V y) {
    LLVMTypeRef t = LLVMTypeOf(x);
    return wg_lower_intrinsic(b, name, &t, 1, (V[]){x, y}, 2);
}
V wg_ternary(struct wg_lower *b, const char *name, V x, V y, V z) {
    LLVMTypeRef t = LLVMTypeOf(x);
    return wg_lower_intrinsic(b, name, &t, 1, (V[]){x, y, z}, 3);
}

V wg_pure_call(struct wg_lower *b, V call) {
    static const char *const names[] = {"memory", "nounwind", "willreturn"}; /* memory(none) is 0 */
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(b->ctx, kind, 0));
    }
    return call;
}

V wg_opaque(struct wg_lower *b, V x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    struct wg_lower as = *b;
    as.lanes = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
    V f = v_bitcast(b, x, wg_lower_float(&as, wg_bits_of(x) == 64 ? WG_T_F64 : WG_T_F32));
    return v_bitcast(b, wg_unary(b, "llvm.arithmetic.fence", f), t);
}

/* ---- What is known of a value ---- */

unsigned wg_bits_of(V x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
    return LLVMGetIntTypeWidth(t);
}

bool wg_is_signed(uint32_t type) { return wg_type_kind(type) == WG_K_S; }

static bool scalar_constant(V x, uint64_t *value) {
    if (!x || !LLVMIsAConstantInt(x) || wg_bits_of(x) > 64) return false;
    *value = LLVMConstIntGetZExtValue(x);
    return true;
}

bool wg_const_value(V x, uint64_t *value) {
    LLVMTypeRef t = LLVMTypeOf(x);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) return scalar_constant(x, value);
    if (!LLVMIsConstant(x)) {
        V s = wg_splat_source(x);
        return s && scalar_constant(s, value);
    }
    if (!scalar_constant(LLVMGetAggregateElement(x, 0), value)) return false;
    for (unsigned i = 1; i < LLVMGetVectorSize(t); i++) {
        uint64_t other;
        if (!scalar_constant(LLVMGetAggregateElement(x, i), &other) || other != *value) return false;
    }
    return true;
}

V wg_splat_source(V x) {
    if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVectorTypeKind) return x;
    if (!LLVMIsAShuffleVectorInst(x)) return NULL;
    for (unsigned i = 0; i < LLVMGetNumMaskElements(x); i++)
        if (LLVMGetMaskValue(x, i) != 0) return NULL;
    V first = LLVMGetOperand(x, 0);
    if (!LLVMIsAInsertElementInst(first)) return NULL;
    uint64_t at;
    return scalar_constant(LLVMGetOperand(first, 2), &at) && at == 0 ? LLVMGetOperand(first, 1) : NULL;
}

/* ---- Widths and lanes ---- */

V wg_resize(struct wg_lower *b, V x, unsigned bits, bool sign) {
    unsigned have = wg_bits_of(x);
    if (have == bits) return x;
    if (have > bits) return v_trunc(b, x, bits);
    return sign ? v_sext(b, x, bits) : v_zext(b, x, bits);
}

V wg_take(struct wg_lower *b, V x, unsigned bits) { return wg_resize(b, x, bits, false); }

static V shuffle(struct wg_lower *b, V x, V y, const unsigned *pick, unsigned count) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(b->ctx);
    V mask[256];
    assert(count <= 256);
    for (unsigned i = 0; i < count; i++) mask[i] = LLVMConstInt(i32, pick[i], 0);
    return LLVMBuildShuffleVector(b->b, x, y, LLVMConstVector(mask, count), "");
}

/* Beyond the vector's end lanes are poison: pieces of a fixed size for intrinsics of a fixed size. */
V wg_lanes_of(struct wg_lower *b, V x, unsigned first, unsigned count) {
    LLVMTypeRef t = LLVMTypeOf(x), i32 = LLVMInt32TypeInContext(b->ctx);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
        return LLVMBuildInsertElement(b->b, LLVMGetPoison(LLVMVectorType(t, count)), x,
                                      LLVMConstInt(i32, 0, 0), "");
    unsigned size = LLVMGetVectorSize(t), pick[64];
    assert(count <= 64);
    if (first == 0 && count == size) return x;
    for (unsigned i = 0; i < count; i++)
        pick[i] = first + i < size ? first + i : size; /* size: poison's lane 0 */
    return shuffle(b, x, LLVMGetPoison(t), pick, count);
}

/* nparts is a power of two; the first `count` lanes of all parts in their order (1: a scalar). */
V wg_lanes_join(struct wg_lower *b, V *parts, unsigned nparts, unsigned count) {
    unsigned pick[256];
    for (unsigned i = 0; i < 256; i++) pick[i] = i;
    for (; nparts > 1; nparts /= 2) {
        unsigned size = LLVMGetVectorSize(LLVMTypeOf(parts[0]));
        for (unsigned i = 0; i < nparts / 2; i++)
            parts[i] = shuffle(b, parts[2 * i], parts[2 * i + 1], pick, 2 * size);
    }
    if (count == 1)
        return LLVMBuildExtractElement(b->b, parts[0], LLVMConstInt(LLVMInt32TypeInContext(b->ctx), 0, 0),
                                       "");
    if (LLVMGetVectorSize(LLVMTypeOf(parts[0])) == count) return parts[0];
    return shuffle(b, parts[0], LLVMGetPoison(LLVMTypeOf(parts[0])), pick, count);
}

enum wg_type wg_type_of_half(uint32_t type) {
    switch (type) {
    case WG_T_F16X2: return WG_T_F16;
    case WG_T_BF16X2: return WG_T_BF16;
    case WG_T_U16X2: return WG_T_U16;
    case WG_T_S16X2: return WG_T_S16;
    default: return type;
    }
}

V wg_by_halves(struct wg_lower *b, const struct wg_ir_instr *in, V *src, wg_typed_fn *f) {
    enum wg_type half = wg_type_of_half(in->type);
    if (half == in->type) return f(b, in, in->type, src);
    struct wg_lower pairs = *b;
    V x[3];
    pairs.lanes *= 2;
    assert(in->nsrc <= 3);
    for (unsigned i = 0; i < in->nsrc; i++)
        x[i] = v_bitcast(b, wg_take(b, src[i], 32), wg_lower_int(&pairs, 16));
    return v_bitcast(b, f(&pairs, in, half, x), wg_lower_int(b, 32));
}
