/* check/finding.c: the same findings give the same file, in whatever order and from however many threads they
 * come; and the file is whole JSON, or there is none. */
#include "check/finding.h"
#include "base/arena.h"
#include "base/strbuf.h"

#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/finding_test.XXXXXX";
static const char *path(const char *name) {
    static char p[256];
    snprintf(p, sizeof p, "%s/%s", folder, name);
    return p;
}

static int make_folder(void **state) { return mkdtemp(folder) ? 0 : -1; }
static int remove_folder(void **state) {
    unlink(path("out.json"));
    return rmdir(folder);
}

static struct wg_finding fault(uint64_t launch, uint64_t site, uint32_t block, uint32_t thread) {
    return (struct wg_finding){.kind = WG_F_out_of_bounds,
                               .kernel = "k(int*)",
                               .launch = launch,
                               .site = site,
                               .here = {.op = "ld.global.u32",
                                        .access = "read",
                                        .bytes = 4,
                                        .has_thread = true,
                                        .block = {block},
                                        .thread = {thread}}};
}

static json_t *written(struct wg_findings *f) {
    json_error_t e;
    assert_true(wg_findings_write(f, "exit", 0));
    json_t *j = json_load_file(path("out.json"), 0, &e);
    if (!j) fail_msg("line %d: %s", e.line, e.text);
    return j;
}

static const json_t *found(const json_t *file, size_t i) {
    return json_array_get(json_object_get(file, "findings"), i);
}
static long long number(const json_t *o, const char *member) {
    return json_integer_value(json_object_get(o, member));
}
static long long coordinate(const json_t *finding, const char *which) {
    return json_integer_value(json_array_get(json_object_get(json_object_get(finding, "here"), which), 0));
}

static void one_place_is_one_finding_with_its_first_example(void **state) {
    struct wg_findings *f = wg_findings_new(path("out.json"));
    for (uint32_t block = 9; block-- > 2;)
        for (uint32_t thread = 32; thread-- > 5;) {
            struct wg_finding x = fault(1, 7, block, thread);
            wg_findings_add(f, &x);
        }
    struct wg_finding later = fault(2, 7, 0, 0), many = fault(1, 6, 3, 3), other = fault(1, 7, 8, 31);
    wg_findings_add(f, &later);
    many.count = 100;
    wg_findings_add(f, &many);
    other.kind = WG_F_misaligned;
    wg_findings_add(f, &other);
    json_t *file = written(f);
    assert_int_equal(json_array_size(json_object_get(file, "findings")), 3);
    assert_int_equal(number(found(file, 0), "count"), 100);
    assert_int_equal(number(found(file, 1), "count"), 7 * 27 + 1);
    assert_int_equal(number(found(file, 1), "launch"), 1);
    assert_int_equal(coordinate(found(file, 1), "block"), 2);
    assert_int_equal(coordinate(found(file, 1), "thread"), 5);
    assert_string_equal(json_string_value(json_object_get(found(file, 2), "kind")), "misaligned");
    json_decref(file);
    wg_findings_free(f);
}

static void a_place_is_benign_when_all_of_it_is(void **state) {
    struct wg_findings *f = wg_findings_new(path("out.json"));
    struct wg_finding x = fault(0, 1, 0, 0);
    x.kind = WG_F_race_block;
    x.benign = true;
    wg_findings_add(f, &x);
    x.site = 2;
    wg_findings_add(f, &x);
    x.benign = false;
    x.here.block[0] = 4;
    wg_findings_add(f, &x);
    json_t *file = written(f);
    assert_true(json_is_true(json_object_get(found(file, 0), "benign")));
    assert_null(json_object_get(found(file, 1), "benign"));
    assert_int_equal(coordinate(found(file, 1), "block"), 4);
    json_decref(file);
    wg_findings_free(f);
}

struct adder {
    struct wg_findings *f;
    uint32_t first, step, n;
};
static void *add_some(void *user) {
    const struct adder *a = user;
    for (uint32_t k = 0, i = a->first; k < a->n; k++, i = (i + a->step) % a->n) {
        struct wg_finding x = fault(i % 3, i % (WG_FINDINGS_KEPT + 500), i / 64, i % 64);
        x.has_other = true;
        x.other = x.here;
        x.other.thread[0] = (i * 7) % 64;
        wg_findings_add(a->f, &x);
    }
    return NULL;
}

