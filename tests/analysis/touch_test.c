/* Which accesses are tested for reaching the host, one case for each way to make an address. */
#include "analysis/touch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* rd1: a pointer of the launch's; r1: the thread; r2: anything; rd8: anything. */
static const char before[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                             ".visible .entry k(.param .u64 p, .param .u32 n) {\n"
                             ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<20>;\n"
                             "ld.param.u64 %rd1, [p];\n"
                             "ld.param.u32 %r2, [n];\n"
                             "mov.u32 %r1, %tid.x;\n"
                             "mul.wide.u32 %rd2, %r1, 8;\n"
                             "add.s64 %rd3, %rd1, %rd2;\n"
                             "ld.global.u64 %rd8, [%rd3];\n";

/* Of the last access of `lines`. */
static uint8_t kind_of(const char *lines) {
    struct wg_strbuf text = {0};
    struct wg_diag d = {0};
    struct wg_code_opts o = {
        .ntid = {64, 1, 1}, .opt_level = 2, .linear31 = true, .width = 256, .arena_bits = 44};
    wg_strbuf_printf(&text, "%s%sret;\n}\n", before, lines);
    struct wg_ir_module *m = wg_ir_from_ptx("test", text.s, text.n, &d);
    if (!m) print_error("%s", d.text.s);
    assert_non_null(m);
    struct wg_analysis *an = wg_analyse(m, &m->funcs[0], &o);
    uint8_t kind = UINT8_MAX;
    for (uint32_t b = 0; b < an->func->nblocks; b++)
        for (uint32_t i = 0; i < an->func->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &an->func->blocks[b].instrs[i];
            if ((in->op == WG_OP_LD || in->op == WG_OP_ST) && in->space == WG_S_GLOBAL)
                kind = wg_touch_of(an, b, i).kind;
        }
    wg_analysis_free(an);
    wg_ir_free(m);
    wg_diag_free(&d);
    wg_strbuf_free(&text);
    return kind;
}

#define SAFE(...)   assert_int_equal(kind_of(__VA_ARGS__), WG_TOUCH_SAFE)
#define TESTED(...) assert_int_not_equal(kind_of(__VA_ARGS__), WG_TOUCH_SAFE)
#define ADDED(how)  how "add.s64 %rd10, %rd1, %rd9;\nst.global.f32 [%rd10], %f1;\n"

static void parameters(void **state) {
    SAFE("");
    SAFE("st.global.f32 [%rd1+64], %f1;\n");
    SAFE(ADDED("mul.wide.s32 %rd9, %r2, 16;\n"));
    TESTED(ADDED("mul.wide.s32 %rd9, %r2, 1024;\n"));
    TESTED(ADDED("cvt.s64.s32 %rd11, %r2;\nmul.lo.s64 %rd9, %rd11, %rd11;\n"));
}

static void loaded(void **state) {
    TESTED("st.global.f32 [%rd8], %f1;\n");
    TESTED(ADDED("mov.b64 %rd9, %rd8;\n"));
    /* Indices of 32 bits and less that are loaded into registers of 64. */
    SAFE(ADDED("ld.global.s32 %rd11, [%rd3];\nshl.b64 %rd9, %rd11, 4;\n"));
    SAFE(ADDED("ld.global.u32 %rd11, [%rd3];\nshl.b64 %rd9, %rd11, 4;\n"));
    SAFE(ADDED("ld.global.s8 %rd11, [%rd3];\nshl.b64 %rd9, %rd11, 16;\n"));
    TESTED(ADDED("ld.global.s32 %rd11, [%rd3];\nshl.b64 %rd9, %rd11, 20;\n"));
    TESTED(ADDED("ld.global.s64 %rd11, [%rd3];\nshl.b64 %rd9, %rd11, 4;\n"));
}

/* Half of a pointer is none. */
static void narrowed(void **state) {
    TESTED("cvt.s32.s64 %rd9, %rd1;\nst.global.f32 [%rd9], %f1;\n");
    TESTED("cvt.u32.u64 %rd9, %rd1;\nst.global.f32 [%rd9], %f1;\n");
    SAFE(ADDED("cvt.s32.s64 %rd9, %rd8;\n"));
}

#define WALK(turn, behind)                                                                                   \
    "mov.u32 %r3, 0;\nmov.u32 %r5, 0;\nmov.b64 %rd10, %rd1;\nL:\n" turn "add.s64 %rd10, %rd10, 1024;\n"      \
    "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r2;\n@%p1 bra L;\n" behind

/* Each turn touches memory, unless what it loads is wanted behind the loop alone: LLVM takes it there. */
static void walks(void **state) {
    SAFE(WALK("st.global.u32 [%rd10], %r1;\n", ""));
    SAFE(WALK("ld.global.u32 %r4, [%rd10];\nadd.s32 %r5, %r5, %r4;\n", "st.shared.u32 [%r5], %r5;\n"));
    SAFE(WALK("ld.global.u32 %r4, [%rd10];\nst.shared.u32 [%r1], %r4;\n", ""));
    SAFE(WALK("ld.volatile.global.u32 %r4, [%rd10];\n", ""));
    TESTED(WALK("ld.global.u32 %r4, [%rd10];\n", "st.shared.u32 [%r4], %r4;\n"));
    TESTED(WALK("ld.global.u32 %r4, [%rd10];\nadd.s32 %r4, %r4, 1;\n", "st.shared.u32 [%r4], %r4;\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parameters), cmocka_unit_test(loaded),
                                       cmocka_unit_test(narrowed), cmocka_unit_test(walks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
