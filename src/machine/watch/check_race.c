/* See check_race.h. */
#include "machine/watch/check_race.h"
#include "base/lanes.h"
#include "check/instrument/between.h"
#include "scev/forms.h"
#include "check/race/race.h"
#include "machine/device.h"
#include "machine/watch/check.h"
#include "machine/watch/check_async.h"
#include "machine/watch/check_stream.h"
#include "machine/worker.h"
#include "warp/mbarrier.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)WG_RACE_WINDOW == (int)WG_SHARED_STRIDE,
               "check/race/race.h tells blocks of a cluster apart by it");

static const struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static bool looks(const struct wg_grid *g) { return g->check && g->check->races.grid && !g->replayed; }

bool wg_check_race_may_matter(const struct wg_grid *g) {
    return g->check && g->check->races.grid && !g->check->races.apart;
}

bool wg_check_race_heard_others(const struct wg_cta *c) { return c->race && wg_race_heard_others(c->race); }

/* ---- what is found ---- */

static void place(struct wg_arena *a, const struct wg_grid *g, const struct wg_race_thread *t,
                  struct wg_finding_place *out) {
    *out = wg_check_place(a, g->func, t->site);
    wg_check_place_thread(g->block.nctaid, g->block.ntid, t->block, t->warp * WG_LANES + t->lane, out);
    out->has_value = t->has_value && out->bytes; /* what copies move is no value */
    out->value = out->bytes < 8 ? t->value & ((UINT64_C(1) << out->bytes * 8) - 1) : t->value;
}

static bool is_volatile(const struct wg_grid *g, uint32_t site) {
    uint8_t order = g->check->races.sites[site].order;
    return order == WG_RACE_VOLATILE || order == WG_RACE_VOLATILE_DATA;
}

/* A volatile store, and an atomic that looks at what it finds: that asks after what the other one tells. */
static bool is_told_by_an_atomic(const struct wg_grid *g, const struct wg_race_found *r) {
    const struct wg_check_site *sites = g->check->sites;
    const struct wg_race_thread *store = &r->first, *atomic = &r->second;
    if (store->access == WG_RACE_ATOMIC) store = &r->second, atomic = &r->first;
    if (atomic->access != WG_RACE_ATOMIC || store->access != WG_RACE_STORE || !is_volatile(g, store->site))
        return false;
    return !sites[atomic->site].blind || g->check->races.asks;
}

/* What is to be said of it beyond the two places; NULL: nothing. */
static const char *remark(struct wg_arena *a, const struct wg_grid *g, const struct wg_race_found *r,
                          bool both) {
    static const char *const between[] = {
        [WG_RACE_WARP] = "volatile does not order them: the lanes of a warp can run independently",
        [WG_RACE_BLOCK] = "volatile does not order the accesses of different warps",
        [WG_RACE_CLUSTER] = "volatile does not order the accesses of different blocks of a cluster",
        [WG_RACE_GRID] = "volatile does not order the accesses of different blocks",
    };
    const char *barrier = r->level == WG_RACE_WARP    ? "__syncwarp()"
                          : r->level == WG_RACE_BLOCK ? "__syncthreads()"
                                                      : NULL;
    const struct wg_check_site *sites = g->check->sites;
    if (r->benign) return NULL;
    const char *where = barrier ? wg_barrier_between(a, g->func->module->ir, &sites[r->first.site],
                                                     &sites[r->second.site], barrier)
                                : NULL;
    if (!both) return where;
    return where ? wg_arena_printf(a, "%s. %s", between[r->level], where) : between[r->level];
}

