/* Regular expressions mean what the C library's mean, and none takes long. */
#include "report/pattern.h"

#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint32_t seed = 1;
static uint32_t any(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

static bool fits(const char *expression, const char *text) {
    struct wg_strbuf why = {0};
    struct wg_pattern *p = wg_pattern_make(expression, &why);
    if (!p) fail_msg("%s", why.s);
    bool found = wg_pattern_fits(p, text);
    wg_pattern_free(p);
    return found;
}

static void refused(const char *expression, const char *reason) {
    struct wg_strbuf why = {0};
    assert_null(wg_pattern_make(expression, &why));
    if (!strstr(why.s, reason)) fail_msg("'%s' is not '%s'", why.s, reason);
    wg_strbuf_free(&why);
}

static void test_words(void **state) {
    assert_true(fits("scan", "void scan<float>(float*)"));
    assert_true(fits("^(void )?(scan|sum)<", "void scan<float>(float*)"));
    assert_false(fits("^scan", "void scan<float>(float*)"));
    assert_true(fits("\\bscan\\b.*[*]\\)$", "void scan<float>(float*)"));
    assert_true(fits("[[:upper:]_]{2}[^a-z]", "x AB1"));
    assert_true(fits("[]a-]x", "-x"));
    assert_true(fits("", "") && fits("()", "a") && fits("a|", "b"));
    assert_true(fits("\\(float\\)", "f(float)"));
    refused("(", "a parenthesis is not closed");
    refused("*", "nothing to repeat");
    refused("[a", "a bracket is not closed");
    refused("(a)\\1", "back references");
    refused("a{2,1}", "the range in braces is reversed");
}

/* What cost the C library minutes, gigabytes or its stack. */
static void test_attacks(void **state) {
    char long_name[20001], deep[40001];
    memset(long_name, 'a', 20000);
    long_name[20000] = 0;
    assert_false(fits("(a*)*(a*)*(a*)*b", long_name));
    assert_false(fits("(a|aa|aaa)*$b", long_name));
    assert_false(fits("(a?){200}a{200}b", long_name));
    assert_false(fits("(((a*)+)+)+b", long_name));
    refused("(((((a{100}){100}){100}){100}){100})", "repeats too much");
    refused("a{100000}", "repeats too much");
    memset(deep, '(', 20000), memset(deep + 20000, ')', 20000);
    deep[40000] = 0;
    refused(deep, "nested too deeply");
    memset(deep, 'a', 40000);
    refused(deep, "too long");
}

static void random_text(const char *const *parts, uint32_t n, uint32_t most, char *out) {
    *out = 0;
    for (uint32_t k = any(most); k > 0; k--) strcat(out, parts[any(n)]);
}

/* The C library does not end for more of them. */
static bool is_harmless(const char *expression) {
    int repeats = 0;
    for (const char *c = expression; *c; c++) repeats += *c == '{';
    for (const char *c = expression; *c; c++) repeats += strchr("*+?", *c) && strchr("*+?{}", c[1]);
    return repeats < 3;
}

static void test_against_the_library(void **state) {
    static const char *const parts[] = {
        "a",   "b",    "c",    "(",   ")",    "|",    "*",      "+",           "?", "{2}", "{1,2}",
        "{0}", "{,2}", "{2,}", ".",   "[ab]", "[^a]", "[a-b_]", "[[:alpha:]]", "^", "$",   "\\b",
        "\\w", "\\W",  "\\<",  "\\>", "\\B",  "()",   " ",      "a",           "b", "(",   ")"};
    static const char *const letters[] = {"a", "b", "c", " ", "_", "a", "b"};
    uint32_t both = 0, found = 0;
    for (int i = 0; i < 20000; i++) {
        char expression[128], text[64];
        regex_t library;
        struct wg_strbuf why = {0};
        random_text(parts, sizeof parts / sizeof *parts, 9, expression);
        if (!is_harmless(expression)) continue;
        struct wg_pattern *ours = wg_pattern_make(expression, &why);
        int wrong = regcomp(&library, expression, REG_EXTENDED | REG_NOSUB);
        wg_strbuf_free(&why);
        if (!!ours != !wrong) fail_msg("'%s' is %s", expression, ours ? "taken" : "refused");
        for (int t = 0; ours && t < 8; t++) {
            random_text(letters, sizeof letters / sizeof *letters, 7, text);
            bool expected = !regexec(&library, text, 0, NULL, 0);
            if (wg_pattern_fits(ours, text) != expected)
                fail_msg("'%s' in '%s': expected %d", expression, text, expected);
            both++, found += expected;
        }
        if (!wrong) regfree(&library);
        wg_pattern_free(ours);
    }
    assert_in_range(found, both / 10, both - both / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_attacks),
        cmocka_unit_test(test_against_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
