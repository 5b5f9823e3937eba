/* How a job's units are dealt among workers. */
#include "machine/pool.h"
#include "tests/machine/fixture.h"

static void every_unit_is_dealt_once_and_in_order(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 1000, .longest = 64};
    uint64_t begin, end, next = 0;
    while (wg_job_claim(&pool, &job, UINT64_MAX, &begin, &end)) {
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
    uint64_t begin, end, next = 0;
    assert_true(wg_job_claim(&pool, &job, UINT64_MAX, &begin, &end));
    assert_int_equal(end - begin, 16 * ROW);
    for (next = end; wg_job_claim(&pool, &job, UINT64_MAX, &begin, &end); next = end) {
        assert_int_equal(begin, next);
        assert_true(end - begin < ROW || (end - begin) % ROW == 0);
    }
    assert_int_equal(next, job.units);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_is_dealt_once_and_in_order),
        cmocka_unit_test(claims_of_more_than_a_row_are_whole_rows),
    };
    return cmocka_run_group_tests_name("machine.pool", tests, NULL, NULL);
}
