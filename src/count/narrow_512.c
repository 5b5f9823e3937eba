/* Numbers of 16 bits in vectors of 512 bits: see narrow.h. */
#include "count/narrow.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTOR __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")))
/* A call would pass vectors by way of memory. */
#define INLINE VECTOR __attribute__((always_inline)) static inline

enum {
    EACH = 16,
    PARTS = 2,
    ACCESSES = 32,
    OFF = 0xffff,
    LAST_LINE = 32,
    MIDDLE = 0x8000,
    BANK_BITS = 5,
    ROW_BITS = 11
};

/* ---- operations of vectors ---- */

typedef __m512i vector;
#define ALL(n)                _mm512_set1_epi16(n)
#define LOAD(from)            _mm512_loadu_si512(from)
#define STORE(to, x)          _mm512_storeu_si512(to, x)
#define ADD(a, b)             _mm512_add_epi16(a, b)
#define LESS(a, b)            _mm512_sub_epi16(a, b)
#define LEAST(a, b)           _mm512_min_epu16(a, b)
#define GREATEST(a, b)        _mm512_max_epu16(a, b)
#define SAME(a, b)            _mm512_cmpeq_epi16_mask(a, b)
#define SAME_BUT(a, b, shift) _mm512_testn_epi16_mask(_mm512_xor_si512(a, b), ALL((short)(OFF << (shift))))
#define KEEP_IF(x, same)      _mm512_maskz_mov_epi16(same, x)
#define ONE_LESS_IF(x, same)  _mm512_mask_sub_epi16(x, same, x, ALL(1))
#define NEXT_IF(x, same)      _mm512_mask_add_epi16(ALL(1), same, x, ALL(1))

/* ---- numbers of lanes ---- */

/* The lower and the upper halves of (address - from) of 16 lanes. */
struct halves {
    __m512i low, high;
};
INLINE struct halves distances(const uint64_t *address, __m512i from) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
                  odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    __m512i a = _mm512_sub_epi64(_mm512_loadu_si512(address), from),
            b = _mm512_sub_epi64(_mm512_loadu_si512(address + EACH / 2), from);
    return (struct halves){_mm512_permutex2var_epi32(a, even, b), _mm512_permutex2var_epi32(a, odd, b)};
}

INLINE __mmask16 lanes_on(uint32_t mask, int part) { return (__mmask16)(mask >> part * EACH); }

INLINE uint32_t lanes_off(uint32_t mask) { return (uint32_t)_mm_popcnt_u32(~mask); }

/* Numbers in the order of lanes; those that are off get others. */
INLINE void put_numbers(struct wg_batch *b, const __m512i x[PARTS], uint32_t mask, __m512i others) {
    const __m512i quads = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    __m512i all = _mm512_permutexvar_epi64(quads, _mm512_packus_epi32(x[0], x[1]));
    _mm512_store_si512(b->number[b->n], _mm512_mask_mov_epi16(others, mask, all));
    b->off[b->n] = (uint16_t)lanes_off(mask);
}

/* The number of the lowest lane that is on, in all elements. */
INLINE __m512i lowest_number(const __m512i x[PARTS], uint32_t mask) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    __m512i lanes = _mm512_set1_epi32((int)lane % EACH);
    return _mm512_set1_epi16((short)_mm_cvtsi128_si32(
        _mm512_castsi512_si128(_mm512_permutexvar_epi32(lanes, lane < EACH ? x[0] : x[1]))));
}

VECTOR static bool global(const struct wg_lanes *a, bool words, struct wg_batch *b) {
    enum { LINE = 128, WORD_SHIFT = 2, SECTOR_SHIFT = 5 };
    unsigned shift = words ? WORD_SHIFT : SECTOR_SHIFT;
    uint64_t lowest = (a->address[__builtin_ctz(a->mask)] - a->minus) & -(uint64_t)LINE;
    uint64_t base = lowest - ((uint64_t)MIDDLE << shift), start = base + a->minus;
    const __m512i from = _mm512_set1_epi64((long long)start), most = _mm512_set1_epi32(OFF - LAST_LINE);
    __m512i x[PARTS];
    uint32_t far = 0;
    for (int i = 0; i < PARTS; i++) {
        struct halves h = distances(a->address + i * EACH, from);
        __mmask16 on = lanes_on(a->mask, i);
        x[i] = _mm512_srli_epi32(h.low, shift);
        far |= _mm512_mask_cmpgt_epu32_mask(on, x[i], most) | _mm512_mask_test_epi32_mask(on, h.high, h.high);
        _mm512_store_si512(b->low[b->n] + i * EACH, h.low);
    }
    b->from[b->n] = base;
    put_numbers(b, x, a->mask, words ? _mm512_set1_epi16(-1) : lowest_number(x, a->mask));
    return !far;
}

