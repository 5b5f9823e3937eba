/* Strays: what passes near an allocation and what does not, what the pages hold, what is told. */
#include "tests/machine/fixture.h"

#include <stdio.h>
#include <sys/mman.h>

#define MIB (UINT64_C(1) << 20)

/* Lane 0 of each warp stores p1 to address p0, if p2, and loads what is there to address p3. */
__attribute__((no_sanitize("thread"))) static enum wg_warp_status poke(struct wg_warp *w) {
    volatile uint64_t *at = (volatile uint64_t *)param(w, 0);
    if (param(w, 2)) *at = param(w, 1);
    *(volatile uint64_t *)param(w, 3) = *at;
    return WG_WARP_DONE;
}

/* Warp by warp a page further on. */
static enum wg_warp_status sweep(struct wg_warp *w) {
    uint64_t page = (uint64_t)block_index(w) * nwarps(w) + w->id;
    *(volatile uint64_t *)(param(w, 0) + page * 4096) = page;
    return WG_WARP_DONE;
}

/* Block p0 stores a byte, p2, at p1 in the shared memory of the cluster's block p3. */
static enum wg_warp_status overrun(struct wg_warp *w) {
    uint8_t *window = (uint8_t *)w->block->cluster_shared + param(w, 3) * WG_SHARED_STRIDE;
    if (block_index(w) == param(w, 0)) window[param(w, 1)] = (uint8_t)param(w, 2);
    return WG_WARP_DONE;
}

static const struct fake kernels[] = {{.name = "poke", .run = poke},
                                      {.name = "sweep", .run = sweep},
                                      {.name = "overrun", .run = overrun, .shared_bytes = 100},
                                      {.name = "another", .run = overrun, .shared_bytes = 4090},
                                      {0}};

static char told[4096];
static uint32_t ntold;
static void listen(const char *message) {
    snprintf(told, sizeof told, "%s", message);
    ntold++;
}

static void open_rig(struct rig *r, uint32_t strict) {
    struct wg_options o;
    wg_options_init(&o);
    o.threads = 4;
    o.strict = strict;
    o.on_notice = listen;
    ntold = 0;
    rig_open_with(r, kernels, &o);
}

/* What is loaded there; UINT64_MAX: an error. */
static uint64_t ask(struct rig *r, uint64_t at, uint64_t store, uint64_t *result) {
    uint64_t args[] = {at, store, store != 0, (uint64_t)result};
    *result = UINT64_MAX;
    return rig_run(r, "poke", 1, 32, args, 4) == WG_OK ? *result : UINT64_MAX;
}

/* Whether an access so far from the start of an allocation passes. */
static bool passes(uint64_t size, int64_t at, uint32_t strict) {
    struct rig r;
    open_rig(&r, strict);
    /* The result lies where no stray passes by it. */
    uint64_t *result;
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_PINNED, 8, (void **)&result), WG_OK);
    char *p = rig_alloc(&r, size);
    bool pass = ask(&r, (uint64_t)p + (uint64_t)at, 0, result) == 0;
    rig_close(&r);
    return pass;
}

static void as_near_as_a_device_lets_pass(void **state) {
    const int64_t near = 32 * (int64_t)MIB, small = 65536, large = 3 * (int64_t)MIB;
    assert_true(passes(small, -8, 0));
    assert_true(passes(small, -near, 0));
    assert_false(passes(small, -near - 4096, 0));
    assert_true(passes(small, small + 4096, 0));
    assert_true(passes(small, small + near - 4096, 0));
    assert_false(passes(small, small + near + 4096, 0));
    assert_false(passes(small, 1024 * (int64_t)MIB, 0));
    assert_true(passes(large, -near, 0));
    assert_true(passes(large, 4 * (int64_t)MIB - 8, 0));
    assert_false(passes(large, 4 * (int64_t)MIB, 0));
    assert_false(passes(large, 6 * (int64_t)MIB, 0));
    assert_false(passes(small, -4096, 1)); /* strict */
    assert_false(passes(large, large + 8192, 1));
}

static void they_hold_what_was_stored_until_memory_is_allocated_there(void **state) {
    struct rig r;
    open_rig(&r, 0);
    uint64_t *result = rig_alloc(&r, 8);
    char *p = rig_alloc(&r, 4096);
    uint64_t at = (uint64_t)p + 40 * 4096;
    assert_int_equal(ask(&r, at, 0, result), 0);
    assert_int_equal(ask(&r, at, 77, result), 77);
    assert_int_equal(ask(&r, at, 0, result), 77);
    /* Whoever gets the place gets it clean. */
    char *next = NULL;
    bool there = false;
    for (int i = 0; i < 8 && !there; i++) {
        next = rig_alloc(&r, 64 * 4096);
        there = at >= (uint64_t)next && at < (uint64_t)next + 64 * 4096;
    }
    assert_true(there);
    assert_int_equal(*(uint64_t *)at, 0);
    *(uint64_t *)at = 5;
    wg_mem_free(r.dev, WG_MEM_DEVICE, next);
    assert_int_equal(ask(&r, at, 0, result), 0); /* freed memory is near others */
    rig_close(&r);
}

static void with_the_last_allocation_near_they_are_gone(void **state) {
    struct rig r;
    open_rig(&r, 0);
    uint64_t *result;
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_PINNED, 8, (void **)&result), WG_OK);
    char *p = rig_alloc(&r, 4096);
    uint64_t at = (uint64_t)p + MIB;
    assert_int_equal(ask(&r, at, 3, result), 3);
    assert_int_equal(ask(&r, (uint64_t)p - MIB, 4, result), 4);
    wg_mem_free(r.dev, WG_MEM_DEVICE, p);
    assert_int_equal(ask(&r, at, 0, result), UINT64_MAX);
    rig_close(&r);
}

