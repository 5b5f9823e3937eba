/* Which loads of a kernel are of rows that others have read before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/earlier_rows.h"

enum { MOST = 16 };

/* %r1: x, %r2: y, %r3: the width, %r4: another number, %rd1: an image. */
static const char frame[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                            ".visible .entry k(.param .u64 in, .param .u32 width, .param .u32 other)\n{\n"
                            ".reg .b32 %%r<50>; .reg .b64 %%rd<50>; .reg .b16 %%rs<20>;\n"
                            "ld.param.u64 %%rd2, [in]; cvta.to.global.u64 %%rd1, %%rd2;\n"
                            "ld.param.u32 %%r3, [width]; ld.param.u32 %%r4, [other];\n"
                            "mov.u32 %%r5, %%ctaid.x; mov.u32 %%r6, %%ntid.x; mov.u32 %%r7, %%tid.x; "
                            "mad.lo.s32 %%r1, %%r5, %%r6, %%r7;\n"
                            "mov.u32 %%r8, %%ctaid.y; mov.u32 %%r9, %%ntid.y; mov.u32 %%r10, %%tid.y; "
                            "mad.lo.s32 %%r2, %%r8, %%r9, %%r10;\n"
                            "%s\nret;\n}\n";

/* A letter for each load of the body: e of an earlier row, n not. */
static const char *rows(uint32_t height, const char *body) {
    static char found[MOST + 1];
    char text[4096];
    struct wg_diag d = {0};
    int n = snprintf(text, sizeof text, frame, body);
    assert_true(n > 0 && (size_t)n < sizeof text);
    struct wg_ir_module *m = wg_ir_from_ptx("k.ptx", text, (size_t)n, &d);
    if (!m) fail_msg("%s", d.text.s);
    const struct wg_ir_func *f = &m->funcs[0];
    struct wg_row_access loads[MOST];
    const uint32_t ntid[3] = {32, height, 1};
    struct wg_cfg cfg = {.func = f};
    bool earlier[MOST];
    uint32_t nloads = 0;
    for (uint32_t i = 0; i < f->blocks[0].ninstrs; i++) {
        const struct wg_ir_instr *in = &f->blocks[0].instrs[i];
        if (in->op == WG_OP_LD && in->space == WG_S_GLOBAL) loads[nloads++] = (struct wg_row_access){0, i};
    }
    wg_cfg_dominators(&cfg);
    wg_cfg_liveness(&cfg);
    struct wg_scev *s = wg_scev_new(&cfg.arena, m, &cfg, ntid, WG_SCEV_UNWRAPPED);
    wg_find_earlier_rows(s, loads, nloads, earlier);
    for (uint32_t i = 0; i < nloads; i++) found[i] = earlier[i] ? 'e' : 'n';
    found[nloads] = '\0';
    wg_arena_free(&cfg.arena);
    wg_ir_free(m);
    wg_diag_free(&d);
    return found;
}

static void rows_of_a_filter(void **state) {
    static const char three[] =
        "add.s32 %r11, %r2, -1; mad.lo.s32 %r12, %r11, %r3, %r1;\n"
        "cvt.s64.s32 %rd3, %r12; add.s64 %rd4, %rd1, %rd3; ld.global.u8 %rs1, [%rd4];\n"
        "mad.lo.s32 %r13, %r2, %r3, %r1; cvt.s64.s32 %rd5, %r13; add.s64 %rd6, %rd1, %rd5;\n"
        "ld.global.u8 %rs2, [%rd6]; ld.global.u8 %rs3, [%rd6+1];\n"
        "add.s32 %r14, %r13, %r3; cvt.s64.s32 %rd7, %r14; add.s64 %rd8, %rd1, %rd7;\n"
        "ld.global.u8 %rs4, [%rd8];";
    assert_string_equal(rows(1, three), "eenn"); /* of %rd6+1 no other has read the row below */
    assert_string_equal(rows(8, three), "eenn");
}

static void words_two_rows_apart(void **state) {
    assert_string_equal(rows(1,
                             "mad.lo.s32 %r11, %r2, %r3, %r1; mul.wide.s32 %rd3, %r11, 4;\n"
                             "add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r20, [%rd4];\n"
                             "shl.b32 %r12, %r3, 1; add.s32 %r13, %r12, %r11; mul.wide.s32 %rd5, %r13, 4;\n"
                             "add.s64 %rd6, %rd1, %rd5; ld.global.u32 %r21, [%rd6];"),
                        "en");
}

/* Planes, of which no row is read twice; and every second row, of which blocks read two. */
static void others(void **state) {
    assert_string_equal(rows(1, "mad.lo.s32 %r11, %r2, %r3, %r1; cvt.s64.s32 %rd3, %r11;\n"
                                "add.s64 %rd4, %rd1, %rd3; ld.global.u8 %rs1, [%rd4];\n"
                                "add.s32 %r12, %r11, %r4; cvt.s64.s32 %rd5, %r12; add.s64 %rd6, %rd1, %rd5;\n"
                                "ld.global.u8 %rs2, [%rd6];"),
                        "nn");
    assert_string_equal(
        rows(1, "shl.b32 %r15, %r2, 1; mad.lo.s32 %r11, %r15, %r3, %r1; cvt.s64.s32 %rd3, %r11;\n"
                "add.s64 %rd4, %rd1, %rd3; ld.global.u8 %rs1, [%rd4];\n"
                "add.s32 %r12, %r11, %r3; cvt.s64.s32 %rd5, %r12; add.s64 %rd6, %rd1, %rd5;\n"
                "ld.global.u8 %rs2, [%rd6];"),
        "nn");
}

/* What is made of itself twice, thirty times over, takes no longer. */
static void long_sums(void **state) {
    char body[4096];
    int n = snprintf(body, sizeof body, "mov.u32 %%r11, %%tid.x;\n");
    for (int i = 11; i < 41; i++)
        n += snprintf(body + n, sizeof body - (size_t)n, "add.s32 %%r%d, %%r%d, %%r%d;\n", i + 1, i, i);
    snprintf(body + n, sizeof body - (size_t)n,
             "cvt.s64.s32 %%rd3, %%r41; add.s64 %%rd4, %%rd1, %%rd3; ld.global.u8 %%rs1, [%%rd4];\n"
             "ld.global.u8 %%rs2, [%%rd4+8];");
    assert_string_equal(rows(1, body), "nn");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_filter),
        cmocka_unit_test(words_two_rows_apart),
        cmocka_unit_test(others),
        cmocka_unit_test(long_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
