/* Runs the tests of ptx/: see ptx_tests.h. */
#include "ptx_tests.h"

struct wg_ir_module *read_ptx(const char *text) {
    struct wg_diag d = {0};
    struct wg_ir_module *m = wg_ir_from_ptx("t.ptx", text, strlen(text), &d);
    if (!m) fail_msg("%s", d.text.s);
    const char *wrong = wg_ir_verify(m);
    if (wrong) fail_msg("%s", wrong);
    wg_diag_free(&d);
    return m;
}

char *errors_of(const char *text, size_t len) {
    struct wg_diag d = {0};
    struct wg_ir_module *m = wg_ir_from_ptx("t.ptx", text, len, &d);
    if (m) fail_msg("no error in: %.200s", text);
    assert_true(d.errors > 0);
    char *s = wg_xstrdup(d.text.s);
    wg_diag_free(&d);
    return s;
}

const struct wg_ir_sym *find_sym(const struct wg_ir_module *m, const char *name) {
    for (uint32_t i = 0; i < m->nsyms; i++)
        if (strcmp(m->syms[i].name, name) == 0) return &m->syms[i];
    fail_msg("no symbol %s", name);
    return NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_chosen),
        cmocka_unit_test(test_words_in_any_order),
        cmocka_unit_test(test_row_refuses),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_relocations),
        cmocka_unit_test(test_not_ptx),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_one_kernel_refused),
        cmocka_unit_test(test_callers_of_refused),
        cmocka_unit_test(test_whole_refused),
        cmocka_unit_test(test_runtime_refused),
        cmocka_unit_test(test_unsized_takes_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
