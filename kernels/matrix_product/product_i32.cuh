/*
 * product_i32: the last step of matrix_product for int: exact, modulo 2^32, by matrix instructions for bytes.
 *
 * a = a0 + 2^8 a1 + 2^16 a2 + 2^24 a3 in bytes, and so b. Modulo 2^32 ten of the sixteen products of bytes
 * matter:
 *
 *     c = a0 b0 + 2^8 (a0 b1 + a1 b0 + 2^8 (a0 b2 + a1 b1 + a2 b0 + 2^8 (a0 b3 + a1 b2 + a2 b1 + a3 b0)))
 *
 * read from the inside out: the four innermost products are added up in the accumulators, these are shifted
 * by 8, three more are added, and so on. It is one product with ten times the inner length, on units that do
 * 16 times what the integer units do; sums wrap modulo 2^32 as they should.
 *
 *   split_a, split_b   the bytes of each matrix in four planes, b's turned over, since the units want both
 * along k multiply_planes    128 x 256 of c in a block: one warp group asks the copy engine for tiles of 128
 * bytes of k, four stages ahead; two multiply. Two blocks share each tile of b: each loads half of it for
 * both (a cluster of two), which takes a third off what L2 has to give
 *
 * Needs sm_90a (WGK_SM90A); elsewhere the tiled step of matrix_product.cu does it.
 */
#pragma once
#include "../words.cuh"
#include "tiles.cuh"
#include "wgmma_u8.cuh"

