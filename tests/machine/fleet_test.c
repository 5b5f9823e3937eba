/* Devices of one process: waiting for each other's work, and reaching each other's memory. */
#include "machine/fleet.h"
#include "tests/machine/fixture.h"
#include "warp/touch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* Waits until p0[0] is set. */
static enum wg_warp_status gate(struct wg_warp *w) {
    _Atomic uint32_t *open = (_Atomic uint32_t *)param(w, 0);
    for (int k = 0; k < LOOKS; k++)
        if (atomic_load(open)) return WG_WARP_DONE;
    w->resume = 1;
    w->nwait = 0;
    return WG_WARP_YIELD;
}
/* Whether the kernel may touch p0[0]: into p1[0]. */
static enum wg_warp_status ask(struct wg_warp *w) {
    uint32_t *answer = (uint32_t *)param(w, 1);
    *answer = w->block->services->may_touch(w, param(w, 0), 4);
    return WG_WARP_DONE;
}
/* How often the kernel may touch 4 bytes at each of the p1[0] addresses at p0, three times in turn: into p2[0]. */
static enum wg_warp_status ask_in_turn(struct wg_warp *w) {
    uint32_t *answer = (uint32_t *)param(w, 2), n = (uint32_t)param(w, 1);
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < n; i++) *answer += wg_may_touch(w, ((uint64_t *)param(w, 0))[i], 4);
    return WG_WARP_DONE;
}
static const struct fake kernels[] = {{.name = "gate", .run = gate},
                                      {.name = "ask", .run = ask},
                                      {.name = "ask_in_turn", .run = ask_in_turn},
                                      {0}};

struct pair {
    struct wg_fleet *fleet;
    struct rig r[2];
};

static void open_pair(struct pair *p) {
    struct wg_options o;
    wg_options_init(&o);
    o.threads = 2;
    o.fleet = p->fleet = wg_fleet_new();
    o.ndevices = 2;
    for (o.ordinal = 0; o.ordinal < 2; o.ordinal++) rig_open_with(&p->r[o.ordinal], kernels, &o);
}

static void close_pair(struct pair *p) {
    for (int i = 0; i < 2; i++)
        if (p->r[i].dev) rig_close(&p->r[i]);
    wg_fleet_free(p->fleet);
}

static void *allocate(struct rig *r, enum wg_mem_kind kind) {
    void *p;
    assert_int_equal(wg_mem_alloc(r->dev, kind, 4096, &p), WG_OK);
    return p;
}

/* An event of one device's, behind a kernel that has not ended, holds up the other device's stream. */
static void waits_for_the_other(void **state) {
    struct pair p = {0};
    open_pair(&p);
    _Atomic uint32_t *open = allocate(&p.r[0], WG_MEM_PINNED);
    uint32_t *x = allocate(&p.r[1], WG_MEM_DEVICE);
    uint64_t args[] = {(uint64_t)open};
    struct wg_event *e;
    struct wg_stream *s;
    assert_int_equal(wg_event_create(p.r[0].dev, 0, &e), WG_OK);
    assert_int_equal(wg_stream_create(p.r[1].dev, WG_STREAM_NONBLOCKING, 0, &s), WG_OK);
    struct wg_launch l = rig_launch(&p.r[0], "gate", 1, 32, args, 1);
    assert_int_equal(wg_launch(p.r[0].stream, &l), WG_OK);
    assert_int_equal(wg_event_record(e, p.r[0].stream), WG_OK);
    assert_int_equal(wg_event_record(e, s), WG_INVALID_HANDLE);
    assert_int_equal(wg_stream_wait_event(s, e), WG_OK);
    assert_int_equal(wg_fill(s, x, 0, 7, 4, 1, 1), WG_OK);
    usleep(20000);
    assert_int_equal(wg_stream_query(s), WG_NOT_READY);
    assert_int_equal(*x, 0);
    atomic_store(open, 1);
    assert_int_equal(wg_stream_sync(s), WG_OK);
    assert_int_equal(*x, 7);
    close_pair(&p);
}

static bool may_touch(struct rig *r, const void *p) {
    uint32_t *answer = allocate(r, WG_MEM_DEVICE);
    uint64_t args[] = {(uint64_t)p, (uint64_t)answer};
    assert_int_equal(rig_run(r, "ask", 1, 32, args, 2), WG_OK);
    bool yes = *answer;
    assert_int_equal(wg_mem_free(r->dev, WG_MEM_DEVICE, answer), WG_OK);
    return yes;
}

