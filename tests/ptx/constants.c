/* Constant expressions and initial values, read back from the symbols they fill. */
#include "ptx_tests.h"

#include <locale.h>
#include <stdio.h>

static uint64_t value_of(const char *type, const char *expr) {
    char text[400];
    uint64_t v = 0;
    snprintf(text, sizeof text, HEAD ".global .%s x = %s;\n", type, expr);
    struct wg_ir_module *m = read_ptx(text);
    const struct wg_ir_sym *s = find_sym(m, "x");
    if (s->init) memcpy(&v, s->init, s->size);
    wg_ir_free(m);
    return v;
}

void test_constants(void **state) {
    static const struct {
        const char *type, *expr;
        uint64_t want;
    } cases[] = {
        {"u64", "1 + 2 * 3", 7},
        {"u64", "(1 + 2) * 3", 9},
        {"u64", "10 - 4 - 3", 3},
        {"u64", "100 / 7 % 4", 2},
        {"s64", "-7 / 2", (uint64_t)-3},
        {"s64", "-7 % 4", (uint64_t)-3},
        {"u64", "-7 / 2U", 0x7ffffffffffffffcu},
        {"s64", "-8 >> 1", (uint64_t)-4},
        {"u64", "0xfffffffffffffff8 >> 1", 0x7ffffffffffffffcu},
        {"u64", "1 << 63 >> 63", UINT64_MAX},
        {"u64", "1 << 64", 0},
        {"u64", "1 | 6 & 3 ^ 8", 11},
        {"u64", "!5 + ~0", UINT64_MAX},
        {"u64", "3 < 4 && 4 <= 4 && 5 > 4 && 5 >= 5 && 1 != 2 && 2 == 2", 1},
        {"u64", "-1 < 0U", 0},
        {"u64", "0 || 0.0", 0},
        {"u64", "1 ? 2 : 0 ? 3 : 4", 2},
        {"u64", "0 ? 2 : 0 ? 3 : 4", 4},
        {"u64", "(.u64) -1 >> 60", 15},
        {"s64", "(.s64) 0xffffffffffffffff >> 60", UINT64_MAX},
        {"s64", "(.s64) -2.9", (uint64_t)-2},
        {"s64", "(.s64) 1e300", INT64_MAX},
        {"u64", "(.u64) -1e300", 0},
        {"u64", "(-9223372036854775807 - 1) / -1", 0x8000000000000000u},
        {"u64", "WARP_SZ * 2", 64},
        {"u64", "0b101 + 0x1F + 017 + 5U", 5 + 31 + 15 + 5},
        {"u32", "-1", 0xffffffff},
        {"u8", "300", 44},
        {"f64", "1.5e2", 0x4062c00000000000},
        {"f64", "1.0 / 3.0 * 3.0", 0x3ff0000000000000},
        {"f32", "1.5", 0x3fc00000},
        {"f32", "0f3F800000", 0x3f800000},
        {"f32", "-0f3F800000", 0xbf800000},
        {"f64", "0d3FF0000000000000 + 0f3F800000", 0x4000000000000000},
        {"f32", "3", 0x40400000},
        {"b32", "0f3F800000", 0x3f800000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t got = value_of(cases[i].type, cases[i].expr);
        if (got != cases[i].want)
            fail_msg(".%s %s: 0x%llx, not 0x%llx", cases[i].type, cases[i].expr, (unsigned long long)got,
                     (unsigned long long)cases[i].want);
    }
}

void test_initial_values(void **state) {
    struct wg_ir_module *m = read_ptx(HEAD ".global .u16 a[2][3] = {{1, 2}, {4}};\n"
                                           ".global .u16 b[2][3] = {1, 2, 3, 4};\n"
                                           ".global .u32 c[] = {7, 8, 9};\n"
                                           ".global .v2 .f32 d[2] = {{1.0, 2.0}, {3.0, 4.0}};\n"
                                           ".global .b8 e[4] = {0, 0, 0};\n"
                                           ".const .u64 f = 5;\n"
                                           ".global .b8 g[3];\n");
    static const uint16_t a[] = {1, 2, 0, 4, 0, 0}, b[] = {1, 2, 3, 4, 0, 0};
    static const uint32_t c[] = {7, 8, 9};
    static const float d[] = {1, 2, 3, 4};
    assert_memory_equal(find_sym(m, "a")->init, a, sizeof a);
    assert_memory_equal(find_sym(m, "b")->init, b, sizeof b);
    assert_int_equal(find_sym(m, "c")->size, 12);
    assert_memory_equal(find_sym(m, "c")->init, c, sizeof c);
    assert_memory_equal(find_sym(m, "d")->init, d, sizeof d);
    assert_null(find_sym(m, "e")->init);
    assert_int_equal(find_sym(m, "f")->space, WG_S_CONST);
    assert_int_equal(m->const_bytes, 8);
    assert_int_equal(find_sym(m, "b")->offset, 256); /* each is at a place of its own */
    assert_int_equal(find_sym(m, "c")->offset, 512);
    assert_int_equal(find_sym(m, "d")->align, 8);
    wg_ir_free(m);
}

void test_relocations(void **state) {
    struct wg_ir_module *m = read_ptx(
        HEAD ".global .u32 x[4];\n.func f() { ret; }\n"
             ".global .u64 p[4] = {x, generic(x) + 8, 5, f};\n"
             ".global .b8 q[10] = {1, 0xff(x), 0xff00(x), 0xff0000(x), 0xff000000(x), 0xff00000000(x),\n"
             "  0xff0000000000(x), 0xff000000000000(x), 0xff00000000000000(x), 2};\n");
    const struct wg_ir_sym *p = find_sym(m, "p"), *q = find_sym(m, "q");
    assert_int_equal(p->nrelocs, 3);
    assert_string_equal(m->syms[p->relocs[0].sym].name, "x");
    assert_false(p->relocs[0].generic);
    assert_true(p->relocs[1].generic);
    assert_int_equal(p->relocs[1].offset, 8);
    assert_int_equal(p->relocs[1].addend, 8);
    assert_int_equal(p->relocs[2].offset, 24);
    assert_int_equal(p->init[16], 5);
    assert_true(m->funcs[wg_ir_find_func(m, "f")].address_taken);
    assert_int_equal(q->nrelocs, 1);
    assert_int_equal(q->relocs[0].offset, 1);
    assert_int_equal(q->init[9], 2);
    wg_ir_free(m);
}

/* The user's program may have set a locale with a decimal comma. */
void test_locale(void **state) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i])) break;
    assert_int_equal(value_of("f64", "1.5"), 0x3ff8000000000000);
    setlocale(LC_ALL, "C");
}

/* x[] = {...} has the size of its values: what follows lies behind them. */
void test_unsized_takes_room(void **state) {
    struct wg_ir_module *m =
        read_ptx(HEAD ".global .u32 x[] = {1, 2, 3};\n.global .u32 y = 7;\n.const .u64 c[] = {1, 2};\n"
                      ".const .u32 d = 1;\n");
    assert_int_equal(find_sym(m, "x")->size, 12);
    assert_true(find_sym(m, "y")->offset >= find_sym(m, "x")->offset + 12);
    assert_true(find_sym(m, "d")->offset >= find_sym(m, "c")->offset + 16);
    assert_true(m->global_bytes >= 16 && m->const_bytes >= 20);
    wg_ir_free(m);
}
