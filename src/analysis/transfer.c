/* Transfer functions of the divergence analysis: the fact of a result from the facts of its operands. See
 * analysis.h.
 *
 * Affine arithmetic is done on the lane patterns k and r; the base and the scale are scalars that the code
 * generator computes with the same rules (jit/emit/values.c mirrors each rule here that keeps a value
 * affine).
 *
 * It does not ask scalar evolution (scev/): facts are the greatest fixed point over all definitions of a
 * register and differ by version (divergence, run-time checks), and lanes may have any constants, where a sum is
 * that of one definition and linear in the thread's indices.
 */
#include "analysis/plan.h"
#include "analysis/analysis.h"

#include <string.h>

typedef struct wg_fact fact;

static uint64_t mask_of(uint32_t bits) { return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1; }
static int64_t wrap(int64_t x, uint32_t bits) {
    return bits >= 64 ? x : (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits);
}
static uint8_t ctz(uint64_t x) { return x ? (uint8_t)__builtin_ctzll(x) : 64; }
static uint8_t min8(uint8_t a, uint8_t b) { return a < b ? a : b; }

static fact uniform(void) { return (fact){.kind = WG_UNIFORM, .max = UINT64_MAX, .root = WG_NO_REG}; }

static fact constant(uint64_t value) {
    return (fact){.kind = WG_UNIFORM,
                  .is_const = true,
                  .value = value,
                  .max = value,
                  .zeros = ctz(value),
                  .root = WG_NO_REG};
}

/* Every lane's value is a multiple of 2^this. */
static uint8_t lane_zeros(const fact *f) {
    uint8_t z = f->zeros;
    if (f->kind != WG_AFFINE) return z;
    for (int l = 0; l < WG_LANES; l++) {
        if (f->k) z = min8(z, ctz((uint64_t)f->k[l]));
        if (f->r) z = min8(z, ctz((uint64_t)f->r[l]));
    }
    return z;
}

/* base + k + r*scale, with k[0] moved into the base; uniform when nothing is left. */
static fact affine(const struct wg_analysis *an, const int64_t *k, const int64_t *r, uint32_t bits) {
    struct wg_arena *a = (struct wg_arena *)&an->arena;
    fact f = {.kind = WG_UNIFORM, .max = UINT64_MAX, .root = WG_NO_REG};
    int64_t *kk = WG_NEW_N(a, int64_t, WG_LANES);
    bool any = false;
    for (int l = 0; l < WG_LANES && k; l++) {
        kk[l] = wrap((int64_t)((uint64_t)k[l] - (uint64_t)k[0]), bits);
        any |= kk[l] != 0;
    }
    if (any) {
        f.kind = WG_AFFINE;
        f.k = kk;
    }
    any = false;
    for (int l = 0; l < WG_LANES && r; l++) any |= r[l] != 0;
    if (any) {
        f.kind = WG_AFFINE;
        f.r = r;
    }
    return f;
}

/* Whether every lane's offset from the base is in [0, 2^base zeros): then the bits of the two do not meet. */
static bool offsets_below_base(const fact *f) {
    if (f->r) return false;
    if (!f->k) return true;
    for (int l = 0; l < WG_LANES; l++)
        if (f->k[l] < 0 || (f->zeros < 63 && f->k[l] >> f->zeros)) return false;
    return true;
}

static void join_roots(fact *f, const fact *a, const fact *b) {
    uint8_t za = lane_zeros(a), zb = lane_zeros(b);
    const fact *p = a, *off = b;
    if (a->root == WG_NO_REG || (b->root != WG_NO_REG && zb < za)) p = b, off = a;
    f->root = p->root;
    f->root_zeros = min8(p->root_zeros, lane_zeros(off));
}

