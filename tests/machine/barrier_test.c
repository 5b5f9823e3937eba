/* Blocks, barriers, clusters, grids, turns, deadlocks: how the machine takes warps through a launch. */
#include "tests/machine/fixture.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

/* ---- every block and thread once ---- */

/* p0: uint32_t counts[], one a thread of the grid. */
static enum wg_warp_status count_threads(struct wg_warp *w) {
    uint32_t *counts = (uint32_t *)param(w, 0);
    const uint32_t *n = w->block->ntid;
    uint64_t block =
        block_index(w) + (uint64_t)w->block->nctaid[0] *
                             (w->block->ctaid[1] + (uint64_t)w->block->nctaid[1] * w->block->ctaid[2]);
    for (uint32_t l = 0; l < 32; l++)
        if (w->live >> l & 1) counts[block * (n[0] * n[1] * n[2]) + w->id * 32 + l]++;
    return WG_WARP_DONE;
}

static const struct fake count_kernels[] = {{.name = "count", .run = count_threads}, {0}};

static void every_thread_runs_once(void **state) {
    static const uint32_t shapes[][6] = {
        {1, 1, 1, 1, 1, 1}, {1000, 1, 1, 32, 1, 1}, {7, 5, 3, 33, 1, 1},
        {3, 2, 2, 8, 8, 8}, {2, 1, 1, 1024, 1, 1},  {4099, 1, 1, 40, 1, 1},
    };
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        struct rig r;
        rig_open(&r, count_kernels, threads);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            const uint32_t *s = shapes[i];
            size_t n = (size_t)s[0] * s[1] * s[2] * s[3] * s[4] * s[5];
            uint32_t *counts = rig_alloc(&r, n * 4);
            struct wg_launch l = rig_launch(&r, "count", 1, 1, &counts, 1);
            memcpy(l.grid, s, sizeof l.grid);
            memcpy(l.block, s + 3, sizeof l.block);
            assert_int_equal(wg_launch(r.stream, &l), WG_OK);
            assert_int_equal(wg_device_sync(r.dev), WG_OK);
            for (size_t k = 0; k < n; k++) assert_int_equal(counts[k], 1);
            assert_int_equal(wg_mem_free(r.dev, WG_MEM_DEVICE, counts), WG_OK);
        }
        rig_close(&r);
    }
}

/* ---- __syncthreads ---- */

/* Warps hand a number round in shared memory, a barrier a step: each adds 1 to what the warp before wrote.
 * The last warp leaves early when p1 is set. Result in p0[block]. */
static enum wg_warp_status ring(struct wg_warp *w) {
    uint32_t *shared = (uint32_t *)(w->block->cluster_shared + w->block->shared_offset);
    uint32_t n = nwarps(w), step = w->resume;
    uint32_t *at = (uint32_t *)w->frame; /* state of its own across stops */
    if (step == 0) *at = w->id;
    if (*at != w->id) return fault_at(w, WG_FAULT_TRAP, 0, 0);
    if (step > 0 && step <= n && step - 1 == w->id) shared[w->id] = (w->id ? shared[w->id - 1] : 0) + 1;
    if (step == n + 1) {
        if (w->id == 0) ((uint32_t *)param(w, 0))[block_index(w)] = shared[n - 1];
        return WG_WARP_DONE;
    }
    if (param(w, 1) && w->id == 0 && step == 2) return WG_WARP_DONE;
    return stop_at_barrier(w, 0, step + 1);
}

static void barriers_order_warps(void **state) {
    struct rig r;
    rig_open(&r, (struct fake[]){{.name = "ring", .run = ring, .frame_bytes = 64, .shared_bytes = 256}, {0}},
             3);
    uint32_t *out = rig_alloc(&r, 4 * 500);
    uint64_t args[] = {(uint64_t)out, 0};
    assert_int_equal(rig_run(&r, "ring", 500, 1024, args, 2), WG_OK);
    for (int i = 0; i < 500; i++) assert_int_equal(out[i], 32);
    args[1] = 1; /* a warp that has exited is not waited for */
    memset(out, 0, 2000);
    assert_int_equal(rig_run(&r, "ring", 50, 1024, args, 2), WG_OK);
    rig_close(&r);
}

