/* Vector clocks inside a block: which thread's accesses are ordered before which other thread.
 *
 * Three layers, each used only as far as it is needed: `all` for all threads; a number for each pair of
 * warps, which holds for all their lanes; a number for each pair of lanes, where lanes diverged. The
 * effective clock is the highest of the three, so nothing needs to be cleared when a barrier of the whole
 * block makes the finer ones old. */
#include "check/race/race_state.h"
#include "base/lanes.h"
#include <stdlib.h>

bool race_unordered_slow(const struct wg_race_block *b, uint32_t thread, mark old) {
    if (!b->partial) return true;
    uint32_t stamp = mark_stamp(old), at = (thread >> 5) * b->nwarps + mark_warp(old);
    if (stamp <= b->knows[at]) return false;
    return !b->split || stamp > b->pair_time[at] || stamp > b->pairs[at][thread & 31][mark_lane(old)];
}

void race_tick(struct wg_race_block *b) { b->time++; }

uint32_t (*race_pair(struct wg_race_block *b, uint32_t warp, uint32_t other))[LANES] {
    uint32_t at = warp * b->nwarps + other;
    if (!b->pairs[at]) b->pairs[at] = wg_xcalloc(LANES, sizeof *b->pairs[at]);
    b->partial = b->split = true;
    b->pair_time[at] = b->time;
    return b->pairs[at];
}

uint64_t wg_race_now(const struct wg_race_block *b, uint32_t warp, uint32_t lane) {
    return (mark)b->time << 32 | warp << 5 | lane;
}

uint64_t wg_race_now_of(uint64_t now, uint32_t lane) { return (now & ~(mark)(LANES - 1)) | lane; }

uint32_t wg_race_warp_of(uint64_t when) { return mark_warp(when); }

uint32_t wg_race_knowing(const struct wg_race_block *b, uint32_t warp, uint32_t lanes, uint64_t when) {
    uint32_t stamp = mark_stamp(when), at = warp * b->nwarps + mark_warp(when), n = 0;
    lanes &= b->full[warp];
    if (stamp <= b->all || (b->partial && stamp <= b->knows[at])) return lanes;
    if (mark_warp(when) == warp) n = lanes & 1u << mark_lane(when);
    if (!b->partial || !b->split || stamp > b->pair_time[at]) return n;
    WG_EACH_LANE(l, lanes)
        if (stamp <= b->pairs[at][l][mark_lane(when)]) n |= 1u << l;
    return n;
}

bool wg_race_known_to_all(const struct wg_race_block *b, uint64_t when) { return mark_stamp(when) <= b->all; }

uint32_t *race_arrivals(const struct wg_race_block *b) {
    uint32_t *each = wg_xcalloc((size_t)b->nwarps * LANES, sizeof *each);
    for (uint32_t t = 0; t < b->nwarps * LANES; t++) each[t] = b->early[t] ? b->early[t] : b->time;
    return each;
}
