/*
 * reverse_i32: the last step of reverse: a word of 16 bytes is turned in registers.
 *
 * Shared memory, which the steps before use to store in order, is not needed: the 32 lanes of a warp store
 * 512 bytes that lie together, and that they come in falling order costs nothing.
 */
#pragma once
#include "../words.cuh"

namespace wgk {

__global__ void reverse_words(const int32_t *in, int32_t *out, size_t n, Words w) {
    const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
    if (i < w.words) {
        const int4 x = reinterpret_cast<const int4 *>(in + w.head)[i];
        *reinterpret_cast<int4 *>(out + (n - w.head - 4 * i - 4)) = make_int4(x.w, x.z, x.y, x.x);
    } else if (i < w.threads()) {
        const size_t k = w.single(i - w.words);
        out[n - 1 - k] = in[k];
    }
}

inline cudaError_t reverse_i32(const int32_t *in, int32_t *out, size_t n, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    if (!in || !out) return cudaErrorInvalidValue;
    Words w = words_of(in, n);
    if (beyond_word(out + (n - w.head))) w = no_words(n);
    const unsigned blocks = blocks_of(w.threads(), 256);
    if (!blocks) return cudaErrorInvalidValue;
    reverse_words<<<blocks, 256, 0, stream>>>(in, out, n, w);
    return cudaGetLastError();
}

} // namespace wgk
