/* Objects become code, or what is wrong with them is said: load_test FIRST:SECOND, what pieces/ was compiled
 * to. */
#include "jit/load.h"

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

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_short),
    };
    if (argc != 2 || !strchr(argv[1], ':')) return 2;
    pieces = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
