/* Scalarization: which blocks and which loops run lane by lane. */
#include "analysis/few_lanes.h"
#include "analysis/lane_loops.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char before[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 s[4096];\n"
    ".visible .entry k(.param .u64 in) {\n"
    ".reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n"
    "mov.u32 %r1, %tid.x;\nld.param.u64 %d1, [in];\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\n"
    "ld.global.u32 %r2, [%d3];\nmov.u32 %r6, 0;\nmov.u16 %h2, 0;\n";

static struct wg_ir_module *module_of(const char *text) {
    struct wg_strbuf all = {0};
    struct wg_diag d = {0};
    wg_strbuf_printf(&all, "%s%s\nret;\n}\n", before, text);
    struct wg_ir_module *m = wg_ir_from_ptx("test", all.s, all.n, &d);
    if (!m) print_error("%s", d.text.s);
    assert_non_null(m);
    wg_diag_free(&d);
    wg_strbuf_free(&all);
    return m;
}

static struct wg_analysis *analyse(const struct wg_ir_module *m) {
    static const struct wg_code_opts o = {.ntid = {64, 1, 1}, .opt_level = 2, .linear31 = true, .width = 256};
    return wg_analyse(m, &m->funcs[0], &o);
}

/* ---- blocks ---- */

static const struct {
    const char *what, *shift, *inside, *after;
    bool fits;
} blocks[] = {
    {"lanes far apart", "4", "", "", true},
    {"lanes side by side", "2", "", "", false},
    {"two stores", "4", "st.shared.u32 [%r5+4], %r7;", "", false},
    {"an ordered load", "4", "ld.volatile.shared.u32 %r7, [%r5];", "", false},
    {"a division", "4", "div.u32 %r7, %r7, 3;", "", false},
    {"a result that is used later", "4", "mov.u32 %r6, %r7;", "st.global.u32 [%d3+8], %r6;", false},
    {"two results", "4", "mov.b32 {%h1, %h2}, %r7; mov.b32 %r7, {%h2, %h1};", "", true},
    {"the second of two results is used later", "4", "mov.b32 {%h1, %h2}, %r7;",
     "st.global.u16 [%d3+8], %h2;", false},
};

static void masked_blocks(void **state) {
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        char text[800];
        uint32_t n = 0;
        snprintf(text, sizeof text,
                 "setp.ne.u32 %%p1, %%r2, 0;\nmov.u32 %%r3, s;\nshl.b32 %%r4, %%r1, %s;\nadd.s32 %%r5, %%r3, "
                 "%%r4;\n"
                 "@%%p1 bra E;\nld.shared.u32 %%r7, [%%r5];\n%s\nst.shared.u32 [%%r5], %%r7;\n"
                 "E: bar.sync 0;\n%s\n",
                 blocks[i].shift, blocks[i].inside, blocks[i].after);
        struct wg_ir_module *m = module_of(text);
        struct wg_analysis *an = analyse(m);
        for (uint32_t b = 0; b < an->func->nblocks; b++) n += wg_few_lanes_fit(an, b);
        if (n != blocks[i].fits) fail_msg("%s: %u blocks", blocks[i].what, n);
        wg_analysis_free(an);
        wg_ir_free(m);
    }
}

/* ---- loops ---- */

#define AGAIN "@%p1 bra L;"

static const struct {
    const char *what, *inside, *end;
    bool fits;
} loops[] = {
    {"scattered loads", "", AGAIN, true},
    {"a store, where lanes only leave", "st.global.u32 [%d3], %r5;", AGAIN, false},
    {"lanes part inside, and leave for the same block",
     "setp.gt.u32 %p2, %r5, 9; @%p2 bra N; st.global.u32 [%d7], %r6; N: setp.gt.u32 %p3, %r5, 99; @%p3 bra "
     "E;",
     AGAIN, true},
    {"two ways out",
     "setp.gt.u32 %p2, %r5, 9; @%p2 bra N; st.global.u32 [%d7], %r6; N: setp.gt.u32 %p3, %r5, 99; @%p3 bra "
     "F;",
     AGAIN, false},
    {"no way out",
     "setp.gt.u32 %p2, %r5, 9; @%p2 bra N; st.global.u32 [%d7], %r6; N: setp.gt.u32 %p3, %r5, 99; @%p3 bra "
     "L;",
     "bra L;", false},
    {"a branch of several targets",
     "setp.gt.u32 %p2, %r5, 9; @%p2 bra N; st.global.u32 [%d7], %r6; N: and.b32 %r8, %r5, 1; brx.idx %r8, T; "
     "A: B:",
     AGAIN, false},
    {"an ordered load", "ld.volatile.global.u32 %r8, [%d3];", AGAIN, false},
    {"an atomic", "atom.global.add.u32 %r8, [%d3], 1;", AGAIN, false},
    {"a fence", "membar.cta;", AGAIN, false},
    {"a guard", "@%p1 add.u32 %r6, %r6, 1;", AGAIN, false},
};

static void divergent_loops(void **state) {
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char text[1200];
        uint32_t n = 0;
        snprintf(text, sizeof text,
                 "T: .branchtargets A, B;\nsetp.eq.u32 %%p1, %%r2, 77;\n@%%p1 bra F;\n"
                 "L: mul.wide.u32 %%d4, %%r2, 4;\nadd.s64 %%d5, %%d1, %%d4;\nld.global.u32 %%r4, [%%d5];\n"
                 "mul.wide.u32 %%d6, %%r4, 4;\nadd.s64 %%d7, %%d1, %%d6;\nld.global.u32 %%r5, [%%d7];\n"
                 "add.u32 %%r6, %%r6, %%r5;\n%s\nsub.u32 %%r2, %%r2, 1;\nsetp.ne.u32 %%p1, %%r2, 0;\n%s\n"
                 "E: st.global.u32 [%%d3], %%r6;\nret;\nF: st.global.u32 [%%d3], %%r1;\n%s\n",
                 loops[i].inside, loops[i].end, strstr(loops[i].inside, "A: B:") ? "" : "A: B:");
        struct wg_ir_module *m = module_of(text);
        struct wg_analysis *an = analyse(m);
        struct wg_scalar_loop l;
        for (uint32_t b = 0; b < an->func->nblocks; b++) {
            if (!wg_scalar_loop_at(an, b, &l)) continue;
            n++;
            assert_int_equal(l.head, b);
            assert_false(wg_in_loop(an->func, l.out, b));
            WG_BITS_EACH(r, l.made, an->func->nregs) assert_false(wg_bits_has(l.read, r));
        }
        if (n != loops[i].fits) fail_msg("%s: %u loops", loops[i].what, n);
        wg_analysis_free(an);
        wg_ir_free(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(masked_blocks), cmocka_unit_test(divergent_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
