/* How a job's units are dealt among workers. */
#include "machine/pool.h"
#include "tests/machine/fixture.h"

static void every_unit_is_dealt_once_and_in_order(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 1000, .longest = 64};
    wg_job_deal(&pool, &job);
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end, next = 0;
    while (wg_job_claim(&pool, &job, &pace, 0, UINT64_MAX, &begin, &end)) {
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
    wg_job_deal(&pool, &job);
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end, next = 0;
    assert_true(wg_job_claim(&pool, &job, &pace, 0, UINT64_MAX, &begin, &end));
    assert_int_equal(end - begin, 16 * ROW);
    for (next = end; wg_job_claim(&pool, &job, &pace, 0, UINT64_MAX, &begin, &end); next = end) {
        assert_int_equal(begin, next);
        assert_true(end - begin < ROW || (end - begin) % ROW == 0);
    }
    assert_int_equal(next, job.units);
}

static void quick_units_are_claimed_by_the_microsecond(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 100000, .longest = 64, .longest_quick = 4096};
    wg_job_deal(&pool, &job);
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end, next = 0, claims = 0, longest = 0, shortest = UINT64_MAX;
    while (wg_job_claim(&pool, &job, &pace, 0, UINT64_MAX, &begin, &end)) {
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
    wg_job_deal(&pool, &job);
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end, left = 800;
    for (; wg_job_claim(&pool, &job, &pace, 0, UINT64_MAX, &begin, &end); left = job.units - end) {
        assert_true(end - begin == 1 || end - begin <= left / 8);
        wg_pace_learn(&pace, &job, end - begin, 1);
    }
}

static void slow_units_are_claimed_as_ever(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 1000000, .longest = 64, .longest_quick = 4096};
    wg_job_deal(&pool, &job);
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end;
    for (int i = 0; i < 100; i++) {
        assert_true(wg_job_claim(&pool, &job, &pace, 0, UINT64_MAX, &begin, &end));
        assert_int_equal(end - begin, 64);
        wg_pace_learn(&pace, &job, end - begin, 64 * 1000);
    }
}

/* ---- brief jobs ---- */

static void brief_jobs_are_one_workers_after_the_first_unit(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 10, .longest = 64, .any_order = true, .brief = true};
    wg_job_deal(&pool, &job);
    struct wg_pace mine = wg_pace_of(&job), others = mine;
    uint64_t begin, end;
    assert_true(wg_job_claim(&pool, &job, &mine, 0, UINT64_MAX, &begin, &end));
    assert_int_equal(end, 1);
    wg_pool_judge(&pool, &job, &mine, 1, 10);
    /* Another one comes nevertheless: what was all that is left no longer is. */
    assert_true(wg_job_claim(&pool, &job, &others, 1, UINT64_MAX, &begin, &end));
    assert_int_equal(end, 2);
    assert_true(wg_job_claim(&pool, &job, &mine, 0, UINT64_MAX, &begin, &end));
    assert_int_equal(begin, 2);
    assert_int_equal(end, 10);
    assert_int_equal(wg_job_left(&job), 0);
    assert_false(wg_job_claim(&pool, &job, &mine, 0, UINT64_MAX, &begin, &end));
    assert_int_equal(atomic_load(&pool.epoch), 0);
}

static void a_job_that_is_not_brief_after_all_is_told_of(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 2};
    struct wg_job job = {.units = 1000, .longest = 64, .brief = true};
    wg_job_deal(&pool, &job);
    struct wg_pace pace = wg_pace_of(&job);
    uint64_t begin, end;
    assert_true(wg_job_claim(&pool, &job, &pace, 0, UINT64_MAX, &begin, &end));
    wg_pool_judge(&pool, &job, &pace, 1, 1000);
    assert_int_equal(atomic_load(&pool.epoch), 1);
    assert_true(wg_job_claim(&pool, &job, &pace, 0, UINT64_MAX, &begin, &end));
    assert_int_equal(begin, 1);
    assert_in_range(end - begin, 2, 64);
}

static void brief_is_what_ends_within_microseconds(void **state) {
    (void)state;
    assert_false(wg_job_is_brief(1, 0)); /* not known */
    assert_true(wg_job_is_brief(1, 1000));
    assert_true(wg_job_is_brief(100, 10));
    assert_false(wg_job_is_brief(1000, 10));
    assert_false(wg_job_is_brief(UINT64_MAX, UINT32_MAX));
}

/* ---- shares ---- */

