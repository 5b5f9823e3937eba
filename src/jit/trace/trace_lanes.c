/* Permutations: move operands to the lanes in which an operation uses them. See trace.h. */
#include "jit/access/network.h"
#include "jit/trace/trace.h"

#include <string.h>

enum { FEW_PERMUTATIONS = 160 }; /* LLVM may find better ones for so many */

/* ---- vectors ---- */

uint32_t wg_trace_vector(struct wg_trace *t, LLVMValueRef x, uint32_t bits) {
    if (!t->vectors.n) *WG_PUSH(&t->vectors) = (struct wg_trace_vector){0}; /* number 0 is WG_TRACE_NOWHERE */
    *WG_PUSH(&t->vectors) = (struct wg_trace_vector){.x = x, .bits = bits};
    return t->vectors.n - 1;
}

/* Whether each lane stays where it is. */
static bool is_blend(const struct wg_trace *t, const int *from) {
    for (uint32_t l = 0; l < t->chunk; l++)
        if (from[l] >= 0 && (uint32_t)from[l] % t->chunk != l) return false;
    return true;
}

/* Lane l is lane from[l] of a, or from[l] - chunk of b; < 0: undefined. */
LLVMValueRef wg_trace_permute(struct wg_trace *t, LLVMValueRef a, LLVMValueRef b, const int *from) {
    LLVMValueRef c[WG_TRACE_CHUNK];
    *(is_blend(t, from) ? &t->blends : &t->permutations) += 1;
    if (t->dry) return NULL;
    for (uint32_t l = 0; l < t->chunk; l++)
        c[l] = from[l] < 0 ? LLVMGetPoison(t->e->i32) : wg_i32(t->e, (uint32_t)from[l]);
    uint32_t bits = LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(a)));
    if (t->plan->permutations + t->plan->blends > FEW_PERMUTATIONS && t->e->L.avx512 &&
        t->chunk * bits == 512)
        return wg_network_permuted(t->e, a, b ? b : a, c, t->chunk);
    if (!b) b = LLVMGetPoison(LLVMTypeOf(a));
    return LLVMBuildShuffleVector(t->e->L.b, a, b, LLVMConstVector(c, t->chunk), "");
}

static LLVMValueRef value_of(const struct wg_trace *t, uint32_t at) {
    return t->dry ? NULL : t->vectors.v[at / WG_TRACE_CHUNK].x;
}

/* One vector of the lanes at[0 .. chunk), of any vectors. */
LLVMValueRef wg_trace_gather(struct wg_trace *t, const uint32_t *at, uint32_t bits) {
    uint32_t from[WG_TRACE_CHUNK], n = 0;
    int place[WG_TRACE_CHUNK];
    bool identity = true, taken[WG_TRACE_CHUNK] = {false};
    for (uint32_t l = 0; l < t->chunk; l++) {
        uint32_t k = 0, vector = at[l] / WG_TRACE_CHUNK;
        if (!wg_trace_is_lane(at[l])) continue;
        while (k < n && from[k] != vector) k++;
        if (k == n) from[n++] = vector;
        identity &= at[l] % WG_TRACE_CHUNK == l;
    }
    if (!n)
        return t->dry ? NULL
                      : LLVMConstNull(LLVMVectorType(LLVMIntTypeInContext(t->e->L.ctx, bits), t->chunk));
    LLVMValueRef x = value_of(t, from[0] * WG_TRACE_CHUNK);
    if (n == 1 && identity) return x;
    if (bits == 1) t->failed = true; /* masks are not permuted */
    for (uint32_t k = n > 1 ? 1 : 0; k < n; k++) {
        for (uint32_t l = 0; l < t->chunk; l++) {
            uint32_t vector = at[l] / WG_TRACE_CHUNK, lane = at[l] % WG_TRACE_CHUNK;
            place[l] = taken[l] ? (int)l : -1;
            if (!wg_trace_is_lane(at[l]) || taken[l]) continue;
            if (k <= 1 && vector == from[0]) place[l] = (int)lane;
            if (k >= 1 && vector == from[k]) place[l] = (int)(lane + t->chunk);
            taken[l] = place[l] >= 0;
        }
        x = wg_trace_permute(t, x, k ? value_of(t, from[k] * WG_TRACE_CHUNK) : NULL, place);
    }
    return x;
}

/* ---- operands ---- */

