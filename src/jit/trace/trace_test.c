/* Runtime checks: assumptions of a trace that are tested before it runs. See trace.h.
 *
 *     if (i < n)                                   i of all threads that compare is below n
 *     values[blockIdx.x * blockDim.x + t]          the index does not wrap around
 *
 * Tests of the same kind are merged into one, of the least and the greatest number.
 */
#include "cfg/constant.h"
#include "jit/trace/trace.h"

#include <string.h>

void wg_trace_expect(struct wg_trace *t, const struct wg_trace_test *x) {
    for (uint32_t i = 0; i < t->tests.n; i++) {
        struct wg_trace_test *y = &t->tests.v[i];
        if (y->kind != x->kind || y->is_signed != x->is_signed || y->or_equal != x->or_equal ||
            y->bits != x->bits || y->c != x->c || !wg_trace_same(&y->a, &x->a) ||
            !wg_trace_same(&y->b, &x->b))
            continue;
        if (x->kind == WG_TEST_ALIGNED ? x->lo > y->lo : x->lo < y->lo) y->lo = x->lo;
        if (x->hi > y->hi) y->hi = x->hi;
        return;
    }
    *WG_PUSH(&t->tests) = *x;
}

static void find_bounds(const struct wg_trace *t, const struct wg_trace_value *v, const uint32_t *mask,
                        bool is_signed, uint32_t bits, struct wg_trace_test *x) {
    bool any = false;
    for (uint32_t i = 0; i < t->nthreads; i++) {
        if (!wg_trace_on(mask, i)) continue;
        int64_t c = wg_trace_c(v, i);
        if (!is_signed && bits == 32 && !v->sum.n) c = (int64_t)(uint32_t)c;
        if (!any || c < x->lo) x->lo = c;
        if (!any || c > x->hi) x->hi = c;
        any = true;
    }
}

void wg_trace_widen(struct wg_trace *t, struct wg_trace_value *v, bool is_signed, const uint32_t *mask) {
    bool is_new;
    if (!v->sum.n) {
        int64_t *c = v->c ? WG_NEW_N(t->a, int64_t, t->nthreads) : NULL;
        for (uint32_t i = 0; c && i < t->nthreads; i++)
            c[i] = is_signed ? v->c[i] : (int64_t)(uint32_t)v->c[i];
        v->c = c;
        if (!is_signed) v->all = (int64_t)(uint32_t)v->all;
        return;
    }
    struct wg_trace_test range = {.kind = WG_TEST_RANGE, .a = v->sum, .bits = 32, .is_signed = is_signed};
    find_bounds(t, v, mask, is_signed, 32, &range);
    wg_trace_expect(t, &range);
    struct wg_trace_atom like = {.kind = WG_ATOM_WIDE, .bits = 64, .index = is_signed};
    like.from[0] = v->sum;
    uint32_t atom = wg_trace_atom(t, &like, &is_new);
    if (is_new && !t->dry) {
        LLVMValueRef x = wg_trace_scalar(t, &v->sum, 0, 32);
        t->atoms.v[atom].x =
            is_signed ? LLVMBuildSExt(t->early, x, t->e->i64, "") : LLVMBuildZExt(t->early, x, t->e->i64, "");
    }
    v->sum = wg_trace_one(atom);
}

/* ---- comparisons ---- */

enum relation { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, OTHER };

static enum relation relation_of(const struct wg_ir_instr *in) {
    switch (in->mod[WG_MC_CMP]) {
    case WG_M_lt:
    case WG_M_lo: return LESS;
    case WG_M_le:
    case WG_M_ls: return LESS_EQUAL;
    case WG_M_gt:
    case WG_M_hi: return GREATER;
    case WG_M_ge:
    case WG_M_hs: return GREATER_EQUAL;
    default: return OTHER;
    }
}

/* Removes threads that are beyond the bound whatever its value: the others' tests do not include them. */
static void take_out(const struct wg_trace *t, const struct wg_trace_value *a, const struct wg_trace_value *b,
                     bool or_equal, uint32_t *mask) {
    const struct wg_trace_atom *x = b->sum.n == 1 ? &t->atoms.v[b->sum.term[0].atom] : NULL;
    if (a->sum.n || !x || b->sum.term[0].by != 1 || b->all || !x->has_most) return;
    for (uint32_t i = 0; i < t->nthreads; i++)
        if (wg_trace_c(a, i) > x->most - !or_equal) mask[i / WG_LANES] &= ~(1u << i % WG_LANES);
}

/* A value that is at most `most` and above most - 1 is `most`: min(n - first, 256) where thread 255 is below
 * it. */
static void note_most(struct wg_trace *t, const struct wg_trace_test *x) {
    struct wg_trace_atom *b = x->b.n == 1 ? &t->atoms.v[x->b.term[0].atom] : NULL;
    if (x->kind != WG_TEST_BELOW || !x->is_signed || x->a.n || !b || x->b.term[0].by != 1 || x->c) return;
    b->is_most |= b->has_most && x->hi + !x->or_equal == b->most;
}

