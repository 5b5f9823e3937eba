/* What bounds the launches of data/time.tsv, in a sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/bound.h"

static const char *statement(const struct wg_bound_input *in, struct wg_bound *b) {
    static struct wg_strbuf text;
    wg_strbuf_free(&text);
    *b = wg_bound(wg_chip_find("H200"), in);
    wg_bound_statement(b, in, &text);
    return text.s;
}

/* 4096 x 4096 ints. */
static struct wg_bound_input transpose(void) {
    struct wg_bound_input in = {.time = {.blocks = 16384,
                                         .threads = 1024,
                                         .blocks_per_sm = 2,
                                         .instructions = 9961472,
                                         .load_requests = 524288,
                                         .load_trips = 524288,
                                         .store_sectors = 2097152,
                                         .read_bytes = 67108864,
                                         .written_bytes = 67108864},
                                .requests = 1048576,
                                .ideal_sectors = 4194304,
                                .bytes_asked = 134217728};
    return in;
}

static void columns_move_what_nobody_asked_for(void **state) {
    struct wg_bound b;
    struct wg_bound_input in = transpose();
    in.time.global_lines = 17301504, in.time.load_sectors = 16777216, in.time.block_sectors = 2097152;
    in.sectors = 18874368;
    assert_string_equal(statement(&in, &b), "memory-bound: 78 % of the sectors moved were unused");
    assert_true(b.sectors_per_request == 18 && b.ideal_per_request == 4);
}

static void rows_wait(void **state) {
    struct wg_bound b;
    struct wg_bound_input in = transpose();
    in.time.global_lines = 1048576, in.time.load_sectors = 2097152;
    in.sectors = 4194304;
    assert_string_equal(
        statement(&in, &b),
        "waiting for memory: 8.2 KB of loads are in flight in each SM, and 24.6 KB would saturate the "
        "chip's memory: use more warps, or more or wider loads per thread");
    assert_true(b.unasked == 0);
    assert_true(b.bandwidth < b.peak);
    in.time.blocks = 504000, in.time.threads = 128, in.time.blocks_per_sm = 16;
    assert_string_equal(statement(&in, &b),
                        "limited by block scheduling (504000 small blocks): put more work in each block");
}

static void conflicts_are_named(void **state) {
    struct wg_bound b;
    struct wg_bound_input in = transpose();
    in.time.global_lines = 1048576, in.time.load_sectors = 2097152, in.sectors = 4194304;
    in.time.shared_wavefronts = 17301504, in.ideal_wavefronts = 1048576;
    assert_string_equal(statement(&in, &b),
                        "limited by shared memory: 94 % of its wavefronts are bank conflicts");
}

/* One warp on one SM, which loads one word after another. */
static void one_warp_waits(void **state) {
    struct wg_bound b;
    struct wg_bound_input in = {.time = {.blocks = 1,
                                         .threads = 1,
                                         .blocks_per_sm = 32,
                                         .instructions = 40000,
                                         .load_requests = 10000,
                                         .load_trips = 10000,
                                         .load_sectors = 10000,
                                         .load_ideal = 10000,
                                         .read_bytes = 40000},
                                .sectors = 10000,
                                .ideal_sectors = 10000,
                                .requests = 10000,
                                .bytes_asked = 40000};
    assert_string_equal(
        statement(&in, &b),
        "waiting for memory: less than a byte of loads are in flight in each SM, and 24.6 KB would "
        "saturate the chip's memory: use more warps, or more or wider loads per thread");
    in.time.load_sectors = 0;
    assert_string_equal(
        statement(&in, &b),
        "waiting for printf, malloc or free, which take hundreds to thousands of instructions a call");
    (void)state;
}

static void other_sentences(void **state) {
    struct wg_bound b;
    struct wg_bound_input in = {
        .time = {.blocks = 1, .threads = 32, .blocks_per_sm = 16, .instructions = 20}};
    assert_non_null(strstr(statement(&in, &b), "too short to matter"));
    in.time.blocks = 1000, in.time.instructions = 1e9, in.time.threads = 512, in.time.blocks_per_sm = 4;
    assert_non_null(strstr(statement(&in, &b), "compute-bound"));
    in.time.instructions = 1e6, in.time.atomic_turns = 1 << 24, in.time.atomic_sectors = 1 << 23;
    in.time.atomic_bytes = 1024;
    assert_string_equal(statement(&in, &b), "limited by atomics: 16777216 of them contend for 32 sectors");
    in.time.atomic_turns = in.time.atomic_sectors = 0, in.time.remote_lanes = 1 << 24, in.time.cluster = 4;
    assert_non_null(strstr(statement(&in, &b), "distributed shared memory"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_move_what_nobody_asked_for),
        cmocka_unit_test(rows_wait),
        cmocka_unit_test(conflicts_are_named),
        cmocka_unit_test(one_warp_waits),
        cmocka_unit_test(other_sentences),
    };
    return cmocka_run_group_tests_name("model.bound", tests, NULL, NULL);
}
