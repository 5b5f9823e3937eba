/* Cases: floating-point arithmetic. f32 and f64 against the host's IEEE arithmetic under fesetround, halves
 * against exact arithmetic rounded once. Compiled with -frounding-math. */
#include "cases.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

static double f64_of(uint64_t v) {
    double d;
    memcpy(&d, &v, 8);
    return d;
}
static uint64_t bits_of_f64(double d) {
    uint64_t v;
    memcpy(&v, &d, 8);
    return v;
}
static float f32_of(uint64_t v) {
    uint32_t u = (uint32_t)v;
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static uint64_t bits_of_f32(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static enum wg_type half_of(enum wg_type t) {
    return t == WG_T_F16X2 ? WG_T_F16 : t == WG_T_BF16X2 ? WG_T_BF16 : t;
}
static uint64_t sign_bit(enum wg_type t) { return 1ull << (wg_type_bits(t) - 1); }

/* ---- IEEE operations ---- */

static int host_rounding(enum wg_mod m) {
    return m == WG_M_rz   ? FE_TOWARDZERO
           : m == WG_M_rm ? FE_DOWNWARD
           : m == WG_M_rp ? FE_UPWARD
                          : FE_TONEAREST;
}

#define HOST(name, T, fma_, sqrt_)                                                                           \
    static T name(enum wg_op op, T a_, T b_, T c_) {                                                         \
        volatile T a = a_, b = b_, c = c_, r;                                                                \
        switch (op) {                                                                                        \
        case WG_OP_ADD_F: r = a + b; break;                                                                  \
        case WG_OP_SUB_F: r = a - b; break;                                                                  \
        case WG_OP_MUL_F: r = a * b; break;                                                                  \
        case WG_OP_DIV_F:                                                                                    \
        case WG_OP_DIV_A: r = a / b; break;                                                                  \
        case WG_OP_RCP:                                                                                      \
        case WG_OP_RCP_A: r = 1 / a; break;                                                                  \
        case WG_OP_SQRT:                                                                                     \
        case WG_OP_SQRT_A: r = sqrt_(a); break;                                                              \
        default: r = fma_(a, b, c); break;                                                                   \
        }                                                                                                    \
        return r;                                                                                            \
    }
HOST(host_f32, float, fmaf, sqrtf)
HOST(host_f64, double, fma, sqrt)

static uint64_t half_arith(const struct test_case *c, enum wg_type t, const uint64_t *s) {
    struct exact x = exact_from(t, s[0]), y = exact_from(t, s[1]);
    switch (c->op) {
    case WG_OP_SUB_F: y.negative = !y.negative; /* fall through */
    case WG_OP_ADD_F: return exact_round(exact_add(x, y), t, WG_M_rn);
    case WG_OP_MUL_F: return exact_round(exact_mul(x, y), t, WG_M_rn);
    default: return exact_round(exact_add(exact_mul(x, y), exact_from(t, s[2])), t, WG_M_rn);
    }
}

static uint64_t one_arith(const struct test_case *c, enum wg_type t, const uint64_t *operands) {
    bool ftz = mod_of(c, WG_MC_FTZ) == WG_M_ftz;
    uint64_t s[3], r;
    for (int i = 0; i < 3; i++) s[i] = ftz ? bits_flush(t, operands[i]) : operands[i];
    fesetround(host_rounding(mod_of(c, WG_MC_RND)));
    if (t == WG_T_F32)
        r = bits_of_f32(host_f32(c->op, f32_of(s[0]), f32_of(s[1]), f32_of(s[2])));
    else if (t == WG_T_F64)
        r = bits_of_f64(host_f64(c->op, f64_of(s[0]), f64_of(s[1]), f64_of(s[2])));
    else
        r = half_arith(c, t, s);
    fesetround(FE_TONEAREST);
    if (ftz) r = bits_flush(t, r);
    bool nan = bits_are_nan(t, r), negative = r & sign_bit(t);
    uint64_t one = (uint64_t)format_of(t)->bias << format_of(t)->fraction;
    if (mod_of(c, WG_MC_SAT)) r = nan || negative ? 0 : r > one ? one : r;
    if (mod_of(c, WG_MC_RELU) && !nan && negative) r = 0;
    return r;
}

typedef uint64_t one_fn(const struct test_case *c, enum wg_type t, const uint64_t *s);
static uint64_t by_halves(const struct test_case *c, const uint64_t *s, one_fn *f) {
    enum wg_type t = half_of(c->type);
    if (t == c->type) return f(c, t, s);
    uint64_t low[3], high[3];
    for (int i = 0; i < 3; i++) low[i] = s[i] & 0xffff, high[i] = s[i] >> 16;
    return f(c, t, low) | f(c, t, high) << 16;
}
EXPECT(arith) { d[0] = by_halves(c, s, one_arith); }

/* ---- Signs, least and greatest ---- */

static uint64_t one_sign(const struct test_case *c, enum wg_type t, const uint64_t *s) {
    uint64_t top = sign_bit(t), x = mod_of(c, WG_MC_FTZ) ? bits_flush(t, s[0]) : s[0];
    if (c->op == WG_OP_COPYSIGN) return (x & top) | (s[1] & ~top);
    return c->op == WG_OP_NEG_F ? x ^ top : x & ~top;
}
EXPECT(sign) { d[0] = by_halves(c, s, one_sign); }

static uint64_t one_extreme(const struct test_case *c, enum wg_type t, const uint64_t *s) {
    bool ftz = mod_of(c, WG_MC_FTZ), xorsign = mod_of(c, WG_MC_XORSIGN), min = c->op == WG_OP_MIN_F;
    uint64_t top = sign_bit(t), x = ftz ? bits_flush(t, s[0]) : s[0], y = ftz ? bits_flush(t, s[1]) : s[1];
    uint64_t sign = (x ^ y) & top, canonical = t == WG_T_F64 ? 0x7ff8000000000000 : top - 1;
    if (xorsign) x &= ~top, y &= ~top;
    bool xn = bits_are_nan(t, x), yn = bits_are_nan(t, y);
    if (xn || yn) {
        if ((xn && yn) || mod_of(c, WG_MC_NAN)) return canonical;
        return ((xn ? y : x) & (xorsign ? ~top : ~0ull)) | (xorsign ? sign : 0);
    }
    /* Sign and magnitude to a number that orders as they do, -0 before +0. */
    int64_t xo = x & top ? -(int64_t)(x & ~top) - 1 : (int64_t)x,
            yo = y & top ? -(int64_t)(y & ~top) - 1 : (int64_t)y;
    uint64_t r = (xo < yo) == min ? x : y;
    return xorsign ? (r & ~top) | sign : r;
}
EXPECT(extreme) { d[0] = by_halves(c, s, one_extreme); }

/* ---- Comparison ---- */

static bool stands(enum wg_mod m, double x, double y) {
    bool nan = isnan(x) || isnan(y);
    switch (m) {
    case WG_M_eq: return x == y;
    case WG_M_ne: return !nan && x != y;
    case WG_M_lt: return x < y;
    case WG_M_le: return x <= y;
    case WG_M_gt: return x > y;
    case WG_M_ge: return x >= y;
    case WG_M_equ: return nan || x == y;
    case WG_M_neu: return nan || x != y;
    case WG_M_ltu: return nan || x < y;
    case WG_M_leu: return nan || x <= y;
    case WG_M_gtu: return nan || x > y;
    case WG_M_geu: return nan || x >= y;
    case WG_M_num: return !nan;
    default: return nan;
    }
}
static double number(const struct test_case *c, enum wg_type t, uint64_t v) {
    return f64_of(exact_round(exact_from(t, mod_of(c, WG_MC_FTZ) ? bits_flush(t, v) : v), WG_T_F64, WG_M_rn));
}
EXPECT(compare) {
    bool t = stands(mod_of(c, WG_MC_CMP), number(c, c->type, s[0]), number(c, c->type, s[1]));
    d[0] = t;
    d[1] = !t;
    if (c->op == WG_OP_SET) d[0] = t ? UINT64_MAX : 0;
}
EXPECT(compare_pair) {
    enum wg_type t = half_of(c->type);
    for (int i = 0; i < 2; i++)
        d[i] = stands(mod_of(c, WG_MC_CMP), number(c, t, s[0] >> 16 * i & 0xffff),
                      number(c, t, s[1] >> 16 * i & 0xffff));
    if (c->op == WG_OP_SET_X2) d[0] = (d[0] ? 0xffff : 0) | (d[1] ? 0xffff0000 : 0);
}
EXPECT(choose_by_float) { d[0] = number(c, WG_T_F32, s[2]) >= 0 ? s[0] : s[1]; }
EXPECT(class_of) {
    const struct exact x = exact_from(c->type, s[0]);
    bool finite = !x.nan && !x.infinite,
         sub = finite && x.mant && x.mant < (unsigned __int128)1 << format_of(c->type)->fraction;
    switch (mod_of(c, WG_MC_TESTP)) {
    case WG_M_finite: d[0] = finite; break;
    case WG_M_infinite: d[0] = x.infinite; break;
    case WG_M_number: d[0] = !x.nan; break;
    case WG_M_notanumber: d[0] = x.nan; break;
    case WG_M_normal: d[0] = finite && !sub; break;
    default: d[0] = sub; break;
    }
}

/* ---- Approximate functions: near the true ones. That they equal the reference is tests/rows' matter. ----
 */

static double true_value(enum wg_op op, double x) {
    switch (op) {
    case WG_OP_RSQRT_A: return 1 / sqrt(x);
    case WG_OP_EX2_A: return exp2(x);
    case WG_OP_LG2_A: return log2(x);
    case WG_OP_SIN_A: return sin(x);
    case WG_OP_COS_A: return cos(x);
    default: return tanh(x);
    }
}
static uint64_t one_approximate(const struct test_case *c, enum wg_type t, const uint64_t *s) {
    double v = true_value(c->op, number(c, t, s[0]));
    uint64_t r = t == WG_T_F64 ? bits_of_f64(v) : bits_of_f32((float)v);
    if (wg_type_bits(t) == 16) r = exact_round(exact_from(WG_T_F32, r), t, WG_M_rn);
    return mod_of(c, WG_MC_FTZ) ? bits_flush(t, r) : r;
}
EXPECT(approximate) {
    bool trig = c->op == WG_OP_SIN_A || c->op == WG_OP_COS_A;
    if (trig && !(fabs(number(c, c->type, s[0])) < 300) && !isinf(number(c, c->type, s[0]))) *cc = ANYTHING;
    d[0] = by_halves(c, s, one_approximate);
}

static void ieee(add_case_fn *add, void *user) {
    static const enum wg_mod rounds[] = {WG_M_rn, WG_M_rz, WG_M_rm, WG_M_rp};
    static const struct {
        enum wg_op op;
        int n;
    } ops[] = {{WG_OP_ADD_F, 2}, {WG_OP_SUB_F, 2}, {WG_OP_MUL_F, 2}, {WG_OP_FMA, 3},
               {WG_OP_MAD_F, 3}, {WG_OP_DIV_F, 2}, {WG_OP_RCP, 1},   {WG_OP_SQRT, 1}};
    static const enum wg_type halves[] = {WG_T_F16, WG_T_F16X2, WG_T_BF16, WG_T_BF16X2};
    for (int i = 0; i < 8; i++) {
        uint8_t n = (uint8_t)ops[i].n, y32 = n > 1 ? 32 : 0, z32 = n > 2 ? 32 : 0;
        for (int r = 0; r < 4; r++)
            for (int ftz = 0; ftz < 2; ftz++)
                ADD(.op = ops[i].op, .type = WG_T_F32,
                    .mods = {{WG_MC_RND, rounds[r]}, {WG_MC_FTZ, ftz ? WG_M_ftz : WG_M_none}},
                    .src = {32, y32, z32}, .dst = {32}, .one_level = ftz || ops[i].op == WG_OP_MAD_F,
                    .expect = arith);
        for (int r = 0; r < 4; r++)
            ADD(.op = ops[i].op, .type = WG_T_F64, .mods = {{WG_MC_RND, rounds[r]}},
                .src = {64, 2 * y32, 2 * z32}, .dst = {64}, .one_level = ops[i].op == WG_OP_MAD_F,
                .expect = arith);
        if (i >= 5) continue;
        ADD(.op = ops[i].op, .type = WG_T_F32, .mods = {{WG_MC_SAT, WG_M_sat}, {WG_MC_RND, WG_M_rp}},
            .src = {32, y32, z32}, .dst = {32}, .expect = arith);
        for (int h = 0; i < 4 && h < 4; h++) {
            uint8_t w = h & 1 ? 32 : 16, z = z32 ? w : 0;
            ADD(.op = ops[i].op, .type = halves[h], .src = {w, w, z}, .dst = {w}, .expect = arith);
            if (h < 2)
                ADD(.op = ops[i].op, .type = halves[h],
                    .mods = {{WG_MC_FTZ, WG_M_ftz}, {WG_MC_SAT, WG_M_sat}}, .src = {w, w, z}, .dst = {w},
                    .expect = arith);
            if (ops[i].op == WG_OP_FMA)
                ADD(.op = WG_OP_FMA, .type = halves[h],
                    .mods = {{WG_MC_RND, WG_M_rn}, {WG_MC_RELU, WG_M_relu}}, .src = {w, w, w}, .dst = {w},
                    .expect = arith);
        }
    }
    ADD(.op = WG_OP_DIV_A, .type = WG_T_F32, .mods = {{WG_MC_APPROX, WG_M_full}}, .src = {32, 32},
        .dst = {32}, .expect = arith);
    ADD(.op = WG_OP_RCP_A, .type = WG_T_F32, .src = {32}, .dst = {32}, .expect = arith);
    ADD(.op = WG_OP_SQRT_A, .type = WG_T_F32, .mods = {{WG_MC_FTZ, WG_M_ftz}}, .src = {32}, .dst = {32},
        .expect = arith);
}

static void signs(add_case_fn *add, void *user) {
    static const enum wg_type types[] = {WG_T_F32, WG_T_F64, WG_T_F16, WG_T_F16X2, WG_T_BF16, WG_T_BF16X2};
    static const enum wg_mod tests[] = {WG_M_finite,     WG_M_infinite, WG_M_number,
                                        WG_M_notanumber, WG_M_normal,   WG_M_subnormal};
    for (int t = 0; t < 6; t++) {
        uint8_t w = (uint8_t)wg_type_bits(types[t]);
        for (int ftz = 0; ftz < (types[t] == WG_T_F64 ? 1 : 2); ftz++)
            for (int max = 0; max < 2; max++) {
                enum wg_mod f = ftz ? WG_M_ftz : WG_M_none;
                enum wg_op op = max ? WG_OP_MAX_F : WG_OP_MIN_F;
                ADD(.op = max ? WG_OP_NEG_F : WG_OP_ABS_F, .type = types[t], .mods = {{WG_MC_FTZ, f}},
                    .src = {w}, .dst = {w}, .expect = sign);
                ADD(.op = op, .type = types[t], .mods = {{WG_MC_FTZ, f}}, .src = {w, w}, .dst = {w},
                    .expect = extreme);
                if (types[t] == WG_T_F64) continue;
                ADD(.op = op, .type = types[t], .mods = {{WG_MC_FTZ, f}, {WG_MC_NAN, WG_M_NaN}},
                    .src = {w, w}, .dst = {w}, .expect = extreme);
                ADD(.op = op, .type = types[t], .mods = {{WG_MC_FTZ, f}, {WG_MC_XORSIGN, WG_M_xorsign_abs}},
                    .src = {w, w}, .dst = {w}, .expect = extreme);
            }
        if (t > 1) continue;
        ADD(.op = WG_OP_COPYSIGN, .type = types[t], .src = {w, w}, .dst = {w}, .expect = sign);
        for (int i = 0; i < 6; i++)
            ADD(.op = WG_OP_TESTP, .type = types[t], .mods = {{WG_MC_TESTP, tests[i]}}, .src = {w},
                .dst = {1}, .expect = class_of);
    }
    static const uint64_t constants[] = {0, 0x80000000, 0x3f800000, 0xff800000, 0x7fc00000};
    for (int i = 0; i < 5; i++)
        for (int at = 0; at < 2; at++)
            ADD(.op = WG_OP_MAX_F, .type = WG_T_F32, .src = {32, 32}, .dst = {32},
                .operand = {{at ? VARIES : CONSTANT, constants[i]}, {at ? CONSTANT : VARIES, constants[i]}},
                .expect = extreme);
}

static void comparisons(add_case_fn *add, void *user) {
    static const enum wg_type types[] = {WG_T_F32, WG_T_F64, WG_T_F16, WG_T_BF16};
    static const enum wg_mod cmps[] = {WG_M_eq,  WG_M_ne,  WG_M_lt,  WG_M_le,  WG_M_gt,  WG_M_ge,  WG_M_equ,
                                       WG_M_neu, WG_M_ltu, WG_M_leu, WG_M_gtu, WG_M_geu, WG_M_num, WG_M_nan};
    for (int m = 0; m < 14; m++) {
        for (int t = 0; t < 4; t++) {
            uint8_t w = (uint8_t)wg_type_bits(types[t]);
            ADD(.op = WG_OP_SETP, .type = types[t], .mods = {{WG_MC_CMP, cmps[m]}}, .src = {w, w},
                .dst = {1, 1}, .one_level = types[t] != WG_T_F32, .expect = compare);
        }
        ADD(.op = WG_OP_SETP_X2, .type = m & 1 ? WG_T_F16X2 : WG_T_BF16X2, .mods = {{WG_MC_CMP, cmps[m]}},
            .src = {32, 32}, .dst = {1, 1}, .expect = compare_pair);
        ADD(.op = WG_OP_SET_X2, .type = m & 1 ? WG_T_F16X2 : WG_T_BF16X2, .type2 = WG_T_U32,
            .mods = {{WG_MC_CMP, cmps[m]}}, .src = {32, 32}, .dst = {32}, .dst_type = WG_T_U32,
            .one_level = true, .expect = compare_pair);
        ADD(.op = WG_OP_SETP, .type = WG_T_F32, .mods = {{WG_MC_CMP, cmps[m]}, {WG_MC_FTZ, WG_M_ftz}},
            .src = {32, 32}, .dst = {1, 1}, .expect = compare);
    }
    ADD(.op = WG_OP_SET, .type = WG_T_F32, .type2 = WG_T_U32, .mods = {{WG_MC_CMP, WG_M_gtu}},
        .src = {32, 32}, .dst = {32}, .dst_type = WG_T_U32, .expect = compare);
    for (int ftz = 0; ftz < 2; ftz++)
        ADD(.op = WG_OP_SLCT, .type = WG_T_F32, .type2 = WG_T_F32,
            .mods = {{WG_MC_FTZ, ftz ? WG_M_ftz : WG_M_none}}, .src = {32, 32, 32}, .dst = {32},
            .expect = choose_by_float);
}

static void approximations(add_case_fn *add, void *user) {
    static const enum wg_op ops[] = {WG_OP_RSQRT_A, WG_OP_SIN_A, WG_OP_COS_A,
                                     WG_OP_LG2_A,   WG_OP_EX2_A, WG_OP_TANH_A};
    static const enum wg_type halves[] = {WG_T_F16, WG_T_F16X2, WG_T_BF16, WG_T_BF16X2};
    for (int i = 0; i < 6; i++) {
        for (int ftz = 0; ftz < (ops[i] == WG_OP_TANH_A ? 1 : 2); ftz++)
            ADD(.op = ops[i], .type = WG_T_F32, .mods = {{WG_MC_FTZ, ftz ? WG_M_ftz : WG_M_none}},
                .src = {32}, .dst = {32}, .ulps = 1, .expect = approximate);
        for (int h = 0; i >= 4 && h < 4; h++) {
            uint8_t w = h & 1 ? 32 : 16;
            ADD(.op = ops[i], .type = halves[h], .src = {w}, .dst = {w}, .ulps = 1, .expect = approximate);
        }
    }
    ADD(.op = WG_OP_RSQRT_A, .type = WG_T_F64, .src = {64}, .dst = {64}, .expect = approximate);
    ADD(.op = WG_OP_RCP_A, .type = WG_T_F64, .mods = {{WG_MC_FTZ, WG_M_ftz}}, .src = {64}, .dst = {64},
        .expect = arith);
}

void float_cases(add_case_fn *add, void *user) {
    ieee(add, user);
    signs(add, user);
    comparisons(add, user);
    approximations(add, user);
}
