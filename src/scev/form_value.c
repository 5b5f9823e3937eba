/* Affine forms of an instruction's results, from those of its operands. See forms.h.
 *
 * A register's form is exact modulo 2^width. Only where the number itself matters (it is extended, divided,
 * compared) its range has to prove that it did not wrap: form_number.
 */
#include "scev/form_state.h"
#include <string.h>

enum { DEEP = 200, DEEP_SYMBOLIC = 40, MOST_SHARED = 1 << 24 };

const struct wg_ir_instr *form_at(const struct wg_form_facts *k, struct form_place p) {
    return &k->cfg->func->blocks[p.block].instrs[p.index];
}

const struct wg_ir_instr *form_definition(const struct wg_form_facts *k, uint32_t reg,
                                          struct form_place *at) {
    if (k->first_def[reg + 1] - k->first_def[reg] != 1) return NULL;
    *at = k->defs[k->first_def[reg]];
    const struct wg_ir_instr *in = form_at(k, *at);
    return in->guard == WG_NO_REG ? in : NULL;
}

bool form_before(const struct wg_form_facts *k, struct form_place a, struct form_place b) {
    if (a.block == b.block) return a.index < b.index;
    return wg_dominates(k->cfg, a.block, b.block);
}

static uint32_t bits_of_reg(const struct form_maker *m, uint32_t reg) {
    static const uint8_t bits[] = {[WG_W1] = 1, [WG_W16] = 16, [WG_W32] = 32, [WG_W64] = 64, [WG_W128] = 128};
    return bits[m->k->cfg->func->regs[reg].width];
}

struct wg_sum form_any_bits(struct form_maker *m, uint32_t reg, uint32_t bits, bool is_signed) {
    if (bits > 32 || bits < 8) return form_unknown();
    if (m->symbolic && bits == bits_of_reg(m, reg)) return form_register(m, reg);
    int64_t half = INT64_C(1) << (bits - 1);
    return form_any(m, reg, is_signed ? -half : 0, is_signed ? half - 1 : 2 * half - 1);
}

/* ---- symbolic: no launch is known ---- */

struct wg_sum form_the(struct form_maker *m, struct wg_form_var v) {
    const struct wg_forms *x = m->x;
    uint32_t i = 0;
    while (i < x->nvars && (x->vars[i].kind != v.kind || x->vars[i].reg != v.reg ||
                            x->vars[i].unit != v.unit || x->vars[i].loop != v.loop || x->vars[i].lo != v.lo))
        i++;
    return i < x->nvars || form_new_var(m, &v, &i) ? form_var(i, 1) : form_unknown();
}

/* A register with several definitions is a new variable at each use. */
struct wg_sum form_register(struct form_maker *m, uint32_t reg) {
    uint32_t bits = bits_of_reg(m, reg), var;
    struct form_place at;
    bool one = m->lax || (form_definition(m->k, reg, &at) && !wg_bits_has(m->k->unset, reg));
    if (bits > 64) return form_unknown();
    struct wg_form_var v = {.kind = WG_VAR_REG, .reg = reg, .hi = 1}; /* a predicate's range */
    if (bits > 1) {
        v.lo = (int64_t)(UINT64_MAX << (bits - 1));
        v.hi = ~v.lo;
    }
    if (one) return form_the(m, v);
    return form_new_var(m, &v, &var) ? form_var(var, 1) : form_unknown();
}

/* The product as a variable, a number of 64 bits; there are none of products of products. */
static struct wg_sum product_of_vars(struct form_maker *m, uint32_t a, uint32_t b) {
    const struct wg_form_var *x = &m->x->vars[a], *y = &m->x->vars[b];
    if (x->kind == WG_VAR_PRODUCT || y->kind == WG_VAR_PRODUCT) return form_unknown();
    wide ends[] = {(wide)x->lo * y->lo, (wide)x->lo * y->hi, (wide)x->hi * y->lo, (wide)x->hi * y->hi};
    wide lo = ends[0], hi = ends[0];
    for (uint32_t i = 1; i < 4; i++) {
        if (ends[i] < lo) lo = ends[i];
        if (ends[i] > hi) hi = ends[i];
    }
    if (lo < INT64_MIN || hi > INT64_MAX) lo = INT64_MIN, hi = INT64_MAX; /* modulo 2^64 */
    struct wg_form_var v = {.kind = WG_VAR_PRODUCT,
                            .reg = a < b ? a : b,
                            .loop = a < b ? b : a,
                            .lo = (int64_t)lo,
                            .hi = (int64_t)hi};
    return form_the(m, v);
}

