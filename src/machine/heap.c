/* malloc and free of kernels: a range of device memory of fixed size (cudaLimitMallocHeapSize), created by
 * the first allocation of a kernel.
 *
 * Blocks are adjacent. Each follows a header with its size and its neighbour's; a freed block is coalesced
 * with free neighbours, and the free ones are in one list. First fit: kernels' allocations are few and alike.
 */
#include "check/race/race.h"
#include "machine/watch/watch.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 32, LEAST_BLOCK = 2 * UNIT };

struct block {
    uint64_t size;   /* header and all, multiple of UNIT; lowest bit: in use */
    uint64_t before; /* size of the block before, 0: first */
    uint64_t mark;   /* its own address, disguised */
    uint64_t unused;
    struct block *next, *prev; /* of free blocks */
};
enum { HEADER = offsetof(struct block, next) };
_Static_assert(offsetof(struct block, next) == (int)UNIT, "allocations are aligned to UNIT");
_Static_assert(sizeof(struct block) <= LEAST_BLOCK, "a free block has room for its links");

struct wg_heap {
    uint64_t base, end;
    struct block *free;
    bool broken;                        /* a kernel wrote over a header: nothing is given out any more */
    WG_VEC(struct wg_heap_block) known; /* checked: all blocks, by base */
    uint32_t kept;                      /* of these, freed ones */
    WG_VEC(char *) makers;              /* calls that made some */
};

static uint64_t mark_of(const struct block *b) { return (uint64_t)b ^ UINT64_C(0x5741525047484541); }
static uint64_t size_of(const struct block *b) { return b->size & ~UINT64_C(1); }
static bool in_use(const struct block *b) { return b->size & 1; }

/* Headers are in memory that kernels can write to: each is validated before use. */
static bool sound(struct wg_heap *h, const struct block *b) {
    uint64_t at = (uint64_t)b;
    bool good = at >= h->base && at < h->end && at % UNIT == 0 && b->mark == mark_of(b) &&
                size_of(b) % UNIT == 0 && size_of(b) >= LEAST_BLOCK && size_of(b) <= h->end - at;
    h->broken |= !good;
    return good;
}

static struct block *behind(struct wg_heap *h, struct block *b) {
    struct block *next = (struct block *)((uint64_t)b + size_of(b));
    return (uint64_t)next < h->end && sound(h, next) ? next : NULL;
}
static struct block *ahead(struct wg_heap *h, struct block *b) {
    struct block *prev = (struct block *)((uint64_t)b - b->before);
    return b->before && sound(h, prev) && size_of(prev) == b->before ? prev : NULL;
}

static void list(struct wg_heap *h, struct block *b) {
    b->prev = NULL;
    b->next = h->free && sound(h, h->free) ? h->free : NULL;
    if (b->next) b->next->prev = b;
    h->free = b;
}
static void unlist(struct wg_heap *h, struct block *b) {
    if ((b->next && !sound(h, b->next)) || (b->prev && !sound(h, b->prev))) return;
    *(b->prev ? &b->prev->next : &h->free) = b->next;
    if (b->next) b->next->prev = b->prev;
}
static void resize(struct wg_heap *h, struct block *b, uint64_t size) {
    b->size = size;
    b->mark = mark_of(b);
    struct block *next = behind(h, b);
    if (next) next->before = size;
}

static struct wg_heap *open_heap(struct wg_device *dev) {
    void *p;
    uint64_t size = (dev->limit_heap + LEAST_BLOCK + UNIT - 1) / UNIT * UNIT;
    if (wg_memory_alloc(&dev->memory, WG_MEM_HEAP, size, 0, &p) != WG_OK) return NULL;
    struct wg_heap *h = wg_xcalloc(1, sizeof *h);
    if (dev->race) wg_race_ignore(dev->race, (uint64_t)p, size); /* accesses to its headers are no races */
    h->base = (uint64_t)p;
    h->end = h->base + size;
    resize(h, p, size);
    list(h, p);
    return h;
}

/* The first `need` bytes of a free block. */
static struct block *take_of(struct wg_heap *h, struct block *b, uint64_t need) {
    unlist(h, b);
    uint64_t rest = size_of(b) - need;
    if (rest >= LEAST_BLOCK) {
        struct block *tail = (struct block *)((uint64_t)b + need);
        resize(h, tail, rest);
        resize(h, b, need);
        list(h, tail);
    }
    b->size |= 1;
    return h->broken ? NULL : b;
}

static struct block *take(struct wg_heap *h, uint64_t need) {
    struct block *b = h->free;
    while (b && sound(h, b) && size_of(b) < need) b = b->next;
    return b && !h->broken ? take_of(h, b, need) : NULL;
}

