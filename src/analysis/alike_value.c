/* See alike_value.h. Sums and products are exact modulo 2^width; where the number itself matters (it is extended, divided,
 * compared), its range has to show that it did not wrap. */
#include "analysis/alike_value.h"
#include "ptx/op.h"
#include "base/divisor.h"
#include <string.h>

typedef struct wg_alike_value value;

value wg_alike_other(void) { return (value){.kind = WG_ALIKE_OTHER}; }
value wg_alike_same(void) { return (value){.kind = WG_ALIKE_STEP}; }
static value number(int64_t x) { return (value){.kind = WG_ALIKE_STEP, .known = true, .lo = x, .hi = x}; }
static value between(int64_t lo, int64_t hi) {
    return (value){.kind = WG_ALIKE_STEP, .known = true, .lo = lo, .hi = hi};
}

bool wg_alike_has_step(const value *v) { return v->step[0] || v->step[1] || v->step[2]; }
static bool is_number(const value *v) { return v->known && v->lo == v->hi && !wg_alike_has_step(v); }

static int64_t sign_extended(int64_t x, uint32_t bits) {
    return bits < 64 ? (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits) : x;
}

/* Modulo 2^bits. */
static value cut(value v, uint32_t bits) {
    if (v.kind != WG_ALIKE_STEP || bits >= 64) return v;
    for (int i = 0; i < 3; i++) v.step[i] = sign_extended(v.step[i], bits);
    if (v.known && v.lo == v.hi) v.lo = v.hi = sign_extended(v.lo, bits);
    if (sign_extended(v.lo, bits) != v.lo || sign_extended(v.hi, bits) != v.hi) v.known = false;
    return v;
}

bool wg_alike_equal(const value *a, const value *b) {
    return a->kind == b->kind && memcmp(a->step, b->step, sizeof a->step) == 0 && a->known == b->known &&
           a->lo == b->lo && a->hi == b->hi && a->pair == b->pair;
}

value wg_alike_join(const value *a, const value *b) {
    value r = *a;
    if (a->kind == WG_ALIKE_UNSET) return *b;
    if (b->kind == WG_ALIKE_UNSET) return *a;
    if (a->kind != b->kind || a->kind == WG_ALIKE_OTHER || a->pair != b->pair) return wg_alike_other();
    if (memcmp(a->step, b->step, sizeof a->step) != 0) return wg_alike_other();
    r.known = a->known && b->known;
    if (b->lo < r.lo) r.lo = b->lo;
    if (b->hi > r.hi) r.hi = b->hi;
    if (!r.known) r.lo = r.hi = 0;
    return r;
}

/* a + times * b. */
static value sum(const value *a, const value *b, int64_t times) {
    value r = {.kind = WG_ALIKE_STEP, .known = a->known && b->known};
    int64_t x, y;
    if (a->kind == WG_ALIKE_OTHER || b->kind == WG_ALIKE_OTHER) return wg_alike_other();
    for (int i = 0; i < 3; i++)
        r.step[i] = (int64_t)((uint64_t)a->step[i] + (uint64_t)times * (uint64_t)b->step[i]);
    if (!r.known) return r;
    if (__builtin_mul_overflow(times, b->lo, &x) || __builtin_mul_overflow(times, b->hi, &y) ||
        __builtin_add_overflow(a->lo, x < y ? x : y, &r.lo) ||
        __builtin_add_overflow(a->hi, x < y ? y : x, &r.hi))
        r.known = false, r.lo = r.hi = 0;
    return r;
}
value wg_alike_minus(const value *a, const value *b) { return sum(a, b, -1); }

typedef __int128 wide;

bool wg_alike_fits(const struct wg_alike_launch *l, const value *v, uint32_t bits, bool is_signed) {
    wide lo = v->lo, hi = v->hi, least = is_signed ? -((wide)1 << (bits - 1)) : 0;
    if (v->kind != WG_ALIKE_STEP || !v->known) return false;
    for (int i = 0; i < 3; i++) {
        wide last = (wide)v->step[i] * (l->box.blocks[i] - 1);
        if (last < 0) lo += last;
        if (last > 0) hi += last;
    }
    return lo >= least && hi < least + ((wide)1 << bits);
}

