/* See snapshot.h. The copies are in one reserved range of address space, one allocation after the other; only
 * the pages in use take memory, so the signal handler need not allocate. */
#include "machine/memory/snapshot.h"
#include "base/arena.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    COPIED = 256 * 1024,    /* an allocation of so many bytes is copied at once */
    LEAST_PART = 64 * 1024, /* else so many bytes at a time... */
    MOST_PARTS = 512,       /* ...or more, for each part may cost the kernel two map entries */
};

struct piece { /* an allocation */
    uint64_t base, bytes;
    uint64_t at;    /* its place among the copies */
    uint64_t first; /* its first part's number */
    uint32_t shift; /* bytes of a part, as a power of two */
    uint32_t kind;
    bool host;   /* others may write to it meanwhile: the host program, or another process */
    bool copied; /* all of it, at once */
};

struct wg_snapshot {
    struct piece *pieces; /* by address */
    uint32_t n;
    uint8_t *copies;
    uint64_t bytes, parts;
    uint8_t *saved; /* of each part */
    atomic_flag busy;
};

/* Looked at by the signal handler. */
static struct wg_snapshot *_Atomic active;

static uint64_t up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

/* ---- beginning ---- */

static bool host_writes(const struct wg_span *s) {
    return s->kind == WG_MEM_PINNED || s->kind == WG_MEM_MANAGED || s->kind == WG_MEM_REGISTERED ||
           s->mapped || s->file >= 0;
}

static struct piece piece_of(const struct wg_span *span, bool pages) {
    uint64_t bytes = span->end - span->base;
    struct piece p = {.base = span->base, .kind = span->kind, .host = host_writes(span)};
    p.bytes = pages ? up(bytes + WG_MEMORY_PAD, WG_PAGE) : bytes;
    p.copied = bytes <= COPIED || p.host;
    uint64_t part = p.copied ? p.bytes : LEAST_PART;
    while (part < p.bytes / MOST_PARTS) part *= 2;
    while (UINT64_C(1) << p.shift < part) p.shift++;
    return p;
}

static uint64_t parts_of(const struct piece *p) { return ((p->bytes - 1) >> p->shift) + 1; }

static int by_base(const void *a, const void *b) {
    const struct piece *x = a, *y = b;
    return x->base < y->base ? -1 : x->base > y->base;
}

/* What a program can know of. */
static void collect(struct wg_snapshot *s, struct wg_memory *m) {
    uint32_t n, nregistered;
    struct wg_span *spans = wg_memory_spans(m, &n), *registered = wg_memory_registered(m, &nregistered);
    s->pieces = wg_xcalloc(n + nregistered + 1, sizeof *s->pieces);
    for (uint32_t i = 0; i < n; i++)
        if (spans[i].kind != WG_MEM_SCRATCH && !spans[i].reserved)
            s->pieces[s->n++] = piece_of(&spans[i], true);
    for (uint32_t i = 0; i < nregistered; i++) s->pieces[s->n++] = piece_of(&registered[i], false);
    free(spans);
    free(registered);
    qsort(s->pieces, s->n, sizeof *s->pieces, by_base);
    for (uint32_t i = 0; i < s->n; i++) {
        struct piece *p = &s->pieces[i];
        p->at = s->bytes;
        p->first = s->parts;
        s->bytes += up(p->bytes, WG_PAGE);
        s->parts += parts_of(p);
    }
}

/* Kernel memory is no sanitizer's business. */
__attribute__((no_sanitize("address", "thread"))) static void copy(uint8_t *to, uint64_t from,
                                                                   uint64_t bytes) {
    memcpy(to, (const void *)(uintptr_t)from, bytes);
}

static void protect(struct wg_snapshot *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        const struct piece *p = &s->pieces[i];
        if (!p->copied) {
            mprotect((void *)p->base, p->bytes, PROT_READ);
            continue;
        }
        copy(s->copies + p->at, p->base, p->bytes);
        s->saved[p->first] = 1;
    }
}

