/* How a job's units are dealt among workers. */
#include "machine/pool.h"
#include "tests/machine/fixture.h"

static void every_unit_is_dealt_once_and_in_order(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 1000, .longest = 64};
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end, next = 0;
    while (wg_job_claim(&pool, &job, &pace, UINT64_MAX, &begin, &end)) {
        assert_int_equal(begin, next);
        assert_in_range(end - begin, 1, 64);
        next = end;
    }
    assert_int_equal(next, job.units);
}

static void claims_of_more_than_a_row_are_whole_rows(void **state) {
    (void)state;
    enum { ROW = 63 };
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 8000 * ROW, .longest = 16 * ROW, .row = ROW};
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end, next = 0;
    assert_true(wg_job_claim(&pool, &job, &pace, UINT64_MAX, &begin, &end));
    assert_int_equal(end - begin, 16 * ROW);
    for (next = end; wg_job_claim(&pool, &job, &pace, UINT64_MAX, &begin, &end); next = end) {
        assert_int_equal(begin, next);
        assert_true(end - begin < ROW || (end - begin) % ROW == 0);
    }
    assert_int_equal(next, job.units);
}

static void quick_units_are_claimed_by_the_microsecond(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 100000, .longest = 64, .longest_quick = 4096};
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end, next = 0, claims = 0, longest = 0, shortest = UINT64_MAX;
    while (wg_job_claim(&pool, &job, &pace, UINT64_MAX, &begin, &end)) {
        assert_int_equal(begin, next);
        next = end, claims++;
        if (end - begin > longest) longest = end - begin;
        if (end - begin < shortest && job.units - end > 4000) shortest = end - begin;
        wg_pace_learn(&pace, &job, end - begin, 2 * (end - begin)); /* nanoseconds */
    }
    assert_int_equal(next, job.units);
    assert_int_equal(longest, 4096);
    assert_in_range(shortest, 64, 500);
    assert_in_range(claims, 25, 100);
}

/* However quick the first ones were: the others get a share. */
static void what_is_left_is_never_one_workers(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 4};
    struct wg_job job = {.units = 800, .longest = 64, .longest_quick = 4096};
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end, left = 800;
    for (; wg_job_claim(&pool, &job, &pace, UINT64_MAX, &begin, &end); left = job.units - end) {
        assert_true(end - begin == 1 || end - begin <= left / 8);
        wg_pace_learn(&pace, &job, end - begin, 1);
    }
}

static void slow_units_are_claimed_as_ever(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 1000000, .longest = 64, .longest_quick = 4096};
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end;
    for (int i = 0; i < 100; i++) {
        assert_true(wg_job_claim(&pool, &job, &pace, UINT64_MAX, &begin, &end));
        assert_int_equal(end - begin, 64);
        wg_pace_learn(&pace, &job, end - begin, 64 * 1000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_is_dealt_once_and_in_order),
        cmocka_unit_test(claims_of_more_than_a_row_are_whole_rows),
        cmocka_unit_test(quick_units_are_claimed_by_the_microsecond),
        cmocka_unit_test(what_is_left_is_never_one_workers),
        cmocka_unit_test(slow_units_are_claimed_as_ever),
    };
    return cmocka_run_group_tests_name("machine.pool", tests, NULL, NULL);
}