static fact add_facts(const struct wg_analysis *an, const fact *a, const fact *b, bool minus, uint32_t bits) {
    fact f;
    if (a->kind == WG_VARYING || b->kind == WG_VARYING || (a->r && b->r)) {
        f = wg_fact_varying();
        f.zeros = min8(lane_zeros(a), lane_zeros(b));
    } else {
        int64_t k[WG_LANES] = {0}, *r = NULL;
        int64_t sign = minus ? -1 : 1;
        for (int l = 0; l < WG_LANES; l++)
            k[l] = (int64_t)((uint64_t)(a->k ? a->k[l] : 0) + (uint64_t)(sign * (b->k ? b->k[l] : 0)));
        if (a->r) r = (int64_t *)a->r;
        if (b->r) {
            r = WG_NEW_N((struct wg_arena *)&an->arena, int64_t, WG_LANES);
            for (int l = 0; l < WG_LANES; l++) r[l] = sign * b->r[l];
        }
        f = affine(an, k, r, bits);
        f.zeros = min8(a->zeros, b->zeros);
    }
    if (!minus && a->max <= mask_of(bits) && b->max <= mask_of(bits) - a->max) f.max = a->max + b->max;
    if (!minus || b->root == WG_NO_REG) join_roots(&f, a, b);
    return f;
}

static fact scale_by_const(const struct wg_analysis *an, const fact *a, uint64_t c, uint32_t bits) {
    fact f;
    if (a->kind == WG_VARYING) {
        f = wg_fact_varying();
    } else {
        int64_t k[WG_LANES];
        for (int l = 0; l < WG_LANES; l++) k[l] = (int64_t)((uint64_t)(a->k ? a->k[l] : 0) * c);
        f = affine(an, k, a->r, bits); /* the scale is multiplied at run time */
    }
    f.zeros = (uint8_t)(a->zeros + ctz(c) > 64 ? 64 : a->zeros + ctz(c));
    uint64_t top;
    if (a->max != UINT64_MAX && !__builtin_mul_overflow(a->max, c, &top) && top <= mask_of(bits)) f.max = top;
    return f;
}

static fact mul_facts(const struct wg_analysis *an, const fact *a, const fact *b, uint32_t bits) {
    if (b->is_const) return scale_by_const(an, a, b->value, bits);
    if (a->is_const) return scale_by_const(an, b, a->value, bits);
    if (b->kind == WG_AFFINE && a->kind == WG_UNIFORM) {
        const fact *t = a;
        a = b;
        b = t;
    }
    fact f;
    if (a->kind == WG_UNIFORM && b->kind == WG_UNIFORM)
        f = uniform();
    else if (a->kind == WG_AFFINE && b->kind == WG_UNIFORM && !(a->k && a->r))
        f = affine(an, NULL, a->r ? a->r : a->k, bits); /* lane pattern times a run-time scalar */
    else
        f = wg_fact_varying();
    f.zeros = min8((uint8_t)(lane_zeros(a) + lane_zeros(b) > 64 ? 64 : lane_zeros(a) + lane_zeros(b)), 64);
    uint64_t top;
    if (a->max != UINT64_MAX && b->max != UINT64_MAX && !__builtin_mul_overflow(a->max, b->max, &top) &&
        top <= mask_of(bits))
        f.max = top;
    return f;
}

/* Whether zero- or sign-extending every lane from `bits` equals extending the base and adding the offsets. */
static bool widening_is_exact(const fact *a, bool is_signed, uint32_t bits) {
    if (a->kind == WG_UNIFORM) return true;
    if (a->r) return false;
    uint64_t half = 1ull << (bits - 1);
    if (a->max < half) {
        for (int l = 0; l < WG_LANES; l++)
            if (a->k[l] <= -(int64_t)half || a->k[l] >= (int64_t)half) return false;
        return true;
    }
    if (!is_signed && a->max <= mask_of(bits) && offsets_below_base(a)) return true;
    return false;
}

static fact widen(const fact *a, uint32_t from, bool is_signed, bool checked) {
    fact f = *a;
    f.root = WG_NO_REG;
    if (a->kind == WG_AFFINE && !checked && !widening_is_exact(a, is_signed, from)) {
        f = wg_fact_varying();
        f.zeros = lane_zeros(a);
    }
    if (a->is_const)
        f = constant(is_signed ? (uint64_t)wrap((int64_t)a->value, from) : a->value & mask_of(from));
    else if (a->max <= mask_of(from) >> (is_signed ? 1 : 0))
        f.max = a->max;
    else
        f.max = is_signed ? UINT64_MAX : mask_of(from);
    return f;
}

