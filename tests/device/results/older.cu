/* What CUDA 12 and older programs write, and CUDA 13 has no more. */
#include "check.h"

__global__ void five(int *p) { *p = 5; }

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
    CHECK(cudaThreadExit() == cudaSuccess);
    return finish();
}