struct wg_sum form_product(struct form_maker *m, const struct wg_sum *a, const struct wg_sum *b) {
    struct wg_sum ca = form_constant(a->constant), out, x = *a, y = *b;
    if (!a->known || !b->known || a->base || b->base) return form_unknown();
    x.constant = y.constant = 0;
    out = form_sum(&x, b->constant, &ca, b->constant);
    out = form_sum(&out, 1, &y, a->constant);
    for (uint32_t i = 0; i < a->nterms; i++)
        for (uint32_t k = 0; k < b->nterms && out.known; k++) {
            struct wg_sum p = product_of_vars(m, a->term[i].var, b->term[k].var);
            int64_t times;
            if (__builtin_mul_overflow(a->term[i].times, b->term[k].times, &times)) return form_unknown();
            out = form_sum(&out, 1, &p, times);
        }
    return out;
}

/* ---- operands ---- */

static struct wg_sum of_symbol(struct form_maker *m, const struct wg_ir_opd *o) {
    const struct wg_ir_sym *s = &m->k->module->syms[o->index];
    struct wg_sum f = form_constant((int64_t)(s->offset + o->imm)), addend = form_constant((int64_t)o->imm);
    if (m->symbolic && (s->kind == WG_SYM_DYNSHARED || s->kind == WG_SYM_GLOBAL)) {
        int64_t end = s->kind == WG_SYM_GLOBAL ? INT64_MAX : MOST_SHARED;
        f = form_the(m, (struct wg_form_var){.kind = WG_VAR_SYMBOL, .reg = o->index, .hi = end});
        return form_sum(&f, 1, &addend, 1);
    }
    switch (s->kind) {
    case WG_SYM_SHARED: return f;
    case WG_SYM_DYNSHARED: return form_constant((int64_t)(m->l->dynamic_shared + o->imm));
    case WG_SYM_GLOBAL: return form_constant((int64_t)(m->l->symbols[o->index] + o->imm));
    case WG_SYM_PARAM: f.base = WG_BASE_PARAM; return f;
    default: return form_unknown();
    }
}

/* Symbolic: an unknown value that is the register's and not a part of it. */
static void name_whole(struct form_maker *m, const struct wg_sum *f, uint32_t reg) {
    struct wg_form_var *v = &m->x->vars[f->term[0].var];
    if (f->known && f->nterms == 1 && f->term[0].times == 1 && !f->constant && !f->base &&
        v->kind == WG_VAR_ANY && v->reg == reg)
        v->kind = WG_VAR_REG;
}

static struct wg_sum of_register(struct form_maker *m, uint32_t reg, struct form_place p) {
    struct form_reg *r = form_reg_of(m, reg);
    struct form_place at;
    const struct wg_ir_instr *in = form_definition(m->k, reg, &at);
    if (!in && wg_bits_has(m->k->unset, reg)) return form_unknown();
    if (!in) return form_of_loop(m, reg, p);
    if (r->state == FORM_OPEN || m->depth == (m->symbolic ? DEEP_SYMBOLIC : DEEP) ||
        wg_bits_has(m->k->unset, reg))
        return form_unknown();
    if (r->state == FORM_DONE) return r->form;
    r->state = FORM_OPEN;
    m->depth++;
    r->form = form_result(m, in, at, reg);
    m->depth--;
    if (r->form.known) form_reduce(&r->form, bits_of_reg(m, reg));
    if (m->symbolic) name_whole(m, &r->form, reg);
    r->state = FORM_DONE;
    return r->form;
}

