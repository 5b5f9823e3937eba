/* See lanes.h. The lanes' words are sorted by a network of least and greatest: equal ones then lie side by side, and so do
 * those of a sector and of a line. Mostly they are in order already. Lanes that are off have a number above all words.
 *
 *     words in order      3 3 3 9 40 40 .. off       the last of each word:     ..1110100
 *     sectors of 8 words  0 0 0 1  5  5 .. off       the last of each sector:   ..1101100
 */
#include "count/lanes.h"
#include "base/cpu.h"
#include <stdatomic.h>

enum { LANES = 32, WORD = 4, ROW = LANES * WORD };

static uint32_t within_by_lanes(const uint64_t address[32], uint64_t base, uint64_t bytes) {
    uint32_t found = 0;
    for (uint32_t l = 0; l < LANES; l++) found |= (uint32_t)(address[l] - base < bytes) << l;
    return found;
}

static void less_by_lanes(uint64_t to[32], const uint64_t from[32], uint64_t minus, uint64_t bits) {
    for (uint32_t l = 0; l < LANES; l++) to[l] = (from[l] - minus) & bits;
}

static uint32_t local_by_lanes(uint64_t address[32], uint32_t mask, uint64_t base, uint64_t bytes) {
    uint32_t found = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        uint64_t at = address[l] - base - l * bytes;
        if (!(mask >> l & 1) || at >= bytes) continue;
        address[l] = at / WORD * ROW + l * WORD + at % WORD;
        found |= 1u << l;
    }
    return found;
}

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTOR __attribute__((target("avx2,popcnt")))
/* A call would pass vectors by way of memory. */
#define INLINE VECTOR __attribute__((always_inline)) static inline

enum { PARTS = 4, EACH = 8, SECTOR_WORDS = 8, LINE_WORDS = 32, SLICES = 6 };

/* Asked for each access: the CPU is asked once. */
bool wg_lanes_usable(void) {
    static _Atomic uint32_t known;
    uint32_t bits = atomic_load_explicit(&known, memory_order_relaxed);
    if (!bits) {
        bits = __builtin_cpu_supports("bmi2") ? wg_cpu_vector_bits() : 128;
        atomic_store_explicit(&known, bits, memory_order_relaxed);
    }
    return bits >= 256;
}

struct words {
    __m256i v[PARTS];
};

#include "count/rounds.h"

/* ---- words ---- */

/* All ones in the lanes of the part that are on. */
INLINE __m256i lanes_on(uint32_t mask, int part) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)(mask >> part * EACH)), bit), bit);
}

/* The lower or upper halves of eight numbers. */
#define HALVES(a, b, which)                                                                                  \
    _mm256_permute4x64_epi64(                                                                                \
        _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), which)), 0xd8)
#define LOWER(a, b) HALVES(a, b, 0x88)
#define UPPER(a, b) HALVES(a, b, 0xdd)

/* Words counted from `base` on, modulo 2^30. False: a lane is more than 2 GiB away. */
INLINE bool words_from(const uint64_t address[32], uint32_t mask, uint64_t base, struct words *w) {
    const __m256i from = _mm256_set1_epi64x((long long)base), off = _mm256_set1_epi32(INT32_MAX);
    __m256i far = _mm256_setzero_si256();
    for (int i = 0; i < PARTS; i++) {
        const __m256i *at = (const __m256i *)(address + i * EACH);
        __m256i a = _mm256_sub_epi64(_mm256_loadu_si256(at), from),
                b = _mm256_sub_epi64(_mm256_loadu_si256(at + 1), from), on = lanes_on(mask, i);
        __m256i low = LOWER(a, b), sign = _mm256_srai_epi32(low, 31);
        far = _mm256_or_si256(far, _mm256_and_si256(on, _mm256_xor_si256(sign, UPPER(a, b))));
        w->v[i] = _mm256_blendv_epi8(off, _mm256_srli_epi32(low, 2), on);
    }
    return _mm256_testz_si256(far, far);
}

/* Words of offsets in shared memory, which are below 2^32. */
INLINE void words_of(const struct wg_lanes *x, uint32_t bits, struct words *w) {
    const __m256i off = _mm256_set1_epi32(INT32_MAX), from = _mm256_set1_epi32((int)x->minus),
                  kept = _mm256_set1_epi32((int)bits);
    for (int i = 0; i < PARTS; i++) {
        const __m256i *at = (const __m256i *)(x->address + i * EACH);
        __m256i a = _mm256_loadu_si256(at), b = _mm256_loadu_si256(at + 1),
                offset = _mm256_and_si256(_mm256_sub_epi32(LOWER(a, b), from), kept);
        w->v[i] = _mm256_blendv_epi8(off, _mm256_srli_epi32(offset, 2), lanes_on(x->mask, i));
    }
}

