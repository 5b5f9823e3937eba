// The sentence on a whole kernel follows what binds it. What the lines before a kernel's head mean: pairs.py.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    if (cudaError_t e = (call)) {                                                                            \
        printf("%s: %s\n", #call, cudaGetErrorString(e));                                                    \
        exit(1);                                                                                             \
    }

const int n = 1 << 18;

/* Arithmetic, and one store. */
//! headline "Compute-bound"
//! headline not "wasted"
//! silent
__global__ void iterate(float *out, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-6f, y = x;
    for (int t = 0; t < turns; t++) x = x * x - y, y = y * 0.5f + x;
    out[i] = x;
}
/* The same, with a store that wastes most of its sectors: that is not what takes the time. */
//! headline "Compute-bound: the schedulers are busy."
//! headline "of the 262,144 sectors moved were unused"
//! headline not "Memory-bound"
__global__ void iterate_apart(float *out, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-6f, y = x;
    for (int t = 0; t < turns; t++) x = x * x - y, y = y * 0.5f + x;
    out[8 * i] = x;
}
/* A quarter of the lanes does all the work. */
//! headline "Compute-bound: the schedulers are busy, with 8"
//! says divergent_branches "whole warps take the same path"
__global__ void iterate_some(float *out, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-6f, y = x;
    if (i % 4 == 0)
        for (int t = 0; t < turns; t++) x = x * x - y, y = y * 0.5f + x;
    out[i] = x + y;
}
//! headline "Compute-bound: the schedulers are busy."
//! not divergent_branches
__global__ void iterate_some_warps(float *out, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-6f, y = x;
    if (i / 32 % 2 == 0)
        for (int t = 0; t < turns; t++) x = x * x - y, y = y * 0.5f + x;
    out[i] = x + y;
}

//! headline "1 of 132 SMs at work"
//! headline not "wasted"
__global__ void one_block(float *out, int turns) {
    for (int t = 0; t < turns; t++)
        for (int i = threadIdx.x; i < n / 16; i += blockDim.x) out[i] = out[i] * 0.5f + 1;
}
//! headline "Limited by atomics"
//! headline not "wasted"
__global__ void all_add(int *sum, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&sum[in[i] & 1], i);
}
//! headline "Limited by block scheduling"
__global__ void tiny_blocks(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

/* All threads read the same words: that is what L1 is for. */
//! headline "Compute-bound"
//! headline not "loaded"
//! not repeated_loads
__global__ void all_pairs(const float *in, float *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0, mine = in[i];
    for (int k = 0; k < count; k++) {
        float d = in[k] - mine, r = d * d + 1;
        sum += d / r + r * d - d * 0.5f * r + (r - d) * (r + d);
    }
    out[i] = sum;
}

/* Memory is what binds: as before. */
//! headline "Nothing wasted"
//! silent
__global__ void copy(const float4 *in, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
//! headline "Memory-bound: 78 % of"
__global__ void copy_apart(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[8 * i];
}

/* Warps that wait at barriers: the schedulers issue in a third of the cycles. */
//! headline "Latency-bound"
//! headline not "busy"
__global__ void sum_by_halves(const float *in, float *out) {
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = in[i];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

template <class T> T *memory(size_t count) {
    T *p;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    CHECK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

int main() {
    float *in = memory<float>(8 * n), *out = memory<float>(8 * n);
    iterate<<<n / 256, 256>>>(out, 200);
    iterate_apart<<<n / 256, 256>>>(out, 200);
    iterate_some<<<n / 256, 256>>>(out, 400);
    iterate_some_warps<<<n / 256, 256>>>(out, 400);
    one_block<<<1, 256>>>(out, 4);
    all_pairs<<<n / 256, 256>>>(in, out, 64);
    all_add<<<n / 256, 256>>>(memory<int>(2), memory<int>(n));
    tiny_blocks<<<n / 32, 32>>>(out);
    copy<<<n / 128, 256>>>(reinterpret_cast<float4 *>(in), reinterpret_cast<float4 *>(out));
    copy_apart<<<n / 256, 256>>>(in, out);
    sum_by_halves<<<n / 32, 256>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
