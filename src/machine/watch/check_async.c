/* See check_async.h: operations in flight, and which threads are ordered after their completion. */
#include "machine/watch/check_async.h"
#include "base/lanes.h"
#include "check/race/race.h"
#include "machine/watch/check.h"
#include "machine/watch/check_proxy.h"
#include "machine/worker.h"
#include "warp/mbarrier.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 256,  /* operations that somebody knows to be over, but not everybody */
    MOST = 4096, /* all of them */
    CARRIERS = 8
};

/* A part of an operation, from its beginning until all know of its end. */
struct op {
    struct wg_async_part part;
    struct wg_check_range *ranges; /* rising */
    uint64_t low, high;            /* of all of them */
    uint32_t rank, warp, lane;     /* who began it: lane WG_LANES: the warp */
    uint32_t phase, group;
    bool over;         /* somebody knows */
    uint32_t barriers; /* a bit each: who knew has come by it without waiting */
    uint32_t ncarriers;
    uint64_t carriers[CARRIERS]; /* mbarriers at which somebody arrived who knew */
    uint32_t known[];            /* [rank * WG_MAX_WARPS + warp] lanes */
};

struct of_block {
    uint32_t groups[WG_MAX_WARPS][WG_LANES], products[WG_MAX_WARPS]; /* so far */
};
struct wg_check_async {
    WG_VEC(struct op *) ops;
    struct wg_proxies *proxies;
    struct of_block block[];
};

static struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static struct wg_check_async *async_of(const struct wg_warp *w) { return cta_of(w)->unit->async; }
static uint64_t shared_base(const struct wg_unit *u) { return (uint64_t)u->ctas[0].block.cluster_shared; }

#define EACH_OP(o, a)                                                                                        \
    for (uint32_t i_ = 0; i_ < (a)->ops.n; i_++)                                                             \
        for (struct op *o = (a)->ops.v[i_]; o; o = NULL)

/* ---- units ---- */

static bool has_engines_or_mbarriers(const struct wg_grid *g) {
    for (uint32_t id = 0; id < g->check->nids; id++) {
        const struct wg_check_site *s = &g->check->sites[id];
        if (g->check->reached[s->func] && (s->parts || (s->instr && s->instr->op == WG_OP_MBARRIER_INIT)))
            return true;
    }
    return false;
}

void wg_check_async_begin(struct wg_grid *g) { g->check->races.engines = has_engines_or_mbarriers(g); }

void wg_check_async_unit_begin(struct wg_unit *u) {
    if (!u->grid->check->races.engines) return;
    u->async = wg_xcalloc(1, sizeof *u->async + u->shape.nctas * sizeof *u->async->block);
    u->async->proxies = wg_check_proxies_new(u);
}

static void op_free(struct op *o) {
    free(o->ranges);
    free(o);
}

/* ---- who knows ---- */

static uint32_t *known(struct op *o, uint32_t rank, uint32_t warp) {
    return &o->known[rank * WG_MAX_WARPS + warp];
}

static void learn(struct op *o, const struct wg_warp *w, uint32_t lanes) {
    o->over |= lanes != 0;
    *known(o, cta_of(w)->rank, w->id) |= lanes;
}

/* The block's threads that matter to the operation's memory. */
static bool all_know(const struct wg_unit *u, struct op *o) {
    uint32_t rank = o->rank;
    if (o->part.shared) rank = (uint32_t)((o->low - shared_base(u)) / WG_SHARED_STRIDE);
    const struct wg_cta *c = &u->ctas[rank % u->shape.nctas];
    for (uint32_t i = 0; i < c->nwarps; i++)
        if (c->warps[i].live & ~*known(o, c->rank, i)) return false;
    return true;
}

static void forget_known(const struct wg_unit *u) {
    struct wg_check_async *a = u->async;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->ops.n; i++) {
        struct op *o = a->ops.v[i];
        if (o->over && all_know(u, o))
            op_free(o);
        else
            a->ops.v[n++] = o;
    }
    a->ops.n = n;
}

