/* Numbers of 16 bits in one vector of 512 bits: see narrow.h. A network of least and greatest sorts them, unless they are
 * in order already. */
#include "count/narrow.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTOR __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")))
/* A call would pass vectors by way of memory. */
#define INLINE VECTOR __attribute__((always_inline)) static inline

enum { EACH = 16, PARTS = 2, OFF = 0xffff, MIDDLE = 0x8000, BANK_BITS = 5, ROW_BITS = 11 };

struct numbers {
    __m512i v;
};

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

/* Lanes that are off become OFF. */
INLINE struct numbers joined(const __m512i x[PARTS], uint32_t mask) {
    const __m512i quads = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    __m512i all = _mm512_permutexvar_epi64(quads, _mm512_packus_epi32(x[0], x[1]));
    return (struct numbers){_mm512_mask_mov_epi16(_mm512_set1_epi16(-1), mask, all)};
}

/* Units of 2^shift bytes; those of the lowest lane are in the middle. False: a lane is too far away. */
INLINE bool units_of(const struct wg_lanes *a, int shift, struct numbers *n) {
    enum { LINE = 128 };
    uint64_t lowest = (a->address[__builtin_ctz(a->mask)] - a->minus) & -(uint64_t)LINE;
    uint64_t base = a->minus + lowest - ((uint64_t)MIDDLE << shift);
    const __m512i from = _mm512_set1_epi64((long long)base), most = _mm512_set1_epi32(OFF - 1);
    __m512i x[PARTS];
    uint32_t far = 0;
    for (int i = 0; i < PARTS; i++) {
        struct halves h = distances(a->address + i * EACH, from);
        __mmask16 on = lanes_on(a->mask, i);
        x[i] = _mm512_srli_epi32(h.low, (unsigned)shift);
        far |= _mm512_mask_cmpgt_epu32_mask(on, x[i], most) | _mm512_mask_test_epi32_mask(on, h.high, h.high);
    }
    *n = joined(x, a->mask);
    return !far;
}

/* Lanes in their own local memory. False: one is elsewhere. */
INLINE bool local_of(const struct wg_lanes *a, uint64_t base, uint32_t bytes, struct numbers *n) {
    const __m512i from = _mm512_set1_epi64((long long)base), size = _mm512_set1_epi32((int)bytes),
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
        lane = _mm512_add_epi32(lane, step);
        group = _mm512_add_epi32(group, _mm512_set1_epi32(EACH / 8));
    }
    *n = joined(x, a->mask);
    return !outside;
}

/* ---- words of shared memory ---- */

struct words {
    __m512i v[PARTS];
};
INLINE struct words words_of(const struct wg_lanes *a, uint32_t bits) {
    enum { WORD_SHIFT = 2 };
    const __m512i from = _mm512_set1_epi64((long long)a->minus), kept = _mm512_set1_epi32((int)bits);
    struct words w;
    for (int i = 0; i < PARTS; i++) {
        __m512i offset = _mm512_and_si512(distances(a->address + i * EACH, from).low, kept);
        w.v[i] = _mm512_srli_epi32(offset, WORD_SHIFT);
    }
    return w;
}

/* Words as bank and row. False: one is too far away. */
INLINE bool by_bank(struct words *w, uint32_t mask, struct numbers *n) {
    const __m512i most = _mm512_set1_epi32(OFF - 1);
    uint32_t far = 0;
    for (int i = 0; i < PARTS; i++) far |= _mm512_mask_cmpgt_epu32_mask(lanes_on(mask, i), w->v[i], most);
    *n = joined(w->v, mask);
    n->v = _mm512_or_si512(_mm512_slli_epi16(n->v, ROW_BITS), _mm512_srli_epi16(n->v, BANK_BITS));
    return !far;
}

/* ---- order ---- */

/* Each number meets the one that `turned` brings to its place; lanes in `upper`, a bit each, keep the greater one. */
#define MEET(x, turned, upper)                                                                               \
    do {                                                                                                     \
        __m512i y_ = turned(x);                                                                              \
        x = _mm512_mask_max_epu16(_mm512_min_epu16(x, y_), upper, x, y_);                                    \
    } while (0)
#define SHUFFLED(x, ...) _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__)))
#define NEIGHBOURS(x)    SHUFFLED(x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)
#define SECOND(x)        _mm512_shuffle_epi32(x, 0xb1)
#define FOURTH(x)        _mm512_shuffle_epi32(x, 0x4e)
#define EIGHTH(x)        _mm512_permutex_epi64(x, 0x4e)
#define MIRRORED4(x)     SHUFFLED(x, 6, 7, 4, 5, 2, 3, 0, 1, 14, 15, 12, 13, 10, 11, 8, 9)
#define MIRRORED8(x)     SHUFFLED(x, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1)
#define MIRRORED16(x)    EIGHTH(MIRRORED8(x))
#define MIRRORED32(x)    _mm512_shuffle_i64x2(MIRRORED8(x), MIRRORED8(x), 0x1b)

INLINE __m512i sorted(__m512i x) {
    enum { ODD = 0xaaaaaaaa, TWOS = 0xcccccccc, FOURS = 0xf0f0f0f0, EIGHTS = 0xff00ff00, HALF = 0xffff0000 };
    MEET(x, NEIGHBOURS, ODD);
    MEET(x, MIRRORED4, TWOS);
    MEET(x, NEIGHBOURS, ODD);
    MEET(x, MIRRORED8, FOURS);
    MEET(x, SECOND, TWOS);
    MEET(x, NEIGHBOURS, ODD);
    MEET(x, MIRRORED16, EIGHTS);
    MEET(x, FOURTH, FOURS);
    MEET(x, SECOND, TWOS);
    MEET(x, NEIGHBOURS, ODD);
    MEET(x, MIRRORED32, HALF);
    MEET(x, EIGHTH, EIGHTS);
    MEET(x, FOURTH, FOURS);
    MEET(x, SECOND, TWOS);
    MEET(x, NEIGHBOURS, ODD);
    return x;
}

/* ---- numbers in order ---- */

/* By how much each number differs from the next, as bits. */
struct steps {
    __m512i v;
};

/* The numbers without the first, and OFF. */
INLINE __m512i next_of(__m512i x) {
    return _mm512_alignr_epi8(_mm512_alignr_epi32(_mm512_set1_epi32(-1), x, 4), x, 2);
}

INLINE struct steps steps_of(struct numbers *n) {
    __m512i next = next_of(n->v);
    if (_mm512_cmpgt_epu16_mask(n->v, next)) {
        n->v = sorted(n->v);
        next = next_of(n->v);
    }
    return (struct steps){_mm512_xor_si512(n->v, next)};
}

/* In order, a bit each: the numbers that share all but their lower bits with the next one. */
INLINE uint32_t same_as_next(const struct steps *s, int shift) {
    return _mm512_testn_epi16_mask(s->v, _mm512_set1_epi16((short)(OFF << shift)));
}

#include "count/narrow_costs.h"

const struct wg_narrow wg_narrow_512 = {global, local, wavefronts};
#endif
