/* Which two accesses of a block must keep their order: one case, or two, for each thing that decides it. What
 * lanes of a warp do to each other is a race where a program does not wait for it, so no comparison of
 * results shows all of this.
 */
#include "analysis/memory.h"
#include "analysis/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* rd3: 16 bytes from lane to lane; rd5: 4; rd7: a multiple of 16, which differs from lane to lane; r2, rd8:
 * anything; r3: 16 times anything. */
static const char before[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 8 .b8 g[4096];\n"
    ".visible .entry k(.param .u64 p, .param .u32 n) {\n"
    ".reg .b64 %s0, %s1, %s2, %s3;\n.reg .b64 %rd<24>;\n.reg .pred %p<4>;\n.reg .b16 %h<2>;\n"
    ".reg .b32 %r<9>;\n.reg .f32 %f<9>;\n"
    "ld.param.u64 %rd1, [p];\n"
    "ld.param.u32 %r8, [n];\n"
    "mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd2, %r1, 16;\n"
    "add.s64 %rd3, %rd1, %rd2;\n"
    "mul.wide.u32 %rd4, %r1, 4;\n"
    "add.s64 %rd5, %rd1, %rd4;\n"
    "ld.global.nc.u32 %r2, [%rd5];\n"
    "ld.global.nc.u64 %rd8, [%rd3];\n"
    "setp.ne.s32 %p1, %r2, 7;\n"
    "shl.b32 %r3, %r2, 4;\n"
    "mul.wide.u32 %rd6, %r2, 16;\n"
    "add.s64 %rd7, %rd1, %rd6;\n";

static uint32_t lines_in(const char *text) {
    uint32_t n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

/* The instruction of a line, and its block. */
static uint32_t find(const struct wg_ir_func *f, uint32_t line, uint32_t *block) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].ptx_line == line) {
                *block = b;
                return i;
            }
    fail_msg("there is no instruction of line %u", (unsigned)line);
    return 0;
}

/* Whether the first and the last instruction of `lines`, which stand in one block, keep their order. */
static bool keeps_in(enum wg_version v, const char *prelude, const char *lines) {
    struct wg_strbuf text = {0};
    struct wg_diag d = {0};
    struct wg_code_opts o = {.ntid = {64, 1, 1}, .opt_level = 2, .linear31 = true, .width = 256};
    wg_strbuf_printf(&text, "%s%s%sret;\n}\n", before, prelude, lines);
    struct wg_ir_module *m = wg_ir_from_ptx("test", text.s, text.n, &d);
    if (!m) print_error("%s", d.text.s);
    assert_non_null(m);
    struct wg_analysis *an = wg_analyse(m, &m->funcs[0], &o);
    uint32_t first = lines_in(before) + lines_in(prelude) + 1, block, other;
    uint32_t a = find(an->func, first, &block), b = find(an->func, first + lines_in(lines) - 1, &other);
    assert_int_equal(block, other);
    assert_true(a < b);
    bool keeps = wg_keeps_order(an, v, block, a, b);
    wg_analysis_free(an);
    wg_ir_free(m);
    wg_diag_free(&d);
    wg_strbuf_free(&text);
    return keeps;
}

static bool keeps(const char *prelude, const char *lines) { return keeps_in(WG_CONVERGED, prelude, lines); }

#define KEPT(...) assert_true(keeps(__VA_ARGS__))
#define FREE(...) assert_false(keeps(__VA_ARGS__))

#define STORE(at) "st.global.f32 [" at "], %f1;\n"
#define LOAD(at)  "ld.global.f32 %f2, [" at "];\n"

static void one_register(void **state) {
    KEPT("", STORE("%rd3") LOAD("%rd3"));
    KEPT("", LOAD("%rd3") STORE("%rd3"));
    KEPT("", STORE("%rd3") STORE("%rd3"));
    FREE("", LOAD("%rd3") LOAD("%rd3"));
    FREE("", STORE("%rd3") LOAD("%rd3+4"));
    KEPT("", STORE("%rd5") LOAD("%rd5+4"));
    KEPT("", STORE("%rd5") LOAD("%rd5-124"));
    FREE("", STORE("%rd5") LOAD("%rd5+128"));
    KEPT("", STORE("%rd1") LOAD("%rd1"));
    FREE("", STORE("%rd1") LOAD("%rd1+4"));
    KEPT("", "st.global.v4.f32 [%rd3], {%f1, %f1, %f1, %f1};\n" LOAD("%rd3+12"));
    FREE("", "st.global.v2.f32 [%rd3], {%f1, %f1};\n" LOAD("%rd3+8"));
}

