/* Which launches run on the thread that launches them, and that nothing else tells them from others. */
#include "tests/machine/fixture.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static _Atomic pthread_t ran_on;
static _Atomic unsigned rounding;
static const struct wg_code *_Atomic code;

/* Adds one to *p0, and writes down where. */
static enum wg_warp_status note(struct wg_warp *w) {
    ran_on = pthread_self();
    code = w->code;
#if defined(__x86_64__)
    rounding = _mm_getcsr();
#endif
    atomic_fetch_add((_Atomic uint32_t *)param(w, 0), 1);
    return WG_WARP_DONE;
}
/* Reads *p0, in code of no sanitizer's: it would be left with its locks held. */
__attribute__((no_sanitize("address", "thread"))) static uint32_t read_first(const struct wg_warp *w) {
    return *(const volatile uint32_t *)param(w, 0);
}
static enum wg_warp_status look(struct wg_warp *w) {
    ran_on = pthread_self();
    code = w->code;
    read_first(w);
    return WG_WARP_DONE;
}
/* Waits until *p0 is set. */
static enum wg_warp_status gate(struct wg_warp *w) {
    for (int k = 0; k < LOOKS; k++)
        if (atomic_load((_Atomic uint32_t *)param(w, 0))) return WG_WARP_DONE;
    w->resume = 1;
    w->nwait = 0;
    return WG_WARP_YIELD;
}
static const struct fake kernels[] = {{.name = "note", .run = note, .whole = note},
                                      {.name = "by_warps", .run = note},
                                      {.name = "loops", .run = note, .whole = note, .loops = true},
                                      {.name = "calls", .run = note, .whole = note, .does = WG_OP_CALL},
                                      {.name = "sleeps", .run = note, .whole = note, .does = WG_OP_NANOSLEEP},
                                      {.name = "look", .run = look, .whole = look},
                                      {.name = "gate", .run = gate},
                                      {0}};

static void put(struct rig *r, const char *kernel, uint32_t blocks, const void *p) {
    struct wg_launch l = rig_launch(r, kernel, blocks, 32, &p, 1);
    assert_int_equal(wg_launch(r->stream, &l), WG_OK);
}

/* Whether a launch runs here. Of code that has run it says that a block takes no time: on a busy machine, and under
 * sanitizers, one may seem slow. */
static bool ran_here(struct rig *r, const char *kernel, uint32_t blocks, const void *p) {
    if (code) __atomic_store_n(&((struct wg_code *)code)->unit_ns, 1, __ATOMIC_RELAXED);
    put(r, kernel, blocks, p);
    assert_int_equal(wg_stream_sync(r->stream), WG_OK);
    return pthread_equal(ran_on, pthread_self());
}

static void open_rig(struct rig *r) {
    code = NULL;
    rig_open(r, kernels, 2);
}

/* The next launch of it may run here. */
static void make_known(struct rig *r, const char *kernel, const void *p) {
    code = NULL;
    assert_false(ran_here(r, kernel, 1, p)); /* how long it takes is not known yet */
}

static void brief_launches_run_here(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    uint32_t *sum = rig_alloc(&r, 4);
    make_known(&r, "note", sum);
    assert_true(ran_here(&r, "note", 1, sum));
    assert_true(ran_here(&r, "note", 3, sum));
    assert_int_equal(*sum, 5);
    rig_close(&r);
}

static void others_never_do(void **state) {
    static const char *const names[] = {"by_warps", "loops", "calls", "sleeps"};
    struct rig r;
    (void)state;
    open_rig(&r);
    uint32_t *sum = rig_alloc(&r, 4);
    for (int k = 0; k < 4; k++) {
        make_known(&r, names[k], sum);
        for (int i = 0; i < 10; i++) assert_false(ran_here(&r, names[k], 1, sum));
    }
    make_known(&r, "note", sum);
    assert_false(ran_here(&r, "note", 60000, sum));
    rig_close(&r);
}

