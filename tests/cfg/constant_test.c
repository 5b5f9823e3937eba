/* What wg_constant_of makes of edge values, against the same in C; and what it must leave alone. */
#include "cfg/constant.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const uint64_t edges[] = {0,          1,
                                 2,          31,
                                 32,         33,
                                 63,         64,
                                 0x7fffffff, 0x80000000,
                                 UINT32_MAX, UINT64_C(1) << 32,
                                 INT64_MAX,  UINT64_C(1) << 63,
                                 UINT64_MAX};
enum { EDGES = sizeof edges / sizeof *edges };

static struct wg_ir_instr of(enum wg_op op, enum wg_type type) {
    return (struct wg_ir_instr){
        .op = (uint16_t)op, .type = (uint8_t)type, .guard = WG_NO_REG, .nsrc = 2, .ndst = 1};
}
static uint64_t is(const struct wg_ir_instr *in, uint64_t a, uint64_t b, uint64_t c) {
    uint64_t s[3] = {a, b, c}, x = 0;
    assert_true(wg_constant_of(in, s, &x));
    return x;
}

#define EACH(A, B)                                                                                           \
    for (int i = 0; i < EDGES; i++)                                                                          \
        for (int k = 0; k < EDGES; k++)                                                                      \
            for (uint64_t A = edges[i], B = edges[k], once = 1; once; once = 0)

static void sums_and_bits(void **state) {
    struct wg_ir_instr add = of(WG_OP_ADD_I, WG_T_U32), sub = of(WG_OP_SUB_I, WG_T_U32),
                       both = of(WG_OP_AND, WG_T_B32), not = of(WG_OP_NOT, WG_T_B32),
                       wide = of(WG_OP_ADD_I, WG_T_U64);
    EACH(a, b) {
        assert_int_equal((uint32_t)is(&add, a, b, 0), (uint32_t)a + (uint32_t)b);
        assert_int_equal((uint32_t)is(&sub, a, b, 0), (uint32_t)a - (uint32_t)b);
        assert_int_equal((uint32_t)is(&both, a, b, 0), (uint32_t)a & (uint32_t)b);
        assert_int_equal((uint32_t)is(&not, a, b, 0), ~(uint32_t)a);
        assert_true(is(&wide, a, b, 0) == a + b);
    }
}

static void extremes(void **state) {
    struct wg_ir_instr least = of(WG_OP_MIN_I, WG_T_S32), most = of(WG_OP_MAX_I, WG_T_U32),
                       neg = of(WG_OP_NEG_I, WG_T_S32);
    EACH(a, b) {
        int32_t x = (int32_t)a, y = (int32_t)b;
        assert_int_equal((int32_t)is(&least, a, b, 0), x < y ? x : y);
        assert_int_equal((uint32_t)is(&most, a, b, 0), (uint32_t)a > (uint32_t)b ? (uint32_t)a : (uint32_t)b);
        assert_int_equal((uint32_t)is(&neg, a, b, 0), 0 - (uint32_t)a);
    }
    uint64_t s[3] = {0}, x;
    least.mod[WG_MC_RELU] = WG_M_relu;
    assert_false(wg_constant_of(&least, s, &x));
}

static void products(void **state) {
    struct wg_ir_instr low = of(WG_OP_MAD_I, WG_T_S32), wide = low, unsign = of(WG_OP_MUL_I, WG_T_U32),
                       high = low;
    low.mod[WG_MC_MULW] = WG_M_lo, wide.mod[WG_MC_MULW] = WG_M_wide, unsign.mod[WG_MC_MULW] = WG_M_wide;
    high.mod[WG_MC_MULW] = WG_M_hi;
    EACH(a, b) {
        assert_int_equal((uint32_t)is(&low, a, b, 7), (uint32_t)a * (uint32_t)b + 7);
        int64_t product = (int64_t)(int32_t)a * (int32_t)b;
        assert_true(is(&wide, a, b, edges[k]) == (uint64_t)product + edges[k]);
        assert_true(is(&unsign, a, b, 0) == (uint64_t)(uint32_t)a * (uint32_t)b);
    }
    uint64_t s[3] = {0}, x;
    assert_false(wg_constant_of(&high, s, &x));
}

