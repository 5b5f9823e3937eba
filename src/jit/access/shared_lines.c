/* Loads from shared memory that straddle lines of 64 bytes, as aligned loads and a register shift.
 *
 *     tile[t] = x;  __syncthreads();  y = tile[t - 1] + tile[t + 1];
 *
 * Warps store whole lines, and soon load from the middle of one. Store-to-load forwarding works for a load
 * within one store; a load that straddles two waits until both are in the cache. So lines are loaded as they
 * were stored, and combined from two registers. This needs the warp's offset within a line: the low bits of
 * its first lane's address.
 */
#include "jit/access/access_plan.h"

/* Two to the power of this divides the variable in a warp's first lane. */
static uint32_t zeros_of(const void *user, const struct wg_form_var *v) {
    const struct wg_emit *e = user;
    const uint32_t *n = e->opts->ntid;
    bool rows = n[1] * n[2] > 1, axis = v->kind <= WG_VAR_TID_Z;
    if (v->kind == WG_VAR_TID_X && rows && WG_LANES % n[0] == 0) return 32;
    if (v->kind == WG_VAR_TID_X && (!rows || n[0] % WG_LANES == 0)) return 5;
    if (!axis && (v->kind != WG_VAR_REG || e->an->cfg.ndefs[v->reg] != 1)) return 0;
    const struct wg_fact f = axis ? wg_tid_fact(&e->an->arena, n, v->kind) : e->an->facts[e->v][v->reg];
    return f.kind == WG_UNIFORM || f.kind == WG_AFFINE ? f.zeros : 0;
}

/* The low bits of the first lane's value that are known at compile time; the window's begin has zeros there. */
static uint32_t low_of(const struct wg_emit *e, const struct wg_ir_instr *in, uint64_t *value) {
    enum { WINDOW = 16 };
    const struct wg_ir_opd *o = &in->src[0];
    uint32_t instr = (uint32_t)(in - e->func->blocks[e->block].instrs);
    const struct wg_fact f = wg_operand_fact(e->an, e->v, o);
    struct wg_sum x = wg_scev_at(e->an->low, o, e->block, instr);
    uint32_t bits = wg_scev_low(e->an->low, &x, zeros_of, e, value);
    if (o->kind == WG_O_REG && (f.kind == WG_UNIFORM || f.kind == WG_AFFINE) && f.zeros > bits) {
        *value = 0;
        bits = f.zeros;
    }
    return bits < WINDOW ? bits : WINDOW;
}

/* Elements of a line, which is what one store of a warp writes: words, or in a tile (tile.c) its 32
 * elements. */
static uint32_t line_elements(const struct wg_emit *e) { return e->an->tile_bits ? WG_LANES : 16; }
uint32_t wg_line_bits(const struct wg_emit *e) { return e->an->tile_bits ? e->an->tile_bits : 32; }

bool wg_shared_line_begin(const struct wg_emit *e, const struct wg_ir_instr *in, uint32_t *words) {
    if (in->space != WG_S_SHARED || wg_type_bits(in->type) != 32) return false;
    uint32_t line = line_elements(e) * 4; /* in bytes of the address space */
    uint64_t begin = 0;
    uint32_t bits = low_of(e, in, &begin);
    *words = (uint32_t)((begin + (uint64_t)in->offset) % line) / 4;
    return bits >= (uint32_t)__builtin_ctz(line);
}

LLVMValueRef wg_load_line(struct wg_emit *e, LLVMValueRef at, uint32_t line, LLVMValueRef mask) {
    uint32_t n = line_elements(e), bytes = wg_line_bits(e) / 8;
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, wg_line_bits(e)), n);
    if (line) at = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)line * n * bytes), "");
    LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
    LLVMTypeRef types[2] = {t, e->ptr};
    LLVMValueRef args[4] = {p, wg_i32(e, bytes), mask, LLVMConstNull(t)};
    if (mask) return wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, args, 4);
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, p, "");
    LLVMSetAlignment(x, bytes);
    return x;
}

LLVMValueRef wg_words_of_lines(struct wg_emit *e, LLVMValueRef *line, uint32_t first) {
    LLVMValueRef c[WG_LANES];
    uint32_t n = line_elements(e);
    if (first % n == 0) return line[first / n];
    for (uint32_t i = 0; i < n; i++) c[i] = wg_i32(e, first % n + i);
    return LLVMBuildShuffleVector(e->L.b, line[first / n], line[first / n + 1], LLVMConstVector(c, n), "");
}

LLVMValueRef wg_join_lines(struct wg_emit *e, LLVMValueRef low, LLVMValueRef high) {
    LLVMValueRef c[WG_LANES];
    for (uint32_t i = 0; i < WG_LANES; i++) c[i] = wg_i32(e, i);
    return LLVMBuildShuffleVector(e->L.b, low, high, LLVMConstVector(c, WG_LANES), "");
}

LLVMValueRef wg_load_across_lines(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a) {
    uint32_t bytes = wg_line_bits(e) / 8, n = line_elements(e);
    LLVMValueRef at = LLVMBuildSub(e->L.b, a->base, wg_i64(e, plan->words * bytes), ""), line[3];
    for (uint32_t i = 0; i <= WG_LANES / n; i++) line[i] = wg_load_line(e, at, i, NULL);
    LLVMValueRef first = wg_words_of_lines(e, line, plan->words);
    return n == WG_LANES ? first : wg_join_lines(e, first, wg_words_of_lines(e, line, n + plan->words));
}
