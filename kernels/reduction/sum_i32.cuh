/*
 * sum_i32: the last step of reduction: one pass, eight words of 16 bytes under way in each thread, and one
 * addition to global memory for each block of 64 KB.
 *
 * What the six steps before are about, who adds when in shared memory, is 1 % of the time: 512 threads come
 * down to 16 values by `redux.sync`, one instruction a warp, and to one by the same once more. The rest is
 * memory: 128 bytes a thread in flight are more than the 40 KB that an SM needs under way.
 */
#pragma once
#include "../words.cuh"

namespace wgk {

static const int sum_threads = 512, sum_words = 8;

__global__ void __launch_bounds__(sum_threads) sum_blocks(const int32_t *values, Words w, unsigned *sum) {
    const int4 *from = reinterpret_cast<const int4 *>(values + w.head);
    const size_t first = blockIdx.x * static_cast<size_t>(sum_threads * sum_words) + threadIdx.x;
    int4 x[sum_words];
    for (int k = 0; k < sum_words; k++)
        x[k] = first + k * sum_threads < w.words ? __ldcs(from + first + k * sum_threads)
                                                 : make_int4(0, 0, 0, 0);
    unsigned mine = 0;
    for (int k = 0; k < sum_words; k++) mine += static_cast<unsigned>(x[k].x) + x[k].y + x[k].z + x[k].w;
    if (blockIdx.x == 0 && threadIdx.x < w.head + w.tail) mine += values[w.single(threadIdx.x)];

    __shared__ unsigned of_warp[sum_threads / 32];
    mine = __reduce_add_sync(~0u, mine);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = __reduce_add_sync(~0u, threadIdx.x < sum_threads / 32 ? of_warp[threadIdx.x] : 0u);
        if (threadIdx.x == 0) atomicAdd(sum, mine);
    }
}

inline cudaError_t sum_i32(const int32_t *values, size_t n, int32_t *sum, cudaStream_t stream) {
    if (!sum || (n && !values)) return cudaErrorInvalidValue;
    const Words w = words_of(values, n);
    const unsigned blocks = blocks_of(w.words, sum_threads * sum_words);
    if (w.words && !blocks) return cudaErrorInvalidValue;
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum, stream);
    if (error != cudaSuccess || n == 0) return error;
    sum_blocks<<<blocks ? blocks : 1, sum_threads, 0, stream>>>(values, w, reinterpret_cast<unsigned *>(sum));
    return cudaGetLastError();
}

} // namespace wgk