static void reaches_what_it_may(void **state) {
    struct pair p = {0};
    static uint32_t own[64];
    open_pair(&p);
    char *device = allocate(&p.r[1], WG_MEM_DEVICE), *pooled = allocate(&p.r[1], WG_MEM_DEVICE);
    wg_mem_show_to(p.r[1].dev, pooled, 0);
    assert_int_equal(wg_mem_register(p.r[1].dev, own, sizeof own, 0), WG_OK);
    assert_true(may_touch(&p.r[1], device));
    assert_false(may_touch(&p.r[0], device));
    assert_true(may_touch(&p.r[0], allocate(&p.r[1], WG_MEM_PINNED)));
    assert_true(may_touch(&p.r[0], allocate(&p.r[1], WG_MEM_MANAGED)));
    assert_true(may_touch(&p.r[0], own));
    assert_false(may_touch(&p.r[0], own + 64));
    wg_device_let(p.r[0].dev, p.r[1].dev, true);
    assert_true(wg_device_reaches(p.r[0].dev, p.r[1].dev));
    assert_false(wg_device_reaches(p.r[1].dev, p.r[0].dev));
    assert_true(may_touch(&p.r[0], device + 4092));
    assert_false(may_touch(&p.r[0], device + 4096)); /* a whole allocation, and no more */
    assert_false(may_touch(&p.r[0], device + 4094));
    assert_false(may_touch(&p.r[0], pooled)); /* it says for itself */
    wg_mem_show_to(p.r[1].dev, pooled, 1u << 0);
    assert_true(may_touch(&p.r[0], pooled));
    wg_device_let(p.r[0].dev, p.r[1].dev, false);
    assert_false(may_touch(&p.r[0], device));
    assert_true(may_touch(&p.r[0], pooled));
    struct wg_device *owner;
    assert_int_equal(wg_mem_query_owner(p.r[0].dev, device + 8, &owner).kind, WG_MEM_DEVICE);
    assert_ptr_equal(owner, p.r[1].dev);
    close_pair(&p);
}

/* More allocations than are kept of those found, and a place at the end of each that is half outside. */
static void finds_them_again(void **state) {
    enum { N = 3 * WG_GIVEN };
    struct pair p = {0};
    open_pair(&p);
    uint64_t *at = allocate(&p.r[0], WG_MEM_MANAGED);
    uint32_t *answer = allocate(&p.r[0], WG_MEM_MANAGED);
    for (int n = 1; n <= N; n++) {
        at[n - 1] = (uint64_t)allocate(&p.r[1], WG_MEM_MANAGED) + (n % 3 ? 4092 : 4094);
        *answer = 0;
        uint64_t args[] = {(uint64_t)at, (uint64_t)n, (uint64_t)answer};
        assert_int_equal(rig_run(&p.r[0], "ask_in_turn", 1, 32, args, 3), WG_OK);
        assert_int_equal(*answer, 3 * (n - n / 3));
    }
    close_pair(&p);
}

static void *open_soon(void *open) {
    usleep(30000);
    atomic_store((_Atomic uint32_t *)open, 1);
    return NULL;
}

/* A device that is closed lets another one's copy from its memory end. */
static void closes_behind_copies(void **state) {
    struct pair p = {0};
    pthread_t thread;
    open_pair(&p);
    _Atomic uint32_t *open = allocate(&p.r[0], WG_MEM_PINNED);
    uint32_t *from = allocate(&p.r[1], WG_MEM_DEVICE), *to = allocate(&p.r[0], WG_MEM_DEVICE);
    uint64_t args[] = {(uint64_t)open};
    struct wg_launch l = rig_launch(&p.r[0], "gate", 1, 32, args, 1);
    struct wg_copy c = {to, from, 4096, 1, 1, 0, 0, 0, 0};
    from[1023] = 9;
    assert_int_equal(wg_launch(p.r[0].stream, &l), WG_OK);
    assert_int_equal(wg_copy(p.r[0].stream, &c), WG_OK);
    assert_int_equal(pthread_create(&thread, NULL, open_soon, (void *)open), 0);
    rig_close(&p.r[1]);
    p.r[1].dev = NULL;
    assert_int_equal(to[1023], 9);
    pthread_join(thread, NULL);
    assert_int_equal(wg_stream_sync(p.r[0].stream), WG_OK);
    close_pair(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_the_other),
        cmocka_unit_test(reaches_what_it_may),
        cmocka_unit_test(finds_them_again),
        cmocka_unit_test(closes_behind_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
