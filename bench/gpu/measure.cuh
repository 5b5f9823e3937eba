/*
 * measure.cuh: what the programs of bench/gpu share: errors that end them, random data, times.
 */
#pragma once
#include <algorithm>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CHECK(call) check((call), #call, __FILE__, __LINE__)
static inline void check(cudaError_t e, const char *call, const char *file, int line) {
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(e));
    exit(1);
}

__host__ __device__ static inline uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
__device__ static inline size_t each() { return blockIdx.x * size_t(blockDim.x) + threadIdx.x; }
__device__ static inline size_t all() { return size_t(gridDim.x) * blockDim.x; }

/* Below 0: any 32 bits. */
static __global__ void draw_values(int32_t *p, size_t n, uint32_t seed, uint32_t below) {
    for (size_t i = each(); i < n; i += all()) {
        const uint32_t x = mix(uint32_t(i) * 2654435761u + seed);
        p[i] = below ? int32_t(uint64_t(x) * below >> 32) : int32_t(x);
    }
}
/* From -1 to 1. */
static __global__ void draw_floats(float *p, size_t n, uint32_t seed) {
    for (size_t i = each(); i < n; i += all())
        p[i] = (mix(uint32_t(i) * 2654435761u + seed) >> 8) * (1.f / 8388608.f) - 1.f;
}

struct Times {
    float median, least; /* milliseconds */
};
/* Milliseconds between two events around a run. */
template <class Run> static float measure_once(Run run) {
    static cudaEvent_t from, to;
    float ms;
    if (!from) {
        CHECK(cudaEventCreate(&from));
        CHECK(cudaEventCreate(&to));
    }
    CHECK(cudaEventRecord(from));
    run();
    CHECK(cudaEventRecord(to));
    CHECK(cudaEventSynchronize(to));
    CHECK(cudaEventElapsedTime(&ms, from, to));
    return ms;
}
/* Of 15 runs after 3. */
template <class Run> static Times measure(Run run) {
    std::vector<float> ms(15);
    for (int i = 0; i < 3; i++) run();
    for (float &t : ms) t = measure_once(run);
    CHECK(cudaGetLastError());
    std::sort(ms.begin(), ms.end());
    return {ms[7], ms[0]};
}
