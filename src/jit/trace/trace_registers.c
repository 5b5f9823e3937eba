/* Registers and operands of a trace. See trace.h. */
#include "jit/trace/trace.h"

struct wg_trace_value wg_trace_constant(int64_t x) {
    return (struct wg_trace_value){.kind = WG_TRACE_FORM, .all = x};
}

struct wg_trace_value wg_trace_of_atom(struct wg_trace *t, const struct wg_trace_atom *like, bool *is_new) {
    struct wg_trace_value v = wg_trace_constant(0);
    v.sum = wg_trace_one(wg_trace_atom(t, like, is_new));
    return v;
}

struct wg_trace_atom *wg_trace_last_atom(struct wg_trace *t) { return &t->atoms.v[t->atoms.n - 1]; }

static struct wg_trace_value symbol(struct wg_trace *t, const struct wg_ir_opd *o, uint32_t bits) {
    const struct wg_ir_sym *s = &t->e->module->syms[o->index];
    struct wg_trace_atom like = {.kind = WG_ATOM_SYMBOL, .bits = bits, .index = o->index};
    struct wg_ir_opd base = *o;
    bool is_new;
    if (s->kind == WG_SYM_SHARED) { /* all variables from one base */
        like.kind = WG_ATOM_SHARED;
        like.index = 0;
        base.imm = -s->offset;
    } else if (s->kind == WG_SYM_DYNSHARED || s->kind == WG_SYM_GLOBAL) {
        base.imm = 0;
    } else {
        t->failed = true;
        return wg_trace_constant(0);
    }
    struct wg_trace_value v = wg_trace_of_atom(t, &like, &is_new);
    v.all = (int64_t)(o->imm - base.imm);
    if (s->kind != WG_SYM_SHARED) v.all = (int64_t)o->imm;
    if (!is_new || t->dry) return v;
    LLVMBuilderRef b = wg_trace_early(t);
    wg_trace_last_atom(t)->x = wg_symbol_address(t->e, &base, bits).base;
    t->e->L.b = b;
    return v;
}

/* Constant folding: atoms that turned out to be constants. */
static struct wg_trace_value folded(struct wg_trace *t, struct wg_trace_value v, uint32_t bits) {
    for (uint32_t i = v.sum.n; i-- > 0;) {
        const struct wg_trace_atom *x = &t->atoms.v[v.sum.term[i].atom];
        if (!x->is_most) continue;
        uint64_t more = (uint64_t)x->most * (uint64_t)v.sum.term[i].by;
        int64_t *c = v.c ? WG_NEW_N(t->a, int64_t, t->nthreads) : NULL;
        for (uint32_t k = 0; c && k < t->nthreads; k++)
            c[k] = wg_trace_cut((int64_t)((uint64_t)v.c[k] + more), bits);
        v.c = c;
        v.all = wg_trace_cut((int64_t)((uint64_t)v.all + more), bits);
        v.sum.n--;
        for (uint32_t k = i; k < v.sum.n; k++) v.sum.term[k] = v.sum.term[k + 1];
    }
    return v;
}

struct wg_trace_value wg_trace_operand(struct wg_trace *t, const struct wg_ir_opd *o, uint32_t bits) {
    if (o->kind == WG_O_REG) {
        struct wg_trace_value v = t->reg[o->index];
        t->failed |= v.narrow && v.narrow != bits;
        if (v.kind == WG_TRACE_FORM && v.sum.n) return folded(t, v, wg_reg_bits(t->e, o->index));
        return v.kind == WG_TRACE_NONE ? wg_trace_constant(0) : v;
    }
    if (o->kind == WG_O_IMM) return wg_trace_constant(wg_trace_cut((int64_t)o->imm, bits));
    return symbol(t, o, bits);
}

static bool covers(const struct wg_trace *t, const uint32_t *mask) {
    for (uint32_t w = 0; w < t->nwarps; w++)
        if (t->alive[w] & ~mask[w]) return false;
    return true;
}

void wg_trace_set(struct wg_trace *t, uint32_t reg, struct wg_trace_value v, const uint32_t *mask) {
    struct wg_trace_value *r = &t->reg[reg];
    uint32_t bits = wg_reg_bits(t->e, reg), off[WG_TRACE_WARPS];
    bool once = t->e->an->cfg.ndefs[reg] == 1 && !t->goes_back;
    if (r->kind == WG_TRACE_NONE || once || covers(t, mask)) {
        *r = v;
        return;
    }
    if (v.kind == WG_TRACE_FORM && r->kind == WG_TRACE_FORM && wg_trace_same(&v.sum, &r->sum)) {
        int64_t *c = WG_NEW_N(t->a, int64_t, t->nthreads);
        for (uint32_t i = 0; i < t->nthreads; i++) c[i] = wg_trace_c(wg_trace_on(mask, i) ? &v : r, i);
        r->of_thread = true;
        r->c = c;
        return;
    }
    for (uint32_t w = 0; w < t->nwarps; w++) off[w] = t->alive[w] & ~mask[w];
    t->failed |= v.narrow != r->narrow;
    uint32_t *at = WG_NEW_N(t->a, uint32_t, t->nthreads);
    struct wg_trace_value now = wg_trace_to_lanes(t, &v, bits, mask),
                          old = wg_trace_to_lanes(t, r, bits, off);
    for (uint32_t i = 0; i < t->nthreads; i++) at[i] = (wg_trace_on(mask, i) ? &now : &old)->at[i];
    *r = (struct wg_trace_value){.kind = WG_TRACE_LANES, .at = at, .narrow = v.narrow};
}

uint32_t wg_trace_block_field(struct wg_trace *t, uint32_t sreg, uint32_t bits) {
    struct wg_trace_atom like = {.kind = WG_ATOM_INSTR, .bits = bits, .index = sreg};
    bool is_new;
    uint32_t atom = wg_trace_atom(t, &like, &is_new);
    LLVMValueRef x = is_new && !t->dry ? wg_block_field(t->e, sreg) : NULL;
    t->failed |= is_new && !t->dry && !x;
    LLVMBuilderRef b = wg_trace_early(t);
    if (x) t->atoms.v[atom].x = wg_emit_resize(t->e, x, bits, false);
    t->e->L.b = b;
    return atom;
}
