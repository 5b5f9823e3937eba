/* Numbers of 16 bits in vectors of 256 bits: see narrow.h. */
#include "count/narrow.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTOR __attribute__((target("avx2,bmi2,popcnt")))
/* A call would pass vectors by way of memory. */
#define INLINE VECTOR __attribute__((always_inline)) static inline

enum {
    EACH = 8,
    PARTS = 4,
    ACCESSES = 16,
    OFF = 0xffff,
    LAST_LINE = 32,
    MIDDLE = 0x8000,
    BANK_BITS = 5,
    ROW_BITS = 11
};

/* ---- operations of vectors ---- */

typedef __m256i vector;
#define ALL(n)         _mm256_set1_epi16(n)
#define LOAD(from)     _mm256_loadu_si256((const __m256i *)(from))
#define STORE(to, x)   _mm256_storeu_si256((__m256i *)(to), x)
#define ADD(a, b)      _mm256_add_epi16(a, b)
#define LESS(a, b)     _mm256_sub_epi16(a, b)
#define LEAST(a, b)    _mm256_min_epu16(a, b)
#define GREATEST(a, b) _mm256_max_epu16(a, b)
#define SAME(a, b)     _mm256_cmpeq_epi16(a, b)
#define SAME_BUT(a, b, shift)                                                                                \
    _mm256_cmpeq_epi16(_mm256_srli_epi16(_mm256_xor_si256(a, b), shift), _mm256_setzero_si256())
#define KEEP_IF(x, same)     _mm256_and_si256(x, same)
#define ONE_LESS_IF(x, same) _mm256_add_epi16(x, same)
#define NEXT_IF(x, same)     _mm256_add_epi16(_mm256_and_si256(x, same), ALL(1))

/* ---- numbers of lanes ---- */

/* All ones in the lanes of the part that are on. */
INLINE __m256i lanes_on(uint32_t mask, int part) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)(mask >> part * EACH)), bit), bit);
}

/* The lower and the upper halves of (address - from) of eight lanes. */
struct halves {
    __m256i low, high;
};
INLINE struct halves distances(const uint64_t *address, __m256i from) {
    __m256 a = _mm256_castsi256_ps(_mm256_sub_epi64(LOAD(address), from)),
           b = _mm256_castsi256_ps(_mm256_sub_epi64(LOAD(address + EACH / 2), from));
    return (struct halves){
        _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)), 0xd8),
        _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd)), 0xd8)};
}

/* Numbers in the order of lanes, which fit 16 bits. Those that are off get others: of the part, one a lane. */
INLINE void put_numbers(struct wg_batch *b, __m256i x[PARTS], uint32_t mask, const __m256i others[PARTS]) {
    for (int i = 0; i < PARTS && mask != UINT32_MAX; i++)
        x[i] = _mm256_blendv_epi8(others[i], x[i], lanes_on(mask, i));
    for (int i = 0; i < PARTS; i += 2)
        STORE(b->number[b->n] + i * EACH,
              _mm256_permute4x64_epi64(_mm256_packus_epi32(x[i], x[i + 1]), 0xd8));
    b->off[b->n] = (uint16_t)_mm_popcnt_u32(~mask);
}

/* The same for all lanes. */
INLINE void put_others(struct wg_batch *b, __m256i x[PARTS], uint32_t mask, __m256i other) {
    put_numbers(b, x, mask, (const __m256i[PARTS]){other, other, other, other});
}

/* The number of the lowest lane that is on, in all elements. */
INLINE __m256i lowest_number(const __m256i x[PARTS], uint32_t mask) {
    int lane = __builtin_ctz(mask), part = lane / EACH;
    __m256i pair = part & 1 ? x[1] : x[0], pair2 = part & 1 ? x[3] : x[2];
    return _mm256_permutevar8x32_epi32(part & 2 ? pair2 : pair, _mm256_set1_epi32(lane % EACH));
}

VECTOR static bool global(const struct wg_lanes *a, bool words, struct wg_batch *b) {
    enum { LINE = 128, WORD_SHIFT = 2, SECTOR_SHIFT = 5 };
    int shift = words ? WORD_SHIFT : SECTOR_SHIFT;
    uint64_t lowest = (a->address[__builtin_ctz(a->mask)] - a->minus) & -(uint64_t)LINE;
    uint64_t base = lowest - ((uint64_t)MIDDLE << shift), start = base + a->minus;
    const __m256i from = _mm256_set1_epi64x((long long)start), most = _mm256_set1_epi32(OFF - LAST_LINE);
    __m256i x[PARTS], far = _mm256_setzero_si256();
    for (int i = 0; i < PARTS; i++) {
        struct halves h = distances(a->address + i * EACH, from);
        x[i] = _mm256_srli_epi32(h.low, shift);
        __m256i large = _mm256_or_si256(h.high, _mm256_cmpgt_epi32(x[i], most));
        far = _mm256_or_si256(far, _mm256_and_si256(large, lanes_on(a->mask, i)));
        STORE(b->low[b->n] + i * EACH, h.low);
    }
    b->from[b->n] = base;
    put_others(b, x, a->mask, words ? _mm256_set1_epi32(OFF) : lowest_number(x, a->mask));
    return _mm256_testz_si256(far, far);
}

