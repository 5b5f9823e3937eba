/* Asynchronous copies of threads (cp.async): between the instruction and the wait for its group the copy may
 * write at any time. The write is reported to the race check twice, at the issue and at the wait, or at the
 * end of the block if no thread waits. This file checks that the thread itself does not touch the memory in
 * between, and neither do other threads that are ordered after the issue but not after the wait. */
#include "check/race/race.h"
#include "base/lanes.h"
#include "machine/watch/check.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

/* One instruction's, of a warp. */
struct pending {
    uint32_t warp, site, lanes;
    uint64_t bytes, low, high; /* of a lane; of all of them: [low, high) */
    uint64_t offset[WG_LANES]; /* in the cluster's windows */
    uint32_t group[WG_LANES];  /* how many groups the lane had made before */
    uint64_t when;             /* it was asked for, by lane 0 */
    uint32_t told;             /* lanes whose copy somebody met: that it may write late is no news */
};
struct wg_check_copies {
    WG_VEC(struct pending) v;
    uint32_t groups[WG_MAX_WARPS][WG_LANES]; /* that each thread has made */
};

static struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }

void wg_check_copy_begins(const struct wg_warp *w, const struct wg_race_access *a) {
    struct wg_cta *c = cta_of(w);
    if (!c->copies) c->copies = wg_xcalloc(1, sizeof *c->copies);
    struct pending *p = WG_PUSH(&c->copies->v);
    *p = (struct pending){
        .warp = w->id, .site = a->site, .lanes = a->lanes, .bytes = a->bytes, .low = UINT64_MAX};
    p->when = wg_race_now(c->race, w->id, 0);
    memcpy(p->group, c->copies->groups[w->id], sizeof p->group);
    for (uint32_t l = 0; l < WG_LANES; l++) {
        if (!(a->lanes >> l & 1)) continue;
        p->offset[l] = a->address[l];
        if (a->address[l] < p->low) p->low = a->address[l];
        if (a->address[l] + a->bytes > p->high) p->high = a->address[l] + a->bytes;
    }
}

void wg_check_copies_commit(const struct wg_warp *w, uint32_t lanes) {
    struct wg_check_copies *k = cta_of(w)->copies;
    for (uint32_t l = 0; k && l < WG_LANES; l++) k->groups[w->id][l] += lanes >> l & 1;
}

/* Lanes of the copy whose groups are all but the last `open` ones. */
static uint32_t complete(const struct wg_check_copies *k, const struct pending *p, uint32_t lanes,
                         uint64_t open) {
    uint32_t done = 0;
    for (uint32_t l = 0; l < WG_LANES; l++)
        done |= (uint32_t)(p->group[l] + open < k->groups[p->warp][l]) << l;
    return done & p->lanes & lanes;
}

static void write_again(const struct wg_warp *w, const struct pending *p, uint32_t lanes) {
    struct wg_race_access x = {.warp = w->id,
                               .site = p->site,
                               .lanes = lanes & ~p->told,
                               .space = WG_RACE_SHARED,
                               .access = WG_RACE_STORE,
                               .order = WG_RACE_WEAK,
                               .scope = WG_RACE_GPU,
                               .bytes = (uint8_t)p->bytes,
                               .address = p->offset};
    if (x.lanes) wg_race_access(cta_of(w)->race, &x);
}

/* A copy without a wait may have been written as late as this. */
void wg_check_copies_end(struct wg_cta *c) {
    struct wg_check_copies *k = c->copies;
    if (!k) return;
    for (uint32_t i = 0; i < k->v.n; i++) write_again(&c->warps[k->v.v[i].warp], &k->v.v[i], k->v.v[i].lanes);
    free(k->v.v);
    free(k);
    c->copies = NULL;
}

void wg_check_copies_wait(const struct wg_warp *w, uint32_t lanes, const uint64_t *open) {
    struct wg_check_copies *k = cta_of(w)->copies;
    if (!k || !lanes) return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < k->v.n; i++) {
        struct pending p = k->v.v[i];
        uint32_t done = p.warp != w->id ? 0
                        : open          ? complete(k, &p, lanes, open[__builtin_ctz(lanes)])
                                        : p.lanes & lanes;
        if (done) write_again(w, &p, done);
        p.lanes &= ~done;
        if (p.lanes) k->v.v[kept++] = p;
    }
    k->v.n = kept;
}

static void tell(const struct wg_warp *w, uint32_t lane, const struct wg_race_access *a,
                 const struct pending *p, uint32_t copier) {
    struct wg_arena arena = {0};
    const struct wg_cta *c = cta_of(w);
    const struct wg_grid *g = c->unit->grid;
    struct wg_finding f = {.kind = WG_F_copy_pending, .other_site = p->site, .has_other = true};
    f.other = wg_check_place_of(&arena, &c->warps[p->warp], 1u << copier, p->site);
    wg_check_describe_shared(g, a->site, p->site, a->address[lane] % WG_SHARED_STRIDE, false, &f.memory);
    wg_check_found(w, 1u << lane, a->site, &f);
    wg_arena_free(&arena);
}

/* The lane meets the copy of lane `of`. Who does not know that it was asked for races with that. */
static void meet(const struct wg_warp *w, uint32_t lane, const struct wg_race_access *a, struct pending *p,
                 uint32_t of) {
    if (a->address[lane] >= p->offset[of] + p->bytes || p->offset[of] >= a->address[lane] + a->bytes) return;
    bool own = p->warp == w->id && lane == of;
    if (!own) {
        if (p->told >> of & 1) return;
        if (!wg_race_knowing(cta_of(w)->race, w->id, 1u << lane, wg_race_now_of(p->when, of))) return;
        p->told |= 1u << of;
    }
    tell(w, lane, a, p, of);
}

void wg_check_copies_touch(const struct wg_warp *w, const struct wg_race_access *a) {
    const struct wg_check_copies *k = cta_of(w)->copies;
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t l = 0; l < WG_LANES; l++) {
        if (!(a->lanes >> l & 1)) continue;
        if (a->address[l] < low) low = a->address[l];
        if (a->address[l] + a->bytes > high) high = a->address[l] + a->bytes;
    }
    for (uint32_t i = 0; i < k->v.n; i++) {
        struct pending *p = &k->v.v[i];
        if (p->low >= high || low >= p->high) continue;
        WG_EACH_LANE(l, a->lanes) {
            if (a->address[l] >= p->high || a->address[l] + a->bytes <= p->low) continue;
            for (uint32_t n = p->lanes; n; n &= n - 1) meet(w, l, a, p, (uint32_t)__builtin_ctz(n));
        }
    }
}
