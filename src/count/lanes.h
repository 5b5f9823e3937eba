/* SIMD counting of distinct sectors, lines and bank words among 32 addresses: for fast.c. */
#ifndef WG_COUNT_LANES_H
#define WG_COUNT_LANES_H
#include <stdbool.h>
#include <stdint.h>

/* Whether the functions below can be used on this CPU (AVX-512 with CD). */
bool wg_lanes_usable(void);

struct wg_lanes_global {
    uint32_t sectors, lines, turns; /* turns: sectors summed over serialized rounds of lanes on one word */
};
/* False: not computed here (lanes more than 2 GiB apart; turns are requested and lanes are inactive). */
bool wg_lanes_global(const uint64_t address[32], uint32_t mask, bool turns, struct wg_lanes_global *out);
/* The bank conflict degree of the mask's lanes: the most words in one bank; merge: a word counts once. */
uint32_t wg_lanes_wavefronts(const uint64_t offset[32], uint32_t mask, bool merge);
#endif