/* Lanes whose distance is a multiple of something. */
static void multiples(void **state) {
    FREE("", STORE("%rd7") LOAD("%rd7+12"));
    KEPT("", STORE("%rd7") LOAD("%rd7+16"));
    KEPT("", STORE("%rd7") LOAD("%rd7"));
    assert_true(keeps_in(WG_GENERAL, "", STORE("%rd7") LOAD("%rd7+8")));
#define BY(how, to) "mul.wide." how ";\nadd.s64 %rd10, %rd1, %rd9;\n", STORE("%rd10") LOAD("%rd10+" to)
    FREE(BY("u32 %rd9, %r2, 12", "8"));
    KEPT(BY("u32 %rd9, %r2, 12", "12"));
    KEPT(BY("u32 %rd9, %r2, %r2", "4")); /* of which nothing is known */
    /* Too large for sums of them to be told apart. */
    KEPT(BY("u32 %rd9, %r2, 6291456", "4194304"));
    KEPT(BY("s32 %rd9, %r2, -6291456", "4194304"));
    FREE(BY("u32 %rd9, %r2, 6291456", "1048576"));
#undef BY
    /* Products that may wrap round keep powers of two alone, and narrow integers wrap round in none. */
#define WIDENED(how)                                                                                         \
    how "mul.lo.s64 %rd9, %rd10, 12;\nadd.s64 %rd11, %rd1, %rd9;\n", STORE("%rd11") LOAD("%rd11+8")
    FREE(WIDENED("cvt.u64.u32 %rd10, %r2;\n"));
    KEPT(WIDENED("mov.b64 %rd10, %rd8;\n"));
    KEPT(WIDENED("cvt.u64.s64 %rd10, %rd8;\n"));
    KEPT(WIDENED("mov.b64 %rd10, 5;\n@%p1 cvt.u64.u32 %rd10, %r2;\n"));
    KEPT(WIDENED("mov.b32 %f3, %r2;\ncvt.rzi.u64.f32 %rd10, %f3;\n"));
    KEPT(WIDENED("cvt.rn.f64.u32 %rd10, %r2;\n"));
#undef WIDENED
    /* What keeps a multiple of 16, and what does not. */
#define OF(how)   how "add.s64 %rd11, %rd1, %rd9;\n", STORE("%rd11") LOAD("%rd11+8")
#define OF32(how) how "cvt.u64.u32 %rd9, %r4;\nadd.s64 %rd11, %rd1, %rd9;\n", STORE("%rd11") LOAD("%rd11+8")
    FREE(OF32("mov.b32 %r4, %r3;\n"));
    FREE(OF32("sub.s32 %r4, %r3, %r8;\n"));
    KEPT(OF32("add.s32 %r4, %r3, %r2;\n"));
    KEPT(OF32("add.sat.s32 %r4, %r3, %r3;\n"));
    FREE(OF32("cvt.u16.u32 %h1, %r3;\ncvt.u32.u16 %r4, %h1;\n"));
    KEPT(OF32("cvt.sat.u16.u32 %h1, %r3;\ncvt.u32.u16 %r4, %h1;\n")); /* 65535 is one of them */
    KEPT(OF32("mul.hi.u32 %r4, %r3, 16;\n"));
    KEPT(OF32("mad.hi.sat.s32 %r4, %r3, 16, %r3;\n"));
    FREE(OF32("mad.lo.s32 %r4, %r2, 48, %r3;\n"));
    KEPT(OF32("mad.lo.s32 %r4, %r2, %r2, %r3;\n"));
    KEPT(OF32("and.b32 %r4, %r3, 31;\n"));
    KEPT(OF("shl.b64 %rd9, %rd8, 64;\n"));
    KEPT(OF("add.s64 %rd10, %rd6, %rd1;\nshl.b64 %rd9, %rd10, %r2;\n"));
    KEPT(OF("cvt.rn.f64.u32 %rd9, %r3;\n"));
    KEPT(OF32("mov.b32 %f3, %r3;\ncvt.rzi.u32.f32 %r4, %f3;\n"));
    KEPT(OF("mov.b64 %rd9, 3;\n@%p1 mov.b64 %rd9, %rd6;\n"));
    KEPT(OF("@%p1 mov.b64 %rd9, %rd6;\n"));
    KEPT(OF("@%p1 bra on;\nmov.b64 %rd9, %rd6;\non:\n")); /* some lanes' is none of that */
    /* As far as anybody looks. */
    FREE(OF("mov.b64 %rd12, %rd6;\nmov.b64 %rd13, %rd12;\nmov.b64 %rd9, %rd13;\n"));
    KEPT(OF("mov.b64 %rd12, %rd6;\nmov.b64 %rd13, %rd12;\nmov.b64 %rd14, %rd13;\nmov.b64 %rd15, %rd14;\n"
            "mov.b64 %rd16, %rd15;\nmov.b64 %rd17, %rd16;\nmov.b64 %rd18, %rd17;\nmov.b64 %rd19, %rd18;\n"
            "mov.b64 %rd20, %rd19;\nmov.b64 %rd21, %rd20;\nmov.b64 %rd22, %rd21;\nmov.b64 %rd9, %rd22;\n"));
#undef OF
#undef OF32
}

