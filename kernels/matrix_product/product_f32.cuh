/*
 * product_f32: the last step of matrix_product for float, on the ordinary units, without tensor cores: each
 * product is rounded once (fma), sums go along k in order.
 *
 * 128 x 256 of c in a block of 8 warps; 8 x 16 of it in a thread: 128 fma for 24 values from shared memory.
 * Tiles of 32 rows of k come by the copy engine three stages deep, and thread 0, which asks for them, is one
 * of those that multiply: a ninth warp would cost each of the others 70 registers.
 *
 *   - a is transposed first (0.6 % of the time at 8192): both tiles then have k as rows, and a thread loads
 *     values of neighbouring rows of c as one word
 *   - values for the next k are loaded while this one's are multiplied
 *   - every second row of the 8 x 16 goes backwards: the value of b that was used last is used first again,
 * and comes from the operand cache
 */
#pragma once
#include "../transpose/transpose_i32.cuh"
#include "tiles.cuh"

namespace wgk {

enum {
    FLOAT_M = 128,
    FLOAT_N = 256,
    FLOAT_K = 32,
    FLOAT_STAGES = 3,
    FLOAT_THREADS = 256,
    FLOAT_A = FLOAT_M * FLOAT_K,
    FLOAT_B = FLOAT_N * FLOAT_K,
    FLOAT_SHARED = FLOAT_STAGES * (FLOAT_A + FLOAT_B) * 4 + 128,
};

struct FloatShape {
    unsigned rows, columns, inner, tile_rows, tile_columns;
};

__device__ inline void four(float *to, const float *from) {
    const float4 v = *reinterpret_cast<const float4 *>(from);
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

/* The thread's 8 values of a and 16 of b for row k of the tiles. */
__device__ inline void load_values(float (&x)[8], float (&y)[16], const float *a, const float *b, int k) {
#pragma unroll
    for (int i = 0; i < 2; i++) four(&x[4 * i], a + k * FLOAT_M + 32 * i);
#pragma unroll
    for (int j = 0; j < 4; j++) four(&y[4 * j], b + k * FLOAT_N + 16 * j);
}

__device__ inline void multiply_values(float (&sum)[8][16], const float (&x)[8], const float (&y)[16]) {
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int k = 0; k < 16; k++) {
            const int j = i % 2 ? 15 - k : k;
            sum[i][j] = fmaf(x[i], y[j], sum[i][j]);
        }
}

__global__ void __launch_bounds__(FLOAT_THREADS, 1)
    product_floats(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   float *c, size_t c_stride, FloatShape s) {
    extern __shared__ char raw[];
    __shared__ uint64_t full[FLOAT_STAGES], empty[FLOAT_STAGES];
    /* A generic address: nvcc 13 then keeps more of the addresses in registers, which is 3 % of the time. */
    float *a = reinterpret_cast<float *>((reinterpret_cast<uintptr_t>(raw) + 127) / 128 * 128);
    float *b = a + FLOAT_STAGES * FLOAT_A;
    const TilePlace place = tile_place(blockIdx.x, s.tile_rows, s.tile_columns, 8);
    const int steps = (s.inner + FLOAT_K - 1) / FLOAT_K;
    if (threadIdx.x == 0) {
        for (int i = 0; i < FLOAT_STAGES; i++)
            barrier_init(&full[i], 1), barrier_init(&empty[i], FLOAT_THREADS / 32);
        barriers_ready();
    }
    __syncthreads();
    auto ask = [&](int step) {
        const int stage = step % FLOAT_STAGES;
        barrier_expect(&full[stage], (FLOAT_A + FLOAT_B) * 4);
        load_tile(a + stage * FLOAT_A, &map_a, place.row * FLOAT_M, step * FLOAT_K, &full[stage]);
        load_tile(b + stage * FLOAT_B, &map_b, place.column * FLOAT_N, step * FLOAT_K, &full[stage]);
    };
    if (threadIdx.x == 0)
        for (int step = 0; step < FLOAT_STAGES && step < steps; step++) ask(step);

    /* A warp has 64 x 64: 8 lanes down, 4 across, each with 2 x 4 rows and 4 x 4 columns of it. */
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp % 2 * 64 + lane % 8 * 4, column = warp / 2 * 64 + lane / 8 * 4;
    float sum[8][16] = {}, x[2][8], y[2][16];
    barrier_wait(&full[0], 0);
    load_values(x[0], y[0], a + row, b + column, 0);
    for (int step = 0; step < steps; step++) {
        const int stage = step % FLOAT_STAGES, next = (step + 1) % FLOAT_STAGES;
        if (threadIdx.x == 0 && step >= 1 && step - 1 + FLOAT_STAGES < steps) {
            barrier_wait(&empty[(step - 1) % FLOAT_STAGES], (step - 1) / FLOAT_STAGES & 1);
            ask(step - 1 + FLOAT_STAGES);
        }
#pragma unroll
        for (int k = 0; k < FLOAT_K; k++) {
            if (k + 1 < FLOAT_K) {
                load_values(x[(k + 1) % 2], y[(k + 1) % 2], a + stage * FLOAT_A + row,
                            b + stage * FLOAT_B + column, k + 1);
            } else if (step + 1 < steps) {
                __syncwarp();
                if (lane == 0) barrier_arrive(&empty[stage]);
                barrier_wait(&full[next], (step + 1) / FLOAT_STAGES & 1);
                load_values(x[0], y[0], a + next * FLOAT_A + row, b + next * FLOAT_B + column, 0);
            }
            multiply_values(sum, x[k % 2], y[k % 2]);
        }
    }

    const bool words = c_stride % 4 == 0 && reinterpret_cast<uintptr_t>(c) % 16 == 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const unsigned r = place.row * FLOAT_M + row + i / 4 * 32 + i % 4;
        if (r >= s.rows) continue;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const unsigned q = place.column * FLOAT_N + column + 16 * j;
            float *to = c + r * c_stride + q;
            if (words && q + 4 <= s.columns)
                *reinterpret_cast<float4 *>(to) =
                    make_float4(sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2], sum[i][4 * j + 3]);
            else
#pragma unroll
                for (int e = 0; e < 4; e++)
                    if (q + e < s.columns) to[e] = sum[i][4 * j + e];
        }
    }
}

