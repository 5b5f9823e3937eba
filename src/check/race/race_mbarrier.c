/* Happens-before edges from mbarriers: who has seen a phase end is ordered after what all that had arrived there had done.
 *
 * Within a block a phase has a clock, the number up to which the accesses of each thread came before it, as a barrier with
 * early arrivals has. That is one array for all arrivals, where a release for each of 256 threads would be 256 for each of
 * them to look at. In a cluster, arrivals may come from other blocks and are releases (race_signal.c).
 */
#include "check/race/race_state.h"
#include <stdlib.h>
#include <string.h>

struct race_clock {
    uint64_t address;          /* the mbarrier's, and the phase */
    uint32_t version;          /* how many arrivals it has had */
    uint32_t heard[MAX_WARPS]; /* the version that all of the warp know */
    uint32_t *sum;             /* [thread] */
};

void race_clocks_free(struct wg_race_block *b) {
    for (uint32_t i = 0; i < b->cap_clocks; i++) free(b->clocks[i].sum);
    free(b->clocks);
}

static struct race_clock *find_clock(const struct wg_race_block *b, uint64_t address) {
    for (uint32_t i = b->nclocks; i-- > 0;)
        if (b->clocks[i].address == address) return &b->clocks[i];
    return NULL;
}

static struct race_clock *make_clock(struct wg_race_block *b, uint64_t address) {
    struct race_clock *c = find_clock(b, address);
    size_t bytes = b->nwarps * LANES * sizeof *c->sum;
    if (c) return c;
    if (b->nclocks == b->cap_clocks) {
        uint32_t cap = b->cap_clocks ? b->cap_clocks * 2 : 8;
        b->clocks = wg_xrealloc(b->clocks, cap * sizeof *b->clocks);
        memset(b->clocks + b->cap_clocks, 0, (cap - b->cap_clocks) * sizeof *b->clocks);
        b->cap_clocks = cap;
    }
    c = &b->clocks[b->nclocks++];
    uint32_t *sum = c->sum ? c->sum : wg_xmalloc(bytes);
    memset(sum, 0, bytes);
    *c = (struct race_clock){.address = address, .sum = sum};
    return c;
}

/* Those of the lanes that are at the place of the lowest. */
static uint32_t together(uint32_t lanes, const uint64_t *at) {
    uint32_t first = (uint32_t)__builtin_ctz(lanes), same = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        if (at[l] == at[first]) same |= 1u << l;
    }
    return same;
}

static void signal_all(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint64_t *at,
                       enum wg_race_access_kind access) {
    struct wg_race_access a = {.warp = warp, .lanes = lanes, .access = (uint8_t)access};
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        race_signal(b, &a, l, race_windows_of(b) + at[l]);
    }
}

void wg_race_mbarrier_arrive(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint64_t *at) {
    lanes &= b->full[warp];
    for (uint32_t left = b->peers ? 0 : lanes, some; left; left &= ~some) {
        some = together(left, at);
        struct race_clock *c = make_clock(b, at[__builtin_ctz(left)]);
        race_add_knowledge(b, warp, some, c->sum);
        c->version++;
    }
    wg_race_fence(b, warp, lanes, b->peers ? WG_RACE_CLUSTER_SCOPE : WG_RACE_CTA);
    if (b->peers) signal_all(b, warp, lanes, at, WG_RACE_STORE);
}

void wg_race_mbarrier_passed(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint64_t *at) {
    race_trail_leave(b);
    if (b->late.n) race_acquire_late(b);
    lanes &= b->full[warp];
    if (b->peers) signal_all(b, warp, lanes, at, WG_RACE_LOAD);
    for (uint32_t left = b->peers ? 0 : lanes, some; left; left &= ~some) {
        some = together(left, at);
        struct race_clock *c = find_clock(b, at[__builtin_ctz(left)]);
        if (!c || c->heard[warp] == c->version) continue;
        race_learn(b, warp, some, c->sum);
        if (some == b->full[warp]) c->heard[warp] = c->version;
    }
}