/* The upper half of the result is never looked at, so widening needs no care. */
static bool only_low_half(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    return in->dst[0].kind == WG_O_REG && wg_bits_has(an->shared_only, in->dst[0].index);
}

static bool widens(const struct wg_ir_instr *in, uint32_t *from, bool *is_signed) {
    enum wg_type t = in->op == WG_OP_CVT ? in->type2 : in->type;
    if (in->op == WG_OP_CVT) {
        if (wg_type_kind(in->type) == WG_K_F || wg_type_kind(t) == WG_K_F) return false;
        if (wg_type_bits(in->type) <= wg_type_bits(t) || wg_type_bits(t) < 16) return false;
    } else if ((in->op != WG_OP_MUL_I && in->op != WG_OP_MAD_I) || in->mod[WG_MC_MULW] != WG_M_wide) {
        return false;
    }
    *from = wg_type_bits(t);
    *is_signed = wg_type_kind(t) == WG_K_S;
    return true;
}

/* mul.wide multiplies an affine value by a uniform one; which of the two sources is the affine one. */
static uint32_t widened_source(const struct wg_analysis *an, enum wg_version v,
                               const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CVT) return 0;
    return wg_operand_fact(an, v, &in->src[0]).kind == WG_UNIFORM ? 1 : 0;
}

bool wg_needs_wrap_check(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    uint32_t from;
    bool is_signed;
    if (!widens(in, &from, &is_signed) || from != 32 || in->guard != WG_NO_REG) return false;
    if (in->mod[WG_MC_SAT] != WG_M_none || only_low_half(an, in)) return false;
    uint32_t s = widened_source(an, WG_CONVERGED, in);
    fact a = wg_operand_fact(an, WG_CONVERGED, &in->src[s]);
    if (a.kind != WG_AFFINE || widening_is_exact(&a, is_signed, from)) return false;
    if (in->op == WG_OP_CVT) return true;
    fact b = wg_operand_fact(an, WG_CONVERGED, &in->src[1 - s]);
    return b.kind == WG_UNIFORM && (b.is_const || !(a.k && a.r));
}

bool wg_may_leave(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    return in->op == WG_OP_CHECK_ACCESS || (wg_loads_shadows(an, in) && !in->checked) ||
           wg_needs_wrap_check(an, in) || wg_needs_row_check(an, in);
}

fact wg_operand_fact(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_opd *o) {
    switch (o->kind) {
    case WG_O_REG: return an->facts[v][o->index];
    case WG_O_IMM: return constant(o->imm);
    case WG_O_SYM: {
        const struct wg_ir_sym *s = &an->module->syms[o->index];
        fact f = uniform();
        uint64_t at = s->offset + o->imm;
        if (s->kind == WG_SYM_SHARED) f.max = an->opts->shared_window + (uint64_t)16 * WG_SHARED_STRIDE;
        f.zeros = min8(ctz(at), min8(ctz(s->align), 8));
        if (s->kind == WG_SYM_DYNSHARED) f.zeros = min8(ctz(o->imm), 4);
        if (s->kind == WG_SYM_LOCAL && !wg_is_one_thread(an->opts)) {
            int64_t *r = WG_NEW_N((struct wg_arena *)&an->arena, int64_t, WG_LANES);
            for (int l = 0; l < WG_LANES; l++) r[l] = l; /* times the stride of local memory */
            f.kind = WG_AFFINE;
            f.r = r;
        }
        return f;
    }
    default: return uniform();
    }
}

