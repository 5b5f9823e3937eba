/* Races: each classic mistake is found, between the two places, and its correction is clean. Sites are
 * numbers as they come in the text: 1, 2, ... */
#include "race_events.h"
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Woverride-init" /* what a row is, but for what is said behind it */

/* ---- inside a block ---- */

/* Each warp writes its row, then reads the row of the next one. */
static void neighbours(struct scene *s, enum wg_race_space space, bool wait, uint32_t bytes) {
    scene_begin(s, SHAPE());
    struct wg_race_block *b = begin(s, 0);
    for (uint32_t w = 0; w < 4; w++)
        STORE(b, .space = space, ROW(w, 1), .stride = bytes, .bytes = bytes, .from = w * 32 * bytes);
    if (wait) barrier(b, 4);
    for (uint32_t w = 0; w < 4; w++)
        LOAD(b, .space = space, ROW(w, 2), .stride = bytes, .bytes = bytes, .from = (w + 1) % 4 * 32 * bytes);
    wg_race_block_end(b);
    scene_end(s);
}

static void forgotten_barrier(void **state) {
    (void)state;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2)
        for (int space = WG_RACE_GLOBAL; space <= WG_RACE_SHARED; space++) {
            struct scene s = {0};
            neighbours(&s, (enum wg_race_space)space, true, bytes);
            expect_clean(&s);
            neighbours(&s, (enum wg_race_space)space, false, bytes);
            expect(&s, WG_RACE_BLOCK, 1, 2, 1);
            assert_int_equal(s.nfound, 1);
            assert_int_equal(s.found[0].first.warp, 1);
            assert_int_equal(s.found[0].second.warp, 0);
            assert_int_equal(s.found[0].first.lane, 0);
            assert_int_equal(s.found[0].count, 4 * 32 * (bytes < 4 ? bytes : bytes / 4));
        }
}

/* A tile loop: store the tile, wait, read all of it, wait. */
static void tile_loop(struct scene *s, bool before, bool behind) {
    scene_begin(s, SHAPE());
    struct wg_race_block *b = begin(s, 0);
    for (int step = 0; step < 3; step++) {
        for (uint32_t w = 0; w < 4; w++) STORE(b, SHARED, ROW(w, 1), .from = w * 128);
        if (before) barrier(b, 4);
        for (uint32_t w = 0; w < 4; w++)
            for (uint32_t k = 0; k < 4; k++) LOAD(b, SHARED, ROW(w, 2), .from = k * 128);
        if (behind) barrier(b, 4);
    }
    wg_race_block_end(b);
    scene_end(s);
}

static void barriers_of_a_tile_loop(void **state) {
    (void)state;
    struct scene s = {0};
    tile_loop(&s, true, true);
    expect_clean(&s);
    tile_loop(&s, true, false);
    expect(&s, WG_RACE_BLOCK, 2, 1, 1);
    tile_loop(&s, false, true);
    expect(&s, WG_RACE_BLOCK, 1, 2, 1);
}

/* Rows are written, columns read. */
static void transposed_tile(void **state) {
    (void)state;
    for (int wait = 0; wait < 2; wait++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE(.threads = 1024));
        struct wg_race_block *b = begin(&s, 0);
        for (uint32_t w = 0; w < 32; w++) STORE(b, SHARED, ROW(w, 1), .from = w * 128);
        if (wait) barrier(b, 32);
        for (uint32_t w = 0; w < 32; w++) LOAD(b, SHARED, ROW(w, 2), .stride = 128, .from = w * 4);
        wg_race_block_end(b);
        scene_end(&s);
        expect(&s, WG_RACE_BLOCK, 1, 2, !wait);
        if (!wait) assert_int_equal(s.found[0].count, 31 * 32); /* but the diagonal */
    }
}

static void between_lanes(void **state) {
    (void)state;
    for (int sync = 0; sync < 2; sync++)
        for (int order = WG_RACE_WEAK; order <= WG_RACE_VOLATILE; order++) {
            struct scene s = {0};
            scene_begin(&s, SHAPE());
            struct wg_race_block *b = begin(&s, 0);
            STORE(b, SHARED, ROW(0, 1), .order = (enum wg_race_order)order);
            if (sync) wg_race_warp_sync(b, 0, UINT32_MAX);
            LOAD(b, SHARED, ROW(0, 2), .from = 64, .lanes = 0xffff, .order = (enum wg_race_order)order);
            wg_race_block_end(b);
            scene_end(&s);
            expect(&s, WG_RACE_WARP, 1, 2, !sync);
        }
}