/* ---- order ---- */

INLINE void order(__m256i *a, __m256i *b) {
    __m256i least = _mm256_min_epi32(*a, *b);
    *b = _mm256_max_epi32(*a, *b);
    *a = least;
}

/* Lanes of the four vectors that rise and then fall come in order. */
INLINE void order_columns(struct words *w) {
    order(&w->v[0], &w->v[2]);
    order(&w->v[1], &w->v[3]);
    order(&w->v[0], &w->v[1]);
    order(&w->v[2], &w->v[3]);
}

/* Each number meets the one that `turned` brings to its place, of the vector PARTS - 1 - i or of its own; lanes in
 * `upper`, a bit each, keep the greater one. */
#define MEET(w, turned, mirrored, upper)                                                                     \
    do {                                                                                                     \
        struct words other_;                                                                                 \
        for (int i = 0; i < PARTS; i++) other_.v[i] = turned((w)->v[(mirrored) ? PARTS - 1 - i : i]);        \
        for (int i = 0; i < PARTS; i++)                                                                      \
            (w)->v[i] = _mm256_blend_epi32(_mm256_min_epi32((w)->v[i], other_.v[i]),                         \
                                           _mm256_max_epi32((w)->v[i], other_.v[i]), upper);                 \
    } while (0)
#define NEIGHBOURS(x) _mm256_shuffle_epi32(x, 0xb1)
#define SECOND(x)     _mm256_shuffle_epi32(x, 0x4e)
#define MIRRORED4(x)  _mm256_shuffle_epi32(x, 0x1b)
#define MIRRORED8(x)  _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0))

/* Lane by lane: v[0][0], v[1][0], v[2][0], v[3][0], v[0][1], ... */
INLINE void sort(struct words *w) {
    order(&w->v[0], &w->v[1]);
    order(&w->v[2], &w->v[3]);
    order(&w->v[0], &w->v[2]);
    order(&w->v[1], &w->v[3]);
    order(&w->v[1], &w->v[2]);
    MEET(w, NEIGHBOURS, true, 0xaa);
    order_columns(w);
    MEET(w, MIRRORED4, true, 0xcc);
    MEET(w, NEIGHBOURS, false, 0xaa);
    order_columns(w);
    MEET(w, MIRRORED8, true, 0xf0);
    MEET(w, SECOND, false, 0xcc);
    MEET(w, NEIGHBOURS, false, 0xaa);
    order_columns(w);
}

/* ---- words in order ---- */

/* By how much each word differs from the next, as bits. */
struct steps {
    __m256i v[PARTS];
    bool sorted; /* by sort(): lane by lane; else part by part */
};

/* The elements of `a` without the first, and the first one of `b`. */
INLINE __m256i next_of(__m256i a, __m256i b) {
    return _mm256_alignr_epi8(_mm256_permute2x128_si256(a, b, 0x21), a, 4);
}

INLINE struct steps steps_of(struct words *w) {
    struct steps s = {.sorted = false};
    __m256i falls = _mm256_setzero_si256(), next[PARTS];
    for (int i = 0; i < PARTS; i++) next[i] = next_of(w->v[i], w->v[(i + 1) % PARTS]);
    next[3] = _mm256_blend_epi32(next[3], _mm256_set1_epi32(INT32_MAX), 0x80);
    for (int i = 0; i < PARTS; i++) falls = _mm256_or_si256(falls, _mm256_cmpgt_epi32(w->v[i], next[i]));
    if (!_mm256_testz_si256(falls, falls)) {
        sort(w);
        s.sorted = true;
        for (int i = 0; i < PARTS; i++) next[i] = i < 3 ? w->v[i + 1] : next_of(w->v[0], w->v[0]);
    }
    for (int i = 0; i < PARTS; i++) s.v[i] = _mm256_xor_si256(w->v[i], next[i]);
    return s;
}

/* The last one in order of each of the n words, sectors or lines, which are `words` words. */
INLINE uint32_t lasts(const struct steps *s, int words, uint32_t n) {
    const __m256i within = _mm256_set1_epi32(words);
    __m256i same[PARTS];
    uint32_t bits = 0;
    for (int i = 0; i < PARTS; i++) same[i] = _mm256_cmpgt_epi32(within, s->v[i]);
    if (s->sorted) {
        __m256i bytes = _mm256_setzero_si256();
        for (int i = 0; i < PARTS; i++)
            bytes =
                _mm256_or_si256(bytes, _mm256_and_si256(same[i], _mm256_set1_epi32((int)(0xffu << 8 * i))));
        bits = (uint32_t)_mm256_movemask_epi8(bytes);
    } else {
        for (int i = 0; i < PARTS; i++)
            bits |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(same[i])) << i * EACH;
    }
    return (~bits | 1u << (n - 1)) & low_bits(n);
}

