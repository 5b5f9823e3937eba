/* Floating-point arithmetic rows.
 *
 * f32 and f64 are the host's IEEE arithmetic under the instruction's rounding mode (fenv; this file is
 * compiled with -frounding-math). f16 and bf16 are computed exactly, or rounded to odd, in f64 and then
 * rounded once: 53 bits rounded to odd are enough for a correct rounding to 11. Results that are no number
 * are the machine's one NaN of the format. .ftz makes subnormal operands and results zeros of their sign.
 */
#include "ref/lane.h"
#include "ref/number.h"
#include <fenv.h>
#include <math.h>

enum arith { ADD, SUB, MUL, FMA, DIV, RCP, SQRT };

static int host_rounding(enum wg_mod m) {
    switch (m) {
    case WG_M_rz: return FE_TOWARDZERO;
    case WG_M_rm: return FE_DOWNWARD;
    case WG_M_rp: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

#define HOST_ARITH(name, T, fma_, sqrt_)                                                                     \
    static T name(enum arith op, T a_, T b_, T c_) {                                                         \
        volatile T a = a_, b = b_, c = c_, r; /* volatile: nothing moves across the change of mode */        \
        switch (op) {                                                                                        \
        case ADD: r = a + b; break;                                                                          \
        case SUB: r = a - b; break;                                                                          \
        case MUL: r = a * b; break;                                                                          \
        case FMA: r = fma_(a, b, c); break;                                                                  \
        case DIV: r = a / b; break;                                                                          \
        case RCP: r = 1 / a; break;                                                                          \
        default: r = sqrt_(a); break;                                                                        \
        }                                                                                                    \
        return r;                                                                                            \
    }
HOST_ARITH(host_f32, float, fmaf, sqrtf)
HOST_ARITH(host_f64, double, fma, sqrt)

static double exact_small(enum arith op, double a, double b, double c) {
    switch (op) {
    case ADD: return ref_add_to_odd(a, b);
    case SUB: return ref_add_to_odd(a, -b);
    case MUL: return a * b;
    default: return ref_add_to_odd(a * b, c);
    }
}

static uint64_t compute(const struct ref_ins *i, const struct ref_format *f, enum arith op,
                        const uint64_t v[3]) {
    bool ftz = i->mod[WG_MC_FTZ] == WG_M_ftz;
    uint64_t s[3], r;
    for (int k = 0; k < 3; k++) s[k] = ftz ? ref_flush(f, v[k]) : v[k];
    if (f->bits == 16) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = ref_to_double(f, s[k]);
        r = ref_from_double(f, exact_small(op, d[0], d[1], d[2]), i->mod[WG_MC_RND]);
    } else {
        int mode = host_rounding(i->mod[WG_MC_RND]);
        if (mode != FE_TONEAREST) fesetround(mode);
        if (f == &ref_f32)
            r = ref_f32_bits(host_f32(op, ref_as_f32(s[0]), ref_as_f32(s[1]), ref_as_f32(s[2])));
        else
            r = ref_f64_bits(host_f64(op, ref_as_f64(s[0]), ref_as_f64(s[1]), ref_as_f64(s[2])));
        if (mode != FE_TONEAREST) fesetround(FE_TONEAREST);
    }
    if (ref_is_nan(f, r)) r = f->nan;
    if (ftz) r = ref_flush(f, r);
    if (i->mod[WG_MC_SAT] == WG_M_sat) r = ref_saturate(f, r);
    if (ref_has(i, WG_MC_RELU) && r & ref_sign_bit(f)) r = 0;
    return r;
}

static bool is_pair(uint8_t type) { return type == WG_T_F16X2 || type == WG_T_BF16X2; }

static void arith(struct ref_lane *l, const struct ref_ins *i, enum arith op) {
    const struct ref_format *f = ref_format_of(i->type);
    uint64_t v[3] = {0, 0, 0}, r = 0;
    for (uint32_t k = 0; k < i->nsrc && k < 3; k++) v[k] = ref_src(l, i, k);
    if (!is_pair(i->type)) {
        ref_set(l, i, compute(i, f, op, v));
        return;
    }
    for (uint32_t h = 0; h < 32; h += 16) {
        uint64_t half[3] = {v[0] >> h & 0xffff, v[1] >> h & 0xffff, v[2] >> h & 0xffff};
        r |= compute(i, f, op, half) << h;
    }
    ref_set(l, i, r);
}
static void add(struct ref_lane *l, const struct ref_ins *i) { arith(l, i, ADD); }
static void sub(struct ref_lane *l, const struct ref_ins *i) { arith(l, i, SUB); }
static void mul(struct ref_lane *l, const struct ref_ins *i) { arith(l, i, MUL); }
static void fma_row(struct ref_lane *l, const struct ref_ins *i) { arith(l, i, FMA); }
static void divide(struct ref_lane *l, const struct ref_ins *i) { arith(l, i, DIV); }
static void rcp(struct ref_lane *l, const struct ref_ins *i) { arith(l, i, RCP); }
static void sqrt_row(struct ref_lane *l, const struct ref_ins *i) { arith(l, i, SQRT); }

/* ---- signs and extremes: on the bits ---- */

typedef uint64_t (*half_fn)(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b);

static void by_halves(struct ref_lane *l, const struct ref_ins *i, half_fn fn) {
    const struct ref_format *f = ref_format_of(i->type);
    uint64_t a = ref_src(l, i, 0), b = i->nsrc > 1 ? ref_src(l, i, 1) : 0, r = 0;
    if (!is_pair(i->type)) {
        ref_set(l, i, fn(i, f, a, b));
        return;
    }
    for (uint32_t h = 0; h < 32; h += 16) r |= fn(i, f, a >> h & 0xffff, b >> h & 0xffff) << h;
    ref_set(l, i, r);
}

static uint64_t flushed(const struct ref_ins *i, const struct ref_format *f, uint64_t v) {
    return i->mod[WG_MC_FTZ] == WG_M_ftz ? ref_flush(f, v) : v;
}
static uint64_t neg_half(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b) {
    return flushed(i, f, a) ^ ref_sign_bit(f);
}
static uint64_t abs_half(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b) {
    return flushed(i, f, a) & ~ref_sign_bit(f);
}
/* -0 is below +0; one NaN gives the other operand unless .NaN is said. */
static uint64_t extreme(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b,
                        bool max) {
    a = flushed(i, f, a);
    b = flushed(i, f, b);
    uint64_t sign = (a ^ b) & ref_sign_bit(f), r;
    bool xorsign = ref_has(i, WG_MC_XORSIGN);
    if (xorsign) {
        a &= ~ref_sign_bit(f);
        b &= ~ref_sign_bit(f);
    }
    bool an = ref_is_nan(f, a), bn = ref_is_nan(f, b);
    if ((an && bn) || ((an || bn) && ref_has(i, WG_MC_NAN))) return f->nan;
    double x = ref_to_double(f, a), y = ref_to_double(f, b);
    if (an || bn)
        r = an ? b : a;
    else if (x == y)
        r = max ? a & b : a | b; /* only zeros differ in bits */
    else
        r = (x < y) == max ? b : a;
    return xorsign ? (r & ~ref_sign_bit(f)) | sign : r;
}
static uint64_t min_half(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b) {
    return extreme(i, f, a, b, false);
}
static uint64_t max_half(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b) {
    return extreme(i, f, a, b, true);
}
/* b with the sign of a. */
static uint64_t copysign_half(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b) {
    return (a & ref_sign_bit(f)) | (b & ~ref_sign_bit(f));
}
static void neg(struct ref_lane *l, const struct ref_ins *i) { by_halves(l, i, neg_half); }
static void abs_(struct ref_lane *l, const struct ref_ins *i) { by_halves(l, i, abs_half); }
static void min_(struct ref_lane *l, const struct ref_ins *i) { by_halves(l, i, min_half); }
static void max_(struct ref_lane *l, const struct ref_ins *i) { by_halves(l, i, max_half); }
static void copysign_(struct ref_lane *l, const struct ref_ins *i) { by_halves(l, i, copysign_half); }

static void testp(struct ref_lane *l, const struct ref_ins *i) {
    const struct ref_format *f = ref_format_of(i->type);
    uint64_t a = ref_src(l, i, 0);
    struct ref_number n = ref_decode(f, a);
    bool finite = n.cls == REF_FINITE, sub = ref_is_subnormal(f, a), r;
    switch (i->mod[WG_MC_TESTP]) {
    case WG_M_finite: r = finite; break;
    case WG_M_infinite: r = n.cls == REF_INFINITE; break;
    case WG_M_number: r = n.cls != REF_NAN; break;
    case WG_M_notanumber: r = n.cls == REF_NAN; break;
    case WG_M_normal: r = finite && !sub; break; /* zeros are normal */
    default: r = sub; break;
    }
    ref_set_bits(l, i, 0, r, 1);
}

const struct ref_row wg_ref_float_rows[WG_OP_COUNT] = {
    [WG_OP_ADD_F] = {.lane = add},          [WG_OP_SUB_F] = {.lane = sub},
    [WG_OP_MUL_F] = {.lane = mul},          [WG_OP_FMA] = {.lane = fma_row},
    [WG_OP_MAD_F] = {.lane = fma_row},      [WG_OP_DIV_F] = {.lane = divide},
    [WG_OP_DIV_A] = {.lane = divide},       [WG_OP_NEG_F] = {.lane = neg},
    [WG_OP_ABS_F] = {.lane = abs_},         [WG_OP_MIN_F] = {.lane = min_},
    [WG_OP_MAX_F] = {.lane = max_},         [WG_OP_RCP] = {.lane = rcp},
    [WG_OP_RCP_A] = {.lane = rcp},          [WG_OP_SQRT] = {.lane = sqrt_row},
    [WG_OP_SQRT_A] = {.lane = sqrt_row},    [WG_OP_TESTP] = {.lane = testp},
    [WG_OP_COPYSIGN] = {.lane = copysign_},
};
