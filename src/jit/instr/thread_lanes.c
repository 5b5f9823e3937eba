/* Predicates that depend only on the thread's index: a lane mask per warp, from a table.
 *
 *     setp.lt.u32 %p1, %tid.x, 94       one word per warp, in a constant table: no lane comparison
 *
 * analysis/known.c has computed the masks. Expanding one to a vector of lanes' bits is cheap where the host
 * has mask registers; with AVX2 it takes a few instructions, but mostly a scalar decides before.
 */
#include "jit/instr/instr.h"

#include <stdio.h>

enum { MOST_WARPS = 32 };

static LLVMValueRef table_of(struct wg_emit *e, uint32_t reg, uint32_t n) {
    const uint32_t *lanes = e->an->holds[reg];
    LLVMValueRef word[MOST_WARPS];
    char name[32];
    snprintf(name, sizeof name, "holds.%u", reg);
    LLVMValueRef made = LLVMGetNamedGlobal(e->L.module, name);
    if (made) return made;
    for (uint32_t w = 0; w < n; w++) word[w] = wg_i32(e, lanes[w]);
    LLVMValueRef data = LLVMConstArray2(e->i32, word, n);
    LLVMValueRef table = LLVMAddGlobal(e->L.module, LLVMTypeOf(data), name);
    LLVMSetInitializer(table, data);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(table, 1);
    LLVMSetUnnamedAddress(table, LLVMGlobalUnnamedAddr);
    return table;
}

LLVMValueRef wg_thread_lanes(struct wg_emit *e, uint32_t reg) {
    const uint32_t *lanes = e->v == WG_CONVERGED && e->L.avx2 ? e->an->holds[reg] : NULL;
    uint32_t n = wg_warps_of(e), w = 1;
    if (!lanes || n > MOST_WARPS || e->opts->opt_level < 2) return NULL;
    while (w < n && lanes[w] == lanes[0]) w++;
    if (w == n) return wg_i32(e, lanes[0]);
    if (LLVMIsAConstantInt(e->once.warp_id))
        return wg_i32(e, lanes[LLVMConstIntGetZExtValue(e->once.warp_id)]);
    LLVMValueRef index[2] = {wg_i32(e, 0), e->once.warp_id}, table = table_of(e, reg, n);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(e->L.b, LLVMGlobalGetValueType(table), table, index, 2, "");
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, e->i32, at, "holds");
    LLVMSetAlignment(x, 4);
    return x;
}

bool wg_look_up_lanes(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (in->ndst != 1 || in->dst[0].kind != WG_O_REG || wg_reg_bits(e, in->dst[0].index) != 1) return false;
    LLVMValueRef lanes = wg_thread_lanes(e, in->dst[0].index);
    if (lanes) wg_value_set_vec(e, in->dst[0].index, wg_emit_bits(e, lanes));
    return lanes != NULL;
}
