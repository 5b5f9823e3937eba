/* See padding.h. */
#include "machine/memory/padding.h"
#include <stdlib.h>
#include <string.h>

struct wg_padding {
    pthread_mutex_t lock;
    struct wg_arena arena;
    WG_VEC(struct wg_record) records;
    const struct wg_record *latest; /* of a text that was added */
    bool guess;                     /* kernels are launched whose types are not known */
    uint32_t widest_store;          /* bytes, over all kernels launched so far: what may need padding */
};

void wg_padding_open(struct wg_memory *m) {
    m->padding = wg_xcalloc(1, sizeof *m->padding);
    pthread_mutex_init(&m->padding->lock, NULL);
}

void wg_padding_close(struct wg_memory *m) {
    if (!m->padding) return;
    pthread_mutex_destroy(&m->padding->lock);
    free(m->padding->records.v);
    wg_arena_free(&m->padding->arena);
    free(m->padding);
    m->padding = NULL;
}

static bool same(const struct wg_record *a, const struct wg_record *b) {
    return a->size == b->size && a->align == b->align && a->nholes == b->nholes &&
           !memcmp(a->holes, b->holes, a->nholes * sizeof *a->holes);
}

static void add_record(struct wg_padding *p, const struct wg_record *r) {
    for (uint32_t i = 0; i < p->records.n; i++)
        if (same(&p->records.v[i], r)) return;
    struct wg_hole *holes = WG_NEW_N(&p->arena, struct wg_hole, r->nholes);
    memcpy(holes, r->holes, r->nholes * sizeof *holes);
    *WG_PUSH(&p->records) = (struct wg_record){r->size, r->align, r->nholes, holes};
}

void wg_padding_add(struct wg_memory *m, const struct wg_record *records, uint32_t n, uint32_t widest_store) {
    struct wg_padding *p = m->padding;
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->guess |= !n;
    if (records == p->latest) n = 0;
    p->latest = records;
    if (widest_store > p->widest_store) p->widest_store = widest_store;
    for (uint32_t i = 0; i < n; i++)
        if (records[i].nholes) add_record(p, &records[i]);
    pthread_mutex_unlock(&p->lock);
}

/* ---- by what is around it ---- */

enum { LONGEST_PADDING = 7, LARGEST_ALIGNMENT = 8, LARGEST_RECORD = 128, LARGEST_LONE_RECORD = 64 };

/* Whether [i, i + n) of the `bytes` at `s` was not written, and the bytes around it were. */
static bool is_hole(const uint8_t *s, uint64_t bytes, uint64_t i, uint64_t n) {
    if (i + n > bytes || (i && s[i - 1] != 0xff) || (i + n < bytes && s[i + n] != 0xff)) return false;
    for (uint64_t k = i; k < i + n; k++)
        if (s[k] == 0xff) return false;
    return true;
}

/* Whether [i, i + n) was written, all of it. */
static bool is_written(const uint8_t *s, uint64_t i, uint64_t n) {
    for (uint64_t k = i; k < i + n; k++)
        if (s[k] != 0xff) return false;
    return true;
}

/* Whether within `period` bytes around the hole something that has the alignment lies as a whole: the member for
 * whose sake there is padding. */
static bool has_member(const uint8_t *s, uint64_t bytes, uint64_t at, uint64_t i, uint64_t period,
                       uint64_t align) {
    uint64_t first = i > period ? i - period : 0, end = i + period < bytes ? i + period : bytes;
    for (uint64_t k = first + (align - (at + first) % align) % align; k + align <= end; k += align)
        if (is_written(s, k, align)) return true;
    return false;
}

/* Where no types are known: is the hole [i, i + n) one between the members of a structure? Such a hole ends where a member begins or
 * the structure ends, and is shorter than that one's alignment. Somewhere in the structure there is a member with
 * that alignment, and a kernel has stores so wide; so every second word of an array is no padding. The next
 * structure of an array has the hole as well, at least twice the alignment further on. What is copied by itself is
 * one structure if it is small. */
static bool looks_like_padding(uint32_t widest_store, const uint8_t *s, uint64_t bytes, uint64_t at,
                               uint64_t i, uint64_t n) {
    uint64_t align = 2;
    while (align <= n) align *= 2;
    if (i == 0 || n > LONGEST_PADDING || align > LARGEST_ALIGNMENT || (at + i + n) % align) return false;
    if (widest_store < align) return false;
    if (bytes <= LARGEST_LONE_RECORD) return has_member(s, bytes, at, i, bytes, align);
    for (uint64_t p = 2 * align; p <= LARGEST_RECORD; p += align)
        if (is_hole(s, bytes, i + p, n) || (i > p && is_hole(s, bytes, i - p, n)))
            return has_member(s, bytes, at, i, p, align);
    return false;
}

