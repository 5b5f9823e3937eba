/* See reserved.h. */
#include "machine/memory/reserved.h"
#include "machine/memory/shadow.h"
#include "machine/memory/strays.h"
#include "machine/status.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct piece { /* a mapping */
    uint64_t base, end;
    struct wg_physical *physical;
    struct wg_access access;
    uint64_t id; /* of the span that begins there */
    struct wg_mem_origin origin;
};
struct wg_reservation {
    uint64_t base, end;          /* as asked for */
    WG_VEC(struct piece) pieces; /* by address */
    struct wg_reservation *next;
};

static bool is_accessible(const struct piece *p) { return p->access.read | p->access.write; }

/* ---- reservations ---- */

static struct wg_reservation *holding(const struct wg_memory *m, uint64_t a) {
    struct wg_reservation *r = m->reservations;
    while (r && (a < r->base || a >= r->end)) r = r->next;
    return r;
}

bool wg_memory_reserved(struct wg_memory *m, uint64_t a, struct wg_reserved_at *out) {
    pthread_rwlock_rdlock(&m->lock);
    const struct wg_reservation *r = holding(m, a);
    if (r) *out = (struct wg_reserved_at){.base = r->base, .size = r->end - r->base};
    for (uint32_t i = 0; r && i < r->pieces.n && !out->mapped; i++) {
        const struct piece *p = &r->pieces.v[i];
        out->mapped = a >= p->base && a < p->end;
        if (!out->mapped) continue;
        out->piece = p->base;
        out->piece_size = p->end - p->base;
        out->read_only = p->access.read && !p->access.write;
    }
    pthread_rwlock_unlock(&m->lock);
    return r != NULL;
}

enum wg_status wg_memory_reserve(struct wg_memory *m, uint64_t size, uint64_t align, uint64_t hint,
                                 uint64_t *out) {
    if (size >> m->bits) return wg_fail(WG_OUT_OF_MEMORY, "no room for %llu bytes", (unsigned long long)size);
    pthread_rwlock_wrlock(&m->lock);
    struct wg_span range = {.file = -1};
    bool good = wg_memory_set_apart(m, size, align, hint, &range);
    if (good) {
        struct wg_reservation *r = wg_xcalloc(1, sizeof *r);
        *r = (struct wg_reservation){.base = range.base, .end = range.end, .next = m->reservations};
        m->reservations = r;
        *out = r->base;
    }
    pthread_rwlock_unlock(&m->lock);
    return good ? WG_OK
                : wg_fail(WG_OUT_OF_MEMORY, "no address space for %llu bytes", (unsigned long long)size);
}

enum wg_status wg_memory_unreserve(struct wg_memory *m, uint64_t at, uint64_t size) {
    pthread_rwlock_wrlock(&m->lock);
    struct wg_reservation **r = &m->reservations;
    while (*r && (*r)->base != at) r = &(*r)->next;
    struct wg_reservation *gone = *r;
    bool known = gone && gone->end - gone->base == size, empty = known && !gone->pieces.n;
    if (empty) {
        *r = gone->next;
        wg_spans_remove(&m->ranges, at);
        free(gone->pieces.v);
        free(gone);
    }
    pthread_rwlock_unlock(&m->lock);
    if (!known)
        return wg_fail(WG_INVALID_VALUE, "%llu bytes at %#llx were not reserved by one call",
                       (unsigned long long)size, (unsigned long long)at);
    return empty ? WG_OK : wg_fail(WG_INVALID_VALUE, "memory is still mapped there");
}

/* ---- pages ---- */

static bool set_pages(const struct piece *p) {
    void *at = (void *)p->base;
    uint64_t bytes = p->end - p->base;
    if (!is_accessible(p))
        return mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
               at;
    int rights = p->access.write ? PROT_READ | PROT_WRITE : PROT_READ;
    if (mmap(at, bytes, rights, MAP_SHARED | MAP_FIXED, p->physical->store->file,
             (off_t)p->physical->offset) != at)
        return false;
    madvise(at, bytes, MADV_HUGEPAGE); /* where the host has large pages of shared memory */
    return true;
}

/* The page after a span: readable, or what it was. */
static void set_pad(uint64_t at, bool readable) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap((void *)at, WG_PAGE, readable ? PROT_READ : PROT_NONE, flags, -1, 0) == MAP_FAILED)
        return; /* no mapping is left: reads of whole vectors at the end may fault */
}

/* ---- spans ---- */

struct ends {
    WG_VEC(uint64_t) v;
};

static bool has_end(const struct ends *e, uint64_t a) {
    for (uint32_t i = 0; i < e->v.n; i++)
        if (e->v.v[i] == a) return true;
    return false;
}

/* What was noted of a span since it was made. */
static void keep_origin(struct wg_reservation *r, const struct wg_span *s) {
    for (uint32_t i = 0; i < r->pieces.n; i++)
        if (r->pieces.v[i].base == s->base) r->pieces.v[i].origin = s->origin;
}

