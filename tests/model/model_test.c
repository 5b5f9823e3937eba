/* Chips and occupancy against figures that are published or were measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/chip.h"
#include "model/occupancy.h"

static void chips_are_found_by_any_name(void **state) {
    static const char *const names[][2] = {
        {"sm_90", "NVIDIA H200"},
        {"sm_90a", "NVIDIA H200"},
        {"compute_80", "NVIDIA A100-SXM4-40GB"},
        {"9.0", "NVIDIA H200"},
        {"75", "Tesla T4"},
        {"12.0", "NVIDIA GeForce RTX 5090"},
        {"sm_100", "NVIDIA B200"},
        {"h200", "NVIDIA H200"},
        {"V100", "Tesla V100-SXM2-16GB"},
        {"rtx 4090", "NVIDIA GeForce RTX 4090"},
        {"GeForce GT 1030", "NVIDIA GeForce GT 1030"},
        {"NVIDIA H100 PCIe", "NVIDIA H100 PCIe"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct wg_chip *c = wg_chip_find(names[i][0]);
        assert_non_null(c);
        assert_string_equal(c->name, names[i][1]);
    }
    static const char *const none[] = {"",       "sm_", "sm_35",   "sm_99", "sm_90x",
                                       "sm_70a", "9.",  "GeForce", "RTX",   "-1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_null(wg_chip_find(none[i]));
}

static void chips_are_plausible(void **state) {
    size_t n;
    const struct wg_chip *c = wg_chip_list(&n);
    assert_true(n > 20);
    for (size_t i = 0; i < n; i++) {
        assert_true(c[i].sms && c[i].clock_khz > 900000 && c[i].memory_bytes >= (uint64_t)2 << 30);
        assert_true(c[i].limits->shared_optin + c[i].limits->shared_reserved <= c[i].limits->shared_per_sm);
        if (i) assert_true(c[i].limits->cc >= c[i - 1].limits->cc);
    }
    double h200 = wg_chip_bandwidth(wg_chip_find("H200"));
    assert_true(h200 > 4.7e12 && h200 < 5e12);
}

/* As measured on an H200: registers a thread, threads a block, and the blocks an SM that registers and warps
 * let in; and of shared memory (with the 1024 bytes that the system reserves) where the SM was set to give
 * most of it. */
static void occupancy_is_the_hardwares(void **state) {
    static const struct {
        uint32_t registers, threads, by_registers, by_warps;
    } rows[] = {
        {16, 256, 16, 8},  {16, 1024, 4, 2}, {26, 256, 8, 8},   {17, 256, 10, 8},  {32, 256, 8, 8},
        {30, 256, 8, 8},   {31, 1024, 2, 2}, {20, 128, 21, 16}, {16, 128, 32, 16}, {32, 128, 16, 16},
        {28, 128, 16, 16}, {16, 512, 8, 4},  {25, 512, 4, 4},
    };
    static const uint32_t shared[][2] = {{197632, 1}, {132096, 1}, {99328, 2}, {66560, 3}};
    const struct wg_limits *l = wg_chip_find("sm_90")->limits;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct wg_occupancy o =
            wg_occupancy(l, &(struct wg_occupancy_kernel){rows[i].registers, 0, rows[i].threads, 0});
        assert_int_equal(o.by_blocks, 32);
        assert_int_equal(o.by_registers, rows[i].by_registers);
        assert_int_equal(o.by_warps, rows[i].by_warps);
    }
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        assert_int_equal(
            wg_occupancy(l, &(struct wg_occupancy_kernel){25, shared[i][0] - 1024, 512, 0}).by_shared,
            shared[i][1]);
}

/* How an H200 divides an SM's memory between shared memory and L1, by the profiler. A config of 0: only the
 * blocks are known. */
