/* Costs of an access from the sorted numbers of its lanes: narrow.h's functions, for the vectors of the file that includes
 * this one. Lanes that are off have the number OFF, above all others.
 *
 *     of global memory      the sector, or the word where lanes on one word take turns
 *     of local memory       row * 4 + lane / 8: the words of a row lie side by side
 *     of shared memory      bank * 2048 + row: the words of a bank lie side by side
 *
 * That file has: struct numbers, units_of, local_of, struct words, words_of, by_bank, struct steps, steps_of, same_as_next.
 */
#include "count/rounds.h"

/* Of the n lanes, the last one in order of each group of 2^shift numbers. */
INLINE uint32_t lasts(const struct steps *s, int shift, uint32_t n) {
    return (~same_as_next(s, shift) | 1u << (n - 1)) & low_bits(n);
}

VECTOR static bool global(const struct wg_lanes *a, bool turns, struct wg_lanes_global *out) {
    enum { WORD_SHIFT = 2, SECTOR_SHIFT = 5, LINE_SHIFT = 7 };
    uint32_t lanes = (uint32_t)_mm_popcnt_u32(a->mask);
    struct numbers n;
    if (turns) {
        if (!units_of(a, WORD_SHIFT, &n)) return false;
        struct steps s = steps_of(&n);
        uint32_t sectors = lasts(&s, SECTOR_SHIFT - WORD_SHIFT, lanes);
        out->sectors = (uint32_t)_mm_popcnt_u32(sectors);
        out->lines = (uint32_t)_mm_popcnt_u32(lasts(&s, LINE_SHIFT - WORD_SHIFT, lanes));
        out->turns = turns_of(lasts(&s, 0, lanes), sectors, lanes);
        return true;
    }
    if (!units_of(a, SECTOR_SHIFT, &n)) return false;
    struct steps s = steps_of(&n);
    out->turns = out->sectors = (uint32_t)_mm_popcnt_u32(lasts(&s, 0, lanes));
    out->lines = (uint32_t)_mm_popcnt_u32(lasts(&s, LINE_SHIFT - SECTOR_SHIFT, lanes));
    return true;
}

VECTOR static bool local(const struct wg_lanes *a, uint64_t base, uint64_t bytes,
                         struct wg_lanes_global *out) {
    enum { ROWS_SHIFT = 2, MOST_BYTES = OFF - 7 };
    struct numbers n;
    if (bytes > MOST_BYTES || !local_of(a, base + a->minus, (uint32_t)bytes, &n)) return false;
    struct steps s = steps_of(&n);
    uint32_t lanes = (uint32_t)_mm_popcnt_u32(a->mask);
    out->turns = out->sectors = (uint32_t)_mm_popcnt_u32(lasts(&s, 0, lanes));
    out->lines = (uint32_t)_mm_popcnt_u32(lasts(&s, ROWS_SHIFT, lanes));
    return true;
}

/* All ones unless x is 0: a branch on it would be mispredicted. */
INLINE uint32_t unless_zero(uint32_t x) { return (uint32_t)((int32_t)(x | -x) >> 31); }

/* The length of the longest run of ones; not all are. */
INLINE uint32_t longest_run(uint32_t x) {
    uint32_t run[5] = {x}, at = UINT32_MAX, length = 0;
    for (int i = 1; i < 5; i++) run[i] = run[i - 1] & run[i - 1] >> (1 << (i - 1));
    for (int i = 4; i >= 0; i--) {
        uint32_t longer = at & run[i] >> length, any = unless_zero(longer);
        length += any & 1u << i;
        at = longer | (at & ~any);
    }
    return length;
}

VECTOR static bool wavefronts(const struct wg_lanes *a, uint32_t bits, uint32_t *out) {
    struct words w = words_of(a, bits);
    struct numbers n;
    uint32_t lanes = (uint32_t)_mm_popcnt_u32(a->mask);
    if (!by_bank(&w, a->mask, &n)) return false;
    struct steps s = steps_of(&n);
    /* Of the words, those that are the last of their bank: the others before each of these are in it, too. */
    uint32_t words = lasts(&s, 0, lanes), ends = _pext_u32(lasts(&s, ROW_BITS, lanes), words);
    *out = longest_run(~ends & low_bits((uint32_t)_mm_popcnt_u32(words))) + 1;
    return true;
}