static void remove_spans(struct wg_memory *m, struct wg_reservation *r, struct ends *old) {
    for (;;) {
        struct wg_span *s = wg_spans_get(&m->spans, wg_spans_after(&m->spans, r->base - 1));
        if (!s || s->base >= r->end) return;
        keep_origin(r, s);
        *WG_PUSH(&old->v) = s->end;
        if (s->shown_to) m->nshared--;
        uint64_t from = s->bottom, to = s->top;
        wg_spans_remove(&m->spans, s->base);
        wg_emptied_left(m, from, to);
    }
}

static bool joins(const struct piece *a, const struct piece *b) {
    return a->end == b->base && a->access.read == b->access.read && a->access.write == b->access.write;
}

/* The span that begins with the piece; returns the number of the piece after it. */
static uint32_t add_span(struct wg_memory *m, struct wg_reservation *r, uint32_t i, uint32_t own) {
    struct piece *first = &r->pieces.v[i], *last = first;
    for (i++; i < r->pieces.n && joins(last, &r->pieces.v[i]); i++) last = &r->pieces.v[i];
    if (!is_accessible(first)) return i;
    if (!first->id) first->id = wg_memory_next_id();
    bool followed = i < r->pieces.n && r->pieces.v[i].base == last->end && is_accessible(&r->pieces.v[i]);
    struct wg_span s = {.kind = WG_MEM_DEVICE,
                        .base = first->base,
                        .end = last->end,
                        .bottom = first->base,
                        .top = last->end + (followed ? 0 : WG_PAGE),
                        .id = first->id,
                        .file = -1,
                        .mapped = true,
                        .read_only = !first->access.write,
                        .pooled = true,
                        .shown_to = (first->access.read | first->access.write) & ~(1u << own),
                        .origin = first->origin};
    wg_emptied_taken(m, s.bottom, s.top);
    wg_spans_insert(&m->spans, &s);
    if (s.shown_to) m->nshared++;
    return i;
}

/* Makes the spans of a reservation anew, as its pieces are. A pad that stays is left alone: kernels may read it. */
static void make_spans(struct wg_memory *m, struct wg_reservation *r, uint32_t own) {
    struct ends old = {0}, now = {0};
    remove_spans(m, r, &old);
    for (uint32_t i = 0; i < r->pieces.n;) i = add_span(m, r, i, own);
    struct wg_span_at at = wg_spans_after(&m->spans, r->base - 1);
    for (struct wg_span *s; (s = wg_spans_get(&m->spans, at)) && s->base < r->end;
         at = wg_spans_next(&m->spans, at)) {
        *WG_PUSH(&now.v) = s->end;
        if (s->top > s->end && !has_end(&old, s->end)) set_pad(s->end, true);
    }
    for (uint32_t i = 0; i < old.v.n; i++)
        if (!has_end(&now, old.v.v[i]) && !wg_spans_holding(&m->spans, old.v.v[i]))
            set_pad(old.v.v[i], false);
    free(old.v.v);
    free(now.v.v);
}

/* ---- mappings ---- */

/* The pieces that [at, at + size) consists of: the first, and how many. False: it does not consist of whole ones. */
static bool find_pieces(const struct wg_reservation *r, uint64_t at, uint64_t size, uint32_t *first,
                        uint32_t *n) {
    uint32_t i = 0;
    uint64_t end = at + size;
    if (!r || !size || end < at) return false;
    while (i < r->pieces.n && r->pieces.v[i].base != at) i++;
    for (*first = i; i < r->pieces.n && r->pieces.v[i].base == at && at < end; i++) at = r->pieces.v[i].end;
    *n = i - *first;
    return at == end;
}

/* In a reservation. */
static bool is_empty(const struct wg_reservation *r, uint64_t at, uint64_t size) {
    if (!r || !size || size > r->end - at) return false;
    for (uint32_t i = 0; i < r->pieces.n; i++)
        if (r->pieces.v[i].base < at + size && r->pieces.v[i].end > at) return false;
    return true;
}

static enum wg_status not_mapped(uint64_t at, uint64_t size) {
    return wg_fail(WG_INVALID_VALUE, "%llu bytes at %#llx are not one or several whole mappings without gaps",
                   (unsigned long long)size, (unsigned long long)at);
}

enum wg_status wg_memory_map(struct wg_memory *m, uint64_t at, uint64_t size, struct wg_physical *p) {
    pthread_rwlock_wrlock(&m->lock);
    struct wg_reservation *r = holding(m, at);
    bool reserved = r && size <= r->end - at, free_there = is_empty(r, at, size);
    if (free_there) {
        uint32_t i = 0;
        while (i < r->pieces.n && r->pieces.v[i].base < at) i++;
        *WG_PUSH(&r->pieces) = (struct piece){0};
        memmove(&r->pieces.v[i + 1], &r->pieces.v[i], (r->pieces.n - 1 - i) * sizeof *r->pieces.v);
        r->pieces.v[i] = (struct piece){.base = at, .end = at + size, .physical = p};
        wg_physical_hold(p);
    }
    pthread_rwlock_unlock(&m->lock);
    if (free_there) return WG_OK;
    return wg_fail(WG_INVALID_VALUE, reserved ? "memory is already mapped at %#llx" : "%#llx is not reserved",
                   (unsigned long long)at);
}

