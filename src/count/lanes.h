/* What 32 addresses have in common, by vector instructions: for fast.c. */
#ifndef WG_COUNT_LANES_H
#define WG_COUNT_LANES_H
#include <stdbool.h>
#include <stdint.h>

/* Whether the functions below can be used on this CPU (AVX-512 with CD). */
bool wg_lanes_usable(void);

struct wg_lanes_global {
    uint32_t sectors, lines, turns; /* turns: sectors summed over the rounds of lanes on one word */
};
/* False: not by this way (lanes more than 2 GiB apart; turns are wanted and lanes are off). */
bool wg_lanes_global(const uint64_t address[32], uint32_t mask, bool turns, struct wg_lanes_global *out);
/* The most words that are in one bank, of lanes of the mask; merge: a word counts once. */
uint32_t wg_lanes_wavefronts(const uint64_t offset[32], uint32_t mask, bool merge);
#endif
