/* The time model's measured constants against the measurement: each must be what docs/results/h200-peaks.tsv
 * and h200-chains.tsv (made by bench/gpu/peaks and chains.cu on an H200) make of it, as it is said here, to the figures that model/time.h
 * gives. There is a row for every constant of WG_TIME_MEASURED, so that none is there without its
 * measurement. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/bound.h"
#include "model/time.h"

static char *file;

static int read_peaks(void **state) {
    enum { MOST = 1 << 16 };
    static const char *const names[] = {WG_RESULTS "/h200-peaks.tsv", WG_RESULTS "/h200-chains.tsv"};
    size_t n = 1;
    file = calloc(1, MOST);
    if (!file) return -1;
    file[0] = '\n';
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(names[i], "r");
        if (!f) return -1;
        n += fread(file + n, 1, MOST - 1 - n, f);
        fclose(f);
    }
    return n > 1000 ? 0 : -1;
}
static int drop_peaks(void **state) {
    free(file);
    return 0;
}

/* The value of a line, as bench/gpu/peaks names it. */
static double peak(const char *name) {
    char line[128];
    snprintf(line, sizeof line, "\n%s\t", name);
    const char *at = strstr(file, line);
    if (!at) fail_msg("neither h200-peaks.tsv nor h200-chains.tsv has a line %s", name);
    return atof(at + strlen(line));
}

/* The mean of cycles that a lane of clusters of 4, 8 and 16 takes. */
static double in_larger_clusters(const char *what, double hz) {
    double sum = 0;
    for (int size = 4; size <= 16; size *= 2) {
        char name[128];
        snprintf(name, sizeof name, "%s, clusters of %d on all SMs, an SM", what, size);
        sum += hz / (peak(name) * 1e9);
    }
    return sum / 3;
}

struct wanted {
    const char *constant;
    double value;
};

static void measured_constants_are_the_measurement(void **state) {
    const struct wg_chip *c = wg_chip_find("H200");
    double hz = c->clock_khz * 1e3, all = hz * c->sms, published = wg_chip_bandwidth(c);
    enum { MACS = 4096 /* of bytes, a cycle and SM */, FEW = 8192 };
    /* A warp's additions to a row are 4 sectors and 32 words, those all over 32 sectors and 32 words. */
    double row = 32 / (peak("additions to rows of 1 Mi words") * 1e9);
    double apart = 32 / (peak("additions all over 1 Mi words") * 1e9);
    double sector = (apart - row) / (32 - 4), word = (apart - 32 * sector) / 32;
    const struct wanted wanted[] = {
        {"start", peak("an empty launch, by the profiler") * 1e-6},
        {"block", hz / (peak("blocks handed out") * 1e9)},
        {"l2_read", peak("read from L2") * 1e9 / all},
        {"l2_write", peak("write to L2") * 1e9 / all},
        {"dram_read", peak("read") * 1e9 / published},
        {"dram_write", peak("write") * 1e9 / published},
        {"dram_copy", peak("copy") * 1e9 / published},
        {"under_way", peak("bytes under way in an SM for 90 %") * c->sms / published},
        {"barrier", peak("a barrier of 256 threads")},
        {"latency_l1", peak("a load that L1 has")},
        {"line", (peak("chain of int in L1, lanes 128 apart") - peak("chain of int in L1, lanes 4 apart")) /
                     (WG_CHIP_WARP - 1)},
        {"latency_l2", peak("a load that L2 has")},
        /* Little's law, where memory is half busy. */
        {"latency_dram", FEW * c->sms / (peak("read with 8192 bytes under way in an SM") * 1e9)},
        {"latency_alone", peak("a load from memory") * 1e-9},
        {"atomic", 1 / (sector * all)},
        {"atomic_word", 1 / (word * all)},
        {"same_sector", hz / (peak("additions to 32 sectors, each lane to another") * 1e9 / 32)},
        {"same_line", peak("atomics: add, 1 lanes 0 words apart, 132 blocks of 256") * 1e-9 * hz},
        {"remote_pair", hz / (peak("additions as read from memory, clusters of 2 on all SMs, an SM") * 1e9)},
        {"remote", in_larger_clusters("additions as read from memory", hz)},
        {"remote_turn_pair",
         WG_CHIP_WARP * hz / (peak("rows of words read, clusters of 2 on all SMs, an SM") * 1e9)},
        {"remote_turn", WG_CHIP_WARP * in_larger_clusters("rows of words read", hz)},
        {"matrix", peak("multiplications with addition of bytes by wgmma") * 1e9 / (MACS * all)},
    };
    const struct wanted here[] = {
#define X(field, value, meaning) {#field, wg_time_constants.field},
        WG_TIME_MEASURED(X)
#undef X
    };
    unsigned wrong = 0;
    assert_int_equal(sizeof here / sizeof *here, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < sizeof here / sizeof *here; i++) {
        assert_string_equal(here[i].constant, wanted[i].constant);
        double off = here[i].value / wanted[i].value - 1;
        printf("  %-16s %10.4g, measured %10.4g\n", here[i].constant, here[i].value, wanted[i].value);
        if (fabs(off) > 0.005) wrong++;
    }
    if (wrong) fail_msg("%u constants of model/time.h are not what h200-peaks.tsv says", wrong);
}

/* A fitted constant lies where the measurement lets it. */
static void fitted_constants_are_possible(void **state) {
    const struct wg_time_constants *k = &wg_time_constants;
    double hz = wg_chip_find("H200")->clock_khz * 1e3;
    assert_true(k->instruction >= peak("an instruction that waits for none"));
    assert_true(k->instruction <= peak("an instruction that waits for the one before"));
    assert_true(k->l1 <= peak("lines of 128 bytes read from L1, an SM") * 1e9 / hz);
    assert_true(k->l1 <=
                peak("words read from a block's own shared memory, clusters of 1, an SM") * 1e9 / 32 / hz);
    double fmas = peak("multiplications with addition of float") * 1e9 / WG_CHIP_WARP;
    assert_true(k->issue <= fmas / (wg_chip_find("H200")->sms * 4 * hz));
    assert_true(k->dispatch >= k->issue && k->dispatch <= fmas / (wg_chip_find("H200")->sms * 4 * hz));
    assert_true(k->stall >= peak("an instruction that waits for none") && k->stall <= k->instruction);
}

/* The clock that the published figures go by is the one that the chip ran at. */
static void the_clock_is_the_chips(void **state) {
    double published = wg_chip_find("H200")->clock_khz / 1e6;
    assert_true(fabs(peak("the clock of an SM") / published - 1) < 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_constants_are_the_measurement),
        cmocka_unit_test(fitted_constants_are_possible),
        cmocka_unit_test(the_clock_is_the_chips),
    };
    return cmocka_run_group_tests_name("model.peaks", tests, read_peaks, drop_peaks);
}
