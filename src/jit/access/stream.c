/* Non-temporal stores, for launches that write more than the host's caches hold.
 *
 * A store to a line that is not cached first reads the line (write allocate). Where a warp fills whole lines
 * that are evicted before anything reads them, a non-temporal store saves that read: a third of vector add's
 * traffic, half of a transpose's. Not where the kernel works in place. The machine knows how much a launch
 * writes (wg_code.stream_bytes per warp) and sets wg_block.streams if that exceeds the caches; the code has
 * both versions (branch versioning).
 *
 * Non-temporal stores become visible out of order. Nothing may observe that: kernels with fences, atomics or
 * ordered accesses have none, and the machine fences before it reports blocks as done. In a loop the same
 * line might be written in each iteration: no streaming there. And a line to be streamed must not be
 * prefetched: it would be fetched, and then evicted again.
 *
 *     st.global.u32 [%rd5], %r3;   contiguous lanes  ->  if (streams && all lanes && [%rd5] % 64 == 0)
 *                                                              two vmovntdq    else two vmovdqu32 {mask}
 */
#include "analysis/effects.h"
#include "analysis/plan.h"
#include "jit/access/access.h"

#include <stdlib.h>

enum { LINE = 64 };
/* Per kernel. Each has two versions, and at each LLVM looks for what all those before it imply about the
 * same address. */
enum { MOST_STORES = 256 };

/* A load whose lanes are in many lines needs the core's line fill buffers, and streaming stores occupy
 * them for long: the naive transpose then takes twice as long. */
static bool is_scattered_load(const struct wg_emit *e, uint32_t b, uint32_t i) {
    const struct wg_ir_instr *in = &e->func->blocks[b].instrs[i];
    if (wg_in_columns(e, b, i)) return false; /* accesses whole rows */
    if (in->op != WG_OP_LD || (in->space != WG_S_GLOBAL && in->space != WG_S_GENERIC)) return false;
    const struct wg_fact f = wg_operand_fact(e->an, e->v, &in->src[0]);
    if (f.kind != WG_AFFINE) return f.kind != WG_UNIFORM;
    for (uint32_t l = 1; l < WG_LANES && f.k; l++)
        if (llabs(f.k[l] - f.k[l - 1]) >= LINE) return true;
    return f.r != NULL;
}

static bool function_streams(struct wg_emit *e) {
    bool side_by_side = e->sides != NULL;
    if (e->access.streams[side_by_side] != WG_STREAMS_UNKNOWN)
        return e->access.streams[side_by_side] == WG_STREAMS_YES;
    uint32_t stores = 0;
    e->access.streams[side_by_side] = WG_STREAMS_YES;
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        for (uint32_t i = 0; i < e->func->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &e->func->blocks[b].instrs[i];
            stores += in->op == WG_OP_ST && in->space == WG_S_GLOBAL;
            if (stores > MOST_STORES || wg_effects_of(in).ordered || is_scattered_load(e, b, i))
                e->access.streams[side_by_side] = WG_STREAMS_NO;
        }
    return e->access.streams[side_by_side] == WG_STREAMS_YES;
}

/* Lines of an array that is both loaded from and stored to are cached, as the kernel works in place, or
 * are needed again at once. */
static bool is_loaded_as_well(const struct wg_emit *e, const struct wg_ir_instr *st) {
    const struct wg_fact to = wg_operand_fact(e->an, e->v, &st->src[0]);
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        for (uint32_t i = 0; i < e->func->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &e->func->blocks[b].instrs[i];
            if (in->op != WG_OP_LD || in->src[0].kind != WG_O_REG || st->src[0].kind != WG_O_REG) continue;
            const struct wg_fact from = wg_operand_fact(e->an, e->v, &in->src[0]);
            if (from.root != WG_NO_REG && from.root == to.root) return true;
            if (in->src[0].index == st->src[0].index && in->offset == st->offset) return true;
        }
    return false;
}

