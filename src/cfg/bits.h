/* Bit vectors: sets of small integers (registers, blocks), allocated in an arena. */
#ifndef WG_CFG_BITS_H
#define WG_CFG_BITS_H
#include "base/arena.h"
#include <stdbool.h>

typedef uint64_t *wg_bits; /* (n + 63) / 64 words */

wg_bits wg_bits_new(struct wg_arena *a, uint32_t n);
static inline bool wg_bits_has(const uint64_t *s, uint32_t i) { return s[i / 64] >> (i % 64) & 1; }
static inline void wg_bits_add(uint64_t *s, uint32_t i) { s[i / 64] |= 1ull << (i % 64); }
static inline void wg_bits_del(uint64_t *s, uint32_t i) { s[i / 64] &= ~(1ull << (i % 64)); }
/* s |= t; true if s grew. */
bool wg_bits_join(uint64_t *s, const uint64_t *t, uint32_t n);
void wg_bits_copy(uint64_t *s, const uint64_t *t, uint32_t n);
bool wg_bits_empty(const uint64_t *s, uint32_t n);
/* Whether the intersection is not empty. */
bool wg_bits_meet(const uint64_t *s, const uint64_t *t, uint32_t n);
/* The first member >= i, or n. */
uint32_t wg_bits_next(const uint64_t *s, uint32_t i, uint32_t n);
#define WG_BITS_EACH(i, s, n)                                                                                \
    for (uint32_t i = wg_bits_next((s), 0, (n)); i < (n); i = wg_bits_next((s), i + 1, (n)))

#endif
