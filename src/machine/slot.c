/* Memory of units: warps, frames, local and shared memory, kept by each worker between launches.
 *
 * Shared memory of a cluster: each block has a window of WG_SHARED_STRIDE bytes of address space. Only the
 * pages with bytes that a block may touch are mapped, so that an access outside them faults. The page in
 * front of each can be read: a warp's masked load of x[t - 1] begins there with lane 0 masked off, and a
 * masked lane on an unmapped page costs the CPU some two hundred cycles.
 */
#include "machine/overrun.h"
#include "machine/profile.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* What lies in a frame before anything is written there: 0 where Warpglass is developed would hide code that
 * reads it, until a launch finds what an earlier one has left. */
#ifdef NDEBUG
enum { UNWRITTEN = 0 };
#else
enum { UNWRITTEN = 0xa5 };
#endif

static uint64_t pages(uint64_t bytes) { return (bytes + WG_PAGE - 1) & ~(uint64_t)(WG_PAGE - 1); }

static bool same_shape(const struct wg_shape *a, const struct wg_shape *b) {
    return a->nctas == b->nctas && a->nwarps == b->nwarps && a->frame_bytes == b->frame_bytes &&
           a->window_bytes == b->window_bytes && a->local_stride == b->local_stride &&
           a->save_bytes == b->save_bytes;
}

static uint8_t *window(const struct wg_unit *u, uint32_t k) {
    return (uint8_t *)u->shared + (uint64_t)k * WG_SHARED_STRIDE;
}

static void destroy_shared(struct wg_memory *m, struct wg_unit *u) {
    uint64_t used = WG_PAGE + pages(u->shape.window_bytes + WG_MEMORY_PAD);
    for (uint32_t k = 0; k < u->shape.nctas; k++) wg_shadow_forget(m, (uint64_t)window(u, k) - WG_PAGE, used);
    wg_memory_free(m, 1u << WG_MEM_SCRATCH, window(u, 0) - WG_PAGE);
}

static void destroy(struct wg_memory *m, struct wg_unit *u) {
    if (u->local) wg_memory_free(m, 1u << WG_MEM_SCRATCH, u->local);
    if (u->shared) destroy_shared(m, u);
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        free(u->ctas[k].watch);
        free(u->ctas[k].rounds);
    }
    free(u->frames);
    for (uint32_t i = 0; u->warps && i < u->shape.nctas * u->shape.nwarps; i++) free(u->warps[i].notes);
    free(u->warps);
    free(u->ctas);
    free(u);
}

static bool make_shared(struct wg_memory *m, struct wg_unit *u) {
    if (wg_memory_windows(m, u->shape.nctas, &u->shared) != WG_OK) return false;
    if (!u->shape.window_bytes) return true;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        uint8_t *at = window(u, k);
        if (!wg_memory_commit(at, wg_window_mapped(&u->shape)) ||
            mprotect(at - WG_PAGE, WG_PAGE, PROT_READ) != 0)
            return false;
        const uint8_t *shadow = wg_shadow_at(m, (uint64_t)at - 1);
        (void)*(volatile uint8_t *)(at - 1); /* masked lanes never bring a page in */
        if (shadow) (void)*(const volatile uint8_t *)shadow;
    }
    wg_overrun_begin(u);
    return true;
}

