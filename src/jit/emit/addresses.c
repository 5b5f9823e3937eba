/* Lanes' addresses in their forms: vectors of integers, vectors of pointers, a scalar base plus 32-bit
 * indices. */
#include "jit/emit/emit.h"

LLVMValueRef wg_lane_addresses(struct wg_emit *e, struct wg_value *a) {
    if (a->vec) return a->vec;
    if (a->kind != WG_VARYING) return wg_value_vec(e, a);
    LLVMTypeRef vt = LLVMVectorType(e->i64, WG_LANES);
    LLVMValueRef off = LLVMBuildSExt(e->L.b, a->near, vt, "");
    if (a->step != 1)
        off = LLVMBuildMul(e->L.b, off, wg_emit_splat(e, e->L.b, wg_i64(e, (uint64_t)a->step)), "");
    return a->vec = LLVMBuildAdd(e->L.b, off, wg_emit_splat(e, e->L.b, a->far), "");
}

bool wg_split_address(struct wg_emit *e, const struct wg_value *a, LLVMValueRef *far, LLVMValueRef *near,
                      uint32_t *step) {
    if (a->near && (a->step == 1 || a->step == 2 || a->step == 4 || a->step == 8)) {
        *far = a->far;
        *near = a->near;
        *step = (uint32_t)a->step;
        return true;
    }
    if (a->kind != WG_AFFINE || a->r) return false;
    for (int l = 0; l < WG_LANES; l++)
        if (a->k[l] != (int32_t)a->k[l]) return false;
    *far = a->base;
    *near = wg_lane_consts(e, a->k, 32);
    *step = 1;
    return true;
}

LLVMValueRef wg_pointers(struct wg_emit *e, struct wg_value *a) {
    LLVMValueRef far, near;
    uint32_t step;
    if (!wg_split_address(e, a, &far, &near, &step))
        return LLVMBuildIntToPtr(e->L.b, wg_lane_addresses(e, a), LLVMVectorType(e->ptr, WG_LANES), "");
    LLVMValueRef index = LLVMBuildSExt(e->L.b, near, LLVMVectorType(e->i64, WG_LANES), "");
    LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, far, e->ptr, "");
    return LLVMBuildGEP2(e->L.b, LLVMIntTypeInContext(e->L.ctx, step * 8), p, &index, 1, "");
}
