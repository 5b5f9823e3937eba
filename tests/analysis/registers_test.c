/* The estimate of registers a thread: what it counts, and the bounds that a kernel sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/registers.h"

static uint32_t estimate(const char *directives, const char *body) {
    static const char frame[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u64 b) %s\n{\n"
        ".reg .pred %%p<4>; .reg .b32 %%r<100>; .reg .b64 %%rd<20>; .reg .f32 %%f<100>;\n%s\nret;\n}\n";
    char text[8192];
    struct wg_diag d = {0};
    int n = snprintf(text, sizeof text, frame, directives, body);
    assert_true(n > 0 && (size_t)n < sizeof text);
    struct wg_ir_module *m = wg_ir_from_ptx("k.ptx", text, (size_t)n, &d);
    if (!m) fail_msg("%s", d.text.s);
    uint32_t registers = wg_registers_estimate(m, 0);
    wg_ir_free(m);
    wg_diag_free(&d);
    return registers;
}

static const char element[] = "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];\n"
                              "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                              "mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.s32 %rd3, %r4, 4;\n"
                              "add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n";

static void small_kernels_take_few(void **state) {
    char body[1024];
    assert_int_equal(estimate("", ""), 4); /* ptxas: 4 */
    snprintf(body, sizeof body,
             "%s ld.global.f32 %%f1, [%%rd4]; add.f32 %%f2, %%f1, %%f1; st.global.f32 [%%rd5], %%f2;",
             element);
    uint32_t one = estimate("", body); /* ptxas: 10 */
    assert_in_range(one, 8, 14);
    /* A quotient that is exact has a slow path. */
    snprintf(
        body, sizeof body,
        "%s ld.global.f32 %%f1, [%%rd4]; div.rn.f32 %%f2, %%f1, 0f40400000; st.global.f32 [%%rd5], %%f2;",
        element);
    assert_true(estimate("", body) > one);
}

/* 32 sums that are all wanted at the end. */
static void many_values(char *body, size_t size, bool barrier) {
    size_t n = (size_t)snprintf(body, size, "%s", element);
    for (int i = 0; i < 48; i++)
        n += (size_t)snprintf(body + n, size - n, "ld.volatile.global.f32 %%f%d, [%%rd4+%d];\n", i, 4 * i);
    if (barrier) n += (size_t)snprintf(body + n, size - n, "bar.sync 0;\n");
    for (int i = 0; i < 48; i++)
        n += (size_t)snprintf(body + n, size - n, "st.global.f32 [%%rd5+%d], %%f%d;\n", 4 * i, i);
}

static void values_that_live_together_count(void **state) {
    char body[8192];
    many_values(body, sizeof body, true);
    assert_in_range(estimate("", body), 50, 70); /* ptxas: 56 */
}

static void bounds_hold(void **state) {
    char body[8192];
    many_values(body, sizeof body, true);
    assert_int_equal(estimate(".maxnreg 40", body), 40);
    assert_int_equal(estimate(".maxntid 1024, 1, 1 .minnctapersm 2", body), 32);
    assert_int_equal(estimate(".reqntid 256, 4, 1 .minnctapersm 2", body), 32);
    assert_int_equal(estimate(".maxntid 512, 1, 1", body), estimate("", body));
}

/* Loads of one line are under way together, up to what costs no occupancy, and not over a barrier. */
static void loads_move_up(void **state) {
    char apart[4096], together[4096];
    size_t n = (size_t)snprintf(apart, sizeof apart, "%s mov.f32 %%f50, 0f00000000;\n", element), m = n;
    strcpy(together, apart);
    for (int i = 0; i < 12; i++) {
        n += (size_t)snprintf(apart + n, sizeof apart - n,
                              "ld.global.f32 %%f%d, [%%rd4+%d];\nadd.f32 %%f50, %%f50, %%f%d;\nbar.sync 0;\n",
                              i, 4 * i, i);
        m +=
            (size_t)snprintf(together + m, sizeof together - m,
                             "ld.global.f32 %%f%d, [%%rd4+%d];\nadd.f32 %%f50, %%f50, %%f%d;\n", i, 4 * i, i);
    }
    snprintf(apart + n, sizeof apart - n, "st.global.f32 [%%rd5], %%f50;");
    snprintf(together + m, sizeof together - m, "st.global.f32 [%%rd5], %%f50;");
    assert_true(estimate("", together) >= estimate("", apart) + 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_kernels_take_few),
        cmocka_unit_test(values_that_live_together_count),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(loads_move_up),
    };
    return cmocka_run_group_tests_name("analysis.registers", tests, NULL, NULL);
}