/* The same, going from warp to warp as generated code may. Warp p2 - 1 comes back in its third step to yield,
 * warp p3 - 1 to fail. */
static enum wg_warp_status chained_ring(struct wg_warp *w) {
    for (;;) {
        enum wg_warp_status s = WG_WARP_DONE;
        if (w->resume == 2 && w->id + 1 == param(w, 3)) return fault_at(w, WG_FAULT_TRAP, 9, 0);
        if (w->resume == 2 && w->id + 1 == param(w, 2) && !w->active++) return WG_WARP_YIELD;
        if (w->live) s = ring(w);
        if (w >= w->block->last) return s;
        if (s == WG_WARP_DONE) w->live = 0;
        w++;
        atomic_store(w->block->current, w);
    }
}

static void warps_go_on_by_themselves(void **state) {
    struct rig r;
    rig_open(
        &r,
        (struct fake[]){{.name = "ring", .run = chained_ring, .frame_bytes = 64, .shared_bytes = 256}, {0}},
        3);
    uint32_t *out = rig_alloc(&r, 4 * 500);
    for (uint64_t yields = 0; yields <= 32; yields++) {
        uint64_t args[] = {(uint64_t)out, yields % 2, yields, 0};
        memset(out, 0, 2000);
        assert_int_equal(rig_run(&r, "ring", 50, 1000, args, 4), WG_OK);
        for (int i = 0; i < 50; i++) assert_int_equal(out[i], yields % 2 ? 0 : 32);
    }
    uint64_t args[] = {(uint64_t)out, 0, 0, 6};
    assert_int_equal(rig_run(&r, "ring", 50, 1000, args, 4), WG_LAUNCH_FAILED);
    const struct wg_fault_record *f = wg_device_fault(r.dev);
    assert_int_equal(f->block[0], 0);
    assert_int_equal(f->thread[0], 5 * 32 + 9);
    rig_close(&r);
}

/* Warp 0 produces, the others consume, with two barriers of 64 threads (bar.arrive, bar.sync). */
static enum wg_warp_status produce(struct wg_warp *w) {
    uint32_t *shared = (uint32_t *)(w->block->cluster_shared + w->block->shared_offset);
    uint32_t *out = (uint32_t *)param(w, 0) + block_index(w);
    uint32_t step = w->resume, rounds = 5;
    w->nwait = 0;
    if (w->id == 0) { /* produce: wait for "empty" (2), fill, arrive at "full" (1) */
        if (step > 0) {
            shared[0] = step;
            w->block->services->bar_arrive(w, w->live, 1, 64);
        }
        if (step == rounds) return WG_WARP_DONE;
        add_wait(w, WG_WAIT_BLOCK, 2, w->live)->threads = 64;
    } else { /* consume: arrive at "empty", wait for "full", add */
        if (step > 0) *out += shared[0];
        if (step == rounds) return WG_WARP_DONE;
        w->block->services->bar_arrive(w, w->live, 2, 64);
        add_wait(w, WG_WAIT_BLOCK, 1, w->live)->threads = 64;
    }
    w->resume = step + 1;
    return WG_WARP_BARRIER;
}

static void counted_barriers_pass_things_on(void **state) {
    struct rig r;
    rig_open(&r, (struct fake[]){{.name = "produce", .run = produce, .shared_bytes = 16}, {0}}, 2);
    uint32_t *out = rig_alloc(&r, 4 * 40);
    assert_int_equal(rig_run(&r, "produce", 40, 64, &out, 1), WG_OK);
    for (int i = 0; i < 40; i++) assert_int_equal(out[i], 1 + 2 + 3 + 4 + 5);
    rig_close(&r);
}

