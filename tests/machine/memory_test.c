/* Device memory, limits, options, and the checks a launch goes through. */
#include "machine/device.h"
#include "tests/machine/fixture.h"
#include <stdio.h>
#include <unistd.h>

static enum wg_warp_status nothing(struct wg_warp *w) { return WG_WARP_DONE; }
static const struct fake kernels[] = {
    {.name = "nothing", .run = nothing},
    {.name = "small", .run = nothing, .maxntid = 128},
    {.name = "shared", .run = nothing, .shared_bytes = 40000},
    {0},
};

static void allocations_are_known_and_freed(void **state) {
    struct rig r;
    char *p, *q, *pinned, own[100];
    size_t before, after, total;
    rig_open(&r, kernels, 1);
    assert_int_equal(wg_mem_totals(r.dev, &before, &total), WG_OK);
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 1000, (void **)&p), WG_OK);
    assert_int_equal(wg_mem_alloc_flags(r.dev, WG_MEM_DEVICE, 5 << 20, 7, (void **)&q), WG_OK);
    wg_mem_totals(r.dev, &after, &total);
    assert_int_equal(before - after, 1000 + (5 << 20));
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_PINNED, 100, (void **)&pinned), WG_OK);
    assert_int_equal((uintptr_t)p % 256, 0);
    assert_int_equal(q[(5 << 20) - 1], 0);
    struct wg_mem_info i = wg_mem_query(r.dev, q + 4097);
    assert_int_equal(i.kind, WG_MEM_DEVICE);
    assert_ptr_equal(i.base, q);
    assert_int_equal(i.size, 5 << 20);
    assert_int_equal(i.flags, 7);
    assert_int_not_equal(i.id, wg_mem_query(r.dev, p).id);
    assert_int_equal(wg_mem_query(r.dev, p + 1000).kind, WG_MEM_NONE);
    assert_int_equal(wg_mem_query(r.dev, own).kind, WG_MEM_NONE);
    assert_int_equal(wg_mem_query(r.dev, pinned).kind, WG_MEM_PINNED);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, p + 1), WG_INVALID_VALUE);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, pinned), WG_INVALID_VALUE);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_PINNED, p), WG_INVALID_VALUE);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, own), WG_INVALID_VALUE);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, NULL), WG_OK);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, p), WG_OK);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, p), WG_INVALID_VALUE);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_PINNED, pinned), WG_OK);
    assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, q), WG_OK);
    wg_mem_totals(r.dev, &after, NULL);
    assert_int_equal(before, after);
    rig_close(&r);
}

static void registered_memory(void **state) {
    struct rig r;
    char *own = malloc(10000);
    rig_open(&r, kernels, 1);
    assert_int_equal(wg_mem_register(r.dev, own, 5000, 3), WG_OK);
    assert_int_equal(wg_mem_register(r.dev, own + 4999, 10, 0), WG_ALREADY_REGISTERED);
    assert_int_equal(wg_mem_register(r.dev, own + 5000, 10, 0), WG_OK);
    assert_int_equal(wg_mem_query(r.dev, own + 4999).kind, WG_MEM_REGISTERED);
    assert_int_equal(wg_mem_query(r.dev, own + 4999).flags, 3);
    assert_int_equal(wg_mem_unregister(r.dev, own + 1), WG_NOT_REGISTERED);
    assert_int_equal(wg_mem_unregister(r.dev, own), WG_OK);
    assert_int_equal(wg_mem_unregister(r.dev, own), WG_NOT_REGISTERED);
    assert_int_equal(wg_mem_register(r.dev, NULL, 10, 0), WG_INVALID_VALUE);
    rig_close(&r);
    free(own);
}

static void more_than_there_is(void **state) {
    struct rig r;
    void *p = &r;
    size_t left;
    rig_open(&r, kernels, 1);
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, (size_t)200 << 30, &p), WG_OUT_OF_MEMORY);
    assert_null(p);
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, SIZE_MAX, &p), WG_OUT_OF_MEMORY);
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_PINNED, SIZE_MAX / 2, &p), WG_OUT_OF_MEMORY);
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 0, &p), WG_INVALID_VALUE);
    wg_mem_totals(r.dev, &left, NULL);
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, left + 1, &p), WG_OUT_OF_MEMORY);
    assert_non_null(strstr(wg_last_detail(), "out of memory"));
    assert_int_equal(wg_device_status(r.dev), WG_OK);
    rig_close(&r);
}

static void many_small_allocations(void **state) {
    struct rig r;
    enum { N = 40000 };
    char **p = malloc(N * sizeof *p);
    rig_open(&r, kernels, 1);
    for (int i = 0; i < N; i++) {
        assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 100, (void **)&p[i]), WG_OK);
        p[i][99] = (char)i;
    }
    for (int i = 0; i < N; i += 997) assert_ptr_equal(wg_mem_query(r.dev, p[i] + 99).base, p[i]);
    rig_close(&r);
    free(p);
}