/* Bitwise operation of an affine value with a constant. */
static fact logic_with_const(const struct wg_analysis *an, const struct wg_ir_instr *in, const fact *a,
                             uint64_t c, uint32_t bits) {
    fact f = a->kind == WG_UNIFORM ? uniform() : wg_fact_varying();
    if (a->kind == WG_AFFINE && offsets_below_base(a)) {
        uint64_t low = mask_of(a->zeros);
        if (in->op == WG_OP_AND || (c & ~low & mask_of(bits)) == 0) {
            int64_t k[WG_LANES];
            for (int l = 0; l < WG_LANES; l++) {
                uint64_t x = a->k ? (uint64_t)a->k[l] : 0;
                k[l] = (int64_t)(in->op == WG_OP_AND ? x & c : in->op == WG_OP_OR ? x | c : x ^ c);
            }
            int64_t first = k[0];
            f = affine(an, k, NULL, bits);
            f.zeros = min8(a->zeros, ctz((uint64_t)first));
        }
    }
    if (in->op == WG_OP_AND) {
        f.max = c < a->max ? c : a->max;
        if (f.kind == WG_VARYING || f.kind == WG_UNIFORM)
            f.zeros = lane_zeros(a) > ctz(c) ? lane_zeros(a) : ctz(c);
    } else if (in->op == WG_OP_OR && f.kind != WG_AFFINE) {
        f.zeros = min8(lane_zeros(a), ctz(c));
    }
    return f;
}

static fact logic_facts(const struct wg_analysis *an, const struct wg_ir_instr *in, const fact *a,
                        const fact *b, uint32_t bits) {
    if (b->is_const) return logic_with_const(an, in, a, b->value & mask_of(bits), bits);
    if (in->op == WG_OP_OR || in->op == WG_OP_XOR) { /* bits that cannot meet: the same as a sum */
        uint8_t za = lane_zeros(a), zb = lane_zeros(b);
        bool disjoint = (zb < 64 && a->max < 1ull << zb) || (za < 64 && b->max < 1ull << za);
        if (disjoint) return add_facts(an, a, b, false, bits);
    }
    fact f = a->kind == WG_UNIFORM && b->kind == WG_UNIFORM ? uniform() : wg_fact_varying();
    if (in->op == WG_OP_AND) f.max = a->max < b->max ? a->max : b->max;
    return f;
}

static fact shift_right(const struct wg_analysis *an, const struct wg_ir_instr *in, const fact *a, uint64_t n,
                        uint32_t bits) {
    fact f = a->kind == WG_UNIFORM ? uniform() : wg_fact_varying();
    bool nonneg = wg_type_kind(in->type) != WG_K_S || a->max <= mask_of(bits) >> 1;
    if (!nonneg || n >= bits) return f;
    if (a->kind == WG_AFFINE && offsets_below_base(a) && a->zeros < 64) {
        /* base and offset share no bits, so the shift takes each apart; a shift beyond the base's zeros would
         * mix them unless the offsets vanish */
        int64_t k[WG_LANES];
        bool vanish = true;
        for (int l = 0; l < WG_LANES; l++) vanish &= (k[l] = (a->k ? a->k[l] : 0) >> n) == 0;
        if (n <= a->zeros || vanish) f = affine(an, k, NULL, bits);
    } else if (a->kind == WG_AFFINE && offsets_below_base(a)) {
        int64_t k[WG_LANES];
        for (int l = 0; l < WG_LANES; l++) k[l] = (a->k ? a->k[l] : 0) >> n;
        f = affine(an, k, NULL, bits);
    }
    if (lane_zeros(a) >= n && f.kind != WG_AFFINE) f.zeros = (uint8_t)(lane_zeros(a) - n);
    if (f.kind == WG_AFFINE) f.zeros = a->zeros >= n ? (uint8_t)(a->zeros - n) : 0;
    if (a->max != UINT64_MAX)
        f.max = a->max >> n;
    else if (wg_type_kind(in->type) != WG_K_S)
        f.max = mask_of(bits) >> n;
    return f;
}