/* bar.red: popc, and, or of "thread < p1". Results of warp 0: p0[0..2]. */
static enum wg_warp_status reduce(struct wg_warp *w) {
    static const uint8_t kinds[] = {WG_M_popc, WG_M_and, WG_M_or};
    uint32_t predicate = 0, step = w->resume;
    if (step > 0 && w->id == 0) ((uint32_t *)param(w, 0))[step - 1] = w->wait[0].result;
    if (step == 3) return WG_WARP_DONE;
    for (uint32_t l = 0; l < 32; l++) predicate |= (uint32_t)(w->id * 32 + l < param(w, 1)) << l;
    w->nwait = 0;
    struct wg_wait *wait = add_wait(w, WG_WAIT_BLOCK, 0, w->live);
    wait->red = kinds[step];
    wait->predicate = predicate;
    w->resume = step + 1;
    return WG_WARP_BARRIER;
}

static void barriers_reduce(void **state) {
    struct rig r;
    rig_open(&r, (struct fake[]){{.name = "reduce", .run = reduce}, {0}}, 2);
    uint32_t *out = rig_alloc(&r, 12);
    for (uint64_t below = 0; below <= 100; below += 50) {
        uint64_t args[] = {(uint64_t)out, below};
        assert_int_equal(rig_run(&r, "reduce", 1, 100, args, 2), WG_OK);
        assert_int_equal(out[0], below);
        assert_int_equal(out[1], below == 100);
        assert_int_equal(out[2], below > 0);
    }
    rig_close(&r);
}

/* Lanes of one warp come to the barrier in two groups. */
static enum wg_warp_status split(struct wg_warp *w) {
    if (w->resume == 0) {
        w->nwait = 0;
        add_wait(w, WG_WAIT_BLOCK, 0, w->live & 0xffff);
        if (w->live >> 16) add_wait(w, WG_WAIT_BLOCK, 0, w->live & 0xffff0000u);
        w->resume = 1;
        return WG_WARP_WAITING;
    }
    for (uint32_t i = 0; i < w->nwait; i++) assert_int_equal(w->wait[i].released, 1);
    atomic_fetch_add((_Atomic uint32_t *)param(w, 0), 1);
    return WG_WARP_DONE;
}

static void split_warps_meet(void **state) {
    struct rig r;
    rig_open(&r, (struct fake[]){{.name = "split", .run = split}, {0}}, 2);
    uint32_t *out = rig_alloc(&r, 4);
    assert_int_equal(rig_run(&r, "split", 30, 100, &out, 1), WG_OK);
    assert_int_equal(*out, 30 * 4);
    rig_close(&r);
}

/* ---- clusters ---- */

/* Each block writes its rank into its shared memory; after the cluster's barrier each reads its neighbour's.
 */
static enum wg_warp_status neighbours(struct wg_warp *w) {
    const struct wg_block *b = w->block;
    if (w->resume == 0) {
        *(uint32_t *)(b->cluster_shared + b->shared_offset) = 100 + b->cluster_ctarank;
        b->services->cluster_arrive(w, w->live);
        w->nwait = 0;
        add_wait(w, WG_WAIT_CLUSTER, 0, w->live);
        w->resume = 1;
        return WG_WARP_WAITING;
    }
    uint32_t next = (b->cluster_ctarank + 1) % b->cluster_nctarank;
    uint32_t linear = b->ctaid[0] + b->nctaid[0] * (b->ctaid[1] + b->nctaid[1] * b->ctaid[2]);
    ((uint32_t *)param(w, 0))[linear] = *(uint32_t *)(b->cluster_shared + (size_t)next * WG_SHARED_STRIDE);
    if (b->ctaid[0] != b->clusterid[0] * b->cluster_nctaid[0] + b->cluster_ctaid[0])
        return fault_at(w, WG_FAULT_TRAP, 0, 0);
    return WG_WARP_DONE;
}

