/* Cases: integer arithmetic. */
#include "cases.h"

typedef __int128 s128;
typedef unsigned __int128 u128;

static unsigned width(const struct test_case *c) { return wg_type_bits(c->type); }
static bool is_signed(enum wg_type t) { return wg_type_kind(t) == WG_K_S; }
static s128 value(const struct test_case *c, uint64_t v) {
    return is_signed(c->type) ? (s128)as_signed(v, width(c)) : (s128)low_bits(v, width(c));
}
static s128 saturated(const struct test_case *c, s128 v) {
    s128 top = (s128)1 << (width(c) - 1);
    if (mod_of(c, WG_MC_SAT) != WG_M_sat) return v;
    return v >= top ? top - 1 : v < -top ? -top : v;
}

EXPECT(sum) { d[0] = (uint64_t)saturated(c, value(c, s[0]) + value(c, s[1])); }
EXPECT(difference) { d[0] = (uint64_t)saturated(c, value(c, s[0]) - value(c, s[1])); }
EXPECT(pair_sum) { d[0] = ((s[0] + s[1]) & 0xffff) | (((s[0] >> 16) + (s[1] >> 16)) & 0xffff) << 16; }
EXPECT(sum_carry) {
    u128 r = (u128)s[0] + s[1] + (c->op == WG_OP_ADDC ? *cc : 0);
    d[0] = (uint64_t)r;
    if (mod_of(c, WG_MC_CC)) *cc = (uint32_t)(r >> width(c)) & 1;
}
/* As an H200 does it: the flag that addc behind a subtraction sees is 1 where nothing was borrowed. */
EXPECT(difference_borrow) {
    u128 y = (u128)s[1] + (c->op == WG_OP_SUBC ? !*cc : 0);
    d[0] = s[0] - (uint64_t)y;
    if (mod_of(c, WG_MC_CC)) *cc = s[0] >= y;
}
static uint64_t part_of_product(const struct test_case *c, const uint64_t *s) {
    u128 bits = (u128)value(c, s[0]) * (u128)value(c, s[1]); /* wraps to the right bits for either sign */
    return (uint64_t)(mod_of(c, WG_MC_MULW) == WG_M_hi ? bits >> width(c) : bits);
}
EXPECT(product) { d[0] = part_of_product(c, s); }
EXPECT(product_sum) {
    uint64_t p = part_of_product(c, s);
    if (mod_of(c, WG_MC_SAT))
        d[0] = (uint64_t)saturated(c, (s128)as_signed(p, 32) + as_signed(s[2], 32));
    else
        d[0] = p + s[2];
}
EXPECT(product_carry) {
    u128 r = (u128)low_bits(part_of_product(c, s), width(c)) + s[2] + (c->op == WG_OP_MADC ? *cc : 0);
    d[0] = (uint64_t)r;
    if (mod_of(c, WG_MC_CC)) *cc = (uint32_t)(r >> width(c)) & 1;
}
EXPECT(product24) {
    bool sign = is_signed(c->type);
    int64_t x = sign ? as_signed(s[0], 24) : (int64_t)low_bits(s[0], 24);
    int64_t y = sign ? as_signed(s[1], 24) : (int64_t)low_bits(s[1], 24), p = x * y;
    uint64_t r = (uint64_t)(mod_of(c, WG_MC_MULW) == WG_M_hi ? p >> 16 : p);
    if (c->op == WG_OP_MAD24)
        r = mod_of(c, WG_MC_SAT) ? (uint64_t)saturated(c, (s128)(int32_t)r + (int32_t)s[2]) : r + s[2];
    d[0] = r;
}
EXPECT(difference_sum) {
    s128 x = value(c, s[0]), y = value(c, s[1]);
    d[0] = s[2] + (uint64_t)(x < y ? y - x : x - y);
}
EXPECT(quotient) {
    s128 x = value(c, s[0]), y = value(c, s[1]);
    d[0] = !y ? UINT64_MAX : (uint64_t)(c->op == WG_OP_DIV_I ? x / y : x % y);
}
EXPECT(absolute) { d[0] = (uint64_t)(value(c, s[0]) < 0 ? -value(c, s[0]) : value(c, s[0])); }
EXPECT(negative) { d[0] = (uint64_t)-value(c, s[0]); }
static s128 extreme(const struct test_case *c, s128 x, s128 y) {
    s128 r = (x < y) == (c->op == WG_OP_MIN_I) ? x : y;
    return mod_of(c, WG_MC_RELU) && r < 0 ? 0 : r;
}
EXPECT(least_or_greatest) { d[0] = (uint64_t)extreme(c, value(c, s[0]), value(c, s[1])); }
EXPECT(pair_extreme) {
    d[0] = 0;
    for (int at = 0; at < 32; at += 16) {
        s128 x = low_bits(s[0] >> at, 16), y = low_bits(s[1] >> at, 16);
        if (c->type == WG_T_S16X2) x = (int16_t)x, y = (int16_t)y;
        d[0] |= low_bits((uint64_t)extreme(c, x, y), 16) << at;
    }
}
static int64_t number(uint64_t v, unsigned at, unsigned bits, bool sign) {
    v = low_bits(v >> at, bits);
    return sign ? as_signed(v, bits) : (int64_t)v;
}
EXPECT(dot) {
    bool hi = mod_of(c, WG_MC_MULW) == WG_M_hi, four = c->op == WG_OP_DP4A;
    unsigned wide = four ? 8 : 16;
    int64_t r = (int64_t)s[2];
    for (unsigned i = 0; i < (four ? 4 : 2); i++)
        r += number(s[0], i * wide, wide, is_signed(c->type)) *
             number(s[1], (i + (hi ? 2 : 0)) * 8, 8, is_signed(c->type2));
    d[0] = (uint64_t)r;
}