/* Division and remainder by a power of two of what is not negative are shifts and masks. */
static fact div_facts(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in,
                      const fact *a, const fact *b, uint32_t bits) {
    bool nonneg = wg_type_kind(in->type) == WG_K_U || a->max <= mask_of(bits) >> 1;
    if (b->is_const && b->value && (b->value & (b->value - 1)) == 0 && nonneg &&
        b->value <= mask_of(bits) >> 1) {
        struct wg_ir_instr as = *in;
        as.type = wg_type_find(bits == 64 ? "u64" : bits == 32 ? "u32" : "u16", 3);
        if (in->op == WG_OP_DIV_I) return shift_right(an, &as, a, ctz(b->value), bits);
        as.op = WG_OP_AND;
        return logic_with_const(an, &as, a, b->value - 1, bits);
    }
    fact f = a->kind == WG_UNIFORM && b->kind == WG_UNIFORM ? uniform() : wg_fact_varying();
    if (v == WG_CONVERGED && wg_needs_row_check(an, in))
        f = in->op == WG_OP_DIV_I ? uniform() : affine(an, a->k, NULL, bits);
    if (nonneg && a->max != UINT64_MAX && b->is_const && b->value) f.max = a->max; /* by zero: all ones */
    if (in->op == WG_OP_REM_I && nonneg && b->is_const && b->value && b->value - 1 < f.max)
        f.max = b->value - 1;
    return f;
}

uint32_t wg_element_bits(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    return an->tile_bits && in->space == WG_S_SHARED ? an->tile_bits : wg_type_bits(in->type);
}

static fact load_fact(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in) {
    fact a = wg_operand_fact(an, v, &in->src[0]);
    fact f = a.kind == WG_UNIFORM ? uniform() : wg_fact_varying();
    enum wg_type_kind kind = wg_type_kind(in->type);
    uint32_t bits = wg_element_bits(an, in);
    if ((kind == WG_K_U || kind == WG_K_B || bits < wg_type_bits(in->type)) && bits < 32)
        f.max = mask_of(bits);
    return f;
}

/* Rows with no rule of their own: uniform when every source is. */
static fact plain(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (wg_operand_fact(an, v, &in->src[i]).kind != WG_UNIFORM) return wg_fact_varying();
    return uniform();
}

static fact convert(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in,
                    const fact *a) {
    uint32_t to = wg_type_bits(in->type), from = wg_type_bits(in->type2);
    bool ints = wg_type_kind(in->type) != WG_K_F && wg_type_kind(in->type2) != WG_K_F;
    if (!ints || in->mod[WG_MC_SAT] != WG_M_none || from < 16 || to < 16) {
        fact f = plain(an, v, in);
        if (ints && to < 16 && wg_type_kind(in->type) == WG_K_U) f.max = mask_of(to);
        if (ints && from < 16 && wg_type_kind(in->type2) == WG_K_U) f.max = mask_of(from);
        return f;
    }
    if (to > from)
        return widen(a, from, wg_type_kind(in->type2) == WG_K_S,
                     only_low_half(an, in) || (v == WG_CONVERGED && wg_needs_wrap_check(an, in)));
    if (to == from) return *a;
    fact f = *a; /* narrowing is exact modulo 2^to */
    if (a->kind == WG_AFFINE) f = affine(an, a->k, a->r, to);
    f.zeros = a->zeros;
    f.max = a->max <= mask_of(to) ? a->max : UINT64_MAX;
    f.is_const = a->is_const;
    f.value = a->value & mask_of(to);
    f.root = WG_NO_REG;
    return f;
}

static bool not_negative(const struct wg_ir_instr *in, const fact *a) {
    return wg_type_kind(in->type) != WG_K_S || a->max <= mask_of(wg_type_bits(in->type)) >> 1;
}

static fact high_product(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in,
                         const fact *a, const fact *b) {
    fact f = plain(an, v, in);
    uint32_t bits = wg_type_bits(in->type);
    uint64_t x = a->max < mask_of(bits) ? a->max : mask_of(bits),
             y = b->max < mask_of(bits) ? b->max : mask_of(bits);
    if (bits <= 32 && not_negative(in, a) && not_negative(in, b)) f.max = x * y >> bits;
    return f;
}

