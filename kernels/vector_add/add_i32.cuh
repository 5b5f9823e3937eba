/*
 * add_i32: the last step of vector_add: 16 bytes a thread and nothing else.
 *
 * The kernel has one addition for 12 bytes, so all that matters is how memory is asked: whole words keep a
 * warp's request at 16 sectors, and blocks of 4 KB per array keep what is under way close together. More
 * words a thread, or a grid that stays, were tried and are no faster (docs/results).
 */
#pragma once
#include "../words.cuh"

namespace wgk {

__device__ inline int add_modulo(int a, int b) { return static_cast<int>(static_cast<unsigned>(a) + b); }

__global__ void add_words(const int32_t *a, const int32_t *b, int32_t *sum, Words w) {
    const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
    if (i < w.words) {
        const int4 x = reinterpret_cast<const int4 *>(a + w.head)[i];
        const int4 y = reinterpret_cast<const int4 *>(b + w.head)[i];
        reinterpret_cast<int4 *>(sum + w.head)[i] =
            make_int4(add_modulo(x.x, y.x), add_modulo(x.y, y.y), add_modulo(x.z, y.z), add_modulo(x.w, y.w));
    } else if (i < w.threads()) {
        const size_t k = w.single(i - w.words);
        sum[k] = add_modulo(a[k], b[k]);
    }
}

inline cudaError_t add_i32(const int32_t *a, const int32_t *b, int32_t *sum, size_t n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    if (!a || !b || !sum) return cudaErrorInvalidValue;
    const bool alike = beyond_word(a) == beyond_word(b) && beyond_word(a) == beyond_word(sum);
    const Words w = alike ? words_of(a, n) : no_words(n);
    const unsigned blocks = blocks_of(w.threads(), 256);
    if (!blocks) return cudaErrorInvalidValue;
    add_words<<<blocks, 256, 0, stream>>>(a, b, sum, w);
    return cudaGetLastError();
}

} // namespace wgk
