/*
 * transpose_i32: the last step of transpose: tiles of 64 x 64, words of 16 bytes, no bank conflicts without
 * padding, and blocks in the order of the output.
 *
 *   - Each thread loads a square of 4 x 4 values as four words, transposes it in registers, and stores four
 *     words into the tile. Loads and stores of global memory are runs of 256 bytes.
 *   - Word w of the tile's row c lies at place w ^ (c / 4): eight lanes that store down a column, and eight
 *     that load along a row, then touch all 32 banks. (An XOR instead of padding keeps words aligned.)
 *   - Neighbouring blocks write neighbouring columns of a row of `out`. Rows of `in` in turn cost 3 % more:
 *     memory likes it better when what is written lies together than when what is read does.
 */
#pragma once
#include "../words.cuh"

namespace wgk {

static const int transpose_tile = 64;

__global__ void __launch_bounds__(256)
    transpose_words(const int32_t *in, size_t in_stride, int32_t *out, size_t out_stride, unsigned rows,
                    unsigned columns, unsigned tile_rows) {
    const int words = transpose_tile / 4;
    __shared__ int4 part[transpose_tile * words];
    const unsigned first_row = blockIdx.x % tile_rows * transpose_tile;
    const unsigned first_column = blockIdx.x / tile_rows * transpose_tile;
    const int across = threadIdx.x % words, down = threadIdx.x / words;

    int4 x[4];
    const unsigned column = first_column + 4 * across;
    for (int k = 0; k < 4; k++) {
        const unsigned row = first_row + 4 * down + k;
        x[k] = row < rows && column < columns ? *reinterpret_cast<const int4 *>(&in[row * in_stride + column])
                                              : make_int4(0, 0, 0, 0);
    }
    int4 *to = part + 4 * across * words + (down ^ across);
    to[0 * words] = make_int4(x[0].x, x[1].x, x[2].x, x[3].x);
    to[1 * words] = make_int4(x[0].y, x[1].y, x[2].y, x[3].y);
    to[2 * words] = make_int4(x[0].z, x[1].z, x[2].z, x[3].z);
    to[3 * words] = make_int4(x[0].w, x[1].w, x[2].w, x[3].w);
    __syncthreads();

    const unsigned out_column = first_row + 4 * across;
    for (int k = 0; k < 4; k++) {
        const int c = down + words * k;
        if (first_column + c < columns && out_column < rows)
            *reinterpret_cast<int4 *>(&out[(first_column + c) * out_stride + out_column]) =
                part[c * words + (across ^ c / 4)];
    }
}

/* Any shape: the padded step of transpose.cu, four values a thread. */
__global__ void transpose_values(const int32_t *in, size_t in_stride, int32_t *out, size_t out_stride,
                                 unsigned rows, unsigned columns, unsigned tile_rows) {
    __shared__ int32_t part[32][33];
    const unsigned first_row = blockIdx.x % tile_rows * 32, first_column = blockIdx.x / tile_rows * 32;
    const unsigned column = first_column + threadIdx.x, out_column = first_row + threadIdx.x;
    for (unsigned k = threadIdx.y; k < 32; k += blockDim.y)
        if (first_row + k < rows && column < columns)
            part[k][threadIdx.x] = in[(first_row + k) * in_stride + column];
    __syncthreads();
    for (unsigned k = threadIdx.y; k < 32; k += blockDim.y)
        if (first_column + k < columns && out_column < rows)
            out[(first_column + k) * out_stride + out_column] = part[threadIdx.x][k];
}

inline cudaError_t transpose_i32(const int32_t *in, size_t in_stride, int32_t *out, size_t out_stride,
                                 size_t rows, size_t columns, cudaStream_t stream) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    if (!in || !out || in_stride < columns || out_stride < rows || rows > 0x7fffffff || columns > 0x7fffffff)
        return cudaErrorInvalidValue;
    const bool words =
        !beyond_word(in) && !beyond_word(out) && (in_stride | out_stride | rows | columns) % 4 == 0;
    const unsigned tile = words ? transpose_tile : 32;
    const unsigned tile_rows = blocks_of(rows, tile), tile_columns = blocks_of(columns, tile);
    const unsigned blocks = blocks_of(static_cast<size_t>(tile_rows) * tile_columns, 1);
    if (!blocks) return cudaErrorInvalidValue;
    const unsigned r = static_cast<unsigned>(rows), c = static_cast<unsigned>(columns);
    if (words)
        transpose_words<<<blocks, 256, 0, stream>>>(in, in_stride, out, out_stride, r, c, tile_rows);
    else
        transpose_values<<<blocks, dim3(32, 8), 0, stream>>>(in, in_stride, out, out_stride, r, c, tile_rows);
    return cudaGetLastError();
}

} // namespace wgk