static void found(void *user, const struct wg_race_found *r) {
    static const enum wg_finding_kind kinds[] = {
        [WG_RACE_WARP] = WG_F_race_warp,
        [WG_RACE_BLOCK] = WG_F_race_block,
        [WG_RACE_CLUSTER] = WG_F_race_cluster,
        [WG_RACE_GRID] = WG_F_race_grid,
    };
    const struct wg_grid *g = user;
    struct wg_arena a = {0};
    bool both = is_volatile(g, r->first.site) && is_volatile(g, r->second.site);
    bool stores = r->first.access != WG_RACE_LOAD && r->second.access != WG_RACE_LOAD;
    /* Threads that take turns by a flag write it one after the other. */
    if (both && stores && g->check->races.asks && !r->benign) return;
    if (!both && is_told_by_an_atomic(g, r)) return;
    struct wg_finding f = {.kind = both ? WG_F_race_volatile : kinds[r->level],
                           .site = r->second.site,
                           .other_site = r->first.site,
                           .has_other = true,
                           .benign = r->benign,
                           .detail = remark(&a, g, r, both),
                           .count = r->count};
    place(&a, g, &r->second, &f.here);
    place(&a, g, &r->first, &f.other);
    if (r->space == WG_RACE_SHARED)
        wg_check_describe_shared(g, r->second.site, r->first.site, r->address, r->level == WG_RACE_CLUSTER,
                                 &f.memory);
    else
        wg_check_describe_global(g->dev, g->func->module, r->address, &f.memory);
    wg_check_add(g, &f);
    wg_arena_free(&a);
}

/* ---- launches and blocks ---- */

static void settled(void *grid) { wg_check_stream_settled(grid); }

/* What there may be of shadow memory: half of what the host has free, for all devices. */
static uint64_t most_bytes(const struct wg_device *dev) {
    long pages = sysconf(_SC_AVPHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    uint64_t devices = dev->options.ndevices > 1 ? dev->options.ndevices : 1;
    return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes / 2 / devices : 0;
}

static void filling(uint64_t bytes, uint64_t most) {
    const double gib = 1 << 30;
    fprintf(stderr,
            "warpglass: the race check of global memory has used %.1f GiB so far, and may need %.1f GiB; "
            "--only memory,init,barrier needs none\n",
            (double)bytes / gib, (double)most / gib);
}

/* Kernels may reach memory of other devices, and what another one's context page-locked. */
static struct wg_race *race_of(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    if (!dev->race) {
        /* The lower half of the address space is what programs have; the upper one is scratch. */
        struct wg_race_options o = {.base = dev->memory.base,
                                    .bits = dev->memory.bits - 1,
                                    .found = found,
                                    .settled = settled,
                                    .most_bytes = most_bytes(dev),
                                    .filling = filling};
        dev->race = wg_race_new(&o);
    }
    for (struct wg_device *d = dev->fleet->first; d && dev->race; d = d->sibling)
        if (d != dev) wg_race_add_arena(dev->race, d->memory.base, d->memory.bits - 1);
    pthread_mutex_unlock(dev->lock);
    return dev->race;
}

void wg_check_race_begin(struct wg_grid *g) {
    struct wg_check_launch *c = g->check;
    struct wg_race *race = wg_checks(g->dev) & 1u << WG_CHECK_race ? race_of(g->dev) : NULL;
    if (!race) return;
    const uint32_t *n = g->block.ntid;
    struct wg_race_shape s = {.user = g,
                              .launch = g->block.gridid - 1,
                              .blocks = g->job.units * g->shape.nctas,
                              .threads = n[0] * n[1] * n[2],
                              .cluster = g->shape.nctas,
                              .shared_bytes = g->shape.window_bytes,
                              .ordered = g->job.alone};
    c->races.sites = wg_xcalloc(c->nids + 1, sizeof *c->races.sites);
    for (uint32_t i = 0; i < c->nids; i++) {
        if (!c->sites[i].instr) continue;
        struct wg_race_site *site = &c->races.sites[i];
        *site = wg_check_race_site(c->sites[i].instr);
        if (c->sites[i].data && site->order == WG_RACE_VOLATILE) site->order = WG_RACE_VOLATILE_DATA;
        c->races.asks |= !c->sites[i].data && site->order == WG_RACE_VOLATILE && site->access == WG_RACE_LOAD;
        c->races.takes |= c->sites[i].takes && c->reached[c->sites[i].func];
        if (c->sites[i].guess && site->order == WG_RACE_WEAK) {
            site->order = WG_RACE_GUESS;
            site->scope = wg_check_race_site(c->sites[i].guess).scope;
        }
        s.small |=
            c->reached[c->sites[i].func] && site->access && site->bytes < 4 && site->space != WG_S_GLOBAL;
    }
    wg_check_async_begin(g);
    wg_check_shared_begin(g);
    wg_check_written_begin(g);
    wg_check_forms_end(g);
    s.no_global = c->races.no_global;
    c->races.grid = wg_race_begin(race, &s);
}

void wg_check_race_end(struct wg_grid *g) {
    struct wg_check_races *r = &g->check->races;
    if (!r->grid) return;
    wg_race_end(r->grid);
    wg_check_stream_shown(g, r->shown);
    wg_check_seen_end(g);
    free(r->sites);
    wg_check_written_end(g);
    wg_check_shared_end(g);
    wg_check_alike_end(g);
    uint64_t left_out = wg_race_left_out(g->dev->race);
    if (!left_out) return;
    wg_findings_note(
        g->dev->options.findings,
        "races were not checked in all of global memory: the check ran out of its own memory; a smaller "
        "problem, or --only without race, needs less");
}

void wg_check_race_unit_begin(struct wg_unit *u) {
    if (!looks(u->grid) || u->grid->check->races.silent || wg_check_alike_unit_begin(u)) return;
    memset(u->peers, 0, sizeof u->peers);
    wg_check_async_unit_begin(u);
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_cta *c = &u->ctas[k];
        c->race = wg_race_block_begin(u->grid->check->races.grid, c->index, k, u->peers,
                                      (uint8_t *)u->shared + (uint64_t)k * WG_SHARED_STRIDE);
    }
}

