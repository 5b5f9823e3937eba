/* See adviser.h. */
#include "report/advice/adviser.h"
#include "count/tally.h"
#include "model/banks.h"
#include "model/coalesce.h"
#include <string.h>

struct wg_advice *wg_advice_add(struct wg_advising *g, const char *kind, const struct wg_site *site) {
    struct wg_advice *a = WG_PUSH(&g->list);
    a->kind = kind;
    a->site = site;
    return a;
}

struct wg_alteration *wg_change_of(struct wg_advising *g, struct wg_advice *a) {
    if (!a->change) a->change = wg_change_none(g->arena, g->s->kernel);
    return a->change;
}

void wg_change_site(struct wg_advising *g, struct wg_advice *a, const struct wg_site *site,
                    enum wg_changing what, uint64_t was, uint64_t is) {
    if (was) wg_change_of(g, a)->of[what][site->id] = (double)is / (double)was;
}

void wg_change_lanes(struct wg_alteration *c, const struct wg_site_summary *site,
                     const struct wg_recorded *then) {
    const struct wg_recorded *now = site->worst;
    struct wg_global_cost was = wg_coalesce(now->address, now->lanes, site->site->bytes);
    struct wg_global_cost is = wg_coalesce(then->address, then->lanes, site->site->bytes);
    c->of[WG_CHANGE_SECTORS][site->site->id] = (double)is.sectors / was.sectors;
    c->of[WG_CHANGE_LINES][site->site->id] = (double)is.lines / was.lines;
}

bool wg_worth(uint64_t win, uint64_t whole) { return win && win * 20 >= whole; }

static struct wg_pattern pattern_of(const struct wg_recorded *access, uint32_t lanes, uint32_t bytes) {
    struct wg_pattern p = {.kind = WG_PATTERN_NONE, .run = 32};
    if (__builtin_popcount(lanes) < 2) return p;
    uint32_t first = (uint32_t)__builtin_ctz(lanes), previous = first;
    bool begun = false;
    for (uint32_t l = first + 1; l < 32; l++) {
        if (!(lanes >> l & 1)) continue;
        int64_t step = (int64_t)(access->address[l] - access->address[previous]);
        int64_t apart = (int64_t)(l - previous);
        if (step % apart != 0 || (begun && step / apart != p.stride)) {
            p.kind = WG_PATTERN_OTHER;
            return p;
        }
        p.stride = step / apart;
        begun = true;
        previous = l;
    }
    int64_t size = p.stride < 0 ? -p.stride : p.stride;
    p.kind = !size                    ? WG_PATTERN_ONE_WORD
             : size == (int64_t)bytes ? WG_PATTERN_SIDE_BY_SIDE
             : size > (int64_t)bytes  ? WG_PATTERN_STRIDED
                                      : WG_PATTERN_OTHER;
    return p;
}

struct wg_pattern wg_pattern_of(const struct wg_recorded *access, uint32_t bytes) {
    return pattern_of(access, access->lanes, bytes);
}

struct wg_pattern wg_pattern_in_runs(const struct wg_recorded *access, uint32_t bytes) {
    struct wg_pattern whole = wg_pattern_of(access, bytes);
    if (whole.kind != WG_PATTERN_OTHER || access->lanes != UINT32_MAX) return whole;
    for (uint32_t run = 16; run >= 4; run /= 2) {
        uint32_t lanes = (1u << run) - 1, same = 1;
        struct wg_pattern p = pattern_of(access, lanes, bytes);
        for (uint32_t at = run; at < 32; at += run) {
            struct wg_pattern next = pattern_of(access, lanes << at, bytes);
            same += next.kind == p.kind && next.stride == p.stride;
        }
        p.run = run;
        if (p.kind != WG_PATTERN_OTHER && same == 32 / run) return p;
    }
    return whole;
}

uint32_t wg_sectors_of(const struct wg_recorded *access, uint32_t bytes) {
    return wg_coalesce(access->address, access->lanes, bytes).sectors;
}

struct wg_recorded *wg_changed(struct wg_arena *a, const struct wg_recorded *access) {
    struct wg_recorded *copy = WG_NEW(a, struct wg_recorded);
    *copy = *access;
    return copy;
}

