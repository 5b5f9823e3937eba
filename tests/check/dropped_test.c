/* Calls whose result is dropped, by what the compiler made of them: machine/machine.h,
 * wg_host_call_is_dropped. */
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static bool dropped;
static volatile int sink, zero;

/* The program's calls of the runtime are of another library, so the compiler knows nothing of them. */
__attribute__((noinline)) static int call(int x) {
    dropped = wg_host_call_is_dropped((uint64_t)(uintptr_t)__builtin_return_address(0));
    return x + zero;
}

__attribute__((noinline)) static int returns_it(void) {
    int r = call(1);
    return r + (int)printf("%s", "");
}

static void nobody_looks(void **state) {
    (void)state;
    call(1);
    assert_true(dropped);
    for (int i = 0; i < 3; i++) call(i);
    assert_true(dropped);
    (void)call(2);
    if (zero == 0) sink = 3;
    assert_true(dropped);
    call(1);
    call(2);
    assert_true(dropped);
}

static void somebody_looks(void **state) {
    (void)state;
    int r = call(1);
    assert_false(dropped);
    if (r) sink = 1;
    if (call(1)) sink = 2;
    assert_false(dropped);
    sink = call(1);
    assert_false(dropped);
    assert_int_equal(returns_it(), 1);
    assert_false(dropped);
    r = call(3);
    if (zero) sink = r; /* only sometimes */
    assert_false(dropped);
    sink = call(1) == 7 ? 1 : 2;
    assert_false(dropped);
    printf("%d\n", call(1));
    assert_false(dropped);
    long wide = call(1);
    assert_false(dropped);
    sink = (int)(wide * 3);
}

/* Where no code is, nothing is said. */
static void no_code(void **state) {
    (void)state;
    int here = 0;
    assert_false(wg_host_call_is_dropped((uint64_t)(uintptr_t)&here));
    assert_false(wg_host_call_is_dropped(0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_looks),
        cmocka_unit_test(somebody_looks),
        cmocka_unit_test(no_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
