/* Cases: cvt between every two types in every rounding, and the packing forms. */
#include "cases.h"

#include <math.h>

static bool is_signed(enum wg_type t) { return wg_type_kind(t) == WG_K_S; }
static bool is_float(enum wg_type t) { return wg_type_kind(t) == WG_K_F; }
static bool to_whole(enum wg_mod m) {
    return m == WG_M_rni || m == WG_M_rzi || m == WG_M_rmi || m == WG_M_rpi;
}

/* An integer of any size clamped to what the type holds. */
static uint64_t clamped(struct exact x, enum wg_type t) {
    unsigned bits = wg_type_bits(t);
    uint64_t top = is_signed(t) ? 1ull << (bits - 1) : low_bits(UINT64_MAX, bits);
    bool huge = x.infinite || (x.mant && x.exp > 64);
    unsigned __int128 m = huge ? ~(unsigned __int128)0 : x.exp > 0 ? x.mant << x.exp : x.mant;
    if (!is_signed(t)) return x.negative ? 0 : m > top ? top : (uint64_t)m;
    if (x.negative) return 0 - (uint64_t)(m > top ? top : m);
    return m > top - 1 ? top - 1 : (uint64_t)m;
}

static uint64_t to_integer(const struct test_case *c, struct exact x) {
    unsigned bits = wg_type_bits(c->type);
    if (x.nan) return c->type2 == WG_T_F64 || bits == 64 ? 1ull << (bits - 1) : 0;
    return clamped(exact_whole(x, mod_of(c, WG_MC_RND)), c->type);
}

static uint64_t to_float(const struct test_case *c, enum wg_type t, struct exact x) {
    enum wg_mod rounding = mod_of(c, WG_MC_RND);
    const struct format *f = format_of(t);
    uint64_t top = 1ull << (f->bits - 1), one = (uint64_t)f->bias << (f->fraction + f->shift);
    uint64_t infinity = (2 * (uint64_t)f->bias + 1) << (f->fraction + f->shift);
    if (to_whole(rounding)) {
        x = exact_whole(x, rounding);
        rounding = WG_M_rn;
    }
    uint64_t r = exact_round(x, t, rounding);
    bool nan = bits_are_nan(t, r), negative = r & top;
    if (mod_of(c, WG_MC_FTZ) && t == WG_T_F32) r = bits_flush(t, r);
    if (mod_of(c, WG_MC_SAT) == WG_M_sat) r = nan || negative ? 0 : r > one ? one : r;
    if (mod_of(c, WG_MC_RELU) && !nan && negative) r = 0;
    if (mod_of(c, WG_MC_SAT) == WG_M_satfinite && (r & ~top) == infinity) r -= 1ull << f->shift;
    return r;
}

EXPECT(convert) {
    enum wg_type from = c->type2;
    uint64_t v = low_bits(s[0], wg_type_bits(from));
    if (mod_of(c, WG_MC_FTZ) && from == WG_T_F32) v = bits_flush(from, v);
    struct exact x = exact_from(from, v);
    if (is_float(c->type))
        d[0] = to_float(c, c->type, x);
    else if (is_float(from))
        d[0] = to_integer(c, x);
    else if (mod_of(c, WG_MC_SAT))
        d[0] = clamped(x, c->type);
    else
        d[0] = is_signed(from) ? (uint64_t)as_signed(v, wg_type_bits(from)) : v;
    if (wg_type_bits(c->type) == 8) d[0] = is_signed(c->type) ? (uint64_t)(int8_t)d[0] : d[0] & 255;
}
EXPECT(pack_floats) {
    enum wg_type t = c->type == WG_T_F16X2 ? WG_T_F16 : WG_T_BF16;
    d[0] = to_float(c, t, exact_from(WG_T_F32, s[0])) << 16 | to_float(c, t, exact_from(WG_T_F32, s[1]));
}
EXPECT(pack_ints) {
    unsigned bits = wg_type_bits(c->type);
    d[0] = low_bits(clamped(exact_from(WG_T_S32, s[0]), c->type), bits) << bits |
           low_bits(clamped(exact_from(WG_T_S32, s[1]), c->type), bits);
    if (bits == 8 && c->src[2]) d[0] |= s[2] << 16;
}