namespace wgk {

enum {
    LIMB_M = 128,
    LIMB_N = 256,
    LIMB_K = 128,
    LIMB_STAGES = 4,
    LIMB_A_BYTES = LIMB_M * LIMB_K,
    LIMB_B_BYTES = LIMB_N * LIMB_K,
    LIMB_THREADS = 384,
    LIMB_SHARED = LIMB_STAGES * (LIMB_A_BYTES + LIMB_B_BYTES) + 1024,
};

/* Byte l of each of four values, as word l. */
__device__ inline void split4(const int32_t (&v)[4], uint32_t (&out)[4]) {
    const uint32_t low01 = __byte_perm(v[0], v[1], 0x5140), low23 = __byte_perm(v[2], v[3], 0x5140);
    const uint32_t high01 = __byte_perm(v[0], v[1], 0x7362), high23 = __byte_perm(v[2], v[3], 0x7362);
    out[0] = __byte_perm(low01, low23, 0x5410), out[1] = __byte_perm(low01, low23, 0x7632);
    out[2] = __byte_perm(high01, high23, 0x5410), out[3] = __byte_perm(high01, high23, 0x7632);
}

/* planes[l][row][k], rows of `padded` bytes, zeros behind the inner length. */
__global__ void split_a(const int32_t *a, size_t stride, uint8_t *planes, unsigned rows, unsigned inner,
                        unsigned padded) {
    const unsigned k = 4 * (blockIdx.x * blockDim.x + threadIdx.x), row = blockIdx.y;
    if (k >= padded) return;
    int32_t v[4];
    uint32_t out[4];
    for (int j = 0; j < 4; j++) v[j] = k + j < inner ? a[row * stride + k + j] : 0;
    split4(v, out);
    for (int l = 0; l < 4; l++)
        *reinterpret_cast<uint32_t *>(planes + (static_cast<size_t>(l) * rows + row) * padded + k) = out[l];
}

/* planes[l][column][k] of b. */
__global__ void __launch_bounds__(256) split_b(const int32_t *b, size_t stride, uint8_t *planes,
                                               unsigned columns, unsigned inner, unsigned padded) {
    __shared__ int32_t part[64][65];
    const unsigned first_k = blockIdx.y * 64, first = blockIdx.x * 64, across = threadIdx.x % 64;
    for (unsigned k = threadIdx.x / 64; k < 64; k += 4)
        part[k][across] =
            first_k + k < inner && first + across < columns ? b[(first_k + k) * stride + first + across] : 0;
    __syncthreads();
    const unsigned k = threadIdx.x % 16 * 4;
    for (unsigned c = threadIdx.x / 16; c < 64 && first + c < columns; c += 16) {
        const int32_t v[4] = {part[k][c], part[k + 1][c], part[k + 2][c], part[k + 3][c]};
        uint32_t out[4];
        split4(v, out);
        for (int l = 0; l < 4; l++)
            *reinterpret_cast<uint32_t *>(planes + (static_cast<size_t>(l) * columns + first + c) * padded +
                                          first_k + k) = out[l];
    }
}

/* What the units are told of a tile in shared memory: rows of 128 bytes, words of 16 swizzled by the row. */
__device__ inline uint64_t tile_descriptor(const void *tile) {
    return (shared_address(tile) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

struct LimbShape {
    unsigned rows, columns, padded, tile_rows, tile_columns;
};

/* All tiles of this block's product, in the order in which multiply() takes them. */
__device__ inline void load_limbs(const CUtensorMap *planes_a, const CUtensorMap *planes_b,
                                  const LimbShape &s, TilePlace place, char *a, char *b, uint64_t *full,
                                  uint64_t *empty, uint32_t rank) {
    unsigned step = 0;
    for (int sum = 3; sum >= 0; sum--)
        for (int limb = 0; limb <= sum; limb++)
            for (unsigned k = 0; k < s.padded; k += LIMB_K, step++) {
                const unsigned stage = step % LIMB_STAGES, half = LIMB_B_BYTES / 2;
                barrier_wait(&empty[stage], ~(step / LIMB_STAGES) & 1);
                barrier_expect(&full[stage], LIMB_A_BYTES + LIMB_B_BYTES);
                load_tile(a + stage * LIMB_A_BYTES, planes_a, k, limb * s.rows + place.row * LIMB_M,
                          &full[stage]);
                load_tile_for(b + stage * LIMB_B_BYTES + rank * half, planes_b, k,
                              (sum - limb) * s.columns + place.column * LIMB_N + rank * (LIMB_N / 2),
                              &full[stage], 3);
            }
}

/* This warp group is done with a stage of both blocks. */
__device__ inline void release_stage(uint64_t *empty, unsigned step) {
    if (threadIdx.x % 128 < 2) barrier_arrive_at(&empty[step % LIMB_STAGES], threadIdx.x % 128);
}

__device__ inline void multiply(int (&d)[128], const char *a, const char *b, unsigned steps_of_k,
                                uint64_t *full, uint64_t *empty) {
    unsigned step = 0;
    for (int sum = 3; sum >= 0; sum--) {
        for (unsigned i = 0; i < (sum + 1) * steps_of_k; i++, step++) {
            const unsigned stage = step % LIMB_STAGES;
            barrier_wait(&full[stage], step / LIMB_STAGES & 1);
            const uint64_t tile_a = tile_descriptor(a + stage * LIMB_A_BYTES);
            const uint64_t tile_b = tile_descriptor(b + stage * LIMB_B_BYTES);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
            for (int k = 0; k < LIMB_K / 32; k++) wgmma_u8(d, tile_a + 2 * k, tile_b + 2 * k);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
            if (i > 0) release_stage(empty, step - 1);
        }
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        release_stage(empty, step - 1);
        if (sum)
#pragma unroll
            for (int i = 0; i < 128; i++) {
                asm volatile("" : "+r"(d[i]));
                d[i] <<= 8;
            }
    }
}

__device__ inline void store_two(int32_t *c, size_t stride, unsigned row, unsigned column, const LimbShape &s,
                                 int x, int y) {
    if (row >= s.rows || column >= s.columns) return;
    int32_t *to = c + row * stride + column;
    if (column + 1 < s.columns && reinterpret_cast<uintptr_t>(to) % 8 == 0) {
        *reinterpret_cast<int2 *>(to) = make_int2(x, y);
    } else {
        to[0] = x;
        if (column + 1 < s.columns) to[1] = y;
    }
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(LIMB_THREADS, 1)
    multiply_planes(const __grid_constant__ CUtensorMap planes_a,
                    const __grid_constant__ CUtensorMap planes_b, int32_t *c, size_t c_stride, LimbShape s) {
#ifdef WGK_SM90A
    extern __shared__ char raw[];
    __shared__ uint64_t full[LIMB_STAGES], empty[LIMB_STAGES];
    char *a = raw + (1024 - shared_address(raw) % 1024) % 1024, *b = a + LIMB_STAGES * LIMB_A_BYTES;
    const TilePlace place = tile_place(blockIdx.x, s.tile_rows, s.tile_columns, 4);
    const unsigned group = threadIdx.x / 128;
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        for (int i = 0; i < LIMB_STAGES; i++) barrier_init(&full[i], 1), barrier_init(&empty[i], 4);
        barriers_ready();
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");

    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) load_limbs(&planes_a, &planes_b, s, place, a, b, full, empty, rank);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        int d[128] = {};
        multiply(d, a + (group - 1) * 64 * LIMB_K, b, s.padded / LIMB_K, full, empty);
        const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
        const unsigned row = place.row * LIMB_M + (group - 1) * 64 + warp * 16 + lane / 4;
        const unsigned column = place.column * LIMB_N + lane % 4 * 2;
#pragma unroll
        for (int j = 0; j < 32; j++) {
            store_two(c, c_stride, row, column + 8 * j, s, d[4 * j], d[4 * j + 1]);
            store_two(c, c_stride, row + 8, column + 8 * j, s, d[4 * j + 2], d[4 * j + 3]);
        }
    }
    /* The other block may still arrive at barriers of this one. */
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
#endif
}

/* Any device: tiles of 32 through shared memory. */
__global__ void product_tiles(const int32_t *a, size_t a_stride, const int32_t *b, size_t b_stride,
                              int32_t *c, size_t c_stride, unsigned rows, unsigned columns, unsigned inner) {
    __shared__ unsigned part_a[32][33], part_b[32][33];
    const unsigned row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    unsigned sum = 0;
    for (unsigned first = 0; first < inner; first += 32) {
        const unsigned along = first + threadIdx.x, down = first + threadIdx.y;
        part_a[threadIdx.y][threadIdx.x] = row < rows && along < inner ? a[row * a_stride + along] : 0;
        part_b[threadIdx.y][threadIdx.x] = down < inner && column < columns ? b[down * b_stride + column] : 0;
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += part_a[threadIdx.y][k] * part_b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * c_stride + column] = static_cast<int32_t>(sum);
}

inline cudaError_t product_by_limbs(const int32_t *a, size_t a_stride, const int32_t *b, size_t b_stride,
                                    int32_t *c, size_t c_stride, unsigned m, unsigned n, unsigned k,
                                    cudaStream_t stream) {
    LimbShape s = {m, n, (k + LIMB_K - 1) / LIMB_K * LIMB_K, blocks_of(m, 2 * LIMB_M) * 2,
                   blocks_of(n, LIMB_N)};
    const size_t bytes_a = static_cast<size_t>(4) * m * s.padded,
                 bytes_b = static_cast<size_t>(4) * n * s.padded;
    const unsigned blocks = blocks_of(static_cast<size_t>(s.tile_rows) * s.tile_columns, 1);
    CUtensorMap map_a, map_b;
    uint8_t *planes;
    if (!blocks || m > 65535u * 64 || k > 65535u * 64) return cudaErrorInvalidValue;
    cudaError_t e = cudaMallocAsync(reinterpret_cast<void **>(&planes), bytes_a + bytes_b, stream);
    if (e != cudaSuccess) return e;
    e = tile_map(&map_a, CU_TENSOR_MAP_DATA_TYPE_UINT8, planes, s.padded, static_cast<size_t>(4) * m,
                 s.padded, LIMB_K, LIMB_M, CU_TENSOR_MAP_SWIZZLE_128B);
    if (e == cudaSuccess)
        e = tile_map(&map_b, CU_TENSOR_MAP_DATA_TYPE_UINT8, planes + bytes_a, s.padded,
                     static_cast<size_t>(4) * n, s.padded, LIMB_K, LIMB_N / 2, CU_TENSOR_MAP_SWIZZLE_128B);
    if (e == cudaSuccess)
        e = cudaFuncSetAttribute(multiply_planes, cudaFuncAttributeMaxDynamicSharedMemorySize, LIMB_SHARED);
    if (e == cudaSuccess) {
        split_a<<<dim3(blocks_of(s.padded / 4, 256), m), 256, 0, stream>>>(a, a_stride, planes, m, k,
                                                                           s.padded);
        split_b<<<dim3(blocks_of(n, 64), s.padded / 64), 256, 0, stream>>>(b, b_stride, planes + bytes_a, n,
                                                                           k, s.padded);
        multiply_planes<<<blocks, LIMB_THREADS, LIMB_SHARED, stream>>>(map_a, map_b, c, c_stride, s);
        e = cudaGetLastError();
    }
    const cudaError_t freed = cudaFreeAsync(planes, stream);
    return e != cudaSuccess ? e : freed;
}

inline cudaError_t product_i32(const int32_t *a, size_t a_stride, const int32_t *b, size_t b_stride,
                               int32_t *c, size_t c_stride, size_t m, size_t n, size_t k,
                               cudaStream_t stream) {
    if (m == 0 || n == 0) return cudaSuccess;
    if (!c || (k && (!a || !b)) || a_stride < k || b_stride < n || c_stride < n || (m | n | k) > 1u << 24)
        return cudaErrorInvalidValue;
#ifdef WGK_SM90A
    if (k && m >= 64 && n >= 64)
        return product_by_limbs(a, a_stride, b, b_stride, c, c_stride, m, n, k, stream);
#endif
    const dim3 blocks(blocks_of(n, 32), blocks_of(m, 32));
    if (blocks.y > 65535) return cudaErrorInvalidValue;
    product_tiles<<<blocks, dim3(32, 32), 0, stream>>>(a, a_stride, b, b_stride, c, c_stride, m, n, k);
    return cudaGetLastError();
}

} // namespace wgk
