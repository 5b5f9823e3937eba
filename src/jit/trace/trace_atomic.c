/* Atomics of a trace: what a block adds to one location of global memory at the end. See trace.h.
 *
 *     red.global.add.u32 [%rd1], %r9     in thread 0, or in the first one of each warp
 *
 * The threads' values become one vector, and the rest is the code of one warp's atomic (atomics.c). Where the
 * operations commute, the order of the threads cannot be observed; floats are added by one warp alone.
 */
#include "jit/instr/instr.h"
#include "analysis/effects.h"
#include "jit/trace/trace.h"

static bool commutes(const struct wg_ir_instr *in) {
    return in->mod[WG_MC_AOP] == WG_M_add || wg_atomic_commutes(in);
}

static bool is_plain(const struct wg_trace *t, const struct wg_ir_instr *in) {
    uint8_t sem = in->mod[WG_MC_SEM];
    uint32_t bits = wg_type_bits(in->type);
    return in->space == WG_S_GLOBAL && (sem == WG_M_none || sem == WG_M_relaxed) &&
           (bits == 32 || bits == 64) && commutes(in) && wg_result_is_unused(t->e, in);
}

/* The threads that are on, in order; false: more than fill a vector. */
static bool gather_threads(const struct wg_trace *t, const uint32_t *mask, struct wg_trace_group *g,
                           uint32_t *n) {
    *n = 0;
    for (uint32_t l = 0; l < t->chunk; l++) g->thread[l] = WG_TRACE_NO_THREAD;
    for (uint32_t i = 0; i < t->nthreads; i++) {
        if (!wg_trace_on(mask, i)) continue;
        if (*n == t->chunk) return false;
        g->thread[(*n)++] = i;
    }
    return true;
}

/* Flushes what other blocks are to see in memory, and forgets what they may change. */
static void leave_global(struct wg_trace *t) {
    for (uint32_t i = 0; i < t->objects.n; i++) {
        struct wg_trace_object *o = &t->objects.v[i];
        if (o->shared || o->closed) continue;
        if (o->ndirty) wg_trace_flush(t, o);
        o->closed = true;
    }
    t->atomics = true;
}

/* One warp adds floats, one lane at a time: then every form of a block adds them in the same order. */
static bool keeps_order(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_group *g,
                        uint32_t n) {
    uint32_t warp = g->thread[0] / WG_LANES + 1;
    if (wg_type_kind(in->type) != WG_K_F) return true;
    if (n > 1 || (t->adder && t->adder != warp)) return false;
    t->adder = warp;
    return true;
}

static void emit(struct wg_trace *t, const struct wg_ir_instr *in, LLVMValueRef at, LLVMValueRef x,
                 uint32_t n) {
    struct wg_emit *e = t->e;
    LLVMValueRef warp = e->warp;
    struct wg_value a = {.kind = WG_UNIFORM, .base = at}, b = {.kind = n == 1 ? WG_UNIFORM : WG_VARYING};
    wg_set_lanes(e, WG_LANES);
    if (n == 1)
        b.base = LLVMBuildExtractElement(e->L.b, x, wg_i64(e, 0), "");
    else
        b.vec = wg_trace_resized(t, x, WG_LANES);
    e->warp = e->first_warp;
    wg_emit_unread_atomic(e, in, &a, &b, wg_i32(e, (1u << n) - 1));
    e->warp = warp;
}

void wg_trace_atomic(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    struct wg_trace_group g;
    uint32_t bits = wg_type_bits(in->type), n;
    const struct wg_ir_opd *o = &in->src[0], *from = &in->src[1];
    t->failed |= !is_plain(t, in) || !gather_threads(t, mask, &g, &n);
    if (t->failed || !n) return;
    struct wg_trace_value v = wg_trace_operand(t, o, 64), x = wg_trace_operand(t, from, bits);
    t->failed |= v.kind != WG_TRACE_FORM || !v.sum.n || !keeps_order(t, in, &g, n) ||
                 (o->kind == WG_O_REG && wg_reg_bits(t->e, o->index) != 64) ||
                 (from->kind == WG_O_REG && wg_reg_bits(t->e, from->index) != bits);
    if (t->failed) return;
    int64_t at = wg_trace_c(&v, g.thread[0]) + in->offset;
    for (uint32_t i = 0; i < n; i++) {
        t->failed |= wg_trace_c(&v, g.thread[i]) + in->offset != at;
        if (x.kind == WG_TRACE_LANES) *WG_PUSH(&t->results) = x.at[g.thread[i]];
    }
    t->failed |= at % (bits / 8) != 0;
    struct wg_trace_test fits = {.kind = WG_TEST_ALIGNED, .a = v.sum, .bits = 64, .lo = bits / 8};
    wg_trace_expect(t, &fits);
    leave_global(t);
    t->operations++;
    LLVMValueRef value = wg_trace_piece(t, &x, &g, bits, false);
    if (!t->dry && !t->failed) emit(t, in, wg_trace_scalar(t, &v.sum, at, 64), value, n);
}