static const enum wg_type ints[] = {WG_T_U16, WG_T_U32, WG_T_U64, WG_T_S16, WG_T_S32, WG_T_S64};
static const enum wg_type words[] = {WG_T_U32, WG_T_S32, WG_T_U64, WG_T_S64};
static const enum wg_mod parts[] = {WG_M_lo, WG_M_hi, WG_M_wide};

static void sums(add_case_fn *add, void *user) {
    for (int i = 0; i < 6; i++) {
        enum wg_type t = ints[i];
        uint8_t w = (uint8_t)wg_type_bits(t);
        ADD(.op = WG_OP_ADD_I, .type = t, .src = {w, w}, .dst = {w}, .expect = sum);
        ADD(.op = WG_OP_SUB_I, .type = t, .src = {w, w}, .dst = {w}, .expect = difference);
        ADD(.op = WG_OP_SAD, .type = t, .src = {w, w, w}, .dst = {w}, .expect = difference_sum);
        ADD(.op = WG_OP_MIN_I, .type = t, .src = {w, w}, .dst = {w}, .expect = least_or_greatest);
        ADD(.op = WG_OP_MAX_I, .type = t, .src = {w, w}, .dst = {w}, .expect = least_or_greatest);
        if (!is_signed(t)) continue;
        ADD(.op = WG_OP_ABS_I, .type = t, .src = {w}, .dst = {w}, .expect = absolute);
        ADD(.op = WG_OP_NEG_I, .type = t, .src = {w}, .dst = {w}, .expect = negative);
        ADD(.op = WG_OP_MIN_I, .type = t, .mods = {{WG_MC_RELU, WG_M_relu}}, .src = {w, w}, .dst = {w},
            .expect = least_or_greatest);
    }
    ADD(.op = WG_OP_ADD_I, .type = WG_T_U16, .src = {32, 64}, .dst = {16},
        .expect = sum); /* wider registers */
    ADD(.op = WG_OP_ADD_I, .type = WG_T_S32, .mods = {{WG_MC_SAT, WG_M_sat}}, .src = {32, 32}, .dst = {32},
        .expect = sum);
    ADD(.op = WG_OP_SUB_I, .type = WG_T_S32, .mods = {{WG_MC_SAT, WG_M_sat}}, .src = {32, 32}, .dst = {32},
        .expect = difference);
    for (int i = 0; i < 2; i++) {
        enum wg_type t = i ? WG_T_S16X2 : WG_T_U16X2;
        ADD(.op = WG_OP_ADD_I, .type = t, .src = {32, 32}, .dst = {32}, .expect = pair_sum);
        ADD(.op = WG_OP_MIN_I, .type = t, .src = {32, 32}, .dst = {32}, .expect = pair_extreme);
        ADD(.op = WG_OP_MAX_I, .type = t, .src = {32, 32}, .dst = {32}, .expect = pair_extreme);
    }
}