/* The block that begins there, of a free one that has room around it. */
static struct block *take_at(struct wg_heap *h, uint64_t at, uint64_t need) {
    struct block *b = h->free;
    while (b && sound(h, b) && !(at >= (uint64_t)b && at - (uint64_t)b + need <= size_of(b))) b = b->next;
    if (!b || h->broken) return NULL;
    uint64_t front = at - (uint64_t)b, whole = size_of(b);
    if (front) {
        if (front < LEAST_BLOCK) return NULL;
        struct block *there = (struct block *)at;
        resize(h, there, whole - front);
        resize(h, b, front);
        list(h, there);
        b = there;
    }
    return take_of(h, b, need);
}

static bool give(struct wg_heap *h, struct block *b) {
    if (h->broken || !sound(h, b) || !in_use(b)) return false;
    resize(h, b, size_of(b));
    struct block *next = behind(h, b), *prev = ahead(h, b);
    if (next && !in_use(next)) {
        unlist(h, next);
        resize(h, b, size_of(b) + size_of(next));
    }
    if (prev && !in_use(prev)) {
        unlist(h, prev);
        resize(h, prev, size_of(prev) + size_of(b));
        b = prev;
    }
    list(h, b);
    return true;
}

/* ---- checked: which blocks there are ---- */

/* Index of the first block after `a`. */
static uint32_t behind_address(const struct wg_heap *h, uint64_t a) {
    uint32_t lo = 0, hi = h->known.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (h->known.v[mid].base <= a)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void know(struct wg_heap *h, uint64_t base, uint64_t size) {
    uint32_t at = behind_address(h, base);
    (void)WG_PUSH(&h->known);
    memmove(h->known.v + at + 1, h->known.v + at, (h->known.n - 1 - at) * sizeof *h->known.v);
    h->known.v[at] = (struct wg_heap_block){base, size, false, "malloc"};
}

/* What was kept back of freed blocks can be had again. False: there was none. */
static bool let_go(struct wg_heap *h) {
    uint32_t n = 0;
    bool any = h->kept != 0;
    for (uint32_t i = 0; i < h->known.n; i++) {
        if (h->known.v[i].freed)
            give(h, (struct block *)(h->known.v[i].base - HEADER));
        else
            h->known.v[n++] = h->known.v[i];
    }
    h->known.n = n;
    h->kept = 0;
    return any;
}

/* Freed, but kept back. */
static bool keep(struct wg_heap *h, uint64_t p) {
    uint32_t i = behind_address(h, p);
    if (!i || h->known.v[i - 1].base != p || h->known.v[i - 1].freed) return false;
    h->known.v[i - 1].freed = true;
    h->kept++;
    return true;
}

static bool is_checked(const struct wg_device *dev) { return wg_checks(dev) & 1u << WG_CHECK_memory; }

bool wg_heap_find(struct wg_device *dev, uint64_t a, struct wg_heap_block *out) {
    pthread_mutex_lock(&dev->heap_lock);
    const struct wg_heap *h = dev->heap;
    bool any = h && h->known.n;
    if (any) {
        uint32_t i = behind_address(h, a);
        *out = h->known.v[i ? i - 1 : 0];
    }
    pthread_mutex_unlock(&dev->heap_lock);
    return any;
}

static const char *maker(struct wg_heap *h, const char *by) {
    for (uint32_t i = 0; i < h->makers.n; i++)
        if (!strcmp(h->makers.v[i], by)) return h->makers.v[i];
    return *WG_PUSH(&h->makers) = wg_xstrdup(by);
}

void wg_heap_made(struct wg_device *dev, uint64_t p, const char *by) {
    pthread_mutex_lock(&dev->heap_lock);
    struct wg_heap *h = dev->heap;
    uint32_t i = h ? behind_address(h, p) : 0;
    if (i && h->known.v[i - 1].base == p) h->known.v[i - 1].made_by = maker(h, by);
    pthread_mutex_unlock(&dev->heap_lock);
}

void wg_heap_each_left(struct wg_device *dev,
                       void (*fn)(void *user, const struct wg_heap_block *least, uint64_t count),
                       void *user) {
    const struct wg_heap *h = dev->heap;
    for (uint32_t m = 0; h && m < h->makers.n; m++) {
        struct wg_heap_block least = {.size = UINT64_MAX};
        uint64_t count = 0;
        for (uint32_t i = 0; i < h->known.n; i++) {
            const struct wg_heap_block *b = &h->known.v[i];
            if (b->freed || b->made_by != h->makers.v[m]) continue;
            if (b->size < least.size) least = *b;
            count++;
        }
        if (count) fn(user, &least, count);
    }
}

/* ---- the interface ---- */

/* With its header; 0: no size to be given out. */
static uint64_t bytes_for(uint64_t size) {
    if (size == 0 || size > UINT64_MAX / 2) return 0;
    uint64_t need = (size + HEADER + UNIT - 1) / UNIT * UNIT;
    return need < LEAST_BLOCK ? LEAST_BLOCK : need;
}

uint64_t wg_heap_alloc(struct wg_device *dev, uint64_t size) {
    uint64_t got = 0, need = bytes_for(size);
    if (!need) return 0;
    pthread_mutex_lock(&dev->heap_lock);
    if (!dev->heap) dev->heap = open_heap(dev);
    struct block *b = dev->heap ? take(dev->heap, need) : NULL;
    if (!b && dev->heap && let_go(dev->heap)) b = take(dev->heap, need);
    if (b) got = (uint64_t)b + HEADER;
    if (b && is_checked(dev)) know(dev->heap, got, size);
    if (b) wg_shadow_undefine(&dev->memory, got, size_of(b) - HEADER);
    pthread_mutex_unlock(&dev->heap_lock);
    return got;
}

uint64_t wg_heap_alloc_at(struct wg_device *dev, uint64_t at, uint64_t size) {
    uint64_t need = bytes_for(size);
    pthread_mutex_lock(&dev->heap_lock);
    struct block *b = dev->heap && need ? take_at(dev->heap, at - HEADER, need) : NULL;
    if (b && is_checked(dev)) know(dev->heap, at, size);
    if (b) wg_shadow_undefine(&dev->memory, at, size_of(b) - HEADER);
    pthread_mutex_unlock(&dev->heap_lock);
    return b ? at : 0;
}

bool wg_heap_free(struct wg_device *dev, uint64_t p) {
    if (!p) return true;
    pthread_mutex_lock(&dev->heap_lock);
    struct wg_heap *h = dev->heap;
    bool good = h && p > h->base && p < h->end &&
                (is_checked(dev) ? keep(h, p) : give(h, (struct block *)(p - HEADER)));
    pthread_mutex_unlock(&dev->heap_lock);
    return good;
}

/* ---- for who runs a launch twice ---- */

void wg_heap_open(struct wg_device *dev) {
    pthread_mutex_lock(&dev->heap_lock);
    if (!dev->heap) dev->heap = open_heap(dev);
    pthread_mutex_unlock(&dev->heap_lock);
}

void wg_heap_each_live(struct wg_device *dev, void (*fn)(void *user, uint64_t from, uint64_t to),
                       void *user) {
    struct wg_heap *h = dev->heap;
    for (struct block *b = h ? (struct block *)h->base : NULL; b && sound(h, b); b = behind(h, b))
        if (in_use(b)) fn(user, (uint64_t)b + HEADER, (uint64_t)b + size_of(b));
}

uint64_t wg_heap_range(const struct wg_device *dev, uint64_t *base) {
    *base = dev->heap ? dev->heap->base : 0;
    return dev->heap ? dev->heap->end - dev->heap->base : 0;
}

struct wg_heap_state {
    struct block *free;
    bool broken;
    struct wg_heap_block *known;
    uint32_t nknown, kept;
};

struct wg_heap_state *wg_heap_keep(const struct wg_device *dev) {
    const struct wg_heap *h = dev->heap;
    if (!h) return NULL;
    struct wg_heap_state *s = wg_xcalloc(1, sizeof *s);
    *s = (struct wg_heap_state){.free = h->free, .broken = h->broken, .nknown = h->known.n, .kept = h->kept};
    s->known = wg_xmalloc((s->nknown + 1) * sizeof *s->known);
    if (s->nknown) memcpy(s->known, h->known.v, s->nknown * sizeof *s->known);
    return s;
}

void wg_heap_put(struct wg_device *dev, const struct wg_heap_state *s) {
    struct wg_heap *h = dev->heap;
    if (!h || !s) return;
    h->free = s->free;
    h->broken = s->broken;
    h->kept = s->kept;
    h->known.n = 0;
    for (uint32_t i = 0; i < s->nknown; i++) *WG_PUSH(&h->known) = s->known[i];
}

void wg_heap_drop(struct wg_heap_state *s) {
    if (s) free(s->known);
    free(s);
}

void wg_heap_close(struct wg_device *dev) {
    if (dev->heap) {
        for (uint32_t i = 0; i < dev->heap->makers.n; i++) free(dev->heap->makers.v[i]);
        free(dev->heap->makers.v);
        free(dev->heap->known.v);
    }
    free(dev->heap);
    dev->heap = NULL;
}
