/* Loads of a trace from addresses that are lanes of vectors: gathers. See trace.h.
 *
 *     score[(top + t) * row]     top and row are uniform: t * row is no sum with a number for each thread
 *
 * The index is computed in vectors. That words are aligned follows from the multiplication by their size, and from the
 * alignment of what is added, which is tested up front.
 */
#include "jit/lower/lower_rows.h"
#include "jit/trace/trace.h"

enum { MOST_ZEROS = 3 }; /* of a word of 8 bytes */

/* `sums`: those of unknown values may be tested for so many. */
static uint32_t zeros_in(struct wg_trace *t, const struct wg_trace_value *v, uint32_t sums) {
    uint64_t any = 0;
    if (v->kind != WG_TRACE_FORM) return v->zeros;
    for (uint32_t i = 0; i < (v->c ? t->nthreads : 1); i++) any |= (uint64_t)wg_trace_c(v, i);
    uint32_t n = any ? (uint32_t)__builtin_ctzll(any) : MOST_ZEROS;
    if (n > MOST_ZEROS) n = MOST_ZEROS;
    if (!v->sum.n) return n;
    if (n > sums) n = sums;
    struct wg_trace_test fits = {.kind = WG_TEST_ALIGNED, .a = v->sum, .bits = 64, .lo = INT64_C(1) << n};
    if (n) wg_trace_expect(t, &fits);
    return n;
}

static uint32_t of_product(struct wg_trace *t, const struct wg_trace_value *s) {
    uint32_t n = zeros_in(t, &s[0], 0) + zeros_in(t, &s[1], 0);
    return n < MOST_ZEROS ? n : MOST_ZEROS;
}

/* Of a sum of such a number and another value. */
static uint32_t of_sum(struct wg_trace *t, uint32_t n, const struct wg_trace_value *v, bool is_address) {
    uint32_t other = n ? zeros_in(t, v, is_address ? n : 0) : 0;
    return other < n ? other : n;
}

uint32_t wg_trace_zeros(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *s) {
    bool wide = in->mod[WG_MC_MULW] == WG_M_wide, is_address = wide || wg_type_bits(in->type) == 64;
    switch (in->op) {
    case WG_OP_MUL_I: return wide || in->mod[WG_MC_MULW] == WG_M_lo ? of_product(t, s) : 0;
    case WG_OP_MAD_I:
        return wide || in->mod[WG_MC_MULW] == WG_M_lo ? of_sum(t, of_product(t, s), &s[2], is_address) : 0;
    case WG_OP_ADD_I: {
        uint32_t k = s[0].kind == WG_TRACE_LANES ? 0 : 1;
        return in->mod[WG_MC_SAT] == WG_M_none ? of_sum(t, zeros_in(t, &s[k], 0), &s[1 - k], is_address) : 0;
    }
    case WG_OP_SHL: {
        bool known = s[1].kind == WG_TRACE_FORM && !s[1].sum.n && !s[1].c && s[1].all >= 0;
        uint64_t n = known ? zeros_in(t, &s[0], 0) + (uint64_t)s[1].all : 0;
        return n < MOST_ZEROS ? (uint32_t)n : MOST_ZEROS;
    }
    default: return 0;
    }
}

bool wg_trace_is_gathered(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *at) {
    const struct wg_ir_opd *from = &in->src[0], *to = &in->dst[0];
    uint32_t bits = wg_type_bits(in->type);
    if (at->kind != WG_TRACE_LANES || from->kind != WG_O_REG || to->kind != WG_O_REG) return false;
    if (in->space != WG_S_GLOBAL || t->atomics || wg_reg_bits(t->e, from->index) != 64) return false;
    if ((bits != 32 && bits != 64) || wg_reg_bits(t->e, to->index) != bits) return false;
    return 8u << at->zeros >= bits && in->offset % (bits / 8) == 0;
}

LLVMValueRef wg_trace_load_lanes(struct wg_trace *t, const struct wg_ir_instr *in, LLVMValueRef at,
                                 const struct wg_trace_group *g) {
    struct wg_emit *e = t->e;
    uint32_t bits = wg_type_bits(in->type);
    LLVMValueRef on[WG_TRACE_CHUNK], offset[WG_TRACE_CHUNK];
    LLVMTypeRef words = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), t->chunk);
    LLVMTypeRef types[2] = {words, LLVMVectorType(e->ptr, t->chunk)};
    for (uint32_t l = 0; l < t->chunk; l++) {
        on[l] = LLVMConstInt(e->i1, g->thread[l] != WG_TRACE_NO_THREAD, 0);
        offset[l] = wg_i64(e, (uint64_t)in->offset);
    }
    at = LLVMBuildAdd(e->L.b, at, LLVMConstVector(offset, t->chunk), "");
    LLVMValueRef args[4] = {LLVMBuildIntToPtr(e->L.b, at, types[1], ""), wg_i32(e, bits / 8),
                            LLVMConstVector(on, t->chunk), LLVMConstNull(words)};
    wg_set_lanes(e, t->chunk);
    return wg_lower_intrinsic(&e->L, "llvm.masked.gather", types, 2, args, 4);
}