static void clusters_share_memory(void **state) {
    struct rig r;
    rig_open(&r, (struct fake[]){{.name = "neighbours", .run = neighbours, .shared_bytes = 1024}, {0}}, 3);
    uint32_t *out = rig_alloc(&r, 4 * 4 * 16);
    struct wg_launch l = rig_launch(&r, "neighbours", 16, 64, &out, 1);
    l.grid[1] = 4;
    l.cluster[0] = 4;
    l.cluster[1] = 2;
    l.cluster[2] = 1;
    assert_int_equal(wg_launch(r.stream, &l), WG_OK);
    assert_int_equal(wg_device_sync(r.dev), WG_OK);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 16; x++)
            assert_int_equal(out[y * 16 + x], 100 + (x % 4 + y % 2 * 4 + 1) % 8);
    rig_close(&r);
}

/* ---- cooperative grids ---- */

/* p1 rounds: each block adds to p0[round], and after the grid's barrier must see all of them. */
static enum wg_warp_status grid_rounds(struct wg_warp *w) {
    _Atomic uint32_t *counts = (_Atomic uint32_t *)param(w, 0);
    uint32_t round = w->resume, blocks = w->block->nctaid[0];
    if (round > 0 && atomic_load(&counts[round - 1]) != blocks * nwarps(w))
        return fault_at(w, WG_FAULT_TRAP, 0, 0);
    if (round == param(w, 1)) return WG_WARP_DONE;
    atomic_fetch_add(&counts[round], 1);
    w->nwait = 0;
    add_wait(w, WG_WAIT_GRID, 0, w->live);
    w->resume = round + 1;
    return WG_WARP_WAITING;
}

static void grids_synchronise(void **state) {
    for (uint32_t threads = 1; threads < 5; threads++) {
        struct rig r;
        rig_open(&r, (struct fake[]){{.name = "rounds", .run = grid_rounds}, {0}}, threads);
        uint32_t *counts = rig_alloc(&r, 4 * 20);
        uint64_t args[] = {(uint64_t)counts, 20};
        struct wg_launch l = rig_launch(&r, "rounds", 300, 96, args, 2);
        l.cooperative = true;
        assert_int_equal(wg_launch(r.stream, &l), WG_OK);
        assert_int_equal(wg_device_sync(r.dev), WG_OK);
        l.grid[0] = 132 * 64;
        assert_int_equal(wg_launch(r.stream, &l), WG_COOPERATIVE_TOO_LARGE);
        assert_non_null(strstr(wg_last_detail(), "H200"));
        rig_close(&r);
    }
}

static void grid_barrier_needs_a_cooperative_launch(void **state) {
    struct rig r;
    rig_open(&r, (struct fake[]){{.name = "rounds", .run = grid_rounds}, {0}}, 2);
    uint32_t *counts = rig_alloc(&r, 4 * 20);
    uint64_t args[] = {(uint64_t)counts, 20};
    assert_int_equal(rig_run(&r, "rounds", 2, 32, args, 2), WG_LAUNCH_FAILED);
    assert_non_null(strstr(wg_device_fault(r.dev)->message, "cooperative"));
    rig_close(&r);
}

/* ---- turns ---- */

/* Block b waits, yielding, until p0[0] == p1 ? blocks - 1 - b : b, then adds 1: blocks end in (reverse)
 * order. */
static enum wg_warp_status in_turn(struct wg_warp *w) {
    _Atomic uint32_t *at = (_Atomic uint32_t *)param(w, 0);
    uint32_t mine = param(w, 1) ? w->block->nctaid[0] - 1 - block_index(w) : block_index(w);
    if (w->id != 0) {
        if (w->resume == 0) return stop_at_barrier(w, 0, 1);
        return WG_WARP_DONE;
    }
    if (w->resume == 1) return WG_WARP_DONE;
    for (int k = 0; k < LOOKS; k++)
        if (atomic_load(at) == mine) {
            atomic_fetch_add(at, 1);
            return stop_at_barrier(w, 0, 1);
        }
    w->nwait = 0;
    w->active = 1;
    w->resume = 2;
    return WG_WARP_YIELD;
}

