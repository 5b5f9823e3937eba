/* runtime_templates.h: the C++ side of the runtime API: typed pointers, kernels and symbols where C has void
 * *.
 *
 * Host code only, C++11. Each is the C function with casts, or a small search made of C calls. Example:
 *     float *p;
 *     cudaMalloc(&p, n);
 *     cudaFuncSetAttribute(kernel, ...);
 *     cudaLaunchKernelEx(&config, kernel, p, n);
 */
#ifndef WARPGLASS_RUNTIME_TEMPLATES_H
#define WARPGLASS_RUNTIME_TEMPLATES_H

#include "../cuda_runtime_api.h"

/* Memory. */
template <class __T> static inline cudaError_t cudaMalloc(__T **__pointer, size_t __bytes) {
    return ::cudaMalloc((void **)(void *)__pointer, __bytes);
}
template <class __T>
static inline cudaError_t cudaMallocHost(__T **__pointer, size_t __bytes,
                                         unsigned int __flags = cudaHostAllocDefault) {
    return ::cudaHostAlloc((void **)(void *)__pointer, __bytes, __flags);
}
static inline cudaError_t cudaMallocHost(void **__pointer, size_t __bytes, unsigned int __flags) {
    return ::cudaHostAlloc(__pointer, __bytes, __flags);
}
template <class __T>
static inline cudaError_t cudaHostAlloc(__T **__pointer, size_t __bytes, unsigned int __flags) {
    return ::cudaHostAlloc((void **)(void *)__pointer, __bytes, __flags);
}
template <class __T>
static inline cudaError_t cudaMallocManaged(__T **__pointer, size_t __bytes,
                                            unsigned int __flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void **)(void *)__pointer, __bytes, __flags);
}
template <class __T>
static inline cudaError_t cudaMallocPitch(__T **__pointer, size_t *__pitch, size_t __width, size_t __height) {
    return ::cudaMallocPitch((void **)(void *)__pointer, __pitch, __width, __height);
}
template <class __T>
static inline cudaError_t cudaMallocAsync(__T **__pointer, size_t __bytes, cudaStream_t __stream) {
    return ::cudaMallocAsync((void **)(void *)__pointer, __bytes, __stream);
}
template <class __T>
static inline cudaError_t cudaMallocAsync(__T **__pointer, size_t __bytes, cudaMemPool_t __pool,
                                          cudaStream_t __stream) {
    return ::cudaMallocFromPoolAsync((void **)(void *)__pointer, __bytes, __pool, __stream);
}
static inline cudaError_t cudaMallocAsync(void **__pointer, size_t __bytes, cudaMemPool_t __pool,
                                          cudaStream_t __stream) {
    return ::cudaMallocFromPoolAsync(__pointer, __bytes, __pool, __stream);
}
template <class __T>
static inline cudaError_t cudaMallocFromPoolAsync(__T **__pointer, size_t __bytes, cudaMemPool_t __pool,
                                                  cudaStream_t __stream) {
    return ::cudaMallocFromPoolAsync((void **)(void *)__pointer, __bytes, __pool, __stream);
}
template <class __T>
static inline cudaError_t cudaHostGetDevicePointer(__T **__device_pointer, void *__host_pointer,
                                                   unsigned int __flags) {
    return ::cudaHostGetDevicePointer((void **)(void *)__device_pointer, __host_pointer, __flags);
}

/* As CUDA 12 and older have them, which name a place by a device's number or cudaCpuDeviceId. */
static inline struct cudaMemLocation wg_memory_of(int __device) {
    struct cudaMemLocation __location;
    bool __on_host = __device == cudaCpuDeviceId;
    __location.type = __on_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    __location.id = __on_host ? 0 : __device;
    return __location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *__pointer, size_t __bytes, int __device,
                                               cudaStream_t __stream = 0) {
    return ::cudaMemPrefetchAsync(__pointer, __bytes, wg_memory_of(__device), 0, __stream);
}
static inline cudaError_t cudaMemAdvise(const void *__pointer, size_t __bytes, enum cudaMemoryAdvise __advice,
                                        int __device) {
    return ::cudaMemAdvise(__pointer, __bytes, __advice, wg_memory_of(__device));
}

/* Symbols: __device__ and __constant__ variables by name. The host knows them by the address of their shadow.
 */
