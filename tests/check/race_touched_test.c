/* What launches touched of global memory, as stream_race.h is told of it. */
#include "race_events.h"

struct all_touched {
    uint32_t n;
    struct wg_race_touched v[16];
};

static void touched(void *user, const struct wg_race_touched *t) {
    struct all_touched *all = user;
    assert_true(all->n < 16);
    all->v[all->n++] = *t;
}

static void launches(void **state) {
    (void)state;
    struct scene s = {0};
    scene_begin(&s, SHAPE(.launch = 7));
    struct wg_race_block *b = wg_race_block_begin(s.grid, 2, 0, NULL, shared_memory[0]);
    does(b, WG_RACE_STORE,
         (struct of){.site = 1, .lanes = UINT32_MAX, .stride = 4, .from = 256, .value_step = 1});
    wg_race_block_end(b);
    scene_next(&s, SHAPE(.launch = 8));
    b = wg_race_block_begin(s.grid, 0, 0, NULL, shared_memory[0]);
    does(b, WG_RACE_LOAD, (struct of){.site = 2, .lanes = UINT32_MAX, .stride = 4, .from = 256 + 64});
    wg_race_block_end(b);
    wg_race_end(s.grid);
    s.grid = NULL;
    struct all_touched all = {0};
    wg_race_each_touched(s.race, NULL, touched, &all);
    assert_int_equal(all.n, 3);
    assert_int_equal(all.v[0].launch, 8); /* reads come before writes */
    assert_int_equal(all.v[0].address, at_arena(256));
    assert_int_equal(all.v[0].mask, 0xffff0000);
    assert_int_equal(all.v[0].site, 2);
    assert_int_equal(all.v[0].thread, 0);
    assert_int_equal(all.v[1].launch, 7);
    assert_int_equal(all.v[1].mask, 0xffffffff);
    assert_int_equal(all.v[1].block, 2);
    assert_int_equal(all.v[1].access, WG_RACE_STORE);
    assert_int_equal(all.v[2].address, at_arena(256 + 128));
    assert_int_equal(all.v[2].mask, 0xffff);
    assert_int_equal(all.v[2].thread, 16);
    scene_end(&s);
}

static void memory_anew(void **state) {
    (void)state;
    struct scene s = {0};
    struct all_touched all = {0};
    scene_begin(&s, SHAPE(.launch = 0));
    struct wg_race_block *b = wg_race_block_begin(s.grid, 2, 0, NULL, shared_memory[0]);
    does(b, WG_RACE_STORE,
         (struct of){.site = 1, .lanes = UINT32_MAX, .stride = 4, .from = 256, .value_step = 1});
    wg_race_block_end(b);
    wg_race_end(s.grid);
    s.grid = NULL;
    wg_race_forget(s.race, at_arena(256), 128);
    wg_race_each_touched(s.race, NULL, touched, &all);
    assert_int_equal(all.n, 0);
    assert_true(wg_race_bytes(s.race) > 0);
    scene_end(&s);
}

/* One instruction's lanes store to memory of two devices. */
static void another_arena(void **state) {
    (void)state;
    struct scene s = {0};
    struct all_touched all = {0};
    static uint8_t other[1 << 16] __attribute__((aligned(1 << 16)));
    uint64_t base = (uint64_t)(uintptr_t)other, address[32];
    scene_begin(&s, SHAPE(.launch = 3));
    wg_race_add_arena(s.race, base, 16);
    wg_race_add_arena(s.race, base, 16);
    for (uint32_t l = 0; l < 32; l++) address[l] = (l < 16 ? base : at_arena(0)) + l * 4;
    for (uint64_t block = 0; block < 2; block++) {
        struct wg_race_block *b = begin(&s, block);
        wg_race_access(b, &(struct wg_race_access){.site = 1,
                                                   .lanes = UINT32_MAX,
                                                   .space = WG_RACE_GLOBAL,
                                                   .access = WG_RACE_STORE,
                                                   .bytes = 4,
                                                   .address = address});
        wg_race_block_end(b);
    }
    wg_race_end(s.grid);
    s.grid = NULL;
    expect(&s, WG_RACE_GRID, 1, 1, 1);
    wg_race_each_touched(s.race, NULL, touched, &all);
    assert_int_equal(all.n, 2);
    assert_int_equal(all.v[0].address, at_arena(0)); /* arena by arena */
    assert_int_equal(all.v[0].mask, 0xffff0000);
    assert_int_equal(all.v[1].address, base);
    assert_int_equal(all.v[1].mask, 0xffff);
    wg_race_forget(s.race, base, 128);
    all.n = 0;
    wg_race_each_touched(s.race, NULL, touched, &all);
    assert_int_equal(all.n, 1);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(launches), cmocka_unit_test(memory_anew),
                                       cmocka_unit_test(another_arena)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
