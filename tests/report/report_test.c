/* Pieces of reports: figures, names, patterns of addresses, sums over inlined calls, CSV, expectations. */
#include "report/advice/adviser.h"
#include "report/expect.h"
#include "report/figure.h"
#include "report/measured.h"
#include "report/names.h"
#include "report/paint.h"
#include "report/picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static struct wg_arena arena;

static void figures(void **state) {
    (void)state;
    assert_string_equal(wg_figure(&arena, 0), "0");
    assert_string_equal(wg_figure(&arena, 999), "999");
    assert_string_equal(wg_figure(&arena, 1000), "1,000");
    assert_string_equal(wg_figure(&arena, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(wg_figure_short(&arena, 9999), "9999");
    assert_string_equal(wg_figure_short(&arena, 10000), "10.0 k");
    assert_string_equal(wg_figure_short(&arena, 999499), "999 k");
    assert_string_equal(wg_figure_short(&arena, 999500), "1.00 M");
    assert_string_equal(wg_figure_short(&arena, UINT64_MAX), "18.4 E");
    assert_string_equal(wg_figure_bytes(&arena, 1023), "1023 B");
    assert_string_equal(wg_figure_bytes(&arena, 64 << 20), "64.0 MiB");
    assert_string_equal(wg_figure_ratio(&arena, 32, 1), "32");
    assert_string_equal(wg_figure_ratio(&arena, 9, 4), "2.25");
    assert_string_equal(wg_figure_ratio(&arena, 1, 0), "-");
    assert_string_equal(wg_figure_rough(&arena, 9, 4), "2.2");
    assert_string_equal(wg_figure_percent(&arena, 1, 3), "33 %");
    assert_string_equal(wg_figure_percent(&arena, 1, 100000), "<0.1 %");
    assert_string_equal(wg_figure_percent(&arena, 99999, 100000), ">99.9 %");
    assert_string_equal(wg_figure_percent(&arena, 5, 5), "100 %");
    assert_string_equal(wg_figure_percent(&arena, 0, 5), "0 %");
    assert_string_equal(wg_figure_plural(&arena, 1, "launch", "launches"), "1 launch");
    assert_string_equal(wg_figure_plural(&arena, 2000, "launch", "launches"), "2,000 launches");
}

static void short_names(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"saxpy(int, float, const float *, float *)", "saxpy"},
        {"void tile<1>(int *, int *)", "tile<1>"},
        {"void sum<float, 2>(const float*)", "sum<float, 2>"},
        {"void a::b<c::d(int)>(int)", "a::b<c::d(int)>"},
        {"(anonymous namespace)::k(int)", "(anonymous namespace)::k"},
        {"extern_c_kernel", "extern_c_kernel"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(wg_short_name(&arena, names[i][0]), names[i][1]);
}

static void wrapping(void **state) {
    (void)state;
    struct wg_strbuf out = {0};
    struct wg_paint p = {.out = &out, .width = 20};
    wg_paint_wrapped(&p, 2, WG_INK_BAD, "one two three four five");
    assert_string_equal(out.s, "  one two three four\n  five\n");
    wg_strbuf_free(&out);
    p.colour = true;
    wg_paint(&p, WG_INK_BOLD, "%d", 7);
    assert_string_equal(out.s, "\033[1m7\033[0m");
    wg_strbuf_free(&out);
    assert_int_equal(wg_columns("héllo"), 5);
    assert_int_equal(wg_fitting("héllo", 2), 3);
}

/* ---- Accesses ---------------------------------------------------------------------------------------------
 */

static struct wg_recorded lanes_apart(int64_t first, int64_t stride) {
    struct wg_recorded r = {.lanes = UINT32_MAX};
    for (int l = 0; l < 32; l++) r.address[l] = (uint64_t)(first + stride * l);
    return r;
}

static void patterns(void **state) {
    (void)state;
    struct wg_recorded r = lanes_apart(64, 4);
    assert_int_equal(wg_pattern_of(&r, 4).kind, WG_PATTERN_SIDE_BY_SIDE);
    r = lanes_apart(4096, -4);
    assert_int_equal(wg_pattern_of(&r, 4).kind, WG_PATTERN_SIDE_BY_SIDE);
    r = lanes_apart(0, 16);
    assert_int_equal(wg_pattern_of(&r, 4).kind, WG_PATTERN_STRIDED);
    assert_int_equal(wg_pattern_of(&r, 4).stride, 16);
    r = lanes_apart(0, 0);
    assert_int_equal(wg_pattern_of(&r, 4).kind, WG_PATTERN_ONE_WORD);
    r = lanes_apart(0, 16);
    r.lanes = 0x11111111; /* every fourth lane, 64 bytes apart */
    assert_int_equal(wg_pattern_of(&r, 4).stride, 16);
    r.address[4] = 68;
    assert_int_equal(wg_pattern_of(&r, 4).kind, WG_PATTERN_OTHER);
    r.lanes = 1;
    assert_int_equal(wg_pattern_of(&r, 4).kind, WG_PATTERN_NONE);
}

static void pictures(void **state) {
    (void)state;
    struct wg_recorded r = lanes_apart(16, 4);
    struct wg_sector_picture s;
    wg_picture_sectors(&r, 4, &s);
    assert_int_equal(s.sectors, 5);
    assert_int_equal(s.asked, 128);
    assert_int_equal(s.used[0], 0xffff0000);
    assert_int_equal(s.lanes[4], 0xf0000000);
    struct wg_site site = {.class = WG_CLASS_shared_store, .bytes = 4};
    struct wg_bank_picture b;
    r = lanes_apart(0, 128);
    wg_picture_banks(&r, &site, &b);
    assert_int_equal(b.wavefronts, 32);
    assert_int_equal(b.words[0], 32);
    r = lanes_apart(0, 132);
    wg_picture_banks(&r, &site, &b);
    assert_int_equal(b.wavefronts, 1);
    assert_int_equal(b.words[31], 1);
    site.bytes = 8; /* two groups of 16 lanes */
    r = lanes_apart(0, 8);
    wg_picture_banks(&r, &site, &b);
    assert_int_equal(b.groups, 2);
    assert_int_equal(b.wavefronts, 2);
}

/* ---- A result with an inlined call ------------------------------------------------------------------------
 */

static const char inlined[] =
    "{\"format\": \"warpglass-result\", \"version\": 1, \"program\": \"p\", \"device\": {\"arch\": "
    "\"sm_90\"}, \"kernels\": [{"
    "\"name\": \"_Z1kPKfPf\", \"display\": \"k(float const*, float*)\", \"sites\": ["
    "{\"id\": 0, \"class\": \"global_load\", \"bytes\": 4, \"what\": \"_Z1kPKfPf_param_0\", \"frames\": ["
    " {\"file\": \"k.cu\", \"line\": 3, \"column\": 10}, {\"file\": \"k.cu\", \"line\": 9, \"column\": 5}]},"
    "{\"id\": 1, \"class\": \"global_load\", \"bytes\": 4, \"what\": \"_ZZ1kPKfPfE4tile\", \"frames\": ["
    " {\"file\": \"k.cu\", \"line\": 9, \"column\": 5}, {\"file\": \"k.cu\", \"line\": 9, \"column\": 2}]}],"
    "\"launches\": [{\"index\": 4, \"grid\": [1,1,1], \"block\": [32,1,1], \"totals\": {\"instructions\": 9, "
    "\"unheard_of\": 1},"
    " \"sites\": {\"columns\": [\"site\", \"requests\", \"sectors\", \"ways\", \"unheard_of\"],"
    "  \"rows\": [[0, 2, 8, 3, 5], [1, 1, 4, 2, 5]]}}]}],"
    "\"sources\": [{\"name\": \"k.cu\", \"text\": \"\\n\\n\\n\\n\\n\\n\\nvoid k(const float *in,\\n float "
    "out[]) {\\n}\"}]}";

static void inlined_calls(void **state) {
    (void)state;
    struct wg_strbuf why = {0};
    struct wg_profile *r = wg_profile_parse(&arena, inlined, strlen(inlined), "inlined.json", &why);
    if (!r) fail_msg("%s", why.s);
    struct wg_summaries s;
    assert_true(wg_summarise(&arena, r, &WG_CHOOSE_ALL, &s, &why));
    assert_int_equal(s.n, 1);
    assert_int_equal(s.v[0].line_count, 2);
    const struct wg_line_summary *inside = &s.v[0].lines[0], *caller = &s.v[0].lines[1];
    assert_int_equal(inside->line, 3);
    assert_int_equal(inside->own.of[WG_CLASS_global_load].v[WG_C_sectors], 8);
    assert_int_equal(inside->called.of[WG_CLASS_global_load].v[WG_C_sectors], 0);
    /* Its own load counts once, though its frames name the line twice. */
    assert_int_equal(caller->own.of[WG_CLASS_global_load].v[WG_C_sectors], 4);
    assert_int_equal(caller->called.of[WG_CLASS_global_load].v[WG_C_sectors], 8);
    assert_int_equal(s.v[0].classes.of[WG_CLASS_global_load].v[WG_C_sectors], 12);
    assert_int_equal(s.v[0].classes.of[WG_CLASS_global_load].v[WG_C_ways], 3); /* the greatest, not the sum */

    struct wg_sources sources;
    wg_sources_init(&sources, &arena, r);
    wg_name_memory(&arena, r, &sources);
    assert_string_equal(r->kernels[0].sites[0].what, "in");
    assert_string_equal(r->kernels[0].sites[1].what, "tile");
    wg_strbuf_free(&why);
}

/* ---- Metrics and CSV --------------------------------------------------------------------------------------
 */

static void metric_names(void **state) {
    (void)state;
    size_t n;
    const struct wg_metric *list = wg_metric_list(&n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(list[i].name, list[j].name);
            if (list[i].profiler && list[j].profiler)
                assert_string_not_equal(list[i].profiler, list[j].profiler);
        }
    struct wg_metric m;
    assert_true(wg_metric_find("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", &m));
    assert_string_equal(m.name, "global_load_requests");
    assert_true(wg_metric_find("memory_l1_wavefronts_shared", &m));
    assert_string_equal(m.name, "shared_wavefronts");
    assert_false(wg_metric_find("shared_sectors", &m));
    assert_string_equal(wg_metric_near("shared_conflict"), "shared_conflicts");
    struct wg_by_class c = {0};
    c.of[WG_CLASS_global_load].v[WG_C_sectors] = 32, c.of[WG_CLASS_global_load].v[WG_C_ideal_sectors] = 4;
    c.of[WG_CLASS_global_store].v[WG_C_sectors] = 8, c.of[WG_CLASS_global_store].v[WG_C_ideal_sectors] = 6;
    assert_true(wg_metric_find("global_efficiency", &m));
    assert_true(wg_metric_value(&m, &c) == 25);
    assert_true(wg_metric_find("global_excess_sectors", &m));
    assert_true(wg_metric_value(&m, &c) == 30);
    assert_true(wg_metric_find("global_sectors_per_request", &m));
    assert_true(isnan(wg_metric_value(&m, &c)));
}

static void measured_csv(void **state) {
    (void)state;
    static const char csv[] =
        "==PROF== Connected\n\"ID\",\"Kernel "
        "Name\",\"memory_l1_wavefronts_shared\",\"memory_l1_wavefronts_shared_ideal\"\r\n"
        "\"\",\"\",\"\",\"\"\r\n\"0\",\"k<\"\"a\"\", 1>(int)\",\"1,024\",\"32\"\r\n\"1\",\"k<\"\"a\"\", "
        "1>(int)\",\"1,024\",\"32\"\r\n";
    char path[] = "/tmp/report_test.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, csv, sizeof csv - 1) == sizeof csv - 1);
    close(fd);
    struct wg_measured m;
    struct wg_strbuf why = {0};
    bool good = wg_measured_read_csv(&arena, path, &WG_CHOOSE_ALL, &m, &why);
    unlink(path);
    if (!good) fail_msg("%s", why.s);
    assert_int_equal(m.kernels.n, 1);
    assert_string_equal(m.kernels.v[0].display, "k<\"a\", 1>(int)");
    assert_int_equal(m.kernels.v[0].launches, 2);
    size_t n;
    const struct wg_metric *list = wg_metric_list(&n);
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(list[i].name, "shared_wavefronts")) assert_true(m.kernels.v[0].value[i] == 2048);
        if (!strcmp(list[i].name, "shared_conflicts")) assert_true(m.kernels.v[0].value[i] == 2048 - 64);
        if (!strcmp(list[i].name, "instructions")) assert_true(isnan(m.kernels.v[0].value[i]));
    }
    wg_measured_free(&m);
    wg_strbuf_free(&why);
}

