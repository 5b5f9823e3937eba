/* Which kernels of a text the tools are asked about together, and what is taken from their answer for one of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sass_shared.h"

static const char text[] = ".version 8.3\n.target sm_90\n"
                           ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
                           ".visible .entry a(\n\t.param .u64 a_param_0\n)\n{\n\tret;\n}\n"
                           ".entry b()\n{\n\tret;\n}\n"
                           ".weak .entry c (.param .u32 n)\n{\n\tret;\n}\n";

static void expect_names(const char *ptx, const char *kernel, const char *expected) {
    struct wg_arena a = {0};
    struct wg_strbuf names = {0};
    uint32_t n = 0;
    const char **v = wg_sass_shared(&a, ptx, kernel, &n);
    for (uint32_t i = 0; v && i < n; i++) wg_strbuf_printf(&names, "%s ", v[i]);
    assert_string_equal(v ? names.s : "none", expected);
    wg_strbuf_free(&names);
    wg_arena_free(&a);
}

static void kernels_of_a_text_are_asked_about_together(void **state) {
    (void)state;
    expect_names(text, "a", "a b c ");
    expect_names(text, "b", "b c a ");
    expect_names(text, "d", "none");
}

/* What is made of a function may depend on all that call it. */
static void texts_with_functions_are_not(void **state) {
    (void)state;
    struct wg_strbuf s = {0};
    wg_strbuf_printf(&s, "%s.func (.param .b32 r) twice(.param .b32 x)\n{\n\tret;\n}\n", text);
    expect_names(s.s, "a", "none");
    wg_strbuf_free(&s);
}

/* The kernel that is asked for is there whatever its length. */
static void long_kernels_are_left_out(void **state) {
    (void)state;
    struct wg_strbuf s = {0};
    wg_strbuf_puts(&s, ".entry long()\n{\n");
    for (int i = 0; i < 4001; i++) wg_strbuf_puts(&s, "\tadd.s32 %r1, %r1, 1;\n");
    wg_strbuf_printf(&s, "}\n%s", text);
    expect_names(s.s, "b", "b c a ");
    expect_names(s.s, "long", "long a b c ");
    wg_strbuf_free(&s);
}

#define PART(name, label, later, own)                                                                        \
    "\t.section\t.text." name ",\"ax\",@progbits\n"                                                          \
    "        .size           " name ",(.L_x_99 - " name ")\n" name ":\n"                                     \
    "\t//## File \".nv_debug_ptx_txt\", line 7\n"                                                            \
    "        /*0000*/              @!P0 BRA `(.L_x_" label ") ;\n"                                           \
    "        /*0010*/                   CALL.REL.NOINC `($__internal_" own "_$__cuda_slowpath) ;\n"          \
    ".L_x_" later ":\n"                                                                                      \
    "        /*0020*/                   EXIT ;\n"                                                            \
    ".L_x_" label ":\n"                                                                                      \
    "        /*0030*/                   BRA `(.L_x_" later ");\n"                                            \
    "$__internal_" own "_$__cuda_slowpath:\n"                                                                \
    "        /*0040*/                   RET.REL.NODEC R2 `(" name ") ;\n"

static void expect_part(const char *listing, const char *kernel, const char *expected) {
    struct wg_strbuf part = {0};
    assert_int_equal(wg_sass_cut(listing, kernel, &part), expected != NULL);
    if (expected) assert_string_equal(part.s, expected);
    wg_strbuf_free(&part);
}

static void a_part_is_what_is_said_of_the_kernel_alone(void **state) {
    (void)state;
    const char *const all = "ptxas 1.2\n\t.target\tsm_90\n\n" PART("ab", "3", "10", "2")
        PART("a", "0", "2", "0") "\t.section\t.debug_line\n.L_x_0:\n" PART("b", "11", "12", "1");
    expect_part(all, "a", PART("a", "0", "2", "0"));
    expect_part(all, "ab", PART("ab", "0", "7", "0"));
    expect_part(all, "b", PART("b", "0", "1", "0"));
    expect_part(all, "c", NULL);
    expect_part("", "a", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_of_a_text_are_asked_about_together),
                                       cmocka_unit_test(texts_with_functions_are_not),
                                       cmocka_unit_test(long_kernels_are_left_out),
                                       cmocka_unit_test(a_part_is_what_is_said_of_the_kernel_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
