/* Bit vectors. See bits.h. */
#include "cfg/bits.h"

#include <string.h>

static uint32_t words(uint32_t n) { return (n + 63) / 64; }

wg_bits wg_bits_new(struct wg_arena *a, uint32_t n) { return WG_NEW_N(a, uint64_t, words(n) + 1); }

bool wg_bits_join(uint64_t *s, const uint64_t *t, uint32_t n) {
    uint64_t grew = 0;
    for (uint32_t w = 0; w < words(n); w++) {
        grew |= t[w] & ~s[w];
        s[w] |= t[w];
    }
    return grew != 0;
}

void wg_bits_copy(uint64_t *s, const uint64_t *t, uint32_t n) { memcpy(s, t, words(n) * sizeof *s); }

bool wg_bits_meet(const uint64_t *s, const uint64_t *t, uint32_t n) {
    for (uint32_t w = 0; w < words(n); w++)
        if (s[w] & t[w]) return true;
    return false;
}

bool wg_bits_empty(const uint64_t *s, uint32_t n) {
    for (uint32_t w = 0; w < words(n); w++)
        if (s[w]) return false;
    return true;
}

uint32_t wg_bits_next(const uint64_t *s, uint32_t i, uint32_t n) {
    if (i >= n) return n;
    uint64_t word = s[i / 64] >> (i % 64);
    if (word) return i + (uint32_t)__builtin_ctzll(word);
    for (uint32_t w = i / 64 + 1; w < words(n); w++)
        if (s[w]) return w * 64 + (uint32_t)__builtin_ctzll(s[w]);
    return n;
}
