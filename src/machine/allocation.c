/* The allocation API: checks handles and kinds; memory.c does the work. */
#include "machine/watch/watch.h"
#include "machine/work.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum wg_status wg_mem_alloc_flags(struct wg_device *dev, enum wg_mem_kind kind, size_t size, uint32_t flags,
                                  void **out) {
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    if (kind != WG_MEM_DEVICE && kind != WG_MEM_PINNED && kind != WG_MEM_MANAGED)
        return wg_fail(WG_INVALID_VALUE, "no such kind of memory");
    status = wg_memory_alloc(&dev->memory, kind, size, flags, out);
    if (status == WG_OK) wg_check_stream_forget(dev, (uint64_t)*out, size);
    return status;
}

enum wg_status wg_mem_alloc(struct wg_device *dev, enum wg_mem_kind kind, size_t size, void **out) {
    return wg_mem_alloc_flags(dev, kind, size, 0, out);
}

enum wg_status wg_mem_free(struct wg_device *dev, enum wg_mem_kind kind, void *p) {
    if (!p) return wg_device_status(dev);
    if (!wg_device_is_here(dev)) return wg_device_not_here();
    wg_work_wait_all(dev, NULL);
    wg_work_wait_for_lent(dev);
    wg_print_flush(dev); /* as an H200 does, though CUDA's guide names other calls */
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    uint32_t kinds = 1u << kind | (kind == WG_MEM_DEVICE ? 1u << WG_MEM_MANAGED : 0);
    return wg_memory_free(&dev->memory, kinds, p);
}

enum wg_status wg_mem_alloc_async(struct wg_device *of, struct wg_stream *s, size_t size, void **out) {
    enum wg_status status = wg_stream_usable(s);
    if (status == WG_OK) status = wg_mem_alloc(of, WG_MEM_DEVICE, size, out);
    if (status == WG_OK) wg_check_stream_allocated(s, *out, size);
    return status;
}

static bool begin_free(struct wg_work *w, bool failed) {
    (void)failed;
    struct wg_memory *m = wg_fleet_memory(w->dev, (uint64_t)w->memory);
    struct wg_span s;
    if (wg_memory_find(m, (uint64_t)w->memory, &s) && s.imported)
        wg_memory_close_import(m, w->memory);
    else
        wg_memory_free(m, 1u << WG_MEM_DEVICE | 1u << WG_MEM_MANAGED, w->memory);
    return true;
}

enum wg_status wg_mem_free_async(struct wg_stream *s, void *p) {
    enum wg_status status = wg_stream_usable(s);
    struct wg_found f;
    if (status != WG_OK || !p) return status;
    if (!wg_fleet_find(s->dev, (uint64_t)p, &f) || f.span.base != (uint64_t)p ||
        (f.span.kind != WG_MEM_DEVICE && f.span.kind != WG_MEM_MANAGED))
        return wg_fail(WG_INVALID_VALUE, "%p is not the start of an allocation", p);
    struct wg_work *w = wg_work_new(s->dev, WG_WORK_FREE, begin_free);
    w->memory = p;
    wg_work_put(s, w, NULL);
    wg_work_drop(w);
    return WG_OK;
}

enum wg_status wg_mem_register(struct wg_device *dev, void *host, size_t size, uint32_t flags) {
    enum wg_status status = wg_device_usable(dev);
    return status == WG_OK ? wg_memory_register(&dev->memory, WG_MEM_REGISTERED, host, size, flags) : status;
}

enum wg_status wg_mem_unregister(struct wg_device *dev, void *host) {
    if (!wg_device_is_here(dev)) return wg_device_not_here();
    wg_work_wait_all(dev, NULL);
    enum wg_status status = wg_device_usable(dev);
    return status == WG_OK ? wg_memory_unregister(&dev->memory, WG_MEM_REGISTERED, host) : status;
}

static struct wg_mem_info info_of(const struct wg_span *s) {
    return (struct wg_mem_info){s->kind,  (void *)s->base, s->end - s->base, s->id,
                                s->flags, s->imported,     s->mapped};
}

struct wg_mem_info wg_mem_query_owner(struct wg_device *dev, const void *p, struct wg_device **owner) {
    struct wg_found f;
    *owner = NULL;
    if (!wg_device_is_here(dev) || !wg_fleet_find(dev, (uint64_t)p, &f)) return (struct wg_mem_info){0};
    *owner = f.dev;
    return info_of(&f.span);
}

