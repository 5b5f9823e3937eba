/* Which accesses the assembler joins, and which loads it does without: of each kernel of joins.cu, as nvcc's PTX has it
 * (joins.ptx), and of across.ptx, halves.ptx and redundant.ptx the sites have the widths that the machine code has (joins.tsv and so on:
 * "LDS.16:2" are two loads of 16 bytes from shared memory). With the tools, those of made.ptx, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sass_accesses.h"
#include "analysis/sites.h"
#include "base/strbuf.h"

enum { KINDS = 6, WIDTHS = 5 };

/* The kinds in the order of their names, as the table has them. */
static const char *const kinds[KINDS] = {"LDG", "LDL", "LDS", "STG", "STL", "STS"};
static int kind_of(uint8_t class) {
    switch (class) {
    case WG_CLASS_global_load: return 0;
    case WG_CLASS_local_load: return 1;
    case WG_CLASS_shared_load: return 2;
    case WG_CLASS_global_store: return 3;
    case WG_CLASS_local_store: return 4;
    case WG_CLASS_shared_store: return 5;
    default: return -1;
    }
}

static void describe(const struct wg_ir_module *m, const char *kernel, const struct wg_sass *sass,
                     struct wg_strbuf *out) {
    struct wg_arena a = {0};
    uint32_t f = wg_ir_find_func(m, kernel), n[KINDS][WIDTHS] = {{0}};
    if (f == WG_NO_REG) fail_msg("no kernel %s", kernel);
    struct wg_sites *s = wg_sites_find(m, f, sass ? wg_sass_accesses_find(&a, sass, kernel) : NULL);
    for (uint32_t i = 0; i < s->nmemory; i++) {
        /* A generic access has a site for each memory; the first is the global one. */
        bool again =
            s->v[i].space == WG_S_GENERIC && wg_class_infos[s->v[i].class].memory != WG_MEMORY_GLOBAL;
        int k = kind_of(s->v[i].class);
        if (k >= 0 && !again) n[k][__builtin_ctz(s->v[i].bytes)]++;
    }
    wg_sites_free(s);
    wg_arena_free(&a);
    for (int k = 0; k < KINDS; k++)
        for (int w = 0; w < WIDTHS; w++)
            if (n[k][w]) wg_strbuf_printf(out, "%s%s.%d:%u", out->n ? " " : "", kinds[k], 1 << w, n[k][w]);
}

/* How many kernels the table has. `assembled`: with what ptxas makes of them here, in the place of the rules. */
static uint32_t compare(const char *ptx_file, const char *table_file, bool assembled) {
    struct wg_arena a = {0};
    struct wg_strbuf text = {0};
    struct wg_sass sass;
    struct wg_strbuf ptx = {0}, table = {0};
    struct wg_diag d = {0};
    char *lines, *line;
    uint32_t wrong = 0, n = 0;
    assert_true(wg_file_read(ptx_file, &ptx));
    assert_true(wg_file_read(table_file, &table));
    struct wg_ir_module *m = wg_ir_from_ptx(ptx_file, ptx.s, ptx.n, &d);
    if (!m) fail_msg("%s", d.text.s);
    struct wg_sass_question q = {{ptx.s, "sm_90", NULL, 0}, 0};
    if (assembled && !wg_sass_ask(&q, &text)) fail_msg("%s", text.s);
    if (assembled) wg_sass_parse(&a, text.s, &sass);
    for (line = strtok_r(table.s, "\n", &lines); line; line = strtok_r(NULL, "\n", &lines), n++) {
        char *tab = strchr(line, '\t');
        struct wg_strbuf ours = {0};
        assert_non_null(tab);
        *tab = 0;
        describe(m, line, assembled ? &sass : NULL, &ours);
        if (strcmp(ours.s, tab + 1) != 0) {
            print_error("%s: %s, assembled %s\n", line, ours.s, tab + 1);
            wrong++;
        }
        wg_strbuf_free(&ours);
    }
    assert_int_equal(wrong, 0);
    wg_ir_free(m);
    wg_strbuf_free(&text);
    wg_arena_free(&a);
    wg_strbuf_free(&ptx);
    wg_strbuf_free(&table);
    return n;
}

static void accesses_are_as_wide_as_assembled(void **state) {
    (void)state;
    assert_true(compare(WG_TEST_DATA "/joins.ptx", WG_TEST_DATA "/joins.tsv", false) > 100);
}

static void redundant_loads_are_not_there(void **state) {
    (void)state;
    assert_true(compare(WG_TEST_DATA "/redundant.ptx", WG_TEST_DATA "/redundant.tsv", false) > 30);
}

static void accesses_are_joined_across_blocks(void **state) {
    (void)state;
    assert_true(compare(WG_TEST_DATA "/across.ptx", WG_TEST_DATA "/across.tsv", false) > 15);
}

