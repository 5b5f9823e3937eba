/* Index-set splitting: which warps of a block have work in a phase, and which edges of its branch lead to nothing. */
#include "analysis/idle_warps.h"
#include "analysis/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char before[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".shared .align 16 .b8 s[4096];\n"
    ".visible .entry k(.param .u32 n) {\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r3, s;\nshl.b32 %r4, %r1, 2;\nadd.s32 %r3, %r3, %r4;\n";

/* Analyses a kernel for blocks of 256 threads and returns the busy warps of its first phase; the edges: whether those of
 * the deciding branch lead to nothing. */
static struct wg_busy busy_of(const char *text, uint64_t forms_off, bool edge[2]) {
    struct wg_strbuf all = {0};
    struct wg_diag d = {0};
    struct wg_code_opts o = {.ntid = {256, 1, 1},
                             .opt_level = 2,
                             .linear31 = true,
                             .width = 256,
                             .whole_blocks = true,
                             .forms_off = forms_off};
    wg_strbuf_printf(&all, "%s%sret;\n}\n", before, text);
    struct wg_ir_module *m = wg_ir_from_ptx("test", all.s, all.n, &d);
    if (!m) print_error("%s", d.text.s);
    assert_non_null(m);
    struct wg_analysis *an = wg_analyse(m, &m->funcs[0], &o);
    assert_non_null(an->phases);
    uint32_t branch = wg_deciding_block(an, 0);
    struct wg_idle_path path;
    assert_int_equal(an->func->blocks[branch].term, WG_TERM_CBR);
    for (uint32_t k = 0; k < 2; k++) edge[k] = wg_edge_is_idle(an, 0, branch, k, &path);
    struct wg_busy busy = wg_busy_warps(an, 0, 256 / WG_LANES);
    wg_analysis_free(an);
    wg_ir_free(m);
    wg_diag_free(&d);
    wg_strbuf_free(&all);
    return busy;
}

#define GUARDED(compare, then)                                                                               \
    compare "@%p1 bra L;\n" then "L: bar.sync 0;\nld.shared.u32 %r7, [s];\nst.shared.u32 [s+4], %r7;\n"
#define STORE "st.shared.u32 [%r3], %r1;\n"

static void below_a_constant(void **state) {
    bool edge[2];
    struct wg_busy b = busy_of(GUARDED("setp.ge.u32 %p1, %r1, 64;\n", STORE), 0, edge);
    assert_int_equal(b.step, 1);
    assert_int_equal(b.end, 2);
    assert_true(edge[0] != edge[1]);
    b = busy_of(GUARDED("setp.ge.u32 %p1, %r1, 65;\n", STORE), 0, edge); /* one thread of a third warp */
    assert_int_equal(b.end, 3);
    b = busy_of(GUARDED("setp.ge.u32 %p1, %r1, 64;\n", STORE), UINT64_C(1) << WG_FORM_idle, edge);
    assert_int_equal(b.end, 8);
}

static void every_other_warp(void **state) {
    bool edge[2];
    struct wg_busy b = busy_of(GUARDED("and.b32 %r5, %r1, 63;\nsetp.ge.u32 %p1, %r5, 32;\n", STORE), 0, edge);
    assert_int_equal(b.step, 2);
    assert_int_equal(b.end, 7);
}

/* What depends on a parameter is left to the code: the edges are known, the warps are not. */
static void below_a_parameter(void **state) {
    bool edge[2];
    struct wg_busy b =
        busy_of(GUARDED("ld.param.u32 %r6, [n];\nsetp.ge.u32 %p1, %r1, %r6;\n", STORE), 0, edge);
    assert_int_equal(b.step, 1);
    assert_int_equal(b.end, 8);
    assert_true(edge[0] != edge[1]);
}

/* An access before the branch is work of all warps. */
static void work_before_the_branch(void **state) {
    bool edge[2];
    struct wg_busy b = busy_of(GUARDED(STORE "setp.ge.u32 %p1, %r1, 64;\n", STORE), 0, edge);
    assert_int_equal(b.end, 8);
    assert_false(edge[0] || edge[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_a_constant),
        cmocka_unit_test(every_other_warp),
        cmocka_unit_test(below_a_parameter),
        cmocka_unit_test(work_before_the_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
