/* malloc and free of kernels: a range of device memory of fixed size (cudaLimitMallocHeapSize), made when the
 * first kernel asks.
 *
 * Blocks lie next to each other, each behind a header with its size and its neighbour's; free ones are merged
 * with free neighbours and kept in one list. First fit: kernels' allocations are few and alike.
 */
#include "machine/device.h"
#include <stddef.h>
#include <stdlib.h>

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
    bool broken; /* a kernel wrote over a header: nothing is given out any more */
};

static uint64_t mark_of(const struct block *b) { return (uint64_t)b ^ UINT64_C(0x5741525047484541); }
static uint64_t size_of(const struct block *b) { return b->size & ~UINT64_C(1); }
static bool in_use(const struct block *b) { return b->size & 1; }

/* Headers lie in memory that kernels can write to: none is believed before it is looked at. */
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
    h->base = (uint64_t)p;
    h->end = h->base + size;
    resize(h, p, size);
    list(h, p);
    return h;
}

static struct block *take(struct wg_heap *h, uint64_t need) {
    struct block *b = h->free;
    while (b && sound(h, b) && size_of(b) < need) b = b->next;
    if (!b || h->broken) return NULL;
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

uint64_t wg_heap_alloc(struct wg_device *dev, uint64_t size) {
    uint64_t got = 0;
    if (size == 0 || size > UINT64_MAX / 2) return 0;
    uint64_t need = (size + HEADER + UNIT - 1) / UNIT * UNIT;
    if (need < LEAST_BLOCK) need = LEAST_BLOCK;
    pthread_mutex_lock(&dev->heap_lock);
    if (!dev->heap) dev->heap = open_heap(dev);
    struct block *b = dev->heap ? take(dev->heap, need) : NULL;
    if (b) got = (uint64_t)b + HEADER;
    pthread_mutex_unlock(&dev->heap_lock);
    return got;
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

bool wg_heap_free(struct wg_device *dev, uint64_t p) {
    if (!p) return true;
    pthread_mutex_lock(&dev->heap_lock);
    struct wg_heap *h = dev->heap;
    bool good = h && p > h->base && p < h->end && give(h, (struct block *)(p - HEADER));
    pthread_mutex_unlock(&dev->heap_lock);
    return good;
}

void wg_heap_close(struct wg_device *dev) {
    free(dev->heap);
    dev->heap = NULL;
}
