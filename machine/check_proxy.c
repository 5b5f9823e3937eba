/* See check_proxy.h. Each 16 bytes that were written are kept with the thread that wrote last, and the fences
 * since of threads that knew of it: a few, which is more than programs have. */
#include "machine/check_proxy.h"
#include "check/race.h"
#include "machine/worker.h"
#include <stdlib.h>

enum { FENCES = 4 };

/* A fence by lanes of a warp. */
struct fence {
    uint32_t rank, warp, lanes;
    uint64_t when;
};
struct granule {
    struct wg_proxy_write last;
    uint64_t when;
    uint32_t nfences; /* FENCES + 1: more than are kept, and one of them will do */
    bool listed;
    struct fence fences[FENCES];
};
struct of_block {
    struct granule *v;        /* [WG_GRANULES], or NULL */
    WG_VEC(uint32_t) waiting; /* those that were written, and that a fence may be for */
};
struct wg_proxies {
    uint32_t nblocks;
    struct of_block block[];
};

static const struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static uint64_t shared_base(const struct wg_unit *u) { return (uint64_t)u->ctas[0].block.cluster_shared; }

struct wg_proxies *wg_check_proxies_new(const struct wg_unit *u) {
    struct wg_proxies *p = wg_xcalloc(1, sizeof *p + u->shape.nctas * sizeof *p->block);
    p->nblocks = u->shape.nctas;
    return p;
}

void wg_check_proxies_free(struct wg_proxies *p) {
    for (uint32_t k = 0; k < p->nblocks; k++) {
        free(p->block[k].v);
        free(p->block[k].waiting.v);
    }
    free(p);
}

/* The 16 bytes at an address of the process; NULL: nobody has written to the block's memory, or it is none.
 */
static struct granule *granule_at(const struct wg_proxies *p, const struct wg_unit *u, uint64_t at) {
    uint64_t offset = at - shared_base(u), rank = offset / WG_SHARED_STRIDE;
    if (rank >= p->nblocks || !p->block[rank].v) return NULL;
    return &p->block[rank].v[offset % WG_SHARED_STRIDE / WG_GRANULE];
}

static void note(struct of_block *b, uint32_t at, const struct wg_warp *w, uint32_t lane, uint32_t site) {
    struct granule *g = &b->v[at];
    uint32_t thread = cta_of(w)->rank << 16 | (w->id * WG_LANES + lane);
    uint64_t now = wg_race_now(cta_of(w)->race, w->id, lane);
    if (g->last.site == site && g->last.thread == thread && g->when == now && !g->nfences) return;
    g->last = (struct wg_proxy_write){site, thread};
    g->when = now;
    g->nfences = 0;
    if (!g->listed) *WG_PUSH(&b->waiting) = at;
    g->listed = true;
}

void wg_check_proxy_written(struct wg_proxies *p, const struct wg_warp *w, const struct wg_race_access *x) {
    for (uint32_t m = x->lanes; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        uint64_t at = x->address[l] - shared_base(cta_of(w)->unit), rank = at / WG_SHARED_STRIDE;
        if (rank >= p->nblocks) continue;
        struct of_block *b = &p->block[rank];
        if (!b->v) b->v = wg_xcalloc(WG_GRANULES, sizeof *b->v);
        at %= WG_SHARED_STRIDE;
        for (uint64_t g = at / WG_GRANULE; g <= (at + x->bytes - 1) / WG_GRANULE && g < WG_GRANULES; g++)
            note(b, (uint32_t)g, w, l, x->site);
    }
}

void wg_check_proxy_wrote(struct wg_proxies *p, const struct wg_unit *u, const struct wg_async_part *part) {
    for (uint32_t i = 0; i < part->n; i++)
        for (uint64_t at = part->ranges[i].base; at + WG_GRANULE <= part->ranges[i].end; at += WG_GRANULE) {
            struct granule *g = granule_at(p, u, at);
            if (g) g->last.site = 0;
        }
}

/* Whether one of the lanes knows of what a thread of block `rank` did; between blocks the order of execution
 * is taken for it. */
static bool know(const struct wg_warp *w, uint32_t lanes, uint32_t rank, uint64_t when) {
    return rank != cta_of(w)->rank || wg_race_knows(cta_of(w)->race, w->id, lanes, when);
}

static void add(struct granule *g, const struct wg_warp *w, uint32_t lanes) {
    struct fence f = {.rank = cta_of(w)->rank, .warp = w->id};
    for (uint32_t m = lanes; m; m &= m - 1)
        if (know(w, m & -m, g->last.thread >> 16, g->when)) f.lanes |= m & -m;
    if (!f.lanes) return;
    if (g->nfences < FENCES) {
        f.when = wg_race_now(cta_of(w)->race, w->id, (uint32_t)__builtin_ctz(f.lanes));
        g->fences[g->nfences] = f;
    }
    g->nfences++;
}

void wg_check_proxy_fenced(struct wg_proxies *p, const struct wg_warp *w, uint32_t lanes) {
    for (uint32_t k = 0; k < p->nblocks; k++) {
        struct of_block *b = &p->block[k];
        uint32_t n = 0;
        for (uint32_t i = 0; i < b->waiting.n; i++) {
            struct granule *g = &b->v[b->waiting.v[i]];
            if (g->last.site && g->nfences <= FENCES) add(g, w, lanes);
            g->listed = g->last.site && g->nfences <= FENCES;
            if (g->listed) b->waiting.v[n++] = b->waiting.v[i];
        }
        b->waiting.n = n;
    }
}

const struct wg_proxy_write *wg_check_proxy_missing(struct wg_proxies *p, const struct wg_warp *w,
                                                    uint32_t lane, uint64_t at) {
    const struct granule *g = granule_at(p, cta_of(w)->unit, at);
    uint32_t lanes = lane == WG_LANES ? UINT32_MAX : 1u << lane;
    if (!g || !g->last.site || g->nfences > FENCES) return NULL;
    for (uint32_t i = 0; i < g->nfences; i++) {
        const struct fence *f = &g->fences[i];
        for (uint32_t m = f->lanes; m; m &= m - 1)
            if (know(w, lanes, f->rank, wg_race_now_of(f->when, (uint32_t)__builtin_ctz(m)))) return NULL;
    }
    return &g->last;
}
