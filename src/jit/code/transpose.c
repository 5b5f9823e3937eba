/* Register transpose with AVX-512, for columns.c: called by generated code. See transpose.h. */
#include "jit/code/transpose.h"
#include "jit/code/helpers.h"

#include <immintrin.h>

#define VECTOR                                                                                               \
    __attribute__((target("avx512f,avx512bw,avx512vl"), no_sanitize("address", "thread", "undefined")))

enum { N = 16, HALF = 8 };

#define INLINE WG_TRANSPOSE_INLINE

INLINE bool is_whole(const struct wg_transpose *t, uint32_t n) { return t->rows == n && t->columns == n; }

/* No more than n rows and columns of it. */
INLINE struct wg_transpose part(const struct wg_transpose *t, uint32_t row, uint32_t column, uint32_t n,
                                uint32_t bytes) {
    struct wg_transpose x = *t;
    x.from += (int64_t)row * t->step + column * bytes;
    x.to += (int64_t)column * t->pitch + row * bytes;
    x.rows = t->rows - row < n ? t->rows - row : n;
    x.columns = t->columns - column < n ? t->columns - column : n;
    return x;
}

/* ---- rows in, columns out ---- */

INLINE const void *row(const struct wg_transpose *t, uint32_t i) { return t->from + (int64_t)i * t->step; }
INLINE void *column(const struct wg_transpose *t, uint32_t i) { return t->to + (int64_t)i * t->pitch; }
INLINE uint32_t first(uint32_t n) { return (1u << n) - 1; }

/* A masked access waits for stores that it could otherwise be forwarded from: whole rows and columns are not.
 */
#define LOAD_ROWS(t, x, n, load, load_masked, zero)                                                          \
    if (is_whole(t, n))                                                                                      \
        for (uint32_t i = 0; i < n; i++) x[i] = load(row(t, i));                                             \
    else                                                                                                     \
        for (uint32_t i = 0; i < n; i++)                                                                     \
        x[i] = i >= (t)->rows      ? zero()                                                                  \
               : (t)->columns == n ? load(row(t, i))                                                         \
                                   : load_masked(first((t)->columns), row(t, i))

#define STORE_COLUMNS(t, x, n, store, store_masked)                                                          \
    if (is_whole(t, n))                                                                                      \
        for (uint32_t i = 0; i < n; i++) store(column(t, i), x[i]);                                          \
    else if ((t)->rows == n)                                                                                 \
        for (uint32_t i = 0; i < (t)->columns; i++) store(column(t, i), x[i]);                               \
    else                                                                                                     \
        for (uint32_t i = 0; i < (t)->columns; i++) store_masked(column(t, i), first((t)->rows), x[i])

/* ---- 32 bits ---- */

