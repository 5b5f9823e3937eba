/* Chains of dependent instructions, walks of loads, and a warp that its block waits for, of kernels written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/chain.h"
#include "report/ptx_text.h"
#include "report/walks.h"

enum { MOST = 16 };

/* Lines of PTX, each with its block; block b is site b and is executed times[b] times by warps, lanes[b] by lanes. */
struct sample {
    struct wg_code code[MOST];
    struct wg_site sites[MOST];
    struct wg_site_counts counts[MOST];
    struct wg_profile_kernel kernel;
    struct wg_launch launch;
};

static void line(struct sample *s, uint32_t block, uint64_t times, uint64_t lanes, const char *text) {
    uint32_t i = s->kernel.code_count++;
    s->code[i] = (struct wg_code){i + 1, block, block, UINT32_MAX, text};
    s->sites[block].class = WG_CLASS_block;
    s->counts[block].site = block;
    s->counts[block].counts.v[WG_C_instructions] = times;
    s->counts[block].counts.v[WG_C_threads] = lanes;
    s->kernel.code = s->code, s->kernel.sites = s->sites, s->launch.sites = s->counts;
    s->kernel.site_count = s->launch.site_count = block + 1;
    for (int d = 0; d < 3; d++) s->launch.grid[d] = s->launch.block[d] = 1;
}

static struct wg_chain chain(struct sample *s, double warps) {
    struct wg_arena a = {0};
    struct wg_slowest slowest = wg_slowest_find(&s->kernel, &s->launch, &a);
    struct wg_chain c = wg_chain_find(&s->kernel, &s->launch, warps, &slowest);
    wg_arena_free(&a);
    return c;
}

static void what_waits_is_a_chain(void **state) {
    struct sample apart = {0}, behind = {0};
    const char *const first = "fma.rn.f32 %f1, %f9, %f9, %f9";
    for (int i = 0; i < 2; i++) {
        line(&apart, 0, 10, 320, i ? "fma.rn.f32 %f2, %f9, %f9, %f9" : first);
        line(&behind, 0, 10, 320, i ? "@%p1 fma.rn.f32 %f2, %f1, %f9, %f9" : first);
    }
    assert_true(chain(&behind, 1).cycles == 2 * chain(&apart, 1).cycles);
    assert_true(chain(&apart, 1).pipes == chain(&behind, 1).pipes && chain(&apart, 1).pipes > 0);
}

static void special_functions_take_longer(void **state) {
    struct sample plain = {0}, special = {0}, division = {0};
    line(&plain, 0, 1, 32, "mul.f32 %f1, %f2, %f2");
    line(&special, 0, 1, 32, "ex2.approx.ftz.f32 %f1, %f2");
    line(&division, 0, 1, 32, "div.rn.f64 %fd1, %fd2, %fd3");
    assert_true(chain(&plain, 1).cycles < 5 && chain(&special, 1).cycles == 23);
    assert_true(chain(&division, 1).cycles == 110.7);
    assert_true(chain(&special, 1).pipes > chain(&plain, 1).pipes);
}

static void without_text_nothing_is_known(void **state) {
    struct sample s = {0};
    line(&s, 0, 1, 32, NULL);
    assert_true(chain(&s, 1).cycles == 0 && chain(&s, 1).pipes == 0);
}

static double step_of_last_load(struct sample *s) {
    struct wg_arena a = {0};
    struct wg_walks w = wg_walks_find(&s->kernel, &s->launch, &a);
    double step = 0;
    for (uint32_t i = 0; i < s->kernel.code_count; i++)
        if (strstr(s->code[i].text, "ld.global")) step = wg_walks_step(&w, s->code[i].ptx_line);
    wg_arena_free(&a);
    return step;
}

static void pointers_walk(void **state) {
    struct sample s = {0};
    line(&s, 0, 1, 32, "mov.u64 %rd1, %rd5");
    line(&s, 1, 100, 3200, "ld.global.f32 %f1, [%rd1+4]");
    line(&s, 1, 100, 3200, "add.s64 %rd1, %rd1, 16");
    assert_true(step_of_last_load(&s) == 16);
}

