/* The switches of forms, and what a plan says of them. */
#include "analysis/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BIT(form) (UINT64_C(1) << WG_FORM_##form)

static void lists_of_switches(void **state) {
    static const struct {
        const char *text;
        uint32_t level;
        uint64_t off;
    } good[] = {{"2", 2, 0},
                {"0", 0, 0},
                {"1,-jam,-trace", 1, BIT(jam) | BIT(trace)},
                {"-jam", 2, BIT(jam)},
                {"-jam,+jam", 2, 0},
                {"-all", 2, (UINT64_C(1) << WG_FORMS) - 1},
                {"-all,+structures", 2, ((UINT64_C(1) << WG_FORMS) - 1) & ~BIT(structures)}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint32_t level = 2;
        uint64_t off = 0;
        assert_null(wg_forms_parse(good[i].text, &level, &off));
        assert_int_equal(level, good[i].level);
        assert_true(off == good[i].off);
    }
    static const char *const bad[] = {"", "3", "22", "2,jam", "-", "2,-jamm", "-ja", "x", "2;-jam"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t level = 2;
        uint64_t off = 0;
        assert_non_null(wg_forms_parse(bad[i], &level, &off));
    }
}

static void levels_modes_and_switches(void **state) {
    struct wg_code_opts o = {.opt_level = 2};
    for (uint32_t f = 0; f < WG_FORMS; f++) {
        assert_true(wg_may_use(&o, f));
        o.forms_off = UINT64_C(1) << f;
        assert_false(wg_may_use(&o, f));
        o.forms_off = 0;
        assert_non_null(strchr("abcdefghijklmnopqrstuvwxyz", wg_form_info(f)->name[0]));
        for (uint32_t other = 0; other < f; other++)
            assert_string_not_equal(wg_form_info(f)->name, wg_form_info(other)->name);
    }
    o.opt_level = 1;
    assert_false(wg_may_use(&o, WG_FORM_jam));
    assert_true(wg_may_use(&o, WG_FORM_structures));
    o = (struct wg_code_opts){.opt_level = 2, .check = true};
    assert_false(wg_may_use(&o, WG_FORM_structures));
    assert_true(wg_may_use(&o, WG_FORM_all_lanes));
}

static void plans(void **state) {
    struct wg_ir_loc locs[] = {{0}, {.line = 7}, {.line = 3}, {.line = 7}};
    struct wg_ir_module m = {.locs = locs, .nlocs = 4};
    struct wg_code_opts o = {.opt_level = 1, .width = 256, .plan = wg_plan_new()};
    for (uint32_t i = 1; i < 4; i++) wg_plan_yes(&o, WG_FORM_structures, &(struct wg_ir_instr){.loc = i});
    wg_plan_yes(&o, WG_FORM_whole, NULL);
    wg_plan_no(&o, WG_FORM_idle, "its reason");
    wg_plan_no(&o, WG_FORM_idle, "another one");
    struct wg_strbuf text = {0};
    wg_plan_print(o.plan, &m, "f(int)", "CONVERGED", &o, &text);
    assert_non_null(strstr(text.s, "plan of f(int): CONVERGED, 256 bits, level 1\n"));
    assert_non_null(strstr(text.s, "  whole         parallel regions              yes\n"));
    assert_non_null(strstr(text.s, "  structures    interleaved access            yes   lines 3, 7\n"));
    assert_non_null(strstr(text.s, "  idle          index-set splitting           no    its reason\n"));
    assert_non_null(
        strstr(text.s, "  jam           unroll-and-jam                no    not at this level\n"));
    wg_strbuf_free(&text);
    wg_plan_free(o.plan);
    o.plan = NULL; /* where none is made, nothing happens */
    wg_plan_yes(&o, WG_FORM_whole, NULL);
    wg_plan_no(&o, WG_FORM_whole, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_of_switches),
                                       cmocka_unit_test(levels_modes_and_switches), cmocka_unit_test(plans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
