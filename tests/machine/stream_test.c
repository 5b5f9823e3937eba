/* Streams, events, copies, fills and host callbacks: what waits for what. */
#include "tests/machine/fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

/* Waits until p0[0] is set, then writes the digit p2 behind the number p1[0]. */
static enum wg_warp_status gate(struct wg_warp *w) {
    _Atomic uint32_t *open = (_Atomic uint32_t *)param(w, 0);
    for (int k = 0; k < LOOKS; k++)
        if (!open || atomic_load(open)) {
            _Atomic uint32_t *log = (_Atomic uint32_t *)param(w, 1); /* streams run at the same time */
            uint32_t was = atomic_load(log);
            while (!atomic_compare_exchange_weak(log, &was, was * 10 + (uint32_t)param(w, 2))) {
            }
            return WG_WARP_DONE;
        }
    w->resume = 1;
    w->nwait = 0;
    return WG_WARP_YIELD;
}
static const struct fake kernels[] = {{.name = "gate", .run = gate}, {0}};

static void put_gate(struct rig *r, struct wg_stream *s, void *open, void *log, uint64_t digit) {
    uint64_t args[] = {(uint64_t)open, (uint64_t)log, digit};
    struct wg_launch l = rig_launch(r, "gate", 1, 32, args, 3);
    assert_int_equal(wg_launch(s, &l), WG_OK);
}

static void work_of_a_stream_is_in_order(void **state) {
    struct rig r;
    rig_open(&r, kernels, 2);
    uint32_t *log = rig_alloc(&r, 4);
    for (uint64_t i = 1; i < 9; i++) put_gate(&r, r.stream, NULL, log, i);
    assert_int_equal(wg_stream_sync(r.stream), WG_OK);
    assert_int_equal(*log, 12345678);
    rig_close(&r);
}

static void legacy_stream_waits_for_blocking_streams(void **state) {
    struct rig r;
    struct wg_stream *blocking, *other;
    rig_open(&r, kernels, 2);
    uint32_t *m = rig_alloc(&r, 64), *open = m, *log = m + 4, *free_log = m + 8;
    assert_int_equal(wg_stream_create(r.dev, WG_STREAM_BLOCKING, 0, &blocking), WG_OK);
    assert_int_equal(wg_stream_create(r.dev, WG_STREAM_NONBLOCKING, 0, &other), WG_OK);
    put_gate(&r, blocking, open, log, 1);
    put_gate(&r, r.stream, NULL, log, 2);
    put_gate(&r, blocking, NULL, log, 3);
    put_gate(&r, wg_device_stream(r.dev, WG_STREAM_PER_THREAD), NULL, log, 4);
    put_gate(&r, other, NULL, free_log, 7);
    assert_int_equal(wg_stream_sync(other), WG_OK); /* not held up by the others */
    assert_int_equal(*free_log, 7);
    assert_int_equal(wg_stream_query(r.stream), WG_NOT_READY);
    assert_int_equal(wg_stream_query(other), WG_OK);
    atomic_store((_Atomic uint32_t *)open, 1);
    assert_int_equal(wg_device_sync(r.dev), WG_OK);
    assert_true(*log == 1234 || *log == 1243);
    rig_close(&r);
}

