/* Rows of words become columns, for columns.c: called by generated code where the host has AVX-512. */
#include "jit/helpers.h"

#include <immintrin.h>

#define VECTOR __attribute__((target("avx512f"), no_sanitize("address", "thread", "undefined")))

enum { N = 16, LINE = 64 };

/* 4 x 4 words in each quarter of four vectors, twice over. */
VECTOR static void turn_quarters(__m512i *x) {
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

/* Quarters to where they belong. */
VECTOR static void move_quarters(const __m512i *x, __m512i *y) {
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

/* A masked access waits for stores that it could otherwise be forwarded from. */
VECTOR static __m512i load(const uint8_t *from, uint32_t n) {
    if (n == N) return _mm512_loadu_si512(from);
    return _mm512_maskz_loadu_epi32((__mmask16)((1u << n) - 1), from);
}

VECTOR static void store(uint8_t *to, __m512i x, uint32_t n) {
    if (n == N)
        _mm512_storeu_si512(to, x);
    else
        _mm512_mask_storeu_epi32(to, (__mmask16)((1u << n) - 1), x);
}

/* Two lines next to each other at a time, for a row of the host's memory is slow to open: the second one is
 * what the other half of a block's warps want, or another strip of blocks. */
static inline __attribute__((always_inline)) void ask(const uint8_t *at, bool write) {
    if ((uintptr_t)at & LINE) return;
    for (uint32_t i = 0; i < 2; i++) {
        if (write)
            __builtin_prefetch(at + i * LINE, 1, 2);
        else
            __builtin_prefetch(at + i * LINE, 0, 2);
    }
}

VECTOR void wg_jit_turn(const uint8_t *from, int64_t step, uint32_t rows, uint8_t *to, int64_t pitch,
                        uint32_t columns, int64_t far_from, int64_t far_to, uint32_t past) {
    __m512i x[N], y[N];
    for (uint32_t i = 0; i < rows && far_from; i++) ask(from + (int64_t)i * step + far_from, false);
    for (uint32_t i = 0; i < columns && far_to; i++) ask(to + (int64_t)i * pitch + far_to, true);
    if (rows == N && columns == N) {
        for (uint32_t i = 0; i < N; i++) x[i] = _mm512_loadu_si512(from + (int64_t)i * step);
    } else {
        for (uint32_t i = 0; i < N; i++)
            x[i] = i < rows ? load(from + (int64_t)i * step, columns) : _mm512_setzero_si512();
    }
    turn_quarters(x);
    move_quarters(x, y);
    if (past && rows == N && columns == N) {
        for (uint32_t i = 0; i < N; i++) _mm512_stream_si512((void *)(to + (int64_t)i * pitch), y[i]);
    } else if (rows == N && columns == N) {
        for (uint32_t i = 0; i < N; i++) _mm512_storeu_si512((void *)(to + (int64_t)i * pitch), y[i]);
    } else {
        for (uint32_t i = 0; i < columns; i++) store(to + (int64_t)i * pitch, y[i], rows);
    }
}
