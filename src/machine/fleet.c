/* See fleet.h. */
#include "machine/fleet.h"
#include "machine/device.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include <stdlib.h>
#include <time.h>

struct wg_fleet *wg_fleet_new(void) {
    struct wg_fleet *f = wg_xcalloc(1, sizeof *f);
    wg_brief_lock_init(&f->lock);
    pthread_rwlock_init(&f->members, NULL);
    return f;
}

void wg_fleet_free(struct wg_fleet *f) {
    if (!f) return;
    pthread_mutex_destroy(&f->lock);
    pthread_rwlock_destroy(&f->members);
    free(f);
}

void wg_fleet_join(struct wg_device *dev, struct wg_fleet *fleet) {
    dev->own_fleet = !fleet;
    dev->fleet = fleet ? fleet : wg_fleet_new();
    dev->lock = &dev->fleet->lock;
    pthread_mutex_lock(dev->lock);
    pthread_rwlock_wrlock(&dev->fleet->members);
    struct wg_device **at = &dev->fleet->first;
    while (*at) at = &(*at)->sibling;
    *at = dev;
    dev->fleet->n++;
    pthread_rwlock_unlock(&dev->fleet->members);
    pthread_mutex_unlock(dev->lock);
}

static void forget_peer(struct wg_device *dev, const struct wg_device *peer) {
    for (uint32_t i = dev->peers.n; i-- > 0;)
        if (dev->peers.v[i] == peer) dev->peers.v[i] = dev->peers.v[--dev->peers.n];
}

void wg_fleet_leave(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    pthread_rwlock_wrlock(&dev->fleet->members);
    struct wg_device **at = &dev->fleet->first;
    while (*at != dev) at = &(*at)->sibling;
    *at = dev->sibling;
    dev->fleet->n--;
    for (struct wg_device *d = dev->fleet->first; d; d = d->sibling) forget_peer(d, dev);
    pthread_rwlock_unlock(&dev->fleet->members);
    pthread_mutex_unlock(dev->lock);
    free(dev->peers.v);
}

void wg_fleet_drop(struct wg_device *dev) {
    if (dev->own_fleet) wg_fleet_free(dev->fleet);
}

/* ---- who reaches what ---- */

static bool is_alone(const struct wg_device *dev) {
    return atomic_load_explicit(&dev->fleet->n, memory_order_relaxed) == 1;
}

static bool has_peer(const struct wg_device *dev, const struct wg_device *peer) {
    for (uint32_t i = 0; i < dev->peers.n; i++)
        if (dev->peers.v[i] == peer) return true;
    return false;
}

/* What the host can reach, every device does. The rest of `owner`'s is reached as the program says. */
static bool reaches(const struct wg_device *dev, const struct wg_device *owner, const struct wg_span *s) {
    switch ((enum wg_mem_kind)s->kind) {
    case WG_MEM_PINNED:
    case WG_MEM_MANAGED:
    case WG_MEM_REGISTERED: return true;
    case WG_MEM_DEVICE: return s->pooled ? s->shown_to >> dev->ordinal & 1 : has_peer(dev, owner);
    case WG_MEM_MODULE:
    case WG_MEM_HEAP: return has_peer(dev, owner);
    case WG_MEM_NONE:
    case WG_MEM_SCRATCH: break;
    }
    return false;
}

bool wg_fleet_gives(struct wg_device *dev) {
    struct wg_fleet *f = dev->fleet;
    if (is_alone(dev)) return false;
    pthread_rwlock_rdlock(&f->members);
    bool gives = dev->peers.n != 0;
    for (struct wg_device *d = f->first; d && !gives; d = d->sibling)
        gives = d != dev && atomic_load(&d->memory.nshared) != 0;
    pthread_rwlock_unlock(&f->members);
    return gives;
}