static struct wg_unit *create(struct wg_memory *m, const struct wg_shape *shape) {
    struct wg_unit *u = wg_xcalloc(1, sizeof *u);
    uint32_t n = shape->nctas * shape->nwarps;
    uint64_t local = (uint64_t)n * WG_LANES * shape->local_stride, saves = (local + 63) & ~(uint64_t)63;
    uint64_t own = saves + n * shape->save_bytes;
    u->shape = *shape;
    u->dirty = true;
    u->ctas = wg_xcalloc(shape->nctas, sizeof *u->ctas);
    u->warps = wg_xcalloc(n, sizeof *u->warps);
    u->frames = shape->frame_bytes ? aligned_alloc(64, (size_t)n * shape->frame_bytes) : NULL;
    if (u->frames) memset(u->frames, UNWRITTEN, (size_t)n * shape->frame_bytes);
    bool good = (u->frames || !shape->frame_bytes) && make_shared(m, u) &&
                (!own || wg_memory_alloc(m, WG_MEM_SCRATCH, own, 0, &u->local) == WG_OK);
    if (!good) {
        destroy(m, u);
        return NULL;
    }
    for (uint32_t k = 0; k < shape->nctas; k++) {
        struct wg_cta *c = &u->ctas[k];
        c->unit = u;
        c->rank = k;
        c->nwarps = shape->nwarps;
        c->warps = u->warps + k * shape->nwarps;
        for (uint32_t i = 0; i < shape->nwarps; i++) {
            uint32_t at = k * shape->nwarps + i;
            c->warps[i] =
                (struct wg_warp){.block = &c->block,
                                 .frame = u->frames ? u->frames + (size_t)at * shape->frame_bytes : NULL,
                                 .local_stride = shape->local_stride,
                                 .save_bytes = shape->save_bytes,
                                 .id = i,
                                 .machine = c};
            if (local)
                c->warps[i].local = (uint8_t *)u->local + (uint64_t)at * WG_LANES * shape->local_stride;
            if (shape->save_bytes) c->warps[i].saves = (uint8_t *)u->local + saves + at * shape->save_bytes;
        }
    }
    return u;
}

/* What a launch's blocks have in common. */
static void adopt(struct wg_unit *u, struct wg_grid *g) {
    u->grid = g;
    u->claim = u->worker->claim;
    u->placed = u->fresh = false;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_cta *c = &u->ctas[k];
        struct wg_block *b = &c->block;
        *b = g->block;
        b->cluster_shared = u->shared;
        b->shared_offset = k * WG_SHARED_STRIDE;
        b->reserved_at += b->shared_offset;
        b->cluster_ctarank = k;
        b->cluster_ctaid[0] = k % b->cluster_nctaid[0];
        b->cluster_ctaid[1] = k / b->cluster_nctaid[0] % b->cluster_nctaid[1];
        b->cluster_ctaid[2] = k / b->cluster_nctaid[0] / b->cluster_nctaid[1];
        b->machine = c;
        b->combiners = u->worker->sums.at;
        b->current = &u->worker->warp;
        for (uint32_t i = 0; i < c->nwarps; i++) {
            c->warps[i].code = g->code;
            c->warps[i].tally = wg_profile_tally(g, u->worker->index);
            c->warps[i].windows = wg_check_windows(g, u->worker->index);
        }
    }
}

struct wg_unit *wg_slot_get(struct wg_worker *w, struct wg_grid *g) {
    struct wg_unit **at = &w->slots;
    while (*at && !same_shape(&(*at)->shape, &g->shape)) at = &(*at)->next;
    struct wg_unit *u = *at;
    if (u) {
        *at = u->next;
        w->nslots--;
    } else if (!(u = create(&g->dev->memory, &g->shape))) {
        wg_grid_stop(g, WG_STOP_MEMORY);
        return NULL;
    }
    u->worker = w;
    adopt(u, g);
    return u;
}

void wg_slot_put(struct wg_worker *w, struct wg_unit *u) {
    u->grid = NULL;
    u->next = w->slots;
    w->slots = u;
    w->nslots++;
}

static uint64_t bytes_of(const struct wg_shape *s) {
    uint64_t warp = sizeof(struct wg_warp) + s->frame_bytes + WG_LANES * s->local_stride;
    return s->nctas * (sizeof(struct wg_cta) + pages(s->window_bytes + WG_MEMORY_PAD) + s->nwarps * warp);
}

void wg_slot_trim(struct wg_worker *w, uint64_t keep) {
    struct wg_unit **at = &w->slots;
    while (*at && bytes_of(&(*at)->shape) <= keep) {
        keep -= bytes_of(&(*at)->shape);
        at = &(*at)->next;
    }
    while (*at) {
        struct wg_unit *u = *at;
        *at = u->next;
        destroy(&w->pool->dev->memory, u);
        w->nslots--;
    }
}
