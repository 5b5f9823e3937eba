/*
 * mean_u8: the last step of mean_filter: 16 pixels a thread and several rows, two sums in each register.
 *
 *     row      p3 p2 p1 p0          one word, four pixels
 *     even     00 p2 00 p0          odd  00 p3 00 p1       two sums of 16 bits a register: no carry can cross
 *
 *   - down:    the sums of the rows so far; the row that comes is added, the one that leaves taken away
 *   - across:  neighbours of the even pixels are the odd ones as they stand and shifted by one, which is a
 *              permutation of bytes (`prmt`)
 *   - divide:  by 9 or 25 as a multiplication and a byte taken out; exact for every sum that can be
 *
 * 5 (3x3) and 6 (5x5) instructions for a pixel, where a load for each neighbour needs 30 and 80. Memory is
 * then what bounds it: the image once in, once out.
 */
#pragma once
#include "../words.cuh"

namespace wgk {

/* What a size of the square asks: rows a thread, threads across and down a block. */
template <int size> struct MeanShape;
template <> struct MeanShape<3> {
    static const int rows = 4, across = 32, down = 4;
    /* floor(x / 9) = x * low >> 24 for x <= 9 * 255; and of a register's upper half, times high, byte 1. */
    static const uint32_t low = 1864192, high = 1864136;
};
template <> struct MeanShape<5> {
    static const int rows = 8, across = 128, down = 1;
    static const uint32_t low = 671104, high = 671089; /* floor(x / 25), x <= 25 * 255 */
};

__device__ inline uint32_t even_pixels(uint32_t word) { return word & 0x00ff00ffu; }
__device__ inline uint32_t odd_pixels(uint32_t word) { return __byte_perm(word, 0, 0x4341); }
/* The two 16-bit numbers in the middle of b:a. */
__device__ inline uint32_t middle(uint32_t a, uint32_t b) { return __byte_perm(a, b, 0x5432); }

/* A row's 16 pixels in four words; the fifth has the two pixels before them above the two behind. */
__device__ inline void load_row(uint32_t (&w)[5], const uint8_t *p, bool has_left, bool has_right) {
    const uint4 v = *reinterpret_cast<const uint4 *>(p);
    const uint32_t left = has_left ? *reinterpret_cast<const uint32_t *>(p - 4) : 0;
    const uint32_t right = has_right ? *reinterpret_cast<const uint32_t *>(p + 16) : 0;
    w[0] = v.x, w[1] = v.y, w[2] = v.z, w[3] = v.w;
    w[4] = __byte_perm(right, left, 0x7610);
}

/* Means of the four pixels of word i, from the sums down the columns. */
template <int size>
__device__ inline uint32_t means(const uint32_t (&even)[5], const uint32_t (&odd)[5], int i) {
    typedef MeanShape<size> Shape;
    const int left = (i + 4) % 5, right = i + 1;
    const uint32_t odd_before = middle(odd[left], odd[i]), even_behind = middle(even[i], even[right]);
    uint32_t of_even = odd_before + even[i] + odd[i], of_odd = even[i] + odd[i] + even_behind;
    if (size == 5) {
        of_odd = of_even + even_behind + middle(odd[i], odd[right]);
        of_even = of_even + even_behind + middle(even[left], even[i]);
    }
    const uint32_t q0 = (of_even & 0xffff) * Shape::low, q1 = (of_odd & 0xffff) * Shape::low; /* in byte 3 */
    const uint32_t q2 = __umulhi(of_even, Shape::high), q3 = __umulhi(of_odd, Shape::high);   /* in byte 1 */
    return __byte_perm(__byte_perm(q0, q1, 0x0073), __byte_perm(q2, q3, 0x0051), 0x5410);
}

template <int size>
__global__ void __launch_bounds__(MeanShape<size>::across *MeanShape<size>::down)
    mean_words(const uint8_t *__restrict__ in, size_t in_pitch, uint8_t *__restrict__ out, size_t out_pitch,
               int width, int height) {
    typedef MeanShape<size> Shape;
    const int border = size / 2, rows = Shape::rows;
    const int wanted = (blockIdx.x * Shape::across + threadIdx.x) * 16;
    const int x = wanted < width ? wanted : width - 16; /* the others load what is there and store nothing */
    const int first = (blockIdx.y * Shape::down + threadIdx.y) * rows + border;
    const bool has_left = x > 0, has_right = x + 16 < width;

    uint32_t w[rows + size - 1][5], even[5] = {}, odd[5] = {};
#pragma unroll
    for (int k = 0; k < rows + size - 1; k++)
        load_row(w[k], in + static_cast<size_t>(min(first - border + k, height - 1)) * in_pitch + x, has_left,
                 has_right);
#pragma unroll
    for (int k = 0; k < rows + size - 1; k++) {
        const int leaves = k - size, y = first + k - (size - 1);
#pragma unroll
        for (int i = 0; i < 5; i++) {
            even[i] += even_pixels(w[k][i]) - (leaves < 0 ? 0 : even_pixels(w[leaves < 0 ? 0 : leaves][i]));
            odd[i] += odd_pixels(w[k][i]) - (leaves < 0 ? 0 : odd_pixels(w[leaves < 0 ? 0 : leaves][i]));
        }
        if (k < size - 1 || y >= height - border || wanted >= width) continue;
        const uint32_t q[4] = {means<size>(even, odd, 0), means<size>(even, odd, 1),
                               means<size>(even, odd, 2), means<size>(even, odd, 3)};
        uint8_t *to = out + y * out_pitch + x;
        if (has_left && has_right)
            *reinterpret_cast<uint4 *>(to) = make_uint4(q[0], q[1], q[2], q[3]);
        else
#pragma unroll
            for (int j = 0; j < 16; j++)
                if (x + j >= border && x + j < width - border) to[j] = q[j / 4] >> 8 * (j % 4);
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
    typedef MeanShape<size> Shape;
    if (width < size || height < size) return cudaSuccess;
    if (!in || !out || in_pitch < width || out_pitch < width || width > 1u << 30 || height > 1u << 20)
        return cudaErrorInvalidValue;
    const int w = static_cast<int>(width), h = static_cast<int>(height), inner = h - 2 * (size / 2);
    if (!beyond_word(in) && !beyond_word(out) && (in_pitch | out_pitch | width) % 16 == 0) {
        const dim3 blocks(blocks_of(width / 16, Shape::across), blocks_of(inner, Shape::rows * Shape::down));
        mean_words<size>
            <<<blocks, dim3(Shape::across, Shape::down), 0, stream>>>(in, in_pitch, out, out_pitch, w, h);
    } else {
        const dim3 blocks(blocks_of(width, 32), blocks_of(inner, 32));
        if (blocks.y > 65535) return cudaErrorInvalidValue;
        mean_pixels<size><<<blocks, dim3(32, 32), 0, stream>>>(in, in_pitch, out, out_pitch, w, h);
    }
    return cudaGetLastError();
}

} // namespace wgk
