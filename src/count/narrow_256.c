/* Numbers of 16 bits in two vectors of 256 bits: see narrow.h. A network of least and greatest sorts them, unless they are
 * in order already. */
#include "count/narrow.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTOR __attribute__((target("avx2,bmi2,popcnt")))
/* A call would pass vectors by way of memory. */
#define INLINE VECTOR __attribute__((always_inline)) static inline

enum { EACH = 8, PARTS = 4, OFF = 0xffff, MIDDLE = 0x8000, BANK_BITS = 5, ROW_BITS = 11 };

struct numbers {
    __m256i v[2];
};

/* ---- numbers of lanes ---- */

/* Of eight lanes in the order 0 1 4 5 2 3 6 7: all ones in those that are on. */
INLINE __m256i lanes_on(uint32_t mask, int part) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 16, 32, 4, 8, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)(mask >> part * EACH)), bit), bit);
}

/* The lower and the upper halves of (address - from) of eight lanes, in that order. */
struct halves {
    __m256i low, high;
};
INLINE struct halves distances(const uint64_t *address, __m256i from) {
    __m256 a = _mm256_castsi256_ps(_mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)address), from)),
           b = _mm256_castsi256_ps(_mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)address + 1), from));
    return (struct halves){_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)),
                           _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd))};
}

/* Four vectors in that order as two in the order of lanes. Numbers that are too large become OFF. */
INLINE struct numbers joined(const __m256i x[PARTS]) {
    const __m256i pairs = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    return (struct numbers){{_mm256_permutevar8x32_epi32(_mm256_packus_epi32(x[0], x[1]), pairs),
                             _mm256_permutevar8x32_epi32(_mm256_packus_epi32(x[2], x[3]), pairs)}};
}

/* Marks the lanes that are off. False: a lane's number is too large. */
INLINE bool settle(__m256i x[PARTS], const __m256i high[PARTS], uint32_t mask) {
    const __m256i most = _mm256_set1_epi32(OFF - 1), off = _mm256_set1_epi32(OFF);
    __m256i far = _mm256_setzero_si256();
    for (int i = 0; i < PARTS; i++) {
        __m256i large = _mm256_or_si256(high[i], _mm256_cmpgt_epi32(x[i], most));
        if (mask != UINT32_MAX) {
            __m256i on = lanes_on(mask, i);
            large = _mm256_and_si256(large, on);
            x[i] = _mm256_blendv_epi8(off, x[i], on);
        }
        far = _mm256_or_si256(far, large);
    }
    return _mm256_testz_si256(far, far);
}

/* Units of 2^shift bytes; those of the lowest lane are in the middle. */
INLINE bool units_of(const struct wg_lanes *a, int shift, struct numbers *n) {
    enum { LINE = 128 };
    uint64_t lowest = (a->address[__builtin_ctz(a->mask)] - a->minus) & -(uint64_t)LINE;
    uint64_t base = a->minus + lowest - ((uint64_t)MIDDLE << shift);
    __m256i from = _mm256_set1_epi64x((long long)base), x[PARTS], high[PARTS];
    for (int i = 0; i < PARTS; i++) {
        struct halves h = distances(a->address + i * EACH, from);
        x[i] = _mm256_srli_epi32(h.low, shift);
        high[i] = h.high;
    }
    bool near = settle(x, high, a->mask);
    *n = joined(x);
    return near;
}

/* Lanes in their own local memory. False: one is elsewhere. */
INLINE bool local_of(const struct wg_lanes *a, uint64_t base, uint32_t bytes, struct numbers *n) {
    const __m256i from = _mm256_set1_epi64x((long long)base), size = _mm256_set1_epi32((int)bytes),
                  last = _mm256_set1_epi32((int)bytes - 1), off = _mm256_set1_epi32(OFF),
                  within = _mm256_set1_epi32(3), step = _mm256_set1_epi32(EACH * (int)bytes);
    __m256i lane = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7), size),
            outside = _mm256_setzero_si256(), x[PARTS];
    for (int i = 0; i < PARTS; i++) {
        struct halves h = distances(a->address + i * EACH, from);
        __m256i at = _mm256_sub_epi32(h.low, lane), on = lanes_on(a->mask, i),
                in = _mm256_and_si256(_mm256_cmpeq_epi32(_mm256_min_epu32(at, last), at),
                                      _mm256_cmpeq_epi32(h.high, _mm256_setzero_si256()));
        outside = _mm256_or_si256(outside, _mm256_andnot_si256(in, on));
        at = _mm256_or_si256(_mm256_andnot_si256(within, at), _mm256_set1_epi32(i));
        x[i] = _mm256_blendv_epi8(off, at, on);
        lane = _mm256_add_epi32(lane, step);
    }
    *n = joined(x);
    return _mm256_testz_si256(outside, outside);
}

/* ---- words of shared memory ---- */

struct words {
    __m256i v[PARTS];
};
INLINE struct words words_of(const struct wg_lanes *a, uint32_t bits) {
    enum { WORD_SHIFT = 2 };
    const __m256i from = _mm256_set1_epi64x((long long)a->minus), kept = _mm256_set1_epi32((int)bits);
    struct words w;
    for (int i = 0; i < PARTS; i++) {
        __m256i offset = _mm256_and_si256(distances(a->address + i * EACH, from).low, kept);
        w.v[i] = _mm256_srli_epi32(offset, WORD_SHIFT);
    }
    return w;
}

