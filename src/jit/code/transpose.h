/* Transposes of rows of elements into columns: shared by transpose.c, for AVX-512, and transpose_avx2.c. */
#ifndef WG_JIT_TRANSPOSE_H
#define WG_JIT_TRANSPOSE_H
#include <stdbool.h>
#include <stdint.h>

enum { WG_TRANSPOSE_LINE = 64 };

/* Transposes `rows` rows of `columns` elements, `step` bytes apart, into `columns` rows of `rows`, `pitch`
 * bytes apart; `past` the caches: non-temporal stores of whole lines. */
struct wg_transpose {
    const uint8_t *from;
    int64_t step;
    uint32_t rows;
    uint8_t *to;
    int64_t pitch;
    uint32_t columns;
    bool past;
};

/* gcc takes a function that only prefetches for one without effects, and removes the call. */
#define WG_TRANSPOSE_INLINE static inline __attribute__((always_inline))

/* Two lines next to each other at a time, for a row of the host's memory is slow to open: the second one is
 * what the other half of a block's warps read, or another strip of blocks. */
WG_TRANSPOSE_INLINE void wg_transpose_prefetch(const uint8_t *at, uint32_t bytes, bool write) {
    if ((uintptr_t)at & WG_TRANSPOSE_LINE && bytes <= WG_TRANSPOSE_LINE) return;
    for (uint32_t i = 0; i < 2; i++) {
        if (write)
            __builtin_prefetch(at + i * WG_TRANSPOSE_LINE, 1, 2);
        else
            __builtin_prefetch(at + i * WG_TRANSPOSE_LINE, 0, 2);
    }
}

WG_TRANSPOSE_INLINE void wg_transpose_prefetch_all(const struct wg_transpose *t, uint32_t bytes,
                                                   int64_t far_from, int64_t far_to) {
    for (uint32_t i = 0; i < t->rows && far_from; i++)
        wg_transpose_prefetch(t->from + (int64_t)i * t->step + far_from, t->columns * bytes, false);
    for (uint32_t i = 0; i < t->columns && far_to; i++)
        wg_transpose_prefetch(t->to + (int64_t)i * t->pitch + far_to, t->rows * bytes, true);
}
#endif
