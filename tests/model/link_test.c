/* The link model against docs/results/h200-links.tsv, which bench/gpu/links.cu made on two H200s: each row of a copy or of
 * a kernel in a peer's memory is modelled from what the program did there, and the error is that of docs/devices.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/link.h"

static char *file;

static int read_file(void **state) {
    (void)state;
    enum { MOST = 1 << 14 };
    FILE *f = fopen(WG_RESULTS "/h200-links.tsv", "r");
    file = calloc(1, MOST);
    if (!f || !file) return -1;
    size_t n = fread(file, 1, MOST - 1, f);
    fclose(f);
    return n > 1000 ? 0 : -1;
}

static int drop_file(void **state) {
    (void)state;
    free(file);
    return 0;
}

static double measured(const char *name) {
    char line[128];
    snprintf(line, sizeof line, "\n%s\t", name);
    const char *at = strstr(file, line);
    if (!at) fail_msg("h200-links.tsv has no line %s", name);
    return atof(at + strlen(line));
}

/* In percent; `most`: what the page says. */
static void compare(const char *name, double model, double most) {
    double is = measured(name), error = 100 * (model / is - 1);
    print_message("%-48s %10.4g %10.4g %+6.1f %%\n", name, is, model, error);
    if (fabs(error) > most) fail_msg("%s: %g by the model, %g measured: %.1f %%", name, model, is, error);
}

static void copies(void **state) {
    (void)state;
    static const struct {
        uint64_t bytes;
        double most[2]; /* percent; without peer access, with it */
    } rows[] = {{4, {0.3, 0.2}},    {64, {0.7, 0.4}},      {1024, {5.7, 0.5}},     {16384, {5.9, 1.2}},
                {262144, {3, 7.1}}, {4194304, {4.3, 2.1}}, {67108864, {2.3, 0.8}}, {1073741824, {0.2, 0.3}}};
    for (int peer = 0; peer < 2; peer++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char name[64];
            snprintf(name, sizeof name, "copy, %s peer access, %llu bytes", peer ? "with" : "without",
                     (unsigned long long)rows[i].bytes);
            compare(name, 1e6 * wg_link_copy((double)rows[i].bytes, peer), rows[i].most[peer]);
        }
}

static double seconds(struct wg_link_use u) { return wg_link_kernel(wg_chip_find("H200"), &u).seconds; }

static void kernels(void **state) {
    (void)state;
    const double n = 1 << 20; /* of warps' accesses; a warp of 16 bytes a lane has 16 sectors, of 4 lines */
    compare("loads of 16 bytes in a peer's memory",
            n * 512 * 1e-9 / seconds((struct wg_link_use){.load_sectors = n * 16, .load_lines = n * 4}), 0.3);
    compare("stores of 16 bytes in a peer's memory",
            n * 512 * 1e-9 / seconds((struct wg_link_use){.store_sectors = n * 16, .store_lines = n * 4}),
            0.3);
    compare("random loads of 4 bytes in a peer's memory",
            n * 1e-9 / seconds((struct wg_link_use){.load_sectors = n, .load_lines = n}), 0.2);
    static const double most[] = {0.1, 4.2, 3.9};
    for (int i = 0; i < 3; i++) {
        char name[64];
        unsigned distinct = 1u << 10 * i;
        snprintf(name, sizeof name, "additions to %u words in a peer's memory", distinct);
        compare(name, n * 1e-9 / seconds((struct wg_link_use){.atomics = n, .atomic_sectors = distinct}),
                most[i]);
    }
    compare("a load that needs the last one's result in a peer's memory",
            seconds((struct wg_link_use){.waits = 1000}) / 1000 * wg_chip_find("H200")->clock_khz * 1e3, 0.1);
}

/* Loads and stores go different ways; 512 MiB each took as long as 389 GB/s of one. */
static void both_directions(void **state) {
    (void)state;
    struct wg_link_use loads = {.load_sectors = 1e6, .load_lines = 25e4}, both = loads;
    both.store_sectors = 1e6, both.store_lines = 25e4;
    assert_true(seconds(both) < 1.01 * seconds(loads));
    assert_true(measured("copies in both directions at once, 512 MiB each, both together") > 1.9 * 396);
}

static void others(void **state) {
    (void)state;
    const struct wg_chip *h = wg_chip_find("H200"), *a = wg_chip_find("A100");
    assert_true(wg_link_is_known(h, h));
    assert_false(wg_link_is_known(h, a) || wg_link_is_known(a, h) || wg_link_is_known(a, a) ||
                 wg_link_is_known(h, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(kernels),
                                       cmocka_unit_test(both_directions), cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, read_file, drop_file);
}