/* The lesser or greater of two numbers. */
static fact extreme(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in,
                    const fact *a, const fact *b) {
    fact f = plain(an, v, in);
    uint32_t bits = wg_type_bits(in->type);
    bool both = not_negative(in, a) && not_negative(in, b),
         either = not_negative(in, a) || not_negative(in, b);
    if (in->type == WG_T_U16X2 || in->type == WG_T_S16X2 || in->mod[WG_MC_RELU] != WG_M_none) return f;
    if (both) f.max = (a->max < b->max) == (in->op == WG_OP_MIN_I) ? a->max : b->max;
    /* the greater of a number and one that is not negative */
    if (!both && either && in->op == WG_OP_MAX_I) f.max = mask_of(bits) >> 1;
    return f;
}

static fact multiply(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in, fact a,
                     fact b) {
    uint32_t bits = wg_type_bits(in->type);
    if (in->mod[WG_MC_MULW] == WG_M_hi) return high_product(an, v, in, &a, &b);
    if (in->mod[WG_MC_MULW] == WG_M_wide) {
        bool is_signed = wg_type_kind(in->type) == WG_K_S;
        bool checked = only_low_half(an, in) || (v == WG_CONVERGED && wg_needs_wrap_check(an, in));
        a = widen(&a, bits, is_signed, checked);
        b = widen(&b, bits, is_signed, checked);
        bits *= 2;
    }
    return mul_facts(an, &a, &b, bits);
}

static fact select_fact(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in) {
    fact a = wg_operand_fact(an, v, &in->src[0]), b = wg_operand_fact(an, v, &in->src[1]);
    fact q = wg_operand_fact(an, v, &in->src[2]);
    fact f = wg_fact_varying();
    bool same = a.kind == b.kind && !a.r && !b.r && (!a.k || !memcmp(a.k, b.k, WG_LANES * sizeof *a.k));
    if (q.kind == WG_UNIFORM && a.kind != WG_VARYING && same) {
        f = a;
        f.is_const = false;
        f.root = WG_NO_REG;
        f.zeros = min8(a.zeros, b.zeros);
    } else {
        f.zeros = min8(lane_zeros(&a), lane_zeros(&b));
    }
    f.max = a.max > b.max ? a.max : b.max;
    return f;
}

/* Every lane's comparison gives what lane 0's does: base + offset < bound, where base and bound are multiples
 * of 2^z and the offset is in [0, 2^z). So `threadIdx.x < 64` costs a warp one scalar comparison. */
static bool no_warp_straddles(const struct wg_ir_instr *in, const fact *a, const fact *b, uint32_t bits) {
    if (wg_type_kind(in->type) == WG_K_F || a->kind != WG_AFFINE || b->kind != WG_UNIFORM) return false;
    if (a->zeros >= bits || !offsets_below_base(a)) return false;
    switch (in->mod[WG_MC_CMP]) {
    case WG_M_lt:
    case WG_M_lo:
    case WG_M_ge:
    case WG_M_hs: return b->zeros >= a->zeros;
    case WG_M_le:
    case WG_M_ls:
    case WG_M_gt:
    case WG_M_hi: return b->is_const && ctz(b->value + 1) >= a->zeros;
    default: return false;
    }
}

