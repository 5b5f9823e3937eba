/* Dry replays: nothing outside changes, stores are seen by later loads, and the first access that is refused
 * is told with its lane, address and size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "tests/rows/harness.h"
#include <string.h>

static const char ptx[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 cells[256];\n"
    ".visible .entry k(.param .u64 p_a) {\n  .reg .b64 %a, %at;\n  .reg .b32 %t, %v, %s;\n  .reg .b16 %h;\n"
    "  ld.param.u64 %a, [p_a];\n  mov.u32 %t, %tid.x;\n  mul.wide.u32 %at, %t, 4;\n  add.s64 %at, %a, %at;\n"
    "  ld.global.b32 %v, [%at];\n  add.u32 %v, %v, 1;\n  st.global.b32 [%at], %v;\n"
    "  shl.b32 %s, %t, 2;\n  st.shared.b32 [%s], %v;\n  bar.sync 0;\n  xor.b32 %s, %s, 4;\n  ld.shared.b32 "
    "%v, [%s];\n"
    "  red.global.add.u32 [%at], %v;\n  ld.global.b32 %v, [%at];\n  st.global.b32 [%at+256], %v;\n  "
    "ret;\n}\n";

struct seen {
    uint32_t loads, stores, atomics;
    uint64_t refuse; /* this address */
};

static bool allow(void *user, const struct wg_warp *w, const struct wg_access *a) {
    struct seen *s = user;
    if (a->kind == WG_ACCESS_LOAD) s->loads++;
    if (a->kind == WG_ACCESS_STORE) s->stores++;
    if (a->kind == WG_ACCESS_ATOMIC) s->atomics++;
    return a->address != s->refuse;
}

static bool replay(struct seen *s, uint32_t *cells, struct harness_result *r) {
    struct harness_kernel k;
    assert_true(harness_open(&k, "replay.ptx", ptx, "k"));
    struct wg_replay *dry = wg_replay_new(allow, s);
    struct harness_launch l = {.kernel = &k,
                               .grid = {1, 1, 1},
                               .block = {64, 1, 1},
                               .params = &cells,
                               .param_bytes = sizeof cells,
                               .replay = dry};
    bool ok = harness_run(&l, r);
    wg_replay_free(dry);
    harness_close(&k);
    return ok;
}

static void changes_nothing(void **state) {
    uint32_t *cells = harness_alloc(1024);
    struct seen s = {0};
    struct harness_result r;
    for (uint32_t n = 0; n < 128; n++) cells[n] = n * 3;
    assert_true(replay(&s, cells, &r));
    for (uint32_t n = 0; n < 128; n++) assert_int_equal(cells[n], n * 3);
    assert_int_equal(s.atomics, 64);
    assert_int_equal(s.stores, 3 * 64);
    assert_int_equal(s.loads, 4 * 64); /* the parameter, too */
    harness_free(cells);
}

static void names_what_was_refused(void **state) {
    uint32_t *cells = harness_alloc(1024);
    struct seen s = {.refuse = (uint64_t)(uintptr_t)(cells + 64 + 37)};
    struct harness_result r;
    assert_false(replay(&s, cells, &r));
    assert_int_equal(r.fault.kind, WG_FAULT_ADDRESS);
    assert_int_equal(r.fault.lane, 5);
    assert_int_equal(r.warp, 1);
    assert_int_equal(r.fault.address, s.refuse);
    assert_int_equal(r.fault.size, 4);
    assert_int_equal(r.fault.op, WG_OP_ST);
    harness_free(cells);
}

/* The same cells, written for real and dry: a value that depends on every earlier store. */
static void sees_its_own_stores(void **state) {
    static const char text[] =
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p_a) {\n"
        "  .reg .b64 %a;\n  .reg .b32 %v, %n;\n  .reg .pred %p;\n  ld.param.u64 %a, [p_a];\n  mov.u32 %n, "
        "0;\n"
        "LOOP:\n  ld.global.u8 %v, [%a+1];\n  add.u32 %v, %v, 3;\n  st.global.u8 [%a+1], %v;\n  "
        "st.global.u16 [%a+2], %n;\n"
        "  ld.global.u32 %v, [%a];\n  add.u32 %v, %v, 1;\n  st.global.u32 [%a], %v;\n  add.u32 %n, %n, 1;\n"
        "  setp.lt.u32 %p, %n, 1000;\n  @%p bra LOOP;\n  ret;\n}\n";
    struct harness_kernel k;
    uint32_t *cell = harness_alloc(64);
    struct harness_result real, dry;
    struct seen s = {0};
    assert_true(harness_open(&k, "loop.ptx", text, "k"));
    struct harness_launch l = {
        .kernel = &k, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &cell, .param_bytes = sizeof cell};
    assert_true(harness_run(&l, &real));
    uint32_t want = cell[0];
    assert_int_not_equal(want, 0);
    cell[0] = 0;
    l.replay = wg_replay_new(allow, &s);
    assert_true(harness_run(&l, &dry));
    assert_int_equal(cell[0], 0);
    assert_int_equal(s.loads, 2001);
    wg_replay_free(l.replay);
    harness_close(&k);
    harness_free(cell);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_nothing),
                                       cmocka_unit_test(names_what_was_refused),
                                       cmocka_unit_test(sees_its_own_stores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
