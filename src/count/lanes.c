/* See lanes.h. A vector of 16 lanes finds equal elements within itself by vpconflictd, and elements equal to
 * the other vector's by sixteen comparisons with its rotations. Inactive lanes take the value of an active
 * one, which adds no distinct value. */
#include "count/lanes.h"
#include "base/cpu.h"

enum { HALF = 16 };

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTOR __attribute__((target("avx512f,avx512cd,avx512bw,avx512vl,avx512dq,popcnt")))
/* A call would pass vectors by way of memory. */
#define INLINE VECTOR __attribute__((always_inline))

bool wg_lanes_usable(void) { return wg_cpu_vector_bits() >= 512; }

struct pair {
    __m512i low, high; /* lanes 0..15, 16..31 */
};

/* do(i, low turned by i lanes): all pairs of a lane of `high` and one of `low` meet. By way of memory, where
 * broadcasts would find the lanes of `low`, it takes twice as long. */
#define EACH_TURN(low, do)                                                                                                                                                                                                                                                                                                                                                                                                                                     \
    do                                                                                                                                                                                                                                                                                                                                                                                                                                                         \
    (_mm512_alignr_epi32(low, low, 0)) do(_mm512_alignr_epi32(low, low, 1)) do(_mm512_alignr_epi32(low, low, 2)) do(                                                                                                                                                                                                                                                                                                                                           \
        _mm512_alignr_epi32(low, low, 3)) do(_mm512_alignr_epi32(low, low,                                                                                                                                                                                                                                                                                                                                                                                     \
                                                                 4)) do(_mm512_alignr_epi32(low, low,                                                                                                                                                                                                                                                                                                                                                          \
                                                                                            5)) do(_mm512_alignr_epi32(low, low, 6)) do(_mm512_alignr_epi32(low, low, 7)) do(_mm512_alignr_epi32(low, low, 8)) do(_mm512_alignr_epi32(low, low, 9)) do(_mm512_alignr_epi32(low, low, 10)) do(_mm512_alignr_epi32(low, low, 11)) do(_mm512_alignr_epi32(low, low, 12)) do(_mm512_alignr_epi32(low,                                                              \
                                                                                                                                                                                                                                                                                                                                                                                             low, 13)) do(_mm512_alignr_epi32(low,                             \
                                                                                                                                                                                                                                                                                                                                                                                                                              low,                             \
                                                                                                                                                                                                                                                                                                                                                                                                                              14)) do(_mm512_alignr_epi32(low, \
                                                                                                                                                                                                                                                                                                                                                                                                                                                          low, \
                                                                                                                                                                                                                                                                                                                                                                                                                                                          15))

/* Lanes whose value no lower lane has. */
INLINE static inline uint32_t firsts(struct pair v) {
    __m512i apart = _mm512_set1_epi32(-1); /* 0 where high is equal to a lane of low */
#define MEET(turned) apart = _mm512_min_epu32(apart, _mm512_xor_si512(v.high, turned));
    EACH_TURN(v.low, MEET)
#undef MEET
    __m512i in_low = _mm512_conflict_epi32(v.low), in_high = _mm512_conflict_epi32(v.high);
    uint32_t a = _mm512_testn_epi32_mask(in_low, in_low), b = _mm512_testn_epi32_mask(in_high, in_high);
    return a | (b & _mm512_test_epi32_mask(apart, apart)) << HALF;
}

INLINE static inline __m512i count_bits(__m512i v) { /* of 16-bit values */
    const __m512i m1 = _mm512_set1_epi32(0x5555), m2 = _mm512_set1_epi32(0x3333),
                  m4 = _mm512_set1_epi32(0x0f0f);
    v = _mm512_sub_epi32(v, _mm512_and_si512(_mm512_srli_epi32(v, 1), m1));
    v = _mm512_add_epi32(_mm512_and_si512(v, m2), _mm512_and_si512(_mm512_srli_epi32(v, 2), m2));
    v = _mm512_and_si512(_mm512_add_epi32(v, _mm512_srli_epi32(v, 4)), m4);
    return _mm512_and_si512(_mm512_add_epi32(v, _mm512_srli_epi32(v, 8)), _mm512_set1_epi32(31));
}

/* How many lower lanes have the lane's value. */
INLINE static inline struct pair ordinals(struct pair v) {
    struct pair n = {count_bits(_mm512_conflict_epi32(v.low)), count_bits(_mm512_conflict_epi32(v.high))};
    const __m512i one = _mm512_set1_epi32(1);
#define MEET(turned)                                                                                         \
    n.high = _mm512_mask_add_epi32(n.high, _mm512_cmpeq_epi32_mask(v.high, turned), n.high, one);
    EACH_TURN(v.low, MEET)
#undef MEET
    return n;
}

