/* Footprints of launches in global memory, read off the cells: for stream_race.h, which compares launches
 * with each other. */
#include "check/race/race_state.h"
#include "base/lanes.h"
#include <stdlib.h>

struct telling {
    struct wg_race *r;
    uint32_t from, to; /* serials */
    void (*fn)(void *user, const struct wg_race_touched *t);
    void *user;
    uint64_t address; /* of the reported cell */
    bool sector;
};

static bool meant(const struct telling *t, uint32_t serial) { return serial >= t->from && serial <= t->to; }

static void tell(const struct telling *t, uint32_t serial, uint64_t key, uint32_t mask, uint8_t access) {
    pthread_mutex_lock(&t->r->lock);
    uint64_t launch = t->r->launches[serial - 1];
    pthread_mutex_unlock(&t->r->lock);
    struct wg_race_touched x = {.launch = launch,
                                .address = t->address,
                                .block = key >> 32,
                                .mask = mask,
                                .thread = mark_thread(key),
                                .site = mark_site(key),
                                .access = access,
                                .sector = t->sector,
                                .strong = key & (MARK_STRONG | MARK_VOLATILE),
                                .of_block = mark_is_of_block(key)};
    t->fn(t->user, &x);
}

/* What tells places apart: not the block, nor the thread. */
static uint32_t what(uint64_t key) { return (uint32_t)key >> 10; }

static void tell_keys(const struct telling *t, const struct keys *k, enum key_class c, uint8_t access) {
    const struct key_row *row = race_keys_of(k, c, 0);
    uint32_t left = 0;
    if (!row) return;
    const uint64_t *keys = row->key;
    for (uint32_t i = 0; i < PLACES; i++) left |= (uint32_t)(keys[i] != 0) << i;
    while (left) {
        uint64_t first = keys[__builtin_ctz(left)];
        uint32_t alike = 0;
        WG_EACH_LANE(i, left) {
            alike |= (uint32_t)(what(keys[i]) == what(first)) << i;
        }
        bool plain = access == WG_RACE_ATOMIC && first & MARK_VOLATILE;
        tell(t, k->serial, first, alike, plain ? WG_RACE_STORE : access);
        left &= ~alike;
    }
}

static uint64_t lowest(uint64_t key, uint32_t mask, struct layout l) {
    return (key & ~UINT64_C(31)) | lane_at(l, (uint32_t)__builtin_ctz(mask));
}

static void tell_cell(const struct telling *t, const struct cell *c) {
    const struct keys *k = c->keys;
    if (k && k->serial && meant(t, k->serial)) {
        tell_keys(t, k, READS, WG_RACE_LOAD);
        tell_keys(t, k, WRITES, WG_RACE_STORE);
        tell_keys(t, k, STRONGS, WG_RACE_ATOMIC);
    }
    uint32_t known = k ? k->serial : 0; /* the keys have these, too */
    if (c->read_serial && c->read_serial != known && meant(t, c->read_serial) && c->read_mask)
        tell(t, c->read_serial, lowest(c->read, c->read_mask, c->read_layout), c->read_mask, WG_RACE_LOAD);
    if (c->write_serial && c->write_serial != known && meant(t, c->write_serial) && c->write_mask)
        tell(t, c->write_serial, lowest(c->write, c->write_mask, c->write_layout), c->write_mask,
             WG_RACE_STORE);
}

static void tell_cells(struct telling *t, const struct cell *c, uint64_t base, uint32_t each) {
    if (!c) return;
    t->sector = each == 32;
    for (uint32_t i = 0; i < CHUNK_BYTES / each; i++) {
        t->address = base + (uint64_t)i * each;
        tell_cell(t, &c[i]);
    }
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void wg_race_each_touched(struct wg_race *r, const struct wg_race_grid *only,
                          void (*fn)(void *user, const struct wg_race_touched *t), void *user) {
    struct telling t = {.r = r, .from = 1, .to = UINT32_MAX, .fn = fn, .user = user};
    if (only) t.from = t.to = only->serial;
    pthread_mutex_lock(&r->commits);
    if (r->used.n) qsort(r->used.v, r->used.n, sizeof *r->used.v, by_number);
    for (uint32_t i = 0; i < r->used.n; i++) {
        const struct arena *in = &r->arenas[r->used.v[i] >> 32];
        const struct chunk *c = &in->chunks[(uint32_t)r->used.v[i]];
        uint64_t base = in->base + ((uint64_t)(uint32_t)r->used.v[i] << CHUNK_SHIFT);
        if (c->serial < t.from) continue;
        tell_cells(&t, c->lines, base, 128);
        tell_cells(&t, c->sectors, base, 32);
    }
    pthread_mutex_unlock(&r->commits);
}
