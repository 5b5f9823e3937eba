/* Rounds of lanes that take turns on one word, from bits of the lanes in the order of their words. For files that define
 * INLINE for their vectors: lanes.c, narrow_costs.h. */
#ifndef WG_COUNT_ROUNDS_H
#define WG_COUNT_ROUNDS_H

INLINE uint32_t low_bits(uint32_t n) { return n < 32 ? (1u << n) - 1 : UINT32_MAX; }

/* In round k those words are accessed that k lanes or more want: of each sector that counts once. A few rounds at a time,
 * without asking whether there is one more: a branch on that is mispredicted in every other access. */
INLINE uint32_t turns_of(uint32_t words, uint32_t sectors, uint32_t n) {
    enum { TOGETHER = 4 };
    uint32_t turns = 0, below = low_bits(n) & ~sectors;
    for (uint32_t x = low_bits(n); x;)
        for (int k = 0; k < TOGETHER; k++, x = x >> 1 & ~words)
            turns += (uint32_t)_mm_popcnt_u32((((x & below) + below) | x) & sectors);
    return turns;
}
#endif