inline cudaError_t product_f32(const float *a, size_t a_stride, const float *b, size_t b_stride, float *c,
                               size_t c_stride, size_t m, size_t n, size_t k, cudaStream_t stream) {
    if (m == 0 || n == 0) return cudaSuccess;
    if (!c || (k && (!a || !b)) || a_stride < k || b_stride < n || c_stride < n || (m | n | k) > 1u << 20)
        return cudaErrorInvalidValue;
    if (k == 0) return cudaMemset2DAsync(c, c_stride * sizeof *c, 0, n * sizeof *c, m, stream);

    /* The copy engine wants rows on 16 bytes: a gets them as it is turned over, b where it has not. */
    const bool keep_b = !beyond_word(b) && b_stride % 4 == 0;
    const size_t a_row = (m + 3) / 4 * 4, b_row = keep_b ? b_stride : (n + 3) / 4 * 4;
    const FloatShape s = {static_cast<unsigned>(m), static_cast<unsigned>(n), static_cast<unsigned>(k),
                          blocks_of(m, FLOAT_M), blocks_of(n, FLOAT_N)};
    CUtensorMap map_a, map_b;
    float *turned;
    cudaError_t e = cudaMallocAsync(reinterpret_cast<void **>(&turned),
                                    (a_row * k + (keep_b ? 0 : b_row * k)) * sizeof *turned, stream);
    if (e != cudaSuccess) return e;
    const float *rows_b = keep_b ? b : turned + a_row * k;
    if (!keep_b)
        e = cudaMemcpy2DAsync(turned + a_row * k, b_row * sizeof *b, b, b_stride * sizeof *b, n * sizeof *b,
                              k, cudaMemcpyDeviceToDevice, stream);
    if (e == cudaSuccess)
        e = transpose_i32(reinterpret_cast<const int32_t *>(a), a_stride, reinterpret_cast<int32_t *>(turned),
                          a_row, m, k, stream); /* 4 bytes are 4 bytes */
    if (e == cudaSuccess)
        e = tile_map(&map_a, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, turned, m, k, a_row * 4, FLOAT_M, FLOAT_K,
                     CU_TENSOR_MAP_SWIZZLE_NONE);
    if (e == cudaSuccess)
        e = tile_map(&map_b, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rows_b, n, k, b_row * 4, FLOAT_N, FLOAT_K,
                     CU_TENSOR_MAP_SWIZZLE_NONE);
    if (e == cudaSuccess)
        e = cudaFuncSetAttribute(product_floats, cudaFuncAttributeMaxDynamicSharedMemorySize, FLOAT_SHARED);
    if (e == cudaSuccess) {
        product_floats<<<s.tile_rows * s.tile_columns, FLOAT_THREADS, FLOAT_SHARED, stream>>>(map_a, map_b, c,
                                                                                              c_stride, s);
        e = cudaGetLastError();
    }
    const cudaError_t freed = cudaFreeAsync(turned, stream);
    return e != cudaSuccess ? e : freed;
}

} // namespace wgk