/* Half a warp waits for itself: the other half is not ordered by it. */
static void parts_of_a_warp(void **state) {
    (void)state;
    for (uint32_t lane = 0; lane < 32; lane += 31) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        STORE(b, SHARED, ROW(0, 1));
        wg_race_warp_sync(b, 0, 0xffff);
        LOAD(b, SHARED, LANE(0, lane, 2), .from = 4 * 7);
        wg_race_block_end(b);
        scene_end(&s);
        expect(&s, WG_RACE_WARP, 1, 2, lane != 0);
    }
}

/* Knowledge goes on: 0..15 meet, then 15..31 meet. */
static void parts_of_a_warp_in_a_chain(void **state) {
    (void)state;
    struct scene s = {0};
    scene_begin(&s, SHAPE());
    struct wg_race_block *b = begin(&s, 0);
    STORE(b, SHARED, LANE(0, 3, 1));
    wg_race_warp_sync(b, 0, 0xffff);
    wg_race_warp_sync(b, 0, 0xffff8000);
    LOAD(b, SHARED, LANE(0, 20, 2));
    wg_race_block_end(b);
    scene_end(&s);
    expect_clean(&s);
}

static void broadcast_then_write(void **state) {
    (void)state;
    for (uint32_t lane = 0; lane < 32; lane += 31) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        LOAD(b, SHARED, .warp = 0, .site = 1, .lanes = UINT32_MAX, .from = 16);
        STORE(b, SHARED, LANE(0, lane, 2), .from = 16);
        wg_race_block_end(b);
        scene_end(&s);
        expect(&s, WG_RACE_WARP, 1, 2, 1);
    }
}

static void histogram(void **state) {
    (void)state;
    for (int wait = 0; wait < 2; wait++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        for (uint32_t w = 0; w < 4; w++) ATOMIC(b, SHARED, ROW(w, 1), .stride = w * 4);
        if (wait) barrier(b, 4);
        LOAD(b, SHARED, ROW(0, 2));
        wg_race_block_end(b);
        scene_end(&s);
        expect(&s, WG_RACE_BLOCK, 1, 2, !wait);
    }
    struct scene s = {0};
    scene_begin(&s, SHAPE());
    struct wg_race_block *b = begin(&s, 0);
    for (uint32_t w = 0; w < 2; w++) LOAD(b, SHARED, ROW(w, 1)), STORE(b, SHARED, ROW(w, 2));
    wg_race_block_end(b);
    scene_end(&s);
    expect(&s, WG_RACE_BLOCK, 2, 1, 1);
    expect(&s, WG_RACE_BLOCK, 2, 2, 1);
    expect(&s, WG_RACE_BLOCK, 1, 2, 1);
}

/* Warps 0 and 1 meet at barrier 1; warp 2 does not. */
static void named_barriers(void **state) {
    (void)state;
    for (uint32_t reader = 1; reader < 3; reader++) {
        const uint32_t two[4] = {UINT32_MAX, UINT32_MAX};
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        STORE(b, SHARED, ROW(0, 1));
        wg_race_barrier(b, 1, two, two);
        LOAD(b, SHARED, ROW(reader, 2));
        wg_race_block_end(b);
        scene_end(&s);
        expect(&s, WG_RACE_BLOCK, 1, 2, reader == 2);
    }
}

/* A producer that only arrives is not ordered by what it does behind that. */
static void producer_and_consumer(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        const uint32_t consumer[4] = {0, UINT32_MAX};
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        if (!late) STORE(b, SHARED, ROW(0, 1));
        wg_race_barrier_arrive(b, 2, 0, UINT32_MAX);
        if (late) STORE(b, SHARED, ROW(0, 1));
        wg_race_barrier(b, 2, consumer, consumer);
        LOAD(b, SHARED, ROW(1, 2));
        wg_race_block_end(b);
        scene_end(&s);
        expect(&s, WG_RACE_BLOCK, 1, 2, late);
    }
}