static void events_order_streams_and_tell_times(void **state) {
    struct rig r;
    struct wg_stream *a, *b;
    struct wg_event *e, *never, *end, *untimed;
    double ms;
    rig_open(&r, kernels, 2);
    uint32_t *m = rig_alloc(&r, 64), *open = m, *log = m + 4;
    wg_stream_create(r.dev, WG_STREAM_NONBLOCKING, 0, &a);
    wg_stream_create(r.dev, WG_STREAM_NONBLOCKING, 0, &b);
    assert_int_equal(wg_event_create(r.dev, WG_EVENT_DEFAULT, &e), WG_OK);
    assert_int_equal(wg_event_create(r.dev, WG_EVENT_DEFAULT, &never), WG_OK);
    assert_int_equal(wg_event_create(r.dev, WG_EVENT_DEFAULT, &end), WG_OK);
    assert_int_equal(wg_event_create(r.dev, WG_EVENT_NO_TIMING, &untimed), WG_OK);
    assert_int_equal(wg_event_query(never), WG_OK);
    assert_int_equal(wg_event_sync(never), WG_OK);
    assert_int_equal(wg_event_elapsed(never, e, &ms), WG_INVALID_HANDLE);
    assert_int_equal(wg_event_elapsed(untimed, untimed, &ms), WG_INVALID_HANDLE);
    put_gate(&r, a, open, log, 1);
    assert_int_equal(wg_event_record(e, a), WG_OK);
    assert_int_equal(wg_event_query(e), WG_NOT_READY);
    assert_int_equal(wg_stream_wait_event(b, e), WG_OK);
    put_gate(&r, b, NULL, log, 2);
    assert_int_equal(wg_event_record(end, b), WG_OK);
    assert_int_equal(wg_event_elapsed(e, end, &ms), WG_NOT_READY);
    assert_int_equal(wg_stream_query(b), WG_NOT_READY);
    usleep(2000);
    assert_int_equal(*log, 0);
    atomic_store((_Atomic uint32_t *)open, 1);
    assert_int_equal(wg_event_sync(end), WG_OK);
    assert_int_equal(*log, 12);
    assert_int_equal(wg_event_elapsed(e, end, &ms), WG_OK);
    assert_true(ms > 0);
    assert_int_equal(wg_event_destroy(e), WG_OK);
    rig_close(&r);
}

struct noted {
    _Atomic uint32_t calls;
    uint32_t *log;
    uint32_t seen;
    enum wg_status status;
};
static void note(void *user, enum wg_status status) {
    struct noted *n = user;
    n->seen = *n->log;
    n->status = status;
    atomic_fetch_add(&n->calls, 1);
}

static void host_functions_are_called_in_order(void **state) {
    struct rig r;
    rig_open(&r, kernels, 2);
    uint32_t *log = rig_alloc(&r, 4);
    struct noted n = {.log = log};
    put_gate(&r, r.stream, NULL, log, 1);
    assert_int_equal(wg_stream_call(r.stream, note, &n, 0), WG_OK);
    put_gate(&r, r.stream, NULL, log, 2);
    assert_int_equal(wg_device_sync(r.dev), WG_OK);
    assert_int_equal(n.calls, 1);
    assert_int_equal(n.seen, 1);
    assert_int_equal(n.status, WG_OK);
    assert_int_equal(*log, 12);
    rig_close(&r);
}

static void copies_and_fills(void **state) {
    struct rig r;
    rig_open(&r, kernels, 3);
    size_t n = 5 << 20;
    uint32_t *d = rig_alloc(&r, n), *h = malloc(n), *back = calloc(1, n);
    for (size_t i = 0; i < n / 4; i++) h[i] = (uint32_t)i * 2654435761u;
    assert_int_equal(
        wg_copy_sync(r.stream, &(struct wg_copy){.dst = d, .src = h, .width = n, .height = 1, .depth = 1}),
        WG_OK);
    assert_int_equal(
        wg_copy_sync(r.stream, &(struct wg_copy){.dst = back, .src = d, .width = n, .height = 1, .depth = 1}),
        WG_OK);
    assert_memory_equal(h, back, n);
    /* 2D: columns 3..9 of rows of 100 bytes to rows of 64. */
    struct wg_copy c = {.dst = back,
                        .src = (char *)d + 3,
                        .width = 7,
                        .height = 1000,
                        .depth = 1,
                        .dst_pitch = 64,
                        .src_pitch = 100};
    assert_int_equal(wg_copy_sync(r.stream, &c), WG_OK);
    for (int y = 0; y < 1000; y++) assert_memory_equal((char *)back + 64 * y, (char *)h + 100 * y + 3, 7);
    /* 3D */
    c = (struct wg_copy){.dst = d,
                         .src = h,
                         .width = 10,
                         .height = 20,
                         .depth = 30,
                         .dst_pitch = 16,
                         .src_pitch = 32,
                         .dst_slice = 512,
                         .src_slice = 1024};
    assert_int_equal(wg_copy_sync(r.stream, &c), WG_OK);
    for (int z = 0; z < 30; z++)
        for (int y = 0; y < 20; y++)
            assert_memory_equal((char *)d + 512 * z + 16 * y, (char *)h + 1024 * z + 32 * y, 10);
    /* Overlapping: it writes nothing else, and sanitizers have nothing to say. */
    c = (struct wg_copy){.dst = back + 4, .src = back, .width = 64, .height = 1, .depth = 1};
    memcpy(back, h, 128);
    assert_int_equal(wg_copy_sync(r.stream, &c), WG_OK);
    assert_memory_equal(back, h, 16);
    assert_memory_equal(back + 20, h + 20, 48);
    /* Fills, also large ones that are cut into pieces. */
    assert_int_equal(wg_fill(r.stream, d, 0, 0x12345678, 4, n / 4, 1), WG_OK);
    assert_int_equal(wg_fill(r.stream, (char *)d + 2, 100, 0xabcd, 2, 3, 50), WG_OK);
    assert_int_equal(wg_fill(r.stream, (char *)d + n - 5, 0, 0xff, 1, 5, 1), WG_OK);
    assert_int_equal(wg_stream_sync(r.stream), WG_OK);
    assert_int_equal(d[n / 8], 0x12345678);
    assert_int_equal(((uint16_t *)d)[1], 0xabcd);
    assert_int_equal(((uint16_t *)d)[51 + 2], 0xabcd);
    assert_int_equal(((uint16_t *)d)[4], 0x5678);
    assert_int_equal(d[n / 4 - 1], 0xffffffff);
    free(h);
    free(back);
    rig_close(&r);
}