VECTOR bool wg_lanes_global(const struct wg_lanes *a, bool turns, struct wg_lanes_global *out) {
    enum { LINE = 128 };
    struct words w;
    uint64_t lowest = (a->address[__builtin_ctz(a->mask)] - a->minus) & -(uint64_t)LINE;
    if (!words_from(a->address, a->mask, a->minus + lowest, &w)) return false;
    struct steps s = steps_of(&w);
    uint32_t n = (uint32_t)_mm_popcnt_u32(a->mask), sectors = lasts(&s, SECTOR_WORDS, n);
    out->lines = (uint32_t)_mm_popcnt_u32(lasts(&s, LINE_WORDS, n));
    out->turns = out->sectors = (uint32_t)_mm_popcnt_u32(sectors);
    if (turns) out->turns = turns_of(lasts(&s, 1, n), sectors, n);
    return true;
}

/* ---- banks ---- */

/* a + b, of n bits each: a bank's number is spread over the same bit of all slices. */
INLINE void add_slices(__m128i *a, const __m128i *b, int n) {
    __m128i carry = _mm_and_si128(a[0], b[0]);
    a[0] = _mm_xor_si128(a[0], b[0]);
    for (int i = 1; i < n; i++) {
        __m128i differ = _mm_xor_si128(a[i], b[i]),
                more = _mm_or_si128(_mm_and_si128(a[i], b[i]), _mm_and_si128(carry, differ));
        a[i] = _mm_xor_si128(differ, carry);
        carry = more;
    }
    a[n] = carry;
}

/* How many of the words are in the bank that has most: a bit of each says which one it is in. */
INLINE uint32_t most_in_bank(const __m256i bit[PARTS]) {
    __m256i x = _mm256_xor_si256(bit[0], bit[1]), y = _mm256_xor_si256(bit[2], bit[3]),
            c = _mm256_and_si256(bit[0], bit[1]), d = _mm256_and_si256(bit[2], bit[3]),
            e = _mm256_and_si256(x, y), f = _mm256_xor_si256(c, d);
    __m256i part[3] = {_mm256_xor_si256(x, y), _mm256_xor_si256(f, e),
                       _mm256_or_si256(_mm256_and_si256(c, d), _mm256_and_si256(f, e))};
    __m128i v[SLICES], other[SLICES];
    for (int i = 0; i < 3; i++) {
        v[i] = _mm256_castsi256_si128(part[i]);
        other[i] = _mm256_extracti128_si256(part[i], 1);
    }
    add_slices(v, other, 3);
    for (int i = 0; i < 4; i++) other[i] = _mm_shuffle_epi32(v[i], 0x4e);
    add_slices(v, other, 4);
    for (int i = 0; i < 5; i++) other[i] = _mm_shuffle_epi32(v[i], 0xb1);
    add_slices(v, other, 5);
    uint32_t most = 0, banks = UINT32_MAX;
    for (int i = SLICES - 1; i >= 0; i--) {
        uint32_t more = banks & (uint32_t)_mm_cvtsi128_si32(v[i]);
        uint32_t any = (uint32_t)((int32_t)(more | -more) >> 31); /* a branch would be mispredicted */
        most += any & 1u << i;
        banks = more | (banks & ~any);
    }
    return most;
}

/* The bits of all parts. */
INLINE uint32_t any_bank(const __m256i bit[PARTS]) {
    __m256i x = _mm256_or_si256(_mm256_or_si256(bit[0], bit[1]), _mm256_or_si256(bit[2], bit[3]));
    __m128i y = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    uint64_t z = (uint64_t)_mm_cvtsi128_si64(y) | (uint64_t)_mm_extract_epi64(y, 1);
    return (uint32_t)(z | z >> 32);
}

INLINE void banks_of(const struct words *w, __m256i bit[PARTS]) {
    const __m256i off = _mm256_set1_epi32(INT32_MAX), one = _mm256_set1_epi32(1),
                  last = _mm256_set1_epi32(31);
    for (int i = 0; i < PARTS; i++)
        bit[i] = _mm256_andnot_si256(_mm256_cmpeq_epi32(w->v[i], off),
                                     _mm256_sllv_epi32(one, _mm256_and_si256(w->v[i], last)));
}

