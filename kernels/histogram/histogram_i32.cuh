/*
 * histogram_i32: the last steps of histogram. Which one is taken depends on how many bins a block can hold.
 *
 *   histogram_lanes    up to 256 bins: 32 copies, one for each lane, each in a bank of its own. Lanes never
 *                      meet, whatever the values are: not even when all of them are the same
 *   histogram_block    up to 56 K bins: one copy a block; random values collide 3.5 times a warp at worst
 * bank histogram_part     more: the bins are divided between neighbouring blocks that read the same values,
 * of which memory brings one copy and L2 the others
 *
 * Clusters, where a block counts in the shared memory of its neighbours, are the textbook's answer to many
 * bins. Here they lose at every size (docs/results): an addition to another block's memory costs several
 * times one to the block's own, and reading the values again from L2 costs less than that.
 */
#pragma once
#include "../words.cuh"

namespace wgk {

static const int histogram_threads = 1024, lane_bins = 256, histogram_most_parts = 8;

/* Calls count(value) for this thread's share of the values; `step` threads share them. Eight words are asked
 * for before the first is used. */
template <int words, class Count>
__device__ inline void each_value(const int32_t *values, Words w, size_t thread, size_t step, Count count) {
    const int4 *from = reinterpret_cast<const int4 *>(values + w.head);
    size_t i = thread;
    for (; i + (words - 1) * step < w.words; i += words * step) {
        int4 x[words];
#pragma unroll
        for (int k = 0; k < words; k++) x[k] = from[i + k * step];
#pragma unroll
        for (int k = 0; k < words; k++) count(x[k].x), count(x[k].y), count(x[k].z), count(x[k].w);
    }
    for (; i < w.words; i += step) {
        const int4 x = from[i];
        count(x.x), count(x.y), count(x.z), count(x.w);
    }
    for (size_t k = thread; k < w.head + w.tail; k += step) count(values[w.single(k)]);
}

__global__ void __launch_bounds__(histogram_threads)
    histogram_lanes(const int32_t *values, Words w, uint32_t *bins, unsigned bin_count) {
    extern __shared__ uint32_t counts[]; /* [bin][lane] */
    for (unsigned i = threadIdx.x; i < 32 * bin_count; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x % 32;
    each_value<4>(values, w, blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x,
                  static_cast<size_t>(gridDim.x) * blockDim.x, [&](int value) {
                      if (static_cast<unsigned>(value) < bin_count) atomicAdd(&counts[32 * value + lane], 1);
                  });
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < bin_count; bin += blockDim.x) {
        uint32_t sum = 0;
        for (unsigned k = 0; k < 32; k++) sum += counts[32 * bin + (bin + k) % 32];
        if (sum) atomicAdd(&bins[bin], sum);
    }
}

/* Block b counts the bins from b % parts * share on. With one part, all of them. */
template <int words>
__global__ void __launch_bounds__(histogram_threads)
    histogram_part(const int32_t *values, Words w, uint32_t *bins, unsigned bin_count, unsigned parts,
                   unsigned share) {
    extern __shared__ uint32_t counts[];
    const unsigned first = blockIdx.x % parts * share;
    const unsigned mine = first >= bin_count ? 0 : min(share, bin_count - first);
    for (unsigned i = threadIdx.x; i < mine; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    each_value<words>(values, w, blockIdx.x / parts * static_cast<size_t>(blockDim.x) + threadIdx.x,
                      static_cast<size_t>(gridDim.x / parts) * blockDim.x, [&](int value) {
                          const unsigned bin = static_cast<unsigned>(value) - first;
                          if (bin < mine) atomicAdd(&counts[bin], 1);
                      });
    __syncthreads();
    for (unsigned i = threadIdx.x; i < mine; i += blockDim.x)
        if (counts[i]) atomicAdd(&bins[first + i], counts[i]);
}

__global__ void histogram_global_words(const int32_t *values, Words w, uint32_t *bins, unsigned bin_count) {
    each_value<4>(values, w, blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x,
                  static_cast<size_t>(gridDim.x) * blockDim.x, [&](int value) {
                      if (static_cast<unsigned>(value) < bin_count) atomicAdd(&bins[value], 1);
                  });
}

struct HistogramDevice {
    int sms, shared_block, shared_sm;
};
inline cudaError_t histogram_device(HistogramDevice *d) {
    int device;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&d->sms, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(&d->shared_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(&d->shared_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    return e;
}

template <class Kernel, class... Args>
cudaError_t launch_histogram(Kernel kernel, unsigned blocks, size_t shared, cudaStream_t stream,
                             Args... args) {
    cudaError_t e =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    if (e != cudaSuccess) return e;
    kernel<<<blocks, histogram_threads, shared, stream>>>(args...);
    return cudaGetLastError();
}

inline cudaError_t histogram_i32(const int32_t *values, size_t n, uint32_t *bins, size_t bin_count,
                                 cudaStream_t stream) {
    HistogramDevice d;
    if (bin_count == 0) return cudaSuccess;
    if (!bins || (n && !values) || bin_count > 0x7fffffff) return cudaErrorInvalidValue;
    cudaError_t e = cudaMemsetAsync(bins, 0, bin_count * sizeof *bins, stream);
    if (e == cudaSuccess) e = histogram_device(&d);
    if (e != cudaSuccess || n == 0) return e;
    const Words w = words_of(values, n);
    const unsigned count = static_cast<unsigned>(bin_count);
    if (count <= lane_bins) {
        const size_t shared = 32 * count * sizeof *bins;
        return launch_histogram(histogram_lanes, 2 * d.sms, shared, stream, values, w, bins, count);
    }
    const unsigned most = d.shared_block / sizeof *bins, parts = count / most + (count % most != 0);
    if (parts > histogram_most_parts) {
        histogram_global_words<<<4 * d.sms, 512, 0, stream>>>(values, w, bins, count);
        return cudaGetLastError();
    }
    const unsigned share = count / parts + (count % parts != 0);
    const size_t shared = share * sizeof *bins;
    const bool two = 2 * (shared + 1024) <= static_cast<size_t>(d.shared_sm);
    const unsigned blocks = max(parts, (two ? 2 : 1) * d.sms / parts * parts);
    return parts == 1 ? launch_histogram(histogram_part<4>, blocks, shared, stream, values, w, bins, count,
                                         parts, share)
                      : launch_histogram(histogram_part<8>, blocks, shared, stream, values, w, bins, count,
                                         parts, share);
}

} // namespace wgk
