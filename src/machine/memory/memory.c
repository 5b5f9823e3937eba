/* See memory.h. */
#include "machine/memory/memory.h"
#include "machine/memory/gate.h"
#include "machine/memory/host.h"
#include "machine/status.h"
#include "machine/memory/reserved.h"
#include "machine/memory/shadow.h"
#include "machine/memory/shared.h"
#include "machine/memory/strays.h"
#include "machine/memory/untouched.h"
#include "warp/touch.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What shared addresses, which are signed numbers of 32 bits, reach around a window. */
#define REACH (2ull << 30)
#if defined(__has_feature) /* clang's way of saying it; gcc defines the name itself */
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
enum {
#if defined(__SANITIZE_THREAD__)
    MOST_BITS = 40, /* ThreadSanitizer has its own idea of where memory may lie, and how much */
    MOST_SHADOWED = 38,
    PLACES = 0,
#else
    MOST_BITS = 44,
    MOST_SHADOWED = 41, /* shadows and what belongs to them take three times as much again */
    PLACES = 4,         /* candidate base addresses, 16 TiB apart */
#endif
    /* Of a device that has others beside it. */
    MOST_AMONG = 40,
    MOST_SHADOWED_AMONG = 38,
    AMONG_FIRST_TIB = 8, /* the place of the first one, and their distance, with their rooms */
    AMONG_APART_TIB = 6,
    AMONG_LAST_TIB = 120,
    LEAST_BITS = 32,
    /* Each guard costs the kernel two map entries, of which a process has 65530: beyond this many
     * allocations new ones lie side by side. */
    MOST_GUARDED = 16000,
};
/* Memory of up to this size is made present when it is allocated, as a device's is: otherwise the first
 * kernel that writes to it would be charged with what the host takes to clear its pages. */
#define MOST_PREPARED (512ull << 20)
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
static uint64_t up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

static _Atomic uint64_t next_id = 1;

/* Where the region begins. */
static uint64_t region(const struct wg_memory *m, enum wg_region_of of) {
    uint64_t eighth = UINT64_C(1) << (m->bits - 3);
    switch (of) {
    case WG_OF_PROGRAM: return m->base + WG_STRAY_NEAR;
    case WG_OF_THREADS: return m->base + 4 * eighth;
    case WG_OF_BLOCKS: return m->base + 5 * eighth;
    case WG_OF_CROWD: return m->base + 7 * eighth;
    default: return m->base + 8 * eighth;
    }
}

/* ---- opening ---- */

/* With shadows, lines, and 8 bytes for each word of 4. */
static uint64_t mapped_bytes(uint64_t size, bool shadows) {
    return shadows ? 4 * size + size / WG_LINE : size;
}

uint64_t wg_memory_least(bool shadows) { return mapped_bytes(UINT64_C(1) << LEAST_BITS, shadows); }

/* The arena's shadow, right after it, its lines and origins, of which pages that nobody touches cost
 * nothing. */
static bool make_shadows(struct wg_memory *m) {
    uint64_t size = UINT64_C(1) << m->bits;
    m->shadow = size;
    m->lines = m->base + 2 * size;
    m->origins = m->lines + size / WG_LINE;
    wg_shadow_open(m);
    return mprotect((void *)(m->base + size), mapped_bytes(size, true) - size, PROT_READ | PROT_WRITE) == 0;
}

/* `used` bytes of address space, and room on both sides, where there is mostly some, so that addresses are
 * the same in every run. Returns its beginning, after the room, or 0. */
static bool reserve_at(uint64_t at, uint64_t used, uint64_t room) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *p = mmap((void *)(at - room), used + 2 * room, PROT_NONE, flags, -1, 0);
    if ((uint64_t)p == at - room) return true;
    if (p != MAP_FAILED) munmap(p, used + 2 * room); /* an old kernel */
    return false;
}
static uint64_t reserve_alone(uint64_t used, uint64_t room) {
    for (uint64_t at = UINT64_C(1) << 44; at >> 44 <= PLACES; at += UINT64_C(1) << 44)
        if (reserve_at(at, used, room)) return at;
    return 0;
}
/* By the ordinal, and where something is in the way, wherever there is room. */
static uint64_t reserve_among(uint64_t used, uint64_t room, uint32_t ordinal) {
    uint64_t own = (AMONG_FIRST_TIB + (uint64_t)AMONG_APART_TIB * ordinal) << 40;
    if (!PLACES) return 0;
    if (reserve_at(own, used, room)) return own;
    for (uint64_t tib = AMONG_LAST_TIB; tib >= AMONG_FIRST_TIB; tib--)
        if (reserve_at(tib << 40, used, room)) return tib << 40;
    return 0;
}
static uint64_t reserve_in_place(uint64_t used, uint64_t room, struct wg_memory_place place) {
    return place.of > 1 ? reserve_among(used, room, place.ordinal) : reserve_alone(used, room);
}

