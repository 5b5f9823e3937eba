/* Linked PTX parses, and each name means what it meant. */
#include "driver/ptx_link.h"
#include "ir/ir.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HEAD(VERSION, SM) ".version " VERSION "\n.target " SM "\n.address_size 64\n"

/* Links texts up to a NULL; the joined text must parse, and is the caller's to free. */
static char *joined_as(const char *const *texts, bool plain_statics) {
    struct wg_ptx_linker l = {.plain_statics = plain_statics};
    struct wg_diag d = {0};
    for (int i = 0; texts[i]; i++) wg_ptx_link_add(&l, NULL, texts[i], strlen(texts[i]));
    struct wg_strbuf *out = wg_ptx_link_finish(&l);
    char *text = strdup(out->s);
    struct wg_ir_module *m = wg_ir_from_ptx("linked.ptx", text, out->n, &d);
    if (!m) fail_msg("%s\n%s", d.text.s, text);
    wg_ir_free(m);
    wg_diag_free(&d);
    wg_ptx_link_free(&l);
    return text;
}
static char *joined(const char *const *texts) { return joined_as(texts, false); }
static unsigned count(const char *text, const char *what) {
    unsigned n = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) n++;
    return n;
}

static void one_text_is_left_alone(void **state) {
    const char *t[] = {HEAD("8.0", "sm_90") "// as it is\n.entry k() { ret; }\n", NULL};
    char *text = joined(t);
    assert_string_equal(text, t[0]);
    free(text);
}

static void functions_and_variables(void **state) {
    const char *t[] = {
        HEAD("7.8", "sm_90") ".extern .func (.param .b32 r) twice(.param .b32 x);\n.extern .global .align 4 "
                             ".u32 total;\n"
                             ".visible .entry k() { .reg .b32 %r<3>; .reg .b64 %rd<2>; mov.b32 %r1, 4;\n"
                             "{ .param .b32 p0; st.param.b32 [p0], %r1; .param .b32 q0; call.uni (q0), "
                             "twice, (p0); ld.param.b32 %r2, [q0]; }\n"
                             "mov.u64 %rd1, total; st.global.u32 [total], %r2; ret; }\n",
        HEAD("8.4", "sm_80") ".visible .global .align 4 .u32 total = 3;\n"
                             ".visible .func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r<3>; "
                             "ld.param.b32 %r1, [x]; add.s32 %r2, %r1, %r1; "
                             "st.param.b32 [r], %r2; ret; }\n",
        NULL};
    char *text = joined(t);
    assert_int_equal(count(text, ".version 8.4"), 1);
    assert_int_equal(count(text, ".target sm_90"), 1);
    assert_int_equal(count(text, ".extern"), 0);
    assert_int_equal(count(text, ".u32 total"), 1);
    free(text);
}

/* As clang has them: statics under their plain names, kernels of templates in each text. */
static void statics_and_templates_of_clang(void **state) {
    const char *t[] = {HEAD("8.5", "sm_90") ".visible .global .align 4 .u32 _ZL4step = 1;\n.visible .global "
                                            ".align 4 .u32 once = 1;\n"
                                            ".visible .entry _Z4fillIiEvPT_() { .reg .b32 %r<2>; "
                                            "ld.global.u32 %r1, [_ZL4step]; ret; }\n"
                                            ".visible .entry _ZL5localv() { ret; }\n",
                       HEAD("8.5", "sm_90") ".visible .global .align 4 .u32 _ZL4step = 2;\n"
                                            ".visible .global .align 4 .u32 _ZL5alone = 3;\n"
                                            ".visible .entry _Z4fillIiEvPT_() { .reg .b32 %r<2>; "
                                            "ld.global.u32 %r1, [_ZL4step]; ret; }\n"
                                            ".visible .entry _ZL5localv() { .reg .b32 %r<2>; ld.global.u32 "
                                            "%r1, [_ZL4step]; ret; }\n",
                       NULL};
    char *text = joined_as(t, true);
    assert_int_equal(count(text, ".u32 _ZL4step = 1"), 1);
    assert_int_equal(count(text, ".u32 _ZL4step$2 = 2"), 1);
    assert_int_equal(count(text, "_ZL5alone = 3"), 1);
    assert_int_equal(count(text, ".entry _Z4fillIiEvPT_()"), 1);
    assert_int_equal(count(text, ".entry _ZL5localv()"), 1);
    assert_int_equal(count(text, ".entry _ZL5localv$2()"), 1);
    assert_int_equal(count(text, "[_ZL4step]"), 1);
    assert_int_equal(count(text, "[_ZL4step$2]"), 1);
    free(text);
}

