/* Sorted spans against a plain table: one entry for each place where one may begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine/memory/spans.h"

enum { PLACES = 3000, APART = 100, SIZE = 40 };

static uint64_t state;
static uint32_t draw(uint32_t n) {
    state = state * UINT64_C(6364136223846793005) + 1;
    return (uint32_t)(state >> 33) % n;
}

static struct wg_span span_at(uint32_t place) {
    return (struct wg_span){
        .base = (uint64_t)place * APART, .end = (uint64_t)place * APART + SIZE, .id = place};
}

static void compare(const struct wg_spans *l, const bool *there) {
    struct wg_span_at at = {0, 0}, back;
    uint32_t n = 0;
    for (uint32_t k = 0; k < PLACES; k++) {
        const struct wg_span *s = wg_spans_holding(l, (uint64_t)k * APART + SIZE - 1);
        assert_int_equal(s != NULL, there[k]);
        assert_null(wg_spans_holding(l, (uint64_t)k * APART + SIZE));
        if (!there[k]) continue;
        n++;
        assert_int_equal(s->id, k);
        assert_int_equal(wg_spans_get(l, at)->id, k);
        at = wg_spans_next(l, at);
        back = at;
        assert_int_equal(wg_spans_back(l, &back)->id, k);
        /* The first one beyond it is the next. */
        back = wg_spans_after(l, (uint64_t)k * APART);
        assert_ptr_equal(wg_spans_get(l, back), wg_spans_get(l, at));
    }
    assert_null(wg_spans_get(l, at));
    assert_int_equal(l->n, n);
    back = (struct wg_span_at){0, 0};
    assert_null(wg_spans_back(l, &back));
}

static void as_a_table_has_them(void **unused) {
    static bool there[PLACES];
    struct wg_spans l = {0};
    uint32_t n;
    for (uint32_t turn = 0; turn < 40; turn++) {
        bool grows = turn % 4 < 2;
        for (uint32_t i = 0; i < 1000; i++) {
            /* In order, backwards, or anywhere. */
            uint32_t k = turn % 3 == 0 ? i : turn % 3 == 1 ? PLACES - 1 - i : draw(PLACES);
            struct wg_span s = span_at(k);
            if (grows && !there[k])
                wg_spans_insert(&l, &s);
            else if (!grows && there[k])
                wg_spans_remove(&l, s.base);
            there[k] = grows;
        }
        compare(&l, there);
    }
    struct wg_span *all = wg_spans_copy(&l, &n);
    assert_int_equal(n, l.n);
    for (uint32_t i = 1; i < n; i++) assert_true(all[i - 1].base < all[i].base);
    free(all);
    wg_spans_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_table_has_them)};
    return cmocka_run_group_tests_name("machine.spans", tests, NULL, NULL);
}