/* From a multiple of `size` on, wherever the kernel has some. */
static uint64_t reserve_anywhere(uint64_t size, uint64_t used) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *p = mmap(NULL, size + used, PROT_NONE, flags, -1, 0);
    if (p == MAP_FAILED) return 0;
    uint64_t base = up((uint64_t)p, size), tail = (uint64_t)p + size - base;
    if (base > (uint64_t)p) munmap(p, base - (uint64_t)p);
    if (tail) munmap((void *)(base + used), tail);
    return base;
}

static uint32_t most_bits(bool shadows, bool among) {
    if (among) return shadows ? MOST_SHADOWED_AMONG : MOST_AMONG;
    return shadows ? MOST_SHADOWED : MOST_BITS;
}

bool wg_memory_open(struct wg_memory *m, uint64_t model_bytes, bool shadows, struct wg_memory_place place) {
    uint32_t most = most_bits(shadows, place.of > 1);
    memset(m, 0, sizeof *m);
    for (m->bits = most;; m->bits--) {
        uint64_t size = UINT64_C(1) << m->bits, used = mapped_bytes(size, shadows);
        m->room = !shadows && m->bits == most ? WG_TOUCH_ROOM((uint64_t)most) : 0;
        m->base = m->room ? reserve_in_place(used, m->room, place) : 0;
        if (!m->base) m->room = 0, m->base = reserve_in_place(used, 0, place);
        if (!m->base) m->base = reserve_anywhere(size, used);
        if (m->base && (!shadows || make_shadows(m))) break;
        if (m->base) munmap((void *)m->base, used);
        if (m->bits == LEAST_BITS) return false;
    }
    for (int of = 0; of < WG_MEMORY_REGIONS; of++) m->rover[of] = region(m, (enum wg_region_of)of);
    uint64_t host = wg_host_available(""), half = region(m, WG_OF_THREADS) - region(m, WG_OF_PROGRAM);
    m->host = host - host / 16 < half ? host - host / 16 : half;
    m->capacity = model_bytes;
    pthread_rwlock_init(&m->lock, NULL);
    m->strays = wg_strays_new();
    if (place.of <= 1) wg_untouched_open(m); /* other devices' kernels do not look there before they begin */
    return true;
}

void wg_memory_close(struct wg_memory *m) {
    uint64_t used = mapped_bytes(UINT64_C(1) << m->bits, m->shadow != 0);
    wg_reserved_close(m);
    munmap((void *)(m->base - m->room), used + 2 * m->room);
    for (struct wg_span_at at = {0, 0}; wg_spans_get(&m->spans, at); at = wg_spans_next(&m->spans, at))
        wg_shared_free(wg_spans_get(&m->spans, at)->file, wg_spans_get(&m->spans, at)->base);
    wg_shadow_close(m);
    wg_untouched_close(m);
    wg_strays_free(m->strays);
    wg_spans_free(&m->spans);
    wg_spans_free(&m->registered);
    wg_spans_free(&m->emptied.owed);
    pthread_rwlock_destroy(&m->lock);
}

/* ---- finding room ---- */

/* An aligned gap of `size` bytes in [from, to), or 0. */
static uint64_t gap_in(const struct wg_spans *l, uint64_t from, uint64_t to, uint64_t size, uint64_t align) {
    struct wg_span_at next = wg_spans_after(l, from), last = next;
    const struct wg_span *s = wg_spans_back(l, &last);
    uint64_t at = up(s && s->top > from ? s->top : from, align);
    for (; (s = wg_spans_get(l, next)) && at + size > s->bottom; next = wg_spans_next(l, next))
        at = up(s->top, align);
    return at + size <= to ? at : 0;
}