static void halves_of_words_are_joined(void **state) {
    (void)state;
    assert_true(compare(WG_TEST_DATA "/halves.ptx", WG_TEST_DATA "/halves.tsv", false) > 40);
}

/* What is counted of a kernel of made.ptx by the rules, and where the machine code is as the listing has it. */
static void expect_listing(const char *kernel, const char *listing, const char *by_rules,
                           const char *as_made) {
    struct wg_arena a = {0};
    struct wg_strbuf ptx = {0}, rules = {0}, made = {0};
    struct wg_diag d = {0};
    struct wg_sass sass;
    assert_true(wg_file_read(WG_TEST_DATA "/made.ptx", &ptx));
    struct wg_ir_module *m = wg_ir_from_ptx("made.ptx", ptx.s, ptx.n, &d);
    assert_non_null(m);
    wg_sass_parse(&a, listing, &sass);
    describe(m, kernel, NULL, &rules);
    describe(m, kernel, &sass, &made);
    assert_string_equal(rules.s, by_rules);
    assert_string_equal(made.s, as_made);
    wg_ir_free(m);
    wg_arena_free(&a);
    wg_strbuf_free(&rules);
    wg_strbuf_free(&made);
    wg_strbuf_free(&ptx);
}

#define AT(line) "\t//## File \".nv_debug_ptx_txt\", line " #line "\n"
#define IN(text) "        /*0000*/                   " text " ;\n"

/* Listings in the place of the tools. */
static void machine_code_is_believed(void **state) {
    (void)state;
    expect_listing("three_halves",
                   "\t.section\t.text.three_halves,\"ax\",@progbits\n" AT(25) IN("LDS.64 R4, [R0]") AT(31)
                       IN("STG.E desc[UR4][R2.64], R5"),
                   "LDS.2:1 LDS.4:1 STG.4:1", "LDS.8:1 STG.4:1");
    /* Two turns of a loop are no two parts of a vector. */
    expect_listing("low_half",
                   "\t.section\t.text.low_half,\"ax\",@progbits\n" AT(48) IN("LDG.E R3, desc[UR4][R2.64]")
                       IN("LDG.E R4, desc[UR4][R2.64+0x8]") AT(50) IN("STG.E desc[UR4][R4.64], R3"),
                   "LDG.8:1 STG.4:1", "LDG.4:1 STG.4:1");
    /* One load of both ways of a branch counts on either. */
    expect_listing("either_side",
                   "\t.section\t.text.either_side,\"ax\",@progbits\n" AT(93) IN("LDS R4, [R0]") AT(96)
                       IN("STG.E desc[UR4][R2.64], R5"),
                   "LDS.4:2 STG.4:1", "LDS.4:2 STG.4:1");
    /* Two stores that were joined in the line of the second, and beside them the same in the line of the first. */
    expect_listing("swapped_twice",
                   "\t.section\t.text.swapped_twice,\"ax\",@progbits\n" AT(109) IN("LDS.64 R4, [R0]") AT(114)
                       IN("@!P1 STS.64 [R0], R6") AT(118) IN("LDS.64 R4, [R0]") AT(121)
                           IN("@!P1 STS.64 [R0], R6"),
                   "LDS.8:2 STS.8:2", "LDS.8:2 STS.8:2");
}

/* Of kernels that the rules are right about, and of others. */
static void machine_code_says_it_too(void **state) {
    (void)state;
    struct wg_strbuf ptxas = {0}, nvdisasm = {0};
    bool both = wg_cuda_tool_find("ptxas", "WARPGLASS_PTXAS", &ptxas) &&
                wg_cuda_tool_find("nvdisasm", "WARPGLASS_NVDISASM", &nvdisasm);
    wg_strbuf_free(&ptxas);
    wg_strbuf_free(&nvdisasm);
    if (!both) skip();
    compare(WG_TEST_DATA "/joins.ptx", WG_TEST_DATA "/joins.tsv", true);
    compare(WG_TEST_DATA "/redundant.ptx", WG_TEST_DATA "/redundant.tsv", true);
    compare(WG_TEST_DATA "/across.ptx", WG_TEST_DATA "/across.tsv", true);
    compare(WG_TEST_DATA "/halves.ptx", WG_TEST_DATA "/halves.tsv", true);
    compare(WG_TEST_DATA "/made.ptx", WG_TEST_DATA "/made.tsv", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_as_wide_as_assembled), cmocka_unit_test(redundant_loads_are_not_there),
        cmocka_unit_test(accesses_are_joined_across_blocks), cmocka_unit_test(halves_of_words_are_joined),
        cmocka_unit_test(machine_code_is_believed),          cmocka_unit_test(machine_code_says_it_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
