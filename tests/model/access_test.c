/* The rules of coalescing and of banks against every row that was measured: data/access.tsv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/banks.h"
#include "model/coalesce.h"

enum column { LOAD, STORE, RED, ATOM, WAVEFRONTS, IDEAL_WAVEFRONTS, SECTORS, IDEAL_SECTORS, LINES, COLUMNS };

struct row {
    char op[8], pattern[32];
    uint32_t bytes, lanes;
    uint64_t address[32];
    uint32_t offset[32];
    uint32_t counted[COLUMNS];
};

static bool read_row(char *line, struct row *r) {
    int at = 0, n = 0;
    memset(r, 0, sizeof *r);
    if (sscanf(line, "%7s %u %31s%n", r->op, &r->bytes, r->pattern, &at) != 3) return false;
    for (int c = 0; c < COLUMNS; c++, at += n)
        if (sscanf(line + at, "%u%n", &r->counted[c], &n) != 1) return false;
    for (int l = 0; l < 32; l++, at += n) {
        int offset;
        if (sscanf(line + at, "%d%n", &offset, &n) != 1) return false;
        if (offset < 0) continue;
        r->lanes |= 1u << l;
        r->offset[l] = (uint32_t)offset;
        r->address[l] = 0x7f0000000000 + (uint64_t)offset;
    }
    return true;
}

/* The store of the result that rows with one do beside the access itself. */
static struct wg_global_cost result_store(const struct row *r) {
    uint64_t address[32];
    for (uint32_t l = 0; l < 32; l++) address[l] = l * r->bytes;
    return wg_coalesce(address, r->lanes, r->bytes);
}

static void check(const struct row *r, enum column c, uint32_t expected) {
    if (r->counted[c] != expected)
        fail_msg("%s of %u bytes, %s: column %d is %u, the model says %u", r->op, r->bytes, r->pattern, c,
                 r->counted[c], expected);
}

static void check_shared(const struct row *r) {
    enum wg_shared_kind kind = strcmp(r->op, "lds") == 0     ? WG_SHARED_LOAD
                               : strcmp(r->op, "sts") == 0   ? WG_SHARED_STORE
                               : strcmp(r->op, "atoms") == 0 ? WG_SHARED_ATOMIC
                                                             : WG_SHARED_INCREMENT;
    struct wg_shared_cost c = wg_banks(kind, r->offset, r->lanes, r->bytes);
    check(r, WAVEFRONTS, c.wavefronts);
    check(r, IDEAL_WAVEFRONTS, c.ideal);
}

static void check_global(const struct row *r) {
    bool has_result = strcmp(r->op, "ldg") == 0 || strcmp(r->op, "atomg") == 0;
    struct wg_global_cost c = wg_coalesce(r->address, r->lanes, r->bytes), s = {0};
    if (has_result) s = result_store(r);
    check(r, SECTORS, c.sectors + s.sectors);
    check(r, IDEAL_SECTORS, c.ideal_sectors + s.ideal_sectors);
    check(r, LINES, c.lines + s.lines);
    uint32_t rounds = wg_coalesce_rounds(r->address, r->lanes);
    if (strcmp(r->op, "ldg") == 0)
        check(r, LOAD, c.sectors);
    else if (strcmp(r->op, "stg") == 0)
        check(r, STORE, c.sectors);
    else if (strcmp(r->op, "redg") == 0)
        check(r, RED, rounds);
    else
        check(r, ATOM, rounds);
    if (has_result) check(r, STORE, s.sectors);
}

static void every_measured_row_is_met(void **state) {
    char line[1024];
    struct row r;
    uint32_t rows = 0;
    FILE *f = fopen(WG_TEST_DATA "/access.tsv", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#' || strncmp(line, "op\t", 3) == 0) continue;
        assert_true(read_row(line, &r));
        if (strchr(r.op, 'g'))
            check_global(&r);
        else
            check_shared(&r);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 576);
}

static void no_lanes_cost_nothing(void **state) {
    uint64_t address[32] = {0};
    uint32_t offset[32] = {0};
    struct wg_global_cost g = wg_coalesce(address, 0, 4);
    struct wg_shared_cost s = wg_banks(WG_SHARED_LOAD, offset, 0, 16);
    assert_int_equal(g.sectors + g.ideal_sectors + g.lines, 0);
    assert_int_equal(s.wavefronts + s.ideal, 0);
    assert_int_equal(wg_coalesce_rounds(address, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_measured_row_is_met),
        cmocka_unit_test(no_lanes_cost_nothing),
    };
    return cmocka_run_group_tests_name("model.access", tests, NULL, NULL);
}
