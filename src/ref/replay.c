/* The copy-on-write overlay of a dry replay: chunks of memory in an open-addressing hash table, each with a
 * mask of the bytes written. Only bytes that were written are ever copied, so inaccessible memory is not
 * touched.
 */
#include "ref/overlay.h"
#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512, LINE = 64, LINES = CHUNK / LINE, FIRST_CAP = 1024 };

struct chunk {
    uint64_t tag; /* address / CHUNK + 1 */
    uint64_t written[LINES], marked[LINES];
    uint8_t bytes[CHUNK];
    struct reads *reads; /* NULL: no reads of memory itself, or they are not recorded */
};
struct reads {
    uint64_t read[LINES];
    uint8_t bytes[CHUNK];
};
struct wg_replay {
    wg_replay_allow allow;
    void *user;
    struct stretch {
        uint64_t from, bytes;
    } own, shared;
    bool notes_reads;
    struct wg_arena arena;
    struct chunk **chunks; /* NULL: free */
    size_t cap, used;      /* cap: a power of two */
    struct chunk *latest;
};

struct wg_replay *wg_replay_new(wg_replay_allow allow, void *user) {
    struct wg_replay *r = wg_xcalloc(1, sizeof *r);
    r->allow = allow;
    r->user = user;
    r->cap = FIRST_CAP;
    r->chunks = wg_xcalloc(r->cap, sizeof(struct chunk *));
    return r;
}

void wg_replay_own(struct wg_replay *r, uint64_t from, uint64_t bytes) {
    r->own = (struct stretch){from, bytes};
}

void wg_replay_write_through(struct wg_replay *r, uint64_t from, uint64_t bytes) {
    r->shared = (struct stretch){from, bytes};
}

void wg_replay_note_reads(struct wg_replay *r) { r->notes_reads = true; }

void wg_replay_free(struct wg_replay *r) {
    if (!r) return;
    wg_arena_free(&r->arena);
    free(r->chunks);
    free(r);
}

bool wg_replay_ask(struct wg_replay *r, const struct wg_warp *w, const struct wg_access *a) {
    return !r->allow || r->allow(r->user, w, a);
}

/* ---- chunks ---- */