void wg_check_race_unit_end(struct wg_unit *u) {
    wg_check_async_unit_end(u);
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        if (!u->ctas[k].race) continue;
        wg_check_copies_end(&u->ctas[k]);
        wg_race_block_end(u->ctas[k].race);
        u->ctas[k].race = NULL;
    }
    if (looks(u->grid)) wg_check_alike_unit_end(u);
}

/* ---- what code does ---- */

/* Generic addresses are of shared memory in some lanes, and of global memory, which others see, or local. */
static uint32_t shared_lanes(const struct wg_warp *w, const uint64_t *address) {
    uint64_t base = (uint64_t)w->block->cluster_shared,
             size = (uint64_t)w->block->cluster_nctarank * WG_SHARED_STRIDE;
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < WG_LANES; l++) lanes |= (uint32_t)(address[l] - base < size) << l;
    return lanes;
}

enum part { ALL, NONE, SOME };
/* Where lanes that follow from one address are: all in shared memory, or none, or it is to be asked of each.
 */
static enum part shared_part(const struct wg_warp *w, const struct wg_check_ask *a) {
    uint64_t base = (uint64_t)w->block->cluster_shared,
             size = (uint64_t)w->block->cluster_nctarank * WG_SHARED_STRIDE;
    uint64_t first = a->base + (uint64_t)a->spread->low - base,
             reach = (uint64_t)(a->spread->high - a->spread->low);
    if (a->spread->scaled || reach > size) return SOME;
    if (first < size) return size - first > reach ? ALL : SOME;
    return first + reach < reach ? SOME : NONE;
}

static void by_lanes(const struct wg_cta *c, const struct wg_warp *w, struct wg_race_access *x,
                     uint8_t space) {
    const uint64_t *address = x->address;
    uint64_t offset[WG_LANES];
    if (c->unit->async) x->lanes &= ~wg_check_async_access(w, x);
    uint32_t lanes = x->lanes;
    uint32_t shared = space == WG_S_GLOBAL    ? 0
                      : space == WG_S_GENERIC ? lanes & shared_lanes(w, address)
                                              : lanes;
    x->lanes = lanes & ~shared;
    x->space = WG_RACE_GLOBAL;
    if (x->lanes) wg_race_access(c->race, x);
    if (!shared) return;
    for (uint32_t l = 0; l < WG_LANES; l++) offset[l] = address[l] - (uint64_t)w->block->cluster_shared;
    x->space = WG_RACE_SHARED;
    x->address = offset;
    x->lanes = shared;
    bool late = c->unit->grid->check->sites[x->site].late;
    if (c->copies && !late) wg_check_copies_touch(w, x);
    wg_race_access(c->race, x);
    if (late) wg_check_copy_begins(w, x);
}