struct wg_sum form_operand(struct form_maker *m, const struct wg_ir_opd *o, struct form_place p) {
    switch (o->kind) {
    case WG_O_REG: {
        if (o->negated) return form_unknown();
        struct wg_sum f = of_register(m, o->index, p);
        return f.known || !m->symbolic ? f : form_register(m, o->index);
    }
    case WG_O_IMM: return form_constant((int64_t)o->imm);
    case WG_O_SYM: return of_symbol(m, o);
    default: return form_unknown();
    }
}

bool form_fit(struct form_maker *m, struct wg_sum *f, const struct wg_form_guards *g, uint32_t bits,
              bool is_signed) {
    wide lo, hi, size = (wide)1 << bits, least = is_signed ? -(size >> 1) : 0;
    form_reduce(f, bits);
    if (!form_range(m->x, f, g, &lo, &hi)) return false;
    wide off = lo - least, turns = off >= 0 ? off / size : -((-off + size - 1) / size);
    if (hi - turns * size >= least + size || (turns && bits == 64)) return false;
    f->constant -= (int64_t)(turns * size);
    return true;
}

struct wg_sum form_number(struct form_maker *m, const struct wg_ir_opd *o, struct form_place p, uint32_t bits,
                          bool is_signed) {
    struct wg_sum f = form_operand(m, o, p);
    if (!f.known || f.base || (m->low && bits > 32)) return form_unknown();
    return form_fit(m, &f, form_guards(m, p.block), bits, is_signed) || m->lax ? f : form_unknown();
}

/* ---- special registers ---- */

static struct wg_sum axis(const struct form_maker *m, uint32_t a) {
    struct wg_sum f = form_constant(0);
    for (uint32_t i = 0; i < m->ncuts[a]; i++) {
        struct wg_sum d = form_var(m->digit[a] + i, m->cuts[a][i]);
        if (m->x->vars[m->digit[a] + i].hi) f = form_sum(&f, 1, &d, 1);
    }
    return f;
}

static struct wg_sum in_warp(struct form_maker *m, uint32_t reg, bool lane) {
    const uint32_t *n = m->l->ntid;
    struct wg_sum x = axis(m, WG_VAR_TID_X), y = axis(m, WG_VAR_TID_Y), z = axis(m, WG_VAR_TID_Z);
    x = form_sum(&x, 1, &y, n[0]);
    x = form_sum(&x, 1, &z, (int64_t)n[0] * n[1]);
    return form_divided(m, &x, NULL, 32, lane, reg);
}

static struct wg_sum special(struct form_maker *m, uint32_t sreg, uint32_t reg) {
    const uint32_t *n = m->l->ntid, *blocks = m->l->nctaid;
    switch (sreg) {
    case WG_SR_tid_x:
    case WG_SR_tid_y:
    case WG_SR_tid_z: return axis(m, WG_VAR_TID_X + (sreg - WG_SR_tid_x));
    case WG_SR_ctaid_x:
    case WG_SR_ctaid_y:
    case WG_SR_ctaid_z: return axis(m, WG_VAR_CTAID_X + (sreg - WG_SR_ctaid_x));
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z: return form_constant(n[sreg - WG_SR_ntid_x]);
    case WG_SR_nctaid_x:
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z: {
        uint32_t a = sreg - WG_SR_nctaid_x;
        if (!m->symbolic) return form_constant(blocks[a]);
        return form_the(m, (struct wg_form_var){.kind = WG_VAR_NCTAID, .reg = a, .lo = 1, .hi = blocks[a]});
    }
    case WG_SR_laneid: return in_warp(m, reg, true);
    case WG_SR_warpid: return in_warp(m, reg, false);
    default: return form_any_bits(m, reg, bits_of_reg(m, reg), false);
    }
}

/* ---- arithmetic ---- */

static uint32_t bits_of(const struct wg_ir_instr *in) { return wg_type_bits(in->type); }
static bool is_signed(enum wg_type t) { return wg_type_kind(t) == WG_K_S; }

