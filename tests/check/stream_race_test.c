/* Races between work of streams: clocks say what is ordered, ranges what was touched. */
#include "check/race/stream_race.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct scene {
    struct wg_stream_races *races;
    uint32_t nfound, dropped;
    struct wg_stream_found found[8];
};

static void found(void *user, const struct wg_stream_found *f) {
    struct scene *s = user;
    assert_true(s->nfound < 8);
    s->found[s->nfound++] = *f;
}

static void drop(void *user, void *work_user) {
    (void)work_user;
    ((struct scene *)user)->dropped++;
}

static void begin(struct scene *s) {
    struct wg_stream_races_options o = {.found = found, .drop = drop, .user = s};
    *s = (struct scene){0};
    s->races = wg_stream_races_new(&o);
}

/* Work number `number` of a stream. */
static struct wg_stream_work *work(struct scene *s, uint32_t slot, uint32_t number) {
    struct wg_stream_work *w = wg_stream_work_new(s->races);
    w->slot = slot;
    w->number = number;
    wg_clock_set(&w->clock, slot, number);
    return w;
}

/* Lines of 128 bytes, words of them. */
static void lines(struct wg_stream_work *w, enum wg_race_access_kind access, uint64_t from, uint32_t n,
                  uint32_t mask, uint32_t site) {
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = from + i * 128u;
        struct wg_touched t = {
            .from = at, .to = at + 128, .mask = mask, .unit = 128, .access = (uint8_t)access, .site = site};
        wg_stream_work_touched(w, &t);
    }
}

static void bytes(struct wg_stream_work *w, enum wg_race_access_kind access, uint64_t from, uint64_t to) {
    struct wg_touched t = {.from = from, .to = to, .mask = UINT32_MAX, .unit = 1, .access = (uint8_t)access};
    wg_stream_work_touched(w, &t);
}

static void without_order(void **state) {
    (void)state;
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1);
    lines(a, WG_RACE_STORE, 1024, 4, UINT32_MAX, 5);
    assert_int_equal(a->touched.n, 1);
    wg_stream_work_ended(a);
    lines(b, WG_RACE_LOAD, 1024 + 128, 8, 0xff00, 6);
    wg_stream_work_ended(b);
    assert_int_equal(s.nfound, 1);
    assert_ptr_equal(s.found[0].first, a);
    assert_int_equal(s.found[0].address, 1024 + 128 + 32);
    assert_int_equal(s.found[0].words, 3 * 8);
    wg_stream_races_free(s.races);
    assert_int_equal(s.dropped, 2);
}

/* What ended first was asked for later: the pair is the same. */
static void whatever_ends_first(void **state) {
    (void)state;
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1);
    lines(b, WG_RACE_LOAD, 1024, 1, 1, 6);
    wg_stream_work_ended(b);
    lines(a, WG_RACE_STORE, 1024, 1, 1, 5);
    wg_stream_work_ended(a);
    assert_int_equal(s.nfound, 1);
    assert_ptr_equal(s.found[0].first, a);
    assert_ptr_equal(s.found[0].second, b);
    wg_stream_races_free(s.races);
}

static void an_event(void **state) {
    (void)state;
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1), *c = work(&s, 2, 1);
    wg_clock_join(&b->clock, &a->clock); /* b waits for a, c for b */
    wg_clock_join(&c->clock, &b->clock);
    lines(a, WG_RACE_STORE, 0, 1, 1, 1);
    lines(b, WG_RACE_STORE, 0, 1, 1, 2);
    lines(c, WG_RACE_STORE, 0, 1, 1, 3);
    wg_stream_work_ended(a);
    wg_stream_work_ended(b);
    wg_stream_work_ended(c);
    assert_int_equal(s.nfound, 0);
    wg_stream_races_free(s.races);
}

static void not_the_same_bytes(void **state) {
    (void)state;
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1), *c = work(&s, 2, 1), *d = work(&s, 3, 1);
    bytes(a, WG_RACE_STORE, 130, 133);
    wg_stream_work_ended(a);
    struct wg_touched t = {.from = 128, .to = 160, .mask = 0x23, .unit = 32, .access = WG_RACE_STORE};
    wg_stream_work_touched(b, &t); /* bytes 128, 129 and 133 */
    wg_stream_work_ended(b);
    lines(c, WG_RACE_STORE, 128, 1, 4, 1); /* bytes 136 to 139 */
    wg_stream_work_ended(c);
    assert_int_equal(s.nfound, 0);
    bytes(d, WG_RACE_STORE, 139, 4096);
    wg_stream_work_ended(d);
    assert_int_equal(s.nfound, 1);
    assert_int_equal(s.found[0].address, 139);
    wg_stream_races_free(s.races);
}

static void reads_and_atomics(void **state) {
    (void)state;
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1);
    struct wg_touched t = {
        .from = 0, .to = 128, .mask = 1, .unit = 128, .access = WG_RACE_ATOMIC, .strong = true};
    wg_stream_work_touched(a, &t);
    lines(a, WG_RACE_LOAD, 128, 1, 1, 1);
    wg_stream_work_ended(a);
    wg_stream_work_touched(b, &t);
    lines(b, WG_RACE_LOAD, 128, 1, 1, 2);
    wg_stream_work_ended(b);
    assert_int_equal(s.nfound, 0);
    struct wg_stream_work *c = work(&s, 2, 1);
    lines(c, WG_RACE_LOAD, 0, 1, 1, 2); /* a plain read of what others count with atomics */
    wg_stream_work_ended(c);
    assert_int_equal(s.nfound, 2);
    wg_stream_races_free(s.races);
}