value wg_alike_operand(const struct wg_ir_opd *o, const value *regs, uint32_t bits) {
    switch (o->kind) {
    case WG_O_REG: return regs[o->index];
    case WG_O_IMM: return number(sign_extended((int64_t)o->imm, bits));
    case WG_O_SYM: return wg_alike_same();
    default: return wg_alike_other();
    }
}

/* ---- instructions ---- */

static bool is_signed(enum wg_type t) { return wg_type_kind(t) == WG_K_S; }

static value special(const struct wg_alike_launch *l, uint32_t sreg) {
    value v = number(0);
    switch (sreg) {
    case WG_SR_tid_x:
    case WG_SR_tid_y:
    case WG_SR_tid_z: return between(0, l->ntid[sreg - WG_SR_tid_x] - 1);
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z: return number(l->ntid[sreg - WG_SR_ntid_x]);
    case WG_SR_ctaid_x:
    case WG_SR_ctaid_y:
    case WG_SR_ctaid_z: {
        uint32_t axis = sreg - WG_SR_ctaid_x;
        v.lo = v.hi = l->box.first[axis];
        if (l->box.blocks[axis] > 1) v.step[axis] = l->box.apart[axis];
        return v;
    }
    case WG_SR_nctaid_x:
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z: return number(l->nctaid[sreg - WG_SR_nctaid_x]);
    case WG_SR_laneid: return between(0, 31);
    default: return wg_alike_other();
    }
}

/* A number of fewer bits as one of more. Steps stay right modulo 128, which is all that addresses need; with fewer than
 * 32 bits, wrapping is no rare thing. */
static value extended(const struct wg_alike_launch *l, value v, uint32_t bits, bool is_signed) {
    if (v.kind != WG_ALIKE_STEP || wg_alike_fits(l, &v, bits, is_signed)) return v;
    if (bits < 32 && wg_alike_has_step(&v)) return wg_alike_other();
    v.known = false;
    v.lo = v.hi = 0;
    return v;
}

static value times(const value *a, const value *b) {
    value none = number(0);
    if (is_number(b)) return sum(&none, a, b->lo);
    if (is_number(a)) return sum(&none, b, a->lo);
    if (a->kind == WG_ALIKE_OTHER || b->kind == WG_ALIKE_OTHER) return wg_alike_other();
    return wg_alike_has_step(a) || wg_alike_has_step(b) ? wg_alike_other() : wg_alike_same();
}

static value product(const struct wg_alike_launch *l, const struct wg_ir_instr *in, const value *s) {
    uint32_t bits = wg_type_bits(in->type);
    if (in->mod[WG_MC_MULW] == WG_M_lo) return times(&s[0], &s[1]);
    if (in->mod[WG_MC_MULW] != WG_M_wide)
        return wg_alike_has_step(&s[0]) || wg_alike_has_step(&s[1]) ? wg_alike_other() : wg_alike_same();
    value a = extended(l, s[0], bits, is_signed(in->type)), b = extended(l, s[1], bits, is_signed(in->type));
    return times(&a, &b);
}

static bool steps_are_multiples(const value *v, int64_t n) {
    return v->step[0] % n == 0 && v->step[1] % n == 0 && v->step[2] % n == 0;
}

/* An or of values that have no bits in common is a sum. */
static value joined(const value *a, const value *b) {
    for (int i = 0; i < 2; i++) {
        const value *high = i ? b : a, *low = i ? a : b;
        if (!low->known || wg_alike_has_step(low) || low->lo < 0 || low->hi > INT32_MAX) continue;
        int64_t n = 1;
        while (n <= low->hi) n *= 2;
        if (high->known && high->lo == high->hi && high->lo % n == 0 && steps_are_multiples(high, n))
            return sum(high, low, 1);
    }
    return wg_alike_has_step(a) || wg_alike_has_step(b) ? wg_alike_other() : wg_alike_same();
}

/* ---- cuts ---- */

enum side { BELOW, ABOVE, BOTH };
enum { WHOLE = 3 }; /* no axis */

/* Whether the number is below `bound` in the blocks whose place along the axis is k. */
static enum side side_at(const struct wg_alike_launch *l, const value *v, int64_t bound, uint32_t axis,
                         uint32_t k) {
    wide lo = v->lo, hi = v->hi;
    for (uint32_t i = 0; i < 3; i++) {
        wide last = (wide)v->step[i] * (i == axis ? k : l->box.blocks[i] - 1);
        if (i == axis || last < 0) lo += last;
        if (i == axis || last > 0) hi += last;
    }
    return hi < bound ? BELOW : lo >= bound ? ABOVE : BOTH;
}