static struct wg_sum source(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                            uint32_t i) {
    struct wg_sum f = form_operand(m, &in->src[i], p);
    if (f.known) form_reduce(&f, bits_of(in));
    return f;
}

static struct wg_sum times(const struct wg_sum *a, const struct wg_sum *b) {
    struct wg_sum none = form_constant(0);
    if (form_is_constant(b)) return form_sum(a, b->constant, &none, 0);
    if (form_is_constant(a)) return form_sum(b, a->constant, &none, 0);
    return form_unknown();
}

/* The product of two unknown numbers. */
static struct wg_sum any_product(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p) {
    struct wg_sum a = form_number(m, &in->src[0], p, 32, true), b = form_number(m, &in->src[1], p, 32, true);
    const struct wg_form_guards *g = form_guards(m, p.block);
    wide a_lo, a_hi, b_lo, b_hi;
    if (!a.known || !b.known || in->dst[0].kind != WG_O_REG || !form_range(m->x, &a, g, &a_lo, &a_hi) ||
        !form_range(m->x, &b, g, &b_lo, &b_hi))
        return form_unknown();
    if (a_lo < INT32_MIN || a_hi > INT32_MAX || b_lo < INT32_MIN || b_hi > INT32_MAX) return form_unknown();
    wide ends[] = {a_lo * b_lo, a_lo * b_hi, a_hi * b_lo, a_hi * b_hi}, lo = ends[0], hi = ends[0];
    for (uint32_t i = 1; i < 4; i++) {
        if (ends[i] < lo) lo = ends[i];
        if (ends[i] > hi) hi = ends[i];
    }
    return lo < INT32_MIN || hi > INT32_MAX ? form_unknown()
                                            : form_any(m, in->dst[0].index, (int64_t)lo, (int64_t)hi);
}

/* What is extended from these bits. */
static struct wg_sum extended(struct form_maker *m, const struct wg_ir_opd *o, struct form_place p,
                              uint32_t bits, bool is_signed) {
    return m->low && bits >= 32 ? form_operand(m, o, p) : form_number(m, o, p, bits, is_signed);
}

static struct wg_sum product(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p) {
    uint32_t bits = bits_of(in);
    if (in->mod[WG_MC_MULW] == WG_M_hi) return form_unknown();
    bool widens = in->mod[WG_MC_MULW] == WG_M_wide, s = is_signed(in->type);
    struct wg_sum a = widens ? extended(m, &in->src[0], p, bits, s) : source(m, in, p, 0);
    struct wg_sum b = widens ? extended(m, &in->src[1], p, bits, s) : source(m, in, p, 1);
    if (widens && bits == 32 && in->dst[0].kind == WG_O_REG) {
        uint32_t reg = in->dst[0].index;
        if (!a.known) a = form_any_bits(m, reg, bits, s);
        if (!b.known) b = form_any_bits(m, reg, bits, s);
    }
    if (m->symbolic) {
        struct wg_sum all = form_product(m, &a, &b);
        if (all.known) return all;
    }
    bool open = !widens && bits == 32 && !form_is_constant(&a) && !form_is_constant(&b);
    return open ? any_product(m, in, p) : times(&a, &b);
}

/* Of two constants the bits of the result are known, whatever their pattern. */
static struct wg_sum of_constants(const struct wg_ir_instr *in, int64_t a, int64_t b) {
    struct wg_sum f = form_constant(in->op == WG_OP_AND ? a & b : in->op == WG_OP_OR ? a | b : a ^ b);
    form_reduce(&f, bits_of(in));
    return f;
}

