/* Events for the race check, as kernel code would cause them, and what it found of them. */
#ifndef WG_TESTS_RACE_EVENTS_H
#define WG_TESTS_RACE_EVENTS_H
#include "check/race/race.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ARENA_BITS = 20, FOUND_MOST = 256, ALL_LANES = -1 };

struct scene {
    struct wg_race *race;
    struct wg_race_grid *grid;
    uint32_t nfound;
    struct wg_race_found found[FOUND_MOST];
    uint64_t most_bytes;
    void (*filling)(uint64_t bytes, uint64_t most_bytes);
};

extern uint8_t arena[1 << ARENA_BITS], shared_memory[16][4096];

void scene_begin(struct scene *s, struct wg_race_shape shape);
void scene_next(struct scene *s, struct wg_race_shape shape); /* another launch */
void scene_end(struct scene *s);

/* lanes at address(l) = from + l * stride */
struct of {
    enum wg_race_space space;
    uint32_t warp, lanes, site, bytes;
    uint64_t from, stride;
    enum wg_race_order order;
    enum wg_race_scope scope;
    uint64_t value, value_step;
};
void does(struct wg_race_block *b, enum wg_race_access_kind access, struct of o);

#define SHAPE(...)     ((struct wg_race_shape){.blocks = 4, .threads = 128, .shared_bytes = 4096, __VA_ARGS__})
#define ROW(w, n)      .warp = (w), .site = (n), .lanes = UINT32_MAX, .stride = 4
#define LANE(w, l, n)  .warp = (w), .site = (n), .lanes = 1u << (l)
#define LOAD(b, ...)   does((b), WG_RACE_LOAD, (struct of){__VA_ARGS__})
#define STORE(b, ...)  does((b), WG_RACE_STORE, (struct of){__VA_ARGS__})
#define ATOMIC(b, ...) does((b), WG_RACE_ATOMIC, (struct of){__VA_ARGS__})
#define SHARED         .space = WG_RACE_SHARED
#define GLOBAL         .space = WG_RACE_GLOBAL

static inline struct wg_race_block *begin(struct scene *s, uint64_t block) {
    return wg_race_block_begin(s->grid, block, 0, NULL, shared_memory[0]);
}

/* Exactly `n` findings of that level between these sites. */
void expect(const struct scene *s, enum wg_race_level level, uint32_t first, uint32_t second, uint32_t n);
void expect_clean(const struct scene *s);
void barrier(struct wg_race_block *b, uint32_t warps);

static inline uint64_t at_arena(uint64_t offset) { return (uint64_t)(uintptr_t)arena + offset; }
#endif
