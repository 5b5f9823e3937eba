/* Symbolic execution of a trace's instructions. See trace.h.
 *
 *     mov.u32 %r3, %tid.x             c[thread] = thread
 *     mad.lo.s32 %r8, %r2, 256, %r3   256 * wg_trace_of_atom(%r2) + c[thread]
 *     mul.wide.s32 %rd9, %r8, 4       4 * wg_trace_of_atom(%r8's sum, widened) + 4 * c[thread], and a test
 *                                     that none wraps
 *     add.s32 %r5, %r4, %r8           lanes of vectors
 *
 * It does not ask scalar evolution (scev/): a trace runs an instruction many times, under masks, and a value is
 * what each thread's register has at that moment, a number or a lane of a vector.
 */
#include "cfg/constant.h"
#include "analysis/flow.h"
#include "jit/trace/trace.h"

#include <string.h>

/* ---- values that are uniform over the block ---- */

static bool all_uniform(const struct wg_trace_value *s, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!wg_trace_is_uniform(&s[i])) return false;
    return true;
}

static bool scalar(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *s,
                   const uint32_t *mask) {
    struct wg_emit *e = t->e;
    LLVMValueRef src[WG_TRACE_SOURCES], dst[2] = {NULL};
    bool is_new;
    if (in->nsrc > 3 || !all_uniform(s, in->nsrc)) return false;
    uint32_t bits = wg_reg_bits(e, in->dst[0].index);
    struct wg_trace_atom like = {.kind = WG_ATOM_INSTR, .in = in, .bits = bits};
    for (uint32_t i = 0; i < in->nsrc; i++) like.from[i] = s[i].sum, like.plus[i] = s[i].all;
    struct wg_trace_value v = wg_trace_of_atom(t, &like, &is_new);
    if (is_new && in->op == WG_OP_MIN_I && wg_type_kind(in->type) == WG_K_S) {
        uint32_t k = s[0].sum.n ? 1 : 0;
        wg_trace_last_atom(t)->has_most = !s[k].sum.n;
        wg_trace_last_atom(t)->most = s[k].all;
    }
    if (is_new && !t->dry) {
        LLVMBuilderRef b = wg_trace_early(t);
        for (uint32_t i = 0; i < in->nsrc; i++) {
            const struct wg_ir_opd *o = &in->src[i];
            uint32_t width = o->kind == WG_O_REG ? wg_reg_bits(e, o->index) : wg_ir_source_bits(in, i);
            src[i] = wg_trace_scalar(t, &s[i].sum, s[i].all, width);
            if (o->negated) src[i] = LLVMBuildNot(e->L.b, src[i], "");
        }
        wg_set_lanes(e, 1);
        t->failed |= !wg_lower_pure(&e->L, in, src, dst);
        if (!t->failed)
            wg_trace_last_atom(t)->x = wg_emit_resize(e, dst[0], bits, wg_type_kind(in->type) == WG_K_S);
        e->L.b = b;
    }
    wg_trace_set(t, in->dst[0].index, v, mask);
    return true;
}

/* Whether the register grows twofold from one iteration of this loop to the next. */
static bool doubles(const struct wg_trace *t, uint32_t reg, uint32_t header) {
    const struct wg_ir_func *f = t->e->func;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; wg_in_loop(f, b, header) && i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op == WG_OP_SHL && wg_writes(in, reg) && in->src[1].kind == WG_O_IMM &&
                in->src[1].imm == 1)
                return true;
        }
    return false;
}

/* for (away = 1; away < n; away *= 2): n is the block's length, as a rule. */
static bool is_usually_length(const struct wg_trace *t, uint32_t n) {
    const struct wg_ir_func *f = t->e->func;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; f->blocks[b].loop != WG_NO_REG && i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            for (uint32_t k = 0; k < 2 && in->op == WG_OP_SETP && in->nsrc == 2; k++) {
                const struct wg_ir_opd *bound = &in->src[k], *x = &in->src[1 - k];
                if (bound->kind == WG_O_REG && bound->index == n && x->kind == WG_O_REG &&
                    doubles(t, x->index, f->blocks[b].loop))
                    return t->e->opts->ntid[1] * t->e->opts->ntid[2] == 1;
            }
        }
    return false;
}

/* What the tests up front find to be so. */
static void assume(struct wg_trace *t, uint32_t atom, int64_t x) {
    t->atoms.v[atom].has_most = t->atoms.v[atom].is_most = true;
    t->atoms.v[atom].most = x;
    struct wg_trace_test most = {.kind = WG_TEST_BELOW,
                                 .is_signed = true,
                                 .or_equal = true,
                                 .bits = 32,
                                 .a = wg_trace_one(atom),
                                 .c = x};
    struct wg_trace_test least = most;
    least.kind = WG_TEST_ABOVE;
    wg_trace_expect(t, &most);
    wg_trace_expect(t, &least);
}