static void blocks_that_wait_for_others_end(void **state) {
    for (uint32_t threads = 1; threads <= 3; threads++)
        for (uint64_t reverse = 0; reverse < 2; reverse++) {
            struct rig r;
            rig_open(&r, (struct fake[]){{.name = "in_turn", .run = in_turn}, {0}}, threads);
            uint32_t *at = rig_alloc(&r, 4);
            uint64_t args[] = {(uint64_t)at, reverse};
            /* In reverse all of them have to be there at once, as on the hardware. */
            uint32_t blocks = reverse ? 132 : 400;
            assert_int_equal(rig_run(&r, "in_turn", blocks, 64, args, 2), WG_OK);
            assert_int_equal(*at, blocks);
            rig_close(&r);
        }
}

/* Two launches in two streams that wait for each other: "concurrent kernels". */
static enum wg_warp_status answer(struct wg_warp *w) {
    _Atomic uint32_t *word = (_Atomic uint32_t *)param(w, 0);
    uint32_t wait_for = (uint32_t)param(w, 1);
    for (int k = 0; k < LOOKS; k++)
        if (atomic_load(word) == wait_for) {
            atomic_store(word, wait_for + 1);
            return WG_WARP_DONE;
        }
    w->resume = 1;
    w->nwait = 0;
    return WG_WARP_YIELD;
}

static void kernels_of_two_streams_run_together(void **state) {
    struct rig r;
    struct wg_stream *a, *b;
    rig_open(&r, (struct fake[]){{.name = "answer", .run = answer}, {0}}, 1);
    uint32_t *word = rig_alloc(&r, 4);
    assert_int_equal(wg_stream_create(r.dev, WG_STREAM_NONBLOCKING, 0, &a), WG_OK);
    assert_int_equal(wg_stream_create(r.dev, WG_STREAM_NONBLOCKING, 0, &b), WG_OK);
    for (uint64_t k = 2; k-- > 0;) {
        uint64_t args[] = {(uint64_t)word, k};
        struct wg_launch l = rig_launch(&r, "answer", 1, 32, args, 2);
        assert_int_equal(wg_launch(k ? a : b, &l), WG_OK);
    }
    assert_int_equal(wg_stream_sync(a), WG_OK);
    assert_int_equal(*word, 2);
    rig_close(&r);
}

/* ---- deadlock, endless loops ---- */

/* Warp 0 waits at barrier 1, the others at barrier 0. */
static enum wg_warp_status apart(struct wg_warp *w) {
    return w->resume ? WG_WARP_DONE : stop_at_barrier(w, w->id == 0, 1);
}

static void deadlock_is_told(void **state) {
    struct rig r;
    rig_open(&r, (struct fake[]){{.name = "apart", .run = apart}, {0}}, 2);
    assert_int_equal(rig_run(&r, "apart", 3, 128, NULL, 0), WG_LAUNCH_FAILED);
    const struct wg_fault_record *f = wg_device_fault(r.dev);
    assert_int_equal(f->kind, WG_FAULT_DEADLOCK);
    assert_int_equal(f->block[0], 0);
    assert_non_null(strstr(f->message, "32 threads, (0,0,0) to (31,0,0), wait at barrier 1, fake.cu:11, "
                                       "for 96 threads, (32,0,0) to (127,0,0)\n"));
    assert_non_null(strstr(f->message, "96 threads, (32,0,0) to (127,0,0), wait at barrier 0, fake.cu:11, "
                                       "for 32 threads, (0,0,0) to (31,0,0)\n"));
    /* Sticky. */
    assert_int_equal(rig_run(&r, "apart", 1, 32, NULL, 0), WG_LAUNCH_FAILED);
    rig_close(&r);
}