/* Room for one more: of those that are over the oldest goes, or the oldest of all. */
static void make_room(struct wg_check_async *a) {
    uint32_t at = 0;
    while (at < a->ops.n && !a->ops.v[at]->over) at++;
    if (a->ops.n < (at < a->ops.n ? KEPT : MOST)) return;
    if (at == a->ops.n) at = 0;
    op_free(a->ops.v[at]);
    memmove(&a->ops.v[at], &a->ops.v[at + 1], (a->ops.n - at - 1) * sizeof *a->ops.v);
    a->ops.n--;
}

static void carry(struct op *o, uint64_t mbarrier) {
    for (uint32_t i = 0; i < o->ncarriers && i < CARRIERS; i++)
        if (o->carriers[i] == mbarrier) return;
    if (o->ncarriers < CARRIERS) o->carriers[o->ncarriers] = mbarrier;
    if (o->ncarriers <= CARRIERS) o->ncarriers++;
}

/* Of more carriers than are kept any mbarrier may be one. */
static bool is_carried(const struct op *o, uint64_t mbarrier) {
    for (uint32_t i = 0; i < o->ncarriers && i < CARRIERS; i++)
        if (o->carriers[i] == mbarrier) return true;
    return o->ncarriers > CARRIERS;
}

void wg_check_async_arrive(const struct wg_warp *w, uint32_t lanes, const uint64_t *mbarrier) {
    if (!async_of(w)) return;
    EACH_OP(o, async_of(w)) WG_EACH_LANE(l, lanes & *known(o, cta_of(w)->rank, w->id)) carry(o, mbarrier[l]);
}

static uint32_t phase_of(uint64_t mbarrier) {
    uint64_t bits;
    memcpy(&bits, (const void *)(uintptr_t)mbarrier, sizeof bits);
    return bits >> WG_MBARRIER_PHASE_AT & 3;
}

void wg_check_async_passed(const struct wg_warp *w, uint32_t lanes, const uint64_t *mbarrier) {
    if (!async_of(w)) return;
    EACH_OP(o, async_of(w)) WG_EACH_LANE(l, lanes) {
        bool ended = o->part.until == WG_ASYNC_MBARRIER && o->part.mbarrier == mbarrier[l] &&
                     phase_of(mbarrier[l]) != o->phase;
        if (ended || is_carried(o, mbarrier[l])) learn(o, w, 1u << l);
    }
}

void wg_check_async_meeting(const struct wg_warp *w, uint32_t lanes) {
    if (!async_of(w)) return;
    EACH_OP(o, async_of(w)) if (lanes & *known(o, cta_of(w)->rank, w->id)) learn(o, w, lanes);
}

void wg_check_async_bar_arrive(const struct wg_warp *w, uint32_t lanes, uint32_t id) {
    if (!async_of(w)) return;
    EACH_OP(o, async_of(w)) if (lanes & *known(o, cta_of(w)->rank, w->id)) o->barriers |= 1u << id % 32;
}

void wg_check_async_barrier(const struct wg_cta *c, uint32_t id, const uint32_t *waited,
                            const uint32_t *released) {
    if (!c->unit->async) return;
    EACH_OP(o, c->unit->async) {
        bool told = o->barriers >> id % 32 & 1;
        o->barriers &= ~(1u << id % 32);
        for (uint32_t i = 0; i < c->nwarps && !told; i++)
            told = *known(o, c->rank, i) & (waited ? waited[i] : UINT32_MAX);
        for (uint32_t i = 0; i < c->nwarps && told; i++)
            *known(o, c->rank, i) |= released ? released[i] : UINT32_MAX;
    }
    forget_known(c->unit);
}

void wg_check_async_unit_barrier(const struct wg_unit *u) {
    if (!u->async) return;
    EACH_OP(o, u->async)
    if (o->over) memset(o->known, 0xff, u->shape.nctas * WG_MAX_WARPS * sizeof *o->known);
    forget_known(u);
}