static void behind_other_work_it_waits_elsewhere(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    uint32_t *sum = rig_alloc(&r, 64), *open = sum + 8;
    make_known(&r, "note", sum);
    assert_true(ran_here(&r, "note", 1, sum));
    put(&r, "gate", 1, open);
    put(&r, "note", 1, sum);
    assert_int_equal(*sum, 2);
    atomic_store((_Atomic uint32_t *)open, 1);
    assert_int_equal(wg_stream_sync(r.stream), WG_OK);
    assert_int_equal(*sum, 3);
    assert_false(pthread_equal(ran_on, pthread_self()));
    rig_close(&r);
}

/* Also in a thread that has the signal blocked. */
static void a_fault_is_told_of_at_the_next_wait(void **state) {
    struct rig r;
    sigset_t all, old, after;
    (void)state;
    open_rig(&r);
    uint32_t *sum = rig_alloc(&r, 4);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    make_known(&r, "look", sum);
    assert_true(ran_here(&r, "look", 1, sum));
    __atomic_store_n(&((struct wg_code *)code)->unit_ns, 1, __ATOMIC_RELAXED);
    put(&r, "look", 1, (char *)sum + (1 << 30));
    assert_int_equal(wg_stream_sync(r.stream), WG_ILLEGAL_ADDRESS);
    assert_true(pthread_equal(ran_on, pthread_self()));
    pthread_sigmask(SIG_SETMASK, &old, &after);
    assert_true(sigismember(&after, SIGSEGV) && sigismember(&after, SIGBUS));
    rig_close(&r);
}

static void it_rounds_as_everywhere(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    uint32_t *sum = rig_alloc(&r, 4);
#if defined(__x86_64__)
    const unsigned before = _mm_getcsr(), zero_and_up = before | 0x8040 | 0x4000;
    _mm_setcsr(zero_and_up);
    make_known(&r, "note", sum);
    bool here = ran_here(&r, "note", 1, sum);
    unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    assert_true(here);
    assert_int_equal(rounding, 0x1f80);
    assert_int_equal(after & 0xffc0, zero_and_up & 0xffc0);
#endif
    rig_close(&r);
}

struct launcher {
    struct rig r;
    uint32_t *sum, here;
};

static void *launch_many(void *user) {
    struct launcher *l = user;
    for (int i = 0; i < 1000; i++) {
        put(&l->r, "note", 1, l->sum);
        l->here += pthread_equal(ran_on, pthread_self()) != 0;
    }
    assert_int_equal(wg_stream_sync(l->r.stream), WG_OK);
    return NULL;
}

/* Nor does one with a small stack run any: each in a stream of its own. */
static void threads_are_not_in_each_others_way(void **state) {
    struct launcher of[3];
    pthread_t threads[3];
    pthread_attr_t attr;
    struct rig r;
    (void)state;
    open_rig(&r);
    uint32_t *sum = rig_alloc(&r, 4);
    pthread_attr_init(&attr);
    for (int i = 0; i < 3; i++) {
        of[i] = (struct launcher){.r = r, .sum = sum};
        assert_int_equal(wg_stream_create(r.dev, WG_STREAM_NONBLOCKING, 0, &of[i].r.stream), WG_OK);
        pthread_attr_setstacksize(&attr, i ? 8 << 20 : 1 << 20);
        assert_int_equal(pthread_create(&threads[i], &attr, launch_many, &of[i]), 0);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attr);
    assert_int_equal(*sum, 3000);
    assert_int_equal(of[0].here, 0);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brief_launches_run_here),
        cmocka_unit_test(others_never_do),
        cmocka_unit_test(behind_other_work_it_waits_elsewhere),
        cmocka_unit_test(a_fault_is_told_of_at_the_next_wait),
        cmocka_unit_test(it_rounds_as_everywhere),
        cmocka_unit_test(threads_are_not_in_each_others_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