/* What was reserved between the two; NULL: nothing. */
static const struct wg_span *range_in(const struct wg_memory *m, uint64_t from, uint64_t to) {
    struct wg_span_at at = wg_spans_after(&m->ranges, to - 1);
    const struct wg_span *last = wg_spans_back(&m->ranges, &at);
    return last && last->top > from ? last : NULL;
}

static uint64_t gap_outside(const struct wg_memory *m, uint64_t from, uint64_t to, uint64_t size,
                            uint64_t align) {
    for (;;) {
        uint64_t at = gap_in(&m->spans, from, to, size, align);
        const struct wg_span *range = at && m->ranges.n ? range_in(m, at, at + size) : NULL;
        if (!range) return at;
        from = range->top;
    }
}

static uint64_t find_room(struct wg_memory *m, enum wg_region_of of, uint64_t size, uint64_t align) {
    uint64_t begin = region(m, of), end = region(m, of + 1);
    uint64_t at = gap_outside(m, m->rover[of], end, size, align);
    if (!at) { /* round again, where others were */
        wg_emptied_give(m);
        at = gap_outside(m, begin, end, size, align);
    }
    if (at) m->rover[of] = at + size;
    return at;
}

/* Takes room and lists it. `pages` of it will be usable. */
static bool place(struct wg_memory *m, struct wg_span *span, uint64_t size, uint64_t pages) {
    bool large = pages >= WG_HUGE_PAGE;
    uint64_t guard = large ? WG_HUGE_PAGE : m->spans.n < MOST_GUARDED ? 16 * WG_PAGE : 0;
    span->base = span->bottom = find_room(m, span->kind == WG_MEM_SCRATCH ? WG_OF_THREADS : WG_OF_PROGRAM,
                                          pages + guard, large ? WG_HUGE_PAGE : WG_PAGE);
    if (!span->base) return false;
    span->end = span->base + size;
    span->top = span->base + pages + guard;
    wg_emptied_taken(m, span->bottom, span->top);
    span->id = atomic_fetch_add(&next_id, 1);
    wg_spans_insert(&m->spans, span);
    return true;
}

/* A store far past a block's shared memory must not end in another one's: nothing is in reach of a window,
 * unless there are more than there is room for. Then they still have most of a stride between them. */
static bool place_windows(struct wg_memory *m, struct wg_span *span, uint64_t size) {
    uint64_t reach = REACH, room = 2 * REACH;
    span->bottom = find_room(m, WG_OF_BLOCKS, room, room);
    if (!span->bottom) {
        reach = WG_SHARED_STRIDE;
        room = reach + size;
        span->bottom = find_room(m, WG_OF_CROWD, room, WG_SHARED_STRIDE);
    }
    if (!span->bottom) return false;
    span->base = span->bottom + reach - WG_PAGE;
    span->end = span->base + WG_PAGE + size;
    span->top = span->bottom + room;
    wg_emptied_taken(m, span->bottom, span->top);
    span->id = atomic_fetch_add(&next_id, 1);
    wg_spans_insert(&m->spans, span);
    return true;
}

bool wg_memory_commit(void *at, uint64_t size) { return mprotect(at, size, PROT_READ | PROT_WRITE) == 0; }

/* Bytes that may still be had, by both limits. */
static uint64_t room(const struct wg_memory *m, bool counted) {
    uint64_t host = m->host > m->taken ? m->host - m->taken : 0, chip = m->capacity - m->used;
    return counted && chip < host ? chip : host;
}

static enum wg_status check_room(struct wg_memory *m, uint32_t kind, uint64_t size) {
    uint64_t left = room(m, 1u << kind & WG_MEM_COUNTED);
    if (size > left)
        return wg_fail(
            WG_OUT_OF_MEMORY,
            "out of memory: %llu bytes requested, %llu left of the device's %llu and the host's %llu",
            (unsigned long long)size, (unsigned long long)left, (unsigned long long)m->capacity,
            (unsigned long long)m->host);
    /* Others may have taken memory since; what is ours but not touched still counts as available, the sum
     * above holds for that. */
    uint64_t now = size >= 16 * WG_HUGE_PAGE ? wg_host_available("") : UINT64_MAX;
    if (size > now)
        return wg_fail(WG_OUT_OF_MEMORY, "out of memory: %llu bytes requested, the host has %llu left",
                       (unsigned long long)size, (unsigned long long)now);
    return WG_OK;
}