/* Nothing of a block before is left in shared memory's rows. */
static void blocks_one_after_the_other(void **state) {
    (void)state;
    struct scene s = {0};
    scene_begin(&s, SHAPE());
    for (uint64_t k = 0; k < 4; k++) {
        struct wg_race_block *b = begin(&s, k);
        if (k % 2) LOAD(b, SHARED, ROW(2, 2), .stride = 8);
        STORE(b, SHARED, ROW(k % 4, 1));
        wg_race_block_end(b);
    }
    scene_end(&s);
    expect(&s, WG_RACE_BLOCK, 2, 1, 2);
    assert_int_equal(s.nfound, 2);
}

/* A spin lock in shared memory; without the fence what it guards is not ordered. */
static void lock_in_a_block(void **state) {
    (void)state;
    for (int fence = 0; fence < 2; fence++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        for (uint32_t t = 0; t < 64; t += 5) {
            ATOMIC(b, SHARED, LANE(t / 32, t % 32, 1), .from = 0);
            LOAD(b, SHARED, LANE(t / 32, t % 32, 2), .from = 64);
            STORE(b, SHARED, LANE(t / 32, t % 32, 3), .from = 64);
            if (fence) wg_race_fence(b, t / 32, 1u << t % 32, WG_RACE_CTA);
            ATOMIC(b, SHARED, LANE(t / 32, t % 32, 4), .from = 0);
        }
        wg_race_block_end(b);
        scene_end(&s);
        if (fence) expect_clean(&s);
        expect(&s, WG_RACE_BLOCK, 3, 2, !fence);
        expect(&s, WG_RACE_WARP, 3, 2, !fence);
    }
}

/* A fence before the block's barrier is old: what a thread did after the barrier is not behind it, whatever it then
 * makes atomics of. */
static void flags_behind_a_barrier(void **state) {
    (void)state;
    for (int fence = 0; fence < 2; fence++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        STORE(b, SHARED, LANE(0, 0, 1), .from = 64);
        wg_race_fence(b, 0, 1, WG_RACE_CTA);
        ATOMIC(b, SHARED, LANE(0, 0, 2), .from = 0);
        barrier(b, 4);
        ATOMIC(b, SHARED, LANE(0, 0, 3), .from = 4);
        STORE(b, SHARED, LANE(0, 0, 4), .from = 128);
        if (fence) wg_race_fence(b, 0, 1, WG_RACE_CTA);
        ATOMIC(b, SHARED, LANE(0, 0, 5), .from = 4);
        ATOMIC(b, SHARED, LANE(1, 0, 6), .from = 4);
        LOAD(b, SHARED, LANE(1, 0, 7), .from = 64);
        LOAD(b, SHARED, LANE(1, 0, 8), .from = 128);
        wg_race_block_end(b);
        scene_end(&s);
        if (fence) expect_clean(&s);
        expect(&s, WG_RACE_BLOCK, 4, 8, !fence);
        assert_int_equal(s.nfound, !fence);
    }
}

/* What a guess finds is as good as an atomic's, and orders nothing. */
static void guess_beside_a_flag(void **state) {
    (void)state;
    for (int guess = 0; guess < 2; guess++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        STORE(b, SHARED, LANE(0, 0, 1), .from = 64);
        wg_race_fence(b, 0, 1, WG_RACE_CTA);
        ATOMIC(b, SHARED, LANE(0, 0, 2), .from = 0);
        LOAD(b, SHARED, LANE(1, 0, 3), .from = 0, .order = guess ? WG_RACE_GUESS : WG_RACE_RELAXED);
        LOAD(b, SHARED, LANE(1, 0, 4), .from = 64);
        wg_race_block_end(b);
        scene_end(&s);
        if (!guess) expect_clean(&s);
        expect(&s, WG_RACE_BLOCK, 2, 3, 0);
        expect(&s, WG_RACE_BLOCK, 1, 4, guess);
    }
}

/* ---- between blocks ---- */