void wg_lay_side_by_side(struct wg_recorded *access, uint32_t bytes) {
    enum { SECTOR = 32 };
    uint32_t run = wg_pattern_in_runs(access, bytes).run;
    uint64_t room = ((uint64_t)run * bytes + SECTOR - 1) / SECTOR * SECTOR;
    for (uint32_t l = 0; l < 32; l++) access->address[l] = l / run * room + (uint64_t)(l % run) * bytes;
}

struct wg_recorded wg_side_by_side(const struct wg_site_summary *site) {
    struct wg_recorded there = *site->worst;
    wg_lay_side_by_side(&there, site->site->bytes);
    return there;
}

uint32_t wg_sectors_side_by_side(const struct wg_recorded *access, uint32_t bytes) {
    struct wg_recorded there = *access;
    wg_lay_side_by_side(&there, bytes);
    return wg_sectors_of(&there, bytes);
}

void wg_show_side_by_side(struct wg_advising *g, struct wg_advice *a, const struct wg_site_summary *site) {
    struct wg_recorded *then = wg_changed(g->arena, site->worst);
    wg_lay_side_by_side(then, site->site->bytes);
    a->now = site->worst;
    a->then = then;
}

static bool is_loop(const struct wg_site *site) { return site->becomes && !strcmp(site->becomes, "loop"); }

/* All of its compare-and-swaps; its loads have a site of their own. */
static struct wg_counts loop_cost(const struct wg_recorded *access, const struct wg_site *site) {
    struct wg_access_seen seen = {.mask = access->lanes, .bytes = (uint8_t)site->bytes};
    struct wg_counts cost[2];
    memcpy(seen.address, access->address, sizeof seen.address);
    wg_loop_cost(&seen, cost);
    return cost[1];
}

uint64_t wg_turns_of(const struct wg_recorded *access, const struct wg_site *site) {
    return is_loop(site) ? loop_cost(access, site).v[WG_C_requests] : 1;
}

uint32_t wg_wavefronts_of(const struct wg_recorded *access, const struct wg_site *site) {
    if (is_loop(site)) return (uint32_t)loop_cost(access, site).v[WG_C_wavefronts];
    enum wg_shared_kind kind = site->class == WG_CLASS_shared_load        ? WG_SHARED_LOAD
                               : site->class == WG_CLASS_shared_store     ? WG_SHARED_STORE
                               : site->class == WG_CLASS_shared_reduction ? WG_SHARED_INCREMENT
                                                                          : WG_SHARED_ATOMIC;
    uint32_t offset[32], passes = site->becomes ? 2 : 1; /* a swap */
    for (uint32_t l = 0; l < 32; l++) offset[l] = (uint32_t)access->address[l];
    return passes * wg_banks(kind, offset, access->lanes, site->bytes).wavefronts;
}

uint64_t wg_scaled(const struct wg_site_summary *site, enum wg_counter counter, uint32_t was, uint32_t is,
                   bool *proven) {
    uint64_t now = site->counts.v[counter], requests = site->counts.v[WG_C_requests];
    if (now == requests * was) return requests * is;
    *proven = false;
    return was ? (uint64_t)((double)now * is / was + 0.5) : now;
}

bool wg_is_access(const struct wg_site_summary *site, enum wg_class_memory memory) {
    return wg_class_infos[site->site->class].memory == memory && site->counts.v[WG_C_requests] &&
           site->worst && site->worst->lanes;
}

bool wg_is_load_or_store(const struct wg_site *site) {
    return site->class == WG_CLASS_global_load || site->class == WG_CLASS_global_store ||
           site->class == WG_CLASS_shared_load || site->class == WG_CLASS_shared_store;
}

const char *wg_what(const struct wg_site *site, const char *otherwise) {
    return site->what ? site->what : otherwise;
}

bool wg_same_what(const struct wg_site *a, const struct wg_site *b) {
    return a->what == b->what || (a->what && b->what && !strcmp(a->what, b->what));
}

uint64_t wg_warps_launched(const struct wg_summary *s) {
    uint64_t warps = 0;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const struct wg_launch *l = s->launches[i];
        uint32_t whole = (l->block[0] * l->block[1] * l->block[2] + 31) / 32;
        warps += (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] * whole;
    }
    return warps;
}