static LLVMValueRef splat(struct wg_trace *t, LLVMValueRef x) {
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(x), t->chunk);
    LLVMValueRef one = LLVMBuildInsertElement(t->e->L.b, LLVMGetPoison(type), x, wg_i64(t->e, 0), "");
    return LLVMBuildShuffleVector(t->e->L.b, one, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(t->e->i32, t->chunk)), "");
}

static LLVMValueRef piece_of_form(struct wg_trace *t, const struct wg_trace_value *v,
                                  const struct wg_trace_group *g, uint32_t bits) {
    LLVMValueRef c[WG_TRACE_CHUNK];
    LLVMTypeRef type = LLVMIntTypeInContext(t->e->L.ctx, bits);
    bool zero = true;
    for (uint32_t l = 0; l < t->chunk; l++) {
        int64_t x = g->thread[l] == WG_TRACE_NO_THREAD ? 0 : wg_trace_c(v, g->thread[l]);
        zero &= x == 0;
        c[l] = LLVMConstInt(type, (uint64_t)x, 1);
    }
    if (!v->sum.n) return LLVMConstVector(c, t->chunk);
    if (!v->c) return splat(t, wg_trace_scalar(t, &v->sum, v->all, bits));
    LLVMValueRef x = splat(t, wg_trace_scalar(t, &v->sum, 0, bits));
    return zero ? x : LLVMBuildAdd(t->e->L.b, x, LLVMConstVector(c, t->chunk), "");
}

/* The value in the group's threads, as one vector. */
LLVMValueRef wg_trace_piece(struct wg_trace *t, const struct wg_trace_value *v,
                            const struct wg_trace_group *g, uint32_t bits, bool negated) {
    LLVMValueRef x;
    uint32_t at[WG_TRACE_CHUNK];
    if (v->kind == WG_TRACE_LANES) {
        for (uint32_t l = 0; l < t->chunk; l++)
            at[l] = g->thread[l] == WG_TRACE_NO_THREAD ? WG_TRACE_NOWHERE : v->at[g->thread[l]];
        x = wg_trace_gather(t, at, bits);
    } else {
        x = t->dry ? NULL : piece_of_form(t, v, g, bits);
    }
    return negated && x ? LLVMBuildNot(t->e->L.b, x, "") : x;
}

struct wg_trace_value wg_trace_to_lanes(struct wg_trace *t, const struct wg_trace_value *v, uint32_t bits,
                                        const uint32_t *mask) {
    if (v->kind == WG_TRACE_LANES) return *v;
    struct wg_trace_group *groups;
    uint32_t n = wg_trace_groups(t, mask, &groups), *at = WG_NEW_N(t->a, uint32_t, t->nthreads);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t vector = wg_trace_vector(t, wg_trace_piece(t, v, &groups[i], bits, false), bits);
        for (uint32_t l = 0; l < t->chunk; l++)
            if (groups[i].thread[l] != WG_TRACE_NO_THREAD)
                at[groups[i].thread[l]] = vector * WG_TRACE_CHUNK + l;
    }
    return (struct wg_trace_value){.kind = WG_TRACE_LANES, .at = at};
}

/* ---- operations ---- */

enum { MOST_RESULTS = 2 };

/* Rows with code for any number of lanes; others assume a warp's. */
static bool fits_vector(const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    if (bits != 32 && bits != 64) return false;
    switch (in->op) {
    case WG_OP_MUL_I:
    case WG_OP_MAD_I: return in->mod[WG_MC_MULW] == WG_M_lo;
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_AND:
    case WG_OP_OR:
    case WG_OP_XOR:
    case WG_OP_SETP:
    case WG_OP_SELP: return true;
    case WG_OP_ADD_F:
    case WG_OP_SUB_F:
    case WG_OP_MUL_F:
    case WG_OP_FMA: return in->mod[WG_MC_RND] == WG_M_none || in->mod[WG_MC_RND] == WG_M_rn;
    default: return false;
    }
}

LLVMValueRef wg_trace_resized(struct wg_trace *t, LLVMValueRef x, uint32_t lanes) {
    LLVMValueRef c[WG_LANES];
    uint32_t have = LLVMGetVectorSize(LLVMTypeOf(x));
    for (uint32_t l = 0; l < lanes; l++) c[l] = l < have ? wg_i32(t->e, l) : LLVMGetPoison(t->e->i32);
    return LLVMBuildShuffleVector(t->e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(c, lanes), "");
}