/* Words as bank and row. False: one is too far away. */
INLINE bool by_bank(struct words *w, uint32_t mask, struct numbers *n) {
    const __m256i zero = _mm256_setzero_si256(), high[PARTS] = {zero, zero, zero, zero};
    bool near = settle(w->v, high, mask);
    *n = joined(w->v);
    for (int i = 0; i < 2; i++)
        n->v[i] =
            _mm256_or_si256(_mm256_slli_epi16(n->v[i], ROW_BITS), _mm256_srli_epi16(n->v[i], BANK_BITS));
    return near;
}

/* ---- order ---- */

INLINE void order(struct numbers *n) {
    __m256i least = _mm256_min_epu16(n->v[0], n->v[1]);
    n->v[1] = _mm256_max_epu16(n->v[0], n->v[1]);
    n->v[0] = least;
}

/* Each number meets the one that `turned` brings to its place, of the other vector or of its own; lanes in `upper`, a bit
 * each, keep the greater one. */
#define MEET(n, turned, mirrored, blend, upper)                                                              \
    do {                                                                                                     \
        __m256i a_ = turned((n)->v[mirrored]), b_ = turned((n)->v[1 - (mirrored)]);                          \
        (n)->v[0] = blend(_mm256_min_epu16((n)->v[0], a_), _mm256_max_epu16((n)->v[0], a_), upper);          \
        (n)->v[1] = blend(_mm256_min_epu16((n)->v[1], b_), _mm256_max_epu16((n)->v[1], b_), upper);          \
    } while (0)
#define SHUFFLED(x, ...) _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__)))
#define NEIGHBOURS(x)    SHUFFLED(x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)
#define SECOND(x)        _mm256_shuffle_epi32(x, 0xb1)
#define FOURTH(x)        _mm256_shuffle_epi32(x, 0x4e)
#define MIRRORED4(x)     SHUFFLED(x, 6, 7, 4, 5, 2, 3, 0, 1, 14, 15, 12, 13, 10, 11, 8, 9)
#define MIRRORED8(x)     SHUFFLED(x, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1)
#define MIRRORED16(x)    _mm256_permute4x64_epi64(MIRRORED8(x), 0x4e)

/* Lane by lane: v[0][0], v[1][0], v[0][1], ... */
INLINE void sort(struct numbers *n) {
    order(n);
    MEET(n, NEIGHBOURS, 1, _mm256_blend_epi16, 0xaa);
    order(n);
    MEET(n, MIRRORED4, 1, _mm256_blend_epi16, 0xcc);
    MEET(n, NEIGHBOURS, 0, _mm256_blend_epi16, 0xaa);
    order(n);
    MEET(n, MIRRORED8, 1, _mm256_blend_epi16, 0xf0);
    MEET(n, SECOND, 0, _mm256_blend_epi16, 0xcc);
    MEET(n, NEIGHBOURS, 0, _mm256_blend_epi16, 0xaa);
    order(n);
    MEET(n, MIRRORED16, 1, _mm256_blend_epi32, 0xf0);
    MEET(n, FOURTH, 0, _mm256_blend_epi16, 0xf0);
    MEET(n, SECOND, 0, _mm256_blend_epi16, 0xcc);
    MEET(n, NEIGHBOURS, 0, _mm256_blend_epi16, 0xaa);
    order(n);
}

/* ---- numbers in order ---- */

/* By how much each number differs from the next, as bits. */
struct steps {
    __m256i v[2];
    bool sorted; /* by sort(): lane by lane; else vector by vector */
};

/* The elements of `a` without the first, and the first one of `b`. */
INLINE __m256i next_of(__m256i a, __m256i b) {
    return _mm256_alignr_epi8(_mm256_permute2x128_si256(a, b, 0x21), a, 2);
}

INLINE struct steps steps_of(struct numbers *n) {
    const __m256i off = _mm256_set1_epi16(-1);
    __m256i next[2] = {next_of(n->v[0], n->v[1]), next_of(n->v[1], off)};
    __m256i rises = _mm256_and_si256(_mm256_cmpeq_epi16(_mm256_min_epu16(n->v[0], next[0]), n->v[0]),
                                     _mm256_cmpeq_epi16(_mm256_min_epu16(n->v[1], next[1]), n->v[1]));
    bool sorted = !_mm256_testc_si256(rises, off);
    if (sorted) {
        sort(n);
        next[0] = n->v[1];
        next[1] = next_of(n->v[0], off);
    }
    return (struct steps){{_mm256_xor_si256(n->v[0], next[0]), _mm256_xor_si256(n->v[1], next[1])}, sorted};
}

/* In order, a bit each: the numbers that share all but their lower bits with the next one. */
INLINE uint32_t same_as_next(const struct steps *s, int shift) {
    const __m256i zero = _mm256_setzero_si256(), even = _mm256_set1_epi16(0xff);
    __m256i a = _mm256_cmpeq_epi16(_mm256_srli_epi16(s->v[0], shift), zero),
            b = _mm256_cmpeq_epi16(_mm256_srli_epi16(s->v[1], shift), zero);
    __m256i bytes =
        s->sorted ? _mm256_blendv_epi8(b, a, even) : _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xd8);
    return (uint32_t)_mm256_movemask_epi8(bytes);
}

#include "count/narrow_costs.h"

const struct wg_narrow wg_narrow_256 = {global, local, wavefronts};
#endif