static void kernel_words(void **state) {
    (void)state;
    struct wg_profile_kernel k = {.name = "_ZN1a4tileILi1EEEvPi", .display = "void a::tile<1>(int*)"};
    static const char *const fits[] = {
        "void a::tile<1>(int*)", "_ZN1a4tileILi1EEEvPi", "a::tile<1>", "a::tile", "a::*", "*"};
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) assert_true(wg_kernel_is(&arena, fits[i], &k));
    assert_false(wg_kernel_is(&arena, "a::til", &k));
    assert_false(wg_kernel_is(&arena, "a::tile<2>", &k));
    struct wg_expectations e = {0};
    struct wg_strbuf why = {0};
    assert_true(wg_expect_add(&arena, &e, " a::tile<1>@dir/k.cu:12 : global_sectors<=1.5M", NULL, &why));
    assert_string_equal(e.all.v[0].kernel, "a::tile<1>");
    assert_string_equal(e.all.v[0].file, "dir/k.cu");
    assert_int_equal(e.all.v[0].line, 12);
    assert_int_equal(e.all.v[0].compare, WG_AT_MOST);
    assert_true(e.all.v[0].value == 1.5e6);
    assert_false(wg_expect_add(&arena, &e, "a::tile global_sectors <= 1", NULL, &why));
    wg_expect_free(&e);
    wg_strbuf_free(&why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),      cmocka_unit_test(short_names),  cmocka_unit_test(wrapping),
        cmocka_unit_test(patterns),     cmocka_unit_test(pictures),     cmocka_unit_test(inlined_calls),
        cmocka_unit_test(metric_names), cmocka_unit_test(measured_csv), cmocka_unit_test(kernel_words),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wg_arena_free(&arena);
    return failed;
}