/* out[i] = in[i] + in[i + 1], where out is in, or not. */
static void in_place(void **state) {
    (void)state;
    for (int same = 0; same < 2; same++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE(.threads = 32));
        for (uint64_t k = 0; k < 4; k++) {
            struct wg_race_block *b = begin(&s, k);
            LOAD(b, GLOBAL, ROW(0, 1), .from = k * 128);
            LOAD(b, GLOBAL, ROW(0, 2), .from = k * 128 + 4);
            wg_race_warp_sync(b, 0, UINT32_MAX);
            STORE(b, GLOBAL, ROW(0, 3), .from = k * 128 + (same ? 0 : 8192), .value_step = 1);
            wg_race_block_end(b);
        }
        scene_end(&s);
        if (!same) expect_clean(&s);
        expect(&s, WG_RACE_GRID, 2, 3, same);
        if (same) assert_int_equal(s.found[0].count, 3);
        if (same) assert_int_equal(s.found[0].first.lane, 31);
        if (same) assert_int_equal(s.found[0].second.lane, 0);
    }
}

static int by_sites(const void *a, const void *b) {
    const struct wg_race_found *x = a, *y = b;
    uint64_t p = (uint64_t)x->level << 40 | x->first.site << 20 | x->second.site;
    uint64_t q = (uint64_t)y->level << 40 | y->first.site << 20 | y->second.site;
    if (p == q) p = x->second.block, q = y->second.block;
    return (p > q) - (p < q);
}

/* The same findings in whatever order blocks end. */
static void blocks_in_any_order(void **state) {
    (void)state;
    struct scene first = {0};
    static const uint64_t orders[4][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}};
    for (int k = 0; k < 4; k++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        for (int i = 0; i < 4; i++) {
            uint64_t block = orders[k][i];
            struct wg_race_block *b = begin(&s, block);
            LOAD(b, GLOBAL, ROW(block % 4, 1), .from = block * 64, .stride = 4 + 4 * (block & 1));
            STORE(b, GLOBAL, ROW(block % 4, 2), .from = 128 + block * 8, .value = block);
            ATOMIC(b, GLOBAL, ROW(3, 3), .stride = 0, .from = 160);
            wg_race_block_end(b);
        }
        scene_end(&s);
        assert_true(s.nfound > 3);
        qsort(s.found, s.nfound, sizeof *s.found, by_sites);
        if (!k) first = s;
        assert_int_equal(s.nfound, first.nfound);
        for (uint32_t i = 0; i < s.nfound; i++) {
            assert_int_equal(s.found[i].address, first.found[i].address);
            assert_int_equal(s.found[i].first.block, first.found[i].first.block);
            assert_int_equal(s.found[i].second.block, first.found[i].second.block);
            assert_int_equal(s.found[i].first.site, first.found[i].first.site);
            assert_int_equal(s.found[i].count, first.found[i].count);
        }
    }
}

static void scopes(void **state) {
    (void)state;
    for (int scope = WG_RACE_CTA; scope <= WG_RACE_GPU; scope++)
        for (int blocks = 1; blocks <= 2; blocks++) {
            struct scene s = {0};
            scene_begin(&s, SHAPE());
            for (uint64_t k = 0; k < (uint64_t)blocks; k++) {
                struct wg_race_block *b = begin(&s, k);
                for (uint32_t w = 0; w < 2; w++) {
                    struct of o = {GLOBAL, LANE(w, 0, 1)};
                    uint64_t address[32] = {at_arena(0)};
                    struct wg_race_access a = {.warp = w,
                                               .site = o.site,
                                               .lanes = 1,
                                               .bytes = 4,
                                               .access = WG_RACE_ATOMIC,
                                               .order = WG_RACE_RELAXED,
                                               .scope = (uint8_t)scope,
                                               .address = address};
                    wg_race_access(b, &a);
                }
                wg_race_block_end(b);
            }
            scene_end(&s);
            expect(&s, WG_RACE_GRID, 1, 1, scope == WG_RACE_CTA && blocks == 2);
        }
}

