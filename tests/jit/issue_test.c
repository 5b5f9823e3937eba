/* What the log of issued accesses lets pass, and what it names: the block of each test is one string of
 * accesses, by the order in which they are issued.
 */
#include "jit/emit/issue.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* q: 16 bytes from lane to lane. */
static const char before[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                             ".visible .entry k(.param .u64 p) {\n"
                             ".reg .b32 %r<4>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n"
                             "ld.param.u64 %rd1, [p];\n"
                             "mov.u32 %r1, %tid.x;\n"
                             "mul.wide.u32 %rd2, %r1, 16;\n"
                             "add.s64 %rd3, %rd1, %rd2;\n"
                             "mul.wide.u32 %rd4, %r1, 4;\n"
                             "add.s64 %rd5, %rd1, %rd4;\n";
enum { FIRST = 6 }; /* instructions in front of the accesses */

struct rig {
    struct wg_ir_module *m;
    struct wg_code_opts o;
    struct wg_emit e;
    struct wg_diag d;
};

static void set_up(struct rig *r, const char *accesses) {
    struct wg_strbuf text = {0};
    wg_strbuf_printf(&text, "%s%sret;\n}\n", before, accesses);
    *r = (struct rig){.o = {.ntid = {64, 1, 1}, .opt_level = 2, .linear31 = true, .width = 256}};
    r->m = wg_ir_from_ptx("test", text.s, text.n, &r->d);
    assert_non_null(r->m);
    wg_strbuf_free(&text);
    r->e.an = wg_analyse(r->m, &r->m->funcs[0], &r->o);
    r->e.module = r->m;
    r->e.func = &r->m->funcs[0];
    r->e.opts = &r->o;
    wg_issues_begin(&r->e);
    for (r->e.instr = 0; r->e.instr < FIRST; r->e.instr++) wg_issue_here(&r->e);
}

static void tear_down(struct rig *r) {
    wg_issues_free(&r->e);
    wg_analysis_free(r->e.an);
    wg_ir_free(r->m);
    wg_diag_free(&r->d);
}

/* "0 12 3": instruction 0, then 1 and 2 together, then 3. */
static const char *issued(const char *accesses, const char *order) {
    struct rig r;
    struct wg_broken b = {0};
    set_up(&r, accesses);
    for (const char *s = order; *s;) {
        uint32_t instr[8], n = 0;
        for (; *s && *s != ' '; s++) instr[n++] = FIRST + (uint32_t)(*s - '0');
        s += *s == ' ';
        r.e.instr = instr[0];
        wg_issue(&r.e, instr, n);
    }
    bool holds = wg_issues_hold(&r.e, r.e.func->blocks[0].ninstrs, &b);
    tear_down(&r);
    return holds ? "holds" : b.what;
}

#define HOLDS(accesses, order) assert_string_equal(issued(accesses, order), "holds")
#define NEVER(accesses, order) assert_string_equal(issued(accesses, order), "an access is never issued")
#define TWICE(accesses, order) assert_string_equal(issued(accesses, order), "an access is issued twice")
#define WRONG(accesses, order)                                                                               \
    assert_string_equal(issued(accesses, order), "two accesses are issued in the wrong order")

static void once(void **state) {
    static const char two[] = "st.global.f32 [%rd3], %f1;\nst.global.f32 [%rd3+4], %f2;\n";
    HOLDS(two, "0 1");
    HOLDS(two, "01");
    HOLDS(two, "1 0");
    NEVER(two, "0");
    NEVER(two, "1");
    TWICE(two, "0 1 0");
    TWICE(two, "0 01");
    static const char loads[] = "ld.global.f32 %f1, [%rd3];\nld.global.f32 %f2, [%rd3+4];\n";
    HOLDS(loads, "1 0");
    HOLDS(loads, "0 01"); /* again, and together */
}

/* The load was moved up to the first of its group, and the store down to the last of its own. */
static void a_load_above_the_store_it_reads(void **state) {
    static const char text[] = "st.global.f32 [%rd3], %f1;\nld.global.f32 %f2, [%rd3+4];\n"
                               "st.global.f32 [%rd3+8], %f1;\nld.global.f32 %f3, [%rd3];\n";
    HOLDS(text, "0 1 2 3");
    HOLDS(text, "1 02 3");
    HOLDS(text, "0 13 2");
    WRONG(text, "13 02");
    WRONG(text, "1 3 0 2");
}

/* Two groups had one store in common, and the older one was never completed. */
static void stores_that_a_second_group_took(void **state) {
    static const char text[] = "st.global.f32 [%rd3], %f1;\nst.global.f32 [%rd3+8], %f1;\n"
                               "st.global.f32 [%rd3+4], %f1;\nst.global.f32 [%rd3+12], %f1;\n";
    HOLDS(text, "0213");
    NEVER(text, "3");
    NEVER(text, "13");
}

static void lanes_that_overlap(void **state) {
    static const char text[] = "st.global.f32 [%rd5], %f1;\nst.global.f32 [%rd5+4], %f2;\n"
                               "ld.global.f32 %f3, [%rd5+256];\n";
    HOLDS(text, "0 1 2");
    HOLDS(text, "2 0 1"); /* out of reach of 32 lanes */
    WRONG(text, "01 2");  /* a neighbour's */
    WRONG(text, "1 0 2");
}

static void other_registers_and_memories(void **state) {
    static const char text[] = "st.global.f32 [%rd3], %f1;\nld.global.f32 %f2, [%rd5];\n"
                               "ld.global.nc.f32 %f3, [%rd5];\nld.shared.f32 %f4, [%rd5];\n";
    HOLDS(text, "0 1 2 3");
    WRONG(text, "1 0 2 3");
    HOLDS(text, "2 0 1 3");
    HOLDS(text, "3 0 1 2");
    static const char fixed[] = "st.global.f32 [%rd3], %f1;\nst.volatile.global.f32 [%rd3+4], %f1;\n"
                                "st.global.f32 [%rd3+8], %f1;\n";
    WRONG(fixed, "1 0 2");
    WRONG(fixed, "0 2 1");
    WRONG(fixed, "1 02");
}

/* A value, and then the word that says it is there. */
static void fences(void **state) {
    static const char text[] = "st.global.f32 [%rd3], %f1;\nmembar.gl;\nst.global.f32 [%rd3+4], "
                               "%f1;\nld.global.f32 %f2, [%rd5+256];\n";
    HOLDS(text, "0 1 2 3");
    WRONG(text, "1 02 3");
    WRONG(text, "0 3 1 2");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fences),
                                       cmocka_unit_test(once),
                                       cmocka_unit_test(a_load_above_the_store_it_reads),
                                       cmocka_unit_test(stores_that_a_second_group_took),
                                       cmocka_unit_test(lanes_that_overlap),
                                       cmocka_unit_test(other_registers_and_memories)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
