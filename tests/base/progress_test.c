/* Lines that say how far something is: they come, their threads go, and several at a time do not mix. */
#include "base/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

enum { LINES = 4 };
static const char *const steps[] = {"first", "second"};

static void *go(void *user) {
    struct wg_progress p = {.what = user, .steps = steps, .nsteps = 2, .after = 1e-3};
    wg_progress_begin(&p);
    while (lseek(STDERR_FILENO, 0, SEEK_END) < LINES * 20) nanosleep(&(struct timespec){0, 1000000}, NULL);
    wg_progress_step(&p, 1);
    wg_progress_wipe();
    wg_progress_end(&p);
    return NULL;
}

static void test_lines(void **state) {
    FILE *said = tmpfile();
    int before = dup(STDERR_FILENO), lines = 0;
    pthread_t threads[4];
    char line[200];
    dup2(fileno(said), STDERR_FILENO);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, go, "going"), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 200; i++) {
        struct wg_progress p = {.what = "no", .steps = steps, .nsteps = 2, .after = i % 2 ? 1000 : 0};
        wg_progress_begin(&p);
        wg_progress_end(&p);
    }
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(said);
    for (; fgets(line, sizeof line, said); lines++)
        assert_int_equal(strncmp(line, "warpglass: going: step ", 23), 0);
    fclose(said);
    assert_true(lines > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
