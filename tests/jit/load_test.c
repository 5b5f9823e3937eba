/* Objects become code, or what is wrong with them is said: load_test FIRST:SECOND, what pieces/ was compiled
 * to. */
#include "jit/code/load.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int helper(int x) { return x * 2; }
static uintptr_t find(const char *name) { return strcmp(name, "wgp_helper") == 0 ? (uintptr_t)helper : 0; }
static uintptr_t find_nothing(const char *name) { return 0; }

static const char *pieces;

static void read_both(struct wg_strbuf *bytes, size_t sizes[WG_LOAD_OBJECTS]) {
    const char *second = strchr(pieces, ':');
    char *first = strndup(pieces, (size_t)(second - pieces));
    assert_true(wg_file_read(first, bytes));
    free(first);
    sizes[0] = bytes->n;
    struct wg_strbuf other = {0};
    assert_true(wg_file_read(second + 1, &other));
    wg_strbuf_add(bytes, other.s, other.n);
    sizes[1] = other.n;
    wg_strbuf_free(&other);
}

static void test_both(void **state) {
    struct wg_strbuf bytes = {0}, why = {0};
    size_t sizes[WG_LOAD_OBJECTS];
    read_both(&bytes, sizes);
    struct wg_loaded *one = wg_load_objects(bytes.s, sizes, find, &why);
    struct wg_loaded *two = wg_load_objects(bytes.s, sizes, find, &why);
    assert_non_null(one);
    assert_non_null(two);
    wg_strbuf_free(&bytes); /* it is not needed any longer */
    int (*first)(int) = (int (*)(int))wg_loaded_symbol(one, "wgp_first");
    assert_non_null(first);
    assert_int_equal(first(3), (90000 + 0 + 1) * 2 + 1);
    assert_int_equal(first(3), (90000 + 100 + 1) * 2 + 1);
    assert_int_equal(first(3), (90000 + 101 + 1) * 2 + 1);
    first = (int (*)(int))wg_loaded_symbol(two, "wgp_first");
    assert_int_equal(first(3), (90000 + 0 + 1) * 2 + 1); /* data of its own */
    int (*(*address)(void))(int) = (int (*(*)(void))(int))wg_loaded_symbol(two, "wgp_address");
    assert_ptr_equal(address(), helper);
    int (**table)(int) = (int (**)(int))wg_loaded_symbol(two, "wgp_table");
    assert_ptr_equal(table[0], wg_loaded_symbol(two, "wgp_second"));
    assert_ptr_equal(table[1], helper);
    assert_true(wg_loaded_symbol(one, "squares") == 0);
    assert_true(wg_loaded_symbol(one, "wgp_helper") == 0);
    wg_unload(one);
    assert_int_equal(first(3), (90000 + 100 + 1) * 2 + 1);
    wg_unload(two);
}

static void test_names(void **state) {
    struct wg_strbuf bytes = {0}, why = {0};
    size_t sizes[WG_LOAD_OBJECTS];
    read_both(&bytes, sizes);
    assert_null(wg_load_objects(bytes.s, sizes, find_nothing, &why));
    assert_string_equal(why.s, "nothing has the name wgp_helper");
    wg_strbuf_free(&why);
    sizes[1] = 0;
    assert_null(wg_load_objects(bytes.s, sizes, find, &why));
    assert_string_equal(why.s, "nothing has the name wgp_second");
    wg_strbuf_free(&why);
    wg_strbuf_free(&bytes);
}

/* Each object cut short, at any place: said, and nothing read that is not there. */
static void test_short(void **state) {
    struct wg_strbuf bytes = {0};
    size_t sizes[WG_LOAD_OBJECTS];
    read_both(&bytes, sizes);
    for (size_t n = 1; n < sizes[0]; n++) {
        struct wg_strbuf why = {0};
        size_t cut[WG_LOAD_OBJECTS] = {n, 0};
        assert_null(wg_load_objects(bytes.s, cut, find, &why));
        assert_non_null(why.s);
        wg_strbuf_free(&why);
    }
    wg_strbuf_free(&bytes);
}

static uint32_t seed = 1;
static uint32_t any(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

/* A number that is seldom right, somewhere: most places are heads, tables and names. */
static void damage(char *bytes, size_t n, size_t tables) {
    static const uint64_t numbers[] = {
        0,          1,          7,          0xff,       0xfff,          0xffff,        0x7fffffff,
        0xffffffff, 1ull << 31, 1ull << 40, UINT64_MAX, UINT64_MAX / 2, UINT64_MAX - 7};
    size_t begin = any(3) ? tables : 0, room = any(3) ? n - begin : sizeof(Elf64_Ehdr);
    size_t at = begin + any((uint32_t)(room < n - begin ? room : n - begin)), width = (size_t)1 << any(4);
    uint64_t number = any(2) ? numbers[any(sizeof numbers / sizeof *numbers)] : any(UINT32_MAX) >> any(32);
    memcpy(bytes + at, &number, width < n - at ? width : n - at);
}

/* Objects with numbers in them that are wrong: taken or refused, and nothing is read or written that is not
 * there. */
static void test_damaged(void **state) {
    struct wg_strbuf bytes = {0};
    size_t sizes[WG_LOAD_OBJECTS], refused = 0;
    read_both(&bytes, sizes);
    char *copy = malloc(bytes.n);
    size_t tables = ((const Elf64_Ehdr *)bytes.s)->e_shoff;
    for (int i = 0; i < 30000; i++) {
        struct wg_strbuf why = {0};
        memcpy(copy, bytes.s, bytes.n);
        for (uint32_t k = any(3) + 1; k > 0; k--) damage(copy, sizes[0], tables);
        struct wg_loaded *l = wg_load_objects(copy, sizes, find, &why);
        assert_true(l || why.s);
        refused += !l;
        if (l) wg_unload(l);
        wg_strbuf_free(&why);
    }
    assert_in_range(refused, 1000, 30000);
    free(copy);
    wg_strbuf_free(&bytes);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_damaged),
    };
    if (argc != 2 || !strchr(argv[1], ':')) return 2;
    pieces = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
