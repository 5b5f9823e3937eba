/*
 * mean_u8: the last step of mean_filter: 16 pixels a thread and a few rows, two sums in each register.
 *
 *     row      p3 p2 p1 p0          one word, four pixels
 *     even     00 p2 00 p0          odd  00 p3 00 p1       two sums of 16 bits a register: no carry can cross
 *
 *   - down:    the sums of the rows so far; the row that comes is added, the one that leaves taken away
 *   - across:  neighbours of the even pixels are the odd ones as they stand and shifted by one, which is a
 *              permutation of bytes (`prmt`); those of the next thread come by a shuffle. So a warp reads 32
 *              words of a row and gives 30: the outer two are there for their neighbours alone
 *   - divide:  a multiplication, exact for every sum that can be
 *
 * The sums of 3x3 are halves (16-bit floats), which the chip adds twice as fast as integers: 128 is taken off
 * each pixel, so that sums lie within the 2048 up to which halves are exact, and floor(sum / 9) is one fused
 * multiplication and addition. Sums of 5x5 are too large for that; they stay integers.
 *
 * Memory is then what bounds it: the image once in, once out. More rows a thread save instructions and loads,
 * but more loads under way at a time is not what memory likes (docs/ladders.md).
 */
#pragma once
#include "../words.cuh"

namespace wgk {

/* The two 16-bit numbers in the middle of b:a. */
__device__ inline uint32_t middle(uint32_t a, uint32_t b) { return __byte_perm(a, b, 0x5432); }

/* What a size of the square asks: rows a thread, and arithmetic on two numbers at a time. */
template <int size> struct MeanOf;

/* Halves: a byte behind 0x64 is 1024 + byte. */
template <> struct MeanOf<3> {
    static const int rows = 2;
    static __device__ uint32_t add(uint32_t a, uint32_t b) {
        uint32_t d;
        asm("add.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
        return d;
    }
    static __device__ uint32_t subtract(uint32_t a, uint32_t b) {
        uint32_t d;
        asm("sub.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
        return d;
    }
    static __device__ uint32_t even(uint32_t word) {
        return subtract(__byte_perm(word, 0x64646464, 0x4240), 0x64806480); /* - 1152: pixel - 128 */
    }
    static __device__ uint32_t odd(uint32_t word) {
        return subtract(__byte_perm(word, 0x64646464, 0x4341), 0x64806480);
    }
    /* floor(x / 9) + 1024 for x = sum - 4 + 9 * 128, whose ninth lies within 4 / 9 of it and is rounded. */
    static __device__ uint32_t divide(uint32_t sum) {
        uint32_t d;
        asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(sum), "r"(0x2f1c2f1c), "r"(0x64806480));
        return d;
    }
    /* Of the four pixels of word 1 of three: word w's even and odd pixels' sums down the columns. */
    static __device__ uint32_t means(const uint32_t (&even)[3], const uint32_t (&odd)[3]) {
        const uint32_t both = subtract(add(even[1], odd[1]), 0x44004400);
        const uint32_t of_even = add(both, middle(odd[0], odd[1]));
        const uint32_t of_odd = add(both, middle(even[1], even[2]));
        return __byte_perm(divide(of_even), divide(of_odd), 0x6240);
    }
};

template <> struct MeanOf<5> {
    static const int rows = 6;
    static __device__ uint32_t add(uint32_t a, uint32_t b) { return a + b; }
    static __device__ uint32_t subtract(uint32_t a, uint32_t b) { return a - b; }
    static __device__ uint32_t even(uint32_t word) { return word & 0x00ff00ffu; }
    static __device__ uint32_t odd(uint32_t word) { return __byte_perm(word, 0, 0x4341); }
    static __device__ uint32_t means(const uint32_t (&even)[3], const uint32_t (&odd)[3]) {
        const uint32_t behind = middle(even[1], even[2]), before = middle(odd[0], odd[1]);
        const uint32_t four = even[1] + odd[1] + before + behind;
        const uint32_t of_even = four + middle(even[0], even[1]), of_odd = four + middle(odd[1], odd[2]);
        /* floor(x / 25) = x * 671104 >> 24 for x <= 25 * 255; of a register's upper half, byte 1 of the high
         * product with 671089. */
        const uint32_t q0 = (of_even & 0xffff) * 671104, q1 = (of_odd & 0xffff) * 671104;
        const uint32_t q2 = __umulhi(of_even, 671089), q3 = __umulhi(of_odd, 671089);
        return __byte_perm(__byte_perm(q0, q1, 0x0073), __byte_perm(q2, q3, 0x0051), 0x5410);
    }
};

enum { MEAN_DOWN = 4, MEAN_WORDS = 30 /* a warp gives of a row */ };

/* Four sums down the columns of each parity, and the neighbours' between which they lie. */
struct Columns {
    uint32_t sum[4];
    __device__ void around(uint32_t (&out)[6]) const {
        out[0] = __shfl_up_sync(0xffffffff, sum[3], 1);
        for (int i = 0; i < 4; i++) out[i + 1] = sum[i];
        out[5] = __shfl_down_sync(0xffffffff, sum[0], 1);
    }
};

template <int size>
__device__ inline void store_means(uint8_t *to, const Columns &even, const Columns &odd, bool mine, int from,
                                   int below) {
    uint32_t e[6], o[6], q[4];
    even.around(e), odd.around(o);
    if (!mine) return;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const uint32_t three_even[3] = {e[i], e[i + 1], e[i + 2]}, three_odd[3] = {o[i], o[i + 1], o[i + 2]};
        q[i] = MeanOf<size>::means(three_even, three_odd);
    }
    if (from == 0 && below == 16)
        *reinterpret_cast<uint4 *>(to) = make_uint4(q[0], q[1], q[2], q[3]);
    else
#pragma unroll
        for (int j = 0; j < 16; j++)
            if (j >= from && j < below) to[j] = q[j / 4] >> 8 * (j % 4);
}

template <int size>
__global__ void __launch_bounds__(32 * MEAN_DOWN)
    mean_words(const uint8_t *__restrict__ in, size_t in_pitch, uint8_t *__restrict__ out, size_t out_pitch,
               int width, int height) {
    typedef MeanOf<size> Of;
    const int border = size / 2, lane = threadIdx.x, words = width / 16;
    const int word = static_cast<int>(blockIdx.x) * MEAN_WORDS + lane - 1;
    const int first = (blockIdx.y * MEAN_DOWN + threadIdx.y) * Of::rows + border;
    const bool gives = lane > 0 && lane <= MEAN_WORDS && word < words;
    const int from = word == 0 ? border : 0, below = word == words - 1 ? 16 - border : 16;

    uint4 row[Of::rows + size - 1];
    const uint8_t *column = in + 16 * min(max(word, 0), words - 1);
#pragma unroll
    for (int k = 0; k < Of::rows + size - 1; k++)
        row[k] = *reinterpret_cast<const uint4 *>(
            column + static_cast<size_t>(min(first - border + k, height - 1)) * in_pitch);
    Columns even = {}, odd = {};
#pragma unroll
    for (int k = 0; k < Of::rows + size - 1; k++) {
        const uint32_t comes[4] = {row[k].x, row[k].y, row[k].z, row[k].w};
        const uint4 &old = row[k < size ? 0 : k - size];
        const uint32_t leaves[4] = {old.x, old.y, old.z, old.w};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            even.sum[i] = Of::add(even.sum[i], Of::even(comes[i]));
            odd.sum[i] = Of::add(odd.sum[i], Of::odd(comes[i]));
            if (k < size) continue;
            even.sum[i] = Of::subtract(even.sum[i], Of::even(leaves[i]));
            odd.sum[i] = Of::subtract(odd.sum[i], Of::odd(leaves[i]));
        }
        const int y = first + k - (size - 1);
        if (k >= size - 1)
            store_means<size>(out + y * out_pitch + 16 * static_cast<ptrdiff_t>(word), even, odd,
                              gives && y < height - border, from, below);
    }
}

