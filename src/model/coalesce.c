/* See coalesce.h. */
#include "model/coalesce.h"
#include "base/lanes.h"
#include <stdbool.h>

enum { SECTOR_SHIFT = 5, LINE_SHIFT = 7, SECTOR = 1 << SECTOR_SHIFT };

/* How many different values there are of address >> shift. Neighbouring lanes mostly go upwards: then one
 * look back is enough, and only what is below the highest so far is searched for. */
static uint32_t distinct(const uint64_t address[32], uint32_t lanes, int shift) {
    uint64_t seen[32], highest = 0;
    uint32_t n = 0;
    WG_EACH_LANE(l, lanes) {
        uint64_t unit = address[l] >> shift;
        if (n && unit <= highest) {
            uint32_t k = n;
            while (k && seen[k - 1] != unit) k--;
            if (k) continue;
        }
        if (!n || unit > highest) highest = unit;
        seen[n++] = unit;
    }
    return n;
}

struct wg_global_cost wg_coalesce(const uint64_t address[32], uint32_t lanes, uint32_t bytes) {
    struct wg_global_cost c;
    uint32_t asked = (uint32_t)__builtin_popcount(lanes) * bytes;
    c.sectors = distinct(address, lanes, SECTOR_SHIFT);
    c.lines = distinct(address, lanes, LINE_SHIFT);
    c.ideal_sectors = (asked + SECTOR - 1) / SECTOR;
    if (c.ideal_sectors > c.sectors) c.ideal_sectors = c.sectors;
    return c;
}

uint32_t wg_coalesce_rounds(const uint64_t address[32], uint32_t lanes) {
    uint32_t sectors = 0;
    while (lanes) {
        /* The first lane of each word is served in this round. */
        uint32_t round = 0;
        WG_EACH_LANE(l, lanes) {
            bool taken = false;
            WG_EACH_LANE(k, round) taken |= address[k] == address[l];
            if (!taken) round |= 1u << l;
        }
        sectors += distinct(address, round, SECTOR_SHIFT);
        lanes &= ~round;
    }
    return sectors;
}
