/*
 * words.cuh: arrays of 4-byte values as words of 16 bytes, for the last steps of the ladders (wgk.h).
 *
 * One thread loads 16 bytes at a time: a warp's request is then 512 bytes in 16 sectors, and a quarter of the
 * instructions move the same memory. What does not fill a word, at both ends, is moved value by value by
 * the threads behind those of the words:
 *
 *     values  0 1 | 2 3 4 5 | 6 7 8 9 | 10        head 2, words 2, tail 1
 *     thread  2 3 |    0    |    1    |  4
 */
#pragma once
#include <cuda_runtime.h>
#include <stdint.h>

namespace wgk {

struct Words {
    size_t head, words, tail;
    __host__ __device__ size_t threads() const { return words + head + tail; }
    /* The value that thread words + i moves. */
    __device__ size_t single(size_t i) const { return i < head ? i : i + 4 * words; }
};

inline size_t beyond_word(const void *p) { return reinterpret_cast<uintptr_t>(p) % 16; }

/* n values from p on. */
inline Words words_of(const void *p, size_t n) {
    Words w;
    w.head = (16 - beyond_word(p)) % 16 / 4;
    if (w.head > n) w.head = n;
    w.words = (n - w.head) / 4;
    w.tail = n - w.head - 4 * w.words;
    return w;
}
/* All of them one by one. */
inline Words no_words(size_t n) { return {n, 0, 0}; }

/* Blocks of `per_block`; 0 where there are more than a grid has. */
inline unsigned blocks_of(size_t n, size_t per_block) {
    const size_t blocks = n / per_block + (n % per_block != 0);
    return blocks <= 0x7fffffff ? static_cast<unsigned>(blocks) : 0;
}

} // namespace wgk
