/* Narrowed shared memory: words of the kernel are stored as bytes or 16-bit words. See analysis/tile.c.
 *
 *     word i of the block's shared memory    at shared_base + 4 * i
 *     is element i                           at shared_base + i
 *
 * Address computation and tests are unchanged; here the address is mapped to that of the element.
 */
#include "jit/access/access.h"

static uint32_t shift_of(const struct wg_emit *e) { return e->an->tile_bits == 8 ? 2 : 1; }

bool wg_in_tile(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return e->an->tile_bits && in->space == WG_S_SHARED;
}

static const int64_t *shifted(struct wg_emit *e, const int64_t *k) {
    if (!k) return NULL;
    int64_t *to = WG_NEW_N(&e->an->arena, int64_t, WG_LANES);
    for (int l = 0; l < WG_LANES; l++) to[l] = k[l] / (1 << shift_of(e));
    return to;
}

void wg_tile_address(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef base = wg_shared_base(e), at;
    a->k = shifted(e, a->k);
    a->r = shifted(e, a->r);
    a->vec = NULL;
    if (a->kind == WG_VARYING) { /* far + near: makes it an offset from the base */
        LLVMValueRef far = LLVMBuildTrunc(b, LLVMBuildSub(b, a->far, base, ""), e->i32, "");
        at = LLVMBuildAdd(b, a->near, wg_emit_splat(e, b, far), "");
        a->near = LLVMBuildAShr(b, at, wg_emit_splat(e, b, wg_i32(e, shift_of(e))), "");
        a->far = base;
        return;
    }
    int64_t offset = in->offset, word = 1 << shift_of(e);
    if (offset % word == 0) { /* so is the base: rows of a tile then share the computation */
        struct wg_value first = wg_operand(e, &in->src[0], 64);
        at = wg_emit_resize(e, wg_emit_resize(e, first.base, 32, false), 64, true);
    } else {
        at = LLVMBuildSub(b, a->base, base, "");
        offset = 0;
    }
    at = LLVMBuildAdd(b, base, LLVMBuildAShr(b, at, wg_i64(e, shift_of(e)), ""), "");
    a->base = LLVMBuildAdd(b, at, wg_i64(e, (uint64_t)(offset / word)), "");
}
