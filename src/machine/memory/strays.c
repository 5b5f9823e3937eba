/* See strays.h. */
#include "machine/memory/strays.h"
#include "base/arena.h"
#include "machine/memory/memory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PIECE = 64 * 1024, /* that is opened at a time */
    MOST_PIECES = 4096,
    MOST_CLOSED =
        64, /* launches after which pages are closed: it costs each of them some tens of microseconds */
};

struct wg_stray_piece {
    uint64_t base, end;
    bool open;
};
struct wg_strays {
    /* Under the memory's lock. */
    struct wg_stray_piece v[MOST_PIECES]; /* by base, disjoint */
    uint32_t n, closed;
    struct wg_strays_told told;
};

struct wg_strays *wg_strays_new(void) {
    struct wg_strays *s = wg_xcalloc(1, sizeof *s);
    pthread_mutex_init(&s->told.lock, NULL);
    return s;
}

void wg_strays_free(struct wg_strays *s) {
    for (uint32_t i = 0; i < s->told.ntold; i++) free(s->told.told[i]);
    pthread_mutex_destroy(&s->told.lock);
    free(s);
}

struct wg_strays_told *wg_strays_told(struct wg_memory *m) { return &m->strays->told; }

/* ---- what is near ---- */

static uint64_t pages_up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

/* One of WG_HUGE_PAGE and more has pages of its own on the device. */
static uint64_t passes_to(const struct wg_span *s) {
    return s->end - s->base >= WG_HUGE_PAGE ? pages_up(s->end, WG_HUGE_PAGE)
                                            : pages_up(s->end + WG_STRAY_NEAR, WG_PAGE);
}

static bool lets_pass(const struct wg_span *s, uint64_t a) {
    return (1u << s->kind & WG_MEM_COUNTED) &&
           (a < s->base ? s->base - a <= WG_STRAY_NEAR : a < passes_to(s));
}

static uint64_t pages_end(const struct wg_span *s) { return pages_up(s->end + WG_MEMORY_PAD, WG_PAGE); }

/* Nothing passes in reserved addresses (reserved.h): narrows the room around the address to what is between them. */
static void leave_ranges(const struct wg_memory *m, uint64_t a, uint64_t *from, uint64_t *to) {
    struct wg_span_at at = wg_spans_after(&m->ranges, a), back = at;
    const struct wg_span *next = wg_spans_get(&m->ranges, at), *last = wg_spans_back(&m->ranges, &back);
    if (next && next->base < *to) *to = next->base;
    if (last && last->end > *from) *from = last->end;
}

/* The lock is held. Whether an allocation is so near to an address outside of all that a device lets accesses
 * pass (strays.h), and the room around it, whole pages, in which that holds and that nobody has: none, if the
 * address is in the allocation's last page. */
static bool is_near(const struct wg_memory *m, uint64_t a, uint64_t *low, uint64_t *high) {
    const struct wg_spans *l = &m->spans;
    struct wg_span_at at = wg_spans_after(l, a), back = at;
    const struct wg_span *next = wg_spans_get(l, at), *last = wg_spans_back(l, &back), *s;
    const struct wg_span *before = NULL, *behind = NULL; /* the address is before it, behind it */
    uint64_t from = m->base, to = m->base + (UINT64_C(1) << (m->bits - 1));
    if (a < from || a >= to || (last && a < last->end) || wg_spans_holding(&m->ranges, a)) return false;
    for (; (s = wg_spans_get(l, at)) && s->base - a <= WG_STRAY_NEAR && !before; at = wg_spans_next(l, at))
        if (lets_pass(s, a)) before = s;
    /* Those that have large pages do not reach past what follows them. */
    for (s = last; s && !behind && (s == last || a - s->base <= WG_STRAY_NEAR + WG_HUGE_PAGE);
         s = wg_spans_back(l, &back))
        if (lets_pass(s, a)) behind = s;
    if (!before && !behind) return false;
    if (last && pages_end(last) > from) from = pages_end(last);
    if (next && next->bottom < to) to = next->bottom;
    leave_ranges(m, a, &from, &to);
    *low = behind || before->base - from <= WG_STRAY_NEAR ? from : before->base - WG_STRAY_NEAR;
    *high = before || passes_to(behind) > to ? to : passes_to(behind);
    return true;
}

