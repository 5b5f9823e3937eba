/* Races of writes of equal values, which are benign, and of values that differ. Sites are numbers as they come in the
 * text: 1, 2, ... */
#include "race_events.h"

static void lanes_of_one_instruction(void **state) {
    (void)state;
    for (uint32_t step = 0; step < 2; step++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        struct wg_race_block *b = begin(&s, 0);
        STORE(b, SHARED, .warp = 1, .site = 1, .lanes = 0xf0, .from = 8, .value = 5, .value_step = step);
        wg_race_block_end(b);
        scene_end(&s);
        expect(&s, WG_RACE_WARP, 1, 1, 1);
        assert_int_equal(s.found[0].benign, step == 0);
        assert_int_equal(s.found[0].first.lane, 4);
        assert_int_equal(s.found[0].first.value, 5 + 4 * step);
        assert_int_equal(s.found[0].second.lane, 5);
        assert_int_equal(s.found[0].second.value, 5 + 5 * step);
        assert_int_equal(s.found[0].count, 3);
    }
}

static void same_flag_by_all(void **state) {
    (void)state;
    for (uint64_t step = 0; step < 2; step++) {
        struct scene s = {0};
        scene_begin(&s, SHAPE());
        for (uint64_t k = 0; k < 3; k++) {
            struct wg_race_block *b = begin(&s, k);
            STORE(b, GLOBAL, LANE(0, 0, 1), .value = 1 + step * k);
            wg_race_block_end(b);
        }
        scene_end(&s);
        expect(&s, WG_RACE_GRID, 1, 1, 1);
        assert_int_equal(s.found[0].benign, step == 0);
        assert_int_equal(s.found[0].count, 2);
    }
}

/* Equal numbers of two sizes are not the same bytes. */
static void equal_bytes(void **state) {
    (void)state;
    /* Bytes of two stores, the second's place, their values, and whether those are equal. */
    static const uint64_t stores[][6] = {{4, 1, 1, 1, 1, 0},
                                         {4, 1, 1, 0x01010101, 1, 1},
                                         {4, 1, 1, 0x02020202, 1, 0},
                                         {8, 4, 4, 1, 1, 0},
                                         {8, 4, 4, UINT64_C(0x500000005), 5, 1},
                                         {2, 4, 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        for (int by_bytes = 0; by_bytes < (stores[i][5] ? 3 : 4); by_bytes++) {
            struct scene s = {0};
            scene_begin(&s, SHAPE());
            for (uint32_t k = 0; k < 2; k++) {
                struct wg_race_block *b = begin(&s, k);
                struct of beside = {GLOBAL, LANE(0, 0, 3), .bytes = 1, .from = 8 + k, .value = 1};
                if (by_bytes == 1) does(b, WG_RACE_LOAD, beside);
                STORE(b, GLOBAL, LANE(0, 0, 1 + k), .bytes = (uint32_t)stores[i][k], .from = k * stores[i][2],
                      .value = stores[i][3 + k]);
                if (by_bytes > 1) does(b, by_bytes == 2 ? WG_RACE_LOAD : WG_RACE_STORE, beside);
                wg_race_block_end(b);
            }
            scene_end(&s);
            expect(&s, WG_RACE_GRID, 1, 2, 1);
            assert_int_equal(s.found[0].benign, stores[i][5]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_one_instruction),
        cmocka_unit_test(same_flag_by_all),
        cmocka_unit_test(equal_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
