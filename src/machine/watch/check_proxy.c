/* See check_proxy.h. For each byte of shared memory: the thread that wrote it last, and the fences since then
 * of threads ordered after the write, until all threads are ordered after one of these. */
#include "machine/watch/check_proxy.h"
#include "base/lanes.h"
#include "check/race/race.h"
#include "machine/worker.h"
#include <stdlib.h>

/* A fence by lanes of a warp that knew of a write. Who knows of a later one of theirs knows of this one. */
struct fence {
    uint64_t when;
    uint32_t rank, lanes;
    uint32_t next; /* in wg_proxies.fences; 0: none */
};
/* What a thread wrote of 16 bytes, less what others wrote over it. */
struct write {
    struct wg_proxy_write by;
    uint64_t when;
    uint32_t fences, next; /* in wg_proxies.writes; 0: none */
    uint32_t bytes;        /* a bit each */
};
struct granule {
    uint32_t first; /* write */
    bool listed;
};
struct of_block {
    struct granule *v;        /* [WG_GRANULES], or NULL */
    WG_VEC(uint32_t) waiting; /* those that were written, and that a fence may be for */
};
struct wg_proxies {
    WG_VEC(struct write) writes; /* the first of either is none */
    WG_VEC(struct fence) fences;
    uint32_t free_write, free_fence; /* the first that is not in use */
    uint32_t nblocks;
    struct of_block block[];
};

static const struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static uint64_t shared_base(const struct wg_unit *u) { return (uint64_t)u->ctas[0].block.cluster_shared; }

struct wg_proxies *wg_check_proxies_new(const struct wg_unit *u) {
    struct wg_proxies *p = wg_xcalloc(1, sizeof *p + u->shape.nctas * sizeof *p->block);
    p->nblocks = u->shape.nctas;
    *WG_PUSH(&p->writes) = (struct write){0};
    *WG_PUSH(&p->fences) = (struct fence){0};
    return p;
}

void wg_check_proxies_free(struct wg_proxies *p) {
    for (uint32_t k = 0; k < p->nblocks; k++) {
        free(p->block[k].v);
        free(p->block[k].waiting.v);
    }
    free(p->writes.v);
    free(p->fences.v);
    free(p);
}

/* ---- writes ---- */

static void drop_fences(struct wg_proxies *p, struct write *x) {
    while (x->fences) {
        struct fence *f = &p->fences.v[x->fences];
        uint32_t next = f->next;
        f->next = p->free_fence;
        p->free_fence = x->fences;
        x->fences = next;
    }
}

/* The write at `*link` goes; the next one takes its place. */
static void drop(struct wg_proxies *p, uint32_t *link) {
    uint32_t at = *link;
    struct write *x = &p->writes.v[at];
    drop_fences(p, x);
    *link = x->next;
    x->next = p->free_write;
    p->free_write = at;
}

/* What was written of these bytes is written over. */
static void clear(struct wg_proxies *p, struct granule *g, uint32_t bytes) {
    for (uint32_t *link = &g->first; *link;) {
        struct write *x = &p->writes.v[*link];
        x->bytes &= ~bytes;
        if (x->bytes)
            link = &x->next;
        else
            drop(p, link);
    }
}

/* Of the 16 bytes at `at` those in [low, high). */
static uint32_t bytes_in(uint64_t at, uint64_t low, uint64_t high) {
    uint32_t from = low > at ? (uint32_t)(low - at) : 0;
    uint32_t to = high < at + WG_GRANULE ? (uint32_t)(high - at) : WG_GRANULE;
    return (1u << to) - (1u << from);
}

static void note(struct wg_proxies *p, struct granule *g, uint32_t bytes, struct wg_proxy_write by,
                 uint64_t when) {
    uint32_t same = 0;
    clear(p, g, bytes);
    for (uint32_t i = g->first; i && !same; i = p->writes.v[i].next) {
        const struct write *x = &p->writes.v[i];
        if (x->by.site == by.site && x->by.thread == by.thread && x->when == when && !x->fences) same = i;
    }
    if (same) {
        p->writes.v[same].bytes |= bytes;
        return;
    }
    uint32_t at = p->free_write;
    if (at)
        p->free_write = p->writes.v[at].next;
    else
        at = wg_vec_grow((void **)&p->writes.v, &p->writes.n, &p->writes.cap, sizeof *p->writes.v);
    p->writes.v[at] = (struct write){.by = by, .when = when, .next = g->first, .bytes = bytes};
    g->first = at;
}

void wg_check_proxy_written(struct wg_proxies *p, const struct wg_warp *w, const struct wg_race_access *x) {
    WG_EACH_LANE(l, x->lanes) {
        uint64_t low = x->address[l] - shared_base(cta_of(w)->unit), rank = low / WG_SHARED_STRIDE;
        if (rank >= p->nblocks) continue;
        struct of_block *b = &p->block[rank];
        struct wg_proxy_write by = {x->site, cta_of(w)->rank << 16 | (w->id * WG_LANES + l)};
        if (!b->v) b->v = wg_xcalloc(WG_GRANULES, sizeof *b->v);
        low %= WG_SHARED_STRIDE;
        for (uint64_t i = low / WG_GRANULE; i * WG_GRANULE < low + x->bytes && i < WG_GRANULES; i++) {
            struct granule *g = &b->v[i];
            note(p, g, bytes_in(i * WG_GRANULE, low, low + x->bytes), by,
                 wg_race_now(cta_of(w)->race, w->id, l));
            if (!g->listed) *WG_PUSH(&b->waiting) = (uint32_t)i;
            g->listed = true;
        }
    }
}