VECTOR static bool local(const struct wg_lanes *a, uint64_t base, uint64_t bytes, struct wg_batch *b) {
    uint64_t start = base + a->minus;
    if (bytes > OFF) return false;
    const __m256i from = _mm256_set1_epi64x((long long)start), size = _mm256_set1_epi32((int)bytes),
                  last = _mm256_set1_epi32((int)bytes - 1), within = _mm256_set1_epi32(3),
                  step = _mm256_set1_epi32(EACH * (int)bytes);
    __m256i lane = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), size),
            outside = _mm256_setzero_si256(), x[PARTS];
    for (int i = 0; i < PARTS; i++) {
        struct halves h = distances(a->address + i * EACH, from);
        __m256i at = _mm256_sub_epi32(h.low, lane),
                in = _mm256_and_si256(_mm256_cmpeq_epi32(_mm256_min_epu32(at, last), at),
                                      _mm256_cmpeq_epi32(h.high, _mm256_setzero_si256()));
        outside = _mm256_or_si256(outside, _mm256_andnot_si256(in, lanes_on(a->mask, i)));
        x[i] = _mm256_or_si256(_mm256_andnot_si256(within, at), _mm256_set1_epi32(i));
        STORE(b->low[b->n] + i * EACH, at);
        lane = _mm256_add_epi32(lane, step);
    }
    b->from[b->n] = base;
    put_others(b, x, a->mask, lowest_number(x, a->mask));
    return _mm256_testz_si256(outside, outside);
}

VECTOR static bool shared(const struct wg_lanes *a, uint32_t bits, bool merge, struct wg_batch *b) {
    enum { WORD_SHIFT = 2 };
    const __m256i from = _mm256_set1_epi64x((long long)a->minus), kept = _mm256_set1_epi32((int)bits),
                  bank = _mm256_set1_epi32((1 << BANK_BITS) - 1),
                  number = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8);
    __m256i x[PARTS], far = _mm256_setzero_si256(), apart[PARTS];
    for (int i = 0; i < PARTS; i++) {
        __m256i offset = _mm256_and_si256(distances(a->address + i * EACH, from).low, kept);
        __m256i word = _mm256_srli_epi32(offset, WORD_SHIFT), in = _mm256_and_si256(word, bank);
        far = _mm256_or_si256(
            far, _mm256_and_si256(_mm256_srli_epi32(word, BANK_BITS + ROW_BITS), lanes_on(a->mask, i)));
        x[i] =
            merge ? _mm256_or_si256(_mm256_slli_epi32(in, ROW_BITS), _mm256_srli_epi32(word, BANK_BITS)) : in;
        apart[i] = _mm256_slli_epi32(_mm256_add_epi32(number, _mm256_set1_epi32(i * EACH)), BANK_BITS);
        STORE(b->low[b->n] + i * EACH, offset);
    }
    b->from[b->n] = 0;
    if (merge)
        put_others(b, x, a->mask, lowest_number(x, a->mask));
    else /* of lanes that are off no two are alike, for each lane counts */
        put_numbers(b, x, a->mask, apart);
    return !merge || _mm256_testz_si256(far, far);
}

/* ---- accesses side by side ---- */

/* Eight rows of numbers: each part of 128 bits is turned, so that an element is an access. */
INLINE void turn_eight(__m256i x[8]) {
    __m256i y[8];
#pragma GCC unroll 3
    for (int round = 0; round < 3; round++) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            y[2 * i] = _mm256_unpacklo_epi16(x[i], x[i + 4]);
            y[2 * i + 1] = _mm256_unpackhi_epi16(x[i], x[i + 4]);
        }
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) x[i] = y[i];
    }
}

/* A part of 128 bits of two accesses. */
INLINE __m256i two_parts(const uint16_t *a, const uint16_t *b) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)a)),
                                   _mm_loadu_si128((const __m128i *)b), 1);
}

INLINE void load_accesses(const struct wg_batch *b, int first, vector x[32]) {
    enum { HALF = 8 };
#pragma GCC unroll 4
    for (int part = 0; part < 4; part++) {
#pragma GCC unroll 8
        for (int i = 0; i < HALF; i++)
            x[part * HALF + i] =
                two_parts(b->number[first + i] + part * HALF, b->number[first + HALF + i] + part * HALF);
        turn_eight(x + part * HALF);
    }
}

#include "count/narrow_costs.h"

const struct wg_narrow wg_narrow_256 = {global, local, shared, costs};
#endif