bool wg_may_stream(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t block) {
    return e->v == WG_CONVERGED && wg_may_use(e->opts, WG_FORM_stream) && in->op == WG_OP_ST &&
           in->space == WG_S_GLOBAL && in->mod[WG_MC_CACHE] == WG_M_none &&
           in->mod[WG_MC_CACHE2] == WG_M_none && e->func->blocks[block].loop == WG_NO_REG &&
           function_streams(e) && !is_loaded_as_well(e, in);
}

/* Whether the launch streams and `at`, the bitwise or of the addresses, is line-aligned. */
static LLVMValueRef streams_to(struct wg_emit *e, LLVMValueRef at) {
    LLVMValueRef on =
        wg_load_field(e, e->L.b, e->i32, e->once.block, offsetof(struct wg_block, streams), true, "streams");
    on = LLVMBuildICmp(e->L.b, LLVMIntNE, on, wg_i32(e, 0), "");
    LLVMValueRef low = LLVMBuildAnd(e->L.b, at, wg_i64(e, LINE - 1), "");
    return LLVMBuildAnd(e->L.b, on, LLVMBuildICmp(e->L.b, LLVMIntEQ, low, wg_i64(e, 0), ""), "");
}

LLVMValueRef wg_unless_streamed(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t block,
                                LLVMValueRef at) {
    if (!wg_may_stream(e, in, block)) return at;
    LLVMValueRef near = LLVMBuildPtrToInt(e->L.b, e->once.block, e->i64, "");
    return LLVMBuildSelect(e->L.b, streams_to(e, at), near, at, "");
}

LLVMValueRef wg_streams_rows(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at,
                             LLVMValueRef step, uint32_t rows, uint32_t bytes) {
    if (bytes % LINE || !wg_may_stream(e, in, e->block)) return NULL;
    e->access.stream_bytes += rows * bytes;
    return LLVMBuildZExt(e->L.b, streams_to(e, LLVMBuildOr(e->L.b, at, step, "")), e->i32, "");
}

/* Starts the streaming version, with the builder in it. `at`: the bitwise or of the addresses that must be
 * line-aligned. */
static LLVMBasicBlockRef begin(struct wg_emit *e, LLVMValueRef at, LLVMValueRef mask) {
    LLVMValueRef on = streams_to(e, at);
    if (!wg_is_full(mask))
        on = LLVMBuildAnd(e->L.b, on, LLVMBuildICmp(e->L.b, LLVMIntEQ, mask, wg_i32(e, UINT32_MAX), ""), "");
    LLVMBasicBlockRef past = wg_new_bb(e, "past"), cached = wg_new_bb(e, "cached");
    LLVMBuildCondBr(e->L.b, on, past, cached);
    LLVMPositionBuilderAtEnd(e->L.b, past);
    return cached;
}

LLVMBasicBlockRef wg_emit_stream(struct wg_emit *e, const LLVMValueRef *at, uint32_t places,
                                 const LLVMValueRef *x, uint32_t n, uint32_t bytes, LLVMValueRef mask) {
    if (bytes % LINE) return NULL;
    wg_plan_yes(e->opts, WG_FORM_stream, &e->func->blocks[e->block].instrs[e->instr]);
    LLVMValueRef any = at[0];
    for (uint32_t i = 1; i < places; i++) any = LLVMBuildOr(e->L.b, any, at[i], "");
    LLVMBasicBlockRef cached = begin(e, any, mask), join = wg_new_bb(e, "stored");
    unsigned kind = LLVMGetMDKindIDInContext(e->L.ctx, "nontemporal", 11);
    LLVMMetadataRef one = LLVMValueAsMetadata(wg_i32(e, 1));
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->L.ctx, &one, 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t in_a_row = n / places;
        LLVMValueRef to =
            LLVMBuildAdd(e->L.b, at[i / in_a_row], wg_i64(e, (uint64_t)(i % in_a_row) * bytes), "");
        LLVMValueRef st = LLVMBuildStore(e->L.b, x[i], LLVMBuildIntToPtr(e->L.b, to, e->ptr, ""));
        LLVMSetAlignment(st, LINE);
        LLVMSetMetadata(st, kind, LLVMMetadataAsValue(e->L.ctx, node));
    }
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, cached);
    e->access.stream_bytes += n * bytes;
    return join;
}