/* The last block adds up what the others left. */
static void last_block(struct scene *s, bool fence, bool wait) {
    scene_begin(s, SHAPE(.ordered = true));
    for (uint64_t k = 0; k < 4; k++) {
        struct wg_race_block *b = begin(s, k);
        STORE(b, GLOBAL, LANE(0, 0, 1), .from = 4096 + 4 * k, .value = k);
        if (!wait) STORE(b, GLOBAL, LANE(1, 0, 5), .from = 8192 + 4 * k, .value = k);
        if (fence) wg_race_fence(b, 0, 1, WG_RACE_GPU);
        ATOMIC(b, GLOBAL, LANE(0, 0, 2));
        barrier(b, 4);
        if (k == 3) {
            LOAD(b, GLOBAL, ROW(0, 3), .from = 4096, .lanes = 0xf);
            if (!wait) LOAD(b, GLOBAL, ROW(0, 6), .from = 8192, .lanes = 0xf);
        }
        wg_race_block_end(b);
    }
    scene_end(s);
}

static void last_block_reduction(void **state) {
    (void)state;
    struct scene s = {0};
    last_block(&s, true, true);
    expect_clean(&s);
    last_block(&s, false, true);
    expect(&s, WG_RACE_GRID, 1, 3, 1);
    assert_int_equal(s.found[0].count, 3);
    last_block(&s, true, false); /* warp 1 wrote, and nobody waited for it */
    expect(&s, WG_RACE_GRID, 5, 6, 1);
    expect(&s, WG_RACE_GRID, 1, 3, 0);
}

/* Each block waits for the flag of the one before it. */
static void look_back(void **state) {
    (void)state;
    for (int fence = 0; fence < 2; fence++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE(.blocks = 300, .ordered = true));
        for (uint64_t k = 0; k < 300; k++) {
            struct wg_race_block *b = begin(&s, k);
            if (k) LOAD(b, GLOBAL, LANE(0, 0, 1), .from = 4 * (k - 1), .order = WG_RACE_VOLATILE);
            if (k) LOAD(b, GLOBAL, LANE(0, 0, 2), .from = 8192 + 4 * (k - 1));
            if (k > 9) LOAD(b, GLOBAL, LANE(0, 0, 3), .from = 8192 + 4 * (k - 9));
            STORE(b, GLOBAL, LANE(0, 0, 4), .from = 8192 + 4 * k, .value = k);
            if (fence) wg_race_fence(b, 0, 1, WG_RACE_GPU);
            STORE(b, GLOBAL, LANE(0, 0, 5), .from = 4 * k, .value = 1, .order = WG_RACE_VOLATILE);
            wg_race_block_end(b);
        }
        scene_end(&s);
        if (fence) expect_clean(&s);
        expect(&s, WG_RACE_GRID, 4, 2, !fence);
        expect(&s, WG_RACE_GRID, 4, 3, !fence);
    }
}

/* Counters behind locks, each its own. */
static void locks_of_a_grid(void **state) {
    (void)state;
    for (int fence = 0; fence < 2; fence++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE(.blocks = 200, .ordered = true));
        for (uint64_t k = 0; k < 200; k++) {
            struct wg_race_block *b = begin(&s, k);
            uint64_t lock = k * 7 % 5 * 4;
            ATOMIC(b, GLOBAL, LANE(0, 0, 1), .from = lock);
            LOAD(b, GLOBAL, LANE(0, 0, 2), .from = 4096 + lock);
            STORE(b, GLOBAL, LANE(0, 0, 3), .from = 4096 + lock, .value = k);
            if (fence) wg_race_fence(b, 0, 1, WG_RACE_GPU);
            ATOMIC(b, GLOBAL, LANE(0, 0, 4), .from = lock);
            wg_race_block_end(b);
        }
        scene_end(&s);
        if (fence) expect_clean(&s);
        expect(&s, WG_RACE_GRID, 3, 2, !fence);
    }
}

static void grid_barrier(void **state) {
    (void)state;
    for (int sync = 0; sync < 2; sync++) {
        struct scene s = {0};
        struct wg_race_block *b[4];
        scene_begin(&s, SHAPE(.ordered = true));
        for (uint64_t k = 0; k < 4; k++) {
            b[k] = begin(&s, k);
            STORE(b[k], GLOBAL, ROW(0, 1), .from = 128 * k, .value_step = 1);
        }
        if (sync) wg_race_grid_barrier(s.grid);
        for (uint64_t k = 0; k < 4; k++) LOAD(b[k], GLOBAL, ROW(1, 2), .from = 128 * (3 - k));
        for (uint64_t k = 0; k < 4; k++) wg_race_block_end(b[k]);
        scene_end(&s);
        expect(&s, WG_RACE_GRID, 1, 2, !sync);
    }
}