/* ---- what is found ---- */

static const char *what_is_missing(const struct op *o) {
    static const char *const missing[] = {
        [WG_ASYNC_MBARRIER] =
            "Nothing this thread has waited for implies that the copy is done: its mbarrier is the one at "
            "byte %llu of the block's shared memory",
        [WG_ASYNC_GROUP] =
            "Nothing this thread has waited for implies that the copy is done: cp.async.bulk.wait_group in "
            "the thread that started it would (with .read: that it has read its source)",
        [WG_ASYNC_GROUP_READ] =
            "Nothing this thread has waited for implies that the copy has read it: "
            "cp.async.bulk.wait_group, with or without .read, in the thread that started it would",
        [WG_ASYNC_PRODUCTS] = "Nothing this thread has waited for implies that the product has read it: "
                              "wgmma.wait_group in the warp group would",
    };
    return missing[o->part.until];
}

static void describe(const struct wg_warp *w, uint32_t id, uint32_t other, bool shared, uint64_t at,
                     struct wg_finding_memory *out) {
    const struct wg_cta *c = cta_of(w);
    if (!shared) {
        wg_check_describe_global(c->unit->grid->dev, c->unit->grid->func->module, at, out);
        return;
    }
    uint64_t offset = at - shared_base(c->unit);
    wg_check_describe_shared(c->unit->grid, id, other, offset % WG_SHARED_STRIDE,
                             offset / WG_SHARED_STRIDE != c->rank, out);
}

/* A thread, in the function's own numbers. */
struct who {
    uint32_t rank, thread, id;
};

static void tell(const struct wg_warp *w, uint32_t lanes, uint32_t id, struct wg_finding *f, struct who other,
                 uint64_t bytes) {
    struct wg_arena arena = {0};
    const struct wg_unit *u = cta_of(w)->unit;
    const struct wg_grid *g = u->grid;
    f->other = wg_check_place(&arena, g->func, other.id);
    wg_check_place_thread(g->block.nctaid, g->block.ntid, u->ctas[other.rank].index, other.thread, &f->other);
    if (bytes) f->other.bytes = (uint32_t)bytes;
    f->other_site = other.id;
    f->has_other = true;
    wg_check_found(w, lanes, id, f);
    wg_arena_free(&arena);
}

static uint64_t bytes_of(const struct wg_async_part *p) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) n += p->ranges[i].end - p->ranges[i].base;
    return n;
}

/* Lane's access, of so many bytes, meets the operation at `at`. */
static void tell_pending(const struct wg_warp *w, uint32_t lane, uint32_t id, uint64_t bytes, uint64_t at,
                         const struct op *o) {
    struct wg_finding f = {.kind = WG_F_copy_pending, .here = {.bytes = (uint32_t)bytes}};
    char detail[256];
    uint32_t first = o->lane == WG_LANES ? 0 : o->lane;
    snprintf(detail, sizeof detail, what_is_missing(o),
             (unsigned long long)((o->part.mbarrier - shared_base(cta_of(w)->unit)) % WG_SHARED_STRIDE));
    f.detail = detail;
    describe(w, id, o->part.id, o->part.shared, at, &f.memory);
    tell(w, 1u << lane, id, &f, (struct who){o->rank, o->warp * WG_LANES + first, o->part.id},
         bytes_of(&o->part));
}

/* ---- mbarriers ---- */

static void tell_not_ready(const struct wg_warp *w, uint32_t lanes, uint32_t id, struct op *o) {
    bool block = o->rank == cta_of(w)->rank, warp = block && o->warp == w->id;
    struct wg_finding f = {.kind = warp ? WG_F_race_warp : block ? WG_F_race_block : WG_F_race_cluster};
    describe(w, id, o->part.id, true, o->low, &f.memory);
    tell(w, lanes, id, &f, (struct who){o->rank, o->warp * WG_LANES + o->lane, o->part.id}, 0);
    learn(o, w, lanes); /* once is enough */
}

