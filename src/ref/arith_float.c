/* Floating-point arithmetic rows.
 *
 * f32 and f64 are the host's IEEE arithmetic under the instruction's rounding mode (fenv; this file is
 * compiled with -frounding-math). f16 and bf16 are computed exactly, or rounded to odd, in f64 and then
 * rounded once: 53 bits rounded to odd are enough for a correct rounding to 11. NaN results are the machine's
 * canonical NaN of the format, but in f64 an operand that is a NaN (docs/nans.md). .ftz makes
 * subnormal operands and results zeros of their sign.
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

#define HOST_ARITH(name, T, value, fma_, sqrt_)                                                              \
    static T name(enum arith op, T a_, T b_, T c_) {                                                         \
        value a = a_, b = b_, c = c_, r;                                                                     \
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
HOST_ARITH(f32_nearest, float, float, fmaf, sqrtf)
HOST_ARITH(f64_nearest, double, double, fma, sqrt)
/* volatile: nothing moves across the change of mode */
HOST_ARITH(f32_in_mode, float, volatile float, fmaf, sqrtf)
HOST_ARITH(f64_in_mode, double, volatile double, fma, sqrt)

static uint64_t on_host(const struct ref_format *f, enum arith op, enum wg_mod rounding, uint64_t a,
                        uint64_t b, uint64_t c) {
    int mode = host_rounding(rounding);
    if (mode == FE_TONEAREST && f == &ref_f32)
        return ref_f32_bits(f32_nearest(op, ref_as_f32(a), ref_as_f32(b), ref_as_f32(c)));
    if (mode == FE_TONEAREST)
        return ref_f64_bits(f64_nearest(op, ref_as_f64(a), ref_as_f64(b), ref_as_f64(c)));
    fesetround(mode);
    uint64_t r = f == &ref_f32 ? ref_f32_bits(f32_in_mode(op, ref_as_f32(a), ref_as_f32(b), ref_as_f32(c)))
                               : ref_f64_bits(f64_in_mode(op, ref_as_f64(a), ref_as_f64(b), ref_as_f64(c)));
    fesetround(FE_TONEAREST);
    return r;
}

static double exact_small(enum arith op, double a, double b, double c) {
    switch (op) {
    case ADD: return ref_add_to_odd(a, b);
    case SUB: return ref_add_to_odd(a, -b);
    case MUL: return a * b;
    default: return ref_add_to_odd(a * b, c);
    }
}

/* f64 looks at the last operand but the addend first; a dividend before its divisor. */
static uint64_t not_a_number(const struct ref_format *f, enum arith op, uint64_t a, uint64_t b, uint64_t c) {
    switch (op) {
    case ADD:
    case SUB:
    case MUL: return ref_first_nan(f, (uint64_t[]){b, a}, 2);
    case FMA: return ref_first_nan(f, (uint64_t[]){b, c, a}, 3);
    case DIV: return ref_first_nan(f, (uint64_t[]){a, b}, 2);
    default: return ref_first_nan(f, &a, 1);
    }
}

/* rcp.approx.f64 looks at the upper word alone: NaNs whose payload is all below it are infinite. */
static uint64_t rcp_by_upper_word(uint64_t a) {
    const struct ref_format *f = &ref_f64;
    uint64_t upper = a & UINT64_C(0xffffffff00000000);
    return ref_is_nan(f, upper) ? UINT64_C(0x7fffffff00000000) : upper & ref_sign_bit(f);
}

static uint64_t compute(const struct ref_ins *i, const struct ref_format *f, enum arith op, uint64_t a,
                        uint64_t b, uint64_t c) {
    bool ftz = i->mod[WG_MC_FTZ] == WG_M_ftz;
    enum wg_mod rounding = i->mod[WG_MC_RND];
    uint64_t r;
    if (ftz) {
        a = ref_flush(f, a);
        b = ref_flush(f, b);
        c = ref_flush(f, c);
    }
    if (f->bits == 16)
        r = ref_from_double(f, exact_small(op, ref_to_double(f, a), ref_to_double(f, b), ref_to_double(f, c)),
                            rounding);
    else
        r = on_host(f, op, rounding, a, b, c);
    if (ref_is_nan(f, r)) r = not_a_number(f, op, a, b, c);
    if (ref_is_nan(f, a) && f == &ref_f64 && i->op == WG_OP_RCP_A) r = rcp_by_upper_word(a);
    if (ftz) r = ref_flush(f, r);
    if (i->mod[WG_MC_SAT] == WG_M_sat) r = ref_saturate(f, r);
    if (ref_has(i, WG_MC_RELU) && r & ref_sign_bit(f)) r = 0;
    return r;
}

static bool is_pair(uint8_t type) { return type == WG_T_F16X2 || type == WG_T_BF16X2; }

static void arith(struct ref_lane *l, const struct ref_ins *i, enum arith op) {
    const struct ref_format *f = i->format;
    uint64_t a = ref_src(l, i, 0), b = i->nsrc > 1 ? ref_src(l, i, 1) : 0,
             c = i->nsrc > 2 ? ref_src(l, i, 2) : 0;
    if (!is_pair(i->type)) {
        ref_set(l, i, compute(i, f, op, a, b, c));
        return;
    }
    uint64_t low = compute(i, f, op, a & 0xffff, b & 0xffff, c & 0xffff);
    ref_set(l, i, compute(i, f, op, a >> 16, b >> 16, c >> 16) << 16 | low);
}
REF_LANE_ROW(add) { arith(l, i, ADD); }
REF_LANE_ROW(sub) { arith(l, i, SUB); }
REF_LANE_ROW(mul) { arith(l, i, MUL); }
REF_LANE_ROW(fma_row) { arith(l, i, FMA); }
REF_LANE_ROW(divide) { arith(l, i, DIV); }
REF_LANE_ROW(rcp) { arith(l, i, RCP); }
REF_LANE_ROW(sqrt_row) { arith(l, i, SQRT); }

/* ---- signs and extremes: on the bits ---- */

typedef uint64_t (*half_fn)(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b);

static void by_halves(struct ref_lane *l, const struct ref_ins *i, half_fn fn) {
    const struct ref_format *f = i->format;
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
    if (ref_is_nan(f, a)) return ref_first_nan(f, &a, 1);
    return flushed(i, f, a) ^ ref_sign_bit(f);
}
static uint64_t abs_half(const struct ref_ins *i, const struct ref_format *f, uint64_t a, uint64_t b) {
    if (ref_is_nan(f, a)) return ref_first_nan(f, &a, 1);
    return flushed(i, f, a) & ~ref_sign_bit(f);
}
/* -0 is below +0; with one NaN the result is the other operand, unless .NaN is given. */
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
    if ((an && bn) || ((an || bn) && ref_has(i, WG_MC_NAN))) return ref_first_nan(f, &b, 1);
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
REF_LANE_ROW(neg) { by_halves(l, i, neg_half); }
REF_LANE_ROW(abs_) { by_halves(l, i, abs_half); }
REF_LANE_ROW(min_) { by_halves(l, i, min_half); }
REF_LANE_ROW(max_) { by_halves(l, i, max_half); }
REF_LANE_ROW(copysign_) { by_halves(l, i, copysign_half); }

REF_LANE_ROW(testp) {
    const struct ref_format *f = i->format;
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
