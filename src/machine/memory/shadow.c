/* See shadow.h. */
#include "machine/memory/shadow.h"
#include "base/arena.h"
#include "machine/memory/origin.h"
#include "machine/memory/padding.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- lines ---- */

static uint64_t line_down(uint64_t a) { return a & ~(uint64_t)(WG_LINE - 1); }

void wg_shadow_clear_lines(const struct wg_memory *m, uint64_t at, uint64_t bytes) {
    uint64_t first = line_down(at), end = line_down(at + bytes + WG_LINE - 1);
    memset((void *)wg_shadow_line(m, first), 0, (end - first) / WG_LINE);
}

/* All lines that a range touches are known to be defined. */
bool wg_shadow_is_whole(const struct wg_memory *m, uint64_t at, uint64_t bytes) {
    const uint8_t *l = (const uint8_t *)wg_shadow_line(m, at);
    uint64_t n = (line_down(at + bytes + WG_LINE - 1) - line_down(at)) / WG_LINE;
    for (uint64_t i = 0; i < n; i++)
        if (l[i] != UINT8_MAX) return false;
    return true;
}

void wg_shadow_define(const struct wg_memory *m, uint64_t at, uint64_t bytes) {
    uint8_t *s = wg_shadow_at(m, at);
    if (!s || !bytes || wg_shadow_is_whole(m, at, bytes)) return;
    memset(s, UINT8_MAX, bytes);
    uint64_t first = line_down(at + WG_LINE - 1), end = line_down(at + bytes);
    if (first < end) memset((void *)wg_shadow_line(m, first), UINT8_MAX, (end - first) / WG_LINE);
}

void wg_shadow_undefine(const struct wg_memory *m, uint64_t at, uint64_t bytes) {
    uint8_t *s = wg_shadow_at(m, at);
    if (!s || !bytes) return; /* a memset of nothing is slow where no page was touched yet */
    wg_shadow_clear_lines(m, at, bytes);
    wg_origin_clear(m, at, bytes);
    memset(s, 0, bytes);
}

/* ---- whole allocations ---- */

/* How far each is defined, from its beginning on: as long as nothing undefined comes to memory that stays so,
 * for what is written is defined from then on. */
struct known {
    uint64_t base, end, to; /* [base, to) is defined */
    uint64_t when;          /* m->undefined */
};
struct wg_shadow_known {
    pthread_mutex_t lock;
    WG_VEC(struct known) v;
};

void wg_shadow_open(struct wg_memory *m) {
    m->known = wg_xcalloc(1, sizeof *m->known);
    pthread_mutex_init(&m->known->lock, NULL);
    wg_padding_open(m);
    atomic_store(&m->undefined, 1);
}

void wg_shadow_close(struct wg_memory *m) {
    if (!m->known) return;
    wg_padding_close(m);
    pthread_mutex_destroy(&m->known->lock);
    free(m->known->v.v);
    free(m->known);
    m->known = NULL;
}

/* Nothing is known any more of the memory there. */
static void forget_known(struct wg_memory *m, uint64_t at, uint64_t bytes) {
    struct wg_shadow_known *k = m->known;
    uint32_t n = 0;
    pthread_mutex_lock(&k->lock);
    for (uint32_t i = 0; i < k->v.n; i++)
        if (k->v.v[i].end <= at || k->v.v[i].base >= at + bytes) k->v.v[n++] = k->v.v[i];
    k->v.n = n;
    pthread_mutex_unlock(&k->lock);
}

/* The first byte from `at` on that may be undefined. */
static uint64_t defined_up_to(const struct wg_memory *m, uint64_t at, uint64_t end) {
    while (at < end) {
        uint64_t next = line_down(at) + WG_LINE;
        if (next > end) next = end;
        if (atomic_load_explicit(wg_shadow_line(m, at), memory_order_relaxed) != UINT8_MAX) {
            const uint8_t *s = wg_shadow_at(m, at);
            for (uint64_t i = 0; i < next - at; i++)
                if (s[i] != UINT8_MAX) return at + i;
        }
        at = next;
    }
    return end;
}

static struct known *find_known(struct wg_shadow_known *k, uint64_t base, uint64_t end) {
    for (uint32_t i = 0; i < k->v.n; i++)
        if (k->v.v[i].base == base && k->v.v[i].end == end) return &k->v.v[i];
    struct known *x = WG_PUSH(&k->v);
    *x = (struct known){.base = base, .end = end};
    return x;
}

uint64_t wg_shadow_whole(struct wg_memory *m, uint64_t at, uint64_t bytes) {
    if (!wg_shadow_at(m, at)) return 0;
    pthread_mutex_lock(&m->known->lock);
    struct known *x = find_known(m->known, at, at + bytes);
    uint64_t now = atomic_load(&m->undefined); /* what comes from here on has another number */
    if (x->when != now) x->to = at;
    x->when = now;
    x->to = defined_up_to(m, x->to, x->end);
    bool whole = x->to == x->end;
    pthread_mutex_unlock(&m->known->lock);
    return whole ? now : 0;
}

void wg_shadow_undefined(struct wg_memory *m, uint64_t at, uint64_t bytes) {
    if (!wg_shadow_at(m, at)) return;
    atomic_thread_fence(memory_order_seq_cst);
    for (uint64_t a = line_down(at); a < at + bytes; a += WG_LINE) atomic_store(wg_shadow_line(m, a), 0);
    atomic_fetch_add(&m->undefined, 1);
}

void wg_shadow_forget(struct wg_memory *m, uint64_t at, uint64_t bytes) {
    uint8_t *s = wg_shadow_at(m, at);
    if (!s) return;
    forget_known(m, at, bytes);
    wg_shadow_clear_lines(m, at, bytes);
    wg_origin_clear(m, at, bytes);
    if (madvise(s, bytes, MADV_DONTNEED) != 0) memset(s, 0, bytes);
}

/* ---- gaps ---- */

/* The first byte from `i` on that is defined, or that is not. */
static uint64_t skip(const uint8_t *s, uint64_t i, uint64_t n, bool defined) {
    uint64_t word, same = defined ? UINT64_MAX : 0;
    while (i < n) {
        if (i + 8 <= n && (memcpy(&word, s + i, 8), word == same)) {
            i += 8;
            continue;
        }
        if ((s[i] == 0xff) != defined) break;
        i++;
    }
    return i;
}

struct wg_shadow_gaps wg_shadow_gaps(const struct wg_memory *m, uint64_t at, uint64_t bytes) {
    struct wg_shadow_gaps g = {0};
    const uint8_t *s = wg_shadow_at(m, at);
    if (s && wg_shadow_is_whole(m, at, bytes)) return g;
    for (uint64_t i = s ? skip(s, 0, bytes, true) : bytes; i < bytes;) {
        uint64_t end = skip(s, i, bytes, false);
        if (!wg_is_padding(m, s, bytes, at, i, end - i)) {
            if (!g.bytes) g.first = at + i;
            g.bytes += end - i;
        }
        i = skip(s, end, bytes, true);
    }
    return g;
}