/* The result is `yes` in the threads of `within`, and !yes in the others. */
static void split(struct wg_trace *t, const uint32_t *within, bool yes, struct wg_trace_value *result) {
    int64_t *c = WG_NEW_N(t->a, int64_t, t->nthreads);
    bool all = true;
    for (uint32_t i = 0; i < t->nthreads; i++) {
        c[i] = wg_trace_on(within, i) == yes;
        all &= c[i] == c[0];
    }
    *result =
        (struct wg_trace_value){.kind = WG_TRACE_FORM, .all = c[0], .c = all ? NULL : c, .of_thread = !all};
}

/* Predicts a comparison's result, and adds the test for it: a thread compared with an end is below it;
 * compared by > or >= with 0 or 1, it is above. */
bool wg_trace_guess(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *s,
                    const uint32_t *mask, struct wg_trace_value *result) {
    enum relation r = relation_of(in);
    static const enum relation swapped[] = {GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, OTHER};
    uint32_t bits = wg_type_bits(in->type), within[WG_TRACE_WARPS], ask[WG_TRACE_WARPS];
    if (r == OTHER || bits != 32 || !wg_constant_type(in->type)) return false;
    if (t->e->func->blocks[t->e->block].loop != WG_NO_REG) return false; /* it would never end */
    if (!s[0].of_thread) r = swapped[r];
    const struct wg_trace_value *a = s[0].of_thread ? &s[0] : &s[1], *b = s[0].of_thread ? &s[1] : &s[0];
    if (!a->of_thread || !wg_trace_is_uniform(b)) return false;
    bool small = !b->sum.n && b->all >= 0 && b->all <= 1 && (r == GREATER || r == GREATER_EQUAL);
    struct wg_trace_test x = {.kind = small ? WG_TEST_ABOVE : WG_TEST_BELOW,
                              .is_signed = wg_type_kind(in->type) == WG_K_S,
                              .or_equal = small ? r == GREATER_EQUAL : r == LESS_EQUAL || r == GREATER,
                              .bits = bits,
                              .a = a->sum,
                              .b = b->sum,
                              .c = b->all};
    memset(within, 0xff, sizeof within);
    if (!small && x.is_signed) take_out(t, a, b, x.or_equal, within);
    bool some = false;
    for (uint32_t w = 0; w < t->nwarps; w++) some |= (ask[w] = mask[w] & within[w]) != 0;
    split(t, within, small || r == LESS || r == LESS_EQUAL, result);
    if (!some) return true;
    find_bounds(t, a, ask, x.is_signed, bits, &x);
    struct wg_trace_test range = {
        .kind = WG_TEST_RANGE, .is_signed = x.is_signed, .bits = bits, .a = a->sum, .lo = x.lo, .hi = x.hi};
    if (a->sum.n) wg_trace_expect(t, &range);
    wg_trace_expect(t, &x);
    note_most(t, &x);
    return true;
}

/* ---- their code ---- */

static LLVMValueRef widened(struct wg_trace *t, const struct wg_trace_sum *s, int64_t c, bool is_signed) {
    LLVMValueRef x = wg_trace_scalar(t, s, c, 32);
    return is_signed ? LLVMBuildSExt(t->early, x, t->e->i64, "") : LLVMBuildZExt(t->early, x, t->e->i64, "");
}

static LLVMValueRef plus(struct wg_trace *t, LLVMValueRef x, int64_t c) {
    return LLVMBuildAdd(t->early, x, wg_i64(t->e, (uint64_t)c), "");
}

static LLVMValueRef code_of(struct wg_trace *t, const struct wg_trace_test *x) {
    LLVMBuilderRef b = t->early;
    if (x->kind == WG_TEST_ALIGNED) {
        LLVMValueRef at = wg_trace_scalar(t, &x->a, 0, 64);
        at = LLVMBuildAnd(b, at, wg_i64(t->e, (uint64_t)x->lo - 1), "");
        return LLVMBuildICmp(b, LLVMIntEQ, at, wg_i64(t->e, 0), "");
    }
    LLVMValueRef a = widened(t, &x->a, 0, x->is_signed);
    if (x->kind == WG_TEST_RANGE) {
        int64_t least = x->is_signed ? INT32_MIN : 0, most = x->is_signed ? INT32_MAX : UINT32_MAX;
        LLVMValueRef lo = LLVMBuildICmp(b, LLVMIntSGE, plus(t, a, x->lo), wg_i64(t->e, (uint64_t)least), "");
        LLVMValueRef hi = LLVMBuildICmp(b, LLVMIntSLE, plus(t, a, x->hi), wg_i64(t->e, (uint64_t)most), "");
        return LLVMBuildAnd(b, lo, hi, "");
    }
    LLVMValueRef with = widened(t, &x->b, x->c, x->is_signed);
    if (x->kind == WG_TEST_BELOW)
        return LLVMBuildICmp(b, x->or_equal ? LLVMIntSLE : LLVMIntSLT, plus(t, a, x->hi), with, "");
    return LLVMBuildICmp(b, x->or_equal ? LLVMIntSGE : LLVMIntSGT, plus(t, a, x->lo), with, "");
}

LLVMValueRef wg_trace_tests(struct wg_trace *t) {
    LLVMValueRef all = NULL;
    for (uint32_t i = 0; i < t->tests.n; i++) {
        LLVMValueRef x = code_of(t, &t->tests.v[i]);
        all = all ? LLVMBuildAnd(t->early, all, x, "") : x;
    }
    return all;
}
