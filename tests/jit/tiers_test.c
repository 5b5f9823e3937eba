/* Better code is made beside launches, and who takes its kernel away does not wait for all of it: the maker is told. */
#include "jit/code/tiers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <cmocka.h>

enum { TEN_MS = 10000000, HALF_A_MINUTE = 3000 };

static uint32_t running = 1;
static atomic_bool begun, told;

static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = TEN_MS}, NULL); }

static void make(void *user) {
    const struct wg_tier *t = user;
    begun = true;
    for (int i = 0; i < HALF_A_MINUTE && !told; i++) {
        rest();
        told = __atomic_load_n(&t->unwanted, __ATOMIC_RELAXED);
    }
}

static void test_unwanted(void **state) {
    struct wg_tier t = {.running = &running, .make = make, .user = &t, .due_ns = WG_TIER_WORTH_IT_NS};
    wg_tiers_add(&t);
    for (int i = 0; i < HALF_A_MINUTE && !begun; i++) rest();
    assert_true(begun);
    assert_false(told);
    wg_tiers_remove(&t);
    assert_true(told);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unwanted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