static void account(struct wg_memory *m, uint32_t kind, uint64_t size, bool taken) {
    uint64_t change = taken ? size : -size;
    m->taken += change;
    if (kind == WG_MEM_PINNED || kind == WG_MEM_MANAGED) m->nshared += taken ? 1 : -1;
    if (1u << kind & WG_MEM_COUNTED) m->used += change;
}

/* Makes the span's pages usable: those of its file, where it has one. */
static bool fill(const struct wg_span *span, uint64_t pages) {
    if (span->file < 0) return wg_memory_commit((void *)span->base, pages);
    return mmap((void *)span->base, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, span->file, 0) !=
           MAP_FAILED;
}

/* The rest of `span` is filled in. */
static enum wg_status take(struct wg_memory *m, struct wg_span *span, uint64_t size) {
    uint64_t pages = up(size + WG_MEMORY_PAD, WG_PAGE);
    pthread_rwlock_wrlock(&m->lock);
    enum wg_status status = span->imported ? WG_OK : check_room(m, span->kind, size);
    if (status == WG_OK && !place(m, span, size, pages))
        status = wg_fail(WG_OUT_OF_MEMORY, "out of memory: no room for %llu bytes", (unsigned long long)size);
    if (status == WG_OK) wg_stray_clear(m, span->bottom, span->top);
    if (status == WG_OK && !fill(span, pages)) {
        status = wg_fail(WG_OUT_OF_MEMORY, "out of memory: the host refused %llu bytes: %s",
                         (unsigned long long)size, strerror(errno));
        wg_spans_remove(&m->spans, span->base);
    }
    if (status == WG_OK && !span->imported) account(m, span->kind, size, true);
    pthread_rwlock_unlock(&m->lock);
    if (status != WG_OK) return status;
    if (pages >= WG_HUGE_PAGE) madvise((void *)span->base, pages, MADV_HUGEPAGE);
    if (pages >= WG_HUGE_PAGE && m->shadow) madvise((void *)(span->base + m->shadow), pages, MADV_HUGEPAGE);
    return WG_OK;
}

enum wg_status wg_memory_count(struct wg_memory *m, uint64_t bytes) {
    enum wg_status status = check_room(m, WG_MEM_DEVICE, bytes);
    if (status == WG_OK) account(m, WG_MEM_DEVICE, bytes, true);
    return status;
}
void wg_memory_uncount(struct wg_memory *m, uint64_t bytes) { account(m, WG_MEM_DEVICE, bytes, false); }
uint64_t wg_memory_next_id(void) { return atomic_fetch_add(&next_id, 1); }

/* Whether the program's part of the address space has room there. */
static bool is_room(const struct wg_memory *m, uint64_t at, uint64_t size) {
    return at >= region(m, WG_OF_PROGRAM) && at + size <= region(m, WG_OF_THREADS) &&
           gap_outside(m, at, at + size, size, WG_PAGE) == at;
}

bool wg_memory_set_apart(struct wg_memory *m, uint64_t size, uint64_t align, uint64_t hint,
                         struct wg_span *range) {
    uint64_t whole = up(size, WG_HUGE_PAGE) + WG_HUGE_PAGE;
    wg_emptied_give(m);
    bool there = hint && hint % align == 0 && is_room(m, hint, whole);
    range->base = range->bottom = there ? hint : find_room(m, WG_OF_PROGRAM, whole, align);
    if (!range->base) return false;
    range->end = range->base + size;
    range->top = range->base + whole;
    wg_stray_clear(m, range->bottom, range->top);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap((void *)range->base, whole, PROT_NONE, flags, -1, 0) == MAP_FAILED) return false;
    wg_spans_insert(&m->ranges, range);
    return true;
}

