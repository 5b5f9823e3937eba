/* Lanes that the hardware does not let meet are counted apart (analysis/apart.h): the kernels of apart.cu count what an H200
 * counted of them by Nsight Compute, in the reference and in generated code at all widths, and all compute the same. */
#include "tests/count/profiled.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 16, OUT = 4096 };

struct run {
    const char *kernel, *args; /* d, e, r: memory; o: the result; a number */
    uint64_t loads, sectors, stores;
};
/* smsp's requests and l1tex's sectors of global loads and requests of global stores: H200, driver 580.159.04, nvcc 13.0.88,
 * Nsight Compute 2025.3.1, 2026-12-01. */
static const struct run runs[] = {
    {"either_fails", "deo", 5, 16, 3}, {"either_holds", "deo", 4, 17, 2},  {"breaks", "do8", 4, 11, 1},
    {"two_ways_out", "do8", 5, 14, 3}, {"one_passes_by", "do8", 7, 16, 1}, {"continues", "deo8", 24, 139, 9},
    {"halves", "deo66", 20, 94, 1},    {"steps", "do", 12, 42, 1},         {"steps", "eo", 12, 58, 1},
    {"falls", "do", 4, 36, 1},         {"falls", "eo", 4, 30, 1},          {"rows", "rdo", 18, 179, 1},
};
enum { RUNS = sizeof runs / sizeof *runs };

static void fill(uint32_t *d, uint32_t *e, uint32_t *r) {
    for (uint32_t i = 0; i < WORDS; i++) {
        d[i] = i % 97;
        e[i] = (i * 7 + 3) % 89;
        r[i] = i * (i + 1) / 8;
    }
}

/* Numbers are times 8: '6' is 48, and '8' 8. */
static void launch(struct profiled *p, const struct run *r, uint32_t *const memory[4]) {
    static const char names[] = "dero";
    unsigned char params[40] = {0};
    size_t at = 0;
    for (const char *c = r->args; *c; c++) {
        const char *name = strchr(names, *c);
        int number = *c == '8' ? 8 : 8 * (*c - '0');
        size_t size = name ? sizeof(void *) : sizeof number;
        memcpy(params + at, name ? (const void *)&memory[name - names] : &number, size);
        at += size;
    }
    profiled_launch(
        p, r->kernel,
        (struct wg_launch){.grid = {1, 1, 1}, .block = {32, 1, 1}, .params = params, .param_bytes = at});
}

/* What all of them leave in the result is added to *left. */
static void run_all(struct profiled_how how, uint32_t *left) {
    struct profiled p;
    struct wg_strbuf ptx = {0};
    bool good = true;
    assert_true(wg_file_read(WG_TEST_DATA "/apart.ptx", &ptx));
    profiled_open(&p, ptx.s, how);
    uint32_t *memory[4];
    for (int i = 0; i < 4; i++) memory[i] = profiled_memory(&p, WORDS * sizeof **memory);
    fill(memory[0], memory[1], memory[2]);
    for (uint32_t i = 0; i < RUNS; i++) {
        launch(&p, &runs[i], memory);
        for (uint32_t k = 0; k < OUT; k++) left[k] = left[k] * 31 + memory[3][k];
    }
    json_t *result = profiled_close(&p);
    for (uint32_t i = 0; i < RUNS; i++) {
        uint64_t loads = profiled_count(result, i, "global_load", "requests"),
                 sectors = profiled_count(result, i, "global_load", "l1_sectors"),
                 stores = profiled_count(result, i, "global_store", "requests");
        if (loads == runs[i].loads && sectors == runs[i].sectors && stores == runs[i].stores) continue;
        print_error("%s %s: %d loads, %d sectors, %d stores\n", runs[i].kernel, runs[i].args, (int)loads,
                    (int)sectors, (int)stores);
        good = false;
    }
    json_decref(result);
    wg_strbuf_free(&ptx);
    assert_true(good);
}

static void lanes_meet_where_the_hardware_lets_them(void **state) {
    (void)state;
    static const struct profiled_how ways[] = {{.backend = WG_BACKEND_REF},
                                               {.backend = WG_BACKEND_JIT},
                                               {.backend = WG_BACKEND_JIT, .width = 256},
                                               {.backend = WG_BACKEND_JIT, .width = 128}};
    uint32_t *expected = calloc(OUT, sizeof *expected);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        uint32_t *left = calloc(OUT, sizeof *left);
        run_all(ways[i], left);
        if (i == 0) memcpy(expected, left, OUT * sizeof *left);
        assert_memory_equal(left, expected, OUT * sizeof *left);
        free(left);
    }
    free(expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_meet_where_the_hardware_lets_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
