/* Contiguous accesses with a compile-time lane mask, as short vectors without masks: see access_plan.h.
 *
 *     @(threadIdx.x < 8) part[threadIdx.x] += part[threadIdx.x + 8]:     two loads and a store of 32 bytes
 *
 * There is no store-to-load forwarding from a masked store: the next load waits until the data is in the
 * cache. So contiguous active lanes are stored as a short vector without a mask. Other lane masks of shared
 * memory, which no other worker accesses, are stored as a whole vector, with the old values in the inactive
 * lanes. Their loads use the vector that such a store has written where possible, and not one that straddles
 * two.
 */
#include "jit/access/access_plan.h"
#include "jit/lower/lower_rows.h"

static LLVMValueRef place(struct wg_emit *e, const struct wg_value *a, int64_t offset) {
    LLVMValueRef at = a->base;
    if (offset) at = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)offset), "");
    return LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
}

static LLVMValueRef load(struct wg_emit *e, const struct wg_value *a, uint32_t bits, int64_t offset,
                         uint32_t n) {
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), n);
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, place(e, a, offset), "");
    LLVMSetAlignment(x, bits / 8);
    return x;
}

static LLVMValueRef shuffle(struct wg_emit *e, LLVMValueRef x, LLVMValueRef y, const uint32_t *index,
                            uint32_t n) {
    LLVMValueRef c[WG_LANES];
    for (uint32_t i = 0; i < n; i++) c[i] = wg_i32(e, index[i]);
    return LLVMBuildShuffleVector(e->L.b, x, y, LLVMConstVector(c, n), "");
}

/* The start of stores to the same vector, if this one's offset is its distance from them. */
static int64_t from_vector(const struct wg_access *p, const struct wg_piece *q, const struct wg_ir_instr *in,
                           uint32_t bytes) {
    int64_t vector = (int64_t)p->chunk * bytes, d = (in->offset % vector + vector) % vector;
    int64_t first = q->lane % p->chunk, last = first + q->n - 1;
    return d % bytes == 0 && last + d / bytes < p->chunk ? first * bytes + d : first * bytes;
}

LLVMValueRef wg_load_pieces(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_access *p,
                            const struct wg_value *a) {
    uint32_t bits = p->bits, bytes = bits / 8;
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), p->chunk);
    LLVMValueRef part[WG_LANES];
    for (uint32_t i = 0; i < WG_LANES / p->chunk; i++) part[i] = LLVMConstNull(t);
    for (uint32_t i = 0; i < p->npieces; i++) {
        const struct wg_piece *q = &p->piece[i];
        int64_t before = q->in_a_row ? 0 : from_vector(p, q, in, bytes);
        uint32_t n = q->in_a_row ? q->n : p->chunk, index[WG_LANES];
        LLVMValueRef x = load(e, a, bits, (int64_t)q->lane * bytes - before, n);
        /* To its lanes; the other lanes repeat it, which needs no zeroing and often no instruction. */
        uint32_t first = q->lane % p->chunk - (uint32_t)(before / bytes);
        for (uint32_t l = 0; l < p->chunk; l++) index[l] = (l - first) % n;
        bool stays = n == p->chunk && first % n == 0;
        part[q->lane / p->chunk] = stays ? x : shuffle(e, x, LLVMGetPoison(LLVMTypeOf(x)), index, p->chunk);
    }
    return wg_lanes_join(&e->L, part, WG_LANES / p->chunk, WG_LANES);
}

static void store_piece(struct wg_emit *e, const struct wg_value *a, LLVMValueRef x,
                        const struct wg_access *p, const struct wg_piece *q) {
    uint32_t bits = p->bits, bytes = bits / 8, n = q->in_a_row ? q->n : p->chunk, index[WG_LANES];
    int64_t at = (int64_t)q->lane * bytes;
    for (uint32_t i = 0; i < n; i++) index[i] = q->lane + i < WG_LANES ? q->lane + i : WG_LANES - 1;
    LLVMValueRef y = shuffle(e, x, LLVMGetPoison(LLVMTypeOf(x)), index, n);
    if (!q->in_a_row) {
        for (uint32_t i = 0; i < n; i++) index[i] = i < q->n && q->on >> i & 1 ? n + i : i;
        y = shuffle(e, load(e, a, bits, at, n), y, index, n);
    }
    LLVMSetAlignment(LLVMBuildStore(e->L.b, y, place(e, a, at)), bytes);
}

static void store_lane(struct wg_emit *e, const struct wg_value *a, LLVMValueRef x, uint32_t bits,
                       uint32_t lane) {
    LLVMValueRef y = LLVMBuildExtractElement(e->L.b, x, wg_i32(e, lane), "");
    LLVMSetAlignment(LLVMBuildStore(e->L.b, y, place(e, a, (int64_t)lane * bits / 8)), bits / 8);
}

void wg_store_pieces(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_access *p,
                     const struct wg_value *a, LLVMValueRef x) {
    for (uint32_t i = 0; i < p->npieces; i++) {
        const struct wg_piece *q = &p->piece[i];
        if (q->in_a_row || wg_is_own_memory(e, in)) {
            store_piece(e, a, x, p, q);
            continue;
        }
        for (uint32_t l = 0; l < q->n; l++)
            if (q->on >> l & 1) store_lane(e, a, x, p->bits, q->lane + l);
    }
}