/* Rows that keep affine values affine; kind UNKNOWN: not one of them. */
static fact index_arithmetic(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in,
                             fact s[3]) {
    uint32_t bits = wg_type_bits(in->type);
    bool x2 = in->type == WG_T_U16X2 || in->type == WG_T_S16X2, sat = in->mod[WG_MC_SAT] != WG_M_none;
    switch (in->op) {
    case WG_OP_MOV: return s[0];
    case WG_OP_MOV_SREG: return wg_sreg_fact(an, in);
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
        if (x2 || sat) return plain(an, v, in);
        return add_facts(an, &s[0], &s[1], in->op == WG_OP_SUB_I, bits);
    case WG_OP_NOT: /* ~x is -1 - x */
        if (in->type == WG_T_PRED) return plain(an, v, in);
        s[1] = constant(mask_of(bits));
        return add_facts(an, &s[1], &s[0], true, bits);
    case WG_OP_NEG_I: s[1] = constant(0); return add_facts(an, &s[1], &s[0], true, bits);
    case WG_OP_MUL_I: return multiply(an, v, in, s[0], s[1]);
    case WG_OP_MIN_I:
    case WG_OP_MAX_I: return extreme(an, v, in, &s[0], &s[1]);
    case WG_OP_MAD_I: {
        if (sat || in->mod[WG_MC_MULW] == WG_M_hi) return plain(an, v, in);
        fact p = multiply(an, v, in, s[0], s[1]);
        return add_facts(an, &p, &s[2], false, in->mod[WG_MC_MULW] == WG_M_wide ? bits * 2 : bits);
    }
    case WG_OP_SHL:
        if (!s[1].is_const || s[1].value >= bits) return plain(an, v, in);
        return scale_by_const(an, &s[0], 1ull << s[1].value, bits);
    case WG_OP_SHR:
        if (!s[1].is_const) return plain(an, v, in);
        return shift_right(an, in, &s[0], s[1].value, bits);
    case WG_OP_AND:
    case WG_OP_OR:
    case WG_OP_XOR: return in->type == WG_T_PRED ? plain(an, v, in) : logic_facts(an, in, &s[0], &s[1], bits);
    case WG_OP_DIV_I:
    case WG_OP_REM_I: return div_facts(an, v, in, &s[0], &s[1], bits);
    case WG_OP_CVT: return convert(an, v, in, &s[0]);
    case WG_OP_SELP: return select_fact(an, v, in);
    case WG_OP_SETP: return no_warp_straddles(in, &s[0], &s[1], bits) ? uniform() : plain(an, v, in);
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO:
        s[0].is_const = false;
        if (in->space == WG_S_SHARED || in->space == WG_S_CLUSTER) {
            s[0].max = UINT64_MAX;
            s[0].zeros = min8(s[0].zeros, 8);
            s[0].root = WG_NO_REG;
        }
        return s[0];
    case WG_OP_MAPA: {
        uint8_t zeros = min8(lane_zeros(&s[0]), 8);
        if (s[1].kind != WG_UNIFORM || s[0].kind == WG_VARYING) s[0] = plain(an, v, in);
        s[0].is_const = false;
        s[0].max = UINT64_MAX;
        s[0].root = WG_NO_REG;
        s[0].zeros = zeros;
        return s[0];
    }
    default: return (fact){.kind = WG_UNKNOWN};
    }
}

fact wg_transfer(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in,
                 uint32_t dst) {
    fact s[3];
    for (uint32_t i = 0; i < 3; i++) s[i] = i < in->nsrc ? wg_operand_fact(an, v, &in->src[i]) : constant(0);
    if (wg_op_flags(in->op) & WG_F_CC) return wg_fact_varying();
    fact f = index_arithmetic(an, v, in, s);
    if (f.kind != WG_UNKNOWN) return f;
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_LDU:
    case WG_OP_CHECK_LD: return load_fact(an, v, in);
    case WG_OP_CHECK_BALLOT:
    case WG_OP_ACTIVEMASK:
    case WG_OP_BAR_RED:
    case WG_OP_BARRIER_RED: return uniform();
    case WG_OP_VOTE:
    case WG_OP_VOTE_BALLOT:
    case WG_OP_REDUX:
    case WG_OP_ELECT: {
        /* one result for all lanes of a mask; lanes may name different masks */
        fact members = wg_operand_fact(an, v, &in->src[in->nsrc - 1]);
        bool one = members.kind == WG_UNIFORM && !(in->op == WG_OP_ELECT && dst == 1);
        return one ? uniform() : wg_fact_varying();
    }
    case WG_OP_SHFL:
    case WG_OP_CHECK_SHFL:
    case WG_OP_MATCH:
    case WG_OP_ATOM: return wg_fact_varying();
    case WG_OP_CALL: return in->call->builtin == WG_B_grid_is_cooperative ? uniform() : wg_fact_varying();
    case WG_OP_MBARRIER_WAIT:
    case WG_OP_MBARRIER_WAIT_PARITY: return plain(an, v, in); /* nothing changes while lanes look at it */
    default: return wg_op_flags(in->op) & (WG_F_EFFECT | WG_F_SYNC) ? wg_fact_varying() : plain(an, v, in);
    }
}