static void distributed_shared(void **state) {
    (void)state;
    for (int sync = 0; sync < 2; sync++) {
        struct scene s = {0};
        struct wg_race_block *peers[2] = {0};
        scene_begin(&s, SHAPE(.cluster = 2));
        for (uint32_t k = 0; k < 2; k++) wg_race_block_begin(s.grid, k, k, peers, shared_memory[k]);
        struct wg_race_block *b[2] = {peers[0], peers[1]};
        for (uint32_t k = 0; k < 2; k++) STORE(b[k], SHARED, ROW(0, 1), .from = k * WG_RACE_WINDOW);
        for (uint32_t k = 0; k < 2; k++) STORE(b[k], GLOBAL, ROW(0, 4), .from = k * 128, .value_step = 1);
        if (sync) wg_race_cluster_barrier(b, 2);
        for (uint32_t k = 0; k < 2; k++) LOAD(b[k], SHARED, ROW(0, 2), .from = (1 - k) * WG_RACE_WINDOW);
        for (uint32_t k = 0; k < 2; k++) LOAD(b[k], GLOBAL, ROW(0, 5), .from = (1 - k) * 128);
        if (sync) wg_race_cluster_barrier(b, 2);
        for (uint32_t k = 0; k < 2; k++) STORE(b[k], SHARED, ROW(1, 3), .from = k * WG_RACE_WINDOW);
        for (uint32_t k = 0; k < 2; k++) wg_race_block_end(b[k]);
        scene_end(&s);
        if (sync) expect_clean(&s);
        if (!sync) expect(&s, WG_RACE_CLUSTER, 1, 2, 2);
        if (!sync) expect(&s, WG_RACE_CLUSTER, 2, 3, 2);
        if (!sync) expect(&s, WG_RACE_BLOCK, 1, 3, 2);
        if (!sync) expect(&s, WG_RACE_CLUSTER, 4, 5, 1);
        if (!sync) expect(&s, WG_RACE_CLUSTER, 5, 4, 1);
    }
}

static uint32_t warnings;
static void warned(uint64_t bytes, uint64_t most_bytes) {
    assert_true(bytes > most_bytes / 2 && most_bytes == 128 * 1024);
    warnings++;
}

static void limited_memory(void **state) {
    (void)state;
    warnings = 0;
    struct scene s = {.most_bytes = 128 * 1024, .filling = warned};
    scene_begin(&s, SHAPE());
    for (uint64_t k = 0; k < 4; k++) {
        struct wg_race_block *b = begin(&s, k);
        for (uint64_t i = 0; i < 8; i++) STORE(b, GLOBAL, ROW(0, 1), .from = i * 65536, .value_step = 1);
        wg_race_block_end(b);
    }
    wg_race_end(s.grid);
    s.grid = NULL;
    assert_true(wg_race_bytes(s.race) <= 128 * 1024);
    assert_true(wg_race_left_out(s.race) > 0);
    assert_int_equal(warnings, 1);
    scene_end(&s);
    expect(&s, WG_RACE_GRID, 1, 1, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forgotten_barrier),
        cmocka_unit_test(barriers_of_a_tile_loop),
        cmocka_unit_test(transposed_tile),
        cmocka_unit_test(between_lanes),
        cmocka_unit_test(parts_of_a_warp),
        cmocka_unit_test(parts_of_a_warp_in_a_chain),
        cmocka_unit_test(broadcast_then_write),
        cmocka_unit_test(histogram),
        cmocka_unit_test(named_barriers),
        cmocka_unit_test(producer_and_consumer),
        cmocka_unit_test(blocks_one_after_the_other),
        cmocka_unit_test(lock_in_a_block),
        cmocka_unit_test(flags_behind_a_barrier),
        cmocka_unit_test(guess_beside_a_flag),
        cmocka_unit_test(in_place),
        cmocka_unit_test(blocks_in_any_order),
        cmocka_unit_test(scopes),
        cmocka_unit_test(last_block_reduction),
        cmocka_unit_test(look_back),
        cmocka_unit_test(locks_of_a_grid),
        cmocka_unit_test(grid_barrier),
        cmocka_unit_test(distributed_shared),
        cmocka_unit_test(limited_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