/* The program knows them by these names. */
static void private_names_stay_where_they_can(void **state) {
    const char *t[] = {
        HEAD("8.5", "sm_90") ".global .align 4 .u32 __nv_static_step = 1;\n.global .align 4 .u32 x = 1;\n",
        HEAD("8.5", "sm_90") ".global .align 4 .u32 x = 2;\n", NULL};
    char *text = joined(t);
    assert_int_equal(count(text, " __nv_static_step = 1"), 1);
    assert_int_equal(count(text, " x$1 = 1") + count(text, " x$2 = 2"), 2);
    free(text);
}

static void private_names_do_not_meet(void **state) {
    const char *t[] = {HEAD("8.0", "sm_90") ".global .align 4 .u32 x = 1;\n.func f() { st.global.u32 [x], 1; "
                                            "ret; }\n.visible .entry a() { call f; ret; }\n",
                       HEAD("8.0", "sm_90") ".global .align 4 .u32 x = 2;\n.func f() { st.global.u32 [x], 2; "
                                            "ret; }\n.visible .entry b() { call f; ret; }\n",
                       NULL};
    char *text = joined(t);
    assert_int_equal(count(text, "x$1"), 2);
    assert_int_equal(count(text, "x$2"), 2);
    assert_int_equal(count(text, "call f$1"), 1);
    assert_int_equal(count(text, "call f$2"), 1);
    free(text);
}

static void weak_once(void **state) {
    const char *t[] = {
        HEAD("8.0", "sm_90") ".weak .func f() { ret; }\n.visible .entry a() { call f; ret; }\n",
        HEAD("8.0", "sm_90") ".weak .func f() { ret; }\n.visible .entry b() { call f; ret; }\n", NULL};
    char *text = joined(t);
    assert_int_equal(count(text, ".weak .func f"), 1);
    free(text);
}

static void files_and_lines(void **state) {
    const char *t[] = {
        HEAD("8.0", "sm_90") ".visible .entry a() { .loc 1 3 1\n ret; }\n.file 1 \"a.cu\"\n",
        HEAD("8.0", "sm_90") ".visible .entry b() { .loc 1 5 1\n .loc 2 6 1, function_name $L__info_string0, "
                             "inlined_at 1 5 1\n ret; }\n.file 1 \"b.cu\"\n.file 2 \"b.h\"\n"
                             ".section .debug_str { $L__info_string0: .b8 102, 0 }\n",
        NULL};
    char *text = joined(t);
    assert_non_null(strstr(text, ".loc 1 3 1"));
    assert_non_null(strstr(text, ".loc 2 5 1"));
    assert_non_null(strstr(text, "inlined_at 2 5 1"));
    assert_non_null(strstr(text, ".loc 3 6 1"));
    assert_non_null(strstr(text, ".file 3 \"b.h\""));
    assert_int_equal(count(text, "$L__info_string0$2"), 2);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_text_is_left_alone),
                                       cmocka_unit_test(functions_and_variables),
                                       cmocka_unit_test(private_names_do_not_meet),
                                       cmocka_unit_test(statics_and_templates_of_clang),
                                       cmocka_unit_test(private_names_stay_where_they_can),
                                       cmocka_unit_test(weak_once),
                                       cmocka_unit_test(files_and_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