static void shared_memory_is_divided_as_seen(void **state) {
    const struct wg_limits *l = wg_chip_find("H200")->limits;
    char line[256];
    uint32_t rows = 0, threads, registers, shared, config, blocks;
    FILE *f = fopen(WG_TEST_DATA "/shared_config.tsv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        assert_int_equal(sscanf(line, "%u %u %u %u %u", &threads, &registers, &shared, &config, &blocks), 5);
        struct wg_occupancy_kernel k = {.registers = registers, .shared = shared, .threads = threads};
        if (config && wg_occupancy_shared_config(l, &k) != config) print_error("config: %s", line);
        if (config) assert_int_equal(wg_occupancy_shared_config(l, &k), config);
        if (wg_occupancy_shared_limit(l, &k) != blocks) print_error("blocks: %s", line);
        assert_int_equal(wg_occupancy_shared_limit(l, &k), blocks);
        assert_true(wg_occupancy(l, &k).blocks <= blocks);
        rows++;
    }
    fclose(f);
    assert_true(rows > 200);
}

/* What cudaOccupancyMaxActiveClusters says on an H200. */
static void clusters_lie_in_groups_of_sms(void **state) {
    const struct wg_chip *c = wg_chip_find("H200");
    char line[256];
    uint32_t rows = 0, sms = 0, threads, registers, shared, size, clusters;
    FILE *f = fopen(WG_TEST_DATA "/clusters.tsv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        assert_int_equal(sscanf(line, "%u %u %u %u %u", &threads, &registers, &shared, &size, &clusters), 5);
        struct wg_occupancy_kernel k = {.registers = registers, .shared = shared, .threads = threads};
        if (wg_occupancy_clusters(c, &k, size) != clusters) print_error("clusters: %s", line);
        assert_int_equal(wg_occupancy_clusters(c, &k, size), clusters);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 17 * 16);
    for (const struct wg_sm_groups *g = c->groups; g->count; g++) sms += g->count * g->sms;
    assert_int_equal(sms, c->sms);
    /* A chip whose groups are not known: all SMs as one. */
    struct wg_occupancy_kernel k = {.registers = 32, .threads = 1024};
    assert_int_equal(wg_occupancy_clusters(wg_chip_find("H100"), &k, 8), 33);
    assert_int_equal(wg_occupancy_clusters(c, &k, 17), 0);
}

static void odd_questions_have_answers(void **state) {
    const struct wg_limits *l = wg_chip_find("sm_90")->limits;
    uint32_t blocks;
    assert_int_equal(wg_occupancy(l, &(struct wg_occupancy_kernel){32, 0, 0, 0}).blocks, 0);
    assert_int_equal(wg_occupancy(l, &(struct wg_occupancy_kernel){32, 0, 1025, 0}).blocks, 0);
    assert_int_equal(wg_occupancy(l, &(struct wg_occupancy_kernel){256, 0, 32, 0}).blocks, 0);
    assert_int_equal(wg_occupancy(l, &(struct wg_occupancy_kernel){32, 227 * 1024 + 1, 32, 0}).blocks, 0);
    assert_int_equal(wg_occupancy(l, &(struct wg_occupancy_kernel){128, 0, 1024, 0}).blocks, 0);
    assert_int_equal(
        wg_occupancy_best_block(l, &(struct wg_occupancy_kernel){128, 0, 0, 0}, 0, NULL, NULL, &blocks), 512);
    assert_int_equal(blocks, 1);
    assert_int_equal(
        wg_occupancy_best_block(l, &(struct wg_occupancy_kernel){16, 0, 0, 0}, 100, NULL, NULL, &blocks), 64);
    assert_int_equal(wg_occupancy_shared_for(l, &(struct wg_occupancy_kernel){16, 1024, 256, 0}, 8),
                     228 * 1024 / 8 - 1024);
    assert_int_equal(wg_occupancy_shared_for(l, &(struct wg_occupancy_kernel){16, 0, 256, 0}, 9), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_are_found_by_any_name),   cmocka_unit_test(chips_are_plausible),
        cmocka_unit_test(occupancy_is_the_hardwares),    cmocka_unit_test(shared_memory_is_divided_as_seen),
        cmocka_unit_test(clusters_lie_in_groups_of_sms), cmocka_unit_test(odd_questions_have_answers),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