/* Eight bits, by the 256 values that there are: the nearest, of two the even one. */
static double eight_value(enum wg_type t, unsigned byte) {
    bool e4m3 = t == WG_T_E4M3X2;
    int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15, e = (byte & 127) >> fraction;
    double m = (double)(byte & ((1u << fraction) - 1)) / (1 << fraction);
    if (e4m3 ? (byte & 127) == 127 : (byte & 127) > 124) return NAN;
    if (!e4m3 && (byte & 127) == 124) return INFINITY;
    return e ? ldexp(1 + m, e - bias) : ldexp(m, 1 - bias);
}
static uint64_t to_eight(const struct test_case *c, enum wg_type from, uint64_t bits) {
    struct exact x = exact_from(from, bits);
    if (x.nan) return 0x7f;
    double v = x.infinite ? INFINITY : ldexp((double)x.mant, x.exp), distance = INFINITY;
    unsigned best = 0, top = c->type == WG_T_E4M3X2 ? 126 : 123;
    if (v > eight_value(c->type, top)) v = eight_value(c->type, top);
    for (unsigned k = 0; k <= top; k++) {
        double d = fabs(v - eight_value(c->type, k));
        if (d < distance || (d == distance && !(k & 1))) best = k, distance = d;
    }
    if (mod_of(c, WG_MC_RELU) && x.negative) return 0;
    return best | (x.negative ? 0x80 : 0);
}
EXPECT(narrow_eight) {
    if (c->op == WG_OP_CVT_PACK_8)
        d[0] = to_eight(c, WG_T_F32, s[0]) << 8 | to_eight(c, WG_T_F32, s[1]);
    else
        d[0] = to_eight(c, WG_T_F16, s[0] >> 16 & 0xffff) << 8 | to_eight(c, WG_T_F16, s[0] & 0xffff);
}
EXPECT(widen_eight) {
    d[0] = 0;
    for (int part = 0; part < 2; part++) {
        unsigned byte = s[0] >> (8 * part) & 255;
        double v = eight_value(c->type2, byte);
        struct exact x = {.mant = isfinite(v) ? (unsigned __int128)ldexp(v, 16) : 0, .exp = -16};
        uint64_t half = isnan(v) ? 0x7fff : isinf(v) ? 0x7c00 : exact_round(x, WG_T_F16, WG_M_rn);
        if (!isnan(v) && byte & 0x80) half = mod_of(c, WG_MC_RELU) ? 0 : half | 0x8000;
        d[0] |= half << (16 * part);
    }
}

static const enum wg_type ints[] = {WG_T_U8, WG_T_U16, WG_T_U32, WG_T_U64,
                                    WG_T_S8, WG_T_S16, WG_T_S32, WG_T_S64};
static const enum wg_type floats[] = {WG_T_F16, WG_T_BF16, WG_T_F32, WG_T_F64};
static const enum wg_mod wholes[] = {WG_M_rni, WG_M_rzi, WG_M_rmi, WG_M_rpi};
static const enum wg_mod rounds[] = {WG_M_rn, WG_M_rz, WG_M_rm, WG_M_rp};

static uint8_t register_of(enum wg_type t) { return wg_type_bits(t) == 8 ? 16 : (uint8_t)wg_type_bits(t); }

static void convert_case(add_case_fn *add, void *user, enum wg_type to, enum wg_type from,
                         enum wg_mod rounding, enum wg_mod ftz, enum wg_mod sat, enum wg_mod relu) {
    bool of_ints = !is_float(to) || !is_float(from), small = wg_type_bits(to) < 32 || wg_type_bits(from) < 32;
    bool plain = of_ints && (!rounding || (small && rounding != WG_M_rni && rounding != WG_M_rp));
    ADD(.op = WG_OP_CVT, .type = to, .type2 = from,
        .mods = {{WG_MC_RND, rounding}, {WG_MC_FTZ, ftz}, {WG_MC_SAT, sat}, {WG_MC_RELU, relu}},
        .src = {register_of(from)}, .dst = {register_of(to)}, .src_type = from, .one_level = plain,
        .expect = convert);
}

static void integers(add_case_fn *add, void *user) {
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 8; k++) {
            convert_case(add, user, ints[i], ints[k], 0, 0, 0, 0);
            convert_case(add, user, ints[i], ints[k], 0, 0, WG_M_sat, 0);
        }
        for (int k = 0; k < 4; k++)
            for (int r = 0; r < 4; r++) {
                convert_case(add, user, ints[i], floats[k], wholes[r], 0, 0, 0);
                convert_case(add, user, floats[k], ints[i], rounds[r], 0, 0, 0);
            }
    }
    convert_case(add, user, WG_T_S32, WG_T_F32, WG_M_rpi, WG_M_ftz, 0, 0);
    convert_case(add, user, WG_T_F32, WG_T_S32, WG_M_rn, 0, WG_M_sat, 0);
    convert_case(add, user, WG_T_F16, WG_T_S64, WG_M_rp, 0, WG_M_sat, 0);
}