/* An or of values that have no bits in common: a sum. */
static struct wg_sum joined(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p) {
    struct wg_sum part[2] = {form_number(m, &in->src[0], p, bits_of(in), false),
                             form_number(m, &in->src[1], p, bits_of(in), false)};
    const struct wg_form_guards *g = form_guards(m, p.block);
    if (form_is_constant(&part[0]) && form_is_constant(&part[1]))
        return of_constants(in, part[0].constant, part[1].constant);
    for (int i = 0; i < 2; i++) {
        const struct wg_sum *high = &part[i], *low = &part[1 - i];
        wide lo, hi;
        if (!high->known || !low->known || !form_range(m->x, low, g, &lo, &hi)) continue;
        uint64_t all = (uint64_t)high->constant;
        for (uint32_t k = 0; k < high->nterms; k++) all |= (uint64_t)high->term[k].times;
        uint32_t zeros = all ? (uint32_t)__builtin_ctzll(all) : 62;
        if (zeros < 62 ? hi < (wide)1 << zeros : true) return form_sum(high, 1, low, 1);
    }
    return form_unknown();
}

/* Whether threads differ in it by their indices; symbolic: whatever it is. */
static bool says_who(const struct form_maker *m, const struct wg_sum *f) {
    bool who = m->symbolic;
    for (uint32_t i = 0; i < f->nterms; i++) who |= m->x->vars[f->term[i].var].kind < WG_VAR_AXES;
    return who;
}

/* x & (2^n - 1), and x & -2^n: what is known of the second is that it is a multiple, unless it tells threads apart. */
static struct wg_sum masked(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                            uint32_t reg) {
    struct wg_sum x = source(m, in, p, 0), mask = source(m, in, p, 1);
    if (form_is_constant(&x) && form_is_constant(&mask)) return of_constants(in, x.constant, mask.constant);
    if (form_is_constant(&x)) {
        struct wg_sum t = x;
        x = mask;
        mask = t;
    }
    if (!form_is_constant(&mask)) return form_unknown();
    uint64_t c = (uint64_t)mask.constant;
    bool low = c && c < UINT64_C(1) << 31 && !(c & (c + 1)),
         high = -c && -c <= UINT64_C(1) << 31 && !(-c & (-c - 1));
    if (x.known && low) return form_divided(m, &x, form_guards(m, p.block), (int64_t)c + 1, true, reg);
    if (x.known && high && !says_who(m, &x)) {
        struct wg_sum n = form_divided(m, &x, form_guards(m, p.block), (int64_t)-c, false, reg),
                      none = form_constant(0);
        if (n.known) return form_sum(&n, (int64_t)-c, &none, 0);
    }
    if (x.known && high) {
        struct wg_sum rest = form_divided(m, &x, form_guards(m, p.block), (int64_t)-c, true, reg);
        return form_sum(&x, 1, &rest, -1);
    }
    return c < UINT64_C(1) << 31 ? form_any(m, reg, 0, (int64_t)c) : form_unknown();
}

static struct wg_sum quotient(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                              uint32_t reg) {
    bool s = is_signed(in->type), shift = in->op == WG_OP_SHR;
    struct wg_sum x = form_number(m, &in->src[0], p, bits_of(in), s);
    struct wg_sum by =
        shift ? form_operand(m, &in->src[1], p) : form_number(m, &in->src[1], p, bits_of(in), s);
    wide lo, hi;
    if (!x.known || !form_is_constant(&by) || by.constant < (shift ? 0 : 1)) return form_unknown();
    if (shift ? by.constant > 31 : by.constant > INT32_MAX) return form_unknown();
    if (!form_range(m->x, &x, form_guards(m, p.block), &lo, &hi) || (!shift && lo < 0)) return form_unknown();
    int64_t n = shift ? INT64_C(1) << by.constant : by.constant;
    return form_divided(m, &x, form_guards(m, p.block), n, in->op == WG_OP_REM_I, reg);
}

static struct wg_sum shifted(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p) {
    struct wg_sum x = source(m, in, p, 0), by = form_operand(m, &in->src[1], p), none = form_constant(0);
    if (!form_is_constant(&by) || by.constant < 0 || by.constant >= bits_of(in) || by.constant > 40)
        return form_unknown();
    return form_sum(&x, INT64_C(1) << by.constant, &none, 0);
}

