/* See schedule.h. */
#include "machine/schedule.h"

/* The bits of a number, stirred: a step of splitmix64. */
static uint64_t stir(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t wg_schedule_key(const wg_opt_SCHEDULE *s, uint64_t number) { return stir(stir(s->seed) + number); }

/* 1: the last lane first; else a key. 0 would be none. */
uint64_t wg_schedule_lanes(const wg_opt_SCHEDULE *s, uint64_t number) {
    if (!s->kind || !s->lanes) return 0;
    return s->kind == WG_SCHEDULE_REVERSE ? 1 : wg_schedule_key(s, number) | 2;
}

/* A permutation of the numbers below n that takes no memory: four rounds of a Feistel network over the next
 * even power of two, again until the number is below n. */
static uint64_t permuted(uint64_t i, uint64_t n, uint64_t key) {
    uint32_t half = 1;
    while (half < 32 && (n - 1) >> 2 * half) half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint32_t round = 0; round < 4; round++) {
            uint64_t next = left ^ (stir(key + (right << 2) + round) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

uint64_t wg_schedule_unit(const struct wg_grid *g, uint64_t i) {
    switch ((enum wg_schedule_kind)g->schedule) {
    case WG_SCHEDULE_NONE: break;
    case WG_SCHEDULE_REVERSE: return g->job.units - 1 - i;
    case WG_SCHEDULE_RANDOM: return permuted(i, g->job.units, g->schedule_key);
    }
    return i;
}

void wg_schedule_warps(struct wg_unit *u, uint16_t order[WG_MAX_CLUSTER * WG_MAX_WARPS]) {
    const struct wg_grid *g = u->grid;
    uint32_t n = u->shape.nctas * u->shape.nwarps;
    bool reverse = g->schedule == WG_SCHEDULE_REVERSE;
    for (uint32_t i = 0; i < n; i++) order[i] = (uint16_t)(reverse ? n - 1 - i : i);
    if (g->schedule != WG_SCHEDULE_RANDOM) return;
    uint64_t x = stir(g->schedule_key ^ stir(u->index) ^ ++u->passes);
    for (uint32_t i = n; i > 1; i--) {
        x = stir(x);
        uint32_t k = (uint32_t)(x % i);
        uint16_t swapped = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swapped;
    }
}