static bool readable(const void *p) {
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    bool can = write(ends[1], p, 1) == 1 && read(ends[0], &byte, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return can;
}

/* What was freed is gone when something of the device's runs, in whichever order it went. */
static void freed_memory_is_gone(void **state) {
    enum { N = 600 };
    static const int steps[] = {1, N - 1, 7, 2};
    for (int order = 0; order < 4; order++) {
        struct rig r;
        char *p[N], *kept;
        rig_open(&r, kernels, 1);
        for (int i = 0; i < N; i++) {
            assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 5000, (void **)&p[i]), WG_OK);
            if (i == N / 2) assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 5000, (void **)&kept), WG_OK);
            p[i][4999] = 1;
        }
        kept[4999] = 7;
        for (int i = 0; i < N; i++)
            if (i * steps[order] % N || !i) wg_mem_free(r.dev, WG_MEM_DEVICE, p[i * steps[order] % N]);
        for (int i = 0; i < N; i++) wg_mem_free(r.dev, WG_MEM_DEVICE, p[i]); /* those that are left */
        assert_int_equal(wg_fill(r.stream, kept, 0, 3, 1, 1, 1), WG_OK);
        assert_int_equal(wg_device_sync(r.dev), WG_OK);
        for (int i = 0; i < N; i++) assert_false(readable(p[i]) || readable(p[i] + 4999));
        assert_int_equal(kept[0], 3);
        assert_int_equal(kept[4999], 7);
        rig_close(&r);
    }
}

static int mappings(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    int n = 0;
    for (int c; maps && (c = fgetc(maps)) != EOF;) n += c == '\n';
    if (maps) fclose(maps);
    return n;
}

/* Holes between allocations need more mappings than a process has: all the same memory is to be had behind
 * that, and nothing that was freed stays. */
static void holes_leave_nothing(void **state) {
    struct rig r;
    enum { N = 80000, MORE = 15000 };
    char **p = malloc(N * sizeof *p);
    rig_open(&r, kernels, 1);
    for (int i = 0; i < N; i++)
        assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 100, (void **)&p[i]), WG_OK);
    for (int odd = 0; odd < 2; odd++) {
        for (int i = odd; i < N; i += 2) assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, p[i]), WG_OK);
        assert_in_range(mappings(), 0, odd ? 10000 : 60000); /* the program wants some, too */
    }
    assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 100, (void **)&p[0]), WG_OK);
    wg_emptied_settle(&r.dev->memory);
    assert_int_equal(r.dev->memory.emptied.owed.n, 0);
    for (int i = 1; i < N; i += 499) assert_false(readable(p[i]));
    for (int i = 1; i < MORE; i++)
        assert_int_equal(wg_mem_alloc(r.dev, WG_MEM_DEVICE, 100, (void **)&p[i]), WG_OK);
    rig_close(&r);
    free(p);
}

static enum wg_status try(struct rig *r, const char *kernel, struct wg_launch l) {
    uint64_t params[PARAMS] = {0};
    l.func = wg_module_func(r->mod, kernel);
    l.params = params;
    l.param_bytes = sizeof params;
    for (int i = 0; i < 3; i++) {
        if (l.grid[i] == 0) l.grid[i] = 1;
        if (l.block[i] == 0) l.block[i] = 1;
    }
    enum wg_status s = wg_launch(r->stream, &l);
    if (s != WG_OK) assert_true(strlen(wg_last_detail()) > 10);
    return s;
}

static void launches_are_checked(void **state) {
    struct rig r;
    struct wg_func_info info;
    rig_open(&r, kernels, 2);
    struct wg_launch none = rig_launch(&r, "nothing", 0, 32, NULL, 0);
    assert_int_equal(wg_launch(r.stream, &none), WG_INVALID_CONFIGURATION);
    none = rig_launch(&r, "nothing", 1, 0, NULL, 0);
    assert_int_equal(wg_launch(r.stream, &none), WG_INVALID_CONFIGURATION);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.block = {1025}}), WG_INVALID_CONFIGURATION);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.block = {32, 33}}), WG_INVALID_CONFIGURATION);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.block = {1, 1, 65}}), WG_INVALID_CONFIGURATION);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.block = {4, 4, 64}}), WG_OK);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.grid = {1, 65536}}), WG_INVALID_CONFIGURATION);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.grid = {1, 1, 65536}}), WG_INVALID_CONFIGURATION);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.grid = {0x80000000u}}), WG_INVALID_CONFIGURATION);
    assert_int_equal(try(&r, "small", (struct wg_launch){.block = {129}}), WG_OUT_OF_RESOURCES);
    assert_int_equal(try(&r, "small", (struct wg_launch){.block = {128}}), WG_OK);
    /* Shared memory. */
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.dynamic_shared = 48 * 1024}), WG_OK);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.dynamic_shared = 48 * 1024 + 1}),
                     WG_INVALID_VALUE);
    assert_non_null(strstr(wg_last_detail(), "cudaFuncSetAttribute"));
    assert_int_equal(try(&r, "shared", (struct wg_launch){.dynamic_shared = 9153}), WG_INVALID_VALUE);
    struct wg_func *f = wg_module_func(r.mod, "nothing");
    assert_int_equal(wg_func_set(f, WG_FUNC_DYNAMIC_SHARED, 227 * 1024 + 1), WG_INVALID_VALUE);
    assert_int_equal(wg_func_set(f, WG_FUNC_DYNAMIC_SHARED, 227 * 1024), WG_OK);
    wg_func_info(f, &info);
    assert_int_equal(info.dynamic_shared_max, 227 * 1024);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.dynamic_shared = 227 * 1024}), WG_OK);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.dynamic_shared = 227 * 1024 + 1}),
                     WG_INVALID_VALUE);
    /* Clusters. */
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.grid = {9}, .cluster = {2}}),
                     WG_INVALID_CLUSTER_SIZE);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.grid = {32}, .cluster = {16}}),
                     WG_INVALID_CLUSTER_SIZE);
    assert_int_equal(wg_func_set(f, WG_FUNC_NONPORTABLE_CLUSTER, 1), WG_OK);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.grid = {32}, .cluster = {16}}), WG_OK);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.grid = {32}, .cluster = {32}}),
                     WG_INVALID_CLUSTER_SIZE);
    assert_int_equal(wg_device_sync(r.dev), WG_OK);
    rig_close(&r);
}