/* ---- pages ---- */

static bool open_piece(struct wg_stray_piece *p) {
    p->open = p->open || mprotect((void *)p->base, p->end - p->base, PROT_READ | PROT_WRITE) == 0;
    return p->open;
}

static void drop_piece(struct wg_strays *s, uint32_t i) {
    struct wg_stray_piece *p = &s->v[i];
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap((void *)p->base, p->end - p->base, PROT_NONE, flags, -1, 0) == MAP_FAILED) {
        madvise((void *)p->base, p->end - p->base, MADV_DONTNEED);
        mprotect((void *)p->base, p->end - p->base, PROT_NONE);
    }
    memmove(p, p + 1, (s->n - i - 1) * sizeof *p);
    s->n--;
}

void wg_stray_clear(struct wg_memory *m, uint64_t from, uint64_t to) {
    struct wg_strays *s = m->strays;
    for (uint32_t i = s->n; i-- > 0;)
        if (s->v[i].base < to && s->v[i].end > from) drop_piece(s, i);
}

void wg_stray_trim(struct wg_memory *m) {
    struct wg_strays *s = m->strays;
    uint64_t low, high;
    for (uint32_t i = s->n; i-- > 0;)
        if (!is_near(m, s->v[i].base, &low, &high)) drop_piece(s, i);
}

/* Makes the piece of the room around the address. */
static bool make_piece(struct wg_memory *m, uint64_t a) {
    struct wg_strays *s = m->strays;
    uint64_t low, high, base = a & ~(uint64_t)(PIECE - 1), end = base + PIECE;
    uint32_t at = 0;
    if (s->n == MOST_PIECES || !is_near(m, a, &low, &high)) return false;
    while (at < s->n && s->v[at].base <= a) at++;
    if (at && s->v[at - 1].end > low) low = s->v[at - 1].end;
    if (at < s->n && s->v[at].base < high) high = s->v[at].base;
    struct wg_stray_piece p = {.base = base > low ? base : low, .end = end < high ? end : high};
    if (p.base > a || p.end <= a || !open_piece(&p)) return false;
    memmove(s->v + at + 1, s->v + at, (s->n - at) * sizeof *s->v);
    s->v[at] = p;
    s->n++;
    return true;
}

bool wg_strays_open(struct wg_memory *m, uint64_t a) {
    struct wg_strays *s = m->strays;
    pthread_rwlock_wrlock(&m->lock);
    uint32_t i = 0;
    while (i < s->n && s->v[i].end <= a) i++;
    bool good = i < s->n && s->v[i].base <= a ? open_piece(&s->v[i]) : make_piece(m, a);
    pthread_rwlock_unlock(&m->lock);
    return good;
}

void wg_strays_close(struct wg_memory *m) {
    struct wg_strays *s = m->strays;
    if (s->closed >= MOST_CLOSED) return;
    pthread_rwlock_wrlock(&m->lock);
    s->closed++;
    for (uint32_t i = 0; i < s->n; i++) {
        struct wg_stray_piece *p = &s->v[i];
        if (p->open && mprotect((void *)p->base, p->end - p->base, PROT_NONE) == 0) p->open = false;
    }
    pthread_rwlock_unlock(&m->lock);
}

bool wg_stray_may(struct wg_memory *m, uint64_t address) {
    uint64_t low, high;
    pthread_rwlock_rdlock(&m->lock);
    bool may = is_near(m, address, &low, &high);
    pthread_rwlock_unlock(&m->lock);
    return may;
}
