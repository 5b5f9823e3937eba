/* What CUDA 12 and older programs write, and CUDA 13 has no more. */
#include "check.h"

__global__ void five(int *p) { *p = 5; }

/* Without a mask: the lanes that are there. The second warp has 8. */
__global__ void warps(int *sum, float *scan, unsigned *votes) {
    int v = threadIdx.x % 32;
    for (int by = 16; by; by /= 2) v += __shfl_xor(v, by);
    float before = __shfl_up(1.5f * threadIdx.x, 1);
    double wide = __shfl(threadIdx.x + 0.25, 3);
    if (threadIdx.x < 32) sum[threadIdx.x] = v + __shfl_down((int)threadIdx.x, 1, 4) + (wide == 3.25);
    scan[threadIdx.x] = before;
    if (threadIdx.x % 2)
        votes[threadIdx.x] =
            __ballot(threadIdx.x % 3 == 0) + (__any(threadIdx.x == 1) ? 1u << 31 : 0) * !__all(0);
}

int main() {
    int *p;
    size_t size = 0;
    cudaFuncCache cache;
    CHECK(cudaMallocManaged(&p, 4) == cudaSuccess);
    five<<<1, 1>>>(p);
    CHECK(cudaThreadSynchronize() == cudaSuccess && *p == 5);
    CHECK(cudaMemAdvise(p, 4, cudaMemAdviseSetPreferredLocation, 0) == cudaSuccess);
    CHECK(cudaMemPrefetchAsync(p, 4, 0, NULL) == cudaSuccess);
    CHECK(cudaMemAdvise(p, 4, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId) == cudaSuccess);
    CHECK(cudaMemPrefetchAsync(p, 4, cudaCpuDeviceId) == cudaSuccess);
    CHECK(cudaMemPrefetchAsync(p, 4, 7) == cudaErrorInvalidDevice && *p == 5);
    CHECK(cudaThreadSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
    CHECK(cudaThreadGetLimit(&size, cudaLimitStackSize) == cudaSuccess && size >= 4096);
    CHECK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
    CHECK(cudaThreadGetCacheConfig(&cache) == cudaSuccess);
    int *sum;
    float *scan;
    unsigned *votes;
    CHECK(cudaMallocManaged(&sum, 32 * 4) == cudaSuccess && cudaMallocManaged(&scan, 40 * 4) == cudaSuccess);
    CHECK(cudaMallocManaged(&votes, 40 * 4) == cudaSuccess);
    warps<<<1, 40>>>(sum, scan, votes);
    CHECK(cudaThreadSynchronize() == cudaSuccess);
    CHECK(sum[0] == 496 + 1 + 1 && sum[3] == 496 + 3 + 1 && sum[30] == 496 + 31 + 1);
    CHECK(scan[5] == 6 && scan[39] == 57);
    CHECK(votes[1] == (0x08208208u | 1u << 31) && votes[39] == 0x82u);
    cudaDeviceProp p_;
    CHECK(cudaGetDeviceProperties(&p_, 0) == cudaSuccess);
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0) == cudaSuccess && p_.clockRate == value &&
          value > 0);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, 0) == cudaSuccess &&
          p_.memoryClockRate == value);
    CHECK(p_.deviceOverlap == 1 && p_.computeMode == cudaComputeModeDefault && !p_.kernelExecTimeoutEnabled);
    CHECK(cudaThreadExit() == cudaSuccess);
    return finish();
}
