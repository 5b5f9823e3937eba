/*
 * split8_i32: the last step of array_of_structures: the array of structures becomes a structure of arrays
 * once, at the speed of a copy.
 *
 * A block of 64 threads takes 128 structures (4 KB). They come as words of 16 bytes in the order in which
 * they lie, half a structure each, go into shared memory as eight rows, and leave as words of one field. Rows
 * are 4 values longer than they need be: the two halves of a structure then lie 16 banks apart.
 */
#pragma once
#include "../words.cuh"

namespace wgk {

static const int split_threads = 64, split_structures = 2 * split_threads;

__global__ void __launch_bounds__(split_threads)
    split8_words(const int32_t *structures, int32_t *fields, size_t field_stride, size_t n) {
    __shared__ __align__(16) int32_t part[8][split_structures + 4];
    const size_t first = blockIdx.x * static_cast<size_t>(split_structures);
    const int4 *from = reinterpret_cast<const int4 *>(structures + 8 * first);

    int4 x[4];
    for (int k = 0; k < 4; k++) {
        const int i = threadIdx.x + k * split_threads;
        x[k] = first + i / 2 < n ? from[i] : make_int4(0, 0, 0, 0);
    }
    for (int k = 0; k < 4; k++) {
        const int i = threadIdx.x + k * split_threads, structure = i / 2, field = i % 2 * 4;
        part[field][structure] = x[k].x;
        part[field + 1][structure] = x[k].y;
        part[field + 2][structure] = x[k].z;
        part[field + 3][structure] = x[k].w;
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        const int i = threadIdx.x + k * split_threads, words = split_structures / 4;
        const int field = i / words, structure = i % words * 4;
        int32_t *to = fields + field * field_stride + first + structure;
        if (first + structure + 4 <= n)
            *reinterpret_cast<int4 *>(to) = *reinterpret_cast<const int4 *>(&part[field][structure]);
        else
            for (int j = 0; j < 4 && first + structure + j < n; j++) to[j] = part[field][structure + j];
    }
}

__global__ void split8_values(const int32_t *structures, int32_t *fields, size_t field_stride, size_t n) {
    const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
    if (i < n)
        for (int f = 0; f < 8; f++) fields[f * field_stride + i] = structures[8 * i + f];
}

inline cudaError_t split8_i32(const int32_t *structures, int32_t *fields, size_t field_stride, size_t n,
                              cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    if (!structures || !fields || field_stride < n) return cudaErrorInvalidValue;
    const bool words = !beyond_word(structures) && !beyond_word(fields) && field_stride % 4 == 0;
    const unsigned blocks = blocks_of(n, words ? split_structures : 256);
    if (!blocks) return cudaErrorInvalidValue;
    if (words)
        split8_words<<<blocks, split_threads, 0, stream>>>(structures, fields, field_stride, n);
    else
        split8_values<<<blocks, 256, 0, stream>>>(structures, fields, field_stride, n);
    return cudaGetLastError();
}

} // namespace wgk