bool wg_mem_is_reached(struct wg_device *dev, const void *p) {
    struct wg_span s;
    return wg_device_is_here(dev) && wg_fleet_find_reached(dev, (uint64_t)p, &s);
}

struct wg_mem_info wg_mem_query(struct wg_device *dev, const void *p) {
    struct wg_device *owner;
    return wg_mem_query_owner(dev, p, &owner);
}

void wg_mem_made(struct wg_device *dev, const void *base, const char *by, uint64_t at) {
    wg_memory_note(&dev->memory, (uint64_t)base, &(struct wg_mem_origin){.made_by = by, .made_at = at});
}

void wg_mem_freeing(struct wg_device *dev, const void *base, uint64_t at) {
    wg_memory_note(&dev->memory, (uint64_t)base, &(struct wg_mem_origin){.freed_at = at});
}

struct each {
    void (*fn)(void *user, const struct wg_mem_info *info, const struct wg_mem_origin *o);
    void *user;
};

static void each_block(void *user, const struct wg_heap_block *least, uint64_t count) {
    const struct each *e = user;
    struct wg_mem_info info = {.kind = WG_MEM_HEAP, .base = (void *)least->base, .size = least->size};
    struct wg_mem_origin o = {.made_by = least->made_by};
    for (; count; count--) e->fn(e->user, &info, &o);
}

void wg_mem_each(struct wg_device *dev,
                 void (*fn)(void *user, const struct wg_mem_info *info, const struct wg_mem_origin *o),
                 void *user) {
    uint32_t n;
    struct wg_span *v = wg_memory_spans(&dev->memory, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct wg_mem_info info = info_of(&v[i]);
        bool own = v[i].kind == WG_MEM_DEVICE || v[i].kind == WG_MEM_PINNED || v[i].kind == WG_MEM_MANAGED;
        if (own) fn(user, &info, &v[i].origin);
    }
    free(v);
    struct each e = {fn, user};
    wg_heap_each_left(dev, each_block, &e);
}

bool wg_mem_around(struct wg_device *dev, const void *p, struct wg_mem_info *info, struct wg_mem_origin *o,
                   bool *freed) {
    struct wg_span s;
    *freed = wg_memory_freed(&dev->memory, (uint64_t)p, &s);
    if (!*freed && !wg_memory_find(&dev->memory, (uint64_t)p, &s)) return false;
    *info = info_of(&s);
    *o = s.origin;
    return true;
}

/* ---- other processes ---- */

enum wg_status wg_mem_export(struct wg_device *dev, const void *p, int *file, struct wg_mem_info *info) {
    struct wg_span s;
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    if (!wg_memory_find(&dev->memory, (uint64_t)p, &s) || s.kind != WG_MEM_DEVICE || s.imported || s.mapped)
        return wg_fail(WG_INVALID_VALUE, "%p is not in memory that cudaMalloc or cuMemAlloc returned", p);
    *info = info_of(&s);
    *file = wg_memory_share(&dev->memory, s.base);
    if (*file >= 0) return WG_OK;
    return wg_fail(WG_OUT_OF_MEMORY, "the host refused %zu bytes of shared memory: %s", info->size,
                   strerror(errno));
}

enum wg_status wg_mem_import(struct wg_device *dev, int file, size_t size, void **out) {
    enum wg_status status = wg_device_usable(dev);
    if (status == WG_OK) status = wg_memory_import(&dev->memory, file, size, out);
    if (status == WG_OK) wg_check_stream_forget(dev, (uint64_t)*out, size);
    return status;
}

enum wg_status wg_mem_close_import(struct wg_device *dev, void *p) {
    if (!wg_device_is_here(dev)) return wg_device_not_here();
    wg_work_wait_all(dev, NULL);
    wg_work_wait_for_lent(dev);
    enum wg_status status = wg_device_usable(dev);
    return status == WG_OK ? wg_memory_close_import(&dev->memory, p) : status;
}

enum wg_status wg_mem_totals(struct wg_device *dev, size_t *free_bytes, size_t *total_bytes) {
    uint64_t left;
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    wg_memory_totals(&dev->memory, &left);
    if (free_bytes) *free_bytes = left;
    if (total_bytes) *total_bytes = dev->chip->memory_bytes;
    return WG_OK;
}