enum wg_status wg_memory_alloc(struct wg_memory *m, enum wg_mem_kind kind, uint64_t size, uint32_t flags,
                               void **out) {
    *out = NULL;
    if (size == 0 || size >> m->bits) /* 0, or more than any address space */
        return size ? wg_fail(WG_OUT_OF_MEMORY, "out of memory: %llu bytes requested",
                              (unsigned long long)size)
                    : wg_fail(WG_INVALID_VALUE, "an allocation of 0 bytes");
    uint64_t pages = up(size + WG_MEMORY_PAD, WG_PAGE);
    struct wg_span span = {.kind = kind, .flags = flags, .file = -1};
    enum wg_status status = take(m, &span, size);
    if (status != WG_OK) return status;
    if (kind == WG_MEM_DEVICE && pages >= WG_HUGE_PAGE && pages <= MOST_PREPARED &&
        wg_host_available("") / 4 > pages)
        madvise((void *)span.base, pages,
                MADV_POPULATE_WRITE); /* where the host's kernel cannot, pages come later */
    bool managed = kind == WG_MEM_MANAGED && !m->open && wg_untouched_add(m, span.base, size);
    bool written =
        kind == WG_MEM_PINNED || (kind == WG_MEM_MANAGED && !managed) || kind == WG_MEM_MODULE || m->open;
    if (written) wg_shadow_define(m, span.base, size);
    *out = (void *)span.base;
    return WG_OK;
}

enum wg_status wg_memory_import(struct wg_memory *m, int file, uint64_t size, void **out) {
    struct wg_span span = {.kind = WG_MEM_DEVICE, .file = file, .imported = true};
    *out = NULL;
    enum wg_status status = take(m, &span, size);
    if (status != WG_OK) return status;
    wg_shadow_define(m, span.base, size); /* others write to it */
    *out = (void *)span.base;
    return WG_OK;
}

int wg_memory_share(struct wg_memory *m, uint64_t base) {
    pthread_rwlock_wrlock(&m->lock);
    wg_gate_open();
    struct wg_span *span = wg_spans_holding(&m->spans, base);
    int file = -1;
    errno = ENOENT;
    if (span && span->base == base) {
        uint64_t size = span->end - base;
        if (span->file < 0) span->file = wg_shared_move(base, up(size + WG_MEMORY_PAD, WG_PAGE));
        file = span->file;
        if (file >= 0) wg_shadow_define(m, base, size);
    }
    pthread_rwlock_unlock(&m->lock);
    return file;
}

enum wg_status wg_memory_windows(struct wg_memory *m, uint32_t blocks, void **out) {
    struct wg_span span = {.kind = WG_MEM_SCRATCH, .reserved = true, .file = -1};
    pthread_rwlock_wrlock(&m->lock);
    bool good = place_windows(m, &span, (uint64_t)blocks * WG_SHARED_STRIDE);
    pthread_rwlock_unlock(&m->lock);
    *out = good ? (void *)(span.base + WG_PAGE) : NULL;
    return good ? WG_OK : wg_fail(WG_OUT_OF_MEMORY, "out of address space");
}

static enum wg_status release(struct wg_memory *m, uint32_t kinds, bool imported, void *p) {
    uint64_t a = (uint64_t)p;
    pthread_rwlock_wrlock(&m->lock);
    struct wg_span *span = wg_spans_holding(&m->spans, a);
    if (!span || span->base != a || !(1u << span->kind & kinds) || span->imported != imported ||
        span->mapped) {
        bool others = span && span->base == a && span->imported, mapped = span && span->mapped;
        pthread_rwlock_unlock(&m->lock);
        if (mapped)
            return wg_fail(WG_INVALID_VALUE, "the memory at %p was mapped by cuMemMap: cuMemUnmap unmaps it",
                           p);
        if (others)
            return wg_fail(WG_INVALID_VALUE,
                           "the memory at %p belongs to another process: cudaIpcCloseMemHandle closes it", p);
        return wg_fail(WG_INVALID_VALUE, "%p is not the start of an allocation of this kind", p);
    }
    if (!span->reserved && !imported) account(m, span->kind, span->end - span->base, false);
    if (!span->reserved) wg_shadow_forget(m, span->base, span->top - span->base);
    if (span->kind == WG_MEM_MANAGED) wg_untouched_forget(m, a);
    if (span->shown_to) m->nshared--;
    wg_gate_forget(span->bottom, span->top);
    struct wg_span gone = m->freed[m->nfreed++ % WG_FREED_KEPT] = *span;
    wg_stray_clear(m, gone.base, gone.top);
    wg_spans_remove(&m->spans, a);
    wg_emptied_add(m, &gone);
    wg_shared_free(gone.file, gone.base);
    wg_stray_trim(m);
    pthread_rwlock_unlock(&m->lock);
    return WG_OK;
}