enum wg_status wg_memory_unmap(struct wg_memory *m, uint64_t at, uint64_t size, uint64_t freed_at,
                               uint32_t own) {
    uint32_t first = 0, n = 0;
    WG_VEC(struct wg_physical *) gone = {0};
    pthread_rwlock_wrlock(&m->lock);
    struct wg_reservation *r = holding(m, at);
    bool good = find_pieces(r, at, size, &first, &n) || is_empty(r, at, size);
    for (uint32_t i = first; good && i < first + n; i++) {
        struct piece *p = &r->pieces.v[i];
        const struct wg_span *s = wg_spans_holding(&m->spans, p->base);
        struct wg_span last = s ? *s : (struct wg_span){.file = -1, .kind = WG_MEM_DEVICE};
        last.base = p->base, last.end = p->end;
        last.origin.freed_at = freed_at;
        m->freed[m->nfreed++ % WG_FREED_KEPT] = last;
        if (is_accessible(p)) wg_physical_hide(p->physical, m, p->base);
        p->access = (struct wg_access){0};
        set_pages(p);
        wg_shadow_forget(m, p->base, p->end - p->base);
        *WG_PUSH(&gone) = p->physical;
    }
    if (good && n) {
        make_spans(m, r, own);
        memmove(&r->pieces.v[first], &r->pieces.v[first + n],
                (r->pieces.n - first - n) * sizeof *r->pieces.v);
        r->pieces.n -= n;
        wg_stray_trim(m);
    }
    pthread_rwlock_unlock(&m->lock);
    for (uint32_t i = 0; i < gone.n; i++) wg_physical_drop(gone.v[i]); /* which takes a lock */
    free(gone.v);
    return good ? WG_OK : not_mapped(at, size);
}

static bool change(struct wg_memory *m, struct piece *p, uint32_t whose, struct wg_access access) {
    bool was = is_accessible(p), wrote = p->access.write;
    p->access.read = (p->access.read & ~whose) | (access.read & whose);
    p->access.write = (p->access.write & ~whose) | (access.write & whose);
    if (was == is_accessible(p) && wrote == (p->access.write != 0)) return true;
    if (!set_pages(p)) return false;
    if (!was && is_accessible(p)) wg_physical_show(p->physical, m, p->base, p->end - p->base);
    if (was && !is_accessible(p)) wg_physical_hide(p->physical, m, p->base);
    return true;
}

enum wg_status wg_memory_set_access(struct wg_memory *m, uint64_t at, uint64_t size, uint32_t whose,
                                    struct wg_access access, uint32_t own) {
    uint32_t first = 0, n = 0;
    bool good = true;
    pthread_rwlock_wrlock(&m->lock);
    struct wg_reservation *r = holding(m, at);
    bool known = find_pieces(r, at, size, &first, &n);
    for (uint32_t i = first; known && good && i < first + n; i++)
        good = change(m, &r->pieces.v[i], whose, access);
    if (known) make_spans(m, r, own);
    pthread_rwlock_unlock(&m->lock);
    if (!known) return not_mapped(at, size);
    return good ? WG_OK : wg_fail(WG_OUT_OF_MEMORY, "the host refused to map memory: %s", strerror(errno));
}

struct wg_physical *wg_memory_mapped(struct wg_memory *m, uint64_t a, struct wg_access *access) {
    struct wg_physical *found = NULL;
    pthread_rwlock_rdlock(&m->lock);
    struct wg_reservation *r = holding(m, a);
    for (uint32_t i = 0; r && i < r->pieces.n && !found; i++) {
        struct piece *p = &r->pieces.v[i];
        if (a < p->base || a >= p->end) continue;
        found = p->physical;
        *access = p->access;
        wg_physical_hold(found);
    }
    pthread_rwlock_unlock(&m->lock);
    return found;
}

void wg_reserved_close(struct wg_memory *m) {
    for (struct wg_reservation *r = m->reservations, *next; r; r = next) {
        next = r->next;
        for (uint32_t i = 0; i < r->pieces.n; i++) {
            if (is_accessible(&r->pieces.v[i]))
                wg_physical_hide(r->pieces.v[i].physical, m, r->pieces.v[i].base);
            wg_physical_drop(r->pieces.v[i].physical);
        }
        free(r->pieces.v);
        free(r);
    }
    m->reservations = NULL;
    wg_spans_free(&m->ranges);
    /* Handles to what is counted here may live on. */
    for (uint32_t i = 0; i < m->physical.n; i++) m->physical.v[i]->of = NULL;
    free(m->physical.v);
    wg_store_drop(m->store);
}
