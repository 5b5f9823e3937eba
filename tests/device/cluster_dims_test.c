/* cluster_dims_test.c: __cluster_dims__ travels from the headers to the machine in the name of the kernel. */
#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct wg_ir_module *read_entry(const char *name, struct wg_diag *d) {
    char text[300];
    snprintf(text, sizeof text,
             ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry %s() { ret; }\n", name);
    return wg_ir_from_ptx("t.ptx", text, strlen(text), d);
}

static void test_numbers(void **state) {
    struct wg_diag d = {0};
    struct wg_ir_module *m = read_entry("_Z2k4B23wg_cluster_dims_4_2_16_ILi7EEvPi", &d);
    assert_non_null(m);
    const uint32_t expected[] = {4, 2, 16};
    assert_memory_equal(m->funcs[0].reqnctapercluster, expected, sizeof expected);
    assert_true(m->funcs[0].explicit_cluster);
    assert_string_equal(m->funcs[0].name, "_Z2k4ILi7EEvPi");
    wg_ir_free(m);
    wg_diag_free(&d);
}

static void test_not_numbers(void **state) {
    static const char *const names[] = {"_Z1kB25wg_cluster_dims_SIZE_1_1_v", "_Z1kB22wg_cluster_dims_0_1_1_v",
                                        "_Z1kB20wg_cluster_dims_2_1_v"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct wg_diag d = {0};
        assert_null(read_entry(names[i], &d));
        assert_non_null(strstr(d.text.s, "t.ptx:4"));
        assert_non_null(strstr(d.text.s, "__cluster_dims__"));
        wg_diag_free(&d);
    }
}

/* What is no tag stays in the name, and is no cluster. */
static void test_likeness(void **state) {
    static const char *const names[] = {"wg_cluster_dims_2_1_1_", "_Z1kB9wg_cluster_dims_2_1_1_v",
                                        "k_22wg_cluster_dims_2_1_1_", "_Z1kB99wg_cluster_dims_2_1_1_v"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct wg_diag d = {0};
        struct wg_ir_module *m = read_entry(names[i], &d);
        assert_non_null(m);
        assert_false(m->funcs[0].explicit_cluster);
        assert_string_equal(m->funcs[0].name, names[i]);
        wg_ir_free(m);
        wg_diag_free(&d);
    }
}

static void test_none(void **state) {
    struct wg_diag d = {0};
    struct wg_ir_module *m = read_entry("k", &d);
    assert_non_null(m);
    assert_false(m->funcs[0].explicit_cluster);
    wg_ir_free(m);
    wg_diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_not_numbers),
                                       cmocka_unit_test(test_likeness), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