static void the_host_and_blocks_are_not_near(void **state) {
    struct rig r;
    open_rig(&r, 0);
    uint64_t *result = rig_alloc(&r, 8);
    void *host = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_int_equal(ask(&r, (uint64_t)host, 1, result), UINT64_MAX);
    rig_close(&r);
    open_rig(&r, 0);
    result = rig_alloc(&r, 8);
    assert_int_equal(ask(&r, 64, 1, result), UINT64_MAX); /* null */
    rig_close(&r);
    munmap(host, 4096);
}

static void copies_of_the_host_stay_errors(void **state) {
    struct rig r;
    open_rig(&r, 0);
    char *p = rig_alloc(&r, 4096), own[64];
    uint64_t *result = rig_alloc(&r, 8);
    assert_int_equal(ask(&r, (uint64_t)p + 8192, 9, result), 9);
    struct wg_copy c = {.dst = own, .src = p + 4090, .width = sizeof own, .height = 1, .depth = 1};
    assert_int_equal(wg_copy_sync(r.stream, &c), WG_INVALID_VALUE);
    rig_close(&r);
}

static void each_code_is_told_of_once(void **state) {
    struct rig r;
    open_rig(&r, 0);
    char *p = rig_alloc(&r, 4096);
    uint64_t *result = rig_alloc(&r, 8);
    for (int i = 0; i < 100; i++) ask(&r, (uint64_t)p + 8192 + (uint64_t)i * 8, 9, result);
    assert_int_equal(ntold, 1);
    assert_non_null(strstr(told, "access outside all allocations in kernel poke\n"));
    assert_non_null(strstr(told, "4096 bytes past the end of an allocation of 4096 bytes"));
    assert_non_null(strstr(told, "--strict"));
    uint64_t start = (uint64_t)p;
    assert_int_equal(rig_run(&r, "sweep", 40, 32 * 8, &start, 1), WG_OK);
    assert_int_equal(ntold, 2);
    assert_null(strstr(told, "--strict")); /* that is said once */
    rig_close(&r);
}

/* All workers, all over the room at once. */
static void many_at_a_time(void **state) {
    struct rig r;
    open_rig(&r, 0);
    uint64_t start = (uint64_t)rig_alloc(&r, 100);
    for (int i = 0; i < 3; i++) assert_int_equal(rig_run(&r, "sweep", 1000, 32 * 8, &start, 1), WG_OK);
    uint64_t *result = rig_alloc(&r, 8);
    for (uint64_t page = 100; page < 8000; page += 1300) {
        uint64_t is = ask(&r, start + page * 4096, 0, result);
        /* `result` has taken room of them. */
        assert_true(is == page || is == 0);
    }
    rig_close(&r);
}

/* A store there, by one block of 1000; how often that is told of. */
static uint32_t overruns(struct rig *r, const char *kernel, uint64_t at, uint64_t byte, uint64_t rank) {
    uint64_t args[] = {777, at, byte, rank};
    struct wg_launch l = rig_launch(r, kernel, 1000, 32, args, 4);
    l.cluster[0] = rank ? 4 : 1;
    l.cluster[1] = l.cluster[2] = 1;
    ntold = 0;
    assert_int_equal(wg_launch(r->stream, &l), WG_OK);
    enum wg_status status = wg_stream_sync(r->stream);
    return status == WG_OK ? ntold : UINT32_MAX;
}

static void stores_past_shared_memory_are_seen_to_the_page_s_end(void **state) {
    static const uint64_t places[] = {100, 101, 127, 128, 1000, 4095};
    struct rig r;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        open_rig(&r, 0);
        assert_int_equal(overruns(&r, "overrun", 99, 1, 0), 0); /* the last byte that it has */
        assert_int_equal(overruns(&r, "overrun", places[i], 0, 0), 1);
        assert_non_null(strstr(told, "access past the end of shared memory in kernel overrun\n"));
        char place[64];
        snprintf(place, sizeof place, "byte %d of the block's shared memory, which has 100\n",
                 (int)places[i]);
        assert_non_null(strstr(told, place));
        assert_non_null(strstr(told, "--strict"));
        assert_int_equal(overruns(&r, "overrun", places[i], 255, 0), 0); /* the same place */
        assert_int_equal(overruns(&r, "another", 4090, 255, 0), 1); /* of a kernel whose page has no room */
        assert_int_equal(overruns(&r, "another", 8191, 255, 0), 0);
        assert_int_equal(overruns(&r, "another", 8192, 255, 0), UINT32_MAX);
        rig_close(&r);
    }
    open_rig(&r, 0);
    assert_int_equal(overruns(&r, "overrun", 110, 3, 2), 1);
    assert_non_null(strstr(told, "byte 110 of the shared memory of block 2 of the cluster, which has 100\n"));
    rig_close(&r);
    open_rig(&r, 1);
    assert_int_equal(overruns(&r, "overrun", 99, 3, 0), 0);
    assert_int_equal(overruns(&r, "overrun", 100, 3, 0), UINT32_MAX);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_near_as_a_device_lets_pass),
        cmocka_unit_test(they_hold_what_was_stored_until_memory_is_allocated_there),
        cmocka_unit_test(with_the_last_allocation_near_they_are_gone),
        cmocka_unit_test(the_host_and_blocks_are_not_near),
        cmocka_unit_test(copies_of_the_host_stay_errors),
        cmocka_unit_test(each_code_is_told_of_once),
        cmocka_unit_test(many_at_a_time),
        cmocka_unit_test(stores_past_shared_memory_are_seen_to_the_page_s_end),
    };
    return cmocka_run_group_tests_name("machine.stray", tests, NULL, NULL);
}