/* ---- by types ---- */

/* What has the byte `k` of an array of such records; NULL: a member. */
static const struct wg_hole *hole_at(const struct wg_record *r, uint64_t k) {
    uint32_t h = 0;
    k %= r->size;
    while (h < r->nholes && k >= r->holes[h].to) h++;
    return h < r->nholes && k >= r->holes[h].from ? &r->holes[h] : NULL;
}

/* Whether members of the record that begins at `base` were written, each whole or not at all, as far as they are copied. */
static bool has_members(const struct wg_record *r, const uint8_t *s, uint64_t bytes, uint64_t base) {
    uint64_t end = base + r->size < bytes ? r->size : bytes - base, written = 0;
    for (uint64_t k = 0, first; k < end; k++) {
        for (first = k; k < end && s[base + k] != 0xff && !hole_at(r, k);) k++;
        uint64_t n = k - first; /* of a member, or some */
        if (n && n != 1 && !(n == 2 && first % 2 == 0) && !(n % 4 == 0 && first % 4 == 0)) return false;
        written += k < end && s[base + k] == 0xff;
    }
    return written > 0;
}

static bool is_unwritten(const uint8_t *s, uint64_t i, uint64_t n) {
    for (uint64_t k = i; k < i + n; k++)
        if (s[k] == 0xff) return false;
    return true;
}

/* Whether the bytes from `from` of an array of records on are whole holes: no part of one is beside them, but for that member
 * of a union which was written. */
static bool is_whole(const struct wg_record *r, uint64_t from, uint64_t n) {
    for (uint64_t k = from; k < from + n; k++)
        if (!hole_at(r, k)) return false;
    const struct wg_hole *before = from ? hole_at(r, from - 1) : NULL, *after = hole_at(r, from + n);
    return (!before || before->any) && !after;
}

/* Whether a record near the one at `base` in an array has nothing there either, or there is none near. Not each of them: some
 * may have been cleared or copied whole. */
static bool is_repeated(const struct wg_record *r, const uint8_t *s, uint64_t bytes, int64_t base, uint64_t i,
                        uint64_t n) {
    enum { NEAR = 4 };
    bool any = false;
    if (bytes <= LARGEST_LONE_RECORD) return true;
    for (int64_t k = -NEAR; k <= NEAR; k++) {
        int64_t other = base + k * (int64_t)r->size;
        if (!k || other < 0 || (uint64_t)other + r->size > bytes) continue;
        uint64_t there = i + (uint64_t)(k * (int64_t)r->size);
        if (there + n <= bytes && is_unwritten(s, there, n)) return true;
        any = true;
    }
    return !any;
}

/* Whether a member of a union may end there: it has 1 or 2 bytes, or a multiple of 4. */
static bool ends_member(const struct wg_hole *h, uint64_t at) {
    uint64_t bytes = at - h->from / 4 * 4;
    return bytes <= 2 || bytes % 4 == 0;
}

static bool is_of(const struct wg_record *r, const uint8_t *s, uint64_t bytes, uint64_t at, uint64_t i,
                  uint64_t n) {
    for (uint32_t h = 0; h < r->nholes && n < r->size; h++) {
        uint32_t last = r->holes[h].any ? r->holes[h].to - 1 : r->holes[h].from;
        for (uint64_t from = r->holes[h].from; from <= last; from++) {
            int64_t base = (int64_t)(i - from);
            if (base < 0 || (bytes >= r->size && (uint64_t)base + r->size > bytes)) continue;
            if ((at + (uint64_t)base) % r->align || !is_whole(r, from, n)) continue;
            if (r->holes[h].any && !ends_member(&r->holes[h], from)) continue;
            bool again =
                r->holes[h].any ? (uint64_t)base % r->size == 0 : is_repeated(r, s, bytes, base, i, n);
            if (again && has_members(r, s, bytes, (uint64_t)base)) return true;
        }
    }
    return false;
}

bool wg_is_padding(const struct wg_memory *m, const uint8_t *s, uint64_t bytes, uint64_t at, uint64_t i,
                   uint64_t n) {
    struct wg_padding *p = m->padding;
    if (!p) return false;
    pthread_mutex_lock(&p->lock);
    bool is = p->guess && looks_like_padding(p->widest_store, s, bytes, at, i, n);
    for (uint32_t k = 0; k < p->records.n && !is; k++) is = is_of(&p->records.v[k], s, bytes, at, i, n);
    pthread_mutex_unlock(&p->lock);
    return is;
}