static void load_param(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    struct wg_emit *e = t->e;
    const struct wg_ir_opd *o = &in->src[0];
    bool is_new;
    if (in->nvec != 1 || o->kind != WG_O_SYM) {
        t->failed = true;
        return;
    }
    uint64_t offset = e->module->syms[o->index].offset + o->imm + (uint64_t)in->offset;
    uint32_t bits = wg_reg_bits(e, in->dst[0].index), width = wg_type_bits(in->type);
    bool is_signed = wg_type_kind(in->type) == WG_K_S;
    struct wg_trace_atom like = {.kind = WG_ATOM_PARAM, .bits = bits, .index = (uint32_t)offset};
    like.plus[0] = width;
    like.plus[1] = is_signed;
    struct wg_trace_value v = wg_trace_of_atom(t, &like, &is_new);
    if (is_new && !t->dry) {
        LLVMValueRef base = LLVMBuildIntToPtr(t->early, wg_params(e), e->ptr, "");
        LLVMValueRef x =
            wg_load_field(e, t->early, LLVMIntTypeInContext(e->L.ctx, width), base, offset, true, "");
        LLVMSetAlignment(x, width / 8);
        LLVMBuilderRef b = wg_trace_early(t);
        wg_trace_last_atom(t)->x = wg_emit_resize(e, x, bits, is_signed);
        e->L.b = b;
    }
    if (is_new && bits == 32 && width == 32 && is_usually_length(t, in->dst[0].index))
        assume(t, v.sum.term[0].atom, t->nthreads);
    wg_trace_set(t, in->dst[0].index, v, mask);
}

/* ---- special registers ---- */

static void special(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    const uint32_t *n = t->e->opts->ntid;
    uint32_t reg = in->dst[0].index;
    struct wg_trace_value v = wg_trace_constant(0);
    if (in->sreg == WG_SR_ntid_x || in->sreg == WG_SR_ntid_y || in->sreg == WG_SR_ntid_z) {
        v.all = n[in->sreg - WG_SR_ntid_x];
    } else if (in->sreg == WG_SR_tid_x || in->sreg == WG_SR_tid_y || in->sreg == WG_SR_tid_z ||
               in->sreg == WG_SR_laneid || in->sreg == WG_SR_warpid) {
        int64_t *c = WG_NEW_N(t->a, int64_t, t->nthreads);
        bool varies = false;
        for (uint32_t i = 0; i < t->nthreads; i++) {
            c[i] = in->sreg == WG_SR_tid_x    ? i % n[0]
                   : in->sreg == WG_SR_tid_y  ? i / n[0] % n[1]
                   : in->sreg == WG_SR_tid_z  ? i / n[0] / n[1]
                   : in->sreg == WG_SR_laneid ? i % WG_LANES
                                              : i / WG_LANES;
            varies |= c[i] != c[0];
        }
        v.of_thread = varies;
        v.c = varies ? c : NULL;
        v.all = c[0];
    } else if (wg_sreg_of_block(in->sreg)) {
        v.sum = wg_trace_one(wg_trace_block_field(t, in->sreg, wg_reg_bits(t->e, reg)));
    } else {
        t->failed = true;
    }
    if (!t->failed) wg_trace_set(t, reg, v, mask);
}

/* ---- forms ---- */

/* The same of each thread, or of all. */
static bool by_thread(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *s,
                      struct wg_trace_value *v) {
    uint32_t bits = wg_reg_bits(t->e, in->dst[0].index), n = 1;
    int64_t *c = NULL;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        if (s[i].kind != WG_TRACE_FORM || s[i].sum.n) return false;
        if (s[i].c) n = t->nthreads;
        v->of_thread |= s[i].of_thread;
    }
    if (n > 1) v->c = c = WG_NEW_N(t->a, int64_t, n);
    for (uint32_t k = 0; k < n; k++) {
        uint64_t x, from[WG_TRACE_SOURCES] = {0};
        for (uint32_t i = 0; i < in->nsrc; i++) {
            from[i] = (uint64_t)wg_trace_c(&s[i], k);
            if (in->src[i].negated) from[i] ^= 1;
        }
        if (!wg_constant_of(in, from, &x)) return false;
        v->all = wg_trace_cut((int64_t)wg_constant_cut(x, bits), bits);
        if (c) c[k] = v->all;
    }
    v->kind = WG_TRACE_FORM;
    return true;
}

