/* The overlay of a dry replay: 64-byte lines in an open hash table, each with a mask of the bytes that were
 * written. Only bytes that were written are ever copied, so memory that may not be read is not touched. */
#include "ref/overlay.h"
#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

struct line {
    uint64_t tag; /* address / LINE + 1; 0: free */
    uint64_t written;
    uint8_t bytes[LINE];
};
struct wg_replay {
    wg_replay_allow allow;
    void *user;
    struct line *lines;
    size_t cap, used; /* cap: a power of two */
};

struct wg_replay *wg_replay_new(wg_replay_allow allow, void *user) {
    struct wg_replay *r = wg_xcalloc(1, sizeof *r);
    r->allow = allow;
    r->user = user;
    r->cap = 1024;
    r->lines = wg_xcalloc(r->cap, sizeof *r->lines);
    return r;
}

void wg_replay_free(struct wg_replay *r) {
    if (!r) return;
    free(r->lines);
    free(r);
}

bool wg_replay_ask(struct wg_replay *r, const struct wg_warp *w, const struct wg_access *a) {
    return !r->allow || r->allow(r->user, w, a);
}

static struct line *slot_of(struct line *lines, size_t cap, uint64_t tag) {
    size_t k = (size_t)(tag * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (cap - 1);
    while (lines[k].tag && lines[k].tag != tag) k = (k + 1) & (cap - 1);
    return &lines[k];
}

static void grow(struct wg_replay *r) {
    size_t cap = r->cap * 2;
    struct line *lines = wg_xcalloc(cap, sizeof *lines);
    for (size_t k = 0; k < r->cap; k++)
        if (r->lines[k].tag) *slot_of(lines, cap, r->lines[k].tag) = r->lines[k];
    free(r->lines);
    r->lines = lines;
    r->cap = cap;
}

void wg_replay_read(struct wg_replay *r, uint64_t address, void *to, uint32_t size) {
    uint8_t *out = to;
    for (uint32_t k = 0; k < size; k++) {
        uint64_t a = address + k;
        const struct line *n = slot_of(r->lines, r->cap, a / LINE + 1);
        bool over = n->tag && n->written >> (a % LINE) & 1;
        out[k] = over ? n->bytes[a % LINE] : *(const volatile uint8_t *)a;
    }
}

void wg_replay_write(struct wg_replay *r, uint64_t address, const void *from, uint32_t size) {
    const uint8_t *in = from;
    for (uint32_t k = 0; k < size; k++) {
        uint64_t a = address + k;
        struct line *n = slot_of(r->lines, r->cap, a / LINE + 1);
        if (!n->tag) {
            if (2 * ++r->used > r->cap) {
                grow(r);
                n = slot_of(r->lines, r->cap, a / LINE + 1);
            }
            n->tag = a / LINE + 1;
        }
        n->bytes[a % LINE] = in[k];
        n->written |= UINT64_C(1) << (a % LINE);
    }
}