static void shifts(void **state) {
    struct wg_ir_instr left = of(WG_OP_SHL, WG_T_B32), right = of(WG_OP_SHR, WG_T_U32),
                       keep = of(WG_OP_SHR, WG_T_S32), far = of(WG_OP_SHR, WG_T_S64);
    EACH(a, b) {
        uint32_t by = (uint32_t)b;
        assert_int_equal((uint32_t)is(&left, a, b, 0), by > 31 ? 0 : (uint32_t)a << by);
        assert_int_equal((uint32_t)is(&right, a, b, 0), by > 31 ? 0 : (uint32_t)a >> by);
        assert_int_equal((uint32_t)is(&keep, a, b, 0), (uint32_t)((int32_t)a >> (by > 31 ? 31 : by)));
        assert_true(is(&far, a, b, 0) == (uint64_t)((int64_t)a >> (by > 63 ? 63 : by)));
    }
}

static void quotients(void **state) {
    struct wg_ir_instr q = of(WG_OP_DIV_I, WG_T_S32), r = of(WG_OP_REM_I, WG_T_S32),
                       u = of(WG_OP_DIV_I, WG_T_U32);
    EACH(a, b) {
        uint64_t s[3] = {a, b}, x;
        bool none = (uint32_t)b == 0;
        assert_int_equal(wg_constant_of(&u, s, &x), !none);
        if (!none) assert_int_equal((uint32_t)is(&u, a, b, 0), (uint32_t)a / (uint32_t)b);
        none |= (int32_t)b == -1; /* of the least number it is none */
        assert_int_equal(wg_constant_of(&q, s, &x), !none);
        if (none) continue;
        assert_int_equal((int32_t)is(&q, a, b, 0), (int32_t)a / (int32_t)b);
        assert_int_equal((int32_t)is(&r, a, b, 0), (int32_t)a % (int32_t)b);
    }
}

static void comparisons(void **state) {
    struct wg_ir_instr less = of(WG_OP_SETP, WG_T_S32), below = of(WG_OP_SETP, WG_T_U32), least = below;
    less.mod[WG_MC_CMP] = WG_M_lt, below.mod[WG_MC_CMP] = WG_M_lo, least.mod[WG_MC_CMP] = WG_M_ge;
    EACH(a, b) {
        assert_int_equal(is(&less, a, b, 0), (int32_t)a < (int32_t)b);
        assert_int_equal(is(&below, a, b, 0), (uint32_t)a < (uint32_t)b);
        assert_int_equal(is(&least, a, b, 0), (uint32_t)a >= (uint32_t)b);
    }
}

static void conversions(void **state) {
    struct wg_ir_instr sign = of(WG_OP_CVT, WG_T_S64), zero = of(WG_OP_CVT, WG_T_U64), real = zero;
    sign.type2 = WG_T_S32, zero.type2 = WG_T_U8, real.type2 = WG_T_F32;
    for (int i = 0; i < EDGES; i++) {
        assert_true(is(&sign, edges[i], 0, 0) == (uint64_t)(int64_t)(int32_t)edges[i]);
        assert_true(is(&zero, edges[i], 0, 0) == (uint8_t)edges[i]);
    }
    uint64_t s[3] = {0}, x;
    assert_false(wg_constant_of(&real, s, &x));
}

static void others(void **state) {
    struct wg_ir_instr saturated = of(WG_OP_ADD_I, WG_T_S32), small = of(WG_OP_ADD_I, WG_T_U16),
                       pair = of(WG_OP_ADD_I, WG_T_U16X2), real = of(WG_OP_MOV, WG_T_F32),
                       load = of(WG_OP_LD, WG_T_U32);
    uint64_t s[3] = {1, 2, 3}, x;
    saturated.mod[WG_MC_SAT] = WG_M_sat;
    assert_false(wg_constant_of(&saturated, s, &x));
    assert_false(wg_constant_of(&small, s, &x));
    assert_false(wg_constant_of(&pair, s, &x));
    assert_false(wg_constant_of(&real, s, &x));
    assert_false(wg_constant_of(&load, s, &x));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_and_bits), cmocka_unit_test(extremes),
                                       cmocka_unit_test(products),      cmocka_unit_test(shifts),
                                       cmocka_unit_test(quotients),     cmocka_unit_test(comparisons),
                                       cmocka_unit_test(conversions),   cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
