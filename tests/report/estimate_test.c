/* The model of launches, from a result file: a transpose of 4096 x 4096 ints in three ways. And their
 * timeline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/estimate.h"
#include "report/trace.h"

static struct wg_arena arena;
static struct wg_profile *profile;

static int read_profile(void **state) {
    struct wg_strbuf why = {0};
    profile = wg_profile_read(&arena, WG_TEST_DATA "/transposes.json", &why);
    if (!profile) print_error("%s\n", why.s);
    return profile ? 0 : -1;
}

static struct wg_estimate estimate(uint32_t kernel) {
    struct wg_estimate e;
    const struct wg_profile_kernel *k = &profile->kernels[kernel];
    assert_true(wg_estimate_launch(profile, k, &k->launches[0], &e));
    return e;
}

static void bytes_are_touched_once(void **state) {
    for (uint32_t k = 0; k < 3; k++) {
        struct wg_estimate e = estimate(k);
        assert_true(e.input.time.read_bytes == 4096.0 * 4096 * 4);
        assert_true(e.input.time.written_bytes == 4096.0 * 4096 * 4);
        assert_true(e.input.time.load_trips == e.input.time.blocks * 32);
        assert_int_equal(e.occupancy.warps, 64);
        assert_true(e.waves.waves > 62.05 && e.waves.waves < 62.07);
    }
}

/* Microseconds on an H200: 101, 112 and 73. */
static void each_is_bound_by_something_else(void **state) {
    static const struct {
        enum wg_time_part longest;
        double least, most;
        const char *says;
    } kernels[] = {{WG_TIME_L1, 75e-6, 125e-6, "78 % of the sectors moved were unused"},
                   {WG_TIME_L1, 80e-6, 140e-6, "94 % of its wavefronts are bank conflicts"},
                   {WG_TIME_LATENCY, 60e-6, 90e-6, "waiting for memory"}};
    for (uint32_t k = 0; k < 3; k++) {
        struct wg_estimate e = estimate(k);
        struct wg_strbuf text = {0};
        wg_bound_statement(&e.bound, &e.input, &text);
        assert_int_equal(e.bound.time.longest, kernels[k].longest);
        assert_true(e.bound.time.seconds > kernels[k].least && e.bound.time.seconds < kernels[k].most);
        assert_non_null(strstr(text.s, kernels[k].says));
        wg_strbuf_free(&text);
    }
}

static void a_chip_that_nobody_knows(void **state) {
    struct wg_profile other = *profile;
    struct wg_estimate e;
    struct wg_strbuf out = {0}, why = {0};
    other.device = "A chip", other.arch = "sm_35";
    assert_false(wg_estimate_launch(&other, &other.kernels[0], &other.kernels[0].launches[0], &e));
    assert_false(wg_write_trace(&out, &arena, &other, &why));
    assert_non_null(why.s);
    wg_strbuf_free(&why);
}

static void launches_stand_one_after_the_other(void **state) {
    struct wg_strbuf out = {0}, why = {0};
    assert_true(wg_write_trace(&out, &arena, profile, &why));
    double end = 0;
    const char *at = out.s;
    for (int n = 0; n < 3; n++) {
        double start, length;
        at = strstr(at, "\"cat\": \"kernel\"");
        assert_non_null(at);
        assert_int_equal(sscanf(strstr(at, "\"ts\": "), "\"ts\": %lf, \"dur\": %lf", &start, &length), 2);
        assert_true(start >= end - 1e-6 && length > 0);
        end = start + length;
        at++;
    }
    assert_null(strstr(at, "\"cat\": \"kernel\""));
    wg_strbuf_free(&out);
}

static int free_profile(void **state) {
    wg_arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_touched_once),
        cmocka_unit_test(each_is_bound_by_something_else),
        cmocka_unit_test(a_chip_that_nobody_knows),
        cmocka_unit_test(launches_stand_one_after_the_other),
    };
    return cmocka_run_group_tests_name("report.estimate", tests, read_profile, free_profile);
}