void wg_check_race_access(const struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a) {
    const struct wg_cta *c = cta_of(w);
    const struct wg_race_site *s = &c->unit->grid->check->races.sites[a->id];
    struct wg_check_seen **seen = c->unit->grid->check->races.seen;
    uint64_t address[WG_LANES];
    if (!s->access || !lanes) return;
    if (seen && seen[a->id] && !c->unit->async && wg_check_seen(seen[a->id], lanes, a, s->bytes)) return;
    struct wg_race_access x = {.warp = w->id,
                               .site = a->id,
                               .lanes = lanes,
                               .access = s->access,
                               .order = s->order,
                               .scope = s->scope,
                               .bytes = s->bytes,
                               .takes = c->unit->grid->check->sites[a->id].takes,
                               .judged = wg_checks(c->unit->grid->dev) >> WG_CHECK_memory & 1,
                               .address = a->address,
                               .value = s->access == WG_RACE_STORE ? a->value : NULL};
    if (x.address) {
        by_lanes(c, w, &x, s->space);
        return;
    }
    enum part shared = s->space == WG_S_GLOBAL ? NONE : s->space == WG_S_GENERIC ? shared_part(w, a) : ALL;
    if (shared == SOME || c->copies || c->unit->async || c->unit->grid->check->sites[a->id].late) {
        wg_check_addresses(a, address);
        x.address = address;
        by_lanes(c, w, &x, s->space);
        return;
    }
    x.space = shared == ALL ? WG_RACE_SHARED : WG_RACE_GLOBAL;
    x.base = a->base - (shared == ALL ? (uint64_t)w->block->cluster_shared : 0);
    x.scale = a->scale;
    x.k = a->spread->k;
    x.r = a->spread->r;
    wg_race_access(c->race, &x);
}

void wg_check_race_fence(const struct wg_warp *w, uint32_t lanes, uint32_t id) {
    const struct wg_check_site *s = &cta_of(w)->unit->grid->check->sites[id];
    bool block = s->instr->mod[WG_MC_SCOPE] == WG_M_cta;
    if (cta_of(w)->race) wg_race_fence(cta_of(w)->race, w->id, lanes, block ? WG_RACE_CTA : WG_RACE_GPU);
}

/* The lanes' mbarriers, as the instruction's address operand has them: at the process's addresses, and as
 * places in the cluster's shared memory. */
struct mbarriers {
    uint64_t address[WG_LANES], place[WG_LANES];
};
static void find_mbarriers(const struct wg_warp *w, uint32_t id, const uint64_t *operand,
                           struct mbarriers *out) {
    const struct wg_ir_instr *in = cta_of(w)->unit->grid->check->sites[id].instr;
    uint64_t base = (uint64_t)w->block->cluster_shared;
    bool shared = in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
    for (uint32_t l = 0; l < WG_LANES; l++) {
        uint64_t at = operand[l] + (uint64_t)in->offset;
        out->address[l] = shared ? base + (uint32_t)at : at;
        out->place[l] = out->address[l] - base;
    }
}

/* Lanes whose address is an mbarrier at all. */
static uint32_t sound(const struct wg_warp *w, uint32_t lanes, const struct mbarriers *m) {
    uint64_t size = (uint64_t)w->block->cluster_nctarank * WG_SHARED_STRIDE;
    for (uint32_t l = 0; l < WG_LANES; l++)
        if (m->place[l] >= size || m->place[l] % 8) lanes &= ~(1u << l);
    return lanes;
}

