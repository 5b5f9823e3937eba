/* Register transpose with AVX2, for columns.c: called by generated code. See transpose.h.
 *
 * Masked accesses are slow there, and there are none of small elements. So nothing is masked: there are 4, 8
 * or 16 rows and columns (columns.c).
 */
#include "jit/code/transpose.h"
#include "jit/code/helpers.h"

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#define VECTOR __attribute__((target("avx2"), no_sanitize("address", "thread", "undefined")))
#define INLINE VECTOR WG_TRANSPOSE_INLINE

enum { PIECE = 16 };

INLINE const uint8_t *place(const struct wg_transpose *t, uint32_t row, uint32_t column, uint32_t bytes) {
    return t->from + (int64_t)row * t->step + column * bytes;
}

INLINE uint8_t *target(const struct wg_transpose *t, uint32_t row, uint32_t column, uint32_t bytes) {
    return t->to + (int64_t)column * t->pitch + row * bytes;
}

INLINE void store(const struct wg_transpose *t, uint8_t *to, __m256i x) {
    if (t->past)
        _mm256_stream_si256((__m256i *)to, x);
    else
        _mm256_storeu_si256((__m256i *)to, x);
}

/* The whole matrix, in tiles of `rows` by `columns`, by the lines of what is farther apart: those of more
 * rows may be too many for a set of the cache. */
#define TRANSPOSE_BY(t, transpose_part, rows_, columns_)                                                     \
    if (llabs((t)->step) > llabs((t)->pitch))                                                                \
        for (uint32_t r = 0; r < (t)->rows; r += rows_)                                                      \
            for (uint32_t c = 0; c < (t)->columns; c += columns_) transpose_part(t, r, c);                   \
    else                                                                                                     \
        for (uint32_t c = 0; c < (t)->columns; c += columns_)                                                \
            for (uint32_t r = 0; r < (t)->rows; r += rows_) transpose_part(t, r, c)

INLINE __m256i two_pieces(const uint8_t *low, const uint8_t *high) {
    __m256i x = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));
    return _mm256_inserti128_si256(x, _mm_loadu_si128((const __m128i *)high), 1);
}

/* ---- 32 bits ---- */

