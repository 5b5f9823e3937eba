/* Machine code on slow paths: calls, what stands beside them, and the ways through the functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/sass_slow.h"

#define AT(line) "\t//## File \".nv_debug_ptx_txt\", line " #line "\n"
#define IN(text) "        /*0000*/                   " text " ;\n"
#define BEGIN    "\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"

enum { LINES = 10, BLOCKS = 32, ROOT = 2 };

struct machine {
    struct wg_arena a;
    struct wg_sass sass;
    struct wg_sass_flow flow;
    struct wg_sass_line lines[LINES];
    double times[BLOCKS];
};

/* Line 2 was executed 50 times, in slow[WG_SLOW_ANY] on the slow path. */
static void count_ways(struct machine *m, const char *text, const uint64_t slow[WG_SLOW_PATHS]) {
    *m = (struct machine){0};
    wg_sass_parse(&m->a, text, &m->sass);
    const struct wg_sass_func *f = wg_sass_find(&m->sass, "k");
    assert_non_null(f);
    assert_true(f->nblocks < BLOCKS);
    for (int i = 1; i <= 3; i++) m->lines[i] = (struct wg_sass_line){.times = 50, .known = true};
    for (int i = 0; i < WG_SLOW_PATHS; i++) m->lines[ROOT].slow[i] = slow[i];
    assert_true(wg_sass_flow_find(&m->a, f, 0, &m->flow));
    assert_true(wg_sass_counts(&m->flow, m->lines, LINES, 50, m->times));
    for (uint32_t b = 0; b < f->nblocks; b++) {
        struct wg_sass_flow called;
        if (f->blocks[b].callee == WG_SASS_NONE || m->times[b] <= 0) continue;
        assert_true(wg_sass_flow_find(&m->a, f, f->blocks[b].callee, &called));
        assert_true(wg_sass_add_slow_call(&m->flow, b, &called, m->lines, LINES, m->times));
    }
}

/* In `any` on the slow path: with zeros in `zero`, by all lanes in `all`. */
static void count(struct machine *m, const char *text, uint64_t any, uint64_t zero, uint64_t all) {
    count_ways(m, text,
               (uint64_t[WG_SLOW_PATHS]){[WG_SLOW_ANY] = any, [WG_SLOW_ZERO] = zero, [WG_SLOW_ALL] = all});
}

static void expect_times(struct machine *m, const double *expected) {
    for (uint32_t b = 0; b < m->flow.f->nblocks; b++) assert_true(m->times[b] == expected[b]);
    wg_arena_free(&m->a);
}

/* A root: 0 the test, 1 the call, 2 behind it, 3 the quick way, 4 where they meet, 5 the rest; then the function, of which 8 is
 * for what is not 0. */
#define OF_ROOT(name)                                                                                        \
    BEGIN AT(1) IN("LDG.E R0, [R2]") AT(2) IN("BSSY B0, `(.L_x_2)") IN("@!P0 BRA `(.L_x_0)")                 \
        IN("CALL.REL.NOINC `(" name ")") IN("BRA `(.L_x_1)") ".L_x_0:\n" IN(                                 \
            "FMUL R1, R1, R1") ".L_x_1:\n" IN("BSYNC B0") ".L_x_2:\n" AT(3) IN("STG.E [R2], R1") IN("EXIT")  \
            name ":\n" IN("@!P1 BRA `(.L_x_3)") IN("@P2 BRA `(.L_x_3)")                                      \
                IN("MUFU.RSQ R2, R3") ".L_x_3:\n" IN("RET.REL.NODEC R4 `(k)")
#define ROOT_KNOWN   "$__internal_3_$__cuda_sm20_sqrt_rn_f32_slowpath"
#define ROOT_UNKNOWN "$__internal_3_$another_sqrt_rn_f32_slowpaths"

static void roots_of_zero(void **state) {
    (void)state;
    struct machine m;
    count(&m, OF_ROOT(ROOT_KNOWN), 0, 0, 0);
    expect_times(&m, (double[]){50, 0, 0, 50, 50, 50, 0, 0, 0, 0});
    /* Of 7 warps 2 have no other lane, so they skip the quick way; 5 come to the meeting place twice. */
    count(&m, OF_ROOT(ROOT_KNOWN), 7, 7, 2);
    expect_times(&m, (double[]){50, 7, 7, 48, 55, 50, 7, 0, 0, 7});
}

