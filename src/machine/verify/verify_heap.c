/* The kernels' heap of a launch that runs twice: a thread's malloc gives the same address in both runs,
 * whichever thread was first. See verify.h.
 *
 * malloc and free write to the heap's memory directly, between the kernel's own writes, so the kernel's
 * writes go through the overlay; the heap is restored when the reference has ended. The comparison covers
 * what was written to a block since it was allocated, in blocks that are live at the end: the position and
 * the contents of free blocks are unspecified. */
#include "machine/verify/verify.h"
#include "machine/device.h"
#include <stdlib.h>
#include <string.h>

struct given { /* by one call of malloc */
    uint64_t block, at, bytes;
    uint32_t thread, next; /* of the same chain, and 1 */
    bool taken;            /* by the same thread of generated code */
};
struct live {
    uint64_t from, to;
};

struct wg_verify_heap {
    uint64_t base, bytes; /* of the heap; 0 bytes: there is none */
    struct wg_heap_state *before;
    WG_VEC(struct given) given; /* in the order of the reference's calls */
    uint32_t *chains, nchains;
    WG_VEC(struct live) live;
    bool reference; /* runs just now */
    bool moved;     /* some thread got another address */
};

enum { CHAINS = 1 << 12 };

struct wg_verify_heap *wg_verify_heap_new(struct wg_verify *v) {
    struct wg_device *dev = v->g->dev;
    if (wg_module_allocates(v->g->func->module)) wg_heap_open(dev);
    struct wg_verify_heap *h = wg_xcalloc(1, sizeof *h);
    h->before = wg_heap_keep(dev);
    h->bytes = wg_heap_range(dev, &h->base);
    return h;
}

void wg_verify_heap_free(struct wg_verify_heap *h) {
    free(h->live.v);
    free(h->given.v);
    free(h->chains);
    wg_heap_drop(h->before);
    free(h);
}

/* ---- malloc ---- */

static uint32_t *chain_of(struct wg_verify_heap *h, uint64_t block, uint32_t thread) {
    if (!h->chains) h->chains = wg_xcalloc(CHAINS, sizeof *h->chains);
    return &h->chains[(block * 1024 + thread) * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}
_Static_assert(CHAINS == 1 << (64 - 52), "");

static void note(struct wg_verify_heap *h, const struct given *g) {
    uint32_t *at = chain_of(h, g->block, g->thread);
    while (*at) at = &h->given.v[*at - 1].next;
    *WG_PUSH(&h->given) = *g;
    /* The vector may have moved. */
    for (at = chain_of(h, g->block, g->thread); *at;) at = &h->given.v[*at - 1].next;
    *at = h->given.n;
}

static struct given *find(struct wg_verify_heap *h, uint64_t block, uint32_t thread) {
    for (uint32_t i = *chain_of(h, block, thread); i; i = h->given.v[i - 1].next) {
        struct given *g = &h->given.v[i - 1];
        if (!g->taken && g->block == block && g->thread == thread) return g;
    }
    return NULL;
}

uint64_t wg_verify_malloc(struct wg_verify *v, const struct wg_warp *w, uint32_t lane, uint64_t bytes) {
    struct wg_verify_heap *h = v->heap;
    struct wg_device *dev = v->g->dev;
    struct given one = {.block = wg_block_index(w->block), .thread = w->id * WG_LANES + lane, .bytes = bytes};
    if (h->reference) {
        one.at = wg_heap_alloc(dev, bytes);
        if (one.at && v->running) wg_replay_forget(v->running, one.at, bytes);
        note(h, &one);
        return one.at;
    }
    struct given *g = find(h, one.block, one.thread);
    uint64_t at = g && g->bytes == bytes && g->at ? wg_heap_alloc_at(dev, g->at, bytes) : 0;
    if (g) g->taken = true;
    if (at || (g && !g->at && g->bytes == bytes)) return at;
    h->moved = true;
    return wg_heap_alloc(dev, bytes);
}

bool wg_verify_heap_moved(const struct wg_verify *v) { return v->heap->moved; }

/* ---- the two runs ---- */

void wg_verify_heap_begin(struct wg_verify *v, bool reference) {
    struct wg_verify_heap *h = v->heap;
    h->reference = reference;
    if (reference) {
        if (v->running) wg_replay_write_through(v->running, h->base, h->bytes);
        h->given.n = 0;
        if (h->chains) memset(h->chains, 0, CHAINS * sizeof *h->chains);
    }
    h->moved = false;
    for (uint32_t i = 0; i < h->given.n; i++) h->given.v[i].taken = false;
    wg_heap_put(v->g->dev, h->before);
}

static void note_live(void *user, uint64_t from, uint64_t to) {
    struct wg_verify_heap *h = user;
    *WG_PUSH(&h->live) = (struct live){from, to};
}

void wg_verify_heap_keep(struct wg_verify *v) {
    v->heap->live.n = 0;
    wg_heap_each_live(v->g->dev, note_live, v->heap);
    wg_snapshot_restore(v->snapshot, 1u << WG_MEM_HEAP);
}

uint64_t wg_verify_heap_lives(const struct wg_verify *v, uint64_t line) {
    const struct wg_verify_heap *h = v->heap;
    if (line - h->base >= h->bytes) return UINT64_MAX;
    uint32_t lo = 0, hi = h->live.n;
    uint64_t mask = 0;
    while (lo < hi) { /* the first that ends after the line's beginning */
        uint32_t mid = lo + (hi - lo) / 2;
        if (h->live.v[mid].to <= line)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < h->live.n && h->live.v[lo].from < line + WG_VERIFY_LINE; lo++)
        for (uint32_t k = 0; k < WG_VERIFY_LINE; k++)
            if (line + k >= h->live.v[lo].from && line + k < h->live.v[lo].to) mask |= UINT64_C(1) << k;
    return mask;
}
