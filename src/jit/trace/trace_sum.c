/* Linear sums of values that are uniform over a block. See trace.h. */
#include "jit/trace/trace.h"

int64_t wg_trace_cut(int64_t x, uint32_t bits) {
    if (bits >= 64) return x;
    if (bits == 1) return x & 1;
    return (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits);
}

bool wg_trace_same(const struct wg_trace_sum *a, const struct wg_trace_sum *b) {
    if (a->n != b->n) return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->term[i].atom != b->term[i].atom || a->term[i].by != b->term[i].by) return false;
    return true;
}

struct wg_trace_sum wg_trace_one(uint32_t atom) {
    return (struct wg_trace_sum){.n = 1, .term = {{.atom = atom, .by = 1}}};
}

bool wg_trace_add(struct wg_trace_sum *a, const struct wg_trace_sum *b, int64_t by, uint32_t bits) {
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t k = 0;
        int64_t x = wg_trace_cut((int64_t)((uint64_t)b->term[i].by * (uint64_t)by), bits);
        while (k < a->n && a->term[k].atom < b->term[i].atom) k++;
        if (k < a->n && a->term[k].atom == b->term[i].atom) {
            a->term[k].by = wg_trace_cut((int64_t)((uint64_t)a->term[k].by + (uint64_t)x), bits);
            if (a->term[k].by) continue;
            for (a->n--; k < a->n; k++) a->term[k] = a->term[k + 1];
            continue;
        }
        if (!x) continue;
        if (a->n == WG_TRACE_TERMS) return false;
        for (uint32_t m = a->n++; m > k; m--) a->term[m] = a->term[m - 1];
        a->term[k].atom = b->term[i].atom;
        a->term[k].by = x;
    }
    return true;
}

static bool like(const struct wg_trace_atom *x, const struct wg_trace_atom *y) {
    if (x->kind != y->kind || x->bits != y->bits || x->index != y->index) return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!wg_trace_same(&x->from[i], &y->from[i]) || x->plus[i] != y->plus[i]) return false;
    return x->in == y->in;
}

uint32_t wg_trace_atom(struct wg_trace *t, const struct wg_trace_atom *x, bool *is_new) {
    *is_new = false;
    for (uint32_t i = 0; i < t->atoms.n; i++)
        if (like(&t->atoms.v[i], x)) return i;
    *is_new = true;
    *WG_PUSH(&t->atoms) = *x;
    return t->atoms.n - 1;
}

LLVMValueRef wg_trace_scalar(struct wg_trace *t, const struct wg_trace_sum *s, int64_t c, uint32_t bits) {
    if (t->dry) return NULL;
    LLVMTypeRef type = LLVMIntTypeInContext(t->e->L.ctx, bits);
    LLVMValueRef sum = NULL;
    for (uint32_t i = 0; i < s->n; i++) {
        LLVMValueRef x = t->atoms.v[s->term[i].atom].x;
        if (s->term[i].by != 1)
            x = LLVMBuildMul(t->early, x, LLVMConstInt(type, (uint64_t)s->term[i].by, 1), "");
        sum = sum ? LLVMBuildAdd(t->early, sum, x, "") : x;
    }
    LLVMValueRef constant = LLVMConstInt(type, (uint64_t)c, 1);
    if (!sum) return constant;
    return c ? LLVMBuildAdd(t->early, sum, constant, "") : sum;
}