/* v = x * by + y (y may be NULL), in so many bits. */
static bool line(struct wg_trace *t, const struct wg_trace_value *x, int64_t by,
                 const struct wg_trace_value *y, int64_t y_by, uint32_t bits, struct wg_trace_value *v) {
    *v = wg_trace_constant(0);
    v->of_thread = x->of_thread || (y && y->of_thread);
    wg_trace_add(&v->sum, &x->sum, by, bits);
    if (y && !wg_trace_add(&v->sum, &y->sum, y_by, bits)) return false;
    int64_t *c = x->c || (y && y->c) ? WG_NEW_N(t->a, int64_t, t->nthreads) : NULL;
    for (uint32_t i = 0; i < (c ? t->nthreads : 1); i++) {
        uint64_t sum = (uint64_t)wg_trace_c(x, i) * (uint64_t)by;
        if (y) sum += (uint64_t)wg_trace_c(y, i) * (uint64_t)y_by;
        v->all = wg_trace_cut((int64_t)sum, bits);
        if (c) c[i] = v->all;
    }
    v->c = c;
    return true;
}

static bool is_number(const struct wg_trace_value *v) { return wg_trace_is_uniform(v) && !v->sum.n; }

/* x * y + z, where x and y are the same in all threads and z is not: a row's index times its length, and the thread's. */
static bool product_and_thread(struct wg_trace *t, const struct wg_ir_instr *in,
                               const struct wg_trace_value *s, struct wg_trace_value *v) {
    uint32_t bits = wg_type_bits(in->type);
    bool is_new;
    if (in->op != WG_OP_MAD_I || in->mod[WG_MC_MULW] != WG_M_lo || !all_uniform(s, 2) || !s[2].c)
        return false;
    struct wg_trace_atom like = {.kind = WG_ATOM_PRODUCT, .bits = bits};
    for (uint32_t i = 0; i < 2; i++) like.from[i] = s[i].sum, like.plus[i] = s[i].all;
    struct wg_trace_value x = wg_trace_of_atom(t, &like, &is_new);
    if (is_new && !t->dry) {
        LLVMValueRef a = wg_trace_scalar(t, &s[0].sum, s[0].all, bits),
                     b = wg_trace_scalar(t, &s[1].sum, s[1].all, bits);
        wg_trace_last_atom(t)->x = LLVMBuildMul(t->early, a, b, "");
    }
    return line(t, &x, 1, &s[2], 1, bits, v);
}

static bool product(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *s,
                    const uint32_t *mask, struct wg_trace_value *v) {
    uint32_t bits = wg_type_bits(in->type);
    bool wide = in->mod[WG_MC_MULW] == WG_M_wide, is_signed = wg_type_kind(in->type) == WG_K_S;
    if (!wide && in->mod[WG_MC_MULW] != WG_M_lo) return false;
    uint32_t k = is_number(&s[1]) ? 0 : 1;
    if (!is_number(&s[1 - k])) return product_and_thread(t, in, s, v);
    struct wg_trace_value x = s[k];
    int64_t by = s[1 - k].all;
    if (wide) wg_trace_widen(t, &x, is_signed, mask);
    if (wide && !is_signed) by = (int64_t)(uint32_t)by;
    return line(t, &x, by, in->op == WG_OP_MAD_I ? &s[2] : NULL, 1, wide ? 64 : bits, v);
}

/* Truncating an extended value gives the original. */
static bool narrow(struct wg_trace *t, const struct wg_trace_value *x, struct wg_trace_value *v) {
    struct wg_trace_value low = *x;
    low.sum.n = 0;
    for (uint32_t i = 0; i < x->sum.n; i++) {
        const struct wg_trace_atom *a = &t->atoms.v[x->sum.term[i].atom];
        if (a->kind != WG_ATOM_WIDE || !wg_trace_add(&low.sum, &a->from[0], x->sum.term[i].by, 32))
            return false;
    }
    return line(t, &low, 1, NULL, 0, 32, v);
}

/* x | y is x + y where x has zeros in all bits that y may have: blockIdx.x * 256 | threadIdx.x. */
static bool bits_apart(const struct wg_trace *t, const struct wg_trace_value *x,
                       const struct wg_trace_value *y) {
    uint64_t any = 0, low = (uint64_t)x->all;
    if (y->sum.n || x->c) return false;
    for (uint32_t i = 0; i < (y->c ? t->nthreads : 1); i++) any |= (uint64_t)wg_trace_c(y, i);
    for (uint32_t i = 0; i < x->sum.n; i++) low |= (uint64_t)x->sum.term[i].by;
    return any < (low & -low);
}

