/* See trips.h. */
#include "report/trips.h"
#include "report/walks.h"
#include <math.h>
#include <string.h>

/* Loads that stand this close in the PTX and ran equally often belong to one stretch of code; only so many of
 * them are under way together. */
enum { CLOSE = 60, TOGETHER = 8, SECTOR = 32 };
enum { FETCH = 64 }; /* bytes that L2 brings from memory at once (docs/time_model.md) */

struct group {
    uint32_t loads, line; /* how many, and where the last one is */
    uint64_t times;
    double turns; /* that the slowest warp takes there */
    bool stored;  /* since its last load */
    double misses, from_memory;
};

/* Part of a site's sectors that were not in L1. Where the address grows by a few bytes a turn (step), a turn finds there what
 * the one before brought; where that is not known, no more are loaded than dense loads would. */
static double missing(const struct wg_counts *c, const struct wg_touched_site *of, double step) {
    double sectors = (double)c->v[WG_C_sectors];
    if (sectors > 0 && step > 0) return of->sectors / sectors * fmin(1, step / SECTOR);
    return sectors > 0 ? fmin(of->sectors, (double)c->v[WG_C_ideal_sectors]) / sectors : 0;
}

/* Part of the loads beyond L1 that memory serves. In the first wave all warps come to a sector at about the same time,
 * however many want it, and each waits for memory as often as it comes to one that is new to it. In later waves only
 * what no other warp loaded is still there. */
static double from_memory(const struct wg_profile *p, const struct wg_launch *l, const struct wg_touched *t,
                          uint32_t allocation, double waves) {
    double moved = 0, size = INFINITY;
    for (uint32_t s = 0; s < l->site_count; s++)
        if (t->of[s].sort == WG_TOUCHES_LOADS && t->of[s].allocation == allocation) moved += t->of[s].sectors;
    for (uint32_t a = 0; a < p->allocation_count; a++)
        if (p->allocations[a].id == allocation) size = ceil((double)p->allocations[a].bytes / SECTOR);
    if (moved <= size) return 1;
    double warps =
        ceil(l->block[0] * (double)l->block[1] * l->block[2] / 32) * l->grid[0] * l->grid[1] * l->grid[2];
    return (fmin(1, size * warps / moved) + (waves - 1) * size / moved) / waves;
}

static void add(struct wg_trips *to, const struct group *g, double times) {
    to->all += times;
    to->misses += times * g->misses;
    to->from_memory += times * g->from_memory;
}

static void end(struct wg_waits_for_loads *all, struct group *g) {
    if (g->loads) {
        add(&all->sum, g, (double)g->times);
        add(&all->slowest, g, g->turns);
    }
    *g = (struct group){0};
}

static bool may_move(const struct wg_site *site) { return site->op && strstr(site->op, ".nc"); }

struct wg_waits_for_loads wg_trips_find(const struct wg_profile *p, const struct wg_profile_kernel *k,
                                        const struct wg_launch *l, const struct wg_touched *t,
                                        const struct wg_slowest *slowest, double waves) {
    struct wg_waits_for_loads all = {0};
    struct group g = {0};
    struct wg_arena scratch = {0};
    struct wg_walks walks = wg_walks_find(k, l, &scratch);
    for (uint32_t s = 0; s < l->site_count; s++) {
        const struct wg_site *site = &k->sites[l->sites[s].site];
        const struct wg_counts *c = &l->sites[s].counts;
        uint64_t n = c->v[WG_C_instructions];
        if (site->class == WG_CLASS_barrier) end(&all, &g);
        g.stored |= site->class == WG_CLASS_global_store || site->class == WG_CLASS_global_reduction;
        if (site->class != WG_CLASS_global_load && site->class != WG_CLASS_global_atomic) continue;
        bool together = g.loads < TOGETHER && n == g.times && site->ptx_line - g.line <= CLOSE &&
                        (!g.stored || may_move(site));
        if (!together) end(&all, &g);
        double step = wg_walks_step(&walks, site->ptx_line);
        double misses = missing(c, &t->of[s], step);
        g.misses = fmax(g.misses, misses);
        if (t->of[s].sort == WG_TOUCHES_LOADS)
            g.from_memory = fmax(g.from_memory, misses * from_memory(p, l, t, t->of[s].allocation, waves) *
                                                    (step > 0 ? fmin(1, fmax(step, SECTOR) / FETCH) : 1));
        g.loads++;
        g.times = n;
        g.turns = wg_slowest_turns(slowest, site->ptx_line);
        g.line = site->ptx_line;
    }
    end(&all, &g);
    wg_arena_free(&scratch);
    return all;
}