/* Any shape: a pixel a thread. */
template <int size>
__global__ void mean_pixels(const uint8_t *in, size_t in_pitch, uint8_t *out, size_t out_pitch, int width,
                            int height) {
    const int border = size / 2;
    const int x = blockIdx.x * blockDim.x + threadIdx.x + border;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + border;
    if (x >= width - border || y >= height - border) return;
    int sum = 0;
    for (int dy = -border; dy <= border; dy++)
        for (int dx = -border; dx <= border; dx++) sum += in[(y + dy) * in_pitch + x + dx];
    out[y * out_pitch + x] = static_cast<uint8_t>(sum / (size * size));
}

template <int size>
cudaError_t mean_u8(const uint8_t *in, size_t in_pitch, uint8_t *out, size_t out_pitch, size_t width,
                    size_t height, cudaStream_t stream) {
    if (width < size || height < size) return cudaSuccess;
    if (!in || !out || in_pitch < width || out_pitch < width || width > 1u << 30 || height > 1u << 20)
        return cudaErrorInvalidValue;
    const int w = static_cast<int>(width), h = static_cast<int>(height), inner = h - 2 * (size / 2);
    const dim3 by_words(blocks_of(width / 16, MEAN_WORDS), blocks_of(inner, MeanOf<size>::rows * MEAN_DOWN));
    const bool words = !beyond_word(in) && !beyond_word(out) && (in_pitch | out_pitch | width) % 16 == 0;
    if (words && by_words.y <= 65535) {
        mean_words<size><<<by_words, dim3(32, MEAN_DOWN), 0, stream>>>(in, in_pitch, out, out_pitch, w, h);
    } else {
        const dim3 blocks(blocks_of(width, 32), blocks_of(inner, 32));
        if (blocks.y > 65535) return cudaErrorInvalidValue;
        mean_pixels<size><<<blocks, dim3(32, 32), 0, stream>>>(in, in_pitch, out, out_pitch, w, h);
    }
    return cudaGetLastError();
}

} // namespace wgk
