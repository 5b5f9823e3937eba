/* Happens-before edges from synchronisation: lanes of a warp that converge, barriers of a block, the barrier
 * of a cluster. */
#include "check/race/race_state.h"
#include "base/lanes.h"
#include <stdlib.h>
#include <string.h>

static inline uint32_t highest(uint32_t a, uint32_t b) { return a > b ? a : b; }

static bool has_pair(const struct wg_race_block *b, uint32_t warp, uint32_t other) {
    uint32_t at = warp * b->nwarps + other;
    return b->split && b->pairs[at] && b->pair_time[at] > b->all;
}

/* Lanes learn from each other what they know; of these the time is `now`. */
static void share(uint32_t (*clocks)[LANES], uint32_t lanes, uint32_t now, uint32_t of) {
    uint32_t most[LANES] = {0};
    if (race_vector_share(clocks, lanes, now, of)) return;
    WG_EACH_LANE(l, lanes)
        for (uint32_t k = 0; k < LANES; k++) most[k] = highest(most[k], clocks[l][k]);
    WG_EACH_LANE(k, of) most[k] = now;
    WG_EACH_LANE(l, lanes) memcpy(clocks[l], most, sizeof most);
}

void wg_race_warp_sync(struct wg_race_block *b, uint32_t warp, uint32_t lanes) {
    lanes &= b->full[warp];
    if (!(lanes & (lanes - 1))) return;
    race_trail_leave(b);
    if (b->late.n) race_acquire_late(b);
    for (int reach = 0; b->takers && reach < REACHES; reach++) race_lock_fence(b, warp, lanes, reach);
    bool whole = lanes == b->full[warp];
    if (b->split)
        for (uint32_t v = 0; v < b->nwarps; v++)
            if (v != warp && has_pair(b, warp, v)) share(race_pair(b, warp, v), lanes, 0, 0);
    if (whole)
        b->knows[warp * b->nwarps + warp] = b->time;
    else
        share(race_pair(b, warp, warp), lanes, b->time, lanes);
    b->partial = true;
    b->changed[warp] = b->time;
    race_tick(b);
}

/* ---- barriers ---- */

void race_add_knowledge(const struct wg_race_block *b, uint32_t warp, uint32_t lanes, uint32_t *sum) {
    for (uint32_t v = 0; v < b->nwarps; v++) {
        uint32_t at = warp * b->nwarps + v, base = highest(b->knows[at], b->all);
        for (uint32_t k = 0; k < LANES; k++) sum[v * LANES + k] = highest(sum[v * LANES + k], base);
        if (!has_pair(b, warp, v)) continue;
        WG_EACH_LANE(l, lanes)
            for (uint32_t k = 0; k < LANES; k++)
                sum[v * LANES + k] = highest(sum[v * LANES + k], b->pairs[at][l][k]);
    }
    WG_EACH_LANE(l, lanes) sum[warp * LANES + l] = b->time;
}

void race_learn(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint32_t *sum) {
    for (uint32_t v = 0; v < b->nwarps; v++) {
        const uint32_t *of = sum + v * LANES;
        uint32_t least = UINT32_MAX, most = 0, at = warp * b->nwarps + v;
        for (uint32_t m = b->full[v]; m; m &= m - 1) {
            uint32_t s = of[__builtin_ctz(m)];
            least = least < s ? least : s;
            most = highest(most, s);
        }
        if (lanes == b->full[warp]) b->knows[at] = highest(b->knows[at], least);
        if (most <= b->all || (lanes == b->full[warp] && most <= b->knows[at])) continue;
        uint32_t(*p)[LANES] = race_pair(b, warp, v);
        WG_EACH_LANE(l, lanes)
            for (uint32_t k = 0; k < LANES; k++) p[l][k] = highest(p[l][k], of[k]);
    }
    b->partial = true;
    b->changed[warp] = b->time;
}

void wg_race_barrier_arrive(struct wg_race_block *b, uint32_t id, uint32_t warp, uint32_t lanes) {
    uint32_t n = b->nwarps * LANES;
    race_trail_leave(b);
    id %= BARRIERS;
    if (!b->arrived) b->arrived = wg_xcalloc((size_t)BARRIERS * n, sizeof *b->arrived);
    uint32_t *sum = b->arrived + (size_t)id * n;
    if (!(b->arrivals >> id & 1)) memset(sum, 0, n * sizeof *sum);
    b->arrivals |= 1u << id;
    race_add_knowledge(b, warp, lanes & b->full[warp], sum);
    race_tick(b);
}

void wg_race_barrier(struct wg_race_block *b, uint32_t id, const uint32_t *waited, const uint32_t *released) {
    bool all = true;
    uint32_t sum[MAX_WARPS * LANES], n = b->nwarps * LANES;
    if (b->late.n) race_acquire_late(b);
    for (uint32_t w = 0; b->takers && w < b->nwarps; w++)
        for (int reach = 0; reach < REACHES; reach++) race_lock_fence(b, w, waited[w] & b->full[w], reach);
    id %= BARRIERS;
    for (uint32_t w = 0; w < b->nwarps; w++) all &= (waited[w] & b->full[w]) == b->full[w];
    if (all) {
        b->all = b->time;
        b->partial = b->split = false;
        b->arrivals &= ~(1u << id);
        race_tick(b);
        race_trail_begin(b);
        return;
    }
    race_trail_leave(b);
    memset(sum, 0, n * sizeof *sum);
    if (b->arrivals >> id & 1) memcpy(sum, b->arrived + (size_t)id * n, n * sizeof *sum);
    b->arrivals &= ~(1u << id);
    for (uint32_t w = 0; w < b->nwarps; w++)
        if (waited[w]) race_add_knowledge(b, w, waited[w] & b->full[w], sum);
    for (uint32_t w = 0; w < b->nwarps; w++)
        if (released[w]) race_learn(b, w, released[w] & b->full[w], sum);
    race_tick(b);
}

/* ---- the barrier of the cluster ---- */

void wg_race_cluster_arrive(struct wg_race_block *b, uint32_t warp, uint32_t lanes) {
    race_trail_leave(b);
    if (!b->early) b->early = wg_xcalloc((size_t)b->nwarps * LANES, sizeof *b->early);
    for (uint32_t m = lanes & b->full[warp]; m; m &= m - 1)
        b->early[warp * LANES + (uint32_t)__builtin_ctz(m)] = b->time;
    race_tick(b);
}

void race_cluster_times_clear(struct wg_race_block *b) {
    free(b->cluster_times);
    free(b->early);
    b->cluster_times = b->early = NULL;
}

/* Some did more between their arrival and now, which nothing orders. */
static void meet_early(struct wg_race_block *b) {
    uint32_t *each = race_arrivals(b);
    race_trail_leave(b);
    for (uint32_t w = 0; w < b->nwarps; w++) race_learn(b, w, b->full[w], each);
    race_cluster_times_clear(b);
    b->cluster_times = each;
    race_tick(b);
}

void wg_race_cluster_barrier(struct wg_race_block **blocks, uint32_t n) {
    if (n > 1) race_meet(blocks, n);
    for (uint32_t i = 0; i < n; i++) {
        struct wg_race_block *b = blocks[i];
        if (!b) continue;
        if (b->early) {
            meet_early(b);
            continue;
        }
        race_cluster_times_clear(b);
        b->all = b->cluster_time = b->time;
        b->partial = b->split = false;
        race_tick(b);
        race_remote_clear(b);
        race_trail_begin(b);
    }
}