void wg_check_async_mbarrier_used(const struct wg_warp *w, uint32_t lanes, uint32_t id,
                                  const uint64_t *mbarrier) {
    if (!async_of(w)) return;
    EACH_OP(o, async_of(w)) {
        uint32_t strangers = 0;
        if (o->part.until != WG_ASYNC_READY) continue;
        WG_EACH_LANE(l, lanes & ~*known(o, cta_of(w)->rank, w->id))
            strangers |= (uint32_t)(o->part.mbarrier == mbarrier[l]) << l;
        if (strangers) tell_not_ready(w, strangers, id, o);
    }
}

/* ---- accesses ---- */

/* Where [low, high) meets the operation: the first byte; 0: nowhere. */
static uint64_t meets(const struct op *o, uint64_t low, uint64_t high) {
    uint32_t from = 0, to = o->part.n; /* the last range that begins before `high` */
    if (low >= o->high || high <= o->low) return 0;
    while (to - from > 1) {
        uint32_t mid = (from + to) / 2;
        if (o->ranges[mid].base < high)
            from = mid;
        else
            to = mid;
    }
    const struct wg_check_range *r = &o->ranges[from];
    for (; from > 0 && r[-1].end > low; from--) r--; /* the first of them */
    if (r->base >= high || r->end <= low) return 0;
    return r->base > low ? r->base : low;
}

static bool conflicts(const struct op *o, uint8_t access) {
    if (o->part.until == WG_ASYNC_READY) return false;
    return o->part.access != access || access == WG_RACE_STORE;
}

uint32_t wg_check_async_access(const struct wg_warp *w, const struct wg_race_access *x) {
    struct wg_check_async *a = async_of(w);
    uint64_t low = UINT64_MAX, high = 0;
    uint32_t told = 0;
    WG_EACH_LANE(l, x->lanes) {
        if (x->address[l] < low) low = x->address[l];
        if (x->address[l] + x->bytes > high) high = x->address[l] + x->bytes;
    }
    bool listens = x->order != WG_RACE_WEAK && x->order != WG_RACE_GUESS && x->access != WG_RACE_STORE;
    EACH_OP(o, a) {
        if (listens && o->over) learn(o, w, x->lanes); /* what it may have heard of: never mind from whom */
        if (low >= o->high || high <= o->low || !conflicts(o, x->access)) continue;
        WG_EACH_LANE(l, x->lanes & ~*known(o, cta_of(w)->rank, w->id)) {
            uint64_t at = meets(o, x->address[l], x->address[l] + x->bytes);
            if (!at) continue;
            if (!(told >> l & 1)) tell_pending(w, l, x->site, x->bytes, at, o);
            told |= 1u << l;
        }
    }
    if (x->access != WG_RACE_LOAD &&
        low - shared_base(cta_of(w)->unit) < (uint64_t)cta_of(w)->unit->shape.nctas * WG_SHARED_STRIDE)
        wg_check_proxy_written(a->proxies, w, x);
    return told;
}

/* ---- operations ---- */

/* The part counts as an access of the lane, or of the lanes of the warp. */
static void count_as_access(const struct wg_warp *w, uint32_t lane, const struct wg_async_part *p) {
    uint64_t address[WG_LANES];
    uint64_t base = p->shared ? shared_base(cta_of(w)->unit) : 0;
    struct wg_race_access x = {.warp = w->id,
                               .site = p->id,
                               .space = p->shared ? WG_RACE_SHARED : WG_RACE_GLOBAL,
                               .access = p->access,
                               .order = p->access == WG_RACE_ATOMIC ? WG_RACE_RELAXED : WG_RACE_WEAK,
                               .scope = WG_RACE_GPU,
                               .address = address};
    uint32_t first = lane == WG_LANES ? 0 : lane, most = lane == WG_LANES ? WG_LANES : 1, n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        for (uint64_t at = p->ranges[i].base, bytes; at < p->ranges[i].end; at += bytes) {
            bytes = lane == WG_LANES ? WG_GRANULE : 2 * WG_GRANULE;
            while (at % bytes || p->ranges[i].end - at < bytes) bytes /= 2;
            if (n && (n == most || bytes != x.bytes)) {
                x.lanes = (n == WG_LANES ? UINT32_MAX : (1u << n) - 1) << first;
                wg_race_access(cta_of(w)->race, &x);
                n = 0;
            }
            x.bytes = (uint8_t)bytes;
            address[first + n++] = at - base;
        }
    x.lanes = (n == WG_LANES ? UINT32_MAX : (1u << n) - 1) << first;
    if (n) wg_race_access(cta_of(w)->race, &x);
}