/* Operations whose result is a form again: the linear ones. */
static bool linear(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *s,
                   const uint32_t *mask, struct wg_trace_value *v) {
    uint32_t bits = wg_type_bits(in->type);
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (s[i].kind != WG_TRACE_FORM || in->src[i].negated) return false;
    *v = s[0];
    if (wg_op_is(in->op, WG_IS_COPY)) return true;
    if (!wg_constant_type(in->type) || in->mod[WG_MC_SAT] != WG_M_none) return false;
    switch (in->op) {
    case WG_OP_OR:
        if (!bits_apart(t, &s[0], &s[1]) && !bits_apart(t, &s[1], &s[0])) return false; /* fallthrough */
    case WG_OP_ADD_I: return line(t, &s[0], 1, &s[1], 1, bits, v);
    case WG_OP_SUB_I: return line(t, &s[0], 1, &s[1], -1, bits, v);
    case WG_OP_NEG_I: return line(t, &s[0], -1, NULL, 0, bits, v);
    case WG_OP_MUL_I:
    case WG_OP_MAD_I: return product(t, in, s, mask, v);
    case WG_OP_SHL:
        return is_number(&s[1]) && (uint64_t)s[1].all < bits &&
               line(t, &s[0], (int64_t)(UINT64_C(1) << s[1].all), NULL, 0, bits, v);
    case WG_OP_CVT:
        if (wg_type_bits(in->type2) == bits && wg_constant_type(in->type2)) return true;
        if (bits == 32 && wg_type_bits(in->type2) == 64 && wg_constant_type(in->type2))
            return narrow(t, &s[0], v);
        if (wg_type_bits(in->type2) != 32 || wg_type_kind(in->type2) == WG_K_F) return false;
        wg_trace_widen(t, v, wg_type_kind(in->type2) == WG_K_S, mask);
        return true;
    default: return false;
    }
}

/* ---- pure rows ---- */

/* One of two values by what is known of the threads. */
static bool select_known(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *s,
                         const uint32_t *mask) {
    uint32_t yes[WG_TRACE_WARPS] = {0}, no[WG_TRACE_WARPS] = {0}, reg = in->dst[0].index;
    if (in->op != WG_OP_SELP || s[2].kind != WG_TRACE_FORM || s[2].sum.n) return false;
    for (uint32_t i = 0; i < t->nthreads; i++) {
        bool on = (wg_trace_c(&s[2], i) != 0) != in->src[2].negated;
        if (wg_trace_on(mask, i)) (on ? yes : no)[i / WG_LANES] |= 1u << i % WG_LANES;
    }
    uint32_t bits = wg_reg_bits(t->e, reg), *at = WG_NEW_N(t->a, uint32_t, t->nthreads);
    struct wg_trace_value a = wg_trace_to_lanes(t, &s[0], bits, yes),
                          b = wg_trace_to_lanes(t, &s[1], bits, no);
    for (uint32_t i = 0; i < t->nthreads; i++) at[i] = (wg_trace_on(yes, i) ? &a : &b)->at[i];
    wg_trace_set(t, reg, (struct wg_trace_value){.kind = WG_TRACE_LANES, .at = at}, mask);
    return true;
}

static void pure(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    struct wg_trace_value s[WG_TRACE_SOURCES], v = {0};
    bool is_copy = in->op == WG_OP_CVTA || in->op == WG_OP_CVTA_TO;
    if (in->nsrc > WG_TRACE_SOURCES || !in->nsrc || (wg_op_flags(in->op) && !is_copy) ||
        in->op >= WG_OP_COUNT || in->op == WG_OP_NONE || (is_copy && in->space != WG_S_GLOBAL)) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < in->nsrc; i++) s[i] = wg_trace_operand(t, &in->src[i], wg_ir_source_bits(in, i));
    if (in->ndst == 1 && in->dst[0].kind == WG_O_REG) {
        uint32_t reg = in->dst[0].index;
        bool same = in->op == WG_OP_CVT || wg_reg_bits(t->e, reg) == wg_type_bits(in->type) ||
                    in->mod[WG_MC_MULW] == WG_M_wide || is_copy;
        if (by_thread(t, in, s, &v) || (same && linear(t, in, s, mask, &v))) {
            wg_trace_set(t, reg, v, mask);
            return;
        }
        if (in->op == WG_OP_SETP && wg_trace_guess(t, in, s, mask, &v)) {
            wg_trace_set(t, reg, v, mask);
            return;
        }
        if (in->op == WG_OP_MOV && s[0].kind == WG_TRACE_LANES && same && !in->src[0].negated) {
            wg_trace_set(t, reg, s[0], mask);
            return;
        }
        if (scalar(t, in, s, mask) || select_known(t, in, s, mask)) return;
    }
    t->failed |= is_copy;
    if (!t->failed) wg_trace_compute(t, in, s, mask);
}