/* Either of two numbers. */
static struct wg_sum either(struct form_maker *m, const struct wg_sum *a, const struct wg_sum *b,
                            const struct wg_form_guards *g, uint32_t reg) {
    struct wg_sum d = form_sum(a, 1, b, -1);
    wide lo, hi, lo2, hi2;
    if (d.known && !d.nterms && !a->base) {
        struct wg_sum which = form_any(m, reg, 0, 1);
        return d.constant ? form_sum(b, 1, &which, d.constant) : *a;
    }
    if (!a->known || !b->known || a->base || b->base) return form_unknown();
    if (!form_range(m->x, a, g, &lo, &hi) || !form_range(m->x, b, g, &lo2, &hi2)) return form_unknown();
    lo = lo < lo2 ? lo : lo2;
    hi = hi > hi2 ? hi : hi2;
    if (lo < -(INT64_C(1) << 40) || hi > INT64_C(1) << 40) return form_unknown();
    return form_any(m, reg, (int64_t)lo, (int64_t)hi);
}

struct limits {
    wide lo, hi;
};

/* Of a number, or of all that its bits can be. */
static bool limits_of(struct form_maker *m, const struct wg_sum *f, const struct wg_form_guards *g,
                      uint32_t bits, bool s, struct limits *to) {
    if (f->known) return form_range(m->x, f, g, &to->lo, &to->hi);
    if (bits > 32) return false;
    to->lo = s ? -((wide)1 << (bits - 1)) : 0;
    to->hi = ((wide)1 << (s ? bits - 1 : bits)) - 1;
    return true;
}

static struct wg_sum chosen(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                            uint32_t reg) {
    bool extreme = in->op == WG_OP_MIN_I || in->op == WG_OP_MAX_I, s = is_signed(in->type) || !extreme;
    struct wg_sum a = form_number(m, &in->src[0], p, bits_of(in), s),
                  b = form_number(m, &in->src[1], p, bits_of(in), s);
    const struct wg_form_guards *g = form_guards(m, p.block);
    struct limits x, y;
    if (!extreme || in->mod[WG_MC_RELU] != WG_M_none)
        return extreme ? form_unknown() : either(m, &a, &b, g, reg);
    if (!limits_of(m, &a, g, bits_of(in), s, &x) || !limits_of(m, &b, g, bits_of(in), s, &y))
        return form_unknown();
    bool least = in->op == WG_OP_MIN_I;
    if (a.known && (least ? x.hi <= y.lo : x.lo >= y.hi)) return a;
    if (b.known && (least ? y.hi <= x.lo : y.lo >= x.hi)) return b;
    if (!a.known && !b.known) return form_unknown();
    wide lo = (least ? x.lo < y.lo : x.lo > y.lo) ? x.lo : y.lo;
    wide hi = (least ? x.hi < y.hi : x.hi > y.hi) ? x.hi : y.hi;
    if (lo < -(INT64_C(1) << 40) || hi > INT64_C(1) << 40) return form_unknown();
    return form_any(m, reg, (int64_t)lo, (int64_t)hi);
}

/* ---- conversions and loads ---- */

static struct wg_sum converted(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                               uint32_t reg) {
    uint32_t to = wg_type_bits(in->type), from = wg_type_bits(in->type2);
    bool ints = wg_type_kind(in->type) != WG_K_F && wg_type_kind(in->type2) != WG_K_F;
    if (!ints || in->mod[WG_MC_SAT] != WG_M_none || to != bits_of_reg(m, reg)) return form_unknown();
    if (to <= from) return form_operand(m, &in->src[0], p);
    bool s = is_signed(in->type2);
    struct wg_sum f = extended(m, &in->src[0], p, from, s);
    return f.known ? f : form_any_bits(m, reg, from, s);
}

static struct wg_sum generic(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p) {
    struct wg_sum f = form_operand(m, &in->src[0], p);
    if (in->space == WG_S_GLOBAL || !f.known) return f;
    if (in->space != WG_S_SHARED || f.base != (in->op == WG_OP_CVTA ? WG_BASE_NONE : WG_BASE_SHARED))
        return form_unknown();
    f.base = in->op == WG_OP_CVTA ? WG_BASE_SHARED : WG_BASE_NONE;
    return f;
}