/* An operation that reads what has not been handed over. */
struct unfenced {
    const struct wg_warp *w;
    const struct wg_async_part *part;
    uint32_t lane;
    WG_VEC(uint32_t) told; /* sites of the stores: each once */
};

static void tell_unfenced(void *user, uint64_t at, const struct wg_proxy_write *by) {
    struct unfenced *x = user;
    struct wg_finding f = {.kind = WG_F_proxy_fence, .here = {.bytes = (uint32_t)bytes_of(x->part)}};
    for (uint32_t i = 0; i < x->told.n; i++)
        if (x->told.v[i] == by->site) return;
    *WG_PUSH(&x->told) = by->site;
    describe(x->w, x->part->id, by->site, true, at, &f.memory);
    tell(x->w, 1u << x->lane, x->part->id, &f, (struct who){by->thread >> 16, by->thread & 0xffff, by->site},
         0);
}

/* What threads wrote has to be handed over before it is read. */
static void ask_for_fence(const struct wg_warp *w, uint32_t lane, const struct wg_async_part *p) {
    struct unfenced x = {.w = w, .part = p, .lane = lane == WG_LANES ? 0 : lane};
    wg_check_proxy_missing(async_of(w)->proxies, w, lane, p, tell_unfenced, &x);
    free(x.told.v);
}

/* Others may be under way that it meets; those that it takes the place of need not be known any more. */
static void hold_against_others(const struct wg_warp *w, uint32_t lane, const struct wg_async_part *p) {
    struct wg_check_async *a = async_of(w);
    uint32_t lanes = lane == WG_LANES ? UINT32_MAX : 1u << lane, n = 0;
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->ranges[i].base < low) low = p->ranges[i].base;
        if (p->ranges[i].end > high) high = p->ranges[i].end;
    }
    for (uint32_t k = 0; k < a->ops.n; k++) {
        struct op *o = a->ops.v[k];
        bool knows = *known(o, cta_of(w)->rank, w->id) & lanes;
        uint64_t at = 0;
        a->ops.v[n++] = o;
        if (o->part.shared != p->shared || low >= o->high || high <= o->low) continue;
        for (uint32_t i = 0; i < p->n && !at && !knows && conflicts(o, p->access); i++)
            at = meets(o, p->ranges[i].base, p->ranges[i].end);
        if (at) tell_pending(w, lane == WG_LANES ? 0 : lane, p->id, bytes_of(p), at, o);
        if (knows && o->over && p->n == 1 && low <= o->low && high >= o->high && p->access == WG_RACE_STORE) {
            op_free(o);
            n--;
        }
    }
    a->ops.n = n;
}