/* ---- other lanes ---- */

/* A shuffle's source lane; false: it is out of range, and the thread keeps its own value. */
static bool source_lane(const struct wg_ir_instr *in, int32_t lane, int64_t by, int64_t clamp,
                        int32_t *from) {
    int32_t segment = (int32_t)(clamp >> 8 & 31), rest = 31 & ~segment, low = lane & segment;
    int32_t high = low | (int32_t)(clamp & 31 & rest), n = (int32_t)(by & 31);
    switch (in->mod[WG_MC_SHFL]) {
    case WG_M_up: *from = lane - n; return *from >= high;
    case WG_M_down: *from = lane + n; break;
    case WG_M_bfly: *from = lane ^ n; break;
    default: *from = low | (n & rest); break;
    }
    return *from <= high;
}

/* The value of lanes that do not run the shuffle: zeros, in any lane of the vector. */
static uint32_t zeros(struct wg_trace *t) {
    if (!t->zeros) t->zeros = wg_trace_vector(t, LLVMConstNull(LLVMVectorType(t->e->i32, t->chunk)), 32);
    return t->zeros * WG_TRACE_CHUNK;
}

static void shuffle(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    struct wg_trace_value s[3], v = {.kind = WG_TRACE_LANES}, valid = {.kind = WG_TRACE_FORM};
    uint32_t *at = WG_NEW_N(t->a, uint32_t, t->nthreads);
    int64_t *is_valid = WG_NEW_N(t->a, int64_t, t->nthreads);
    for (uint32_t i = 0; i < 3; i++) {
        s[i] = wg_trace_operand(t, &in->src[i], 32);
        t->failed |= i > 0 && (s[i].kind != WG_TRACE_FORM || s[i].sum.n);
    }
    if (t->failed) return;
    s[0] = wg_trace_to_lanes(t, &s[0], 32, mask);
    for (uint32_t i = 0; i < t->nthreads; i++) {
        if (!wg_trace_on(mask, i)) continue;
        int32_t lane = (int32_t)(i % WG_LANES), from;
        is_valid[i] = source_lane(in, lane, wg_trace_c(&s[1], i), wg_trace_c(&s[2], i), &from);
        uint32_t other = is_valid[i] ? i - (uint32_t)lane + (uint32_t)from : i;
        bool runs = other < t->nthreads && wg_trace_on(mask, other);
        at[i] = runs ? s[0].at[other] : zeros(t) + i % t->chunk;
        t->shuffled += other != i;
    }
    v.at = at;
    valid.c = is_valid;
    if (in->dst[0].kind == WG_O_REG) wg_trace_set(t, in->dst[0].index, v, mask);
    if (in->ndst > 1 && in->dst[1].kind == WG_O_REG) wg_trace_set(t, in->dst[1].index, valid, mask);
}

/* ---- instructions ---- */

/* Threads whose guard is true; false: not known which. */
static bool guarded(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask, uint32_t *on) {
    memcpy(on, mask, t->nwarps * sizeof *on);
    if (in->guard == WG_NO_REG) return true;
    const struct wg_trace_value *g = &t->reg[in->guard];
    if (g->kind != WG_TRACE_FORM || g->sum.n) return false;
    for (uint32_t i = 0; i < t->nthreads; i++)
        if ((wg_trace_c(g, i) != 0) == in->guard_neg) on[i / WG_LANES] &= ~(1u << i % WG_LANES);
    return true;
}

void wg_trace_instr(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    uint32_t on[WG_TRACE_WARPS];
    if (!guarded(t, in, mask, on)) {
        t->failed = true;
        return;
    }
    switch (in->op) {
    case WG_OP_MOV_SREG: special(t, in, on); break;
    case WG_OP_LD:
        if (in->space == WG_S_PARAM)
            load_param(t, in, on);
        else
            wg_trace_load(t, in, on);
        break;
    case WG_OP_ST: wg_trace_store(t, in, on); break;
    case WG_OP_ATOM:
    case WG_OP_RED: wg_trace_atomic(t, in, on); break;
    case WG_OP_SHFL: shuffle(t, in, on); break;
    case WG_OP_BAR_WARP: break; /* threads run in lockstep */
    default: pure(t, in, on); break;
    }
}