/* Two kernels, of which one writes a flag and the other loads it. */
static uint32_t found_beside_a_flag(uint8_t first, uint8_t second, bool first_listens) {
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1);
    struct wg_touched flag = {.from = 0, .to = 128, .mask = 1, .unit = 128, .access = first, .strong = true};
    a->listens = first_listens;
    b->listens = !first_listens;
    wg_stream_work_touched(a, &flag);
    lines(a, first, 128, 1, 1, 1);
    wg_stream_work_ended(a);
    flag.access = second;
    wg_stream_work_touched(b, &flag);
    lines(b, second, 128, 1, 1, 2);
    wg_stream_work_ended(b);
    wg_stream_races_free(s.races);
    return s.nfound;
}

/* A kernel that waits for a flag of another one's knows what that did before, whichever was asked for first. */
static void a_flag(void **state) {
    (void)state;
    assert_int_equal(found_beside_a_flag(WG_RACE_STORE, WG_RACE_LOAD, false), 0);
    assert_int_equal(found_beside_a_flag(WG_RACE_LOAD, WG_RACE_STORE, true), 0);
    assert_int_equal(found_beside_a_flag(WG_RACE_STORE, WG_RACE_LOAD, true), 1);
    assert_int_equal(found_beside_a_flag(WG_RACE_LOAD, WG_RACE_STORE, false), 1);
}

static void settled(void **state) {
    (void)state;
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1);
    struct wg_clock host = {0};
    lines(a, WG_RACE_STORE, 0, 1, 1, 1);
    wg_stream_work_ended(a);
    wg_clock_join(&host, &a->clock);
    wg_stream_races_settle(s.races, &host);
    assert_int_equal(s.dropped, 0); /* b was asked for before the host knew */
    lines(b, WG_RACE_STORE, 0, 1, 1, 2);
    wg_stream_work_ended(b);
    assert_int_equal(s.nfound, 1);
    wg_stream_races_settle(s.races, &host);
    assert_int_equal(s.dropped, 1);
    wg_clock_free(&host);
    wg_stream_races_free(s.races);
}

static void memory_anew(void **state) {
    (void)state;
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1);
    bytes(a, WG_RACE_STORE, 1000, 5000);
    wg_stream_work_ended(a);
    wg_stream_races_forget(s.races, 2048, 4096);
    bytes(b, WG_RACE_STORE, 1900, 5000);
    wg_stream_work_ended(b);
    assert_int_equal(s.nfound, 1);
    assert_int_equal(s.found[0].words, (2048 - 1900) / 4);
    wg_stream_races_free(s.races);
}

/* What the host asks about a place. */
static void a_place(void **state) {
    (void)state;
    struct scene s;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1);
    bytes(a, WG_RACE_LOAD, 0, 100000);
    lines(a, WG_RACE_STORE, 1024, 1, 2, 7); /* bytes 1028 to 1031 */
    lines(a, WG_RACE_STORE, 2048, 1, 1, 8);
    wg_stream_work_ended(a);
    assert_null(wg_stream_work_at(a, 1024, 4, true));
    assert_int_equal(wg_stream_work_at(a, 1024, 8, true)->site, 7);
    assert_int_equal(wg_stream_work_at(a, 1031, 1, true)->site, 7);
    assert_null(wg_stream_work_at(a, 1032, 16, true));
    assert_null(wg_stream_work_at(a, 3000, 8, true));
    assert_non_null(wg_stream_work_at(a, 3000, 8, false));
    assert_null(wg_stream_work_at(a, 100000, 8, false));
    wg_stream_races_free(s.races);
}

/* Atomics of two devices are atomic for each other if both are of the system's scope. */
static void atomics_of_two_devices(void **state) {
    (void)state;
    for (int narrow = 0; narrow < 4; narrow++)
        for (uint32_t other = 0; other < 2; other++) {
            struct scene s;
            begin(&s);
            for (uint32_t i = 0; i < 2; i++) {
                struct wg_stream_work *w = work(&s, i, 1);
                w->device = i ? other : 0;
                wg_stream_work_touched(w, &(struct wg_touched){.from = 128,
                                                               .to = 256,
                                                               .mask = 1,
                                                               .unit = 128,
                                                               .access = WG_RACE_ATOMIC,
                                                               .strong = true,
                                                               .of_device = narrow >> i & 1});
                wg_stream_work_ended(w);
            }
            assert_int_equal(s.nfound, other && narrow);
            wg_stream_races_free(s.races);
        }
}

static bool is_first(const void *work_user, const void *of) { return work_user == of; }

/* What a device that is gone has done races with nothing any more. */
static void dropped(void **state) {
    (void)state;
    struct scene s;
    int first;
    begin(&s);
    struct wg_stream_work *a = work(&s, 0, 1), *b = work(&s, 1, 1), *c = work(&s, 2, 1);
    a->user = &first;
    bytes(a, WG_RACE_STORE, 0, 4);
    wg_stream_work_ended(a);
    bytes(b, WG_RACE_STORE, 4, 8);
    wg_stream_work_ended(b);
    wg_stream_races_drop(s.races, is_first, &first);
    assert_int_equal(s.dropped, 1);
    bytes(c, WG_RACE_LOAD, 0, 8);
    wg_stream_work_ended(c);
    assert_int_equal(s.nfound, 1);
    assert_ptr_equal(s.found[0].first, b);
    wg_stream_races_free(s.races);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_order),     cmocka_unit_test(whatever_ends_first),
        cmocka_unit_test(an_event),          cmocka_unit_test(not_the_same_bytes),
        cmocka_unit_test(reads_and_atomics), cmocka_unit_test(a_flag),
        cmocka_unit_test(settled),           cmocka_unit_test(memory_anew),
        cmocka_unit_test(a_place),           cmocka_unit_test(atomics_of_two_devices),
        cmocka_unit_test(dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
