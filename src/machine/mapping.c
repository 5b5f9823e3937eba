/* See mapping.h. */
#include "machine/mapping.h"
#include "machine/watch/watch.h"
#include "machine/work.h"

enum { MOST_DEVICES = 64 };

struct wg_device *wg_map_owner(struct wg_device *dev, uint64_t a) {
    struct wg_device *found = dev;
    pthread_rwlock_rdlock(&dev->fleet->members);
    for (struct wg_device *d = dev->fleet->first; d; d = d->sibling)
        if (wg_memory_holds(&d->memory, a)) found = d;
    pthread_rwlock_unlock(&dev->fleet->members);
    return found;
}

bool wg_map_find(struct wg_device *dev, uint64_t a, struct wg_reserved_at *out) {
    return wg_memory_reserved(&wg_map_owner(dev, a)->memory, a, out);
}

enum wg_status wg_map_reserve(struct wg_device *dev, size_t size, size_t align, uint64_t hint,
                              uint64_t *out) {
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    struct wg_device *there = hint ? wg_map_owner(dev, hint) : dev;
    return wg_memory_reserve(&there->memory, size, align, hint, out);
}

enum wg_status wg_map_unreserve(struct wg_device *dev, uint64_t at, size_t size) {
    if (!wg_device_is_here(dev)) return wg_device_not_here();
    return wg_memory_unreserve(&wg_map_owner(dev, at)->memory, at, size);
}

enum wg_status wg_map_new(struct wg_device *dev, size_t bytes, bool exportable, struct wg_physical **out) {
    enum wg_status status = wg_device_usable(dev);
    return status == WG_OK ? wg_physical_new(&dev->memory, dev->ordinal, bytes, exportable, out) : status;
}

enum wg_status wg_map_put(struct wg_device *dev, uint64_t at, size_t size, struct wg_physical *p) {
    enum wg_status status = wg_device_usable(dev);
    return status == WG_OK ? wg_memory_map(&wg_map_owner(dev, at)->memory, at, size, p) : status;
}

static void wait_for_all(struct wg_device *dev) {
    struct wg_device *all[MOST_DEVICES];
    uint32_t n = 0;
    pthread_rwlock_rdlock(&dev->fleet->members);
    for (struct wg_device *d = dev->fleet->first; d && n < MOST_DEVICES; d = d->sibling) all[n++] = d;
    pthread_rwlock_unlock(&dev->fleet->members);
    for (uint32_t i = 0; i < n; i++) wg_work_wait_all(all[i], NULL);
}

enum wg_status wg_map_remove(struct wg_device *dev, uint64_t at, size_t size, uint64_t freed_at) {
    if (!wg_device_is_here(dev)) return wg_device_not_here();
    wait_for_all(dev);
    struct wg_device *owner = wg_map_owner(dev, at);
    enum wg_status status = wg_device_usable(dev);
    if (status == WG_OK) status = wg_memory_unmap(&owner->memory, at, size, freed_at, owner->ordinal);
    if (status == WG_OK) wg_check_stream_forget(owner, at, size);
    return status;
}

enum wg_status wg_map_allow(struct wg_device *dev, uint64_t at, size_t size, uint32_t whose,
                            struct wg_access access) {
    struct wg_device *owner = wg_map_owner(dev, at);
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    if ((access.read | access.write) & ~(1u << owner->ordinal)) wg_memory_is_shared(&owner->memory);
    return wg_memory_set_access(&owner->memory, at, size, whose, access, owner->ordinal);
}

struct wg_physical *wg_map_get(struct wg_device *dev, uint64_t a, struct wg_access *access) {
    return wg_memory_mapped(&wg_map_owner(dev, a)->memory, a, access);
}