bool wg_fleet_find(struct wg_device *dev, uint64_t a, struct wg_found *out) {
    out->dev = dev;
    out->reached = true;
    if (wg_memory_find(&dev->memory, a, &out->span)) return true;
    if (is_alone(dev) || wg_memory_holds(&dev->memory, a)) return false;
    bool found = false;
    pthread_rwlock_rdlock(&dev->fleet->members);
    for (struct wg_device *d = dev->fleet->first; d && !found; d = d->sibling) {
        if (d == dev || !wg_memory_find(&d->memory, a, &out->span)) continue;
        found = true;
        out->dev = d;
        out->reached = reaches(dev, d, &out->span);
    }
    pthread_rwlock_unlock(&dev->fleet->members);
    return found;
}

bool wg_fleet_find_reached(struct wg_device *dev, uint64_t a, struct wg_span *out) {
    struct wg_found f;
    if (!wg_fleet_find(dev, a, &f) || !f.reached) return false;
    *out = f.span;
    return true;
}

bool wg_fleet_may_touch(struct wg_device *dev, uint64_t a, uint64_t bytes, struct wg_span *given) {
    struct wg_found f;
    *given = (struct wg_span){0};
    if (wg_memory_holds(&dev->memory, a)) return wg_memory_may_touch(&dev->memory, a, bytes);
    if (!wg_fleet_find(dev, a, &f) || !f.reached) return false;
    *given = f.span;
    if (f.dev == dev) return wg_memory_may_touch(&dev->memory, a, bytes);
    return bytes <= f.span.end - a;
}

struct wg_memory *wg_fleet_memory(struct wg_device *dev, uint64_t a) {
    struct wg_memory *m = &dev->memory;
    if (is_alone(dev) || wg_memory_holds(m, a)) return m;
    pthread_rwlock_rdlock(&dev->fleet->members);
    for (struct wg_device *d = dev->fleet->first; d; d = d->sibling)
        if (wg_memory_holds(&d->memory, a)) m = &d->memory;
    pthread_rwlock_unlock(&dev->fleet->members);
    return m;
}

/* ---- memory that others are at ---- */

void wg_fleet_lend(struct wg_work *w, int side, const void *p) {
    struct wg_device *dev = w->dev;
    if (is_alone(dev) || wg_memory_holds(&dev->memory, (uint64_t)p)) return;
    pthread_mutex_lock(dev->lock);
    for (struct wg_device *d = dev->fleet->first; d; d = d->sibling)
        if (d != dev && wg_memory_holds(&d->memory, (uint64_t)p)) {
            w->lent[side] = d;
            d->nlent++;
        }
    pthread_mutex_unlock(dev->lock);
}

void wg_fleet_give_back(struct wg_work *w) {
    for (int i = 0; i < 2; i++) {
        if (w->lent[i]) w->lent[i]->nlent--;
        w->lent[i] = NULL;
    }
}

/* ---- what the program says ---- */

uint32_t wg_device_ordinal(const struct wg_device *dev) { return dev->ordinal; }

bool wg_device_reaches(struct wg_device *dev, struct wg_device *peer) {
    pthread_rwlock_rdlock(&dev->fleet->members);
    bool has = has_peer(dev, peer);
    pthread_rwlock_unlock(&dev->fleet->members);
    return has;
}

void wg_device_let(struct wg_device *dev, struct wg_device *peer, bool on) {
    pthread_rwlock_wrlock(&dev->fleet->members);
    if (!on)
        forget_peer(dev, peer);
    else if (!has_peer(dev, peer))
        *WG_PUSH(&dev->peers) = peer;
    pthread_rwlock_unlock(&dev->fleet->members);
    if (on) wg_memory_is_shared(&peer->memory);
}

void wg_mem_show_to(struct wg_device *dev, const void *base, uint32_t ordinals) {
    if (ordinals & ~(1u << dev->ordinal)) wg_memory_is_shared(&dev->memory);
    wg_memory_show_to(&dev->memory, (uint64_t)base, ordinals);
}