static void a_staged_copy_takes_the_bytes_as_they_are(void **state) {
    struct rig r;
    rig_open(&r, kernels, 2);
    uint32_t *m = rig_alloc(&r, 64), *open = m, *log = m + 4, *target = m + 8, value = 5;
    put_gate(&r, r.stream, open, log, 1);
    assert_int_equal(
        wg_copy(r.stream,
                &(struct wg_copy){.dst = target, .src = &value, .width = 4, .height = 1, .depth = 1}),
        WG_OK);
    value = 6;
    assert_int_equal(*target, 0);
    atomic_store((_Atomic uint32_t *)open, 1);
    assert_int_equal(wg_stream_sync(r.stream), WG_OK);
    assert_int_equal(*target, 5);
    rig_close(&r);
}

static void copies_that_leave_their_allocation_are_refused(void **state) {
    struct rig r;
    rig_open(&r, kernels, 1);
    char *d = rig_alloc(&r, 1000), host[2000] = {0};
    struct wg_copy c = {.dst = d, .src = host, .width = 1001, .height = 1, .depth = 1};
    assert_int_equal(wg_copy(r.stream, &c), WG_INVALID_VALUE);
    assert_non_null(strstr(wg_last_detail(), "runs past its allocation of 1000 bytes"));
    c.width = 0;
    assert_int_equal(wg_copy(r.stream, &c), WG_OK);
    c = (struct wg_copy){
        .dst = d, .src = host, .width = 10, .height = 2, .depth = 1, .dst_pitch = 9, .src_pitch = 10};
    assert_int_equal(wg_copy(r.stream, &c), WG_INVALID_VALUE);
    c = (struct wg_copy){
        .dst = d, .src = host, .width = 10, .height = 20, .depth = 1, .dst_pitch = 60, .src_pitch = 10};
    assert_int_equal(wg_copy(r.stream, &c), WG_INVALID_VALUE);
    c.dst_pitch = SIZE_MAX / 2;
    assert_int_equal(wg_copy(r.stream, &c), WG_INVALID_VALUE);
    assert_int_equal(wg_fill(r.stream, d, 0, 1, 4, 251, 1), WG_INVALID_VALUE);
    assert_int_equal(wg_fill(r.stream, d + 1, 0, 1, 4, 2, 1), WG_INVALID_VALUE);
    assert_int_equal(wg_fill(r.stream, host, 0, 1, 1, 2, 1), WG_INVALID_VALUE);
    assert_int_equal(wg_fill(r.stream, NULL, 0, 1, 1, 2, 1), WG_INVALID_VALUE);
    assert_int_equal(wg_device_status(r.dev), WG_OK); /* none of it is sticky */
    rig_close(&r);
}

