/* launches: every wrong launch and the code it gets; what is sticky and what is not; and that good ones work
 * after. */
#include "program.h"

__global__ void nothing() {}
__global__ void store(int *p, int v) { *p = v; }
__global__ void __launch_bounds__(128) bounded(int *p) {
    if (threadIdx.x == blockDim.x - 1) *p = threadIdx.x;
}
__global__ void big_static(int *p) {
    __shared__ int t[12000];
    t[threadIdx.x] = *p;
    __syncthreads();
    *p = t[(threadIdx.x + 1) % blockDim.x];
}
__global__ void dynamic(int *p) {
    extern __shared__ int t[];
    t[threadIdx.x] = *p;
    __syncthreads();
    if (threadIdx.x == 0) *p = t[0] + 1;
}

static const char *say(cudaError_t e) { return cudaGetErrorName(e); }
/* What the launch left behind, what waiting says, and that it is forgotten after. */
static void result(const char *name) {
    cudaError_t peeked = cudaPeekAtLastError(), waited = cudaDeviceSynchronize(), last = cudaGetLastError();
    printf("%s: %s, waiting %s, last %s, then %s\n", name, say(peeked), say(waited), say(last),
           say(cudaGetLastError()));
}
#define TRY(...)                                                                                             \
    __VA_ARGS__;                                                                                             \
    result(#__VA_ARGS__)

int main() {
    int *p, v = 3, device = -1;
    CALL(cudaMalloc(&p, sizeof(int)));
    TRY(nothing<<<1, 1>>>());
    TRY(nothing<<<0, 1>>>());
    TRY(nothing<<<1, 0>>>());
    TRY(nothing<<<1, dim3(1, 0, 1)>>>());
    TRY(nothing<<<dim3(1, 1, 0), 1>>>());
    TRY(nothing<<<1, 1024>>>());
    TRY(nothing<<<1, 1025>>>());
    TRY(nothing<<<1, 2000>>>());
    TRY(nothing<<<1, dim3(33, 32)>>>());
    TRY(nothing<<<1, dim3(1, 1, 64)>>>());
    TRY(nothing<<<1, dim3(1, 1, 65)>>>());
    TRY(nothing<<<dim3(1, 65535), 1>>>());
    TRY(nothing<<<dim3(1, 65536), 1>>>());
    TRY(nothing<<<dim3(1, 1, 65536), 1>>>());
    TRY(nothing<<<0x80000000u, 1>>>());
    TRY(nothing<<<1, 1, 49152>>>());
    TRY(nothing<<<1, 1, 49153>>>());
    TRY(bounded<<<1, 128>>>(p));
    TRY(bounded<<<1, 129>>>(p));
    TRY(big_static<<<1, 32>>>(p));
    TRY(big_static<<<1, 32, 1152>>>(p));
    TRY(big_static<<<1, 32, 1153>>>(p));
    TRY(dynamic<<<1, 32, 100000>>>(p));
    CALL(cudaFuncSetAttribute((const void *)dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    TRY(dynamic<<<1, 32, 232448>>>(p));
    TRY(dynamic<<<1, 32, 232449>>>(p));
    printf("attribute too large: %s\n",
           say(cudaFuncSetAttribute((const void *)dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    232449)));
    printf("with static: %s\n",
           say(cudaFuncSetAttribute((const void *)big_static, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    232448)));
    printf("last %s\n", say(cudaGetLastError()));
    void *args[] = {&p, &v};
    TRY(cudaLaunchKernel((const void *)store, dim3(1), dim3(1), args, 0, 0));
    TRY(cudaLaunchKernel(nullptr, dim3(1), dim3(1), args, 0, 0));
    TRY(cudaLaunchKernel((const void *)&v, dim3(1), dim3(1), args, 0, 0));
    TRY(cudaLaunchCooperativeKernel((const void *)nothing, dim3(132 * 32), dim3(32), nullptr, 0, 0));
    TRY(cudaLaunchCooperativeKernel((const void *)nothing, dim3(132 * 32 + 1), dim3(32), nullptr, 0, 0));
    TRY(cudaLaunchCooperativeKernel((const void *)nothing, dim3(132 * 2 + 1), dim3(1024), nullptr, 0, 0));
    printf("set device 1: %s\n", say(cudaSetDevice(1)));
    printf("set device -1: %s\n", say(cudaSetDevice(-1)));
    CALL(cudaGetDevice(&device));
    printf("device %d, last %s\n", device, say(cudaGetLastError()));

    /* An error of an earlier launch is not lost by good ones after it. */
    nothing<<<1, 2000>>>();
    store<<<1, 1>>>(p, 8);
    CALL(cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost));
    printf("stored %d, last %s\n", v, say(cudaGetLastError()));
    cudaMemcpy(nullptr, p, 4, cudaMemcpyDeviceToHost);
    nothing<<<1, 2000>>>();
    printf("the later one: %s\n", say(cudaGetLastError()));

    int blocks = 0;
    size_t bytes = 0;
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big_static, 128, 0));
    CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, big_static, 2, 128));
    printf("%d blocks, %zu bytes\n", blocks, bytes);
    cudaFuncAttributes a;
    CALL(cudaFuncGetAttributes(&a, big_static));
    printf("%zu static, %d threads, %d dynamic\n", a.sharedSizeBytes, a.maxThreadsPerBlock,
           a.maxDynamicSharedSizeBytes);
    CALL(cudaFuncGetAttributes(&a, bounded));
    printf("%zu static, %d threads\n", a.sharedSizeBytes, a.maxThreadsPerBlock);
    return 0;
}