template <class __T>
static inline cudaError_t cudaMemcpyToSymbol(const __T &__symbol, const void *__from, size_t __bytes,
                                             size_t __offset = 0,
                                             enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void *)&__symbol, __from, __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t cudaMemcpyFromSymbol(void *__to, const __T &__symbol, size_t __bytes,
                                               size_t __offset = 0,
                                               enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(__to, (const void *)&__symbol, __bytes, __offset, __kind);
}
template <class __T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const __T &__symbol, const void *__from, size_t __bytes, size_t __offset = 0,
                        enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice, cudaStream_t __stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void *)&__symbol, __from, __bytes, __offset, __kind, __stream);
}
template <class __T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *__to, const __T &__symbol, size_t __bytes, size_t __offset = 0,
                          enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost, cudaStream_t __stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(__to, (const void *)&__symbol, __bytes, __offset, __kind, __stream);
}
template <class __T> static inline cudaError_t cudaGetSymbolAddress(void **__pointer, const __T &__symbol) {
    return ::cudaGetSymbolAddress(__pointer, (const void *)&__symbol);
}
template <class __T> static inline cudaError_t cudaGetSymbolAddress(__T **__pointer, const __T &__symbol) {
    return ::cudaGetSymbolAddress((void **)(void *)__pointer, (const void *)&__symbol);
}
template <class __T> static inline cudaError_t cudaGetSymbolSize(size_t *__bytes, const __T &__symbol) {
    return ::cudaGetSymbolSize(__bytes, (const void *)&__symbol);
}

/* Events and streams. */
static inline cudaError_t cudaEventCreate(cudaEvent_t *__event, unsigned int __flags) {
    return ::cudaEventCreateWithFlags(__event, __flags);
}

/* Kernels. */
template <class __T>
static inline cudaError_t cudaLaunchKernel(__T *__kern, dim3 __grid, dim3 __block, void **__arguments,
                                           size_t __shared_bytes = 0, cudaStream_t __stream = 0) {
    return ::cudaLaunchKernel((const void *)__kern, __grid, __block, __arguments, __shared_bytes, __stream);
}
template <class __T>
static inline cudaError_t cudaLaunchCooperativeKernel(__T *__kern, dim3 __grid, dim3 __block,
                                                      void **__arguments, size_t __shared_bytes = 0,
                                                      cudaStream_t __stream = 0) {
    return ::cudaLaunchCooperativeKernel((const void *)__kern, __grid, __block, __arguments, __shared_bytes,
                                         __stream);
}
template <class __T>
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *__config, __T *__kern,
                                              void **__arguments) {
    return ::cudaLaunchKernelExC(__config, (const void *)__kern, __arguments);
}
#if __cplusplus >= 201103L
/* The kernel's parameter types are deduced from the kernel alone, so that an int argument converts where the
 * kernel takes a size_t; the arguments are then parameters of exactly the types that the launch copies. */
template <class __T> struct wg_as_is {
    typedef __T type;
};
template <class... __Parameters>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *__config,
                                             void (*__kern)(__Parameters...),
                                             typename wg_as_is<__Parameters>::type... __arguments) {
    void *__addresses[sizeof...(__Parameters) + 1] = {(void *)&__arguments..., nullptr};
    return ::cudaLaunchKernelExC(__config, (const void *)__kern, __addresses);
}
#endif
template <class __T>
static inline cudaError_t cudaFuncSetCacheConfig(__T *__kern, enum cudaFuncCache __config) {
    return ::cudaFuncSetCacheConfig((const void *)__kern, __config);
}
template <class __T>
static inline cudaError_t cudaFuncSetSharedMemConfig(__T *__kern, enum cudaSharedMemConfig __config) {
    return ::cudaFuncSetSharedMemConfig((const void *)__kern, __config);
}
template <class __T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attributes, __T *__kern) {
    return ::cudaFuncGetAttributes(__attributes, (const void *)__kern);
}
template <class __T>
static inline cudaError_t cudaFuncSetAttribute(__T *__kern, enum cudaFuncAttribute __attr, int __value) {
    return ::cudaFuncSetAttribute((const void *)__kern, __attr, __value);
}
template <class __T> static inline cudaError_t cudaFuncGetName(const char **__name, __T *__kern) {
    return ::cudaFuncGetName(__name, (const void *)__kern);
}
template <class __T> static inline cudaError_t cudaGetKernel(cudaKernel_t *__handle, __T *__kern) {
    return ::cudaGetKernel(__handle, (const void *)__kern);
}