struct wg_snapshot *wg_snapshot_begin(struct wg_memory *m) {
    struct wg_snapshot *s = wg_xcalloc(1, sizeof *s);
    collect(s, m);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    s->copies = mmap(NULL, s->bytes + WG_PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (s->copies == MAP_FAILED) {
        free(s->pieces);
        free(s);
        return NULL;
    }
    s->saved = wg_xcalloc(s->parts + 1, 1);
    atomic_store(&active, s);
    protect(s);
    return s;
}

void wg_snapshot_end(struct wg_snapshot *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->pieces[i].copied)
            mprotect((void *)s->pieces[i].base, s->pieces[i].bytes, PROT_READ | PROT_WRITE);
    atomic_store(&active, NULL);
    munmap(s->copies, s->bytes + WG_PAGE);
    free(s->saved);
    free(s->pieces);
    free(s);
}

/* ---- a write ---- */

static uint64_t part_bytes(const struct piece *p, uint64_t part) {
    uint64_t from = part << p->shift, left = p->bytes - from, whole = UINT64_C(1) << p->shift;
    return left < whole ? left : whole;
}

/* Where the kernel has no room for one more map entry, the whole allocation becomes writable. */
static bool save(struct wg_snapshot *s, const struct piece *p, uint64_t part) {
    uint64_t from = part << p->shift, bytes = part_bytes(p, part);
    if (s->saved[p->first + part]) return true; /* another thread was first */
    copy(s->copies + p->at + from, p->base + from, bytes);
    s->saved[p->first + part] = 1;
    if (mprotect((void *)(p->base + from), bytes, PROT_READ | PROT_WRITE) == 0) return true;
    for (uint64_t k = 0; k << p->shift < p->bytes; k++) {
        if (s->saved[p->first + k]) continue;
        copy(s->copies + p->at + (k << p->shift), p->base + (k << p->shift), part_bytes(p, k));
        s->saved[p->first + k] = 1;
    }
    return mprotect((void *)p->base, p->bytes, PROT_READ | PROT_WRITE) == 0;
}

static const struct piece *piece_at(const struct wg_snapshot *s, uint64_t address) {
    uint32_t lo = 0, hi = s->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->pieces[mid].base <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    const struct piece *p = lo ? &s->pieces[lo - 1] : NULL;
    return p && address - p->base < p->bytes ? p : NULL;
}

bool wg_snapshot_fault(uint64_t address) {
    struct wg_snapshot *s = atomic_load(&active);
    const struct piece *p = s ? piece_at(s, address) : NULL;
    if (!p || p->copied) return false;
    int before = errno;
    while (atomic_flag_test_and_set(&s->busy)) sched_yield();
    bool good = save(s, p, (address - p->base) >> p->shift);
    atomic_flag_clear(&s->busy);
    errno = before;
    return good;
}

/* ---- what was written ---- */

bool wg_snapshot_next(const struct wg_snapshot *s, uint64_t *at, struct wg_snapshot_part *out) {
    for (uint32_t i = 0; i < s->n; i++) {
        const struct piece *p = &s->pieces[i];
        if (*at < p->first) *at = p->first;
        for (; *at < p->first + parts_of(p); ++*at) {
            uint64_t part = *at - p->first, from = part << p->shift;
            if (!s->saved[*at]) continue;
            *out = (struct wg_snapshot_part){p->base + from, part_bytes(p, part), s->copies + p->at + from,
                                             p->kind, p->host};
            ++*at;
            return true;
        }
    }
    return false;
}

/* ---- back to what was ---- */

enum { LINE = 64 };

/* Lines that are as they should be are left alone: somebody else may use them. */
__attribute__((no_sanitize("address", "thread"))) static void put(uint64_t to, const uint8_t *from,
                                                                  uint64_t bytes) {
    for (uint64_t k = 0; k < bytes; k += LINE) {
        uint64_t n = bytes - k < LINE ? bytes - k : LINE;
        if (memcmp((void *)(to + k), from + k, n) != 0) memcpy((void *)(to + k), from + k, n);
    }
}