static enum wg_warp_status forever(struct wg_warp *w) {
    w->resume = 1;
    w->nwait = 0;
    return WG_WARP_YIELD;
}

static void endless_kernels_are_stopped(void **state) {
    struct wg_options o;
    struct rig r;
    wg_options_init(&o);
    o.threads = 2;
    o.timeout = 0.05;
    rig_open_with(&r, (struct fake[]){{.name = "forever", .run = forever}, {0}}, &o);
    assert_int_equal(rig_run(&r, "forever", 1000, 64, NULL, 0), WG_LAUNCH_TIMEOUT);
    assert_non_null(strstr(wg_device_fault(r.dev)->message, "stopped"));
    rig_close(&r);

    rig_open(&r, (struct fake[]){{.name = "forever", .run = forever}, {0}}, 2);
    struct wg_launch l = rig_launch(&r, "forever", 5, 32, NULL, 0);
    assert_int_equal(wg_launch(r.stream, &l), WG_OK);
    assert_int_equal(wg_stream_query(r.stream), WG_NOT_READY);
    wg_device_interrupt(r.dev);
    assert_int_equal(wg_device_sync(r.dev), WG_LAUNCH_TIMEOUT);
    assert_non_null(strstr(wg_device_fault(r.dev)->message, "interrupted"));
    rig_close(&r);
}

/* Its code takes longer to make than the kernel may run. */
static enum wg_warp_status made_late(struct wg_warp *w) {
    const struct timespec long_time = {1, 500 * 1000 * 1000};
    if (w->resume == 0) {
        w->block->services->making(w, true);
        nanosleep(&long_time, NULL);
        w->block->services->making(w, false);
    }
    w->nwait = 0;
    return w->resume++ < 3 ? WG_WARP_YIELD : WG_WARP_DONE;
}

static void making_code_is_not_running_it(void **state) {
    struct wg_options o;
    struct rig r;
    wg_options_init(&o);
    o.threads = 2;
    o.timeout = 1;
    rig_open_with(&r, (struct fake[]){{.name = "made_late", .run = made_late}, {0}}, &o);
    assert_int_equal(rig_run(&r, "made_late", 2, 32, NULL, 0), WG_OK);
    rig_close(&r);
}

static enum wg_warp_status bad_count(struct wg_warp *w) {
    w->nwait = 0;
    add_wait(w, WG_WAIT_BLOCK, 3, w->live)->threads = 40;
    w->resume = 1;
    return WG_WARP_BARRIER;
}

static void impossible_counts_are_told(void **state) {
    struct rig r;
    rig_open(&r, (struct fake[]){{.name = "bad_count", .run = bad_count}, {0}}, 1);
    assert_int_equal(rig_run(&r, "bad_count", 1, 64, NULL, 0), WG_LAUNCH_FAILED);
    assert_non_null(strstr(wg_device_fault(r.dev)->message, "multiple of 32"));
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_runs_once),
        cmocka_unit_test(barriers_order_warps),
        cmocka_unit_test(warps_go_on_by_themselves),
        cmocka_unit_test(counted_barriers_pass_things_on),
        cmocka_unit_test(barriers_reduce),
        cmocka_unit_test(split_warps_meet),
        cmocka_unit_test(clusters_share_memory),
        cmocka_unit_test(grids_synchronise),
        cmocka_unit_test(grid_barrier_needs_a_cooperative_launch),
        cmocka_unit_test(blocks_that_wait_for_others_end),
        cmocka_unit_test(kernels_of_two_streams_run_together),
        cmocka_unit_test(deadlock_is_told),
        cmocka_unit_test(endless_kernels_are_stopped),
        cmocka_unit_test(making_code_is_not_running_it),
        cmocka_unit_test(impossible_counts_are_told),
    };
    return cmocka_run_group_tests_name("machine.barrier", tests, NULL, NULL);
}