/* 4 x 4 words in each quarter of four vectors, twice over. */
VECTOR INLINE void transpose_quarters(__m512i *x) {
    __m512i y[N];
    for (int i = 0; i < N; i += 2) {
        y[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
    }
    for (int i = 0; i < N; i += 4)
        for (int k = 0; k < 2; k++) {
            x[i + 2 * k] = _mm512_unpacklo_epi64(y[i + k], y[i + k + 2]);
            x[i + 2 * k + 1] = _mm512_unpackhi_epi64(y[i + k], y[i + k + 2]);
        }
}

/* Permutes quarters to their final places. */
VECTOR INLINE void move_quarters(const __m512i *x, __m512i *y) {
    for (int c = 0; c < 4; c++) {
        __m512i even = _mm512_shuffle_i32x4(x[c], x[4 + c], 0x88),
                odd = _mm512_shuffle_i32x4(x[c], x[4 + c], 0xdd);
        __m512i even2 = _mm512_shuffle_i32x4(x[8 + c], x[12 + c], 0x88),
                odd2 = _mm512_shuffle_i32x4(x[8 + c], x[12 + c], 0xdd);
        y[c] = _mm512_shuffle_i32x4(even, even2, 0x88);
        y[8 + c] = _mm512_shuffle_i32x4(even, even2, 0xdd);
        y[4 + c] = _mm512_shuffle_i32x4(odd, odd2, 0x88);
        y[12 + c] = _mm512_shuffle_i32x4(odd, odd2, 0xdd);
    }
}

VECTOR INLINE void transpose_words(const struct wg_transpose *t) {
    __m512i x[N], y[N];
    LOAD_ROWS(t, x, N, _mm512_loadu_si512, _mm512_maskz_loadu_epi32, _mm512_setzero_si512);
    transpose_quarters(x);
    move_quarters(x, y);
    if (t->past && is_whole(t, N))
        for (uint32_t i = 0; i < N; i++) _mm512_stream_si512(column(t, i), y[i]);
    else
        STORE_COLUMNS(t, y, N, _mm512_storeu_si512, _mm512_mask_storeu_epi32);
}

/* ---- 64 bits: 8 x 8 ---- */

VECTOR INLINE void transpose_doubles(const struct wg_transpose *t) {
    __m512i x[HALF], y[HALF];
    LOAD_ROWS(t, x, HALF, _mm512_loadu_si512, _mm512_maskz_loadu_epi64, _mm512_setzero_si512);
    for (uint32_t i = 0; i < HALF; i += 2) {
        y[i] = _mm512_unpacklo_epi64(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi64(x[i], x[i + 1]);
    }
    for (uint32_t i = 0; i < 2; i++) { /* columns i, i + 2, ... */
        __m512i even = _mm512_shuffle_i64x2(y[i], y[i + 2], 0x88),
                odd = _mm512_shuffle_i64x2(y[i], y[i + 2], 0xdd);
        __m512i even2 = _mm512_shuffle_i64x2(y[i + 4], y[i + 6], 0x88),
                odd2 = _mm512_shuffle_i64x2(y[i + 4], y[i + 6], 0xdd);
        x[i] = _mm512_shuffle_i64x2(even, even2, 0x88);
        x[i + 4] = _mm512_shuffle_i64x2(even, even2, 0xdd);
        x[i + 2] = _mm512_shuffle_i64x2(odd, odd2, 0x88);
        x[i + 6] = _mm512_shuffle_i64x2(odd, odd2, 0xdd);
    }
    if (t->past && is_whole(t, HALF))
        for (uint32_t i = 0; i < HALF; i++) _mm512_stream_si512(column(t, i), x[i]);
    else
        STORE_COLUMNS(t, x, HALF, _mm512_storeu_si512, _mm512_mask_storeu_epi64);
}

/* ---- 16 bits: 8 x 8 ---- */

VECTOR INLINE void transpose_shorts(const struct wg_transpose *t) {
    __m128i x[HALF], y[HALF];
    LOAD_ROWS(t, x, HALF, _mm_loadu_si128, _mm_maskz_loadu_epi16, _mm_setzero_si128);
    for (uint32_t k = 0; k < 3; k++) { /* each rotates the bits of an element's row and column by one */
        for (uint32_t i = 0; i < HALF / 2; i++) {
            y[2 * i] = _mm_unpacklo_epi16(x[i], x[i + HALF / 2]);
            y[2 * i + 1] = _mm_unpackhi_epi16(x[i], x[i + HALF / 2]);
        }
        for (uint32_t i = 0; i < HALF; i++) x[i] = y[i];
    }
    STORE_COLUMNS(t, x, HALF, _mm_storeu_si128, _mm_mask_storeu_epi16);
}

/* ---- 8 bits: 16 x 16 ---- */

VECTOR INLINE void transpose_bytes(const struct wg_transpose *t) {
    __m128i x[N], y[N];
    LOAD_ROWS(t, x, N, _mm_loadu_si128, _mm_maskz_loadu_epi8, _mm_setzero_si128);
    for (uint32_t k = 0; k < 4; k++) { /* as above */
        for (uint32_t i = 0; i < N / 2; i++) {
            y[2 * i] = _mm_unpacklo_epi8(x[i], x[i + N / 2]);
            y[2 * i + 1] = _mm_unpackhi_epi8(x[i], x[i + N / 2]);
        }
        for (uint32_t i = 0; i < N; i++) x[i] = y[i];
    }
    STORE_COLUMNS(t, x, N, _mm_storeu_si128, _mm_mask_storeu_epi8);
}

/* ---- all ---- */

#define TRANSPOSE(bits, n, transpose_part)                                                                   \
    VECTOR void wg_jit_transpose##bits(const uint8_t *from, int64_t step, uint32_t rows, uint8_t *to,        \
                                       int64_t pitch, uint32_t columns, int64_t far_from, int64_t far_to,    \
                                       uint32_t past) {                                                      \
        struct wg_transpose t = {from, step, rows, to, pitch, columns, past != 0};                           \
        wg_transpose_prefetch_all(&t, bits / 8, far_from, far_to);                                           \
        for (uint32_t r = 0; r < rows; r += n)                                                               \
            for (uint32_t c = 0; c < columns; c += n) {                                                      \
                struct wg_transpose x = part(&t, r, c, n, bits / 8);                                         \
                transpose_part(&x);                                                                          \
            }                                                                                                \
    }

TRANSPOSE(8, N, transpose_bytes)
TRANSPOSE(16, HALF, transpose_shorts)
TRANSPOSE(32, N, transpose_words)
TRANSPOSE(64, HALF, transpose_doubles)