INLINE void transpose_8_by_4(const struct wg_transpose *t, uint32_t r, uint32_t c) {
    __m256i x[4], y[4];
    for (uint32_t i = 0; i < 4; i++) x[i] = two_pieces(place(t, r + i, c, 4), place(t, r + i + 4, c, 4));
    for (uint32_t i = 0; i < 4; i += 2) {
        y[i] = _mm256_unpacklo_epi32(x[i], x[i + 1]);
        y[i + 1] = _mm256_unpackhi_epi32(x[i], x[i + 1]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        store(t, target(t, r, c + 2 * i, 4), _mm256_unpacklo_epi64(y[i], y[i + 2]));
        store(t, target(t, r, c + 2 * i + 1, 4), _mm256_unpackhi_epi64(y[i], y[i + 2]));
    }
}

INLINE void transpose_4_by_4(const struct wg_transpose *t, uint32_t r, uint32_t c) {
    __m128i x[4], y[4];
    for (uint32_t i = 0; i < 4; i++) x[i] = _mm_loadu_si128((const __m128i *)place(t, r + i, c, 4));
    for (uint32_t i = 0; i < 4; i += 2) {
        y[i] = _mm_unpacklo_epi32(x[i], x[i + 1]);
        y[i + 1] = _mm_unpackhi_epi32(x[i], x[i + 1]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        _mm_storeu_si128((__m128i *)target(t, r, c + 2 * i, 4), _mm_unpacklo_epi64(y[i], y[i + 2]));
        _mm_storeu_si128((__m128i *)target(t, r, c + 2 * i + 1, 4), _mm_unpackhi_epi64(y[i], y[i + 2]));
    }
}

INLINE void transpose_words(const struct wg_transpose *t) {
    if (t->rows == 4)
        TRANSPOSE_BY(t, transpose_4_by_4, 4, 4);
    else
        TRANSPOSE_BY(t, transpose_8_by_4, 8, 4);
}

/* ---- 64 bits ---- */

INLINE void transpose_4_by_2(const struct wg_transpose *t, uint32_t r, uint32_t c) {
    __m256i x[2];
    for (uint32_t i = 0; i < 2; i++) x[i] = two_pieces(place(t, r + i, c, 8), place(t, r + i + 2, c, 8));
    store(t, target(t, r, c, 8), _mm256_unpacklo_epi64(x[0], x[1]));
    store(t, target(t, r, c + 1, 8), _mm256_unpackhi_epi64(x[0], x[1]));
}

INLINE void transpose_doubles(const struct wg_transpose *t) { TRANSPOSE_BY(t, transpose_4_by_2, 4, 2); }

/* ---- 8 and 16 bits ---- */

/* 4, 8 or 16 bytes. */

INLINE __m128i load_piece(const uint8_t *at, uint32_t bytes) {
    if (bytes >= PIECE) return _mm_loadu_si128((const __m128i *)at);
    if (bytes == PIECE / 2) return _mm_loadl_epi64((const __m128i *)at);
    return _mm_loadu_si32(at);
}

INLINE void store_piece(uint8_t *to, __m128i x, uint32_t bytes) {
    if (bytes >= PIECE)
        _mm_storeu_si128((__m128i *)to, x);
    else if (bytes == PIECE / 2)
        _mm_storel_epi64((__m128i *)to, x);
    else
        _mm_storeu_si32(to, x);
}

/* n by n, or less. Each step rotates the bits of an element's place, row and column, by one. */
#define TRANSPOSE_SQUARE(t, r, c, n, steps, bytes, unpack)                                                   \
    __m128i x[n], y[n];                                                                                      \
    uint32_t rows = (t)->rows - r < n ? (t)->rows - r : n,                                                   \
             columns = (t)->columns - c < n ? (t)->columns - c : n;                                          \
    for (uint32_t i = 0; i < n; i++)                                                                         \
        x[i] = i < rows ? load_piece(place(t, r + i, c, bytes), columns * bytes) : _mm_setzero_si128();      \
    for (uint32_t k = 0; k < steps; k++) {                                                                   \
        for (uint32_t i = 0; i < n / 2; i++) {                                                               \
            y[2 * i] = _mm_unpacklo_##unpack(x[i], x[i + n / 2]);                                            \
            y[2 * i + 1] = _mm_unpackhi_##unpack(x[i], x[i + n / 2]);                                        \
        }                                                                                                    \
        for (uint32_t i = 0; i < n; i++) x[i] = y[i];                                                        \
    }                                                                                                        \
    for (uint32_t i = 0; i < columns; i++) store_piece(target(t, r, c + i, bytes), x[i], rows *bytes)

INLINE void transpose_8_by_8(const struct wg_transpose *t, uint32_t r, uint32_t c) {
    TRANSPOSE_SQUARE(t, r, c, 8, 3, 2, epi16);
}

INLINE void transpose_16_by_16(const struct wg_transpose *t, uint32_t r, uint32_t c) {
    TRANSPOSE_SQUARE(t, r, c, 16, 4, 1, epi8);
}

INLINE void transpose_shorts(const struct wg_transpose *t) { TRANSPOSE_BY(t, transpose_8_by_8, 8, 8); }
INLINE void transpose_bytes(const struct wg_transpose *t) { transpose_16_by_16(t, 0, 0); }

/* ---- all ---- */

#define TRANSPOSE(bits, transpose_all)                                                                       \
    VECTOR void wg_jit_transpose##bits##_avx2(const uint8_t *from, int64_t step, uint32_t rows, uint8_t *to, \
                                              int64_t pitch, uint32_t columns, int64_t far_from,             \
                                              int64_t far_to, uint32_t past) {                               \
        struct wg_transpose t = {from, step, rows, to, pitch, columns, past != 0};                           \
        wg_transpose_prefetch_all(&t, bits / 8, far_from, far_to);                                           \
        transpose_all(&t);                                                                                   \
    }

TRANSPOSE(8, transpose_bytes)
TRANSPOSE(16, transpose_shorts)
TRANSPOSE(32, transpose_words)
TRANSPOSE(64, transpose_doubles)