/* What the claims of workers in turn come to: each unit once, and whose it was in *of. */
static void claim_in_turns(struct wg_pool *pool, struct wg_job *job, uint32_t turns, uint8_t *of) {
    struct wg_pace pace = wg_pace_of(job);
    uint64_t begin, end, n = 0;
    for (uint32_t k = 0;; k++) {
        uint32_t place = k % turns;
        if (!wg_job_claim(pool, job, &pace, place, UINT64_MAX, &begin, &end)) break;
        for (uint64_t i = begin; i < end; i++) {
            assert_int_equal(of[i], 0);
            of[i] = (uint8_t)(1 + place);
        }
        n += end - begin;
        assert_int_equal(wg_job_left(job), job->units - n);
        wg_pace_learn(&pace, job, end - begin, 30 * (end - begin));
    }
    assert_int_equal(n, job->units);
}

static void each_worker_begins_with_its_share(void **state) {
    (void)state;
    static uint8_t of[3001];
    struct wg_pool pool = {.nworkers = 3};
    struct wg_job job = {.units = 3001, .longest = 64, .longest_quick = 4096, .any_order = true};
    wg_job_deal(&pool, &job);
    memset(of, 0, sizeof of);
    claim_in_turns(&pool, &job, 3, of);
    /* Nearly all of it: the last microseconds are whoever's comes first. */
    for (int i = 0; i < 900; i++) assert_true(of[i] == 1 && of[1001 + i] == 2 && of[2001 + i] == 3);
    free(job.shares);
}

/* With two workers half of what is left, with many an eighth: the others may come for the rest of it. */
static void of_its_share_a_worker_leaves_what_others_would_take(void **state) {
    (void)state;
    const uint32_t workers[] = {2, 3, 64}, part[] = {2, 3, 8};
    for (int i = 0; i < 3; i++) {
        struct wg_pool pool = {.nworkers = workers[i]};
        struct wg_job job = {.units = 100000 * workers[i], .longest = 1 << 20, .any_order = true};
        wg_job_deal(&pool, &job);
        struct wg_pace pace = wg_pace_of(&job);
        uint64_t begin, end;
        assert_true(wg_job_claim(&pool, &job, &pace, 1, UINT64_MAX, &begin, &end));
        assert_int_equal(begin, 100000);
        assert_int_equal(end - begin, 100000 / part[i]);
        free(job.shares);
    }
}

static void shares_of_workers_that_do_not_come_are_others(void **state) {
    (void)state;
    static uint8_t of[1000];
    struct wg_pool pool = {.nworkers = 4};
    struct wg_job job = {.units = 1000, .longest = 64, .longest_quick = 4096, .any_order = true};
    wg_job_deal(&pool, &job);
    memset(of, 0, sizeof of);
    claim_in_turns(&pool, &job, 1, of);
    free(job.shares);
}

static void shares_are_whole_rows(void **state) {
    (void)state;
    enum { ROW = 10 };
    struct wg_pool pool = {.nworkers = 4};
    struct wg_job job = {.units = 33 * ROW, .longest = 40, .row = ROW, .any_order = true};
    wg_job_deal(&pool, &job);
    assert_int_equal(job.nshares, 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(job.shares[i].end % ROW, 0);
    assert_int_equal(job.shares[3].end, job.units);
    free(job.shares);
}

static void in_order_there_is_one_share(void **state) {
    (void)state;
    struct wg_pool pool = {.nworkers = 4};
    struct wg_job ordered = {.units = 1000}, alone = {.units = 1000, .any_order = true, .alone = true},
                  few = {.units = 3, .any_order = true};
    struct wg_job *jobs[] = {&ordered, &alone, &few};
    for (int i = 0; i < 3; i++) {
        wg_job_deal(&pool, jobs[i]);
        assert_int_equal(jobs[i]->nshares, 1);
        assert_int_equal(wg_job_left(jobs[i]), jobs[i]->units);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_worker_begins_with_its_share),
        cmocka_unit_test(of_its_share_a_worker_leaves_what_others_would_take),
        cmocka_unit_test(shares_of_workers_that_do_not_come_are_others),
        cmocka_unit_test(shares_are_whole_rows),
        cmocka_unit_test(in_order_there_is_one_share),
        cmocka_unit_test(every_unit_is_dealt_once_and_in_order),
        cmocka_unit_test(claims_of_more_than_a_row_are_whole_rows),
        cmocka_unit_test(quick_units_are_claimed_by_the_microsecond),
        cmocka_unit_test(what_is_left_is_never_one_workers),
        cmocka_unit_test(slow_units_are_claimed_as_ever),
        cmocka_unit_test(brief_jobs_are_one_workers_after_the_first_unit),
        cmocka_unit_test(a_job_that_is_not_brief_after_all_is_told_of),
        cmocka_unit_test(brief_is_what_ends_within_microseconds),
    };
    return cmocka_run_group_tests_name("machine.pool", tests, NULL, NULL);
}