static void other_roots(void **state) {
    (void)state;
    struct machine m;
    /* Of negative numbers. */
    count(&m, OF_ROOT(ROOT_KNOWN), 8, 0, 8);
    expect_times(&m, (double[]){50, 8, 8, 42, 50, 50, 8, 8, 0, 8});
    count(&m, OF_ROOT(ROOT_KNOWN), 12, 4, 12);
    expect_times(&m, (double[]){50, 12, 12, 38, 50, 50, 12, 8, 0, 12});
    /* The ways of a function of another name are not known. */
    count(&m, OF_ROOT(ROOT_UNKNOWN), 8, 8, 8);
    expect_times(&m, (double[]){50, 8, 8, 42, 50, 50, 8, 4, 2, 8});
}

/* The ways of the division of f32, each block with one instruction of its own at most. */
/* clang-format off */
#define DIVISION "$__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath"
#define WAYS \
    DIVISION ":\n" IN("@!P0 BRA `(.L_x_13)") IN("@P0 BRA `(.L_x_14)") IN("@!P0 BRA `(.L_x_15)") \
        IN("@!P3 BRA `(.L_x_15)") IN("@P0 BRA `(.L_x_16)") IN("@P0 BRA `(.L_x_17)") IN("FFMA R2, R2, R3, RZ") \
    ".L_x_13:\n" IN("@!P0 BRA `(.L_x_18)") IN("@P0 BRA `(.L_x_19)") IN("@P0 BRA `(.L_x_20)") \
        IN("@!P0 BRA `(.L_x_20)") IN("BRA `(.L_x_20)") \
    ".L_x_19:\n" IN("BRA `(.L_x_20)") \
    ".L_x_18:\n" IN("BRA `(.L_x_20)") \
    ".L_x_17:\n" IN("BRA `(.L_x_20)") \
    ".L_x_16:\n" IN("BRA `(.L_x_20)") \
    ".L_x_15:\n" IN("BRA `(.L_x_20)") \
    ".L_x_14:\n" IN("FADD.FTZ R2, R2, R3") \
    ".L_x_20:\n" IN("RET.REL.NODEC R4 `(k)")
#define DIVIDES \
    BEGIN AT(1) IN("LDG.E R0, [R2]") AT(2) IN("BSSY B0, `(.L_x_2)") IN("@!P0 BRA `(.L_x_0)") \
        IN("CALL.REL.NOINC `(" DIVISION ")") IN("BRA `(.L_x_1)") \
    ".L_x_0:\n" IN("FMUL R1, R1, R1") \
    ".L_x_1:\n" IN("BSYNC B0") \
    ".L_x_2:\n" AT(3) IN("STG.E [R2], R1") IN("EXIT") WAYS
/* clang-format on */

/* Of ten warps on the slow path one has a 0, three a subnormal operand, four that and a subnormal result, and two normal numbers. */
static void subnormal_operands(void **state) {
    (void)state;
    struct machine m;
    count_ways(&m, DIVIDES,
               (uint64_t[WG_SLOW_PATHS]){[WG_SLOW_ANY] = 10,
                                         [WG_SLOW_ZERO] = 1,
                                         [WG_SLOW_SCALED] = 3,
                                         [WG_SLOW_TINY] = 4,
                                         [WG_SLOW_ALL] = 10});
    expect_times(
        &m, (double[]){50, 10, 10, 40, 50, 50, 10, 8, 8, 8, 8, 7, 7, 9, 4, 4, 4, 4, 0, 5, 0, 1, 0, 0, 10});
}

/* A loop that was unrolled three times, with one turn in the first copy's block for each entry. */
static void copies_share_them(void **state) {
    (void)state;
    struct machine m;
    count(&m,
          BEGIN AT(1) IN("LDG.E R0, [R2]") AT(2) IN("@!P0 BRA `(.L_x_0)")
              IN("CALL.REL.NOINC `($slow)") ".L_x_0:\n" AT(2) IN("@!P0 BRA `(.L_x_1)")
                  IN("CALL.REL.NOINC `($slow)") ".L_x_1:\n" AT(3) IN("STG.E [R2], R1")
                      IN("EXIT") "$slow:\n" IN("RET.REL.NODEC R4 `(k)"),
          10, 0, 10);
    expect_times(&m, (double[]){50, 5, 50, 5, 50, 10});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(roots_of_zero), cmocka_unit_test(other_roots),
                                       cmocka_unit_test(subnormal_operands),
                                       cmocka_unit_test(copies_share_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
