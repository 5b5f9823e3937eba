/* See origin.h. An entry: the origin's number above the 48 bits of the address that it was read from. */
#include "machine/memory/origin.h"
#include "base/arena.h"
#include "machine/memory/shadow.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WORD = 4, ADDRESS_BITS = 48, MOST = 1 << 15 };

struct known {
    uint64_t module, base;
    uint32_t id;
    struct wg_origin origin;
};
struct wg_origins {
    pthread_mutex_t lock;
    struct wg_arena arena;
    WG_VEC(struct known) all;
};

struct wg_origins *wg_origins_new(void) {
    struct wg_origins *o = wg_xcalloc(1, sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    return o;
}

void wg_origins_free(struct wg_origins *o) {
    if (!o) return;
    pthread_mutex_destroy(&o->lock);
    wg_arena_free(&o->arena);
    free(o->all.v);
    free(o);
}

static const char *kept(struct wg_origins *o, const char *s) {
    return s ? wg_arena_strdup(&o->arena, s) : NULL;
}

static uint32_t place_of(const struct wg_origins *o, uint64_t module, uint32_t id, uint64_t base) {
    uint32_t i = 0;
    for (; i < o->all.n; i++) {
        const struct known *k = &o->all.v[i];
        if (k->module == module && k->id == id && k->base == base) break;
    }
    return i;
}

uint32_t wg_origin_known(struct wg_origins *o, uint64_t module, uint32_t id, uint64_t base) {
    pthread_mutex_lock(&o->lock);
    uint32_t i = place_of(o, module, id, base), n = i < o->all.n ? i + 1 : 0;
    pthread_mutex_unlock(&o->lock);
    return n;
}

uint32_t wg_origin_number(struct wg_origins *o, uint64_t module, uint32_t id, const struct wg_origin *x) {
    pthread_mutex_lock(&o->lock);
    uint32_t i = place_of(o, module, id, x->memory.base);
    if (i == o->all.n && i < MOST) {
        struct known *k = WG_PUSH(&o->all);
        *k = (struct known){.module = module, .base = x->memory.base, .id = id, .origin = *x};
        k->origin.memory.space = kept(o, x->memory.space);
        k->origin.memory.what = kept(o, x->memory.what);
        k->origin.memory.name = kept(o, x->memory.name);
        k->origin.memory.made_by = kept(o, x->memory.made_by);
        k->origin.read_at = kept(o, x->read_at);
        k->origin.says = kept(o, x->says);
    }
    pthread_mutex_unlock(&o->lock);
    return i < MOST ? i + 1 : 0;
}

static _Atomic uint64_t *entry_of(const struct wg_memory *m, uint64_t a) {
    return (_Atomic uint64_t *)(m->origins + (a - m->base) / WORD * sizeof(uint64_t));
}

static bool has_entries(const struct wg_memory *m, uint64_t a) {
    return m->origins && wg_memory_holds(m, a) &&
           atomic_load_explicit(&m->origins_used, memory_order_relaxed);
}

void wg_origin_set(struct wg_memory *m, uint64_t at, uint64_t bytes, uint32_t number, uint64_t from) {
    if (!m->origins || !wg_memory_holds(m, at)) return;
    if (number) atomic_store(&m->origins_used, true);
    for (uint64_t a = at / WORD * WORD; a < at + bytes; a += WORD) {
        uint64_t source = from + (a > at ? a - at : 0);
        atomic_store(entry_of(m, a), number ? (uint64_t)number << ADDRESS_BITS | source : 0);
    }
}

void wg_origin_clear(const struct wg_memory *m, uint64_t at, uint64_t bytes) {
    enum { MUCH = 1 << 16, PAGE = 4096 };
    if (!bytes || !has_entries(m, at)) return;
    uint64_t first = (uint64_t)entry_of(m, at),
             end = (uint64_t)entry_of(m, at + bytes - 1) + sizeof(uint64_t);
    uint64_t low = (first + PAGE - 1) / PAGE * PAGE, high = end / PAGE * PAGE;
    if (end - first < MUCH || madvise((void *)low, high - low, MADV_DONTNEED) != 0) {
        memset((void *)first, 0, end - first);
        return;
    }
    memset((void *)first, 0, low - first);
    memset((void *)high, 0, end - high);
}

void wg_origin_copy(struct wg_memory *m, uint64_t at, uint64_t from, uint64_t bytes) {
    if (!bytes || !has_entries(m, at) || !has_entries(m, from)) return;
    if ((at | from) % WORD) {
        wg_origin_clear(m, at, bytes);
        return;
    }
    memmove((void *)entry_of(m, at), (void *)entry_of(m, from), (bytes + WORD - 1) / WORD * sizeof(uint64_t));
}

bool wg_origin_entry(const struct wg_memory *m, uint64_t at, uint64_t bytes, uint32_t *number,
                     uint64_t *from) {
    if (!has_entries(m, at)) return false;
    for (uint64_t a = at / WORD * WORD; a < at + bytes; a += WORD) {
        uint64_t e = atomic_load(entry_of(m, a));
        uint32_t shadow;
        memcpy(&shadow, wg_shadow_at(m, a), sizeof shadow);
        if (!e || shadow == UINT32_MAX) continue;
        *number = (uint32_t)(e >> ADDRESS_BITS);
        *from = e & ((UINT64_C(1) << ADDRESS_BITS) - 1);
        return true;
    }
    return false;
}

bool wg_origin_find(const struct wg_memory *m, struct wg_origins *o, uint64_t at, uint64_t bytes,
                    struct wg_origin *out) {
    uint32_t number;
    uint64_t from;
    if (!wg_origin_entry(m, at, bytes, &number, &from)) return false;
    pthread_mutex_lock(&o->lock);
    *out = o->all.v[number - 1].origin;
    pthread_mutex_unlock(&o->lock);
    out->memory.address = from;
    out->memory.offset = (int64_t)(from - out->memory.base);
    return true;
}
