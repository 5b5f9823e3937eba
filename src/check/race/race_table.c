/* Hash table of a block's rows of global memory, by address; and memory for places. Rows are allocated from
 * chunks, in the order in which they were first touched, and are all released at the block's end. */
#include "check/race/race_state.h"
#include <stdlib.h>
#include <string.h>

enum { POOL_CHUNK = 256 * 1024, FIRST_SLOTS = 1024 };

/* ---- memory given back all at once ---- */

void *race_pool_take(struct pool *p, size_t bytes) {
    if (p->n && p->used + bytes > POOL_CHUNK) {
        p->at++;
        p->used = 0;
    }
    if (p->at == p->n) {
        p->chunks = wg_xrealloc(p->chunks, (p->n + 1) * sizeof *p->chunks);
        p->chunks[p->n++] = aligned_alloc(64, POOL_CHUNK);
        p->used = 0;
    }
    void *v = (char *)p->chunks[p->at] + p->used;
    p->used += bytes;
    return v;
}

void race_pool_reset(struct pool *p) { p->at = 0, p->used = 0; }

void race_pool_free(struct pool *p) {
    for (uint32_t i = 0; i < p->n; i++) free(p->chunks[i]);
    free(p->chunks);
}

/* ---- rows ---- */

static uint32_t slot_of(const struct row_table *t, uint64_t tag) {
    uint32_t i = (uint32_t)(tag * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->size - 1);
    while (t->slots[i].tag && t->slots[i].tag != tag) i = (i + 1) & (t->size - 1);
    return i;
}

static void grow(struct row_table *t) {
    struct row_table old = *t;
    t->size = t->size ? t->size * 4 : FIRST_SLOTS;
    t->slots = wg_xcalloc(t->size, sizeof *t->slots);
    for (uint32_t i = 0; i < old.size; i++)
        if (old.slots[i].tag) t->slots[slot_of(t, old.slots[i].tag)] = old.slots[i];
    free(old.slots);
}

static struct row *find(struct row_table *t, uint64_t tag) {
    if (t->used * 2 >= t->size) grow(t);
    uint32_t i = slot_of(t, tag), n = t->used;
    if (t->slots[i].tag) return t->slots[i].row;
    if (n / CHUNK_ROWS == t->nchunks) {
        t->chunks = wg_xrealloc(t->chunks, (t->nchunks + 1) * sizeof *t->chunks);
        t->chunks[t->nchunks++] = aligned_alloc(64, CHUNK_ROWS * sizeof(struct row));
    }
    struct row *r = &t->chunks[n / CHUNK_ROWS][n % CHUNK_ROWS];
    memset(r, 0, sizeof *r);
    r->tag = tag;
    t->slots[i].tag = tag;
    t->slots[i].row = r;
    t->used++;
    return r;
}

struct row *race_line(struct wg_race_block *b, uint64_t address) {
    return find(&b->table, (address & ~UINT64_C(127)) | 1);
}

struct row *race_sector(struct wg_race_block *b, uint64_t address) {
    struct row *r = find(&b->table, (address & ~UINT64_C(31)) | 2);
    r->by_bytes = true;
    return r;
}

void race_table_clear(struct wg_race_block *b) {
    struct row_table *t = &b->table;
    if (t->used * 16 > t->size) {
        memset(t->slots, 0, t->size * sizeof *t->slots);
    } else {
        /* Backwards, so that each is found past those that were there before it. */
        for (uint32_t n = t->used; n-- > 0;)
            t->slots[slot_of(t, t->chunks[n / CHUNK_ROWS][n % CHUNK_ROWS].tag)].tag = 0;
    }
    t->used = 0;
    race_pool_reset(&b->pool);
}

void race_table_free(struct row_table *t) {
    for (uint32_t i = 0; i < t->nchunks; i++) free(t->chunks[i]);
    free(t->chunks);
    free(t->slots);
}
