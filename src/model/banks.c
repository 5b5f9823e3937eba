/* See banks.h. */
#include "model/banks.h"
#include "base/lanes.h"
#include <stdbool.h>
#include <string.h>

enum { BANKS = 32, WORD = 4, WAVEFRONT_BYTES = BANKS * WORD };

/* The words that a group of lanes accesses in each bank: the longest list is the number of wavefronts. */
struct wanted {
    uint32_t word[BANKS][32 * 4];
    uint32_t count[BANKS];
};

static void want(struct wanted *w, uint32_t word, bool merge) {
    uint32_t bank = word % BANKS;
    if (merge)
        for (uint32_t i = 0; i < w->count[bank]; i++)
            if (w->word[bank][i] == word) return;
    w->word[bank][w->count[bank]++] = word;
}

static uint32_t group_wavefronts(const uint32_t offset[32], uint32_t lanes, uint32_t bytes, bool merge) {
    struct wanted w;
    uint32_t most = 0, words = bytes <= WORD ? 1 : bytes / WORD;
    memset(w.count, 0, sizeof w.count);
    WG_EACH_LANE(l, lanes)
        for (uint32_t k = 0; k < words; k++) want(&w, offset[l] / WORD + k, merge);
    for (uint32_t b = 0; b < BANKS; b++)
        if (w.count[b] > most) most = w.count[b];
    return most;
}

/* Every active lane has the address of the lane whose number differs in the bit `apart`, or that one is not
 * active. */
static bool pairs_share(const uint32_t offset[32], uint32_t lanes, uint32_t apart) {
    WG_EACH_LANE(l, lanes)
        if ((lanes >> (l ^ apart) & 1) && offset[l ^ apart] != offset[l]) return false;
    return true;
}

static uint32_t groups_of(enum wg_shared_kind kind, const uint32_t offset[32], uint32_t lanes,
                          uint32_t bytes) {
    uint32_t groups = bytes <= WORD ? 1 : bytes / WORD;
    if (kind == WG_SHARED_LOAD && groups > 1 &&
        (pairs_share(offset, lanes, 1) || pairs_share(offset, lanes, 2)))
        groups /= 2;
    return groups;
}

struct wg_shared_cost wg_banks(enum wg_shared_kind kind, const uint32_t offset[32], uint32_t lanes,
                               uint32_t bytes) {
    struct wg_shared_cost c = {0};
    uint32_t groups = groups_of(kind, offset, lanes, bytes), each = 32 / groups;
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t group = each == 32 ? UINT32_MAX : ((1u << each) - 1) << (g * each);
        c.wavefronts += group_wavefronts(offset, lanes & group, bytes, kind != WG_SHARED_ATOMIC);
    }
    c.ideal = ((uint32_t)__builtin_popcount(lanes) * bytes + WAVEFRONT_BYTES - 1) / WAVEFRONT_BYTES;
    if (c.ideal > c.wavefronts) c.ideal = c.wavefronts;
    return c;
}