enum wg_status wg_memory_free(struct wg_memory *m, uint32_t kinds, void *p) {
    return release(m, kinds, false, p);
}
enum wg_status wg_memory_close_import(struct wg_memory *m, void *p) {
    return release(m, 1u << WG_MEM_DEVICE, true, p);
}

void *wg_memory_show(void *at, uint64_t size) {
    void *own = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) return NULL;
    /* Of 0 bytes: the same pages once again. UCX, which MPICH loads, replaces mremap by one that does not pass `at` on. */
    long seen = syscall(SYS_mremap, own, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, at);
    if (seen == (long)at && mprotect(at, size, PROT_READ) == 0) return own;
    munmap(own, size);
    return NULL;
}

/* ---- registered host memory ---- */

/* What generated code may read past an array must be mapped: the program's last variable may end with its
 * page. */
static void map_pad(uint64_t end) {
    uint64_t page = up(end, WG_PAGE);
    if (page - end >= WG_MEMORY_PAD) return;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    if (mmap((void *)page, WG_PAGE, PROT_READ, flags, -1, 0) == MAP_FAILED)
        return; /* something is there: as good */
}

enum wg_status wg_memory_register(struct wg_memory *m, enum wg_mem_kind kind, void *host, uint64_t size,
                                  uint32_t flags) {
    uint64_t a = (uint64_t)host;
    if (!host || size == 0) return wg_fail(WG_INVALID_VALUE, "no host memory to register");
    if (kind == WG_MEM_MANAGED) map_pad(a + size);
    if (wg_memory_holds(m, a)) return wg_fail(WG_INVALID_VALUE, "%p is already memory of the device", host);
    struct wg_span span = {
        .base = a, .end = a + size, .bottom = a, .top = a + size, .kind = kind, .flags = flags, .file = -1};
    enum wg_status status = WG_OK;
    pthread_rwlock_wrlock(&m->lock);
    struct wg_span_at at = wg_spans_after(&m->registered, a + size - 1);
    const struct wg_span *last = wg_spans_back(&m->registered, &at);
    if (last && last->end > a) {
        status = wg_fail(WG_ALREADY_REGISTERED, "host memory at %p is already registered", host);
    } else {
        span.id = atomic_fetch_add(&next_id, 1);
        wg_spans_insert(&m->registered, &span);
        m->nshared++;
    }
    pthread_rwlock_unlock(&m->lock);
    return status;
}

enum wg_status wg_memory_unregister(struct wg_memory *m, enum wg_mem_kind kind, void *host) {
    pthread_rwlock_wrlock(&m->lock);
    struct wg_span *span = wg_spans_holding(&m->registered, (uint64_t)host);
    bool good = span && span->base == (uint64_t)host && span->kind == kind;
    if (good) wg_spans_remove(&m->registered, span->base);
    if (good) m->nshared--;
    pthread_rwlock_unlock(&m->lock);
    return good ? WG_OK : wg_fail(WG_NOT_REGISTERED, "no host memory was registered at %p", host);
}

bool wg_memory_any_registered(struct wg_memory *m) {
    pthread_rwlock_rdlock(&m->lock);
    bool any = m->registered.n != 0;
    pthread_rwlock_unlock(&m->lock);
    return any;
}

/* ---- other devices ---- */

void wg_memory_show_to(struct wg_memory *m, uint64_t base, uint32_t ordinals) {
    pthread_rwlock_wrlock(&m->lock);
    struct wg_span *span = wg_spans_holding(&m->spans, base);
    if (span && span->base == base) {
        m->nshared += (uint32_t)(ordinals != 0) - (uint32_t)(span->shown_to != 0);
        span->pooled = true;
        span->shown_to = ordinals;
    }
    pthread_rwlock_unlock(&m->lock);
}

void wg_memory_is_shared(struct wg_memory *m) {
    uint32_t n;
    if (atomic_exchange(&m->open, true) || !m->shadow) return;
    struct wg_span *v = wg_memory_spans(m, &n);
    for (uint32_t i = 0; i < n; i++)
        if (v[i].kind == WG_MEM_DEVICE) wg_shadow_define(m, v[i].base, v[i].end - v[i].base);
    free(v);
}