static void carries(add_case_fn *add, void *user) {
    for (int i = 0; i < 4; i++) {
        enum wg_type t = words[i];
        uint8_t w = (uint8_t)wg_type_bits(t);
        for (int cc = 0; cc < 2; cc++) {
            enum wg_mod m = cc ? WG_M_cc : WG_M_none;
            ADD(.op = WG_OP_ADDC, .type = t, .mods = {{WG_MC_CC, m}}, .src = {w, w}, .dst = {w},
                .carry = true, .expect = sum_carry);
            ADD(.op = WG_OP_SUBC, .type = t, .mods = {{WG_MC_CC, m}}, .src = {w, w}, .dst = {w},
                .carry = true, .expect = difference_borrow);
            for (int p = 0; p < 2; p++)
                ADD(.op = WG_OP_MADC, .type = t, .mods = {{WG_MC_MULW, parts[p]}, {WG_MC_CC, m}},
                    .src = {w, w, w}, .dst = {w}, .carry = true, .expect = product_carry);
        }
        ADD(.op = WG_OP_ADD_CC, .type = t, .mods = {{WG_MC_CC, WG_M_cc}}, .src = {w, w}, .dst = {w},
            .carry = true, .expect = sum_carry);
        ADD(.op = WG_OP_SUB_CC, .type = t, .mods = {{WG_MC_CC, WG_M_cc}}, .src = {w, w}, .dst = {w},
            .carry = true, .expect = difference_borrow);
        for (int p = 0; p < 2; p++)
            ADD(.op = WG_OP_MAD_CC, .type = t, .mods = {{WG_MC_MULW, parts[p]}, {WG_MC_CC, WG_M_cc}},
                .src = {w, w, w}, .dst = {w}, .carry = true, .expect = product_carry);
    }
}

static void products(add_case_fn *add, void *user) {
    for (int i = 0; i < 6; i++)
        for (int p = 0; p < 3; p++) {
            enum wg_type t = ints[i];
            uint8_t w = (uint8_t)wg_type_bits(t), r = parts[p] == WG_M_wide ? 2 * w : w;
            if (r > 64) continue;
            ADD(.op = WG_OP_MUL_I, .type = t, .mods = {{WG_MC_MULW, parts[p]}}, .src = {w, w}, .dst = {r},
                .expect = product);
            ADD(.op = WG_OP_MAD_I, .type = t, .mods = {{WG_MC_MULW, parts[p]}}, .src = {w, w, r}, .dst = {r},
                .expect = product_sum);
        }
    ADD(.op = WG_OP_MAD_I, .type = WG_T_S32, .mods = {{WG_MC_MULW, WG_M_hi}, {WG_MC_SAT, WG_M_sat}},
        .src = {32, 32, 32}, .dst = {32}, .expect = product_sum);
    for (int i = 0; i < 2; i++)
        for (int p = 0; p < 2; p++) {
            ADD(.op = WG_OP_MUL24, .type = words[i], .mods = {{WG_MC_MULW, parts[p]}}, .src = {32, 32},
                .dst = {32}, .expect = product24);
            ADD(.op = WG_OP_MAD24, .type = words[i], .mods = {{WG_MC_MULW, parts[p]}}, .src = {32, 32, 32},
                .dst = {32}, .expect = product24);
        }
    ADD(.op = WG_OP_MAD24, .type = WG_T_S32, .mods = {{WG_MC_MULW, WG_M_hi}, {WG_MC_SAT, WG_M_sat}},
        .src = {32, 32, 32}, .dst = {32}, .expect = product24);
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++) {
            ADD(.op = WG_OP_DP4A, .type = words[x], .type2 = words[y], .src = {32, 32, 32}, .dst = {32},
                .expect = dot);
            for (int p = 0; p < 2; p++)
                ADD(.op = WG_OP_DP2A, .type = words[x], .type2 = words[y], .mods = {{WG_MC_MULW, parts[p]}},
                    .src = {32, 32, 32}, .dst = {32}, .expect = dot);
        }
}

static void quotients(add_case_fn *add, void *user) {
    static const uint64_t divisors[] = {
        0, 1, 2, 3, 7, 10, 641, 0x8000, 0xffff, 0x80000000, 0xffffffff, 0x8000000000000000, UINT64_MAX};
    for (int i = 0; i < 6; i++)
        for (int rem = 0; rem < 2; rem++) {
            enum wg_type t = ints[i];
            uint8_t w = (uint8_t)wg_type_bits(t);
            enum wg_op op = rem ? WG_OP_REM_I : WG_OP_DIV_I;
            ADD(.op = op, .type = t, .src = {w, w}, .dst = {w}, .expect = quotient);
            ADD(.op = op, .type = t, .src = {w, w}, .dst = {w}, .operand = {{0}, {UNIFORM, 0}},
                .expect = quotient);
            for (unsigned k = 0; k < sizeof divisors / sizeof *divisors; k++)
                if (divisors[k] == low_bits(divisors[k], w))
                    ADD(.op = op, .type = t, .src = {w, w}, .dst = {w},
                        .operand = {{0}, {CONSTANT, divisors[k]}}, .one_level = true, .expect = quotient);
        }
}

void int_cases(add_case_fn *add, void *user) {
    sums(add, user);
    carries(add, user);
    products(add, user);
    quotients(add, user);
}