/* The 16 bytes at an address of the process; NULL: nobody has written to the block's memory, or it is none.
 */
static struct granule *granule_at(const struct wg_proxies *p, const struct wg_unit *u, uint64_t at) {
    uint64_t offset = at - shared_base(u), rank = offset / WG_SHARED_STRIDE;
    uint64_t granule = offset % WG_SHARED_STRIDE / WG_GRANULE;
    if (rank >= p->nblocks || !p->block[rank].v || granule >= WG_GRANULES) return NULL;
    return &p->block[rank].v[granule];
}

#define EACH_GRANULE(at, r)                                                                                  \
    for (uint64_t at = (r).base & ~(uint64_t)(WG_GRANULE - 1); at < (r).end; at += WG_GRANULE)

void wg_check_proxy_wrote(struct wg_proxies *p, const struct wg_unit *u, const struct wg_async_part *part) {
    for (uint32_t i = 0; i < part->n; i++) EACH_GRANULE(at, part->ranges[i]) {
            struct granule *g = granule_at(p, u, at);
            if (g) clear(p, g, bytes_in(at, part->ranges[i].base, part->ranges[i].end));
        }
}

/* ---- fences ---- */

/* Those of the lanes that know of what a thread of block `rank` did; between blocks the order of execution is
 * taken for it. */
static uint32_t knowing(const struct wg_warp *w, uint32_t lanes, uint32_t rank, uint64_t when) {
    return rank == cta_of(w)->rank ? wg_race_knowing(cta_of(w)->race, w->id, lanes, when) : lanes;
}

/* A fence that all know of, and the write with it. */
static bool is_known_to_all(const struct wg_proxies *p, const struct wg_unit *u, const struct write *x) {
    for (uint32_t i = x->fences; i; i = p->fences.v[i].next)
        if (wg_race_known_to_all(u->ctas[p->fences.v[i].rank].race, p->fences.v[i].when)) return true;
    return false;
}

static void add(struct wg_proxies *p, struct write *x, const struct wg_warp *w, uint32_t lanes) {
    uint32_t rank = cta_of(w)->rank, fence = p->free_fence;
    for (uint32_t i = x->fences; i && lanes; i = p->fences.v[i].next) {
        const struct fence *f = &p->fences.v[i];
        if (f->rank == rank && wg_race_warp_of(f->when) == w->id) lanes &= ~f->lanes;
    }
    if (lanes) lanes = knowing(w, lanes, x->by.thread >> 16, x->when);
    if (!lanes) return;
    if (fence)
        p->free_fence = p->fences.v[fence].next;
    else
        fence = wg_vec_grow((void **)&p->fences.v, &p->fences.n, &p->fences.cap, sizeof *p->fences.v);
    p->fences.v[fence] = (struct fence){
        .when = wg_race_now(cta_of(w)->race, w->id, 0), .rank = rank, .lanes = lanes, .next = x->fences};
    x->fences = fence;
}

void wg_check_proxy_fenced(struct wg_proxies *p, const struct wg_warp *w, uint32_t lanes) {
    for (uint32_t k = 0; k < p->nblocks; k++) {
        struct of_block *b = &p->block[k];
        uint32_t n = 0;
        for (uint32_t i = 0; i < b->waiting.n; i++) {
            struct granule *g = &b->v[b->waiting.v[i]];
            for (uint32_t *link = &g->first; *link;) {
                struct write *x = &p->writes.v[*link];
                if (is_known_to_all(p, cta_of(w)->unit, x)) {
                    drop(p, link);
                    continue;
                }
                add(p, x, w, lanes);
                link = &x->next;
            }
            g->listed = g->first;
            if (g->listed) b->waiting.v[n++] = b->waiting.v[i];
        }
        b->waiting.n = n;
    }
}

static bool is_handed_over(const struct wg_proxies *p, const struct write *x, const struct wg_warp *w,
                           uint32_t lanes) {
    for (uint32_t i = x->fences; i; i = p->fences.v[i].next) {
        const struct fence *f = &p->fences.v[i];
        for (uint32_t m = f->lanes; m; m &= m - 1)
            if (knowing(w, lanes, f->rank, wg_race_now_of(f->when, (uint32_t)__builtin_ctz(m)))) return true;
    }
    return false;
}

void wg_check_proxy_missing(const struct wg_proxies *p, const struct wg_warp *w, uint32_t lane,
                            const struct wg_async_part *part, wg_proxy_missing *missing, void *user) {
    uint32_t lanes = lane == WG_LANES ? UINT32_MAX : 1u << lane;
    for (uint32_t k = 0; k < part->n; k++) EACH_GRANULE(at, part->ranges[k]) {
            const struct granule *g = granule_at(p, cta_of(w)->unit, at);
            const struct write *by_byte[WG_GRANULE] = {0};
            if (!g || !g->first) continue;
            uint32_t asked = bytes_in(at, part->ranges[k].base, part->ranges[k].end);
            for (uint32_t i = g->first; i; i = p->writes.v[i].next) {
                const struct write *x = &p->writes.v[i];
                if (x->bytes & asked && !is_handed_over(p, x, w, lanes))
                    by_byte[__builtin_ctz(x->bytes & asked)] = x;
            }
            for (uint32_t b = 0; b < WG_GRANULE; b++)
                if (by_byte[b]) missing(user, at + b, &by_byte[b]->by);
        }
}