/* ---- questions ---- */

bool wg_memory_find(struct wg_memory *m, uint64_t a, struct wg_span *out) {
    pthread_rwlock_rdlock(&m->lock);
    const struct wg_span *span = wg_spans_holding(wg_memory_holds(m, a) ? &m->spans : &m->registered, a);
    if (span) *out = *span;
    pthread_rwlock_unlock(&m->lock);
    return span != NULL;
}

bool wg_memory_is_hosts(struct wg_memory *m, uint64_t a) {
    struct wg_span s;
    if (!wg_memory_find(m, a, &s)) return true;
    return s.kind == WG_MEM_PINNED || s.kind == WG_MEM_MANAGED || s.kind == WG_MEM_REGISTERED;
}

bool wg_memory_may_touch(struct wg_memory *m, uint64_t a, uint64_t bytes) {
    const struct wg_span *span;
    uint64_t at = a, end = a + bytes;
    if (bytes && end > a && wg_memory_holds(m, a) && wg_memory_holds(m, end - 1)) return true;
    pthread_rwlock_rdlock(&m->lock);
    while (at < end && (span = wg_spans_holding(&m->registered, at))) at = span->end;
    pthread_rwlock_unlock(&m->lock);
    return at >= end && end >= a;
}

bool wg_memory_freed(struct wg_memory *m, uint64_t a, struct wg_span *out) {
    bool found = false;
    pthread_rwlock_rdlock(&m->lock);
    uint32_t kept = m->nfreed < WG_FREED_KEPT ? m->nfreed : WG_FREED_KEPT;
    for (uint32_t i = 1; i <= kept && !found; i++) {
        const struct wg_span *s = &m->freed[(m->nfreed - i) % WG_FREED_KEPT];
        found = a >= s->base && a < s->end && s->kind != WG_MEM_SCRATCH;
        if (found) *out = *s;
    }
    pthread_rwlock_unlock(&m->lock);
    return found && !wg_memory_find(m, a, &(struct wg_span){0});
}

static uint64_t distance(const struct wg_span *s, uint64_t a) {
    return a < s->base ? s->base - a : a >= s->end ? a - s->end : 0;
}

bool wg_memory_nearest(struct wg_memory *m, uint64_t a, struct wg_span *out) {
    const struct wg_span *best = NULL;
    pthread_rwlock_rdlock(&m->lock);
    const struct wg_spans *lists[] = {&m->spans, &m->registered};
    for (int i = 0; i < 2; i++)
        for (struct wg_span_at at = {0, 0}; wg_spans_get(lists[i], at); at = wg_spans_next(lists[i], at)) {
            const struct wg_span *one = wg_spans_get(lists[i], at);
            if (one->kind != WG_MEM_SCRATCH && (!best || distance(one, a) < distance(best, a))) best = one;
        }
    if (best) *out = *best;
    pthread_rwlock_unlock(&m->lock);
    return best != NULL;
}

void wg_memory_totals(struct wg_memory *m, uint64_t *free_bytes) {
    pthread_rwlock_rdlock(&m->lock);
    *free_bytes = room(m, true);
    pthread_rwlock_unlock(&m->lock);
}

void wg_memory_note(struct wg_memory *m, uint64_t base, const struct wg_mem_origin *o) {
    pthread_rwlock_wrlock(&m->lock);
    struct wg_span *span = wg_spans_holding(wg_memory_holds(m, base) ? &m->spans : &m->registered, base);
    if (span && span->base == base) {
        if (o->made_by) span->origin.made_by = o->made_by;
        if (o->made_at) span->origin.made_at = o->made_at;
        if (o->freed_at) span->origin.freed_at = o->freed_at;
    }
    pthread_rwlock_unlock(&m->lock);
}

static struct wg_span *copy_of(struct wg_memory *m, const struct wg_spans *l, uint32_t *n) {
    pthread_rwlock_rdlock(&m->lock);
    struct wg_span *v = wg_spans_copy(l, n);
    pthread_rwlock_unlock(&m->lock);
    return v;
}

struct wg_span *wg_memory_spans(struct wg_memory *m, uint32_t *n) { return copy_of(m, &m->spans, n); }
struct wg_span *wg_memory_registered(struct wg_memory *m, uint32_t *n) {
    return copy_of(m, &m->registered, n);
}