/* Lanes that leave a loop in different turns hold what different turns gave them. */
static void turns(void **state) {
    static const char loop[] = "mov.u32 %r5, 0;\n"
                               "again:\n"
                               "ld.global.u32 %r6, [%rd1];\n"
                               "cvt.u64.u32 %rd9, %r6;\n"
                               "add.s64 %rd10, %rd7, %rd9;\n"
                               "add.s32 %r5, %r5, 1;\n"
                               "setp.lt.s32 %p2, %r5, %r2;\n"
                               "@%p2 bra again;\n";
    KEPT(loop, STORE("%rd10") LOAD("%rd10+8"));
    /* And the register is another one before its definition and behind. */
    KEPT("again:\n", STORE("%rd10") "add.s64 %rd10, %rd7, 0;\n" LOAD("%rd10+8"));
    KEPT("", STORE("%rd3") "add.s64 %rd3, %rd3, -4;\n" LOAD("%rd3+4"));
    KEPT("", STORE("%rd3") "add.s64 %rd3, %rd3, -4;\n" LOAD("%rd3+8"));
}

static void memories(void **state) {
    KEPT("", STORE("%rd3") LOAD("%rd5+4"));
    KEPT("", STORE("g+4") LOAD("%rd3"));
    for (uint32_t k = 9; k < 24; k++) { /* variables are numbered, too */
        char prelude[64], store[64], load[64];
        snprintf(prelude, sizeof prelude, "ld.param.u64 %%rd%u, [p];\n", k);
        snprintf(store, sizeof store, "st.global.f32 [%%rd%u], %%f1;\nld.global.f32 %%f2, [g+4];\n", k);
        snprintf(load, sizeof load, "st.global.f32 [g+4], %%f1;\nld.global.f32 %%f2, [%%rd%u];\n", k);
        KEPT(prelude, store);
        KEPT(prelude, load);
    }
    KEPT("", STORE("%rd3") LOAD("g+4"));
    for (int k = 0; k < 4; k++) { /* one of these registers has the number that g has among symbols */
        char same[64], lines[128];
        snprintf(same, sizeof same, "mov.b64 %%s%d, %%rd1;\n", k);
        snprintf(lines, sizeof lines, "st.global.f32 [g+4], %%f1;\nld.global.f32 %%f2, [%%s%d];\n", k);
        KEPT(same, lines);
        snprintf(lines, sizeof lines, "st.global.f32 [%%s%d], %%f1;\nld.global.f32 %%f2, [g+4];\n", k);
        KEPT(same, lines);
    }
    FREE("", STORE("%rd3") "ld.global.nc.f32 %f2, [%rd3];\n");
    FREE("", STORE("%rd3") "ld.const.f32 %f2, [%rd3];\n");
    FREE("", STORE("%rd3") "ld.param.u32 %r4, [n];\n");
    FREE("", STORE("%rd3") "ld.shared.f32 %f2, [%rd3];\n");
    KEPT("", STORE("%rd3") "ld.f32 %f2, [%rd3+4];\n");
    KEPT("", "st.f32 [%rd3], %f1;\n" LOAD("%rd5"));
    KEPT("", "st.f32 [%rd3], %f1;\nld.shared.f32 %f2, [%rd3+4];\n");
    KEPT("", "st.shared.f32 [%rd3], %f1;\nld.f32 %f2, [%rd3+4];\n");
    KEPT("", "st.shared.f32 [%rd3], %f1;\nld.shared::cluster.f32 %f2, [%rd3];\n");
    KEPT("", "st.shared::cluster.f32 [%rd3], %f1;\nld.shared.f32 %f2, [%rd3];\n");
    KEPT("", "st.local.f32 [%rd3], %f1;\nld.local.f32 %f2, [%rd3+4];\n");
}

