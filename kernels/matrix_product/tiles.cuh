/*
 * tiles.cuh: tiles of matrices by Hopper's copy engine: a thread asks for a tile, the engine writes it into
 * shared memory and counts its bytes at a barrier there, and no warp moves a value.
 *
 *     full     counts the bytes of a stage: consumers wait until its tile is there
 *     empty    counts the consumers that are done with a stage: the producer waits before it asks again
 *
 * Both are waited for by parity: the n-th round of a barrier ends with parity n % 2.
 */
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>

namespace wgk {

__device__ inline uint32_t shared_address(const void *p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void barrier_init(uint64_t *barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals));
}
/* After the last barrier_init: the copy engine and other blocks see them. */
__device__ inline void barriers_ready() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ inline void barrier_expect(uint64_t *barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ inline void barrier_arrive(uint64_t *barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
/* At the same barrier of block `rank` of the cluster. */
__device__ inline void barrier_arrive_at(uint64_t *barrier, int rank) {
    asm volatile(
        "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(shared_address(barrier)),
        "r"(rank)
        : "memory");
}
__device__ inline void barrier_wait(uint64_t *barrier, int parity) {
    asm volatile("{ .reg .pred done; again_%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; "
                 "@!done bra again_%=; }" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

/* The box of `map` at column x, row y. */
__device__ inline void load_tile(void *to, const CUtensorMap *map, int x, int y, uint64_t *barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier))
        : "memory");
}
/* The same into the blocks of the cluster that `mask` names, at the same place of each. */
__device__ inline void load_tile_for(void *to, const CUtensorMap *map, int x, int y, uint64_t *barrier,
                                     uint16_t mask) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
        "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)), "h"(mask)
        : "memory");
}

/* A matrix of rows x columns elements, rows `pitch` bytes apart, cut into boxes. What lies outside reads as
 * 0. */
inline cudaError_t tile_map(CUtensorMap *map, CUtensorMapDataType type, const void *base, size_t columns,
                            size_t rows, size_t pitch, unsigned box_columns, unsigned box_rows,
                            CUtensorMapSwizzle swizzle) {
    typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                               const cuuint64_t *, const cuuint32_t *, const cuuint32_t *,
                               CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                               CUtensorMapFloatOOBfill);
    void *encode = NULL;
    cudaDriverEntryPointQueryResult found;
    cudaError_t e =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found);
    if (e != cudaSuccess) return e;
    if (!encode) return cudaErrorNotSupported;
    const cuuint64_t size[] = {columns, rows}, stride[] = {pitch};
    const cuuint32_t box[] = {box_columns, box_rows}, every[] = {1, 1};
    const CUresult r = reinterpret_cast<Encode>(encode)(
        map, type, 2, const_cast<void *>(base), size, stride, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
        swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return r == CUDA_SUCCESS ? cudaSuccess : static_cast<cudaError_t>(r);
}

/* Which tile a block takes: bands of `band` tile rows, column by column inside, so that blocks that run
 * together share rows of a and columns of b in L2. */
struct TilePlace {
    unsigned row, column;
};
__device__ inline TilePlace tile_place(unsigned index, unsigned tile_rows, unsigned tile_columns,
                                       unsigned band) {
    const unsigned in_band = band * tile_columns, first = index / in_band * band, rest = index % in_band;
    const unsigned height = min(band, tile_rows - first);
    return {first + rest % height, rest / height};
}

} // namespace wgk