void wg_check_race_mbarrier_arrive(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *at,
                                   const uint64_t *operand) {
    struct mbarriers m;
    if (!cta_of(w)->race) return;
    find_mbarriers(w, id, at, &m);
    lanes = sound(w, lanes, &m);
    wg_check_async_mbarrier_used(w, lanes, id, m.address);
    wg_check_async_arrive(w, lanes, m.address);
    wg_check_race_arrival(w, lanes, m.place, cta_of(w)->unit->grid->check->sites[id].instr, operand);
}

void wg_check_race_mbarrier_passed(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *over,
                                   const uint64_t *at) {
    struct mbarriers m;
    uint32_t passed = 0;
    for (uint32_t l = 0; l < WG_LANES; l++)
        if (lanes >> l & 1) passed |= (uint32_t)(over[l] & 1) << l;
    if (!cta_of(w)->race) return;
    find_mbarriers(w, id, at, &m);
    wg_check_async_mbarrier_used(w, sound(w, lanes, &m), id, m.address);
    if (!passed) return;
    passed = sound(w, passed, &m);
    wg_check_race_passage(w, passed, m.place);
    wg_check_async_passed(w, passed, m.address);
}

void wg_check_race_mbarrier_begins(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *at) {
    struct mbarriers m;
    find_mbarriers(w, id, at, &m);
    wg_check_async_mbarrier_begins(w, sound(w, lanes, &m), id, m.address);
}

/* Lanes that name the same mask synchronise: the two halves of a warp may reach one instruction at the same
 * time. */
void wg_check_race_meeting(const struct wg_warp *w, uint32_t lanes, const uint64_t *members) {
    if (!cta_of(w)->race) return;
    if (!members) {
        wg_race_warp_sync(cta_of(w)->race, w->id, UINT32_MAX);
        wg_check_async_meeting(w, UINT32_MAX);
        return;
    }
    for (uint32_t left = lanes, same; left; left &= ~same) {
        uint32_t mask = (uint32_t)members[__builtin_ctz(left)];
        same = wg_lanes_alike(members, left);
        wg_race_warp_sync(cta_of(w)->race, w->id, mask | same);
        wg_check_async_meeting(w, mask | same);
    }
}

/* ---- barriers ---- */

void wg_check_race_plain_barrier(const struct wg_cta *c) {
    uint32_t all[WG_MAX_WARPS];
    if (!c->race) return;
    memset(all, 0xff, sizeof all);
    wg_race_barrier(c->race, 0, all, all);
    wg_check_async_barrier(c, 0, NULL, NULL);
}

void wg_check_race_barrier(const struct wg_cta *c, uint32_t id) {
    const struct wg_barrier *b = &c->barriers[id];
    uint32_t waited[WG_MAX_WARPS];
    if (!c->race) return;
    for (uint32_t i = 0; i < c->nwarps; i++)
        waited[i] = b->waiting[i] | (b->threads == 0 ? ~c->warps[i].live : 0);
    wg_race_barrier(c->race, id, waited, b->waiting);
    wg_check_async_barrier(c, id, waited, b->waiting);
}

void wg_check_race_arrive(const struct wg_warp *w, uint32_t lanes, uint32_t id) {
    if (!cta_of(w)->race) return;
    wg_race_barrier_arrive(cta_of(w)->race, id, w->id, lanes);
    wg_check_async_bar_arrive(w, lanes, id);
}

void wg_check_race_cluster_arrive(const struct wg_warp *w, uint32_t lanes) {
    if (cta_of(w)->race) wg_race_cluster_arrive(cta_of(w)->race, w->id, lanes);
}

void wg_check_race_cluster_barrier(const struct wg_unit *u) {
    struct wg_race_block *blocks[WG_MAX_CLUSTER];
    for (uint32_t k = 0; k < u->shape.nctas; k++) blocks[k] = u->ctas[k].race;
    wg_race_cluster_barrier(blocks, u->shape.nctas);
    wg_check_async_unit_barrier(u);
}

void wg_check_race_grid_barrier(const struct wg_grid *g) {
    if (looks(g)) wg_race_grid_barrier(g->check->races.grid);
}

void wg_check_race_close(struct wg_device *dev) {
    wg_race_free(dev->race);
    dev->race = NULL;
}