static int by_base(const void *a, const void *b) {
    const struct wg_check_range *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

static void remember(const struct wg_warp *w, uint32_t lane, const struct wg_async_part *p) {
    struct wg_check_async *a = async_of(w);
    const struct wg_cta *c = cta_of(w);
    const struct of_block *b = &a->block[c->rank];
    if (!p->n) return;
    make_room(a);
    struct op *o = wg_xcalloc(1, sizeof *o + c->unit->shape.nctas * WG_MAX_WARPS * sizeof *o->known);
    *o = (struct op){.part = *p, .rank = c->rank, .warp = w->id, .lane = lane};
    o->ranges = wg_xmalloc(p->n * sizeof *o->ranges);
    memcpy(o->ranges, p->ranges, p->n * sizeof *o->ranges);
    qsort(o->ranges, p->n, sizeof *o->ranges, by_base);
    o->part.ranges = o->ranges;
    o->low = o->ranges[0].base;
    for (uint32_t i = 0; i < p->n; i++)
        if (o->ranges[i].end > o->high) o->high = o->ranges[i].end;
    o->group = lane == WG_LANES ? b->products[w->id] : b->groups[w->id][lane];
    if (p->until == WG_ASYNC_MBARRIER) o->phase = phase_of(p->mbarrier);
    *WG_PUSH(&a->ops) = o;
}

/* What the old one counted is the program's own affair. */
static void forget_mbarrier(struct wg_check_async *a, uint64_t mbarrier) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->ops.n; i++) {
        struct op *o = a->ops.v[i];
        bool gone = (o->part.until == WG_ASYNC_MBARRIER || o->part.until == WG_ASYNC_READY) &&
                    o->part.mbarrier == mbarrier;
        if (gone)
            op_free(o);
        else
            a->ops.v[n++] = o;
    }
    a->ops.n = n;
}

void wg_check_async_mbarrier_begins(const struct wg_warp *w, uint32_t lanes, uint32_t id,
                                    const uint64_t *mbarrier) {
    if (!async_of(w)) return;
    bool begins = cta_of(w)->unit->grid->check->sites[id].instr->op == WG_OP_MBARRIER_INIT;
    WG_EACH_LANE(l, lanes) {
        struct wg_check_range r = {mbarrier[l], mbarrier[l] + 8};
        struct wg_async_part p = {.id = id,
                                  .access = WG_RACE_STORE,
                                  .until = WG_ASYNC_READY,
                                  .shared = true,
                                  .mbarrier = mbarrier[l],
                                  .ranges = &r,
                                  .n = 1};
        forget_mbarrier(async_of(w), mbarrier[l]);
        if (!begins) continue;
        remember(w, l, &p);
        learn(async_of(w)->ops.v[async_of(w)->ops.n - 1], w, 1u << l);
    }
}

/* Reads of what no thread writes race with nothing. */
static bool is_quiet(const struct wg_warp *w, const struct wg_async_part *p) {
    if (p->shared || p->access != WG_RACE_LOAD || !p->n) return false;
    struct wg_check_window there = {.lo = p->ranges[0].base, .starts = 1};
    return wg_check_written_quiet(cta_of(w)->unit->grid, p->id, &there);
}