static void indices_walk(void **state) {
    struct sample s = {0};
    line(&s, 0, 1, 32, "mov.u32 %r1, 0");
    line(&s, 1, 100, 3200, "mul.wide.s32 %rd2, %r1, 8");
    line(&s, 1, 100, 3200, "add.s64 %rd3, %rd9, %rd2");
    line(&s, 1, 100, 3200, "ld.global.f64 %fd1, [%rd3]");
    line(&s, 1, 100, 3200, "add.s32 %r1, %r1, 2");
    assert_true(step_of_last_load(&s) == 16);
}

static void what_is_looked_up_or_stays_does_not_walk(void **state) {
    struct sample s = {0}, outer = {0};
    line(&s, 1, 100, 3200, "ld.shared.u64 %rd1, [%rd7]");
    line(&s, 1, 100, 3200, "ld.global.f32 %f1, [%rd1]");
    assert_true(step_of_last_load(&s) == 0);
    line(&outer, 0, 10, 320, "mov.u64 %rd1, %rd5");
    line(&outer, 2, 10, 320, "add.s64 %rd1, %rd1, 16");
    line(&outer, 1, 100, 3200, "ld.global.f32 %f1, [%rd1]");
    outer.kernel.site_count = outer.launch.site_count = 3;
    assert_true(step_of_last_load(&outer) == 0);
}

/* 3 blocks of 8 warps, which all do 16 rounds; in each round one lane of each block does what takes 10 turns. */
static void one_lane_does_the_work(void **state) {
    struct sample s = {0};
    line(&s, 0, 24 * 16, 24 * 16 * 32, "add.s32 %r1, %r1, 1");
    line(&s, 1, 3 * 16, 3 * 16, "mov.u32 %r2, 0");
    line(&s, 2, 3 * 160, 3 * 160, "add.s32 %r2, %r2, 1");
    line(&s, 3, 24 * 16, 24 * 16 * 32, "bar.sync 0");
    s.launch.grid[0] = 3, s.launch.block[0] = 256;
    struct wg_arena a = {0};
    struct wg_slowest slowest = wg_slowest_find(&s.kernel, &s.launch, &a);
    assert_true(wg_slowest_turns(&slowest, 1) == 16 && wg_slowest_turns(&slowest, 2) == 16);
    assert_true(wg_slowest_turns(&slowest, 3) == 160 && slowest.in_each_block > 0.99);
    wg_arena_free(&a);
    s.counts[1].counts.v[WG_C_threads] = 3 * 16 * 32; /* no longer one lane */
    slowest = wg_slowest_find(&s.kernel, &s.launch, &a);
    assert_true(slowest.in_each_block == 0);
    wg_arena_free(&a);
}

static void texts_are_read(void **state) {
    struct wg_ptx_text t = wg_ptx_text("@%p1 mov.b64 {%r1, %r2}, %rd3");
    const char *at = t.operands, *name;
    size_t n, written = 0;
    assert_string_equal(t.op, "mov.b64");
    while (wg_ptx_next(&at, t.sources, &name, &n)) written++;
    assert_int_equal(written, 2);
    at = t.sources;
    assert_true(wg_ptx_next(&at, NULL, &name, &n) && n == 4 && !strncmp(name, "%rd3", n));
    assert_false(wg_ptx_next(&at, NULL, &name, &n));
    assert_false(wg_ptx_text("st.global.u32 [%rd1], %r1").writes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_is_a_chain),
        cmocka_unit_test(special_functions_take_longer),
        cmocka_unit_test(without_text_nothing_is_known),
        cmocka_unit_test(pointers_walk),
        cmocka_unit_test(indices_walk),
        cmocka_unit_test(what_is_looked_up_or_stays_does_not_walk),
        cmocka_unit_test(one_lane_does_the_work),
        cmocka_unit_test(texts_are_read),
    };
    return cmocka_run_group_tests_name("report.chain", tests, NULL, NULL);
}