static void older_devices_refuse_newer_things(void **state) {
    struct wg_options o;
    struct rig r;
    struct wg_module *m;
    struct wg_diag d = {0};
    wg_options_init(&o);
    strcpy(o.arch, "sm_70");
    rig_open_with(&r, kernels, &o);
    assert_int_equal(try(&r, "nothing", (struct wg_launch){.grid = {8}, .cluster = {2}}),
                     WG_INVALID_CLUSTER_SIZE);
    const char *text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n";
    assert_int_equal(wg_module_load(r.dev, "new.ptx", text, strlen(text), &m, &d), WG_NO_IMAGE_FOR_DEVICE);
    assert_non_null(strstr(d.text.s, "sm_90"));
    assert_null(m);
    wg_diag_free(&d);
    rig_close(&r);
}

static void occupancy_of_a_kernel(void **state) {
    struct rig r;
    uint32_t blocks, grid, block;
    size_t bytes;
    rig_open(&r, kernels, 1);
    struct wg_func *f = wg_module_func(r.mod, "nothing");
    assert_int_equal(wg_func_occupancy(f, 1024, 0, &blocks), WG_OK);
    assert_int_equal(blocks, 2);
    assert_int_equal(wg_func_occupancy(f, 128, 100 * 1024, &blocks), WG_OK);
    assert_int_equal(blocks, 2);
    assert_int_equal(wg_func_best_block(f, NULL, NULL, 0, 0, &grid, &block), WG_OK);
    assert_int_equal(block, 1024);
    assert_int_equal(grid, 264);
    assert_int_equal(wg_func_shared_for(f, 2, 128, &bytes), WG_OK);
    assert_int_equal(bytes, 114 * 1024);
    rig_close(&r);
}

static void options_say_what_is_wrong(void **state) {
    struct wg_options o;
    struct wg_diag d = {0};
    wg_options_init(&o);
    setenv("WARPGLASS_THREADS", "3", 1);
    setenv("WARPGLASS_ARCH", "sm_80", 1);
    setenv("WARPGLASS_TIMEOUT", "1.5", 1);
    setenv("WARPGLASS_DUMP", "ptx,asm", 1);
    assert_true(wg_options_from_env(&o, &d));
    assert_int_equal(o.threads, 3);
    assert_string_equal(o.arch, "sm_80");
    assert_true(o.timeout == 1.5);
    assert_int_equal(o.dump, WG_DUMP_PTX | WG_DUMP_ASM);
    setenv("WARPGLASS_THREADS", "many", 1);
    setenv("WARPGLASS_ARCH", "sm_13", 1);
    setenv("WARPGLASS_TIMEOUT", "-1", 1);
    setenv("WARPGLASS_DUMP", "ptx,sass", 1);
    setenv("WARPGLASS_BACKEND", "gpu", 1);
    assert_false(wg_options_from_env(&o, &d));
    assert_int_equal(d.errors, 5);
    assert_non_null(strstr(d.text.s, "WARPGLASS_THREADS: 'many'"));
    assert_non_null(strstr(d.text.s, "WARPGLASS_ARCH: 'sm_13'"));
    wg_diag_free(&d);
    for (const char *const *name =
             (const char *const[]){"THREADS", "ARCH", "TIMEOUT", "DUMP", "BACKEND", NULL};
         *name; name++) {
        char full[64] = "WARPGLASS_";
        unsetenv(strcat(full, *name));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_known_and_freed),
        cmocka_unit_test(registered_memory),
        cmocka_unit_test(more_than_there_is),
        cmocka_unit_test(many_small_allocations),
        cmocka_unit_test(freed_memory_is_gone),
        cmocka_unit_test(holes_leave_nothing),
        cmocka_unit_test(launches_are_checked),
        cmocka_unit_test(older_devices_refuse_newer_things),
        cmocka_unit_test(occupancy_of_a_kernel),
        cmocka_unit_test(options_say_what_is_wrong),
    };
    return cmocka_run_group_tests_name("machine.memory", tests, NULL, NULL);
}
