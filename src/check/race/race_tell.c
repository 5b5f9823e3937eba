/* Reports of races: each pair of instructions once, with the first example and the number of further ones. */
#include "check/race/race_state.h"
#include "warp/warp.h"
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MOST = 512 }; /* that are reported one by one; a program with so many races has other worries */

struct wg_race_thread race_thread(uint64_t launch, uint64_t block, mark m, enum wg_race_access_kind access) {
    return (struct wg_race_thread){.launch = launch,
                                   .block = block,
                                   .warp = mark_warp(m),
                                   .lane = mark_lane(m),
                                   .site = mark_site(m),
                                   .access = (uint8_t)access};
}

uint64_t race_value_at(const void *at, uint32_t bytes) {
    uint64_t v[2] = {0};
    memcpy(v, at, bytes < 16 ? bytes : 16);
    return wg_check_both(v[0], v[1]);
}

static bool alike(const struct wg_race_found *a, const struct wg_race_found *b) {
    return a->first.site == b->first.site && a->second.site == b->second.site && a->level == b->level &&
           a->benign == b->benign && a->first.launch == b->first.launch;
}

/* Of what one access races with, or what a block did until a commit: rows come in the order in which they were first
 * touched, by accesses that race with nothing, too. */
static bool comes_first(const struct wg_race_found *a, const struct wg_race_found *b) {
    uint32_t one = a->second.warp * LANES + a->second.lane, other = b->second.warp * LANES + b->second.lane;
    return one != other ? one < other : a->address < b->address;
}

void race_seen(struct pairs *into, const struct wg_race_found *f, uint64_t access) {
    for (uint32_t i = 0; i < into->n; i++) {
        struct wg_race_found *old = &into->v[i].found;
        if (!alike(old, f)) continue;
        uint64_t count = old->count + 1;
        if (into->v[i].access == access && comes_first(f, old)) *old = *f;
        old->count = count;
        return;
    }
    if (into->n == PAIRS_MOST) return;
    if (into->n == into->cap) {
        into->cap = into->cap ? into->cap * 2 : 8;
        into->v = wg_xrealloc(into->v, into->cap * sizeof *into->v);
    }
    into->v[into->n].found = *f;
    into->v[into->n].access = access;
    into->v[into->n++].found.count = 1;
}

void race_pairs_tell(const struct wg_race_grid *g, struct pairs *p) {
    for (uint32_t i = 0; i < p->n; i++)
        if (g->race->o.found) g->race->o.found(g->shape.user, &p->v[i].found);
    p->n = 0;
}