void wg_snapshot_restore(struct wg_snapshot *s, uint32_t kinds) {
    struct wg_snapshot_part part;
    for (uint64_t at = 0; wg_snapshot_next(s, &at, &part);)
        if (kinds >> part.kind & 1) put(part.address, part.before, part.bytes);
}

void wg_snapshot_refresh(struct wg_snapshot *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->pieces[i].copied) copy(s->copies + s->pieces[i].at, s->pieces[i].base, s->pieces[i].bytes);
}

struct wg_snapshot_state {
    uint8_t *bytes;
    uint64_t n;
    uint8_t *saved; /* parts that it has */
};

struct wg_snapshot_state *wg_snapshot_take(const struct wg_snapshot *s) {
    struct wg_snapshot_state *t = wg_xcalloc(1, sizeof *t);
    struct wg_snapshot_part part;
    uint64_t n = 0;
    for (uint64_t at = 0; wg_snapshot_next(s, &at, &part);) t->n += part.bytes;
    t->bytes = wg_xmalloc(t->n + 1);
    t->saved = wg_xmalloc(s->parts + 1);
    memcpy(t->saved, s->saved, s->parts);
    for (uint64_t at = 0; wg_snapshot_next(s, &at, &part); n += part.bytes)
        copy(t->bytes + n, part.address, part.bytes);
    return t;
}

void wg_snapshot_read(const struct wg_snapshot *s, const struct wg_snapshot_state *t, uint64_t address,
                      void *to, uint32_t size) {
    struct wg_snapshot_part part;
    uint64_t n = 0;
    for (uint64_t at = 0; wg_snapshot_next(s, &at, &part);) {
        bool then = t && t->saved[at - 1]; /* else it was not written to until then */
        uint64_t into = address - part.address;
        if (into < part.bytes && size <= part.bytes - into) {
            memcpy(to, (then ? t->bytes + n : part.before) + into, size);
            return;
        }
        if (then) n += part.bytes;
    }
    copy(to, address, size); /* not written */
}

void wg_snapshot_put(struct wg_snapshot *s, struct wg_snapshot_state *t) {
    struct wg_snapshot_part part;
    uint64_t n = 0;
    wg_snapshot_restore(s, WG_SNAPSHOT_ALL); /* of what was written since, too */
    for (uint64_t at = 0; wg_snapshot_next(s, &at, &part);) {
        if (!t->saved[at - 1]) continue;
        put(part.address, t->bytes + n, part.bytes);
        n += part.bytes;
    }
    wg_snapshot_drop(t);
}

void wg_snapshot_drop(struct wg_snapshot_state *t) {
    free(t->bytes);
    free(t->saved);
    free(t);
}

/* False: it was enough. */
__attribute__((no_sanitize("address", "thread"))) static bool
compare_part(const struct wg_snapshot_part *part, const uint8_t *with, wg_snapshot_each each, void *user) {
    for (uint64_t k = 0; k < part->bytes; k += LINE) {
        uint64_t end = part->bytes - k < LINE ? part->bytes : k + LINE;
        const uint8_t *now = (const uint8_t *)(uintptr_t)part->address;
        if (memcmp(now + k, with + k, end - k) == 0) continue;
        for (uint64_t i = k; i < end; i += 4)
            if (memcmp(now + i, with + i, end - i < 4 ? end - i : 4) != 0 && !each(user, part->address + i))
                return false;
    }
    return true;
}

void wg_snapshot_compare(const struct wg_snapshot *s, const struct wg_snapshot_state *t,
                         wg_snapshot_each each, void *user) {
    struct wg_snapshot_part part;
    uint64_t n = 0;
    for (uint64_t at = 0; wg_snapshot_next(s, &at, &part);) {
        bool then = t->saved[at - 1];
        const uint8_t *with = then ? t->bytes + n : part.before;
        if (part.kind != WG_MEM_HEAP && !compare_part(&part, with, each, user)) return;
        if (then) n += part.bytes;
    }
}