static struct chunk **slot_of(struct chunk **chunks, size_t cap, uint64_t tag) {
    size_t k = (size_t)(tag * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (cap - 1);
    while (chunks[k] && chunks[k]->tag != tag) k = (k + 1) & (cap - 1);
    return &chunks[k];
}

static struct chunk *find(struct wg_replay *r, uint64_t address) {
    uint64_t tag = address / CHUNK + 1;
    if (r->latest && r->latest->tag == tag) return r->latest;
    struct chunk *c = *slot_of(r->chunks, r->cap, tag);
    if (c) r->latest = c;
    return c;
}

static void grow(struct wg_replay *r) {
    size_t cap = r->cap * 2;
    struct chunk **chunks = wg_xcalloc(cap, sizeof(struct chunk *));
    for (size_t k = 0; k < r->cap; k++)
        if (r->chunks[k]) *slot_of(chunks, cap, r->chunks[k]->tag) = r->chunks[k];
    free(r->chunks);
    r->chunks = chunks;
    r->cap = cap;
}

/* Made if need be. What is written to, or read, is there: an address that is none faults here as it would
 * without an overlay. */
static struct chunk *chunk_at(struct wg_replay *r, uint64_t address) {
    struct chunk *c = find(r, address);
    if (c) return c;
    (void)*(const volatile uint8_t *)(uintptr_t)address;
    if (2 * ++r->used > r->cap) grow(r);
    c = WG_NEW(&r->arena, struct chunk);
    c->tag = address / CHUNK + 1;
    *slot_of(r->chunks, r->cap, c->tag) = c;
    r->latest = c;
    return c;
}

/* The number of an access's bytes in the line of its first byte; and which of the line's bytes they are. */
static uint32_t in_line(uint64_t address, uint32_t size, uint64_t *mask) {
    uint32_t at = address % LINE, n = size < LINE - at ? size : LINE - at;
    *mask = (n == LINE ? UINT64_MAX : (UINT64_C(1) << n) - 1) << at;
    return n;
}

/* ---- reads ---- */

static bool is_in(const struct stretch *s, uint64_t address) { return address - s->from < s->bytes; }

static void note_read(struct wg_replay *r, uint64_t address, const uint8_t *bytes, uint32_t size) {
    struct chunk *c = chunk_at(r, address);
    if (!c->reads) c->reads = WG_NEW(&r->arena, struct reads);
    for (uint32_t k = 0; k < size; k++) {
        uint32_t at = (address + k) % CHUNK;
        uint64_t bit = UINT64_C(1) << at % LINE;
        if ((c->written[at / LINE] | c->reads->read[at / LINE]) & bit) continue;
        c->reads->read[at / LINE] |= bit;
        c->reads->bytes[at] = bytes[k];
    }
}

/* Bytes of one line. */
static void read_in_line(struct wg_replay *r, uint64_t address, uint8_t *out, uint32_t n, uint64_t mask) {
    const struct chunk *c = find(r, address);
    uint32_t at = address % CHUNK;
    uint64_t written = c ? c->written[at / LINE] & mask : 0;
    if (written == mask) {
        memcpy(out, c->bytes + at, n);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        bool over = written >> ((address + k) % LINE) & 1;
        out[k] = over ? c->bytes[at + k] : *(const volatile uint8_t *)(uintptr_t)(address + k);
    }
    if (r->notes_reads) note_read(r, address, out, n);
}

bool wg_replay_read(struct wg_replay *r, uint64_t address, void *to, uint32_t size) {
    if (is_in(&r->own, address) || is_in(&r->shared, address)) return false;
    uint64_t mask;
    uint32_t n = in_line(address, size, &mask);
    if (n == size && !r->notes_reads) { /* the common case: the overlay has all of it */
        const struct chunk *c = find(r, address);
        if (!c || !(c->written[address % CHUNK / LINE] & mask)) return false;
    }
    for (uint8_t *out = to; size; address += n, out += n, size -= n) {
        n = in_line(address, size, &mask);
        read_in_line(r, address, out, n, mask);
    }
    return true;
}

/* ---- writes ---- */

bool wg_replay_write(struct wg_replay *r, uint64_t address, const void *from, uint32_t size) {
    bool through = is_in(&r->shared, address);
    uint64_t mask;
    uint32_t n;
    if (is_in(&r->own, address)) return false;
    for (const uint8_t *in = from; size; address += n, in += n, size -= n) {
        n = in_line(address, size, &mask);
        struct chunk *c = chunk_at(r, address);
        memcpy(c->bytes + address % CHUNK, in, n);
        c->written[address % CHUNK / LINE] |= mask;
    }
    return !through;
}

void wg_replay_forget(struct wg_replay *r, uint64_t address, uint64_t size) {
    uint64_t mask;
    uint32_t n;
    for (; size; address += n, size -= n) {
        n = in_line(address, size < LINE ? (uint32_t)size : LINE, &mask);
        struct chunk *c = find(r, address);
        if (c) c->written[address % CHUNK / LINE] &= ~mask;
    }
}

void wg_replay_mark(struct wg_replay *r, uint64_t address, uint32_t size) {
    uint64_t mask;
    uint32_t n;
    if (is_in(&r->own, address)) return;
    for (; size; address += n, size -= n) {
        n = in_line(address, size, &mask);
        chunk_at(r, address)->marked[address % CHUNK / LINE] |= mask;
    }
}

void wg_replay_forget_marked(struct wg_replay *r) {
    for (size_t k = 0; k < r->cap; k++)
        for (uint32_t line = 0; r->chunks[k] && line < LINES; line++) {
            struct chunk *c = r->chunks[k];
            c->written[line] &= ~c->marked[line];
            if (c->reads) c->reads->read[line] &= ~c->marked[line];
            c->marked[line] = 0;
        }
}

/* ---- what it came to ---- */

static struct wg_replay_line line_of(const struct chunk *c, uint32_t line) {
    return (struct wg_replay_line){.address = (c->tag - 1) * CHUNK + line * LINE,
                                   .written = c->written[line],
                                   .marked = c->marked[line],
                                   .read = c->reads ? c->reads->read[line] : 0,
                                   .bytes = c->bytes + line * LINE,
                                   .read_bytes = c->reads ? c->reads->bytes + line * LINE : NULL};
}

bool wg_replay_next(const struct wg_replay *r, size_t *at, struct wg_replay_line *out) {
    for (; *at < r->cap * LINES; ++*at) {
        const struct chunk *c = r->chunks[*at / LINES];
        uint32_t line = *at % LINES;
        if (!c || !(c->written[line] | (c->reads ? c->reads->read[line] : 0))) continue;
        *out = line_of(c, line);
        ++*at;
        return true;
    }
    return false;
}

struct wg_replay_line wg_replay_line_at(struct wg_replay *r, uint64_t address) {
    const struct chunk *c = find(r, address);
    if (!c) return (struct wg_replay_line){.address = address & ~(uint64_t)(LINE - 1)};
    return line_of(c, address % CHUNK / LINE);
}
