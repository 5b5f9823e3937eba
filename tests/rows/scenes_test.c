/* Every scene as a cmocka test, each in a process of its own: code that crashes or never ends fails its scene
 * only. With an argument: only the scenes whose name has it, in this process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "tests/rows/scene.h"
#include "base/arena.h"
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60 }; /* of the process: on a busy machine the clock says nothing */

static void test_here(void **state) { assert_true(scene_holds(*state)); }

static void test(void **state) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = SECONDS}}, NULL);
        bool ok = scene_holds(*state);
        fflush(stdout);
        _exit(ok ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        printf("ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    assert_int_equal(status, 0);
}

int main(int argc, char **argv) {
    const struct scenes *const all[] = {&memory_scenes,  &atomic_scenes,  &warp_scenes,  &control_scenes,
                                        &barrier_scenes, &special_scenes, &async_scenes, &matrix_scenes,
                                        &wgmma_scenes,   &bulk_scenes};
    WG_VEC(struct CMUnitTest) tests = {0};
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
        for (uint32_t k = 0; k < all[a]->n; k++) {
            const struct scene *s = &all[a]->v[k];
            if (argc > 1 && !strstr(s->name, argv[1])) continue;
            struct CMUnitTest *t = WG_PUSH(&tests);
            t->name = s->name;
            t->test_func = argc > 1 ? test_here : test;
            t->initial_state = (void *)s;
        }
    return _cmocka_run_group_tests("scenes", tests.v, tests.n, NULL, NULL);
}
