/* What limits a kernel and what gets the next block in: every promise is tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/advice.h"

static void the_example_of_the_header(void **state) {
    const struct wg_limits *l = wg_chip_find("sm_90")->limits;
    struct wg_occupancy_kernel k = {.registers = 40, .shared = 48 * 1024, .threads = 256};
    struct wg_occupancy o = wg_occupancy(l, &k);
    struct wg_occupancy_next n = wg_occupancy_next(l, &k);
    assert_int_equal(o.blocks, 4);
    assert_int_equal(wg_occupancy_limiters(&o), 1u << WG_LIMIT_SHARED);
    assert_int_equal(n.blocks, 5);
    assert_int_equal(n.shared, 45568);
    assert_int_equal(n.other_warps, 48);
    assert_int_equal(n.other_threads, 384);
    assert_int_equal(n.other_blocks, 4);
}

/* Reduced to what it says, the kernel fits once more; with one unit above it, it does not. */
static void try_next(const struct wg_limits *l, const struct wg_occupancy_kernel *k) {
    struct wg_occupancy o = wg_occupancy(l, k);
    struct wg_occupancy_next n = wg_occupancy_next(l, k);
    if (n.other_threads) {
        struct wg_occupancy_kernel other = *k;
        other.threads = n.other_threads;
        assert_int_equal(wg_occupancy(l, &other).warps, n.other_warps);
        assert_true(n.other_warps > o.warps);
    }
    if (!n.blocks) return;
    assert_int_equal(n.change, wg_occupancy_limiters(&o));
    struct wg_occupancy_kernel less = *k;
    if (n.change >> WG_LIMIT_REGISTERS & 1) less.registers = n.registers;
    if (n.change >> WG_LIMIT_SHARED & 1) less.shared = n.shared;
    if (n.change >> WG_LIMIT_BARRIERS & 1) less.barriers = n.barriers;
    assert_true(wg_occupancy(l, &less).blocks >= n.blocks);
    if (n.change >> WG_LIMIT_REGISTERS & 1) {
        less.registers++;
        assert_int_equal(wg_occupancy(l, &less).blocks, o.blocks);
    } else if (n.change >> WG_LIMIT_SHARED & 1) {
        less.shared++;
        assert_int_equal(wg_occupancy(l, &less).blocks, o.blocks);
    }
}

static void every_promise_holds(void **state) {
    size_t chips;
    const struct wg_chip *c = wg_chip_list(&chips);
    for (size_t i = 0; i < chips; i++)
        for (uint32_t threads = 32; threads <= 1024; threads += 96)
            for (uint32_t registers = 8; registers < 256; registers += 13)
                for (uint32_t shared = 0; shared <= c[i].limits->shared_optin; shared += 7777)
                    try_next(c[i].limits,
                             &(struct wg_occupancy_kernel){registers, shared, threads, shared % 9});
}

static void what_cannot_run_says_what_would(void **state) {
    const struct wg_limits *l = wg_chip_find("sm_90")->limits;
    struct wg_occupancy_next n =
        wg_occupancy_next(l, &(struct wg_occupancy_kernel){.registers = 128, .threads = 1024});
    assert_int_equal(n.blocks, 1);
    assert_int_equal(n.registers, 64);
    n = wg_occupancy_next(l,
                          &(struct wg_occupancy_kernel){.registers = 32, .shared = 1 << 20, .threads = 128});
    assert_int_equal(n.blocks, 1);
    assert_int_equal(n.shared, 227 * 1024);
    n = wg_occupancy_next(l, &(struct wg_occupancy_kernel){.registers = 16, .threads = 1024});
    assert_int_equal(n.blocks, 0); /* full */
    assert_int_equal(n.other_threads, 0);
    n = wg_occupancy_next(l, &(struct wg_occupancy_kernel){.registers = 16, .threads = 32});
    assert_int_equal(n.blocks, 0); /* 32 blocks, and no more whatever the kernel needs */
    assert_int_equal(n.other_threads, 64);
}

/* launch__waves_per_multiprocessor of an H200. */
static void waves_are_the_hardwares(void **state) {
    static const struct {
        uint64_t blocks;
        struct wg_occupancy_kernel kernel;
        double waves;
    } rows[] = {{65536, {16, 0, 256, 0}, 62.06},      {16384, {16, 0, 1024, 0}, 62.06},
                {4096, {26, 0, 256, 0}, 3.88},        {504000, {20, 0, 128, 0}, 238.64},
                {520000, {28, 2560, 128, 0}, 246.21}, {528, {25, 196608, 512, 0}, 4},
                {528, {25, 65536, 512, 0}, 1.33}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct wg_waves w = wg_occupancy_waves(wg_chip_find("H200"), &rows[i].kernel, rows[i].blocks, 1);
        assert_true(w.waves > rows[i].waves - 0.006 && w.waves < rows[i].waves + 0.006);
    }
    struct wg_waves w =
        wg_occupancy_waves(wg_chip_find("H200"), &(struct wg_occupancy_kernel){25, 65536, 512, 0}, 528, 1);
    assert_int_equal(w.rounds, 2);
    assert_int_equal(w.last, 132);
    assert_true(w.idle > 0.333 && w.idle < 0.334);
    assert_true(w.warps_per_sm > 31.9 && w.warps_per_sm < 32.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_header),
        cmocka_unit_test(every_promise_holds),
        cmocka_unit_test(what_cannot_run_says_what_would),
        cmocka_unit_test(waves_are_the_hardwares),
    };
    return cmocka_run_group_tests_name("model.advice", tests, NULL, NULL);
}