/* The first block along the axis where that is otherwise than in block 0. 0: it is the same in all. */
static uint32_t first_other(const struct wg_alike_launch *l, const value *v, int64_t bound, uint32_t axis) {
    uint32_t low = 0, high = l->box.blocks[axis] - 1;
    enum side side = side_at(l, v, bound, axis, 0);
    if (side_at(l, v, bound, axis, high) == side) return 0;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (side_at(l, v, bound, axis, middle) == side)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Which blocks are on one side of the bound is the question: cuts the box where the answer changes, or one block off. */
static value cut_at(const struct wg_alike_launch *l, const value *v, int64_t bound) {
    uint32_t least = WHOLE;
    for (uint8_t i = 0; i < 3; i++) {
        if (!v->step[i]) continue;
        uint32_t at = first_other(l, v, bound, i);
        if (at) {
            *l->cut = (struct wg_alike_cut){true, i, at, 1};
            return wg_alike_other();
        }
        if (least == WHOLE || l->box.blocks[i] < l->box.blocks[least]) least = i;
    }
    *l->cut = (struct wg_alike_cut){true, (uint8_t)least, 1, 1};
    return wg_alike_other();
}

static value cut_every(const struct wg_alike_launch *l, uint32_t axis, uint32_t every) {
    *l->cut = (struct wg_alike_cut){true, (uint8_t)axis, 0, every};
    return wg_alike_other();
}

/* x / n or its rest, of a number from `least` to `most` whose steps are no multiples of n. */
static value cut_quotient(const struct wg_alike_launch *l, const value *x, int64_t n, int64_t least,
                          int64_t most) {
    enum { FEW = 4, MOST_EVERY = 64 };
    if (most / n - least / n <= FEW) return cut_at(l, x, (least / n + 1) * n);
    for (uint32_t i = 0; i < 3; i++) {
        int64_t every = x->step[i] ? n / wg_common_divisor_of_steps(n, x->step[i]) : 1;
        if (every > 1 && every <= MOST_EVERY && every < l->box.blocks[i])
            return cut_every(l, i, (uint32_t)every);
    }
    return wg_alike_other();
}

/* x / n or its rest, of a number from 0 on. */
static value divided(const struct wg_alike_launch *l, const value *x, int64_t n, bool rest) {
    value r = *x;
    int64_t least = x->lo, most = x->hi;
    for (int i = 0; i < 3; i++) {
        int64_t last = x->step[i] * (l->box.blocks[i] - 1);
        *(last < 0 ? &least : &most) += last;
    }
    if (least / n == most / n) {
        r.lo -= least / n * n;
        r.hi -= least / n * n;
        return rest ? r : number(least / n);
    }
    if (!steps_are_multiples(x, n)) return cut_quotient(l, x, n, least, most);
    if (rest) return x->lo / n == x->hi / n ? between(x->lo % n, x->hi % n) : between(0, n - 1);
    for (int i = 0; i < 3; i++) r.step[i] /= n;
    r.lo /= n;
    r.hi /= n;
    return r;
}

/* x & (2^n - 1), or without the lowest bits */
static value masked(const struct wg_alike_launch *l, const value *a, const value *b, uint32_t bits) {
    const value *x = is_number(a) ? b : a, *mask = is_number(a) ? a : b;
    if (is_number(mask) && mask->lo >= 0 && mask->lo < INT32_MAX) {
        bool low = !(mask->lo & (mask->lo + 1));
        if (low && wg_alike_fits(l, x, bits - 1, false)) return divided(l, x, mask->lo + 1, true);
        int64_t first = mask->lo & -mask->lo, end = mask->lo + first;
        if (first > 1 && !(mask->lo & end) && end < INT32_MAX &&
            wg_alike_fits(l, x, (uint32_t)__builtin_ctzll((uint64_t)end), false)) {
            value below = divided(l, x, first, true);
            return sum(x, &below, -1);
        }
        low = low && steps_are_multiples(x, mask->lo + 1);
        if (low || !wg_alike_has_step(x)) return between(0, mask->lo);
    }
    return wg_alike_has_step(a) || wg_alike_has_step(b) ? wg_alike_other() : wg_alike_same();
}

static value quotient(const struct wg_alike_launch *l, const struct wg_ir_instr *in, const value *s) {
    uint32_t bits = wg_type_bits(in->type);
    bool shift = in->op == WG_OP_SHR;
    int64_t n = is_number(&s[1]) ? s[1].lo : 0;
    if (shift) n = is_number(&s[1]) && n >= 0 && n < 31 ? INT64_C(1) << n : 0;
    if (n < 1 || !wg_alike_fits(l, &s[0], bits, is_signed(in->type)) ||
        !wg_alike_fits(l, &s[0], bits - 1, false))
        return wg_alike_has_step(&s[0]) || wg_alike_has_step(&s[1]) ? wg_alike_other() : wg_alike_same();
    return divided(l, &s[0], n, in->op == WG_OP_REM_I);
}

static value pair_of(const struct wg_alike_launch *l, const struct wg_ir_instr *in, const value *s) {
    struct wg_alike_pairs *p = l->pairs;
    uint32_t at = 0;
    while (at < p->n && p->of[at] != in) at++;
    if (at == WG_ALIKE_PAIRS) return wg_alike_other();
    if (at == p->n) {
        p->v[at][0] = p->v[at][1] = (value){0};
        p->of[p->n++] = in;
    }
    for (int i = 0; i < 2; i++) {
        value all = wg_alike_join(&p->v[at][i], &s[i]);
        p->changed |= !wg_alike_equal(&all, &p->v[at][i]);
        p->v[at][i] = all;
    }
    return (value){.kind = WG_ALIKE_PAIR, .pair = at};
}

/* Along one axis, or few blocks along another. */
static bool may_be_cut(const struct wg_alike_launch *l, const value *v) {
    enum { FEW = 4 };
    uint32_t many = 0;
    for (int i = 0; i < 3; i++) many += v->step[i] && l->box.blocks[i] > FEW;
    return many < 2;
}

static bool is_number_of(const struct wg_alike_launch *l, const struct wg_ir_instr *in, const value *v) {
    enum wg_type_kind kind = wg_type_kind(in->type);
    return kind != WG_K_F && wg_alike_fits(l, v, wg_type_bits(in->type), kind != WG_K_U);
}

/* The lesser or greater of two. */
static value chosen(const struct wg_alike_launch *l, const struct wg_ir_instr *in, const value *s) {
    bool least = in->op == WG_OP_MIN_I, steps = wg_alike_has_step(&s[0]) || wg_alike_has_step(&s[1]);
    value d = wg_alike_minus(&s[0], &s[1]), r = s[0];
    if (in->mod[WG_MC_RELU] != WG_M_none || !is_number_of(l, in, &s[0]) || !is_number_of(l, in, &s[1]) ||
        !wg_alike_fits(l, &d, 62, true))
        return steps ? wg_alike_other() : wg_alike_same();
    enum side side = side_at(l, &d, 0, WHOLE, 0);
    if (side != BOTH) return s[(side == BELOW) == least ? 0 : 1];
    if (wg_alike_has_step(&d)) return may_be_cut(l, &d) ? cut_at(l, &d, 0) : pair_of(l, in, s);
    if ((s[1].lo < s[0].lo) == least) r.lo = s[1].lo;
    if ((s[1].hi < s[0].hi) == least) r.hi = s[1].hi;
    return r;
}

static value converted(const struct wg_alike_launch *l, const struct wg_ir_instr *in, const value *s) {
    uint32_t to = wg_type_bits(in->type), from = wg_type_bits(in->type2);
    bool ints = wg_type_kind(in->type) != WG_K_F && wg_type_kind(in->type2) != WG_K_F;
    if (!ints || in->mod[WG_MC_SAT] != WG_M_none || to < 32)
        return wg_alike_has_step(s) ? wg_alike_other() : wg_alike_same();
    return to <= from ? *s : extended(l, *s, from, is_signed(in->type2));
}

static value arithmetic(const struct wg_alike_launch *l, const struct wg_ir_instr *in, const value *s) {
    value none = number(0), ones = number(-1), t;
    switch (in->op) {
    case WG_OP_MOV:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO: return s[0];
    case WG_OP_ADD_I: return sum(&s[0], &s[1], 1);
    case WG_OP_SUB_I: return sum(&s[0], &s[1], -1);
    case WG_OP_NEG_I: return sum(&none, &s[0], -1);
    case WG_OP_NOT: return sum(&ones, &s[0], -1);
    case WG_OP_MUL_I: return product(l, in, s);
    case WG_OP_MAD_I: t = product(l, in, s); return sum(&t, &s[2], 1);
    case WG_OP_SHL:
        if (!is_number(&s[1]) || s[1].lo < 0 || s[1].lo > 40) break;
        return sum(&none, &s[0], INT64_C(1) << s[1].lo);
    case WG_OP_OR: return joined(&s[0], &s[1]);
    case WG_OP_AND: return masked(l, &s[0], &s[1], wg_type_bits(in->type));
    case WG_OP_SHR:
    case WG_OP_DIV_I:
    case WG_OP_REM_I: return quotient(l, in, s);
    case WG_OP_MIN_I:
    case WG_OP_MAX_I: return chosen(l, in, s);
    case WG_OP_CVT: return converted(l, in, s);
    case WG_OP_SELP: return wg_alike_has_step(&s[2]) ? wg_alike_other() : wg_alike_join(&s[0], &s[1]);
    default: break;
    }
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (wg_alike_has_step(&s[i])) return wg_alike_other();
    return wg_alike_same();
}

/* Of the usual kind: a whole number of the destination's width. */
static bool is_usual(const struct wg_ir_instr *in) {
    enum wg_type t = in->type;
    bool packed = t == WG_T_U16X2 || t == WG_T_S16X2;
    return !packed && t != WG_T_PRED && wg_type_kind(t) != WG_K_F && in->mod[WG_MC_SAT] == WG_M_none;
}

value wg_alike_result(const struct wg_alike_launch *l, const struct wg_ir_instr *in, uint32_t n,
                      const value *regs) {
    enum { MOST = 8 };
    value s[MOST];
    bool steps = false, unset = false;
    uint32_t bits = wg_type_bits(in->type);
    if (in->op == WG_OP_MOV_SREG) return special(l, in->sreg);
    if (in->nsrc > MOST) return wg_alike_other();
    for (uint32_t i = 0; i < in->nsrc; i++) {
        s[i] = in->src[i].kind == WG_O_NONE ? number(0) : wg_alike_operand(&in->src[i], regs, bits);
        if (s[i].kind == WG_ALIKE_PAIR && in->op == WG_OP_MOV) return s[i];
        if (s[i].kind >= WG_ALIKE_PAIR) return wg_alike_other();
        unset |= s[i].kind == WG_ALIKE_UNSET;
        steps |= wg_alike_has_step(&s[i]);
    }
    if (unset) return (value){0};
    if (n || !is_usual(in) || (bits < 32 && in->op != WG_OP_CVT && steps))
        return steps ? wg_alike_other() : wg_alike_same();
    bool widens = (in->op == WG_OP_MUL_I || in->op == WG_OP_MAD_I) && in->mod[WG_MC_MULW] == WG_M_wide;
    return cut(arithmetic(l, in, s), widens ? 2 * bits : bits);
}

value wg_alike_param(const struct wg_alike_launch *l, const struct wg_ir_instr *in, uint32_t n,
                     const value *regs) {
    uint32_t bits = wg_type_bits(in->type);
    const struct wg_ir_opd *o = &in->src[0];
    value a = wg_alike_operand(o, regs, 64);
    if (a.kind == WG_ALIKE_UNSET) return a;
    if (a.kind != WG_ALIKE_STEP || wg_alike_has_step(&a)) return wg_alike_other();
    if (o->kind != WG_O_SYM || l->module->syms[o->index].kind != WG_SYM_PARAM || bits < 8 || bits > 64 ||
        wg_type_kind(in->type) == WG_K_F)
        return wg_alike_same();
    uint64_t x = 0, at = l->module->syms[o->index].offset + o->imm + (uint64_t)in->offset + n * bits / 8;
    if (at + bits / 8 > l->func->param_bytes) return wg_alike_same();
    memcpy(&x, l->params + at, bits / 8);
    if (bits < 32) return wg_alike_same();
    return number(sign_extended((int64_t)x, bits));
}