VECTOR uint32_t wg_lanes_wavefronts(const struct wg_lanes *a, uint32_t bits, bool merge) {
    struct words w;
    __m256i bit[PARTS];
    words_of(a, bits, &w);
    banks_of(&w, bit);
    if (_mm_popcnt_u32(any_bank(bit)) == _mm_popcnt_u32(a->mask)) return 1;
    if (merge) {
        struct steps s = steps_of(&w);
        banks_of(&w, bit);
        for (int i = 0; i < PARTS; i++)
            bit[i] = _mm256_andnot_si256(_mm256_cmpeq_epi32(s.v[i], _mm256_setzero_si256()), bit[i]);
    }
    return most_in_bank(bit);
}

/* ---- places ---- */

/* All ones where a < b, of numbers without a sign. */
INLINE __m256i below(__m256i a, __m256i b) {
    const __m256i sign = _mm256_set1_epi64x(INT64_MIN);
    return _mm256_cmpgt_epi64(_mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign));
}

INLINE __m256i part_of(const uint64_t address[32], int i) {
    return _mm256_loadu_si256((const __m256i *)(address + i * PARTS));
}

VECTOR static uint32_t within_by_vectors(const uint64_t address[32], uint64_t base, uint64_t bytes) {
    const __m256i from = _mm256_set1_epi64x((long long)base), size = _mm256_set1_epi64x((long long)bytes);
    uint32_t found = 0;
    for (int i = 0; i < EACH; i++) {
        __m256i in = below(_mm256_sub_epi64(part_of(address, i), from), size);
        found |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(in)) << i * PARTS;
    }
    return found;
}

VECTOR static void less_by_vectors(uint64_t to[32], const uint64_t from[32], uint64_t minus, uint64_t bits) {
    const __m256i less = _mm256_set1_epi64x((long long)minus), kept = _mm256_set1_epi64x((long long)bits);
    for (int i = 0; i < EACH; i++)
        _mm256_storeu_si256((__m256i *)(to + i * PARTS),
                            _mm256_and_si256(_mm256_sub_epi64(part_of(from, i), less), kept));
}

VECTOR static uint32_t local_by_vectors(uint64_t address[32], uint32_t mask, uint64_t base, uint64_t bytes) {
    const uint64_t first[PARTS] = {base, base + bytes, base + 2 * bytes, base + 3 * bytes},
                   all = PARTS * bytes;
    const __m256i size = _mm256_set1_epi64x((long long)bytes), bit = _mm256_setr_epi64x(1, 2, 4, 8),
                  step = _mm256_set1_epi64x((long long)all), within = _mm256_set1_epi64x(WORD - 1);
    __m256i from = _mm256_loadu_si256((const __m256i *)first),
            lane = _mm256_setr_epi64x(0, WORD, 2 * WORD, 3 * WORD);
    uint32_t found = 0;
    for (int i = 0; i < EACH; i++) {
        __m256i was = part_of(address, i), at = _mm256_sub_epi64(was, from),
                on = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(mask >> i * PARTS), bit), bit),
                row = _mm256_slli_epi64(_mm256_andnot_si256(within, at), 5),
                column = _mm256_add_epi64(lane, _mm256_and_si256(within, at)),
                in = _mm256_and_si256(on, below(at, size));
        _mm256_storeu_si256((__m256i *)(address + i * PARTS),
                            _mm256_blendv_epi8(was, _mm256_add_epi64(row, column), in));
        found |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(in)) << i * PARTS;
        from = _mm256_add_epi64(from, step);
        lane = _mm256_add_epi64(lane, _mm256_set1_epi64x(PARTS * WORD));
    }
    return found;
}
#else
bool wg_lanes_usable(void) { return false; }
bool wg_lanes_global(const struct wg_lanes *a, bool turns, struct wg_lanes_global *out) { return false; }
uint32_t wg_lanes_wavefronts(const struct wg_lanes *a, uint32_t bits, bool merge) { return 0; }
#define within_by_vectors within_by_lanes
#define less_by_vectors   less_by_lanes
#define local_by_vectors  local_by_lanes
#endif

uint32_t wg_lanes_within(const uint64_t address[32], uint64_t base, uint64_t bytes) {
    return wg_lanes_usable() ? within_by_vectors(address, base, bytes)
                             : within_by_lanes(address, base, bytes);
}

void wg_lanes_less(uint64_t to[32], const uint64_t from[32], uint64_t minus, uint64_t bits) {
    if (wg_lanes_usable())
        less_by_vectors(to, from, minus, bits);
    else
        less_by_lanes(to, from, minus, bits);
}

uint32_t wg_lanes_local(uint64_t address[32], uint32_t mask, uint64_t base, uint64_t bytes) {
    return wg_lanes_usable() ? local_by_vectors(address, mask, base, bytes)
                             : local_by_lanes(address, mask, base, bytes);
}