/* What waits, or orders, or does something of its own. */
static void fixed(void **state) {
    KEPT("", STORE("%rd3") "st.volatile.global.f32 [%rd3+4], %f1;\n");
    KEPT("", "ld.volatile.global.f32 %f2, [%rd3+4];\n" STORE("%rd3"));
    KEPT("", LOAD("%rd3") "red.global.add.u32 [%rd3+4], 1;\n");
    KEPT("", "membar.gl;\n" STORE("%rd3"));
    KEPT("", STORE("%rd3") "membar.cta;\n");
    KEPT("", LOAD("%rd3") "fence.acq_rel.gpu;\n");
    KEPT("", "fence.proxy.async;\n" LOAD("%rd3"));
    FREE("", STORE("%rd3") "add.s32 %r4, %r1, 1;\n");
    assert_true(wg_touches_memory(&(struct wg_ir_instr){.op = WG_OP_CHECK_ACCESS})); /* one of our own */
}

/* A load may be made twice, a store may not be missing where the warp goes over to other code. */
static void ways_out(void **state) {
    static const char rest[] = "rem.u32 %r4, %r1, %r8;\n";
    KEPT("", STORE("%rd3") "rem.u32 %r4, %r1, %r8;\n");
    KEPT("", "rem.u32 %r4, %r1, %r8;\n" STORE("%rd3"));
    FREE("", LOAD("%rd3") "rem.u32 %r4, %r1, %r8;\n");
    FREE(rest, STORE("%rd3") LOAD("%rd3+4"));
}

static void sinking(void **state) {
    struct wg_strbuf text = {0};
    struct wg_diag d = {0};
    struct wg_code_opts o = {.ntid = {64, 1, 1}, .opt_level = 2, .linear31 = true, .width = 256};
    wg_strbuf_printf(&text, "%s%sret;\n}\n", before,
                     LOAD("%rd3") LOAD("%rd3+4") STORE("%rd3+8") STORE("%rd3"));
    struct wg_ir_module *m = wg_ir_from_ptx("test", text.s, text.n, &d);
    struct wg_analysis *an = wg_analyse(m, &m->funcs[0], &o);
    uint32_t block, a = find(an->func, lines_in(before) + 1, &block);
    assert_true(wg_may_sink_load(an, WG_CONVERGED, block, a, a + 2));
    assert_true(wg_may_sink_load(an, WG_CONVERGED, block, a, a + 3));
    assert_false(wg_may_sink_load(an, WG_CONVERGED, block, a, a + 4));
    wg_analysis_free(an);
    wg_ir_free(m);
    wg_diag_free(&d);
    wg_strbuf_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_register), cmocka_unit_test(multiples), cmocka_unit_test(turns),
        cmocka_unit_test(memories),     cmocka_unit_test(fixed),     cmocka_unit_test(ways_out),
        cmocka_unit_test(sinking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
