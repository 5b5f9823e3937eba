/* Locks: a thread needs a fence after it acquires one, and one before it releases it.
 *
 * Which of two holders is first is chance. The first holder in this run has no earlier writes to wait for;
 * had it been second, its writes before a fence could be overtaken by those of the other holder. So what it
 * writes before its fence is not ordered before what the next holder does: a race, in whichever order they
 * ran.
 */
#include "check/race/race_state.h"
#include "base/lanes.h"
#include <string.h>

void race_lock_take(struct wg_race_block *b, const struct wg_race_access *a, uint32_t lanes) {
    uint32_t n = b->nwarps * LANES;
    if (!b->locks) b->locks = wg_xcalloc(n, sizeof *b->locks);
    WG_EACH_LANE(l, lanes) {
        struct lock *k = &b->locks[a->warp * LANES + l];
        b->takers += !k->address;
        *k = (struct lock){.address = a->address[l], .at = b->time, .bare = {true, true}};
    }
    race_tick(b);
}

void race_lock_holder_writes(struct wg_race_block *b, uint32_t warp, uint32_t lanes) {
    for (uint32_t m = lanes & b->full[warp]; m; m &= m - 1) {
        struct lock *k = &b->locks[warp * LANES + (uint32_t)__builtin_ctz(m)];
        for (int reach = 0; k->address && reach < REACHES; reach++) k->wrote[reach] |= k->bare[reach];
    }
}

void race_lock_fence(struct wg_race_block *b, uint32_t warp, uint32_t lanes, int reach) {
    WG_EACH_LANE(l, lanes) b->locks[warp * LANES + l].bare[reach] = false;
}

void race_lock_give_back(struct wg_race_block *b, uint32_t thread, uint64_t address, struct release *r) {
    struct lock *k = &b->locks[thread];
    if (k->address != address) return;
    for (int reach = 0; reach < REACHES; reach++)
        if (k->wrote[reach] && r->own[reach] > k->at) r->own[reach] = k->at;
    *k = (struct lock){0};
    b->takers--;
}

void race_locks_clear(struct wg_race_block *b) {
    if (b->takers) memset(b->locks, 0, b->nwarps * LANES * sizeof *b->locks);
    b->takers = 0;
}
