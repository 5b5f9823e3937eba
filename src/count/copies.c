/* See copies.h. */
#include "count/copies.h"
#include "base/lanes.h"

enum { WORD = 4, BANKS = 32, SECTOR = 32, LINE = 128, HALF = 16, QUARTER = 8 };

/* How many different keys there are, of at most 32. */
struct keys {
    uint64_t v[32][2];
    uint32_t n;
};
static void put(struct keys *k, uint64_t a, uint64_t b) {
    for (uint32_t i = 0; i < k->n; i++)
        if (k->v[i][0] == a && k->v[i][1] == b) return;
    k->v[k->n][0] = a;
    k->v[k->n++][1] = b;
}

static uint32_t most_of_a_bank(const uint64_t at[32], uint32_t lanes, uint32_t bytes) {
    uint32_t count[BANKS] = {0}, most = 0;
    WG_EACH_LANE(l, lanes)
        for (uint32_t w = 0; w < bytes / WORD; w++) {
            uint32_t n = ++count[(at[l] / WORD + w) % BANKS];
            if (n > most) most = n;
        }
    return most;
}

/* A wavefront moves one word from each of 32 places of a line to one word of each bank: lanes that share
 * either are serialized, also where they access the same word. */
static uint32_t turns(const uint64_t from[32], const uint64_t to[32], uint32_t lanes, uint32_t reads,
                      uint32_t bytes) {
    uint32_t read = most_of_a_bank(from, reads, bytes), written = most_of_a_bank(to, lanes, bytes);
    return read > written ? read : written;
}

/* Past L1, sectors are written as they arrive. Sectors of a quarter of the warp are written together if they
 * come from one line, go to one line, and move within it by the same number of sectors, with the same shift
 * of 16-byte halves. */
static uint32_t arrivals(const uint64_t from[32], const uint64_t to[32], uint32_t reads) {
    struct keys k = {.n = 0};
    WG_EACH_LANE(l, reads) {
        uint64_t shift = to[l] % LINE / SECTOR - from[l] % LINE / SECTOR;
        uint64_t half = to[l] / HALF % 2 - from[l] / HALF % 2;
        put(&k, from[l] / LINE << 32 | (uint32_t)(to[l] / LINE), shift << 2 | (half & 3));
    }
    return k.n;
}

static uint32_t wavefronts(const uint64_t from[32], const uint64_t to[32], uint32_t lanes, uint32_t reads,
                           uint32_t bytes, bool bypass) {
    uint32_t groups = bytes / WORD, each = 32 / groups, n = 0;
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t group = each == 32 ? UINT32_MAX : ((1u << each) - 1) << (g * each);
        uint32_t t = turns(from, to, lanes & group, reads & group, bytes);
        n += bypass && t == 0 ? 1 : t;
        if (bypass) n += arrivals(from, to, reads & group);
    }
    return n;
}

struct wg_async_cost wg_async_cost(const uint64_t from[32], const uint64_t to[32], uint32_t lanes,
                                   uint32_t reads, uint32_t bytes, bool bypass) {
    struct keys sectors = {.n = 0}, l1 = {.n = 0}, lines = {.n = 0};
    WG_EACH_LANE(l, reads) {
        put(&sectors, from[l] / SECTOR, bypass ? to[l] / SECTOR : 0);
        put(&l1, bypass ? from[l] / LINE : from[l] / SECTOR, bypass ? to[l] / SECTOR : 0);
        put(&lines, from[l] / LINE, 0);
    }
    uint32_t asked = (uint32_t)__builtin_popcount(reads) * bytes,
             written = (uint32_t)__builtin_popcount(lanes) * bytes;
    struct wg_async_cost c = {.sectors = sectors.n, .l1_sectors = l1.n, .lines = lines.n};
    c.ideal_sectors = (asked + SECTOR - 1) / SECTOR;
    if (c.ideal_sectors > c.sectors) c.ideal_sectors = c.sectors;
    c.wavefronts = wavefronts(from, to, lanes, reads, bytes, bypass);
    c.ideal_wavefronts = (written + LINE - 1) / LINE + (bypass ? LINE / SECTOR : 0);
    if (c.ideal_wavefronts > c.wavefronts) c.ideal_wavefronts = c.wavefronts;
    return c;
}

uint64_t wg_engine_sectors(uint64_t address, uint64_t bytes, uint32_t piece) {
    uint64_t n = 0;
    for (uint64_t at = 0; at < bytes; at += piece) {
        uint64_t first = address + at, last = address + (bytes - at < piece ? bytes : at + piece) - 1;
        n += last / SECTOR - first / SECTOR + 1;
    }
    return n;
}