static void a_destroyed_stream_ends_its_work(void **state) {
    struct rig r;
    struct wg_stream *s;
    rig_open(&r, kernels, 2);
    uint32_t *m = rig_alloc(&r, 64), *open = m, *log = m + 4;
    wg_stream_create(r.dev, WG_STREAM_BLOCKING, 0, &s);
    put_gate(&r, s, open, log, 1);
    put_gate(&r, s, open, log, 2);
    assert_int_equal(wg_stream_destroy(s), WG_OK);
    assert_int_equal(wg_stream_destroy(r.stream), WG_INVALID_HANDLE);
    put_gate(&r, r.stream, NULL, log, 3); /* still behind them */
    atomic_store((_Atomic uint32_t *)open, 1);
    assert_int_equal(wg_device_sync(r.dev), WG_OK);
    assert_int_equal(*log, 123);
    rig_close(&r);
}

static void ever_so_many_launches_are_held_up(void **state) {
    struct rig r;
    rig_open(&r, kernels, 2);
    uint32_t *log = rig_alloc(&r, 4);
    for (int i = 0; i < 20000; i++) put_gate(&r, r.stream, NULL, log, 1);
    assert_int_equal(wg_device_sync(r.dev), WG_OK);
    uint32_t expected = 0;
    for (int i = 0; i < 20000; i++) expected = expected * 10 + 1;
    assert_int_equal(*log, expected);
    rig_close(&r);
}

/* Several threads put work into streams of their own and into a common one. */
static void *busy(void *arg) {
    struct rig *r = arg;
    struct wg_stream *mine = wg_device_stream(r->dev, WG_STREAM_PER_THREAD);
    uint32_t *log;
    if (wg_mem_alloc(r->dev, WG_MEM_DEVICE, 4, (void **)&log) != WG_OK) return "alloc";
    for (int i = 0; i < 200; i++) {
        uint64_t args[] = {0, (uint64_t)log, 1};
        struct wg_launch l = rig_launch(r, "gate", 1, 32, args, 3);
        if (wg_launch(mine, &l) != WG_OK) return "launch";
        if (i % 10 == 0 && wg_stream_sync(mine) != WG_OK) return "sync";
        if (i % 50 == 0 && wg_fill(r->stream, log, 0, 0, 4, 1, 1) != WG_OK) return "fill";
    }
    if (wg_stream_sync(mine) != WG_OK) return "sync";
    return wg_mem_free(r->dev, WG_MEM_DEVICE, log) == WG_OK ? NULL : "free";
}

static void many_threads_use_one_device(void **state) {
    struct rig r;
    pthread_t threads[6];
    rig_open(&r, kernels, 3);
    for (int i = 0; i < 6; i++) assert_int_equal(pthread_create(&threads[i], NULL, busy, &r), 0);
    for (int i = 0; i < 6; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_ptr_equal(wrong, NULL);
    }
    assert_int_equal(wg_device_sync(r.dev), WG_OK);
    rig_close(&r);
}

static void a_forked_child_is_told(void **state) {
    struct rig r;
    rig_open(&r, kernels, 2);
    uint32_t *log = rig_alloc(&r, 4);
    put_gate(&r, r.stream, NULL, log, 1);
    assert_int_equal(wg_device_sync(r.dev), WG_OK);
    pid_t child = fork();
    if (child == 0) {
        void *p;
        bool good = wg_device_sync(r.dev) == WG_NOT_INITIALIZED &&
                    wg_stream_sync(r.stream) == WG_NOT_INITIALIZED &&
                    wg_mem_alloc(r.dev, WG_MEM_DEVICE, 4, &p) == WG_NOT_INITIALIZED &&
                    wg_mem_free(r.dev, WG_MEM_DEVICE, log) == WG_NOT_INITIALIZED;
        wg_device_close(r.dev); /* does nothing, and does not hang */
        _exit(good ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_of_a_stream_is_in_order),
        cmocka_unit_test(legacy_stream_waits_for_blocking_streams),
        cmocka_unit_test(events_order_streams_and_tell_times),
        cmocka_unit_test(host_functions_are_called_in_order),
        cmocka_unit_test(copies_and_fills),
        cmocka_unit_test(a_staged_copy_takes_the_bytes_as_they_are),
        cmocka_unit_test(copies_that_leave_their_allocation_are_refused),
        cmocka_unit_test(a_destroyed_stream_ends_its_work),
        cmocka_unit_test(ever_so_many_launches_are_held_up),
        cmocka_unit_test(many_threads_use_one_device),
        cmocka_unit_test(a_forked_child_is_told),
    };
    return cmocka_run_group_tests_name("machine.stream", tests, NULL, NULL);
}