/* Also of the findings that there is no room for. */
static void the_file_does_not_depend_on_the_order(void **state) {
    enum { N = 3 * (WG_FINDINGS_KEPT + 500) };
    struct wg_strbuf first = {0};
    for (int way = 0; way < 3; way++) {
        struct wg_findings *f = wg_findings_new(path("out.json"));
        struct adder forward = {f, 0, 1, N}, backward = {f, N - 1, N - 1, N};
        if (way == 0) {
            add_some(&forward);
            add_some(&backward);
        } else {
            pthread_t threads[2];
            struct adder *both[2] = {way == 1 ? &forward : &backward, way == 1 ? &backward : &forward};
            for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add_some, both[i]);
            for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
        }
        json_decref(written(f));
        struct wg_strbuf now = {0};
        assert_true(wg_file_read(path("out.json"), &now));
        assert_non_null(strstr(now.s, "there were more than 4096 findings"));
        if (way)
            assert_string_equal(now.s, first.s);
        else
            wg_strbuf_puts(&first, now.s);
        wg_strbuf_free(&now);
        wg_findings_free(f);
    }
    wg_strbuf_free(&first);
}

static void host_code_is_an_object_and_an_offset(void **state) {
    struct wg_findings *f = wg_findings_new(path("out.json"));
    struct wg_finding leak = {
        .kind = WG_F_leak,
        .memory = {.space = "global",
                   .has_allocation = true,
                   .what = "device",
                   .size = 64,
                   .made_by = "cudaMalloc",
                   .made_at = (uint64_t)(uintptr_t)&host_code_is_an_object_and_an_offset}};
    wg_findings_add(f, &leak);
    leak.memory.made_at = 1; /* no object is there */
    wg_findings_add(f, &leak);
    json_t *file = written(f);
    assert_int_equal(json_array_size(json_object_get(file, "findings")), 2);
    assert_null(json_object_get(json_object_get(found(file, 0), "memory"), "made_at"));
    const json_t *at = json_object_get(json_object_get(found(file, 1), "memory"), "made_at");
    assert_non_null(strstr(json_string_value(json_object_get(at, "object")), "finding_test"));
    assert_true(number(at, "offset") > 0);
    json_decref(file);
    wg_findings_free(f);
}

static void it_says_what_was_checked(void **state) {
    struct wg_findings *f = wg_findings_new(path("out.json"));
    char *argv[] = {"./p\xff", "\"x\"\n", NULL};
    wg_findings_program(f, 2, argv);
    wg_findings_checks(f, 1u << WG_CHECK_race | 1u << WG_CHECK_memory);
    wg_findings_note(f, "b");
    wg_findings_note(f, "a");
    wg_findings_note(f, "b");
    struct wg_findings_launch l = {.kernel = "k", .module = 1, .accesses = 5, .threads = 64};
    wg_findings_launched(f, &l);
    wg_findings_launched(f, &l);
    l.module = 2;
    wg_findings_launched(f, &l);
    json_t *file = written(f);
    const json_t *kernels = json_object_get(file, "kernels");
    assert_int_equal(json_array_size(kernels), 2);
    assert_int_equal(number(json_array_get(kernels, 0), "threads"), 128);
    assert_int_equal(number(json_array_get(kernels, 0), "launches"), 2);
    const json_t *notes = json_object_get(file, "notes"), *checks = json_object_get(file, "checks");
    assert_int_equal(json_array_size(notes), 2);
    assert_string_equal(json_string_value(json_array_get(notes, 0)), "a");
    assert_int_equal(json_array_size(checks), 2);
    assert_string_equal(json_string_value(json_array_get(checks, 1)), "race");
    json_decref(file);
    wg_findings_free(f);
}

static void a_file_that_cannot_be_written_says_so(void **state) {
    struct wg_findings *f = wg_findings_new("/no/such/folder/out.json");
    errno = 0;
    assert_false(wg_findings_write(f, "exit", 0));
    assert_int_equal(errno, ENOENT);
    wg_findings_free(f);
}

static void every_kind_has_a_name_of_its_own(void **state) {
    for (int a = 0; a < WG_FINDING_KINDS; a++) {
        assert_true(strlen(wg_finding_info(a)->name) && strlen(wg_finding_info(a)->title));
        for (int b = 0; b < a; b++)
            assert_string_not_equal(wg_finding_info(a)->name, wg_finding_info(b)->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_place_is_one_finding_with_its_first_example),
        cmocka_unit_test(a_place_is_benign_when_all_of_it_is),
        cmocka_unit_test(the_file_does_not_depend_on_the_order),
        cmocka_unit_test(host_code_is_an_object_and_an_offset),
        cmocka_unit_test(it_says_what_was_checked),
        cmocka_unit_test(a_file_that_cannot_be_written_says_so),
        cmocka_unit_test(every_kind_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests_name("check.finding", tests, make_folder, remove_folder);
}
