/* Proofs that accesses can race with nothing (machine/watch/check_proof.c) lose no race: random kernels are
 * launched with and without them, and what is found has to be the same, to the word: examples, too, and whether a race
 * is benign. For that all stores are of 0. Whether stores were of one value is known by lines (check/race/race_row.c):
 * if one that races with nothing writes another value beside them, a race of equal values is benign only where that
 * one is proven, and left out. It touches no place that races, so no race of different values becomes benign. */
#include "machine/machine.h"
#include "check/finding.h"
#include "tests/check/random_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { HALF = 1 << 20 }; /* bytes of memory on either side of the kernel's pointer */

/* What is found, as the file has it. */
static char *findings_of(const struct random_kernel *w, bool tells_all, enum wg_backend backend) {
    char path[] = "/tmp/proofs.XXXXXX";
    struct wg_options o;
    struct wg_device *dev;
    struct wg_module *m;
    struct wg_strbuf file = {0};
    struct wg_diag d = {0};
    void *p;
    close(mkstemp(path));
    wg_options_init(&o);
    o.threads = 1;
    o.backend = backend;
    o.opt.level = 0;
    strcpy(o.cache_dir, "none");
    o.findings = wg_findings_new(path);
    o.checks = 1u << WG_CHECK_race | 1u << WG_CHECK_memory;
    o.tells_all = tells_all;
    assert_int_equal(wg_device_open(&o, &dev, &d), WG_OK);
    if (wg_module_load(dev, "k.ptx", w->text.s, w->text.n, &m, &d) != WG_OK) fail_msg("%s", d.text.s);
    assert_int_equal(wg_mem_alloc(dev, WG_MEM_DEVICE, 2 * HALF, &p), WG_OK);
    uint8_t params[16];
    uint64_t middle = (uint64_t)p + HALF;
    memcpy(params, &middle, 8);
    memcpy(params + 8, &w->n, 4);
    memcpy(params + 12, &w->w, 4);
    struct wg_launch l = {.func = wg_module_func(m, "k"), .params = params, .param_bytes = sizeof params};
    memcpy(l.grid, w->nctaid, sizeof l.grid);
    memcpy(l.block, w->ntid, sizeof l.block);
    assert_int_equal(wg_launch(wg_device_stream(dev, WG_STREAM_LEGACY), &l), WG_OK);
    wg_device_sync(dev);
    wg_device_close(dev);
    assert_true(wg_findings_write(o.findings, "exit", 0));
    wg_findings_free(o.findings);
    assert_true(wg_file_read(path, &file));
    unlink(path);
    wg_diag_free(&d);
    return file.s;
}

static void leave_out_counts(char *s) {
    for (char *at = s; (at = strstr(at, "\"count\": ")); at++)
        for (char *digit = at + strlen("\"count\": "); *digit >= '0' && *digit <= '9'; digit++) *digit = ' ';
    char *to = s;
    for (char *from = s; *from; from++)
        if (*from != ' ') *to++ = *from;
    *to = 0;
}

static uint32_t races, launches;

static void hold(uint64_t number, bool shared, enum wg_backend backend) {
    struct random_kernel w = {.tame = true, .shared = shared};
    random_kernel_write(&w, number);
    char *with = findings_of(&w, false, backend), *without = findings_of(&w, true, backend);
    char *a = strstr(with, "\"findings\""), *b = strstr(without, "\"findings\"");
    assert_non_null(a);
    assert_non_null(b);
    leave_out_counts(a);
    leave_out_counts(b);
    if (strcmp(a, b) != 0) {
        fprintf(stderr, "%s\nwith proofs: %s\nwithout: %s\n", w.text.s, a, b);
        fail_msg("kernel %d", (int)number);
    }
    launches++;
    races += strstr(a, "race-") != NULL;
    free(with);
    free(without);
    wg_strbuf_free(&w.text);
}

static void hold_all(bool shared) {
    const char *more = getenv("WG_PROOFS_SEEDS");
    uint32_t seeds = more ? (uint32_t)atoi(more) : 60 / WG_ONE_IN;
    for (uint32_t i = 0; i < seeds; i++) hold(1000 + i, shared, WG_BACKEND_REF);
    for (uint32_t i = 0; i < seeds / 8; i++) hold(100000 + i, shared, WG_BACKEND_JIT);
    print_message("%u of %u launches have races\n", races, launches);
    assert_true(races > seeds / 8 && races < launches);
    races = launches = 0;
}

static void same_findings(void **state) {
    hold_all(false);
    (void)state;
}

static void same_findings_in_shared_memory(void **state) {
    hold_all(true);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_findings),
                                       cmocka_unit_test(same_findings_in_shared_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