/* Occupancy. */
template <class __T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, __T __kern,
                                                                        int __block_size,
                                                                        size_t __dynamic_shared_bytes) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(__blocks, (const void *)__kern, __block_size,
                                                           __dynamic_shared_bytes);
}
template <class __T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__blocks, __T __kern, int __block_size,
                                                       size_t __dynamic_shared_bytes, unsigned int __flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        __blocks, (const void *)__kern, __block_size, __dynamic_shared_bytes, __flags);
}
template <class __T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__bytes, __T *__kern,
                                                                    int __blocks, int __block_size) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(__bytes, (const void *)__kern, __blocks, __block_size);
}
template <class __T>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *__cluster_size, __T *__kern,
                                                               const cudaLaunchConfig_t *__config) {
    return ::cudaOccupancyMaxPotentialClusterSize(__cluster_size, (const void *)__kern, __config);
}
template <class __T>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, __T *__kern,
                                                         const cudaLaunchConfig_t *__config) {
    return ::cudaOccupancyMaxActiveClusters(__clusters, (const void *)__kern, __config);
}

/* The block size, a multiple of the warp, that keeps most threads of a multiprocessor busy; of equals the
 * largest. `shared_bytes_of` says how much dynamic shared memory a block of a given size asks for. */
template <class __SharedBytes, class __T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *__min_grid_size, int *__block_size, __T __kern, __SharedBytes __shared_bytes_of,
    int __block_size_limit = 0, unsigned int __flags = 0) {
    int __device, __multiprocessors, __threads, __warp;
    struct cudaFuncAttributes __attributes;
    cudaError_t __error = ::cudaGetDevice(&__device);
    if (!__min_grid_size || !__block_size || !__kern) __error = cudaErrorInvalidValue;
    if (!__error)
        __error = ::cudaDeviceGetAttribute(&__threads, cudaDevAttrMaxThreadsPerMultiProcessor, __device);
    if (!__error)
        __error = ::cudaDeviceGetAttribute(&__multiprocessors, cudaDevAttrMultiProcessorCount, __device);
    if (!__error) __error = ::cudaDeviceGetAttribute(&__warp, cudaDevAttrWarpSize, __device);
    if (!__error) __error = ::cudaFuncGetAttributes(&__attributes, (const void *)__kern);
    if (__error) return __error;

    int __limit = __attributes.maxThreadsPerBlock, __best_size = 0, __best_blocks = 0;
    if (__block_size_limit > 0 && __block_size_limit < __limit) __limit = __block_size_limit;
    for (int __tried = (__limit + __warp - 1) / __warp * __warp; __tried > 0; __tried -= __warp) {
        int __size = __tried < __limit ? __tried : __limit, __blocks = 0;
        __error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &__blocks, (const void *)__kern, __size, __shared_bytes_of(__size), __flags);
        if (__error) return __error;
        if (__blocks * __size > __best_blocks * __best_size) __best_blocks = __blocks, __best_size = __size;
        if (__best_blocks * __best_size == __threads) break;
    }
    *__min_grid_size = __best_blocks * __multiprocessors;
    *__block_size = __best_size;
    return cudaSuccess;
}
template <class __SharedBytes, class __T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *__min_grid_size, int *__block_size, __T __kern,
                                               __SharedBytes __shared_bytes_of, int __block_size_limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(__min_grid_size, __block_size, __kern,
                                                                   __shared_bytes_of, __block_size_limit);
}
struct wg_same_shared_bytes {
    size_t __bytes;
    size_t operator()(int) const { return __bytes; }
};
template <class __T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *__min_grid_size, int *__block_size, __T __kern,
                                            size_t __dynamic_shared_bytes = 0, int __block_size_limit = 0,
                                            unsigned int __flags = 0) {
    wg_same_shared_bytes __same = {__dynamic_shared_bytes};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(__min_grid_size, __block_size, __kern,
                                                                   __same, __block_size_limit, __flags);
}
template <class __T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *__min_grid_size, int *__block_size,
                                                             __T __kern, size_t __dynamic_shared_bytes = 0,
                                                             int __block_size_limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(__min_grid_size, __block_size, __kern,
                                                       __dynamic_shared_bytes, __block_size_limit);
}

#endif
