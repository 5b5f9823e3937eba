/* SIMD counting of distinct sectors, lines and bank words among 32 addresses: for fast.c. */
#ifndef WG_COUNT_LANES_H
#define WG_COUNT_LANES_H
#include <stdbool.h>
#include <stdint.h>

/* Whether the next two functions can be used on this CPU (AVX2, BMI2). The others can everywhere. */
bool wg_lanes_usable(void);

/* An access: of the lanes in the mask, which is not 0, each at address - minus. */
struct wg_lanes {
    const uint64_t *address; /* of 32 lanes */
    uint64_t minus;
    uint32_t mask;
};

struct wg_lanes_global {
    uint32_t sectors, lines, turns; /* turns: sectors summed over serialized rounds of lanes on one word */
};
/* False: not computed here (lanes more than 2 GiB apart). */
bool wg_lanes_global(const struct wg_lanes *a, bool turns, struct wg_lanes_global *out);
/* The bank conflict degree: the most words in one bank; merge: a word counts once. An offset in shared memory is
 * (address - minus) & bits. */
uint32_t wg_lanes_wavefronts(const struct wg_lanes *a, uint32_t bits, bool merge);
/* The lanes whose address is one of the `bytes` from `base` on; those of the mask, others at will. */
uint32_t wg_lanes_within(const uint64_t address[32], uint64_t base, uint64_t bytes);
/* to = (from - minus) & bits. */
void wg_lanes_less(uint64_t to[32], const uint64_t from[32], uint64_t minus, uint64_t bits);
/* The lanes in their own local memory, of `bytes` each from `base` on: their addresses become those in the hardware's
 * layout, in which words of neighbouring lanes lie side by side. */
uint32_t wg_lanes_local(uint64_t address[32], uint32_t mask, uint64_t base, uint64_t bytes);
#endif