INLINE static inline struct pair shifted(struct pair v, uint32_t by) {
    return (struct pair){_mm512_srl_epi32(v.low, _mm_cvtsi32_si128((int)by)),
                         _mm512_srl_epi32(v.high, _mm_cvtsi32_si128((int)by))};
}

/* Distances from `base`; false: one does not fit into 32 bits. */
INLINE static inline bool distances(const uint64_t address[32], uint32_t mask, uint64_t base,
                                    struct pair *out) {
    __m256i part[4];
    const __m512i from = _mm512_set1_epi64((long long)base);
    for (int i = 0; i < 4; i++) {
        __mmask8 on = (__mmask8)(mask >> i * 8);
        __m512i d = _mm512_maskz_sub_epi64(on, _mm512_loadu_si512(address + i * 8), from);
        part[i] = _mm512_cvtepi64_epi32(d);
        if (_mm512_cmpneq_epi64_mask(_mm512_cvtepi32_epi64(part[i]), d)) return false;
    }
    out->low = _mm512_inserti64x4(_mm512_castsi256_si512(part[0]), part[1], 1);
    out->high = _mm512_inserti64x4(_mm512_castsi256_si512(part[2]), part[3], 1);
    return true;
}

VECTOR bool wg_lanes_global(const uint64_t address[32], uint32_t mask, bool turns,
                            struct wg_lanes_global *out) {
    struct pair v, sectors;
    uint64_t first = address[__builtin_ctz(mask)], base = first & ~UINT64_C(127);
    if ((turns && mask != UINT32_MAX) || !distances(address, mask, base, &v)) return false;
    sectors = shifted(
        v, 5); /* 27 bits; lanes that are off are in the first lane's line, and are put in its sector */
    if (mask != UINT32_MAX) {
        const __m512i of_first = _mm512_set1_epi32((int)((first - base) >> 5));
        sectors.low = _mm512_mask_mov_epi32(of_first, (__mmask16)mask, sectors.low);
        sectors.high = _mm512_mask_mov_epi32(of_first, (__mmask16)(mask >> HALF), sectors.high);
    }
    out->sectors = (uint32_t)_mm_popcnt_u32(firsts(sectors));
    out->lines = (uint32_t)_mm_popcnt_u32(firsts(shifted(v, 7)));
    out->turns = out->sectors;
    if (!turns) return true;
    /* The n-th lanes of words go in round n: a sector counts once in each round that has a word of it. */
    struct pair n = ordinals(shifted(v, 2));
    sectors.low = _mm512_or_si512(_mm512_slli_epi32(sectors.low, 5), n.low);
    sectors.high = _mm512_or_si512(_mm512_slli_epi32(sectors.high, 5), n.high);
    out->turns = (uint32_t)_mm_popcnt_u32(firsts(sectors));
    return true;
}

VECTOR uint32_t wg_lanes_wavefronts(const uint64_t offset[32], uint32_t mask, bool merge) {
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                  half = _mm512_set1_epi32(HALF), last = _mm512_set1_epi32(31);
    /* Lanes that do not count get numbers that no word, and no bank, has. */
    const struct pair none = {_mm512_or_si512(lane, _mm512_set1_epi32(INT32_MIN)),
                              _mm512_or_si512(_mm512_add_epi32(lane, half), _mm512_set1_epi32(INT32_MIN))};
    __m256i part[4];
    struct pair v;
    for (int i = 0; i < 4; i++) part[i] = _mm512_cvtepi64_epi32(_mm512_loadu_si512(offset + i * 8));
    v.low = _mm512_inserti64x4(_mm512_castsi256_si512(part[0]), part[1], 1);
    v.high = _mm512_inserti64x4(_mm512_castsi256_si512(part[2]), part[3], 1);
    v = shifted(v, 2);
    if (merge) {
        struct pair words = {_mm512_mask_mov_epi32(none.low, (__mmask16)mask, v.low),
                             _mm512_mask_mov_epi32(none.high, (__mmask16)(mask >> HALF), v.high)};
        mask &= firsts(words);
    }
    v.low = _mm512_mask_and_epi32(none.low, (__mmask16)mask, v.low, last);
    v.high = _mm512_mask_and_epi32(none.high, (__mmask16)(mask >> HALF), v.high, last);
    struct pair n = ordinals(v);
    return (uint32_t)_mm512_reduce_max_epu32(_mm512_max_epu32(n.low, n.high)) + 1;
}
#else
bool wg_lanes_usable(void) { return false; }
bool wg_lanes_global(const uint64_t address[32], uint32_t mask, bool turns, struct wg_lanes_global *out) {
    return false;
}
uint32_t wg_lanes_wavefronts(const uint64_t offset[32], uint32_t mask, bool merge) { return 0; }
#endif
