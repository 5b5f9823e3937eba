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

enum { MOST_DEPTH = 12 };

/* The low bits of the first lane's value that are known at compile time, and their number. */
struct low {
    uint64_t value;
    uint32_t bits;
};

static struct low low_of(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth);

static uint32_t ctz64(uint64_t x) { return x ? (uint32_t)__builtin_ctzll(x) : 64; }
static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

static struct low product(struct low x, struct low y) {
    struct low c = x.bits == 64 ? x : y, v = x.bits == 64 ? y : x;
    if (c.bits < 64) return (struct low){0};
    return (struct low){v.value * c.value, lesser(64, v.bits + ctz64(c.value))};
}

static struct low low_of_sreg(const struct wg_emit *e, uint32_t sreg) {
    const uint32_t *n = e->opts->ntid;
    bool rows = n[1] * n[2] > 1;
    switch (sreg) {
    case WG_SR_tid_x:
        if (rows && WG_LANES % n[0] == 0) return (struct low){0, 64};
        return (struct low){0, rows && n[0] % WG_LANES ? 0 : 5};
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z: return (struct low){n[sreg - WG_SR_ntid_x], 64};
    default: return (struct low){0};
    }
}

static struct low low_of_instr(const struct wg_emit *e, const struct wg_ir_instr *in, unsigned depth) {
    struct low s[3] = {{0}};
    bool x2 = in->type == WG_T_U16X2 || in->type == WG_T_S16X2;
    if (in->guard != WG_NO_REG || in->mod[WG_MC_SAT] != WG_M_none || x2 || wg_type_kind(in->type) == WG_K_F)
        return s[0];
    if (in->op == WG_OP_MOV_SREG) return low_of_sreg(e, in->sreg);
    for (uint32_t i = 0; i < in->nsrc && i < 3; i++) s[i] = low_of(e, &in->src[i], depth + 1);
    bool high = in->mod[WG_MC_MULW] == WG_M_hi;
    switch (in->op) {
    case WG_OP_MOV: return s[0];
    case WG_OP_CVT:
        if (wg_type_kind(in->type2) == WG_K_F) return (struct low){0};
        return (struct low){s[0].value, lesser(s[0].bits, 16)};
    case WG_OP_SUB_I: s[1].value = -s[1].value; /* fall through */
    case WG_OP_ADD_I: return (struct low){s[0].value + s[1].value, lesser(s[0].bits, s[1].bits)};
    case WG_OP_SHL:
        if (s[1].bits < 64 || s[1].value > 31) return (struct low){0};
        return product(s[0], (struct low){1ull << s[1].value, 64});
    case WG_OP_MUL_I: return high ? (struct low){0} : product(s[0], s[1]);
    case WG_OP_MAD_I: {
        struct low p = product(s[0], s[1]);
        return high ? (struct low){0} : (struct low){p.value + s[2].value, lesser(p.bits, s[2].bits)};
    }
    default: return (struct low){0};
    }
}

static struct low low_of(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth) {
    if (o->kind == WG_O_IMM) return (struct low){o->imm, 64};
    if (o->kind == WG_O_SYM) {
        const struct wg_ir_sym *s = &e->module->syms[o->index];
        return (struct low){s->offset + o->imm, s->kind == WG_SYM_SHARED ? 16 : 0};
    }
    if (o->kind != WG_O_REG || o->negated) return (struct low){0};
    const struct wg_fact *f = &e->an->facts[e->v][o->index];
    struct low x = {0};
    if (f->is_const) return (struct low){f->value, 64};
    if (e->regs.def[o->index] && depth < MOST_DEPTH) x = low_of_instr(e, e->regs.def[o->index], depth);
    bool known = f->kind == WG_UNIFORM || f->kind == WG_AFFINE;
    if (known && f->zeros > x.bits) x = (struct low){0, lesser(f->zeros, 16)};
    return x;
}

/* Elements of a line, which is what one store of a warp writes: words, or in a tile (tile.c) its 32
 * elements. */
static uint32_t line_elements(const struct wg_emit *e) { return e->an->tile_bits ? WG_LANES : 16; }
uint32_t wg_line_bits(const struct wg_emit *e) { return e->an->tile_bits ? e->an->tile_bits : 32; }

bool wg_shared_line_begin(const struct wg_emit *e, const struct wg_ir_instr *in, uint32_t *words) {
    if (in->space != WG_S_SHARED || wg_type_bits(in->type) != 32) return false;
    uint32_t line = line_elements(e) * 4; /* in bytes of the address space */
    struct low x = low_of(e, &in->src[0], 0);
    *words = (uint32_t)((x.value + (uint64_t)in->offset) % line) / 4;
    return x.bits >= ctz64(line);
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