VECTOR static bool local(const struct wg_lanes *a, uint64_t base, uint64_t bytes, struct wg_batch *b) {
    uint64_t start = base + a->minus;
    if (bytes > OFF) return false;
    const __m512i from = _mm512_set1_epi64((long long)start), size = _mm512_set1_epi32((int)bytes),
                  within = _mm512_set1_epi32(3), step = _mm512_set1_epi32(EACH * (int)bytes),
                  number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i lane = _mm512_mullo_epi32(number, size), group = _mm512_srli_epi32(number, 3), x[PARTS];
    uint32_t outside = 0;
    for (int i = 0; i < PARTS; i++) {
        struct halves h = distances(a->address + i * EACH, from);
        __m512i at = _mm512_sub_epi32(h.low, lane);
        __mmask16 on = lanes_on(a->mask, i);
        outside |=
            _mm512_mask_cmpge_epu32_mask(on, at, size) | _mm512_mask_test_epi32_mask(on, h.high, h.high);
        x[i] = _mm512_or_si512(_mm512_andnot_si512(within, at), group);
        _mm512_store_si512(b->low[b->n] + i * EACH, at);
        lane = _mm512_add_epi32(lane, step);
        group = _mm512_add_epi32(group, _mm512_set1_epi32(EACH / 8));
    }
    b->from[b->n] = base;
    put_numbers(b, x, a->mask, lowest_number(x, a->mask));
    return !outside;
}

/* 0, 1, ... 31 */
INLINE __m512i each_lane(void) {
    const __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(number)),
                              _mm512_cvtepi32_epi16(_mm512_add_epi32(number, _mm512_set1_epi32(EACH))), 1);
}

VECTOR static bool shared(const struct wg_lanes *a, uint32_t bits, bool merge, struct wg_batch *b) {
    enum { WORD_SHIFT = 2 };
    const __m512i from = _mm512_set1_epi64((long long)a->minus), kept = _mm512_set1_epi32((int)bits),
                  most = _mm512_set1_epi32(OFF), bank = _mm512_set1_epi32((1 << BANK_BITS) - 1);
    __m512i x[PARTS];
    uint32_t far = 0;
    for (int i = 0; i < PARTS; i++) {
        __m512i offset = _mm512_and_si512(distances(a->address + i * EACH, from).low, kept);
        __m512i word = _mm512_srli_epi32(offset, WORD_SHIFT), in = _mm512_and_si512(word, bank);
        far |= _mm512_mask_cmpgt_epu32_mask(lanes_on(a->mask, i), word, most);
        x[i] =
            merge ? _mm512_or_si512(_mm512_slli_epi32(in, ROW_BITS), _mm512_srli_epi32(word, BANK_BITS)) : in;
        _mm512_store_si512(b->low[b->n] + i * EACH, offset);
    }
    b->from[b->n] = 0;
    /* Of lanes that are off no two are alike where each lane counts. */
    put_numbers(b, x, a->mask,
                merge ? lowest_number(x, a->mask)
                      : _mm512_slli_epi16(_mm512_add_epi16(each_lane(), ALL(1)), BANK_BITS));
    return !(merge && far);
}

/* ---- accesses side by side ---- */

/* Eight rows of numbers: each part of 128 bits is turned, so that an element is an access. */
INLINE void turn_eight(__m512i x[8]) {
    __m512i y[8];
#pragma GCC unroll 3
    for (int round = 0; round < 3; round++) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            y[2 * i] = _mm512_unpacklo_epi16(x[i], x[i + 4]);
            y[2 * i + 1] = _mm512_unpackhi_epi16(x[i], x[i + 4]);
        }
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) x[i] = y[i];
    }
}

/* Parts of 128 bits of four vectors, turned. */
INLINE void turn_parts(__m512i *a, __m512i *b, __m512i *c, __m512i *d) {
    __m512i ab = _mm512_shuffle_i64x2(*a, *b, 0x44), cd = _mm512_shuffle_i64x2(*c, *d, 0x44),
            ab2 = _mm512_shuffle_i64x2(*a, *b, 0xee), cd2 = _mm512_shuffle_i64x2(*c, *d, 0xee);
    *a = _mm512_shuffle_i64x2(ab, cd, 0x88);
    *b = _mm512_shuffle_i64x2(ab, cd, 0xdd);
    *c = _mm512_shuffle_i64x2(ab2, cd2, 0x88);
    *d = _mm512_shuffle_i64x2(ab2, cd2, 0xdd);
}

INLINE void load_accesses(const struct wg_batch *b, int first, vector x[32]) {
#pragma GCC unroll 32
    for (int i = 0; i < 32; i++) x[i] = LOAD(b->number[first + i]);
#pragma GCC unroll 4
    for (int i = 0; i < 32; i += 8) turn_eight(x + i);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) turn_parts(&x[i], &x[i + 8], &x[i + 16], &x[i + 24]);
}

#include "count/narrow_costs.h"

const struct wg_narrow wg_narrow_512 = {global, local, shared, costs};
#endif