static void lower(struct wg_trace *t, const struct wg_ir_instr *in, LLVMValueRef *s, LLVMValueRef *d) {
    bool whole = !fits_vector(in);
    for (uint32_t i = 0; i < in->nsrc && whole; i++) s[i] = wg_trace_resized(t, s[i], WG_LANES);
    wg_set_lanes(t->e, whole ? WG_LANES : t->chunk);
    t->failed |= !wg_lower_pure(&t->e->L, in, s, d);
    for (uint32_t i = 0; i < in->ndst && whole && !t->failed; i++)
        if (d[i]) d[i] = wg_trace_resized(t, d[i], t->chunk);
}

static uint32_t bits_of(const struct wg_trace *t, const struct wg_ir_instr *in, uint32_t i) {
    const struct wg_ir_opd *o = &in->src[i];
    return o->kind == WG_O_REG ? wg_reg_bits(t->e, o->index) : wg_ir_source_bits(in, i);
}

static void compute_group(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *src,
                          const struct wg_trace_group *g, uint32_t **at) {
    struct wg_emit *e = t->e;
    LLVMValueRef s[WG_TRACE_SOURCES], d[MOST_RESULTS] = {NULL};
    for (uint32_t i = 0; i < in->nsrc; i++)
        s[i] = wg_trace_piece(t, &src[i], g, bits_of(t, in, i), in->src[i].negated);
    t->operations++;
    if (!t->dry && in->op == WG_OP_LD)
        d[0] = wg_trace_load_lanes(t, in, s[0], g);
    else if (!t->dry)
        lower(t, in, s, d);
    if (t->failed) return;
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG) continue;
        uint32_t bits = wg_reg_bits(e, in->dst[i].index);
        if (!t->dry) d[i] = wg_emit_resize(e, d[i], bits, wg_type_kind(in->type) == WG_K_S);
        uint32_t vector = wg_trace_vector(t, d[i], bits);
        for (uint32_t l = 0; l < t->chunk; l++)
            if (g->thread[l] != WG_TRACE_NO_THREAD) at[i][g->thread[l]] = vector * WG_TRACE_CHUNK + l;
    }
}

/* Threads of the mask whose result is used, as far as that is known; the others' lanes are marked as dead. */
static void leave_out_unused(struct wg_trace *t, const uint32_t *mask, uint32_t *used, uint32_t **at,
                             uint32_t nat) {
    memcpy(used, mask, t->nwarps * sizeof *used);
    if (!t->wanted) return;
    for (uint32_t w = 0; w < t->nwarps; w++) used[w] &= t->wanted[t->steps.n * t->nwarps + w];
    for (uint32_t i = 0; i < t->nthreads; i++)
        for (uint32_t k = 0; k < nat && wg_trace_on(mask, i) && !wg_trace_on(used, i); k++)
            at[k][i] = WG_TRACE_UNUSED;
}

static void note_step(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *src,
                      uint32_t **at) {
    struct wg_trace_step *s = WG_PUSH(&t->steps);
    *s = (struct wg_trace_step){0};
    for (uint32_t i = 0; i < in->nsrc; i++) s->src[i] = src[i].at;
    for (uint32_t i = 0; i < in->ndst; i++) s->dst[i] = at[i];
}

void wg_trace_compute(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *src,
                      const uint32_t *mask) {
    struct wg_trace_group *groups;
    struct wg_trace_operands operands = {.n = in->nsrc};
    uint32_t *at[MOST_RESULTS], used[WG_TRACE_WARPS];
    if (in->ndst > MOST_RESULTS) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < in->ndst; i++) at[i] = WG_NEW_N(t->a, uint32_t, t->nthreads);
    leave_out_unused(t, mask, used, at, in->ndst);
    note_step(t, in, src, at);
    for (uint32_t i = 0; i < in->nsrc; i++) {
        operands.at[i] = src[i].kind == WG_TRACE_LANES ? src[i].at : NULL;
        operands.bits[i] = bits_of(t, in, i);
    }
    uint32_t n = wg_trace_groups_for(t, used, &operands, &groups), zeros = wg_trace_zeros(t, in, src);
    for (uint32_t i = 0; i < n && !t->failed; i++) compute_group(t, in, src, &groups[i], at);
    for (uint32_t i = 0; i < in->ndst && !t->failed; i++)
        if (in->dst[i].kind == WG_O_REG)
            wg_trace_set(t, in->dst[i].index,
                         (struct wg_trace_value){.kind = WG_TRACE_LANES, .at = at[i], .zeros = zeros}, mask);
}