static struct wg_sum parameter(struct form_maker *m, uint32_t at, uint32_t bits, bool is_signed) {
    int64_t half = (int64_t)(UINT64_C(1) << (bits - 1));
    struct wg_form_var v = {.kind = WG_VAR_PARAM, .reg = at, .unit = bits, .lo = INT64_MIN, .hi = INT64_MAX};
    if (bits < 64) {
        v.lo = is_signed ? -half : 0;
        v.hi = is_signed ? half - 1 : 2 * half - 1;
    }
    return form_the(m, v);
}

static struct wg_sum loaded(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                            uint32_t reg) {
    uint32_t bits = bits_of(in), nth = 0;
    bool s = is_signed(in->type);
    struct wg_sum a = form_operand(m, &in->src[0], p);
    while (nth < in->ndst && (in->dst[nth].kind != WG_O_REG || in->dst[nth].index != reg)) nth++;
    if (in->op == WG_OP_LD && in->space == WG_S_PARAM && a.known && a.base == WG_BASE_PARAM && !a.nterms &&
        bits >= 8 && bits <= 64) {
        uint64_t v = 0, at = (uint64_t)a.constant + (uint64_t)in->offset + (uint64_t)nth * bits / 8;
        if (at + bits / 8 > m->k->cfg->func->param_bytes) return form_unknown();
        if (m->symbolic) return parameter(m, (uint32_t)at, bits, s);
        memcpy(&v, m->l->params + at, bits / 8);
        for (uint64_t i = at; i < at + bits / 8; i++) m->x->reads[i] = true;
        return form_constant(s ? (int64_t)(v << (64 - bits)) >> (64 - bits) : (int64_t)v);
    }
    return wg_type_kind(in->type) == WG_K_F ? form_unknown() : form_any_bits(m, reg, bits, s);
}

static struct wg_sum worked_out(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                                uint32_t reg) {
    struct wg_sum a, b;
    bool odd = in->type == WG_T_U16X2 || in->type == WG_T_S16X2 || in->type == WG_T_PRED ||
               in->mod[WG_MC_SAT] != WG_M_none;
    if (odd) return form_unknown();
    switch (in->op) {
    case WG_OP_MOV: return source(m, in, p, 0);
    case WG_OP_MOV_SREG: return special(m, in->sreg, reg);
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
        a = source(m, in, p, 0), b = source(m, in, p, 1);
        return form_sum(&a, 1, &b, in->op == WG_OP_ADD_I ? 1 : -1);
    case WG_OP_NEG_I:
    case WG_OP_NOT:
        a = form_constant(in->op == WG_OP_NOT ? -1 : 0), b = source(m, in, p, 0);
        return form_sum(&a, 1, &b, -1);
    case WG_OP_MUL_I: return product(m, in, p);
    case WG_OP_MAD_I:
        a = product(m, in, p), b = form_operand(m, &in->src[2], p);
        return form_sum(&a, 1, &b, 1);
    case WG_OP_SHL: return shifted(m, in, p);
    case WG_OP_AND: return masked(m, in, p, reg);
    case WG_OP_OR:
    case WG_OP_XOR: return joined(m, in, p);
    case WG_OP_SHR:
    case WG_OP_DIV_I:
    case WG_OP_REM_I: return quotient(m, in, p, reg);
    case WG_OP_SELP:
    case WG_OP_MIN_I:
    case WG_OP_MAX_I: return chosen(m, in, p, reg);
    case WG_OP_CVT: return converted(m, in, p, reg);
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO: return generic(m, in, p);
    case WG_OP_LD:
    case WG_OP_LDU: return loaded(m, in, p, reg);
    default: return form_unknown();
    }
}

struct wg_sum form_result(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                          uint32_t reg) {
    struct wg_sum f = worked_out(m, in, p, reg);
    if (f.known || bits_of_reg(m, reg) > 32) return f;
    bool u = wg_type_kind(in->type) == WG_K_U;
    return form_any_bits(m, reg, bits_of_reg(m, reg), !u);
}