static void formats(add_case_fn *add, void *user) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (int r = 0; r < 4; r++) {
                enum wg_mod m = floats[i] == floats[k] ? wholes[r] : rounds[r], none = WG_M_none;
                bool f32 = floats[i] == WG_T_F32 || floats[k] == WG_T_F32;
                convert_case(add, user, floats[i], floats[k], m, none, none, none);
                convert_case(add, user, floats[i], floats[k], m, f32 ? WG_M_ftz : none, WG_M_sat, none);
                if (floats[i] == WG_T_F16 || floats[i] == WG_T_BF16)
                    convert_case(add, user, floats[i], floats[k], m, none, WG_M_satfinite, WG_M_relu);
            }
    for (int i = 0; i < 4; i++) convert_case(add, user, floats[i], floats[i], 0, 0, 0, 0);
    static const enum wg_mod tf32[] = {WG_M_rna, WG_M_rn, WG_M_rz};
    for (int i = 0; i < 3; i++) {
        convert_case(add, user, WG_T_TF32, WG_T_F32, tf32[i], 0, 0, 0);
        convert_case(add, user, WG_T_TF32, WG_T_F32, tf32[i], 0, WG_M_satfinite, WG_M_relu);
    }
}

static void packs(add_case_fn *add, void *user) {
    static const enum wg_type pairs[] = {WG_T_F16X2, WG_T_BF16X2},
                              small[] = {WG_T_U16, WG_T_S16, WG_T_U8, WG_T_S8};
    for (int i = 0; i < 2; i++)
        for (int r = 0; r < 2; r++)
            for (int relu = 0; relu < 2; relu++)
                ADD(.op = WG_OP_CVT_PACK_F, .type = pairs[i], .type2 = WG_T_F32,
                    .mods = {{WG_MC_RND, rounds[r]},
                             {WG_MC_RELU, relu ? WG_M_relu : WG_M_none},
                             {WG_MC_SAT, relu ? WG_M_satfinite : WG_M_none}},
                    .src = {32, 32}, .dst = {32}, .src_type = WG_T_F32, .expect = pack_floats);
    for (int i = 0; i < 4; i++) {
        ADD(.op = WG_OP_CVT_PACK_I, .type = small[i], .type2 = WG_T_S32, .src = {32, 32}, .dst = {32},
            .src_type = WG_T_S32, .dst_type = WG_T_B32, .expect = pack_ints);
        if (i > 1)
            ADD(.op = WG_OP_CVT_PACK_I, .type = small[i], .type2 = WG_T_S32, .src = {32, 32, 32}, .dst = {32},
                .src_type = WG_T_S32, .dst_type = WG_T_B32, .expect = pack_ints);
    }
}

static void eights(add_case_fn *add, void *user) {
    static const enum wg_type pairs[] = {WG_T_E4M3X2, WG_T_E5M2X2};
    for (int i = 0; i < 2; i++)
        for (int relu = 0; relu < 2; relu++) {
            enum wg_mod m = relu ? WG_M_relu : WG_M_none;
            ADD(.op = WG_OP_CVT_PACK_8, .type = pairs[i], .type2 = WG_T_F32,
                .mods = {{WG_MC_RND, WG_M_rn}, {WG_MC_SAT, WG_M_satfinite}, {WG_MC_RELU, m}}, .src = {32, 32},
                .dst = {16}, .src_type = WG_T_F32, .dst_type = WG_T_B16, .expect = narrow_eight);
            ADD(.op = WG_OP_CVT_NARROW_8, .type = pairs[i], .type2 = WG_T_F16X2,
                .mods = {{WG_MC_RND, WG_M_rn}, {WG_MC_SAT, WG_M_satfinite}, {WG_MC_RELU, m}}, .src = {32},
                .dst = {16}, .src_type = WG_T_F16X2, .dst_type = WG_T_B16, .expect = narrow_eight);
            ADD(.op = WG_OP_CVT_WIDEN_8, .type = WG_T_F16X2, .type2 = pairs[i],
                .mods = {{WG_MC_RND, WG_M_rn}, {WG_MC_RELU, m}}, .src = {16}, .dst = {32},
                .src_type = WG_T_B16, .dst_type = WG_T_B32, .expect = widen_eight);
        }
}

void cvt_cases(add_case_fn *add, void *user) {
    integers(add, user);
    formats(add, user);
    packs(add, user);
    eights(add, user);
}