void wg_check_async_issue(const struct wg_warp *w, uint32_t lane, const struct wg_async_part *p, uint32_t n) {
    struct wg_check_async *a = async_of(w);
    uint64_t mbarrier[WG_LANES], place[WG_LANES];
    if (!a || !cta_of(w)->race) return;
    for (uint32_t i = 0; i < n; i++) {
        if (is_quiet(w, &p[i])) continue;
        hold_against_others(w, lane, &p[i]);
        if (p[i].shared && p[i].access == WG_RACE_LOAD) ask_for_fence(w, lane, &p[i]);
        if (p[i].shared && p[i].access == WG_RACE_STORE)
            wg_check_proxy_wrote(a->proxies, cta_of(w)->unit, &p[i]);
        count_as_access(w, lane, &p[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!is_quiet(w, &p[i])) remember(w, lane, &p[i]);
        if (p[i].until != WG_ASYNC_MBARRIER || !p[i].shared || p[i].access == WG_RACE_LOAD) continue;
        mbarrier[lane] = p[i].mbarrier;
        place[lane] = p[i].mbarrier - shared_base(cta_of(w)->unit);
        wg_check_async_mbarrier_used(w, 1u << lane, p[i].id, mbarrier);
        wg_check_async_arrive(w, 1u << lane, mbarrier);
        wg_check_race_arrival(w, 1u << lane, place, NULL, NULL);
    }
}

void wg_check_async_commit(const struct wg_warp *w, uint32_t lanes, bool products) {
    if (!async_of(w)) return;
    struct of_block *b = &async_of(w)->block[cta_of(w)->rank];
    if (products)
        b->products[w->id]++;
    else
        WG_EACH_LANE(l, lanes) b->groups[w->id][l]++;
}

/* What a thread's copies wrote to global memory they may have written as late as now. */
static void written_late(const struct wg_warp *w, const struct op *o) {
    if (o->part.until == WG_ASYNC_GROUP && !o->part.shared) count_as_access(w, o->lane, &o->part);
}

void wg_check_async_wait(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *open) {
    if (!async_of(w) || !cta_of(w)->race) return;
    const struct wg_cta *c = cta_of(w);
    const struct of_block *b = &c->unit->async->block[c->rank];
    const struct wg_ir_instr *in = c->unit->grid->check->sites[id].instr;
    bool products = in->op == WG_OP_WGMMA_WAIT, reads = in->mod[WG_MC_EXPECT] != WG_M_none;
    uint64_t most = open[__builtin_ctz(lanes)];
    EACH_OP(o, c->unit->async) {
        if (o->rank != c->rank || o->part.until == WG_ASYNC_MBARRIER || o->part.until == WG_ASYNC_READY)
            continue;
        if (products != (o->part.until == WG_ASYNC_PRODUCTS)) continue;
        if (products) { /* the four warps have come by */
            if (o->warp / 4 == w->id / 4 && o->group + most < b->products[o->warp]) learn(o, w, lanes);
            continue;
        }
        if (o->warp != w->id || !(lanes >> o->lane & 1) || o->group + most >= b->groups[w->id][o->lane])
            continue;
        if (reads && o->part.until != WG_ASYNC_GROUP_READ) continue;
        if (!o->over) written_late(w, o);
        learn(o, w, 1u << o->lane);
    }
}

void wg_check_async_proxy_fence(const struct wg_warp *w, uint32_t lanes, uint32_t id) {
    const struct wg_check_site *s = &cta_of(w)->unit->grid->check->sites[id];
    if (async_of(w) && cta_of(w)->race && s->instr->space != WG_S_GLOBAL)
        wg_check_proxy_fenced(async_of(w)->proxies, w, lanes);
}

/* Memory of another block of the cluster, which nothing keeps from ending before the copy arrives. A block's
 * own memory the chip itself keeps until its copies are done with it. */
void wg_check_async_cluster_end(const struct wg_unit *u) {
    if (!u->async) return;
    EACH_OP(o, u->async) {
        uint64_t rank = o->part.shared ? (o->low - shared_base(u)) / WG_SHARED_STRIDE : o->rank;
        if (o->over || rank == o->rank || rank >= u->shape.nctas) continue;
        const struct wg_warp *w = &u->ctas[o->rank].warps[o->warp];
        const uint32_t *block = u->ctas[rank].block.ctaid;
        struct wg_finding f = {.kind = WG_F_cluster_exit, .here = {.bytes = (uint32_t)bytes_of(&o->part)}};
        char detail[160];
        snprintf(detail, sizeof detail,
                 "Nobody waits for this copy, so block (%u,%u,%u) may exit before it arrives there", block[0],
                 block[1], block[2]);
        f.detail = detail;
        describe(w, o->part.id, o->part.id, true, o->low, &f.memory);
        wg_check_found(w, 1u << o->lane % WG_LANES, o->part.id, &f);
    }
}

void wg_check_async_unit_end(struct wg_unit *u) {
    struct wg_check_async *a = u->async;
    if (!a) return;
    for (uint32_t i = 0; i < a->ops.n; i++) {
        struct op *o = a->ops.v[i];
        const struct wg_cta *c = &u->ctas[o->rank];
        if (!o->over && c->race) written_late(&c->warps[o->warp], o);
        op_free(o);
    }
    wg_check_proxies_free(a->proxies);
    free(a->ops.v);
    free(a);
    u->async = NULL;
}
